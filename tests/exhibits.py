"""Every exhibit of the course that needs no training, and records by hand for those that do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
from torch import Generator, Tensor

from figures import curves, diagrams, heatmaps
from figures.attention import causal_mask, masked_softmax
from figures.exhibit import Exhibit
from figures.experiments.bottleneck import LENGTHS, LengthCurve, Memory, Reading
from figures.experiments.cache import CacheCost, measure_cache_cost, measure_cached_batch
from figures.experiments.captions import DescribedPicture, TrainedCaptioner
from figures.experiments.data_parallel import DataParallelFacts
from figures.experiments.decoding import DecodingReport, Writing
from figures.experiments.dropout import SmallDataRun, measure_dropout
from figures.experiments.head_average import average_facts
from figures.experiments.head_roles import SENTENCE, Role, StudiedHeads, mean_entropies, mean_shares, study_copier
from figures.experiments.heads import HeadsAtWork, TrainedReader
from figures.experiments.injected_bugs import BugReport, BugTable
from figures.experiments.leak import TrainedCopier
from figures.experiments.memory import measure_kept, measure_mixed_precision
from figures.experiments.padding import measure_padding_drift
from figures.experiments.padding_training import PADS, PaddedReader
from figures.experiments.positions import TrainedOrderReader, measure_order
from figures.experiments.questions import QUESTIONS
from figures.experiments.recall import RecallReport, measure_recall
from figures.experiments.self_checks import run_checks
from figures.experiments.sequences import AlignedSentence, Quality
from figures.experiments.softmax import measure_peaks, measure_spread
from figures.experiments.speech import HeardUtterance, TrainedListener
from figures.experiments.summaries import Summary, TrainedSummariser
from figures.experiments.translation import TrainedTranslator
from figures.models.attention_layer import Mechanism
from figures.models.transformer import Positions

Maker = Callable[[tuple[float, float], str], Exhibit]

SOURCE = ("Sunday", ",", "April", "1", "8", ",", "1", "9", "2", "0")
TARGET = ("1", "9", "2", "0", "年", "4", "月", "1", "8", "日", "星期日")
GOLD = ((6,), (7,), (8,), (9,), (), (2,), (), (3,), (4,), (), (0,))


def sentence(mechanism: Mechanism, target: tuple[str, ...] = TARGET) -> AlignedSentence:
    """A date whose weights lie on the known alignment, with something beside it; noise where there is none."""
    generator = Generator().manual_seed(1)
    S, T = len(SOURCE), len(target)
    scores = torch.randn(T, S, generator=generator)
    for row, columns in enumerate(GOLD[:T]):
        scores[row, list(columns)] += 4.0
    weights = torch.eye(S)[scores.argmax(-1)] if mechanism.startswith("hard") else scores.softmax(-1)
    if mechanism == "local-m":
        near = (torch.arange(S) - torch.arange(T)[:, None]).abs() <= 3
        weights = masked_softmax(scores, near)
    attends = mechanism != "none"
    states = torch.randn(S, 64, generator=generator).tanh()
    return AlignedSentence(
        source=SOURCE,
        target=target,
        reference=TARGET,
        gold=GOLD,
        language="en",
        encoder_states=states,
        fixed_vector=states[-1],
        decoder_states=torch.randn(T, 64, generator=generator).tanh(),
        contexts=weights @ states,
        scores=scores if attends else None,
        weights=weights if attends else None,
    )


@cache
def translator(mechanism: Mechanism) -> TrainedTranslator:
    """A record as training makes it, with round numbers for its quality."""
    attends = mechanism != "none"
    wrong = (*TARGET[:8], "9", *TARGET[9:])
    return TrainedTranslator(
        mechanism=mechanism,
        seed=0,
        steps=100,
        window=3,
        parameters=50_000,
        quality=Quality(500, 0.9, 0.99, *((0.75, 0.9, 0.8) if attends else (None, None, None))),
        loss=torch.linspace(3, 0.01, 100),
        examples=(sentence(mechanism, TARGET if attends else wrong),),
        source_symbols=tuple(sorted(set(SOURCE))),
        target_symbols=tuple(sorted(set(TARGET))),
        state={},
    )


@cache
def length_curve(mechanism: Mechanism, reading: str = "both") -> LengthCurve:
    """Accuracy that falls by steps of a tenth."""
    accuracy = tuple(1 - 0.1 * i if mechanism == "none" else 1 - 0.01 * i for i in range(len(LENGTHS)))
    places: tuple[Tensor, ...] = tuple(torch.linspace(0.2, 0.9, length).double() for length in LENGTHS)
    return LengthCurve(
        mechanism=mechanism,
        reading=reading,  # type: ignore[arg-type]
        seed=0,
        steps=100,
        characters=100,
        longest=24,
        sentences=200,
        parameters=70_000,
        lengths=LENGTHS,
        accuracy=accuracy,
        by_position=places,
        forced_by_position=tuple(shares + 0.05 for shares in places),
        example=sentence(mechanism),
        loss=torch.linspace(3, 0.5, 100),
    )


def memory(reading: Reading) -> Memory:
    """What was read last is remembered best."""
    shares = torch.linspace(0.1, 0.9, 12).double()
    return Memory(reading, 0, 100, 12, 200, 64, shares if reading == "forwards" else shares.flip(0))


@cache
def trained_reader(heads: int = 4, d_k: int = 16) -> TrainedReader:
    """A layer whose heads look at the position before, the position after, the first, and at themselves."""
    generator = Generator().manual_seed(2)
    T, d_model = 8, heads * d_k
    place = torch.arange(T)
    targets = (place - 1).clamp_min(0), (place + 1).clamp_max(T - 1), place * 0, place
    scores = torch.randn(heads, T, T, generator=generator)
    for head in range(heads):
        scores[head, place, targets[head % 4]] += 6.0
    weights = scores.softmax(-1)
    x, w_o, bias = (
        torch.randn(*shape, generator=generator) for shape in ((T, d_model), (d_model, d_model), (d_model,))
    )
    q, k, v = torch.randn(3, heads, T, d_k, generator=generator)
    outputs = weights @ v
    concatenated = outputs.transpose(0, 1).flatten(1)
    work = HeadsAtWork(
        tokens=tuple("上天下地天上地下"), x=x, q=q, k=k, v=v, scores=scores, weights=weights, heads=outputs,
        concatenated=concatenated, w_o=w_o, bias=bias, output=concatenated @ w_o + bias, answers=(), right=(),
    )  # fmt: skip
    return TrainedReader(
        num_heads=heads, d_model=d_model, seed=0, steps=100, parameters=30_000, questions=QUESTIONS,
        accuracy=(0.9, 0.95, 1.0, 0.85), share=torch.full((heads, 4), 0.1) + 0.8 * torch.eye(4)[:heads],
        average_share=(0.3, 0.3, 0.3, 0.3), without=torch.full((heads, 4), 0.5), roles=QUESTIONS[:heads],
        entropy=(0.1, 0.2, 0.3, 0.4), score_std=(2.0, 3.0, 4.0, 5.0), initial_entropy=(0.9,) * heads,
        initial_score_std=(0.5,) * heads, loss=torch.linspace(3, 0, 100), example=work, symbols=(), state={},
    )  # fmt: skip


@cache
def copier(causal: bool) -> TrainedCopier:
    """Two layers of four heads: the first looks one symbol back, the second six."""
    generator = Generator().manual_seed(3)
    T = 12
    layers = []
    for offset in (1, 6):
        scores = torch.randn(4, T, T, generator=generator)
        place = torch.arange(T)
        scores[:, place, (place - offset).clamp_min(0)] += 5.0
        layers.append(masked_softmax(scores, causal_mask(T) if causal else None))
    return TrainedCopier(
        causal=causal, seed=0, steps=50, parameters=1000, symbols=24, length=T + 1, floor=1.0, chance=1 / 24,
        test_loss=1.2 if causal else 0.1, accuracy_random=0.04 if causal else 1.0, accuracy_repeat=0.95,
        written=0.7 if causal else 0.2, loss=torch.linspace(3.2, 1.2 if causal else 0.1, 50), weights=tuple(layers),
        tokens=tuple("abcdefabcdef"),
    )  # fmt: skip


@cache
def pretrained() -> StudiedHeads:
    """Six layers of twelve heads that look at the start; one looks a word back, one a word on, one finds a noun."""
    tokens = ("[CLS]", *SENTENCE.lower().split(), "[SEP]")
    T, query, target = len(tokens), 9, 2
    scores = torch.randn(6, 12, T, T, generator=Generator().manual_seed(5))
    scores[..., 0] += 3.0
    place = torch.arange(T - 1)
    scores[0, 2, place + 1, place] += 9.0
    scores[1, 8, place, place + 1] += 6.0
    scores[3, 1, query, target] += 5.0
    weights = scores.softmax(-1)
    averaged = weights.mean(1, keepdim=True)
    roles: tuple[Role, ...] = ("previous", "next", "first", "last", "itself")
    return StudiedHeads(
        "minilm", 22_000_000, 1, roles, mean_shares(roles, [weights], [tokens]),
        mean_shares(roles, [averaged], [tokens])[..., 0], mean_entropies([weights]), mean_entropies([averaged]),
        False, tokens, tuple(weights), query, target, (1.0, 1.0, 1.0), 0.0,
    )  # fmt: skip


@cache
def order_reader(positions: Positions) -> TrainedOrderReader:
    """A reader that tells orders apart only with positions."""
    knows = positions != "none"
    return TrainedOrderReader(
        positions=positions,
        dropout=0.0,
        seed=0,
        steps=50,
        parameters=1000,
        idioms=2000,
        training_accuracy=0.9 if knows else 0.5,
        accuracy=0.7 if knows else 0.5,
        sentence=tuple("猫追狗"),
        swapped=tuple("狗追猫"),
        logit=0.5,
        swapped_logit=-0.5 if knows else 0.5,
        loss=torch.linspace(0.7, 0.5, 50),
    )


@cache
def cache_cost() -> CacheCost:
    """Measured once: its time ratio is a clock time."""
    return measure_cache_cost(d_model=32, lengths=(32, 64, 128))


@cache
def listener() -> TrainedListener:
    """Four digits in two seconds, each heard where it sounds."""
    generator = Generator().manual_seed(4)
    spans = ((2, 10), (13, 20), (24, 32), (36, 46))
    scores = torch.randn(4, 50, generator=generator)
    for row, (first, last) in enumerate(spans):
        scores[row, first:last] += 6.0
    heard = HeardUtterance(
        target=tuple("9303"), reference=tuple("9303"), spans=spans, seconds_per_step=0.04,
        spectrogram=torch.randn(200, 32, generator=generator), weights=scores.softmax(-1),
    )  # fmt: skip
    quality = Quality(300, 0.97, 0.99, 0.98, 0.99, 0.97)
    return TrainedListener("general", 0, 100, 60_000, quality, 0.0, torch.linspace(2, 0.1, 100), (heard,))


@cache
def captioner(mechanism: Mechanism) -> TrainedCaptioner:
    """A picture with ink in two cells, described in four words that look at the right one."""
    generator = Generator().manual_seed(5)
    pixels = torch.zeros(24, 24)
    pixels[2:7, 3] = pixels[10:15, 18] = 0.9
    cells = ((0, 0), (1, 2))
    scores = torch.randn(4, 6, 6, generator=generator)
    for word in range(4):
        row, column = cells[word // 2]
        scores[word, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2] += 6.0
    flat = scores.flatten(1)
    weights = torch.eye(36)[flat.argmax(-1)] if mechanism.startswith("hard") else flat.softmax(-1)
    caption = ("左上", "一", "右中", "一")
    described = DescribedPicture(caption, caption, cells, pixels, weights.view(4, 6, 6))
    quality = Quality(500, 0.8, 0.95, 0.99, 0.99, 0.95)
    return TrainedCaptioner(
        mechanism=mechanism, seed=0, steps=100, first_steps=50, parameters=60_000, quality=quality, uniform_mass=1 / 9,
        place_alignment=0.2, loss=torch.linspace(3, 0.5, 100), examples=(described,),
    )  # fmt: skip


@cache
def decoding_report() -> DecodingReport:
    """Every way of decoding once."""
    methods = (
        ("greedy", 0.0), ("attention temperature", 0.8), ("temperature", 0.5), ("temperature", 1.0), ("penalty", 1.3),
        ("no repeated run", 4.0), ("dropout left on", 0.1),
    )  # fmt: skip
    writings = tuple(Writing(method, strength, 0.5, 0.8, "一本正经，" * 4) for method, strength in methods)
    temperatures = (0.1, 0.5, 0.8, 1.0, 1.2)
    return DecodingReport(
        seed=0, steps=100, parameters=100_000, idioms=1400, loss=1.75, text_repeated=0.01, text_valid=1.0,
        attention_temperatures=(0.5, 0.8, 0.9, 1.0, 1.2), attention_losses=(1.8, 1.76, 1.755, 1.75, 1.77),
        dropout_loss=1.82, temperatures=temperatures, entropy=(0.2, 0.9, 1.5, 1.8, 2.2), writings=writings,
    )  # fmt: skip


@cache
def summariser() -> TrainedSummariser:
    """Two words copied, one made up."""
    source = ("convert", "the", "given", "mapping", "to", "a", "plain", "dictionary")
    target, copied = ("to", "dict", "mapping"), ((4,), (), (3,))
    scores = torch.randn(3, len(source), generator=Generator().manual_seed(6))
    for row, columns in enumerate(copied):
        scores[row, list(columns)] += 5.0
    summary = Summary(source, target, ("to", "dict"), torch.tensor([0.1, 0.9, 0.2]), scores.softmax(-1))
    return TrainedSummariser(
        seed=0, steps=100, parameters=90_000, training=1000, known=500, words=900, rouge=0.4, baseline_rouge=0.3,
        exact=0.1, pointing=0.6, p_gen_copied=0.4, p_gen_generated=0.9, loss=torch.linspace(5, 2, 100),
        examples=(summary,),
    )  # fmt: skip


@cache
def bug_table() -> BugTable:
    """The right code alone, on a sequence with one 7."""
    tokens = ("3", "1", "7", "4", "0", "2")
    scores = torch.randn(6, 6, generator=Generator().manual_seed(7))
    scores[:, 2] += 6.0
    return BugTable(0, 100, 0.5, 0.1, (BugReport("none", 1.0, 1.0, 0.9, 0.9, 0.0),), tokens, scores.softmax(-1))


kept_bytes = cache(lambda: measure_kept(length=128))
mixed_bytes = cache(lambda: measure_mixed_precision(32, 1))


def cards() -> DataParallelFacts:
    """Two cards that keep what one keeps."""
    mib = 2**20
    return DataParallelFacts(
        length=256, heads=4, world=2, batches=(4, 2), alone=(4 * mib, 2 * mib), each=((4 * mib,) * 2, (2 * mib,) * 2),
        inputs_differ=True, gradients_equal=True, gradient_difference=3e-8, parameter_bytes=60_000,
    )  # fmt: skip


def translators(*mechanisms: Mechanism) -> tuple[TrainedTranslator, ...]:
    """Several of them."""
    return tuple(translator(mechanism) for mechanism in mechanisms)


@cache
def recalled() -> RecallReport:
    """A reader after a few steps of training."""
    return measure_recall(steps=3)


def small_runs() -> tuple[SmallDataRun, ...]:
    """Losses that come closer with more dropout, two seeds each."""
    return tuple(
        SmallDataRun(p, seed, 100, 500, 1500, 0.4 + p / 3, 1.1 - p / 2 - 0.1 * seed, 0.8, 0.6)
        for p in (0.0, 0.1, 0.3, 0.5)
        for seed in (0, 1)
    )


def padded_reader(masked: bool) -> PaddedReader:
    """A reader whose verdicts change with the number of pads unless they are masked."""
    changed = tuple(0.0 if masked else 0.02 * i for i in range(len(PADS)))
    return PaddedReader(
        masked=masked, seed=0, steps=100, most=4, idioms=2000, final_loss=0.5, pads=PADS, accuracy=(0.75,) * len(PADS),
        weight=changed, changed=changed, loss=torch.linspace(0.7, 0.5, 100),
    )  # fmt: skip


MAKERS: dict[str, Maker] = {
    "curves.padding_training": lambda s, g: curves.padding_training(
        (padded_reader(False), padded_reader(True)), lang=g, size=s
    ),
    "curves.order_placement": lambda s, g: curves.order_placement(measure_order(), lang=g, size=s),
    "heatmaps.one_head_and_average": lambda s, g: heatmaps.one_head_and_average(
        trained_reader(), average_facts(trained_reader().example.weights[None], 0.0), lang=g, size=s
    ),
    "heatmaps.label_mismatch": lambda s, g: heatmaps.label_mismatch(translator("general"), lang=g, size=s),
    "diagrams.bottleneck": lambda s, g: diagrams.bottleneck(translators("none", "additive"), lang=g, size=s),
    "diagrams.qkv": lambda s, g: diagrams.qkv(lang=g, size=s),
    "diagrams.multi_head": lambda s, g: diagrams.multi_head(trained_reader(), lang=g, size=s),
    "heatmaps.self_attention": lambda s, g: heatmaps.self_attention(trained_reader(), lang=g, size=s),
    "heatmaps.self_attention one": lambda s, g: heatmaps.self_attention(trained_reader(), 2, lang=g, size=s),
    "heatmaps.average_of_heads": lambda s, g: heatmaps.average_of_heads(trained_reader(), lang=g, size=s),
    "heatmaps.overview": lambda s, g: heatmaps.overview(copier(causal=True), lang=g, size=s),
    "heatmaps.head_roles": lambda s, g: heatmaps.head_roles(pretrained(), lang=g, size=s),
    "heatmaps.head_roles own": lambda s, g: heatmaps.head_roles(study_copier(copier(causal=True)), lang=g, size=s),
    "heatmaps.tinted_text": lambda s, g: heatmaps.tinted_text(translator("additive"), lang=g, size=s),
    "curves.leak": lambda s, g: curves.leak((copier(causal=True), copier(causal=False)), lang=g, size=s),
    "curves.order_readers": lambda s, g: curves.order_readers(
        (order_reader("none"), order_reader("sinusoidal"), order_reader("learned")), lang=g, size=s
    ),
    "curves.head_statistics": lambda s, g: curves.head_statistics(trained_reader(), lang=g, size=s),
    "curves.padding_drift": lambda s, g: curves.padding_drift(measure_padding_drift(), lang=g, size=s),
    "curves.kept_for_backward": lambda s, g: curves.kept_for_backward(kept_bytes(), lang=g, size=s),
    "curves.mixed_precision": lambda s, g: curves.mixed_precision(mixed_bytes(), lang=g, size=s),
    "curves.data_parallel": lambda s, g: curves.data_parallel(cards(), lang=g, size=s),
    "curves.cache_step": lambda s, g: curves.cache_step(cache_cost(), lang=g, size=s),
    "curves.cache_total": lambda s, g: curves.cache_total(cache_cost(), lang=g, size=s),
    "heatmaps.speech": lambda s, g: heatmaps.speech(listener(), lang=g, size=s),
    "heatmaps.cross_attention": lambda s, g: heatmaps.cross_attention(lang=g, size=s),
    "heatmaps.mask_gallery": lambda s, g: heatmaps.mask_gallery(lang=g, size=s),
    "curves.alibi": lambda s, g: curves.alibi(lang=g, size=s),
    "curves.rotary_distance": lambda s, g: curves.rotary_distance(lang=g, size=s),
    "diagrams.decoding_step": lambda s, g: diagrams.decoding_step(lang=g, size=s),
    "diagrams.cached_batch": lambda s, g: diagrams.cached_batch(measure_cached_batch(), lang=g, size=s),
    "diagrams.dropped_weights": lambda s, g: diagrams.dropped_weights(measure_dropout(draws=100), lang=g, size=s),
    "heatmaps.other_functions": lambda s, g: heatmaps.other_functions(lang=g, size=s),
    "curves.small_data": lambda s, g: curves.small_data(small_runs(), lang=g, size=s),
    "diagrams.online_softmax": lambda s, g: diagrams.online_softmax(lang=g, size=s),
    "heatmaps.pictures": lambda s, g: heatmaps.pictures(
        (captioner("additive"), captioner("hard-gumbel")), lang=g, size=s
    ),
    "curves.repetition": lambda s, g: curves.repetition(decoding_report(), lang=g, size=s),
    "curves.temperatures": lambda s, g: curves.temperatures(decoding_report(), lang=g, size=s),
    "heatmaps.copying": lambda s, g: heatmaps.copying(summariser(), lang=g, size=s),
    "curves.entropy_by_spread": lambda s, g: curves.entropy_by_spread(measure_spread(samples=500), lang=g, size=s),
    "curves.peaks": lambda s, g: curves.peaks(measure_peaks(samples=50), lang=g, size=s),
    "curves.bugs_noticed": lambda s, g: curves.bugs_noticed(bug_table(), run_checks(), lang=g, size=s),
    "heatmaps.recall": lambda s, g: heatmaps.recall(recalled(), lang=g, size=s),
    "diagrams.summary": lambda s, g: diagrams.summary(
        translators("none", "additive"), trained_reader(), lang=g, size=s
    ),
    "heatmaps.toy": lambda s, g: heatmaps.toy(bug_table(), lang=g, size=s),
    "heatmaps.local_window": lambda s, g: heatmaps.local_window(
        translator("local-m"), length_curve("local-m"), lang=g, size=s
    ),
    "diagrams.recurrent_mappings": lambda s, g: diagrams.recurrent_mappings(lang=g, size=s),
    "diagrams.weighted_sum": lambda s, g: diagrams.weighted_sum(lang=g, size=s),
    "diagrams.head_split": lambda s, g: diagrams.head_split(lang=g, size=s),
    "diagrams.mask_shapes": lambda s, g: diagrams.mask_shapes(lang=g, size=s),
    "heatmaps.alignment": lambda s, g: heatmaps.alignment(translator("additive"), lang=g, size=s),
    "heatmaps.alignments": lambda s, g: heatmaps.alignments(translators("additive", "dot"), lang=g, size=s),
    "heatmaps.soft_and_hard": lambda s, g: heatmaps.soft_and_hard(
        translators("general", "hard-gumbel"), lang=g, size=s
    ),
    "heatmaps.masks causal": lambda s, g: heatmaps.masks("causal", lang=g, size=s),
    "heatmaps.masks padding": lambda s, g: heatmaps.masks("padding", lang=g, size=s),
    "heatmaps.masks both": lambda s, g: heatmaps.masks("both", lang=g, size=s),
    "heatmaps.mask_fills": lambda s, g: heatmaps.mask_fills(lang=g, size=s),
    "heatmaps.word_order": lambda s, g: heatmaps.word_order(lang=g, size=s),
    "heatmaps.positions": lambda s, g: heatmaps.positions(lang=g, size=s),
    "heatmaps.similarity": lambda s, g: heatmaps.similarity(lang=g, size=s),
    "curves.variance": lambda s, g: curves.variance(samples=500, lang=g, size=s),
    "curves.gradient": lambda s, g: curves.gradient(samples=500, lang=g, size=s),
    "curves.softmax_saturation": lambda s, g: curves.softmax_saturation(samples=200, lang=g, size=s),
    "curves.additive_vs_dot": lambda s, g: curves.additive_vs_dot(lang=g, size=s),
    "curves.length_cost": lambda s, g: curves.length_cost(lang=g, size=s),
    "curves.position_similarity": lambda s, g: curves.position_similarity(lang=g, size=s),
    "curves.bottleneck": lambda s, g: curves.bottleneck(
        (length_curve("none"), length_curve("additive")), lang=g, size=s
    ),
    "curves.recency": lambda s, g: curves.recency(
        (memory("forwards"), memory("backwards")), length_curve("none"), lang=g, size=s
    ),
    "curves.training_loss": lambda s, g: curves.training_loss(translators("none", "additive"), lang=g, size=s),
}

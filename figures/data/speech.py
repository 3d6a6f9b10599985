"""Spoken digits: recordings of 0 to 9 from the captcha package, joined to utterances, as log-mel features.

There is one recording of each digit, so what is tested is new sequences, speeds and noise, never another voice.
"""

from __future__ import annotations

import wave
from dataclasses import dataclass
from importlib.resources import files

import captcha
import torch
from torch import Generator, Tensor
from torch.nn.functional import interpolate, pad

RATE = 8000
HOP = 80  # samples: 10 ms
WINDOW = 256
MELS = 32
STACK = 4  # frames a step: 40 ms


@dataclass(frozen=True, slots=True)
class Utterance:
    """Some digits spoken one after the other.

    `features` `[S, 128]` are four stacked frames of log-mel energies each. `spans[i]` are the first step of digit i and
    the one after its last.
    """

    digits: tuple[str, ...]
    features: Tensor
    spans: tuple[tuple[int, int], ...]

    @property
    def spectrogram(self) -> Tensor:
        """The frames one by one, `[4 S, 32]`, 10 ms each."""
        return self.features.view(-1, MELS)


SECONDS_PER_STEP = STACK * HOP / RATE


def recordings() -> tuple[Tensor, ...]:
    """The ten digits as samples between −1 and 1 at 8 kHz, silence at both ends cut off."""
    found = []
    for digit in range(10):
        path = files(captcha) / "data" / str(digit) / "default.wav"
        with path.open("rb") as file, wave.open(file) as sound:
            assert sound.getframerate() == RATE
            raw = bytearray(sound.readframes(sound.getnframes()))
            if sound.getsampwidth() == 1:
                samples = torch.frombuffer(raw, dtype=torch.uint8).float() / 128 - 1
            else:
                samples = torch.frombuffer(raw, dtype=torch.int16).float() / 32768
        loud = (samples.abs() > 0.05 * samples.abs().max()).nonzero().flatten()
        found.append(samples[int(loud[0]) : int(loud[-1]) + 1])
    return tuple(found)


def utterances(count: int, lengths: tuple[int, int], generator: Generator) -> tuple[Utterance, ...]:
    """`count` random utterances of `lengths[0]` to `lengths[1]` digits: gaps, ±15 % speed, loudness and noise vary."""
    sounds = recordings()
    filters = mel_filters()
    return tuple(utterance(sounds, filters, lengths, generator) for _ in range(count))


def utterance(sounds: tuple[Tensor, ...], filters: Tensor, lengths: tuple[int, int], generator: Generator) -> Utterance:
    """One random utterance."""

    def between(low: float, high: float) -> float:
        return low + (high - low) * float(torch.rand((), generator=generator))

    digits = torch.randint(10, (int(between(lengths[0], lengths[1] + 1)),), generator=generator).tolist()
    parts: list[Tensor] = [torch.zeros(int(between(0.02, 0.15) * RATE))]
    spans = []
    start = len(parts[0])
    for digit in digits:
        sound = sounds[digit][None, None]
        sound = interpolate(sound, scale_factor=between(0.85, 1.15), mode="linear", align_corners=False)[0, 0]
        gap = torch.zeros(int(between(0.02, 0.15) * RATE))
        spans.append((start, start + len(sound)))
        parts += [sound * between(0.5, 1.0), gap]
        start += len(sound) + len(gap)
    samples = torch.cat(parts)
    samples = samples + between(0.001, 0.01) * torch.randn(len(samples), generator=generator)
    step = STACK * HOP
    return Utterance(
        tuple(map(str, digits)),
        log_mel(samples, filters),
        tuple((first // step, -(-last // step)) for first, last in spans),
    )


def log_mel(samples: Tensor, filters: Tensor) -> Tensor:
    """The features `[S, 128]`: log energies in 32 mel bands of frames every 10 ms, four frames a step."""
    steps = -(-len(samples) // (STACK * HOP))
    samples = pad(samples, (WINDOW // 2, steps * STACK * HOP - len(samples) + WINDOW // 2))
    frames = samples.unfold(0, WINDOW, HOP)[: steps * STACK]  # [4 S, window]
    power = torch.fft.rfft(frames * torch.hann_window(WINDOW)).abs().square()  # [4 S, 129]
    return torch.log(power @ filters + 1e-4).view(steps, STACK * MELS)


def mel_filters() -> Tensor:
    """Triangles, evenly spaced on the mel scale m = 2595 log10(1 + f / 700): `[129, 32]`."""
    top = 2595 * torch.log10(torch.tensor(1 + RATE / 2 / 700))
    corners = 700 * (10 ** (torch.linspace(0, float(top), MELS + 2) / 2595) - 1)  # [34] in Hz
    frequencies = torch.linspace(0, RATE / 2, WINDOW // 2 + 1)[:, None]
    low, middle, high = corners[:-2], corners[1:-1], corners[2:]
    rising, falling = (frequencies - low) / (middle - low), (high - frequencies) / (high - middle)
    return torch.minimum(rising, falling).clamp_min(0)

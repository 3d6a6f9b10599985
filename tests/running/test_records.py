from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deck_builder.running.records import NotARecord, decode, encode


@dataclass(frozen=True)
class Inner:
    name: str
    weights: torch.Tensor


@dataclass(frozen=True, slots=True)
class Outer:
    inner: tuple[Inner, ...]
    curve: list[float]
    table: dict[Any, Any]
    array: np.ndarray
    length: int = field(init=False, default=3)

    def __post_init__(self) -> None:
        if not self.curve:
            raise ValueError("an empty curve")


class Attention(NamedTuple):
    scores: torch.Tensor
    label: str


def test_a_record_comes_back_as_it_was() -> None:
    record = Outer(
        (Inner("a", torch.arange(6.0).reshape(2, 3)), Inner("b", torch.tensor([True, False]))),
        [1.0, math.inf],
        {"a": 1, (1, 2): [None, True]},
        np.arange(4, dtype=np.int16).reshape(2, 2),
    )
    back = decode(encode(record))
    assert isinstance(back, Outer)
    assert [inner.name for inner in back.inner] == ["a", "b"]
    assert torch.equal(back.inner[0].weights, record.inner[0].weights)
    assert back.inner[1].weights.dtype == torch.bool
    assert (back.curve, back.table, back.length) == (record.curve, record.table, 3)
    assert back.array.dtype == np.int16
    assert np.array_equal(back.array, record.array)


def test_a_named_tuple_comes_back_as_one() -> None:
    back = decode(encode(Attention(torch.zeros(1), "x")))
    assert isinstance(back, Attention)
    assert back.label == "x"


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.uint8]
)
def test_tensors_keep_their_type_and_bits(dtype: torch.dtype) -> None:
    tensor = torch.randn(3, 2, generator=torch.Generator().manual_seed(0)).mul(50).abs().to(dtype)
    back = decode(encode(tensor))
    assert back.dtype == dtype
    assert torch.equal(back, tensor)


def test_views_shared_memory_and_graphs_are_cut() -> None:
    base = torch.arange(6.0, requires_grad=True)
    back = decode(encode([base[::2], base, base.view(2, 3).T]))
    assert back[0].tolist() == [0, 2, 4]
    assert back[2].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert not back[1].requires_grad


def test_numpy_scalars_and_empty_arrays_come_back() -> None:
    back = decode(encode([np.float32(0.1), np.int64(3), np.bool_(True), np.zeros((0, 2)), np.float64(0.1)]))
    assert back[0] == np.float32(0.1)
    assert type(back[0]) is np.float32
    assert (back[1], back[2], back[3].shape, back[4]) == (3, True, (0, 2), 0.1)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


@given(plain)
def test_any_plain_data_comes_back(value: Any) -> None:
    back = decode(encode(value))
    assert back == value
    assert repr(back) == repr(value)


def test_the_same_record_gives_the_same_bytes() -> None:
    def made() -> bytes:
        tensors = [torch.arange(9.0), torch.arange(3), torch.ones(2, dtype=torch.bool), np.arange(4.0)]
        return encode({"many": tensors, "one": Inner("a", torch.arange(100.0))})

    assert len({made() for _ in range(20)}) == 1


def test_a_record_is_a_file_that_safetensors_reads() -> None:
    from safetensors.torch import load

    assert torch.equal(load(encode(Inner("a", torch.arange(3.0))))["0"], torch.arange(3.0))


class Opaque:
    pass


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (torch.nn.Linear(1, 1), "result is a Linear"),
        ({"a": [Opaque()]}, r"result\['a'\]\[0\] is a Opaque"),
        (Inner("x", lambda: 1), r"result.weights is a function"),  # type: ignore[arg-type]
        (np.array(["a"]), "result is a ndarray"),
        ({1, 2}, "result is a set"),
    ],
)
def test_what_is_no_data_is_refused_with_its_place(value: Any, place: str) -> None:
    with pytest.raises(NotARecord, match=place):
        encode(value)


def test_a_class_made_inside_a_function_is_refused() -> None:
    @dataclass
    class Local:
        x: int

    with pytest.raises(NotARecord, match="top level of a module"):
        encode(Local(1))


@pytest.mark.parametrize("name", ["os:system", "collections:OrderedDict", "subprocess:Popen"])
def test_a_damaged_record_makes_no_other_class(name: str, swap: Callable[[bytes, str], bytes]) -> None:
    content = swap(encode(Attention(torch.zeros(1), "x")), name)
    with pytest.raises(NotARecord, match="is no record"):
        decode(content)


@pytest.fixture
def swap() -> Callable[[bytes, str], bytes]:
    """A record that names another class."""

    def swapped(content: bytes, name: str) -> bytes:
        length = int.from_bytes(content[:8], "little")
        header = json.loads(content[8 : 8 + length])
        record = json.loads(header["__metadata__"]["record"])
        record["tree"]["named"] = name
        header["__metadata__"]["record"] = json.dumps(record)
        text = json.dumps(header).encode()
        return len(text).to_bytes(8, "little") + text + content[8 + length :]

    return swapped

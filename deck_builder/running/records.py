"""Records as bytes: a tree in JSON, its tensors and arrays in safetensors. Data only; nothing in it is ever executed.

A record is made of dataclasses and named tuples (known by `module:name`), tuples, lists, dictionaries, tensors, numpy
arrays, numbers, strings, booleans and None. Tensors come back on the CPU and without a graph.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from deck_builder.values import dataclass, field

ALLOWED = "dataclasses, named tuples, tuples, lists, dictionaries, tensors, arrays, numbers, strings and None"


class NotARecord(TypeError):
    """A result holds something that is no data; the text says where."""


def encode(value: Any) -> bytes:
    """The record as a safetensors file whose metadata hold the tree."""
    encoder = _Encoder()
    tree = encoder.encode(value, "result")
    arrays = encoder.arrays
    library = "torch" if any(_is_tensor(array) for array in arrays.values()) else "numpy"
    if library == "torch":
        arrays = {name: array if _is_tensor(array) else _as_tensor(array) for name, array in arrays.items()}
    # One entry alone: safetensors writes several in an order that differs from run to run.
    metadata = {"record": json.dumps({"library": library, "tree": tree}, ensure_ascii=False, separators=(",", ":"))}
    saved: bytes = importlib.import_module(f"safetensors.{library}").save(arrays, metadata)
    return saved


def decode(content: bytes) -> Any:
    """The record that `encode` wrote; classes are imported by name."""
    length = int.from_bytes(content[:8], "little")
    record = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["record"])
    library = importlib.import_module(f"safetensors.{record['library']}")
    return _decode(record["tree"], library.load(content))


def _is_tensor(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _as_tensor(array: Any) -> Any:
    import torch

    return torch.from_numpy(array.copy())


@dataclass(slots=True)
class _Encoder:
    arrays: dict[str, Any] = field(default_factory=dict)

    def encode(self, value: Any, place: str) -> Any:
        match value:
            case None:
                return None
            case bool() | int() | str():
                return _plain(value)
            case float():
                return float(value) if math.isfinite(value) else {"float": repr(float(value))}
            case list():
                return [self.encode(item, f"{place}[{index}]") for index, item in enumerate(value)]
            case tuple():
                return self._tuple(value, place)
            case Mapping():
                pairs = value.items()
                return {"dict": [[self.encode(k, place), self.encode(v, f"{place}[{k!r}]")] for k, v in pairs]}
            case _ if is_dataclass(value) and not isinstance(value, type):
                items = {f.name: self.encode(getattr(value, f.name), f"{place}.{f.name}") for f in fields(value)}
                return {"record": _class_name(value, place), "fields": items}
            case _:
                return self._array(value, place)

    def _tuple(self, value: tuple[Any, ...], place: str) -> Any:
        items = [self.encode(item, f"{place}[{index}]") for index, item in enumerate(value)]
        if hasattr(value, "_fields"):
            return {"named": _class_name(value, place), "items": items}
        return {"tuple": items}

    def _array(self, value: Any, place: str) -> Any:
        kind = _array_kind(value)
        if kind is None:
            raise NotARecord(f"{place} is a {type(value).__qualname__}; a record holds {ALLOWED}")
        name = str(len(self.arrays))
        if kind == "tensor":
            self.arrays[name] = value.detach().cpu().contiguous().clone()
        else:
            import numpy as np

            self.arrays[name] = np.ascontiguousarray(value).reshape(value.shape)
        return {kind: name}


def _plain(value: bool | int | str) -> bool | int | str:
    """The value without a subclass of `str` or `int` around it."""
    return next(kind(value) for kind in (bool, int, str) if isinstance(value, kind))


def _array_kind(value: Any) -> str | None:
    numpy = sys.modules.get("numpy")
    if _is_tensor(value):
        return "tensor"
    if numpy and isinstance(value, numpy.ndarray | numpy.generic) and value.dtype.kind in "biufc":
        return "array" if isinstance(value, numpy.ndarray) else "scalar"
    return None


def _class_name(value: Any, place: str) -> str:
    kind = type(value)
    if "<locals>" in kind.__qualname__:
        raise NotARecord(f"{place} is a {kind.__qualname__}; define the class at the top level of a module")
    return f"{kind.__module__}:{kind.__qualname__}"


def _decode(tree: Any, arrays: Mapping[str, Any]) -> Any:
    match tree:
        case list():
            return [_decode(item, arrays) for item in tree]
        case {"float": text}:
            return float(text)
        case {"tuple": items}:
            return tuple(_decode(item, arrays) for item in items)
        case {"dict": pairs}:
            return {_decode(key, arrays): _decode(item, arrays) for key, item in pairs}
        case {"named": name, "items": items}:
            return _class(name)._make(_decode(item, arrays) for item in items)
        case {"record": name, "fields": items}:
            return _record(name, {key: _decode(item, arrays) for key, item in items.items()})
        case {"tensor": name}:
            return arrays[name]
        case {"array": name}:
            return _as_array(arrays[name])
        case {"scalar": name}:
            return _as_array(arrays[name])[()]
        case _:
            return tree


def _as_array(array: Any) -> Any:
    return array.numpy() if hasattr(array, "numpy") else array


def _class(name: str) -> Any:
    """The dataclass or named tuple of that name; anything else is refused."""
    module, _, qualified = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and (is_dataclass(found) or hasattr(found, "_fields"))):
        raise NotARecord(f"{name} is no record")
    return found


def _record(name: str, items: Mapping[str, Any]) -> Any:
    """The dataclass with these fields, as it was: `__init__` and its checks have run once already."""
    made = object.__new__(_class(name))
    for key, item in items.items():
        object.__setattr__(made, key, item)
    return made

"""Dataclasses that cost next to nothing to define: `dataclass`, `field` and `replace` as in the standard library.

The standard decorator writes and compiles five or six methods of each class while its module is imported, about a
millisecond in all, and the classes of this house are over a hundred: more than a short deck takes to read. Here most
methods are closures over the names of the fields, and `__init__` alone is compiled, when the first value is made.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    import dataclasses
    from collections.abc import Callable
    from dataclasses import MISSING, FrozenInstanceError, field
    from typing import Any

    def dataclass(
        cls: type | None = None,
        *,
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
        eq: bool = True,
        order: bool = False,
    ) -> Any:
        """The standard `dataclass` with those options that the house uses."""
        standard = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)

        def decorated(cls: type) -> type:
            cls.__doc__ = cls.__doc__ or cls.__name__  # without one the standard decorator works out a signature
            made = standard(cls)
            made.__init__ = _first_init(made)
            made.__repr__ = _repr
            if eq:
                _compare(made, hashed=frozen)
            if order:
                _order(made)
            if frozen:
                made.__setattr__ = made.__delattr__ = _refuse
                made.__getstate__, made.__setstate__ = _state, _set_state
            return made

        return decorated(cls) if cls else decorated

    def replace(value: Any, /, **changes: Any) -> Any:
        """A copy of the value with other content in some fields."""
        cls = type(value)
        for name, each in cls.__dataclass_fields__.items():
            if each.init and name not in changes:
                changes[name] = getattr(value, name)
        return cls(**changes)

    def _first_init(cls: type) -> Callable[..., None]:
        """An `__init__` that is compiled when it is first called."""

        def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807
            cls.__init__ = _init(cls)
            cls.__init__(self, *arguments, **named)

        return __init__

    def _init(cls: type) -> Callable[..., None]:
        names: dict[str, Any] = {"MISSING": MISSING}
        positional, named, body = [], [], []
        for each in dataclasses.fields(cls):
            if not each.init:
                continue  # left to __post_init__
            name = given = each.name
            if each.default is not MISSING:
                names[f"default_{name}"] = each.default
                given = f"{name}=default_{name}"
            elif each.default_factory is not MISSING:
                names[f"make_{name}"] = each.default_factory
                given = f"{name}=MISSING"
                body.append(f" if {name} is MISSING: {name} = make_{name}()")
            names[f"set_{name}"] = _setter(cls, name)
            body.append(f" set_{name}(self, {name})")
            (named if each.kw_only else positional).append(given)
        if hasattr(cls, "__post_init__"):
            body.append(" self.__post_init__()")
        parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
        exec("\n".join([f"def __init__({parameters}):", *(body or [" pass"])]), names)
        return names["__init__"]

    def _setter(cls: type, name: str) -> Callable[[Any, Any], None]:
        """What sets a field of a value that is being made: its slot, where it has one."""
        slot = cls.__dict__.get(name)
        if hasattr(slot, "__set__"):
            return slot.__set__
        return lambda value, content: object.__setattr__(value, name, content)

    def _compare(cls: type, *, hashed: bool) -> None:
        """Equality and hash by the fields that are meant for it."""
        each = dataclasses.fields(cls)
        compared = _getter([f.name for f in each if f.compare])
        keyed = _getter([f.name for f in each if (f.compare if f.hash is None else f.hash)])

        def __eq__(self: Any, other: object) -> bool:  # noqa: N807
            return compared(self) == compared(other) if other.__class__ is cls else NotImplemented

        def __hash__(self: Any) -> int:  # noqa: N807
            return hash(keyed(self))

        cls.__eq__ = __eq__
        cls.__hash__ = __hash__ if hashed else None

    def _order(cls: type) -> None:
        """The order of values is that of their fields."""
        compared = _getter([f.name for f in dataclasses.fields(cls) if f.compare])
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):

            def ordered(self: Any, other: object, compare: Callable[..., bool] = compare) -> bool:
                return compare(compared(self), compared(other)) if other.__class__ is cls else NotImplemented

            setattr(cls, f"__{compare.__name__}__", ordered)

    def _getter(names: list[str]) -> Callable[[Any], Any]:
        return operator.attrgetter(*names) if names else lambda _: ()

    def _repr(self: Any) -> str:
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def _refuse(self: Any, name: str, *_: object) -> None:
        raise FrozenInstanceError(f"cannot change the field {name!r} of a {type(self).__qualname__}")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, each.name) for each in dataclasses.fields(self)]

    def _set_state(self: Any, state: list[Any]) -> None:
        for each, content in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, each.name, content)

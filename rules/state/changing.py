"""A value with some of its fields changed: `dataclasses.replace`, in a fifth of its time.

Folding a season at the start is mostly this; fields are set unchecked, except where the class has `__post_init__`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

T = TypeVar("T")
"""The class of the value."""

if TYPE_CHECKING:
    # What a field takes is checked then as it is there.
    from dataclasses import replace as replace  # noqa: PLC0414 - so that others may take it from here
else:

    def replace(value: T, /, **changes: object) -> T:
        """`value` with `changes`; see above for what is checked."""
        kind = type(value)
        open_twin = _open_twin(kind)
        if open_twin is None:
            return dataclasses.replace(value, **changes)
        twin, values = open_twin
        made = twin(*values(value))
        for name, change in changes.items():
            setattr(made, name, change)
        made.__class__ = kind
        return made


_OpenTwin: TypeAlias = tuple[type[Any], Callable[[object], tuple[object, ...]]]
"""A class with the same slots that is not frozen, and what takes their values from one that is."""


@cache
def _open_twin(kind: type[Any]) -> _OpenTwin | None:
    """What makes values of a class at the speed at which fields are set; None where more is to be done or checked.

    A value that is not frozen yet gets its fields by plain assignment, which is ten times as fast as setting those of a
    frozen one. It becomes one of `kind` by its `__class__`, which two classes of the same slots allow.
    """
    names = tuple(field.name for field in dataclasses.fields(kind))
    same_slots = kind.__bases__ == (object,) and kind.__dict__.get("__slots__") == names
    several = bool(names[1:])  # the value of one alone would come without a tuple around it
    if not same_slots or not several or hasattr(kind, "__post_init__"):
        return None
    return dataclasses.make_dataclass(kind.__name__, names, slots=True, eq=False, repr=False), attrgetter(*names)

"""A value changed is the value that `dataclasses.replace` makes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from rules.dice import DiceError, DieKind, DieReading, DieState, SourceKind
from rules.state.changing import replace
from rules.state.table import Table


@dataclass(frozen=True, slots=True)
class Single:
    """One field alone."""

    only: int


@dataclass(frozen=True, slots=True)
class Bare:
    """No field at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forebear:
    """Two fields that another class inherits."""

    first: int
    second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heir(Forebear):
    """A field beside inherited ones."""

    third: int


def test_a_table_is_changed_where_it_is_said_and_nowhere_else() -> None:
    table = Table(threat=4, scene_name="The hold")
    changed = replace(table, momentum=2, threat=0)
    assert changed == dataclasses.replace(table, momentum=2, threat=0)
    assert (table.momentum, table.threat) == (0, 4)
    assert changed.options is table.options
    assert hash(changed) == hash(dataclasses.replace(table, momentum=2, threat=0))


def test_one_field_alone_or_none_is_no_other_matter() -> None:
    assert replace(Single(1), only=2) == Single(2)
    assert replace(Bare()) == Bare()


def test_what_a_class_checks_itself_is_checked() -> None:
    die = DieReading(DieKind.D20, 4, 1.0, DieState.READ, SourceKind.MANUAL)
    assert replace(die, face=5).face == 5
    with pytest.raises(DiceError):
        replace(die, face=21)


def test_a_field_that_is_not_there_is_no_change() -> None:
    with pytest.raises(AttributeError):
        replace(Table(), thread=1)  # type: ignore[call-arg]  # what is tried


def test_a_changed_table_is_frozen_and_known_by_its_class() -> None:
    changed = replace(Table(), momentum=2)
    assert type(changed) is Table
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed.momentum = 3  # type: ignore[misc]  # what is tried
    assert replace(changed, threat=1).momentum == 2


def test_what_inherits_fields_is_changed_too() -> None:
    heir = Heir(first=1, second=2, third=3)
    assert replace(heir, first=4) == Heir(first=4, second=2, third=3)

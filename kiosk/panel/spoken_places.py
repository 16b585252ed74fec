"""The values of the panel's spoken menu: its levels, their entries, and the facts it is made from.

Nothing here decides or speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from kiosk.storage.persons import Person
from kiosk.views.holders import NOBODY, Holders
from kiosk.views.of_table import Menus, OfTable
from rules.dice import Face
from rules.game import (
    Action,
    Command,
    Declaration,
    History,
    Option,
    Refusal,
    Role,
    Table,
    Topic,
    decide,
    options,
)


class Gesture(StrEnum):
    """The meaning of a press, whichever buttons are fitted."""

    NEXT = "next"
    PREVIOUS = "previous"
    CONFIRM = "confirm"
    BACK = "back"
    REPEAT = "repeat"
    MORE = "more"
    UNDO = "undo"


class Rest(StrEnum):
    """How the ring light rests while no camera looks for dice."""

    DIM = "dim"
    BRIGHT = "bright"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the menu is worked out from.

    `reads` says that a camera or a tray reads dice now. `rest` is how the ring light rests, None where there is none.
    `held` says whether the table's screen is held, None where nothing can hold it. `hint` says how the buttons there
    are move, choose and go back. `holders` took the characters, and `persons` are known by name. `locked` says that the
    gamemaster's part waits for the PIN, and `withheld` whether a command is of it; `opened` that the menu can lock it
    again. `menus` and `ways` are what has been
    worked out of this table before.
    """

    history: History
    reads: bool = False
    rest: Rest | None = None
    held: bool | None = None
    hint: str = ""
    holders: Holders = field(default_factory=lambda: NOBODY)
    persons: tuple[Person, ...] = ()
    locked: bool = False
    opened: bool = False
    withheld: Callable[[Command], bool] = field(default=lambda _: False, compare=False)
    menus: Menus = field(default_factory=OfTable, compare=False)
    ways: Ways = field(default_factory=OfTable, compare=False)

    @property
    def table(self) -> Table:
        """The table as it is."""
        return self.history.present

    def options(self) -> tuple[Option, ...]:
        """What the rules allow now, without what the PIN keeps back."""
        found = options(self.table)
        if not self.locked:
            return found
        return tuple(one for one in found if one.role is not Role.GAMEMASTER and not self.withheld(one.command))


class Group(StrEnum):
    """A group of options under one entry of the top menu."""

    BUY = "buy"
    HARDER = "harder"
    FREE_ROLLS = "free_rolls"
    AGAIN = "again"
    SPEND = "spend"
    MINOR = "minor"
    VALUES = "values"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class Top:
    """Everything that can be done now."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one group."""

    group: Group


class DialHalf(StrEnum):
    """What the gamemaster's dial sets."""

    DIFFICULTY = "difficulty"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class DialLevel:
    """One half of the gamemaster's dial."""

    half: DialHalf


@dataclass(frozen=True, slots=True)
class Dialling:
    """The next digit of the table's PIN, after `digits`, which are in no words and in no log."""

    digits: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Rules:
    """Which table of the books."""


@dataclass(frozen=True, slots=True)
class RulesOf:
    """The rows of one table of the books."""

    topic: Topic


@dataclass(frozen=True, slots=True)
class Who:
    """Who acts."""


@dataclass(frozen=True, slots=True)
class PickPreset:
    """What somebody does: as before, an action of the conflict, or step by step."""

    character_id: str


@dataclass(frozen=True, slots=True)
class PickAim:
    """What an action of a conflict is aimed at: the first of the fields `left` of its `Action`, which a person chooses.

    `settled` says that attribute and discipline are the action's own.
    """

    draft: Declaration
    left: tuple[str, ...]
    settled: bool


@dataclass(frozen=True, slots=True)
class PickMinor:
    """What a Minor Action is about: the one `field` of its `Action` that a person chooses. `price` is Momentum."""

    character_id: str
    action: Action
    field: str
    price: int


@dataclass(frozen=True, slots=True)
class PickAttribute:
    """The first step of a Task of one's own."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class PickDiscipline:
    """The second step."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class PickFocus:
    """The third step, of somebody who has focuses."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class PickDifficulty:
    """The last step."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class PickOpponent:
    """Who opposes a Task that is whole otherwise."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class Declaring:
    """The whole Task read back, to be declared."""

    draft: Declaration


@dataclass(frozen=True, slots=True)
class Entering:
    """The next die that a person enters for request `request`, after those in `faces`."""

    request: int
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Correcting:
    """Die `position` of the held throw of that id."""

    reading_id: str
    position: int


@dataclass(frozen=True, slots=True)
class Rescoring:
    """Die `position` of the Task (or the Challenge roll) of that number, which was scored already."""

    number: int
    position: int
    challenge: bool


Purpose: TypeAlias = Entering | Correcting | Rescoring
"""What a face is chosen for."""


@dataclass(frozen=True, slots=True)
class Faces:
    """What a die shows: of a d20 first about where, `low` to `low` + 4, then which."""

    purpose: Purpose
    low: int = 0


@dataclass(frozen=True, slots=True)
class Entered:
    """Every die of request number `request` as a person said it, to be counted."""

    request: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class HeldDice:
    """Which die of the held throw of that id shows something else."""

    reading_id: str


@dataclass(frozen=True, slots=True)
class ScoredDice:
    """Which die that was scored shows something else."""


Where: TypeAlias = (
    Top
    | Options
    | DialLevel
    | Dialling
    | Rules
    | RulesOf
    | Who
    | PickPreset
    | PickAim
    | PickMinor
    | PickAttribute
    | PickDiscipline
    | PickFocus
    | PickOpponent
    | PickDifficulty
    | Declaring
    | Faces
    | Entered
    | HeldDice
    | ScoredDice
)
"""A level of the menu."""


class Do(StrEnum):
    """What an entry does to the menu itself."""

    BACK = "back"
    CLOSE = "close"
    SAY_LAST = "say_last"
    RING = "ring"
    HOLD = "hold"
    LOCK = "lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelEntry:
    """One thing to choose. Exactly one of `command`, `go`, `do`, `tell` and `pin` says what choosing it does.

    `key` is its own within its level. `price` is said in every length, `more` in the full one.
    """

    key: str
    label: str
    price: str = ""
    more: str = ""
    command: Command | None = None
    go: Where | None = None
    do: Do | None = None
    tell: str = ""
    pin: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Level:
    """What is asked, as a sentence, and what can be chosen. Of a `secret` one nobody is told at which entry one is."""

    prompt: str
    entries: tuple[LevelEntry, ...]
    secret: bool = False


def accepted(table: Table, command: Command) -> bool:
    """Whether the rules take `command` now."""
    try:
        decide(table, command)
    except Refusal:
        return False
    return True


Ways: TypeAlias = OfTable[tuple[LevelEntry, ...]]
"""For each who may act, the entries for a conflict's Tasks; cached, because every press needs them."""

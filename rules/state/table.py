"""The table as a value: everything that is true now, folded from events, never edited in place.

Every class is frozen and holds plain values, so that the shell can show, store and compare it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.state.conflict import Attack, Conflict, ConflictEnd, LastingEffect, Step
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.people import Character, Player
from rules.state.places import ZoneMap
from rules.state.ships import Ship
from rules.state.tasks import (
    ChallengeRoll,
    Declaration,
    Dial,
    ExtendedTrack,
    FreeRoll,
    HeldThrow,
    LastThrow,
    Task,
    ThrowRequest,
    Trait,
    WaitingComplications,
)
from rules.state.vocabulary import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everything that is true at the table now.

    `house` are the tables of the rules as this house plays them. `opposed` holds the Task of the side that
    waits while the other side's is in hand (OPP-1). `last_task` is the Task closed most recently, kept for the screen
    until the scene ends, `last_opponent` the one that it opposed or that opposed it, closed before it. `free_rolls`
    are the newest of those thrown since the Task closed last was declared.
    `seen_readings` are the reading ids already taken in, newest last, so that nothing counts twice. `agenda` is
    what a chain has still to do, the step in hand first; `effects` are what lasts, `extended` the Extended Tasks
    under way, `asked` the Tasks that the gamemaster asks for, one for each character at most.
    `complications_waiting` are those of Tasks that are over, the oldest first; `in_line` are the declarations
    that begin once nothing is in hand any more, the next first, one for each character at most. `dial` is what the
    gamemaster has set the next Task of a player to, None while who declares says it.
    `next_number` numbers Tasks, requests, rolls, players and so on. `conflict_end`
    is how the last conflict of this scene ended. `zone_map` is where everybody is in this scene, None where the table
    keeps no map.
    """

    ruleset: Ruleset = Ruleset.CORE_1E
    options: TableOptions = field(default_factory=TableOptions)
    house: HouseTables = field(default_factory=HouseTables)
    ready: bool = False
    session: int = 0
    scene: int = 0
    scene_name: str = ""
    momentum: int = 0
    threat: int = 0
    players: tuple[Player, ...] = ()
    characters: tuple[Character, ...] = ()
    ships: tuple[Ship, ...] = ()
    traits: tuple[Trait, ...] = ()
    task: Task | None = None
    opposed: Task | None = None
    challenge: ChallengeRoll | None = None
    request: ThrowRequest | None = None
    held: HeldThrow | None = None
    free_rolls: tuple[FreeRoll, ...] = ()
    last_throw: LastThrow | None = None
    last_task: Task | None = None
    last_opponent: Task | None = None
    surge_for: str = ""
    conflict: Conflict | None = None
    conflict_end: ConflictEnd | None = None
    zone_map: ZoneMap | None = None
    attack: Attack | None = None
    agenda: tuple[Step, ...] = ()
    effects: tuple[LastingEffect, ...] = ()
    extended: tuple[ExtendedTrack, ...] = ()
    asked: tuple[Declaration, ...] = ()
    complications_waiting: tuple[WaitingComplications, ...] = ()
    in_line: tuple[Declaration, ...] = ()
    dial: Dial | None = None
    seen_readings: tuple[str, ...] = ()
    next_number: int = 1

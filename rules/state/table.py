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

    * `house`: the tables of the rules as this house plays them.
    * `opposed`: the Task of the side that waits while the other side's is in hand (OPP-1).
    * `last_task`: the Task closed most recently, kept for the screen until the scene ends; `last_opponent`: the one
      that it opposed, or that opposed it, closed before it; the other side's is in hand where only one is closed.
    * `free_rolls`: the newest ones thrown since the last closed Task was declared.
    * `seen_readings`: the ids of readings already counted, newest last.
    * `agenda`: the remaining steps of a chain, the step in hand first; `effects`: what lasts.
    * `extended`: the Extended Tasks under way.
    * `asked`: the Tasks that the gamemaster asks for, at most one a character.
    * `complications_waiting`: those of finished Tasks, the oldest first.
    * `in_line`: the declarations that begin once nothing is in hand, the next first, at most one a character.
    * `dial`: the gamemaster's settings for the next Task of a player, None while the declarer chooses.
    * `next_number`: the next number for Tasks, requests, rolls, players and so on.
    * `conflict_end`: how the last conflict of this scene ended.
    * `fought`: people and ships of the gamemaster's side in conflicts that are over, or that they left.
    * `zone_map`: where everybody is in this scene, None if the table keeps no map.
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
    fought: tuple[str, ...] = ()
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

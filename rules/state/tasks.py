"""Tasks as values: what was declared, the dice awaited and held, what they came to, Challenge rolls, Extended Tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from rules.dice import DieKind, DieReading, Face, SourceKind
from rules.state.conflict import Action
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import (
    Attribute,
    Circumstance,
    Discipline,
    OpposedWinner,
    Payer,
    QuestionReason,
    RerollReason,
    System,
    TaskPhase,
    ThrowRole,
    TraitKind,
)

KNOWN_ONCE_DECLARED: Final[Mapping[str, object]] = MappingProxyType({"known": True})
"""Marks a field that a declaration may omit, and that the declared Task always has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """TRAIT-1 to TRAIT-4: something true of the scene; `potency` counts identical ones.

    `npc` says that a Complication hinders the gamemaster's side, which alone wants to be rid of it (TRAIT-3); of one in
    an older journal it is not known, and false.
    """

    trait_id: str
    name: str
    kind: TraitKind = TraitKind.TRAIT
    potency: int = 1
    npc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    """One change of Difficulty with its reason (TRAIT-2).

    `circumstance` names what some creatures do not mind (NPC-2); of heat and cold also where they change nothing.
    """

    reason: str
    change: int
    circumstance: Circumstance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """One bonus d20 in the order bought; of a Momentum price, `threat_part` points are added to Threat instead."""

    payer: Payer
    threat_part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistance:
    """ASST-1: a helper's own attribute, discipline and focus; `promised` where it cost the helper's Task (ASST-4)."""

    character_id: str
    attribute: Attribute
    discipline: Discipline
    focus: bool = False
    promised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAssistance:
    """ASST-3: the ship's system and department, always with focus."""

    ship_id: str
    system: System
    department: Discipline


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What was declared of a Task before its dice (TASK-10).

    `difficulty` is the base; `modifiers` change it, floor 0 (TRAIT-2). `rolled` False on Difficulty 0 is an
    automatic success without dice (TASK-9). `value` is the Value cited for a Determination die. `opposed`
    asks for the other side's Task before the outcome stands (OPP-1), and `opponent_id` says whose; empty where the
    table has not said, or where the rules do. `rerolls` is what allows dice to be thrown again
    besides Determination, such as an Aim taken for an attack (TASK-12). `action` is what a Task of a conflict is for.
    `attribute` and `discipline` may be left to an action that settles them; a Task that was declared has both.
    """

    character_id: str
    attribute: Attribute | None = field(default=None, metadata=KNOWN_ONCE_DECLARED)
    discipline: Discipline | None = field(default=None, metadata=KNOWN_ONCE_DECLARED)
    focus: bool = False
    label: str = ""
    difficulty: int = 1
    modifiers: tuple[Modifier, ...] = ()
    complication_range: int = 1
    purchases: tuple[Purchase, ...] = ()
    value: str = ""
    assists: tuple[Assistance, ...] = ()
    ship: ShipAssistance | None = None
    rolled: bool = True
    may_succeed_at_cost: bool = False
    opposed: bool = False
    opponent_id: str = ""
    rerolls: tuple[RerollReason, ...] = ()
    action: Action | None = None

    @property
    def skills(self) -> tuple[Attribute, Discipline]:
        """The attribute and discipline; raises `ValueError` while one is open."""
        if self.attribute is None or self.discipline is None:
            raise ValueError("attribute or discipline is left open")
        return self.attribute, self.discipline


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """The gamemaster's settings for a player's next Task (TASK-2, TASK-7), before it is declared."""

    difficulty: int
    complication_range: int = 1
    after: int = 0
    """The number of the Task in hand whose dice were thrown when it was set, so that it is for the next; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowRequest:
    """Dice the table is waiting for: one throw of `count` dice of one kind.

    `number` rises with every request of the table. `kept` are the faces that may stay on the table meanwhile, in a
    re-roll and while helpers throw: a source may report the new dice alone or together with them.
    """

    number: int
    role: ThrowRole
    kind: DieKind
    count: int
    who: str
    why: str = ""
    kept: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Why a throw waits for a person. `position` is the die's place in the throw, None for the whole throw."""

    reason: QuestionReason
    position: int | None = None
    expected: int | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldThrow:
    """A throw that a person must look at before it counts; `request` is the number it answers."""

    request: int
    reading_id: str
    source: SourceKind
    dice: tuple[DieReading, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeRoll:
    """Dice thrown with nothing declared: shown and spoken, never scored until attached.

    `found`: they lay there when their source began to look (`Reading.found`).
    """

    number: int
    reading_id: str
    source: SourceKind
    dice: tuple[DieReading, ...]
    attached: bool = False
    found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LastThrow:
    """The dice taken in most recently, counted or as a free roll, so that another source's view of them is known.

    `weak`: some of them came without a check against damage on the way (`DieReading.weak`).
    """

    source: SourceKind
    kinds: tuple[DieKind, ...]
    faces: tuple[Face | None, ...]
    weak: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDie:
    """A thrown d20 of a Task with what it is worth (TASK-4 to TASK-7).

    `counted` is False for a helper's or the ship's successes while the leader has none (ASST-2).
    """

    role: ThrowRole
    who: str
    target_number: int
    double_at_most: int
    die: ThrownDie
    successes: int
    complication: bool
    counted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome:
    """TASK-8: the result of the dice. `momentum` is what a success generated."""

    successes: int
    difficulty: int
    success: bool
    momentum: int
    complications: int
    at_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendMade:
    """A Momentum spend taken on this Task.

    It was paid from what the Task generated, from the group pool, by adding Threat (players) and by spending Threat
    (NPCs). `ended` is the name of a Complication that it took away (POOL-5).
    """

    spend: str
    times: int
    from_generated: int
    from_pool: int
    added_threat: int
    spent_threat: int = 0
    note: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What a Task's bonus dice cost so far: out of the group pool, into Threat, out of Threat, in Determination."""

    momentum: int = 0
    added_threat: int = 0
    spent_threat: int = 0
    determination: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a successful Task did on an Extended Task (EXT-T1, EXT-T2).

    * `whole`: points of Work or Progress before Resistance; `amount`: those that count.
    * `dice`: the Challenge Dice of the Work, none with Progress; `breakthroughs`: those that this go made.
    * `track`: the Extended Task after it, also where that is finished and off the table.
    """

    whole: int
    amount: int
    breakthroughs: int
    track: ExtendedTrack
    dice: tuple[ThrownDie, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The Task in hand, from declaration to its last Complication.

    `own_dice` is how many d20s the leader throws (a Determination die is not thrown).
    `dice` come in throw order: the leader's own first (a Determination die leads), then helpers, then the ship.
    `momentum_left` is generated Momentum not yet spent; `complications_open` are those nobody has taken or
    bought off yet; `price_complications` of them were taken as a price (C-78). `problems` are what the other
    side did to its Difficulty (POOL-7), `spends` what its own side bought; `paid` is what taking it back returns;
    `surge` marks the second Task of DET-4, `followed` one whose action was followed through. `reactive` marks the Task
    that opposes another (OPP-1). `bonus_momentum` is what of `momentum_left` came as a bonus, spent first (POOL-10).
    `work` is what it did on an Extended Task, once that is counted.
    """

    number: int
    declaration: Declaration
    who: str
    npc: bool
    target_number: int
    double_at_most: int
    difficulty: int
    own_dice: int
    phase: TaskPhase
    dice: tuple[TaskDie, ...] = ()
    outcome: TaskOutcome | None = None
    momentum_left: int = 0
    complications_open: int = 0
    price_complications: int = 0
    saved: int = 0
    lost: int = 0
    spends: tuple[SpendMade, ...] = ()
    rerolled: tuple[RerollReason, ...] = ()
    rerolling: tuple[int, ...] = ()
    opposed_winner: OpposedWinner | None = None
    problems: tuple[SpendMade, ...] = ()
    paid: Payment = Payment()
    surge: bool = False
    followed: bool = False
    reactive: bool = False
    bonus_momentum: int = 0
    work: Work | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingComplications:
    """The open Complications of a finished Task; play goes on meanwhile (docs/declaring.md).

    `number` is the Task's, `character_id` and `who` whose it was, `npc` whether that is an NPC. `left` are still to be
    settled, `price` of them were taken as a price (C-78). `deed` is what the Task was about.
    """

    number: int
    character_id: str
    who: str
    npc: bool
    left: int
    price: int = 0
    deed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRoll:
    """A declared roll of Challenge Dice (CD-2); `rerolled` once Re-Roll was bought (CD-5)."""

    number: int
    label: str
    who: str
    count: int
    dice: tuple[ThrownDie, ...] = ()
    total: int | None = None
    effects: int | None = None
    rerolled: bool = False
    rerolling: tuple[int, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTrack:
    """One Extended Task in the form that it began in.

    * `progress`: one track of Progress (EXT-T2); else Work, Magnitude and Breakthroughs (EXT-T1).
    * `work`: length of the track, `marked`: how much of it is done; `resistance`: what each go loses.
    * `magnitude`: Breakthroughs that finish it, 0 with Progress; `breakthroughs`: those made.
    * `base_difficulty`: what its Tasks begin at, each Breakthrough makes them 1 easier.
    * `purpose`, `subject_id`: what follows when it is finished, and for whom; empty where that is told by people.
    """

    track_id: str
    label: str
    work: int
    base_difficulty: int
    progress: bool = False
    magnitude: int = 0
    resistance: int = 0
    marked: int = 0
    breakthroughs: int = 0
    purpose: str = ""
    subject_id: str = ""

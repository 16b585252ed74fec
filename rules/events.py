"""What happened at the table: the facts that the journal keeps and `rules.table.evolve` folds into a `Table`.

Each event carries the result, not the question: replaying needs no rule, and a screen or a voice finds in it what
it has to say. Its name in JSON is the class name in snake case (`TaskDeclared` -> `task_declared`). Where an event
hands out numbers, `next_number` is the table's next number afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Face, SourceKind
from rules.state import (
    ChallengeRoll,
    Character,
    Declaration,
    FreeRoll,
    HeldThrow,
    Modifier,
    Payment,
    Player,
    Purchase,
    Ship,
    SpendMade,
    Task,
    TaskDie,
    TaskOutcome,
    ThrownDie,
    ThrowRequest,
    Trait,
)
from rules.state_options import TableOptions
from rules.vocabulary import OpposedWinner, Pool, RerollReason, Ruleset, TaskPhase, ThrowRole


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetUp:
    """A table begins. `characters` are those that stay from before, as they start now."""

    ruleset: Ruleset
    options: TableOptions
    players: tuple[Player, ...]
    characters: tuple[Character, ...]
    threat: int
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsChanged:
    """The table plays by other options from now on; `before` are those it played by."""

    before: TableOptions
    options: TableOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAdded:
    """Someone joined."""

    player: Player
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRemoved:
    """Someone left; their characters now belong to the gamemaster."""

    player_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterSaved:
    """A character was made or replaced."""

    character: Character
    created: bool
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRemoved:
    """A character left the table."""

    character_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSaved:
    """A ship was made or replaced."""

    ship: Ship
    created: bool
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRemoved:
    """A ship left the table."""

    ship_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    """A new evening; every Value may be challenged again (DET-7)."""

    session: int
    scene: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStarted:
    """A new scene."""

    scene: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitAdded:
    """A trait holds now, with the potency it has reached (TRAIT-4)."""

    trait: Trait
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRemoved:
    """A trait ended."""

    trait_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolChanged:
    """A pool rose or fell by `change` to `after`; `reason` in plain words."""

    pool: Pool
    change: int
    after: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeterminationChanged:
    """A character's Determination rose or fell to `after`; `value` is the Value cited, if any."""

    character_id: str
    name: str
    change: int
    after: int
    reason: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChallenged:
    """A Value was challenged: struck out, and no other may be challenged this session (DET-7)."""

    character_id: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeGained:
    """DET-4: this character may act again right after this Task."""

    character_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeEnded:
    """The second Task of DET-4 was begun, or its moment is over."""

    character_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDeclared:
    """A Task began. `reactive` says that it opposes the Task in hand, which waits meanwhile (OPP-1)."""

    task: Task
    reactive: bool
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowAwaited:
    """The table waits for dice; a request that stood before is void."""

    request: ThrowRequest
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DieBought:
    """One more bonus d20 before the throw; `declaration`, `own_dice` and `paid` are the Task's afterwards."""

    purchase: Purchase
    declaration: Declaration
    own_dice: int
    paid: Payment


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemCreated:
    """POOL-7: the Task in hand became harder; `spend` says what it cost whom."""

    modifier: Modifier
    difficulty: int
    spend: SpendMade


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskWithdrawn:
    """A Task was taken back before its dice. What it cost comes back in the events beside this one."""

    number: int
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowHeld:
    """A throw waits for a person to look at it; one that was held before is replaced."""

    held: HeldThrow


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowDismissed:
    """The held throw was set aside; the table waits on."""

    reading_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDiceThrown:
    """Dice of the Task in hand counted: `thrown` just now, `dice` all of the Task so far with their worth."""

    request: int
    role: ThrowRole
    who: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]
    dice: tuple[TaskDie, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeReached:
    """TASK-8, TASK-11: what the Task came to, now that every die of it is known."""

    number: int
    who: str
    label: str
    target_number: int
    double_at_most: int
    dice: tuple[TaskDie, ...]
    outcome: TaskOutcome
    momentum_left: int
    complications_open: int
    price_complications: int
    phase: TaskPhase


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTurned:
    """The reactive side has thrown first; now the active side, `who`, throws against that Difficulty (C-42)."""

    number: int
    who: str
    difficulty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposedDecided:
    """OPP-1 to OPP-3: who won, and the Momentum each side has left of what it generated."""

    winner: OpposedWinner
    active: str
    reactive: str
    active_momentum: int
    reactive_momentum: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollStarted:
    """Dice of the Task are thrown again; the others stay (TASK-12, DET-3)."""

    reason: RerollReason
    positions: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDieCorrected:
    """A person said what a counted die of the Task really shows."""

    position: int
    before: Face
    after: Face
    dice: tuple[TaskDie, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentumSpent:
    """A spend was taken on the Task in hand; `momentum_left` is what it has left of its own."""

    spend: SpendMade
    momentum_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingFinished:
    """What was left of the generated Momentum: `saved` to the pool, `lost` above its cap, `to_threat` of an NPC."""

    who: str
    saved: int
    lost: int
    to_threat: int
    complications_open: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationTaken:
    """One Complication was accepted; with a `name` it became a trait."""

    who: str
    name: str
    left: int
    price_complications: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationBoughtOff:
    """One Complication was waived for Threat (THR-3, THR-4)."""

    who: str
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskClosed:
    """A Task is over. `resumed` is the number of the active side's Task that is in hand again, 0 for none."""

    number: int
    who: str
    resumed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDeclared:
    """A roll of Challenge Dice is wanted."""

    challenge: ChallengeRoll
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDiceThrown:
    """CD-2: Challenge Dice counted: `thrown` just now, `dice` the whole roll."""

    request: int
    role: ThrowRole
    who: str
    label: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]
    dice: tuple[ThrownDie, ...]
    total: int
    effects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRerollStarted:
    """CD-5: Challenge Dice are thrown again; the others stay."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDieCorrected:
    """A person said what a counted Challenge Die really shows."""

    position: int
    before: Face
    after: Face
    dice: tuple[ThrownDie, ...]
    total: int
    effects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeClosed:
    """The Challenge roll is done with, or was called off before its dice."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeRollMade:
    """Dice lie on the table that nobody asked for: shown and spoken, never scored until attached."""

    roll: FreeRoll
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionUndone:
    """The decision of that number was taken back; history keeps both. `command` is the name of what made it."""

    decision: int
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRedone:
    """The decision of that number stands again. `command` is the name of what made it."""

    decision: int
    command: str = ""

"""What a person or a source can ask of the table. `rules.table.decide` answers with events or a refusal.

Each class is one command; its name in JSON is the class name in snake case (`DeclareTask` -> `declare_task`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.dice import Face, Reading
from rules.state import Attributes, Declaration, Disciplines, Purchase, Systems
from rules.state_options import TableOptions
from rules.state_people import Ability
from rules.state_ships import ShipWeapon
from rules.vocabulary import CrewQuality, Pool, RerollReason, Ruleset, Spend, Standing, TraitKind, ValueAction


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpTable:
    """Begin: ruleset and the players' names; Threat starts at 2 per player (THR-1), Momentum at 0."""

    ruleset: Ruleset
    players: tuple[str, ...]
    options: TableOptions = field(default_factory=TableOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions:
    """Play on by other options, all of which are given; those left None follow the ruleset (section 19)."""

    options: TableOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlayer:
    """Someone joins; the pools do not change."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePlayer:
    """Someone leaves; their characters become the gamemaster's to hand on."""

    player_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveCharacter:
    """Make a character (empty `character_id`) or replace one.

    `determination` None means the ruleset's start for a new character, and unchanged for one that is replaced.
    `stress_max` None means Fitness + Security for a new one. `weapons` are names of WPN-1, `abilities` those of NPC-2.
    Of these, too, None keeps what one has that is replaced.
    """

    name: str
    attributes: Attributes
    disciplines: Disciplines
    focuses: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    standing: Standing = Standing.PLAYER
    player_id: str = ""
    character_id: str = ""
    determination: int | None = None
    stress_max: int | None = None
    resistance: int | None = None
    weapons: tuple[str, ...] | None = None
    abilities: tuple[Ability, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCharacter:
    """Take a character off the table."""

    character_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveShip:
    """Make a ship (empty `ship_id`) or replace one.

    * `crew` is for an NPC ship (NSHIP-1), None for one with a bridge crew of characters.
    * `weapons` None keeps those that it has.
    * `shields`, `resistance`, `power` and `crew_support` are its own numbers; None follows its ratings (SHIP-2, C-73).
    """

    name: str
    scale: int
    systems: Systems
    departments: Disciplines
    ship_id: str = ""
    crew: CrewQuality | None = None
    weapons: tuple[ShipWeapon, ...] | None = None
    shields: int | None = None
    resistance: int | None = None
    power: int | None = None
    crew_support: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveShip:
    """Take a ship off the table."""

    ship_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSession:
    """A new evening: Threat back to 2 per player, Values may be challenged again (THR-1, DET-7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartScene:
    """A new scene; Momentum decays where the table plays so (C-17)."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTrait:
    """Something is true of the scene now; an identical trait gains potency (TRAIT-4)."""

    name: str
    kind: TraitKind = TraitKind.TRAIT


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTrait:
    """A trait ends, whatever its potency."""

    trait_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPool:
    """The gamemaster puts a pool right by a change, never to an absolute number, so that two at once both count."""

    pool: Pool
    change: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GainThreat:
    """Threat rises for one of the reasons of THR-2 (`event` is a key of `rules.pools.THREAT_GAINS`)."""

    event: str
    amount: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendThreat:
    """The gamemaster spends Threat (THR-4); `event` is a key of `rules.pools.THREAT_SPENDS`."""

    event: str
    amount: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareTask:
    """Declare a Task; what its bonus dice cost is paid at once (BUY).

    A Task that waits for opposition takes it as the reactive side's (OPP-1), which throws first where the table plays
    so (C-42). One that has neither Momentum nor
    Complications left is closed by it; refused while any other Task is open.
    """

    declaration: Declaration


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyDie:
    """One more bonus d20 before the throw (BUY-1 to BUY-5)."""

    purchase: Purchase
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateProblem:
    """Raise the Difficulty of the Task in hand before its dice, 2 a step (POOL-7, C-9).

    Paid by the side that is not rolling: the gamemaster pays Threat against a player character; the players pay
    Momentum, of which `threat_part` points go to Threat instead, against an NPC.
    """

    steps: int = 1
    threat_part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawTask:
    """Take a Task back before its dice are thrown; everything paid for it is returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowAgainst:
    """The reactive side has thrown first and keeps its dice; the active side throws against them now (C-42)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareChallenge:
    """Ask for `count` Challenge Dice (CD-2)."""

    count: int
    label: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReading:
    """A source saw a throw. Reviewed against what is awaited; undeclared dice become a free roll."""

    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterDice:
    """A person typed in what lies on the table for request number `request`. Entered dice are marked as such."""

    request: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDie:
    """A person says what one die of the held throw shows (`position` from 0); the other dice stay as read."""

    position: int
    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDie:
    """A person says that one thing in the held throw is not a die of this throw."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissThrow:
    """Set the held throw aside; the table waits for another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectScoredDie:
    """A person says that die `position` of the Task in hand was misread.

    `challenge` means a die of the open Challenge roll instead, as does having no Task with dice in hand.
    """

    position: int
    face: Face
    challenge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachFreeRoll:
    """Count a free roll as the throw that is awaited now; it is reviewed like any other."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollDice:
    """Throw dice of the Task in hand again (`positions` from 0 in `Task.dice`); the others stay (TASK-12, DET-3).

    Inspiration costs 1 Determination and cites `value`.
    """

    positions: tuple[int, ...]
    reason: RerollReason
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollChallenge:
    """Throw dice of the Challenge roll again for 1 Momentum, once (CD-5)."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SucceedAtCost:
    """Turn the failure in hand into a bare success for one Complication more (TASK-11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSpend:
    """Buy something with Momentum (POOL-4 to POOL-8).

    Paid from what the Task generated first, then from the group pool (C-62); `threat_part` points of an Immediate
    spend are added to Threat instead. An NPC's are paid from its Momentum, then from Threat.
    """

    spend: Spend
    times: int = 1
    threat_part: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishSpending:
    """Save what is left to the group pool, lose what exceeds 6 (POOL-2); then Complications follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeComplication:
    """Accept one Complication of the Task in hand; a `name` makes it a trait of the scene."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyOffComplication:
    """Waive one Complication for 2 Threat: added for a player's, spent for an NPC's (THR-3, THR-4, C-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseChallenge:
    """Done with the Challenge Dice in hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeOfActivity:
    """1 Determination: another Task right after this one (DET-4)."""

    character_id: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeItSo:
    """1 Determination: an Advantage for the scene at once (DET-5)."""

    character_id: str
    value: str
    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UseValueAgainst:
    """A Value gets in the way or is challenged; Determination comes back (DET-6, DET-7)."""

    character_id: str
    value: str
    action: ValueAction
    complication: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back the latest decision that still stands. Dice are never thrown again for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo:
    """Take back the latest undo, as long as nothing was decided since."""

"""What can be asked of a conflict's order: who takes part, Rounds, Turns, Initiative, Minor Actions (TURN, ACT-1)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.state_conflict import Action
from rules.vocabulary import ConflictKind, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Who takes part: a character, or an NPC ship in a starship conflict (NSHIP-2).

    * `side`: None puts players' characters on theirs and everyone else on the gamemaster's.
    * `ship_id`, `station`: the ship it serves on and its seat there.
    * `turns`: Turns a Round; 0 follows the rules: one, and for an NPC ship its Scale (but see S2E-21).
    """

    combatant_id: str
    side: Side | None = None
    ship_id: str = ""
    station: str = ""
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartConflict:
    """Begin Rounds and Turns. `begins` has the first Turn (TURN-2); with nobody named, whoever begins one has it."""

    kind: ConflictKind
    combatants: tuple[Entrant, ...]
    begins: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndConflict:
    """The conflict is over; what lasts by Turns or Rounds ends with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddCombatant:
    """Someone joins the conflict under way."""

    combatant: Entrant


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCombatant:
    """Someone leaves the conflict."""

    combatant_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginTurn:
    """A combatant's Turn begins (TURN-1 to TURN-3)."""

    combatant_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn:
    """The Turn in hand is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTurn:
    """TURN-6: the Turn goes to the other side; with no Minor Action taken it may still be had this Round.

    `combatant_id` is who may begin a Turn and passes instead; empty for the Turn in hand.
    """

    combatant_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepInitiative:
    """TURN-4: an ally has the next Turn. `threat_part` points of a player's price are added to Threat."""

    ally_id: str
    threat_part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """A new Round begins, once all have had their Turns, or all who have not have passed (TURN-3, C-85)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReach:
    """Two combatants come within each other's Reach, or leave it (RNG-1)."""

    first_id: str
    second_id: str
    in_reach: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeMinorAction:
    """ACT-3: a Minor Action. `threat_part` points of the price of a further one are added to Threat (MOM-3)."""

    character_id: str
    action: Action
    threat_part: int = 0

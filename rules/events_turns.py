"""What happened in a conflict's order, for the voice and the record; `ConflictChanged` carries what is true then."""

from __future__ import annotations

from dataclasses import dataclass

from rules.vocabulary import ConflictKind, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictStarted:
    """A conflict began, Round 1; `begins` is the name of who has the first Turn, empty if nobody was named."""

    kind: ConflictKind
    names: tuple[str, ...]
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictOver:
    """A conflict is over, in that Round."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantJoined:
    """Someone takes part from now on."""

    combatant_id: str
    name: str
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantLeft:
    """Someone takes part no longer."""

    combatant_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A Turn began; `able` is False where it begins only to be lost (a Staggered creature's, NPC-2)."""

    combatant_id: str
    name: str
    side: Side
    able: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver:
    """A Turn is over."""

    combatant_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed:
    """Someone passed; `may_act_later` in this Round (TURN-6)."""

    combatant_id: str
    name: str
    may_act_later: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeKept:
    """A side kept the Initiative: `name` has the next Turn (TURN-4)."""

    side: Side
    ally_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan:
    """A Round began. `side` may open it, `names` are those who may begin."""

    round: int
    side: Side
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachChanged:
    """Two came within each other's Reach, or left it (RNG-1)."""

    first: str
    second: str
    in_reach: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MinorActionTaken:
    """Someone took a Minor Action; `label` is its name in words."""

    combatant_id: str
    name: str
    action: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AllyDirected:
    """ACT-4: `leader` directed `ally`, who acts at once."""

    leader: str
    ally_id: str
    ally: str

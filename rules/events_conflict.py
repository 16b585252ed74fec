"""What happened in a conflict: steps of a chain, effects that last, Turns, Stress and Injuries, ships' states.

As in `rules.events`, each carries the result, so that folding and replaying need no rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import SourceKind
from rules.state import ThrownDie
from rules.state_conflict import Attack, Conflict, LastingEffect, Step
from rules.state_people import Body
from rules.state_ships import ShipState
from rules.vocabulary import StepKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaChanged:
    """What a chain has still to do, the step in hand first."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDiceThrown:
    """Dice that a step of a chain asked for (`kind` says which) were taken in."""

    request: int
    kind: StepKind
    who: str
    why: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan:
    """Something holds from now on until its end; also when its number or its Rounds changed."""

    effect: LastingEffect
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded:
    """Something that held has ended; `why` in words."""

    effect: LastingEffect
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictChanged:
    """Rounds, Turns, who takes part; None when the conflict is over. What happened is said by other events."""

    conflict: Conflict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackChanged:
    """The attack in hand, until every hit is settled; None when it is."""

    attack: Attack | None
    next_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyChanged:
    """Stress, an Injury or the like changed for one character; `why` in words."""

    character_id: str
    name: str
    body: Body
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipStateChanged:
    """Shields, Power, Breaches or the like changed for one ship; `why` in words."""

    ship_id: str
    name: str
    state: ShipState
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedThrough:
    """The Task in hand sets off what its action does; its own dice stand from now on."""

    number: int
    who: str
    label: str

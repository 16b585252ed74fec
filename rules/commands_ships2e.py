"""What can be asked of a table in starship combat of the second edition (S2E), beside Tasks with an action."""

from __future__ import annotations

from dataclasses import dataclass

from rules.starship2e import LargeShipTurns
from rules.vocabulary import System, Terrain


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTerrain:
    """The gamemaster says what kind of zone a ship is in (S2E-5)."""

    ship_id: str
    terrain: Terrain
    hazardous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseStruckSystem:
    """The system that the next hit finds, where it may be chosen: another one, by a Devastating Attack (S2E-8)."""

    system: System


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleHit:
    """Nothing more is bought for this hit: its damage is done.

    `reductions` is what the gamemaster takes off for the attack's Complications, one each, which uses them up
    (S2E-10, C-38).
    """

    reductions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseShaken:
    """The commander of a shaken ship picks a result of the table's list (S2E-13, C-39).

    `system` is the one that a result takes out; `note` what is told about it.
    """

    result: str
    system: System | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeShip:
    """Damage to a ship that no Task of an attack brings: a hazard, a collision (S2E-5, S2E-16).

    `system` is the one hit, None for a d20. `piercing` is Resistance ignored.
    """

    ship_id: str
    damage: int
    reason: str
    piercing: int = 0
    system: System | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseShipsInClose:
    """The ships in Close range of a core that explodes; none if it is alone (S2E-17)."""

    ship_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AbandonShip:
    """The order to abandon ship (S2E-20)."""

    ship_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseLargeShipTurns:
    """S2E-21: all turns of an adversary of Scale 7 or more, or as many as the players and bonus dice for the rest."""

    ship_id: str
    option: LargeShipTurns


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSurplusDie:
    """One of a large adversary's bonus dice for its Task in hand, before the throw (S2E-21)."""

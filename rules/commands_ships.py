"""What can be asked of a table about ships: answers to what an attack's chain asks, and what the gamemaster sets."""

from __future__ import annotations

from dataclasses import dataclass

from rules.vocabulary import System


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollShipDamage:
    """Throw some of the damage's Challenge Dice again, `positions` from 0, once and before it is settled (MOM-6)."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleShipHit:
    """Nothing more is bought: the damage meets the ship's Resistance (SDMG-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameShipsHit:
    """The other ships that an Area weapon or an exploding core hits; nobody is possible (SWPN-1, WCB-1)."""

    ship_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCasualty:
    """Who a hit on the Structure injures: drawn at the table by a die (BRCH-2). Empty where nobody was near."""

    character_id: str = ""
    lethal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreShields:
    """The gamemaster restores a ship's Shields after a scene, wholly or up to a number (C-75)."""

    ship_id: str
    shields: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPower:
    """The gamemaster changes a ship's Power: what a strange device drains, or a slip put right (SHIP-5)."""

    ship_id: str
    change: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendCrewSupport:
    """A point of Crew Support brings a supporting character into play (SHIP-2)."""

    ship_id: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewCrewSupport:
    """A new mission: Crew Support is whole again (SHIP-2)."""

    ship_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicateShip:
    """A Complication on a ship, on one of its systems or none (SHIP-5, REP-3)."""

    ship_id: str
    system: System | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelterShip:
    """A ship is sheltered by so many Challenge Dice of Resistance, until 0 or the scene's end (SDMG-1)."""

    ship_id: str
    dice: int

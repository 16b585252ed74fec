"""The commands and events of ships in every ruleset, as unions for the list of all messages."""

from __future__ import annotations

from typing import TypeAlias

from rules import commands_ships as ch
from rules import events_ships as eh

ShipsCommand: TypeAlias = (
    ch.RerollShipDamage
    | ch.SettleShipHit
    | ch.NameShipsHit
    | ch.NameCasualty
    | ch.RestoreShields
    | ch.AdjustPower
    | ch.SpendCrewSupport
    | ch.RenewCrewSupport
    | ch.ComplicateShip
    | ch.ShelterShip
)
"""What can be asked about ships."""

ShipsEvent: TypeAlias = (
    eh.PowerChanged
    | eh.ShipComplicated
    | eh.CrewSupportChanged
    | eh.ShipSheltered
    | eh.BonusMomentumGained
    | eh.ShipDamageCounted
    | eh.ShipDamageRerollStarted
    | eh.ShipResistanceCounted
    | eh.ShipHitSettled
    | eh.SystemBreached
    | eh.NpcShipBreached
    | eh.ImpactCounted
    | eh.CasualtyNamed
    | eh.ContainmentFailed
    | eh.CoreCounted
    | eh.ShipsNamed
    | eh.ShipRepaired
    | eh.FirstEditionWarp
    | eh.PositionChanged
)
"""What can have happened to ships."""

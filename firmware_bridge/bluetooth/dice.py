"""A die that speaks Bluetooth: one that is ours, one that was found nearby, and how one of ours is."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.bluetooth.makers import Doing, Maker
from rules.dice import DieKind


@dataclass(frozen=True, slots=True)
class PairedDie:
    """A die that is ours."""

    address: str
    name: str
    maker: Maker
    kind: DieKind


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die that advertises itself nearby."""

    address: str
    name: str
    maker: Maker


@dataclass(frozen=True, slots=True)
class DieStatus:
    """How a paired die is: whether it is in reach, what it does and its charge in per cent, as far as it said so."""

    die: PairedDie
    in_reach: bool
    doing: Doing | None
    battery: int | None

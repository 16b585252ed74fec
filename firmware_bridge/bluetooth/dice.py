"""Bluetooth dice as values: a paired die, one found nearby, and the state of a paired one."""

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
    """The state of a paired die: whether it is in reach, what it does, and its charge in per cent, if known."""

    die: PairedDie
    in_reach: bool
    doing: Doing | None
    battery: int | None

"""The actions that a session requests: the host carries them out in order."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.pictures import TrayPicture
from firmware_bridge.wording import TrayCondition
from rules.dice import Reading


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes to the tray."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Report:
    """A roll has come to rest, or the tray was cleared."""

    reading: Reading


@dataclass(frozen=True, slots=True)
class Show:
    """The picture of dice at rest has come, to be read."""

    picture: TrayPicture


@dataclass(frozen=True, slots=True)
class Changed:
    """The tray's condition is another than before."""

    condition: TrayCondition


@dataclass(frozen=True, slots=True)
class Reopen:
    """The port has been dead for so long that closing and opening it may help."""


Action = Send | Report | Show | Changed | Reopen
"""A session's request to the owner of its port."""

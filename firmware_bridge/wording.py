"""What a tray is doing, in words for the person at the table: what happened, and what they can do.

People count places from 1, the protocol counts its slots from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.messages import MAJOR, WHOLE_TRAY, FaultCode, Hello
from rules.dice import SourceState


class Situation(StrEnum):
    """Where the conversation with a tray stands."""

    GREETING = "greeting"
    READY = "ready"
    MUTE = "mute"
    SILENT = "silent"
    PLAIN = "plain"
    INCOMPATIBLE = "incompatible"


@dataclass(frozen=True, slots=True)
class Condition:
    """A situation with its words: `what` happened, `remedy` for the person (may be empty).

    `notice` is what those who wait for dice should know of what lies on the tray (may be empty).
    """

    situation: Situation
    state: SourceState
    what: str
    remedy: str = ""
    notice: str = ""


GREETING: Final = Condition(
    Situation.GREETING, SourceState.STARTING, "The port of the dice tray is open; waiting for the tray to answer."
)
MUTE: Final = Condition(
    Situation.MUTE,
    SourceState.LOST,
    "The dice tray is connected but says nothing any more.",
    "Nothing is lost: enter dice by hand. If it does not come back by itself, unplug the tray and plug it in again.",
)
SILENT: Final = Condition(
    Situation.SILENT,
    SourceState.LOST,
    "Something is connected, but it does not answer as a dice tray does.",
    "Check that this is the tray's port, that no other program reads it, and that the tray's firmware is installed. A "
    "plain tray shows up with its first throw.",
)
PLAIN: Final = Condition(
    Situation.PLAIN,
    SourceState.READY,
    "A plain dice tray is sending lines of text. It has no checksum, so look at what it reads.",
)


UNSEEN: Final = (
    "Dice lie on the tray that it did not see thrown. If they are this throw, throw them again or enter them by hand."
)
"""What is said of dice thrown while the tray restarted, or laid there: they count for nothing by themselves."""

_FAULTS: Final[dict[int, str]] = {
    FaultCode.READER: "the reader",
    FaultCode.MOTION: "the motion sensor",
    FaultCode.BEAM: "the light beam",
    FaultCode.LAMP: "the lamp",
    FaultCode.POWER: "the power supply",
    FaultCode.MEMORY: "the memory",
}


def ready(
    hello: Hello,
    faults: Iterable[tuple[int, int]] = (),
    *,
    unknown_dice: bool = False,
    untaught: tuple[int, ...] = (),
    ailing: tuple[str, ...] = (),
    unseen: bool = False,
) -> Condition:
    """The tray that introduced itself with `hello` is in use, with `faults` as (code, slot) of FAULT.

    `unknown_dice` says that it has reported a die of a kind that this version does not know, `untaught` in which
    places a die lies whose tag nobody has taught, `ailing` what dice say is wrong with themselves, in sentences,
    `unseen` that a die lies there which the tray did not see thrown.
    """
    remedies = [f"The tray says that {_fault_words(code, slot)} fails." for code, slot in sorted(faults)]
    if remedies:
        remedies.append("Enter the dice that it cannot read by hand, and have the tray looked after.")
    remedies += ailing
    if unknown_dice:
        remedies.append("It reported a die of a kind that this trueroll does not know. Update trueroll.")
    if unseen:
        remedies.append(UNSEEN)
    if untaught:
        *first, last = (str(slot + 1) for slot in untaught)
        remedies.append(
            f"Nobody has taught the dice in places {', '.join(first)} and {last}. "
            "Teach them on the tray's page, or enter them by hand."
            if first
            else f"Nobody has taught the die in place {last}. Teach it on the tray's page, or enter it by hand."
        )
    return Condition(
        Situation.READY,
        SourceState.READY,
        f"Dice tray {hello.tray_id:08x} is ready: {hello.slots} places for dice, firmware {firmware_name(hello)}.",
        " ".join(remedies),
        UNSEEN if unseen else "",
    )


def _fault_words(code: int, slot: int) -> str:
    part = _FAULTS.get(code, f"part {code}")
    return part if slot == WHOLE_TRAY else f"{part} under place {slot + 1}"


def incompatible(*, major: int, minor: int) -> Condition:
    """A tray of another major version: refused by name, with what has to be updated."""
    behind = major < MAJOR
    remedy = (
        "Update the tray's firmware, or enter dice by hand until then."
        if behind
        else "Update trueroll, or enter dice by hand until then."
    )
    return Condition(
        Situation.INCOMPATIBLE,
        SourceState.INCOMPATIBLE,
        f"The dice tray speaks version {major}.{minor} of the tray protocol; this trueroll speaks version {MAJOR}.",
        remedy,
    )


def firmware_name(hello: Hello) -> str:
    """The firmware's version as people write it."""
    return version_words(hello.firmware)


def version_words(version: int) -> str:
    """A version of a firmware as people write it: the high byte, a dot, the low byte."""
    return f"{version >> 8}.{version & 0xFF}"

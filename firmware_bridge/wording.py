"""A tray's state in words for the person at the table: what happened, and what they can do.

People count places from 1, the protocol counts its slots from 0.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.errors import NO_WORDS
from firmware_bridge.messages import MAJOR, WHOLE_TRAY, Capability, FaultCode, Hello
from rules.dice import SourceState
from rules.words import Phrase, say, sentences


class Situation(StrEnum):
    """Where the conversation with a tray stands."""

    GREETING = "greeting"
    READY = "ready"
    MUTE = "mute"
    SILENT = "silent"
    PLAIN = "plain"
    INCOMPATIBLE = "incompatible"


@dataclass(frozen=True, slots=True)
class TrayCondition:
    """A situation with its words: `what` happened, `remedy` for the person (may be empty).

    `notice` is what those who wait for dice should know of what lies on the tray (may be empty). `faulty` says that a
    part of a tray fails which answers: one that is ready goes on with the others, one that is lost has no other.
    """

    situation: Situation
    state: SourceState
    what: Phrase
    remedy: Phrase = NO_WORDS
    notice: Phrase = NO_WORDS
    faulty: bool = False


GREETING: Final = TrayCondition(
    Situation.GREETING, SourceState.STARTING, say("The port of the dice tray is open; waiting for the tray to answer.")
)
"""A port was opened, and what is there has not answered yet."""

MUTE: Final = TrayCondition(
    Situation.MUTE,
    SourceState.LOST,
    say("The dice tray is connected but says nothing any more."),
    say(
        "Nothing is lost: enter dice by hand. If it does not come back by itself, unplug the tray and plug it in again."
    ),
)
"""A tray that was ready sends no frames any more."""

SILENT: Final = TrayCondition(
    Situation.SILENT,
    SourceState.LOST,
    say("Something is connected, but it does not answer as a dice tray does."),
    say(
        "Check that this is the tray's port, that no other program reads it, and that the tray's firmware is "
        "installed. A plain tray shows up with its first throw."
    ),
)
"""What is at the port never answered."""

PLAIN: Final = TrayCondition(
    Situation.PLAIN,
    SourceState.READY,
    say("A plain dice tray is sending lines of text. It has no checksum, so look at what it reads."),
)
"""A tray that speaks the plain dialect."""


UNSEEN: Final = say(
    "Dice lie on the tray that it did not see thrown. If they are this throw, throw them again or enter them by hand."
)
"""The message about dice thrown or laid there while the tray restarted: they do not count by themselves."""

NO_SUPPLY: Final = say(
    "Most likely its readers have no power: measure 3.3 V at the regulator's output and at each reader. If the tray "
    "does not find them by itself then, unplug it and plug it in again. Until then enter dice by hand."
)
"""What to do about a tray of which no reader answers."""

LOOK_AFTER: Final = say("Enter the dice that it cannot read by hand, and have the tray looked after.")
"""What to do about a tray that says that a part of it fails."""

DARK: Final = say("The tray's camera sees too little: look whether its lamps are lit, and nothing covers or blinds it.")
"""What is said while a tray's camera cannot tell dice."""

_FAULTS: Final[dict[int, Phrase]] = {
    FaultCode.READER: say("the reader"),
    FaultCode.MOTION: say("the motion sensor"),
    FaultCode.BEAM: say("the light beam"),
    FaultCode.LAMP: say("the lamp"),
    FaultCode.POWER: say("the power supply"),
    FaultCode.MEMORY: say("the memory"),
    FaultCode.CAMERA: say("the camera"),
}
"""What each part of a tray is called that can fail."""

_CAUSES: Final[dict[int, Phrase]] = {
    FaultCode.READER: say("Most likely a wire of it is loose, or its 3.3 V does not reach it."),
    FaultCode.MOTION: say("Most likely something on the table hums, or a wire of the sensor is loose."),
    FaultCode.BEAM: say("Most likely something lies in it, a lens of it is dirty, or a wire of it is loose."),
    FaultCode.LAMP: say("Most likely a wire of it is loose."),
    FaultCode.POWER: say("Most likely the cable or the supply is too weak."),
    FaultCode.MEMORY: say("The tray still works; its board wants replacing."),
    FaultCode.CAMERA: say("Most likely the ribbon of the camera is loose."),
}
"""The likeliest cause of each fault, as docs/tray.md has them in full."""


def ready(
    hello: Hello,
    faults: Collection[tuple[int, int]] = (),
    *,
    unknown_dice: bool = False,
    untaught: tuple[int, ...] = (),
    ailing: tuple[Phrase, ...] = (),
    unseen: bool = False,
    stray: int | None = None,
    dark: bool = False,
) -> TrayCondition:
    """The tray that introduced itself with `hello` is in use, with `faults` as (code, slot) of FAULT.

    * `unknown_dice`: it has reported a die of a kind that this version does not know.
    * `untaught`: the places with dice whose tags nobody has taught.
    * `ailing`: the dice's own faults, in sentences.
    * `unseen`: a die lies there that the tray did not see thrown.
    * `stray`: the place in a report that the tray does not have.
    * `dark`: its camera sees too little.
    """
    if not hello.capabilities & Capability.PICTURES and _no_reader_answers(hello, faults):
        return _without_readers(hello)
    remedies = _fault_words(faults)
    if remedies:
        if looks_alone(hello) and any(code == FaultCode.CAMERA for code, _ in faults):  # its only eye
            return TrayCondition(Situation.READY, SourceState.LOST, sentences(*remedies), LOOK_AFTER, faulty=True)
        remedies.append(LOOK_AFTER)
    remedies += ailing
    if stray is not None:
        remedies.append(_stray_words(stray, hello.slots))
    if unknown_dice:
        remedies.append(say("It reported a die of a kind that this trueroll does not know. Update trueroll."))
    if unseen:
        remedies.append(UNSEEN)
    if dark:
        remedies.append(DARK)
    if untaught:
        *first, last = (str(slot + 1) for slot in untaught)
        remedies.append(
            say(
                "Nobody has taught the dice in places {first} and {last}. Teach them on the tray's page, or enter "
                "them by hand.",
                first=", ".join(first),
                last=last,
            )
            if first
            else say(
                "Nobody has taught the die in place {place}. Teach it on the tray's page, or enter it by hand.",
                place=last,
            )
        )
    return TrayCondition(
        Situation.READY,
        SourceState.READY,
        _ready_words(hello),
        sentences(*remedies),
        DARK if dark else UNSEEN if unseen else NO_WORDS,
        faulty=bool(faults) or stray is not None or dark,
    )


def _stray_words(stray: int, places: int) -> Phrase:
    """What is said of a tray that speaks of a place that it does not have, or of all places as one."""
    if stray == WHOLE_TRAY:
        return say(
            "The tray speaks of a die without telling its place. What it reads there is not believed: enter such dice "
            "by hand. Most likely its firmware is wrong: update it."
        )
    return say(
        "The tray speaks of place {place} and says that it has only {places}. What it reads there is not "
        "believed: enter such dice by hand. Most likely its firmware is wrong: update it.",
        place=stray + 1,
        places=places,
    )


def _no_reader_answers(hello: Hello, faults: Collection[tuple[int, int]]) -> bool:
    """Whether no reader answered when the tray started, or none does any more."""
    whole = (FaultCode.READER, WHOLE_TRAY) in faults
    return whole or all((FaultCode.READER, slot) in faults for slot in range(hello.slots))


def _fault_words(faults: Collection[tuple[int, int]]) -> list[Phrase]:
    """A sentence for each of `faults`, and after those of one kind their likeliest cause."""
    said: list[Phrase] = []
    for code in sorted({code for code, _ in faults}):
        said += [say("The tray says that {part} fails.", part=_part(code, slot)) for slot in _slots(code, faults)]
        said += [_CAUSES[code]] if code in _CAUSES else []
    return said


def _slots(code: int, faults: Collection[tuple[int, int]]) -> list[int]:
    return sorted(slot for one, slot in faults if one == code)


def looks_alone(hello: Hello) -> bool:
    """Whether the tray has a camera and no readers."""
    return bool(hello.capabilities & Capability.PICTURES) and not hello.slots


def _ready_words(hello: Hello) -> Phrase:
    tray, firmware = f"{hello.tray_id:08x}", firmware_name(hello)
    if looks_alone(hello):
        return say(
            "Dice tray {tray} is ready: its camera looks at the dice, firmware {firmware}.",
            tray=tray,
            firmware=firmware,
        )
    return say(
        "Dice tray {tray} is ready: {places} places for dice, firmware {firmware}.",
        tray=tray,
        places=hello.slots,
        firmware=firmware,
    )


def _without_readers(hello: Hello) -> TrayCondition:
    """A tray that answers and cannot read a single die: no reader answered at its start, or none does any more."""
    return TrayCondition(
        Situation.READY,
        SourceState.LOST,
        say(
            "Dice tray {tray} answers, but none of its readers does: it can read no dice.",
            tray=f"{hello.tray_id:08x}",
        ),
        NO_SUPPLY,
        faulty=True,
    )


def _part(code: int, slot: int) -> Phrase:
    """The part of the tray that a FAULT is about, and where it is."""
    part = _FAULTS.get(code) or say("part {number}", number=code)
    return part if slot == WHOLE_TRAY else say("{part} under place {place}", part=part, place=slot + 1)


def incompatible(*, major: int, minor: int) -> TrayCondition:
    """A tray of another major version: refused by name, with what has to be updated."""
    behind = major < MAJOR
    remedy = (
        say("Update the tray's firmware, or enter dice by hand until then.")
        if behind
        else say("Update trueroll, or enter dice by hand until then.")
    )
    return TrayCondition(
        Situation.INCOMPATIBLE,
        SourceState.INCOMPATIBLE,
        say(
            "The dice tray speaks version {version} of the tray protocol; this trueroll speaks version {own}.",
            version=f"{major}.{minor}",
            own=MAJOR,
        ),
        remedy,
    )


def firmware_name(hello: Hello) -> str:
    """The firmware's version as people write it."""
    return version_words(hello.firmware)


def version_words(version: int) -> str:
    """A version of a firmware as people write it: the high byte, a dot, the low byte."""
    return f"{version >> 8}.{version & 0xFF}"

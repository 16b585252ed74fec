"""Which GPIO pin does what on the panel, and why some pins may not.

Numbers are the GPIO numbers of the Raspberry Pi's 40-pin header (the "BCM" numbers), not the positions
on the header; `HEADER_POSITION` gives those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hardware.errors import PinsError
from rules.words import Phrase, capitalized, say

HEADER_POSITION: Final[Mapping[int, int]] = MappingProxyType(
    {
        0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
        14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
    }
)  # fmt: skip
"""The position on the 40-pin header of every GPIO number that it carries (Raspberry Pi documentation, GPIO)."""

RESERVED: Final[Mapping[int, Phrase]] = MappingProxyType(
    {
        0: say("the identity chip of add-on boards"),
        1: say("the identity chip of add-on boards"),
        2: say("the I2C bus, whose pull-up resistor cannot be turned off"),
        3: say("the I2C bus, whose pull-up resistor cannot be turned off"),
        14: say("the serial console, which sends text at start-up"),
        15: say("the serial console, which listens at start-up"),
    }
)
"""Pins that the board itself keeps, and for what."""


class PanelButton(StrEnum):
    """A button of the panel; each value is the name of its pin in `PanelPins`."""

    CONFIRM = "confirm"
    UNDO = "undo"
    REPEAT = "repeat"
    NEXT = "next"
    PREVIOUS = "previous"


NOT_FITTED: Final = -1
"""The number that says, where a settings file has no None, that a part is not there and its pin is free."""


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The panel's wiring, as GPIO numbers; None (or `NOT_FITTED`, which becomes None) for a part that is left out.

    The buttons connect their pin to ground. The lamp is one red-green-blue light; `lamp_common_anode` says
    that its shared leg goes to 3.3 V instead of ground. The ring light's pin drives a transistor, high for
    light; the buzzer's gives tones to a passive piezo disc. These two have a pulse-width channel of their own each
    (12 and 13). The defaults keep clear of I2C, SPI, the serial console and the pins of sound cards (18 to 21).
    Raises `PinsError`, naming both uses, for a pin that is used twice, reserved, or not on the header.
    """

    confirm: int | None = 17
    undo: int | None = 27
    repeat: int | None = 22
    next: int | None = 23
    previous: int | None = 24
    lamp_red: int | None = 5
    lamp_green: int | None = 6
    lamp_blue: int | None = 26
    ring: int | None = 12
    buzzer: int | None = 13
    lamp_common_anode: bool = False

    def __post_init__(self) -> None:
        for name in USES:
            pin = getattr(self, name)
            if type(pin) is int and pin == NOT_FITTED:
                object.__setattr__(self, name, None)
        problems = pin_problems(self.uses())
        if problems:
            raise PinsError(problems, self._concerned())

    def _concerned(self) -> tuple[str, ...]:
        """The fields whose pin cannot serve, or serves another too."""
        pins = [getattr(self, name) for name in USES]
        return tuple(
            name
            for name, pin in zip(USES, pins, strict=True)
            if pin is not None
            and (type(pin) is not int or pin not in HEADER_POSITION or pin in RESERVED or pins.count(pin) > 1)
        )

    def uses(self) -> dict[Phrase, int]:
        """Every fitted part in plain words, with its GPIO number."""
        pins = {words: getattr(self, name) for name, words in USES.items()}
        return {words: pin for words, pin in pins.items() if pin is not None}


USES: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "confirm": say("the confirm button"),
        "undo": say("the undo button"),
        "repeat": say("the repeat button"),
        "next": say("the next button"),
        "previous": say("the previous button"),
        "lamp_red": say("the lamp's red"),
        "lamp_green": say("the lamp's green"),
        "lamp_blue": say("the lamp's blue"),
        "ring": say("the ring light"),
        "buzzer": say("the buzzer"),
    }
)
"""The fields of `PanelPins` that are pins, and what each is for in words."""


def pin_problems(uses: Mapping[Phrase, int], taken: Mapping[int, str] = RESERVED) -> tuple[Phrase, ...]:
    """One sentence for each pin in `uses` (use in words to GPIO number) that cannot serve; empty when all can.

    `taken` names pins that something else has: the board itself, or also an add-on board of the owner's.
    """
    problems: list[Phrase] = []
    first_use: dict[int, Phrase] = {}
    for use, pin in uses.items():
        if type(pin) is not int or pin not in HEADER_POSITION:
            problems.append(
                say(
                    "{use} is set to {pin}, which is no GPIO of the header; choose from 4 to 27, or -1 for a part that "
                    "is not there.",
                    use=capitalized(use),
                    pin=repr(pin),
                )
            )
        elif pin in taken:
            problems.append(
                say(
                    "GPIO {pin} is set for {use} but belongs to {owner}; choose another for {same}.",
                    pin=pin,
                    use=use,
                    owner=taken[pin],
                    same=use,
                )
            )
        elif pin in first_use:
            problems.append(
                say(
                    "GPIO {pin} is set for both {one} and {other}; give one of them another.",
                    pin=pin,
                    one=first_use[pin],
                    other=use,
                )
            )
        else:
            first_use[pin] = use
    return tuple(problems)

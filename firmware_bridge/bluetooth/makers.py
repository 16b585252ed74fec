"""Parses the messages of Bluetooth dice, by their makers: free of I/O and of the clock.

Pixels: https://github.com/GameWithPixels/.github/blob/main/doc/CommunicationsProtocol.md and
https://github.com/GameWithPixels/DiceFirmware (bluetooth_messages.h, dice_variants.h); states and services as in
https://github.com/GameWithPixels/pixels-js (PixelRollState.ts, PixelsBluetoothIds.ts; version 1.3.1).
GoDice: https://pub.dev/packages/godice (0.1.0, MIT) and its tests; which number lies which way is a fact of the die.
Never tried with real dice.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.dice import DieKind


class Maker(StrEnum):
    """Whose die it is."""

    PIXELS = "pixels"
    GODICE = "godice"


class Doing(StrEnum):
    """What a die does: the states of a tray's dice."""

    HANDLED = "handled"
    ROLLING = "rolling"
    SETTLED = "settled"
    """It was thrown, and its face is sure."""
    COCKED = "cocked"
    PLACED = "placed"
    """It lies still and was not thrown: it was put down, or nudged."""


@dataclass(frozen=True, slots=True)
class News:
    """A die's report: what it does, with its `face` if that is sure; its battery in per cent; its kind.

    Anything not reported is None. `foreign`: it is of a kind that the game does not use, such as a d10.
    """

    doing: Doing | None = None
    face: int | None = None
    battery: int | None = None
    kind: DieKind | None = None
    foreign: bool = False


NOTHING: Final = News()
"""The news of a message that says nothing about a throw."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A service by which a die is found, and its characteristics: where it notifies, and where it is written to."""

    service: str
    notify: str
    write: str


_NORDIC: Final = "6e4000{}-b5a3-f393-e0a9-e50e24dcca9e"
"""The addresses of Nordic's UART service and its characteristics; a number is filled in."""
_MODERN: Final = "a6b900{}-7a5a-43f2-a962-350c8edc9b5b"
"""The addresses of the Pixels' own service, which newer dice have, and its characteristics."""
CHANNELS: Final[Mapping[Maker, tuple[Channel, ...]]] = {
    Maker.PIXELS: (
        Channel(_MODERN.format("01"), _MODERN.format("02"), _MODERN.format("03")),
        Channel(_NORDIC.format("01"), _NORDIC.format("01"), _NORDIC.format("02")),
    ),
    Maker.GODICE: (Channel(_NORDIC.format("01"), _NORDIC.format("03"), _NORDIC.format("02")),),
}
"""The channels of each maker's dice, the newest first."""

QUESTIONS: Final[Mapping[Maker, bytes]] = {Maker.PIXELS: b"\x01", Maker.GODICE: b"\x03"}
"""What is asked once connected: a Pixel who it is (WhoAreYou), a GoDie for its battery."""

GODICE_NAME: Final = "GoDice_"
"""How the names of GoDice begin."""


def maker_of(name: str, services: Sequence[str]) -> Maker | None:
    """Whose die advertises itself by this name and these services; None where it is none of these."""
    if name.startswith(GODICE_NAME):
        return Maker.GODICE
    known = {channel.service for channel in CHANNELS[Maker.PIXELS]}
    return Maker.PIXELS if known & {service.lower() for service in services} else None


_I_AM_A_DIE: Final = struct.Struct("<BBBBIIHIBBBB")
"""The IAmADie of older firmware, which has this length; newer firmware sends chunks, each with its length in front."""
_DIE_INFO: Final = struct.Struct("<BIBBBB")
"""The chunk of IAmADie about the die: its type and its number of lamps are the fourth and the fifth field."""
_STATUS_INFO: Final = struct.Struct("<BBBBB")
"""The chunk of IAmADie about its state: the battery in per cent is the second field."""
_DIE_INFO_AT: Final = 1
"""Which chunk is about the die; version, die, colours, name, settings, status come in this order."""
_STATUS_INFO_AT: Final = 5
"""Which chunks they are: version, die, colours, name, settings, status."""
_ROLL_STATE: Final = struct.Struct("<BBB")
"""RollState: the message's type, what the die does, and the place of the face that lies up."""
_BATTERY: Final = struct.Struct("<BBB")
"""BatteryLevel: the message's type, the battery in per cent, whether it charges."""
_PIXELS_KINDS: Final = {2: DieKind.D6, 7: DieKind.D20, 8: DieKind.D6}
"""Die types of Pixels that the game has; one of type 0 is told by its lamps."""
_PIXELS_LAMPS: Final = {6: DieKind.D6, 20: DieKind.D20}
"""The kind of die by its number of lamps."""
_PIXELS_DOING: Final = {
    1: Doing.SETTLED,
    2: Doing.HANDLED,
    3: Doing.ROLLING,
    4: Doing.COCKED,
    5: Doing.PLACED,
}
"""The meaning of each state of a Pixel's roll; other states are ignored."""
_FACES: Final = {DieKind.D20: 20, DieKind.D6: 6}
"""How many faces each kind has."""
_MOST_PER_CENT: Final = 100
"""A full battery; a higher number is noise."""


def pixels_news(data: bytes, kind: DieKind) -> News:
    """The news in a Pixel's message, for a die of `kind` if known; `NOTHING` for any other message."""
    if data[:1] == b"\x02":
        return _introduced(data)
    if data[:1] == b"\x03" and len(data) >= _ROLL_STATE.size:
        _, state, index = _ROLL_STATE.unpack_from(data)
        doing = _PIXELS_DOING.get(state)
        if doing is Doing.SETTLED:
            sure = index < _FACES.get(kind, 0)
            return News(Doing.SETTLED, index + 1) if sure else News(Doing.COCKED)
        return News(doing)
    if data[:1] == b"\x22" and len(data) >= _BATTERY.size:
        return News(battery=_per_cent(data[1]))
    return NOTHING


def _introduced(data: bytes) -> News:
    """The news in IAmADie, of older and newer firmware."""
    if len(data) == _I_AM_A_DIE.size:
        _, lamps, _, die_type, _, _, _, _, _, _, battery, _ = _I_AM_A_DIE.unpack(data)
    else:
        chunks = _chunks(data[1:])
        if len(chunks) <= _STATUS_INFO_AT:
            return NOTHING
        info, status = chunks[_DIE_INFO_AT], chunks[_STATUS_INFO_AT]
        if len(info) < _DIE_INFO.size or len(status) < _STATUS_INFO.size:
            return NOTHING
        _, _, _, die_type, lamps, _ = _DIE_INFO.unpack_from(info)
        _, battery, _, _, _ = _STATUS_INFO.unpack_from(status)
    told = _PIXELS_KINDS.get(die_type, _PIXELS_LAMPS.get(lamps) if not die_type else None)
    return News(battery=_per_cent(battery), kind=told, foreign=told is None)


def _chunks(data: bytes) -> list[bytes]:
    """The chunks of a message, each as long as its first byte says, which counts itself; none past a broken one."""
    chunks = []
    while data and 0 < data[0] <= len(data):
        chunks.append(data[: data[0]])
        data = data[data[0] :]
    return chunks


Direction = tuple[int, int, int]
"""Which way gravity pulls in a die, in 64ths."""


def _opposite(half: Mapping[int, Direction], total: int) -> Mapping[int, Direction]:
    """All faces of a die whose opposite faces add to `total`."""
    return {**half, **{total - face: (-x, -y, -z) for face, (x, y, z) in half.items()}}


GODICE_FACES: Final[Mapping[DieKind, Mapping[int, Direction]]] = {
    DieKind.D6: _opposite({1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0)}, 7),
    DieKind.D20: _opposite(
        {
            1: (-64, 0, -22), 2: (42, -42, 42), 3: (0, 22, -64), 4: (0, 22, 64), 5: (-42, -42, 42),
            6: (22, 64, 0), 7: (-42, -42, -42), 8: (64, 0, -22), 9: (-22, 64, 0), 10: (42, -42, -42),
        },
        21,
    ),
}  # fmt: skip
"""How each face of a GoDie, and of its d20 shell, feels gravity while it is up: an icosahedron's faces point to the
corners of a dodecahedron."""

SURE_DEGREES: Final = 14.0
"""The largest angle between gravity and a face's direction. Two faces of a d20 are 42 degrees apart; a die that leans
more is cocked."""


def godice_news(data: bytes, kind: DieKind) -> News:
    """The news in a GoDie's message, in a shell of that `kind`; `NOTHING` for any other message."""
    if data == b"R":
        return News(Doing.ROLLING)
    if data[:3] == b"Bat" and len(data) > len(b"Bat"):
        return News(battery=_per_cent(data[3]))
    if data[:1] == b"S" and len(data) >= len(b"Sxyz"):
        face = _face_of(kind, struct.unpack_from("bbb", data, 1))
        return News(Doing.SETTLED, face) if face is not None else News(Doing.COCKED)
    if data[1:2] == b"S" and data[:1] in (b"F", b"T", b"M") and len(data) >= len(b"FSxyz"):
        return News(Doing.COCKED if data[:1] == b"T" else Doing.PLACED)
    return NOTHING


def _face_of(kind: DieKind, felt: Direction) -> int | None:
    length = math.hypot(*felt)
    if not length:
        return None
    cosine, nearest = max(
        (sum(a * b for a, b in zip(felt, way, strict=True)) / math.hypot(*way) / length, face)
        for face, way in GODICE_FACES[kind].items()
    )
    return nearest if cosine >= math.cos(math.radians(SURE_DEGREES)) else None


def _per_cent(level: int) -> int | None:
    return level if level <= _MOST_PER_CENT else None


READS: Final[Mapping[Maker, Callable[[bytes, DieKind], News]]] = {
    Maker.PIXELS: pixels_news,
    Maker.GODICE: godice_news,
}
"""The parser of each maker's messages."""

"""Messages and readings as plain data and as words, for the terminal."""

from __future__ import annotations

import re
from dataclasses import asdict
from enum import IntEnum
from typing import Final

from firmware_bridge.errors import MessageError
from firmware_bridge.framing import WireFrame
from firmware_bridge.messages import (
    Capability,
    Chunk,
    Die,
    Fault,
    FaultCode,
    Hello,
    KindCode,
    Message,
    ResetCause,
    Result,
    ResultCode,
    SceneCode,
    SceneSeen,
    SideCode,
    StateCode,
    Taught,
    Unknown,
    decode,
)
from firmware_bridge.plain import parse_line
from firmware_bridge.rolls import CHALLENGE_FACES
from firmware_bridge.wording import version_words
from rules.dice import DieReading, Doubt, Reading

Plain = str | int | float | bool | None
"""A value as a line of JSON holds it."""

NAMES: Final[dict[int, str]] = {
    0x01: "HELLO_REQ",
    0x02: "PING",
    0x03: "ACK",
    0x04: "SNAPSHOT",
    0x05: "RING",
    0x06: "CONFIG",
    0x07: "RESET",
    0x08: "TAUGHT",
    0x09: "WANT",
    0x0A: "SENSE",
    0x81: "HELLO",
    0x82: "PONG",
    0x83: "DIE",
    0x84: "ROLL_END",
    0x85: "BEAT",
    0x86: "RESULT",
    0x87: "FAULT",
    0x88: "TAG",
    0x89: "PICTURE",
    0x8A: "CHUNK",
    0x8B: "SCENE",
    0x8C: "LEVELS",
    0x8D: "READER",
}
"""The names of the frame types in docs/tray-protocol.md."""

LONGEST_TEXT: Final = 200
"""Bytes of an unfinished line of text that are kept: its end."""

_TEXT: Final = re.compile(rb"[\t\r\n -~]*")
"""Printable ASCII, with tabs and line ends."""
_LINE_ENDS: Final = re.compile(rb"[\r\n]")
"""Either end of a line."""
_HEXADECIMAL: Final = frozenset({"tray_id", "boot_id", "die_id", "tag", "nonce", "digest", "magic", "check"})
"""The fields that are written as hexadecimal numbers."""
_DOUBTS: Final[dict[Doubt, str]] = {
    Doubt.UNTAUGHT: "a die that nobody has taught",
    Doubt.CROWDED: "a die that is cocked, or two in one place",
}
"""What each doubt about a die is called."""
_WORDS: Final[dict[tuple[type[Message], str], type[IntEnum]]] = {
    (Die, "kind"): KindCode,
    (Die, "state"): StateCode,
    (Taught, "kind"): KindCode,
    (Taught, "side"): SideCode,
    (Hello, "reset_cause"): ResetCause,
    (Fault, "code"): FaultCode,
    (Result, "code"): ResultCode,
    (SceneSeen, "state"): SceneCode,
}
"""The enumeration whose names stand for the numbers of a message's field."""


def frame_data(frame: WireFrame) -> dict[str, Plain]:
    """`frame` as flat data: its type's name, its sequence number, and its fields (numbers as on the wire)."""
    head: dict[str, Plain] = {"message": NAMES.get(frame.code, f"type {frame.code:#04x}"), "sequence": frame.sequence}
    try:
        decoded = decode(frame)
    except MessageError as error:
        return head | {"error": str(error)}
    if isinstance(decoded.message, Unknown):
        return head | {"payload": frame.payload.hex()}
    fields: dict[str, Plain] = asdict(decoded.message)
    if isinstance(decoded.message, Chunk):
        fields["data"] = decoded.message.data.hex()
    if "sequence" in fields:
        fields["of_sequence"] = fields.pop("sequence")
    return head | fields | ({"more_bytes": decoded.trailing} if decoded.trailing else {})


def frame_words(frame: WireFrame) -> str:
    """`frame` on one line, with the names of what its numbers mean."""
    try:
        message = decode(frame).message
    except MessageError as error:
        return f"{NAMES[frame.code]} #{frame.sequence} {error}"
    parts = [f"{NAMES.get(frame.code, f'type {frame.code:#04x}')} #{frame.sequence}"]
    if isinstance(message, Unknown):
        return f"{parts[0]} {message.payload.hex(' ')}"
    parts += [
        f"{name}={f'{len(value)} bytes' if isinstance(value, bytes) else _value_words(message, name, value)}"
        for name, value in asdict(message).items()
    ]
    return " ".join(parts)


def reading_data(reading: Reading) -> dict[str, object]:
    """`reading` as data for JSON."""
    return {"reading_id": reading.reading_id, "dice": [_die_data(die) for die in reading.dice]}


def reading_words(reading: Reading) -> str:
    """`reading` as a person says it."""
    return ", ".join(_die_words(die) for die in reading.dice) or "the tray is empty"


class TextFinder:
    """The lines of text in what a tray sends, as its maker wants to see them. Holds `LONGEST_TEXT` bytes."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[tuple[str, bool]]:
        """The lines that `data` completes, each with whether the plain dialect has it; what is no text is left out."""
        *complete, self._pending = _LINE_ENDS.split(self._pending + data)
        self._pending = self._pending[-LONGEST_TEXT:]
        lines = [line.strip() for line in complete]
        return [(line.decode(), parse_line(line) is not None) for line in lines if line and is_text(line)]


def is_text(data: bytes) -> bool:
    """Whether `data` is nothing but printable ASCII, blanks and ends of lines."""
    return _TEXT.fullmatch(data) is not None


def _value_words(message: Message, name: str, value: int) -> str:
    if isinstance(message, Die | Taught) and name == "face" and message.kind == KindCode.CHALLENGE:
        return str(CHALLENGE_FACES.get(value, value))
    if name in _HEXADECIMAL:
        return f"0x{value:x}"
    if name == "firmware":
        return version_words(value)
    if name == "capabilities":
        known = [one.name.lower() for one in Capability if one & value and one.name]
        other = value & ~sum(Capability)
        return "+".join([*known, *([f"{other:#x}"] if other else [])]) or "none"
    words = _WORDS.get((type(message), name))
    if words is None:
        return str(value)
    return next((word.name.lower() for word in words if word == value), str(value))


def _die_data(die: DieReading) -> dict[str, Plain]:
    return {
        "kind": die.kind.value,
        "face": die.face if die.face is None or isinstance(die.face, int) else die.face.value,
        "confidence": die.confidence,
        "state": die.state.value,
        "die_id": die.die_id,
        "weak": die.weak,
        "doubt": None if die.doubt is None else die.doubt.value,
    }


def _die_words(die: DieReading) -> str:
    if die.doubt is not None:
        return _DOUBTS[die.doubt]
    shown = die.state.value if die.face is None else str(die.face)
    return f"{die.kind} {shown}{' (weak)' if die.weak else ''}"

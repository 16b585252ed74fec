"""Recordings of a tray's wire: JSON, one object a line, and playing them through a session again.

The first line is the head: `{"trueroll": "tray recording", "version": 1, "nonce": N}`. Every other line is
`{"t": seconds since opening, "direction": "in" or "out", "hex": "…"}`, "in" being from the tray; or, where the port
went and came back meanwhile, `{"t": seconds, "port": "gone"}` and `{"t": seconds, "port": "open", "nonce": N}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.actions import Action, Report
from firmware_bridge.conversation import Direction, Passed, PortChanged
from firmware_bridge.errors import RecordingError
from firmware_bridge.session import TraySession
from rules.dice import Reading

VERSION: Final = 1
"""The form of recordings; one of another form is not replayed."""

AFTERWARDS: Final = 2.0
"""Seconds that a replay goes on after the last byte, so that a roll that needs a quiet moment is reported."""

LATEST: Final = 366 * 24 * 3600.0
"""Seconds after opening at which a recording has ended at the latest: a replay goes through all the time between."""

_NAME: Final = "tray recording"
"""What the first line of a recording says that it is."""
_HIGHEST_NONCE: Final = 0xFFFF
"""The highest nonce of HELLO, which has two bytes."""
_BLANKS: Final = " \t\r\n\x00"
"""Characters of an empty line: some disks leave zeros at the intended end of a file."""
_SHORTEST_STEP: Final = 0.001
"""Seconds that keep a replay moving."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole recording: the nonce of its session, what passed in order of time, and the end that was cut off.

    `ports` says where the port went and came back: with each how much of `passed` was before it.
    `cut_off` is the text of a last line that was not written to its end, as when the power went; it counts for nothing.
    """

    nonce: int
    passed: tuple[Passed, ...]
    cut_off: str = ""
    ports: tuple[tuple[int, PortChanged], ...] = ()


def head_line(nonce: int) -> str:
    """The first line of a recording made by a session with `nonce`."""
    return json.dumps({"trueroll": _NAME, "version": VERSION, "nonce": nonce})


def line_of(passed: Passed | PortChanged) -> str:
    """The line for bytes that passed, or for a port that went or came back."""
    if isinstance(passed, PortChanged):
        port = {"port": "gone"} if passed.nonce is None else {"port": "open", "nonce": passed.nonce}
        return json.dumps({"t": round(passed.time, 6), **port})
    return json.dumps({"t": round(passed.time, 6), "direction": passed.direction.value, "hex": passed.data.hex()})


def read_recording(text: str) -> Recording:
    """Read the text of a recording. Raises `RecordingError` naming the line that is none.

    A last line that is none and has no end is what a power cut leaves: see `Recording.cut_off`.
    """
    *lines, last = text.split("\n")
    numbered = ((number, line) for number, line in enumerate([*lines, last], start=1) if line.strip(_BLANKS))
    first = next(numbered, None)
    if first is None:
        raise RecordingError("the recording is empty", "Make one with: trueroll tray record FILE")
    nonce = read_head(first[1])
    passed: list[Passed] = []
    ports: list[tuple[int, PortChanged]] = []
    latest, cut_off = 0.0, ""
    for number, line in numbered:
        try:
            one = read_line(number, line)
        except RecordingError:
            if number <= len(lines):
                raise
            cut_off = last
            break
        if one.time < latest:
            raise RecordingError(f"line {number} of the recording goes back in time")
        latest = one.time
        if isinstance(one, PortChanged):
            ports.append((len(passed), one))
        else:
            passed.append(one)
    return Recording(nonce, tuple(passed), cut_off, tuple(ports))


def replay(recording: Recording, session: TraySession) -> Iterator[tuple[float, Reading]]:
    """The readings that `session` makes of `recording`, each with its time."""
    now, is_open = 0.0, True
    yield from _readings(session.opened(now), now)
    for one in _in_order(recording):
        if isinstance(one, Passed) and one.direction is Direction.OUT:
            continue
        if is_open:  # as in the kiosk, time passes for a session only while its port is open
            yield from _until(session, now, one.time)
        now = one.time
        if isinstance(one, Passed):
            yield from _readings(session.data_received(one.data, now), now)
        elif one.nonce is None:
            is_open = False
        else:
            is_open = True
            session.begin_with(one.nonce)
            yield from _readings(session.opened(now), now)
    if is_open:
        yield from _until(session, now, now + AFTERWARDS)


def _in_order(recording: Recording) -> Iterator[Passed | PortChanged]:
    begun = 0
    for before, port in recording.ports:
        yield from recording.passed[begun:before]
        yield port
        begun = before
    yield from recording.passed[begun:]


def _until(session: TraySession, now: float, end: float) -> Iterator[tuple[float, Reading]]:
    while (now := max(session.deadline, now + _SHORTEST_STEP)) < end:
        yield from _readings(session.tick(now), now)


def _readings(actions: list[Action], now: float) -> Iterator[tuple[float, Reading]]:
    return ((now, action.reading) for action in actions if isinstance(action, Report))


def _object(number: int, line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"line {number} of the recording is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise RecordingError(f"line {number} of the recording is no JSON object")
    return found


def read_head(line: str) -> int:
    """The nonce in the first line. Raises `RecordingError`."""
    try:
        head = _object(1, line)
    except RecordingError:
        head = {}  # a sketch, a picture, notes: whatever it is
    if head.get("trueroll") != _NAME:
        raise RecordingError("this is no trueroll recording", "Make one with: trueroll tray record FILE")
    if head.get("version") != VERSION:
        raise RecordingError(
            f"the recording has format {head.get('version')}; this trueroll reads format {VERSION}", "Update trueroll."
        )
    return _nonce(1, head)


def _nonce(number: int, found: dict[str, object]) -> int:
    nonce = found.get("nonce")
    if not isinstance(nonce, int) or isinstance(nonce, bool) or not 0 < nonce <= _HIGHEST_NONCE:
        raise RecordingError(f"line {number} of the recording needs a nonce from 1 to {_HIGHEST_NONCE}")
    return nonce


def read_line(number: int, line: str) -> Passed | PortChanged:
    """What passed, or how the port changed, from the line with this number. Raises `RecordingError`."""
    found = _object(number, line)
    time, direction, data = found.get("t"), found.get("direction"), found.get("hex")
    if not isinstance(time, int | float) or isinstance(time, bool) or not 0 <= time <= LATEST:
        raise RecordingError(f"line {number} of the recording needs a time t from 0 to {LATEST:.0f} seconds")
    port = found.get("port")
    if port == "gone":
        return PortChanged(float(time), None)
    if port == "open":
        return PortChanged(float(time), _nonce(number, found))
    if direction not in tuple(Direction):
        raise RecordingError(f"line {number} of the recording needs a direction, in or out")
    try:
        return Passed(float(time), Direction(str(direction)), bytes.fromhex(str(data)))
    except ValueError as error:
        raise RecordingError(f"line {number} of the recording has no bytes in hex: {error}") from error

"""Debounces contacts: pure, with the time passed in as monotonic seconds.

A level counts once it has held still for the window, so that chatter on either edge is one stroke and a
glitch shorter than the window is none. Levels are judged by when they changed, not by when anyone looked:
a late look gives the same strokes as an early one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from hardware.errors import TimingError


class Stroke(StrEnum):
    """What a finger did.

    `DOWN` comes as soon as the contact has settled. Then exactly one of `SHORT` (let go before the long
    press was due) or `LONG` (still held when it was due) follows.
    """

    DOWN = "down"
    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a contact must hold still (`window`) and be held (`long`), in seconds.

    The default window outlasts the chatter of ordinary push buttons (under 10 ms) and stays below the
    quickest deliberate tap (about 50 ms). Raises `TimingError` unless 0 < window < long.
    """

    window: float = 0.02
    long: float = 0.8

    def __post_init__(self) -> None:
        if not 0.0 < self.window < self.long:
            raise TimingError(
                f"a press cannot settle in {self.window} s and be long after {self.long} s; "
                "give a window above 0 and a long press above the window"
            )


DEFAULT_TIMING: Final = Timing()
"""The timing of the panel's buttons."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact: the level last seen and since when, and the level that has settled.

    `told` is true once the stroke that ends the present hold has been told, or never will be.
    """

    raw: bool
    raw_since: float
    settled: bool
    down_since: float
    told: bool


def first_seen(*, down: bool, at: float) -> Contact:
    """A contact as found at the start. One found held down is no press: it has to be let go first."""
    return Contact(raw=down, raw_since=at, settled=down, down_since=at, told=True)


def at_time(contact: Contact, now: float, timing: Timing = DEFAULT_TIMING) -> tuple[Contact, tuple[Stroke, ...]]:
    """The contact at `now`, and the strokes that have become certain since it was last looked at, in order."""
    contact, strokes = _long_due(contact, now, timing)
    if contact.raw == contact.settled or now < contact.raw_since + timing.window:
        return contact, strokes
    if not contact.raw:
        ended = () if contact.told else (Stroke.SHORT,)
        return replace(contact, settled=False, told=True), strokes + ended
    contact = replace(contact, settled=True, down_since=contact.raw_since, told=False)
    contact, more = _long_due(contact, now, timing)
    return contact, (*strokes, Stroke.DOWN, *more)


def at_edge(
    contact: Contact, *, down: bool, at: float, timing: Timing = DEFAULT_TIMING
) -> tuple[Contact, tuple[Stroke, ...]]:
    """The contact once its level became `down` at `at`, and the strokes that were certain by then.

    A time before the last edge counts as the time of the last edge; a level that is no change is none.
    """
    at = max(at, contact.raw_since)
    contact, strokes = at_time(contact, at, timing)
    if down == contact.raw:
        return contact, strokes
    return replace(contact, raw=down, raw_since=at), strokes


def next_look(contact: Contact, timing: Timing = DEFAULT_TIMING) -> float | None:
    """When `at_time` can next tell a stroke with no further edge; None while only an edge can."""
    if contact.raw != contact.settled:
        return contact.raw_since + timing.window
    if contact.settled and not contact.told:
        return contact.down_since + timing.long
    return None


def _long_due(contact: Contact, now: float, timing: Timing) -> tuple[Contact, tuple[Stroke, ...]]:
    due = contact.down_since + timing.long
    held_until = now if contact.raw else contact.raw_since
    if not contact.settled or contact.told or held_until < due:
        return contact, ()
    return replace(contact, told=True), (Stroke.LONG,)

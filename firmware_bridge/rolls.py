"""From single DIE messages to one Reading a roll.

Free of I/O and of the clock. A tray reports each die by itself and closes a roll with ROLL_END, which carries
the number of dice and a digest over them: only when the host holds exactly those dice is there a Reading. A
lost or damaged DIE can thus delay a roll, never change it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from firmware_bridge.framing import checksum
from firmware_bridge.messages import WHOLE_TRAY, Die, KindCode, RollEnd, StateCode
from rules.dice import FACES, DieKind, DieReading, DieState, Doubt, Face, Guess, Reading, SourceKind, Symbol

SURE: Final = 90
"""Per cent of confidence below which a settled die is asked about rather than read."""

PATIENCE: Final = 1.0
"""Seconds that a closed roll may wait for its missing dice before the host asks for all of them anew."""

DOUBLINGS: Final = 5
"""Most doublings of that time while requests are unanswered: from 1 s to 32 s, at which it goes on for ever.

Everything may have been acknowledged by then, so that the tray says nothing more unasked: to give up loses the roll.
"""

NOT_THROWN: Final = 0
"""The roll of dice that lay on the tray when it started: nobody saw them thrown, so they are never a Reading."""

_Known = TypeVar("_Known")

_REMEMBERED: Final = 1024
"""Events kept to know repeats: 4 minutes of them at 4 a second."""
_HALF: Final = 0x8000
"""Half of the event counter's 16 bits: what lies further ahead than this came before."""
_HALF_OF_UPTIME: Final = 0x80000000
"""The same of the uptime's 32 bits."""
_DIGEST_ITEM: Final = struct.Struct("<BIBBBB")
"""What the digest of a roll takes of each die: slot, identity, kind, face, state, confidence."""

KINDS: Final[dict[int, DieKind]] = {
    KindCode.D20: DieKind.D20,
    KindCode.CHALLENGE: DieKind.CHALLENGE,
    KindCode.D6: DieKind.D6,
}
"""The die that each `kind` of DIE means."""

KIND_CODES: Final[dict[DieKind, KindCode]] = {kind: KindCode(code) for code, kind in KINDS.items()}
"""The number that stands for each die."""

CHALLENGE_FACES: Final[dict[int, Face]] = {1: 1, 2: 2, 3: Symbol.BLANK, 4: Symbol.EFFECT}
"""The face that each `face` of a Challenge Die means; other dice show the number itself."""

_STATES: Final[dict[int, DieState]] = {
    StateCode.HANDLING: DieState.IN_HAND,
    StateCode.ROLLING: DieState.MOVING,
    StateCode.SETTLED: DieState.READ,
    StateCode.COCKED: DieState.COCKED,
}
"""The state of a reading for each `state` of DIE; any other is doubtful."""
_MOVING: Final = frozenset({DieState.IN_HAND, DieState.MOVING})
"""The states of a die that has no face yet."""


@dataclass(frozen=True, slots=True)
class TrayIdentity:
    """One start of one tray: events and rolls are numbered within it.

    `again` tells the starts of a tray apart that gives several of them one boot id; empty for the first.
    """

    tray_id: int
    boot_id: int
    again: str = ""

    def __str__(self) -> str:
        return f"{self.tray_id:08x}:{self.boot_id:08x}{self.again}"


def roll_digest(dice: Iterable[Die]) -> int:
    """The digest of ROLL_END: `checksum` over slot, die id, kind, face, state, confidence of each die, by slot."""
    return checksum(
        b"".join(
            _DIGEST_ITEM.pack(die.slot, die.die_id, die.kind, die.face, die.state, die.confidence)
            for die in sorted(dice, key=lambda die: die.slot)
        )
    )


def face_code(kind: DieKind, face: Face) -> int:
    """The number that stands for `face` in DIE."""
    if kind is DieKind.CHALLENGE:
        return next(code for code, shown in CHALLENGE_FACES.items() if shown == face)
    return int(face)


def die_reading(die: Die, not_known: DieKind = DieKind.D20) -> DieReading | None:
    """`die` in the words of `rules.dice`; None for a kind of die that this version does not have.

    A die that nobody has taught is a doubtful one of kind `not_known`: it lies there, so a person is asked about it.

    A face that the kind does not have, a confidence above 100 per cent or a state that nobody knows makes the
    die doubtful, never something near it. A settled die below `SURE` is doubtful with its face as a guess.
    """
    kind = not_known if die.kind == KindCode.NOT_KNOWN else KINDS.get(die.kind)
    if kind is None:
        return None
    if die.kind == KindCode.NOT_KNOWN:
        die = replace(die, face=0)
    face = CHALLENGE_FACES.get(die.face) if kind is DieKind.CHALLENGE else die.face
    legal = face is not None and face in FACES[kind]
    believable = die.confidence <= 100  # noqa: PLR2004 - per cent
    state = _STATES.get(die.state, DieState.DOUBTFUL)
    confidence = die.confidence / 100 if believable else 0.0
    guesses: tuple[Guess, ...] = ()
    if state is DieState.READ:
        if not legal or not believable:
            state, confidence = DieState.DOUBTFUL, 0.0
        elif die.confidence < SURE and face is not None:
            state, guesses = DieState.DOUBTFUL, (Guess(face, confidence),)
    return DieReading(
        kind=kind,
        face=face if state is DieState.READ else None,
        confidence=confidence,
        state=state,
        source=SourceKind.TRAY,
        die_id=f"{die.die_id:08x}" if die.die_id else None,
        guesses=guesses,
        doubt=_doubt(die),
    )


def _doubt(die: Die) -> Doubt | None:
    """Why `die` shows no face, where its message tells: a tag that nobody has taught, or tags of different dice."""
    if die.kind == KindCode.NOT_KNOWN and die.state == StateCode.FAULT and die.die_id:
        return Doubt.UNTAUGHT
    return Doubt.CROWDED if die.kind == KindCode.NOT_KNOWN and die.state == StateCode.COCKED else None


def one_each(dice: Iterable[Die]) -> list[Die]:
    """`dice` in their order, each die once: one that lies in two places at once is cocked, in the first of them."""
    places: dict[tuple[int, int | None], list[Die]] = {}
    for die in dice:
        places.setdefault((die.die_id, None if die.die_id else die.slot), []).append(die)
    return [_over_two_places(lying) if len(lying) > 1 else lying[0] for lying in places.values()]


def _over_two_places(lying: list[Die]) -> Die:
    """The one die that `lying` are: moving while it moves in any of its places, else cocked."""
    moving = next((die for die in lying if die.state in (StateCode.HANDLING, StateCode.ROLLING)), None)
    return moving or replace(lying[0], face=0, state=StateCode.COCKED, confidence=0)


def is_newer(event: int, than: int) -> bool:
    """Whether `event` was counted after `than`; both wrap at 65536."""
    return 0 < (event - than) & 0xFFFF < _HALF


def is_later(uptime: int, than: int) -> bool:
    """Whether the tray's clock showed `uptime` after `than`, in milliseconds; it wraps after 49 days."""
    return 0 < (uptime - than) & 0xFFFFFFFF < _HALF_OF_UPTIME


class RollBook:
    """The dice on one tray since its start, and which of its rolls have been reported.

    `met_at` is the tray's uptime, in milliseconds, when the host first heard from it: what settled before was found
    lying there (`Reading.found`). Of dice without a time of their own that is not known. `places` is how many the tray
    says that it has: of a die beyond them nothing is believed but that it lies there.
    """

    def __init__(self, identity: TrayIdentity, met_at: int = 0, places: int = WHOLE_TRAY) -> None:
        self.identity: Final = identity
        self.places = places
        """Of how many places dice are believed; a tray that finds one more of its readers says a new number."""
        self.told: RollEnd | None = None
        """The end of the roll that was reported last, which does not count again."""
        self._met_at = met_at
        self.duplicates = 0
        self.unknown_kinds = 0
        self._seen: dict[int, None] = {}  # a dict keeps its order, so that the oldest can go first
        self._reported: dict[tuple[int, int], None] = {}  # (roll, event): events alone come again after 65536
        self._slots: dict[int, Die] = {}
        self._end: RollEnd | None = None
        self._ask_at: float | None = None
        self._asked = 0
        self._asked_for: int | None = None
        self._newest: Die | None = None

    @property
    def newest_die(self) -> tuple[str, int]:
        """The roll of the newest die, as the ids of its readings begin, and the die's event; empty and 0 before one."""
        return ("", 0) if self._newest is None else (self._name(self._newest.roll), self._newest.event)

    def _name(self, roll: int) -> str:
        return f"tray:{self.identity}:{roll}"

    @property
    def ask_at(self) -> float | None:
        """When to ask the tray for everything anew, because a closed roll lacks dice; None while nothing is missing."""
        return self._ask_at

    def take(self, message: Die | RollEnd, now: float) -> Reading | None:
        """Note `message`; the Reading that it completes, if it completes one. A repeat changes nothing."""
        if message.event in self._seen:
            self.duplicates += 1
            return None
        _remember(self._seen, message.event)
        if isinstance(message, Die):
            before = self._slots.get(message.slot)
            if before is None or is_newer(message.event, before.event):
                self._slots[message.slot] = message
                self._newest = message
        elif (message.roll, message.event) not in self._reported and (
            self._end is None or is_newer(message.event, self._end.event)
        ):
            self._end = message
            if message.event != self._asked_for:
                self._asked_for, self._asked = message.event, 0
            self._ask_at = now + self._patience
        return self._finish()

    def start_anew(self, now: float) -> None:
        """Forget the dice, because SNAPSHOT is about to bring all of them; what has been reported stays reported."""
        self._seen.clear()
        self._slots.clear()
        self._end = None
        self._asked += 1
        self._ask_at = now + self._patience

    @property
    def _patience(self) -> float:
        return PATIENCE * 2.0 ** min(self._asked, DOUBLINGS)

    def _finish(self) -> Reading | None:
        end = self._end
        if end is None:
            return None
        dice = self._counted(end)
        if dice is None:
            return None
        self._end, self._ask_at = None, None
        _remember(self._reported, (end.roll, end.event))
        others = next((KINDS[die.kind] for die in dice if die.kind in KINDS), DieKind.D20)
        readings = [die_reading(die, others) for die in self._believed(dice, others)]
        self.unknown_kinds += readings.count(None)
        known = tuple(reading for reading in readings if reading is not None)
        if end.roll == NOT_THROWN or any(reading.state in _MOVING for reading in known):
            return None
        if dice and not known:
            return None  # an empty Reading would say that the tray is clear
        found = bool(dice) and all(die.device_time and not is_later(die.device_time, self._met_at) for die in dice)
        if end == self.told:
            return None
        self.told = end
        return Reading(f"{self._name(end.roll)}:{end.event}", SourceKind.TRAY, known, found=found)

    def _counted(self, end: RollEnd) -> list[Die] | None:
        """The dice that `end` counts, by slot; None while they are not all there.

        A tray may count what lies beyond its places or leave it out: the digest tells which.
        """
        dice = sorted(
            (die for die in self._slots.values() if die.roll == end.roll and die.state != StateCode.REMOVED),
            key=lambda die: die.slot,
        )
        for counted in (dice, [die for die in dice if die.slot < self.places]):
            if len(counted) == end.count and roll_digest(counted) == end.digest:
                return counted
        return None

    def _believed(self, dice: Sequence[Die], others: DieKind) -> list[Die]:
        """`dice`, each once; those beyond the tray's places are only there, of kind `others` where it is not known.

        One that lies in a place that the tray has stands as it is there: what is told beyond of its id is no other die.
        """
        placed = [die for die in dice if die.slot < self.places]
        known = {die.die_id for die in placed if die.die_id}
        beyond = [die for die in dice if die.slot >= self.places and die.die_id not in known]
        strays = [_only_there(die, others) for die in beyond]
        return [*one_each(placed), *one_each(strays)]


def _only_there(die: Die, others: DieKind) -> Die:
    """`die`, of a place that the tray does not have: a person is asked what it shows, and `others` is its kind."""
    kind = KIND_CODES[others] if die.kind == KindCode.NOT_KNOWN else die.kind
    return replace(die, kind=kind, face=0, state=StateCode.FAULT, confidence=0)


def _remember(known: dict[_Known, None], one: _Known) -> None:
    known[one] = None
    while len(known) > _REMEMBERED:
        del known[next(iter(known))]

"""A dice tray without the tray: it obeys the protocol as the real one does, free of I/O and of the clock.

It stands in for the whole device, dice included, which is why it alone may choose faces: `throw` takes the
faces that the "dice" show, and `throw_some` lets the given `random.Random` throw them. Its faults are those
that real trays have: noise, lost acknowledgements, freezes, restarts, other versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from firmware_bridge.errors import MessageError, SimulatorError
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import (
    MAJOR,
    MINOR,
    Acknowledge,
    Beat,
    Capability,
    Configure,
    Die,
    Hello,
    HelloRequest,
    KindCode,
    Levels,
    Message,
    Ping,
    Pong,
    ReaderState,
    Reset,
    ResetCause,
    Result,
    ResultCode,
    Ring,
    RollEnd,
    Sense,
    Snapshot,
    StateCode,
    Taught,
    decode,
)
from firmware_bridge.rolls import KIND_CODES, NOT_THROWN, face_code, roll_digest
from firmware_bridge.simulated_readers import Readers
from rules.dice import FACES, DieKind, Face, challenge_face, require_face
from rules.words import say

SLOTS: Final = 16
"""Places for dice."""

BEAT_INTERVAL: Final = 0.5
"""Seconds between two BEAT, and between two HELLO while nobody has asked for a SNAPSHOT."""

REPEAT_INTERVAL: Final = 0.225
"""Seconds after which an event that nobody acknowledged is sent again."""

ROLLING_TIME: Final = 0.3
"""Seconds that thrown dice roll before they settle."""

BOOT_TIME: Final = 0.05
"""Seconds from power to the first HELLO."""

_BOOT_NOISE: Final = b"\xff\xfe\x00\x7f\x00ets Jun  8 2016\r\nrst:0x1 (POWERON)\r\n\xc0\x00\x03\x81"
"""What a board may send as it starts, before the first frame."""
_FIRMWARE: Final = 0x0100
"""The version 1.0 in INFO: the major one in the upper byte."""
_CAPABILITIES: Final = Capability.LAMP | Capability.MOTION | Capability.HAND | Capability.DIE_IDENTITY
"""What HELLO says that the simulated tray can."""
_ROLL_END: Final = -1
"""The place of ROLL_END among the slots' pending events."""
_BITS: Final = 8
"""The bits of a byte."""
_U32: Final = 0xFFFFFFFF
"""The highest number of four bytes."""
_READERS: Final = 4
"""The number of readers that it reports to the workshop, as the reference tray does."""
_CHIP_VERSION: Final = 0x92
"""What most MFRC522 say of themselves."""
_LOOK: Final = 0.02
"""Seconds between two looks at whether the host has answered."""


@dataclass(slots=True)
class _Pending:
    message: Die | RollEnd
    due: float


@dataclass(slots=True)
class Faults:
    """What is wrong with the simulated tray. `garble` is the per cent of bytes with a flipped bit, each way.

    `places` is how many HELLO tells of, however many the dice lie in.
    """

    garble: float = 0.0
    drop_acknowledgements: bool = False
    stalled: bool = False
    major: int = MAJOR
    places: int = SLOTS


class SimulatedTray:
    """The tray's side of the protocol. Feed `receive` and `advance`; send what `take_output` gives.

    `now` is seconds of any clock that never goes back. `random` chooses boot ids, noise, and the faces of
    `throw_some`.
    """

    def __init__(self, random: Random, *, now: float = 0.0, tray_id: int = 0x54524159) -> None:
        self.tray_id: Final = tray_id
        self.faults = Faults()
        self._random = random
        self._noise = Random(random.getrandbits(32))  # noqa: S311 - noise on a wire, no secret; apart from the dice
        self._output = bytearray()
        self._dice: dict[int, Die] = {}
        self._readers = Readers()
        self._start(now, ResetCause.POWER)

    def _start(self, now: float, cause: ResetCause) -> None:
        self.boot_id = self._random.getrandbits(32)
        self._cause = cause
        self._started = now
        self._decoder = FrameDecoder()
        self._sequence = 0
        self._event = 0
        self._roll = NOT_THROWN
        self._known = False
        self._pending: dict[int, _Pending] = {}
        self._last_end: RollEnd | None = None
        self._settle_at: float | None = None
        self._settling: tuple[int, ...] = ()
        self._beat_at = now + BOOT_TIME
        self._readers.restart(now)
        for slot, die in list(self._dice.items()):
            if slot in self._readers.slots:
                unknown = replace(die, die_id=0, kind=KindCode.NOT_KNOWN, face=0, state=StateCode.ROLLING, confidence=0)
                self._change(replace(unknown, roll=NOT_THROWN), now)
                self._settle_at, self._settling = now + ROLLING_TIME, (*self._settling, slot)
            else:
                self._change(replace(die, roll=NOT_THROWN, state=self._rest(die)), now)
            self._pending.pop(slot, None)

    @property
    def dice(self) -> tuple[Die, ...]:
        """What lies on the tray, by slot."""
        return tuple(self._dice[slot] for slot in sorted(self._dice))

    @property
    def unacknowledged(self) -> int:
        """Events that are still being repeated."""
        return len(self._pending)

    @property
    def deadline(self) -> float:
        """The latest time at which `advance` has something to do."""
        times = [self._beat_at, *(pending.due for pending in self._pending.values() if self._known)]
        if self._settle_at is not None:
            times.append(self._settle_at)
        if self._known and self._readers.deadline is not None:
            times.append(self._readers.deadline)
        return min(times)

    @property
    def heard(self) -> int:
        """Whole frames of the host that have arrived in this boot."""
        return self._decoder.counts.good

    def take_output(self) -> bytes:
        """The bytes that the tray has sent since the last call, as they left the wire."""
        out = bytes(self._output)
        self._output.clear()
        return out

    def receive(self, data: bytes, now: float) -> None:
        """Bytes of the host have arrived."""
        if self.faults.stalled:
            return
        for frame in self._decoder.feed(self._garbled(data)):
            try:
                message = decode(frame).message
            except MessageError:
                continue
            if isinstance(message, Message):
                self._hear(message, frame.sequence, now)
        self.advance(now)

    def advance(self, now: float) -> None:
        """Time has passed: settle dice, repeat events, beat."""
        if self._settle_at is not None and now >= self._settle_at:
            self._settle(now)
        if self.faults.stalled:
            self._beat_at = max(self._beat_at, now + BEAT_INTERVAL)
            for pending in self._pending.values():
                pending.due = max(pending.due, now + REPEAT_INTERVAL)
            return
        if now >= self._beat_at:
            self._beat_at = now + BEAT_INTERVAL
            counts = self._decoder.counts
            if self._known:
                self._say(
                    Beat(
                        uptime=self._uptime(now),
                        last_event=self._event,
                        bad_checksum=counts.bad_checksum & 0xFFFF,
                        overlong=counts.overlong & 0xFFFF,
                        unsent=0,
                        reader_errors=0,
                        malformed=counts.malformed & 0xFFFF,
                        short=counts.short & 0xFFFF,
                    )
                )
            else:
                self._say(self._hello(0, now))
        if self._known:
            for question in self._readers.questions(now):
                self._say(question)
            self._read_again(now)
            for pending in list(self._pending.values()):
                if now >= pending.due:
                    pending.due = now + REPEAT_INTERVAL
                    self._say(pending.message)

    def throw(self, faces: Sequence[tuple[DieKind, Face]], now: float) -> None:
        """Empty the tray and throw dice that come to rest with `faces`.

        Raises `SimulatorError` for more dice than places, `DiceError` for a face that a die does not have.
        """
        if not 0 < len(faces) <= SLOTS:
            raise SimulatorError(say("throw between 1 and {most} dice, not {count}", most=SLOTS, count=len(faces)))
        for kind, face in faces:
            require_face(kind, face)
        self.clear(now)
        self._roll = self._roll % 0xFFFF + 1
        for slot, (kind, face) in enumerate(faces):
            die = Die(
                event=0,
                roll=self._roll,
                slot=slot,
                die_id=0xD1CE0000 | slot,
                kind=KIND_CODES[kind],
                face=face_code(kind, face),
                state=StateCode.ROLLING,
                confidence=100,
                device_time=0,
                flags=0,
            )
            self._change(die, now)
        self._settle_at = now + ROLLING_TIME
        self._settling = tuple(range(len(faces)))

    def throw_tags(self, tags: Mapping[int, Sequence[int]], now: float) -> None:
        """Empty the tray and throw tagged dice: which tags each slot's reader reads once they lie still.

        What they show follows from what the host has been taught. Raises `SimulatorError` for a slot or a tag that
        cannot be.
        """
        for slot, numbers in tags.items():
            if not 0 <= slot < SLOTS or not numbers or not all(0 < tag <= _U32 for tag in numbers):
                raise SimulatorError(f"slots go from 0 to {SLOTS - 1} and tag numbers from 1 to {_U32:#x}")
        self.clear(now)
        self._roll = self._roll % 0xFFFF + 1
        for slot, numbers in tags.items():
            self._readers.lay(slot, tuple(numbers), now)
            self._change(Die(0, self._roll, slot, 0, KindCode.NOT_KNOWN, 0, StateCode.ROLLING, 0, 0, 0), now)
        self._settle_at = now + ROLLING_TIME
        self._settling = tuple(tags)

    def throw_some(self, kinds: Iterable[DieKind], now: float) -> tuple[tuple[DieKind, Face], ...]:
        """Throw one die of each of `kinds`; returns what chance made of them."""
        faces = tuple((kind, self._chance(kind)) for kind in kinds)
        self.throw(faces, now)
        return faces

    def _chance(self, kind: DieKind) -> Face:
        if kind is DieKind.CHALLENGE:
            return challenge_face(self._random.randint(1, 6))  # two sides of six are blank, two are an Effect
        return self._random.choice(FACES[kind])

    def turn(self, slot: int, state: StateCode, now: float, *, face: Face | None = None) -> None:
        """Somebody touches the die in `slot`: it becomes `state` and, if given, shows `face`.

        The roll ends anew when it is at rest, or when the last die is gone; removing one of several is no roll.
        A die with a tag that lies still again shows what its tag means. Raises `SimulatorError` for an empty slot, and
        for a face of a die with a tag.
        """
        die = self._dice.get(slot)
        if die is None:
            raise SimulatorError(f"there is no die in slot {slot}", "Throw some dice first; status lists them.")
        if slot in self._readers.slots and face is not None:
            raise SimulatorError(f"the die in slot {slot} shows what its tag means", "Lay another tag there with tags.")
        if slot in self._readers.slots and state is StateCode.SETTLED:
            self._lie_still(replace(die, state=StateCode.ROLLING), now)
            return
        if face is not None:
            kind = next(kind for kind, code in KIND_CODES.items() if code == die.kind)
            die = replace(die, face=face_code(kind, require_face(kind, face)))
        self._change(replace(die, state=state), now)
        if state is StateCode.REMOVED:
            del self._dice[slot]
            self._readers.lift(slot)
        if state in (StateCode.SETTLED, StateCode.COCKED, StateCode.FAULT) or not self._dice:
            self._end_roll(now)

    def _lie_still(self, rolling: Die, now: float) -> None:
        """The reader says what `rolling` is, as soon as it knows."""
        self._dice[rolling.slot] = rolling
        self._settling = tuple({*self._settling, rolling.slot})
        if self._settle_at is None:
            self._settle(now)

    def clear(self, now: float) -> None:
        """Take all dice off the tray."""
        if not self._dice:
            return
        self._settle_at, self._settling = None, ()
        for die in self.dice:
            self._change(replace(die, state=StateCode.REMOVED), now)
            self._readers.lift(die.slot)
        self._dice.clear()
        self._end_roll(now)

    def restart(self, now: float, cause: ResetCause = ResetCause.BUTTON) -> None:
        """Begin a new boot: new boot id, event numbers from 1; dice that lie there were not thrown in it."""
        self._start(now, cause)

    def make_noise(self) -> None:
        """Send what a boot loader prints before the firmware runs."""
        if not self.faults.stalled:
            self._output += _BOOT_NOISE

    def _hear(self, message: Message, sequence: int, now: float) -> None:
        if isinstance(message, HelloRequest):
            self._say(self._hello(message.nonce, now))
        elif isinstance(message, Ping):
            self._say(Pong(message.nonce))
        elif isinstance(message, Acknowledge) and not self.faults.drop_acknowledgements:
            for place in [place for place, one in self._pending.items() if one.message.event == message.event]:
                del self._pending[place]
        elif isinstance(message, Snapshot) and message.boot_id == self.boot_id:
            self._known = True
            self._readers.forget(now)
            for die in self._dice.values():
                self._pending.setdefault(die.slot, _Pending(die, now)).due = now
            if self._last_end is not None:
                self._pending.setdefault(_ROLL_END, _Pending(self._last_end, now)).due = now
        else:
            self._obey(message, sequence, now)

    def _obey(self, message: Message, sequence: int, now: float) -> None:
        if isinstance(message, Taught):
            self._readers.hear(message)
        elif isinstance(message, Sense) and self._known:
            self._say(Levels(piezo=2, floor=2, flags=0))
            for slot in range(_READERS):
                self._say(ReaderState(slot, _CHIP_VERSION, 0, self._readers.last_tag(slot)))
        elif isinstance(message, Reset) and message.magic == Reset.MAGIC:
            self.restart(now, ResetCause.COMMAND)
        elif isinstance(message, Ring):
            code = ResultCode.DONE if message.pattern <= Ring.TURNING else ResultCode.BAD_VALUE
            self._say(Result(sequence, message.CODE, code))
        elif isinstance(message, Configure):
            self._say(Result(sequence, message.CODE, ResultCode.UNKNOWN))

    def _settle(self, now: float) -> None:
        rolling = [self._dice[slot] for slot in self._settling if slot in self._dice]
        rolling = [die for die in rolling if die.state == StateCode.ROLLING]
        found = [self._readers.read(die, now) if die.slot in self._readers.slots else None for die in rolling]
        waiting = [
            die for die, read in zip(rolling, found, strict=True) if read is None and die.slot in self._readers.slots
        ]
        if waiting:
            self._settle_at = now + _LOOK
            return
        self._settle_at = None
        for die, read in zip(rolling, found, strict=True):
            self._change(read or replace(die, state=StateCode.SETTLED), now)
        self._settling = ()
        self._end_roll(now)

    def _read_again(self, now: float) -> None:
        """A meaning that changed makes a new event of a die that lay still."""
        changed = False
        for slot in self._readers.slots if self._readers.take_news() else ():
            die = self._dice.get(slot)
            if die is None or die.state in (StateCode.HANDLING, StateCode.ROLLING):
                continue
            read = self._readers.read(die, now)
            if read is not None and read != die:
                self._change(read, now)
                changed = True
        if changed:
            self._end_roll(now)

    def _end_roll(self, now: float) -> None:
        if self._roll == NOT_THROWN:
            return
        dice = [die for die in self.dice if die.roll == self._roll]
        if any(die.state in (StateCode.HANDLING, StateCode.ROLLING) for die in dice):
            return
        self._last_end = RollEnd(self._next_event(), self._roll, len(dice), roll_digest(dice))
        self._pending.pop(_ROLL_END, None)  # the end goes last, so that the dice are there before it
        self._pending[_ROLL_END] = _Pending(self._last_end, now)

    def _change(self, die: Die, now: float) -> None:
        changed = replace(die, event=self._next_event(), device_time=self._uptime(now))
        self._dice[die.slot] = changed
        self._pending[die.slot] = _Pending(changed, now)

    @staticmethod
    def _rest(die: Die) -> int:
        return StateCode.SETTLED if die.state in (StateCode.HANDLING, StateCode.ROLLING) else die.state

    def _next_event(self) -> int:
        self._event = (self._event + 1) & 0xFFFF
        return self._event

    def _uptime(self, now: float) -> int:
        return int((now - self._started) * 1000) & 0xFFFFFFFF

    def _hello(self, nonce: int, now: float) -> Hello:
        return Hello(
            major=self.faults.major,
            minor=MINOR,
            nonce=nonce,
            firmware=_FIRMWARE,
            tray_id=self.tray_id,
            boot_id=self.boot_id,
            reset_cause=self._cause,
            slots=self.faults.places,
            capabilities=_CAPABILITIES,
            uptime=self._uptime(now),
        )

    def _say(self, message: Message) -> None:
        self._sequence += 1
        self._output += self._garbled(encode_frame(message.to_frame(self._sequence)))

    def _garbled(self, data: bytes) -> bytes:
        if self.faults.garble <= 0:
            return data
        chance = self.faults.garble / 100
        return bytes(
            byte ^ (1 << self._noise.randrange(_BITS)) if self._noise.random() < chance else byte for byte in data
        )

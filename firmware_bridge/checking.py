"""Checks whether a tray keeps docs/tray-protocol.md: a host tries its rules one by one, and says what to mend.

The port and the clock come in; what a person has to do at the tray is asked for in words. A rule that could not be
tried, such as one of dice where nobody throws, is told as such and never as held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import eq
from statistics import median
from typing import Final
from zlib import crc32

from firmware_bridge.check_host import CheckHost, Heard, only, timed
from firmware_bridge.check_rules import Rule, RuleFinding, RuleVerdict
from firmware_bridge.conversation import Link
from firmware_bridge.errors import LinkLostError
from firmware_bridge.framing import WireFrame, encode_frame
from firmware_bridge.messages import (
    MAJOR,
    MINOR,
    Acknowledge,
    Beat,
    Capability,
    Chunk,
    Configure,
    Die,
    Hello,
    HelloRequest,
    KindCode,
    Message,
    PictureReady,
    Ping,
    Pong,
    Reset,
    Result,
    ResultCode,
    Ring,
    RollEnd,
    SceneSeen,
    Snapshot,
    StateCode,
    Tag,
    Want,
)
from firmware_bridge.pictures import LARGEST
from firmware_bridge.rolls import CHALLENGE_FACES, KINDS, NOT_THROWN, is_later, is_newer, roll_digest
from firmware_bridge.taught import TaughtDice
from rules.dice import FACES, DieKind

THROW: Final = "Throw one die into the tray, and take your hand away. Let it lie there."
"""What a person is asked for first, and once more after the tray has been restarted."""

CLEAR: Final = "Take all dice off the tray, and take your hand away."
"""The last request to the person."""

GREETING_TIME: Final = 6.0
"""Seconds for the first HELLO: an Uno-class board that the opening has restarted needs 2."""

PERSON_TIME: Final = 60.0
"""Seconds that a person has for what they are asked for."""

AT_ONCE: Final = 0.1
"""Seconds within which an answer comes at once: a frame takes 5 ms, a busy machine the rest."""

_ANSWER: Final = 0.5
"""Seconds after which no answer is expected any more."""
_EVERY: Final = (0.4, 0.6)
"""The usual seconds between two HELLO or two BEAT, with what a port and a busy machine add or take away."""
_REPEATED: Final = (0.17, 0.3)
"""The same between two repeats."""
_EXCUSED: Final = 1
"""Most late answers of ten: on a busy machine, or lost on the wire."""
_EXCUSED_DAMAGE: Final = 5
"""Most damaged frames that are excused: those of a board that starts."""
_DAMAGED_SHARE: Final = 0.05
"""The share of damaged frames that a poor wire excuses beside."""
_WHILE: Final = 1.2
"""Seconds for which repeats are counted: at least four."""
_LEAST_REPEATS: Final = 4
"""Repeats needed to measure their interval."""
_LEAST_BEATS: Final = 4
"""BEATs needed to measure their interval."""
_ROLL_TIME: Final = 6.0
"""Seconds from a die's first sign to the end of its roll."""
_TRIES: Final = 10
"""How often HELLO_REQ and PING are asked to see that each is answered."""
_CLOCK: Final = 0.1
"""The share by which a tray's clock may be wrong."""
_FIRST_EVENT: Final = 64
"""Where the events of a start begin at the latest: the first ones may have been replaced before they were sent."""
_SECOND: Final = 1000
"""The milliseconds of a second."""
_ONE_BYTE: Final = 256
"""The number of sequence numbers of frames before they begin again."""
_JPEG: Final = b"\xff\xd8"
"""How a JPEG file begins."""
_PICTURE_TIME: Final = 20.0
"""Seconds for the bytes of a picture: a wire of 115,200 Bd takes 13 s for a usual one."""
_PIECE: Final = 100
"""Bytes that are asked for by themselves."""
_PER_CENT: Final = 100
"""The highest confidence of a die."""
_WRONG_MAGIC: Final = 0x1234
"""What RESET must not restart a tray for."""
_STRANGE_TYPE: Final = 0x6F
"""A type of frame that no version has."""
_STRANGE_PATTERN: Final = 200
"""A pattern of RING that no version has."""
_STRANGE_KEY: Final = 0xFF
"""A key of CONFIG that no version has."""
_GLOW: Final = Ring(2, 0, 0, 24)
"""How the reference tray shines while nobody says otherwise."""
_SHORT: Final = bytes.fromhex("000301 0100")
"""A frame that ends before its checksum."""
_MALFORMED: Final = bytes.fromhex("0005410000")
"""A frame whose COBS points past its end."""
_OVERLONG: Final = bytes((0, *[0x41] * 60, 0))
"""A frame that is longer than any may be."""
_NOISE: Final = bytes.fromhex("0541")
"""Bytes of no frame, before the next one begins."""
_NO_RESTART: Final = f"no HELLO of a new start came within {GREETING_TIME:g} s after RESET"
"""The finding on a tray that ignores RESET."""
_HANGS: Final = (
    f"it says nothing any more {GREETING_TIME:g} s after RESET. A Nano with the old boot loader hangs there: unplug "
    "the tray, plug it in again, and check it with --no-restart"
)
"""The finding on a tray that does not come back."""


class Check:
    """One check of the tray behind `open_port`; `run` yields each finding as soon as it stands.

    `wait` lets seconds of `clock` pass. `ask` is called with what a person has to do at the tray; without it no rule of
    dice is tried. `taught` says what its tags mean. Without `restarts` no RESET is sent: a Nano with the old boot
    loader hangs in it. `patience` is the time in seconds that a person has.
    """

    def __init__(
        self,
        open_port: Callable[[], Link],
        clock: Callable[[], float],
        wait: Callable[[float], None],
        *,
        ask: Callable[[str], None] | None = None,
        taught: TaughtDice | None = None,
        restarts: bool = True,
        patience: float = PERSON_TIME,
    ) -> None:
        self._host = CheckHost(open_port, clock, wait, taught or TaughtDice())
        self._clock = clock
        self._ask = ask
        self._restarts = restarts
        self._patience = patience
        self._nonce = 0
        self._findings: dict[Rule, RuleFinding] = {}
        self._hello: Hello | None = None
        self._is_fresh = False
        self._start_of_boot = 0

    def run(self) -> Iterator[RuleFinding]:
        """Try every rule. Raises `TrayError` where the port dies and does not come back."""
        told: set[Rule] = set()
        try:
            for phase in (
                self._greet, self._restart, self._before_snapshot, self._alive, self._commands, self._damage,
                self._throw, self._lying_at_the_start, self._clear, self._whole_time,
            ):  # fmt: skip
                phase()
                yield from [finding for rule, finding in self._findings.items() if rule not in told]
                told.update(self._findings)
                if self._hello is None:
                    break
        finally:
            self._host.close()
        yield from [RuleFinding(rule, RuleVerdict.UNTRIED) for rule in Rule if rule not in told]

    def _tell(self, rule: Rule, problem: str = "") -> None:
        """`rule` is held, or broken as `problem` says. What broke once stays so."""
        before = self._findings.get(rule)
        if before is None or (problem and before.verdict is RuleVerdict.HELD):
            self._findings[rule] = RuleFinding(rule, RuleVerdict.BROKEN if problem else RuleVerdict.HELD, problem)

    def _asked(self, message: Message, until: Callable[[Message], bool], seconds: float = _ANSWER) -> list[Heard]:
        """The messages up to the answer to `message`."""
        self._host.say(message)
        return self._host.listen(seconds, until)

    def _greeted(self) -> tuple[Hello | None, float]:
        """The answer to one HELLO_REQ, and how many seconds it took."""
        self._nonce += 1
        nonce, asked = self._nonce, self._clock()
        heard = self._asked(
            HelloRequest(MAJOR, MINOR, nonce), lambda message: isinstance(message, Hello) and message.nonce == nonce
        )
        answers = [(at, hello) for at, hello in timed(heard, Hello) if hello.nonce == nonce]
        return (answers[0][1], answers[0][0] - asked) if answers else (None, _ANSWER)

    def _greet(self) -> None:
        end, hello = self._clock() + GREETING_TIME, None
        while hello is None and self._clock() < end:
            hello, _ = self._greeted()
        if hello is None:
            self._tell(Rule.GREETING, self._why_silent())
            return
        self._hello = hello
        answers = [self._greeted() for _ in range(_TRIES)]
        slow = [took for one, took in answers if one is None or took > AT_ONCE]
        problem = f"{len(slow)} of {_TRIES} HELLO_REQ had no answer within {AT_ONCE:g} s"
        self._tell(Rule.GREETING, problem if len(slow) > _EXCUSED else "")
        if hello.major != MAJOR:
            self._tell(Rule.VERSION, f"HELLO says {hello.major}.{hello.minor}")
            self._hello = None
            return
        self._tell(Rule.VERSION)
        self._tell(Rule.PLACES, "" if _can_see(hello) else "HELLO has 0 slots: most likely the readers have no 3.3 V")

    def _why_silent(self) -> str:
        if self._host.plain_lines:
            return "only lines of the plain dialect came, which has no more rules than its lines"
        if hellos := only(self._host.heard, Hello):
            return (
                f"{len(hellos)} HELLO came, and none had the nonce of its HELLO_REQ: the last had "
                f"{hellos[-1].nonce}, not {self._nonce}"
            )
        if self._host.bytes:
            return f"{self._host.bytes} bytes came, but no HELLO: is this 115,200 Bd, and the tray's firmware?"
        return "nothing came: is this the tray's port, and does its firmware run?"

    def _restart(self) -> None:
        before = self._hello
        if not self._restarts or before is None:
            return
        self._host.say(Reset(_WRONG_MAGIC))
        self._host.listen(_ANSWER)
        still, _ = self._greeted()
        if still is None or still.boot_id != before.boot_id or is_later(before.uptime, still.uptime):
            self._tell(Rule.RESTART, f"it restarted at RESET with {_WRONG_MAGIC:#x}")
        self._reset(still or before)

    def _reset(self, before: Hello) -> None:
        """Have the tray restart; `_is_fresh` says whether it did."""
        self._is_fresh = False
        self._host.acknowledges = self._host.answers = False
        self._start_of_boot = len(self._host.heard)
        asked = self._clock()

        def is_anew(message: Message) -> bool:
            return isinstance(message, Hello) and (
                message.boot_id != before.boot_id or is_later(before.uptime, message.uptime)
            )

        try:
            heard = self._asked(Reset(Reset.MAGIC), is_anew, GREETING_TIME)
        except LinkLostError:
            self._host.reopen()
            heard = self._host.listen(GREETING_TIME, is_anew)
        hello = next((one for one in only(heard, Hello) if is_anew(one)), None)
        if hello is None:
            still, _ = self._greeted()
            if still is None:  # whatever else would be broken then is broken by this
                self._hello = None
            self._tell(Rule.RESTART, _NO_RESTART if still is not None else _HANGS)
            return
        self._start_of_boot = next(n for n, one in enumerate(self._host.heard) if one.message is hello)
        self._is_fresh, self._hello = True, hello
        twice = hello.boot_id == before.boot_id
        self._tell(Rule.BOOT_ID, f"two starts had the boot id {hello.boot_id:#010x}" if twice else "")
        late = hello.uptime > (self._clock() - asked) * _SECOND + _SECOND
        self._tell(Rule.RESTART, f"uptime was {hello.uptime} ms right after a restart" if late else "")

    def _before_snapshot(self) -> None:
        if not self._is_fresh or self._hello is None:
            return
        start = self._start_of_boot
        self._host.listen(1.8)
        hellos = [at for at, hello in timed(self._host.heard[start:], Hello) if hello.nonce == 0]
        self._tell(Rule.HELLOS, _uneven(hellos, "HELLO", 3))
        self._tell(Rule.SILENCE, _told_too_early(self._host.heard[start:]))
        self._host.say(Snapshot(self._hello.boot_id ^ 1))
        early = _told_too_early(self._host.listen(0.8))
        self._tell(Rule.SILENCE, f"after SNAPSHOT with another boot id {early}" if early else "")

    def _know(self, hello: Hello) -> None:
        """Tell the tray that its boot is known, and be a good host from now on."""
        self._host.acknowledges = self._host.answers = True
        self._host.say(Snapshot(hello.boot_id))

    def _alive(self) -> None:
        if self._hello is None:
            return
        self._know(self._hello)
        self._host.listen(_EVERY[1], lambda message: isinstance(message, Beat))
        heard = self._host.listen(0.5 * _LEAST_BEATS + _EVERY[1])
        beats = timed(heard, Beat)
        problem = _uneven([at for at, _ in beats], "BEAT", _LEAST_BEATS)
        if any(hello.nonce == 0 for hello in only(heard, Hello)):
            problem = "HELLO came unasked beside BEAT"
        self._tell(Rule.BEATS, problem)
        if len(beats) > 1:
            (start, first), (end, last) = beats[0], beats[-1]
            gone, passed = last.uptime - first.uptime, (end - start) * _SECOND
            wrong = abs(gone - passed) > _CLOCK * passed
            self._tell(Rule.UPTIME, f"uptime grew by {gone} ms in {passed:.0f} ms" if wrong else "")

    def _commands(self) -> None:
        missing = sum(not self._pong(self._pinged()) for _ in range(_TRIES))
        lost = f"{missing} of {_TRIES} PING had no PONG within {AT_ONCE:g} s" if missing > _EXCUSED else ""
        self._tell(Rule.PINGS, lost)
        self._result(_GLOW, (ResultCode.DONE, ResultCode.UNKNOWN), "RING")
        self._result(
            Ring(_STRANGE_PATTERN, 0, 0, 0), (ResultCode.BAD_VALUE, ResultCode.UNKNOWN), f"RING {_STRANGE_PATTERN}"
        )
        self._result(Configure(_STRANGE_KEY, 1), (ResultCode.UNKNOWN,), f"CONFIG key {_STRANGE_KEY}")
        self._host.say_frame(_STRANGE_TYPE, b"\x01\x02\x03")
        after_unknown = self._pong(self._pinged())
        self._nonce += 1
        self._host.say_frame(Ping.CODE, Ping(self._nonce).to_bytes() + b"\x01\x02\x03")
        longer = self._pong(self._nonce)
        problem = "" if longer else "a PING with three bytes more had no PONG"
        self._tell(
            Rule.UNKNOWN, problem if after_unknown else f"after a frame of type {_STRANGE_TYPE:#x} PING had no PONG"
        )

    def _pinged(self) -> int:
        self._nonce += 1
        self._host.say(Ping(self._nonce))
        return self._nonce

    def _pong(self, nonce: int) -> bool:
        return bool(only(self._host.listen(AT_ONCE, partial(eq, Pong(nonce))), Pong))

    def _result(self, command: Message, codes: Sequence[ResultCode], name: str) -> None:
        sequence = self._host.say(command)
        results = only(self._host.listen(_ANSWER, lambda message: isinstance(message, Result)), Result)
        if not results:
            self._tell(Rule.RESULTS, f"{name} had no RESULT")
            return
        right = (results[0].sequence, results[0].command) == (sequence, command.CODE) and results[0].code in codes
        self._tell(Rule.RESULTS, "" if right else f"{name} had {results[0]}")

    def _beat(self) -> Heard | None:
        heard = self._host.listen(2 * _EVERY[1], lambda message: isinstance(message, Beat))
        return next((one for one in reversed(heard) if isinstance(one.message, Beat)), None)

    def _damage(self) -> None:
        before, spoilt = self._beat(), 0x5A5A
        wrong = bytearray(encode_frame(WireFrame(Ping.CODE, 0, Ping(spoilt).to_bytes())))
        wrong[-2] ^= 0x10
        for damaged in (bytes(wrong), _OVERLONG, _MALFORMED, _SHORT, _NOISE):
            self._host.say_bytes(damaged)
            nonce = self._pinged()
            heard = only(self._host.listen(AT_ONCE, partial(eq, Pong(nonce))), Pong)
            if Pong(spoilt) in heard:
                self._tell(Rule.DAMAGED, "a PING with a wrong CRC had a PONG")
            if Pong(nonce) not in heard:
                self._tell(Rule.DAMAGED, f"the PING after {damaged[:8].hex(' ')} had no PONG")
        after = self._beat()
        if before is None or after is None:
            return
        old = self._hello is not None and not self._hello.minor
        for name in _uncounted(before, after, old=old):
            self._tell(Rule.DAMAGED, f"{name} in BEAT did not grow")
        self._tell(Rule.DAMAGED)

    def _throw(self) -> None:
        if self._ask is None or self._hello is None or not _can_see(self._hello):
            return
        host, start = self._host, len(self._host.heard)
        host.acknowledges = host.answers = False
        self._ask(THROW)
        host.listen(self._patience, lambda message: isinstance(message, Die | Tag | PictureReady))
        if not self._hello.slots or only(host.heard[start:], PictureReady):
            self._pictures(start, self._hello)
            host.acknowledges = host.answers = False
        if not self._hello.slots:
            return
        host.listen(_ROLL_TIME, lambda message: isinstance(message, RollEnd | Tag))
        self._questions(start)
        if not only(host.heard[start:], RollEnd):
            host.listen(_ROLL_TIME, lambda message: isinstance(message, RollEnd))
        if not only(host.heard[start:], RollEnd):
            if only(host.heard[start:], Die):
                self._tell(Rule.ROLLS, f"no ROLL_END came within {_ROLL_TIME:g} s")
            return
        mark = len(host.heard)
        host.listen(_WHILE)
        self._repeats(host.heard[mark:])
        host.acknowledges = host.answers = True
        host.listen(_ANSWER)
        late = _events(host.listen(2 * _ANSWER))
        self._tell(Rule.ACKNOWLEDGED, f"event {late[0].event} came again after ACK" if late else "")
        self._roll(host.heard[start:])
        self._again(start, self._hello)

    def _pictures(self, start: int, hello: Hello) -> None:
        """Check what a camera tray announces, and the bytes that it sends."""
        host = self._host
        announced = only(host.heard[start:], PictureReady)
        if not announced:
            if any(scene.roll != NOT_THROWN for scene in only(host.heard[start:], SceneSeen)):
                self._tell(Rule.PICTURES, "SCENE told of a roll, and no PICTURE came")
            return
        picture = announced[-1]
        heard = host.listen(_WHILE)
        times = [at for at, one in timed(heard, PictureReady) if one.event == picture.event]
        self._tell(Rule.REPEATS, _out_of(times, _REPEATED, f"PICTURE {picture.event}", _LEAST_REPEATS))
        self._tell(Rule.PICTURES, "" if only(heard, SceneSeen) else "no SCENE came beside BEAT")
        self._tell(Rule.PICTURES, self._wrong_picture(picture))
        host.say(Acknowledge(picture.event))
        host.listen(_ANSWER)
        late = [one for one in only(host.listen(2 * _ANSWER), PictureReady) if one.event == picture.event]
        self._tell(Rule.ACKNOWLEDGED, f"PICTURE {picture.event} came again after ACK" if late else "")
        host.acknowledges = True
        host.say(Snapshot(hello.boot_id))
        again = picture in only(host.listen(2 * _ANSWER), PictureReady)
        self._tell(Rule.AGAIN, "" if again else f"PICTURE {picture.event} did not come again as it was")

    def _wrong_picture(self, picture: PictureReady) -> str:
        """What is wrong with the bytes of `picture`; empty where nothing is."""
        if not 0 < picture.size <= LARGEST:
            return f"PICTURE has a size of {picture.size} bytes"
        data = self._fetched(picture, 0, picture.size, _PICTURE_TIME)
        if len(data) < picture.size:
            return f"{len(data)} of {picture.size} bytes came in order"
        if crc32(data) != picture.check:
            return f"the bytes have CRC-32 {crc32(data):#010x}, PICTURE says {picture.check:#010x}"
        if not data.startswith(_JPEG):
            return f"it is no JPEG file: it begins with {data[:2].hex(' ')}"
        start = picture.size // 2
        piece = data[start : start + _PIECE]
        if self._fetched(picture, start, len(piece), _ANSWER) != piece:
            return f"WANT of {len(piece)} bytes from {start} brought other bytes"
        self._host.say(Want(picture.event ^ 1, 0, picture.size))
        return "a WANT of another event brought CHUNKs" if only(self._host.listen(_ANSWER), Chunk) else ""

    def _fetched(self, picture: PictureReady, start: int, length: int, seconds: float) -> bytes:
        """The bytes for one WANT, up to the first chunk out of order; lost ones are requested again."""
        data, end, before = b"", self._clock() + seconds, -1
        while before < len(data) < length and self._clock() < end:
            before = len(data)
            self._host.say(Want(picture.event, start + before, length - before))
            while len(data) < length and self._clock() < end:
                chunks = only(self._host.listen(_ANSWER, lambda message: isinstance(message, Chunk)), Chunk)
                if not chunks:
                    break
                for chunk in chunks:
                    if chunk.event == picture.event and chunk.offset == start + len(data):
                        data += chunk.data
        return data

    def _questions(self, start: int) -> None:
        """TAG is repeated while nobody answers, and no more once somebody has."""
        asked = only(self._host.heard[start:], Tag)
        if not asked:
            return
        tag = asked[0].tag
        self._host.listen(0.8)
        times = [at for at, one in timed(self._host.heard[start:], Tag) if one.tag == tag]
        self._tell(Rule.TAGS, _out_of(times, _REPEATED, "TAG", 3))
        self._host.answers = True
        self._host.answer(tag)
        self._host.listen(0.1)
        again = [one for one in only(self._host.listen(_ANSWER), Tag) if one.tag == tag]
        self._tell(Rule.TAGS, "TAG went on after TAUGHT" if again else "")

    def _repeats(self, heard: Sequence[Heard]) -> None:
        pending = {_place(message): message.event for message in _events(heard)}
        for event in pending.values():
            times = [one.time for one in heard if _event(one.message) == event]
            self._tell(Rule.REPEATS, _out_of(times, _REPEATED, f"event {event}", _LEAST_REPEATS))
        if not pending:
            self._tell(Rule.REPEATS, "an event that nobody acknowledged did not come again")

    def _roll(self, heard: Sequence[Heard]) -> None:
        """Check the dice and the end of the newest roll."""
        dice, end = only(heard, Die), only(heard, RollEnd)[-1]
        self._tell(Rule.FIELDS, next((problem for die in dice if (problem := self._wrong_field(die))), ""))
        payloads: dict[int, bytes] = {}
        for one in heard:
            event = _event(one.message)
            if event is not None and payloads.setdefault(event, one.frame.payload) != one.frame.payload:
                self._tell(Rule.EVENTS, f"number {event} stood for two events")
        lying = [die for die in _newest(dice).values() if die.roll == end.roll and die.state != StateCode.REMOVED]
        self._first_events(payloads)
        newest = self._beat()
        if newest is not None and isinstance(newest.message, Beat) and newest.message.last_event not in payloads:
            self._tell(Rule.EVENTS, f"BEAT names event {newest.message.last_event}, which never came")
        self._tell(Rule.EVENTS)
        self._tell(Rule.ROLLS, "ROLL_END has roll 0 for dice that were thrown" if end.roll == NOT_THROWN else "")
        if (end.count, end.digest) != (len(lying), roll_digest(lying)):
            self._tell(Rule.ROLLS, f"ROLL_END has {end.count} dice and digest {end.digest:#06x}, not "
                       f"{len(lying)} and {roll_digest(lying):#06x}")  # fmt: skip
        numbered = [die for die in lying if die.die_id]
        for die in numbered:
            if sum(other.die_id == die.die_id for other in numbered) > 1:
                wrong = die.state != StateCode.COCKED
                self._tell(Rule.ONE_PLACE, f"die {die.die_id:#010x} lies in several slots, not cocked" if wrong else "")

    def _first_events(self, payloads: dict[int, bytes]) -> None:
        if self._is_fresh and payloads and min(payloads) > _FIRST_EVENT:
            self._tell(Rule.EVENTS, f"the first event of a new start had number {min(payloads)}")

    def _wrong_field(self, die: Die) -> str:
        """What is wrong with one DIE; empty where nothing is."""
        kind = KINDS.get(die.kind)
        faces = () if kind is None else tuple(CHALLENGE_FACES) if kind is DieKind.CHALLENGE else FACES[kind]
        slots = self._hello.slots if self._hello is not None else 0
        problems = (
            (die.slot >= slots, f"slot {die.slot} of {slots}"),
            (die.state not in tuple(StateCode), f"state {die.state}"),
            (die.kind not in tuple(KindCode), f"kind {die.kind}"),
            (die.confidence > _PER_CENT, f"confidence {die.confidence}"),
            (die.kind == KindCode.NOT_KNOWN and die.face != 0, f"face {die.face} of a die of kind 0"),
            (die.state == StateCode.SETTLED and die.face not in faces, f"face {die.face} of a settled die"),
        )
        return next((f"DIE has {what}" for is_wrong, what in problems if is_wrong), "")

    def _again(self, start: int, hello: Hello) -> None:
        before = self._host.heard[start:]
        lying = {die.event for die in _newest(only(before, Die)).values() if die.state != StateCode.REMOVED}
        expected = lying | {only(before, RollEnd)[-1].event}
        self._host.say(Snapshot(hello.boot_id))
        again = self._host.listen(2 * _ANSWER)
        missing = expected - {_event(one.message) for one in again}
        self._tell(Rule.AGAIN, f"event {min(missing)} did not come again" if missing else "")
        if only(before, Tag) and not only(again, Tag):
            self._tell(Rule.TAGS, "SNAPSHOT brought no TAG of what lies there")

    def _lying_at_the_start(self) -> None:
        before = self._hello
        if Rule.ROLLS not in self._findings or not self._restarts or before is None:
            return
        start = len(self._host.heard)
        self._reset(before)
        if not self._is_fresh or self._hello is None:
            return
        self._know(self._hello)
        heard = self._host.heard[start:] + self._host.listen(3.0)
        dice = _newest(only(heard, Die)).values()
        thrown = [die for die in dice if die.roll != NOT_THROWN]
        ended = [end for end in only(heard, RollEnd) if end.roll != NOT_THROWN]
        problem = "" if dice else "the die that lies there was not told after a restart"
        if thrown or ended:
            problem = f"a die that lay there at the start belongs to roll {(thrown or ended)[0].roll}"
        self._tell(Rule.NOT_SEEN, problem)
        self._first_events({event: b"" for one in heard if (event := _event(one.message)) is not None})

    def _clear(self) -> None:
        if self._ask is None or Rule.ROLLS not in self._findings:
            return
        if self._is_fresh:
            self._ask(THROW)
            self._host.listen(self._patience, lambda message: isinstance(message, RollEnd) and message.count > 0)
        self._ask(CLEAR)
        heard = self._host.listen(self._patience, lambda message: isinstance(message, RollEnd) and message.count == 0)
        ends = [end for end in only(heard, RollEnd) if end.count == 0]
        if not ends:
            self._tell(Rule.CLEARED, f"no ROLL_END with count 0 came within {self._patience:g} s")
            return
        wrong = ends[-1].digest != roll_digest(())
        self._tell(Rule.CLEARED, f"the digest of no dice was {ends[-1].digest:#06x}" if wrong else "")

    def _whole_time(self) -> None:
        """Check what only a long observation shows: frames that were lost, or are numbered wrongly."""
        heard = self._host.heard[self._start_of_boot :]
        breaks = sum((one.frame.sequence + 1) % _ONE_BYTE != two.frame.sequence for one, two in pairwise(heard))
        beats = only(heard, Beat)
        excused = self._host.damaged + (beats[-1].unsent if beats else 0)
        self._tell(Rule.SEQUENCE, f"{breaks} of {len(heard)} frames were out of sequence" if breaks > excused else "")
        damaged, frames = self._host.damaged, len(self._host.heard)
        junk = f"bytes that are no frame came {damaged} times between {frames} frames"
        self._tell(Rule.ONLY_FRAMES, junk if damaged > _EXCUSED_DAMAGE + _DAMAGED_SHARE * frames else "")


def _can_see(hello: Hello) -> bool:
    """Whether the tray has any way to see a die."""
    return bool(hello.slots or hello.capabilities & Capability.PICTURES)


def _event(message: Message | None) -> int | None:
    return message.event if isinstance(message, Die | RollEnd | PictureReady) else None


def _events(heard: Sequence[Heard]) -> list[Die | RollEnd]:
    return [*only(heard, Die), *only(heard, RollEnd)]


def _place(message: Die | RollEnd) -> int:
    """The place for which only the newest event counts: a slot, or the end of a roll."""
    return message.slot if isinstance(message, Die) else -1


def _newest(dice: Sequence[Die]) -> dict[int, Die]:
    newest: dict[int, Die] = {}
    for die in dice:
        if die.slot not in newest or is_newer(die.event, newest[die.slot].event):
            newest[die.slot] = die
    return newest


def _out_of(times: Sequence[float], bounds: tuple[float, float], name: str, least: int) -> str:
    """What is wrong with the times of repeats; empty if nothing is."""
    if len(times) < least:
        return f"{name} came {len(times)} times, not {least}"
    usual = median(later - earlier for earlier, later in pairwise(times))
    return "" if bounds[0] <= usual <= bounds[1] else f"{name} came again after {usual * _SECOND:.0f} ms"


def _uneven(times: Sequence[float], name: str, least: int) -> str:
    return _out_of(times, _EVERY, name, least)


_AFTER_SNAPSHOT: Final = (Die, RollEnd, Beat, Tag, PictureReady, Chunk, SceneSeen)
"""The messages that a tray may send only once the host has asked for a snapshot."""


def _told_too_early(heard: Sequence[Heard]) -> str:
    early = next((one.message for one in heard if isinstance(one.message, _AFTER_SNAPSHOT)), None)
    return "" if early is None else f"{type(early).__name__.upper()} came before SNAPSHOT"


def _uncounted(before: Heard, after: Heard, *, old: bool) -> Iterator[str]:
    """The counters of BEAT that should have grown and did not; an `old` tray, of version 1.0, has two of them alone."""
    first, last = before.message, after.message
    if not isinstance(first, Beat) or not isinstance(last, Beat):
        return
    names = ["bad_checksum", "overlong"]
    names += [] if old else ["malformed", "short"]
    for name in names:
        if getattr(first, name) == getattr(last, name):
            yield name

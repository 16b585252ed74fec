"""`trueroll tray check`: a tray that keeps the page has no rule broken, and each wrong tray its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from zlib import crc32

import pytest

from firmware_bridge.check_rules import Rule, RuleFinding, RuleVerdict, finding_data, finding_words
from firmware_bridge.checking import CLEAR, THROW, Check
from firmware_bridge.errors import LinkLostError
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import (
    Acknowledge,
    Beat,
    Chunk,
    Die,
    Hello,
    KindCode,
    Message,
    PictureReady,
    Pong,
    Reset,
    Result,
    RollEnd,
    SceneSeen,
    Snapshot,
    Tag,
    Unknown,
    Want,
    decode,
)
from firmware_bridge.simulator import SimulatedTray
from firmware_bridge.taught import TaughtDice, TaughtDie
from rules.dice import DieKind
from rules.words import Phrase

RED = TaughtDie("Red", DieKind.D20, tuple(range(1, 21)))
Said = Callable[["Wrong", Message], list[Message]]
Heard = Callable[["Wrong", Message], list[Message]]


class Wrong(SimulatedTray):
    """A simulated tray of which what it says and hears can be changed on its way."""

    def __init__(self, says: Said | None = None, hears: Heard | None = None, *, tags: bool = False) -> None:
        super().__init__(Random(1))  # noqa: S311 - a repeatable tray
        self.says, self.hears = says or (lambda _, message: [message]), hears or (lambda _, message: [message])
        self.tags = tags
        self.frames = FrameDecoder()
        self.count = 0
        self.numbered = True
        self.junk = b""
        self.chokes = False
        self.known: set[object] = set()

    def outgoing(self) -> bytes:
        out = b""
        for frame in self.frames.feed(self.take_output()):
            message = decode(frame).message
            assert isinstance(message, Message)
            for one in self.says(self, message):
                self.count += self.numbered
                out += encode_frame(one.to_frame(self.count)) + self.junk * (self.count % 3 == 0)
        return out

    def incoming(self, data: bytes, now: float) -> None:
        for frame in FrameDecoder().feed(data):
            message = decode(frame).message
            heard = self.hears(self, message) if isinstance(message, Message) else [message]
            if isinstance(message, Unknown) and self.chokes:
                self.hears = lambda *_: []
            if heard != [message]:
                for one in (one for one in heard if isinstance(one, Message)):
                    self.receive(encode_frame(one.to_frame(frame.sequence)), now)
                return
        self.receive(data, now)


class Port:
    """The wire to a `Wrong` in virtual time; `gone` is when its port vanishes once, as at a board's own restart."""

    def __init__(self, tray: Wrong, *, gone: bool = False) -> None:
        self.tray, self.now, self.gone = tray, 0.0, gone

    def read(self, timeout: float) -> bytes:
        end = self.now + timeout
        while True:
            self.tray.advance(self.now)
            data = self.tray.outgoing()
            if data or self.now >= end:
                return data
            self.now = max(self.now + 0.0005, min(end, self.tray.deadline))

    def write(self, data: bytes) -> None:
        self.tray.incoming(data, self.now)
        restarts = Reset(Reset.MAGIC).to_bytes()
        if self.gone and any(frame.payload == restarts for frame in FrameDecoder().feed(data)):
            self.gone = False
            raise LinkLostError(Phrase("gone"))

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass

    def ask(self, what: str) -> None:
        if what == THROW and self.tray.tags:
            self.tray.throw_tags({0: [7]}, self.now)
        elif what == THROW:
            self.tray.throw([(DieKind.D20, 17)], self.now)
        else:
            assert what == CLEAR
            self.tray.clear(self.now)


def check(tray: Wrong, *, gone: bool = False, asks: bool = True, restarts: bool = True) -> dict[Rule, RuleFinding]:
    port = Port(tray, gone=gone)
    one = Check(
        lambda: port,
        lambda: port.now,
        port.wait,
        ask=port.ask if asks else None,
        taught=TaughtDice((RED,)),
        restarts=restarts,
        patience=5,
    )
    findings = list(one.run())
    assert len({finding.rule for finding in findings}) == len(findings) == len(Rule)
    return {finding.rule: finding for finding in findings}


JPEG = b"\xff\xd8" + bytes(range(256)) * 10


class Picturing(Wrong):
    """The same with a camera in place of readers: a throw is a picture of `data`, whatever lies there."""

    def __init__(self, says: Said | None = None, hears: Heard | None = None, data: bytes = JPEG) -> None:
        super().__init__(says, hears)
        self.data, self.at, self.now = data, float("inf"), 0.0
        self.sent: list[Message] = []
        self.shown = False
        self.picture = PictureReady(1, 1, len(data), crc32(data), 1280, 1024, 1)

    @property
    def deadline(self) -> float:
        return min(super().deadline, self.at)

    def advance(self, now: float) -> None:
        super().advance(now)
        self.now = now

    def throw(self, dice: object, now: float) -> None:
        del dice
        self.at = now + 1.0

    def outgoing(self) -> bytes:
        if self.now >= self.at:
            self.at, self.shown = self.now + 0.22, True
            self.sent.append(self.picture)
        out = super().outgoing()
        sent, self.sent = self.sent, []
        for message in (one for each in sent for one in self.says(self, each)):
            self.count += 1
            out += encode_frame(message.to_frame(self.count))
        return out

    def receive(self, data: bytes, now: float) -> None:
        super().receive(data, now)
        for frame in FrameDecoder().feed(data):
            message = decode(frame).message
            if message == Acknowledge(self.picture.event):
                self.at = float("inf")
            elif isinstance(message, Snapshot) and self.shown:
                self.at = now
            elif isinstance(message, Want) and message.event == self.picture.event:
                for start in range(message.offset, message.offset + message.length, 1024):
                    stop = min(start + 1024, message.offset + message.length)
                    self.sent.append(Chunk(message.event, start, self.data[start:stop]))


def with_camera(says: Said | None = None, hears: Heard | None = None, data: bytes = JPEG) -> Picturing:
    def sees(tray: Wrong, message: Message) -> list[Message]:
        if isinstance(message, Hello):
            message = replace(message, slots=0, capabilities=32)
        told = [message, SceneSeen(0, 1, 1)] if isinstance(message, Beat) else [message]
        return [one for each in told for one in (says(tray, each) if says is not None else [each])]

    return Picturing(sees, hears, data)


def test_a_camera_tray_that_keeps_the_page_breaks_no_rule() -> None:
    found = check(with_camera(), restarts=False)
    assert verdicts(found, RuleVerdict.BROKEN) == set()
    held = {rule for rule, finding in found.items() if finding.verdict is RuleVerdict.HELD}
    assert {Rule.PICTURES, Rule.DAMAGED, Rule.REPEATS, Rule.ACKNOWLEDGED, Rule.AGAIN} <= held


def verdicts(found: dict[Rule, RuleFinding], verdict: RuleVerdict) -> set[str]:
    return {f"{rule.label}: {finding.what}" for rule, finding in found.items() if finding.verdict is verdict}


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("tags", [False, True])
def test_a_tray_that_keeps_the_page_breaks_no_rule(*, tags: bool, gone: bool) -> None:
    found = check(Wrong(tags=tags), gone=gone)
    assert verdicts(found, RuleVerdict.BROKEN) == set()
    untried = {Rule.ONE_PLACE, Rule.PICTURES} | (set() if tags else {Rule.TAGS})
    assert {rule for rule, finding in found.items() if finding.verdict is RuleVerdict.UNTRIED} == untried


def test_a_hello_with_another_nonce_is_named() -> None:
    found = check(Wrong(changed(Hello, nonce=900)))[Rule.GREETING]
    assert "none had the nonce of its HELLO_REQ: the last had 900, not " in found.what


def test_nobody_is_asked_to_throw_into_a_tray_that_sees_nothing() -> None:
    port = Port(Wrong(changed(Hello, slots=0)))
    asked: list[str] = []
    for _ in Check(lambda: port, lambda: port.now, port.wait, ask=asked.append, restarts=False).run():
        pass
    assert asked == []


def test_what_nobody_throws_or_restarts_is_untried_and_not_held() -> None:
    found = check(Wrong(), asks=False, restarts=False)
    held = {rule for rule, finding in found.items() if finding.verdict is RuleVerdict.HELD}
    assert held == {
        Rule.GREETING, Rule.VERSION, Rule.PLACES, Rule.BEATS, Rule.UPTIME, Rule.PINGS, Rule.SEQUENCE,
        Rule.ONLY_FRAMES, Rule.RESULTS, Rule.UNKNOWN, Rule.DAMAGED,
    }  # fmt: skip
    assert verdicts(found, RuleVerdict.BROKEN) == set()


def test_a_tray_that_hangs_in_its_restart_is_told_so_and_nothing_else_is_blamed() -> None:
    """As a Nano does with its old boot loader: six rules were called broken, and nothing said what to do."""

    def hangs(tray: Wrong, message: Message) -> list[Message]:
        if isinstance(message, Reset) and message.magic == Reset.MAGIC:
            tray.says = tray.hears = lambda *_: []
            return []
        return [message]

    found = check(Wrong(hears=hangs))
    (broken,) = verdicts(found, RuleVerdict.BROKEN)
    assert broken.startswith("restart: it says nothing any more")
    assert broken.endswith("check it with --no-restart")
    assert found[Rule.PINGS].verdict is RuleVerdict.UNTRIED


def changed(of: type[Message], **fields: int) -> Said:
    return lambda _, message: [replace(message, **fields) if isinstance(message, of) else message]


def dropped(*kinds: type[Message]) -> Said:
    return lambda _, message: [] if isinstance(message, kinds) else [message]


def twice(kind: type[Message]) -> Said:
    return lambda _, message: [message] * (2 if isinstance(message, kind) else 1)


def keeps_its_boot_id(_: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Hello):
        return [replace(message, boot_id=7)]
    return [message]


def of_boot_7(tray: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Snapshot):
        return [Snapshot(tray.boot_id if message.boot_id == 7 else message.boot_id)]
    return [message]


def obeys_any(kind: type[Message]) -> Heard:
    def hears(tray: Wrong, message: Message) -> list[Message]:
        if isinstance(message, kind) and kind is Reset:
            return [Reset(Reset.MAGIC)]
        return [Snapshot(tray.boot_id)] if isinstance(message, kind) else [message]

    return hears


def beats_early(_: Wrong, message: Message) -> list[Message]:
    return [message, Beat(1, 0, 0, 0, 0, 0)] if isinstance(message, Hello) and message.nonce == 0 else [message]


def greets_for_ever(tray: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Beat):
        return [message, Hello(1, 1, 0, 1, tray.tray_id, tray.boot_id, 1, 16, 0, message.uptime)]
    return [message]


def in_seconds(_: Wrong, message: Message) -> list[Message]:
    return [replace(message, uptime=message.uptime // 1000)] if isinstance(message, Beat) else [message]


def renumbered(tray: Wrong, message: Message) -> list[Message]:
    """Every repeat under a new number."""
    if isinstance(message, Die | RollEnd):
        tray.count += 1
        return [replace(message, event=tray.count)]
    return [message]


def thrown_at_the_start(_: Wrong, message: Message) -> list[Message]:
    return [replace(message, roll=3)] if isinstance(message, Die) and message.roll == 0 else [message]


def in_two_slots(_: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Die):
        return [message, replace(message, slot=5, event=message.event + 100)]
    return [message]


def asks_once(tray: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Tag) and message in tray.known:
        return []
    tray.known.add(message)
    return [message]


def hears_one_snapshot(tray: Wrong, message: Message) -> list[Message]:
    if isinstance(message, Snapshot) and message in tray.known:
        return []
    tray.known.add(message)
    return [message]


def chokes(tray: Wrong, message: Message) -> list[Message]:
    tray.chokes = True
    return [message]


def unnumbered(tray: Wrong, message: Message) -> list[Message]:
    tray.numbered = False
    return [message]


def talks_between_frames(tray: Wrong, message: Message) -> list[Message]:
    tray.junk = b"debug\0"
    return [message]


WRONG: dict[str, tuple[Rule, Said | None, Heard | None]] = {
    "says nothing": (Rule.GREETING, lambda *_: [], None),
    "greets with another nonce": (Rule.GREETING, changed(Hello, nonce=9), None),
    "another major version": (Rule.VERSION, changed(Hello, major=2), None),
    "no places": (Rule.PLACES, changed(Hello, slots=0), None),
    "one boot id for all starts": (Rule.BOOT_ID, keeps_its_boot_id, of_boot_7),
    "restarts at any RESET": (Rule.RESTART, None, obeys_any(Reset)),
    "restarts at no RESET": (Rule.RESTART, None, dropped(Reset)),
    "does not greet by itself": (
        Rule.RESTART, lambda _, one: [] if isinstance(one, Hello) and one.nonce == 0 else [one], None
    ),
    "greets twice": (Rule.HELLOS, twice(Hello), None),
    "beats before SNAPSHOT": (Rule.SILENCE, beats_early, None),
    "takes any SNAPSHOT": (Rule.SILENCE, None, obeys_any(Snapshot)),
    "no heartbeat": (Rule.BEATS, dropped(Beat), None),
    "greets beside its heartbeat": (Rule.BEATS, greets_for_ever, None),
    "uptime in seconds": (Rule.UPTIME, in_seconds, None),
    "no PONG": (Rule.PINGS, dropped(Pong), None),
    "frames without numbers": (Rule.SEQUENCE, unnumbered, None),
    "talks between its frames": (Rule.ONLY_FRAMES, talks_between_frames, None),
    "no RESULT": (Rule.RESULTS, dropped(Result), None),
    "a RESULT of another command": (Rule.RESULTS, changed(Result, command=9), None),
    "every RING done": (Rule.RESULTS, changed(Result, code=0), None),
    "chokes on what it does not know": (Rule.UNKNOWN, chokes, None),
    "counts nothing": (Rule.DAMAGED, changed(Beat, bad_checksum=0, overlong=0, malformed=0, short=0), None),
    "counts as one of 1.0 and says that it is of 1.1": (Rule.DAMAGED, changed(Beat, malformed=0, short=0), None),
    "a face that no d20 has": (Rule.FIELDS, changed(Die, face=21), None),
    "a confidence above 100": (Rule.FIELDS, changed(Die, confidence=200), None),
    "a slot beyond its own": (Rule.FIELDS, changed(Die, slot=16), None),
    "a face of a kind that is not known": (Rule.FIELDS, changed(Die, kind=KindCode.NOT_KNOWN), None),
    "a state that nobody knows": (Rule.FIELDS, changed(Die, state=9), None),
    "one number for all events": (Rule.EVENTS, changed(Die, event=1), None),
    "a BEAT that names another event": (Rule.EVENTS, changed(Beat, last_event=999), None),
    "repeats under new numbers": (Rule.REPEATS, renumbered, None),
    "repeats for ever": (Rule.ACKNOWLEDGED, None, dropped(Acknowledge)),
    "no end of a roll": (Rule.ROLLS, dropped(RollEnd), None),
    "another digest": (Rule.ROLLS, changed(RollEnd, digest=1), None),
    "roll 0 for what was thrown": (Rule.ROLLS, changed(RollEnd, roll=0), None),
    "one die in two slots": (Rule.ONE_PLACE, in_two_slots, None),
    "asks for a tag once": (Rule.TAGS, asks_once, None),
    "tells everything once": (Rule.AGAIN, None, hears_one_snapshot),
    "takes dice of the start for thrown": (Rule.NOT_SEEN, thrown_at_the_start, None),
    "never cleared": (Rule.CLEARED, lambda _, one: [] if isinstance(one, RollEnd) and not one.count else [one], None),
}  # fmt: skip


def starts_anew(_: Wrong, message: Message) -> list[Message]:
    return [replace(message, offset=0)] if isinstance(message, Want) else [message]


WRONG_CAMERAS: dict[str, tuple[Rule, Picturing]] = {
    "another check": (Rule.PICTURES, with_camera(changed(PictureReady, check=1))),
    "larger than any": (Rule.PICTURES, with_camera(changed(PictureReady, size=20_000_000))),
    "larger than it is": (Rule.PICTURES, with_camera(changed(PictureReady, size=len(JPEG) + 5))),
    "of another format": (Rule.PICTURES, with_camera(data=b"\x89PNG" + bytes(900))),
    "no bytes": (Rule.PICTURES, with_camera(dropped(Chunk))),
    "from the beginning whatever is wanted": (Rule.PICTURES, with_camera(hears=starts_anew)),
    "no SCENE": (Rule.PICTURES, with_camera(dropped(SceneSeen))),
    "a SCENE alone": (Rule.PICTURES, with_camera(dropped(PictureReady))),
    "repeats for ever": (Rule.ACKNOWLEDGED, with_camera(hears=dropped(Acknowledge))),
    "tells it once": (Rule.AGAIN, with_camera(hears=hears_one_snapshot)),
}


@pytest.mark.parametrize("name", WRONG_CAMERAS)
def test_a_wrong_camera_tray_is_told_its_rule(name: str) -> None:
    rule, tray = WRONG_CAMERAS[name]
    assert check(tray, restarts=False)[rule].verdict is RuleVerdict.BROKEN


def test_every_rule_has_a_tray_that_breaks_it() -> None:
    assert {rule for rule, *_ in (*WRONG.values(), *WRONG_CAMERAS.values())} == set(Rule)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_tray_is_told_its_rule(name: str) -> None:
    rule, says, hears = WRONG[name]
    finding = check(Wrong(says, hears, tags=rule is Rule.TAGS))[rule]
    assert finding.verdict is RuleVerdict.BROKEN, finding
    assert rule.mend in finding_words(finding)
    assert finding_data(finding)["what"] == finding.what != ""

"""The conversation with one tray, free of I/O and of the clock.

Feed it what arrives (`data_received`) and the time (`tick`, no later than `deadline` says); do what the
returned actions say. Times are seconds of any clock that never goes back. docs/tray-protocol.md is the
reference for the rules that are kept here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.actions import Action, Changed, Reopen, Report, Send, Show
from firmware_bridge.errors import MessageError
from firmware_bridge.framing import FrameDecoder, WireFrame, encode_frame
from firmware_bridge.messages import (
    FROM_TRAY,
    MAJOR,
    MINOR,
    WHOLE_TRAY,
    Acknowledge,
    Beat,
    Capability,
    Chunk,
    Die,
    DieFlag,
    Fault,
    FaultCode,
    Hello,
    HelloRequest,
    Levels,
    Message,
    PictureReady,
    Ping,
    Pong,
    ReaderState,
    RollEnd,
    SceneCode,
    SceneSeen,
    Sense,
    Snapshot,
    Tag,
    Unknown,
    decode,
)
from firmware_bridge.pictures import PictureBook, TrayPicture
from firmware_bridge.places import PlaceBook, answer_to
from firmware_bridge.plain import LineFinder, PlainBook, PlainLine
from firmware_bridge.rolls import RollBook, TrayIdentity
from firmware_bridge.starts import OneStart
from firmware_bridge.taught import TaughtDice
from firmware_bridge.teaching import TrayPlace
from firmware_bridge.wording import (
    GREETING,
    MUTE,
    PLAIN,
    SILENT,
    Situation,
    TrayCondition,
    incompatible,
    ready,
)
from rules.dice import Reading
from rules.words import Fill, Phrase, say

GREETING_INTERVAL: Final = 0.3
"""Seconds between two HELLO_REQ after opening."""

GREETING_TIME: Final = 3.0
"""Seconds of asking after opening: an Uno-class board needs about 2 to restart."""

ASKING_SLOWEST: Final = 4.0
"""Seconds between two HELLO_REQ to a port that never answered: from 0.5 it doubles to this."""

MUTE_AFTER: Final = 1.6
"""Seconds without a frame after which a tray is mute: three heartbeats of 0.5 and a little."""

REOPEN_AFTER: Final = 5.0
"""Seconds without a frame after which the port is worth reopening."""

SILENT_REOPEN_AFTER: Final = 30.0
"""The same for a port that never answered: it may be a plain tray, quiet until somebody throws."""

PING_INTERVAL: Final = 10.0
"""Seconds between two measurements of the round trip."""

FAULT_LASTS: Final = 12.0
"""Seconds that a FAULT is believed: the tray repeats it every 5 while it lasts."""

MOST_HELD_LINES: Final = 64
"""Plain lines kept while it is not yet known whether the tray speaks in frames."""

PEAK_LASTS: Final = 3.0
"""Seconds for which the workshop shows a knock: LEVELS come twice as often as its page looks."""

MOST_READERS: Final = 16
"""Most readers shown in the workshop."""

_ASKING_FASTEST: Final = 0.5
"""Seconds between two HELLOs to a tray that has just been plugged in."""


@dataclass(frozen=True, slots=True)
class TrayHealth:
    """The state of a tray's sensors and readers, and its losses of the host's data: `dropped` frames and `lost` bytes.

    `peak` is the most that the motion sensor has felt in the last `PEAK_LASTS` seconds.
    """

    levels: Levels
    readers: tuple[ReaderState, ...]
    dropped: int
    lost: int
    peak: int


class TraySession:
    """One host's side of the protocol, over any number of openings of the port.

    `nonce` (1..65535) and `start_id` should differ at every start of the host: the first tells fresh answers
    from old ones, the second keeps the readings of plain trays apart. `taught` is asked for what the tags mean
    whenever a tray asks; while `teaching` says so, dice that are laid down are not remarked on. Keep the
    session when the port is lost: a tray that did not restart goes on where it was, and nothing is counted
    twice.
    """

    def __init__(
        self,
        *,
        nonce: int,
        start_id: str,
        taught: Callable[[], TaughtDice] = TaughtDice,
        teaching: Callable[[], bool] = lambda: False,
    ) -> None:
        self._nonce = nonce
        self._taught = taught
        self._teaching = teaching
        self._places = PlaceBook()
        self._anew = AskedAnew()
        self._ailing = AilingDice()
        self._frames = FrameDecoder(long_frames=True)
        self._lines = LineFinder()
        self._start_id = start_id
        self._plain = PlainBook(start_id)
        self._held: list[tuple[PlainLine, float]] = []
        self._framed = False
        self._book: RollBook | None = None
        self._pictures: PictureBook | None = None
        self._scene = SceneCode.REST
        self._start = OneStart()
        self._again = 0
        self._stray: int | None = None
        self._seen: tuple[object, ...] = ()
        self._ready = SILENT
        self._levels: Levels | None = None
        self._felt: list[tuple[float, int]] = []
        self._readers: dict[int, ReaderState] = {}
        self._hello: Hello | None = None
        self._beat: Beat | None = None
        self._faults: dict[tuple[int, int], float] = {}
        self._condition = GREETING
        self._sequence = 0
        self._opened = self._heard = self._ask_at = self._ping_at = 0.0
        self._asking_every = _ASKING_FASTEST
        self._ping: tuple[int, float] | None = None
        self._asked_to_reopen = False
        self._round_trip: float | None = None
        self._unknown_types = self._trailing = self._undersized = self._echoes = self._unasked = self._beyond = 0
        self._actions: list[Action] = []

    @property
    def condition(self) -> TrayCondition:
        """What the tray is doing, in words."""
        return self._condition

    @property
    def hello(self) -> Hello | None:
        """How the tray introduced itself last; None before it did."""
        return self._hello

    @property
    def round_trip(self) -> float | None:
        """Seconds between the last PING and its PONG; None before the first."""
        return self._round_trip

    @property
    def counts(self) -> dict[str, int]:
        """What has been met since this session was made: for the monitor and the health page."""
        frames = self._frames.counts
        book = self._book
        return {
            "frames": frames.good,
            "bad_checksum": frames.bad_checksum,
            "overlong": frames.overlong,
            "short": frames.short,
            "malformed": frames.malformed,
            "undersized_messages": self._undersized,
            "unknown_types": self._unknown_types,
            "messages_with_more_fields": self._trailing,
            "before_greeting": self._unasked,
            "echoes": self._echoes,
            "repeats": book.duplicates if book else 0,
            "unknown_dice": book.unknown_kinds if book else 0,
            "beyond_places": self._beyond,
            "starts_untold": self._again,
            "ignored_lines": 0 if self._framed else self._lines.ignored,
            "dropped_by_tray": dropped_by(self._beat) if self._beat else 0,
            "overruns_of_tray": self._beat.overruns if self._beat else 0,
            "unread_by_tray": self._beat.reader_errors if self._beat else 0,
        }

    @property
    def faults(self) -> tuple[tuple[int, int], ...]:
        """The faults that the tray reports now, as (code, slot)."""
        return tuple(self._faults)

    @property
    def places(self) -> tuple[TrayPlace, ...]:
        """What lies on the tray, by slot; nothing while the tray is not ready."""
        return self._places.view(self._taught()) if self._condition.situation is Situation.READY else ()

    @property
    def scene(self) -> SceneCode:
        """What a tray that sends pictures sees now."""
        return self._scene

    @property
    def health(self) -> TrayHealth | None:
        """The tray's last report on its sensors and readers; None before the first."""
        if self._levels is None or self._condition.situation is not Situation.READY:
            return None
        readers = tuple(self._readers[slot] for slot in sorted(self._readers))
        counts, peak = self.counts, max(piezo for _, piezo in self._felt)
        return TrayHealth(self._levels, readers, counts["dropped_by_tray"], counts["overruns_of_tray"], peak)

    @property
    def has_lamps(self) -> bool:
        """Whether the tray is ready and has lamps that RING lights."""
        ready = self._condition.situation is Situation.READY
        return ready and self._hello is not None and bool(self._hello.capabilities & Capability.LAMP)

    @property
    def newest_die(self) -> tuple[str, int]:
        """The roll of the newest die, as the ids of its readings begin, and the die's event; empty and 0 before one."""
        return self._book.newest_die if self._book is not None else ("", 0)

    @property
    def deadline(self) -> float:
        """The latest time at which `tick` has something to do."""
        situation = self._condition.situation
        times = [at for at in (self._plain.deadline, *self._faults.values()) if at is not None]
        if situation is Situation.READY:
            times += [self._heard + MUTE_AFTER, self._ping_at]
        elif situation is not Situation.PLAIN:
            times.append(self._ask_at)
        if situation in (Situation.MUTE, Situation.SILENT) and not self._asked_to_reopen:
            times.append(self._reopen_at)
        if situation is Situation.READY and self._book is not None:
            pictures = self._pictures.ask_at if self._pictures is not None else None
            times += [at for at in (self._book.ask_at, self._anew.ask_at, pictures) if at is not None]
        if situation is Situation.GREETING:
            times.append(self._opened + GREETING_TIME)
        return min(times, default=math.inf)

    def opened(self, now: float) -> list[Action]:
        """The port has been opened: begin the greeting."""
        self._frames.reset()
        self._lines.reset()
        self._held.clear()
        self._faults.clear()
        self._framed = False
        self._nonce = self._nonce % 0xFFFF + 1
        self._opened = self._heard = self._ask_at = now
        self._asking_every = _ASKING_FASTEST
        self._ping, self._ping_at = None, now
        self._asked_to_reopen = False
        self._plain.withdraw()
        self._condition = GREETING
        self._actions = [Changed(GREETING)]
        return self.tick(now)

    def data_received(self, data: bytes, now: float) -> list[Action]:
        """Bytes have arrived. Never raises, whatever they are."""
        for frame in self._frames.feed(data):
            self._frame(frame, now)
        if not self._framed:
            for line in self._lines.feed(data):
                self._line(line, now)
        return self.tick(now)

    def tick(self, now: float) -> list[Action]:
        """Time has passed."""
        situation = self._condition.situation
        if situation is Situation.GREETING and now >= self._opened + GREETING_TIME:
            self._end_greeting(now)
        elif situation is Situation.READY and now >= self._heard + MUTE_AFTER:
            self._asking_every = _ASKING_FASTEST
            self._ask_at = now
            self._become(MUTE)
        self._ask(now)
        self._tend(now)
        done, self._actions = self._actions, []
        return done

    @property
    def begins_with(self) -> int:
        """The nonce with which another session would ask, once opened, as this one does now: for a recording."""
        return (self._nonce - 2) % 0xFFFF + 1

    def begin_with(self, nonce: int) -> None:
        """Ask, from the next `opened` on, as a session does whose `begins_with` is `nonce`."""
        self._nonce = nonce

    def greet_anew(self, now: float) -> list[Action]:
        """Let the tray tell everything again, for one who begins to look on; nothing counts twice."""
        if self._condition.situation is Situation.READY:
            self._say(HelloRequest(MAJOR, MINOR, self._nonce))
        return self.tick(now)

    def sense(self, now: float) -> list[Action]:
        """Ask a tray of 1.1 what its sensors feel and how its readers are; `health` has the answer."""
        if self._condition.situation is Situation.READY and self._hello is not None and self._hello.minor > 0:
            self._say(Sense(self._nonce))
        return self.tick(now)

    def taught_anew(self, now: float) -> list[Action]:
        """The taught dice changed: make the tray ask again for every tag on it."""
        if self._condition.situation is Situation.READY and self._book is not None:
            self._ask_anew(self._book, now)
        return self.tick(now)

    def send(self, message: Message) -> Send:
        """`message` as the next frame of the host, for commands such as RING."""
        self._sequence = (self._sequence + 1) & 0xFF
        return Send(encode_frame(message.to_frame(self._sequence)))

    @property
    def _reopen_at(self) -> float:
        mute = self._condition.situation is Situation.MUTE
        return self._heard + REOPEN_AFTER if mute else self._opened + SILENT_REOPEN_AFTER

    def _say(self, message: Message) -> None:
        self._actions.append(self.send(message))

    def _report(self, reading: Reading | None) -> None:
        if reading is not None:
            self._actions.append(Report(reading))

    def _answer(self, messages: list[Message], picture: TrayPicture | None) -> None:
        for message in messages:
            self._say(message)
        if picture is not None:
            self._actions.append(Show(picture))

    def _become(self, condition: TrayCondition) -> None:
        if condition != self._condition:
            self._condition = condition
            self._actions.append(Changed(condition))

    def _become_ready(self) -> None:
        if self._hello is not None and self._book is not None:
            unknown, ailing = self._book.unknown_kinds > 0, self._ailing.words(self._taught(), self._faults)
            places = PlaceBook() if self._teaching() else self._places  # one who teaches lays dice down, and looks on
            dark = self._scene is SceneCode.DARK
            seen = (
                self._hello,
                tuple(self._faults),
                unknown,
                places.untaught,
                ailing,
                places.unseen,
                self._stray,
                dark,
            )
            if seen != self._seen:  # it is asked with every tick
                self._seen = seen
                self._ready = ready(
                    self._hello,
                    self._faults,
                    unknown_dice=unknown,
                    untaught=places.untaught,
                    ailing=ailing,
                    unseen=places.unseen,
                    stray=self._stray,
                    dark=dark,
                )
            self._become(self._ready)

    def _end_greeting(self, now: float) -> None:
        if self._held:
            self._speak_plain()
        else:
            self._become(SILENT)
            self._ask_at = now

    def _speak_plain(self) -> None:
        self._become(PLAIN)
        for line, came in self._held:
            self._report(self._plain.tick(came))  # two throws during the greeting stay two
            self._report(self._plain.take(line, came))
        self._held.clear()

    def _ask(self, now: float) -> None:
        situation = self._condition.situation
        if situation in (Situation.READY, Situation.PLAIN) or now < self._ask_at:
            return
        self._say(HelloRequest(MAJOR, MINOR, self._nonce))
        if situation is Situation.GREETING:
            self._ask_at = now + GREETING_INTERVAL
        else:
            self._ask_at = now + self._asking_every
            self._asking_every = min(2 * self._asking_every, ASKING_SLOWEST)

    def _tend(self, now: float) -> None:
        """Everything else that only time brings about."""
        situation = self._condition.situation
        if situation in (Situation.MUTE, Situation.SILENT) and not self._asked_to_reopen and now >= self._reopen_at:
            self._asked_to_reopen = True
            self._actions.append(Reopen())
        self._report(self._plain.tick(now))
        for fault in [fault for fault, until in self._faults.items() if now >= until]:
            del self._faults[fault]
        if situation is not Situation.READY:
            return
        self._become_ready()
        book = self._book
        if book is not None and book.ask_at is not None and now >= book.ask_at:
            book.start_anew(now)
            self._places = PlaceBook()
            self._ask_anew(book, now)
        has_events = self._beat is not None and self._beat.last_event != 0
        if book is not None and self._anew.due(now, self._places.tagged, has_events=has_events):
            self._say(Snapshot(book.identity.boot_id))
        if self._pictures is not None:
            self._answer(*self._pictures.due(now))
        if now >= self._ping_at:
            self._ping = (self._sequence, now)
            self._ping_at = now + PING_INTERVAL
            self._say(Ping(self._sequence))

    def _ask_anew(self, book: RollBook, now: float) -> None:
        """Ask for everything that lies there; `_tend` asks again until it has come."""
        self._anew.sent(now, self._places.tagged)
        self._say(Snapshot(book.identity.boot_id))

    def _line(self, line: PlainLine, now: float) -> None:
        """Process a plain line, which counts once it is clear that nobody here speaks in frames."""
        situation = self._condition.situation
        if situation is Situation.PLAIN:
            self._report(self._plain.take(line, now))
        elif len(self._held) < MOST_HELD_LINES:
            self._held.append((line, now))
            if situation is Situation.SILENT:
                self._speak_plain()

    def _frame(self, frame: WireFrame, now: float) -> None:
        if frame.code < FROM_TRAY:
            self._echoes += 1
            return
        self._framed = True
        self._held.clear()
        self._heard = now
        if self._condition.situation is Situation.PLAIN:
            self._opened = self._ask_at = now
            self._plain.withdraw()
            self._become(GREETING)
        if frame.code == Hello.CODE and frame.payload[:1] not in (b"", bytes((MAJOR,))):
            self._refuse(frame.payload, now)
            return
        try:
            decoded = decode(frame)
        except MessageError:
            self._undersized += 1
            return
        self._trailing += decoded.trailing > 0
        message = decoded.message
        if isinstance(message, Unknown):
            self._unknown_types += 1
        elif isinstance(message, Hello):
            self._greeted(message, now)
        elif self._condition.situation in (Situation.READY, Situation.MUTE):
            self._heard_from(message, now)
        else:
            self._unasked += 1

    def _refuse(self, hello: bytes, now: float) -> None:
        self._book = None
        self._hello = None
        condition = incompatible(major=hello[0], minor=hello[1] if len(hello) > 1 else 0)
        if condition != self._condition:
            self._asking_every = _ASKING_FASTEST
            self._ask_at = now + self._asking_every
        self._become(condition)

    def _greeted(self, hello: Hello, now: float) -> None:
        if hello.nonce not in (0, self._nonce):
            self._unasked += 1
            return
        identity = TrayIdentity(hello.tray_id, hello.boot_id)
        book = self._book
        if book is None or replace(book.identity, again="") != identity:
            book = self._begin(identity, hello.uptime)
        elif self._start.heard(hello.uptime):
            book = self._begin_untold(identity, hello.uptime)
        self._hello, book.places = hello, hello.slots
        if self._stray is not None and self._stray < hello.slots:
            self._stray = None  # a reader that answers late
        if self._condition.situation is not Situation.READY:
            self._ping_at = now
        self._become_ready()
        if self._start.in_doubt:  # until it is clear which start this is, its dice are not asked for
            self._say(HelloRequest(MAJOR, MINOR, self._nonce))
        else:
            self._ask_anew(book, now)

    def _begin(self, identity: TrayIdentity, uptime: int) -> RollBook:
        """A start of a tray that this session has not met: nothing of an earlier one holds."""
        self._book = RollBook(identity, uptime)
        self._pictures, self._scene = PictureBook(self._book.identity, uptime), SceneCode.REST
        self._start = OneStart()
        self._start.heard(uptime)
        self._places, self._ailing = PlaceBook(), AilingDice()
        self._beat, self._stray = None, None
        self._levels, self._readers, self._felt = None, {}, []
        self._faults.clear()
        return self._book

    def _begin_untold(self, identity: TrayIdentity, uptime: int) -> RollBook:
        """The tray has started anew and goes by the boot id that it had: its readings need another name."""
        self._again += 1
        return self._begin(replace(identity, again=f".{self._start_id}.{self._again}"), uptime)

    def _heard_from(self, message: Message, now: float) -> None:
        """Process a message of a tray that has introduced itself."""
        if self._hello is None or self._book is None:
            self._unasked += 1
            return
        if self._condition.situation is Situation.MUTE:
            self._ask_anew(self._book, now)  # what was taught or lost meanwhile is sent again
        if isinstance(message, Die | Tag | Fault) and not self._has_place(message):
            self._refuse_place(message, self._book, now)
            return
        self._become_ready()
        self._take(message, self._book, now)

    def _take(self, message: Message, book: RollBook, now: float) -> None:
        if isinstance(message, (Die, RollEnd)):
            self._anew.heard()
            if isinstance(message, Die):
                self._places.die(message)
                self._ailing.take(message)
            self._say(Acknowledge(message.event))
            self._report(book.take(message, now))
        elif isinstance(message, Tag):
            self._places.tag(message)
            self._anew.heard(message.slot)
            self._say(answer_to(message.tag, self._taught()))
        elif isinstance(message, (PictureReady, Chunk, SceneSeen)) and self._pictures is not None:
            self._heard_of_pictures(message, self._pictures, now)
        else:
            self._heard_of_itself(message, book, now)

    def _heard_of_itself(self, message: Message, book: RollBook, now: float) -> None:
        """Process the tray's report on itself."""
        if isinstance(message, Beat):
            self._beaten(message, book, now)
        elif isinstance(message, Pong):
            if self._ping is not None and message.nonce == self._ping[0]:
                self._round_trip = now - self._ping[1]
                self._ping = None
        elif isinstance(message, Fault):
            self._faults[message.code, message.slot] = now + FAULT_LASTS
        elif isinstance(message, Levels):
            self._levels = message
            self._felt = [(at, piezo) for at, piezo in self._felt if now - at <= PEAK_LASTS]
            self._felt.append((now, message.piezo))
        elif isinstance(message, ReaderState) and message.slot < MOST_READERS:
            self._readers[message.slot] = message

    def _heard_of_pictures(self, message: PictureReady | Chunk | SceneSeen, pictures: PictureBook, now: float) -> None:
        """Process a message of a tray with a camera."""
        if isinstance(message, PictureReady):
            self._anew.heard()
            self._answer(*pictures.announced(message, now))
        elif isinstance(message, Chunk):
            self._answer(*pictures.came(message, now))
        else:
            self._scene = next((one for one in SceneCode if one == message.state), SceneCode.REST)

    def _beaten(self, beat: Beat, book: RollBook, now: float) -> None:
        was_in_doubt = self._start.in_doubt
        if self._start.heard(beat.uptime, beat.last_event):
            told, places = book.told, book.places
            book = self._begin_untold(replace(book.identity, again=""), beat.uptime)
            book.places = places
            book.told = told  # its first roll may have been taken for one of the earlier start
            self._ask_anew(book, now)
        elif self._start.in_doubt:
            self._say(HelloRequest(MAJOR, MINOR, self._nonce))
        elif was_in_doubt:
            self._ask_anew(book, now)
        self._beat = beat

    def _has_place(self, message: Die | Tag | Fault) -> bool:
        """Whether the tray has the place that it speaks of; a FAULT may be about the whole tray."""
        whole = isinstance(message, Fault) and message.slot == WHOLE_TRAY
        return whole or (self._hello is not None and message.slot < self._hello.slots)

    def _refuse_place(self, message: Die | Tag | Fault, book: RollBook, now: float) -> None:
        """Of what is told of a place that the tray does not have nothing is believed; a person is told of it.

        A die of such a place is one of its roll all the same, or the roll would never be complete: it is asked about.
        """
        self._beyond += 1
        self._stray = message.slot
        self._become_ready()
        if isinstance(message, Die):
            self._anew.heard()
            self._say(Acknowledge(message.event))
            self._report(book.take(message, now))
        elif isinstance(message, Tag):
            self._say(answer_to(message.tag, TaughtDice()))  # or it would be asked for ever


def dropped_by(beat: Beat) -> int:
    """The frames of the host that the tray had to drop, whatever was wrong with them."""
    return beat.bad_checksum + beat.overlong + beat.malformed + beat.short


FIRST_PATIENCE: Final = 1.0
"""Seconds after which an unanswered SNAPSHOT is sent again: a tray repeats TAG every 200-250 ms."""

DOUBLINGS: Final = 5
"""How often that time doubles: from 1 s to 32 s, at which it goes on while a tag is owed."""

MOST_IN_VAIN: Final = 5
"""Most requests to a silent tray: all its dice may have been taken away before."""


class AskedAnew:
    """The newest SNAPSHOT: what it has to bring, and when to send it again (`ask_at`; None while nothing is owed)."""

    def __init__(self) -> None:
        self.ask_at: float | None = None
        self._owed: set[int] = set()
        self._silent = False
        self._asked = 0

    def sent(self, now: float, tagged: Iterable[int]) -> None:
        """SNAPSHOT went out, while tags lay on the places `tagged`."""
        self._owed, self._silent, self._asked = set(tagged), True, 0
        self.ask_at = now + FIRST_PATIENCE

    def heard(self, tag_at: int | None = None) -> None:
        """An event has come, or the TAG of the place `tag_at`."""
        self._silent = False
        if tag_at is not None:
            self._owed.discard(tag_at)
        if not self._owed:
            self.ask_at = None

    def due(self, now: float, tagged: Iterable[int], *, has_events: bool) -> bool:
        """Whether SNAPSHOT is to be sent again now; `has_events` is what the tray's BEAT says."""
        if self.ask_at is None or now < self.ask_at:
            return False
        self._owed.intersection_update(tagged)  # a tag that has left is owed no more
        if not self._owed and not (self._silent and has_events and self._asked < MOST_IN_VAIN):
            self.ask_at = None
            return False
        self._asked += 1
        self.ask_at = now + FIRST_PATIENCE * 2.0 ** min(self._asked, DOUBLINGS)
        return True


_KNOWN: Final = DieFlag.BATTERY_LOW | DieFlag.SENSOR_FAULT
"""The flags that mean something here; others are a newer tray's."""


class AilingDice:
    """What each die said last of itself. A die that is taken away, or not told of, is still as it said."""

    def __init__(self) -> None:
        self._flags: dict[tuple[int, int | None], tuple[DieFlag, int]] = {}

    def take(self, die: Die) -> None:
        """Note the flags of `die`; without any it is well again."""
        key = (die.die_id, None if die.die_id else die.slot)
        flags = DieFlag(die.flags & _KNOWN)
        if flags:
            self._flags[key] = (flags, die.slot)
        else:
            self._flags.pop(key, None)

    def words(self, taught: TaughtDice, faults: Collection[tuple[int, int]] = ()) -> tuple[Phrase, ...]:
        """A sentence for each ailment; no die is to blame where a reader fails: `faults` as (code, slot) of FAULT."""
        said: list[Phrase] = []
        for (die_id, _), (flags, slot) in self._flags.items():
            name = _name(die_id, slot, taught)
            if DieFlag.BATTERY_LOW in flags:
                said.append(
                    say(
                        "The battery of {die} is low: charge or replace it soon. It is read until it is empty.",
                        die=name,
                    )
                )
            if DieFlag.SENSOR_FAULT in flags and (FaultCode.READER, slot) not in faults:
                said.append(say("The sensor of {die} fails: enter it by hand, or take another die.", die=name))
        return tuple(said)


def _name(die_id: int, slot: int, taught: TaughtDice) -> Fill:
    """What the die is called: as it was taught, else by its number, else by its place."""
    die = taught.die(die_id)
    if die is not None:
        return die.name
    if die_id:
        return say("die {number}", number=f"{die_id:08x}")
    return say("the die in place {place}", place=slot + 1)

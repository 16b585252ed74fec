"""Keeping one tray connected for ever: find its port, open it, talk, and begin again when it goes.

The loop runs in the supervisor's thread. An absent tray is a normal state, not a fault. A loss is logged
once, and its end once, however often the port is tried in between.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from threading import Event
from typing import Final, TypeVar

from firmware_bridge.actions import Action, Changed, Reopen, Report, Send, Show
from firmware_bridge.conversation import Direction, Link
from firmware_bridge.errors import NO_WORDS, AddressError, PortMissingError, TrayError
from firmware_bridge.held_rolls import HeldRolls
from firmware_bridge.messages import Capability, Ring
from firmware_bridge.onlookers import Onlookers
from firmware_bridge.pictures import TrayPicture
from firmware_bridge.session import TrayHealth, TraySession
from firmware_bridge.teaching import TrayPlace
from firmware_bridge.wording import Situation, TrayCondition, firmware_name, looks_alone
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, masked_address, say, sentences

LOOK_INTERVAL: Final = 0.5
"""Seconds between two looks for a port that is not there (half a millisecond of work each)."""

BACK_OFF_FIRST: Final = 0.5
"""Seconds before the second attempt at a port that is there but does not work; doubled with each further one."""

BACK_OFF_LAST: Final = 4.0
"""Seconds between two attempts at most. It leaves a second for the greeting: a tray is in use 5 s after it works."""

ANSWERS_WITHIN: Final = 1.5
"""Seconds that a tray has to answer the workshop's first query; it answers at once, and is queried twice a second."""

WATCHED: Final = 5.0
"""Seconds that somebody counts as looking at the workshop after each look of theirs."""

SENSE_INTERVAL: Final = 0.4
"""Seconds between two questions about sensors and readers meanwhile; the heartbeat sets the pace."""

LAMP_TEST: Final = 3.0
"""Seconds for which a test lights the lamps."""

WHITE: Final = Ring(1, 60, 60, 60)
"""All colours of all lamps, as brightly as a supply by USB bears."""

GLOW: Final = Ring(2, 0, 0, 24)
"""How the reference tray shines while nobody says otherwise."""

LONGEST_READ: Final = 1.0
"""Seconds after which a waiting read looks up, should nothing wake it."""

_LOG: Final = logging.getLogger(__name__)

NO_TRAY: Final = say("No dice tray is connected.")
"""The message while no tray is found and the settings name none."""

NO_TAGS: Final = say("A plain dice tray is connected. It reads no tags, so that no die can be taught on it.")
"""Why a plain tray cannot be used for teaching."""

ASKED: Final = say("The tray is being asked how it is.")
"""What is said in the workshop until the first answer is due."""

NO_ANSWER: Final = say("The tray does not tell how it is: its firmware answers no questions about sensors and readers.")
"""What is said in the workshop of a tray of 1.1 that does not know SENSE, which it need not."""

TOO_OLD: Final = say(
    "The tray does not tell how it is: its firmware speaks version 1.0 of the tray protocol, which has no such "
    "question."
)
"""What is said in the workshop of a tray of 1.0."""

NO_SENSORS: Final = say(
    "A tray with a camera alone has no readers to tell of. What its camera saw last is on the tray's page after a "
    "throw."
)
"""What is said in the workshop of a tray that looks with its camera alone."""

NO_QUESTIONS: Final = say("A plain dice tray sends its dice and nothing else: it cannot be asked how it is.")
"""What is said in the workshop of a plain tray."""

CAMERA_ALONE: Final = say("The dice tray looks with its camera. It reads no tags, so that no die can be taught on it.")
"""Why a tray with a camera cannot be used for teaching."""

WOULD_ADD: Final = say(
    "Plug one in and the dice thrown in it are read without a camera; until then nothing is missing."
)
"""What a tray would add to a table that has none."""

_Handed = TypeVar("_Handed")


@dataclass(frozen=True, slots=True)
class TrayFirmware:
    """What runs on the tray in use: its `version`, the `address` of the port, and whether the tray has a camera."""

    version: str
    address: str
    has_camera: bool


class ConnectionState(StrEnum):
    """What the loop is doing."""

    LOOKING = "looking"
    OPENING = "opening"
    TALKING = "talking"
    WAITING = "waiting"
    STOPPED = "stopped"


class Connection:
    """The loop over whichever port `find_ports` names first. `run` returns when `stopping` is set.

    `url` is what the settings name, for the words; None means that any tray is taken. Where `find_ports` finds more
    than one, the others are named beside the one in use. `places` is what lies on the tray, and `looked` is told of it
    after each look; `obstacle` is what keeps it from reading tags now, in words, `tagless` why it never will (of one
    that is away: as it was), `firmware` what runs on it, `untold` why `health` is None. All are replaced as a whole, so
    that any thread may look. `onlookers` gets a copy of every byte, `show` each picture of dice at rest.
    """

    def __init__(
        self,
        *,
        url: str | None,
        find_ports: Callable[[], list[str]],
        open_link: Callable[[str], Link],
        session: TraySession,
        held: HeldRolls,
        report: Callable[[Reading], None],
        tell: Callable[[SourceStatus], None],
        clock: Callable[[], float],
        stopping: Event,
        onlookers: Onlookers | None = None,
        show: Callable[[TrayPicture], None] = lambda _: None,
    ) -> None:
        self._url = url
        self._find_ports = find_ports
        self._open_link = open_link
        self._session = session
        self._held = held
        self._report = report
        self._show = show
        self._tell = tell
        self._clock = clock
        self._stopping = stopping
        self._link: Link | None = None
        self._told: SourceStatus | None = None
        self._was_ready = False
        self._is_lost = False
        self._back_off = BACK_OFF_FIRST
        self._taught_anew, self._greet_anew = Event(), Event()
        self._onlookers = onlookers or Onlookers()
        self._onlookers.greet = self.greet_anew
        self._others: list[str] = []
        self.places: tuple[TrayPlace, ...] = ()
        self.firmware: TrayFirmware | None = None
        self.health: TrayHealth | None = None
        self._watched_until = self._sense_at = self._watched_since = 0.0
        self._lamp_test, self._lamps_until = Event(), math.inf
        self.looked: Callable[[tuple[TrayPlace, ...]], None] = lambda _: None
        self.obstacle: Phrase = NO_TRAY
        self.tagless: Phrase = NO_WORDS
        self.state = ConnectionState.LOOKING

    def run(self) -> None:
        """Keep the tray connected until `stopping` is set."""
        while not self._stopping.is_set():
            try:
                self._once()
            except TrayError as error:
                self._trouble(error)
            except Exception as error:  # noqa: BLE001 - the loop must outlive anything that a port or a driver does
                self._unexpected(error)
        self.state = ConnectionState.STOPPED

    def wake(self) -> None:
        """Let a waiting loop see that `stopping` is set. May be called from any thread."""
        link = self._link
        if link is not None:
            link.wake()

    def taught_anew(self) -> None:
        """Make the tray ask again, because the taught dice changed. May be called from any thread."""
        self._taught_anew.set()
        self.wake()

    def greet_anew(self) -> None:
        """Make the tray introduce itself, for a new onlooker. May be called from any thread."""
        self._greet_anew.set()
        self.wake()

    def watch(self) -> None:
        """Somebody looks at `health` just now. May be called from any thread."""
        now = self._clock()
        if now >= self._watched_until:
            self._watched_since = now
        self._watched_until = now + WATCHED

    @property
    def has_lamps(self) -> bool:
        """Whether the tray is ready and has lamps to test."""
        return self._link is not None and self._session.has_lamps

    @property
    def untold(self) -> Phrase:
        """Why `health` is None, in words."""
        session, situation = self._session, self._session.condition.situation
        hello = session.hello
        if self._link is not None and situation is Situation.PLAIN:
            return NO_QUESTIONS
        if self._link is None or situation is not Situation.READY or hello is None:
            return self.obstacle
        if looks_alone(hello):
            return NO_SENSORS
        if hello.minor == 0:
            return TOO_OLD
        return ASKED if self._clock() - self._watched_since < ANSWERS_WITHIN else NO_ANSWER

    def test_lamps(self) -> None:
        """Let the lamps shine white for `LAMP_TEST` seconds. May be called from any thread."""
        self._lamp_test.set()
        self.wake()

    def _once(self) -> None:
        self.state = ConnectionState.LOOKING
        ports = self._find_ports()
        if not ports:
            named = self._url
            self._absent(
                NO_TRAY
                if named is None
                else say("No dice tray is connected as {address}.", address=masked_address(named))
            )
            self._wait(LOOK_INTERVAL)
            return
        address, *self._others = ports
        self.state = ConnectionState.OPENING
        try:
            link = self._open_link(address)
        except PortMissingError:
            self._absent(say("No dice tray is connected at {address}.", address=masked_address(address)))
            self._wait(LOOK_INTERVAL)
            return
        self._link = link
        try:
            self.state = ConnectionState.TALKING
            self._talk(link)
        finally:
            self._link = None
            self.places, self.firmware, self.health = (), None, None
            self._onlookers.closed()
            link.close()

    def _talk(self, link: Link) -> None:
        session, clock = self._session, self._clock
        actions = session.opened(clock())
        self._onlookers.opened(session.begins_with)
        go_on = self._do(link, actions)
        while go_on and not self._stopping.is_set():
            data = link.read(min(session.deadline - clock(), LONGEST_READ))
            now = clock()
            self._onlookers.passed(Direction.IN, data)
            actions = session.data_received(data, now) if data else session.tick(now)
            self._held.seen(
                *session.newest_die
            )  # before the places show it, so that no step of teaching can come earlier
            go_on = self._do(link, actions)
            if self._taught_anew.is_set():
                self._taught_anew.clear()
                go_on = self._do(link, session.taught_anew(clock())) and go_on
            if self._greet_anew.is_set():
                self._greet_anew.clear()
                go_on = self._do(link, session.greet_anew(clock())) and go_on
            go_on = self._look_after(link, clock()) and go_on
            self.places = session.places
            _hand_over(self.looked, self.places)

    def _look_after(self, link: Link, now: float) -> bool:
        """Handle what a person at the workshop waits for; whether the port is worth keeping open."""
        go_on = True
        if self._lamp_test.is_set():
            self._lamp_test.clear()
            self._lamps_until = now + LAMP_TEST
            go_on = self._do(link, [self._session.send(WHITE)])
        elif now >= self._lamps_until:
            self._lamps_until = math.inf
            go_on = self._do(link, [self._session.send(GLOW)])
        if now < self._watched_until and now >= self._sense_at:
            self._sense_at = now + SENSE_INTERVAL
            go_on = self._do(link, self._session.sense(now)) and go_on
        self.health = self._session.health if now < self._watched_until else None
        return go_on

    def _do(self, link: Link, actions: list[Action]) -> bool:
        """Carry out `actions`; whether the port is worth keeping open."""
        go_on = True
        for action in actions:
            if isinstance(action, Report) and not self._held.holds(action.reading):
                _hand_over(self._report, action.reading)
            elif isinstance(action, Show):
                _hand_over(self._show, action.picture)
            elif isinstance(action, Changed):
                self._changed(action.condition, link)
            elif isinstance(action, Reopen):
                go_on = False
        # Sent last: a port that dies under the acknowledgement of a roll must not take the roll with it.
        outgoing = b"".join(action.data for action in actions if isinstance(action, Send))
        if outgoing:
            link.write(outgoing)
            self._onlookers.passed(Direction.OUT, outgoing)
        return go_on

    def _changed(self, condition: TrayCondition, link: Link) -> None:
        if condition.situation is Situation.GREETING and self._is_lost:
            return  # an open port is no tray yet: it stays lost until it answers
        address, hello = str(getattr(link, "address", "")), self._session.hello
        if condition.situation is Situation.READY and hello is not None:  # also where no reader of it answers
            has_camera = bool(hello.capabilities & Capability.PICTURES)
            self.firmware = TrayFirmware(firmware_name(hello), address, has_camera=has_camera)
        if condition.state is SourceState.READY:
            self._ready(condition, address)
        elif condition.state is SourceState.STARTING:
            self._say(condition.state, condition.what)
        else:
            self._loss(condition.state, condition.what, condition.remedy, condition)

    def _ready(self, condition: TrayCondition, address: str) -> None:
        self._back_off = BACK_OFF_FIRST
        choice = _choice(self._others)
        remedy = sentences(condition.remedy, choice)
        if self._is_lost and self._was_ready:
            _LOG.info("The dice tray is back at %s. %s", address, condition.what)
        elif not self._was_ready:
            _LOG.info("%s It is at %s. %s", condition.what, address, choice)
        self._was_ready, self._is_lost = True, False
        self.obstacle = self.tagless = self._no_tags(condition)
        self._say(SourceState.READY, condition.what, remedy, self._detail(condition, address), condition)

    def _no_tags(self, condition: TrayCondition) -> Phrase:
        """What keeps a tray that is ready from reading tags; empty where nothing does."""
        hello = self._session.hello
        if condition.situation is Situation.PLAIN:
            return NO_TAGS
        return CAMERA_ALONE if hello is not None and looks_alone(hello) else NO_WORDS

    def _detail(self, condition: TrayCondition, address: str) -> dict[str, str]:
        hello = self._session.hello if condition.situation is Situation.READY else None
        detail = {"address": address}
        if hello is not None:
            detail |= {"tray": f"{hello.tray_id:08x}", "protocol": f"{hello.major}.{hello.minor}"}
            detail |= {"camera": "yes"} if hello.capabilities & Capability.PICTURES else {}
        return detail

    def _absent(self, what: Phrase) -> None:
        self._back_off = BACK_OFF_FIRST
        if self._was_ready:
            self._loss(
                SourceState.LOST,
                say("The dice tray was unplugged."),
                say("Plug it in again; trueroll reconnects by itself. Until then enter dice by hand."),
            )
            return
        if self._told is None:
            _LOG.info("%s %s", what, WOULD_ADD)
        self._say(SourceState.ABSENT, what, WOULD_ADD)

    def _trouble(self, error: TrayError) -> None:
        """Report a port that does not work, or stopped working."""
        if isinstance(error, AddressError):
            self._loss(SourceState.OFF, error.what, error.remedy)
            self._wait(math.inf)  # no waiting makes a wrong address right
            return
        self._loss(SourceState.LOST, error.what, error.remedy)
        self._back_off_once()

    def _unexpected(self, error: Exception) -> None:
        """Something that no port should do: its traceback goes to the log once, its words to the table."""
        _LOG.log(
            logging.DEBUG if self._is_lost else logging.ERROR,
            "The dice tray's port did the unexpected",
            exc_info=error,
        )
        self._is_lost = True
        self._say(
            SourceState.LOST,
            say("The dice tray's port cannot be used ({reason}).", reason=str(error) or type(error).__name__),
            say("Unplug the tray and plug it in again; trueroll tries again by itself. Until then enter dice by hand."),
        )
        self._back_off_once()

    def _back_off_once(self) -> None:
        self._wait(self._back_off)
        self._back_off = min(2 * self._back_off, BACK_OFF_LAST)

    def _loss(self, state: SourceState, what: Phrase, remedy: Phrase, condition: TrayCondition | None = None) -> None:
        newly_refused = state is SourceState.INCOMPATIBLE and (self._told is None or self._told.state is not state)
        if not self._is_lost or newly_refused:
            _LOG.warning("%s %s", what, remedy)
        self._is_lost = True
        self._say(state, what, remedy, condition=condition)

    def _say(
        self,
        state: SourceState,
        what: Phrase,
        remedy: Phrase = NO_WORDS,
        detail: dict[str, str] | None = None,
        condition: TrayCondition | None = None,
    ) -> None:
        notice, faulty = (condition.notice, condition.faulty) if condition is not None else (NO_WORDS, False)
        status = SourceStatus(SourceKind.TRAY, state, what, remedy, detail or {}, notice, faulty)
        if state is not SourceState.READY:
            self.obstacle = sentences(what, remedy)
        if status != self._told:
            self._told = status
            _hand_over(self._tell, status)

    def _wait(self, seconds: float) -> None:
        self.state = ConnectionState.WAITING
        self._stopping.wait(None if math.isinf(seconds) else seconds)


def _choice(others: list[str]) -> Phrase:
    """The words about `others` that were found beside the tray in use; empty if there are none."""
    if not others:
        return NO_WORDS
    return say(
        "Another tray is at {address}; it is not used. To choose, name one as tray.url in the settings.",
        address=", ".join(masked_address(one) for one in others),
    )


def _hand_over(listener: Callable[[_Handed], None], what: _Handed) -> None:
    """Call `listener`; its mistakes are logged and cost the tray nothing."""
    try:
        listener(what)
    except Exception:  # noqa: BLE001 - whatever the listener did
        _LOG.exception("A listener of the dice tray failed.")

"""A kiosk without hardware, disk or sound: the real parts, on a journal in memory and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Self, cast

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from kiosk.config import load_config
from kiosk.devices.camera_switch import SwitchedCamera
from kiosk.devices.phone_pictures import PhonePictures
from kiosk.devices.tray_desk import TrayDesk
from kiosk.engine import Engine
from kiosk.errors import ServerError
from kiosk.hub import Hub
from kiosk.i18n.languages import Languages
from kiosk.i18n.room import Room
from kiosk.panel.spoken_places import Gesture
from kiosk.ports import SILENT, USUAL, Demo, Journal, Length, Manner, Sounds
from kiosk.sources import Sources
from kiosk.storage.persons import Persons
from kiosk.storage.wire import JsonEncoder
from kiosk.views.hidden import HiddenDesk
from kiosk.views.screen import ScreenKeeper
from kiosk.views.view import Views
from kiosk.web.access import Access, Secrets
from kiosk.web.app import create_app
from kiosk.web.live_parts import LivePartsOf
from kiosk.web.network import Network
from kiosk.web.services import Services
from rules.deciding.telling import Narration
from tests.kiosk.memory_journal import MemoryJournal

TABLE_CODE = "CDFGHJ"
GAMEMASTER_CODE = "CDFGHJKM"
HEADERS = {"X-Trueroll": "1"}
PHONE = {"REMOTE_ADDR": "192.168.1.20"}
LANGUAGES = Languages()
"""The kiosk's own, each file read once for all desks."""


class Compiled(BytecodeCache):
    """Templates as Jinja compiled them for the first desk that showed them: every desk's are the same."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()


class Lent:
    """The services of the desk whose application it is just now."""

    now: Services

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever services have
        return getattr(self.now, name)


FREE: list[tuple[Flask, Lent]] = []
"""Applications of desks that are closed: to make one, with its hundreds of routes, costs as much as many requests."""


def application(services: Services) -> tuple[Flask, Lent]:
    """One that serves these, as `create_app` makes it."""
    made, lent = FREE.pop() if FREE else (None, Lent())
    lent.now = services
    if made is None:
        made = create_app(cast("Services", lent))
        made.jinja_env.bytecode_cache = COMPILED
    made.extensions["trueroll"] = services
    services.hub.parts = LivePartsOf(made, services)
    return made, lent


@dataclass
class StillClock:
    """Time that moves only when told."""

    wall: float = 1_700_000_000.0
    ticks: float = 100.0

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.ticks


@dataclass
class SilentVoice:
    """A voice that keeps what it was asked to say."""

    available: bool = True
    muted: bool = False
    length: Length = "normal"
    manner: Manner = USUAL
    said: list[Narration] = field(default_factory=list)
    sounds: list[Sounds] = field(default_factory=list)
    answers: list[Narration] = field(default_factory=list)
    repeats: int = 0
    repeated_in_full: bool = False
    repeated: Narration | None = None
    begun: Callable[[Narration], None] = lambda _: None
    prompts: list[tuple[Narration, bool]] = field(default_factory=list)

    def say(self, narration: Narration, sounds: Sounds = SILENT) -> None:
        self.said.append(narration)
        self.sounds.append(sounds)

    @property
    def speaks(self) -> bool:
        return self.available and not self.muted

    def tell_when_begun(self, listener: Callable[[Narration], None]) -> None:
        self.begun = listener

    def repeat(self, words: Narration | None = None, *, full: bool = False) -> None:
        self.repeats += 1
        self.repeated = words
        self.repeated_in_full = full

    def ask(self, words: Narration) -> None:
        self.answers.append(words)

    def prompt(self, words: Narration, *, at_once: bool) -> None:
        self.prompts.append((words, at_once))

    def wav(self, text: str, manner: Manner = USUAL, language: str = "en") -> bytes | None:
        return b"RIFF" + f"{text} {language} {manner}".encode() if self.available else None

    def stop(self) -> None:
        self.available = False


@dataclass
class Door:
    """What a web server listens on besides; `refuses` with words where the port cannot be had."""

    hosts: list[str] = field(default_factory=list)
    refuses: str = ""

    def open_to(self, host: str) -> None:
        if self.refuses:
            raise ServerError(self.refuses)
        self.hosts = [host]

    def close_beside(self) -> None:
        self.hosts = []


class Desk:
    """The parts put together; use it as a context manager."""

    def __init__(
        self,
        *,
        journal: Journal | None = None,
        config: Path | None = None,
        settings: dict[str, object] | None = None,
        demo: Demo | None = None,
        sources: Sources | None = None,
        tray: TrayDesk | None = None,
        camera: SwitchedCamera | None = None,
        phones: PhonePictures | None = None,
        most_subscribers: int | None = None,
        room: Room | None = None,
    ) -> None:
        self.clock = StillClock()
        self.config = load_config(config, settings)
        self.journal = journal or MemoryJournal(self.clock)
        self.voice = SilentVoice()
        self.sources = sources or Sources()
        self.engine = Engine(self.journal)
        self.screen = ScreenKeeper(self.config.display)
        self.room = room or Room(LANGUAGES, self.config.language.room)
        self.persons = Persons()
        self.views = Views(
            self.engine,
            self.voice,
            self.sources,
            self.screen,
            demo=demo is not None,
            room=self.room,
            persons=self.persons,
            door=lambda: (self.access.open_to_network, self.access.table_code, self.access.locks),
        )
        self.hub = Hub(self.journal, self.views.json, JsonEncoder(), most=most_subscribers, heartbeat=0.05)
        self.engine.listen(self.hub.publish)
        self.sources.listen(self.hub.publish_source)
        self.persons.listen(self.hub.publish_table)
        self.access = Access(
            Secrets("a secret of the tests", TABLE_CODE, GAMEMASTER_CODE),
            self.clock,
            host=self.config.host,
            open_to_network=self.config.server.open_to_network,
            trust_this_machine=self.config.access.trust_this_machine,
            wrong_codes_per_minute=self.config.access.wrong_codes_per_minute,
            names=self.config.server.names,
            address=self.config.server.address,
            persons=self.persons,
        )
        self.access.when_locked(self.hub.publish_table)
        self.door = Door()
        self.network = Network(self.config, self.access, self.sources, changed=self.hub.publish_table)
        self.network.serve(self.door)
        self.hidden = HiddenDesk(self.engine, clock=self.clock)
        self.hidden.listen(self.hub.publish_hidden)
        self.pressed: list[Gesture] = []
        self._applications: list[tuple[Flask, Lent]] = []
        self.services = Services(
            engine=self.engine,
            hub=self.hub,
            voice=self.voice,
            access=self.access,
            network=self.network,
            config=self.config,
            sources=self.sources,
            screen=self.screen,
            views=self.views,
            room=self.room,
            tray=tray or TrayDesk(),
            demo=demo,
            hidden=self.hidden,
            camera=camera,
            phone_pictures=phones,
        )
        self.services.choosing.follow(self.hub)
        self.engine.listen(self.services.choosing.decided)

    def __enter__(self) -> Self:
        self.services.keys.connect(lambda gesture, _: self.pressed.append(gesture))
        self.engine.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.stop()
        self.services.choosing.close()
        self.hub.close()
        self.journal.close()
        FREE.extend(self._applications)
        self._applications.clear()

    @property
    def app(self) -> Flask:
        self._applications.append(application(self.services))
        return self._applications[-1][0]

    def client(self) -> FlaskClient:
        return self.app.test_client()


def post(client: FlaskClient, path: str, body: object, **more: Any) -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - what the client takes
    """POST JSON as our own pages do; the answer's status and JSON."""
    answer = client.post(path, json=body, headers=HEADERS, **more)
    found: dict[str, Any] = answer.get_json(force=True)
    return answer.status_code, found


def send(client: FlaskClient, command: str, **fields: object) -> dict[str, Any]:
    """Send a command that has to be accepted; the answer."""
    status, body = post(client, "/api/v1/commands", {"command": command, **fields})
    assert status == 200, body
    return body


def got(client: FlaskClient, path: str) -> dict[str, Any]:
    """The JSON object at `path`."""
    found: dict[str, Any] = client.get(path).get_json(force=True)
    return found

"""The one place that knows every folder: settings in, a running kiosk out.

Each source, the voice and the panel are put together on their own; one that is missing or broken costs that one thing
and is named once, with what it would add.
"""

from __future__ import annotations

import functools
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from firmware_bridge.taught import FILE_NAME as TAUGHT_NAME
from firmware_bridge.taught_file import TaughtFile
from hardware.board import read_board
from hardware.board_watch import TroubleNews
from kiosk.clock import SystemClock
from kiosk.config import Config
from kiosk.devices.backup_stick import BackupKeeper
from kiosk.devices.bluetooth_desk import FILE_NAME as BLUETOOTH_NAME
from kiosk.devices.bluetooth_desk import BluetoothDesk
from kiosk.devices.board_keeper import BoardKeeper
from kiosk.devices.camera_desk import CameraDesk
from kiosk.devices.camera_switch import FILE_NAME as STOPPED_NAME
from kiosk.devices.camera_switch import StopMark, SwitchedCamera
from kiosk.devices.demo import FIELD_OF_VIEW, DemoStage, rendered_camera, simulated_tray
from kiosk.devices.lessons import Learner, Lessons
from kiosk.devices.phone_pictures import PhonePictures
from kiosk.devices.plugged import MODULE, USB_CAMERAS, has_camera_module, usb_cameras
from kiosk.devices.second_view import SecondView
from kiosk.devices.teaching_file import FILE_NAME as TEACHING_NAME
from kiosk.devices.teaching_file import TeachingFile
from kiosk.devices.tray_desk import TrayDesk
from kiosk.engine import Committed, Engine
from kiosk.errors import JournalError, ServerError
from kiosk.hub import Hub
from kiosk.i18n.languages import Languages
from kiosk.i18n.room import Room
from kiosk.losses import (
    files_in_play,
    keep_the_rest,
    tell_damage,
    tell_files,
    tell_folder,
    tell_mounted,
    tell_second_copy,
    tell_trouble,
)
from kiosk.panel.link import PanelLink
from kiosk.panel.part import PanelPart, linked_without_panel, open_part
from kiosk.ports import Clock, DiceSource, SourceView, Voice
from kiosk.sources import Sources
from kiosk.speech.earcons import sounds_of
from kiosk.speech.voice import QueuedVoice
from kiosk.speech.voice_gate import VoiceGate
from kiosk.speech.voice_part import open_voice
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.damage_words import (
    altered_words,
    index_words,
)
from kiosk.storage.folder import HeldFolder, begun_words
from kiosk.storage.house_file import PART as HOUSE_TABLES
from kiosk.storage.house_file import adopt
from kiosk.storage.journal_names import IN_MEMORY, RESCUED, journals_beside
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.paths import JOURNAL_NAME
from kiosk.storage.persons import FILE_NAME as PERSONS_NAME
from kiosk.storage.persons import Persons
from kiosk.storage.preferences import FILE_NAME as PREFERENCES_NAME
from kiosk.storage.preferences import PreferencesFile
from kiosk.storage.start_files import StartFiles
from kiosk.storage.told_once import FILE_NAME as TOLD_NAME
from kiosk.storage.told_once import ToldOnce
from kiosk.storage.unfailing import (
    Opener,
    UnfailingJournal,
    open_unfailing,
    rescued_elsewhere,
)
from kiosk.storage.wire import JsonEncoder
from kiosk.views.hidden import FILE_NAME as HIDDEN_NAME
from kiosk.views.hidden import HiddenDesk
from kiosk.views.screen import ScreenKeeper
from kiosk.views.view import Views
from kiosk.web.access import PROXY, Access, keep_secrets, load_secrets
from kiosk.web.app import create_app
from kiosk.web.choosing import Choosing
from kiosk.web.network import Network
from kiosk.web.probe import WebProbe
from kiosk.web.server import WebServer
from kiosk.web.services import Services
from rules.dice import SourceKind, SourceState
from rules.game import Narration, NarrationKind
from rules.words import Phrase, known, say, sentences
from vision.errors import BLIND_WORDS, MOVED, MOVED_CALIBRATED, READING, SEES_AGAIN

if TYPE_CHECKING:
    from kiosk.devices.trays import Trays
    from vision.desk.snapshots import Snapshots
    from vision.desk.tray_pictures import TrayPictures
    from vision.desk.workbench import Workbench

log = logging.getLogger(__name__)

AUTO: Final = "auto"
"""The setting of a source with which the kiosk finds one by itself."""
OFF: Final = "off"
"""The setting with which a source is not used."""


BY_HAND: Final = say("Dice can be entered by hand.")
"""The advice for a missing source."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A source, or the reason why it could not be made."""

    source: DiceSource | None
    state: SourceState = SourceState.STARTING
    what: str = ""
    remedy: str = ""


class Kiosk:
    """A whole kiosk, made by `build`. `start` opens its pages and sources, `stop` ends everything; twice is fine."""

    def __init__(
        self,
        config: Config,
        services: Services,
        journal: UnfailingJournal,
        folder: HeldFolder,
        *,
        told: ToldOnce,
        views: SecondView | None,
        board: BoardKeeper,
        end_rest: Callable[[], None],
    ) -> None:
        """Take the parts; `views` joins the two cameras' views, `end_rest` ends what no part ends."""
        self._files = files_in_play(services, folder.path)
        self._board = board
        self._told = told
        self._views = views
        self.config = config
        self.services = services
        self._journal = journal
        self._folder = folder
        self._end_rest = end_rest
        self._panel: PanelPart | None = None
        self._keys: PanelLink | None = None
        self._reading: threading.Thread | None = None
        self._looking: threading.Thread | None = None
        self._server: WebServer | None = None
        self._probe: WebProbe | None = None
        self._stopped = False
        self._closed = False

    @property
    def port(self) -> int:
        """The port that the pages are on; the setting before `start`."""
        return self._server.port if self._server is not None else self.config.server.port

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the pages."""
        host = self.config.host if self.config.host not in {"0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104  # any address
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def join_address(self) -> str | None:
        """Where phones join, with the table code; None while the kiosk is not open to the network."""
        access = self.services.access
        return access.join_address(self.port) if access.open_to_network else None

    @property
    def alive(self) -> bool:
        """Whether decisions are still taken and pages served; for the watchdog."""
        return self.services.engine.progresses() and (self._probe is None or self._probe.answered)

    def all_is_kept(self) -> bool:
        """Whether everything decided is on a disk, or never will be, so that it may end at once. From any thread."""
        return self._closed or self._journal.all_is_kept()

    def start(self, listening: socket.socket | None = None) -> None:
        """Serve the pages, on `listening` where that is given, then start the sources.

        Raises `ServerError` where the pages cannot be served.
        """
        services = self.services
        services.engine.listen(lambda _: tell_second_copy(services.sources, self._journal))
        services.engine.when_looked(self._look_at_files)
        services.engine.start()
        house = adopt(self.config, services.engine)
        if house is not None:
            services.sources.set(HOUSE_TABLES, house.state, house.what, house.remedy)
        try:
            self._server = WebServer(
                create_app(services),
                self.config.host,
                self.config.server.port,
                listening,
                admits=services.admits,
                knows=services.knows,
                sender=services.access.sender,
                full=lambda caller: services.hub.full(caller.place, caller.who),
            )
        except ServerError:
            self.stop()
            raise
        self._server.start()
        self._probe = WebProbe(self._server.own_line)
        self._probe.start()
        services.network.serve(self._server)
        self._folder.announce(self.address)
        self._panel = open_part(self.config, services)
        self._keys = self._panel.link if self._panel is not None else linked_without_panel(services)
        services.keys.connect(self._keys.gesture)
        services.sources.start(self._views.report if self._views is not None else services.engine.report)
        if services.backups is not None:
            services.backups.start()
        self._board.start()
        self._reading = services.room.languages.warm(services.room.chosen)
        self._looking = threading.Thread(target=self._look_back, name="older decisions", daemon=True)
        self._looking.start()

    def _look_at_files(self) -> None:
        """Report the second copy's state, and mend damage by other programs to the files beside the journal."""
        services = self.services
        tell_second_copy(services.sources, self._journal)
        tell_mounted(services.sources, self._folder.path)
        services.tray.file.refresh()
        if self._journal.trouble is None:  # otherwise the place may not be the folder's, and nothing is written
            with suppress(JournalError, OSError):
                self._folder.look()
            self._files.look()

    def _look_back(self) -> None:
        """Report what the start did not look at: damaged indexes, and altered older decisions."""
        with suppress(JournalError):
            if self._journal.mend_indexes():
                self.services.sources.set("journal", SourceState.LOST, *self._with_told(index_words()))
        with suppress(JournalError):
            found = self._journal.older_altered()
            if altered := self._told.news(found):
                self.services.sources.set(
                    "journal", SourceState.LOST, *altered_words(altered, found, self._journal, self._told.behind)
                )

    def _with_told(self, words: tuple[Phrase, Phrase]) -> tuple[Phrase, Phrase]:
        """The words behind what is told of the journal already, with what to do about that."""
        view = self.services.sources.view("journal")
        if view is None or view.state != SourceState.LOST:
            return words
        return sentences(known(view.what), words[0]), known(view.remedy)

    def stop(self) -> None:
        """Stop the sources, finish the decision in progress, close the journal, then stop everything else."""
        if self._stopped:
            return
        self._stopped = True
        services = self.services
        if services.backups is not None:
            services.backups.stop()
        self._board.stop()
        services.sources.stop()
        if self._views is not None:
            self._views.stop()
        self._end_rest()
        if self._panel is not None:
            self._panel.stop()
        elif self._keys is not None:
            self._keys.stop()
        services.engine.stop()
        self._journal.close()  # now: the engine writes no more of what waits, and each part that follows may hang
        self._closed = True
        services.voice.stop()
        services.choosing.close()
        services.hub.close()
        if self._probe is not None:
            self._probe.stop()
        if self._server is not None:
            self._server.stop()
        if self._reading is not None:
            self._reading.join()
        if self._looking is not None:
            self._looking.join()  # it ends at its next page, as the journal is closed
        self._folder.release()


def _choosing(clock: Clock, hub: Hub, engine: Engine) -> Choosing:
    """Who is choosing a Task, told to live pages, and forgotten by their declaration."""
    choosing = Choosing(clock)
    choosing.follow(hub)
    engine.listen(choosing.decided)
    return choosing


def build(
    config: Config,
    data_dir: Path,
    demo: bool = False,  # noqa: FBT001, FBT002  # the one choice there is
    *,
    clock: Clock | None = None,
    journal: Opener = open_kept_twice,
    second_view: Callable[..., SecondView] = SecondView,
) -> Kiosk:
    """Put a kiosk together; nothing runs or listens before `Kiosk.start`. `second_view` makes the joining of two views.

    Raises `KioskError` where the data folder or the journal cannot be used.
    """
    ticking = clock or SystemClock()
    folder = HeldFolder(data_dir, or_wait=True)
    files_told: list[Phrase] = []
    kept = load_secrets(data_dir, files_told.append)
    begun, book = _journal(folder, ticking, journal)
    stage = DemoStage() if demo else None

    def dice_wanted() -> bool:
        table = engine.present().table
        return table.request is not None and table.held is None

    eyes = CameraDesk()
    camera = functools.partial(
        _camera,
        config,
        stage,
        wanted=dice_wanted,
        mark=StopMark(data_dir / STOPPED_NAME),
        desk=eyes,
        data_dir=data_dir,
    )
    desk = TrayDesk(
        TaughtFile(data_dir / TAUGHT_NAME), under_way=TeachingFile(data_dir / TEACHING_NAME, files_told.append)
    )
    desk.load()
    pictures = functools.partial(_tray_pictures, eyes, config, data_dir)
    parts = {
        SourceKind.CAMERA: _guarded(SourceKind.CAMERA, config.camera.source, camera),
        SourceKind.TRAY: _guarded(
            SourceKind.TRAY, config.tray.url, functools.partial(_tray, config, stage, desk, pictures)
        ),
    }
    phones = PhonePictures(functools.partial(_snapshots, eyes, config, data_dir))
    bluetooth = BluetoothDesk(data_dir / BLUETOOTH_NAME, files_told.append)
    sources = _sources(parts, bluetooth.source, phones)
    eyes.tell_damage(sources)
    _tell_taught(sources, desk)
    desk.file.listen(lambda: _tell_taught(sources, desk))
    desk.tell = lambda what, remedy: sources.set("teaching", SourceState.READY, what, remedy)
    desk.resume()
    engine = Engine(
        book,
        trouble=lambda why: tell_trouble(sources, voice, damage, why),
        checkpoints=CheckpointFile(data_dir / CHECKPOINT_NAME),
    )
    told = ToldOnce(data_dir / TOLD_NAME)
    damage = tell_damage(*(sources, book, told, engine), data_dir / JOURNAL_NAME)
    preferences = PreferencesFile(data_dir / PREFERENCES_NAME, files_told.append)
    beside = (config.path.parent,) if config.path is not None else ()
    room = Room(Languages(own=(*beside, data_dir)), config.language.room, preferences)
    screen = ScreenKeeper(config.display, preferences)
    voice = open_voice(config, sources, preferences, room)
    if (said := engine.present().said) is not None:
        voice.remember(said.narration)
    persons = Persons(data_dir / PERSONS_NAME, tell=files_told.append)
    access = Access(
        kept,
        ticking,
        host=config.host,
        open_to_network=config.server.open_to_network,
        trust_this_machine=config.access.trust_this_machine,
        wrong_codes_per_minute=config.access.wrong_codes_per_minute,
        names=config.server.names,
        address=config.server.address,
        persons=persons,
        keep=functools.partial(keep_secrets, data_dir),
        noticed=lambda: _tell_proxy(sources),
    )
    views = Views(
        *(engine, voice, sources, screen),
        demo=demo,
        room=room,
        persons=persons,
        door=lambda: (access.open_to_network, access.table_code, access.locks),
    )
    hub = Hub(book, views.json, JsonEncoder())
    gate = VoiceGate(engine.present(), hub.publish, wanted=lambda: screen.now.wait_for_voice and voice.speaks)
    voice.tell_when_begun(gate.began)
    views.gate = gate
    engine.listen(functools.partial(_tell, gate, voice, hub))
    engine.when_kept_again(functools.partial(keep_the_rest, data_dir, access, preferences, persons))
    _tell_of_camera(_CameraAloud(voice, dice_wanted), sources, engine)
    hidden = HiddenDesk(engine, data_dir / HIDDEN_NAME, tell=files_told.append, clock=ticking)
    tell_files(sources, files_told)
    tell_folder(sources, data_dir, begun)
    _tell_pages(hub, sources, hidden, persons, access)
    engine.listen(lambda committed: persons.heard(committed.decision.person))
    services = Services(
        engine=engine,
        hub=hub,
        voice=voice,
        access=access,
        network=Network(config, access, sources, preferences, hub.publish_table),
        config=config,
        sources=sources,
        screen=screen,
        views=views,
        room=room,
        demo=stage,
        tray=desk,
        bluetooth=bluetooth,
        camera_desk=eyes,
        preferences=preferences,
        hidden=hidden,
        camera=_switch(parts[SourceKind.CAMERA]),
        phone_pictures=phones,
        begun=begun,
        choosing=_choosing(ticking, hub, engine),
        backups=BackupKeeper(data_dir, ticking, functools.partial(sources.set, "backup"), copy_journal=book.copy_to),
    )
    return Kiosk(
        *(config, services, book, folder),
        told=told,
        views=(
            _both_views(second_view, parts[SourceKind.TRAY].source, sources, engine)
            if config.tray.second_view
            else None
        ),
        board=BoardKeeper(functools.partial(read_board, data_dir), functools.partial(_tell_board, sources, voice)),
        end_rest=stage.stop if stage is not None else _lessons(engine, eyes.bench, sources),
    )


def _sources(parts: Mapping[SourceKind, _Part], *others: DiceSource) -> Sources:
    """All sources, or the reason for a missing one."""
    sources = Sources((*(part.source for part in parts.values() if part.source is not None), *others))
    for kind, part in parts.items():
        if part.source is None:
            sources.set(kind.value, part.state, part.what, part.remedy)
        else:
            sources.expect(kind)
    return sources


def _guarded(kind: SourceKind, named: str, make: Callable[[], _Part]) -> _Part:
    """A source, or the reason why there is none, in words: a broken library may fail in any way at import.

    `named` is its setting. Only a source named in the settings counts as lost when it is absent.
    """
    try:
        return make()
    except Exception as error:
        log.debug("the %s cannot be used", kind, exc_info=True)
        remedy = sentences(BY_HAND, say("To mend it, run make install, then trueroll doctor."))
        what = say("The {source} cannot be used: {error}.", source=kind, error=str(error).rstrip("."))
        return _Part(None, SourceState.ABSENT if named == AUTO else SourceState.LOST, what, remedy)


def _switch(part: _Part) -> SwitchedCamera | None:
    return part.source if isinstance(part.source, SwitchedCamera) else None


def _camera(
    config: Config,
    stage: DemoStage | None,
    *,
    wanted: Callable[[], bool],
    mark: StopMark,
    desk: CameraDesk,
    data_dir: Path,
) -> _Part:
    named = config.camera.source
    if named == OFF:
        return _Part(None, SourceState.OFF, say("The camera is switched off, in the settings or at the start."))
    from vision.desk.workbench import Workbench  # noqa: PLC0415 - likewise
    from vision.read.reader import load_reader  # noqa: PLC0415  # a broken camera library costs the camera alone
    from vision.watch.watcher import Watcher  # noqa: PLC0415 - likewise

    rendered = stage if named == AUTO else None
    # A 1 or 2 counts the same on a d6 and on a Challenge Die (CD-1): nobody need be asked which of them it is.
    reader = load_reader(hfov=_hfov(config) if rendered is None else FIELD_OF_VIEW)
    bench = Workbench(reader, data_dir)
    desk.take_up(bench)

    def made() -> DiceSource:
        start_id = secrets.token_hex(4)
        if rendered is not None:
            return bench.attend(Watcher(rendered_camera(rendered), reader=reader, start_id=start_id))
        source = find_camera() if named == AUTO else named
        expected = named != AUTO  # one that nobody named is missed by nobody
        return bench.attend(
            Watcher(
                source,
                reader=reader,
                start_id=start_id,
                wanted=wanted,
                expected=expected,
                calibrated=lambda: bench.calibrated_place,
                views=bench,
            )
        )

    return _Part(SwitchedCamera(made, stopped=mark.stopped, keep=mark.keep))


def _snapshots(desk: CameraDesk, config: Config, data_dir: Path) -> Snapshots:
    """The reader of phones' pictures."""
    return _bench(desk, config, data_dir).snapshots()


def _tray_pictures(desk: CameraDesk, config: Config, data_dir: Path) -> TrayPictures:
    """The reader of the pictures of a tray with a camera."""
    return _bench(desk, config, data_dir).tray_pictures()


def _bench(desk: CameraDesk, config: Config, data_dir: Path) -> Workbench:
    """The camera's reader with the taught dice; without a camera, a reader that is loaded now."""
    if desk.bench is not None:
        return desk.bench
    from vision.desk.workbench import Workbench  # noqa: PLC0415 - likewise
    from vision.read.reader import load_reader  # noqa: PLC0415  # a kiosk without a camera loads it when it is wanted

    bench = Workbench(load_reader(hfov=_hfov(config)), data_dir)
    bench.load()  # damaged files are skipped: `doctor` reports them
    return bench


def _hfov(config: Config) -> float | None:
    """The field of view that the owner says the camera has; None leaves it to what the camera tells."""
    said = config.camera.hfov
    return None if said == AUTO else said


def find_camera(usb: Path = USB_CAMERAS) -> str:
    """The camera to use unasked: a USB camera that is plugged in, else a camera module, else whichever comes first.

    A USB camera goes by its lasting name, which still finds it when it comes back under another number.
    """
    plugged = usb_cameras(usb)
    if plugged:
        return str(plugged[0])
    return MODULE if has_camera_module() else "0"


def _tray(config: Config, stage: DemoStage | None, desk: TrayDesk, pictures: Callable[[], TrayPictures]) -> _Part:
    named = config.tray.url
    if named == OFF:
        return _Part(None, SourceState.OFF, say("The tray is switched off, in the settings or at the start."))
    from firmware_bridge.supervisor import TraySupervisor  # noqa: PLC0415  # a broken pyserial costs the tray alone
    from kiosk.devices.trays import Trays, addresses_of  # noqa: PLC0415 - likewise

    port = None if named == AUTO else named
    if stage is not None and named == AUTO:
        port = simulated_tray(stage)
    return _Part(Trays(addresses_of(port), desk, pictures, supervisor=TraySupervisor))


def _both_views(
    make: Callable[..., SecondView], trays: DiceSource | None, sources: Sources, engine: Engine
) -> SecondView:
    """The part that joins the readings of a tray's camera and the table's camera."""
    tray = cast("Trays | None", trays)

    def sees(kind: SourceKind) -> bool:
        if kind is SourceKind.TRAY:
            return tray is not None and tray.has_camera_ready
        camera = sources.view(kind.value)
        return camera is not None and camera.state == SourceState.READY

    both = make(
        engine.report,
        sees=sees,
        tell=lambda what, remedy: sources.set("second view", SourceState.READY, what, remedy or ""),
    )
    if tray is not None:
        tray.rested = both.noted
    return both


class _CameraAloud:
    """Says aloud what players do not look for: that the camera was moved, does not see, was unplugged, or reads long.

    Each is said once an occurrence. A camera that does not see is mentioned only while dice are `wanted`, and then also
    that it sees again: nobody is told after switching off the light at night. That dice are being read is said only
    then, too. One that never was there is missed by nobody.
    """

    def __init__(self, voice: Voice, wanted: Callable[[], bool]) -> None:
        self._voice = voice
        self._wanted = wanted
        self._moved: Phrase | None = None
        self._blind: Phrase | None = None
        self._reads = False
        self._told_blind = False
        self._was_there = False
        self._gone = False
        """Whether it was there and sends nothing, until its first picture: what is tried meanwhile has other words."""
        self._lock = threading.Lock()

    def __call__(self, view: SourceView) -> None:
        if view.source != SourceKind.CAMERA:
            return
        with self._lock:
            if view.notice != READING:  # for that time it stands in the place of what is so still
                before, self._moved = self._moved, _one_of((MOVED, MOVED_CALIBRATED), view.notice)
                if (told := self._moved) is not None and told != before:
                    self._say(told)
            already, self._reads = self._reads, view.notice == READING
            if self._reads and not already and self._wanted():
                self._say(READING)
            before, self._blind = self._blind, _one_of(BLIND_WORDS, view.notice)
            was_gone, self._gone = self._gone, self._is_away(view.state) and self._blind is None
            if self._gone:
                self._blind = before if was_gone else known(view.what)
            if self._blind != before:
                if self._blind is None and self._told_blind and view.state == SourceState.READY:
                    self._say(SEES_AGAIN)
                self._told_blind = False
        self.committed()

    def _is_away(self, state: str) -> bool:
        """Whether a camera of that state was there before, and sends nothing now."""
        self._was_there = state not in {SourceState.OFF, SourceState.ABSENT} and (
            self._was_there or state == SourceState.READY or self._blind is not None
        )
        return self._was_there and (state == SourceState.LOST or (self._gone and state == SourceState.STARTING))

    def committed(self, _: object = None) -> None:
        """Mention a fault of the camera if dice are wanted now."""
        with self._lock:
            if self._blind is not None and not self._told_blind and self._wanted():
                self._told_blind = True
                self._say(self._blind)

    def _say(self, told: Phrase) -> None:
        self._voice.ask(Narration(terse=told, normal=told, full=told, kind=NarrationKind.INFO))


def _one_of(phrases: Iterable[Phrase], notice: str) -> Phrase | None:
    return next((one for one in phrases if one == notice), None)


def _tell_board(sources: Sources, voice: Voice, news: TroubleNews) -> None:
    """Report troubles of the board, and their ends, on every screen and aloud."""
    sources.set(news.trouble.value, SourceState.READY if news.over else SourceState.LOST, news.what, news.remedy)
    if not news.aloud:
        return
    told = sentences(news.what, news.remedy) if news.remedy else news.what
    voice.ask(Narration(terse=told, normal=told, full=told, kind=NarrationKind.INFO))


def _tell_taught(sources: Sources, desk: TrayDesk) -> None:
    """Report that the file of taught dice cannot be used, or was changed by hand."""
    if unusable := desk.unusable:
        sources.set("taught dice", SourceState.LOST, unusable)
    elif desk.file.noticed:
        sources.set("taught dice", SourceState.READY, desk.file.noticed)
    elif any(part.source == "taught dice" for part in sources.views()):
        sources.set("taught dice", SourceState.READY, say("The file of taught dice is in use."))


def _tell(gate: VoiceGate, voice: QueuedVoice, hub: Hub, committed: Committed) -> None:
    """Inform voice and pages of a decision: the voice first, because speech takes longer to begin than drawing."""
    kept = gate.keeps(committed)
    _speak(voice, committed)
    if not kept:
        hub.publish(committed)


def _tell_of_camera(aloud: _CameraAloud, sources: Sources, engine: Engine) -> None:
    """Let the room hear how the camera is, when it matters."""
    sources.listen(aloud)
    engine.listen(aloud.committed)


def _tell_pages(hub: Hub, sources: Sources, hidden: HiddenDesk, persons: Persons, access: Access) -> None:
    """Inform live pages of changes beside the table."""
    sources.listen(hub.publish_source)
    hidden.listen(hub.publish_hidden)
    persons.listen(hub.publish_table)
    access.when_locked(hub.publish_table)


def _lessons(engine: Engine, bench: Learner | None, sources: Sources) -> Callable[[], None]:
    """Learn from answers if there is a camera; returns a function that ends it.

    Each lesson is reported among the sources, so that a wrong one can be found and forgotten.
    """
    if bench is None:
        return lambda: None
    remedy = say("Where that was wrong, forget it on the page of one's own dice.")
    lessons = Lessons(bench, lambda what: sources.set("own dice", SourceState.READY, what, remedy))
    engine.listen(lessons.committed)
    return lessons.close


def _speak(voice: QueuedVoice, committed: Committed) -> None:
    if committed.said is not None:
        told = committed.said.narration
        voice.say(told, sounds_of(committed.present.table, told.kind))


def _journal(folder: HeldFolder, clock: Clock, opener: Opener) -> tuple[str, UnfailingJournal]:
    """The words on a new table, if it is one, and the journal in that folder.

    The folder is released if the journal cannot be opened.
    """
    begun = begun_words(folder.path) if _is_new(folder.path / JOURNAL_NAME) else ""
    try:
        return begun, open_unfailing(folder.path / JOURNAL_NAME, clock, opener, ready=folder.hold)
    except BaseException:
        folder.release()
        raise


def _is_new(path: Path) -> bool:
    """Whether no file in the folder belongs to a table; an unreadable folder may hold one."""
    try:
        files = StartFiles.of(path)
        beside = (*journals_beside(path, RESCUED), *journals_beside(path, IN_MEMORY), *rescued_elsewhere(path))
        return not (os.path.lexists(path) or files.know_a_table or files.damaged or beside)
    except OSError:
        return False


def _tell_proxy(sources: Sources) -> None:
    """Report that a proxy on this machine passes requests on, and what to do: its users are guests until then."""
    sources.set(
        PROXY,
        SourceState.LOST,
        say("A proxy on this machine passes requests on to the kiosk."),
        say(
            "Whoever comes that way joins with a code. Let it go to the machine's address in the network, or set "
            "trust_this_machine = false under [access] in the settings and start the kiosk again."
        ),
    )


__all__ = ["Kiosk", "build", "find_camera"]

"""Teaching tagged dice at the kiosk: one die at a time, step by step, for the page and the API alike.

In: what a person asks (`TrayChange`). Out: `TrayView`, and dice kept in the data folder. While a die is being taught,
the tray's dice count for nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol

from msgspec import Meta, Struct

from firmware_bridge.errors import TaughtError, TrayError
from firmware_bridge.messages import ReaderState, SensedFlag
from firmware_bridge.onlookers import Onlooker, Onlookers
from firmware_bridge.taught import TagSide, TaughtDie, written
from firmware_bridge.taught_file import TaughtFile
from firmware_bridge.teaching import KIND_WORDS, Teaching, TrayPlace
from kiosk.devices.teaching_file import TeachingFile
from kiosk.devices.tray_update import TrayUpdate, UpdatableTray, tools_for
from kiosk.errors import TrayDeskError
from rules.dice import DieKind
from rules.words import Phrase, capitalized, joined_by, known, say, sentences, worded

if TYPE_CHECKING:
    from firmware_bridge.connection import TrayFirmware
    from firmware_bridge.session import TrayHealth

FORGOTTEN_AFTER: Final = 600.0
"""Seconds without a step after which a half-taught die is given up, so that the tray's dice count again."""

REST: Final = 1.5
"""Seconds that a new side has to lie still until it is taken by itself: a die that is turned rests for moments too."""

NO_TRAY: Final = say("No tray is in use.")
"""The answer to every step while the kiosk has no tray."""

NO_LAMPS: Final = say("This tray has no lamps that the kiosk can light.")
"""The answer to a test of the lamps on one that says so."""

NO_D20: Final = say(
    "Tags suit no d20: they are larger than its faces, and those beside the lowest one answer too. Have d20s read by a "
    "camera. A tag tray reads cubes: Challenge Dice and six-sided dice."
)
"""Why no d20 is taught."""

LAY_THERE: Final = say(
    "A die lies there already. Lift it, then lay it down as said; or tap “It lies so: next”, if it does."
)
"""What is said of a die that lay there before the step was asked for: it may show any side."""

_NO_CHIP: Final = frozenset({0, 0xFF})
"""The chip ids read from a bus without an answer."""

LONGEST_TYPED: Final = 200
"""Most characters of a name as it arrives; `taught.checked_name` has the real limit."""


class TrayWithPlaces(Protocol):
    """The part of a tray that teaching needs."""

    @property
    def places(self) -> tuple[TrayPlace, ...]:
        """What lies on it now."""

    @property
    def obstacle(self) -> str:
        """Why it cannot read tags now, in words; empty if it can."""

    @property
    def tagless(self) -> str:
        """Why this kind of tray never reads tags, in words; empty where it does, or is not known yet."""

    @property
    def firmware(self) -> TrayFirmware | None:
        """What runs on it; None while that is not known."""

    def workshop(self) -> TrayHealth | None:
        """The state of its sensors and readers; None before the first report."""

    @property
    def untold(self) -> Phrase:
        """Why `workshop` is None, in words."""

    def test_lamps(self) -> bool:
        """Light its lamps white for a moment; False if it is not ready or has none."""


class SentPicture(Protocol):
    """A picture that a tray's camera sent."""

    @property
    def number(self) -> int:
        """Which one it is, from 1."""

    @property
    def data(self) -> bytes:
        """A JPEG file."""


class TrayWithCamera(Protocol):
    """The part of a tray that has to do with its pictures."""

    @property
    def newest(self) -> SentPicture | None:
        """The newest one; None before the first."""


@dataclass(frozen=True, slots=True)
class TrayInUse:
    """One tray: its number from 1, by which several are told apart, what it reads, its wire, and its pictures."""

    number: int
    tray: TrayWithPlaces
    onlookers: Onlookers | None = None
    pictures: TrayWithCamera | None = None
    port: UpdatableTray | None = None


class TrayChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to do at the tray: begin teaching, take or undo a step, stop; change a taught die; test the lamps."""

    action: Literal["begin", "take", "undo", "stop", "rename", "forget", "lamps"]
    name: Annotated[str, Meta(max_length=LONGEST_TYPED, description="For begin and rename.")] = ""
    kind: Annotated[DieKind, Meta(description="For begin.")] = DieKind.CHALLENGE
    side: Annotated[TagSide, Meta(description="For begin: what a tag's face is, up or down while it is read.")] = (
        TagSide.UP
    )
    die_id: Annotated[
        str, Meta(pattern="^([0-9a-f]{8})?$", description="For rename and forget; for begin, the die to teach again.")
    ] = ""
    step: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        Meta(description="For take and undo: the step that comes next, so that one sent twice counts once."),
    ] = None


class PlaceView(Struct, frozen=True, kw_only=True):
    """One place of the tray where something lies."""

    tray: Annotated[int, Meta(description="The tray's number where there are several, else 0.")] = 0
    slot: int
    words: str
    ready: Annotated[bool, Meta(description="Whether its tag has come to rest, so that it may be taught.")]


class TaughtDieView(Struct, frozen=True, kw_only=True):
    """One die that was taught."""

    die_id: str
    name: str
    kind: DieKind
    side: TagSide


class TeachingView(Struct, frozen=True, kw_only=True):
    """The die that is being taught now."""

    name: str
    kind: DieKind
    step: Annotated[int, Meta(description="The step that comes next, from 1.")]
    steps: int
    instruction: str
    note: Annotated[str, Meta(description="Why what lies on the tray now is not taken by itself; else empty.")] = ""


class FirmwareView(Struct, frozen=True, kw_only=True):
    """The firmware of a tray in use, and how another one gets onto it."""

    tray: Annotated[int, Meta(description="The tray's number, from 1.")] = 1
    address: Annotated[str, Meta(description="Its port.")] = ""
    version: str
    how: Annotated[str, Meta(description="What to do, in words.")]
    command: Annotated[str, Meta(description="What to type for it.")]
    takes: Annotated[
        str, Meta(description="The endings of the files that this kiosk writes to it, with commas; else empty.")
    ] = ""


class ShotView(Struct, frozen=True, kw_only=True):
    """A picture of a tray with a camera: the tray's number, and which picture of it is the newest."""

    tray: int
    number: int


class TrayView(Struct, frozen=True, kw_only=True):
    """The tray's places, the dice that were taught, and the teaching under way."""

    places: tuple[PlaceView, ...]
    dice: tuple[TaughtDieView, ...]
    teaching: TeachingView | None
    firmware: tuple[FirmwareView, ...] = ()
    shots: Annotated[tuple[ShotView, ...], Meta(description="Trays with a camera that have sent a picture.")] = ()
    tagless: Annotated[
        str, Meta(description="Why none of the trays in use ever reads tags, as one with a camera alone; else empty.")
    ] = ""
    unusable: Annotated[str, Meta(description="Why the file of taught dice cannot be used now; else empty.")] = ""
    noticed: Annotated[str, Meta(description="What was changed in that file by hand; else empty.")] = ""
    said: Annotated[str, Meta(description="What the last step did.")] = ""


class TrayDesk:
    """Every method may be called from any thread. `file` keeps the dice; `clock` is seconds that never run back.

    `under_way` keeps the die that is being taught, which `resume` goes on with after a restart.
    """

    def __init__(
        self,
        file: TaughtFile | None = None,
        clock: Callable[[], float] = time.monotonic,
        under_way: TeachingFile | None = None,
        update: TrayUpdate | None = None,
    ) -> None:
        self.file: Final = file or TaughtFile()
        self.under_way: Final = under_way or TeachingFile()
        self._clock = clock
        self._lock = threading.Lock()
        self._teaching: Teaching | None = None
        self._stepped = 0.0
        self._lay: frozenset[int] = frozenset()
        self._refused: tuple[int, Phrase] | None = None
        self._rests: tuple[int, float] | None = None
        self._went_on = ""
        self._ran: dict[int, TrayFirmware] = {}
        self.update = update or TrayUpdate()
        self.in_use: Callable[[], tuple[TrayInUse, ...]] = lambda: ()
        """The trays that there are, by their numbers."""
        self.tell: Callable[[str, str], None] = lambda _what, _remedy: None
        """Called when teaching begins or ends, with what players have to know and do."""

    def load(self) -> str:
        """Read the file, and return what is wrong with it, in words; empty if nothing is.

        Such a file is never written over.
        """
        with suppress(TaughtError):
            self.file.load()
        return self.unusable

    @property
    def unusable(self) -> str:
        """Why the file of taught dice cannot be used now, in words with what holds meanwhile; empty where it can."""
        trouble = self.file.trouble
        if trouble is None:
            return ""
        if self.file.taught.dice:
            return say("{what} Until then the dice are known as they were before.", what=_words(trouble))
        return say("{what} Until then tagged dice are not known.", what=_words(trouble))

    def resume(self) -> None:
        """Go on with the die that was being taught when the program ended, unless it has been kept since."""
        with self._lock:
            begun = self.under_way.teaching
            if begun is not None and self._refusal(begun):
                begun = None
            self._stepped = self._clock()
            self._become(begun)

    def teaching_now(self) -> bool:
        """Whether a die is being taught, so that what lies on the tray is no throw."""
        with self._lock:
            self._give_up()
            return self._teaching is not None

    def view(self, said: str = "") -> TrayView:
        """How everything stands."""
        self.file.refresh()
        with self._lock:
            self._give_up()
            return self._view(said)

    def looked(self, places: tuple[TrayPlace, ...]) -> None:
        """Handle a new report of the tray: while a die is taught, a new side at rest is the next step.

        What lay there when teaching began, or when a step was taken back, shows any side: it is taken once it was
        lifted, or by a person's word.
        """
        if self._teaching is None:
            return
        with self._lock:
            teaching, now = self._teaching, self._clock()
            lying = places[0] if len(places) == 1 else None
            there = {place.tag for place in places}
            if None not in there:  # under a hand a place has no tag for a moment
                self._lay = frozenset(tag for tag in self._lay if tag in there)
            if not places:
                self._refused = None
            if teaching is None or lying is None or lying.tag is None or not lying.sure:
                self._rests = None
                return
            if lying.tag in self._lay or lying.tag in teaching.tags or self._was_refused(lying.tag):
                return
            if self._rests is None or self._rests[0] != lying.tag:
                self._rests = (lying.tag, now)
            elif now - self._rests[1] >= REST:
                self._rests = None
                try:
                    self._went_on = self._take(teaching)
                    self._stepped = now
                except TrayError as error:
                    self._refused = (lying.tag, _words(error))
                except TrayDeskError as error:
                    self._refused = (lying.tag, known(str(error)))

    def _was_refused(self, tag: int) -> bool:
        """Whether this side is known to be refused: it is refused once, until all is lifted."""
        return self._refused is not None and self._refused[0] == tag

    def write(self, tray: int, name: str, data: bytes) -> Phrase:
        """Begin to write the firmware `data`, sent as file `name`, to the tray of that number; what is said of it.

        Raises `TrayDeskError` where it cannot be written; then nothing has changed.
        """
        one = next((one for one in self.in_use() if one.number == tray), None)
        firmware = self._firmware_of(one) if one is not None else None
        if one is None or one.port is None or firmware is None:
            raise TrayDeskError((one.tray.obstacle if one is not None else "") or NO_TRAY)
        return self.update.begin(one.port, firmware.address, name, data, has_camera=firmware.has_camera)

    def use(self, tray: TrayWithPlaces, onlookers: Onlookers | None = None) -> None:
        """Use this as the only tray."""
        only = (TrayInUse(1, tray, onlookers),)
        self.in_use = lambda: only

    @property
    def obstacle(self) -> str:
        """What keeps every tray from reading tags now, in words; empty where nothing does.

        Of several it is that of one which could read them.
        """
        trays = self.in_use()
        readers = [one for one in trays if not one.tray.tagless] or trays
        obstacles = [one.tray.obstacle for one in readers] or [NO_TRAY]
        return "" if "" in obstacles else obstacles[0]

    @property
    def tagless(self) -> str:
        """Why none of the trays in use ever reads tags, in words; empty where one may."""
        said = [one.tray.tagless for one in self.in_use()]
        return said[0] if said and all(said) else ""

    @property
    def places(self) -> tuple[TrayPlace, ...]:
        """What lies on all trays; where there are several, each place says on which."""
        trays = self.in_use()
        if len(trays) == 1:
            return trays[0].tray.places
        return tuple(replace(place, tray=one.number) for one in trays for place in one.tray.places)

    def picture(self, tray: int) -> bytes | None:
        """The newest picture of the tray of that number, as a JPEG file; None where there is none."""
        shots = (one.pictures.newest for one in self.in_use() if one.number == tray and one.pictures is not None)
        return next((shot.data for shot in shots if shot is not None), None)

    def look_on(self, tray: int = 1) -> Onlooker:
        """What passes on the port of the tray of that number. Raises `TrayDeskError` while that cannot be had."""
        onlookers = next((one.onlookers for one in self.in_use() if one.number == tray), None)
        if onlookers is None:
            raise TrayDeskError(NO_TRAY)
        try:
            return onlookers.look_on()
        except TrayError as error:
            raise TrayDeskError(_words(error)) from error

    def workshop(self) -> tuple[Phrase, ...]:
        """What the trays feel and how their readers are, a sentence each; of one that does not tell, why not."""
        trays = self.in_use()
        told = [(one.number, one.tray.workshop(), one.tray) for one in trays]
        return tuple(
            say("Tray {number}: {what}", number=number, what=line) if len(trays) > 1 else line
            for number, health, tray in told
            for line in (_health_words(health) if health is not None else (tray.untold,))
        )

    def _test_lamps(self) -> TrayView:
        trays = self.in_use()
        lit = [one.tray.test_lamps() for one in trays]
        if not any(lit):
            if not trays:
                raise TrayDeskError(NO_TRAY)
            is_ready = any(not one.tray.obstacle or one.tray.obstacle == one.tray.tagless for one in trays)
            raise TrayDeskError(NO_LAMPS if is_ready else self.obstacle)
        return self.view(say("The lamps of the tray shine white for three seconds."))

    def exported(self) -> str:
        """The dice that were taught, as the text of a file."""
        return written(self.file.taught)

    def do(self, change: TrayChange) -> TrayView:
        """Carry out `change`. Raises `TrayDeskError` with words for the person; then nothing has changed."""
        if change.action == "lamps":
            return self._test_lamps()
        with self._lock:
            self._give_up()
            self.file.refresh()
            if unusable := self.unusable:
                raise TrayDeskError(unusable)
            try:
                said = self._done(change)
            except TrayError as error:
                raise TrayDeskError(_words(error)) from error
            self._stepped = self._clock()
            self._went_on = ""
            self._refused = None
            if change.action in {"begin", "undo"}:
                self._lay = frozenset(place.tag for place in self.places if place.tag is not None)
            return self._view(said)

    def _done(self, change: TrayChange) -> str:
        if change.action == "begin":
            return self._begin(change)
        if change.action in {"rename", "forget"}:
            return self._keep(change)
        if self._teaching is None:
            raise TrayDeskError("No die is being taught. Begin with its name and kind.")
        if change.action == "stop":
            name = self._teaching.name
            self._become(None)
            return say("{name} was not taught; nothing was changed.", name=name)
        if change.action == "undo":
            return self._undo(self._teaching, change.step)
        if change.step is not None and change.step <= len(self._teaching.tags):
            return say("That step was taken already.")
        return self._take(self._teaching)

    def _begin(self, change: TrayChange) -> str:
        if self._teaching is not None:
            raise TrayDeskError(
                say("{name} is being taught just now. Finish or stop that first.", name=self._teaching.name)
            )
        if tagless := self.tagless:  # while a die is taught none counts: nobody should wait so for what cannot come
            raise TrayDeskError(tagless)
        if not may_be_taught(change.kind, self.file.taught.die(int(change.die_id, 16)) if change.die_id else None):
            raise TrayDeskError(NO_D20)
        instead_of = int(change.die_id, 16) if change.die_id else None
        begun = Teaching(change.name, change.kind, change.side, instead_of=instead_of)
        if refusal := self._refusal(begun):
            raise TrayDeskError(refusal)
        self._become(begun)
        return say("Teaching {name}.", name=begun.name)

    def _refusal(self, begun: Teaching) -> str:
        """Why `begun` cannot be kept beside the dice that were taught, in words; empty where it can."""
        taught = self.file.taught
        if begun.instead_of is not None and taught.die(begun.instead_of) is None:
            return say("This die was forgotten meanwhile. Look at the list again.")
        if any(die.name.casefold() == begun.name.casefold() and die.die_id != begun.instead_of for die in taught.dice):
            return say("Another die is called {name} already. Give this one another name.", name=begun.name)
        return ""

    def _become(self, teaching: Teaching | None) -> None:
        """Teach this die from now on; saved first, so that a power cut does not turn the next step into a throw."""
        before = self._teaching
        self.under_way.keep(teaching)
        self._teaching = teaching
        if teaching is not None and (before is None or before.name != teaching.name):
            self.tell(
                say("{name} is being taught. Dice on the tray count for nothing until it is done.", name=teaching.name),
                say("Go on with it, or stop it, on the tray's page."),
            )
        elif teaching is None and before is not None:
            self.tell(say("No die is being taught any more; dice on the tray count again."), "")

    def _undo(self, teaching: Teaching, step: int | None) -> str:
        if step is not None and step > len(teaching.tags) + 1:
            return say("That step was taken back already.")
        self._become(teaching.undone())
        return say("One step was taken back.")

    def _take(self, teaching: Teaching) -> str:
        shown = teaching.face
        if obstacle := self.obstacle:
            raise TrayDeskError(obstacle)
        taken = teaching.take(self.places, self.file.taught)
        if not taken.finished:
            self._become(taken)
            return say("{face} is taught.", face=worded(str(shown)))
        die = taken.result()
        self.file.change(lambda taught: taught.with_die(die, taken.instead_of))
        self._become(None)
        return say("{name} is complete and kept.", name=die.name)

    def _keep(self, change: TrayChange) -> str:
        if not change.die_id:
            raise TrayDeskError("Say which die.")
        die_id = int(change.die_id, 16)
        before = self.file.taught.die(die_id)
        if change.action == "forget":
            if self._teaching is not None and self._teaching.instead_of == die_id:
                raise TrayDeskError("This die is being taught just now. Finish or stop that first.")
            self.file.change(lambda taught: taught.without(die_id))
        else:
            self.file.change(lambda taught: taught.renamed(die_id, change.name))
        after = self.file.taught.die(die_id)
        name = before.name if before is not None else ""
        if after is None:
            return say("{name} was forgotten.", name=name)
        return say("{name} is called {new} now.", name=name, new=after.name)

    def _firmware_of(self, one: TrayInUse) -> TrayFirmware | None:
        """The tray's firmware; if the tray is silent since a file was written to it, the firmware from before."""
        now, before = one.tray.firmware, self._ran.get(one.number)
        if now is not None:
            self._ran[one.number] = now
        elif before is not None and before.address == self.update.wrote_to:
            return before
        return now

    def _firmware_view(self, one: TrayInUse, firmware: TrayFirmware) -> FirmwareView:
        tools = tools_for(has_camera=firmware.has_camera)
        endings = [tool.ending for tool in tools if self.update.is_installed(tool)]
        how, command = _by_hand(firmware)
        return FirmwareView(
            tray=one.number,
            address=firmware.address,
            version=firmware.version,
            how=how,
            command=command,
            takes=",".join(endings) if one.port is not None else "",
        )

    def _give_up(self) -> None:
        if self._teaching is not None and self._clock() - self._stepped > FORGOTTEN_AFTER:
            self._become(None)

    def _note(self, teaching: Teaching) -> str:
        """Why the die on the tray does not count as the next step; empty if it will."""
        tags = {place.tag for place in self.places} - {*teaching.tags, None}
        if tags & self._lay:
            return LAY_THERE
        if self._refused is not None and self._refused[0] in tags:
            return self._refused[1]
        return ""

    def _view(self, said: str) -> TrayView:
        teaching = self._teaching
        return TrayView(
            places=tuple(
                PlaceView(tray=place.tray, slot=place.slot, words=place.words, ready=place.sure)
                for place in self.places
            ),
            dice=tuple(
                TaughtDieView(die_id=f"{die.die_id:08x}", name=die.name, kind=die.kind, side=die.side)
                for die in self.file.taught.dice
            ),
            teaching=None
            if teaching is None
            else TeachingView(
                name=teaching.name,
                kind=teaching.kind,
                step=len(teaching.tags) + 1,
                steps=teaching.steps,
                instruction=teaching.instruction,
                note=self._note(teaching),
            ),
            firmware=tuple(
                self._firmware_view(one, firmware)
                for one in self.in_use()
                if (firmware := self._firmware_of(one)) is not None
            ),
            shots=tuple(
                ShotView(tray=one.number, number=shot.number)
                for one in self.in_use()
                if one.pictures is not None and (shot := one.pictures.newest) is not None
            ),
            tagless=self.tagless,
            unusable=self.unusable,
            noticed=self.file.noticed,
            said=said or self._went_on,
        )


def may_be_taught(kind: DieKind, before: TaughtDie | None) -> bool:
    """Whether a die of `kind` is taught by tags: any but a d20, which `before` has to be one of already."""
    return kind is not DieKind.D20 or (before is not None and before.kind is DieKind.D20)


KINDS: Final = tuple((kind.value, words) for kind, words in KIND_WORDS.items())
"""Each kind of die with its words, for the form."""


def _by_hand(firmware: TrayFirmware) -> tuple[Phrase, str]:
    """How a person writes another firmware, and the command for it."""
    if firmware.has_camera:
        how = sentences(
            say("Stop the kiosk first, so that the port is free."),
            say("A new program is one file: copy it onto the board, which may also show up as a drive."),
        )
        command = f"mpremote connect {quote(firmware.address)} cp firmware_bridge/camera_tray/main.py :main.py + reset"
    else:
        how = say("Stop the kiosk first, so that the port is free. With an old Nano, write 57600 for 115200.")
        command = (
            f"make firmware && avrdude -p m328p -c arduino -P {quote(firmware.address)} -b 115200 -D "
            "-U flash:w:build/firmware/tray.hex:i"
        )
    return how, command


def _health_words(health: TrayHealth) -> tuple[Phrase, ...]:
    levels = health.levels
    interrupted = levels.flags & SensedFlag.BEAM_INTERRUPTED
    return (
        *(_reader_words(reader) for reader in health.readers),
        say(
            "Motion sensor: {level} of 1023, at most {peak} in the last seconds, the room's noise {floor}.",
            level=levels.piezo,
            peak=health.peak,
            floor=levels.floor,
        ),
        say("Light beam: interrupted.") if interrupted else say("Light beam: clear."),
        say(
            "Of what the kiosk sent the tray dropped {frames} damaged messages and lost {bytes} bytes.",
            frames=health.dropped,
            bytes=health.lost,
        ),
    )


def _reader_words(reader: ReaderState) -> Phrase:
    place = reader.slot + 1
    if reader.version in _NO_CHIP:
        return say("Reader {place}: nothing answers.", place=place)
    chip, errors = f"{reader.version:02x}", reader.errors
    if not reader.tag:
        return say(
            "Reader {place}: chip {chip}, {errors} bad answers, no tag yet.", place=place, chip=chip, errors=errors
        )
    return say(
        "Reader {place}: chip {chip}, {errors} bad answers, last tag {tag}.",
        place=place,
        chip=chip,
        errors=errors,
        tag=f"{reader.tag:08x}",
    )


def _words(error: TrayError) -> Phrase:
    """What happened and what to do, as whole sentences."""
    what = capitalized(error.what)
    return sentences(what if what.endswith(".") else joined_by("", (what, ".")), error.remedy)

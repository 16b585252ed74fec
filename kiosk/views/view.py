"""The table as pages see it: one object for first paint, for `GET /api/v1/table` and for live pages.

It is computed once for each change and shared by all who ask.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Annotated, Final

from msgspec import Meta, Struct

from kiosk.engine import Engine, NarrationRecord, Present
from kiosk.i18n.room import Room
from kiosk.ports import SOURCE_LANGUAGE, Language, Length, Manner, SourceView, Voice
from kiosk.sources import Sources
from kiosk.speech.earcons import sounds_of
from kiosk.speech.voice_gate import VoiceGate
from kiosk.storage import shapes
from kiosk.storage.persons import Person, Persons
from kiosk.storage.wire import encode_in, told
from kiosk.views.about import About, about, by_whom
from kiosk.views.again import again_told
from kiosk.views.holders import Holders, held_by, holders_of
from kiosk.views.of_table import Menus
from kiosk.views.page_words import not_kept_words
from kiosk.views.screen import Screen, ScreenKeeper
from kiosk.views.stage.before import with_what_was_before
from kiosk.views.stage.harm import with_harm
from kiosk.views.stage.hit import with_injury_counted
from kiosk.views.stage.names import called
from kiosk.views.stage.now import beside_what_was_told, stage, with_photographs
from kiosk.views.stage.recent import RecentOutcome, recent_outcomes
from kiosk.views.stage.turn import with_who_begins
from kiosk.views.stage.values import StageView
from rules.game import (
    MOMENTUM_CAP,
    History,
    Narration,
    NarrationKind,
    Option,
    Standing,
    Table,
    TaskPhase,
    ThrownDie,
    asked_words,
    chooser,
    correctable,
    declarers,
    may_be_plain,
    may_help,
    options,
    pools_told,
    question_sentences,
    redo_words,
    turn_told,
    undo_words,
    where_told,
)
from rules.words import renamed, say, say_count, sentences

Door = tuple[bool, str, int]
"""Whether phones reach the kiosk, with which code, and how often the gamemaster's part was locked."""


class NarrationView(Struct, frozen=True, kw_only=True):
    """What was last said, in three lengths; `id` fetches its audio."""

    id: str
    terse: str
    normal: str
    full: str
    kind: NarrationKind
    urgent: bool


class SoundsView(Struct, frozen=True, kw_only=True):
    """Names of the short sounds of what was last said; empty where it has none."""

    player: Annotated[str, Meta(description="The sound of the player whose result it is.")]
    how: Annotated[str, Meta(description="The sound that tells how it went.")]


class AwaitedView(Struct, frozen=True, kw_only=True):
    """What the table waits for that only a person can answer: dice to look at, a Complication, a choice in a fight."""

    about: Annotated[str, Meta(description="The matter: the same while it is; Complications that grow fewer are one.")]
    words: Annotated[str, Meta(description="In a sentence or more; empty while nothing is.")]


class VoiceView(Struct, frozen=True, kw_only=True):
    """Whether the kiosk can speak, and what was chosen for the room's speaker: silence, how much it says, and how."""

    available: bool
    muted: bool
    length: Length
    manner: Manner


def voice_view(voice: Voice) -> VoiceView:
    """The voice as pages see it."""
    return VoiceView(available=voice.available, muted=voice.muted, length=voice.length, manner=voice.manner)


class MisreadView(Struct, frozen=True, kw_only=True):
    """The dice that count, and which of them can be corrected now."""

    number: Annotated[int, Meta(description="The number of the Task or Challenge roll that they are of, else 0.")]
    who: Annotated[str, Meta(description="Whose they are, where both sides of an Opposed Task threw; else empty.")]
    dice: tuple[ThrownDie, ...]
    places: Annotated[tuple[int, ...], Meta(description="The places in `dice` of those that can be corrected, from 0.")]
    why_not: Annotated[str, Meta(description="Why others cannot; empty where all can.")]


class PersonView(Struct, frozen=True, kw_only=True):
    """Somebody at the table with a device of their own."""

    person_id: str
    called: Annotated[str, Meta(description="Their name, else which phone it is.")]
    characters: Annotated[tuple[str, ...], Meta(description="Ids of the characters that they took.")]
    asks: Annotated[str, Meta(description="Id of another's character that they ask the gamemaster for; else empty.")]
    decides_for: Annotated[
        tuple[str, ...], Meta(description="Ids of those for whom nobody else decides: theirs, and a gamemaster's NPCs.")
    ]
    gamemaster: Annotated[bool, Meta(description="They joined as the gamemaster.")] = False
    at_kiosk: Annotated[bool, Meta(description="Their device is the kiosk's own screen.")] = False


class Stamps(Struct, frozen=True, kw_only=True):
    """One stamp for each thing that the kiosk's pages show: a different stamp makes them fetch it again.

    So a page also learns what changed before its connection was open. No stamp outlives the program.
    """

    table: str
    sources: str
    persons: Annotated[str, Meta(description="Who is here, whom they play, who can be played, and who was locked out.")]
    door: Annotated[str, Meta(description="Whether and how phones are let in, and whether that is shown first.")]


class TableView(Struct, frozen=True, kw_only=True):
    """Everything that is true at the table, what is legal now, and how the kiosk's parts are."""

    sequence: Annotated[int, Meta(description="The journal's last event.")]
    about: About
    stamps: Stamps
    table: Table
    options: tuple[shapes.OptionOut, ...]
    declarers: Annotated[
        tuple[str, ...],
        Meta(description="Who can declare a Task now, the expected first: `character_id`s, of crews `ship_id`s."),
    ]
    may_be_plain: Annotated[
        bool, Meta(description="Whether it may name no action: an attack that waits for an answer has its own.")
    ]
    helpers: Annotated[tuple[str, ...], Meta(description="Who can be named as a helper of the next Task.")]
    momentum_cap: Annotated[int, Meta(description="The most points that the pool of Momentum holds.")]
    narration: NarrationView | None
    again_told: Annotated[
        NarrationView | None, Meta(description="The outcome that stands and what was said last, for who asks.")
    ]
    sounds: SoundsView
    pools_told: Annotated[NarrationView, Meta(description="How the pools stand, for who asks.")]
    turn_told: Annotated[NarrationView, Meta(description="Who has to do something now, for who asks.")]
    where_told: Annotated[
        NarrationView | None, Meta(description="Where everybody is, for who asks; null where no map is kept.")
    ]
    questions: Annotated[tuple[str, ...], Meta(description="What a person must look at in the held throw.")]
    asked: Annotated[str, Meta(description="What a conflict's chain asks for next, as a sentence.")]
    asked_of: Annotated[str, Meta(description="The id of the character who answers that; empty for nobody's alone.")]
    awaited: AwaitedView
    stage: StageView
    recent: Annotated[tuple[RecentOutcome, ...], Meta(description="The last Tasks that are over, the newest first.")]
    misread: MisreadView
    menu: Annotated[str, Meta(description="What the panel's spoken menu says now; empty while it says nothing.")]
    sources: tuple[SourceView, ...]
    undo: Annotated[str | None, Meta(description="What undo would take back, in words, and whose decision it was.")]
    redo: Annotated[str | None, Meta(description="What redo would bring back, in words.")]
    persons: Annotated[tuple[PersonView, ...], Meta(description="Who has a device here, in the order they came.")]
    voice: VoiceView
    screen: Screen
    room_language: Annotated[str, Meta(description="Code of the language of the table's screen and of the speaker.")]
    not_kept: Annotated[str, Meta(description="That nothing decided now is kept, and why; empty while all is kept.")]
    open_to_network: Annotated[bool, Meta(description="Whether phones in the network reach the kiosk.")]
    demo: bool


READ_BY_SCRIPTS: Final = (
    *("sequence", "about", "stamps", "narration", "again_told", "sounds", "pools_told", "turn_told", "where_told"),
    *("questions", "awaited", "menu", "sources", "voice", "screen", "room_language", "not_kept", "open_to_network"),
)
"""The fields of a view that the scripts of live pages read. The rest they show as the parts that the server renders."""


def narration_view(said: NarrationRecord | None) -> NarrationView | None:
    """A narration as pages see it."""
    if said is None:
        return None
    return _told(said.narration_id, said.narration)


def _told(narration_id: str, narration: Narration) -> NarrationView:
    return NarrationView(
        id=narration_id,
        terse=narration.terse,
        normal=narration.normal,
        full=narration.full,
        kind=narration.kind,
        urgent=narration.urgent,
    )


class Views:
    """Computes the present view when something changed since it was last asked for.

    What `gate` keeps back is not in it. `menus` are those that pages and panel have asked for. Of `door` only stamps
    are in the view.
    """

    def __init__(
        self,
        engine: Engine,
        voice: Voice,
        sources: Sources,
        screen: ScreenKeeper,
        *,
        demo: bool,
        room: Room | None = None,
        persons: Persons | None = None,
        door: Callable[[], Door] = lambda: (False, "", 0),
    ) -> None:
        self._engine = engine
        self._voice = voice
        self._sources = sources
        self._screen = screen
        self._demo = demo
        self._room = room or Room()
        self._persons = persons if persons is not None else Persons()
        self._lock = threading.Lock()
        self._key: tuple[object, ...] = ()
        self._view: TableView | None = None
        self._json: dict[tuple[Language, bool], bytes] = {}
        self._menu = ""
        self.gate: VoiceGate | None = None
        self._door = door
        self.menus = Menus()

    def present(self) -> Present:
        """The table as it may be seen now."""
        present = self._engine.present()
        return self.gate.seen(present) if self.gate is not None else present

    def again(self) -> Narration | None:
        """The answer to "say it again", from what may be seen now."""
        return again_told(self.present(), self._engine.narration)

    def holders(self) -> Holders:
        """Who decides for whom at the table as it may be seen now."""
        return holders_of(self._persons.here, self.present().table)

    def show_menu(self, words: str) -> None:
        """Show the words of the panel's menu, from the next view on."""
        self._menu = words

    def current(self) -> TableView:
        """The present view; a value that never changes."""
        with self._lock:
            return self._fresh()

    def json(self, language: Language = SOURCE_LANGUAGE, page: str = "") -> tuple[bytes, int]:
        """The present view as JSON in that language, with its sequence; made once for each language.

        For a `page` of the kiosk's own it has `READ_BY_SCRIPTS` alone.
        """
        key = language, bool(page)
        with self._lock:
            view = self._fresh()
            if key not in self._json:
                sent = {name: getattr(view, name) for name in READ_BY_SCRIPTS} if page else view
                self._json[key] = encode_in(sent, language.catalog)
            return self._json[key], view.sequence

    def _fresh(self) -> TableView:
        """The present view. Called with the lock held."""
        present = self.present()
        sources = self._sources.views()
        voice = voice_view(self._voice)
        screen = self._screen.now
        waits = self._view is not None and self.gate is not None and self.gate.closed
        menu = self._view.menu if waits and self._view is not None else self._menu
        language = self._room.language.code
        persons = self._persons.all
        door = self._door()
        unkept = self._engine.trouble
        key = (present, sources, voice, screen, menu, language, persons, door, unkept)
        if self._view is None or not _same(key, self._key):
            again = again_told(present, self._engine.narration)
            self._view = _view(
                present,
                sources,
                voice,
                screen,
                menu,
                again=again,
                demo=self._demo,
                room_language=language,
                door=door,
                has_photograph=self._sources.has_cut_out,
                persons=persons,
                unkept=unkept,
            )
            self._json = {}
            self._key = key
        return self._view


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether the present is the very same object and the rest equal: comparing whole histories would cost more."""
    return bool(other) and one[0] is other[0] and one[1:] == other[1:]


def _view(
    present: Present,
    sources: tuple[SourceView, ...],
    voice: VoiceView,
    screen: Screen,
    menu: str,
    *,
    again: Narration | None,
    demo: bool,
    room_language: str,
    door: Door,
    has_photograph: Callable[[str], bool],
    persons: tuple[Person, ...],
    unkept: str | None,
) -> TableView:
    table = present.table
    held, request = table.held, table.request
    questions = () if held is None or request is None else question_sentences(held, request)
    chain = asked_words(table)
    misread = correctable(table)
    where = where_told(table)
    sounds = sounds_of(table, present.said.narration.kind if present.said is not None else None)
    shown = stage(table, questions, chain, tuple(one.notice for one in sources if one.notice))
    shown = beside_what_was_told(shown, table, present.said.narration if present.said is not None else None)
    shown = with_harm(with_injury_counted(shown, present.history), present.history)
    shown = with_what_was_before(shown, present.history)
    shown = with_who_begins(shown, table, led=any(one.here and one.part == "gamemaster" for one in persons))
    return TableView(
        sequence=present.sequence,
        about=about(present.history),
        stamps=_stamps(present, sources, persons, door),
        table=table,
        options=tuple(told(option) for option in _shortly_named(options(table), table)),
        declarers=declarers(table),
        may_be_plain=may_be_plain(table),
        helpers=may_help(table),
        momentum_cap=MOMENTUM_CAP,
        narration=narration_view(present.said),
        again_told=None if again is None else _told("again", again),
        sounds=SoundsView(player=sounds.player, how=sounds.how),
        pools_told=_told("pools", pools_told(table)),
        turn_told=_told("turn", turn_told(table)),
        where_told=None if where is None else _told("where", where),
        questions=questions,
        asked=chain,
        asked_of=_asked_of(table),
        awaited=_awaited(table, questions, chain),
        stage=with_photographs(shown, has_photograph),
        recent=recent_outcomes(present.history),
        misread=MisreadView(
            number=misread.number,
            who=misread.who,
            dice=misread.dice,
            places=misread.places,
            why_not=misread.why_not,
        ),
        menu=menu,
        sources=sources,
        undo=by_whom(undo_words(present.history), present.history.done, persons),
        redo=by_whom(redo_words(present.history), present.history.undone, persons),
        persons=_persons_of(table, persons),
        voice=voice,
        screen=screen,
        room_language=room_language,
        not_kept="" if unkept is None else not_kept_words(unkept),
        open_to_network=door[0],
        demo=demo,
    )


_OF_THIS_PROGRAM: Final = os.urandom(16)
"""A random salt of the stamps: they differ from those of earlier starts, and their content cannot be guessed."""


_NAMES: Final = frozenset({"name", "who"})
"""The places of an option's words that take the name of a character."""


def _shortly_named(offered: Iterable[Option], table: Table) -> tuple[Option, ...]:
    """The options, each with the label that calls players' characters as the stage does; a name in a Value stays."""
    everybody = [*(one.name for one in table.characters), *(one.name for one in table.ships)]
    players = [one.name for one in table.characters if one.standing is Standing.PLAYER]
    short = {name: called(name, players, everybody) for name in players}
    return tuple(replace(one, short_label=renamed(one.label, _NAMES, short)) for one in offered)


def _asked_of(table: Table) -> str:
    found = chooser(table)
    return found.character_id if found is not None else ""


@lru_cache(maxsize=64)
def _stamp(*shown: object) -> str:
    return hashlib.blake2b(repr(shown).encode(), digest_size=8, key=_OF_THIS_PROGRAM).hexdigest()


def _stamps(present: Present, sources: tuple[SourceView, ...], persons: tuple[Person, ...], door: Door) -> Stamps:
    table = present.table
    playable = tuple((one.character_id, one.name, one.standing) for one in table.characters)
    return Stamps(
        table=_stamp(present.sequence),
        sources=_stamp(sources),
        persons=_stamp(persons, playable, door[2]),
        door=_stamp(door[:2], invites(present.history, persons), all_taken(table, persons)),
    )


def nothing_thrown(table: Table) -> bool:
    """Whether no Task has ended in this scene, no fight was begun, and neither is prepared."""
    prepared = table.dial is not None or table.asked or table.in_line
    fought = table.conflict is not None or table.conflict_end is not None
    return table.last_task is None and not fought and not prepared


def invites(history: History, persons: tuple[Person, ...]) -> bool:
    """Whether the table's screen shows in its middle how phones join; else the way in stands at its side.

    It does until a Task is prepared or over, a fight begins, or everybody who plays has come. In a later session it
    does so only while nobody is in: those who played before know the way. A new table in the same journal invites as
    the first did.
    """
    table = history.present
    if not nothing_thrown(table) or all_taken(table, persons):
        return False
    of_this_table = takewhile(lambda step: step.command != "set_up_table", reversed(history.done))
    played = next((step.after.session for step in of_this_table if _is_played(step.after)), None)
    return played is None or (played != table.session and not any(one.here and one.characters for one in persons))


def _is_played(table: Table) -> bool:
    return table.last_task is not None or table.conflict is not None


def all_taken(table: Table, persons: tuple[Person, ...]) -> bool:
    """Whether there is a character for each player, and somebody plays each of them."""
    played = [one for one in table.characters if one.standing is Standing.PLAYER]
    taken = {each for one in persons if one.here for each in one.characters}
    return len(played) >= max(1, len(table.players)) and all(one.character_id in taken for one in played)


def _awaited(table: Table, questions: tuple[str, ...], chain: str) -> AwaitedView:
    """What only a person can answer; dice still to be thrown do not count."""
    if questions:
        words = sentences(say("Someone must look at the dice."), *questions)
        return AwaitedView(about=words, words=words)
    if table.request is not None:
        return AwaitedView(about="", words="")
    task = table.task
    if task is not None and task.phase is TaskPhase.COMPLICATIONS and task.complications_open:
        words = say_count(
            task.complications_open,
            "{number} Complication has to be settled.",
            "{number} Complications have to be settled.",
        )
        return AwaitedView(about="complications", words=words)
    asked = chain if table.agenda else ""
    return AwaitedView(about=asked, words=asked)


def _persons_of(table: Table, persons: tuple[Person, ...]) -> tuple[PersonView, ...]:
    """Those who are here, with the characters of theirs that are at the table."""
    there = {one.character_id for one in table.characters}
    holders = holders_of((one for one in persons if one.here), table)
    return tuple(
        PersonView(
            person_id=one.person_id,
            called=one.called,
            characters=tuple(mine for mine in one.characters if mine in there),
            asks=one.asks if one.asks in there else "",
            decides_for=tuple(sorted(held_by(holders, one.person_id))),
            gamemaster=one.part == "gamemaster",
            at_kiosk=one.at_kiosk,
        )
        for one in persons
        if one.here
    )

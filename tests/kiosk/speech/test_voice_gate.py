"""Where the table wants it, an outcome is seen when the voice begins to say it: not before, never not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from kiosk.compose import Kiosk, build
from kiosk.config import load_config
from kiosk.engine import Committed, Engine
from kiosk.speech.speech import SpeechError, Utterance
from kiosk.speech.voice import QueuedVoice
from kiosk.speech.voice_gate import VoiceGate
from kiosk.views.screen import ScreenChoice
from rules.deciding.decision import Command
from rules.deciding.telling import Narration, NarrationKind
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Pool, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice
from tests.e2e.program import until
from tests.kiosk.desk import Desk, StillClock, got, post
from tests.kiosk.memory_journal import MemoryJournal
from tests.kiosk.storage.test_preferences import BARE
from tests.kiosk.web.test_api import CREW, set_up

NEVER = 60.0
ABLE = Attributes(control=11, daring=11, fitness=11, insight=11, presence=11, reason=11)
SKILLED = Disciplines(command=4, conn=4, security=4, engineering=4, science=4, medicine=4)
CARD = SaveCharacter(name="Ada Lindqvist", attributes=ABLE, disciplines=SKILLED)


def task(character: str) -> DeclareTask:
    return DeclareTask(
        declaration=Declaration(
            character_id=character, attribute=Attribute.CONTROL, discipline=Discipline.SECURITY, difficulty=1
        )
    )


class Room:
    """An engine with its gate; `spoken` is what the voice was told, `seen` what the pages were."""

    def __init__(self, *, wanted: bool = True, longest: float = NEVER) -> None:
        self.engine = Engine(MemoryJournal(StillClock()))
        self.wanted = wanted
        self.spoken: list[Narration] = []
        self.published: list[int] = []
        self.gate = VoiceGate(self.engine.present(), self._published, wanted=lambda: self.wanted, longest=longest)
        self.engine.listen(self._tell)
        self.engine.start()
        self.do(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)))
        self.do(CARD)

    def _published(self, committed: Committed) -> None:
        self.published.append(committed.present.sequence)

    def _tell(self, committed: Committed) -> None:
        kept = self.gate.keeps(committed)
        if committed.said is not None:
            self.spoken.append(committed.said.narration)
        if not kept:
            self._published(committed)

    def do(self, command: Command) -> int:
        return self.engine.submit(command, "t").sequence

    def throw(self) -> int:
        self.do(task(self.engine.present().table.characters[0].character_id))
        request = self.engine.present().table.request
        assert request is not None
        return self.do(EnterDice(request=request.number, faces=(3, 9)))

    def outcome_seen(self) -> bool:
        task = self.gate.seen(self.engine.present()).table.task
        return task is not None and task.outcome is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.stop()


def test_an_outcome_waits_for_the_voice_and_what_follows_waits_behind_it() -> None:
    with Room() as room:
        outcome = room.throw()
        assert not room.outcome_seen()
        assert outcome not in room.published
        after = room.do(AdjustPool(pool=Pool.THREAT, change=1))
        assert after not in room.published
        said = next(one for one in reversed(room.spoken) if "success" in one.normal.lower())
        room.gate.began(room.spoken[0])
        assert not room.outcome_seen(), "an older sentence does not open it"
        room.gate.began(said)
        assert room.outcome_seen()
        assert room.published == sorted(room.published)
        assert room.published[-2:] == [outcome, after]


def outcome_of(room: Room) -> Narration:
    return next(one for one in reversed(room.spoken) if one.kind is NarrationKind.OUTCOME)


def test_each_outcome_waits_for_its_own_words() -> None:
    with Room() as room:
        first = room.throw()
        words = outcome_of(room)
        room.do(FinishSpending())
        between = room.engine.present().sequence
        second = room.throw()
        after = room.do(AdjustPool(pool=Pool.THREAT, change=1))
        room.gate.began(words)
        assert {first, between} <= set(room.published), "the first is seen, and what no outcome keeps back"
        assert not {second, after} & set(room.published), "the second has not been said yet"
        assert not room.outcome_seen()
        room.gate.began(outcome_of(room))
        assert room.published[-2:] == [second, after]
        assert room.published == sorted(room.published)
        assert not room.gate.closed
        assert room.outcome_seen()


def test_a_second_outcome_is_not_waited_for_without_end_either() -> None:
    with Room(longest=0.5) as room:
        room.throw()
        words = outcome_of(room)
        room.do(FinishSpending())
        second = room.throw()
        room.gate.began(words)
        until(lambda: second in room.published)
        assert room.outcome_seen()


def test_where_the_voice_falls_silent_no_later_outcome_waits() -> None:
    with Room() as room:
        room.throw()
        words = outcome_of(room)
        room.do(FinishSpending())
        second = room.throw()
        room.wanted = False
        room.gate.began(words)
        assert second in room.published
        assert not room.gate.closed


def test_nothing_waits_where_nobody_wants_it_or_nothing_can_be_heard() -> None:
    with Room(wanted=False) as room:
        assert room.throw() in room.published
        assert room.outcome_seen()


def test_no_page_and_no_answer_tells_what_is_kept_back() -> None:
    with Desk() as desk:
        client = desk.client()
        character = set_up(client)
        pages = ("/display", "/play", "/gm", "/text", "/setup", "/conflict", "/api/v1/table")
        desk.views.gate = VoiceGate(desk.engine.present(), desk.hub.publish, wanted=lambda: True)
        post(client, "/api/v1/commands", {"command": "save_character", **CREW, "name": "Kept Back"})
        asked = {"character_id": character, "attribute": "daring", "discipline": "conn"}
        post(client, "/api/v1/commands", {"command": "ask_for_task", **asked})
        assert desk.engine.present().table.asked

        def telling() -> list[str]:
            return [path for path in pages if "Kept Back" in client.get(path).get_data(as_text=True)]

        def whys() -> set[str]:
            return {one["why"] for one in got(client, f"/api/v1/presets?character={character}")["presets"]}

        assert telling() == []
        assert "asked" not in whys()
        desk.views.gate = None
        assert {"/setup", "/conflict", "/api/v1/table"} <= set(telling())
        assert "asked" in whys()


def test_a_voice_that_does_not_begin_is_not_waited_for_any_longer() -> None:
    with Room(longest=0.2) as room:
        outcome = room.throw()
        until(lambda: outcome in room.published)
        assert room.outcome_seen()


class Told(Utterance):
    def __init__(self) -> None:
        self.over = threading.Event()

    def wait(self) -> None:
        self.over.wait(20)

    def cut(self) -> None:
        self.over.set()


class SlowSpeaker:
    """Begins to speak when it is let."""

    def __init__(self, fails: bool = False) -> None:  # noqa: FBT001, FBT002 - the one choice there is
        self.let = threading.Event()
        self.fails = fails

    def begin(self, text: str) -> Utterance:
        del text
        self.let.wait(20)
        if self.fails:
            raise SpeechError("No sound came out.")
        told = Told()
        told.over.set()
        return told

    def play(self, sound: bytes) -> Utterance:
        raise NotImplementedError


WORDS = Narration(terse="Success.", normal="Success.", full="Success.", kind=NarrationKind.OUTCOME)


def spoken(act: Callable[[QueuedVoice, SlowSpeaker], None], *, fails: bool = False) -> list[Narration]:
    """What the voice told to have begun after it was asked to say something."""
    speaker = SlowSpeaker(fails)
    voice = QueuedVoice(speaker=speaker, synthesise=lambda _, __, ___: b"")
    begun: list[Narration] = []
    voice.tell_when_begun(begun.append)
    voice.say(WORDS)
    assert not begun
    act(voice, speaker)
    until(lambda: WORDS in begun)
    speaker.let.set()
    voice.stop()
    return begun


def test_the_voice_tells_when_it_begins_when_it_fails_and_when_it_is_muted() -> None:
    assert spoken(lambda _, speaker: speaker.let.set())[0] is WORDS
    assert spoken(lambda _, speaker: speaker.let.set(), fails=True)[0] is WORDS
    assert spoken(lambda voice, _: setattr(voice, "muted", True))[0] is WORDS


def test_a_kiosk_without_a_speaker_shows_at_once_and_keeps_the_choice(tmp_path: Path) -> None:
    def started() -> Kiosk:
        return build(load_config(None, BARE), tmp_path / "data")

    kiosk = started()
    kiosk.services.screen.choose(ScreenChoice(wait_for_voice=True))
    kiosk.services.engine.start()
    engine = kiosk.services.engine
    engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "t")
    engine.submit(CARD, "t")
    engine.submit(task(engine.present().table.characters[0].character_id), "t")
    request = engine.present().table.request
    assert request is not None
    engine.submit(EnterDice(request=request.number, faces=(3, 9)), "t")
    if not kiosk.services.voice.speaks:
        assert kiosk.services.views.current().sequence == engine.present().sequence
    kiosk.stop()
    again = started()
    assert again.services.screen.now.wait_for_voice
    again.stop()

"""The voice's manners: order, what may be cut off, what never is, and silence that costs nothing else."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from kiosk.ports import Length, Manner, Sounds
from kiosk.speech.speech import SpeechError
from kiosk.speech.voice import QueuedVoice
from rules.deciding.telling import Narration, NarrationKind


def _narration(text: str, kind: NarrationKind = NarrationKind.OUTCOME) -> Narration:
    return Narration(terse=f"{text} terse", normal=f"{text} normal", full=f"{text} full", kind=kind, urgent=False)


class _Utterance:
    def __init__(self, text: str, record: "RecordingSpeaker") -> None:
        self.text = text
        self._record = record
        self._over = threading.Event()
        self._was_cut = False

    def wait(self) -> None:
        self._over.wait(10)
        self._record.finished.append((self.text, self._was_cut))

    def cut(self) -> None:
        self._was_cut = True
        self._over.set()

    def end(self) -> None:
        self._over.set()


class RecordingSpeaker:
    """Speaks as slowly as the test wishes: each utterance lasts until `end` or a cut."""

    def __init__(self) -> None:
        self.begun: list[_Utterance] = []
        self.finished: list[tuple[str, bool]] = []

    def begin(self, text: str) -> _Utterance:
        self.begun.append(_Utterance(text, self))
        return self.begun[-1]

    def play(self, sound: bytes) -> _Utterance:
        return self.begin(f"sound of {len(sound)} bytes")


def _has_begun(speaker: RecordingSpeaker, count: int) -> bool:
    return len(speaker.begun) == count


def _says_now(speaker: RecordingSpeaker, text: str) -> bool:
    return speaker.begun[-1].text == text


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline, "waited 10 s in vain"
        time.sleep(0.005)


@contextmanager
def _voice(speaker: RecordingSpeaker, length: Length = "normal") -> Iterator[QueuedVoice]:
    voice = QueuedVoice(speaker=speaker, synthesise=None, length=length)
    try:
        yield voice
    finally:
        voice.stop()


def test_lines_are_said_in_order_and_in_the_chosen_length() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker, "full") as voice:
        voice.say(_narration("one"))
        _until(lambda: len(speaker.begun) == 1)
        voice.say(_narration("two"))
        speaker.begun[0].end()
        _until(lambda: len(speaker.begun) == 2)
        speaker.begun[1].end()
        _until(lambda: len(speaker.finished) == 2)
    assert speaker.finished == [("one full", False), ("two full", False)]


def test_outcomes_that_come_too_fast_are_said_shortly_until_the_last() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker, "full") as voice:
        voice.say(_narration("one"))
        _until(lambda: len(speaker.begun) == 1)
        for name in ("two", "three", "four"):
            voice.say(_narration(name))
        for place in range(4):
            _until(partial(_has_begun, speaker, place + 1))
            speaker.begun[place].end()
    assert [one.text for one in speaker.begun] == ["one full", "two terse", "three terse", "four full"]


def test_what_fails_beside_the_voice_costs_no_later_words(caplog: pytest.LogCaptureFixture) -> None:
    speaker = RecordingSpeaker()
    failing = _narration("none")

    def fails(narration: Narration) -> None:
        raise LookupError(narration.terse)

    def words(text: str) -> str:
        if text == failing.normal:
            raise LookupError(text)
        return text

    voice = QueuedVoice(speaker=speaker, synthesise=None, words=words)
    voice.tell_when_begun(fails)
    try:
        voice.say(_narration("one"))
        _until(partial(_has_begun, speaker, 1))
        speaker.begun[0].end()
        voice.say(failing)
        _until(lambda: "could not be said" in caplog.text)
        voice.say(_narration("two"))
        _until(partial(_has_begun, speaker, 2))
    finally:
        voice.stop()
    assert [one.text for one in speaker.begun] == ["one normal", "two normal"]
    assert "what waited for the voice failed" in caplog.text


def test_a_muted_voice_tells_of_all_that_it_will_not_say() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        begun: list[Narration] = []
        voice.tell_when_begun(begun.append)
        said, waiting, told = _narration("one"), _narration("two"), _narration("camera")
        for one in (said, waiting, told):
            voice.say(one)
        _until(lambda: said in begun)
        voice.muted = True
        assert waiting in begun
        assert told in begun


def test_an_outcome_cuts_off_detail() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("detail", NarrationKind.INFO))
        _until(lambda: len(speaker.begun) == 1)
        voice.say(_narration("outcome"))
        _until(lambda: len(speaker.begun) == 2)
    assert speaker.finished[0] == ("detail normal", True)
    assert speaker.begun[1].text == "outcome normal"


def test_an_outcome_never_cuts_off_an_outcome() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("first"))
        _until(lambda: len(speaker.begun) == 1)
        for number in range(20):
            voice.say(_narration(f"later {number}", NarrationKind.INFO))
        voice.say(_narration("second"))
        speaker.begun[0].end()
        _until(lambda: len(speaker.begun) == 2)
    assert speaker.finished[0] == ("first normal", False)
    assert speaker.begun[1].text == "second normal"


def test_repeat_says_the_last_again_in_the_chosen_length_or_in_full() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.repeat()
        voice.say(_narration("one"))
        _until(lambda: len(speaker.begun) == 1)
        speaker.begun[0].end()
        voice.repeat()
        _until(lambda: len(speaker.begun) == 2)
        voice.repeat(full=True)
        _until(lambda: len(speaker.begun) == 3)
    assert [one.text for one in speaker.begun] == ["one normal", "one normal", "one full"]
    assert speaker.finished[1] == ("one normal", True), "who asks for more need not hear the rest of the shorter one"


def test_an_answer_waits_for_an_outcome_but_not_for_another_answer_and_a_new_outcome_comes_before_it() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("outcome"))
        _until(lambda: len(speaker.begun) == 1)
        voice.ask(_narration("pools"))
        voice.ask(_narration("turn"))
        speaker.begun[0].end()
        _until(lambda: len(speaker.begun) == 2)
        voice.ask(_narration("pools again"))
        _until(lambda: len(speaker.begun) == 3)
        voice.say(_narration("new outcome"))
        _until(lambda: len(speaker.begun) == 4)
    texts = [one.text for one in speaker.begun]
    assert texts == ["outcome normal", "turn normal", "pools again normal", "new outcome normal"]
    assert speaker.finished[0] == ("outcome normal", False)
    assert speaker.finished[1] == ("turn normal", True)


def test_the_same_outcome_asked_for_while_it_is_said_begins_anew() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("outcome"))
        _until(lambda: len(speaker.begun) == 1)
        voice.repeat()
        _until(lambda: len(speaker.begun) == 2)
    assert speaker.finished[0] == ("outcome normal", True)


def test_sounds_come_before_the_words_only_where_the_room_wants_them() -> None:
    speaker = RecordingSpeaker()
    sounds = Sounds("player-1", "success")
    with _voice(speaker) as voice:
        voice.say(_narration("without"), sounds)
        _until(lambda: len(speaker.begun) == 1)
        speaker.begun[0].end()
        voice.manner = Manner(earcons=True)
        voice.say(_narration("with"), sounds)
        _until(lambda: len(speaker.begun) == 2)
        speaker.begun[1].end()
        _until(lambda: len(speaker.begun) == 3)
    assert [one.text.split()[0] for one in speaker.begun] == ["without", "sound", "with"]


def test_a_sound_that_cannot_be_played_costs_only_the_sound() -> None:
    class Soundless(RecordingSpeaker):
        def play(self, sound: bytes) -> _Utterance:
            raise SpeechError(f"no player for {len(sound)} bytes")

    speaker = Soundless()
    with _voice(speaker) as voice:
        voice.manner = Manner(tones=True)
        voice.say(_narration("said"), Sounds("", "failure"))
        _until(lambda: len(speaker.begun) == 1)
    assert speaker.begun[0].text == "said normal"


def test_what_is_cut_off_during_its_sound_is_not_said() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.manner = Manner(tones=True)
        voice.say(_narration("detail", NarrationKind.INFO), Sounds("", "failure"))
        _until(lambda: len(speaker.begun) == 1)
        voice.say(_narration("outcome"))
        _until(lambda: len(speaker.begun) == 2)
    assert speaker.begun[1].text == "outcome normal"


def test_what_people_choose_for_the_room_is_handed_on_to_be_kept() -> None:
    kept: list[tuple[Length, bool, Manner]] = []
    voice = QueuedVoice(speaker=None, synthesise=None, keep=lambda *chosen: kept.append(chosen))
    voice.length = "terse"
    voice.muted = True
    voice.manner = Manner(rate=2.0)
    assert kept == [("terse", False, Manner()), ("terse", True, Manner()), ("terse", True, Manner(rate=2.0))]
    assert (voice.length, voice.muted, voice.manner) == kept[-1]


def test_muting_silences_at_once_and_unmuting_does_not_bring_back_old_lines() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("one"))
        _until(lambda: len(speaker.begun) == 1)
        voice.say(_narration("two"))
        voice.muted = True
        _until(lambda: len(speaker.finished) == 1)
        voice.say(_narration("three"))
        voice.muted = False
        voice.say(_narration("four"))
        _until(lambda: len(speaker.begun) == 2)
    assert speaker.finished[0] == ("one normal", True)
    assert speaker.begun[1].text == "four normal"


def test_a_broken_speaker_is_told_once_and_so_is_its_return(caplog: pytest.LogCaptureFixture) -> None:
    class Flaky(RecordingSpeaker):
        broken = True

        def begin(self, text: str) -> _Utterance:
            if self.broken:
                self.finished.append((text, False))
                raise SpeechError("No sound came out.")
            return super().begin(text)

    speaker = Flaky()
    with caplog.at_level(logging.INFO, "kiosk.speech.voice"), _voice(speaker) as voice:
        for number in range(3):
            voice.say(_narration(str(number)))
        _until(lambda: len(speaker.finished) == 3)
        speaker.broken = False
        voice.say(_narration("back"))
        _until(lambda: len(speaker.begun) == 1)
        speaker.begun[0].end()
        _until(lambda: len(caplog.records) == 2)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_without_a_speaker_nothing_is_queued_and_phones_still_get_audio() -> None:
    voice = QueuedVoice(
        speaker=None, synthesise=lambda text, manner, language: f"{text} at {manner.rate} in {language}".encode()
    )
    voice.say(_narration("one"))
    voice.repeat()
    assert voice.available
    assert voice.wav("hello") == b"hello at 1.0 in en"
    assert voice.wav("hello", Manner(rate=2.5), "de") == b"hello at 2.5 in de"
    voice.stop()
    assert QueuedVoice(speaker=None, synthesise=None).wav("hello") is None


def test_what_was_last_said_before_a_restart_can_be_repeated() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.remember(_narration("before"))
        assert not speaker.begun
        voice.repeat()
        _until(lambda: len(speaker.begun) == 1)
    assert speaker.begun[0].text == "before normal"


def test_a_press_is_answered_at_once_but_cuts_no_outcome_short_for_the_room() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker, "terse") as voice:
        voice.say(_narration("detail", NarrationKind.INFO))
        _until(lambda: len(speaker.begun) == 1)
        voice.prompt(_narration("first"), at_once=True)
        _until(lambda: len(speaker.begun) == 2)
        voice.prompt(_narration("second"), at_once=True)
        _until(lambda: len(speaker.begun) == 3)
        assert speaker.finished == [("detail terse", True), ("first terse", True)]
        for kind in (NarrationKind.OUTCOME, NarrationKind.QUESTION):
            voice.say(told := _narration(kind, kind))
            _until(partial(_says_now, speaker, told.terse))
            voice.prompt(_narration("skipped"), at_once=True)
            voice.prompt(_narration("pressed"), at_once=True)
            voice.say(_narration("next", kind))
            speaker.begun[-1].end()
            _until(partial(_says_now, speaker, "pressed terse"))
            assert speaker.finished[-1] == (told.terse, False)
            speaker.begun[-1].end()
            _until(partial(_says_now, speaker, "next terse"))
            speaker.begun[-1].end()


def test_what_the_menu_says_by_itself_waits_for_the_outcome_and_takes_the_place_of_what_it_said_before() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.say(_narration("outcome"))
        _until(lambda: len(speaker.begun) == 1)
        voice.prompt(_narration("old"), at_once=False)
        voice.prompt(_narration("new"), at_once=False)
        speaker.begun[0].end()
        _until(lambda: len(speaker.begun) == 2)
        assert speaker.begun[1].text == "new normal"
        voice.repeat(full=False)
        _until(lambda: len(speaker.begun) == 3)
        assert speaker.begun[2].text == "outcome normal", "the menu is no outcome to be repeated"
    assert speaker.finished[:2] == [("outcome normal", False), ("new normal", True)]


def test_a_muted_menu_says_nothing() -> None:
    speaker = RecordingSpeaker()
    with _voice(speaker) as voice:
        voice.muted = True
        voice.prompt(_narration("menu"), at_once=True)
        voice.muted = False
        voice.prompt(_narration("heard"), at_once=True)
        _until(lambda: len(speaker.begun) == 1)
        assert speaker.begun[0].text == "heard normal"

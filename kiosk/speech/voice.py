"""The voice: says what the caption shows, in order, without ever making anyone wait.

In: narrations from the engine's listener. Out: speech on the room's speaker, WAVs for phones. A new outcome may cut off
older details, but never an older outcome. A press of the panel cuts off all but outcomes.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kiosk.ports import SILENT, USUAL, Length, Manner, Sounds
from kiosk.speech.earcons import together
from kiosk.speech.speech import Speaker, SpeechError, Utterance
from rules.game import Narration, NarrationKind

log = logging.getLogger(__name__)

QUEUE_LIMIT: Final = 8
"""Most utterances waiting: beyond it the oldest detail is dropped first, then the oldest of all."""

STOP_SECONDS: Final = 2.0
"""How long `stop` waits for the speaking thread."""

_LASTING: Final = frozenset({NarrationKind.OUTCOME, NarrationKind.QUESTION})
"""What is never cut off or dropped for something newer."""


Keep = Callable[[Length, bool, Manner], None]
"""Takes the length, the silence and the manner that people chose, so that they last."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Something to say. `brief` is said in its place where outcomes wait behind it; `sounds` come before it.

    A `pressed` one answers a press: no outcome takes its place.
    """

    text: str
    brief: str
    lasting: bool
    prompt: bool = False
    pressed: bool = False
    sounds: Sounds = SILENT
    told: Narration | None = None


class QueuedVoice:
    """Speaks narrations on its own thread.

    `speaker` None means that nothing can be heard here: `say` then does nothing, captions and `wav` go on.
    `synthesise` turns a text into a WAV, in that manner and language, or raises `SpeechError`; None where espeak-ng is
    absent. `keep` is called with what people choose for the room; `words` says a text in the room's language.

    Where outcomes come faster than they can be said, those with others behind them are said in their terse form.
    """

    def __init__(
        self,
        *,
        speaker: Speaker | None,
        synthesise: Callable[[str, Manner, str], bytes] | None,
        length: Length = "normal",
        muted: bool = False,
        manner: Manner = USUAL,
        keep: Keep = lambda _, __, ___: None,
        words: Callable[[str], str] = str,
    ) -> None:
        self._speaker = speaker
        self._synthesise = synthesise
        self._length: Length = length
        self._muted = muted
        self._manner = manner
        self._keep = keep
        self._words = words
        self._waiting: deque[_Line] = deque()
        self._line: _Line | None = None
        self._now: Utterance | None = None
        self._dropped = False
        self._last: Narration | None = None
        self._begun: Callable[[Narration], None] = lambda _: None
        self._heard = True
        self._stopping = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        if speaker is not None:
            self._thread.start()

    @property
    def available(self) -> bool:
        """Whether text can be turned into sound at all, on the speaker or for a phone."""
        return self._synthesise is not None

    @property
    def speaks(self) -> bool:
        """Whether what is said can be heard in the room now, as far as is known."""
        return self._speaker is not None and not self._muted and self._heard

    def tell_when_begun(self, listener: Callable[[Narration], None]) -> None:
        """Call `listener` when a narration begins to sound, or once it is known that it will not; from any thread."""
        self._begun = listener

    @property
    def muted(self) -> bool:
        """Whether the room's speaker is silent by choice."""
        return self._muted

    @muted.setter
    def muted(self, value: bool) -> None:
        with self._change:
            self._muted = value
            unsaid = self._silenced() if value else ()
            self._change.notify_all()
        for told in unsaid:
            self._tell_begun(told)
        self._keep(self._length, value, self._manner)

    @property
    def length(self) -> Length:
        """How much the room's speaker says of each outcome."""
        return self._length

    @length.setter
    def length(self, value: Length) -> None:
        self._length = value
        self._keep(value, self._muted, self._manner)

    @property
    def manner(self) -> Manner:
        """How the room's speaker speaks, and which sounds it makes."""
        return self._manner

    @manner.setter
    def manner(self, value: Manner) -> None:
        self._manner = value
        self._keep(self._length, self._muted, value)

    def say(self, narration: Narration, sounds: Sounds = SILENT) -> None:
        """Queue `narration` in the chosen length, after those of `sounds` that the room wants; returns at once."""
        self._last = narration
        lasting = narration.kind in _LASTING
        self._enqueue(_Line(self._text(narration), narration.terse, lasting, sounds=sounds, told=narration))

    def remember(self, narration: Narration) -> None:
        """Treat `narration` as the last one without saying it, as after a restart."""
        self._last = narration

    def repeat(self, words: Narration | None = None, *, full: bool = False) -> None:
        """Say `words` again, else the last narration, in the chosen length or in full."""
        told = words or self._last
        if told is not None:
            self._answer(told.full if full else self._text(told), told)

    def ask(self, words: Narration) -> None:
        """Answer a question: in the chosen length, once no outcome is being said."""
        self._answer(self._text(words), words)

    def prompt(self, words: Narration, *, at_once: bool) -> None:
        """Say what the panel's menu says, in the chosen length, in place of what it said before; returns at once.

        `at_once` answers a press: it is the next to be said, and cuts off what is being said but for an outcome or a
        question, which the whole room listens to. Else it waits until all is over.
        """
        if self._speaker is None or self._muted:
            return
        text = self._text(words)
        with self._change:
            self._waiting = deque(kept for kept in self._waiting if not kept.prompt)
            if self._line is not None and (self._line.prompt or (at_once and not self._line.lasting)):
                self._drop()
            line = _Line(text, text, lasting=False, prompt=True, pressed=at_once)
            if at_once:
                self._waiting.appendleft(line)
            else:
                self._waiting.append(line)
            self._change.notify_all()

    def wav(self, text: str, manner: Manner = USUAL, language: str = "en") -> bytes | None:
        """`text` as a WAV for a phone, in that listener's manner and language; None where speech is not available."""
        if self._synthesise is None:
            return None
        try:
            return self._synthesise(text, manner, language)
        except SpeechError as error:
            self._silent(error)
            return None

    def stop(self) -> None:
        """Fall silent and end the thread, in bounded time."""
        with self._change:
            self._stopping = True
            unsaid = self._silenced()
            self._change.notify_all()
        for told in unsaid:
            self._tell_begun(told)
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _text(self, narration: Narration) -> str:
        texts: dict[Length, str] = {
            "terse": narration.terse,
            "normal": narration.normal,
            "full": narration.full,
        }
        return texts[self._length]

    def _answer(self, text: str, told: Narration) -> None:
        """Say it next, in place of a waiting answer; the same words already being said begin again."""
        if self._speaker is None or self._muted or not text:
            return
        with self._change:
            if self._line is not None and (not self._line.lasting or self._line.told is told):
                self._drop()
            self._waiting.appendleft(_Line(text, text, lasting=False, told=told))
            for kept in [one for one in list(self._waiting)[1:] if not one.lasting and not one.prompt]:
                self._waiting.remove(kept)
            self._change.notify_all()

    def _enqueue(self, line: _Line) -> None:
        if self._speaker is None or self._muted or not line.text:
            return
        with self._change:
            if line.lasting:
                self._waiting = deque(kept for kept in self._waiting if kept.lasting or kept.pressed)
                if self._line is not None and not self._line.lasting:
                    self._drop()
            self._waiting.append(line)
            if len(self._waiting) > QUEUE_LIMIT:
                passing = next((kept for kept in self._waiting if not kept.lasting), self._waiting[0])
                self._waiting.remove(passing)
            self._change.notify_all()

    def _silenced(self) -> tuple[Narration, ...]:
        """Drop what waits, cut off what is being said, and return what stays unsaid. Called with the lock held."""
        unsaid = [one.told for one in self._waiting if one.told is not None]
        self._waiting.clear()
        self._drop()
        return (*unsaid, *(() if self._last is None else (self._last,)))

    def _tell_begun(self, told: Narration) -> None:
        """Inform whoever waits for the words; an error there is only logged."""
        try:
            self._begun(told)
        except Exception:
            log.exception("what waited for the voice failed")

    def _drop(self) -> None:
        """Cut off what is being said, sounds and words. Called with the lock held."""
        self._dropped = True
        if self._now is not None:
            self._now.cut()

    def _run(self) -> None:
        speaker = self._speaker
        while speaker is not None:
            with self._change:
                self._change.wait_for(lambda: bool(self._waiting) or self._stopping)
                if self._stopping:
                    return
                self._line, self._dropped = self._waiting.popleft(), False
                behind = any(one.lasting for one in self._waiting)
                line, text = self._line, self._line.brief if behind else self._line.text
            try:
                self._sound(speaker, line.sounds)
                if self._wait_for(functools.partial(speaker.begin, self._words(text)), line.told):
                    self._sounding()
            except SpeechError as error:
                self._silent(error)
            except Exception:
                log.exception("%r could not be said", text)
            finally:
                with self._change:
                    self._line = self._now = None
                if line.told is not None:
                    self._tell_begun(line.told)

    def _sound(self, speaker: Speaker, sounds: Sounds) -> None:
        """Play the sounds that the room wants; if that fails, the words still follow."""
        names = sounds.wanted(earcons=self._manner.earcons, tones=self._manner.tones)
        if not names:
            return
        try:
            self._wait_for(functools.partial(speaker.play, together(names)))
        except SpeechError as error:
            log.info("A sound could not be played. %s", error)

    def _wait_for(self, begin: Callable[[], Utterance], told: Narration | None = None) -> bool:
        """Begin and wait for the end; False if the utterance was dropped before it began."""
        if self._dropped:
            return False
        utterance = begin()
        with self._change:
            self._now = utterance
            if self._dropped or self._muted or self._stopping:
                utterance.cut()
        if told is not None:
            self._tell_begun(told)
        utterance.wait()
        with self._change:
            self._now = None
        return True

    def _silent(self, error: SpeechError) -> None:
        if self._heard:
            log.warning("The voice fell silent. %s Captions go on.", error)
        self._heard = False

    def _sounding(self) -> None:
        if not self._heard:
            log.info("The voice is back.")
        self._heard = True

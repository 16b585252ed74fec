"""The voice: says what the caption shows, in order, without ever making anyone wait.

Enters: narrations from the engine's listener. Leaves: speech on the room's speaker, WAVs for phones. A new
outcome may cut off older detail, never an older outcome. A press of the panel answers at once, whatever is being said.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kiosk.preferences import Length
from kiosk.speech import Speaker, SpeechError, Utterance
from rules.narrate import Narration, NarrationKind

log = logging.getLogger(__name__)

QUEUE_LIMIT: Final = 8
"""Utterances waiting at most: beyond it the oldest detail goes first, then the oldest of all."""

STOP_SECONDS: Final = 2.0
"""How long `stop` waits for the speaking thread."""

_LASTING: Final = frozenset({NarrationKind.OUTCOME, NarrationKind.QUESTION})
"""What is never cut off or dropped for something newer."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    lasting: bool
    prompt: bool = False


class Voice:
    """Speaks narrations on its own thread.

    `speaker` None means that nothing can be heard here: `say` then does nothing, captions and `wav` go on.
    `synthesise` turns a text into a WAV or raises `SpeechError`; None where espeak-ng is absent. `keep` is called
    with the length and the silence that people choose, so that they last.
    """

    def __init__(
        self,
        *,
        speaker: Speaker | None,
        synthesise: Callable[[str], bytes] | None,
        length: Length = "normal",
        muted: bool = False,
        keep: Callable[[Length, bool], None] = lambda _, __: None,
    ) -> None:
        self._speaker = speaker
        self._synthesise = synthesise
        self._length: Length = length
        self._muted = muted
        self._keep = keep
        self._waiting: deque[_Line] = deque()
        self._now: Utterance | None = None
        self._now_lasting = False
        self._now_prompt = False
        self._last: Narration | None = None
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
    def muted(self) -> bool:
        """Whether the room's speaker is silent by choice."""
        return self._muted

    @muted.setter
    def muted(self, value: bool) -> None:
        with self._change:
            self._muted = value
            if value:
                self._waiting.clear()
                if self._now is not None:
                    self._now.cut()
            self._change.notify_all()
        self._keep(self._length, value)

    @property
    def length(self) -> Length:
        """How much the room's speaker says of each outcome."""
        return self._length

    @length.setter
    def length(self, value: Length) -> None:
        self._length = value
        self._keep(value, self._muted)

    def say(self, narration: Narration) -> None:
        """Queue `narration` in the chosen length; returns at once."""
        self._last = narration
        self._enqueue(_Line(self._text(narration), narration.kind in _LASTING))

    def remember(self, narration: Narration) -> None:
        """Take `narration` for the last one without saying it, as after a restart."""
        self._last = narration

    def repeat(self, *, full: bool = True) -> None:
        """Say the last narration again, in full unless told otherwise: who asks again wants to know more."""
        if self._last is not None:
            self._enqueue(_Line(self._last.full if full else self._text(self._last), lasting=True))

    def prompt(self, words: Narration, *, at_once: bool) -> None:
        """Say what the panel's menu says, in the chosen length, in place of what it said before; returns at once.

        `at_once` answers a press: it cuts off what is being said. Else it waits until that is over.
        """
        if self._speaker is None or self._muted:
            return
        with self._change:
            self._waiting = deque(kept for kept in self._waiting if not kept.prompt)
            if self._now is not None and (at_once or self._now_prompt):
                self._now.cut()
            line = _Line(self._text(words), lasting=False, prompt=True)
            if at_once:
                self._waiting.appendleft(line)
            else:
                self._waiting.append(line)
            self._change.notify_all()

    def wav(self, text: str) -> bytes | None:
        """`text` as a WAV for a phone; None where speech is not available."""
        if self._synthesise is None:
            return None
        try:
            return self._synthesise(text)
        except SpeechError as error:
            self._silent(error)
            return None

    def stop(self) -> None:
        """Fall silent and end the thread, in bounded time."""
        with self._change:
            self._stopping = True
            self._waiting.clear()
            if self._now is not None:
                self._now.cut()
            self._change.notify_all()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _text(self, narration: Narration) -> str:
        texts: dict[Length, str] = {
            "terse": narration.terse,
            "normal": narration.normal,
            "full": narration.full,
        }
        return texts[self._length]

    def _enqueue(self, line: _Line) -> None:
        if self._speaker is None or self._muted or not line.text:
            return
        with self._change:
            if line.lasting:
                self._waiting = deque(kept for kept in self._waiting if kept.lasting)
                if self._now is not None and not self._now_lasting:
                    self._now.cut()
            self._waiting.append(line)
            if len(self._waiting) > QUEUE_LIMIT:
                passing = next((kept for kept in self._waiting if not kept.lasting), self._waiting[0])
                self._waiting.remove(passing)
            self._change.notify_all()

    def _run(self) -> None:
        speaker = self._speaker
        while speaker is not None:
            with self._change:
                self._change.wait_for(lambda: bool(self._waiting) or self._stopping)
                if self._stopping:
                    return
                line = self._waiting.popleft()
            try:
                utterance = speaker.begin(line.text)
                with self._change:
                    self._now, self._now_lasting, self._now_prompt = utterance, line.lasting, line.prompt
                    if self._muted or self._stopping:
                        utterance.cut()
                utterance.wait()
            except SpeechError as error:
                self._silent(error)
            else:
                self._sounding()
            finally:
                with self._change:
                    self._now = None

    def _silent(self, error: SpeechError) -> None:
        if self._heard:
            log.warning("The voice fell silent. %s Captions go on.", error)
        self._heard = False

    def _sounding(self) -> None:
        if not self._heard:
            log.info("The voice is back.")
        self._heard = True

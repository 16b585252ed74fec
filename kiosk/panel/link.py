"""The panel at the table: presses go through the spoken menu to the engine, decisions come back as light and sound.

In: presses, committed decisions and changes of sources, from any thread; all are queued. One thread takes them in
order, so that no press waits for the engine on the thread that debounces buttons.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final, Protocol

from kiosk.engine import Committed, Engine, Present
from kiosk.errors import AskFirstError, KioskError, StaleError, words_of
from kiosk.panel.rights import Presser, Rights
from kiosk.panel.signals import LampWord, RingLevels, SignalWord, lamp_for, meanings
from kiosk.panel.spoken_menu import LEFT_ALONE, Menu, MenuStep, at_top, done, follow, left_alone, press, words_here
from kiosk.panel.spoken_places import Facts, Gesture, Rest, Ways
from kiosk.panel.spoken_words import told
from kiosk.ports import Clock, Length, SourceView, Voice
from kiosk.views.about import GONE_ON, KEYS, PANEL
from kiosk.views.again import again_told
from kiosk.views.holders import NOBODY, Holders
from kiosk.views.of_table import Menus
from rules.dice import SourceKind, SourceState
from rules.game import Command, Narration, Refusal, Undo
from rules.words import say, sentences

log = logging.getLogger(__name__)

SHOWN_SECONDS: Final = 6.0
"""How long the last words of a menu that is closed stay in the caption: as long as they take to say."""

REACTION_SECONDS: Final = 0.5
"""A confirm this soon after the menu spoke up by itself is ignored: it was meant for what it said before."""

QUESTION_SECONDS: Final = 30.0
"""For how long a question waits for its yes."""

LISTENING_SECONDS: Final = 1.0
"""A yes this soon after its question is none: nobody has heard it."""

STOP_SECONDS: Final = 2.0
"""How long `stop` waits for the thread; a command on a slow disk may go on behind it."""

_READING: Final = frozenset(kind.value for kind in SourceKind if kind is not SourceKind.MANUAL)
"""The sources that read dice without a person."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked before `command` is done on the table at `sequence`, in `words`, since `at`."""

    command: Command
    sequence: int
    words: Narration
    at: float


class Outputs(Protocol):
    """What a panel shows and sounds. A part that is not fitted ignores it."""

    def show_word(self, word: LampWord) -> None:
        """Show that state on the lamp."""

    def sound_word(self, word: SignalWord) -> None:
        """Sound that signal once."""

    def ring(self, level: float) -> None:
        """Set the ring light, 0 to 1."""


class PanelLink:
    """Turns presses into commands and words, and decisions into lamp, ring light, buzzer and words.

    `fitted` are the buttons there are. `sources` tells how camera and tray are. `caption` is called with what the menu
    says, empty once it is over: the same words that are spoken. `ring` is None where no ring light is fitted. `rest` is
    how it was left, and `keep_rest` is called with how somebody wants it from now on. `held` says whether the table's
    screen is held, and `hold` is called with whether it is to be. `menus` are those that pages ask for too.
    `holders` tells who took which character, and `rights` what whoever presses may do.
    """

    def __init__(
        self,
        engine: Engine,
        voice: Voice,
        outputs: Outputs,
        *,
        clock: Clock,
        fitted: Collection[str],
        sources: Callable[[], tuple[SourceView, ...]],
        caption: Callable[[str], None],
        ring: RingLevels | None = None,
        rest: Rest = Rest.DIM,
        keep_rest: Callable[[Rest], None] = lambda _: None,
        held: Callable[[], bool] | None = None,
        hold: Callable[[bool], object] = lambda _: None,
        menus: Menus | None = None,
        holders: Callable[[], Holders] = lambda: NOBODY,
        rights: Rights,
    ) -> None:
        self._engine = engine
        self._voice = voice
        self._outputs = outputs
        self._clock = clock
        self._meanings = meanings(fitted)
        self._sources = sources
        self._caption = caption
        self._ring = ring
        self._rest = rest
        self._keep_rest = keep_rest
        self._screen_held = held
        self._hold_screen = hold
        self._menu = Menu()
        self._menus = menus if menus is not None else Menus()
        self._ways = Ways()
        self._holders = holders
        self._rights = rights
        self._presser = rights.here()
        self._question: _Question | None = None
        self._pressed_at = clock.monotonic()
        self._spoke_up_at = -REACTION_SECONDS + self._pressed_at
        self._held: str | None = None
        self._trouble: str | None = None
        self._shown = ""
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="panel-menu", daemon=True)

    @property
    def shown(self) -> str:
        """What the menu says now; empty while it says nothing."""
        return self._shown

    def start(self) -> None:
        """Begin to take presses; without it, `turn` takes what waits."""
        self._thread.start()

    def stop(self) -> None:
        """Take no more."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def pressed(self, button: str) -> None:
        """Queue a press of a button; returns at once."""
        if (gesture := self._meanings.pressed.get(button)) is not None:
            self._queue(gesture)

    def gesture(self, gesture: Gesture, presser: Presser) -> None:
        """Queue a gesture that needs no button, as from a keyboard of `presser`; returns at once."""
        self._queue(gesture, presser)

    def held(self, button: str) -> None:
        """Queue a held button; returns at once."""
        if (gesture := self._meanings.held.get(button)) is not None:
            self._queue(gesture)

    def _queue(self, gesture: Gesture, presser: Presser | None = None) -> None:
        at = self._clock.monotonic()
        self._inbox.put(lambda: self._press(gesture, at, presser if presser is not None else self._rights.here()))

    def committed(self, committed: Committed) -> None:
        """Queue a decision, made here or elsewhere; returns at once."""
        said = committed.said.narration if committed.said is not None else None
        own = committed.decision.by in {PANEL, KEYS}
        self._inbox.put(self._look if own else lambda: self._follow(said))

    def refresh(self) -> None:
        """Queue a change of something besides the table; returns at once."""
        self._inbox.put(self._look)

    def turn(self, within: float = 0.0) -> bool:
        """Handle what waits, at least one thing within that many seconds; False once the link is stopped."""
        try:
            waiting = self._inbox.get(timeout=within) if within > 0.0 else self._inbox.get_nowait()
            while waiting is not None:
                self._safely(waiting)
                waiting = self._inbox.get_nowait()
        except queue.Empty:
            self._safely(self._idle)
            return True
        return False

    def _run(self) -> None:
        while self.turn(self._patience()):
            pass

    def _patience(self) -> float:
        """Seconds to wait for something new."""
        if not self._shown and not self._menu.open and self._question is None:
            return LEFT_ALONE
        return max(0.05, self._over_at() - self._clock.monotonic())

    def _over_at(self) -> float:
        """When the shown words end, the question or the open menu."""
        if self._question is not None:
            return self._question.at + QUESTION_SECONDS
        return self._pressed_at + (LEFT_ALONE if self._menu.open else SHOWN_SECONDS)

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            log.exception("the panel's menu failed; it starts again")
            self._menu, self._question = Menu(), None

    def _facts(self) -> Facts:
        reads = any(one.source in _READING and one.state == SourceState.READY for one in self._sources())
        present, presser = self._engine.present(), self._presser
        return Facts(
            history=present.history,
            reads=reads,
            rest=self._rest if self._ring is not None else None,
            held=self._screen_held() if self._screen_held is not None else None,
            hint=self._meanings.hint,
            holders=self._holders(),
            persons=self._rights.persons,
            locked=presser.locked,
            opened=presser.here and not presser.locked and self._rights.has_pin,
            withheld=lambda command: self._rights.keeps_back(present, command, presser),
            menus=self._menus,
            ways=self._ways,
        )

    def _press(self, gesture: Gesture, at: float, presser: Presser) -> None:
        self._pressed_at, self._presser = self._clock.monotonic(), self._rights.opened(presser)
        if self._question is not None and self._answers(self._question, gesture, at):
            return
        self._question = None
        if gesture is Gesture.CONFIRM and self._menu.open and at < self._spoke_up_at + REACTION_SECONDS:
            gesture = Gesture.REPEAT
        step = press(self._menu, gesture, self._facts())
        self._menu = step.menu
        self._set(step)
        if step.pin or step.lock:
            self._open_or_lock(step.pin)
        elif step.repeat:
            again = again_told(self._engine.present(), self._engine.narration)
            self._voice.repeat(again, full=step.full)
            if again is not None:
                self._show(again.full if step.full else _in(self._voice.length, again))
        elif step.command is not None:
            self._do(step.command)
        elif step.say is not None:
            self._say(step.say, at_once=True)
            if step.refused:
                self._outputs.sound_word("refused")

    def _set(self, step: MenuStep) -> None:
        """Leave the ring light and the table's screen as the step has them."""
        if step.rest is not None:
            self._rest = step.rest
            self._look()
            self._keep_rest(step.rest)
        if step.hold is not None:
            self._hold_screen(step.hold)

    def _open_or_lock(self, pin: str) -> None:
        """Try `pin`, or without one lock what it opened; the menu goes on at its top."""
        sound: SignalWord = "done"
        try:
            if pin:
                self._rights.unlock(pin)
                words = told(say("The gamemaster's part is open for half an hour; this menu locks it."))
            else:
                self._rights.lock()
                words = told(say("The gamemaster's part is locked."))
        except KioskError as error:
            words, sound = told(words_of(error)), "refused"
        self._presser = replace(self._rights.here(), person=self._presser.person, asks=self._presser.asks)
        facts = self._facts()
        self._menu = at_top(self._menu, facts)
        self._outputs.sound_word(sound)
        self._say(_joined(words, words_here(self._menu, facts)), at_once=True)

    def _answers(self, question: _Question, gesture: Gesture, at: float) -> bool:
        """Whether the press was about the question: its yes, its no, or to hear it again."""
        yes = gesture is Gesture.CONFIRM or (gesture is Gesture.UNDO and isinstance(question.command, Undo))
        if at >= question.at + QUESTION_SECONDS or gesture in {Gesture.NEXT, Gesture.PREVIOUS}:
            return False
        self._question = None
        if gesture in {Gesture.REPEAT, Gesture.MORE} or (yes and at < question.at + LISTENING_SECONDS):
            self._ask(question.command, question.sequence, question.words)
        elif yes:
            self._do(question.command, question)
        else:
            self._say(_joined(told(say("It is left as it is.")), words_here(self._menu, self._facts())), at_once=True)
        return True

    def _ask(self, command: Command, sequence: int, words: Narration) -> None:
        """Ask before `command` is done; the same press again is the yes."""
        self._question = _Question(command, sequence, words, self._clock.monotonic())
        self._outputs.sound_word("question")
        self._say(words, at_once=True)

    def _do(self, command: Command, answered: _Question | None = None) -> None:
        """Give `command` for whoever presses; `answered` is the question that was answered with yes."""
        presser, sequence = self._presser, -1

        def fits(present: Present) -> None:
            nonlocal sequence
            sequence = present.sequence
            if answered is not None and answered.sequence != sequence:
                raise StaleError(GONE_ON)
            self._rights.require(present, command, presser, confirmed=answered is not None)

        person = self._rights.decides(self._engine.present().table, command, presser)
        try:
            result = self._engine.submit(command, presser.by, fits=fits, person=person)
        except AskFirstError as error:
            self._ask(command, sequence, told(sentences(words_of(error), say("Press again for yes."))))
            return
        except (Refusal, KioskError) as error:
            log.info("The panel: %s", error)
            self._outputs.sound_word("refused")
            here = words_here(self._menu, self._facts())
            self._say(_joined(told(words_of(error)), here), at_once=True)
            return
        self._outputs.sound_word("done")
        said = result.said.narration if result.said is not None else None
        self._go_on(done(self._menu, self._facts()), said)

    def _follow(self, said: Narration | None) -> None:
        """Handle somebody else's decision: the menu stays where it is if possible, and the caption shows both.

        A question stays, so that its yes is told that the table has gone on, and is not taken for another press.
        """
        self._look()
        facts = self._facts()
        step = follow(self._menu, facts)
        if step.say is not None or not step.menu.open:
            self._go_on(step, said)
        elif said is not None:
            self._caption_of(said, words_here(step.menu, facts))

    def _go_on(self, step: MenuStep, said: Narration | None) -> None:
        """Continue the menu after a decision that the voice has announced as `said`, which stays in the caption."""
        self._menu = step.menu
        if step.say is None:
            self._show("")
            return
        self._pressed_at = self._spoke_up_at = self._clock.monotonic()
        words = step.say
        if said is not None and step.unasked is not None and step.asked and step.asked in said.terse:
            words = step.unasked
        self._voice.prompt(words, at_once=False)
        self._caption_of(said, words)

    def _look(self) -> None:
        """Set lamp and ring to the present state, and sound a new question."""
        table, trouble = self._engine.present().table, self._engine.trouble
        self._outputs.show_word(lamp_for(table, trouble))
        if self._ring is not None:
            camera = any(one.source == SourceKind.CAMERA and one.state == SourceState.READY for one in self._sources())
            self._outputs.ring(self._ring.level(table, self._rest, camera=camera))
        held = table.held.reading_id if table.held is not None else None
        if trouble is not None and self._trouble is None:
            self._outputs.sound_word("trouble")
        elif held is not None and held != self._held:
            self._outputs.sound_word("question")
        self._held, self._trouble = held, trouble

    def _idle(self) -> None:
        waits = self._menu.open or self._shown or self._question is not None
        if not waits or self._clock.monotonic() < self._over_at():
            return
        if self._question is not None:
            self._question = None
            self._caption_of(words_here(self._menu, self._facts()))
        else:
            self._menu = left_alone(self._menu)
            self._show("")

    def _say(self, words: Narration, *, at_once: bool) -> None:
        self._voice.prompt(words, at_once=at_once)
        self._show(_in(self._voice.length, words))

    def _caption_of(self, *said: Narration | None) -> None:
        self._show(" ".join(_in(self._voice.length, one) for one in said if one is not None))

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self._caption(text)


def _in(length: Length, words: Narration) -> str:
    return {"terse": words.terse, "normal": words.normal, "full": words.full}[length]


def _joined(first: Narration, then: Narration | None) -> Narration:
    if then is None:
        return first
    return replace(
        then,
        terse=f"{first.terse} {then.terse}",
        normal=f"{first.normal} {then.normal}",
        full=f"{first.full} {then.full}",
    )


class PanelKeys:
    """Where pages' presses go; `connect` says where, once the panel or its stand-in is there."""

    def __init__(self) -> None:
        self._take: Callable[[Gesture, Presser], None] | None = None

    def connect(self, take: Callable[[Gesture, Presser], None]) -> None:
        """Hand each press to `take`, which returns at once."""
        self._take = take

    def press(self, gesture: Gesture, presser: Presser) -> None:
        """Press for `presser`; raises `KioskError` while nothing takes presses."""
        if self._take is None:
            raise KioskError("The spoken menu is not ready yet. Try again in a moment.")
        self._take(gesture, presser)

"""The panel's presses, lamp, ring light, buzzer and caption, against a real engine."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import pytest

from kiosk.panel.link import SHOWN_SECONDS, PanelLink
from kiosk.panel.part import PanelPart
from kiosk.panel.rights import Presser
from kiosk.panel.signals import BUTTONS, LampWord, RingLevels, SignalWord, lamp_for, meanings
from kiosk.panel.spoken_levels import yes_for
from kiosk.panel.spoken_menu import LEFT_ALONE
from kiosk.panel.spoken_places import Gesture, Rest
from kiosk.storage.preferences import PreferencesFile, Ring
from rules.dice import DieKind, DieReading, DieState, Guess, Reading, SourceKind, SourceState
from rules.tasks.throwing import ReportReading
from tests.hardware.fakes import mock_factory
from tests.kiosk.desk import Desk, got, send
from tests.kiosk.web.test_api import DECLARATION, set_up
from tests.rules.tabletop import Game

LEVELS = RingLevels(looking=0.8, rest=0.1)


class Outputs:
    """Keeps what it was asked to show and sound."""

    def __init__(self) -> None:
        self.shown: list[LampWord] = []
        self.sounded: list[SignalWord] = []
        self.levels: list[float] = []

    def show_word(self, word: LampWord) -> None:
        self.shown.append(word)

    def sound_word(self, word: SignalWord) -> None:
        self.sounded.append(word)

    def ring(self, level: float) -> None:
        self.levels.append(level)


class Rig:
    """A desk with a panel whose thread is the test's own."""

    def __init__(self, desk: Desk, fitted: Collection[str] = BUTTONS, rest: Rest = Rest.DIM) -> None:
        self.desk = desk
        self.kept: list[Rest] = []
        self.holding: list[bool] = []
        self.outputs = Outputs()
        self.captions: list[str] = []
        self.link = PanelLink(
            desk.engine,
            desk.voice,
            self.outputs,
            clock=desk.clock,
            fitted=fitted,
            sources=desk.sources.views,
            caption=self.captions.append,
            ring=LEVELS,
            rest=rest,
            keep_rest=self.kept.append,
            held=lambda: self.holding[-1:] == [True],
            hold=self.holding.append,
            rights=desk.services.rights,
        )
        desk.engine.listen(self.link.committed)
        desk.sources.listen(lambda _: self.link.refresh())
        self.client = desk.client()
        self.character = set_up(self.client)
        self.link.turn()

    def press(self, *buttons: str) -> None:
        """Press each; "confirm!" holds it."""
        for button in buttons:
            self.desk.clock.ticks += 1.0
            if button.endswith("!"):
                self.link.held(button[:-1])
            else:
                self.link.pressed(button)
            self.link.turn()

    def press_until(self, words: str, button: str = "next") -> None:
        """Press until `words` begin what is said; fails after going all round."""
        for _ in range(40):
            if words in self.link.shown:
                return
            self.press(button)
        pytest.fail(f"{words!r} is not in the menu; last was {self.link.shown!r}")

    def half_build_and_leave(self) -> None:
        """Begin to declare a Task, and leave that for a minute and then for an hour."""
        self.press("next")
        self.press_until("Declare a Task")
        self.press("confirm")
        for seconds in (LEFT_ALONE, 3600.0):
            self.desk.clock.ticks += seconds
            self.link.turn()

    def declare(self, **declared: Any) -> None:  # noqa: ANN401 - any field of a declaration
        declaration = {"character_id": self.character, **DECLARATION, **declared}
        send(self.client, "declare_task", declaration=declaration)
        self.link.turn()

    def throw(self, *faces: int, **declared: Any) -> None:  # noqa: ANN401 - any field of a declaration
        self.declare(**declared)
        request = self.desk.engine.present().table.request
        assert request is not None
        send(self.client, "enter_dice", request=request.number, faces=list(faces))
        self.link.turn()

    def reading(self, name: str, *dice: DieReading) -> None:
        reading = Reading(reading_id=name, source=SourceKind.CAMERA, dice=dice)
        self.desk.engine.submit(ReportReading(reading=reading), "camera")
        self.link.turn()


def die(face: int | None, *guesses: int) -> DieReading:
    """A d20 as the camera saw it; one of which it has guesses is doubtful."""
    state = DieState.DOUBTFUL if guesses else DieState.READ
    told = tuple(Guess(one, 0.5) for one in guesses)
    return DieReading(DieKind.D20, face, 0.9, state, SourceKind.CAMERA, guesses=told)


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Desk() as desk:
        yield Rig(desk)


def test_confirm_finishes_spending_then_takes_the_complication(rig: Rig) -> None:
    rig.throw(1, 1)
    rig.press("confirm")
    assert (rig.desk.engine.present().table.task, rig.desk.engine.present().table.momentum) == (None, 2)
    rig.throw(19, 20)  # on which nothing can be bought, unlike on a success: the pool holds Momentum
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert task.complications_open == 1
    rig.press("confirm")
    assert rig.desk.engine.present().table.task is None
    assert rig.desk.journal.entries()[-1].by == "panel"
    assert rig.outputs.sounded == ["done", "done"]


def test_confirm_with_nothing_to_confirm_opens_the_menu_and_never_stands_for_dice(rig: Rig) -> None:
    rig.press("confirm")
    assert rig.link.shown.startswith("What now?")
    rig.press("confirm!")
    rig.declare()
    assert yes_for(rig.desk.engine.present().table) is None
    before = rig.desk.engine.present().sequence
    rig.press("confirm")
    assert rig.desk.engine.present().sequence == before
    assert rig.link.shown


def test_undo_takes_the_last_decision_back_and_at_the_start_says_that_there_is_none(rig: Rig) -> None:
    before = rig.desk.engine.present().table
    send(rig.client, "add_trait", name="Fog")
    rig.press("undo")
    assert rig.desk.engine.present().table == before
    for _ in range(20):
        rig.press("undo")
    assert rig.link.shown == "There is nothing to take back."
    assert rig.outputs.sounded[-1] == "refused"


def test_undo_in_the_menu_takes_back_its_last_step_alone(rig: Rig) -> None:
    rig.press("next")
    before, sequence = rig.link.shown, rig.desk.engine.present().sequence
    rig.press("confirm", "undo")
    assert rig.link.shown == before
    assert rig.desk.engine.present().sequence == sequence


def test_the_lamp_follows_the_roll(rig: Rig) -> None:
    rig.throw(1, 15)
    rig.press("confirm")
    rig.throw(16, 17)
    shown = [one for one, _ in groupby(rig.outputs.shown)]
    assert shown == ["off", "waiting", "success", "waiting", "failure"]
    assert lamp_for(rig.desk.engine.present().table, "the disk is full") == "trouble"


@pytest.mark.parametrize("faces", [(1, 2), (19, 20)])
def test_the_lamp_tells_no_verdict_before_both_sides_have_thrown(faces: tuple[int, int]) -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(*faces)
    assert lamp_for(game.table, None) == "off"
    game.declare(game.brack)
    assert lamp_for(game.table, None) == "waiting"
    game.throw(16, 17)
    assert lamp_for(game.table, None) in {"success", "failure"}


def test_a_throw_that_needs_a_person_asks_by_lamp_buzzer_and_voice(rig: Rig) -> None:
    rig.declare()
    rig.reading("r1", die(4), die(None, 14, 4))
    assert rig.outputs.shown[-1] == "asking"
    assert rig.outputs.sounded == ["question"]
    assert got(rig.client, "/api/v1/table")["questions"]
    rig.press("confirm")
    assert rig.link.shown.startswith("Die 2 may show 14 or 4. What does it show? Die 2 shows 14.")
    rig.press("next", "confirm")
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert [one.die.face for one in task.dice] == [4, 4]


def test_what_is_asked_of_unread_dice_is_said_once_and_how_to_answer(rig: Rig) -> None:
    rig.declare()
    rig.press("next")
    unread = replace(die(None, 3), guesses=())
    rig.reading("cam:1", unread, unread)
    assert rig.link.shown.count("Die 1 cannot be read with certainty.") == 1
    assert "Say what die 1 shows. 1 of " in rig.link.shown
    prompted = " ".join(words.normal for words, _ in rig.desk.voice.prompts)
    assert "Die 1 cannot be read with certainty." not in prompted, "the voice has told it with the throw"
    rig.press("repeat", "repeat")
    assert "Die 1 cannot be read with certainty." in rig.link.shown, "asked again, it is said again"


def test_a_chosen_entry_leaves_the_caption(rig: Rig) -> None:
    rig.desk.sources.set("camera", SourceState.READY, "The camera is ready.")
    rig.link.turn()
    rig.declare()
    rig.press("next")
    rig.press_until("Buy dice")
    rig.press("confirm")
    rig.press_until("Talent")
    rig.press("confirm")
    assert rig.link.shown == ""
    assert rig.captions[-1] == ""


def test_a_face_that_nobody_guessed_is_said_in_two_steps(rig: Rig) -> None:
    rig.declare()
    rig.reading("r1", die(4), die(None, 14, 4))
    rig.press("next")
    rig.press_until("Die 2 shows something else")
    rig.press("confirm")
    rig.press_until("16 to 20")
    rig.press("confirm")
    rig.press_until("18.")
    rig.press("confirm")
    task = rig.desk.engine.present().table.last_task
    assert task is not None
    assert [(one.die.face, one.die.corrected) for one in task.dice] == [(4, False), (18, True)]


def test_a_scored_die_is_put_right(rig: Rig) -> None:
    rig.throw(1, 15)
    rig.press("next")
    rig.press_until("A die was misread")
    rig.press("confirm")
    assert "Die 1, 1." in rig.link.shown
    rig.press("confirm")
    assert "1 to 5" in rig.link.shown
    rig.press("confirm", "next", "confirm")
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert task.dice[0].die.face == 3


def test_repeat_says_it_again_and_twice_says_more(rig: Rig) -> None:
    rig.throw(1, 15)
    rig.press("repeat")
    assert (rig.desk.voice.repeats, rig.desk.voice.repeated_in_full) == (1, False)
    rig.press("repeat")
    assert (rig.desk.voice.repeats, rig.desk.voice.repeated_in_full) == (2, True)
    said = rig.desk.engine.present().said
    assert said is not None
    assert rig.link.shown == said.narration.full
    rig.press("next", "next")
    here = rig.link.shown
    rig.press("repeat")
    assert rig.link.shown == here
    rig.press("repeat")
    assert here.partition(". ")[0] in rig.link.shown
    assert "Next moves on, confirm chooses, confirm held goes back." in rig.link.shown


def test_a_menu_left_alone_for_a_minute_is_over(rig: Rig) -> None:
    rig.press("next")
    rig.desk.clock.ticks += LEFT_ALONE - 1
    rig.link.turn()
    assert rig.link.shown
    rig.press("next")
    rig.desk.clock.ticks += LEFT_ALONE - 1
    rig.link.turn()
    assert rig.link.shown
    rig.desk.clock.ticks += 1
    rig.link.turn()
    assert rig.link.shown == rig.captions[-1] == ""
    rig.press("next")
    assert rig.link.shown.startswith("What now?")


@pytest.mark.parametrize("button", ["next", "previous", "confirm"])
def test_what_is_half_built_in_a_menu_left_alone_is_told_where_the_menu_is_opened_again(rig: Rig, button: str) -> None:
    rig.half_build_and_leave()
    assert rig.link.shown == ""
    if button == "previous":
        rig.link.gesture(Gesture.PREVIOUS, Presser())
        rig.link.turn()
    else:
        rig.press(button)
    assert rig.link.shown.endswith("Another Task, step by step. 1 of 2."), "no press means what nobody hears any more"
    assert "do?" in rig.link.shown
    rig.press("next")
    assert rig.link.shown.endswith("2 of 2.")


def test_a_half_built_task_left_alone_leaves_the_panel_to_the_others(rig: Rig) -> None:
    rig.half_build_and_leave()
    del rig.captions[:]
    send(rig.client, "add_trait", name="Fog")
    rig.link.turn()
    assert rig.captions == []
    rig.press("undo")
    assert not rig.desk.engine.present().table.traits, "it is taken back by the first press"
    rig.press("confirm!")
    assert rig.link.shown == "The menu is closed."
    rig.press("next")
    assert rig.link.shown.endswith("Another Task, step by step. 1 of 2."), "nothing of that changed what it is about"


def test_somebody_elses_task_takes_the_place_of_a_half_built_one_left_alone(rig: Rig) -> None:
    rig.half_build_and_leave()
    del rig.captions[:], rig.desk.voice.prompts[:]
    rig.throw(1, 15)
    assert (rig.captions, rig.desk.voice.prompts) == ([], []), "nobody asked the menu"
    rig.press("repeat")
    said = rig.desk.engine.present().said
    assert said is not None
    assert (rig.desk.voice.repeats, rig.link.shown) == (1, said.narration.normal)
    rig.press("confirm")
    assert rig.desk.engine.present().table.task is None, "the first press ends the spending"
    rig.desk.clock.ticks += LEFT_ALONE
    rig.link.turn()
    rig.press("next")
    assert rig.link.shown.startswith("What now?"), "it is about another time"


def test_the_last_words_of_a_closed_menu_leave_the_caption_soon(rig: Rig) -> None:
    rig.press("next", "confirm!")
    assert rig.link.shown == "Menu closed."
    rig.desk.clock.ticks += SHOWN_SECONDS
    rig.link.turn()
    assert rig.link.shown == ""


def test_what_is_shown_is_what_is_said_in_the_persons_length(rig: Rig) -> None:
    rig.desk.voice.length = "terse"
    rig.press("next", "next")
    words, at_once = rig.desk.voice.prompts[-1]
    assert rig.link.shown == rig.captions[-1] == words.terse
    assert at_once
    rig.desk.voice.length = "full"
    rig.press("next")
    assert rig.link.shown == rig.desk.voice.prompts[-1][0].full


def test_a_phones_decision_moves_the_menu_on(rig: Rig) -> None:
    rig.press("next")
    rig.press_until("Declare a Task")
    rig.press("confirm")
    rig.throw(1, 15)
    said = rig.desk.engine.present().said
    assert said is not None
    assert rig.link.shown.startswith(said.narration.normal)
    assert "Done: save" in rig.link.shown
    rig.press("confirm")
    assert rig.desk.engine.present().table.task is None


def test_what_changed_since_it_was_said_is_said_anew_instead_of_chosen(rig: Rig) -> None:
    send(rig.client, "adjust_pool", pool="momentum", change=6, reason="a test")
    rig.declare()
    rig.press("next")
    rig.press_until("Buy dice")
    rig.press("confirm")
    assert "costs 1 Momentum" in rig.link.shown
    send(rig.client, "buy_die", purchase={"payer": "momentum"})
    rig.link.pressed("confirm")
    rig.link.turn()
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert len(task.declaration.purchases) == 1, "2 Momentum were never agreed to"
    assert "costs 2 Momentum" in rig.link.shown
    rig.press("confirm")
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert len(task.declaration.purchases) == 2


def test_the_ring_goes_up_for_the_camera_and_back_and_is_dimmed_on_request(rig: Rig) -> None:
    assert rig.outputs.levels[-1] == LEVELS.rest
    rig.declare()
    assert rig.outputs.levels[-1] == LEVELS.rest, "no camera looks"
    rig.desk.sources.set("camera", SourceState.READY, "The camera reads.")
    rig.link.turn()
    assert rig.outputs.levels[-1] == LEVELS.looking
    rig.reading("r1", die(4), die(5))
    assert rig.outputs.levels[-1] == LEVELS.rest
    rig.press("next")
    rig.press_until("Ring light: now dim")
    rig.press("confirm")
    assert (rig.outputs.levels[-1], rig.link.shown) == (LEVELS.looking, "Ring light bright.")
    rig.press("confirm")
    assert (rig.outputs.levels[-1], rig.link.shown) == (0.0, "Ring light dark.")
    assert rig.kept == [Rest.BRIGHT, Rest.DARK]
    assert LEVELS.level(rig.desk.engine.present().table, Rest.DIM, camera=True) == LEVELS.rest


def test_the_tables_screen_is_held_and_let_go_from_the_menu(rig: Rig) -> None:
    rig.press("next")
    rig.press_until("Hold the table's screen")
    rig.press("confirm")
    assert (rig.holding, rig.link.shown) == ([True], "The table's screen is held.")
    rig.press("next")
    rig.press_until("Let the table's screen go on")
    rig.press("confirm")
    assert (rig.holding, rig.link.shown) == ([True, False], "The table's screen goes on.")


def test_the_ring_rests_as_it_was_left() -> None:
    with Desk() as desk:
        rig = Rig(desk, rest=Rest.BRIGHT)
        assert rig.outputs.levels[-1] == LEVELS.looking
        rig.press("next")
        rig.press_until("Ring light: now bright")


@pytest.mark.parametrize(("kept", "level"), [(None, 0.1), ("bright", 0.6), ("dark", 0.0)])
def test_how_the_ring_was_dimmed_outlives_a_restart(kept: Ring | None, level: float, tmp_path: Path) -> None:
    PreferencesFile(tmp_path / "preferences.json").change(ring=kept)
    with Desk() as desk, mock_factory() as factory:
        services = replace(desk.services, preferences=PreferencesFile(tmp_path / "preferences.json"))
        part = PanelPart(desk.config, services, pin_factory=factory, clock=desk.clock)
        pin, end = factory.pin(desk.config.panel.ring_pin), time.monotonic() + 60
        try:
            while pin.state != pytest.approx(level):
                assert time.monotonic() < end, pin.state
                time.sleep(0.01)
        finally:
            part.stop()


def test_a_closed_kiosk_does_not_make_a_press_fail(rig: Rig) -> None:
    rig.desk.engine.stop()
    rig.press("undo")
    assert rig.outputs.sounded[-1] == "refused"
    assert "closing down" in rig.link.shown


@pytest.mark.parametrize("pair", list(combinations(BUTTONS, 2)), ids="-".join)
def test_any_two_buttons_move_on_choose_and_go_back(pair: tuple[str, str]) -> None:
    meant = meanings(pair)
    gestures = {*meant.pressed.values(), *meant.held.values()}
    assert {Gesture.CONFIRM, Gesture.BACK} <= gestures
    assert gestures & {Gesture.NEXT, Gesture.PREVIOUS}
    assert all(one in meant.hint.lower() for one in pair)


def test_one_button_is_enough_and_none_means_nothing() -> None:
    assert meanings(["undo"]).pressed == {"undo": Gesture.NEXT}
    assert meanings(["undo"]).held == {"undo": Gesture.CONFIRM}
    assert not meanings([]).pressed

"""Extended Tasks at the table: begun, worked on, thrown for, finished, given up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import history
from rules.deciding.agenda import count_step_dice, plan_last
from rules.deciding.decision import Draft, Playbook, bound
from rules.dice import DieKind, SourceKind, Symbol
from rules.legal.offers import options
from rules.state.conflict import Action, Step
from rules.state.options import TableOptions
from rules.state.tasks import ExtendedTrack, ShipAssistance
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, Discipline, Ruleset, StepKind, System
from rules.table import PLAYBOOK, evolve
from rules.tasks import extended
from rules.tasks.extended import BeginExtendedTask, EndExtendedTask, tracks_for
from rules.tasks.settling import FinishSpending, TakeComplication
from rules.undo import Undo
from tests.rules.tabletop import Game

BLANK, EFFECT = Symbol.BLANK, Symbol.EFFECT
CORE = BeginExtendedTask(label="Hold the core", work=8, magnitude=3, resistance=2, difficulty=3)


def track(game: Game) -> ExtendedTrack:
    (one,) = game.table.extended
    return one


def attempt(game: Game, *faces: int, scope: ActionScope = ActionScope.PERSONAL, **changes: Any) -> None:  # noqa: ANN401 - a Declaration's
    """Control + Engineering against the track, thrown and done with."""
    game.declare(action=Action(name="extended", scope=scope, target_id=track(game).track_id), **changes)
    game.throw(*faces)
    game.do(FinishSpending())


def done_label(game: Game, *faces: int) -> str:
    """What finishing the spending of a Task on the track is called, once those dice lie there."""
    game.declare(action=Action(name="extended", target_id=track(game).track_id))
    game.throw(*faces)
    return next(str(one.label) for one in options(game.table) if one.option_id == "finish_spending")


def test_to_be_done_with_a_success_names_the_dice_of_work_that_follow() -> None:
    """EXT-T1, EXT-T2."""
    game = Game()
    game.do(BeginExtendedTask(label="Hold the core", work=8, magnitude=3, difficulty=2))
    assert done_label(game, 1, 2) == "Done: save 1 Momentum, then 6 dice of Work"
    game.do(Undo())
    game.do(Undo())
    assert done_label(game, 1, 18) == "Done with this Task's spending, then 6 dice of Work"
    game = Game()
    game.do(BeginExtendedTask(label="Hold the core", work=8, resistance=1, difficulty=2, progress=True))
    assert done_label(game, 1, 2) == "Done: save 1 Momentum, then 3 Progress"


@pytest.mark.parametrize("scope", list(ActionScope))
def test_a_success_is_followed_by_two_dice_and_the_discipline(scope: ActionScope) -> None:
    """EXT-T1, WCB-2: 2 + Engineering 4 Challenge Dice; what they make, less Resistance, goes onto the track."""
    game = Game()
    game.do(CORE)
    attempt(game, 1, 2, scope=scope)
    request = game.table.request
    assert request is not None
    assert (request.kind, request.count, request.who) == (DieKind.CHALLENGE, 6, "Okafor")
    assert "Okafor throws 6 Challenge Dice: Work on Hold the core." in game.last_said.normal
    game.throw_challenge(2, 2, 1, BLANK, 4, 3)
    assert (track(game).marked, track(game).breakthroughs) == (3, 0)
    assert not game.table.agenda
    assert game.last_said.terse == "3 Work."
    assert "Hold the core has 3 of 8 Work, 0 of 3 Breakthroughs." in game.last_said.normal


def test_each_breakthrough_makes_the_next_task_easier_until_it_is_finished() -> None:
    """EXT-T1: five at once, the track full, and Work beyond; the third Breakthrough finishes it."""
    game = Game()
    game.do(CORE)
    attempt(game, 1, 2)
    game.throw_challenge(2, 2, 2, 1, EFFECT, EFFECT)
    assert (track(game).marked, track(game).breakthroughs) == (7, 1)
    game.declare(action=Action(name="extended", target_id=track(game).track_id))
    assert (game.task.declaration.difficulty, game.task.difficulty) == (3, 2)
    assert "Breakthroughs minus 1" in game.last_said.full
    game.throw(3, 20)
    game.do(FinishSpending())
    while game.table.task is not None:
        game.do(TakeComplication())
    assert not game.table.agenda, "one success is a failure here, so nothing is thrown"
    attempt(game, 1, 2)
    game.throw_challenge(1, 1, 1, BLANK, BLANK, BLANK)
    assert (track(game).marked, track(game).breakthroughs) == (8, 2)
    attempt(game, 1, 2)
    game.throw_challenge(1, 1, 1, BLANK, BLANK, BLANK)
    assert game.table.extended == ()
    assert "Hold the core is finished." in game.last_said.terse


def test_a_failure_does_no_work() -> None:
    """EXT-T1: only a successful Task is followed by Work."""
    game = Game()
    game.do(CORE)
    attempt(game, 19, 19)
    assert (game.table.request, game.table.agenda, track(game).marked) == (None, (), 0)


def test_progress_marks_the_better_of_discipline_and_the_ships_department_without_dice() -> None:
    """EXT-T2: Impact is the department used less Resistance, at least 1; no Challenge Dice."""
    game = Game(Ruleset.SECOND_EDITION)
    game.do(BeginExtendedTask(label="Cut through", work=9, resistance=1, difficulty=1))
    assert track(game).progress
    attempt(game, 3, 4)
    assert track(game).marked == 3
    assert game.last_said.terse.endswith("3 Progress. 1 Momentum saved. Momentum 1.")
    helping = ShipAssistance(ship_id=game.ship, system=System.COMPUTERS, department=Discipline.ENGINEERING)
    game.declare(
        discipline=Discipline.MEDICINE, ship=helping, action=Action(name="extended", target_id=track(game).track_id)
    )
    game.throw(3, 4)
    game.throw(5)
    game.do(FinishSpending())
    assert track(game).marked == 6, "the ship's Engineering 4 instead of Medicine 1"
    attempt(game, 3, 4, discipline=Discipline.MEDICINE)
    assert track(game).marked == 7, "at least 1"
    attempt(game, 3, 4)
    assert game.table.extended == ()


@pytest.mark.parametrize("ruleset", list(Ruleset))
@pytest.mark.parametrize("chosen", [None, False, True])
@pytest.mark.parametrize("option", [None, False, True])
def test_the_form_is_the_commands_else_the_tables(
    *, ruleset: Ruleset, chosen: bool | None, option: bool | None
) -> None:
    """EXT-T1, EXT-T2 (C-58): the command says, else the house rule, else the ruleset."""
    game = Game(ruleset, options=TableOptions(extended_progress=option))
    expected = next(one for one in (chosen, option, ruleset is Ruleset.SECOND_EDITION) if one is not None)
    game.do(BeginExtendedTask(label="Search", work=5, magnitude=0 if expected else 1, progress=chosen))
    assert track(game).progress is expected


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"work": 0}, "EXT-T1"),
        ({"work": 101}, "EXT-T1"),
        ({"magnitude": 0}, "EXT-T1"),
        ({"resistance": -1}, "EXT-T1"),
        ({"difficulty": 11}, "EXT-T1"),
        ({"label": " "}, "SETUP"),
        ({"progress": True}, "EXT-T2"),
    ],
)
def test_what_is_no_extended_task_is_refused(change: dict[str, Any], rule: str) -> None:
    """EXT-T1, EXT-T2: numbers out of range, no name, a Magnitude where there is none."""
    whole: dict[str, Any] = {"label": "Search", "work": 5, "magnitude": 1, **change}
    Game().refused(BeginExtendedTask(**whole), rule)


def test_several_run_at_once_and_each_is_found_by_its_id() -> None:
    """EXT-T1: Work goes where it was aimed; an unknown track is refused."""
    game = Game()
    game.do(CORE)
    game.do(BeginExtendedTask(label="Search", work=5, magnitude=1, difficulty=1))
    first, second = game.table.extended
    game.declare(action=Action(name="extended", target_id=second.track_id))
    assert game.task.declaration.label == "Search"
    game.throw(3, 4)
    game.do(FinishSpending())
    game.throw_challenge(1, 1, 1, BLANK, BLANK, BLANK)
    assert game.table.extended[0] == first
    assert game.table.extended[1].marked == 3
    game.refused(game.declaration(action=Action(name="extended", target_id="extended-99")), "EXT-T1")


def test_giving_up_is_offered_but_not_while_somebody_is_at_work() -> None:
    """EXT-T1: nothing vanishes under a Task or its dice."""
    game = Game()
    game.do(CORE)
    ended = EndExtendedTask(track_id=track(game).track_id)
    assert ended in [one.command for one in options(game.table)]
    game.declare(action=Action(name="extended", target_id=track(game).track_id))
    game.refused(ended, "EXT-T1")
    game.throw(1, 2)
    game.do(FinishSpending())
    game.refused(ended, "EXT-T1")
    assert ended not in [one.command for one in options(game.table)]
    game.throw_challenge(1, 1, 1, 1, 1, 1)
    game.do(ended)
    assert game.table.extended == ()
    assert game.last_said.terse == "Hold the core ends unfinished."


def test_who_began_it_for_a_purpose_hears_that_it_is_finished() -> None:
    """WCB-2, S2E-17: a package begins one and goes on when it is done; one that runs already is not begun twice."""
    game = Game()
    heard: list[ExtendedTrack] = []
    playbook = bound(extended.PLAYBOOK, Playbook(extended_done={"hold the core": lambda _, done: heard.append(done)}))
    draft = Draft(game.table, playbook)

    def begin(label: str, subject_id: str) -> ExtendedTrack:
        return extended.begin(
            draft,
            label=label,
            work=8,
            magnitude=1,
            resistance=2,
            difficulty=3,
            progress=False,
            purpose="hold the core",
            subject_id=subject_id,
        )

    begun = begin("Hold the core", game.ship)
    assert begin("Again", game.ship) == begun
    other = begin("Other", "ship-77")
    assert draft.table.extended == (begun, other)
    plan_last(draft, Step(kind=StepKind.WORK_DICE, subject_id=begun.track_id, by_id=game.okafor, count=3))
    thrown = tuple(ThrownDie(kind=DieKind.CHALLENGE, face=face, source=SourceKind.MANUAL) for face in (2, 2, 2, 1, 1))
    count_step_dice(draft, thrown, "reading-1", SourceKind.MANUAL)
    assert [(one.label, one.marked, one.breakthroughs) for one in heard] == [("Hold the core", 6, 1)]
    assert tracks_for(draft.table, "hold the core") == (other,)
    assert draft.table.agenda == ()


def test_two_rooms_cannot_wait_for_one_purpose() -> None:
    """EXT-T1: what follows an Extended Task is said in one place."""
    first = Playbook(extended_done={"hold": lambda _, __: None})
    second = Playbook(extended_done={"hold": lambda _, __: None})
    with pytest.raises(ValueError, match="wait for Extended Tasks of one purpose"):
        bound(first, second)


def test_a_row_of_a_table_is_brought_once() -> None:
    """Two rooms that bring a spend, a reason for Threat or an ability of one name are told so at the start."""
    for part in (
        Playbook(spends=PLAYBOOK.spends[-1:]),
        Playbook(threat_gains=PLAYBOOK.threat_gains[:1]),
        Playbook(threat_spends=PLAYBOOK.threat_spends[:1]),
        Playbook(abilities=PLAYBOOK.abilities[:1]),
    ):
        with pytest.raises(ValueError, match="one name"):
            bound(PLAYBOOK, part)


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.lists(st.sampled_from([1, 2, 3, 4, 5, 6]), min_size=6, max_size=6), min_size=1, max_size=6))
def test_undo_goes_step_by_step_and_replay_equals_live(throws: list[list[int]]) -> None:
    """EXT-T1: the track never exceeds its length, Breakthroughs never fall, and every step can be taken back."""
    game = Game()
    game.do(CORE)
    states = [game.table]
    for faces in throws:
        if not game.table.extended:
            break
        before = track(game)
        attempt(game, 1, 2)
        game.throw_challenge(*faces)
        states.append(game.table)
        if game.table.extended:
            assert before.marked <= track(game).marked <= 8
            assert before.breakthroughs <= track(game).breakthroughs < 3
    replayed = history.begin().present
    for decision in game.decisions:
        for event in decision.events:
            replayed = evolve(replayed, event)
    assert replayed == game.table
    for state in reversed(states[:-1]):
        for _ in range(4):
            game.do(Undo())
        assert game.table == state

"""By ear alone: standing in line while another's Task is in hand, who is next, out of it again, and the books."""

from __future__ import annotations

import pytest

from kiosk.panel.spoken_levels import level
from kiosk.panel.spoken_menu import Menu, done, press
from kiosk.panel.spoken_places import Declaring, Facts, Gesture, Level, LevelEntry, Rules, RulesOf, Top
from rules.game import LeaveLine, LineUp, Ruleset, profile, reference
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, RerollReason
from rules.status import turn_told
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice
from rules.undo import Undo
from tests.kiosk.panel.test_spoken_menu import Game, played

ADA, BO, KRELL = "character-3", "character-4", "character-5"


def awaiting() -> Game:
    """Ada's dice are awaited."""
    game = played()
    declared = Declaration(character_id=ADA, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    game.do(DeclareTask(declaration=declared))
    return game


def entry(there: Level, words: str) -> LevelEntry:
    return next(one for one in there.entries if words in one.label)


def walked(game: Game, *labels: str) -> Level:
    """The level to which these entries lead from the top."""
    facts = Facts(history=game.history)
    there = level(facts, Top())
    for words in labels:
        go = entry(there, words).go
        assert go is not None, words
        there = level(facts, go)
    return there


def lined_up(game: Game, who: str) -> None:
    steps = ("Declare the next Task", who, "step by step", "Reason", "Science", "Difficulty 2")
    read_back = walked(game, *steps)
    assert read_back.prompt.startswith(f"{who}: Reason and Science, Difficulty 2.")
    command = entry(read_back, "Declare it for later").command
    assert isinstance(command, LineUp)
    game.do(command)


def test_whoever_declares_meanwhile_stands_in_line_and_leaves_it_by_ear() -> None:
    game = awaiting()
    people = walked(game, "Declare the next Task")
    assert [str(one.label) for one in people.entries[:-1]] == ["Bo", "Krell"], (
        "whose dice are awaited throws them first"
    )
    lined_up(game, "Bo")
    lined_up(game, "Krell")
    assert [one.character_id for one in game.history.present.in_line] == [BO, KRELL]
    standing = entry(level(Facts(history=game.history), Top()), "Where we stand")
    assert "Bo is next. After that: Krell." in standing.tell
    leave = entry(level(Facts(history=game.history), Top()), "Take back Krell's Task that waits").command
    assert isinstance(leave, LeaveLine)
    game.do(leave)
    assert "After that" not in turn_told(game.history.present).normal
    game.do(EnterDice(request=_request(game), faces=(19, 19)))
    game.do(FinishSpending())
    task = game.history.present.task
    assert task is not None
    assert (task.who, task.difficulty) == ("Bo", 2)


def test_who_opposes_a_task_is_chosen_by_ear() -> None:
    """OPP-1."""
    game = played()
    steps = ("Declare a Task", "Ada", "step by step", "Reason", "Science", "No focus", "Difficulty 2")
    several = walked(game, *steps, "Declare it as opposed")
    assert several.prompt == "Who opposes it?"
    assert [str(one.label) for one in several.entries[:3]] == ["Somebody else", "Krell", "Bo"], "the other side first"
    somebody, krell = (entry(several, label).command for label in ("Somebody else", "Krell"))
    assert isinstance(somebody, DeclareTask)
    assert isinstance(krell, DeclareTask)
    named = [(one.declaration.opposed, one.declaration.opponent_id) for one in (somebody, krell)]
    assert named == [(True, ""), (True, KRELL)]
    game.do(krell)
    game.do(EnterDice(request=_request(game), faces=(1, 2)))
    assert str(walked(game, "Declare a Task").entries[0].label) == "Krell", "the others stand in line"


def test_with_presses_alone() -> None:
    """Every press answers; the one that declares says who is next."""
    game, menu = awaiting(), Menu()

    def push(gesture: Gesture) -> str:
        nonlocal menu
        step = press(menu, gesture, Facts(history=game.history))
        menu = step.menu
        if step.command is not None:
            game.do(step.command)
            menu = done(menu, Facts(history=game.history)).menu
            return ""
        assert step.say is not None
        return str(step.say.normal)

    heard = push(Gesture.NEXT)
    for wanted in (
        "Declare the next Task",
        "Bo",
        "step by step",
        "Reason",
        "Science",
        "Difficulty 1",
        "Declare it for later",
    ):
        for _ in range(30):
            if wanted in heard:
                break
            heard = push(Gesture.NEXT)
        assert wanted in heard
        heard = push(Gesture.CONFIRM)
    assert [one.character_id for one in game.history.present.in_line] == [BO]


def test_once_its_dice_lie_there_a_task_is_declared_at_once() -> None:
    game = awaiting()
    game.do(EnterDice(request=_request(game), faces=(1, 2)))
    read_back = walked(game, "Declare a Task", "Bo", "step by step", "Reason", "Science", "Difficulty 2")
    assert isinstance(entry(read_back, "Declare it").command, DeclareTask)


def test_by_ear_too_a_task_waits_for_another_persons_outcome() -> None:
    game = awaiting()
    game.do(EnterDice(request=_request(game), faces=(1, 2)))
    ours = Facts(history=game.history, holders={ADA: "ana", BO: "ben"})
    plain = Declaration(character_id=BO, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    command = entry(level(ours, Declaring(plain)), "Declare it for later").command
    assert isinstance(command, LineUp)
    game.do(command)
    task = game.history.present.task
    assert task is not None
    assert task.declaration.character_id == ADA
    assert entry(level(Facts(history=game.history), Top()), "Go on with Bo's Task").command is not None
    game.do(Undo())
    one_device = Facts(history=game.history, holders={ADA: "ana", BO: "ana"})
    assert isinstance(entry(level(one_device, Declaring(plain)), "Declare it").command, DeclareTask)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_every_row_of_the_books_is_heard(ruleset: Ruleset) -> None:
    facts = Facts(history=played(ruleset).history)
    assert isinstance(entry(level(facts, Top()), "Look up a rule").go, Rules)
    tables = reference(profile(facts.table))
    headings = [one for one in level(facts, Rules()).entries if one.go is not None]
    assert [str(one.label) for one in headings] == [str(one.heading) for one in tables.values()]
    for topic, table in tables.items():
        told = [one.tell for one in level(facts, RulesOf(topic)).entries[:-1]]
        assert told == [row.said for row in table.rows]
        assert all(told)


def test_what_an_option_buys_is_said_with_more() -> None:
    game = awaiting()
    game.do(EnterDice(request=_request(game), faces=(1, 2)))
    facts = Facts(history=game.history)
    spending = level(facts, Top())
    group = entry(spending, "Spend Momentum").go
    assert group is not None
    assert entry(level(facts, group), "Create Advantage").more.startswith("An advantage for the scene")
    steps = walked(game, "Declare a Task", "Bo", "step by step", "Reason", "Science")
    assert entry(steps, "Difficulty 2").more.startswith("Obscure research")


def _request(game: Game) -> int:
    assert game.history.present.request is not None
    return game.history.present.request.number


def test_where_dice_may_be_thrown_again_and_nothing_bought_the_menu_leaves_them_as_the_pages_do() -> None:
    for faces, words in (((19, 18), "Leave the dice as they lie"), ((1, 1), "Done: save")):
        game = played()
        declared = Declaration(
            character_id=ADA, attribute=Attribute.REASON, discipline=Discipline.SCIENCE, rerolls=(RerollReason.AIM,)
        )
        game.do(DeclareTask(declaration=declared))
        game.do(EnterDice(request=_request(game), faces=faces))
        ends = [one for one in walked(game).entries if isinstance(one.command, FinishSpending)]
        assert [str(one.label).startswith(words) for one in ends] == [True]

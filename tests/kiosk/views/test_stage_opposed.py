"""Who won an Opposed Task is said large, whatever the side's own dice came to (OPP-1, OPP-2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kiosk.speech.earcons import sounds_of
from kiosk.views.stage.now import seen_by, stage, with_photographs
from kiosk.views.stage.recent import recent_outcomes
from rules.deciding.decision import Command, name_of
from rules.deciding.telling import NarrationKind
from rules.history import Decision, begin, decide, evolve
from rules.narrate import narrate
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.options import TableOptions
from rules.state.people import Attributes, Disciplines
from rules.state.table import Table
from rules.state.tasks import Declaration, TaskOutcome
from rules.state.vocabulary import Attribute, Discipline, Ruleset
from rules.tasks.declaring import DeclareTask
from rules.tasks.opposed import last_result, reached, successes_to_win
from rules.tasks.settling import FinishSpending
from rules.tasks.task_dice import ThrowAgainst
from rules.tasks.throwing import EnterDice
from rules.undo import Undo
from tests.rules.tabletop import Game

ABLE = Attributes(control=11, daring=11, fitness=11, insight=11, presence=11, reason=11)
SKILLED = Disciplines(command=4, conn=4, security=4, engineering=4, science=4, medicine=4)


class Contest:
    """Ada against Ben, each with Target Number 15."""

    def __init__(self) -> None:
        self.history = begin()
        self.said = self.heard = ""
        self.do(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")))
        for name in ("Ada Lindqvist", "Ben Okafor"):
            self.do(SaveCharacter(name=name, attributes=ABLE, disciplines=SKILLED))

    @property
    def table(self) -> Table:
        return self.history.present

    def do(self, command: Command) -> None:
        before, events = self.table, decide(self.history, command)
        made = Decision(number=self.history.next_decision, by="t", command=name_of(command), events=events)
        self.history = evolve(self.history, made)
        told = narrate(before, events, self.table)
        self.said = told.terse if told is not None else ""
        self.heard = told.normal if told is not None else ""

    def declare(self, place: int, difficulty: int = 1, opponent_id: str = "", label: str = "") -> None:
        whole = Declaration(
            character_id=self.table.characters[place].character_id,
            attribute=Attribute.DARING,
            discipline=Discipline.SECURITY,
            difficulty=difficulty,
            label=label,
            opposed=not place,
            opponent_id=opponent_id,
        )
        self.do(DeclareTask(declaration=whole))

    def throw(self, faces: tuple[int, int]) -> None:
        assert self.table.request is not None
        self.do(EnterDice(request=self.table.request.number, faces=faces))

    def stage(self) -> dict[str, Any]:
        made: dict[str, Any] = msgspec.to_builtins(stage(self.table, (), ""), enc_hook=str)
        return made


def thrown(active: tuple[int, int], reactive: tuple[int, int]) -> Contest:
    """A contest in which both sides have thrown."""
    contest = Contest()
    for place, faces in enumerate((active, reactive)):
        contest.declare(place)
        contest.throw(faces)
    return contest


def outcome(table: Table, *, reactive: bool) -> TaskOutcome:
    """What one side's dice came to."""
    there = (table.task, table.opposed, table.last_task, table.last_opponent)
    found = next(one.outcome for one in there if one is not None and one.reactive is reactive)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("active", "reactive", "winner"),
    [((1, 2), (9, 19), "Ada Lindqvist"), ((9, 19), (1, 2), "Ben Okafor")],
)
def test_the_winners_result_is_shown_as_soon_as_both_have_thrown(
    active: tuple[int, int], reactive: tuple[int, int], winner: str
) -> None:
    made = thrown(active, reactive).stage()
    assert made["who"].startswith(winner)
    assert (made["word"], made["mark"]) == ("Wins", "success")


def test_a_loser_who_may_throw_again_is_shown_until_they_leave_the_dice() -> None:
    contest = Contest()
    ben = contest.table.characters[1]
    contest.do(
        SaveCharacter(
            character_id=ben.character_id, name=ben.name, attributes=ABLE, disciplines=SKILLED, values=("Never alone",)
        )
    )
    for place, faces in enumerate(((1, 2), (9, 19))):
        contest.declare(place)
        contest.throw(faces)
    made = contest.stage()
    assert made["who"].startswith("Ben Okafor")
    assert (made["word"], made["mark"]) == ("Loses", "failure")


@pytest.mark.parametrize(
    ("active", "reactive", "winner"), [((1, 2), (9, 19), "Ada Lindqvist"), ((9, 19), (1, 2), "Ben Okafor")]
)
def test_once_all_is_settled_the_winners_result_stays(
    active: tuple[int, int], reactive: tuple[int, int], winner: str
) -> None:
    contest = thrown(active, reactive)
    while contest.table.task is not None:
        contest.do(FinishSpending())
    made = contest.stage()
    assert made["who"].startswith(winner)
    assert (made["word"], made["mark"]) == ("Wins", "success")
    shown = last_result(contest.table)
    assert shown is not None
    assert reached(shown)


def test_both_screens_and_voice_say_against_whom_a_side_throws_and_what_wins() -> None:
    contest = Contest()
    contest.declare(0)
    opposed = "Opposed: the other side throws against it."
    assert contest.said == f"Ada Lindqvist, Difficulty 1. {opposed}"
    assert opposed in contest.stage()["lines"]
    contest.throw((1, 9))
    thrown_first = contest.stage()["telling"]["number"]
    assert thrown_first == {"name": "To win", "value": "4", "mark": "", "note": "at Difficulty 1"}, "as it begins"
    contest.declare(1, difficulty=2)
    assert contest.said == "Ben Okafor, Difficulty 2. Against Ada Lindqvist: 3 successes, 5 to win."
    made = contest.stage()
    assert made["lines"] == ("Against Ada Lindqvist: 3 successes.",), "what wins stands among the figures"
    assert {"name": "To win", "value": "5", "mark": "", "note": ""} in made["facts"]


def test_whoever_is_named_to_oppose_it_is_told_to_throw_before_and_after_the_dice() -> None:
    contest = Contest()
    contest.declare(0, opponent_id=contest.table.characters[1].character_id)
    opposed = "Opposed: Ben Okafor throws against it."
    assert contest.said == f"Ada Lindqvist, Difficulty 1. {opposed}"
    assert opposed in contest.stage()["lines"]
    contest.throw((1, 2))
    assert contest.said.endswith("Ben Okafor throws against it.")
    assert contest.stage()["telling"]["lines"] == ("Ben Okafor throws against it.",)


def test_who_is_to_throw_against_a_task_reads_that_once_on_their_phone() -> None:
    """The button that leads to their Task says so; for everybody else the line does."""
    contest = Contest()
    ada, ben = (one.character_id for one in contest.table.characters)
    contest.declare(0, opponent_id=ben)
    contest.throw((1, 2))
    shown = stage(contest.table, (), "")
    for me, lines in ((ben, ()), (ada, ("Ben Okafor throws against it.",)), ("", ("Ben Okafor throws against it.",))):
        telling = seen_by(shown, contest.table, me).telling
        assert telling is not None
        assert telling.lines == lines


def test_where_the_other_side_throws_first_the_stage_names_it() -> None:
    """C-42."""
    game = Game(Ruleset.SECOND_EDITION, options=TableOptions(opposed_reactive_first=True))
    game.declare(opposed=True, opponent_id=game.brack)
    assert stage(game.table, (), "").lines == ("Brack throws first. Declare a Task of theirs.",)
    game.do(Undo())
    game.declare(opposed=True)
    assert stage(game.table, (), "").lines == ("The other side throws first. Declare its Task.",)


@pytest.mark.parametrize("faces", [(1, 2), (19, 20)])
def test_what_one_side_threw_is_no_verdict_before_the_other_has_thrown(faces: tuple[int, int]) -> None:
    contest = Contest()
    contest.declare(0)
    contest.throw(faces)
    threw = "3 successes" if faces == (1, 2) else "0 successes"
    made = contest.stage()
    assert (made["word"], made["mark"], made["weight"]) == (threw, "", "")
    assert made["telling"]["headline"] == f"Ada Lindqvist: {threw}"
    assert made["telling"]["lines"] == ("The other side throws against it.",)
    assert [one["name"] for one in made["facts"]] == ["Complications"], "nor is any Momentum won"
    assert contest.said.startswith(f"{threw}. ")
    assert contest.said.endswith("The other side throws against it.")
    assert sounds_of(contest.table, NarrationKind.OUTCOME).how == ""
    contest.declare(1)
    contest.throw((9, 9))
    assert contest.stage()["mark"] == "success", "of whoever won"
    assert sounds_of(contest.table, NarrationKind.OUTCOME).how != ""


@pytest.mark.parametrize(("reactive", "wins"), [((1, 15), True), ((15, 14), False)])
def test_so_many_successes_win_and_one_fewer_does_not(reactive: tuple[int, int], *, wins: bool) -> None:
    contest = thrown((2, 14), reactive)
    won = last_result(contest.table) if contest.table.task is None else contest.table.task
    assert won is not None
    assert successes_to_win(outcome(contest.table, reactive=False), 1) == 3
    assert won.reactive is wins


@pytest.mark.parametrize(
    ("active", "reactive", "headline", "marks"),
    [
        ((1, 2), (9, 19), "Ada Lindqvist wins", ["won", "lost"]),
        ((9, 19), (1, 2), "Ben Okafor wins", ["lost", "won"]),
        ((19, 18), (19, 18), "Neither side wins", ["", ""]),
    ],
)
def test_the_room_sees_both_throws_side_by_side_and_who_won_until_something_new_begins(
    active: tuple[int, int], reactive: tuple[int, int], headline: str, marks: list[str]
) -> None:
    contest = thrown(active, reactive)
    beats = set()
    for _ in range(3):
        duel = contest.stage()["duel"]
        assert [(one["name"], [int(die["face"]) for die in one["dice"]]) for one in duel["sides"]] == [
            ("Lindqvist", [*active]),
            ("Okafor", [*reactive]),
        ]
        assert [one["mark"] for one in duel["sides"]] == marks
        why = () if "won" in marks else ("Neither reaches their Difficulty.",)
        assert (duel["headline"], duel["lines"]) == (headline, why)
        assert duel["mark"] == ("success" if "won" in marks else "failure")
        beats.add(duel["beat"])
        if contest.table.task is not None:
            contest.do(FinishSpending())
    assert contest.table.task is None
    assert len(beats) == 1, "settling is no new throw"
    contest.declare(0)
    assert contest.stage()["duel"] is None


@pytest.mark.parametrize(
    ("difficulties", "active", "reactive", "why"),
    [
        ((1, 2), (1, 9), (1, 9), "Lindqvist is 2 above Difficulty 1, Okafor 1 above Difficulty 2."),
        ((3, 1), (1, 9), (1, 19), "Okafor is 1 above Difficulty 1, Lindqvist 0 above Difficulty 3."),
        ((1, 1), (9, 10), (1, 19), "Both are 1 above their Difficulty, and whoever began wins a tie."),
        ((1, 2), (9, 19), (9, 10), "Both just reach their Difficulty, and whoever began wins a tie."),
        ((1, 3), (9, 19), (9, 10), "Okafor does not reach Difficulty 3."),
        ((1, 1), (1, 9), (9, 10), ""),
        ((1, 3), (9, 10), (9, 19), ""),
    ],
)
def test_why_one_side_won_is_told_where_the_successes_do_not_show_it(
    difficulties: tuple[int, int], active: tuple[int, int], reactive: tuple[int, int], why: str
) -> None:
    """OPP-2, OPP-3: what counts is what each came to above the Difficulty of their own Task."""
    contest = Contest()
    for place, (difficulty, faces) in enumerate(zip(difficulties, (active, reactive), strict=True)):
        contest.declare(place, difficulty)
        contest.throw(faces)
    stage = contest.stage()
    told = (why,) if why else ()
    assert stage["duel"]["lines"] == told
    assert stage["telling"]["lines"][1:] == told, "beside who won, as a phone has it"
    heard = why.replace("Lindqvist", "Ada Lindqvist").replace("Okafor", "Ben Okafor")
    too_few = "does not reach" in why  # as was just heard of who threw last
    assert (heard in contest.heard) is not too_few


def test_a_side_that_threw_before_too_few_is_named_by_voice_too() -> None:
    contest = Contest()
    contest.declare(0, difficulty=3)
    contest.throw((9, 10))
    contest.declare(1)
    contest.throw((9, 19))
    assert contest.heard.endswith("Ada Lindqvist does not reach Difficulty 3.")


def test_with_the_other_sides_successes_as_the_difficulty_as_many_win() -> None:
    """C-42."""
    game = Game(Ruleset.SECOND_EDITION, options=TableOptions(opposed_reactive_first=True))
    game.declare(opposed=True)
    game.declare(game.brack)
    game.throw(9, 10)
    game.do(ThrowAgainst())
    game.throw(9, 10)
    why = "Both have as many successes, and whoever began wins a tie."
    duel = stage(game.table, (), "").duel
    assert duel is not None
    assert duel.lines == (why,)
    assert why in game.last_said.normal


@pytest.mark.parametrize(
    ("label", "answer", "headline", "about"),
    [
        ("Talk the guard round", "", "Talk the guard round: Okafor wins", "Daring + Security"),
        ("Talk the guard round", "Stand firm", "Stand firm: Okafor wins", "Daring + Security"),
        (
            "Talk the captain of the guard round",
            "",
            "Ben Okafor wins",
            "Talk the captain of the guard round, Daring",
        ),
        ("", "", "Ben Okafor wins", "Daring + Security"),
    ],
)
def test_what_an_opposed_task_was_about_heads_it_where_the_answering_side_wins_too(
    label: str, answer: str, headline: str, about: str
) -> None:
    contest = Contest()
    for place, (deed, faces) in enumerate(((label, (9, 19)), (answer, (1, 2)))):
        contest.declare(place, label=deed)
        contest.throw(faces)
    for _ in range(3):
        made = contest.stage()
        assert made["duel"]["headline"] == headline
        assert made["duel"]["about"].startswith(about)
        assert made["telling"]["headline"] == headline
        if contest.table.task is not None:
            contest.do(FinishSpending())
    assert recent_outcomes(contest.history)[0].headline == headline


def test_each_side_of_a_duel_has_its_successes_and_its_complications() -> None:
    sides = thrown((2, 20), (9, 10)).stage()["duel"]["sides"]
    assert [(one["words"], one["cost"]) for one in sides] == [
        ("1 success", "1 Complication, open"),
        ("2 successes", ""),
    ]


def test_whoever_throws_second_sees_what_lies_there_against_them() -> None:
    contest = Contest()
    contest.declare(0)
    assert contest.stage()["duel"] is None
    contest.throw((1, 9))
    assert contest.stage()["duel"] is None, "one throw is no duel"
    contest.declare(1)
    first, second = contest.stage()["duel"]["sides"]
    assert (first["name"], first["words"], len(first["dice"]), first["lies"]) == ("Lindqvist", "3 successes", 2, True)
    assert (second["name"], second["words"], second["dice"], second["lies"]) == ("Okafor", "", (), False)


@pytest.mark.parametrize(("active", "mark"), [((19, 18), "success"), ((1, 1), "failure")])
def test_a_duel_with_a_foe_looks_as_it_ended_for_the_players(active: tuple[int, int], mark: str) -> None:
    """The same as it sounds: whoever of both threw last."""
    game = Game()
    game.declare(game.brack, opposed=True)
    game.throw(*active)
    game.declare(game.okafor)
    game.throw(9, 10)
    duel = stage(game.table, (), "").duel
    assert duel is not None
    assert duel.mark == mark
    assert sounds_of(game.table, NarrationKind.OUTCOME).how == mark
    assert str(duel.headline) == ("Okafor wins" if mark == "success" else "Brack wins")


def test_photographs_of_both_sides_are_shown() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(1, 2)
    game.declare(game.brack)
    game.throw(9, 10)
    for kept, found in (({"p"}, {"p"}), (set[str](), {None})):
        duel = with_photographs(stage(game.table, (), ""), kept.__contains__).duel
        assert duel is not None
        assert {die.photograph for one in duel.sides for die in one.dice} == found

"""The last outcome stays on the stage until something new happens, and says what is still open."""

from __future__ import annotations

from typing import Any

import msgspec

from kiosk.views.stage.now import stage
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, NextRound, PassTurn, StartConflict
from rules.deciding.decision import Command, name_of
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.history import Decision, History, begin, decide, evolve
from rules.legal.offers import options
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, Ruleset, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import DeclareTask
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import FinishSpending, TakeComplication
from rules.tasks.throwing import DropDie, EnterDice, ReportReading
from rules.words import counted

ABLE = Attributes(control=11, daring=11, fitness=11, insight=11, presence=11, reason=11)
SKILLED = Disciplines(command=4, conn=4, security=4, engineering=4, science=4, medicine=4)


class Play:
    """A table of two, played by commands."""

    def __init__(self) -> None:
        self.history: History = begin()
        self.do(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")))
        for name in ("Ada Lindqvist", "Ben Okafor"):
            self.do(SaveCharacter(name=name, attributes=ABLE, disciplines=SKILLED))

    def do(self, command: Command) -> None:
        events = decide(self.history, command)
        number = self.history.next_decision
        self.history = evolve(self.history, Decision(number=number, by="t", command=name_of(command), events=events))

    def task(self, place: int, faces: tuple[int, int], *, opposed: bool = False) -> None:
        card = self.history.present.characters[place]
        self.do(
            DeclareTask(
                declaration=Declaration(
                    character_id=card.character_id,
                    attribute=Attribute.DARING,
                    discipline=Discipline.SECURITY,
                    opposed=opposed,
                )
            )
        )
        assert self.history.present.request is not None
        self.do(EnterDice(request=self.history.present.request.number, faces=faces))

    def throw(self, reading_id: str, *faces: int) -> None:
        dice = tuple(
            DieReading(kind=DieKind.D20, face=face, state=DieState.READ, confidence=1.0, source=SourceKind.TRAY)
            for face in faces
        )
        self.do(ReportReading(reading=Reading(reading_id=reading_id, source=SourceKind.TRAY, dice=dice)))

    def finish(self) -> None:
        while (task := self.history.present.task) is not None:
            waits = task.phase is TaskPhase.COMPLICATIONS
            self.do(TakeComplication(name="Noise") if waits else FinishSpending())

    def stage(self) -> dict[str, Any]:
        made: dict[str, Any] = msgspec.to_builtins(stage(self.history.present, (), ""), enc_hook=str)
        return made


def test_an_older_free_roll_never_covers_the_end_of_an_opposed_task() -> None:
    play = Play()
    play.task(0, (1, 2), opposed=True)
    play.throw("between", 7, 8)
    play.task(1, (18, 19))
    play.finish()
    shown = play.stage()
    assert (shown["kind"], shown["word"]) == ("outcome", "Wins")
    assert shown["who"].startswith("Ada Lindqvist")


def test_a_free_roll_after_the_outcome_is_new() -> None:
    play = Play()
    play.task(0, (18, 19))
    play.finish()
    assert play.stage()["kind"] == "outcome"
    play.throw("after", 7, 8)
    assert play.stage()["kind"] == "free"


def test_closed_challenge_dice_make_way_for_what_came_after_them() -> None:
    play = Play()
    play.do(DeclareChallenge(count=2, label="Damage"))
    assert play.history.present.request is not None
    play.do(EnterDice(request=play.history.present.request.number, faces=(1, 2)))
    assert (play.stage()["kind"], play.stage()["word"]) == ("challenge", "3 points")
    play.throw("after", 7, 8)
    assert play.stage()["kind"] == "free"
    play.do(CloseChallenge())
    play.task(0, (18, 19))
    play.finish()
    assert play.stage()["kind"] == "outcome"


def test_a_complication_is_open_until_it_is_settled() -> None:
    play = Play()
    play.task(0, (20, 1))
    task = play.history.present.task
    assert task is not None
    if task.phase is not TaskPhase.COMPLICATIONS:
        play.do(FinishSpending())
    assert {"name": "Complications", "value": "1", "mark": "complication", "note": "open"} in play.stage()["facts"]
    play.do(TakeComplication(name="Noise"))
    assert {"name": "Complications", "value": "1", "mark": "complication", "note": "settled"} in play.stage()["facts"]


def test_a_count_of_none_is_worded_as_every_other() -> None:
    assert [counted(number, "success") for number in range(3)] == [
        "0 successes",
        "1 success",
        "2 successes",
    ]


def test_a_fight_shows_whose_turn_it_is_until_they_throw() -> None:
    """TURN-1: the dice of the Turn before say nothing any more once it has ended."""
    play = Play()
    play.task(0, (7, 8))
    play.finish()
    ada, ben = play.history.present.characters
    entrants = (Entrant(combatant_id=ada.character_id), Entrant(combatant_id=ben.character_id))
    play.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    assert (play.stage()["word"], play.stage()["who"]) == ("Whose Turn?", "Round 1")
    play.do(BeginTurn(combatant_id=ada.character_id))
    assert play.stage()["word"] == "Ada Lindqvist's Turn"
    play.task(0, (7, 8))
    play.finish()
    assert play.stage()["kind"] == "outcome"
    play.do(EndTurn())
    assert play.stage()["word"] == "Ben Okafor is next"
    assert play.stage()["lines"] == ("Begin the Turn, or pass.",)


def test_dice_of_a_source_without_a_check_are_marked() -> None:
    play = Play()
    dice = tuple(DieReading(DieKind.D20, face, 0.9, DieState.READ, SourceKind.TRAY, weak=True) for face in (17, 3))
    play.do(ReportReading(reading=Reading("weak:1", SourceKind.TRAY, dice)))
    assert [one.origin for one in stage(play.history.present, (), "").dice] == ["(unchecked)", "(unchecked)"]
    card = play.history.present.characters[0]
    task = Declaration(
        character_id=card.character_id, attribute=Attribute.DARING, discipline=Discipline.SECURITY, difficulty=1
    )
    play.do(DeclareTask(declaration=task))
    play.do(ReportReading(reading=Reading("weak:2", SourceKind.TRAY, (*dice, dice[0]))))
    assert [one.origin for one in stage(play.history.present, ("?",), "").dice] == ["(unchecked)"] * 3
    play.do(DropDie(position=2))
    assert [one.origin for one in stage(play.history.present, (), "").dice] == ["(unchecked)", "(unchecked)"]
    play.do(CorrectScoredDie(position=0, face=16))
    assert [one.origin for one in stage(play.history.present, (), "").dice] == ["(entered)", "(unchecked)"]


def test_a_round_in_which_all_have_passed_waits_for_the_gamemaster() -> None:
    """C-85, TURN-3: a heading that asks the players to choose would be waiting for nothing."""
    play = Play()
    ada, ben = play.history.present.characters
    entrants = (Entrant(combatant_id=ada.character_id), Entrant(combatant_id=ben.character_id))
    play.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    for one in (ada, ben):
        play.do(PassTurn(combatant_id=one.character_id))
    assert play.stage()["word"] == "Round 1 is over"
    assert play.stage()["lines"] == ("The gamemaster begins the next Round.",)
    offered = next(one for one in options(play.history.present) if one.option_id == "next_round")
    assert offered.role == "anyone", "phones offer it as well"
    play.do(NextRound())
    assert (play.stage()["word"], play.stage()["who"]) == ("Whose Turn?", "Round 2")

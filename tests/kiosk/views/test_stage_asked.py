"""What the gamemaster asks for stands beside the last outcome, and is over with the scene."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.views.stage.dice import held_die
from kiosk.views.stage.hit import with_injury_counted
from kiosk.views.stage.now import stage
from rules.conflict.chain import StrikeHazard
from rules.conflict.injuries import SufferInjury
from rules.conflict.rounds import Entrant, StartConflict
from rules.dice import DieKind, DieReading, DieState, SourceKind, Symbol
from rules.narrate import asked_words
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.state.ships import Systems
from rules.state.tasks import Declaration, HeldThrow, Question, ShipAssistance
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, QuestionReason, Ruleset, System
from rules.tasks.asking import AskForTask
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import DeclareTask
from rules.tasks.throwing import EnterDice
from rules.undo import Undo
from tests.kiosk.views.test_stage_lasting import SKILLED, Play
from tests.rules.brawl import Brawl
from tests.rules.tabletop import Game

ASKED = "{name}, Reason + Science, Difficulty 1"


def ask(play: Play, place: int) -> str:
    one = play.history.present.characters[place]
    play.do(
        AskForTask(
            character_id=one.character_id, attribute=Attribute.REASON, discipline=Discipline.SCIENCE, difficulty=1
        )
    )
    return ASKED.format(name=one.name)


def test_a_held_die_is_drawn_as_it_lies_there() -> None:
    """A person who is asked about a d6 sees the number on it, not what it is worth as a Challenge Die."""
    four = DieReading(DieKind.D6, 4, 0.99, DieState.READ, SourceKind.CAMERA)
    drawn = held_die(four, 2, asked=True)
    assert (drawn.shape, drawn.face, drawn.name, drawn.words) == ("challenge", "4", "d6: 4", "die 2: look")
    assert held_die(replace(four, face=None, state=DieState.DOUBTFUL), 2, asked=True).face == "?"


def test_of_very_many_held_dice_those_that_were_read_are_drawn() -> None:
    present = Play().history.present
    read = DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA)
    print_on_a_mat = DieReading(DieKind.CHALLENGE, None, 0.2, DieState.COCKED, SourceKind.CAMERA)
    dice = (*[print_on_a_mat] * 30, read)
    asked = tuple(Question(reason=QuestionReason.COCKED, position=number) for number in range(30))
    held = HeldThrow(request=1, reading_id="r", source=SourceKind.CAMERA, dice=dice, questions=asked)
    shown = stage(replace(present, held=held), ("one", "two"), "")
    assert len(shown.dice) < 15
    assert (shown.dice[-1].face, shown.dice[-1].words) == ("7", "die 31: read")


def test_the_last_outcome_stays_large_until_somebody_declares() -> None:
    play = Play()
    play.task(0, (1, 2))
    play.finish()
    asked = ask(play, 1)
    shown = play.stage()
    assert (shown["kind"], shown["word"], shown["next"]) == ("outcome", "Success", (asked,))
    play.task(1, (3, 4))
    assert play.stage()["next"] == ()


def test_with_nothing_else_to_see_the_first_is_large_and_the_others_beside() -> None:
    play = Play()
    ask(play, 0)
    second = ask(play, 1)
    shown = play.stage()
    assert (shown["kind"], shown["who"], shown["word"]) == ("idle", "Ada Lindqvist", "Reason + Science")
    assert shown["next"] == (second,)


def test_a_new_scene_ends_what_was_asked_and_what_was_thrown() -> None:
    play = Play()
    play.do(DeclareChallenge(count=1, label="Rocks"))
    assert play.history.present.request is not None
    play.do(EnterDice(request=play.history.present.request.number, faces=(2,)))
    play.do(CloseChallenge())
    play.throw("free", 7)
    ask(play, 0)
    play.do(StartScene(name="The bridge"))
    shown = play.stage()
    assert (shown["kind"], shown["who"], shown["word"], shown["next"]) == ("idle", "The bridge", "Ready", ())
    assert not play.history.present.asked
    play.do(Undo())
    assert play.history.present.asked


def test_a_ship_that_acts_does_not_help_itself() -> None:
    play = Play()
    systems = Systems(communications=9, computers=9, engines=9, sensors=9, structure=9, weapons=9)
    play.do(SaveShip(name="Iron Gull", scale=3, systems=systems, departments=SKILLED))
    table = play.history.present
    aid = ShipAssistance(ship_id=table.ships[0].ship_id, system=System.SENSORS, department=Discipline.SCIENCE)
    declared = Declaration(
        character_id=table.characters[0].character_id,
        attribute=Attribute.REASON,
        discipline=Discipline.SCIENCE,
        ship=aid,
    )
    play.do(DeclareTask(declaration=declared))
    assert play.history.present.request is not None
    play.do(EnterDice(request=play.history.present.request.number, faces=(1, 2)))
    assert play.stage()["who"] == "Iron Gull helps Ada Lindqvist"
    helped = play.history.present
    assert helped.task is not None
    by_crew = replace(declared, character_id=aid.ship_id)
    own = replace(helped, task=replace(helped.task, who="Iron Gull", declaration=by_crew))
    assert str(stage(own, (), "").who) == "Iron Gull, Reason + Science"
    alike = replace(helped, task=replace(helped.task, who="Iron Gull"))
    assert str(stage(alike, (), "").who) == "Iron Gull helps Iron Gull", "a name tells nobody apart"


def test_what_the_damage_came_to_stands_beside_the_choice_it_leads_to() -> None:
    play = Play()
    target = play.history.present.characters[0].character_id
    play.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=(Entrant(combatant_id=target),)))
    play.do(StrikeHazard(target_id=target, rating=5, reason="Falling rocks"))
    request = play.history.present.request
    assert request is not None
    play.do(EnterDice(request=request.number, faces=(2, 2, 1, Symbol.EFFECT, Symbol.BLANK)))
    shown = stage(play.history.present, (), "Choose somebody.")
    assert shown.kind == "chain"
    assert [(str(one.name), one.value) for one in shown.facts] == [("Damage", "6"), ("Effects", "1")]


@pytest.mark.parametrize(("who", "word"), [("Brack", "The gamemaster chooses"), ("Okafor", "Okafor chooses")])
def test_the_screen_says_that_the_gamemaster_chooses_for_their_own(who: str, word: str) -> None:
    """DMG-5: whoever plays the one who is hit takes the Injury or pays for it."""
    game = Brawl()
    hit = next(one.character_id for one in game.table.characters if one.name == who)
    game.do(StrikeHazard(target_id=hit, rating=8, reason="Falling rocks"))
    game.throw_challenge(2, 2, 2, 2, 2, 2, 2, 2)
    assert game.table.agenda
    shown = stage(game.table, (), str(asked_words(game.table)))
    assert str(shown.word) == word


def test_of_several_injuries_the_screen_counts_which_is_asked_about() -> None:
    """DMG-5: one hit causes up to two, and both questions would look the same."""
    play = Play()
    target = play.history.present.characters[0].character_id
    play.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=(Entrant(combatant_id=target),)))
    play.do(StrikeHazard(target_id=target, rating=16, reason="Falling rocks"))
    assert play.history.present.request is not None
    play.do(EnterDice(request=play.history.present.request.number, faces=(2,) * 16))
    told = []
    for _ in range(2):
        shown = with_injury_counted(stage(play.history.present, (), "Choose."), play.history)
        assert shown.telling is not None
        told.append(str(shown.telling.about))
        play.do(SufferInjury())
    assert [one.rpartition(": ")[2] for one in told] == ["Injury 1 of 2", "Injury 2 of 2"]


@pytest.mark.parametrize(
    ("faces", "headline"),
    [((3, 4, 5, 6), "2 dice too many"), ((3, 4, 5), "1 die too many"), ((3,), "1 die is missing")],
)
def test_a_wrong_count_is_headed_by_what_is_too_many_or_missing(faces: tuple[int, ...], headline: str) -> None:
    game = Game(Ruleset.CORE_1E)
    game.declare(game.okafor)
    game.throw(*faces)
    assert stage(game.table, ("What counts?",), "").word == headline


@pytest.mark.parametrize("what", ["task", "opposed", "challenge"])
def test_what_the_camera_says_of_the_dice_stands_with_every_throw_that_is_asked_for(what: str) -> None:
    """Both sides of an Opposed Task stand in the place of the lines: it is said there, too."""
    game = Game(Ruleset.CORE_1E)
    if what == "challenge":
        game.do(DeclareChallenge(count=3))
    else:
        game.declare(game.okafor, opposed=what == "opposed")
    if what == "opposed":
        game.throw(3, 4)
        game.declare(game.brack)
    shown = stage(game.table, (), "", ("The dice are being read …",))
    assert shown.kind == "ask"
    assert shown.lines[-1] == "The dice are being read …"
    assert (shown.duel is not None) == (what == "opposed")
    assert shown.duel is None or shown.duel.lines[-1] == "The dice are being read …"

from __future__ import annotations

import pytest

from rules.dice import DieKind, DieState, Face, Guess, SourceKind, Symbol
from rules.legal.offers import options
from rules.legal.trial import Correctable, correctable
from rules.state.folding import SEEN_READINGS_KEPT
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.tasks import Assistance
from rules.state.vocabulary import Attribute, Discipline, Payer, QuestionReason, RerollReason, Ruleset, Spend, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge, RerollChallenge
from rules.tasks.declaring import WithdrawTask
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.tasks.throwing import AttachFreeRoll, CorrectDie, DismissThrow, DropDie, EnterDice, ReportReading
from rules.tasks.throws import FREE_ROLLS_KEPT, ChallengeClosed
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE, Game, bought, challenge_die, die, reading


def doubtful(*guesses: int) -> ReportReading:
    chances = tuple(Guess(face=face, chance=1 / len(guesses)) for face in guesses)
    return reading(die(4), die(None, state=DieState.DOUBTFUL, guesses=chances))


def test_a_reading_counts_once() -> None:
    game = Game()
    game.declare()
    game.throw(4, 19, reading_id="once")
    before = game.table
    assert game.throw(4, 19, reading_id="once") == ()
    assert game.table is before


def test_a_cleared_tray_is_no_throw() -> None:
    game = Game()
    assert game.do(reading()) == ()
    game.declare()
    assert game.do(reading()) == ()
    assert game.do(reading(die(None, state=DieState.IN_HAND))) == ()
    game.do(doubtful(6, 9))
    held = game.held
    assert game.do(reading()) == ()
    assert game.held is held


def test_dice_keep_their_source_and_picture() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4, source=SourceKind.TRAY), die(9, source=SourceKind.TRAY), source=SourceKind.TRAY))
    assert [(one.die.source, one.die.corrected, one.die.picture) for one in game.task.dice] == [
        (SourceKind.TRAY, False, "p"),
        (SourceKind.TRAY, False, "p"),
    ]


def test_a_corrected_die_is_marked_and_the_others_stay_as_read() -> None:
    game = Game()
    game.declare()
    game.do(doubtful(6, 9))
    assert game.asks()
    assert game.last_said.urgent
    game.refused(CorrectDie(position=1, face=21), "TASK-3")
    game.refused(CorrectDie(position=2, face=9), "TASK-3")
    game.do(CorrectDie(position=1, face=9))
    assert not game.asks()
    assert [(one.die.face, one.die.source, one.die.corrected) for one in game.task.dice] == [
        (4, SourceKind.CAMERA, False),
        (9, SourceKind.MANUAL, True),
    ]


def test_a_thing_that_is_no_die_is_left_out() -> None:
    game = Game()
    game.declare()
    game.throw(4, 9, 13)
    assert game.held is not None
    assert game.held.questions[0].reason is QuestionReason.WRONG_COUNT
    game.do(DropDie(position=2))
    assert [one.die.face for one in game.task.dice] == [4, 9]


def test_the_last_die_of_a_throw_is_not_left_out() -> None:
    game = Game()
    game.declare()
    game.throw(4)
    game.refused(DropDie(position=0), "TASK-3")
    game.do(DismissThrow())
    assert not game.asks()
    assert game.table.request is not None
    for command in (DismissThrow(), CorrectDie(position=0, face=1), DropDie(position=0)):
        game.refused(command, "TASK-3")


def test_newer_dice_take_the_place_of_a_held_throw() -> None:
    game = Game()
    game.declare()
    game.do(doubtful(6, 9))
    game.throw(4, 9, 13)
    assert game.held is not None
    assert len(game.held.dice) == 3
    game.throw(4, 9)
    assert not game.asks()
    assert game.task.outcome is not None


def test_entered_dice_are_marked_and_answer_the_request_that_stands() -> None:
    game = Game()
    game.declare()
    assert game.table.request is not None
    number = game.table.request.number
    game.refused(EnterDice(request=number - 1, faces=(4, 9)), "TASK-3")
    assert "2 d20s expected, 3 entered" in game.refused(EnterDice(request=number, faces=(4, 9, 1)), "TASK-3")
    game.refused(EnterDice(request=number, faces=(4, 0)), "TASK-3")
    game.refused(EnterDice(request=number, faces=(4, Symbol.EFFECT)), "TASK-3")
    game.refused(EnterDice(request=number, faces=(4, True)), "TASK-3")
    game.do(EnterDice(request=number, faces=(4, 9)))
    assert [(one.die.source, one.die.corrected) for one in game.task.dice] == [(SourceKind.MANUAL, False)] * 2
    game.refused(EnterDice(request=number, faces=(4, 9)), "TASK-3")


def test_undeclared_dice_are_a_free_roll_that_can_be_counted_once() -> None:
    game = Game()
    game.throw(4, 9)
    (roll,) = game.table.free_rolls
    assert game.last_said.terse == "Free roll: 4 and 9."
    game.refused(AttachFreeRoll(number=roll.number), "TASK-3")
    game.declare()
    game.do(AttachFreeRoll(number=roll.number))
    assert [one.die.face for one in game.task.dice] == [4, 9]
    assert game.table.free_rolls[0].attached
    game.do(FinishSpending())
    game.declare()
    game.refused(AttachFreeRoll(number=roll.number), "TASK-3")
    game.refused(AttachFreeRoll(number=999), "TASK-3")


def test_a_free_roll_from_before_the_last_task_is_counted_no_more() -> None:
    game = Game()
    game.throw(4, 9)
    old = game.table.free_rolls[0].number
    game.declare()
    game.do(WithdrawTask())
    assert game.table.free_rolls, "a Task that was taken back has used nothing up"
    game.declare()
    game.throw(5, 6)
    game.do(FinishSpending())
    assert [one.number for one in game.table.free_rolls] == []
    game.throw(7, 8)
    game.declare()
    new = game.table.free_rolls[-1]
    offered = [one.option_id for one in options(game.table) if isinstance(one.command, AttachFreeRoll)]
    assert offered == [f"attach_free_roll:{new.number}"]
    game.refused(AttachFreeRoll(number=old), "TASK-3")


def test_a_free_roll_is_reviewed_like_any_throw_and_stays_if_set_aside() -> None:
    game = Game()
    game.throw(4, 9, 13)
    number = game.table.free_rolls[0].number
    game.declare()
    game.do(AttachFreeRoll(number=number))
    assert game.held is not None
    game.do(DismissThrow())
    assert not game.table.free_rolls[0].attached
    game.do(AttachFreeRoll(number=number))
    game.do(DropDie(position=0))
    assert game.table.free_rolls[0].attached


def test_the_latest_free_rolls_and_readings_are_remembered() -> None:
    game = Game()
    for number in range(SEEN_READINGS_KEPT + 3):
        game.throw(1 + number % 20, reading_id=f"boot-{number}")
    assert len(game.table.free_rolls) == FREE_ROLLS_KEPT
    assert len(game.table.seen_readings) == SEEN_READINGS_KEPT
    assert game.throw(4, reading_id=f"boot-{SEEN_READINGS_KEPT + 2}") == ()


def test_aim_throws_one_die_again_and_the_others_stay() -> None:
    game = Game()
    game.declare(difficulty=2)
    game.throw(4, 19)
    game.refused(RerollDice(positions=(0, 1), reason=RerollReason.AIM), "TASK-12")
    game.refused(RerollDice(positions=(), reason=RerollReason.AIM), "TASK-12")
    game.refused(RerollDice(positions=(2,), reason=RerollReason.AIM), "TASK-12")
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    assert game.task.phase is TaskPhase.AWAITING_DICE
    assert game.task.outcome is None
    game.refused(WithdrawTask(), "TASK-10")
    game.refused(FinishSpending(), "TASK-10")
    game.throw(4, 20)
    assert [one.die.face for one in game.task.dice] == [4, 20]
    assert game.task.complications_open == 1
    game.refused(RerollDice(positions=(1,), reason=RerollReason.AIM), "TASK-12")
    game.refused(RerollDice(positions=(1,), reason=RerollReason.ACCURATE_AIM), "TASK-12")


def test_kept_dice_that_moved_are_asked_about() -> None:
    game = Game()
    game.declare()
    game.throw(4, 19)
    game.do(RerollDice(positions=(1,), reason=RerollReason.ACCURATE_AIM))
    game.throw(5, 12)
    assert game.held is not None
    assert game.held.questions[0].reason is QuestionReason.KEPT_DICE_DIFFER
    game.do(CorrectDie(position=0, face=4))
    assert [one.die.face for one in game.task.dice] == [4, 12]


def test_dice_lifted_for_a_reroll_leave_the_kept_ones_uncounted() -> None:
    game = Game()
    game.declare(purchases=bought(Payer.TALENT))
    game.throw(4, 9, 19)
    game.do(RerollDice(positions=(2,), reason=RerollReason.AIM))
    assert game.throw(9, 4) == ()
    game.throw(4, 12, 9)
    assert [one.die.face for one in game.task.dice] == [4, 9, 12]


def test_one_kept_die_alone_is_asked_about_and_a_word_settles_it() -> None:
    game = Game()
    game.declare()
    game.throw(4, 19)
    game.do(RerollDice(positions=(1,), reason=RerollReason.AIM))
    game.throw(4)
    assert game.held is not None
    assert [one.reason for one in game.held.questions] == [QuestionReason.ONLY_KEPT_DICE]
    game.do(CorrectDie(position=0, face=4))
    assert [one.die.face for one in game.task.dice] == [4, 4]


@pytest.mark.parametrize("ruleset", Ruleset)
def test_inspiration_costs_a_point_and_follows_the_ruleset(ruleset: Ruleset) -> None:
    game = Game(ruleset)
    game.declare()
    game.throw(16, 19)
    one = RerollDice(positions=(1,), reason=RerollReason.INSPIRATION, value=OKAFOR_VALUE)
    if ruleset is Ruleset.STARTER:
        game.refused(one, "DET-3")
        one = RerollDice(positions=(0, 1), reason=RerollReason.INSPIRATION, value=OKAFOR_VALUE)
    game.refused(RerollDice(positions=(0, 1), reason=RerollReason.INSPIRATION), "DET-1")
    game.do(one)
    assert game.card(game.okafor).determination == 0
    game.throw(*(2 for _ in one.positions))
    assert game.task.outcome is not None
    assert game.task.outcome.success


def test_inspiration_never_touches_helpers_or_the_fixed_die() -> None:
    game = Game(options=TableOptions(determination_start=3))
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    game.declare(purchases=bought(Payer.DETERMINATION), value=OKAFOR_VALUE, assists=(helper,))
    game.throw(16, 19)
    game.throw(12)
    for place in (0, 3):
        reroll = RerollDice(positions=(place,), reason=RerollReason.INSPIRATION, value=OKAFOR_VALUE)
        game.refused(reroll, "DET-3")
    reroll = RerollDice(positions=(1, 2), reason=RerollReason.INSPIRATION, value=OKAFOR_VALUE)
    game.refused(RerollDice(positions=(1, 2), reason=RerollReason.INSPIRATION, value=LINDQVIST_VALUE), "DET-1")
    game.do(reroll)
    assert game.card(game.okafor).determination == 1


def test_the_ships_reroll_is_the_second_editions() -> None:
    for ruleset in (Ruleset.CORE_1E, Ruleset.SECOND_EDITION):
        game = Game(ruleset)
        game.declare()
        game.throw(16, 19)
        reroll = RerollDice(positions=(0,), reason=RerollReason.SHIP_SYSTEM)
        if ruleset is Ruleset.CORE_1E:
            game.refused(reroll, "TASK-12")
            continue
        game.do(reroll)
        game.throw(3)
        game.refused(reroll, "TASK-12")


def test_a_misread_die_is_scored_anew_until_something_was_based_on_it() -> None:
    game = Game(momentum=1)
    game.declare()
    game.throw(16, 19)
    game.refused(CorrectScoredDie(position=2, face=3), "TASK-3")
    game.refused(CorrectScoredDie(position=0, face=30), "TASK-3")
    game.do(CorrectScoredDie(position=0, face=6))
    corrected = game.task.dice[0].die
    assert (corrected.face, corrected.corrected, corrected.source) == (6, True, SourceKind.MANUAL)
    assert game.task.outcome is not None
    assert game.task.outcome.success
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    refused = game.refused(CorrectScoredDie(position=0, face=7), "TASK-10")
    assert "undo" in refused
    found = correctable(game.table)
    assert (found.places, found.why_not) == ((), refused)


def test_a_determination_die_is_not_offered_to_be_put_right() -> None:
    game = Game()
    assert correctable(game.table) == Correctable()
    game.declare(purchases=bought(Payer.DETERMINATION), value=OKAFOR_VALUE)
    assert correctable(game.table) == Correctable()
    game.throw(16, 19)
    found = correctable(game.table)
    assert (found.number, found.places, found.why_not) == (game.task.number, (1, 2), "")
    assert [one.face for one in found.dice] == [1, 16, 19]


def test_a_misread_die_is_corrected_while_the_helper_still_throws() -> None:
    game = Game()
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.REASON, discipline=Discipline.SCIENCE)
    game.declare(assists=(helper,))
    game.throw(16, 19)
    game.do(CorrectScoredDie(position=0, face=6))
    assert not game.is_scored()
    game.throw(1)
    assert game.task.outcome is not None
    assert game.task.outcome.successes == 3


def test_saved_momentum_and_the_fixed_die_are_not_corrected() -> None:
    game = Game()
    game.declare(purchases=bought(Payer.DETERMINATION), value=OKAFOR_VALUE)
    game.throw(20, 20)
    game.refused(CorrectScoredDie(position=0, face=3), "DET-2")
    game.do(FinishSpending())
    game.refused(CorrectScoredDie(position=1, face=3), "TASK-10")


def test_challenge_dice_show_total_and_effects() -> None:
    game = Game()
    game.do(DeclareChallenge(count=6, label="Phaser", who="Okafor"))
    game.throw_challenge(1, 2, Symbol.EFFECT, 3, 4, Symbol.BLANK)
    roll = game.table.challenge
    assert roll is not None
    assert (roll.total, roll.effects) == (4, 1)
    assert game.last_said.terse == "Total 4, 1 Effect."
    game.refused(DeclareChallenge(count=0), "CD-2")
    game.do(CloseChallenge())
    assert game.table.challenge is not None
    assert game.table.challenge.closed
    game.refused(CloseChallenge(), "CD-2")


@pytest.mark.parametrize("faces", [(1, Symbol.EFFECT), (1, 5), (2, Symbol.BLANK)])
def test_challenge_dice_can_be_entered_as_symbols_or_pips(faces: tuple[Face, ...]) -> None:
    game = Game()
    game.do(DeclareChallenge(count=2))
    assert game.table.request is not None
    game.do(EnterDice(request=game.table.request.number, faces=faces))
    assert game.table.challenge is not None
    assert game.table.challenge.total == 2
    assert all(one.source is SourceKind.MANUAL for one in game.table.challenge.dice)


def test_challenge_dice_are_thrown_again_once_for_one_momentum() -> None:
    game = Game(momentum=1)
    game.do(DeclareChallenge(count=3))
    game.throw_challenge(Symbol.BLANK, 2, Symbol.BLANK)
    reroll = RerollChallenge(positions=(0, 2))
    game.do(reroll)
    game.refused(CloseChallenge(), "CD-5")
    assert game.table.momentum == 0
    game.throw_challenge(2, Symbol.EFFECT, 1)
    assert game.table.challenge is not None
    assert (game.table.challenge.total, game.table.challenge.effects) == (4, 1)
    assert game.table.challenge.dice[1].face == 2
    game.refused(reroll, "CD-5")


def test_a_reroll_of_damage_is_paid_from_the_attack_first() -> None:
    game = Game(momentum=1)
    game.declare()
    game.throw(2, 3)
    game.do(DeclareChallenge(count=1, who="Okafor"))
    game.throw_challenge(Symbol.BLANK)
    game.do(RerollChallenge(positions=(0,)))
    assert (game.task.momentum_left, game.table.momentum) == (0, 1)


def test_an_npcs_reroll_of_damage_is_paid_with_threat() -> None:
    game = Game(momentum=1)
    game.do(DeclareChallenge(count=1, who="Brack"))
    game.throw_challenge(Symbol.BLANK)
    game.do(RerollChallenge(positions=(0,)))
    assert (game.table.threat, game.table.momentum) == (3, 1)


def test_a_misread_challenge_die_is_counted_anew() -> None:
    game = Game()
    game.do(DeclareChallenge(count=2))
    game.refused(CorrectScoredDie(position=0, face=1), "CD-2")
    game.throw_challenge(Symbol.BLANK, 2)
    game.do(CorrectScoredDie(position=0, face=Symbol.EFFECT))
    assert game.table.challenge is not None
    assert (game.table.challenge.total, game.table.challenge.effects) == (3, 1)
    game.refused(CorrectScoredDie(position=2, face=1), "CD-2")


def test_a_challenge_roll_can_be_called_off_and_makes_room_for_the_next() -> None:
    game = Game()
    game.do(DeclareChallenge(count=2))
    game.refused(DeclareChallenge(count=1), "CD-2")
    game.refused(game.declaration(), "TASK-10")
    game.do(CloseChallenge())
    assert game.table.request is None
    game.do(DeclareChallenge(count=1))
    game.throw_challenge(1)
    events = game.declare()
    assert ChallengeClosed in {type(one) for one in events}


def test_d20s_do_not_answer_for_challenge_dice() -> None:
    game = Game()
    game.do(DeclareChallenge(count=1))
    game.do(reading(die(3), challenge_die(2)))
    assert game.held is not None
    assert [one.reason for one in game.held.questions] == [QuestionReason.WRONG_KIND]
    game.do(DropDie(position=0))
    assert game.table.challenge is not None
    assert game.table.challenge.total == 2
    assert game.table.challenge.dice[0].kind is DieKind.CHALLENGE


def test_an_untouched_table_has_no_throw() -> None:
    assert (Table().request, Table().held) == (None, None)


def test_without_an_aim_declared_no_die_is_thrown_again_for_one() -> None:
    game = Game()
    game.declare(rerolls=())
    game.throw(16, 19)
    assert not any(option.option_id.startswith("reroll_dice:aim") for option in options(game.table))
    game.refused(RerollDice(positions=(1,), reason=RerollReason.AIM), "TASK-12")

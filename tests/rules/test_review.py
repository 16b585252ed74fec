from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DieKind, DieReading, DieState, Face, Guess, SourceKind, Symbol
from rules.state.tasks import HeldThrow, Question, ThrowRequest
from rules.state.vocabulary import QuestionReason, ThrowRole
from rules.tasks.review import Review, on_the_table, review
from rules.tasks.throwing import CorrectDie
from rules.tasks.words import question_sentence, question_sentences, questions_sentence
from tests.rules.tabletop import Game, challenge_die, die, reading


def request(count: int = 2, kind: DieKind = DieKind.D20, kept: tuple[Face, ...] = ()) -> ThrowRequest:
    return ThrowRequest(number=7, role=ThrowRole.LEADER, kind=kind, count=count, who="Okafor", kept=kept)


def asked(dice: tuple[DieReading, ...], awaited: ThrowRequest) -> list[str]:
    verdict = review(awaited, dice)
    assert not verdict.accepted
    held = HeldThrow(request=7, reading_id="r", source=SourceKind.TRAY, dice=dice, questions=verdict.questions)
    return [question_sentence(one, held, awaited) for one in verdict.questions]


def test_exactly_the_awaited_dice_are_accepted() -> None:
    dice = (die(4), die(19))
    assert review(request(), dice) == Review(accepted=dice)


def test_a_wrong_count_is_said_in_words() -> None:
    assert asked((die(4), die(9), die(19)), request()) == [
        "3 d20s on the tray, 2 expected. Leave out what does not count, or throw again."
    ]
    assert asked((die(4),), request())[0].startswith("1 d20 on the tray, 2 expected.")
    assert asked((die(2, DieKind.CHALLENGE),), request(1))[1].startswith("No d20 on the tray, 1 expected.")


@pytest.mark.parametrize(
    ("source", "three", "one"),
    [
        (SourceKind.PHONE, "3 d20s in the photograph, 2 expected.", "Take a picture of all of them, or throw again."),
        (SourceKind.BLUETOOTH, "3 d20s thrown, 2 expected.", "Find what is missing, or throw again."),
        (SourceKind.CAMERA, "3 d20s under the camera, 2 expected.", "Find what is missing, or throw again."),
        (SourceKind.TRAY, "3 d20s on the tray, 2 expected.", "Find what is missing, or throw again."),
        (SourceKind.MANUAL, "3 d20s entered, 2 expected.", "Find what is missing, or throw again."),
    ],
)
def test_a_wrong_count_says_where_the_dice_are(source: SourceKind, three: str, one: str) -> None:
    """What is asked of a photograph is said of it, and stays so while its dice are put right."""
    game = Game()
    game.declare()
    game.do(reading(*(die(face, source=source) for face in (4, 9, 19)), source=source))
    assert game.last_said.normal == f"{three} Leave out what does not count, or throw again."
    game.do(CorrectDie(position=0, face=5))
    assert game.last_said.normal == f"{three} Leave out what does not count, or throw again."
    game.do(reading(die(9, source=source), source=source))
    assert game.last_said.normal == f"{three.replace('3 d20s', '1 d20')} {one}"


def test_a_photograph_that_shows_other_dice_is_called_one() -> None:
    game = Game()
    game.declare()
    game.do(reading(die(4), die(9, state=DieState.COCKED)))
    game.do(reading(*(die(face, source=SourceKind.PHONE) for face in (7, 9)), source=SourceKind.PHONE))
    assert game.last_said.normal.startswith("The photograph shows other dice. If those in it lie there, count them")


def test_of_very_many_dice_a_few_are_told_and_how_many_more_there_are() -> None:
    """A printed mat looked like dozens of dice."""
    dice = (die(4), *(die(2, DieKind.CHALLENGE) for _ in range(20)))
    verdict = review(request(), dice)
    held = HeldThrow(request=7, reading_id="r", source=SourceKind.CAMERA, dice=dice, questions=verdict.questions)
    told = question_sentences(held, request())
    assert len(verdict.questions) == 21
    assert told[0].startswith("1 d20 under the camera, 2 expected.")
    assert told[1].startswith("Die 2 looks like a Challenge Die")
    assert told[3:] == ("And 18 more to look at.",)
    few = HeldThrow(request=7, reading_id="r", source=SourceKind.CAMERA, dice=dice, questions=verdict.questions[:8])
    assert len(question_sentences(few, request())) == 8


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (DieState.DOUBTFUL, QuestionReason.DOUBTFUL, "Die 2 cannot be read with certainty. What does it show?"),
        (DieState.COCKED, QuestionReason.COCKED, "Die 2 is cocked. Throw it again, or say what it shows."),
        (DieState.MOVING, QuestionReason.MOVING, "Die 2 still moves. Wait for it to rest, or say what it shows."),
    ],
)
def test_only_the_die_in_question_is_asked_about(state: DieState, reason: QuestionReason, words: str) -> None:
    dice = (die(4), die(None, state=state))
    assert review(request(), dice).questions == (Question(reason=reason, position=1),)
    assert asked(dice, request()) == [words]


def test_a_doubtful_die_is_asked_about_even_with_a_face() -> None:
    guesses = (Guess(face=6, chance=0.5), Guess(face=9, chance=0.5))
    dice = (die(4), die(6, state=DieState.DOUBTFUL, guesses=guesses))
    assert asked(dice, request()) == ["Die 2 may show 6 or 9. What does it show?"]


def test_a_die_of_another_kind_is_named() -> None:
    dice = (die(4), die(9), die(Symbol.EFFECT, DieKind.CHALLENGE))
    assert asked(dice, request()) == [
        "Die 3 looks like a Challenge Die; d20s expected. Leave it out, or say what it shows."
    ]


def test_a_d6_stands_in_where_challenge_dice_are_awaited() -> None:
    dice = (challenge_die(5), challenge_die(Symbol.BLANK))
    assert review(request(kind=DieKind.CHALLENGE), dice).accepted == dice
    assert review(request(), dice).questions


def test_dice_in_a_hand_belong_to_no_throw() -> None:
    assert on_the_table((die(4), die(None, state=DieState.IN_HAND))) == (die(4),)


def test_a_reroll_may_show_the_new_dice_alone_or_with_the_kept_ones() -> None:
    awaited = request(1, kept=(4, 4, 17))
    assert review(awaited, (die(9),)).accepted == (die(9),)
    assert review(awaited, (die(17), die(4), die(12), die(4))).accepted == (die(12),)


def test_kept_dice_that_differ_are_asked_about() -> None:
    assert asked((die(4), die(5), die(12)), request(1, kept=(4, 17))) == [
        "The dice that stay showed 4 and 17, and not all of them are there. Show only the new ones, or correct a die."
    ]
    assert "1 expected, or 3 with those that stay" in asked((die(4), die(5)), request(1, kept=(4, 17)))[0]


def test_the_kept_dice_alone_are_never_taken_for_the_new_ones() -> None:
    awaited = request(1, kept=(4,))
    assert asked((die(4),), awaited) == [
        "These look like the dice that stay, 4. Say what a die shows if the new die was thrown, or throw now."
    ]
    spoken_for = (die(4, source=SourceKind.MANUAL),)
    assert review(awaited, spoken_for).accepted == spoken_for


def test_kept_challenge_dice_are_known_by_what_they_mean() -> None:
    awaited = request(1, DieKind.CHALLENGE, kept=(Symbol.EFFECT,))
    assert review(awaited, (challenge_die(6), challenge_die(1))).accepted == (challenge_die(1),)


def test_two_sources_that_disagree_have_a_sentence() -> None:
    held = HeldThrow(request=7, reading_id="r", source=SourceKind.CAMERA, dice=(die(4),), questions=())
    question = Question(reason=QuestionReason.SOURCES_DISAGREE)
    assert question_sentence(question, held, request(1)).startswith("Two sources see different dice.")


ANY_DIE = st.builds(
    die,
    st.integers(1, 20),
    state=st.sampled_from([one for one in DieState if one is not DieState.IN_HAND]),
) | st.builds(challenge_die, st.sampled_from([1, 2, 3, 4, 5, 6, Symbol.BLANK, Symbol.EFFECT]))


@given(
    dice=st.lists(ANY_DIE, max_size=7).map(tuple),
    kind=st.sampled_from([DieKind.D20, DieKind.CHALLENGE]),
    count=st.integers(1, 4),
    kept=st.lists(st.integers(1, 2), max_size=3).map(tuple),
)
def test_a_throw_is_accepted_whole_or_questioned(
    dice: tuple[DieReading, ...], kind: DieKind, count: int, kept: tuple[Face, ...]
) -> None:
    awaited = request(count, kind, kept)
    verdict = review(awaited, dice)
    assert bool(verdict.accepted) != bool(verdict.questions)
    if verdict.accepted:
        assert len(verdict.accepted) == count
        assert all(one.state is DieState.READ and (one.kind is DieKind.D20) == (kind is DieKind.D20) for one in dice)
        left = list(dice)
        for one in verdict.accepted:
            left.remove(one)
        assert len(left) in {0, len(kept)}
    else:
        held = HeldThrow(request=7, reading_id="r", source=SourceKind.TRAY, dice=dice, questions=verdict.questions)
        assert questions_sentence(held, awaited).endswith((".", "?"))

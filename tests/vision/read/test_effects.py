"""A sign of no known face: its sides and the dice of its set tell whether it is an Effect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieState, Face, Symbol
from tests.bench.vision_effects import table
from vision.pose.crops import Grey
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, lying
from vision.pose.networks import CUBE_FACES, SIDE_SHOWS, Networks
from vision.read.effects import OfSet, _told, effect_odds, effects_told, sides_against
from vision.read.explain import words_beside
from vision.read.faces import Verdict, _cube_verdict
from vision.read.reader import load_reader
from vision.read.thresholds import EFFECT_AGAINST, THRESHOLDS
from vision.taught import likeness

CAMERA = Camera(640, 480, 60.0)
ORANGE, BLUE = (30, 120, 230), (200, 60, 20)
MIDDLE, LEFT, RIGHT, BELOW = (320.0, 240.0), (150.0, 150.0), (500.0, 300.0), (300.0, 400.0)
NOTHING = np.zeros(4)
"""What no visible side says."""
Spot = tuple[float, float]
Die = tuple[Verdict, tuple[int, int, int], str]
"""A die, its colour and what is drawn on it."""


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def cube_die(style: str, face: Face | None, at: Spot, colour: tuple[int, int, int] = ORANGE, drawn: str = "") -> Die:
    """A cube whose upper patch shows that."""
    row = np.full(len(CUBE_FACES), 1e-4)
    row[CUBE_FACES.index((style, face))] = 0.995
    return _cube_verdict(row / row.sum(), Pose(at, 40.0, lying(np.array(STRAIGHT_UP), 0.3)), 1.0), colour, drawn


def sign(at: Spot = MIDDLE, colour: tuple[int, int, int] = ORANGE, drawn: str = "bar") -> Die:
    return cube_die("strange", None, at, colour, drawn)


def cloth(dice: Sequence[Die]) -> NDArray[np.uint8]:
    """A grey cloth with a square in the colour of each die, a bar, a ring or a hoop on it."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    for one, colour, drawn in dice:
        x, y = (round(value) for value in one.pose.centre)
        cv2.rectangle(picture, (x - 28, y - 28), (x + 28, y + 28), colour, -1)
        if drawn == "bar":
            cv2.rectangle(picture, (x - 12, y - 4), (x + 12, y + 4), (255, 255, 255), -1)
        elif drawn == "ring":
            cv2.circle(picture, (x, y), 11, (255, 255, 255), 3)
        elif drawn == "hoop":
            cv2.circle(picture, (x, y), 17, (255, 255, 255), 2)
    return picture


def decided(networks: Networks, *dice: Die) -> list[Verdict]:
    picture = cloth(dice)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return effects_told(picture, grey, CAMERA, networks, [one for one, _, _ in dice])


def effect(one: Verdict) -> float:
    return one.chances[Symbol.EFFECT]


def test_each_side_speaks_against_whom_it_cannot_belong_to() -> None:
    symbols, logo, two_signs, number_of_its_own = np.transpose(sides_against(np.eye(len(SIDE_SHOWS))))
    blank, _, strange, number, high, spots = range(len(SIDE_SHOWS))
    assert min(symbols[[blank, number]]) > 1.5
    assert symbols[strange] < -1.5
    assert max(logo[[high, spots]]) < -2
    assert not number_of_its_own.any()
    assert two_signs[number] > 2
    assert abs(two_signs[blank]) < 0.5


def test_what_is_hardest_to_exclude_decides() -> None:
    challenge = OfSet(challenge=True, bare=True)
    assert effect_odds(NOTHING, OfSet()) == 2.0
    assert effect_odds(NOTHING, challenge) == 3.5
    assert effect_odds(NOTHING, replace(challenge, same=True)) == 4.5
    assert effect_odds(NOTHING, replace(challenge, blank=True)) == 3.5
    assert effect_odds(NOTHING, OfSet(bare=True)) == 2.5
    assert effect_odds(NOTHING, OfSet(blank=True)) == 1.5
    assert effect_odds(NOTHING, OfSet(blank=True, same=True)) == 1.5
    assert effect_odds(NOTHING, replace(challenge, numbers=True)) == 0.0
    assert effect_odds(NOTHING, OfSet(table=True)) == 3.0, "a Challenge Die of another set lies there"
    assert effect_odds(np.array([-2.0, 0.0, -2.0, 0.0]), challenge) == 2.5
    assert effect_odds(np.array([2.0, 2.0, 2.0, 0.0]), replace(challenge, same=True)) == 4.5


def test_a_framed_1_and_the_same_sign_on_dice_of_its_colour_make_it_an_effect(networks: Networks) -> None:
    one, framed = sign(), cube_die("challenge", 1, LEFT)
    same = sign(RIGHT)
    alone = effect(decided(networks, one)[0])
    beside = effect(decided(networks, one, framed)[0])
    twice = decided(networks, one, framed, same)
    assert 0.5 < alone < THRESHOLDS.read[DieKind.CHALLENGE] < beside
    assert effect(twice[0]) > beside
    assert twice[1] == framed[0]
    assert twice[0].sign_odds == pytest.approx(effect_odds(NOTHING, OfSet(challenge=True, bare=True, same=True)), abs=4)


@pytest.mark.parametrize("size", [0.85, 1.0, 1.17])
def test_the_same_sign_is_known_though_a_die_was_fitted_too_large_or_small(networks: Networks, size: float) -> None:
    one, (verdict, colour, drawn) = sign(drawn="hoop"), sign(RIGHT, drawn="hoop")
    odd = (replace(verdict, pose=verdict.pose.moved(0.0, 0.0, size)), colour, drawn)
    framed, bar = cube_die("challenge", 1, LEFT), sign(RIGHT, drawn="bar")
    assert effect(decided(networks, one, framed, odd)[0]) > 0.5 > effect(one[0])
    assert effect(decided(networks, one, framed, bar)[0]) == effect(one[0])


def test_each_further_die_with_the_same_sign_tells_as_much_again() -> None:
    twice, thrice = OfSet(bare=True, same=True), OfSet(bare=True, same=True, again=1)
    assert effect_odds(NOTHING, thrice) == pytest.approx(effect_odds(NOTHING, twice) + math.log(2))
    assert effect_odds(NOTHING, replace(thrice, again=9)) == effect_odds(NOTHING, replace(thrice, again=2))


def test_of_dice_of_another_colour_or_size_sure_challenge_dice_alone_say_something(networks: Networks) -> None:
    one, framed, number = sign(), cube_die("challenge", 1, LEFT, BLUE), cube_die("numeral", 5, LEFT, BLUE)
    small = cube_die("challenge", 1, LEFT)
    small = (replace(small[0], pose=replace(small[0].pose, radius=25.0)), ORANGE, "")
    alone = decided(networks, one)[0].sign_odds
    assert alone is not None
    for other in (framed, small):
        assert decided(networks, one, other)[0].sign_odds == pytest.approx(alone + 1.0)
    assert decided(networks, one, number)[0].sign_odds == alone


def test_another_picture_on_a_die_of_its_colour_leaves_the_question(networks: Networks) -> None:
    one, framed, other = sign(), cube_die("challenge", 1, LEFT), sign(RIGHT, drawn="ring")
    assert effect(decided(networks, one, framed, other)[0]) == effect(one[0])


def test_each_face_of_a_set_is_made_ready_once(networks: Networks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many signs take twice as much, not four times."""
    made, codes_of = 0, likeness.codes_of

    def counted(patch: Grey, kind: DieKind) -> NDArray[np.float32]:
        nonlocal made
        made += 1
        return codes_of(patch, kind)

    monkeypatch.setattr(likeness, "codes_of", counted)
    taken = []
    for count in (3, 6):
        made = 0
        told = decided(networks, *(sign((90.0 * place, 240.0)) for place in range(1, count + 1)))
        assert all(one.sign_odds is not None for one in told)
        taken.append(made)
    assert taken[1] == 2 * taken[0] > 0


def test_a_number_of_a_d6_in_its_colour_leaves_the_question(networks: Networks) -> None:
    dice = (sign(), cube_die("challenge", 1, LEFT), cube_die("numeral", 5, BELOW))
    assert effect(decided(networks, *dice)[0]) < 0.8
    assert effect(decided(networks, *dice[:2])[0]) > 0.8


def test_a_die_that_was_taught_and_what_may_be_no_sign_are_left_as_they_are(networks: Networks) -> None:
    framed = cube_die("challenge", 1, LEFT)
    one = sign()
    taught = (replace(one[0], owner="a1"), ORANGE, "bar")
    unsure = (replace(one[0], sign=0.94), ORANGE, "bar")
    for other in (taught, unsure, framed):
        assert decided(networks, other, framed)[0] == other[0]


def test_what_looks_like_an_effect_is_asked_about_where_its_set_surely_is_another_games() -> None:
    star, _, _ = cube_die("challenge", Symbol.EFFECT, MIDDLE)
    assert effect(star) > 0.95
    assert effect(_told(star, EFFECT_AGAINST + 0.1, unlike=True)) == effect(star)
    assert effect(_told(star, EFFECT_AGAINST - 0.1, unlike=False)) < 0.05
    assert effect(_told(star, 5.0, unlike=False)) >= effect(star)


def test_its_look_and_what_its_set_says_add_up() -> None:
    star, _, _ = cube_die("challenge", Symbol.EFFECT, MIDDLE)
    likely = replace(star, chances=star.chances | {Symbol.EFFECT: 0.8}, sign=1.0, emblem=2.0)
    surely = THRESHOLDS.read[DieKind.CHALLENGE]

    def told(one: Verdict, odds: float, *, unlike: bool = False) -> float:
        return effect(_told(one, odds, unlike=unlike))

    assert told(replace(likely, emblem=0.0), 1.5) < surely < told(likely, 1.5)
    assert told(likely, 1.5, unlike=True) == told(likely, -0.9) == 0.8
    assert told(likely, EFFECT_AGAINST - 0.1) < 0.05, "by these alone"
    assert told(replace(likely, emblem=9.0), -2.0) < surely < told(replace(likely, emblem=9.0), -1.0)
    assert told(replace(likely, emblem=-5.0), 3.0) == told(replace(likely, emblem=0.0), 3.0) > surely


def test_how_a_sign_looks_is_told_by_its_upper_face_alone() -> None:
    assert cube_die("challenge", Symbol.EFFECT, MIDDLE)[0].emblem > 6
    assert sign()[0].emblem < -6
    assert abs(cube_die("challenge", 1, MIDDLE)[0].emblem) < 0.01


def test_emblems_that_no_network_knows_are_read_beside_a_1_of_their_set() -> None:
    _, picture, laid = table(0)
    seen = load_reader().look(picture)
    effects = 0
    for one in seen.found:
        lies = min(laid, key=lambda other: math.dist(other.pose.centre, one.pose.centre))
        if lies.die.face is Symbol.EFFECT:
            assert (one.reading.state, one.reading.face) == (DieState.READ, Symbol.EFFECT)
            assert one.verdict.sign_odds is not None
            assert "its sign is an Effect by its set: log odds +" in words_beside(one, one.reading)[1]
            effects += 1
    assert effects

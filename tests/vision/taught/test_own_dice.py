"""One's own dice: kept in a file, told apart by their looks, and read better once they were taught."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import FACES, DieKind, DieState, Symbol
from tests.bench.own_dice import at, taught
from tests.bench.own_scenes import owned, throw
from tests.vision.taught.test_own_poses import learnt_whole
from vision.errors import OwnDiceError, OwnDiceFault
from vision.pose.geometry import STRAIGHT_UP, Camera, icosahedron
from vision.pose.posing import PosedDie, spun
from vision.pose.refinement import difference, upright
from vision.read.reader import load_reader
from vision.table.setup import TableSetup
from vision.taught.likeness import KnownDie, OwnDice, code_like, mask_of
from vision.taught.own_dice import (
    CODE_PIXELS,
    LONGEST_NAME,
    Code,
    FaceLook,
    OwnDie,
    as_text,
    checked_name,
    from_text,
    likeness,
    packed,
    unpacked,
)
from vision.taught.own_poses import posed_as_taught
from vision.training.glyphs import Fonts, Hand, effect, numeral
from vision.training.scenes import scene

pytestmark = pytest.mark.slow


def patch(texture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Code:
    """A drawing as a face's patch: dark ink on a light body."""
    small = cv2.resize(texture, (40, 40), interpolation=cv2.INTER_AREA)
    grey = np.asarray(200 - small * 0.6, np.uint8)
    return code_like(grey, DieKind.CHALLENGE, ())


def hand(design: int) -> Hand:
    return replace(Hand.plain(np.random.default_rng(1), cube=True), design=design)


@given(seed=st.integers(0, 1000))
def test_a_face_survives_its_file(seed: int) -> None:
    code = np.random.default_rng(seed).normal(0, 0.8, (CODE_PIXELS, CODE_PIXELS)).astype(np.float32)
    again = unpacked(packed(code))
    assert np.abs(again - np.clip(code, -8 / 2.2, 7 / 2.2)).max() <= 0.5 / 2.2 + 1e-6
    assert packed(again) == packed(code)


def test_the_same_sign_is_alike_and_others_are_not() -> None:
    one, other, blank = patch(effect(hand(3))), patch(effect(hand(900))), patch(np.zeros((96, 96), np.uint8))
    assert likeness(one, one) > 0.85
    assert likeness(blank, blank) == 1.0
    assert likeness(one, other) < 0.75
    assert likeness(one, blank) < 0.5


def test_like_looks_become_one_and_unlike_ones_stay_two_at_most() -> None:
    die = OwnDie("00000001", "Red", DieKind.CHALLENGE)
    signs = [patch(effect(hand(design))) for design in (3, 900, 77)]
    for sign in (signs[0], signs[0], signs[1], signs[2]):
        die = die.with_look(Symbol.EFFECT, sign)
    assert len(die.looks) == 2
    assert max(look.count for look in die.looks) == 2
    assert die.faces == (Symbol.EFFECT,)


def test_a_file_of_dice_comes_back_and_a_damaged_one_is_told() -> None:
    codes = [patch(numeral(Fonts(), hand(1), number, marked=False)) for number in (1, 2)]
    die = OwnDie("0000002a", "Blue one", DieKind.D20, (FaceLook(20, codes[0], 3), FaceLook(1, codes[1])),
                 {20: (2, 8, 14)}, (120.0, 130.5, 99.0), 4)  # fmt: skip
    text = as_text([die])
    assert len(text) < 4096
    (again,) = from_text(text)
    assert as_text([again]) == text
    assert (again.name, again.rings, again.colour, again.throws) == (die.name, die.rings, die.colour, die.throws)
    raw = json.loads(text)
    broken: list[object] = [None, [], {}, {**raw, "form": 2}, {**raw, "dice": [{}]}]
    for key, value in (("kind", "d7"), ("die_id", "../../x"), ("name", " "), ("rings", {"20": [2, 8]}),
                       ("rings", {"21": [1, 2, 3]}), ("colour", [1]), ("looks", [{"face": 21, "count": 1, "code": ""}]),
                       ("looks", [{"face": 20, "count": 1, "code": "????"}]),
                       ("looks", [{**raw["dice"][0]["looks"][0], "read_so": "yes"}])):  # fmt: skip
        broken.append({**raw, "dice": [{**raw["dice"][0], key: value}]})
    broken.append({**raw, "dice": raw["dice"] * 2})
    for one in broken:
        with pytest.raises(OwnDiceError) as refused:
            from_text(json.dumps(one))
        assert refused.value.why in {OwnDiceFault.DAMAGED, OwnDiceFault.NAME}


@pytest.mark.parametrize(
    "number", ["Infinity", "-Infinity", "NaN", "1e999", "-1", "1.5", "true", '"3"', "1" + "0" * 400]
)
@pytest.mark.parametrize("key", ["alike", "throws", "count"])
def test_a_file_that_counts_throws_in_anything_but_whole_numbers_is_damaged(key: str, number: str) -> None:
    die = OwnDie("0000002a", "Blue one", DieKind.D20, (FaceLook(20, patch(effect(hand(3))), 3),), {}, None, 3, 3)
    text = as_text([die])
    assert f'"{key}": 3' in text
    with pytest.raises(OwnDiceError) as refused:
        from_text(text.replace(f'"{key}": 3', f'"{key}": {number}'))
    assert refused.value.why is OwnDiceFault.DAMAGED


@pytest.mark.parametrize("number", ["Infinity", "NaN"])
def test_a_file_with_a_colour_or_a_ring_that_is_no_number_is_damaged(number: str) -> None:
    die = OwnDie("0000002a", "Blue one", DieKind.D20, (), {20: (2, 8, 14)}, (120.0, 130.5, 99.0))
    text = as_text([die])
    for part in ("130.5", "14"):
        assert text.count(part) == 1
        with pytest.raises(OwnDiceError) as refused:
            from_text(text.replace(part, number))
        assert refused.value.why is OwnDiceFault.DAMAGED


@given(st.text(max_size=60))
def test_a_name_is_clean_or_refused(name: str) -> None:
    try:
        clean = checked_name(name)
    except OwnDiceError:
        return
    assert clean == clean.strip()
    assert 1 <= len(clean) <= LONGEST_NAME


def test_a_file_of_an_older_kiosk_is_taken_up() -> None:
    code = patch(effect(hand(3)))
    die = OwnDie("0000002a", "Blue one", DieKind.D20, (FaceLook(20, code, 3, (90.0, 120.0, 130.0)),), {}, None, 4, 1)
    raw = json.loads(as_text([die]))
    assert (raw["dice"][0]["alike"], raw["dice"][0]["looks"][0]["colour"]) == (1, [90.0, 120.0, 130.0])
    del raw["dice"][0]["alike"], raw["dice"][0]["looks"][0]["colour"]
    (again,) = from_text(json.dumps(raw))
    assert (again.alike, again.looks[0].colour) == (None, None)
    assert again.legible


def test_what_the_networks_rarely_read_as_a_person_does_they_cannot_read() -> None:
    die = OwnDie("00000001", "Roman", DieKind.D20)
    assert [
        replace(die, throws=throws, alike=alike).legible for throws, alike in ((0, 0), (2, 0), (3, 0), (10, 3))
    ] == [
        True,
        True,
        False,
        False,
    ]
    assert replace(die, throws=10, alike=4).legible
    assert replace(die, throws=10, alike=None).legible


def test_a_face_that_is_cut_out_a_little_askew_is_told_from_others() -> None:
    signs = {face: effect(hand(design)) for face, design in ((1, 3), (2, 900), (3, 77))}
    die = OwnDie("00000001", "x", DieKind.D6, tuple(FaceLook(face, patch(sign)) for face, sign in signs.items()))
    for face, sign in signs.items():
        side = sign.shape[0]
        about = cv2.getRotationMatrix2D((side / 2, side / 2), 4.0, 1.03)
        about[:, 2] += np.array([1.3, -0.8])
        askew = np.asarray(cv2.warpAffine(sign, about, (side, side)), np.uint8)
        small = np.asarray(200 - 0.6 * cv2.resize(askew, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
        said = KnownDie.of(die).says([small])
        assert FACES[DieKind.D6][int(said.odds[0].argmax())] == face
        assert said.best[0] > likeness(patch(sign), code_like(small, DieKind.D6, ())) + 0.02
        assert said.best[0] > 0.9


def test_a_blank_face_is_alike_in_other_noise() -> None:
    rng = np.random.default_rng(5)
    blanks = [np.asarray(np.clip(rng.normal(120, 6, (40, 40)), 0, 255), np.uint8) for _ in range(2)]
    looks = (
        FaceLook(Symbol.BLANK, code_like(blanks[0], DieKind.CHALLENGE, ())),
        FaceLook(Symbol.EFFECT, patch(effect(hand(3)))),
    )
    said = KnownDie.of(OwnDie("00000001", "x", DieKind.CHALLENGE, looks)).says([blanks[1]])
    faces = FACES[DieKind.CHALLENGE]
    assert faces[int(said.odds[0].argmax())] is Symbol.BLANK
    assert said.best[0] > 0.75


def test_each_face_has_its_own_colour() -> None:
    red, white = np.array([90.0, 180.0, 165.0]), np.array([210.0, 128.0, 128.0])
    looks = (
        FaceLook(1, patch(effect(hand(3))), 1, (90.0, 180.0, 165.0)),
        FaceLook(Symbol.BLANK, patch(np.zeros((96, 96), np.uint8)), 1, (210.0, 128.0, 128.0)),
        FaceLook(2, patch(effect(hand(9)))),
    )
    die = OwnDie("00000001", "x", DieKind.CHALLENGE, looks, {}, (150.0, 154.0, 146.0), 2)
    faces = FACES[DieKind.CHALLENGE]
    says_red = dict(zip(faces, KnownDie.of(die).colours_say(red), strict=True))
    says_white = dict(zip(faces, KnownDie.of(die).colours_say(white), strict=True))
    assert says_red[1] > 1
    assert says_red[Symbol.BLANK] < -1
    assert says_white[Symbol.BLANK] > 1
    assert says_white[1] < -1
    assert says_red[2] == KnownDie.of(die).colour_says(red)
    assert not KnownDie.of(die).colours_say(None).any()


def test_signs_tell_how_a_d20_lies_where_its_outline_does_not() -> None:
    """Begun a sixth of a turn off, the pose comes back if the die was taught, and stays where another one was."""
    rng = np.random.default_rng(970_400)
    solid, camera = icosahedron(), Camera(1280, 720)
    learnt = [learnt_whole("signs", rng) for _ in range(2)]
    dice, own = [one for one, _ in learnt], [die for _, die in learnt]
    reader = load_reader()
    picture, lies = throw(rng, dice[:1])
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    pose = upright(lies[0].pose, np.array(STRAIGHT_UP), solid)
    off = PosedDie(reader.look(picture).found[0].judgement, solid, spun(pose, math.pi / 3), 0.9)
    places = [(off, pose.rotation[:, 2])]
    (mended,) = posed_as_taught(grey, camera, places, OwnDice.of(own[:1]), reader.networks)
    assert math.degrees(difference(pose, off.pose, camera, solid)[1]) > 40
    assert math.degrees(difference(pose, mended.pose, camera, solid)[1]) < 10
    (kept,) = posed_as_taught(grey, camera, places, OwnDice.of(own[1:]), reader.networks)
    assert kept is off
    assert posed_as_taught(grey, camera, [], OwnDice.of(own), reader.networks) == []


def test_what_was_never_seen_says_nothing() -> None:
    bare = KnownDie.of(OwnDie("00000001", "x", DieKind.CHALLENGE))
    grey = np.full((40, 40), 120, np.uint8)
    assert not bare.says([grey]).odds.any()
    one = KnownDie.of(OwnDie("00000001", "x", DieKind.CHALLENGE, (FaceLook(1, patch(effect(hand(3)))),)))
    odds = one.says([grey]).odds[0]
    assert odds[0] < 0
    assert not odds[1:].any()
    same, other = (np.asarray(200 - 0.6 * cv2.resize(effect(hand(n)), (40, 40)), np.uint8) for n in (3, 900))
    strange = one.says([same, other]).strange
    assert strange is not None
    assert strange[0] < -2
    assert strange[1] > 0
    assert not OwnDice.of([OwnDie("00000001", "x", DieKind.D20)])


def test_strange_dice_are_read_after_they_were_taught_and_plain_ones_are_not_harmed(*, whole: bool) -> None:
    """A logo in place of the 20, strange letters, signs of another game: asked about or wrong before, read after."""
    reader, rng = load_reader(), np.random.default_rng(970_000)
    sorts = ("logo 20", "segments", "challenge signs", "other game")
    dice = [owned(sort, rng, Fonts()) for sort in sorts]
    lessons, throws, strange = (20, 5, 3) if whole else (10, 2, 1)
    own = taught(reader, rng, dice, lessons)
    assert {die.name for die in own} == {f"{sort} {number}" for number, sort in enumerate(sorts)}
    right = {False: 0, True: 0}
    wrong = {False: 0, True: 0}
    named = 0
    for _ in range(throws):
        picture, lies = throw(rng, dice)
        for known in (False, True):
            reader.table = TableSetup(dice=own if known else ())
            seen = reader.look(picture)
            for one in lies:
                found = at(seen, one)
                if found is None or found.reading.state is not DieState.READ:
                    continue
                good = (found.reading.kind, found.reading.face) == (one.owned.die.kind, one.face)
                right[known] += good
                wrong[known] += not good
                if found.reading.die_id is not None:
                    assert int(found.reading.die_id, 16) == dice.index(one.owned)
                    named += 1
    assert wrong[True] == 0
    assert wrong[False] > 0  # signs of another game pass for those of a Challenge Die
    assert right[True] > right[False]
    assert named >= 0.7 * throws * len(dice)
    stranger = [owned("worn", rng, Fonts()) for _ in range(4)]
    taken = set()
    for _ in range(strange):
        picture, lies = throw(rng, stranger)
        seen = reader.look(picture)
        for one in lies:
            found = at(seen, one)
            if found is not None and found.reading.state is DieState.READ:
                assert found.reading.face == one.face
            if found is not None and found.reading.die_id is not None:
                taken.add(stranger.index(one.owned))
        assert all(math.isfinite(found.reading.confidence) for found in seen.found)
    assert len(taken) <= 1  # of four, for OpenCV has four kinds of letters: another die may have those of a taught one


def test_one_taught_face_of_a_cube_leaves_the_other_dice_of_the_table_alone() -> None:
    reader, rng = load_reader(), np.random.default_rng(7)
    die = owned("challenge signs", rng, Fonts())
    (half,) = taught(reader, rng, [die], 1)
    assert len(half.faces) == 1
    kinds = (DieKind.D6,) * 4 + (DieKind.CHALLENGE,) * 4
    for seed in (720_001, 720_002):
        picture = scene(seed, kinds).picture
        reader.table = TableSetup()
        before = [one.reading for one in reader.look(picture).found]
        reader.table = TableSetup(dice=(half,))
        after = [one.reading for one in reader.look(picture).found]
        assert [(one.kind, one.face) for one in after] == [(one.kind, one.face) for one in before]
        assert sum(one.state is DieState.READ for one in after) >= 6


def test_of_a_code_what_lies_on_the_face_is_compared() -> None:
    """Beside a triangle's inner circle lies the next face of a d20; a cube's face fills its square."""
    circle, square = mask_of(DieKind.D20), mask_of(DieKind.CHALLENGE)
    near_the_corner = CODE_PIXELS // 8
    assert not circle[near_the_corner, near_the_corner]
    assert square[near_the_corner, near_the_corner]
    assert not square[0, 0], "a cube's edge is no part of its sign"
    assert circle[CODE_PIXELS // 2, CODE_PIXELS // 2]

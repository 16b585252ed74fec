"""Taught dice are laid upon the looks of their faces where the pose network is misled."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from tests.bench.own_scenes import Lies, Owned, owned, throw
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import (
    STRAIGHT_UP,
    Array,
    Camera,
    Pose,
    Solid,
    cube,
    icosahedron,
    layout_hypotheses,
    lying,
    see,
)
from vision.pose.networks import Judgement
from vision.pose.posing import PosedDie, spun
from vision.pose.refinement import difference, turned_by, upright
from vision.read.reader import PictureReader, load_reader
from vision.taught.likeness import KnownDie, Likeness, OwnDice, code_like
from vision.taught.own_dice import OwnDie
from vision.taught.own_poses import _d20s_tried, agreement, posed_as_taught
from vision.training.glyphs import Fonts, Hand, effect

pytestmark = pytest.mark.slow

CAMERA = Camera(1280, 720)
CLOSE = Camera(256, 256, math.degrees(2 * math.atan(128 / CAMERA.focal)))
"""The middle of what `CAMERA` sees: room for one die, which is painted in a tenth of the time."""


@cache
def reader() -> PictureReader:
    return load_reader()


def grey_of(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def learnt_whole(sort: str, rng: np.random.Generator) -> tuple[Owned, OwnDie]:
    """A die and what is known of it after each of its faces was up once, cut out where it truly lies."""
    one = owned(sort, rng, Fonts())
    kind = one.die.kind
    assert kind is not None
    die = OwnDie("0000002a", sort, kind, throws=20, alike=0)
    for face in range(len(one.die.solid.faces)):
        picture, (lies,) = throw(rng, [one], up_now=face, camera=CLOSE)
        pose = upright(lies.pose, lies.pose.rotation @ one.die.solid.normals[face], one.die.solid)
        patch = face_patch(grey_of(picture), see(one.die.solid, pose, CLOSE), 0)
        die = die.with_look(lies.face, code_like(patch, kind, ()))
    return one, die


@cache
def _learnt_cube() -> tuple[np.random.Generator, Owned, OwnDie]:
    rng = np.random.default_rng(970_600)
    return rng, *learnt_whole("other game", rng)


def learnt_cube() -> tuple[np.random.Generator, Owned, OwnDie]:
    """A cube that was learnt whole, and the chance by which it is thrown next: each time the same."""
    rng, one, die = _learnt_cube()
    return deepcopy(rng), one, die


def place_of(solid: Solid, pose: Pose, kinds: tuple[float, float]) -> PosedDie:
    none = 1 - sum(kinds)
    judgement = Judgement((none, *kinds, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
    return PosedDie(judgement, solid, pose, 0.9, fits=0.9)


def misled(lies: Lies, spin: float, lean: float) -> tuple[PosedDie, Array]:
    """A place whose pose is spun and leans against the true one, as strange signs mislead the network."""
    pose = upright(lies.pose, np.array(STRAIGHT_UP), icosahedron())
    off = spun(pose, spin)
    off = replace(off, rotation=turned_by(np.array([lean, 0.0, 0.0])) @ off.rotation)
    return place_of(icosahedron(), off, (0.97, 0.0)), pose.rotation[:, 2]


def test_a_d20_is_laid_upon_its_signs_from_any_spin_and_strangers_stay(*, whole: bool) -> None:
    rng = np.random.default_rng(970_500)
    (one, die), other = learnt_whole("signs", rng), owned("signs", rng, Fonts())
    own = OwnDice.of([die])
    for spin in (20.0, 45.0, 100.0) if whole else (45.0,):
        picture, (lies,) = throw(rng, [one])
        place, up = misled(lies, math.radians(spin), math.radians(12.0))
        (mended,) = posed_as_taught(grey_of(picture), CAMERA, [(place, up)], own, reader().networks)
        assert math.degrees(difference(lies.pose, mended.pose, CAMERA, icosahedron())[1]) < 10
        assert mended.agreed > 0.95
        picture, (lies,) = throw(rng, [other])
        place, up = misled(lies, math.radians(spin), math.radians(12.0))
        (kept,) = posed_as_taught(grey_of(picture), CAMERA, [(place, up)], own, reader().networks)
        assert kept is place


def test_the_frame_of_a_sign_is_no_smaller_cube() -> None:
    rng, one, die = learnt_cube()
    solid = one.die.solid
    picture, (lies,) = throw(rng, [one])
    true = upright(lies.pose, np.array(STRAIGHT_UP), solid)
    place = place_of(solid, replace(true, radius=0.65 * true.radius), (0.0, 0.97))
    (mended,) = posed_as_taught(
        grey_of(picture), CAMERA, [(place, true.rotation[:, 2])], OwnDice.of([die]), reader().networks
    )
    assert mended.pose.radius == pytest.approx(true.radius, rel=0.1)
    assert posed_as_taught(
        grey_of(picture), CAMERA, [(mended, true.rotation[:, 2])], OwnDice.of([die]), reader().networks
    ) == [mended]


@pytest.mark.parametrize("scale", [1.0, 0.9, 0.75])
def test_a_taught_cube_that_was_taken_for_a_d20_is_a_cube_whatever_its_size_was_taken_for(scale: float) -> None:
    rng, one, die = learnt_cube()
    for _ in range(2):
        picture, (lies,) = throw(rng, [one])
        true = upright(lies.pose, np.array(STRAIGHT_UP), one.die.solid)
        up = true.rotation[:, 2]
        supposed = Pose(true.centre, scale * true.radius, lying(up, 0.3))
        place = place_of(icosahedron(), supposed, (0.6, 0.4))
        spins = np.linspace(0, math.pi / 2, 90, endpoint=False)
        spin = min(spins, key=lambda spin: difference(true, replace(true, rotation=lying(up, spin)), CAMERA, cube())[1])
        place = replace(place, judgement=replace(place.judgement, cube_spin=float(spin)), likely=0.3, fits=0.3)
        (mended,) = posed_as_taught(grey_of(picture), CAMERA, [(place, up)], OwnDice.of([die]), reader().networks)
        assert mended.solid is cube()
        assert mended.pose.radius == pytest.approx(true.radius, rel=0.1)


def test_of_two_taught_dice_the_one_of_most_worth_tells_how_good_a_pose_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that are not known to lie together say nothing against a die whose faces look as they were taught."""
    pose = Pose((640.0, 360.0), 50.0, lying(np.array(STRAIGHT_UP), 0.3))
    own, other = (KnownDie.of(OwnDie(f"{n:08x}", "x", DieKind.D20)) for n in range(2))
    said = {
        id(own): Likeness(np.full((6, 20), -6.0), np.zeros(6), (4.0, 0.0)),
        id(other): Likeness(np.zeros((6, 20)), np.zeros(6), (0.0, 0.0)),
    }
    monkeypatch.setattr(OwnDice, "say", lambda _patches, dice: [said[id(one)] for one in dice])
    places = [place_of(icosahedron(), pose, (0.97, 0.0))]
    blank = np.zeros((720, 1280), np.uint8)
    (both,) = _d20s_tried(blank, CAMERA, places, [own, other])
    (alone,) = _d20s_tried(blank, CAMERA, places, [own])
    assert alone.agreed < -10
    assert both == alone
    assert both.worth == pytest.approx(4.0)


def test_a_cube_of_which_little_was_taught_is_not_sought_in_other_sizes() -> None:
    rng, one, die = learnt_cube()
    _, well_known = learnt_whole("other game", rng)
    picture, (lies,) = throw(rng, [one])
    true = upright(lies.pose, np.array(STRAIGHT_UP), cube())
    place = place_of(cube(), replace(true, radius=0.65 * true.radius), (0.0, 0.97))
    first = sorted(die.looks, key=lambda look: look.face != lies.face)
    for known, mends in ((3, True), (2, False)):
        own = OwnDice.of([replace(die, looks=tuple(first[:known])), replace(well_known, die_id="0000002b")])
        (after,) = posed_as_taught(grey_of(picture), CAMERA, [(place, true.rotation[:, 2])], own, reader().networks)
        assert (after is not place) is mends


def test_faces_agree_that_show_numbers_which_lie_together() -> None:
    layout, shown = layout_hypotheses()[77], [0, *icosahedron().neighbours[0], 9]
    odds = np.full((len(shown), 20), -3.0)
    for row, face in enumerate(shown):
        odds[row, layout[face] - 1] = 2.5
    assert agreement(odds, shown, {}) > 5
    crossed = odds[[0, 3, 1, 4, 2]]
    assert agreement(crossed, shown, {}) < 0
    own = np.full((4, 20), -3.0)
    own[range(4), [4, 17, 2, 10]] = 2.5  # a 5 among 18, 3 and 11, which no common d20 has
    assert agreement(own, shown[:4], {}) < 0
    assert agreement(own, shown[:4], {5: (3, 11, 18)}) > 3
    assert agreement(own, shown[:4], {5: (11, 3, 18)}) < 3
    assert abs(agreement(np.zeros((4, 20)), shown[:4], {})) < 1e-6


def test_a_face_that_lies_turned_and_shifted_makes_a_look_more_exact() -> None:
    sign = effect(replace(Hand.plain(np.random.default_rng(1), cube=True), design=900))
    upper = np.asarray(200 - 0.6 * cv2.resize(sign, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
    kind = DieKind.CHALLENGE
    die = OwnDie("0000002a", "x", kind).with_look(1, code_like(upper, kind, ()))
    for turn in range(4):
        moved = np.roll(np.rot90(upper, turn), (2, -2), axis=(0, 1))
        known = [look.code for look in die.looks]
        die = die.with_look(1, code_like(np.ascontiguousarray(moved), kind, known))
    (look,) = die.looks
    assert look.count == 5
    other = np.asarray(255 - upper, np.uint8)
    assert np.array_equal(code_like(other, kind, [look.code]), code_like(other, kind, ()))


def test_of_two_taught_dice_the_likelier_one_leaves_the_other_behind() -> None:
    signs = [effect(replace(Hand.plain(np.random.default_rng(1), cube=True), design=one)) for one in (3, 5)]
    patches = [np.asarray(200 - 0.6 * cv2.resize(one, (40, 40)), np.uint8) for one in signs]
    taught = [
        KnownDie.of(OwnDie(f"{n:08x}", "x", DieKind.D6).with_look(1, code_like(patch, DieKind.D6, ())))
        for n, patch in enumerate(patches)
    ]
    said = OwnDice.say(patches[:1], taught)
    own, other = (one.belongs(slice(0, 1), said) for one in said)
    assert own == said[0].belongs(slice(0, 1))
    assert other < said[1].belongs(slice(0, 1))

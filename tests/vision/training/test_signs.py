"""Signs of no known die: how they are drawn, and that a die which carries one is asked about, hardly ever read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.dice import DieState, Symbol
from tests.bench.own_scenes import owned, throw
from tests.bench.ray_traced.emblems import EMBLEMS
from tests.bench.ray_traced.looks import Part
from vision.pose.crops import CUBE_PIXELS
from vision.pose.networks import CUBE_FACES
from vision.read.detection import Detection
from vision.read.reader import PictureReader, load_reader
from vision.training import emblems, pictograms, signs
from vision.training.cube_samples import STYLES, any_cube, label_of, make_cubes, varied, without_faint
from vision.training.drawing import EDGE
from vision.training.emblems import WAYS, emblem
from vision.training.glyphs import TEXTURE_PIXELS, Fonts, Hand
from vision.training.pictograms import PICTURES, framed, picture
from vision.training.signs import FAMILIES, KEPT_BACK, TAUGHT, strange


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return load_reader()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_draws_a_sign_and_the_same_one_again(family: str) -> None:
    def drawn(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        rng = np.random.default_rng(seed)
        return strange(family, rng, Fonts(), Hand.chosen(rng, Fonts(), cube=True))

    for seed in range(12):
        assert drawn(seed).shape == (TEXTURE_PIXELS, TEXTURE_PIXELS)
        assert np.count_nonzero(drawn(seed) > 100) > 60
        assert np.array_equal(drawn(seed), drawn(seed))


def test_what_is_kept_back_is_never_taught() -> None:
    assert set(TAUGHT) | set(KEPT_BACK) == set(FAMILIES)
    assert not set(TAUGHT) & set(KEPT_BACK)


def test_a_cubes_faces_are_labelled_by_what_they_show() -> None:
    rng = np.random.default_rng(4)
    _, labels = any_cube(rng, Fonts(), "challenge")
    shown = sorted(CUBE_FACES[label] for label in labels.values() if CUBE_FACES[label][1] in (1, 2))
    assert shown == [("challenge", 1), ("challenge", 2)]
    assert [CUBE_FACES[label][1] for label in labels.values()].count(Symbol.EFFECT) == 2
    _, labels = any_cube(rng, Fonts(), "strange")
    assert set(labels.values()) == {label_of("strange", None)}
    assert label_of("pips", Symbol.BLANK) == CUBE_FACES.index(("challenge", Symbol.BLANK))


def test_a_hand_has_one_emblem() -> None:
    hand = Hand.chosen(np.random.default_rng(2), Fonts(), cube=True)
    assert np.array_equal(emblem(hand), emblem(hand))


def test_what_hard_trays_hold_back_is_taught_neither_as_an_effect_nor_as_strange() -> None:
    held_back = {*EMBLEMS[Part.CALIBRATE], *EMBLEMS[Part.BLIND]}
    assert len(held_back) == 8
    assert not held_back & {*PICTURES, *WAYS, *FAMILIES}
    for name in held_back:
        drawing = f"_{name}"
        assert not any(hasattr(module, drawing) for module in (emblems, pictograms, signs)), drawing


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_drawn_whole_and_large_enough(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictograms, "PICTURES", {name: PICTURES[name]})
    for seed in range(12):
        rng = np.random.default_rng(seed)
        drawn = picture(rng)
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        extent = max(rows[-1] - rows[0], columns[-1] - columns[0]) / EDGE
        assert 0.4 < extent < 0.92
        assert abs(rows[0] + rows[-1] - TEXTURE_PIXELS) < 5
        assert abs(columns[0] + columns[-1] - TEXTURE_PIXELS) < 5
        assert np.count_nonzero(framed(drawn, rng)) > 60


def test_a_picture_is_an_effect_on_a_challenge_die_and_strange_where_each_face_has_another() -> None:
    rng = np.random.default_rng(11)
    for _ in range(8):
        die, labels = any_cube(rng, Fonts(), "challenge")
        effects = [
            die.letters[face].texture for face, label in labels.items() if label == label_of("challenge", Symbol.EFFECT)
        ]
        one, other = effects
        assert np.array_equal(one, other)
        die, labels = any_cube(rng, Fonts(), "strange", ("picture",))
        assert set(labels.values()) == {label_of("strange", None)}
        assert len({one.texture.tobytes() for one in die.letters.values()}) == 6


def test_the_same_seed_gives_the_same_cubes(reader: PictureReader) -> None:
    patches, labels = make_cubes(5, 2, Fonts(), reader.networks)
    again, _ = make_cubes(5, 2, Fonts(), reader.networks)
    assert np.array_equal(patches, again)
    assert patches.shape == (len(labels), CUBE_PIXELS, CUBE_PIXELS)
    shown, styles = labels.T
    assert {*shown.tolist()} <= set(range(len(CUBE_FACES)))
    assert {*styles.tolist()} <= set(range(-1, len(STYLES)))
    assert {*styles[shown == len(CUBE_FACES) - 1].tolist()} == {-1}
    assert len(labels) > 30


def test_a_makers_logo_on_a_d6_is_no_effect() -> None:
    rng = np.random.default_rng(12)
    strange_sign, up = label_of("strange", None), 0
    for style in ("pips", "numeral"):
        found = [labels for _, labels in (any_cube(rng, Fonts(), style) for _ in range(400))]
        logos = [labels for labels in found if strange_sign in labels.values()]
        assert 4 < len(logos) < 40
        assert all(list(labels.values()).count(strange_sign) == 1 for labels in logos)
        assert any(labels[up] == strange_sign for labels in logos)
        effect = label_of("challenge", Symbol.EFFECT)
        assert not any(effect in labels.values() for labels in found)


def test_signs_too_faint_to_be_seen_are_not_taught_and_blank_faces_are(reader: PictureReader) -> None:
    patches, _ = make_cubes(6, 3, Fonts(), reader.networks)
    blank, effect = (label_of("challenge", face) for face in (Symbol.BLANK, Symbol.EFFECT))
    said = reader.networks.cubes(list(patches))[:, blank]
    seen, invisible = patches[said < 0.5], patches[said > 0.97]
    assert len(seen) > 20
    assert len(invisible) > 2
    both = np.concatenate([seen, invisible])
    kept, told = without_faint(both, np.full((len(both), 2), effect), reader.networks)
    assert np.array_equal(kept, seen)
    assert len(told) == len(seen)
    kept, _ = without_faint(both, np.full((len(both), 2), blank), reader.networks)
    assert len(kept) == len(both)


def test_a_varied_patch_is_another_look_at_the_same_face() -> None:
    patch = np.full((CUBE_PIXELS, CUBE_PIXELS), 60, np.uint8)
    cv2.putText(patch, "5", (14, 43), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 220, 3, cv2.LINE_AA)
    looks = [varied(patch, np.random.default_rng(seed)) for seed in range(60)]
    assert {(look.shape, look.dtype) for look in looks} == {(patch.shape, patch.dtype)}
    alike = [float(np.corrcoef(patch.ravel(), look.ravel())[0, 1]) for look in looks]
    assert 0.6 < min(alike) < 0.98
    assert np.array_equal(looks[7], varied(patch, np.random.default_rng(7)))


def test_dice_of_another_game_are_asked_about_and_hardly_ever_read(reader: PictureReader, *, whole: bool) -> None:
    found: list[Detection] = []
    throws = 6 if whole else 1
    for seed in range(971_000, 971_000 + throws):
        rng = np.random.default_rng(seed)
        dice = [owned("other game", rng, Fonts()) for _ in range(6)]
        found += reader.look(throw(rng, dice)[0]).found
    assert len(found) >= 6 * throws - 2
    assert sum(one.reading.state is DieState.READ for one in found) <= 0.03 * len(found)
    assert sum(len(one.reading.guesses) > 1 for one in found) > 0.8 * len(found)

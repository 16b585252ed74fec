"""Signs laid on bare faces: what `make train` teaches `cubes` with."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.dice import Symbol
from vision.pose.crops import CUBE_PIXELS
from vision.pose.networks import CUBE_FACES, MODELS, Networks
from vision.training.cube_samples import STYLES, label_of
from vision.training.glyphs import Fonts, Hand, numeral
from vision.training.lettered import BLANK, Bank, Lettered, laid_on, shows

NONE = len(CUBE_FACES) - 1
STRANGE = CUBE_FACES.index(("strange", None))


def plate(level: int = 150) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """A bare face, lit from the left, on a darker table."""
    patch = np.full((CUBE_PIXELS, CUBE_PIXELS), 50, np.float64)
    patch[11:45, 11:45] = level + np.linspace(20, -20, 34)
    patch += np.random.default_rng(1).normal(0, 1, patch.shape)
    return np.asarray(cv2.GaussianBlur(np.clip(patch, 0, 255).astype(np.uint8), (0, 0), 0.7), np.uint8)


def bank(*of: tuple[int, int]) -> Bank:
    """Patches with these labels and styles."""
    return Bank(np.array([plate()] * len(of)), np.array([one for one, _ in of]), np.array([one for _, one in of]))


def test_a_sign_lies_on_the_face_alone_and_shows() -> None:
    rng = np.random.default_rng(3)
    bare, four = plate(), numeral(Fonts(), Hand.plain(rng, cube=True), 4, marked=False)
    beside = np.ones(bare.shape, bool)
    beside[9:47, 9:47] = False
    for _ in range(40):
        patch = laid_on(bare, four, rng)
        assert patch.shape == bare.shape
        assert int(np.abs(patch.astype(int) - bare)[beside].max()) <= 1
        assert not shows(bare, bare)
    assert sum(shows(bare, laid_on(bare, four, rng)) for _ in range(40)) > 25


def test_the_ink_is_lit_as_the_face_is() -> None:
    rng = np.random.default_rng(4)
    full = np.full((96, 96), 255, np.uint8)
    full[:12], full[-12:], full[:, :12], full[:, -12:] = 0, 0, 0, 0
    slopes = []
    for _ in range(30):
        patch = laid_on(plate(), full, rng)[20:36, 20:36].astype(float)
        slopes.append(patch[:, :4].mean() / patch[:, -4:].mean())
    assert np.median(slopes) > 1.05


@pytest.mark.parametrize("style", range(len(STYLES)))
def test_a_bare_face_gets_the_signs_of_its_die(style: int) -> None:
    name = STYLES[style]
    patches, labels = Lettered(bank((BLANK, style), (NONE, -1)), Fonts(), 5).batch(300)
    assert patches.shape == (300, CUBE_PIXELS, CUBE_PIXELS)
    assert labels.shape == (300,)
    challenge = {label_of("challenge", face) for face in (1, 2, Symbol.BLANK, Symbol.EFFECT)}
    own = {
        "challenge": challenge,
        "pips": {STRANGE, *(label_of("pips", number) for number in range(1, 7))},
        "numeral": {STRANGE, *(label_of("numeral", number) for number in range(1, 7))},
        "strange": {STRANGE},
    }[name]
    assert own - {STRANGE} <= set(labels.tolist()) <= own | {NONE}
    assert (labels == NONE).any()


def test_patches_that_carry_a_face_are_shown_as_they_are() -> None:
    three = label_of("pips", 3)
    patches, labels = Lettered(bank((three, STYLES.index("pips"))), Fonts(), 6).batch(50)
    assert set(labels.tolist()) == {three}
    assert len({patch.tobytes() for patch in patches}) > 30, "most are another look at it"


def test_the_networks_read_what_is_laid() -> None:
    networks = Networks(MODELS, ("cubes",))
    patches, labels = Lettered(bank((BLANK, STYLES.index("pips")), (NONE, -1)), Fonts(), 8).batch(80)
    told = networks.cubes(list(patches)).argmax(axis=1)
    assert float((told == labels).mean()) > 0.3, "worn and faint ones too, in one turn, of 18 classes"

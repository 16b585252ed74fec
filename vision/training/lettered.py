"""Cube patches that never come twice: signs laid on the bare faces of patches that were rendered before.

A rendered patch costs 20 to 40 ms, a path-traced one 200, a sign laid on one half a millisecond. So few bodies, tables
and lamps are seen under as many signs as there are steps. The ink is lit as the face is: it keeps the face's light and
shade, and some of its grain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Symbol
from vision.pose.crops import CUBE_PIXELS, Grey
from vision.pose.networks import CUBE_FACES
from vision.training.cube_samples import STYLES, any_cube, varied
from vision.training.glyphs import TEXTURE_PIXELS, Fonts, Mask
from vision.training.weather import weathered

BLANK: Final = CUBE_FACES.index(("challenge", Symbol.BLANK))
"""The place in `CUBE_FACES` of a face that shows nothing."""
_NONE: Final = len(CUBE_FACES) - 1
"""Its place for what is no face."""
_FACE: Final = CUBE_PIXELS / (1.2 * math.sqrt(2))
"""The side, in pixels, of the upper face in a patch (`crops.cube_patch`)."""
_TEXTURE: Final = 1.2 * _FACE
"""The side, in pixels, of a face's texture, which reaches beyond it."""
_LAID: Final = 0.75
"""The share of the patches on which a sign is laid, or that stay blank; the others are as they were rendered."""
_SHARES: Final = {"challenge": 0.42, "pips": 0.13, "numeral": 0.22, "strange": 0.13, "": 0.1}
"""The share of the laid patches by the style of their die; "" are places that show no face."""
_BLANK: Final = 0.24
"""The share of blank faces on Challenge Dice."""
_SIGN_ON_NONE: Final = 0.5
"""How many places that show no face carry a sign: it is none there, either."""
_WORN: Final = 0.3
"""The share of signs of which some ink has gone."""
_ENGRAVED: Final = 0.35
"""The share of signs with a bright and a dark rim, as cut into the face."""
_LEAST: Final = 9.0
"""The least difference between ink and face, in grey levels."""
_LEAST_TO_GRAIN: Final = 1.6
"""The same, in deviations of the face's own grain: fainter signs would teach to doubt each blank face."""


_SHOWN: Final = 12
"""How many pixels of a sign must differ so far from the bare face."""

_TRIES: Final = 4
"""How often a sign is laid anew if it does not show."""


@dataclass(frozen=True)
class Bank:
    """Rendered patches, what each shows (a place in `CUBE_FACES`), and its die's style (a place in `STYLES`, or -1)."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.intp]
    styles: NDArray[np.intp]


class Lettered:
    """Draws patches and their labels from a bank, most of them lettered anew."""

    def __init__(self, bank: Bank, fonts: Fonts, seed: int) -> None:
        self._bank, self._fonts = bank, fonts
        self._rng = np.random.default_rng(seed)
        self._plates = {
            style: np.flatnonzero((bank.styles == number) & (bank.labels == BLANK))
            for number, style in enumerate(STYLES)
        }
        self._plates[""] = np.flatnonzero(bank.labels == _NONE)
        # A blank face of other dice than Challenge Dice does not exist: it waits for a sign.
        bare = (bank.labels == BLANK) & (bank.styles != STYLES.index("challenge"))
        self._shown = np.flatnonzero(~bare)
        self._styles = [style for style in _SHARES if len(self._plates[style])]
        shares = np.array([_SHARES[style] for style in self._styles])
        self._shares = shares / max(1e-9, shares.sum())
        self._faces: dict[str, list[tuple[int, Mask]]] = {style: [] for style in STYLES}

    def batch(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
        """So many patches, and what each shows (a place in `CUBE_FACES`)."""
        pairs = [self._one() for _ in range(count)]
        return np.array([patch for patch, _ in pairs]), np.array([label for _, label in pairs])

    def _one(self) -> tuple[Grey, int]:
        rng = self._rng
        if not self._styles or rng.random() >= _LAID:
            number = int(self._shown[int(rng.integers(len(self._shown)))])
            return varied(self._bank.patches[number], rng), int(self._bank.labels[number])
        style = self._styles[int(rng.choice(len(self._styles), p=self._shares))]
        plates = self._plates[style]
        plate = self._bank.patches[plates[int(rng.integers(len(plates)))]]
        if style == "" and rng.random() >= _SIGN_ON_NONE:
            return varied(plate, rng), _NONE
        if style == "challenge" and rng.random() < _BLANK:
            return varied(plate, rng), BLANK
        label, sign = self._sign(style or str(rng.choice(STYLES)))
        tries = (laid_on(plate, sign, rng) for _ in range(_TRIES))
        patch = next((one for one in tries if shows(plate, one)), None)
        if patch is None:  # nothing shows in such grain
            return self._one()
        return varied(patch, rng), label if style else _NONE

    def _sign(self, style: str) -> tuple[int, Mask]:
        """The next face of a die of the style, not a blank one."""
        waiting = self._faces[style]
        while not waiting:
            die, labels = any_cube(self._rng, self._fonts, style)
            letters = weathered(die.letters, self._rng) if self._rng.random() < 0.5 else die.letters
            waiting += [(labels[face], one.texture) for face, one in letters.items() if labels[face] != BLANK]
            self._rng.shuffle(waiting)
        return waiting.pop()


def laid_on(plate: Grey, sign: Mask, rng: np.random.Generator) -> Grey:
    """The patch of a bare face with that sign in any of its four turns, in ink of any grey that shows.

    The sign lies a little aside and is as sharp, worn or engraved as chance has it.
    """
    mask = _placed(sign, rng)
    if rng.random() < _WORN:
        mask = mask * _worn(rng)
    face = plate.astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(face, (0, 0), float(rng.uniform(2.0, 5.0))), np.float32)
    low, high = round((CUBE_PIXELS - _FACE) / 2) + 3, round((CUBE_PIXELS + _FACE) / 2) - 3
    inner = face[low:high, low:high]
    level = max(2.0, float(inner.mean()))
    grain = float((inner - soft[low:high, low:high]).std())
    ink = soft * (_ink(level, grain, rng) / level) + (face - soft) * float(rng.uniform(0, 1))
    result = face + mask * (ink - face)
    if rng.random() < _ENGRAVED:
        angle, deep = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.5, 1.3))
        shift = np.array([[1, 0, math.cos(angle) * deep], [0, 1, math.sin(angle) * deep]])
        beside = cv2.warpAffine(mask, shift, (CUBE_PIXELS, CUBE_PIXELS))
        result += (mask - np.asarray(beside, np.float32)) * soft * float(rng.uniform(0.05, 0.5))
    return np.clip(result, 0, 255).astype(np.uint8)


def shows(plate: Grey, patch: Grey) -> bool:
    """Whether what was laid on the plate shows beside its grain: learning fainter signs is doubting each blank face."""
    low, high = round((CUBE_PIXELS - _FACE) / 2) + 3, round((CUBE_PIXELS + _FACE) / 2) - 3
    inner = plate[low:high, low:high].astype(np.float32)
    grain = float((inner - cv2.GaussianBlur(inner, (0, 0), 2.0)).std())
    changed = np.abs(cv2.blur(patch[low:high, low:high].astype(np.float32) - inner, (3, 3)))
    return float(np.sort(changed, axis=None)[-_SHOWN]) > max(_LEAST, _LEAST_TO_GRAIN * grain)


def _placed(sign: Mask, rng: np.random.Generator) -> NDArray[np.float32]:
    """The sign where the face is, as the share of ink at each pixel of the patch."""
    turn = math.pi / 2 * int(rng.integers(4)) + float(rng.normal(0, 0.03))
    scale = _TEXTURE / TEXTURE_PIXELS * math.exp(float(rng.normal(0, 0.05)))
    stretch = math.exp(float(rng.normal(0, 0.03)))
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    linear = scale * turned @ np.diag([stretch, 1 / stretch])
    middle = (CUBE_PIXELS - 1) / 2 + rng.normal(0, 0.8, 2)
    about = np.column_stack([linear, middle - linear @ np.full(2, (TEXTURE_PIXELS - 1) / 2)])
    dense = cv2.blur(sign, (2, 2))  # shrunk to four tenths: lines must not fall between the pixels
    mask = cv2.warpAffine(dense, about, (CUBE_PIXELS, CUBE_PIXELS), flags=cv2.INTER_LINEAR)
    if rng.random() < 0.7:
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.3, 1.3)))
    strength = 1.0 if rng.random() < 0.7 else float(rng.uniform(0.5, 1.0))
    result: NDArray[np.float32] = np.asarray(mask, np.float32) * np.float32(strength / 255)
    return result


def _worn(rng: np.random.Generator) -> NDArray[np.float32]:
    """How much of the ink is left at each pixel: it has gone in patches."""
    cells = int(rng.integers(4, 14))
    cloud = np.asarray(
        cv2.resize(rng.random((cells, cells), np.float32), (CUBE_PIXELS, CUBE_PIXELS), interpolation=cv2.INTER_CUBIC)
    )
    result: NDArray[np.float32] = np.clip((cloud - float(rng.uniform(0.0, 0.4))) * 6 + 0.5, 0, 1).astype(np.float32)
    return result


def _ink(level: float, grain: float, rng: np.random.Generator) -> float:
    """A grey level for the ink on a face of this level: darker or brighter, by enough to show beside its grain."""
    least = max(_LEAST, _LEAST_TO_GRAIN * grain)
    darker, brighter = level - 3.0, 252.0 - level
    down = rng.random() < (0.5 if min(darker, brighter) > least else float(darker > brighter))
    room = max(darker if down else brighter, least)
    far = least + (room - least) * float(rng.random()) ** 0.8
    return float(np.clip(level - far if down else level + far, 1.0, 255.0))

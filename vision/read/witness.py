"""A second witness for a die's upper face: a recogniser that others trained on real print.

It is used only if the face alone keeps a d20 from being `read`, so that it is sure which face is up. It makes the
networks' likeliest face more or less sure; it never makes another face `read`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Face
from vision.pose.crops import patch_map
from vision.pose.geometry import Array, View, icosahedron, see
from vision.pose.networks import LETTERS, PRINT_SIZE, Scores
from vision.read.detection import Detection
from vision.read.die_evidence import Shown
from vision.read.faces import Verdict
from vision.read.thresholds import RECOGNISED, RECOGNISED_ROMAN

_REACH: Final = 0.65
"""Half a patch's width as a share of the distance from a face's middle to its corners: a number of two digits fits."""
_MARKS: Final = "._-,"
"""The marks beside or below a 6 or 9, as the recogniser reads them."""
_MARKED: Final = (6, 9, 16, 19)
"""The numbers that are marked so."""
_STROKES: Final = (1, 11)
"""Numbers that differ from a Roman I or II only by their serifs: the recogniser does not count for them."""
_ROMAN: Final = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    *("XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX", "v", "x"),
)
"""Roman numbers, which the own networks read as other numbers."""


def asks_the_witness(told: Detection) -> bool:
    """Whether only the face of an untaught d20 keeps it from being `read`."""
    evidence = told.evidence
    if evidence is None or told.verdict.kind is not DieKind.D20 or told.verdict.owner is not None:
        return False
    return not evidence.sure() and replace(evidence, face=1.0, illegible=False).sure()


def witnessed(shown: Shown, verdict: Verdict) -> Verdict:
    """The verdict on a d20 with the recogniser's evidence on its upper face, in all three turns."""
    view = see(icosahedron(), verdict.pose, shown.camera)
    told: Array = numbers_told(shown.networks.written(upright_patches(shown.picture, view))).max(axis=0)
    return replace(verdict, chances=heard(verdict.chances, told), printed=tuple(told.tolist()))


def heard(chances: Mapping[Face, float], told: Array) -> dict[Face, float]:
    """A d20's chances with the recogniser's evidence (`numbers_told`) on its upper face.

    They stay unchanged if the recogniser would make another face the likeliest, or if it reads a Roman number.
    """
    odds = odds_of(told[:20])
    heavier = {face: chance * float(odds[int(face) - 1]) for face, chance in chances.items()}
    agreed = max(heavier, key=lambda face: heavier[face]) == max(chances, key=lambda face: chances[face])
    if not agreed or told[20] >= RECOGNISED_ROMAN:
        return dict(chances)
    whole = sum(heavier.values()) + max(0.0, 1 - sum(chances.values()))  # the chance of no number keeps its weight
    return {face: chance / whole for face, chance in heavier.items()}


def upright_patches(picture: NDArray[np.uint8], view: View) -> list[NDArray[np.uint8]]:
    """The middle of a d20's face 0 in colour, cut out once with each of its corners at the top."""
    wide, high = PRINT_SIZE
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    square = patch_map(view, 0, wide, _REACH)
    middle = np.array([wide - 1, wide - 1]) / 2
    patches = []
    for turn in np.arange(3) * 2 * np.pi / 3:
        spun = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        into = np.empty((2, 3))
        into[:, :2] = square[:, :2] @ spun
        into[:, 2] = square[:, 2] + square[:, :2] @ (middle - spun @ (np.array([wide - 1, high - 1]) / 2))
        warped = cv2.warpAffine(picture, into, PRINT_SIZE, flags=way, borderMode=cv2.BORDER_REPLICATE)
        patches.append(np.asarray(warped, np.uint8))
    return patches


def odds_of(said: Sequence[float] | Array) -> Array:
    """For each number the factor on its chance by the recogniser (`RECOGNISED`)."""
    least, odds = np.array(RECOGNISED).T
    result: Array = np.exp(odds[np.searchsorted(least, said, side="right") - 1])
    for number in _STROKES:
        result[number - 1] = min(1.0, result[number - 1])
    return result


def numbers_told(chances: Scores) -> Array:
    """The chance that each number from 1 to 20, and nothing else, stands on each patch, and that a Roman one does.

    Patches x 21. `chances` as `Networks.written` gives them. All ways in which the letters may be spread over the
    places count (CTC: a letter that spans several places is one, unless nothing stands between).
    """
    labels, lengths, numbers = _texts()
    told = chances.astype(np.float64)[:, :, labels]  # patches x places x texts x states
    leaps = np.zeros(labels.shape, bool)
    leaps[:, 2:] = (labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])
    paths = np.zeros((len(told), *labels.shape))
    paths[:, :, :2] = told[:, 0, :, :2]
    for place in range(1, told.shape[1]):
        before = paths.copy()
        before[:, :, 1:] += paths[:, :, :-1]
        before[:, :, 2:] += np.where(leaps[:, 2:], paths[:, :, :-2], 0.0)
        paths = before * told[:, place]
    texts = np.arange(len(labels))
    whole = paths[:, texts, lengths - 1] + paths[:, texts, lengths - 2]
    result: Array = np.minimum(whole @ np.equal.outer(numbers, np.arange(1, 22)), 1.0)
    return result


@cache
def _texts() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Every text that says a number: its states (letters with nothing round them), how many, and the number.

    The rows are as long as the longest one needs. For Roman ones the number is 21.
    """
    texts = [(str(number), number) for number in range(1, 21)]
    texts += [(f"{number}{mark}", number) for number in _MARKED for mark in _MARKS]
    texts += [(text, 21) for text in _ROMAN]
    longest = 2 * max(len(text) for text, _ in texts) + 1
    labels = np.zeros((len(texts), longest), np.intp)
    for row, (text, _) in zip(labels, texts, strict=True):
        row[1 : 2 * len(text) : 2] = [1 + LETTERS.index(letter) for letter in text]
    lengths = np.array([2 * len(text) + 1 for text, _ in texts])
    return labels, lengths, np.array([number for _, number in texts])

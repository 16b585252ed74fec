"""A detector that names each die's face at one glance at the whole picture: the baseline that most projects would take.

Nano-sized and anchor-free, in the manner of the YOLO family: a picture 640 pixels wide goes in, boxes with a class for
each kind and face come out. `one_shot_training` teaches it on the dice that the reader's own networks were taught on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import FACES, Box, DieKind, DieReading, DieState, Face, SourceKind

MODEL: Final = Path(__file__).with_name("one_shot.onnx")
"""Where the taught network lies."""
WIDE: Final = 640
"""Pixels of the longer side of what it sees."""
STRIDES: Final = (8, 16, 32)
"""The sides of the squares for which it answers, in pixels, one answer a stride."""
CLASSES: Final[tuple[tuple[DieKind, Face], ...]] = tuple((kind, face) for kind in DieKind for face in FACES[kind])
"""What it tells apart, in the order of its outputs."""
OUTPUTS: Final = 5 + len(CLASSES)
"""A die here or not; its middle right and down and the logarithms of its sides, in strides; the classes."""
CALLED: Final = 0.5
"""The chance from which on a die counts as read."""
_SEEN: Final = 0.2
_SAME: Final = 0.45

Answers = Sequence[NDArray[np.float32]]


@dataclass(frozen=True)
class OneShot:
    """The detector, loaded from its file. Raises `cv2.error` where that is missing or damaged."""

    network: cv2.dnn.Net

    @classmethod
    def load(cls, file: Path = MODEL) -> OneShot:
        """Read the network."""
        return cls(cv2.dnn.readNetFromONNX(str(file)))

    def read(self, picture: NDArray[np.uint8]) -> tuple[DieReading, ...]:
        """Every die of a BGR picture, boxes in its pixels; `read` from a chance of `CALLED` on."""
        shown, scale = shrunk(picture)
        self.network.setInput(batch_of(shown[None]))
        names = self.network.getUnconnectedOutLayersNames()
        answers = [np.asarray(one, np.float32)[0] for one in self.network.forward(names)]
        return decoded(sorted(answers, key=lambda one: -one.shape[1]), scale)


def shrunk(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The picture `WIDE` pixels long, its sides filled up to multiples of 32, and how much smaller it is."""
    scale = WIDE / max(picture.shape[:2])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    filled = cv2.copyMakeBorder(
        small, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_CONSTANT, value=(114.0, 114.0, 114.0)
    )
    return np.asarray(filled, np.uint8), scale


def batch_of(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """BGR pictures (count, height, width, 3) as the network takes them: planes of -0.5 to 0.5."""
    planes: NDArray[np.float32] = pictures.transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255) - np.float32(0.5)
    return np.ascontiguousarray(planes)


def decoded(answers: Answers, scale: float) -> tuple[DieReading, ...]:
    """The dice in the answers (one an entry of `STRIDES`: planes x rows x columns), each once, from left to right."""
    boxes: list[tuple[float, float, float, float]] = []
    here: list[float] = []
    chances: list[float] = []
    classes: list[int] = []
    for stride, answer in zip(STRIDES, answers, strict=True):
        there = 1 / (1 + np.exp(-answer[0]))
        for row, column in zip(*np.nonzero(there > _SEEN), strict=True):
            cell = answer[:, row, column]
            told = np.exp(cell[5:] - cell[5:].max())
            told /= told.sum()
            x, y = (column + 0.5 + cell[1]) * stride / scale, (row + 0.5 + cell[2]) * stride / scale
            wide, high = (math.exp(min(4.0, float(side))) * stride / scale for side in cell[3:5])
            boxes.append((float(x - wide / 2), float(y - high / 2), wide, high))
            here.append(float(there[row, column]))
            chances.append(float(there[row, column] * told.max()))
            classes.append(int(told.argmax()))
    kept = cv2.dnn.NMSBoxes([tuple(round(side) for side in box) for box in boxes], here, _SEEN, _SAME)
    dice = []
    for number in np.ravel(np.asarray(kept, dtype=int)).tolist():
        kind, face = CLASSES[classes[number]]
        chance = min(1.0, chances[number])
        state = DieState.READ if chance >= CALLED else DieState.DOUBTFUL
        box = Box(*(round(side) for side in boxes[number]))
        shown = face if state is DieState.READ else None
        dice.append(DieReading(kind, shown, chance, state, SourceKind.CAMERA, box=box))
    return tuple(sorted(dice, key=lambda die: die.box.x if die.box else 0))

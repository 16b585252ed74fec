"""The learned parts: three small ONNX networks run by OpenCV, and what their outputs mean.

`dice`: what lies in a square and how; `numbers`: which number a d20's patch shows; `cubes`: what a cube's upper
face shows. `vision/models/README.md` says how they were taught and how good they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Face, Symbol
from vision.crops import DIE_PIXELS, Grey, normalised
from vision.errors import ReaderError

MODELS: Final = Path(__file__).parent / "models"
"""Where the networks lie."""
NAMES: Final = ("dice", "numbers", "cubes")
"""The networks' names; each lies in a file of its name."""
CUBE_FACES: Final[tuple[tuple[str, Face | None], ...]] = (
    *(("pips", number) for number in range(1, 7)),
    *(("numeral", number) for number in range(1, 7)),
    ("challenge", 1),
    ("challenge", 2),
    ("challenge", Symbol.EFFECT),
    ("challenge", Symbol.BLANK),
    ("none", None),
)
"""What the `cubes` network tells apart, in the order of its outputs."""
KIND_NONE, KIND_D20, KIND_CUBE, KIND_OTHER = range(4)
"""The first four outputs of the `dice` network."""

Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Judgement:
    """What the `dice` network says of one square.

    `kinds` are chances (none, d20, cube, other); the move is in the expected radius, `scale` a factor; spins in
    radians (of a d20 modulo 120 degrees, of a cube modulo 90); `lean` is to be added to the expected lean.
    """

    kinds: tuple[float, float, float, float]
    right: float
    down: float
    scale: float
    d20_spin: float
    cube_spin: float
    lean: tuple[float, float]


class Networks:
    """The three networks. Safe to share between threads: one call runs at a time.

    Raises `ReaderError` when a model is missing or is not one that OpenCV can load.
    """

    def __init__(self, folder: Path = MODELS) -> None:
        self._lock = Lock()
        self._dice, self._numbers, self._cubes = (_load(folder / f"{name}.onnx") for name in NAMES)

    def judge(self, crops: Sequence[Grey], leans: Sequence[tuple[float, float]]) -> list[Judgement]:
        """What lies in each square, given how far "up" is expected to lean from the line of sight."""
        if not crops:
            return []
        planes = np.array(leans, np.float32)[:, :, None, None] * 2
        planes = np.broadcast_to(planes, (len(crops), 2, DIE_PIXELS, DIE_PIXELS))
        batch = np.concatenate([normalised(np.array(crops)), planes], axis=1).astype(np.float32)
        return [_judgement(row) for row in self._run(self._dice, batch)]

    def numbers(self, patches: Sequence[Grey]) -> Scores:
        """Chances, one row a patch: of the numbers 1 to 20, and in column 20 of no whole upright number."""
        rows = _chances(self._run(self._numbers, normalised(np.array(patches))))
        return np.column_stack([rows[:, :60].reshape(-1, 20, 3).sum(axis=2), rows[:, 60]])

    def cubes(self, patches: Sequence[Grey]) -> Scores:
        """Chances of each of `CUBE_FACES`, one row a patch."""
        return _chances(self._run(self._cubes, normalised(np.array(patches))))

    def _run(self, network: cv2.dnn.Net, batch: Scores) -> Scores:
        with self._lock:
            network.setInput(batch)
            return np.asarray(network.forward(), dtype=np.float32)


def _load(file: Path) -> cv2.dnn.Net:
    if not file.is_file():
        raise ReaderError(f"The reader's model {file.name} is missing. Install trueroll again, or run `make train`.")
    try:
        return cv2.dnn.readNetFromONNX(str(file))
    except cv2.error as error:
        raise ReaderError(f"The reader's model {file.name} is damaged. Install trueroll again.") from error


def _chances(scores: Scores) -> Scores:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


def _judgement(row: Scores) -> Judgement:
    none, d20, cube, other = (float(value) for value in _chances(row[None, :4])[0])
    return Judgement(
        kinds=(none, d20, cube, other),
        right=float(np.clip(row[4], -0.5, 0.5)),
        down=float(np.clip(row[5], -0.5, 0.5)),
        scale=math.exp(float(np.clip(row[6], -0.5, 0.5))),
        d20_spin=math.atan2(float(row[8]), float(row[7])) / 3,
        cube_spin=math.atan2(float(row[10]), float(row[9])) / 4,
        lean=(float(row[11]), float(row[12])),
    )

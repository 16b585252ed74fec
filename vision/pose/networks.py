"""The learned parts: small ONNX networks run by OpenCV, and what their outputs mean.

`spots`: where dice may lie; `dice`: the kind and pose in a square; `poses` and `tilts`: corrections of a pose;
`numbers`: which number a d20's patch shows; `cubes`: what a cube's upper face shows; `sides`: what sort of thing one of
its sides shows; `solids`: whether it has sides at all; `rests`: whether a die leans; `things`: whether a die lies in
a wide square; `recogniser`: what stands printed on a patch. `vision/models/README.md` says how they were taught and how
good they are.
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
from rules.words import say
from vision.errors import ReaderError
from vision.pose.crops import DIE_PIXELS, Grey, colour_batch, normalised
from vision.pose.geometry import Array
from vision.pose.proposals import Proposal, proposal_batch, proposals_of, shrunk
from vision.pose.refinement import Correction, PoseSquare, batch_of
from vision.pose.tilts import TiltSquare, as_correction, tilt_batch

MODELS: Final = Path(__file__).parents[1] / "models"
"""The folder of the networks."""
NAMES: Final = ("spots", "dice", "poses", "tilts", "numbers", "cubes", "sides", "solids", "rests", "things")
"""The networks that trueroll teaches; each lies in a file of its name."""
RECOGNISER: Final = "recogniser"
"""The network trained by others: a recogniser of print (`vision.training.recogniser`)."""
LETTERS: Final = tuple(chr(code) for code in range(33, 127))
"""The characters that it recognises, in the order of its outputs; the output before these means nothing."""
PRINT_SIZE: Final = (96, 48)
"""Width and height of its patches, in pixels."""
POSING: Final = ("spots", "dice", "poses", "tilts", "things")
"""The networks that find dice and their poses, all that `places.places_of` uses."""
CUBE_FACES: Final[tuple[tuple[str, Face | None], ...]] = (
    *(("pips", number) for number in range(1, 7)),
    *(("numeral", number) for number in range(1, 7)),
    ("challenge", 1),
    ("challenge", 2),
    ("challenge", Symbol.EFFECT),
    ("challenge", Symbol.BLANK),
    ("strange", None),
    ("none", None),
)
"""The classes of the `cubes` network, in the order of its outputs: a face's style and value. "strange" is a sign of no
known face, "none" no whole upright face.
"""
SIDE_SHOWS: Final = ("blank", "effect", "strange", "one or two", "three to six", "pips")
"""The classes of the `sides` network, in the order of its outputs."""
KIND_NONE, KIND_D20, KIND_CUBE = range(3)
"""The first outputs of the `dice` network."""
OTHER_KINDS: Final = {"d4": 3, "d8": 4, "d10": 5, "d12": 6}
"""Its outputs for dice that trueroll does not read but names; a d100 is a d10 with two digits."""
KINDS: Final = 7
"""The number of outputs of the `dice` network for kinds."""
_TAUGHT_FLAT: Final = math.log(0.34 / 0.66)
"""The log odds of flat things in the training data of the `solids` network."""
_CLASSIC: Final[int | None] = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
"""OpenCV 5's older engine, the only one of OpenCV 4: it takes two thirds of the newer one's time for such networks."""

Scores = NDArray[np.float32]
"""A network's outputs, one row for each picture."""


@dataclass(frozen=True)
class Judgement:
    """The output of the `dice` network for one square.

    `kinds` are chances, one for each of `KINDS`; the move is in the expected radius, `scale` a factor; spins in
    radians (of a d20 modulo 120 degrees, of a cube modulo 90); `lean` is to be added to the expected lean.
    """

    kinds: tuple[float, ...]
    right: float
    down: float
    scale: float
    d20_spin: float
    cube_spin: float
    lean: tuple[float, float]

    @property
    def readable(self) -> float:
        """The chance of a d20 or a cube."""
        return self.kinds[KIND_D20] + self.kinds[KIND_CUBE]

    @property
    def other(self) -> tuple[str, float]:
        """The likeliest of `OTHER_KINDS` and the chance of any of them."""
        name = max(OTHER_KINDS, key=lambda one: self.kinds[OTHER_KINDS[one]])
        return name, sum(self.kinds[number] for number in OTHER_KINDS.values())


class Networks:
    """The networks. Safe to share between threads: one call runs at a time.

    `names` limits them; then the others need not exist, and must not be used. Raises `ReaderError` when a model is
    missing or is not one that OpenCV can load.
    """

    def __init__(self, folder: Path = MODELS, names: Sequence[str] = (*NAMES, RECOGNISER)) -> None:
        self._lock = Lock()
        self._loaded = {name: load(folder / f"{name}.onnx") for name in names}

    def proposals(self, picture: NDArray[np.uint8]) -> tuple[Proposal, ...]:
        """Where dice may lie in a BGR picture, the likeliest first."""
        return self.proposals_in(*shrunk(picture))

    def proposals_in(self, small: NDArray[np.uint8], scale: float) -> tuple[Proposal, ...]:
        """The same in a picture that `proposals.shrunk` has made `scale` times as large."""
        return proposals_of(self._run("spots", proposal_batch(small[None]))[0], scale)

    def judge(self, crops: Sequence[Grey], leans: Sequence[tuple[float, float]]) -> list[Judgement]:
        """What lies in each square, given how far "up" is expected to lean from the line of sight."""
        if not crops:
            return []
        planes = np.array(leans, np.float32)[:, :, None, None] * 2
        planes = np.broadcast_to(planes, (len(crops), 2, DIE_PIXELS, DIE_PIXELS))
        batch = np.concatenate([normalised(np.array(crops)), planes], axis=1).astype(np.float32)
        return [_judgement(row) for row in self._run("dice", batch)]

    def mend(self, squares: Sequence[PoseSquare]) -> list[Correction]:
        """The correction of each supposed pose (`refinement.square_of`)."""
        if not squares:
            return []
        return [_correction(row) for row in self._run("poses", batch_of(squares))]

    def tilts(self, squares: Sequence[TiltSquare]) -> list[Correction]:
        """The tilt correction of each supposed pose (`tilts.tilt_square_of`)."""
        if not squares:
            return []
        return [as_correction(float(row[0]), float(row[1])) for row in self._run("tilts", tilt_batch(squares))]

    def numbers(self, patches: Sequence[Grey]) -> Scores:
        """Chances, one row a patch: of the numbers 1 to 20, and in column 20 of no whole upright number."""
        rows = _chances(self._run("numbers", normalised(np.array(patches))))
        return np.column_stack([rows[:, :60].reshape(-1, 20, 3).sum(axis=2), rows[:, 60]])

    def cubes(self, patches: Sequence[Grey]) -> Scores:
        """Chances of each of `CUBE_FACES`, one row a patch."""
        return _chances(self._run("cubes", normalised(np.array(patches))))

    def sides(self, patches: Sequence[Grey]) -> Scores:
        """Chances of each of `SIDE_SHOWS`, one row a patch of a cube's side (`sides.side_patch`)."""
        if not patches:
            return np.zeros((0, len(SIDE_SHOWS)), np.float32)
        return _chances(self._run("sides", normalised(np.array(patches))))

    def flat(self, squares: Sequence[TiltSquare]) -> Array:
        """For each supposed cube (`solids.solid_square`) the log odds that it is flat, were that as likely as not."""
        if not squares:
            return np.zeros(0)
        return self._run("solids", tilt_batch(squares))[:, 0].astype(np.float64) - _TAUGHT_FLAT

    def leaning(self, squares: Sequence[TiltSquare]) -> Array:
        """For each supposed die (`rests.rest_square`) the log odds that it leans, were that as likely as not."""
        if not squares:
            return np.zeros(0)
        return self._run("rests", tilt_batch(squares))[:, 0].astype(np.float64)

    def things(self, squares: Sequence[NDArray[np.uint8]]) -> Array:
        """For each square in colour (`things.thing_square`) the log odds that no die lies there."""
        if not squares:
            return np.zeros(0)
        return self._run("things", colour_batch(np.array(squares)))[:, 0].astype(np.float64)

    def written(self, patches: Sequence[NDArray[np.uint8]]) -> Scores:
        """The print on BGR patches of `PRINT_SIZE`: chances of nothing and of each of `LETTERS`.

        Patches x places from left to right x chances; a letter may span several places.
        """
        rows = [self._run(RECOGNISER, as_print(patch)) for patch in patches]  # it takes one at a time
        joined = np.concatenate(rows)
        return _chances(joined.reshape(-1, joined.shape[-1])).reshape(joined.shape)

    def _run(self, name: str, batch: Scores) -> Scores:
        network = self._loaded[name]
        with self._lock:
            network.setInput(batch)
            return np.asarray(network.forward(), dtype=np.float32)


def load(file: Path) -> cv2.dnn.Net:
    """A network as OpenCV runs it. Raises `ReaderError` where there is none, or a damaged one."""
    if not file.is_file():
        raise ReaderError(
            say("The reader's model {name} is missing. Install trueroll again, or run `make train`.", name=file.name)
        )
    try:
        if _CLASSIC is None:
            return cv2.dnn.readNetFromONNX(str(file))
        return cv2.dnn.readNetFromONNX(str(file), engine=_CLASSIC)
    except cv2.error as error:
        raise ReaderError(
            say("The reader's model {name} is damaged. Install trueroll again.", name=file.name)
        ) from error


def as_print(patch: NDArray[np.uint8]) -> Scores:
    """A BGR patch of `PRINT_SIZE` as the recogniser takes it: colours first, from -1 to 1."""
    return np.ascontiguousarray((patch.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None])


def _chances(scores: Scores) -> Scores:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


def _judgement(row: Scores) -> Judgement:
    place = row[KINDS:]
    return Judgement(
        kinds=tuple(float(value) for value in _chances(row[None, :KINDS])[0]),
        right=float(np.clip(place[0], -0.5, 0.5)),
        down=float(np.clip(place[1], -0.5, 0.5)),
        scale=math.exp(float(np.clip(place[2], -0.5, 0.5))),
        d20_spin=math.atan2(float(place[4]), float(place[3])) / 3,
        cube_spin=math.atan2(float(place[6]), float(place[5])) / 4,
        lean=(float(place[7]), float(place[8])),
    )


def _correction(row: Scores) -> Correction:
    likely, right, down, growth, first, second, third = (float(value) for value in np.clip(row, -30, 30))
    return Correction(
        right=min(0.3, max(-0.3, right)),
        down=min(0.3, max(-0.3, down)),
        growth=min(0.3, max(-0.3, growth)),
        rotation=(first, second, third),
        likely=1 / (1 + math.exp(-likely)),
    )

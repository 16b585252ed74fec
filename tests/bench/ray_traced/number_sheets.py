"""Path-traced sheets that teach how a d20's faces read: fifty d20s of as many materials in one picture.

`python -m tests.bench.ray_traced.number_sheets --out FOLDER --sheets N [--seed N] [--fonts FOLDER] [--clear SHARE]`
writes a file a sheet, `SEED.npz`: what `vision.training.number_patches.NumberSheet` holds, so that each die can be cut
out in many poses a little off its own; `vision.training.sheet_samples` cuts them out for `poses` and `tilts`. That
share of the dice lets light through: their far faces show between the signs of the near ones, which the fast renderer
does not draw. Of the part `calibrate` (`--part`) the sheets measure and teach nothing. A sheet takes some 30 seconds of
a core. What lies in the folder is not rendered again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from tests.bench.ray_traced.hands import hand, worn
from tests.bench.ray_traced.hard import Cast, DiceSet, HardWorld
from tests.bench.ray_traced.looks import (
    CLEAR,
    INKS,
    MATERIALS,
    SENSORS,
    Frame,
    Layout,
    Part,
    Plan,
    Sort,
    drawn,
    finished,
    planned,
    within,
)
from tests.bench.ray_traced.sensors import sensed
from tests.bench.ray_traced.sheet_folder import asking, fill, part_fonts
from vision.training.number_patches import NumberSheet, written

FIRST_SEED: Final = 24_000_000
_DICE: Final = 64
"""How many are laid; some find no place."""
_FRAME: Final = Frame(name="sheet", size=(960, 720))
_LAYOUT: Final = Layout(name="sheet", gap=(0.05, 0.7), cluster=(1, 4), dice=(_DICE, _DICE))
_SENSORS: Final = 2
"""How many sensors see each sheet: rendering costs most, and each gives other noise, sharpness and colours."""


class NumberWorld(HardWorld):
    """As many sets as d20s, close together, all flat on the table."""

    def __init__(self, rng: np.random.Generator, part: Part, plan: Plan, fonts: Sequence[Path], clear: float) -> None:
        super().__init__(rng, part, plan, fonts, 5)
        self.clear = clear

    def cast(self) -> list[Cast]:
        """The dice, each of a set of its own."""
        rng, dice = self.rng, []
        for _ in range(_DICE):
            names = CLEAR if rng.random() < self.clear else ()
            finish = finished(rng, drawn(rng, MATERIALS, self.part, names), drawn(rng, INKS, self.part))
            across = float(np.clip(rng.normal(2.05, 0.3), 1.6, 2.6))
            of = DiceSet(hand(rng, self.part, self.fonts), finish, across / 2 / 0.795, 1.0)
            die = of.hand.lettered(rng, DieKind.D20)
            gone = within(rng, finish.ink.worn)
            dice.append(Cast(die, of, tuple(worn(rng, mask, gone) for mask in die.masks)))
        return dice


def one_sheet(seed: int, part: Part, fonts: Sequence[Path], *, clear: float, file: str) -> NumberSheet:
    """A sheet of that part; `file` is where the picture may be put meanwhile."""
    rng = np.random.default_rng(seed)
    plan = replace(
        planned(rng, part, Sort(name="anything")),
        frame=_FRAME,
        layout=_LAYOUT,
        radius=math.exp(float(rng.uniform(math.log(27), math.log(46)))),
        hfov=float(rng.uniform(48, 80)),
        askew=abs(float(rng.normal(0, 5))),
    )
    world = NumberWorld(rng, part, plan, fonts, clear)
    made = world.lay_out(world.cast())
    seen = [(one, lies.rested) for (one, _), lies in zip(made, world.seen(made), strict=True)]
    light = world.picture(file)
    seen = [
        (one, rested)
        for one, rested in seen
        if (rested.corners > 0).all() and (rested.corners < np.array(_FRAME.size)).all()
    ]
    return NumberSheet(
        np.array([_photograph(rng, part, light) for _ in range(_SENSORS)]),
        plan.hfov,
        np.array(seen[0][1].up),
        np.array([rested.centre for _, rested in seen]),
        np.array([rested.radius for _, rested in seen]),
        np.array([rested.turn for _, rested in seen]),
        np.array([_classes(one) for one, _ in seen], np.int64),
        np.array([one.of.finish.material.clear > 0 for one, _ in seen]),
    )


def _photograph(rng: np.random.Generator, part: Part, light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """What one of the part's sensors makes of it, in grey."""
    sensor = drawn(rng, SENSORS, part)
    quality = int(rng.integers(sensor.jpeg[0], sensor.jpeg[1] + 1))
    _, coded = cv2.imencode(".jpg", sensed(light, rng, sensor, _FRAME.size), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE), np.uint8)


def _classes(one: Cast) -> list[int]:
    """What each face shows, as `numbers` tells it; -1 where a sign stands in a number's place."""
    return [
        -1 if value is None or value == one.of.hand.logo else 3 * (int(value) - 1) + corner
        for value, corner in zip(one.die.values, one.die.corners, strict=True)
    ]


def main() -> int:
    """Render as many sheets as asked; each file is whole once it lies there."""
    parser = asking("number_sheets", __doc__, FIRST_SEED, (Part.DEV, Part.CALIBRATE))
    parser.add_argument("--clear", type=float, default=0.5, help="the share of clear dice (default %(default)s)")
    asked = parser.parse_args()
    fonts = part_fonts(asked)

    def render(seed: int, picture: str, file: Path) -> str:
        sheet = one_sheet(seed, asked.part, fonts, clear=asked.clear, file=picture)
        written(sheet, file)
        return f"{len(sheet.radii)} dice"

    fill(asked, render)
    return 0


if __name__ == "__main__":
    sys.exit(main())

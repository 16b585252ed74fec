"""Path-traced trays that teach where dice lie: whole pictures of `looks`, small, with the places of their dice.

`python -m tests.bench.ray_traced.spot_trays --out FOLDER --sheets N [--seed N] [--fonts FOLDER]` writes a file a tray,
`SEED.npz`: `picture`, shrunk to `SIDE` as `vision.pose.proposals.shrunk` does, and `places`, a
row for each die: x, y and circumradius in its pixels. Of the part `calibrate` (`--part`) the trays measure and teach
nothing. A tray takes some six seconds of a core. What lies in the folder is not rendered again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tests.bench.ray_traced.hard import HardWorld, SeenDie
from tests.bench.ray_traced.looks import SORTS, Part, planned
from tests.bench.ray_traced.sensors import sensed
from tests.bench.ray_traced.sheet_folder import asking, fill, part_fonts, put
from vision.pose.locate import shrunk_to
from vision.pose.proposals import SMALLEST_PICTURE

FIRST_SEED: Final = 24_000_000
SIDE: Final = 512
"""The longer side of the pictures (of `SMALLEST_PICTURE` at least, shrunk): between a first and a closer look."""
_SAMPLES: Final = 5
"""Light paths a pixel."""
SENSED: Final = 960
"""The longer side at which a sensor sees the tray: enough for what is shrunk to `SIDE`."""
_SURELY_HIDDEN: Final = 0.85
"""Nobody can find a die of whose upper face this share is hidden."""


def main() -> int:
    """Render what the folder lacks."""
    asked = asking("spot_trays", __doc__, FIRST_SEED, [Part.DEV, Part.CALIBRATE]).parse_args()
    fonts = part_fonts(asked)

    def render(seed: int, linear: str, file: Path) -> str:
        rng = np.random.default_rng(seed)
        plan = planned(rng, asked.part, SORTS[seed % len(SORTS)])
        world = HardWorld(rng, asked.part, plan, fonts, _SAMPLES)
        longer = max(*plan.frame.size, SMALLEST_PICTURE)
        world.scene.render.resolution_percentage = round(100 * min(plan.frame.drawn, SIDE / longer))
        cycles = world.scene.cycles
        cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "NONE"
        cycles.denoising_input_passes = "RGB_ALBEDO"
        made = world.lay_out(world.cast())
        if rng.random() < 0.25:
            world.litter([(one.die, thing) for one, thing in made])
        seen = world.seen(made)
        least = min(1.0, SENSED / longer)
        sensor_size = (round(least * plan.frame.size[0]), round(least * plan.frame.size[1]))
        picture = sensed(world.picture(linear), rng, plan.sensor, sensor_size)
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*plan.sensor.jpeg))])
        shown = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        scale = SIDE / longer
        small = shrunk_to(shown, (round(scale * plan.frame.size[0]), round(scale * plan.frame.size[1])))
        places = [(*one.rested.centre, one.rested.radius) for one in seen if _in_sight(one, plan.frame.size)]
        put(file, picture=small, places=scale * np.array(places, np.float32).reshape(-1, 3))
        return f"{len(places)} dice, {small.shape[1]} x {small.shape[0]}"

    fill(asked, render)
    return 0


def _in_sight(one: SeenDie, size: tuple[int, int]) -> bool:
    x, y = one.rested.centre
    return one.hidden < _SURELY_HIDDEN and 0 <= x < size[0] and 0 <= y < size[1]


if __name__ == "__main__":
    sys.exit(main())

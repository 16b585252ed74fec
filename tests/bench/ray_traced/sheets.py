"""Path-traced sheets that teach: seventy dice of as many materials close together, cut out as the reader finds them.

`python -m tests.bench.ray_traced.sheets --out FOLDER --sheets N [--seed N] [--fonts FOLDER]` writes a file a sheet,
`SEED.npz`: `squares` as `solid_square` cuts them, and `flat`, 1 for each that shows a flat thing. Half of the cubes are
cut down to tiles. All is of the part `dev`, so `calibrate` and `blind` still measure. A sheet takes some 35 seconds of
a core, where eleven dice take as long alone. What lies in the folder is not rendered again.
`make train ARGS="--only solids --sheets FOLDER"` teaches with them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from rules.dice import DieKind
from tests.bench.ray_traced.hands import hand, worn
from tests.bench.ray_traced.hard import Cast, DiceSet, HardWorld
from tests.bench.ray_traced.looks import (
    INKS,
    MATERIALS,
    SENSORS,
    Frame,
    Layout,
    Part,
    Sort,
    drawn,
    finished,
    planned,
    within,
)
from tests.bench.ray_traced.sensors import sensed
from tests.bench.ray_traced.sheet_folder import asking, fill, part_fonts, put
from tests.bench.ray_traced.world import Rested, Thing
from vision.pose.geometry import Camera, Pose, cube, lying, see
from vision.pose.networks import MODELS, Networks
from vision.training.cube_samples import Lies
from vision.training.flat_samples import squares_of
from vision.training.plates import plate
from vision.training.throws import PaintedDie

FIRST_SEED: Final = 20_000_000
_DICE: Final = 70
"""How many are laid; some find no place."""
_SHARES: Final[dict[DieKind | None, float]] = {DieKind.D20: 0.36, DieKind.CHALLENGE: 0.42, DieKind.D6: 0.2, None: 0.02}
"""How many are of each kind."""
_FRAME: Final = Frame(name="sheet", size=(960, 720))
_LAYOUT: Final = Layout(name="sheet", gap=(0.05, 0.7), cluster=(1, 4), dice=(_DICE, _DICE))
_TILES: Final = 0.5
"""The share of cubes that are cut down."""
_HEIGHTS: Final = (0.004, 0.03, 0.1)
"""How high tiles are, in edges: paper, card, tile."""
_SENSORS: Final = 2
"""How many sensors see each sheet: rendering costs most, and each gives other noise, sharpness and colours."""


class Sheet(HardWorld):
    """As many sets as dice, close together, all flat on the table."""

    def cast(self) -> list[Cast]:
        """The dice, each of a set of its own."""
        rng, dice = self.rng, []
        for _ in range(_DICE):
            finish = finished(rng, drawn(rng, MATERIALS, self.part), drawn(rng, INKS, self.part))
            across = float(np.clip(rng.normal(2.05, 0.3), 1.6, 2.6))
            edge = within(rng, (1.3, 1.9)) * math.sqrt(3) / 2
            of = DiceSet(hand(rng, self.part, self.fonts), finish, across / 2 / 0.795, edge)
            die = of.hand.lettered(rng, list(_SHARES)[int(rng.choice(len(_SHARES), p=list(_SHARES.values())))])
            gone = within(rng, finish.ink.worn)
            dice.append(Cast(die, of, tuple(worn(rng, mask, gone) for mask in die.masks)))
        return dice

    def cut_down(self, dice: Sequence[tuple[Cast, Thing]]) -> dict[int, float]:
        """Some cubes made tiles that lie where they lay: how high they are, in edges, by number among the dice."""
        tiles: dict[int, float] = {}
        for number, (one, thing) in enumerate(dice):
            if one.die.solid.name == "cube" and self.rng.random() < _TILES:
                height = tiles[number] = float(self.rng.choice(_HEIGHTS))
                # In the mesh: an object is stretched along its own axes alone, and a cube is aslant to two of them.
                turn = thing.matrix_world.to_3x3()
                pressed = turn.inverted() @ Matrix.Diagonal((1.0, 1.0, height)) @ turn
                thing.data.transform(pressed.to_4x4())
                thing.location.z *= height
        bpy.context.view_layer.update()
        return tiles


def one_sheet(
    seed: int, fonts: Sequence[Path], networks: Networks, file: str
) -> tuple[list[NDArray[np.uint8]], list[float]]:
    """The squares of a sheet, and 1 for each flat thing; `file` is where the picture may be put meanwhile."""
    rng = np.random.default_rng(seed)
    radius = math.exp(float(rng.uniform(math.log(27), math.log(44))))
    plan = replace(
        planned(rng, Part.DEV, Sort(name="anything")),
        frame=_FRAME,
        layout=_LAYOUT,
        radius=radius,
        hfov=float(rng.uniform(48, 80)),
        askew=abs(float(rng.normal(0, 4))),
    )
    world = Sheet(rng, Part.DEV, plan, fonts, 5)
    made = world.lay_out(world.cast())
    rested = [one.rested for one in world.seen(made)]
    tiles = world.cut_down(made)
    light = world.picture(file)
    camera = Camera(*_FRAME.size, plan.hfov)
    lies = [
        _lies(one, camera, tiles.get(number))
        for number, one in enumerate(rested)
        if (one.corners > 0).all() and (one.corners < np.array(_FRAME.size)).all()
    ]
    squares, flat = [], []
    for _ in range(_SENSORS):
        sensor = drawn(rng, SENSORS, Part.DEV)
        quality = int(rng.integers(sensor.jpeg[0], sensor.jpeg[1] + 1))
        _, coded = cv2.imencode(".jpg", sensed(light, rng, sensor, _FRAME.size), [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        for square, label in squares_of(rng, picture, camera, up=rested[0].up, lies=lies, networks=networks):
            squares.append(np.array(square, np.uint8))
            flat.append(label)
    return squares, flat


def _lies(one: Rested, camera: Camera, height: float | None) -> Lies:
    """A die that lies so, or the tile of this height in edges that it was cut down to."""
    if height is None:
        pose = Pose(one.centre, one.radius, one.turn)
        known = {0: 0} if one.die.solid.name == "cube" else {}  # what its faces show is not taught here
        return Lies(PaintedDie(one.die.kind, None, one.die.solid, {}, {}, "path-traced"), pose, known)
    # The upper face of a plate is where the cube's was; here the cube was pressed down onto the table.
    pose = Pose(one.centre, one.radius, lying(one.up, 0.0))
    foot = see(cube(), pose, camera).centres[int(np.argmin(cube().normals[:, 2]))]
    top = see(plate(height), pose, camera).centres[0]
    moved = (pose.centre[0] + float(foot[0] - top[0]), pose.centre[1] + float(foot[1] - top[1]))
    return Lies(PaintedDie(None, None, plate(height), {}, {}, "plate"), replace(pose, centre=moved), {})


def main() -> int:
    """Render as many sheets as asked; each file is whole once it lies there."""
    asked = asking("sheets", __doc__, FIRST_SEED, (Part.DEV,)).parse_args()
    fonts, networks = part_fonts(asked), Networks(MODELS)

    def render(seed: int, picture: str, file: Path) -> str:
        squares, flat = one_sheet(seed, fonts, networks, picture)
        put(file, squares=np.array(squares, np.uint8), flat=np.array(flat, np.float32))
        return f"{len(flat)} squares, {sum(flat):.0f} flat"

    fill(asked, render)
    return 0


if __name__ == "__main__":
    sys.exit(main())

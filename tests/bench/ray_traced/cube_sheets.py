"""Path-traced sheets that teach how a cube's face reads: fifty cubes of as many materials in one picture.

`python -m tests.bench.ray_traced.cube_sheets --out FOLDER --sheets N [--seed N] [--fonts FOLDER] [--bare SHARE]` writes
a file a sheet, `SEED.npz`: `patches` as the reader cuts them, `labels` (places in `CUBE_FACES`), and `styles`, what the
die's other faces carry (a place in `STYLES`, or -1 where no cube lies). That share of the upper faces is bare, so that
`vision/training/lettered.py` can lay signs on them. Of the part `calibrate` (`--part`) the sheets measure and teach
nothing. A sheet takes some 35 seconds of a core. What lies in the folder is not rendered again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Symbol
from tests.bench.ray_traced.faces import LetteredDie
from tests.bench.ray_traced.hands import hand, worn
from tests.bench.ray_traced.hard import Cast, DiceSet, HardWorld
from tests.bench.ray_traced.looks import (
    CELL,
    INKS,
    MATERIALS,
    SENSORS,
    Frame,
    Layout,
    Mask,
    Part,
    Plan,
    Sort,
    drawn,
    finished,
    planned,
    within,
)
from tests.bench.ray_traced.sensors import sensed
from tests.bench.ray_traced.sheet_folder import asking, fill, part_fonts, put
from tests.bench.ray_traced.world import Rested, Thing, atlas
from vision.pose.geometry import Camera, Pose, cube
from vision.pose.networks import CUBE_FACES, MODELS, Networks
from vision.training.cube_samples import STYLES, Lies, any_cube, cuts_of, label_of
from vision.training.glyphs import Fonts
from vision.training.throws import PaintedDie

FIRST_SEED: Final = 21_000_000
_DICE: Final = 64
"""How many are laid; some find no place."""
_SHARES: Final[dict[DieKind | None, float]] = {DieKind.CHALLENGE: 0.56, DieKind.D6: 0.38, DieKind.D20: 0.04, None: 0.02}
"""How many are of each kind."""
_STYLE_SHARES: Final = (0.5, 0.12, 0.2, 0.18)
"""How many of the cubes lettered by `vision.training` are of each of `STYLES`."""
_PAINTED: Final = 0.6
"""The share of the cubes of `dev` that are lettered as `vision.training` letters them: strange ones, emblems of more
makes."""
_FRAME: Final = Frame(name="sheet", size=(960, 720))
_LAYOUT: Final = Layout(name="sheet", gap=(0.05, 0.7), cluster=(1, 4), dice=(_DICE, _DICE))
_SENSORS: Final = 2
"""How many sensors see each sheet: rendering costs most, and each gives other noise, sharpness and colours."""


@dataclass(frozen=True)
class Sheet:
    """The patches of a sheet, what each shows, and what the other faces of its die carry (-1: no cube lies there)."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.intp]
    styles: NDArray[np.intp]


@dataclass(frozen=True)
class StyledCube(LetteredDie):
    """A cube, one of `STYLES`, and what each face shows (places in `CUBE_FACES`)."""

    style: str
    labels: tuple[int, ...]

    @classmethod
    def of(cls, die: LetteredDie, style: str) -> StyledCube:
        """The die as one of that style."""
        labels = tuple(label_of(style, value) for value in die.values)
        return cls(die.kind, die.solid, die.values, die.masks, die.corners, style, labels)

    def bared(self, bare: int) -> StyledCube:
        """The same with nothing on that face."""
        values, masks, labels = list(self.values), list(self.masks), list(self.labels)
        values[bare], masks[bare], labels[bare] = Symbol.BLANK, _nothing(), label_of(self.style, Symbol.BLANK)
        return replace(self, values=tuple(values), masks=tuple(masks), labels=tuple(labels))


class CubeWorld(HardWorld):
    """As many sets as cubes, close together, all flat on the table."""

    def __init__(self, rng: np.random.Generator, part: Part, plan: Plan, fonts: Sequence[Path], bare: float) -> None:
        super().__init__(rng, part, plan, fonts, 5)
        self.bare = bare

    def cast(self) -> list[Cast]:
        """The dice, each of a set of its own."""
        rng, dice, letters = self.rng, [], Fonts(self.fonts)
        for _ in range(_DICE):
            finish = finished(rng, drawn(rng, MATERIALS, self.part), drawn(rng, INKS, self.part))
            across = float(np.clip(rng.normal(2.05, 0.3), 1.6, 2.6))
            edge = within(rng, (1.3, 1.9)) * math.sqrt(3) / 2
            of = DiceSet(hand(rng, self.part, self.fonts), finish, across / 2 / 0.795, edge)
            die = of.hand.lettered(rng, list(_SHARES)[int(rng.choice(len(_SHARES), p=list(_SHARES.values())))])
            if die.solid.name == "cube":
                if self.part is Part.DEV and rng.random() < _PAINTED:
                    die = painted(rng, letters)
                else:
                    plain = "numeral" if of.hand.pips is None else "pips"
                    die = StyledCube.of(die, "challenge" if die.kind is DieKind.CHALLENGE else plain)
            gone = within(rng, finish.ink.worn)
            dice.append(Cast(die, of, tuple(worn(rng, mask, gone) for mask in die.masks)))
        return dice

    def lay_out(self, dice: Sequence[Cast]) -> list[tuple[Cast, Thing]]:
        """The dice as the layout has them, some of the cubes bare above."""
        return [self._bared(*one) for one in super().lay_out(dice)]

    def _bared(self, one: Cast, thing: Thing) -> tuple[Cast, Thing]:
        if not isinstance(one.die, StyledCube) or self.rng.random() >= self.bare:
            return one, thing
        up = self._rested(one.die, thing, one.size).face
        die = one.die.bared(up)
        left = tuple(_nothing() if face == up else mask for face, mask in enumerate(one.left))
        image, _ = atlas(die.masks, left)
        for node in thing.data.materials[0].node_tree.nodes:
            if node.type == "TEX_IMAGE":
                node.image = image
        return replace(one, die=die, left=left), thing


def _nothing() -> Mask:
    return np.zeros((CELL, CELL), np.uint8)


def painted(rng: np.random.Generator, fonts: Fonts) -> StyledCube:
    """A cube lettered as `vision.training` letters them."""
    style = str(rng.choice(STYLES, p=_STYLE_SHARES))
    die, labels = any_cube(rng, fonts, style)
    letters = [die.letters.get(face) for face in range(6)]
    return StyledCube(
        kind=DieKind.CHALLENGE if style in {"challenge", "strange"} else DieKind.D6,
        solid=die.solid,
        values=tuple(CUBE_FACES[labels[face]][1] for face in range(6)),
        masks=tuple(_nothing() if one is None else _large(one.texture) for one in letters),
        corners=tuple(0 if one is None else one.corner for one in letters),
        style=style,
        labels=tuple(labels[face] for face in range(6)),
    )


def _large(texture: Mask) -> Mask:
    """A face's texture as a mask: both reach 0.6 edge lengths from the middle."""
    return np.asarray(cv2.resize(texture, (CELL, CELL), interpolation=cv2.INTER_CUBIC), np.uint8)


def one_sheet(seed: int, part: Part, fonts: Sequence[Path], networks: Networks, *, bare: float, file: str) -> Sheet:
    """A sheet of that part; `file` is where the picture may be put meanwhile."""
    rng = np.random.default_rng(seed)
    plan = replace(
        planned(rng, part, Sort(name="anything")),
        frame=_FRAME,
        layout=_LAYOUT,
        radius=math.exp(float(rng.uniform(math.log(27), math.log(44)))),
        hfov=float(rng.uniform(48, 80)),
        askew=abs(float(rng.normal(0, 4))),
    )
    world = CubeWorld(rng, part, plan, fonts, bare)
    rested = [one.rested for one in world.seen(world.lay_out(world.cast()))]
    light = world.picture(file)
    camera = Camera(*_FRAME.size, plan.hfov)
    lies = [_lies(one) for one in rested if (one.corners > 0).all() and (one.corners < np.array(_FRAME.size)).all()]
    cuts = []
    for _ in range(_SENSORS):
        sensor = drawn(rng, SENSORS, part)
        quality = int(rng.integers(sensor.jpeg[0], sensor.jpeg[1] + 1))
        _, coded = cv2.imencode(".jpg", sensed(light, rng, sensor, _FRAME.size), [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        cuts += cuts_of(rng, picture, camera, up=rested[0].up, lies=lies, networks=networks)
    return Sheet(
        np.array([one.patch for one in cuts], np.uint8),
        np.array([one.label for one in cuts]),
        np.array([-1 if one.style is None else STYLES.index(one.style) for one in cuts]),
    )


def _lies(one: Rested) -> Lies:
    """A die that lies so, a cube with its upper face as face 0."""
    if not isinstance(one.die, StyledCube):
        die = PaintedDie(one.die.kind, None, one.die.solid, {}, {}, "path-traced")
        return Lies(die, Pose(one.centre, one.radius, one.turn), {})
    normals = cube().normals
    first, upper = (
        np.column_stack([normals[face], side, np.cross(normals[face], side)])
        for face, side in ((face, normals[_beside(face)]) for face in (0, one.face))
    )
    turned = upper @ first.T
    labels = {face: one.die.labels[int(np.argmax(normals @ turned @ normals[face]))] for face in range(6)}
    pose = Pose(one.centre, one.radius, one.turn @ turned)
    return Lies(PaintedDie(one.die.kind, None, one.die.solid, {}, {}, one.die.style), pose, labels)


def _beside(face: int) -> int:
    """A face that shares an edge with this one."""
    return int(np.argmin(np.abs(cube().normals @ cube().normals[face])))


def main() -> int:
    """Render as many sheets as asked; each file is whole once it lies there."""
    parser = asking("cube_sheets", __doc__, FIRST_SEED, (Part.DEV, Part.CALIBRATE))
    parser.add_argument("--bare", type=float, default=0.6, help="the share of bare upper faces (default %(default)s)")
    asked = parser.parse_args()
    fonts, networks = part_fonts(asked), Networks(MODELS)

    def render(seed: int, picture: str, file: Path) -> str:
        sheet = one_sheet(seed, asked.part, fonts, networks, bare=asked.bare, file=picture)
        put(file, patches=sheet.patches, labels=sheet.labels, styles=sheet.styles)
        return f"{len(sheet.labels)} patches"

    fill(asked, render)
    return 0


if __name__ == "__main__":
    sys.exit(main())

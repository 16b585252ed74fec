"""Where dice are lost: shares of rendered dice that are missed, read, cocked and wrong, by one cause at a time.

`python -m tests.bench.vision_causes [--fonts FOLDER] [--scenes N] [--seed N] [--dice d20] [--weather]` prints the
tables and how far the reader's confidence is from the truth. With `--weather` dice are worn, shiny and on printed mats
besides; other trays than those of the page come from another first seed, d20s or cubes alone by `--dice`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from rules.dice import DieKind, DieState, Face
from vision.pose.geometry import Array, Camera, Pose, layout_hypotheses
from vision.pose.refinement import turned_by
from vision.read.detection import Detection
from vision.read.reader import PictureReader, load_reader
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random, paint_die
from vision.training.samples import spoil, surface
from vision.training.scenes import LyingDie, finish, lay, tray
from vision.training.throws import FULL_TURN
from vision.training.weather import mirrored, patterned, shine, standing, weathered

FIRST_SEED = 930_000
MIX: tuple[DieKind | None, ...] = (DieKind.D20,) * 5 + (DieKind.CHALLENGE,) * 2 + (DieKind.D6,) * 2 + (None,)
MIXES = {
    "mixed": MIX,
    "d20": (DieKind.D20,) * 5,
    "cubes": (DieKind.CHALLENGE,) * 4 + (DieKind.D6,) * 4,
}
AT_REST = 4.0
"""A die that leans by fewer degrees than this counts as flat."""


@dataclass(frozen=True)
class Seen:
    """One painted die, its causes of trouble, and what the reader made of it (`found` is None where it was missed)."""

    kind: DieKind | None
    solid: str
    face: Face | None
    lean: float
    radius: float
    off_centre: float
    askew: float
    contrast: float
    shadow: float
    gloss: float
    known_layout: bool
    found: Detection | None
    named: str | None

    @property
    def read(self) -> bool:
        """Whether it was called `read`."""
        return self.found is not None and self.found.reading.state is DieState.READ

    @property
    def right(self) -> bool:
        """Whether its likeliest face is the one that is up."""
        if self.found is None:
            return False
        return (self.found.reading.kind, self.found.verdict.best[0]) == (self.kind, self.face)

    @property
    def wrong(self) -> bool:
        """Whether it was called `read` with another face or kind, or shows no number at all."""
        return self.read and not self.right


def looked_at(
    reader: PictureReader,
    seed: int,
    fonts: Fonts,
    *,
    weather: bool = False,
    harsh: bool = False,
    cocked: float = 0.0,
    mix: Sequence[DieKind | None] = MIX,
) -> tuple[list[Seen], list[Detection]]:
    """The dice of one tray, and what else was found there; `cocked` of the dice lean by 4 to 40.

    With `harsh` light, haste, grain and exposure are as hard as in teaching besides, faces mirror the room, and the
    camera sees up to 10 degrees more or less than the reader is told.
    """
    rng = np.random.default_rng(seed)
    camera = Camera(1280, 720, float(rng.uniform(50, 70)) if harsh else 60.0)
    weather = weather or harsh
    askew = np.radians(rng.normal(0, 4.0, 2))
    up = np.array([math.sin(askew[0]), math.sin(askew[1]), 0.0])
    up[2] = -math.sqrt(1 - up[0] ** 2 - up[1] ** 2)
    picture = surface(rng, 720, 1280) if weather else tray(rng, (1280, 720))
    if weather and rng.random() < 0.3:
        patterned(picture, rng)
    light = light_at_random(rng)
    radius = float(rng.uniform(24, 70))
    laid = []
    for one in lay(rng, mix, camera, up=up, radius=radius, fonts=fonts):
        pose = one.pose
        if rng.random() < cocked:
            way, far = float(rng.uniform(0, FULL_TURN)), math.radians(float(rng.uniform(4, 40)))
            turn = turned_by(np.array([math.cos(way), math.sin(way), 0.0]) * far)
            pose = Pose(pose.centre, pose.radius, turn @ pose.rotation)
        letters = weathered(one.die.letters, rng) if weather else one.die.letters
        shade = light
        if harsh:
            standing(picture, one.die.solid, pose, camera, up=up, light=light, origin=(0.0, 0.0), rng=rng)
            shade = replace(light, shadow=0.0)
        view = paint_die(picture, one.die.solid, pose, camera, letters=letters, look=one.look, light=shade)
        if harsh:
            mirrored(picture, view, rng)
        if weather:
            shine(picture, view, radius, rng)
        laid.append(LyingDie(one.die, pose, one.look))
    shown = spoil(picture, rng, harsh=harsh) if weather else finish(picture, rng)
    seen = reader.look(shown)
    left = list(seen.found)
    result = []
    for one in laid:
        near = [found for found in left if math.dist(found.verdict.pose.centre, one.pose.centre) < 0.4 * radius]
        if near:
            left.remove(near[0])
        names = [other.name for other in seen.considered.others if _at(other.pose, one.pose)]
        heights = one.die.solid.normals @ one.pose.rotation.T @ up
        top = int(np.argmax(heights))
        result.append(
            Seen(
                kind=one.die.kind,
                solid=one.die.solid.name,
                face=one.die.values.get(top) if one.die.kind else None,
                lean=math.degrees(math.acos(min(1.0, float(heights[top])))),
                radius=radius,
                off_centre=math.dist(one.pose.centre, (640, 360)),
                askew=math.degrees(math.acos(-float(up[2]))),
                contrast=_contrast(one.look.body, one.look.ink),
                shadow=light.shadow,
                gloss=one.look.gloss,
                known_layout=_known(one),
                found=near[0] if near else None,
                named=names[0] if names else None,
            )
        )
    return result, left


def read_beside(left: Sequence[Detection]) -> int:
    """How many things that are no dice were called read."""
    return sum(found.reading.state is DieState.READ for found in left)


def _at(one: Pose, other: Pose) -> bool:
    return math.dist(one.centre, other.centre) < 0.5 * other.radius


def _contrast(body: Sequence[float], ink: Sequence[float]) -> float:
    weights = np.array([0.114, 0.587, 0.299])
    return abs(float((np.array(body) - np.array(ink)) @ weights))


def _known(one: LyingDie) -> bool:
    if one.die.kind is not DieKind.D20:
        return True
    values = one.die.values
    numbers: Array = np.array([float(str(values.get(face, 0))) for face in range(20)])
    return bool(((layout_hypotheses() == numbers) | (numbers == 0)).all(axis=1).any())


def calibration_error(dice: Sequence[Seen], bins: int = 10) -> float:
    """The expected calibration error: how far confidence and share of right ones differ, over equally full bins."""
    told = sorted((die.found.reading.confidence, die.right) for die in dice if die.found is not None)
    parts = [part for part in np.array_split(np.array(told, dtype=np.float64), bins) if len(part)]
    return float(sum(len(part) * abs(part[:, 0].mean() - part[:, 1].mean()) for part in parts) / max(1, len(told)))


CAUSES: tuple[tuple[str, Callable[[Seen], str]], ...] = (
    ("kind", lambda die: str(die.kind)),
    ("circumradius", lambda die: _range(die.radius, 30, 40, 50, 60)),
    ("pixels off the centre", lambda die: _range(die.off_centre, 200, 350, 500)),
    ("camera askew by", lambda die: _range(die.askew, 2, 4, 6, 9)),
    ("ink against body", lambda die: _range(die.contrast, 100, 120, 150)),
    ("shadow", lambda die: _range(die.shadow, 0.2, 0.4)),
    ("gloss", lambda die: _range(die.gloss, 0.2, 0.5)),
    ("face up", lambda die: f"{die.kind} {die.face!s:>2}"),
    ("numbering", lambda die: "common" if die.known_layout else "a maker's own"),
)


def _range(value: float, *ends: float) -> str:
    return next((f"below {end}" for end in ends if value < end), f"{ends[-1]} or more")


def table(dice: Sequence[Seen]) -> Iterator[str]:
    """The lines of the tables for flat dice that trueroll reads, then one line by lean for all of them."""
    flat = [die for die in dice if die.kind is not None and die.face is not None and die.lean < AT_REST]
    yield "| cause | dice | missed | read | wrong | likeliest face right |"
    yield "|---|---|---|---|---|---|"
    for name, key in CAUSES:
        for value in sorted({key(die) for die in flat}):
            yield _row(f"{name}: {value}", [die for die in flat if key(die) == value])
    tilted = [die for die in dice if die.kind is not None and die.lean >= AT_REST]
    for low, high in ((4, 8), (8, 12), (12, 16), (16, 25), (25, 46)):
        some = [die for die in tilted if low <= die.lean < high]
        if some:
            cocked = sum(die.found is not None and die.found.reading.state is DieState.COCKED for die in some)
            yield _row(f"leaning by {low} to {high} degrees, {cocked / len(some):.0%} called cocked", some)
    yield f"\nCalibration error of flat dice (10 equal bins): {calibration_error(flat):.3f}"
    others = [die for die in dice if die.kind is None]
    named = sum(die.named == die.solid for die in others)
    asked = sum(die.found is not None for die in others)
    yield f"Dice of other kinds: {len(others)}, named rightly {named}, asked about as a die to read {asked}"


def _row(name: str, dice: Sequence[Seen]) -> str:
    missed = sum(die.found is None for die in dice) / len(dice)
    read, right = (sum(getattr(die, what) for die in dice) / len(dice) for what in ("read", "right"))
    return f"| {name} | {len(dice)} | {missed:.1%} | {read:.1%} | {sum(die.wrong for die in dice)} | {right:.1%} |"


def main() -> int:
    """Print the tables; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_causes", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first tray")
    parser.add_argument("--dice", choices=MIXES, default="mixed")
    parser.add_argument("--weather", action="store_true")
    parser.add_argument("--cocked", type=float, default=0.0, help="the share of dice that lean")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = load_reader()
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))
    dice: list[Seen] = []
    strange = 0
    for seed in range(chosen.seed, chosen.seed + chosen.scenes):
        seen, false = looked_at(
            reader, seed, fonts, weather=chosen.weather, cocked=chosen.cocked, mix=MIXES[chosen.dice]
        )
        dice += seen
        strange += read_beside(false)
    for line in table(dice):
        print(line)
    print(f"Called read beside the dice: {strange}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

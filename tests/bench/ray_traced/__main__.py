"""`python -m tests.bench.ray_traced --out FOLDER`: render trays with Blender; see the package."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from rules.dice import DieKind
from tests.bench.ray_traced.faces import lettered
from tests.bench.ray_traced.hard import HardWorld, SeenDie
from tests.bench.ray_traced.looks import FIRST_SEED, SORTS, Part, Plan, fonts_of, planned
from tests.bench.ray_traced.sensors import photographed, sensed
from tests.bench.ray_traced.truth import legible, shown, touching, washed_out
from tests.bench.ray_traced.world import SIZE, Rested, World
from vision.ports import Pixels
from vision.pose.geometry import convex_hull
from vision.training.__main__ import fonts_for
from vision.training.glyphs import usable_fonts

DICE: tuple[DieKind | None, ...] = (DieKind.D20,) * 5 + (DieKind.CHALLENGE,) * 4 + (DieKind.D6,) * 2
WITH_OTHER = (*DICE, None)


def main() -> int:
    """Render; each picture's lines are in the index once it lies there."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ray_traced", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--hard", type=Part, choices=list(Part), help="trays of `looks`, of this part; others are plain"
    )
    parser.add_argument("--sort", action="append", choices=[one.name for one in SORTS], help="hard trays of this sort")
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, help="the first tray's (or the part's own)")
    parser.add_argument("--samples", type=int, help="light paths a pixel (or 8, hard 5)")
    parser.add_argument("--radius", type=float, nargs=2, default=(27.0, 64.0), help="a d20's circumradius in pixels")
    parser.add_argument("--askew", type=float, nargs=2, help="how many degrees off straight down (or: mostly below 8)")
    parser.add_argument("--fonts", type=Path, action="append", default=None)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    index = chosen.out / "index.jsonl"
    there = {json.loads(line)["image"] for line in index.read_text().splitlines()} if index.is_file() else set()
    folders = chosen.fonts or [Path("/usr/share/fonts")]
    hard = chosen.hard
    fonts = fonts_for(folders, kept_back=True) if hard is None else fonts_of(hard, usable_fonts(folders))
    first = chosen.seed or FIRST_SEED[hard or Part.DEV]
    for number in range(first, first + chosen.scenes):
        name = f"{number:05d}.jpg"
        if name in there:
            continue
        start = time.monotonic()
        rng = np.random.default_rng(number)
        linear = chosen.out / "linear.exr"
        if hard is None:
            picture, quality, lines = plain_tray(rng, chosen, fonts, linear)
        else:
            sorts = [one for one in SORTS if not chosen.sort or one.name in chosen.sort]
            plan = planned(rng, hard, sorts[number % len(sorts)])
            picture, quality, lines = hard_tray(rng, chosen, plan, fonts, linear)
        cv2.imwrite(str(chosen.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        with index.open("a") as file:
            file.write("".join(json.dumps({"image": name, **line}) + "\n" for line in lines))
        sys.stdout.write(f"{name} {time.monotonic() - start:.1f} s\n")
        sys.stdout.flush()
    return 0


Tray = tuple[Pixels, int, list[dict[str, object]]]
"""A picture, the quality of its JPEG, and its lines of the index."""


def plain_tray(rng: np.random.Generator, chosen: argparse.Namespace, fonts: list[Path], file: Path) -> Tray:
    """A tray of well inked dice of plastic, thrown, in soft light."""
    world = World(rng, chosen.samples or 8)
    hfov = float(rng.uniform(50, 66))
    askew = abs(float(rng.normal(0, 4))) if chosen.askew is None else float(rng.uniform(*chosen.askew))
    world.camera(radius=float(rng.uniform(*chosen.radius)), hfov=hfov, askew=askew)
    world.light()
    world.table()
    thrown = world.throw([lettered(rng, kind, fonts) for kind in (WITH_OTHER if rng.random() < 0.3 else DICE)])
    if rng.random() < 0.3:
        world.litter(thrown)
    rested = world.rested(thrown)
    picture = photographed(world.picture(str(file)), rng)
    shown = {"hfov": round(hfov, 1), "askew": round(askew, 1)}
    lines = [{**shown, **line} for line in (described(die, rested) for die in rested) if line is not None]
    return picture, int(rng.integers(82, 97)), lines


def hard_tray(rng: np.random.Generator, chosen: argparse.Namespace, plan: Plan, fonts: list[Path], file: Path) -> Tray:
    """A tray as planned."""
    world = HardWorld(rng, chosen.hard, plan, fonts, chosen.samples or 5)
    made = world.lay_out(world.cast())
    if rng.random() < 0.25:
        world.litter([(one.die, thing) for one, thing in made])
    seen = world.seen(made)
    picture = sensed(world.picture(str(file)), rng, plan.sensor, plan.frame.size)
    quality = int(rng.integers(plan.sensor.jpeg[0], plan.sensor.jpeg[1] + 1))
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    finished = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    told = (hard_line(one, seen, plan, finished) for one in seen)
    return picture, quality, [line for line in told if line is not None]


def hard_line(one: SeenDie, others: list[SeenDie], plan: Plan, picture: Pixels) -> dict[str, object] | None:
    """A die's line of the index; None for one that left the picture."""
    line = framed(one.rested, plan.frame.size)
    if line is None:
        return None
    whole = bool(line.pop("whole"))
    die, of = one.rested.die, one.cast.of
    value = die.values[one.rested.face]
    flat = one.rested.lean < 3 and one.rested.above < 0.1 and whole
    sign = shown(picture, die.masks[one.rested.face], one.square, one.face, engraved=of.finish.ink.engraved)
    washed = washed_out(picture, one.face)
    logo = die.kind is DieKind.D20 and value == of.hand.logo
    outline = convex_hull(one.rested.corners)
    return {
        "hfov": round(plan.hfov, 1),
        "askew": round(plan.askew, 1),
        **line,
        "flat": flat,
        "legible": flat and legible(sign, radius=one.rested.radius, hidden=one.hidden, washed=washed, logo=logo),
        "contrast": None if sign is None else round(sign.contrast),
        "shown": None if sign is None else round(sign.share, 2),
        "hidden": round(one.hidden, 2),
        "touching": any(
            touching(outline, convex_hull(x.rested.corners), one.rested.radius) for x in others if x is not one
        ),
        "sort": plan.sort.name,
        "material": of.finish.material.name,
        "ink": "logo" if logo else of.finish.ink.name,
        "numbering": str(of.hand.numbering) if die.kind is DieKind.D20 else None,
        "layout": plan.layout.name,
        "lamps": plan.lamps.name,
        "table": plan.table.name,
        "sensor": plan.sensor.name,
        "frame": plan.frame.name,
        "middle": [round(x, 1) for x in one.rested.centre],
        "turn": [round(float(x), 4) for x in one.rested.turn.ravel()],
        "up": [round(float(x), 4) for x in one.rested.up],
    }


def framed(one: Rested, size: tuple[int, int]) -> dict[str, object] | None:
    """What every line says of a die, and whether it is `whole`; None for one that left a picture of this size."""
    low, high = one.corners.min(axis=0), one.corners.max(axis=0)
    if (high < 0).any() or (low > np.array(size)).any():
        return None
    value = one.die.values[one.face]
    return {
        "kind": str(one.die.kind or one.die.solid.name),
        "value": value if value is None or isinstance(value, int) else str(value),
        "box": [round(float(v)) for v in (*low, *(high - low))],
        "radius": round(one.radius, 1),
        "lean": round(one.lean, 1),
        "whole": bool((low >= 2).all() and (high <= np.array(size) - 2).all()),
    }


def described(one: Rested, others: list[Rested]) -> dict[str, object] | None:
    """A plain tray's die, as a line of the index; None for one that left the picture."""
    line = framed(one, SIZE)
    if line is None:
        return None
    whole = bool(line.pop("whole"))
    covered = any(
        other is not one
        and other.above > one.above + 0.2
        and np.hypot(*(np.subtract(other.centre, one.centre))) < one.radius + other.radius
        for other in others
    )
    flat = one.lean < 3 and one.above < 0.1 and not covered and whole
    return {**line, "flat": flat}


if __name__ == "__main__":
    sys.exit(main())

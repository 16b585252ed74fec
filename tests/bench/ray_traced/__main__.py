"""`python -m tests.bench.ray_traced --out FOLDER`: render trays with Blender; see the package."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from tests.bench.ray_traced.faces import lettered
from tests.bench.ray_traced.world import SIZE, Picture, Rested, World
from vision.training.__main__ import fonts_for

DICE: tuple[DieKind | None, ...] = (DieKind.D20,) * 5 + (DieKind.CHALLENGE,) * 4 + (DieKind.D6,) * 2
WITH_OTHER = (*DICE, None)


def main() -> int:
    """Render; each picture's lines are in the index once it lies there."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ray_traced", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=8, help="light paths a pixel (default %(default)s)")
    parser.add_argument("--radius", type=float, nargs=2, default=(27.0, 64.0), help="a d20's circumradius in pixels")
    parser.add_argument("--askew", type=float, nargs=2, help="how many degrees off straight down (or: mostly below 8)")
    parser.add_argument("--fonts", type=Path, action="append", default=None)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    fonts = fonts_for(chosen.fonts or [Path("/usr/share/fonts")], kept_back=True)
    for number in range(chosen.seed, chosen.seed + chosen.scenes):
        start = time.monotonic()
        rng = np.random.default_rng(number)
        world = World(rng, chosen.samples)
        hfov = float(rng.uniform(50, 66))
        askew = abs(float(rng.normal(0, 4))) if chosen.askew is None else float(rng.uniform(*chosen.askew))
        world.camera(radius=float(rng.uniform(*chosen.radius)), hfov=hfov, askew=askew)
        world.light()
        world.table()
        thrown = world.throw([lettered(rng, kind, fonts) for kind in (WITH_OTHER if rng.random() < 0.3 else DICE)])
        if rng.random() < 0.3:
            world.litter(thrown)
        rested = world.rested(thrown)
        picture = photographed(world.picture(str(chosen.out / "linear.exr")), rng)
        name = f"{number:05d}.jpg"
        cv2.imwrite(str(chosen.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(82, 97))])
        with (chosen.out / "index.jsonl").open("a") as index:
            for line in (described(die, rested) for die in rested):
                if line is not None:
                    index.write(
                        json.dumps({"image": name, "hfov": round(hfov, 1), "askew": round(askew, 1), **line}) + "\n"
                    )
        sys.stdout.write(f"{name} {time.monotonic() - start:.1f} s\n")
        sys.stdout.flush()
    return 0


def photographed(linear: Picture, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera makes of the light: exposure, white balance, vignette, softness, noise. Leaves BGR."""
    grey = linear @ np.array([0.299, 0.587, 0.114], np.float32)
    gain = float(rng.uniform(0.55, 0.95)) / max(1e-4, float(np.percentile(grey, 97)))
    across, along = np.meshgrid(np.linspace(-1, 1, SIZE[0]), np.linspace(-1, 1, SIZE[1]))
    vignette = 1 - float(rng.uniform(0, 0.3)) * (across**2 + along**2) / 2
    light = linear[..., ::-1] * gain * vignette[..., None] * rng.uniform(0.93, 1.07, 3)
    shown = np.clip(light, 0, 1)
    shown = (
        np.where(shown <= 0.0031308, 12.92 * shown, 1.055 * np.power(np.maximum(shown, 1e-6), 1 / 2.4) - 0.055) * 255
    )
    soft = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), float(rng.uniform(0.4, 1.0)))
    soft = soft + rng.normal(0, float(rng.uniform(0.8, 3.5)), soft.shape)
    result: NDArray[np.uint8] = np.clip(soft, 0, 255).astype(np.uint8)
    return result


def described(one: Rested, others: list[Rested]) -> dict[str, object] | None:
    """A die's line of the index; None for one that left the picture."""
    low, high = one.corners.min(axis=0), one.corners.max(axis=0)
    if (high < 0).any() or (low > np.array(SIZE)).any():
        return None
    value = one.die.values[one.face]
    whole = bool((low >= 2).all() and (high <= np.array(SIZE) - 2).all())
    covered = any(
        other is not one
        and other.above > one.above + 0.2
        and np.hypot(*(np.subtract(other.centre, one.centre))) < one.radius + other.radius
        for other in others
    )
    flat = one.lean < 3 and one.above < 0.1 and not covered and whole
    return {
        "kind": str(one.die.kind or one.die.solid.name),
        "value": value if value is None or isinstance(value, int) else str(value),
        "box": [round(float(v)) for v in (*low, *(high - low))],
        "radius": round(one.radius, 1),
        "lean": round(one.lean, 1),
        "flat": flat,
    }


if __name__ == "__main__":
    sys.exit(main())

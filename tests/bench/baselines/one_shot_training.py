"""`python -m tests.bench.baselines.one_shot_training`: teach the one-shot detector. Needs the `training` extra.

Pieces of trays, 320 pixels square, are painted while it learns: the dice, surfaces, wear, light and spoiling are those
that the reader's own networks are taught with, so that the comparison is one of methods and not of data.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from rules.dice import DieKind
from tests.bench.baselines.one_shot import CLASSES, MODEL, OUTPUTS, STRIDES, WIDE, batch_of
from vision.pose.geometry import Camera, tilted
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random, look_at_random, paint_die
from vision.training.samples import litter, spoil, surface
from vision.training.teach import halve, stage
from vision.training.throws import FULL_TURN, cube_die, d20, other_die, resting
from vision.training.weather import shine, weathered

SIDE: Final = 320
"""Pixels of a piece's sides."""
_BATCH: Final = 16
_LEVELS: Final = (36.0, 72.0)
"""Dice with a longer side below the first are told by the finest answer, below the second by the middle one."""
_INTERRUPTED: Final = 130

Dice = list[tuple[float, float, float, float, int]]
"""A row for each die: middle, sides, class."""


class Block(nn.Module):
    """A stage with a short cut through the half of its channels, repeated."""

    def __init__(self, channels: int, repeats: int) -> None:
        super().__init__()
        half = channels // 2
        self.enter = nn.Sequential(*stage(channels, channels, side=1))
        self.steps = nn.ModuleList(nn.Sequential(*stage(half, half), *stage(half, half)) for _ in range(repeats))
        self.leave = nn.Sequential(*stage(half * (2 + repeats), channels, side=1))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Same shape out."""
        first, second = self.enter(planes).chunk(2, 1)
        parts = [first, second]
        for step in self.steps:
            parts.append(parts[-1] + step(parts[-1]))
        result: torch.Tensor = self.leave(torch.cat(parts, 1))
        return result


class Detector(nn.Module):
    """Backbone, one way down and one way up between the strides, a head a stride; some 1.9 million parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.start = nn.Sequential(*stage(3, 16, 2), *stage(16, 32, 2), Block(32, 1))
        self.fine = nn.Sequential(*stage(32, 64, 2), Block(64, 2))
        self.middle = nn.Sequential(*stage(64, 128, 2), Block(128, 2))
        self.coarse = nn.Sequential(*stage(128, 192, 2), Block(192, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.down_middle = nn.Sequential(*stage(192 + 128, 128, side=1), Block(128, 1))
        self.down_fine = nn.Sequential(*stage(128 + 64, 64, side=1), Block(64, 1))
        self.heads = nn.ModuleList(
            nn.Sequential(*stage(wide, 80), *stage(80, 80), nn.Conv2d(80, OUTPUTS, 1)) for wide in (64, 128, 192)
        )
        for head in self.heads:
            nn.init.constant_(head[-1].bias[0], -4.0)

    def forward(self, pictures: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """One answer a stride, the finest first."""
        fine = self.fine(self.start(pictures))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.down_middle(torch.cat([self.up(coarse), middle], 1))
        fine = self.down_fine(torch.cat([self.up(middle), fine], 1))
        return tuple(head(planes) for head, planes in zip(self.heads, (fine, middle, coarse), strict=True))


def piece(rng: np.random.Generator, fonts: Fonts) -> tuple[NDArray[np.uint8], Dice]:
    """A painted piece of a tray and its dice; dice of other kinds are painted and belong to no class."""
    camera = Camera(WIDE, WIDE * 9 // 16, float(rng.uniform(45, 70)))
    origin = (float(rng.uniform(0, WIDE - SIDE)), float(rng.uniform(0, camera.height - SIDE)))
    picture = surface(rng, SIDE, SIDE)
    light = light_at_random(rng)
    up = tilted(*np.clip(np.sin(np.radians(rng.normal(0, 4.0, 2))), -0.6, 0.6))
    radius = math.exp(float(rng.uniform(math.log(11), math.log(48))))
    if rng.random() < 0.3:
        reach = round(radius * float(rng.uniform(1.2, 3)))
        x, y = (int(value) for value in rng.integers(0, SIDE, 2))
        litter(picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach], rng, reach * 0.6)
    dice: Dice = []
    taken: list[tuple[float, float]] = []
    for _ in range(int(rng.integers(1, 10))):
        spot = (origin[0] + float(rng.uniform(0, SIDE)), origin[1] + float(rng.uniform(0, SIDE)))
        if any(math.dist(spot, other) < 1.8 * radius for other in taken):
            continue
        draw = rng.random()
        if draw < 0.6:
            die = d20(rng, fonts)
        elif draw < 0.94:
            die = cube_die(rng, fonts, DieKind.CHALLENGE if rng.random() < 0.5 else DieKind.D6)
        else:
            die = other_die(rng, fonts)
        pose = resting(die, spot, radius, up, float(rng.uniform(0, FULL_TURN)))
        letters, look = weathered(die.letters, rng), look_at_random(rng)
        view = paint_die(picture, die.solid, pose, camera, letters=letters, look=look, light=light, origin=origin)
        shine(picture, view, radius, rng)
        taken.append(spot)
        low, high = view.points.min(axis=0), view.points.max(axis=0)
        middle = (low + high) / 2
        inside = bool((middle > 0).all() and (middle < SIDE).all())
        if die.kind is not None and die.face is not None and inside:
            wide, high_side = (float(value) for value in high - low)
            number = CLASSES.index((die.kind, die.face))
            dice.append((float(middle[0]), float(middle[1]), wide, high_side, number))
    return spoil(picture, rng), dice


def pieces(job: tuple[int, int, list[Path]]) -> tuple[NDArray[np.uint8], list[Dice]]:
    """`(seed, count, fonts)` to so many pieces."""
    cv2.setNumThreads(1)
    seed, count, files = job
    rng, fonts = np.random.default_rng(seed), Fonts(files)
    made = [piece(rng, fonts) for _ in range(count)]
    return np.stack([picture for picture, _ in made]), [dice for _, dice in made]


def targets(batch: list[Dice], stride: int) -> torch.Tensor:
    """For each piece, planes x rows x columns: here or not, moves, logarithms of the sides, class (-1: none)."""
    side = SIDE // stride
    result = np.zeros((len(batch), 6, side, side), np.float32)
    result[:, 5] = -1
    low = 0.0 if stride == STRIDES[0] else _LEVELS[STRIDES.index(stride) - 1]
    high = math.inf if stride == STRIDES[-1] else _LEVELS[STRIDES.index(stride)]
    for number, dice in enumerate(batch):
        for x, y, wide, tall, kind in dice:
            if not low <= max(wide, tall) < high:
                continue
            across, along = x / stride, y / stride
            for row in range(max(0, int(along - 0.5)), min(side, int(along + 0.5) + 1)):
                for column in range(max(0, int(across - 0.5)), min(side, int(across + 0.5) + 1)):
                    moved = (across - column - 0.5, along - row - 0.5)
                    result[number, :, row, column] = (
                        1, *moved, math.log(wide / stride), math.log(tall / stride), kind,
                    )  # fmt: skip
    return torch.from_numpy(result)


def loss_of(answers: tuple[torch.Tensor, ...], batch: list[Dice]) -> torch.Tensor:
    """Focal loss on "here or not", absolute errors on the boxes, cross entropy on the classes."""
    total = torch.zeros(())
    for answer, stride in zip(answers, STRIDES, strict=True):
        told, wanted = answer.float(), targets(batch, stride)
        here = wanted[:, 0]
        chance = torch.sigmoid(told[:, 0])
        plain = nn.functional.binary_cross_entropy_with_logits(told[:, 0], here, reduction="none")
        focus = torch.where(here > 0, 1 - chance, chance) ** 2
        count = here.sum().clamp(min=8)
        total = total + (plain * focus).sum() / count
        dice = here > 0
        if not bool(dice.any()):
            continue
        boxes = told[:, 1:5].permute(0, 2, 3, 1)[dice]
        true = wanted[:, 1:5].permute(0, 2, 3, 1)[dice]
        kinds = told[:, 5:].permute(0, 2, 3, 1)[dice]
        total = total + nn.functional.smooth_l1_loss(boxes, true, beta=0.1, reduction="sum") / count
        total = total + nn.functional.cross_entropy(kinds, wanted[:, 5][dice].long(), reduction="sum") / count
    return total


def rendered(pool: ProcessPoolExecutor, seed: int, files: list[Path]) -> Iterator[tuple[NDArray[np.uint8], list[Dice]]]:
    """Batches without end, painted beside the learning."""
    waiting: list[Future[tuple[NDArray[np.uint8], list[Dice]]]] = []
    number = 0
    while True:
        while len(waiting) < 3:
            waiting.append(pool.submit(pieces, (seed * 1_000_000 + number, _BATCH, files)))
            number += 1
        yield waiting.pop(0).result()


def export(network: nn.Module, file: Path) -> None:
    """Write the network as ONNX for pictures of `WIDE` pixels, weights in 16 bits."""
    example = torch.zeros(1, 3, WIDE * 9 // 16 // 32 * 32 + 32, WIDE)
    names = ["fine", "middle", "coarse"]
    axes = {"crops": {2: "rows", 3: "columns"}, **{name: {2: f"{name}-r", 3: f"{name}-c"} for name in names}}
    options: dict[str, Any] = {"dynamo": False, "opset_version": 13, "dynamic_axes": axes}
    torch.onnx.export(network, (example,), str(file), input_names=["crops"], output_names=names, **options)
    halve(file)


def main() -> int:
    """Teach for as long as the command line says, and write the network."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.baselines.one_shot_training", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to teach (default %(default)s)")
    parser.add_argument("--fonts", type=Path, action="append", default=None, help="a folder of fonts; may be repeated")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, default=MODEL)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    files = fonts_for(chosen.fonts or [Path("/usr/share/fonts"), Path.home() / ".local/share/fonts"])
    network = Detector()
    weights = sum(one.numel() for one in network.parameters())
    sys.stdout.write(f"{weights} parameters, {len(files)} font files, {chosen.minutes:g} minutes\n")
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    begun, step, recent = time.monotonic(), 0, []
    with ProcessPoolExecutor(1) as pool:
        for pictures, dice in rendered(pool, chosen.seed, files):
            spent = (time.monotonic() - begun) / (60 * chosen.minutes)
            if spent >= 1:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            for group in optimiser.param_groups:
                group["lr"] = 3e-3 * min(1.0, (step + 1) / 60) * (0.5 + 0.5 * math.cos(math.pi * spent)) + 1e-5
            with torch.autocast("cpu", dtype=torch.bfloat16):
                answers = network(torch.from_numpy(batch_of(pictures)))
            cost = loss_of(answers, dice)
            optimiser.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 10.0)
            optimiser.step()
            step += 1
            recent.append(float(cost.detach()))
            if step % 20 == 0:
                sys.stdout.write(f"{time.monotonic() - begun:6.0f} s  step {step}  loss {np.mean(recent[-20:]):.3f}\n")
                sys.stdout.flush()
    network.eval()
    export(network, chosen.out)
    sys.stdout.write(f"{step * _BATCH} pieces seen; written to {chosen.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

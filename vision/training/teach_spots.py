"""Teaches the network that finds dice in whole pictures. Needs the `training` extra (torch, onnx)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.pose.proposals import CELL, USUAL_RADIUS, proposal_batch
from vision.training.teach import RATE, WARM_RATE, halve, stage
from vision.training.trays import Places, WholeTray, windows_of
from vision.training.warm import warmed

_BATCH: Final = 16
"""Pictures a step."""
_OF_WHOLE: Final = 6
"""How many of them are windows of path-traced trays, where there are any."""
_ROOM: Final = 0.35
"""A die's score fades over this share of its radius."""


def spot_network() -> nn.Module:
    """A picture to planes at an eighth of its size: score, moves right and down in cells, log of the radius."""
    return nn.Sequential(
        *stage(3, 12, 2, 5),
        *stage(12, 24, 2),
        *stage(24, 40, 2),
        *stage(40, 48),
        *stage(48, 48, apart=2),
        *stage(48, 48, apart=4),
        nn.Conv2d(48, 4, 1),
    )


def spot_targets(places: Places, rows: int, columns: int) -> NDArray[np.float32]:
    """For each picture five planes: score wanted, whether a die's middle, moves, logarithm of radius."""
    result = np.zeros((len(places), 5, rows, columns), np.float32)
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    for number, dice in enumerate(places):
        for across, along, radius in dice[dice[:, 2] > 0] / CELL:
            width = max(0.6, _ROOM * radius)
            near = np.exp(-((x - across) ** 2 + (y - along) ** 2) / (2 * width**2))
            result[number, 0] = np.maximum(result[number, 0], near)
            column, row = min(columns - 1, max(0, int(across))), min(rows - 1, max(0, int(along)))
            inside = np.hypot(x - across, y - along) < max(0.8, 0.3 * radius)
            inside[row, column] = True
            result[number, 1][inside] = 1
            result[number, 2][inside] = (across - x)[inside]
            result[number, 3][inside] = (along - y)[inside]
            result[number, 4][inside] = np.log(radius * CELL / USUAL_RADIUS)
            result[number, 0, row, column] = 1
    return result


def spot_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Focal loss on the scores, absolute errors on the places of the dice."""
    score, wanted = out[:, 0], target[:, 0]
    chance = torch.sigmoid(score)
    middle = (wanted == 1).float()
    sure = -nn.functional.logsigmoid(score) * (1 - chance) ** 2 * middle
    free = -nn.functional.logsigmoid(-score) * chance**2 * (1 - wanted) ** 4 * (1 - middle)
    count = middle.sum().clamp(min=1)
    there = target[:, 1]
    place = nn.functional.smooth_l1_loss(out[:, 1:3], target[:, 2:4], reduction="none", beta=0.1).sum(dim=1)
    size = nn.functional.smooth_l1_loss(out[:, 3], target[:, 4], reduction="none", beta=0.05)
    inside = there.sum().clamp(min=1)
    result: torch.Tensor = (sure + free).sum() / count + ((place + 4 * size) * there).sum() / inside
    return result


def teach_spots(
    pictures: NDArray[np.uint8],
    places: Places,
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    whole: Sequence[WholeTray] = (),
    begin: Path | None = None,
) -> None:
    """Teach on pictures and places (`trays.make_trays`), mirrored and in other colours, and write `file`.

    Some of each step's pictures are windows of `whole`, path-traced trays. With `begin` the network goes on with that
    of the folder.
    """
    rng = np.random.default_rng(7)
    torch.manual_seed(7)
    network = spot_network()
    rate = RATE if begin is None else WARM_RATE
    if begin is not None:
        warmed(network, begin / file.name, proposal_batch(pictures[: 4 * _BATCH]))
    network.train()
    steps = int(epochs * len(pictures) / _BATCH)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate / 2, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=0.75 * rate, total_steps=steps + 1)
    rows, columns = pictures.shape[1] // CELL, pictures.shape[2] // CELL
    recent: list[float] = []
    for step in range(steps):
        batch, dice = _drawn(pictures, places, whole, rng)
        if rng.random() < 0.5:
            batch = batch[:, :, ::-1]
            dice[..., 0] = np.where(dice[..., 2] > 0, pictures.shape[2] - dice[..., 0], 0)
        if rng.random() < 0.5:
            batch = batch[:, ::-1]
            dice[..., 1] = np.where(dice[..., 2] > 0, pictures.shape[1] - dice[..., 1], 0)
        batch = batch[..., rng.permutation(3)]
        if rng.random() < 0.2:
            batch = np.repeat(batch.mean(axis=3, keepdims=True), 3, axis=3).astype(np.uint8)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = network(torch.from_numpy(proposal_batch(batch)))
        cost = spot_loss(out.float(), torch.from_numpy(spot_targets(dice, rows, columns)))
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        schedule.step()
        recent.append(float(cost.detach()))
        if (step + 1) % 100 == 0:
            say(f"  step {step + 1} of {steps}, loss {np.mean(recent[-100:]):.4f}")
    network.eval()
    axes = {0: "n", 2: "rows", 3: "columns"}
    options: dict[str, Any] = {"dynamo": False, "opset_version": 13, "dynamic_axes": {"crops": axes, "out": axes}}
    example = torch.zeros(1, 3, rows * CELL, columns * CELL)
    torch.onnx.export(network, (example,), str(file), input_names=["crops"], output_names=["out"], **options)
    halve(file)


def _drawn(
    pictures: NDArray[np.uint8], places: Places, whole: Sequence[WholeTray], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Places]:
    """The pictures of one step, drawn anew, and the places of their dice."""
    chosen = rng.integers(0, len(pictures), _BATCH - _OF_WHOLE if whole else _BATCH)
    if not whole:
        return pictures[chosen], places[chosen]
    shown, dice = windows_of([whole[one] for one in rng.integers(0, len(whole), _OF_WHOLE)], rng)
    most = max(dice.shape[1], places.shape[1])
    filled = [np.pad(one, ((0, 0), (0, most - one.shape[1]), (0, 0))) for one in (places[chosen], dice)]
    return np.concatenate([pictures[chosen], shown]), np.concatenate(filled)

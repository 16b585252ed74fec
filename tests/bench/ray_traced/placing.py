"""Lays dice flat on a table, with a gap or touching, and never inside one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tests.bench.ray_traced.looks import Layout, within
from vision.pose.geometry import Array, Solid, convex_hull, cross, unit

_TRIES: Final = 40
_FAR: Final = 12.0
"""The distance of two dice's middles, in centimetres, from which they do not touch."""
_CLOSE: Final = 0.005
_POINT: Final = 1e-6
"""A side that is shorter, measured by the longest, is a corner counted twice."""


@dataclass(frozen=True)
class Laid:
    """A die on the table: its turn (columns: where its axes point), its place and its outline from above, in cm."""

    turn: Array
    place: tuple[float, float]
    outline: Array


def flat_turn(solid: Solid, face: int, spin: float) -> Array:
    """The turn that brings a face up (+z), spun about the vertical."""
    up = unit(solid.normals[face])
    first = unit(cross(up, np.array([0.31, 0.52, 0.79])))
    cosine, sine = math.cos(spin), math.sin(spin)
    spun = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])
    result: Array = spun @ np.array([first, cross(up, first), up])
    return result


def between(one: Array, other: Array) -> float:
    """How far two convex outlines are apart along the best side of either; negative where they overlap."""
    best = -math.inf
    for first, second in ((one, other), (other, one)):
        sides = np.roll(first, -1, axis=0) - first
        lengths = np.linalg.norm(sides, axis=1)
        true = lengths > _POINT * lengths.max()
        outward = np.column_stack([sides[:, 1], -sides[:, 0]])[true] / lengths[true, None]
        if float(np.sum(outward * (first - first.mean(axis=0))[true])) < 0:
            outward = -outward
        beyond = (second @ outward.T).min(axis=0) - (first @ outward.T).max(axis=0)
        best = max(best, float(beyond.max()))
    return best


def laid(
    rng: np.random.Generator, solids: Sequence[tuple[Solid, float]], room: tuple[float, float], layout: Layout
) -> list[Laid | None]:
    """Where each die (solid and circumradius in cm) lies within the room; None for those that found no place."""
    floor = _Floor(rng, room)
    result: list[Laid | None] = []
    cluster: list[Laid] = []
    wanted = 0
    for solid, size in solids:
        turn = flat_turn(solid, int(rng.integers(len(solid.faces))), float(rng.uniform(0, 2 * math.pi)))
        outline = convex_hull((solid.vertices @ turn.T)[:, :2] * size)
        gap = within(rng, layout.gap)
        place = floor.beside(outline, cluster, gap) if 0 < len(cluster) < wanted else None
        if place is None:
            cluster, wanted = [], int(rng.integers(layout.cluster[0], layout.cluster[1] + 1))
            place = floor.anywhere(outline, gap)
        if place is None:
            result.append(None)
            continue
        one = Laid(turn, place, outline + np.array(place))
        cluster.append(one)
        floor.dice.append(one)
        result.append(one)
    return result


class _Floor:
    """The room and what lies there."""

    def __init__(self, rng: np.random.Generator, room: tuple[float, float]) -> None:
        self.rng, self.room = rng, room
        self.dice: list[Laid] = []

    def _free(self, outline: Array, gap: float) -> bool:
        return all(between(outline, other.outline) >= gap for other in self.dice)

    def anywhere(self, outline: Array, gap: float) -> tuple[float, float] | None:
        """A free place at random."""
        wide, tall = self.room
        for _ in range(_TRIES):
            place = (float(self.rng.uniform(-wide, wide)), float(self.rng.uniform(-tall, tall)))
            if self._free(outline + np.array(place), gap):
                return place
        return None

    def beside(self, outline: Array, cluster: Sequence[Laid], gap: float) -> tuple[float, float] | None:
        """A place so near to one of the cluster that only the gap is between them."""
        for _ in range(_TRIES):
            one = cluster[int(self.rng.integers(len(cluster)))]
            angle = float(self.rng.uniform(0, 2 * math.pi))
            way = np.array([math.cos(angle), math.sin(angle)])
            near, far = 0.0, _FAR
            while far - near > _CLOSE:
                middle = (near + far) / 2
                if between(outline + np.array(one.place) + way * middle, one.outline) >= gap:
                    far = middle
                else:
                    near = middle
            x, y = (np.array(one.place) + way * far).tolist()
            inside = abs(x) <= self.room[0] and abs(y) <= self.room[1]
            if inside and self._free(outline + np.array([x, y]), 0.0):
                return (x, y)
        return None

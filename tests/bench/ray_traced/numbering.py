"""How the numbers of a d20 are arranged."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from vision.pose.geometry import Array, Solid, common_layout, icosahedron


class Numbering(StrEnum):
    """How the numbers of a d20 are arranged."""

    COMMON = "common"
    MIRROR = "mirror"
    SPIN_DOWN = "spin-down"
    RANDOM = "random"


def numbered(rng: np.random.Generator, numbering: Numbering) -> tuple[int, ...]:
    """The number on each face of an icosahedron."""
    if numbering is Numbering.RANDOM:
        return tuple(int(n) + 1 for n in rng.permutation(20))
    if numbering is Numbering.SPIN_DOWN:
        return spin_down(icosahedron())
    return tuple(int(n) for n in common_layout(mirrored=numbering is Numbering.MIRROR))


def spin_down(solid: Solid) -> tuple[int, ...]:
    """Each number beside the next lower one: five faces round a corner, ten round the middle, five round the other."""
    axis = solid.vertices[0]
    across = np.cross(axis, solid.vertices[solid.faces[0][1]] + np.array([0.1, 0.2, 0.3]))
    across /= np.linalg.norm(across)
    onward = np.cross(axis, across)
    heights = solid.centres @ axis
    order: list[int] = []
    for low, high in ((0.5, 2.0), (-0.5, 0.5), (-2.0, -0.5)):
        ring = [int(n) for n in np.flatnonzero((heights > low) & (heights < high))]
        ring.sort(key=lambda n: _angle(solid.centres[n], across, onward))
        if order:
            first = next(k for k, n in enumerate(ring) if n in solid.neighbours[order[-1]])
            ring = ring[first:] + ring[:first]
        order += ring
    values = [0] * len(order)
    for number, face in zip(range(20, 0, -1), order, strict=True):
        values[face] = number
    return tuple(values)


def _angle(point: Array, across: Array, onward: Array) -> float:
    return float(np.arctan2(point @ onward, point @ across))

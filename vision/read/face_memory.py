"""Caches the faces of one picture's d20s: each is cut out and read once, however often its pose is used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Pose, View
from vision.pose.networks import Networks


class FaceMemory:
    """The patches of one grey picture, and what the `numbers` network says of each (21 chances). For one thread."""

    def __init__(self, grey: Grey, networks: Networks) -> None:
        self._grey = grey
        self._networks = networks
        self._known: dict[tuple[int, int], tuple[Pose, Grey, Array]] = {}  # holds each pose, so that its id stays its

    def read(self, wanted: Sequence[tuple[Pose, View, int]]) -> tuple[list[Grey], Array]:
        """The patches and chances of faces, each named by its pose, that pose's view and its number; in that order."""
        fresh = {
            (id(pose), face): (pose, face_patch(self._grey, view, face))
            for pose, view, face in wanted
            if (id(pose), face) not in self._known
        }
        if fresh:
            rows: NDArray[np.float32] = self._networks.numbers([patch for _, patch in fresh.values()])
            for (key, (pose, patch)), row in zip(fresh.items(), rows.astype(np.float64), strict=True):
                self._known[key] = pose, patch, row
        found = [self._known[id(pose), face] for pose, _, face in wanted]
        return [patch for _, patch, _ in found], np.array([row for _, _, row in found]).reshape(len(found), -1)

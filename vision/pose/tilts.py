"""Measures the tilt of a die from its supposed pose, by a network of its own.

Tilt shows by small shifts of the inner edges against the outline. The network sees the die turned so that the first
corner of its most frontal face points to the right, and two maps of the supposed solid: how far each face looks right
and down. It was taught on poses whose place, size and spin were already right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose, Solid, View, see
from vision.pose.refinement import FIXED, POSE_PIXELS, Correction, cut_square, sight_frame, turn_of

_LEVEL: Final = 128.0
"""The maps' value for no face, and for a face that looks straight at the camera."""
_STEEP: Final = 120.0
"""The maps' deviation from `_LEVEL` for a face that looks sideways."""
FURTHEST: Final = math.radians(25.0)
"""No tilt beyond this was taught."""

TiltSquare = NDArray[np.uint8]
"""Three planes, `POSE_PIXELS` square: the picture, and how far the supposed faces look right and down."""


def slopes(frame: Array, pose: Pose, solid: Solid, turn: float) -> Array:
    """How far each face looks right and down in the turned square (-1..1), one row a face."""
    seen = solid.normals @ pose.rotation.T @ frame
    cosine, sine = math.cos(turn), math.sin(turn)
    result: Array = seen[:, :2] @ np.array([[cosine, -sine], [sine, cosine]])
    return result


def tilt_square(grey: Grey, view: View, local: Pose, frame: Array) -> TiltSquare:
    """The square of a die whose pose is `frontal`; `view` and the pose's centre are in pixels of `grey`."""
    turn = turn_of(frame, local)
    square = cut_square(grey, local.centre, local.radius, turn)
    slope = slopes(frame, local, view.solid, turn)
    planes = [np.full((POSE_PIXELS, POSE_PIXELS), _LEVEL, np.uint8) for _ in range(2)]
    for face, corners in zip(*square.shown(view), strict=True):
        for plane, value in zip(planes, slope[face].tolist(), strict=True):
            cv2.fillConvexPoly(plane, corners, int(_LEVEL + _STEEP * value), cv2.LINE_AA, FIXED)
    return np.stack([square.picture, *planes])


def tilt_square_of(grey: Grey, solid: Solid, pose: Pose, camera: Camera) -> TiltSquare:
    """The square of a die (its pose `frontal`) in a whole picture."""
    return tilt_square(grey, see(solid, pose, camera), pose, sight_frame(camera, pose))


def tilt_batch(squares: Sequence[TiltSquare] | NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's batch: the picture with mean 0 and deviation 1, the slopes from -3 to 3."""
    batch = np.array(squares, dtype=np.float32)
    pictures = batch[:, :1]
    pictures -= pictures.mean(axis=(2, 3), keepdims=True)
    pictures /= np.maximum(pictures.std(axis=(2, 3), keepdims=True), 4.0)
    batch[:, 1:] = (batch[:, 1:] - _LEVEL) / 40
    return batch


def as_correction(right: float, down: float) -> Correction:
    """A tilt (rotation vector's first two components in the turned square, radians) as a correction of a pose."""
    length = math.hypot(right, down)
    share = min(1.0, FURTHEST / length) if length else 1.0
    return Correction(0.0, 0.0, 0.0, (right * share, down * share, 0.0), 1.0)

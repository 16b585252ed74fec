"""The colour of a die's body, which distinguishes the dice of a table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import face_patch
from vision.pose.geometry import Array, Camera, Pose, Solid, see

_ONE_DYE: Final = (30.0, 8.0, 8.0)
"""The usual differences in lightness and hue between dice of one set."""


def colour_of(picture: NDArray[np.uint8], pose: Pose, solid: Solid, camera: Camera) -> Array:
    """The colour of a die's body: L*, a*, b* of OpenCV (0..255), as in middling light.

    The median of its upper face, of a cube's rim alone: in its middle a large sign may or may not outweigh the body.
    """
    patch = face_patch(picture, see(solid, pose, camera), 0)
    lab = cv2.cvtColor(cv2.resize(patch, (16, 16), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    away = np.abs(np.arange(16) - 7.5)
    far = np.maximum(away[:, None], away)
    inner = np.asarray(lab, np.float64)[far < 5 if solid.name == "d20" else (far > 5) & (far < 7)]  # noqa: PLR2004 - pixels of this patch
    light, green_red, blue_yellow = (float(value) for value in np.median(inner, axis=0))
    less = 128.0 / max(40.0, light)  # in half the light the same dye is half as far from grey
    return np.array([light, 128 + (green_red - 128) * less, 128 + (blue_yellow - 128) * less])


def of_one_dye(one: Array, other: Array) -> bool:
    """Whether dice of these two colours may be of one set."""
    return bool((np.abs(one - other) < np.array(_ONE_DYE)).all())

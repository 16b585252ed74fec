"""The lenses of the Raspberry Pi's camera modules, and what a sensor's mode leaves of them.

picamera2 names the sensor; for a module with a lens of its own that tells how wide it sees. Modes that are fast read
only the middle of the sensor: of an IMX219 at 1280 x 720 it may be 1920 of its 3280 columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

_NIGHT: Final = "_noir"
"""The end of the name of a sensor without a filter against infrared light; the lens is the same."""

WHOLE_SENSOR: Final[Mapping[str, float]] = {
    "ov5647": 53.5,  # Camera Module 1
    "imx219": 62.2,  # Camera Module 2
    "imx708": 66.0,  # Camera Module 3
    "imx708_wide": 102.0,  # Camera Module 3 Wide
    "imx500": 66.0,  # AI Camera
}
"""Degrees across the whole sensor, from the table "Hardware specification" of Raspberry Pi's camera documentation.

The IMX477 (HQ Camera) and the IMX296 (Global Shutter Camera) take any lens, so that nothing is known of theirs.
"""


def module_hfov(properties: Mapping[str, object], metadata: Mapping[str, object]) -> float | None:
    """Degrees along the longer side of a module's pictures; None for one whose lens is not known.

    `properties` are picamera2's `camera_properties`, `metadata` those of one of its pictures: `ScalerCrop` tells which
    columns and rows of the sensor's `PixelArraySize` it shows. Without these the whole sensor is assumed. Raises
    whatever values of another form than libcamera's make of it.
    """
    whole = WHOLE_SENSOR.get(str(properties.get("Model", "")).removesuffix(_NIGHT))
    size, crop = properties.get("PixelArraySize"), metadata.get("ScalerCrop")
    if whole is None or not isinstance(size, tuple) or not isinstance(crop, tuple):
        return whole
    columns, shown = float(size[0]), float(crop[2])
    if not 0 < shown <= columns:
        return whole
    return 2 * math.degrees(math.atan(math.tan(math.radians(whole) / 2) * shown / columns))

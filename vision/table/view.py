"""What a calibrated camera saw of its table, kept beside the calibration: it tells of a camera moved while it was off.

Pure: the picture's local contrast, small, with the places where the table itself was seen. A person can look at it: it
is kept as a picture in a JSON file.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.settling import LOOK_SHAPE
from vision.table.calibration import Calibration, as_text

FILE_NAME: Final = "calibration-view.json"
"""The view's file in the data folder."""
_FORM: Final = 1
"""The version of the file format; other versions are not read."""
_STEPS: Final = 3.0
"""Steps that a grey level of contrast is kept in."""
_MIDDLE: Final = 128
"""The step of no contrast. Step 0 is a place that was hidden."""

Contrast = NDArray[np.float32]
"""A small picture's local contrast, smoothed, in grey levels."""


class ViewError(ValueError):
    """A view's file is damaged, or of another version."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """A table from its camera's place: the contrast of each place, and whether it is `known` or was hidden.

    `lasting` tells that what is known was seen at several rests, and not in one picture alone.
    """

    contrast: Contrast
    known: NDArray[np.bool_]
    lasting: bool = False


def as_view_text(view: Outlook, of: Calibration) -> str:
    """The view as the text of its file, bound to its calibration."""
    steps = np.clip(np.rint(view.contrast * _STEPS) + _MIDDLE, 1, 255)
    made, png = cv2.imencode(".png", np.where(view.known, steps, 0).astype(np.uint8))
    if not made:
        raise ViewError
    look = base64.b64encode(png.tobytes()).decode()
    return json.dumps({"form": _FORM, "calibration": _bound_to(of), "lasting": view.lasting, "look": look}) + "\n"


def view_from_text(text: str, of: Calibration) -> Outlook | None:
    """The view of a file's text; None where it belongs to another calibration.

    Raises `ViewError` for what is no view, as a picture of another size than a look has.
    """
    try:
        raw = json.loads(text)
        if raw["form"] != _FORM:
            raise ViewError
        if raw["calibration"] != _bound_to(of):
            return None
        png = np.frombuffer(base64.b64decode(raw["look"], validate=True), np.uint8)
        steps = cv2.imdecode(png, cv2.IMREAD_GRAYSCALE) if png.size else None
        lasting = raw["lasting"] is True
    except (ValueError, TypeError, LookupError, RecursionError, binascii.Error, cv2.error) as why:
        raise ViewError from why
    if steps is None or steps.shape != LOOK_SHAPE:
        raise ViewError
    contrast = (steps.astype(np.float32) - _MIDDLE) / np.float32(_STEPS)
    return Outlook(np.where(steps > 0, contrast, 0).astype(np.float32), np.asarray(steps > 0), lasting)


def _bound_to(calibration: Calibration) -> str:
    """What tells one calibration from another."""
    return hashlib.sha256(as_text(calibration).encode()).hexdigest()[:16]

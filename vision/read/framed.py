"""Reads a die that fills its picture: the picture's edge is extended outwards, so that the die has a background."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from rules.dice import Box, DieReading
from vision.ports import Pixels, Reader
from vision.read.readings import questioned
from vision.read.thresholds import TRAY_SIDE

_FRAME: Final = 0.2
"""The width of the frame added round a picture, as a share of its longer side."""


def framed(reader: Reader, picture: Pixels) -> tuple[DieReading, ...]:
    """The die that fills a picture in which nothing was found, read with an extended edge.

    The background is invented, so that any find is asked about.
    """
    rows, columns = picture.shape[:2]
    edge = round(_FRAME * max(rows, columns))
    wider = np.asarray(cv2.copyMakeBorder(picture, edge, edge, edge, edge, cv2.BORDER_REPLICATE), np.uint8)
    found = []
    for die in reader.read(wider):
        box = _within(die.box, edge, columns, rows) if die.box is not None else None
        if box is not None and max(box.width, box.height) > TRAY_SIDE * min(rows, columns):
            found.append(replace(questioned(die), box=box))
    return tuple(found)


def _within(box: Box, edge: int, columns: int, rows: int) -> Box | None:
    """A box of the framed picture, in the picture itself; None if it lies on the frame alone."""
    left, top = max(0, box.x - edge), max(0, box.y - edge)
    right, bottom = min(columns, box.x + box.width - edge), min(rows, box.y + box.height - edge)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None

"""The setup of one table: its calibration, its empty tray, and the taught dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from rules.words import say
from vision.errors import PictureError
from vision.pose.crops import Grey
from vision.table.calibration import Calibration
from vision.table.thresholds import EMPTY_ALIKE, EMPTY_PLAIN, EMPTY_SAME, EMPTY_SHAPE
from vision.taught.likeness import OwnDice
from vision.taught.own_dice import OwnDie

EMPTY_NAME: Final = "empty-tray.jpg"
"""The empty tray's picture in the data folder."""
_COMPARED: Final = 32
"""The side to which a place is shrunk before comparing, in pixels."""


@dataclass(frozen=True, eq=False)
class EmptyTray:
    """A picture of the tray without dice, in grey, from the same camera in the same place."""

    grey: Grey

    @classmethod
    def of(cls, picture: NDArray[np.uint8]) -> EmptyTray:
        """From a BGR picture."""
        return cls(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))

    def of_size(self, width: int, height: int) -> EmptyTray:
        """The same for copies of its camera's pictures of this size; itself where their shape is another."""
        own_height, own_width = self.grey.shape
        if (width, height) == (own_width, own_height) or abs(
            width * own_height / (height * own_width) - 1
        ) > EMPTY_SHAPE:
            return self
        way = cv2.INTER_AREA if width < own_width else cv2.INTER_LINEAR
        return EmptyTray(np.asarray(cv2.resize(self.grey, (width, height), interpolation=way), np.uint8))

    def turned(self) -> EmptyTray:
        """The same for pictures that were turned by a half."""
        return EmptyTray(np.ascontiguousarray(self.grey[::-1, ::-1]))

    def same_at(self, grey: Grey, box: Box) -> bool:
        """Whether `grey` and the empty tray show the same within `box`, in whatever light."""
        if grey.shape != self.grey.shape:
            return False
        before, now = (_small(one, box) for one in (self.grey, grey))
        if float(before.std()) < EMPTY_PLAIN:
            return (
                float(np.abs((now - now.mean()) - (before - before.mean())).mean()) < EMPTY_ALIKE
                and now.std() < EMPTY_PLAIN
            )
        if float(now.std()) < EMPTY_PLAIN:
            return False
        return float(np.corrcoef(before.ravel(), now.ravel())[0, 1]) > EMPTY_SAME


def _small(grey: Grey, box: Box) -> NDArray[np.float32]:
    piece = grey[max(0, box.y) : box.y + box.height, max(0, box.x) : box.x + box.width]
    small = cv2.resize(piece, (_COMPARED, _COMPARED), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)


@dataclass(frozen=True, eq=False)
class TableSetup:
    """One table; every part may be missing. A setup is immutable: replace it by another one.

    `dice` were taught and are kept. `evening` are those learnt from this evening's answers; they are never saved.
    """

    calibration: Calibration | None = None
    empty: EmptyTray | None = None
    dice: tuple[OwnDie, ...] = ()
    evening: tuple[OwnDie, ...] = ()

    @cached_property
    def own(self) -> OwnDice:
        """The dice that were taught and those of the evening, ready for comparing."""
        return OwnDice.of((*self.dice, *self.evening))

    def turned(self) -> TableSetup:
        """The same for pictures that were turned by a half."""
        calibration = None if self.calibration is None else self.calibration.turned()
        return replace(self, calibration=calibration, empty=None if self.empty is None else self.empty.turned())


EMPTY_DAMAGED: Final = say("The kept picture of the empty tray is damaged. Take it again.")
"""The message about a damaged picture of the empty tray."""
EMPTY_NO_FILE: Final = say(
    "The kept picture of the empty tray, empty-tray.jpg in the data folder, is no file. Move it away."
)
"""The message about something that is no file in its place."""


def decoded_empty(data: bytes) -> EmptyTray:
    """The empty tray of a picture file's bytes. Raises `PictureError` for what is none."""
    grey = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if data else None
    if grey is None:
        raise PictureError(EMPTY_DAMAGED)
    return EmptyTray(np.asarray(grey, np.uint8))

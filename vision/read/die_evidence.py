"""The values that pass through the reader: the picture, and the growing evidence on each die."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera
from vision.pose.networks import Networks
from vision.pose.posing import PosedDie
from vision.pose.table_normal import TableNormal
from vision.read.detection import Detection
from vision.read.faces import Verdict
from vision.read.flat import NOT_FLAT, Flatness
from vision.table.setup import EmptyTray
from vision.taught.likeness import OwnDice


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture (BGR), the same in grey, its camera, and what it is read with.

    `plain` is the picture in grey as it is, `grey` the same with signs that show in colour alone (`ink`) on the dice
    whose pose was found at first: what was overlooked or is cut off is no surer than its signs are in grey. `own` are
    the dice that were taught, `empty` the empty tray at the same size where it is known.
    """

    picture: NDArray[np.uint8]
    plain: Grey
    grey: Grey
    camera: Camera
    networks: Networks
    own: OwnDice
    empty: EmptyTray | None

    def is_new(self, one: Detection) -> bool:
        """Whether the empty tray shows something else at its place."""
        return self.empty is None or one.reading.box is None or not self.empty.same_at(self.plain, one.reading.box)


@dataclass(frozen=True, eq=False)
class DieEvidence:
    """All present evidence on one die: each step of the reader makes a new value with its own addition.

    `place`: its pose; `up`: the direction "up" by the other dice; `verdict`: the face read in that pose; `colour`: that
    of its body, if dice were taught; `overlooked`: no pose of its size was found at first; `explained`: it lies as a
    search explains the picture; `askew`: it lies as under a camera that stands askew, `up` too; `flat`: what speaks for
    print; `told`: the final reading, None before it.
    """

    place: PosedDie
    up: TableNormal
    verdict: Verdict
    colour: Array | None = None
    overlooked: bool = False
    explained: bool = False
    askew: bool = False
    flat: Flatness = NOT_FLAT
    told: Detection | None = None

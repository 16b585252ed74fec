"""Whether squares of a picture show dice or other things, as a wider look in colour tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array
from vision.pose.networks import Networks
from vision.pose.thresholds import THING_SURELY


def things_among(networks: Networks, squares: Sequence[NDArray[np.uint8]]) -> list[int]:
    """The numbers of the squares in which surely no die lies, in whichever of its four turns each is looked at."""
    return _surely(squares, networks.things)


def dice_among(networks: Networks, squares: Sequence[NDArray[np.uint8]]) -> list[int]:
    """The numbers of the squares in which surely a die lies, likewise."""
    return _surely(squares, lambda turned: -networks.things(turned))


def _surely(squares: Sequence[NDArray[np.uint8]], odds: Callable[[list[NDArray[np.uint8]]], Array]) -> list[int]:
    left = list(range(len(squares)))
    for turn in range(4):
        told = odds([np.rot90(squares[number], turn) for number in left]).tolist()
        left = [number for number, sure in zip(left, told, strict=True) if sure > THING_SURELY]
    return left

"""Whether squares of a picture show dice or other things, as a wider look in colour tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array
from vision.pose.networks import Networks
from vision.pose.thresholds import DIE_SURELY, THING_RATHER, THING_SURELY


def things_among(networks: Networks, squares: Sequence[NDArray[np.uint8]]) -> list[int]:
    """The numbers of the squares in which surely no die lies, in whichever of its four turns each is looked at."""
    return _surely(squares, networks.things, THING_SURELY)


def rather_things_among(networks: Networks, squares: Sequence[NDArray[np.uint8]]) -> list[int]:
    """The numbers of the squares in which rather no die lies, as all four turns of each tell together."""
    odds = [networks.things([np.rot90(square, turn) for turn in range(4)]).mean() for square in squares]
    return [number for number, mean in enumerate(odds) if mean > THING_RATHER]


def dice_among(networks: Networks, squares: Sequence[NDArray[np.uint8]]) -> list[int]:
    """The numbers of the squares in which surely a die lies, likewise."""
    return _surely(squares, lambda turned: -networks.things(turned), DIE_SURELY)


def _surely(
    squares: Sequence[NDArray[np.uint8]], odds: Callable[[list[NDArray[np.uint8]]], Array], least: float
) -> list[int]:
    left = list(range(len(squares)))
    for turn in range(4):
        told = odds([np.rot90(squares[number], turn) for number in left]).tolist()
        left = [number for number, sure in zip(left, told, strict=True) if sure > least]
    return left

"""What the workers of `python -m vision.training` do, each in a process of its own.

Apart from the command: a process that is spawned does not find what is defined in a package's `__main__`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.networks import POSING, Networks
from vision.training.glyphs import Fonts
from vision.training.number_patches import sheets_of
from vision.training.number_samples import Patches, make_numbers
from vision.training.samples import Samples, make
from vision.training.sheet_samples import cut_from_sheets
from vision.training.trays import Places, make_trays

Cutter = Callable[[int, int, Fonts, Networks], tuple[NDArray[np.uint8], NDArray[Any]]]
"""Makes cut-outs and their labels from a seed and a number of trays, with these fonts and networks."""


def render(job: tuple[int, int, list[Path]]) -> Samples:
    """A number of dice of a seed, lettered in these fonts."""
    cv2.setNumThreads(1)  # a process of its own: the workers share the cores
    seed, count, files = job
    return make(seed, count, Fonts(files))


def cut_poses(job: tuple[int, int, Path]) -> Samples:
    """Squares of a number of dice for a seed, cut from the sheets of a folder."""
    cv2.setNumThreads(1)
    seed, count, folder = job
    return cut_from_sheets(sheets_of(folder), seed, count)


def render_trays(job: tuple[int, int, list[Path]]) -> tuple[NDArray[np.uint8], Places]:
    """A number of trays of a seed, lettered in these fonts, and the places of their dice."""
    cv2.setNumThreads(1)
    seed, count, files = job
    return make_trays(seed, count, Fonts(files))


def paint_numbers(job: tuple[int, int, list[Path]]) -> Patches:
    """The patches of a number of d20s of a seed, lettered in these fonts, and their classes."""
    cv2.setNumThreads(1)
    seed, count, files = job
    return make_numbers(seed, count, Fonts(files))


def cut_out(job: tuple[Cutter, int, int, list[Path], Path]) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """The cut-outs of a cutter from a number of trays of a seed, posed by the networks of a folder."""
    cv2.setNumThreads(1)
    make_some, seed, trays, files, folder = job
    return make_some(seed, trays, Fonts(files), Networks(folder, POSING))


def joined(parts: Iterable[Samples]) -> Samples:
    """All samples in one."""
    whole = Samples.empty()
    for part in parts:
        whole.add(part)
    return whole

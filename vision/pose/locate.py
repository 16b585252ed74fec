"""Finds places where dice may lie, by classical image processing, quickly and generously.

The background (tray, table) is what is wide and smooth; a die is a compact thing, 45 to 250 pixels across, that
differs from it in colour. A candidate need not be a die: the reader's network decides that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from vision.pose.thresholds import BOX_SHARE, HEAP_PART, LARGEST, ONE_DIE, SMALLEST

WORKING_SIDE: Final = 384
"""The longer side of the smaller copy that is searched."""


@dataclass(frozen=True)
class DieCandidate:
    """Something that may be a die: its box, its centre and radius in pixels of the picture, its mask inside the box.

    `compactness` is the share of its convex hull that is filled, 0..1: touching dice have little.
    """

    box: Box
    centre: tuple[float, float]
    radius: float
    mask: NDArray[np.uint8]
    compactness: float


def locate(picture: NDArray[np.uint8], small: NDArray[np.uint8] | None = None) -> tuple[DieCandidate, ...]:
    """The candidates in a BGR picture, largest first; at most 40. `small` is its copy of `working_size`, if at hand."""
    if min(picture.shape[:2]) < SMALLEST:
        return ()
    size = working_size(picture)
    scale = min(1.0, WORKING_SIDE / max(picture.shape[:2]))
    if small is None:
        small = picture if scale == 1 else shrunk_to(picture, size)
    found: list[DieCandidate] = []
    for mask in _layers(small, scale):
        for candidate in _pieces(mask, scale):
            if not any(_same(candidate, other) for other in found):
                found.append(candidate)
    found.sort(key=lambda one: -one.radius)
    return tuple(found[:40])


def working_size(picture: NDArray[np.uint8]) -> tuple[int, int]:
    """The width and height of the smaller copy in which candidates are looked for."""
    height, width = picture.shape[:2]
    scale = min(1.0, WORKING_SIDE / max(height, width))
    return max(1, round(width * scale)), max(1, round(height * scale))


def shrunk_to(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture at a smaller size (width, height), by way of halves, which are quick to make."""
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        even = picture[: half[1] * 2, : half[0] * 2]
        picture = np.asarray(cv2.resize(even, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _layers(small: NDArray[np.uint8], scale: float) -> list[NDArray[np.uint8]]:
    """Foreground masks by several notions of background, the most telling first."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    blurred = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), dtype=np.float32)
    height, width = small.shape[:2]
    rim = max(2, min(height, width) // 40)
    edge = np.concatenate(
        [
            blurred[:rim].reshape(-1, 3),
            blurred[-rim:].reshape(-1, 3),
            blurred[:, :rim].reshape(-1, 3),
            blurred[:, -rim:].reshape(-1, 3),
        ]
    )
    maps = []
    # The surroundings of each pixel, from a median wider than any die, at a quarter of the working size.
    quarter_size = (max(1, width // 4), max(1, height // 4))
    quarter = cv2.resize(np.asarray(lab, dtype=np.uint8), quarter_size, interpolation=cv2.INTER_AREA)
    reach = min(255, int(LARGEST * scale * 0.25 * 0.75) | 1, (min(quarter.shape[:2]) - 1) | 1)
    if reach >= 3:  # noqa: PLR2004 - OpenCV's smallest median
        around = cv2.resize(cv2.medianBlur(quarter, reach), (width, height), interpolation=cv2.INTER_LINEAR)
        maps.append(_distance(blurred, np.asarray(around, dtype=np.float32)))
    plain = np.empty_like(blurred)
    plain[:] = np.median(edge, axis=0)
    maps.append(_distance(blurred, plain))
    layers = []
    for distance in maps:
        level = np.clip(distance * 2, 0, 255).astype(np.uint8)
        otsu, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        quiet = max(6.0, 4.0 * float(np.median(level[::2, ::2])))  # a dark die on a dark tray differs by little
        bars = sorted({quiet, max(14.0, otsu * 0.5), max(22.0, otsu), 60.0})
        layers += [(level > bar).astype(np.uint8) for bar in bars]
    layers.append(_detail(np.asarray(small, dtype=np.uint8), scale))
    return layers


_WEIGHTS: Final = np.array([[0.36, 1.96, 1.96]], np.float32)
"""The weights of lightness and the two hues: shadows change lightness, dice change hue."""


def _distance(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far the colours (L*a*b*) of two pictures are apart, pixel by pixel."""
    apart = cv2.subtract(one, other)
    return np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(apart, apart), _WEIGHTS)), dtype=np.float32)


def _detail(small: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """A mask of fine detail, joined over short gaps: it finds a die in the tray's own colour by its numerals."""
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    change = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    bar = max(6.0, 4.0 * float(np.median(np.asarray(change)[::2, ::2])))
    reach = max(3, int(SMALLEST * 0.55 * scale) | 1)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    joined = cv2.morphologyEx((np.asarray(change) > bar).astype(np.uint8), cv2.MORPH_CLOSE, brush)
    return np.asarray(joined, dtype=np.uint8)


def _pieces(mask: NDArray[np.uint8], scale: float) -> list[DieCandidate]:
    """The compact parts of a foreground mask; touching parts are separated at narrow places."""
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, round_brush)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    result = []
    for outline in outlines:
        box = cv2.boundingRect(outline)
        if max(box[2:]) < SMALLEST * scale * 0.9:
            continue
        filled = np.zeros((box[3] + 2, box[2] + 2), np.uint8)
        cv2.drawContours(filled, [outline - np.array([box[0] - 1, box[1] - 1])], -1, 1, -1)
        # Opening takes off whiskers and shadows' tips.
        brush = max(3, int(min(box[2:]) * 0.12) | 1)
        opened = cv2.morphologyEx(filled, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush)))
        whole = _candidate(np.asarray(opened, dtype=np.uint8), (box[0] - 1, box[1] - 1), scale)
        if whole is not None and whole.compactness > ONE_DIE:
            result.append(whole)
            continue
        for part in _torn(np.asarray(filled, dtype=np.uint8)):
            one = _candidate(part, (box[0] - 1, box[1] - 1), scale)
            if one is not None and one.compactness > HEAP_PART:
                result.append(one)
    return result


def _torn(filled: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """The mask's parts round each peak of its distance from the background, each grown back to its size."""
    depth = cv2.distanceTransform(filled, cv2.DIST_L2, 5)
    peak = float(np.max(depth))
    parts = []
    for share in (0.6, 0.75):
        count, labels = cv2.connectedComponents((depth > share * peak).astype(np.uint8))
        if count < 3:  # noqa: PLR2004 - the background and one part
            continue
        for number in range(1, count):
            seed = (labels == number).astype(np.uint8)
            brush = int(2 * share * peak) | 1
            grown = cv2.dilate(seed, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush)))
            parts.append(np.asarray(cv2.bitwise_and(grown, filled), dtype=np.uint8))
        break
    return parts


def _candidate(mask: NDArray[np.uint8], corner: tuple[int, int], scale: float) -> DieCandidate | None:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    outline = max(outlines, key=cv2.contourArea)
    left, top, width, height = cv2.boundingRect(outline)
    largest, smallest = max(width, height) / scale, min(width, height) / scale
    if not (SMALLEST <= largest <= LARGEST) or smallest < 0.5 * largest:
        return None
    area = cv2.contourArea(outline)
    hull = cv2.contourArea(cv2.convexHull(outline))
    if hull <= 0 or area < BOX_SHARE * 0.85 * width * height:
        return None
    radius = float(np.sqrt(hull / np.pi)) / scale * 1.06  # a hexagon's corners lie 1.1 equal-area radii away
    x, y = (corner[0] + left) / scale, (corner[1] + top) / scale
    box = Box(round(x), round(y), max(1, round(width / scale)), max(1, round(height / scale)))
    centre = (x + width / scale / 2, y + height / scale / 2)
    piece = np.asarray(mask[top : top + height, left : left + width], dtype=np.uint8)
    return DieCandidate(box, centre, radius, piece, float(area / hull))


def _same(one: DieCandidate, other: DieCandidate) -> bool:
    """Whether two candidates lie so close that they mean the same thing, at nearly the same size."""
    near = math.dist(one.centre, other.centre) < 0.25 * max(one.radius, other.radius)
    return near and 0.8 < one.radius / other.radius < 1.25  # noqa: PLR2004 - about the die network's reach

"""What a camera's picture lacks for reading dice: light, focus, nearness. As numbers; the words are the kiosk's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieReading, DieState
from vision.desk.thresholds import (
    LEAST_LIGHT,
    LEAST_LIGHT_OF_NOTHING,
    LEAST_SIDE,
    MOST_BLUR,
    MOST_GLARE,
    MOST_LEAN,
    MOST_PIXELS,
    MOST_TINT,
    NEEDED_PIXELS,
    PLAIN,
)
from vision.pose.crops import Grey
from vision.table.calibration import Calibration, mirrored
from vision.table.card import find_card, paper_white

D20_MILLIMETRES: Final = 20.0
"""How large a usual d20 is, where only the scale is known."""
_STEEP: Final = 24.0
"""The least slope of an edge that counts, in the scale of Sobel's filter: eight times the grey levels a pixel."""
_REACH: Final = 9
"""Pixels examined on both sides of an edge."""
_POINTS: Final = 300
"""Points examined on the clearest edges; a tenth of them is too few for a result."""


class HintKind(StrEnum):
    """What a hint is about; the unit of its value is named beside it."""

    SMALL = "small"  # pixels of the longer side
    DARK = "dark"  # grey levels of the brightest spots
    GLARE = "glare"  # share of the picture that is burnt out
    TINT = "tint"  # the paper's strongest colour over its weakest
    BLUR = "blur"  # pixels that an edge takes
    FAR = "far"  # pixels across the smallest die
    NEAR = "near"  # pixels across the largest die
    SCALE = "scale"  # pixels across a usual d20, where no die lies there
    MIRROR = "mirror"  # 1 where the picture is mirrored
    LEAN = "lean"  # degrees from looking straight down


SIZES: Final = frozenset({HintKind.FAR, HintKind.NEAR, HintKind.SCALE})
"""The kinds of hints about the size of dice."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing that was looked at: whether it is well, what was found, and what would do (the least or the most)."""

    kind: HintKind
    fine: bool
    value: float
    needed: float


def look_over(
    picture: NDArray[np.uint8],
    dice: Sequence[DieReading] = (),
    calibration: Calibration | None = None,
    *,
    turned: bool = False,
) -> tuple[Hint, ...]:
    """What a BGR picture lacks. What the picture cannot show is left out, as distance without a die or a scale.

    `turned` says that its dice tell that it is mirrored (`mirror.seems_mirrored`).
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    longest = float(max(grey.shape))
    small = np.asarray(cv2.resize(grey, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
    bright, spread = float(np.percentile(small, 99.5)), float(small.std())
    sighting = find_card(grey)
    least = LEAST_LIGHT if dice or sighting or spread > PLAIN else LEAST_LIGHT_OF_NOTHING
    burnt = float((small >= 250).mean())  # noqa: PLR2004 - nearly the highest grey level
    hints = [
        Hint(HintKind.SMALL, longest >= LEAST_SIDE, longest, LEAST_SIDE),
        Hint(HintKind.DARK, bright >= least, bright, least),
        Hint(HintKind.GLARE, burnt <= MOST_GLARE, burnt, MOST_GLARE),
    ]
    white = paper_white(picture, sighting)
    if white is not None and max(white) < 250:  # noqa: PLR2004 - a burnt-out paper has no colour
        tint = max(white) / max(1.0, min(white))
        hints.append(Hint(HintKind.TINT, tint <= MOST_TINT, tint, MOST_TINT))
    width = edge_width(grey)
    if width is not None:
        hints.append(Hint(HintKind.BLUR, width <= MOST_BLUR, width, MOST_BLUR))
    known = calibration.for_picture(picture.shape[1], picture.shape[0]) if calibration is not None else None
    turned = turned or mirrored(grey, sighting)
    if turned or sighting:
        hints.append(Hint(HintKind.MIRROR, not turned, float(turned), 0.0))
    hints += _nearness(
        dice, sighting.scale if sighting or known is None else known.scale, card=turned or bool(sighting)
    )
    if known is not None:
        hints.append(Hint(HintKind.LEAN, known.lean <= MOST_LEAN, known.lean, MOST_LEAN))
    return tuple(hints)


def _nearness(dice: Sequence[DieReading], scale: float | None, *, card: bool) -> list[Hint]:
    """Whether dice are large enough: those that were read, else a usual one at this `scale`, else doubtful ones.

    What is doubtful beside a `card` is a part of it. That doubtful ones are large enough proves nothing: a whole tray
    may look like one.
    """
    sides = [max(die.box.width, die.box.height) for die in dice if die.box and die.state is DieState.READ]
    if not sides and scale is not None:
        side = scale * D20_MILLIMETRES
        if side > MOST_PIXELS:
            return [Hint(HintKind.NEAR, fine=False, value=side, needed=MOST_PIXELS)]
        return [Hint(HintKind.SCALE, side >= NEEDED_PIXELS, side, NEEDED_PIXELS)]
    supposed = not sides
    if supposed and not card:
        sides = [max(die.box.width, die.box.height) for die in dice if die.box]
    if not sides:
        return []
    told = (
        Hint(HintKind.FAR, min(sides) >= NEEDED_PIXELS, float(min(sides)), NEEDED_PIXELS),
        Hint(HintKind.NEAR, max(sides) <= MOST_PIXELS, float(max(sides)), MOST_PIXELS),
    )
    return [one for one in told if not (one.fine and supposed)]


def edge_width(grey: Grey) -> float | None:
    """Pixels that the picture's clearest edges take to change from dark to light; None where there are too few.

    About 2 in a sharp picture; a Gaussian blur of `s` pixels makes it 2.6 `s`.
    """
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)
    across, along = (np.asarray(cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3), np.float32) / 8 for way in ((1, 0), (0, 1)))
    slope = cv2.magnitude(across, along)
    inner = slope[_REACH:-_REACH, _REACH:-_REACH]
    if inner.size == 0:
        return None
    peak = inner >= np.asarray(cv2.dilate(slope, np.ones((3, 3), np.uint8)))[_REACH:-_REACH, _REACH:-_REACH]
    bar = max(_STEEP / 8, float(np.percentile(inner, 99)) * 0.5)
    rows, columns = np.nonzero(peak & (inner > bar))
    if len(rows) < _POINTS // 10:
        return None
    chosen = np.argsort(-inner[rows, columns])[:_POINTS]
    rows, columns = rows[chosen] + _REACH, columns[chosen] + _REACH
    length = slope[rows, columns]
    ways = np.arange(-_REACH, _REACH + 1)
    x = np.round(columns[:, None] + ways * (across[rows, columns] / length)[:, None]).astype(int)
    y = np.round(rows[:, None] + ways * (along[rows, columns] / length)[:, None]).astype(int)
    profile = soft[np.clip(y, 0, grey.shape[0] - 1), np.clip(x, 0, grey.shape[1] - 1)]
    rising = np.diff(profile, axis=1) > 0
    # The stretch round the middle over which the profile keeps rising is the edge; its height over its steepest step.
    left = np.argmin(rising[:, :_REACH][:, ::-1], axis=1)
    right = np.argmin(rising[:, _REACH:], axis=1)
    left = np.where(rising[:, :_REACH].all(axis=1), _REACH, left)
    right = np.where(rising[:, _REACH:].all(axis=1), _REACH, right)
    number = np.arange(len(rows))
    height = profile[number, _REACH + right] - profile[number, _REACH - left]
    return float(np.median(height / np.maximum(length, 1e-3)))

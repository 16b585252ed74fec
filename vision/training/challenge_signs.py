"""The ways in which the 1 and 2 of Challenge Dice of any make are set; for their Effect see `emblems`."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.training.drawing import EDGE, MIDDLE, empty_texture, filled, outlined, regular, shrunk
from vision.training.glyphs import Fonts, Hand, Mask, numeral, star


def challenge_one_or_two(fonts: Fonts, hand: Hand, number: int) -> Mask:
    """A Challenge Die's 1 or 2 of any make: alone, underlined, framed or cut out of a badge, by the hand's design."""
    rng = np.random.default_rng(hand.design + 3)
    texture = numeral(fonts, hand, number, marked=False)
    way = rng.random()
    if way < 0.25:
        return texture
    if way < 0.3:
        low, wide = round(MIDDLE + (hand.height / 2 + 0.06) * EDGE), round(hand.height * 0.3 * EDGE)
        cv2.line(texture, (round(MIDDLE) - wide, low), (round(MIDDLE) + wide, low), 255, 4, cv2.LINE_AA)
        return texture
    texture = shrunk(texture, float(rng.uniform(0.6, 0.8)))
    reach = float(rng.uniform(0.33, 0.42))
    corners = int(rng.integers(3, 9))
    turn = float(rng.choice([0.0, math.pi / corners]))
    if way < 0.6:
        frame = regular(reach, corners if way < 0.47 else 40, turn)
    else:
        points = int(rng.integers(4, 11))
        frame = star(points, reach, reach * float(rng.uniform(0.6, 0.95))).astype(np.float64) / 16 / EDGE - 0.6
    if rng.random() < 0.08:
        badge = empty_texture()
        filled(badge, frame)
        return np.asarray(cv2.subtract(badge, texture), np.uint8)
    outlined(texture, frame, int(rng.integers(2, 5)))
    return texture

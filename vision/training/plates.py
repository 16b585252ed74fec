"""Flat things that carry what dice carry: print, paper, cards, tiles, keys; cubes but for their height."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from vision.pose.geometry import Array, Solid, cube
from vision.training.drawing import empty_texture, outlined, regular
from vision.training.paint import Lettering, Look
from vision.training.throws import PaintedDie

_HEIGHTS: Final = ((0.0, 0.0), (0.01, 0.06), (0.06, 0.3))
"""Their heights, in edges: print and paper; card and tile; key and domino."""
_SHARES: Final = (0.5, 0.2, 0.3)
"""How often each of `_HEIGHTS` is drawn."""
_STEPS: Final = 30
"""Steps an edge to which heights are rounded."""


def plate(height: float) -> Solid:
    """A cube cut down to about this height in edges, its upper face where the cube's is."""
    return _plate(round(height * _STEPS))


@cache
def _plate(steps: int) -> Solid:
    """A cube cut down to that number of steps of its height, its upper face where the cube's is."""
    whole = cube()
    vertices = whole.vertices.copy()
    below = vertices[:, 2] < 0
    vertices[below, 2] = -vertices[below, 2] - whole.edge * max(0.001, steps / _STEPS)
    return Solid("plate", vertices, whole.faces)


def is_plate(die: PaintedDie) -> bool:
    """Whether it is one of these."""
    return die.solid.name == "plate"


def flattened(die: PaintedDie, rng: np.random.Generator) -> PaintedDie:
    """A flat thing with a cube's upper face on it, in a drawn frame or not; of no kind that is read.

    Its style is "print" where it has the table's colour, else "plate".
    """
    low, high = _HEIGHTS[int(rng.choice(len(_HEIGHTS), p=_SHARES))]
    printed = high == 0.0 and rng.random() < 0.5
    letters = {face: lettering for face, lettering in die.letters.items() if face == 0}
    if printed or rng.random() < 0.25:
        upper = letters.get(0, Lettering(empty_texture(), 0))
        texture = upper.texture.copy()
        reach = float(rng.uniform(0.42, 0.49)) * math.sqrt(2)
        outlined(texture, regular(reach, 4, math.pi / 4), int(rng.integers(2, 8)))
        letters = {0: replace(upper, texture=texture)}
    solid = plate(float(rng.uniform(low, high)))
    return replace(die, kind=None, face=None, solid=solid, letters=letters, style="print" if printed else "plate")


def printed_look(look: Look, table: Array, rng: np.random.Generator) -> Look:
    """The look as print on a table of this colour (BGR, 0..255): its ink, without gloss and edges."""
    spread = rng.normal(0, 4, 3)
    body = np.clip(table + spread, 0, 255).tolist()
    return replace(look, body=(body[0], body[1], body[2]), marbling=0.0, gloss=0.0, edges=0.0, engraving=0.0)

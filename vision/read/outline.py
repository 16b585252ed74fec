"""Checks the pose of a lone d20 by the picture round it, because nothing else confirms it.

A pose that was fitted to a part of the die, or to the die and its shadow, has its outline where the picture does not
change. And where a camera looks from the side, the face that looks most like the upper one may be its neighbour: of
two faces that may be up the brighter one is likelier to be, since light falls from above.

It also checks cubes: half a domino and a piece of a pencil look square from above, and two of their sides go on beyond.
A die ends where its sides end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, View, cube, icosahedron, see
from vision.pose.networks import KIND_D20
from vision.pose.table_normal import TableNormal, up_chances
from vision.read.detection import Detection
from vision.read.evidence import Evidence
from vision.read.thresholds import (
    ASIDE_BRIGHTER,
    ASIDE_LEAN,
    ASIDE_RESTING,
    OUTLINE_CONFIRMED,
    OUTLINE_FACE,
    OUTLINE_SHARES,
    OUTLINE_SMALLER,
    THING_DIE,
    THRESHOLDS,
)

_LONG_ENOUGH: Final = 0.25
"""Shorter sides of the outline, in radii, are ignored."""
_ACROSS: Final = 0.3
"""The distance on both sides of the outline that is examined, in radii."""
_STEPS: Final = 25
"""Samples on each line across the outline."""
_SPOTS: Final = 11
"""Lines across each side of the outline."""
_AT_THE_EDGE: Final = 0.06
"""The distance from the outline, in radii, within which a change of colour counts as the die's edge."""
_NOISE: Final = 6.0
"""Smaller changes of colour are ignored."""
_BRIGHTER: Final = 20
"""How many times likelier an upper face is for being brighter: its share in brightness to this power."""
_MOST_BRIGHTER: Final = 4.2
"""The most that brightness makes a face likelier: lamps stand beside the table, too."""
_LONG_SIDE: Final = 0.6
"""Shorter sides of a cube's outline, in radii, and sides nearer to one another, are not followed."""
_BEYOND: Final = (0.2, 0.65)
"""From where to where beyond a side's end, in radii, it is followed: its rounded corner ends before."""
_OFF_BY: Final = 0.2
"""The distance, in radii, that a side may lie off the pose's."""
_CHANGE_SAMPLES: Final = 6
"""Samples over which a colour change is measured: edges are soft."""
_CLEAR: Final = 13.0
"""The least change of colour at the side of a thing: grain makes one of 10."""
_AS_CLEAR: Final = 0.45
"""The least clearness of a side beyond its end, as a share of that before: the continuation may have another colour."""
_MOSTLY: Final = 0.85
"""The least share of the `_SPOTS` lines across a side beyond its end of which that holds."""
_SAME_TABLE: Final = 30.0
"""The largest difference of the colours outside of both: the same table lies beside them."""
_PARALLEL: Final = 0.97
"""The cosine from which on two sides are parallel."""
_NO_EDGE: Final = 10.0
"""A change of colour that no more than the grain of a surface makes."""
_SHARP: Final = 60.0
"""The change of colour at the other two sides of a thing that has no edge at two opposite ones."""


def reconsidered(
    picture: NDArray[np.uint8],
    grey: Grey,
    camera: Camera,
    one: Detection,
    up: TableNormal,
    *,
    beside: Sequence[Array] = (),
) -> Detection:
    """The die after a check of its pose in the picture (BGR, and grey); doubtful if that contradicts it.

    `beside` are the outlines of what surely is a d20 in it.
    """
    if one.evidence is not None and one.verdict.kind is not DieKind.D20:
        return _unless_a_part(picture, camera, one, one.evidence, beside)
    worth = one.evidence is not None and one.evidence.face > OUTLINE_FACE and one.reading.state is not DieState.COCKED
    if one.evidence is None or not worth or up.witnesses >= OUTLINE_CONFIRMED:
        return one
    view = see(icosahedron(), one.verdict.pose, camera)
    brighter = _share_of_brightness(grey, view, one, up)
    aside = one.lean > ASIDE_LEAN and one.resting < ASIDE_RESTING and brighter < ASIDE_BRIGHTER
    # Faces that look as they were taught could not be cut out in a wrong pose.
    outlined = one.verdict.owner is not None or not _hardly_posed(picture, view, one)
    evidence = replace(one.evidence, brighter=brighter, aside=aside, outlined=outlined)
    read = one.reading.state is DieState.READ and evidence.sure()
    state, face = (DieState.READ, one.reading.face) if read else (DieState.DOUBTFUL, None)
    reading = replace(one.reading, state=state, face=face, confidence=round(evidence.confidence(), 4))
    return replace(one, reading=reading, evidence=evidence)


def d20s_beside(camera: Camera, dice: Sequence[Detection | None]) -> list[Array]:
    """The outlines of what surely is a d20 and surely is posed, whatever it shows, beside cubes that are read."""
    told = [one for one in dice if one is not None]
    if all(one.verdict.kind is DieKind.D20 or one.reading.state is not DieState.READ for one in told):
        return []
    poses = (one.verdict.pose for one in told if one.verdict.kind is DieKind.D20 and _surely_posed(one))
    return [see(icosahedron(), pose, camera).outline() for pose in poses]


def _surely_posed(one: Detection) -> bool:
    evidence = one.evidence
    return evidence is not None and evidence.die > THING_DIE and evidence.fits > THRESHOLDS.posed[evidence.kind]


def _unless_a_part(
    picture: NDArray[np.uint8], camera: Camera, one: Detection, evidence: Evidence, beside: Sequence[Array]
) -> Detection:
    """The cube, made doubtful if it is part of something longer."""
    if one.reading.state is not DieState.READ or one.verdict.owner is not None:
        return one
    if not goes_on(picture, see(cube(), one.verdict.pose, camera).outline(), one.verdict.pose.radius, beside):
        return one
    evidence = replace(evidence, part=True)
    reading = replace(
        one.reading, state=DieState.DOUBTFUL, face=None, kinds=(), confidence=round(evidence.confidence(), 4)
    )
    return replace(one, reading=reading, evidence=evidence)


def goes_on(picture: NDArray[np.uint8], outline: Array, radius: float, beside: Sequence[Array] = ()) -> bool:
    """Whether two parallel sides of the outline (corners in their order) go on beyond it to the same end, or to both.

    What shows within one of the outlines `beside` is another die.

    A side goes on where the picture changes across it beyond its end as it does along it, and on the outer side to the
    same colour. What is a little longer than the outline has no edge between two sharp sides: a card's middle.
    """
    after = np.roll(outline, -1, axis=0)
    lengths = np.linalg.norm(after - outline, axis=1)
    on: list[tuple[Array, Array]] = []
    edges: list[tuple[Array, float]] = []
    for start, end, length in zip(outline, after, lengths.tolist(), strict=True):
        if length < _LONG_SIDE * radius:
            continue
        way = (end - start) / length
        outwards = np.array([way[1], -way[0]])
        along = _across(picture, start + way * length * np.linspace(0.2, 0.8, _SPOTS)[:, None], outwards, radius)
        edges.append((way, float(np.median(along[0]))))
        for tip, onwards in ((end, way), (start, -way)):
            spots = tip + onwards * radius * np.linspace(*_BEYOND, _SPOTS)[:, None]
            inside = np.all((spots > 0) & (spots < np.array(picture.shape[1::-1]) - 1))
            if inside and not _within(spots, beside) and _alike(along, _across(picture, spots, outwards, radius)):
                on.append((tip, onwards))
    return _open_ended(edges) or any(
        float(one @ other) > _PARALLEL and abs(float(one[0] * off[1] - one[1] * off[0])) > _LONG_SIDE * radius
        for number, (spot, one) in enumerate(on)
        for tip, other in on[:number]
        for off in (tip - spot,)
    )


def _within(spots: Array, outlines: Sequence[Array]) -> bool:
    """Whether any of the spots lies in one of the outlines."""
    corners = [one.astype(np.float32) for one in outlines]
    return any(cv2.pointPolygonTest(one, spot, measureDist=False) > 0 for one in corners for spot in spots.tolist())


def _open_ended(edges: Sequence[tuple[Array, float]]) -> bool:
    """Whether two opposite sides have no edge and two others a sharp one; of each its way and the change across it."""
    pairs = [
        (change, across)
        for number, (way, change) in enumerate(edges)
        for other, across in edges[:number]
        if float(way @ other) < -_PARALLEL
    ]
    return any(max(pair) < _NO_EDGE for pair in pairs) and any(min(pair) > _SHARP for pair in pairs)


def _across(picture: NDArray[np.uint8], spots: Array, outwards: Array, radius: float) -> tuple[Array, Array]:
    """The largest change across each line, and the colour outside of it."""
    ways = np.linspace(-_OFF_BY, _OFF_BY, _STEPS) * radius
    places = np.round(spots[:, None] + outwards * ways[:, None]).astype(int)
    columns = np.clip(places[..., 0], 0, picture.shape[1] - 1)
    rows = np.clip(places[..., 1], 0, picture.shape[0] - 1)
    colours = picture[rows, columns].astype(np.float64)
    smooth = (colours[:, :-2] + colours[:, 1:-1] + colours[:, 2:]) / 3
    change = np.linalg.norm(smooth[:, _CHANGE_SAMPLES:] - smooth[:, :-_CHANGE_SAMPLES], axis=-1).max(axis=1)
    return change, smooth[:, -_CHANGE_SAMPLES:].mean(axis=1)


def _alike(along: tuple[Array, Array], beyond: tuple[Array, Array]) -> bool:
    """Whether the picture changes beyond a side's end as it does along the side."""
    enough = max(_CLEAR, _AS_CLEAR * float(np.median(along[0])))
    changes = float(np.mean(beyond[0] > enough)) > _MOSTLY
    other = np.linalg.norm(np.median(beyond[1], axis=0) - np.median(along[1], axis=0))
    return changes and float(np.median(along[0])) > _CLEAR and float(other) < _SAME_TABLE


def _hardly_posed(picture: NDArray[np.uint8], view: View, one: Detection) -> bool:
    """Whether the pose may be that of a part of the die."""
    odds = _log_odds(one.judgement.kinds[KIND_D20]) + _log_odds(one.likely)
    least = max((edge for sure, edge in OUTLINE_SHARES if odds < sure), default=0.0)
    if not least or one.judgement.scale < OUTLINE_SMALLER:
        return False
    return outline_share(picture, view.outline(), one.verdict.pose.radius) < least


def outline_share(picture: NDArray[np.uint8], outline: Array, radius: float) -> float:
    """The share of the change across an outline that lies just at it (0..1), along its two worst sides."""
    after = np.roll(outline, -1, axis=0)
    long = np.linalg.norm(after - outline, axis=1) > _LONG_ENOUGH * radius
    start, side = outline[long], (after - outline)[long]
    outwards = np.column_stack([side[:, 1], -side[:, 0]]) / np.linalg.norm(side, axis=1, keepdims=True)
    along = (np.arange(1, _SPOTS + 1) / (_SPOTS + 1))[:, None, None]
    ways = np.linspace(-_ACROSS, _ACROSS, _STEPS)
    spots = (start + side * along) + outwards * (ways * radius)[:, None, None, None]
    places = np.round(spots).astype(int)
    columns = np.clip(places[..., 0], 0, picture.shape[1] - 1)
    rows = np.clip(places[..., 1], 0, picture.shape[0] - 1)
    colours = picture[rows, columns].astype(np.float32)
    smooth = (colours[:-2] + colours[1:-1] + colours[2:]) / 3
    change = np.linalg.norm(smooth[3:] - smooth[:-3], axis=-1)
    middle = (ways[4:-1] + ways[1:-4]) / 2
    here = change[np.abs(middle) < _AT_THE_EDGE].max(axis=0)
    shares = (here / np.maximum(change.max(axis=0), _NOISE)).mean(axis=0)
    return float(np.sort(shares)[:2].mean())


def _share_of_brightness(grey: Grey, view: View, one: Detection, up: TableNormal) -> float:
    """The factor on the upper face's chance from its brightness against that of the other candidate."""
    chances = up_chances(one.verdict.pose, view.solid, up)
    rival = 1 + int(np.argmax(chances[1:]))
    brighter = _brightness(grey, view, rival) / max(1.0, _brightness(grey, view, 0))
    if brighter <= 1:
        return 1.0
    more = float(chances[rival]) * (min(_MOST_BRIGHTER, brighter**_BRIGHTER) - 1)
    return 1 / (1 + more)


def _brightness(grey: Grey, view: View, face: int) -> float:
    """The median grey level in the middle of a face."""
    patch = face_patch(grey, view, face)
    side = patch.shape[0]
    return float(np.median(patch[side // 4 : side * 3 // 4, side // 4 : side * 3 // 4]))


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(chance / (1 - chance))

"""Distinguishes print from dice: flat things do not show the sides that a cube must show, and print lies in ranks.

Away from the point below the camera a cube shows the sides that look there, by as much as the line of sight leans.
A printed square, a tile or a note shows none, wherever it lies: fitted as a cube it seems to lean towards the camera,
by some two thirds of that angle. One thing that leans so may be a die; several, each towards the camera, are print, or
the lens is narrower than was told. The d20s of the picture tell the lens, for nothing printed fits them.

A network besides looks at each thing for the sides that a cube there would have to show (`vision/read/solids.py`).

Thrown dice lie at any spin. Squares of a mat, keys, check boxes, tiles in a row are parallel to one another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from rules.dice import Symbol
from vision.pose.geometry import Array, Camera
from vision.pose.posing import PosedDie
from vision.pose.table_normal import TableNormal
from vision.read.faces import Verdict
from vision.read.thresholds import (
    EVEN,
    FLAT_BY_SIDES,
    FLAT_FACE,
    FLAT_POSED,
    FLUSH_WITHIN,
    RANKS_ON_PRINT,
    RANKS_PARALLEL,
    RANKS_SIZE,
    RANKS_TURN,
)

_LENSES: Final = ((0.0, 0.80), (0.2, 0.09), (0.38, 0.10), (0.75, 0.01))
"""How much narrower the lens may be than stated (the missing share of the lean of sight), each with its chance."""
_ALONE: Final = 0.5
"""The narrowest lens assumed without a d20 in the picture: beyond it flat things look like cubes."""
_SHARES: Final = ((0.003, 0.99), (0.3, 0.005), (0.85, 0.005))
"""The share of flat things, among those with a face and those without, each with its chance."""
_LOOK: Final = 3.0
"""The most that the network's log odds count."""
_LOOK_NARROW: Final = (0.3, 0.38)
"""The largest reduction of the weight of missing sides, and the lens at which it applies: there dice lack them, too."""
_LEAST_CHANCE: Final = 1e-6
"""Chances are no surer than this."""
_FLUSH: Final = 4.5
"""Log odds that two squares which lie flush, side on side, are flat: halves of a domino, say; dice seldom fall so."""
_FLAT: Final = 0.63
"""A flat thing seems to lean by this share of the line of sight's lean."""
_FLAT_SPREAD: Final = 0.15
"""By how much that share varies."""
_SPREAD: Final = 0.045
"""How far a fitted pose's upper face is from where it truly is, in radians, to the right and down by themselves."""
_LAG: Final = 0.4
"""Poses start from straight up and lag behind by this share of how far the camera stands askew."""
_MISPOSED: Final = (0.2, 2.5)
"""Share of badly posed dice, and the factor of their error: light or neighbours may mislead."""
_FLAT_SIDEWAYS: Final = 0.06
"""How far a flat thing's upper face is from where it truly is, in radians, across the direction of its lean."""
_LEAST_UP_SPREAD: Final = 0.035
"""The least error of the assumed "up", in radians."""
_ASKEW: Final = 0.8
"""The factor on the spread of the assumed "up" for cameras that do not stand askew."""
_LEANING: Final = (0.03, 0.75)
"""The share of dice that lean on something, and how densely their upper faces' directions lie, per square radian."""
_STEPS: Final = (4.0, 2.0, 1.0, 1.0)
"""The factors on the error of upper faces in each step of the search for "up", which may be far from the assumption."""
_SHOWN, _BLANK, _SOLID, _RANKED = range(4)
"""The sorts: cubes that show a face, cubes that show none, other solids, cubes in ranks."""
_WAYS: Final[tuple[Array, Array, Array]] = (
    np.array([narrow for narrow, _ in _LENSES for _ in _SHARES for _ in _SHARES]),
    np.array([(shown, plain, 0.0, 0.5) for _ in _LENSES for shown, _ in _SHARES for plain, _ in _SHARES]),
    np.log([one * two * three for _, one in _LENSES for _, two in _SHARES for _, three in _SHARES]),
)
"""Every lens with every share of flat things by sort, and its chance (log)."""


@dataclass(frozen=True)
class Flatness:
    """The evidence against a die: the `chance` that it is flat, and the number of things parallel to it.

    `parallel` counts cubes of its size, itself included; `ranks` those of them that, like it, show a face or none.
    """

    chance: float = 0.0
    parallel: int = 0
    ranks: int = 0

    @property
    def in_ranks(self) -> bool:
        """Whether more lie parallel to it than thrown dice do."""
        return self.parallel > RANKS_PARALLEL and self.ranks > RANKS_ON_PRINT

    @property
    def rather_print(self) -> bool:
        """Whether it is rather print than a die."""
        return self.chance > EVEN or self.in_ranks


NOT_FLAT: Final = Flatness()
"""No evidence against a die."""


@dataclass(frozen=True)
class _Slopes:
    """How far the upper faces and the ways to the camera lean to the right and down, a row each.

    Of each thing, whether it is `posed` so, and the log odds that it `looks` flat.
    """

    tops: Array
    sights: Array
    posed: Array
    looks: Array


def flatness(
    camera: Camera,
    places: Sequence[PosedDie],
    verdicts: Sequence[Verdict],
    assumed: TableNormal,
    looks: Mapping[int, float] = MappingProxyType({}),
) -> list[Flatness]:
    """The evidence for print for each place of a picture and its face; none for solids other than cubes.

    `assumed` is the table's "up" before looking at dice, `looks` the log odds that a cube (by its number among the
    places) looks flat by itself.
    """
    if not any(place.solid.name == "cube" for place in places):
        return [NOT_FLAT] * len(places)
    ranks = _ranks(places, verdicts)
    sorts = [
        (_RANKED if rank.in_ranks else _SHOWN if _shows_a_face(verdict) else _BLANK)
        if place.solid.name == "cube"
        else _SOLID
        for place, verdict, rank in zip(places, verdicts, ranks, strict=True)
    ]
    by_look = np.clip([looks.get(number, 0.0) for number in range(len(places))], -_LOOK, _LOOK)
    by_look = by_look + _FLUSH * _flush(places, sorts)
    chances = [
        _by_its_look(chance, looks.get(number, 0.0))
        for number, chance in enumerate(_flat_chances(camera, places, sorts, assumed, by_look))
    ]
    return [replace(one, chance=chance) for one, chance in zip(ranks, chances, strict=True)]


def lie_in_ranks(places: Sequence[PosedDie], verdicts: Sequence[Verdict]) -> list[bool]:
    """Whether each place of a picture, with its face, lies in ranks, as print does; the unproven say it of no other."""
    result = [one.in_ranks for one in _ranks(places, verdicts)]
    proven = [number for number, place in enumerate(places) if not place.unproven]
    ranks = _ranks([places[number] for number in proven], [verdicts[number] for number in proven])
    for number, rank in zip(proven, ranks, strict=True):
        result[number] = rank.in_ranks
    return result


def _by_its_look(chance: float, look: float) -> float:
    """The chance that a thing is flat, once sides that it shows count as much as they tell: print has none."""
    odds = math.log((chance + _LEAST_CHANCE) / (1 - chance + _LEAST_CHANCE))
    return 1 / (1 + math.exp(-(odds + FLAT_BY_SIDES * min(look, 0.0))))


def _flat_chances(
    camera: Camera, places: Sequence[PosedDie], sorts: Sequence[int], assumed: TableNormal, looks: Array
) -> list[float]:
    slopes = _Slopes(
        np.array([_slope(place.pose.rotation[:, 2]) for place in places]),
        np.array([_slope(-camera.ray(place.pose.centre)) for place in places]),
        np.array([place.posed > FLAT_POSED for place in places], np.float64),
        looks,
    )
    narrow, shares, before = _WAYS
    fits, flats = _fitted(slopes, shares[:, sorts], narrow, assumed)
    fits += np.where((narrow > _ALONE) & (_SOLID not in sorts), -np.inf, before)
    odds = np.exp(fits - np.max(fits))
    return [float(one) for one in (odds / odds.sum()) @ flats]


def _ranks(places: Sequence[PosedDie], verdicts: Sequence[Verdict]) -> list[Flatness]:
    chosen = [n for n, one in enumerate(places) if one.solid.name == "cube" and one.posed > FLAT_POSED]
    poses = [places[number].pose for number in chosen]
    spins = np.array([math.atan2(pose.rotation[1, 0], pose.rotation[0, 0]) for pose in poses])
    sizes = np.log(np.array([pose.radius for pose in poses]))
    shows = np.array([_shows_a_face(verdicts[number]) for number in chosen], bool)
    apart = np.abs((spins[:, None] - spins + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    parallel = (apart < RANKS_TURN) & (np.abs(sizes[:, None] - sizes) < math.log(RANKS_SIZE))
    alike = parallel & (shows[:, None] == shows)
    counts = dict(zip(chosen, zip(parallel.sum(axis=1).tolist(), alike.sum(axis=1).tolist(), strict=True), strict=True))
    return [Flatness(0.0, *counts.get(number, (0, 0))) for number in range(len(places))]


def _flush(places: Sequence[PosedDie], sorts: Sequence[int]) -> Array:
    """Which of the places are cubes that lie side on side with another as large, both showing a face (1, or 0)."""
    shown = np.array([sort == _SHOWN and one.posed > FLAT_POSED for one, sort in zip(places, sorts, strict=True)], bool)
    centres = np.array([place.pose.centre for place in places])
    # A pose's first axis points to a corner of the upper face, whose edges lie at half a right angle to it.
    edges = np.array([math.atan2(one.pose.rotation[1, 0], one.pose.rotation[0, 0]) for one in places]) + math.pi / 4
    radii = np.array([place.pose.radius for place in places])
    way = centres[None] - centres[:, None]
    apart = np.hypot(way[..., 0], way[..., 1]) * math.sqrt(3) / (radii[:, None] + radii)
    along = np.arctan2(way[..., 1], way[..., 0])
    near, far, askew = FLUSH_WITHIN
    off = [np.abs((along - spin + math.pi / 4) % (math.pi / 2) - math.pi / 4) for spin in (edges[:, None], edges)]
    pairs = (apart > near) & (apart < far) & (off[0] < askew) & (off[1] < askew)
    pairs &= (np.abs(np.log(radii[:, None] / radii)) < math.log(RANKS_SIZE)) & shown[:, None] & shown
    result: Array = pairs.any(axis=1).astype(np.float64)
    return result


def _shows_a_face(verdict: Verdict) -> bool:
    """Whether a face that is not blank is likelier than not."""
    face, chance = verdict.best
    return face is not Symbol.BLANK and chance > FLAT_FACE


def _fitted(slopes: _Slopes, share: Array, narrow: Array, assumed: TableNormal) -> tuple[Array, Array]:
    """How well each lens with its shares of flat things explains the picture (log), and each thing's chance to be flat.

    The table's "up" is found along with it, starting from the assumption; things not `posed` (0 or 1) do not count.
    Rows are of `narrow` and `share`, columns things.
    """
    tops, sights, posed = slopes.tops, slopes.sights, slopes.posed
    base, wide = _slope(assumed.direction), max(_LEAST_UP_SPREAD, _ASKEW * assumed.spread)
    narrow = narrow[:, None]
    flat_at = narrow + (1 - narrow) * _FLAT
    less, from_here = _LOOK_NARROW
    sides_lacking = np.maximum(slopes.looks, 0) * (1 - less * np.minimum(1, narrow / from_here))
    up = np.repeat(base[None], len(narrow), axis=0)
    with np.errstate(divide="ignore"):
        of_solid, of_flat = np.log((1 - share) * (1 - _LEANING[0])) - sides_lacking, np.log(share)
        leaning = np.log((1 - share) * _LEANING[0] * _LEANING[1]) - sides_lacking
    for wider in _STEPS:
        way, off = sights - up[:, None], tops - up[:, None]
        length = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-6)
        along = (off * way).sum(axis=-1) / length
        across = (off[..., 0] * way[..., 1] - off[..., 1] * way[..., 0]) / length
        askew = np.hypot(*(up - base).T)[:, None]
        near, aside = wider * np.hypot(_SPREAD, _LAG * askew), wider * _FLAT_SIDEWAYS
        far = wider * np.hypot(_SPREAD, _FLAT_SPREAD * length)
        well = _normal(along - narrow * length, near) + _normal(across, near)
        badly = _normal(along - narrow * length, _MISPOSED[1] * near) + _normal(across, _MISPOSED[1] * near)
        solid = of_solid + np.logaddexp(well + math.log(1 - _MISPOSED[0]), badly + math.log(_MISPOSED[0]))
        flat = of_flat + np.minimum(slopes.looks, 0) + _normal(along - flat_at * length, far) + _normal(across, aside)
        whole = np.logaddexp(np.logaddexp(solid, flat), leaning)
        fits = whole @ posed - ((up - base) ** 2).sum(axis=1) / (2 * wide**2)
        chances = np.exp(flat - whole)
        by_solid, by_flat = posed * np.exp(solid - whole) / near**2, posed * chances / far**2
        total = 1 / wide**2 + (by_solid * (1 - narrow) + by_flat * (1 - flat_at)).sum(axis=1)
        pulls = (by_solid + by_flat)[..., None] * tops - (by_solid * narrow + by_flat * flat_at)[..., None] * sights
        up = (base / wide**2 + pulls.sum(axis=1)) / total[:, None]
    return fits, chances


def _normal(off: Array, spread: Array | float) -> Array:
    """The logarithm of the normal distribution's density."""
    result: Array = -np.log(math.sqrt(2 * math.pi) * spread) - (off / spread) ** 2 / 2
    return result


def _slope(direction: Array) -> Array:
    """How far a direction towards the camera leans to the right and down, as tangents."""
    return direction[:2] / max(1e-3, -float(direction[2]))

"""Explains a die in doubt: many poses are tried, and the one counts in which its faces read best.

The pose network looks for edges, and is led astray by shadows, metal, clear resin and dice that touch. The networks
that read faces then know better: only in the true pose do several faces show whole upright numbers that stand together
on a known die. All poses tried lie about flat. How many patches are read depends on the picture alone, never on time,
so that every computer finds the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.dice import Symbol
from vision.pose.beside import shows_table
from vision.pose.crops import Grey, cube_patch
from vision.pose.geometry import Array, Camera, Pose, Solid, cube, icosahedron, lying, see
from vision.pose.narrower import alike, is_narrower, narrowed
from vision.pose.networks import KIND_CUBE, KIND_D20, Networks
from vision.pose.posing import Considered, PosedDie, mended, posed_anew
from vision.pose.refinement import turned_by, upright
from vision.pose.table_normal import TableNormal, leaning
from vision.pose.thresholds import NARROWER_SQUARES
from vision.read.closer import read_dice
from vision.read.die_evidence import DieEvidence, Shown
from vision.read.face_memory import FaceMemory
from vision.read.faces import Verdict, merit, votes_of
from vision.read.flat import lie_in_ranks
from vision.read.overlooked import is_there
from vision.read.thresholds import (
    COCKED_LEAN,
    EVEN,
    OVERLOOKED_WITHIN,
    SEARCH_APART,
    SEARCH_AS_GOOD,
    SEARCH_EITHER,
    SEARCH_GLANCE,
    SEARCH_GLANCE_SURELY,
    SEARCH_HOPELESS,
    SEARCH_LEANS,
    SEARCH_RIVAL,
    SEARCH_SURELY,
    THRESHOLDS,
    WITNESSES,
)

_SPINS: Final = {"d20": 12, "cube": 6}
"""Spins tried for each solid that lies flat: 10 degrees apart for a d20, 15 for a cube."""
_SIZES: Final = {"d20": (1.0,), "cube": (0.9, 1.0, 1.12)}
"""The sizes tried, in supposed radii. A d20's are found by moving it."""
_GLANCE: Final = 2
"""Faces of a d20 read in each first pose: the upper one and the most frontal other."""
_FACES: Final = 4
"""Faces read in each pose that is examined closely."""
_KEPT: Final = {"d20": 6, "cube": 4}
"""First poses that are examined closely."""
_ROUNDS: Final = ((1.0, 2, 6), (0.5, 1, 6), (0.25, 1, 6))
"""Each round: how far the best poses are moved (1: by `_MOVE` and `_TURN`), how many of them, and how often each."""
_MOVE: Final = 0.06
"""One standard deviation of a move, in radii, and of a growth (a logarithm)."""
_TURN: Final = math.radians(5.0)
"""One standard deviation of a turn about each axis."""
_TILT: Final = math.radians(4.0)
"""How far the upper face of a die that lies flat usually seems to lean, from the errors of its pose alone."""
_MOST_ODDS: Final = 7.0
"""The most log odds of a single witness."""
_NEVER_SURE: Final = 1e-4
"""The least chance of "no face" accepted from the network for cubes."""


@dataclass(frozen=True)
class _Scale:
    """How the log odds of a pose are made of its faces, the pose network and the closer look.

    `by_chance`: the log odds of the best of all wrong poses; `share`: the weight of the other two. Fitted to
    path-traced dice, dice of other kinds and print.
    """

    by_chance: float
    share: float


_SCALES: Final = {"d20": _Scale(4.5, 0.25), "cube": _Scale(7.4, 0.5)}
"""The scale of each solid."""


@dataclass(frozen=True)
class _Try:
    """A pose that was tried, and the log odds of its faces against those of a wrong pose (`seen`).

    `worth` is the same, reduced for a leaning die.
    """

    pose: Pose
    seen: float
    worth: float


def is_part(one: Pose, die: Pose) -> bool:
    """Whether it is a part of a die, or the die with its shadow."""
    return math.dist(one.centre, die.centre) < OVERLOOKED_WITHIN * max(one.radius, die.radius)


def in_doubt(place: PosedDie, verdict: Verdict, up: TableNormal) -> bool:
    """Whether a die is worth explaining: its face or its pose would keep it from being read.

    One that surely leans is not.
    """
    if place.fits > SEARCH_LEANS and up.witnesses >= WITNESSES and leaning(place.pose, up.direction) > COCKED_LEAN:
        return False
    glance = SEARCH_GLANCE if place.judged < SEARCH_SURELY else SEARCH_GLANCE_SURELY
    if place.glance < glance and min(place.judged, place.posed) < SEARCH_SURELY:
        return False
    return not is_clear(place, verdict)


def is_clear(place: PosedDie, verdict: Verdict) -> bool:
    """Whether neither a die's face nor its pose would keep it from being read."""
    kind = verdict.kind
    posed = place.fits > THRESHOLDS.posed[kind] and place.likely > THRESHOLDS.flat
    return posed and verdict.best[1] >= THRESHOLDS.read[kind] and verdict.support >= THRESHOLDS.support


def solids_of(place: PosedDie) -> tuple[Solid, ...]:
    """The solids that a die may be: both where the closer look was not sure."""
    kinds = place.judgement.kinds
    either = tuple(
        solid for solid, kind in ((icosahedron(), KIND_D20), (cube(), KIND_CUBE)) if kinds[kind] > SEARCH_EITHER
    )
    return either or (place.solid,)


def _log_odds(chance: float) -> float:
    """The log odds of a chance, limited to `_MOST_ODDS`."""
    return float(np.clip(math.log((chance + 1e-9) / (1 - chance + 1e-9)), -_MOST_ODDS, _MOST_ODDS))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def searched(
    shown: Shown,
    considered: Considered,
    dice: Sequence[DieEvidence],
    ups_of: Callable[[Sequence[DieEvidence]], list[TableNormal]],
    among: Sequence[Pose] | None = None,
) -> tuple[list[DieEvidence], list[DieEvidence]]:
    """The dice as found, and as the search explains them; the same if it explains none differently.

    `among` are the places that are worth a search; None: all.

    An overlooked place is a die only if it is explained, or if both looks were sure of one. What was explained tells
    together what is up (`ups_of`), and is searched for again where that was unsure. What lies in ranks, as print does,
    is not searched for: that doubt stays in any pose.
    """
    memory = FaceMemory(shown.grey, shown.networks)
    clear = [one.place.pose for one in dice if is_clear(one.place, one.verdict)]
    ranked = lie_in_ranks([one.place for one in dice], [one.verdict for one in dice])
    found, anew = [], []
    for one, in_ranks in zip(dice, ranked, strict=True):
        pose = one.place.pose
        worth = in_doubt(one.place, one.verdict, one.up) and not any(is_part(pose, die) for die in clear)
        worth = worth and not in_ranks
        worth = worth and (among is None or any(is_part(pose, place) for place in among))
        better = _explained(shown, considered, one, memory, clear) if worth else one
        first = better if one.overlooked else one
        if one.overlooked and not is_there(first.place):
            continue
        found.append(first)
        anew.append(better)
    if not any(one.explained for one in anew):
        return found, anew
    return found, _explained_together(shown, considered, found, anew, ups_of(anew))


def _explained_together(
    shown: Shown,
    considered: Considered,
    dice: Sequence[DieEvidence],
    anew: Sequence[DieEvidence],
    ups: Sequence[TableNormal],
) -> list[DieEvidence]:
    """The dice as the search explains them, searched again if "up" was unsure before.

    `dice` are as found, `anew` as explained one by one, and `ups` the directions "up" since then.
    """
    memory = FaceMemory(shown.grey, shown.networks)
    clear = [one.place.pose for one in anew if is_clear(one.place, one.verdict)]
    return [
        _explained(
            shown, considered, replace(one, up=up), memory, [pose for pose in clear if pose != better.place.pose]
        )
        if better.explained and one.up.witnesses < WITNESSES <= up.witnesses
        else better
        for one, better, up in zip(dice, anew, ups, strict=True)
    ]


def tells_up(one: DieEvidence) -> bool:
    """Whether a die may determine "up": an unproven one never, an explained one only if its face is sure."""
    if one.place.unproven:
        return False
    return not one.explained or (
        one.place.fits > THRESHOLDS.posed[one.verdict.kind] and merit(one.verdict) >= THRESHOLDS.read[one.verdict.kind]
    )


def _explained(
    shown: Shown, considered: Considered, one: DieEvidence, memory: FaceMemory, clear: Sequence[Pose]
) -> DieEvidence:
    """The die in the pose in which its faces read best, of all possible solids; unchanged if none is better.

    Smaller squares of what was posed come first, since they cost little: where one shows the die clearly, no pose is
    sought. If none that is sought does, squares yet smaller or aside count that show it clearly, and the table beside
    it. What leans there or is a part of one of the `clear` dice does not count.
    """
    first, *further = NARROWER_SQUARES
    result = _better(shown, one, [] if one.overlooked else _narrower(shown, one, first, clear))
    if is_clear(result.place, result.verdict):
        return result
    starts = [judged.place for judged in considered.judged if judged.judgement is one.place.judgement]
    search = Search(shown.grey, shown.camera, one.up, shown.networks, memory)
    sought = [
        search.better(replace(one.place, solid=solid), starts or [one.place.pose]) for solid in solids_of(one.place)
    ]
    result = _better(shown, result, sought)
    tried: list[Pose] = []
    for squares in () if one.overlooked or is_clear(result.place, result.verdict) else further:
        new = [place for place in _narrower(shown, one, squares, clear) if not _known(place.pose, tried)]
        tried += [place.pose for place in new]
        better = _better(shown, result, [place for place in new if _alone(shown, one, place, clear)])
        if is_clear(better.place, better.verdict):
            return better
    return result


def _narrower(
    shown: Shown, one: DieEvidence, squares: Sequence[tuple[float, float, float]], clear: Sequence[Pose]
) -> list[PosedDie]:
    """The die as such squares show it, where it lies flat and is no part of a clear one."""
    up = one.up.direction
    return [
        new
        for new in narrowed(shown.grey, shown.camera, up, one.place, shown.networks, squares=squares)
        if leaning(new.pose, up) < COCKED_LEAN and not any(is_part(new.pose, die) for die in clear)
    ]


def _alone(shown: Shown, one: DieEvidence, new: PosedDie, clear: Sequence[Pose]) -> bool:
    """Whether its first square held a die in this pose and the table alone; else it leans, or lies on another."""
    if new.fits < EVEN or not is_narrower(new.pose, one.place.pose):
        return False
    return shows_table(shown.picture, shown.camera, one.place.pose, [(new.solid, new.pose)], clear)


def _known(pose: Pose, tried: Sequence[Pose]) -> bool:
    """Whether a die was tried there in about this pose."""
    return any(alike(pose, one) and not _spun_apart(pose, one) for one in tried)


def _better(shown: Shown, one: DieEvidence, places: Sequence[PosedDie]) -> DieEvidence:
    """The die in that one of the places in which it reads best; unchanged if it does in none of them."""
    result = one
    least = merit(one.verdict) * min(one.place.fits, one.place.likely)
    colours = [] if one.colour is None else [one.colour] * len(places)
    for new, read_so in zip(places, read_dice(shown, places, colours), strict=True):
        blank = read_so.best[0] is Symbol.BLANK  # nothing was read in it, so that it confirms no pose
        if not blank and merit(read_so) * new.fits > least:
            least = merit(read_so) * new.fits
            result = replace(one, place=new, verdict=read_so, explained=True)
    return result


@dataclass(frozen=True)
class Search:
    """A search for a die's pose: the picture, "up" there, and the networks that read it."""

    grey: Grey
    camera: Camera
    up: TableNormal
    networks: Networks
    memory: FaceMemory

    def better(self, place: PosedDie, starts: Sequence[Pose]) -> PosedDie:
        """`place` in the pose of its solid that explains the picture best; `likely` and `fits` tell how surely it does.

        `starts` are where it may lie (their rotations do not matter).
        """
        solid = place.solid
        tried = sorted(self._all(place, starts), key=lambda one: -one.worth)
        best = tried[0]
        rivals = [one for one in tried if one.worth > best.worth - SEARCH_RIVAL and _spun_apart(one.pose, best.pose)]
        (settled,) = posed_anew(
            self.grey, self.camera, [(replace(place, pose=best.pose), self.up.direction)], self.networks
        )
        (exact,) = self._tried([settled.pose], solid, _FACES)
        if exact.seen > best.seen - SEARCH_AS_GOOD:  # edges tell how far a die leans, which its faces hardly do
            best = exact
        judged = place.judgement.kinds[KIND_D20 if solid.name == "d20" else KIND_CUBE]
        scale = _SCALES[solid.name]
        odds = best.seen - scale.by_chance + scale.share * (_log_odds(settled.fits) + _log_odds(judged))
        return replace(
            place,
            pose=best.pose,
            rivals=tuple(one.pose for one in rivals[:1]),
            likely=_chance(odds - best.seen + best.worth) if self.up.witnesses >= WITNESSES else place.likely,
            fits=_chance(odds),
        )

    def _all(self, place: PosedDie, starts: Sequence[Pose]) -> list[_Try]:
        """Every pose that was examined closely."""
        solid = place.solid
        flat = [self._upright(one, solid) for one in (place.pose, *place.rivals)]
        flat += list(self._flat(starts, solid))
        corrected = mended(self.grey, self.camera, flat, [solid] * len(flat), self.networks)
        poses = [*flat, *(self._upright(pose, solid) for pose, _ in corrected)]
        first = self._tried(poses, solid, _GLANCE)
        kept = sorted(first, key=lambda one: -one.worth)[: _KEPT[solid.name]]
        tried = self._tried([one.pose for one in kept], solid, _FACES)
        if max(one.worth for one in tried) < SEARCH_HOPELESS:
            return tried
        rng = np.random.default_rng(1)
        for reach, best, often in _ROUNDS:
            leading = sorted(tried, key=lambda one: -one.worth)[:best]
            near = [self._near(one.pose, solid, rng, reach) for one in leading for _ in range(often)]
            tried += self._tried(near, solid, _FACES)
        return tried

    def _flat(self, starts: Sequence[Pose], solid: Solid) -> Iterator[Pose]:
        turn = 2 * math.pi / len(solid.faces[0]) / _SPINS[solid.name]
        sizes = _SIZES[solid.name]
        for start in starts:
            for number, size in enumerate(sizes):
                for spin in range(_SPINS[solid.name]):
                    rotation = lying(self.up.direction, turn * (spin + number / len(sizes)))
                    yield Pose(start.centre, start.radius * size, rotation)

    def _upright(self, pose: Pose, solid: Solid) -> Pose:
        return upright(pose, self.up.direction, solid)

    def _near(self, pose: Pose, solid: Solid, rng: np.random.Generator, reach: float) -> Pose:
        right, down, growth = rng.normal(0, _MOVE * reach, 3).tolist()
        moved = pose.moved(right, down, math.exp(growth))
        turned = turned_by(rng.normal(0, _TURN * reach, 3)) @ pose.rotation
        return self._upright(Pose(moved.centre, moved.radius, turned), solid)

    def _tried(self, poses: Sequence[Pose], solid: Solid, faces: int) -> list[_Try]:
        if solid.name == "d20":
            seen = np.logaddexp.reduce(votes_of(self.memory, poses, self.camera, faces), axis=1)
        else:
            seen = self._upper_faces(poses)
        spread = math.hypot(self.up.spread, _TILT)
        leans = np.array([leaning(one, self.up.direction) for one in poses])
        worths = seen - leans**2 / (2 * spread**2)
        return [_Try(pose, float(one), float(worth)) for pose, one, worth in zip(poses, seen, worths, strict=True)]

    def _upper_faces(self, poses: Sequence[Pose]) -> Array:
        """The log odds that a cube's upper face is a whole upright one."""
        patches = [cube_patch(self.grey, see(cube(), pose, self.camera)) for pose in poses]
        none = self.networks.cubes(patches).astype(np.float64)[:, -1]
        result: Array = np.log((1 - none + _NEVER_SURE) / (none + _NEVER_SURE))
        return result


def _spun_apart(one: Pose, other: Pose) -> bool:
    """Whether two poses of a solid differ by more than a small error."""
    return math.acos(float(np.clip((np.trace(one.rotation @ other.rotation.T) - 1) / 2, -1, 1))) > SEARCH_APART

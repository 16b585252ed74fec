"""What a closer look says of a supposed die: its kind, its place, and its exact pose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey, die_crop, thing_square
from vision.pose.geometry import Array, Camera, Pose, Solid, cube, icosahedron, lean, lying
from vision.pose.networks import KIND_CUBE, KIND_D20, KIND_NONE, Judgement, Networks
from vision.pose.proposals import Proposal
from vision.pose.refinement import Correction, corrected, frontal, square_of, upright
from vision.pose.things import dice_among
from vision.pose.thresholds import (
    FINE_MOVE,
    FINE_TURN,
    GLANCE_SEEN,
    HEAP_NONE,
    LARGEST,
    MUCH_TILT,
    NONE_AT_LOOK,
    OTHER_KIND_TOLD,
    POSED_HOPELESS,
    POSED_SURELY,
    READABLE,
    SETTLED_KIND,
    SETTLED_MOVE,
    SMALLEST,
    TWIN_SIZE,
)
from vision.pose.tilts import tilt_square_of


@dataclass(frozen=True)
class PosedDie:
    """A die that can be read: what it is and how it lies, face 0 towards the assumed "up".

    `likely` is the chance that it lies about so if it lies flat under the assumed "up", and `fits` the one after its
    tilt was mended too: a die that leans, or one under a camera that does, may fit though it was not likely. `rivals`
    are the poses that were considered besides; `glance` is the chance of a die that the first look at the whole picture
    gave; `agreed` the chance that it lies so since its faces look as those of one taught die do that lie together.
    `narrowed`: a smaller square showed it, within one that held more (`narrower`). `unproven`: only the closer look at
    the whole picture saw it, and its colours do not prove it, so that it counts only beside dice that are read.
    """

    judgement: Judgement
    solid: Solid
    pose: Pose
    likely: float
    rivals: tuple[Pose, ...] = ()
    glance: float = 0.0
    fits: float = 1.0
    agreed: float = 0.0
    narrowed: bool = False
    unproven: bool = False

    @property
    def judged(self) -> float:
        """The chance of such a die that the whole square gives."""
        return max(self.judgement.kinds[KIND_D20 if self.solid.name == "d20" else KIND_CUBE], self.agreed)

    @property
    def posed(self) -> float:
        """The chance that the die lies about so, flat or not."""
        return max(self.likely, self.fits, self.agreed)

    @property
    def die(self) -> float:
        """The chance that there is such a die: what the whole square and the fitted pose say together."""
        both = self.judged * self.posed
        return both / max(1e-9, both + (1 - self.judged) * (1 - self.posed))

    @property
    def worth(self) -> float:
        """How surely there is a die just here."""
        return self.judged * self.die + 0.15 * self.glance


@dataclass(frozen=True)
class OtherDie:
    """A die of another kind ("d4", "d8", "d10" or "d12"): seen, named, not read.

    `chance` is how surely it is one, `glance` the chance of any die that the first look at the whole picture gave.
    """

    name: str
    pose: Pose
    chance: float
    glance: float = 0.0

    @property
    def surely(self) -> bool:
        """Whether it is sure enough to report: coins and other objects look like one, too."""
        return self.chance > OTHER_KIND_TOLD and self.glance > GLANCE_SEEN


@dataclass(frozen=True)
class Judged:
    """One square's judgement, the place it moves to, and the chance of a die that the first glance gave."""

    judgement: Judgement
    place: Pose
    glance: float

    @property
    def worth(self) -> float:
        """How surely there is a die just here: shadows and heaps look like dice too, but not at first glance."""
        return max(self.judgement.kinds[KIND_D20:]) + 0.15 * self.glance

    @property
    def is_d20(self) -> bool:
        """Whether it looks more like a d20 than like a cube."""
        return self.judgement.kinds[KIND_D20] >= self.judgement.kinds[KIND_CUBE]


@dataclass(frozen=True)
class Considered:
    """The result for a picture: dice to read, dice of other kinds, and all places examined.

    `judged` are places that a closer look did not reject; `seen` those of them that looked like any die at the first
    glance and at that look, including heaps of dice. `unproven` are dice that count only beside dice that are read
    (`PosedDie.unproven`).
    """

    places: tuple[PosedDie, ...]
    others: tuple[OtherDie, ...]
    proposals: tuple[Proposal, ...]
    seen: tuple[Judged, ...] = ()
    judged: tuple[Judged, ...] = ()
    small: tuple[Proposal, ...] = ()
    unproven: tuple[PosedDie, ...] = ()


def judged_at(grey: Grey, camera: Camera, up: Array, proposals: Sequence[Proposal], networks: Networks) -> list[Judged]:
    """The candidates that are dice, each looked at until its place has settled; none twice."""
    waiting = [(Pose(one.centre, one.radius, np.eye(3)), one.chance) for one in proposals]
    settled: list[Judged] = []
    for step, bar in enumerate(NONE_AT_LOOK):
        leans = [lean(camera, place.centre, up) for place, _ in waiting]
        crops = [die_crop(grey, place.centre, place.radius) for place, _ in waiting]
        again: list[Judged] = []
        for judgement, (place, glance) in zip(networks.judge(crops, leans), waiting, strict=True):
            after = place.moved(judgement.right, judgement.down, judgement.scale)
            if judgement.kinds[KIND_NONE] > bar or not plausible(after, grey.shape):
                continue
            away = max(abs(judgement.right), abs(judgement.down), abs(math.log(judgement.scale)))
            is_d20 = judgement.kinds[KIND_D20] > SETTLED_KIND
            calm = away < SETTLED_MOVE[is_d20] and max(judgement.kinds) > SETTLED_KIND
            (settled if calm or step == len(NONE_AT_LOOK) - 1 else again).append(Judged(judgement, after, glance))
        waiting = [(one.place, one.glance) for one in without_twins([*settled, *again]) if one in again]
        if not waiting:
            break
    return without_twins(settled)


def posed(grey: Grey, camera: Camera, up: Array, judged: Sequence[Judged], networks: Networks) -> list[PosedDie]:
    """The exact poses: each die's likeliest spin, mended until it fits; another spin where that one does not fit."""
    starts = [_start(one, up) for one in judged]
    solids = [icosahedron() if one.is_d20 else cube() for one in judged]
    first = mended(grey, camera, starts, solids, networks)
    unsure = [number for number, (_, change) in enumerate(first) if change.likely < POSED_SURELY]
    turned = [spun(starts[number], math.pi / (3 if solids[number].name == "d20" else 4)) for number in unsure]
    rivals: dict[int, Pose] = {}
    best = list(first)
    for number, other in zip(unsure, mended(grey, camera, turned, [solids[n] for n in unsure], networks), strict=True):
        ranked = sorted((best[number], other), key=lambda one: one[1].likely)
        rivals[number], best[number] = ranked[0][0], ranked[1]
    hopeful = [n for n, one in enumerate(judged) if one.glance or best[n][1].likely > POSED_HOPELESS]
    judged = [judged[n] for n in hopeful]
    solids, best = [solids[n] for n in hopeful], [best[n] for n in hopeful]
    rivals = {number: rivals[n] for number, n in enumerate(hopeful) if n in rivals}
    for _ in range(2):  # a d20 is mended once more after its tilt, which is what tells its pose
        rough = [n for n, (_, change) in enumerate(best) if solids[n].name == "cube" and not _fine(change)]
        anew = mended(grey, camera, [best[n][0] for n in rough], [solids[n] for n in rough], networks)
        for number, one in zip(rough, anew, strict=True):
            best[number] = one
    tilted = _tilted(grey, camera, [pose for pose, _ in best], solids, networks)
    fits = [change.likely for _, change in best]
    poses = list(tilted)
    d20s = [number for number, solid in enumerate(solids) if solid.name == "d20"]
    anew = mended(grey, camera, [tilted[n] for n in d20s], [solids[n] for n in d20s], networks)
    for number, (pose, change) in zip(d20s, anew, strict=True):
        poses[number], fits[number] = pose, change.likely
    return [
        PosedDie(
            one.judgement,
            solids[number],
            upright(poses[number], up, solids[number]),
            best[number][1].likely,
            tuple(upright(rivals[n], up, solids[n]) for n in (number,) if n in rivals),
            one.glance,
            fits[number],
        )
        for number, one in enumerate(judged)
    ]


def posed_anew(
    grey: Grey, camera: Camera, places: Sequence[tuple[PosedDie, Array]], networks: Networks
) -> list[PosedDie]:
    """The places, each with what is up there, with their poses sought anew from where they are supposed to lie."""
    solids = [one.solid for one, _ in places]
    first = mended(grey, camera, [one.pose for one, _ in places], solids, networks)
    tilted = _tilted(grey, camera, [pose for pose, _ in first], solids, networks)
    last = mended(grey, camera, tilted, solids, networks)
    return [
        replace(one, pose=upright(pose, up, one.solid), likely=before.likely, fits=after.likely)
        for (one, up), (_, before), (pose, after) in zip(places, first, last, strict=True)
    ]


def _start(one: Judged, up: Array) -> Pose:
    spin = one.judgement.d20_spin if one.is_d20 else one.judgement.cube_spin
    return Pose(one.place.centre, one.place.radius, lying(up, spin))


def spun(pose: Pose, turn: float) -> Pose:
    """The same die spun by `turn` radians about its face 0."""
    cosine, sine = math.cos(turn), math.sin(turn)
    about = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return replace(pose, rotation=pose.rotation @ about)


def mended(
    grey: Grey, camera: Camera, poses: Sequence[Pose], solids: Sequence[Solid], networks: Networks
) -> list[tuple[Pose, Correction]]:
    """Each supposed pose after the pose network's correction, with that correction."""
    squares = [square_of(grey, solid, pose, camera) for pose, solid in zip(poses, solids, strict=True)]
    return [
        (corrected(pose, change, camera), change) for pose, change in zip(poses, networks.mend(squares), strict=True)
    ]


def _tilted(
    grey: Grey, camera: Camera, poses: Sequence[Pose], solids: Sequence[Solid], networks: Networks
) -> list[Pose]:
    """The poses with their tilt corrected too, twice if the tilt is large."""
    result = list(poses)
    left = list(range(len(result)))
    for _ in range(2):
        fronts = [frontal(result[n], camera, solids[n]) for n in left]
        squares = [tilt_square_of(grey, solids[n], front, camera) for n, front in zip(left, fronts, strict=True)]
        again = []
        for number, front, change in zip(left, fronts, networks.tilts(squares), strict=True):
            result[number] = corrected(front, change, camera)
            if math.hypot(*change.rotation) > MUCH_TILT:
                again.append(number)
        left = again
    return result


def _fine(change: Correction) -> bool:
    """Whether the correction was so small that another look is not worth its time."""
    moved = max(abs(change.right), abs(change.down), abs(change.growth))
    return moved < FINE_MOVE and math.hypot(*change.rotation) < FINE_TURN


def plausible(place: Pose, shape: tuple[int, ...]) -> bool:
    """Whether a die may lie there: most of it inside the picture (of that shape), and of a size that can be judged."""
    x, y = place.centre
    spare = 0.3 * place.radius
    inside = -spare < x < shape[1] + spare and -spare < y < shape[0] + spare
    return inside and SMALLEST * 0.5 < place.radius < LARGEST * 0.6


def without_twins(judged: Sequence[Judged]) -> list[Judged]:
    """Of those that mean the same thing, at nearly the same place and size, only the one that is most surely a die."""
    kept: list[Judged] = []
    for one in sorted(judged, key=lambda one: -one.worth):
        if not any(same_die(one.place, other.place) for other in kept):
            kept.append(one)
    return kept


def same_die(one: Pose, other: Pose) -> bool:
    """Whether two squares may mean the same die, by their places and sizes."""
    larger, smaller = max(one.radius, other.radius), min(one.radius, other.radius)
    return math.dist(one.centre, other.centre) < 0.4 * larger and larger < TWIN_SIZE * smaller


def covers(one: Pose, other: Pose) -> bool:
    """Whether the middle of the other lies well within the one."""
    return math.dist(one.centre, other.centre) < 0.7 * one.radius


def surely_dice(picture: NDArray[np.uint8], judged: Sequence[Judged], networks: Networks) -> list[Judged]:
    """The sure d20s, and what is surely a die in colour, too, though its kind may be open: print looks like a cube."""
    d20s = [one for one in judged if one.judgement.kinds[KIND_D20] > SETTLED_KIND]
    others = [
        one
        for one in judged
        if one not in d20s
        and one.judgement.readable > READABLE
        and (one.judgement.kinds[KIND_CUBE] > SETTLED_KIND or one.judgement.kinds[KIND_NONE] < HEAP_NONE)
    ]
    return [*d20s, *dice_in_colour(picture, others, networks)]


def dice_in_colour(picture: NDArray[np.uint8], judged: Sequence[Judged], networks: Networks) -> list[Judged]:
    """The places at which a wider look in colour is sure of a die: a printed hexagon looks like a d20 in grey."""
    squares = [thing_square(picture, one.place.centre, one.place.radius) for one in judged]
    return [judged[number] for number in dice_among(networks, squares)]


def touches(one: PosedDie, other: PosedDie) -> bool:
    """Whether the middle of either lies well within the other."""
    return covers(one.pose, other.pose) or covers(other.pose, one.pose)

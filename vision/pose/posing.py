"""From a picture to the poses of its dice: candidates, their kinds, and their exact poses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey, die_crop, thing_square
from vision.pose.geometry import Array, Camera, Pose, Solid, cube, icosahedron, lean, lying
from vision.pose.locate import WORKING_SIDE, locate, working_size
from vision.pose.networks import KIND_CUBE, KIND_D20, KIND_NONE, Judgement, Networks
from vision.pose.proposals import CLOSER_SIDE, Proposal, shrunk
from vision.pose.refinement import Correction, corrected, frontal, square_of, upright
from vision.pose.shadow import without_shadow
from vision.pose.things import dice_among
from vision.pose.thresholds import (
    CLOSER_GUESSED,
    CLOSER_SEEN,
    DIE_TO_SIGN,
    EXPLAINED_SIZE,
    FACE_OF,
    FACE_SIZE,
    FINE_MOVE,
    FINE_TURN,
    GLANCE_SEEN,
    GLANCE_SURE,
    HEAP_FITS,
    HEAP_NONE,
    LARGEST,
    MUCH_TILT,
    NONE_AT_LOOK,
    OTHER_KIND,
    OTHER_KIND_TOLD,
    PART_SIZE,
    PART_SURELY,
    POSED_HOPELESS,
    POSED_NOT,
    POSED_SURELY,
    READABLE,
    SETTLED_KIND,
    SETTLED_MOVE,
    SHADOW_POSED,
    SILHOUETTE_ALIKE,
    SILHOUETTE_SIZES,
    SMALLEST,
    TWIN_SIZE,
    WITHIN_HEAP,
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


def places_of(
    picture: NDArray[np.uint8],
    grey: Grey,
    camera: Camera,
    up: Array,
    networks: Networks,
    *,
    inside: Callable[[tuple[float, float]], bool] | None = None,
) -> Considered:
    """All dice of a BGR picture and its grey form, for the assumed "up" (unit, camera frame).

    `inside` says of a pixel whether it lies in the tray; what lies beside it is not looked at.
    """
    proposals, small = candidates(picture, networks)
    if inside is not None:
        proposals = tuple(one for one in proposals if inside(one.centre))
    judged = _judged(grey, camera, up, [one for one in proposals if one.chance], networks)
    rest = [one for one in proposals if not one.chance and not any(_explains(die, one) for die in judged)]
    judged = _without_twins([*judged, *_judged(grey, camera, up, rest, networks)])
    at_first = judged
    unproven: list[Judged] = []
    if any(_overlooked(one, judged) for one in judged):
        closer = tuple(
            one
            for one in networks.proposals_in(*shrunk(picture, CLOSER_SIDE))
            if one.chance > CLOSER_GUESSED
            and _plausible_place(one, picture.shape)
            and (inside is None or inside(one.centre))
        )
        new = [
            one
            for one in closer
            if not any(_same_place(one, other) for other in proposals)
            and not any(_explains(die, one) and one.radius > WITHIN_HEAP * die.place.radius for die in judged)
        ]
        proposals = (*proposals, *new)
        judged_closer = _judged(grey, camera, up, new, networks)
        surely = surely_dice(picture, [one for one in judged_closer if one.glance > CLOSER_SEEN], networks)
        seen_closer = [one for one in closer if one.chance > CLOSER_SEEN]
        after_all = dice_in_colour(picture, seen_after_all(judged, seen_closer), networks)
        judged = _without_twins([*judged, *surely, *after_all])
        unproven = [
            one
            for one in judged_closer
            if max(one.judgement.kinds[KIND_D20], one.judgement.kinds[KIND_CUBE]) > SETTLED_KIND
            and not any(_same(one.place, die.place) for die in judged)
        ]
    judged, places = without_shadows(picture, grey, camera, up, judged, networks=networks)
    places += _round_signs(grey, camera, up, _signs(at_first, places), networks)
    kept = without_faces(places)
    beside = found_beside(kept, posed(grey, camera, up, unproven, networks))
    others = tuple(
        OtherDie(one.judgement.other[0], one.place, one.judgement.other[1], one.glance)
        for one in judged
        if one.judgement.other[1] > OTHER_KIND and not any(_covers(place.pose, one.place) for place in kept)
    )
    seen = tuple(one for one in judged if one.glance > GLANCE_SEEN and one.judgement.kinds[KIND_NONE] < HEAP_NONE)
    return Considered(tuple(kept), others, proposals, seen, tuple(judged), small, beside)


def found_beside(kept: Sequence[PosedDie], found: Sequence[PosedDie]) -> tuple[PosedDie, ...]:
    """The unproven dice in a sure pose that are no part of a die.

    Two and more may lie in what was taken for one die around them, unless that one's pose is sure.
    """
    sure = [replace(one, unproven=True) for one in found if min(one.judged, one.posed) > PART_SURELY]
    sure = without_faces(sure)
    return tuple(one for one in sure if not any(_touches(one, die) and not _is_heap(die, sure) for die in kept))


def _touches(one: PosedDie, other: PosedDie) -> bool:
    """Whether the middle of either lies well within the other."""
    return _covers(one.pose, other.pose) or _covers(other.pose, one.pose)


def _is_heap(one: PosedDie, dice: Sequence[PosedDie]) -> bool:
    """Whether its pose is unsure and several of the dice lie well within it."""
    inside = [die for die in dice if _covers(one.pose, die.pose) and die.pose.radius < WITHIN_HEAP * one.pose.radius]
    return one.posed < PART_SURELY and len(inside) > 1


def without_shadows(
    picture: NDArray[np.uint8], grey: Grey, camera: Camera, up: Array, judged: Sequence[Judged], *, networks: Networks
) -> tuple[list[Judged], list[PosedDie]]:
    """All that was judged, and the poses of what can be read; a die in no sure pose where it lies without its shadow.

    A square that holds the die's own shadow, too, is too large and lies aside; such a die may look like one of another
    kind. A square in which a die shows that is sure by itself holds more than its shadow, and stays.
    """
    readable = [one for one in judged if one.judgement.readable > READABLE]
    places = posed(grey, camera, up, readable, networks)
    posed_so = {id(place.judgement): place for place in places}
    sure = [place for place in places if place.posed >= SHADOW_POSED]
    lightened = grey.copy()
    alone: list[tuple[Judged, Proposal]] = []
    for one in judged:
        place = posed_so.get(id(one.judgement))
        if place.posed < SHADOW_POSED if place else one.judgement.kinds[KIND_NONE] < HEAP_NONE:
            shown = without_shadow(picture, lightened, one.place)
            if shown is not None and _narrower(shown, one.place):
                alone.append((one, Proposal(shown.centre, shown.radius, one.glance)))
    for first, seen in alone:
        for one in _judged(lightened, camera, up, [seen], networks):
            spot = Proposal(one.place.centre, one.place.radius, 0.0)
            if one.judgement.readable <= READABLE or not _same_place(spot, seen):
                continue
            if any(_same(one.place, other.pose) for other in sure):
                continue
            before = posed_so.get(id(first.judgement))
            least = max(POSED_NOT, before.posed) if before else PART_SURELY
            for place in posed(lightened, camera, up, [one], networks):
                if place.posed > least and (before or place.judged > PART_SURELY):
                    judged = [one if other is first else other for other in judged]
                    places = [other for other in places if other is not before] + [place]
    return list(judged), places


def _narrower(one: Pose, first: Pose) -> bool:
    """Whether a silhouette differs from the square that it was looked for in as a die does from one with its shadow."""
    share, apart = one.radius / first.radius, math.dist(one.centre, first.centre) / first.radius
    least, most = SILHOUETTE_SIZES
    return least < share < most and (share < SILHOUETTE_ALIKE or apart > 1 - SILHOUETTE_ALIKE)


def _signs(judged: Sequence[Judged], places: Sequence[PosedDie]) -> list[Pose]:
    """Places where the first look may have mistaken a die's sign for the die: it surely saw one, but no pose fits."""
    misfits = [
        one.judgement
        for one in places
        if one.glance > GLANCE_SURE
        and one.posed < POSED_NOT
        and not any(other.posed > POSED_SURELY and _covers(other.pose, one.pose) for other in places)
    ]
    return [one.place for one in judged if any(one.judgement is misfit for misfit in misfits)]


def _round_signs(grey: Grey, camera: Camera, up: Array, signs: Sequence[Pose], networks: Networks) -> list[PosedDie]:
    """The dice that surely lie round `signs`."""
    larger = [Proposal(one.centre, one.radius * growth, 1.0) for one in signs for growth in DIE_TO_SIGN]
    judged = [
        one
        for one in _judged(grey, camera, up, larger, networks)
        if one.judgement.readable > PART_SURELY
        and any(_covers(one.place, sign) and one.place.radius > DIE_TO_SIGN[0] * sign.radius for sign in signs)
    ]
    return [one for one in posed(grey, camera, up, judged, networks) if one.posed > PART_SURELY]


def candidates(picture: NDArray[np.uint8], networks: Networks) -> tuple[tuple[Proposal, ...], tuple[Proposal, ...]]:
    """The places where dice may lie, found by the network and by plain image processing, each once.

    Then the network's places that are too small to examine.
    """
    small, scale = shrunk(picture)
    found = list(networks.proposals_in(small, scale))
    too_small = tuple(one for one in found if 2 * one.radius < SMALLEST)
    width, height = working_size(picture)
    alike = scale == min(1.0, WORKING_SIDE / max(picture.shape[:2]))
    ready = np.ascontiguousarray(small[:height, :width]) if alike else None
    for one in locate(picture, ready):
        place = Proposal(one.centre, one.radius, 0.0)
        if not any(_same_place(place, proposal) for proposal in found):
            found.append(place)
    return tuple(one for one in found if _plausible_place(one, picture.shape)), too_small


def _judged(grey: Grey, camera: Camera, up: Array, proposals: Sequence[Proposal], networks: Networks) -> list[Judged]:
    """The candidates that are dice, each looked at until its place has settled; none twice."""
    waiting = [(Pose(one.centre, one.radius, np.eye(3)), one.chance) for one in proposals]
    settled: list[Judged] = []
    for step, bar in enumerate(NONE_AT_LOOK):
        leans = [lean(camera, place.centre, up) for place, _ in waiting]
        crops = [die_crop(grey, place.centre, place.radius) for place, _ in waiting]
        again: list[Judged] = []
        for judgement, (place, glance) in zip(networks.judge(crops, leans), waiting, strict=True):
            after = place.moved(judgement.right, judgement.down, judgement.scale)
            if judgement.kinds[KIND_NONE] > bar or not _plausible(after, grey.shape):
                continue
            away = max(abs(judgement.right), abs(judgement.down), abs(math.log(judgement.scale)))
            is_d20 = judgement.kinds[KIND_D20] > SETTLED_KIND
            calm = away < SETTLED_MOVE[is_d20] and max(judgement.kinds) > SETTLED_KIND
            (settled if calm or step == len(NONE_AT_LOOK) - 1 else again).append(Judged(judgement, after, glance))
        waiting = [(one.place, one.glance) for one in _without_twins([*settled, *again]) if one in again]
        if not waiting:
            break
    return _without_twins(settled)


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


def _plausible(place: Pose, shape: tuple[int, ...]) -> bool:
    x, y = place.centre
    spare = 0.3 * place.radius
    inside = -spare < x < shape[1] + spare and -spare < y < shape[0] + spare
    return inside and SMALLEST * 0.5 < place.radius < LARGEST * 0.6


def _overlooked(one: Judged, judged: Sequence[Judged]) -> bool:
    """Whether a closer look finds a die that the first one was unsure of: then it may have missed others.

    A find on a die that both are sure of is a part of it, or its shadow.
    """
    unsure = one.glance < GLANCE_SURE and one.judgement.kinds[KIND_NONE] < 1 - SETTLED_KIND
    return unsure and not any(
        die.glance >= GLANCE_SURE
        and die.judgement.readable > SETTLED_KIND
        and math.dist(die.place.centre, one.place.centre) < max(die.place.radius, one.place.radius)
        for die in judged
    )


def seen_after_all(judged: Sequence[Judged], closer: Sequence[Proposal]) -> list[Judged]:
    """The places that only plain image processing found, with the chance of a die that the closer look gives there."""
    return [
        replace(one, glance=seen.chance)
        for one in judged
        for seen in closer
        if not one.glance and _same_place(Proposal(one.place.centre, one.place.radius, 0.0), seen)
    ]


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


def _same_place(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals are of the same place at about the same size."""
    return (
        math.dist(one.centre, other.centre) < 0.3 * max(one.radius, other.radius)
        and 0.75 < one.radius / other.radius < 1.33  # noqa: PLR2004 - about the die network's reach
    )


def _plausible_place(one: Proposal, shape: tuple[int, ...]) -> bool:
    return _plausible(Pose(one.centre, one.radius, np.eye(3)), shape)


def _explains(die: Judged, proposal: Proposal) -> bool:
    """Whether a candidate is but another view of a die that both the glance and a closer look are sure of."""
    sure = die.glance > GLANCE_SURE and die.judgement.readable > SETTLED_KIND
    near = math.dist(die.place.centre, proposal.centre) < 0.7 * die.place.radius
    return sure and near and proposal.radius < EXPLAINED_SIZE * die.place.radius


def _without_twins(judged: Sequence[Judged]) -> list[Judged]:
    """Of those that mean the same thing, at nearly the same place and size, only the one that is most surely a die."""
    kept: list[Judged] = []
    for one in sorted(judged, key=lambda one: -one.worth):
        if not any(_same(one.place, other.place) for other in kept):
            kept.append(one)
    return kept


def _same(one: Pose, other: Pose) -> bool:
    larger, smaller = max(one.radius, other.radius), min(one.radius, other.radius)
    return math.dist(one.centre, other.centre) < 0.4 * larger and larger < TWIN_SIZE * smaller


def without_faces(places: Sequence[PosedDie]) -> list[PosedDie]:
    """Of dice inside one another only the most plausible: a die instead of its face, or instead of a heap."""
    kept: list[PosedDie] = []
    places = [one for one in places if not _heap(one, places)]
    for one in sorted(places, key=lambda one: -one.worth):
        face = any(
            other.pose.radius > FACE_SIZE * one.pose.radius
            and min(other.judged, other.die) > FACE_OF
            and _covers(other.pose, one.pose)
            for other in places
        )
        inside = any(_touches(one, other) for other in kept)
        if not face and not inside:
            kept.append(one)
    return kept


def _heap(one: PosedDie, places: Sequence[PosedDie]) -> bool:
    """Whether a place that only plain image processing found is several touching dice: two sure dice lie in it.

    Even where the outline of them all fits a large die, two that fit better and that the glance surely saw outweigh it.
    """
    if one.glance:
        return False
    dice = [
        other
        for other in places
        if min(other.judged, other.posed) > PART_SURELY
        and PART_SIZE * one.pose.radius < other.pose.radius < one.pose.radius
        and math.dist(other.pose.centre, one.pose.centre) < one.pose.radius
    ]
    if one.fits > HEAP_FITS:
        dice = [other for other in dice if other.glance > GLANCE_SURE and other.posed > one.posed]
    return any(
        (first.glance or second.glance)
        and math.dist(first.pose.centre, second.pose.centre) > max(first.pose.radius, second.pose.radius)
        for first, second in combinations(dice, 2)
    )


def _covers(one: Pose, other: Pose) -> bool:
    """Whether the middle of the other lies well within the one."""
    return math.dist(one.centre, other.centre) < 0.7 * one.radius

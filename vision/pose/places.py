"""From a picture to the places of its dice, each in its pose: found, judged, posed, and told apart from one another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.pose.beside import Lying, beside_in_colour, covered
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, Pose
from vision.pose.locate import WORKING_SIDE, locate, working_size
from vision.pose.narrower import from_smaller_squares, is_narrower
from vision.pose.networks import KIND_CUBE, KIND_D20, KIND_NONE, Networks
from vision.pose.posing import (
    Considered,
    Judged,
    OtherDie,
    PosedDie,
    covers,
    dice_in_colour,
    judged_at,
    plausible,
    posed,
    same_die,
    surely_dice,
    touches,
    without_twins,
)
from vision.pose.proposals import CLOSER_SIDE, Proposal, shrunk, smoothed
from vision.pose.shadow import without_shadow
from vision.pose.thresholds import (
    BESIDE_POSED,
    CLOSER_GUESSED,
    CLOSER_SEEN,
    DIE_TO_SIGN,
    EXPLAINED_SIZE,
    FACE_OF,
    FACE_SIZE,
    GLANCE_SEEN,
    GLANCE_SURE,
    HEAP_FITS,
    HEAP_NONE,
    OTHER_KIND,
    PART_SIZE,
    PART_SURELY,
    POSED_NOT,
    POSED_SURELY,
    READABLE,
    SETTLED_KIND,
    SHADOW_POSED,
    SILHOUETTE_SIZES,
    SMALLEST,
    WITHIN_HEAP,
)


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
    judged = judged_at(grey, camera, up, [one for one in proposals if one.chance], networks)
    rest = [one for one in proposals if not one.chance and not any(_explains(die, one) for die in judged)]
    judged = without_twins([*judged, *judged_at(grey, camera, up, rest, networks)])
    at_first = judged
    unproven: list[Judged] = []
    if any(_overlooked(one, judged) for one in judged):
        closer = _seen_closer(picture, networks, inside)
        new = [
            one
            for one in closer
            if not any(_same_place(one, other) for other in proposals)
            and not any(_explains(die, one) and one.radius > WITHIN_HEAP * die.place.radius for die in judged)
        ]
        proposals = (*proposals, *new)
        judged_closer = judged_at(grey, camera, up, new, networks)
        surely = surely_dice(picture, [one for one in judged_closer if one.glance > CLOSER_SEEN], networks)
        seen_closer = [one for one in closer if one.chance > CLOSER_SEEN]
        after_all = dice_in_colour(picture, seen_after_all(judged, seen_closer), networks)
        judged = without_twins([*judged, *surely, *after_all])
        unproven = [
            one
            for one in judged_closer
            if max(one.judgement.kinds[KIND_D20], one.judgement.kinds[KIND_CUBE]) > SETTLED_KIND
            and not any(same_die(one.place, die.place) for die in judged)
        ]
    judged, places = without_shadows(picture, grey, camera, up, judged, networks=networks)
    judged, places = from_smaller_squares(picture, grey, camera, up, judged, places=places, networks=networks)
    places += _round_signs(grey, camera, up, _signs(at_first, places), networks)
    kept = without_faces(places)
    touching = [
        (one, place)
        for one, place in _of_their_colour(picture, grey, camera, up, judged, kept=kept, networks=networks)
        if inside is None or inside(place.pose.centre)
    ]
    judged, kept = [*judged, *(one for one, _ in touching)], [*kept, *(place for _, place in touching)]
    beside = found_beside(kept, posed(grey, camera, up, unproven, networks))
    others = tuple(
        OtherDie(one.judgement.other[0], one.place, one.judgement.other[1], one.glance)
        for one in judged
        if one.judgement.other[1] > OTHER_KIND and not any(covers(place.pose, one.place) for place in kept)
    )
    seen = tuple(one for one in judged if one.glance > GLANCE_SEEN and one.judgement.kinds[KIND_NONE] < HEAP_NONE)
    return Considered(tuple(kept), others, proposals, seen, tuple(judged), small, beside)


def _seen_closer(
    picture: NDArray[np.uint8], networks: Networks, inside: Callable[[tuple[float, float]], bool] | None
) -> list[Proposal]:
    """The places of a closer look at the whole picture, and those that show only once its patterns are smoothed."""
    seen: list[Proposal] = []
    for look in (shrunk(picture, CLOSER_SIDE), smoothed(picture)):
        seen += [
            one
            for one in networks.proposals_in(*look)
            if one.chance > CLOSER_GUESSED
            and _plausible_place(one, picture.shape)
            and (inside is None or inside(one.centre))
            and not any(_same_place(one, other) for other in seen)
        ]
    return seen


def _of_their_colour(
    picture: NDArray[np.uint8],
    grey: Grey,
    camera: Camera,
    up: Array,
    judged: Sequence[Judged],
    *,
    kept: Sequence[PosedDie],
    networks: Networks,
) -> list[tuple[Judged, PosedDie]]:
    """Sure dice that touch one of those kept, in its colour, each with its judgement."""
    lying_so: dict[bool, list[Lying]] = {True: [], False: []}
    for one in kept:
        lying_so[min(one.judged, one.posed) > PART_SURELY].append((one.solid, one.pose))
    if not lying_so[True]:
        return []
    left = beside_in_colour(*shrunk(picture), camera, lying_so[True], lying_so[False])
    if not left:
        return []
    grey = covered(grey, camera, lying_so[True])
    new = [
        one
        for one in judged_at(grey, camera, up, left, networks)
        if one.judgement.readable > PART_SURELY and not any(same_die(one.place, other.place) for other in judged)
    ]
    if not new:
        return []
    places = posed(grey, camera, up, new, networks)
    return [
        (one, place)
        for one in new
        for place in places
        if place.judgement is one.judgement
        and place.posed > BESIDE_POSED
        and not any(touches(place, other) for other in kept)
    ]


def found_beside(kept: Sequence[PosedDie], found: Sequence[PosedDie]) -> tuple[PosedDie, ...]:
    """The unproven dice in a sure pose that are no part of a die.

    Two and more may lie in what was taken for one die around them, unless that one's pose is sure.
    """
    sure = [replace(one, unproven=True) for one in found if min(one.judged, one.posed) > PART_SURELY]
    sure = without_faces(sure)
    return tuple(one for one in sure if not any(touches(one, die) and not _is_heap(die, sure) for die in kept))


def _is_heap(one: PosedDie, dice: Sequence[PosedDie]) -> bool:
    """Whether its pose is unsure and several of the dice lie well within it."""
    inside = [die for die in dice if covers(one.pose, die.pose) and die.pose.radius < WITHIN_HEAP * one.pose.radius]
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
        for one in judged_at(lightened, camera, up, [seen], networks):
            spot = Proposal(one.place.centre, one.place.radius, 0.0)
            if one.judgement.readable <= READABLE or not _same_place(spot, seen):
                continue
            if any(same_die(one.place, other.pose) for other in sure):
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
    least, most = SILHOUETTE_SIZES
    return least < one.radius / first.radius < most and is_narrower(one, first)


def _signs(judged: Sequence[Judged], places: Sequence[PosedDie]) -> list[Pose]:
    """Places where the first look may have mistaken a die's sign for the die: it surely saw one, but no pose fits."""
    misfits = [
        one.judgement
        for one in places
        if one.glance > GLANCE_SURE
        and one.posed < POSED_NOT
        and not any(other.posed > POSED_SURELY and covers(other.pose, one.pose) for other in places)
    ]
    return [one.place for one in judged if any(one.judgement is misfit for misfit in misfits)]


def _round_signs(grey: Grey, camera: Camera, up: Array, signs: Sequence[Pose], networks: Networks) -> list[PosedDie]:
    """The dice that surely lie round `signs`."""
    larger = [Proposal(one.centre, one.radius * growth, 1.0) for one in signs for growth in DIE_TO_SIGN]
    judged = [
        one
        for one in judged_at(grey, camera, up, larger, networks)
        if one.judgement.readable > PART_SURELY
        and any(covers(one.place, sign) and one.place.radius > DIE_TO_SIGN[0] * sign.radius for sign in signs)
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


def _same_place(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals are of the same place at about the same size."""
    return (
        math.dist(one.centre, other.centre) < 0.3 * max(one.radius, other.radius)
        and 0.75 < one.radius / other.radius < 1.33  # noqa: PLR2004 - about the die network's reach
    )


def _plausible_place(one: Proposal, shape: tuple[int, ...]) -> bool:
    return plausible(Pose(one.centre, one.radius, np.eye(3)), shape)


def _explains(die: Judged, proposal: Proposal) -> bool:
    """Whether a candidate is but another view of a die that both the glance and a closer look are sure of."""
    sure = die.glance > GLANCE_SURE and die.judgement.readable > SETTLED_KIND
    near = math.dist(die.place.centre, proposal.centre) < 0.7 * die.place.radius
    return sure and near and proposal.radius < EXPLAINED_SIZE * die.place.radius


def without_faces(places: Sequence[PosedDie]) -> list[PosedDie]:
    """Of dice inside one another only the most plausible: a die instead of its face, or instead of a heap."""
    kept: list[PosedDie] = []
    places = [one for one in places if not _heap(one, places)]
    for one in sorted(places, key=lambda one: -one.worth):
        face = any(
            other.pose.radius > FACE_SIZE * one.pose.radius
            and min(other.judged, other.die) > FACE_OF
            and covers(other.pose, one.pose)
            for other in places
        )
        inside = any(touches(one, other) for other in kept)
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

"""Looks at supposed dice once more, in squares that lie within them.

A square that holds a die's own shadow or a neighbour makes the die look larger, and moved towards it: shadows of the
die's grey and touching dice share its outline. From a smaller square the closer look grows onto the die alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.pose.beside import shows_table
from vision.pose.crops import Grey, die_crop
from vision.pose.geometry import Array, Camera, Pose, lean
from vision.pose.networks import KIND_NONE, Networks
from vision.pose.posing import Judged, PosedDie, posed, same_die, surely_dice, touches
from vision.pose.thresholds import (
    ALIKE_MOVE,
    EVEN_POSED,
    GLANCE_SEEN,
    HEAP_NONE,
    NARROWER_LEAST,
    NARROWER_LOOKS,
    NARROWER_MOVE,
    NARROWER_SQUARES,
    PART_SURELY,
    SETTLED_KIND,
    SHADOW_POSED,
    SILHOUETTE_ALIKE,
    WITHIN_MOVES,
    WITHIN_SHARES,
)


def narrowed(
    grey: Grey,
    camera: Camera,
    up: Array,
    place: PosedDie,
    networks: Networks,
    *,
    squares: Sequence[tuple[float, float, float]] = NARROWER_SQUARES[0],
) -> list[PosedDie]:
    """The die as smaller squares show it and pose it, at most once for each of `squares`.

    None where such a square settles on another place, or is not sure of a kind.
    """
    starts = [place.pose.moved(*square) for square in squares]
    judged = [replace(one, glance=place.glance) for one in _settled(grey, camera, up, starts, networks)]
    kept = [one for one in judged if one.judgement.readable > SETTLED_KIND and _within(one.place, place.pose)]
    return [replace(one, narrowed=True) for one in posed(grey, camera, up, kept, networks)]


def _settled(grey: Grey, camera: Camera, up: Array, places: Sequence[Pose], networks: Networks) -> list[Judged]:
    """What the closer look says of each of these squares, and where it moves them to, look by look."""
    judged: list[Judged] = []
    for _ in range(NARROWER_LOOKS):
        crops = [die_crop(grey, one.centre, one.radius) for one in places]
        told = networks.judge(crops, [lean(camera, one.centre, up) for one in places])
        places = [one.moved(said.right, said.down, said.scale) for one, said in zip(places, told, strict=True)]
        judged = [Judged(said, one, 0.0) for said, one in zip(told, places, strict=True)]
    return judged


def from_smaller_squares(
    picture: NDArray[np.uint8],
    grey: Grey,
    camera: Camera,
    up: Array,
    judged: Sequence[Judged],
    *,
    places: Sequence[PosedDie],
    networks: Networks,
) -> tuple[list[Judged], list[PosedDie]]:
    """What was judged and posed; of what is in no sure pose the dice on which squares within its own settle, if any.

    A square that holds a hard shadow, a neighbour or a pattern, too, is drawn towards that. From within, it grows onto
    the die alone. What the first look at the whole picture did not see has to look like a die in colour besides. Where
    more than the table and a shadow is left of the square, the die leans, or lies on another: it stays in doubt.
    """
    posed_so = {id(place.judgement): place for place in places}
    sure = [place for place in places if place.posed >= SHADOW_POSED]
    unsure = [
        one
        for one in judged
        if one.judgement.kinds[KIND_NONE] < HEAP_NONE
        and (id(one.judgement) not in posed_so or posed_so[id(one.judgement)].posed < SHADOW_POSED)
        and not any(same_die(one.place, die.pose) for die in sure)
    ]
    starts = [
        (first, first.place.moved(right, down, share))
        for first in unsure
        for share in WITHIN_SHARES
        for right, down in WITHIN_MOVES
    ]
    found = _settled_from(grey, camera, up, starts, networks)
    found = [pair for pair in found if not any(same_die(pair[1].place, die.pose) for die in sure)]
    seen = surely_dice(picture, [one for _, one in found if one.glance <= GLANCE_SEEN], networks)
    found = [pair for pair in found if pair[1].glance > GLANCE_SEEN or any(pair[1] is one for one in seen)]
    by_judgement = {id(one.judgement): (first, one) for first, one in found}
    new: dict[int, list[tuple[Judged, PosedDie]]] = {}
    at = posed(grey, camera, up, [one for _, one in found], networks)
    for place in sorted(at, key=lambda one: -one.posed):
        first, one = by_judgement[id(place.judgement)]
        before = posed_so.get(id(first.judgement))
        least = max(PART_SURELY, before.posed if before else 0.0)
        here = new.get(id(first), [])
        surely = place.posed > least and place.judged > PART_SURELY and is_narrower(place.pose, first.place)
        if surely and not any(touches(place, die) for _, die in here):
            new[id(first)] = [*here, (one, replace(place, narrowed=True))]
    for first in unsure:
        dice = [(die.solid, die.pose) for _, die in new.get(id(first), [])]
        elsewhere = [one.place for one in judged if one is not first]
        if not dice or shows_table(picture, camera, first.place, dice, elsewhere):
            continue
        if id(first.judgement) in posed_so:
            del new[id(first)]
        else:  # nobody was asked about it
            new[id(first)] = [(one, _in_doubt(die)) for one, die in new[id(first)]]
    instead = [first for first in unsure if id(first) in new]
    replaced = {id(first.judgement) for first in instead}
    return (
        [*(one for one in judged if id(one) not in new), *(one for first in instead for one, _ in new[id(first)])],
        [
            *(one for one in places if id(one.judgement) not in replaced),
            *(place for first in instead for _, place in new[id(first)]),
        ],
    )


def _settled_from(
    grey: Grey, camera: Camera, up: Array, starts: Sequence[tuple[Judged, Pose]], networks: Networks
) -> list[tuple[Judged, Judged]]:
    """What each square within one that was judged before settles on, if that may be the same die; none twice."""
    found: list[tuple[Judged, Judged]] = []
    settled = _settled(grey, camera, up, [start for _, start in starts], networks)
    for (first, _), one in zip(starts, settled, strict=True):
        twin = any(other is first and alike(before.place, one.place) for other, before in found)
        if one.judgement.readable > SETTLED_KIND and _within(one.place, first.place) and not twin:
            found.append((first, replace(one, glance=first.glance)))
    return found


def _in_doubt(die: PosedDie) -> PosedDie:
    """The die in a pose that may be wrong."""
    return replace(die, likely=min(die.likely, EVEN_POSED), fits=min(die.fits, EVEN_POSED))


def is_narrower(one: Pose, first: Pose) -> bool:
    """Whether a die is clearly smaller than a square that held it, or lies aside in it."""
    share, apart = one.radius / first.radius, math.dist(one.centre, first.centre) / first.radius
    return share < SILHOUETTE_ALIKE or apart > 1 - SILHOUETTE_ALIKE


def alike(one: Pose, other: Pose) -> bool:
    """Whether two squares lead to the same pose, as far as their places tell."""
    return (
        math.dist(one.centre, other.centre) < ALIKE_MOVE * one.radius
        and abs(math.log(one.radius / other.radius)) < ALIKE_MOVE
    )


def _within(one: Pose, first: Pose) -> bool:
    """Whether it may be the same die: not moved far, and hardly smaller than a die with its shadow seems."""
    near = math.dist(one.centre, first.centre) < NARROWER_MOVE * first.radius
    return near and one.radius > NARROWER_LEAST * first.radius

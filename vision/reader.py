"""A picture to readings: find the dice and their poses, agree on what is up, read their faces, and doubt in time.

A die is called `read` only when its kind, its face and which of its faces is up are all beyond doubt; the bars
were set on rendered dice in fonts that the networks had not seen (docs/vision.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading
from vision.crops import Grey
from vision.doubt import Found, apart, found, large_enough, merit, worth_asking
from vision.explain import draw
from vision.faces import Verdict, around, read_cubes, read_d20s
from vision.geometry import STRAIGHT_UP, Camera, Pose
from vision.locate import SMALLEST
from vision.networks import Networks
from vision.places import Considered, Place, places_of
from vision.poses import upright
from vision.upright import Up, shared_up, ups_of_others

LONGEST_SIDE: Final = 1920
"""Pixels of the longer side that a picture is read at, at most."""
_SURE: Final = {DieKind.D20: 0.985, DieKind.CHALLENGE: 0.97, DieKind.D6: 0.97}
"""At this chance the first look is enough."""
_WORTH_ANOTHER_LOOK: Final = 0.3
"""Where no face is at least this likely, looking again from poses nearby hardly ever helps."""
_SLIGHT_SUPPORT: Final = 0.3
"""Nor where the upper face is so unlikely to be a whole face."""
_WITNESS: Final = 0.8
"""A pose so likely has a say in what is up."""


@dataclass(frozen=True)
class Seen:
    """Everything that a picture shows: its dice from left to right, and what was considered."""

    found: tuple[Found, ...]
    considered: Considered


class PictureReader:
    """Reads still pictures. Holds no state between pictures; safe to share between threads.

    `hfov` is the camera's horizontal field of view in degrees: with it the place of a die in the picture tells
    which of its faces is up, for a camera that looks about straight down.
    """

    def __init__(self, networks: Networks, hfov: float = 60.0) -> None:
        self.networks = networks
        self.hfov = hfov
        self._up = np.array(STRAIGHT_UP)

    def read(self, picture: NDArray[np.uint8]) -> tuple[DieReading, ...]:
        """Every d20, Challenge Die and d6 in a BGR picture (uint8, rows x columns x 3), from left to right.

        None in a picture too small to hold one.

        Boxes are in pixels of the picture. What cannot be known is `doubtful`, with its likeliest faces as guesses;
        what leans is `cocked`.
        A picture longer than `LONGEST_SIDE` is read from a smaller copy: its dice are larger than any that were taught.
        """
        longest = max(picture.shape[:2])
        if longest <= LONGEST_SIDE:
            return tuple(one.reading for one in self.find(picture))
        if min(picture.shape[:2]) < SMALLEST:
            return ()
        shrink = LONGEST_SIDE / longest
        smaller = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        return tuple(_enlarged(one.reading, 1 / shrink) for one in self.find(smaller))

    def find(self, picture: NDArray[np.uint8]) -> tuple[Found, ...]:
        """The same with everything behind each die: for measuring."""
        return self.look(picture).found

    def look(self, picture: NDArray[np.uint8]) -> Seen:
        """The same with everything behind the picture: for explaining and measuring."""
        height, width = picture.shape[:2]
        if min(height, width) < SMALLEST:
            return Seen((), Considered((), (), ()))
        camera = Camera(width, height, self.hfov)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        considered = places_of(picture, grey, camera, self._up, self.networks)
        ups = self._ups(considered.places)
        places = [_resting(place, up) for place, up in zip(considered.places, ups, strict=True)]
        verdicts: list[Verdict | None] = [None] * len(places)
        for is_d20 in (True, False):
            chosen = [number for number, place in enumerate(places) if (place.solid.name == "d20") is is_d20]
            read = self._d20s if is_d20 else self._cubes
            for number, verdict in zip(chosen, read(grey, camera, [places[n] for n in chosen]), strict=True):
                verdicts[number] = verdict
        dice = [
            found(grey, camera, place, verdict, up)
            for place, verdict, up in zip(places, verdicts, ups, strict=True)
            if verdict is not None
        ]
        kept = large_enough(apart([one for one in dice if worth_asking(one)]))
        return Seen(tuple(sorted(kept, key=lambda one: one.pose.centre)), considered)

    def _ups(self, places: Sequence[Place]) -> list[Up]:
        """For each die what the other ones say is up."""
        sure = [place for place in places if _surely(place)]
        posed = [(place.pose, place.solid) for place in sure]
        others = {id(place): up for place, up in zip(sure, ups_of_others(posed, self._up), strict=True)}
        everyone = shared_up(posed, self._up)
        return [others.get(id(place), everyone) for place in places]

    def _d20s(self, grey: Grey, camera: Camera, places: Sequence[Place]) -> list[Verdict]:
        def look(some: Sequence[Place], looks: Sequence[Sequence[Pose]], most: int) -> list[Verdict]:
            likely = [place.likely for place in some]
            return read_d20s(grey, looks, camera, self.networks, likely=likely, most=most)

        return _closer(places, look(places, [[place.pose] for place in places], 4), look)

    def _cubes(self, grey: Grey, camera: Camera, places: Sequence[Place]) -> list[Verdict]:
        def look(some: Sequence[Place], looks: Sequence[Sequence[Pose]], most: int) -> list[Verdict]:
            del some, most  # of a cube only the upper face is read
            return read_cubes(grey, looks, camera, self.networks)

        return _closer(places, look(places, [[place.pose] for place in places], 1), look)


def _closer(
    places: Sequence[Place],
    glances: Sequence[Verdict],
    look: Callable[[Sequence[Place], Sequence[Sequence[Pose]], int], list[Verdict]],
) -> list[Verdict]:
    """Look again at dice that a glance left unsure: at more faces from rival poses, then from poses nearby.

    Stops as soon as it is sure, and where hardly anything speaks for one face: more looks would not change that.
    The same picture always gets the same poses. Looks that contradict one another halve the chances.
    """
    best = list(glances)
    for wider, count, spread, most in ((True, 1, 0.5, 8), (False, 5, 1.0, 5)):
        again = [n for n, verdict in enumerate(best) if not _sure(verdict) and _hopeful(verdict, wider=wider)]
        looks = []
        for number in again:
            pose = best[number].pose
            rivals = places[number].rivals if wider else ()
            looks.append([pose, *rivals, *around(pose, np.random.default_rng(1), count, spread)])
        for number, after in zip(again, look([places[n] for n in again], looks, most), strict=True):
            before = best[number]
            contrary = before.best[0] != after.best[0] and min(before.best[1], after.best[1]) > 0.5  # noqa: PLR2004 - each thought itself likelier than not
            if contrary:
                halved = {face: chance / 2 for face, chance in after.chances.items()}
                best[number] = replace(after, chances=halved)
            elif merit(after) > 0.5 * merit(before):
                best[number] = after
    return best


def _hopeful(verdict: Verdict, *, wider: bool) -> bool:
    """Whether another look may help: at more faces where anything looks like a face, then where one stands out."""
    if wider:
        return verdict.support > _SLIGHT_SUPPORT or verdict.best[1] > _WORTH_ANOTHER_LOOK
    return verdict.best[1] > _WORTH_ANOTHER_LOOK


def _sure(verdict: Verdict) -> bool:
    return verdict.best[1] >= _SURE[verdict.kind] and verdict.support >= 0.9  # noqa: PLR2004 - a whole upright face


def _surely(place: Place) -> bool:
    return place.likely > _WITNESS and place.die > _WITNESS


def _resting(place: Place, up: Up) -> Place:
    """The place with face 0 towards the "up" that the dice agreed on."""
    return replace(
        place,
        pose=upright(place.pose, up.direction, place.solid),
        rivals=tuple(upright(one, up.direction, place.solid) for one in place.rivals),
    )


def _enlarged(die: DieReading, by: float) -> DieReading:
    """`die` with its box in the pixels of a picture `by` times as large."""
    if die.box is None:
        return die
    box = Box(*(round(side * by) for side in (die.box.x, die.box.y, die.box.width, die.box.height)))
    return replace(die, box=box)


def load_reader(*, hfov: float = 60.0) -> PictureReader:
    """The reader with the networks that come with trueroll. Raises `ReaderError` when they are missing or damaged."""
    return PictureReader(Networks(), hfov)


def explain(picture: NDArray[np.uint8], dice: Sequence[DieReading], *, hfov: float = 60.0) -> NDArray[np.uint8]:
    """A picture for people: what was considered, how each die is thought to lie, its faces, and what was read.

    `dice` are this picture's readings; the steps behind them are gone through again. Raises `ReaderError` as
    `load_reader` does.
    """
    height, width = picture.shape[:2]
    seen = load_reader(hfov=hfov).look(picture)
    return draw(picture, seen.considered, seen.found, dice, Camera(width, height, hfov))

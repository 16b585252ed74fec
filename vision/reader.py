"""A picture to readings: locate, judge what each thing is and how it lies, read its faces, and doubt in time.

A die is called `read` only when its kind, its face and which of its faces is up are all beyond doubt; the bars
were set on rendered dice in fonts that the networks had not seen (docs/vision.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, Guess, SourceKind, Symbol
from vision.crops import Grey, die_crop
from vision.explain import draw
from vision.faces import Verdict, around, edge_sharpness, read_cube, read_d20, spin_of, unevenness, up_chance
from vision.geometry import STRAIGHT_UP, Camera, Pose, cube, icosahedron, lean, lying, see, tilted
from vision.locate import LARGEST, SMALLEST, Candidate, locate
from vision.networks import KIND_CUBE, KIND_D20, KIND_NONE, Judgement, Networks

READ_BAR: Final = {DieKind.D20: 0.95, DieKind.CHALLENGE: 0.94, DieKind.D6: 0.94}
"""The least confidence at which a die is called `read`."""
LONGEST_SIDE: Final = 1920
"""Pixels of the longer side that a picture is read at, at most."""
_SURE: Final = {DieKind.D20: 0.975, DieKind.CHALLENGE: 0.95, DieKind.D6: 0.95}
"""At this confidence the first look is enough."""
_WORTH_ANOTHER_LOOK: Final = 0.45
"""Where no face is at least this likely, looking again from poses nearby hardly ever helps."""
_MORE_LIKELY_THAN_NOT: Final = 0.5
_DIE_BAR: Final = 0.5
"""The least chance of being one of the kinds that trueroll reads."""
_LEAST_SUPPORT: Final = 0.75
"""No die whose upper face looks less like a whole upright face than this is read; its confidence falls by a tenth."""
_LEAST_SHARPNESS: Final = 0.47
"""The least `edge_sharpness` of a cube that is read; shadows stay below."""
_PLAIN: Final = 5.0
"""The most `unevenness` of a face that is read as blank, in grey levels; faint ink is more."""
_SURELY_DIE: Final = 0.7
"""So sure a die is reported although none of its faces can be made out..."""
_LEAST_CHANCE: Final = 0.4
"""... and a less sure one only if its likeliest face is at least this likely."""
_SURELY_DIE_ALTHOUGH: Final = 0.9
"""What is contradicted (`Found.contradicted`) must be so surely a die, and show a face so likely: bare wood passes
for a blank cube until one asks whether it is plain and has edges."""
_LEAST_OF_ITS_KIND: Final = 0.6
"""Dice of one kind are at least so large, measured by the smallest that was read: 12 mm beside 20 mm."""
_WORTH_NAMING: Final = 0.01
"""Faces less likely than this are not named as guesses."""


@dataclass(frozen=True)
class Found:
    """One thing in the picture that may be a die: its squares' judgement, expected place, and what it shows.

    `contradicted` tells that its faces or its edges do not look like a die's, so that it is half as likely to be one.
    """

    judgement: Judgement
    pose: Pose
    verdict: Verdict
    reading: DieReading
    contradicted: bool = False


class PictureReader:
    """Reads still pictures. Holds no state between pictures; safe to share between threads.

    `hfov` is the camera's horizontal field of view in degrees: with it the place of a die in the picture tells
    which of its faces is up, for a camera that looks straight down.
    """

    def __init__(self, networks: Networks, hfov: float = 60.0) -> None:
        self.networks = networks
        self.hfov = hfov
        self._up = np.array(STRAIGHT_UP)

    def read(self, picture: NDArray[np.uint8]) -> tuple[DieReading, ...]:
        """Every d20, Challenge Die and d6 in a BGR picture (uint8, rows x columns x 3), from left to right.

        None in a picture too small to hold one.

        Boxes are in pixels of the picture. What cannot be known is `doubtful`, with its likeliest faces as guesses.
        A picture longer than `LONGEST_SIDE` is read from a smaller copy: its dice are larger than any that were taught.
        """
        longest = max(picture.shape[:2])
        if min(picture.shape[:2]) < SMALLEST:
            return ()
        if longest <= LONGEST_SIDE:
            return tuple(found.reading for found in self.find(picture))
        shrink = LONGEST_SIDE / longest
        smaller = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        return tuple(_enlarged(found.reading, 1 / shrink) for found in self.find(smaller))

    def find(self, picture: NDArray[np.uint8]) -> tuple[Found, ...]:
        """The same with everything behind it: for explaining and measuring."""
        height, width = picture.shape[:2]
        if min(height, width) < SMALLEST:
            return ()
        camera = Camera(width, height, self.hfov)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        judged = self._judged(grey, camera, locate(picture))
        found = [self._look(grey, camera, judgement, pose) for judgement, pose in judged]
        kept = [one for one in found if _is_die(one)]
        return tuple(sorted(large_enough(_apart(kept)), key=lambda one: one.pose.centre))

    def _judged(self, grey: Grey, camera: Camera, candidates: Sequence[Candidate]) -> list[tuple[Judgement, Pose]]:
        """The candidates that are dice to read, each looked at until its place has settled; none twice."""
        places = [Pose(one.centre, one.radius, np.eye(3)) for one in candidates]
        judgements: list[Judgement] = []
        for step in range(3):
            leans = [lean(camera, place.centre, self._up) for place in places]
            crops = [die_crop(grey, place.centre, place.radius) for place in places]
            judgements = self.networks.judge(crops, leans)
            moved = []
            kept = []
            for judgement, place in zip(judgements, places, strict=True):
                if judgement.kinds[KIND_NONE] > (0.95, 0.8, 0.5)[step]:
                    continue
                after = place.moved(judgement.right, judgement.down, judgement.scale)
                if _plausible(after, camera):
                    moved.append(after)
                    kept.append(judgement)
            judgements, places = _without_twins(kept, moved)
            if not places:
                return []
        return [
            (judgement, place)
            for judgement, place in zip(judgements, places, strict=True)
            if judgement.kinds[KIND_D20] + judgement.kinds[KIND_CUBE] > _DIE_BAR
        ]

    def _look(self, grey: Grey, camera: Camera, judgement: Judgement, place: Pose) -> Found:
        towards = lean(camera, place.centre, self._up)
        up = _leaned(camera, place, (towards[0] + judgement.lean[0], towards[1] + judgement.lean[1]))
        is_d20 = judgement.kinds[KIND_D20] >= judgement.kinds[KIND_CUBE]
        look = read_d20 if is_d20 else read_cube
        spin = judgement.d20_spin if is_d20 else judgement.cube_spin
        first = Pose(place.centre, place.radius, lying(up, spin))
        verdict = look(grey, [first], camera, self._up, self.networks)
        if not _sure(verdict):
            verdict = self._closer(grey, camera, verdict, is_d20=is_d20)
        contradicted = (
            (verdict.support < 0.1 and verdict.best[1] < 0.2)  # noqa: PLR2004 - nothing on it looks like a face
            or (not is_d20 and not self._stands_out(grey, camera, verdict))
            or (verdict.best[0] is Symbol.BLANK and unevenness(grey, verdict.pose, camera) > _PLAIN)
        )
        reading = self._reading(judgement, verdict, camera, contradicted=contradicted)
        return Found(judgement, first, verdict, reading, contradicted)

    @staticmethod
    def _stands_out(grey: Grey, camera: Camera, verdict: Verdict) -> bool:
        """Whether a cube has edges all round: a shadow has not, nor has another die joined with its shadow."""
        outline = see(cube(), verdict.pose, camera).outline()
        return edge_sharpness(grey, outline) > _LEAST_SHARPNESS

    def _closer(self, grey: Grey, camera: Camera, glance: Verdict, *, is_d20: bool) -> Verdict:
        """Look again: a d20 from other spins, then from poses nearby, then nearer still.

        Stops as soon as it is sure, and where hardly anything speaks for one face: more looks would not change that.
        The same picture always gets the same poses. Looks that contradict one another halve the chances.
        """
        rng = np.random.default_rng(1)
        look = read_d20 if is_d20 else read_cube
        best, hope = glance, glance.best[1]
        if is_d20:
            first = glance.pose
            up, spin = first.rotation[:, 2], spin_of(first)
            others = [Pose(first.centre, first.radius, lying(up, spin + turn)) for turn in (math.pi / 3, 0.35, -0.35)]
            best = look(grey, [first, *others], camera, self._up, self.networks)
            hope = max(hope, best.best[1])
        for count, spread in ((10, 1.0), (7, 0.5)):
            if _sure(best):
                break
            if hope < _WORTH_ANOTHER_LOOK:
                return max(glance, best, key=_merit)
            near = [best.pose, *around(best.pose, rng, count, spread)]
            after = look(grey, near, camera, self._up, self.networks)
            if best.best[0] != after.best[0] and best.best[1] > _MORE_LIKELY_THAN_NOT:
                return replace(after, chances={face: chance / 2 for face, chance in after.chances.items()})
            best, hope = after, after.best[1]
        return best

    def _reading(self, judgement: Judgement, verdict: Verdict, camera: Camera, *, contradicted: bool) -> DieReading:
        face, chance = verdict.best
        kind = judgement.kinds[KIND_D20] if verdict.kind is DieKind.D20 else judgement.kinds[KIND_CUBE]
        sure = chance * kind * (0.5 if contradicted else 1.0)
        if verdict.kind is DieKind.D20:
            sure *= up_chance(verdict.pose, self._up)
        if verdict.support < _LEAST_SUPPORT:
            sure *= 0.9
        sure = float(np.clip(sure, 0, 1))
        ranked = sorted(verdict.chances.items(), key=lambda item: -item[1])[:3]
        state = DieState.READ if sure >= READ_BAR[verdict.kind] else DieState.DOUBTFUL
        return DieReading(
            kind=verdict.kind,
            face=face if state is DieState.READ else None,
            confidence=round(sure, 4),
            state=state,
            source=SourceKind.CAMERA,
            box=box_of(verdict, camera),
            guesses=tuple(Guess(one, round(min(1.0, share), 4)) for one, share in ranked if share > _WORTH_NAMING),
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


def box_of(verdict: Verdict, camera: Camera) -> Box:
    """The die's bounding box, clipped to the picture."""
    solid = icosahedron() if verdict.kind is DieKind.D20 else cube()
    points = see(solid, verdict.pose, camera).points
    limit = np.array([camera.width, camera.height])
    low = np.clip(np.floor(points.min(axis=0)).astype(int), 0, limit - 1)
    high = np.clip(np.ceil(points.max(axis=0)).astype(int), low + 1, limit)
    return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def _sure(verdict: Verdict) -> bool:
    return verdict.best[1] >= _SURE[verdict.kind] and verdict.support >= 0.9  # noqa: PLR2004 - a whole upright face


def _merit(verdict: Verdict) -> float:
    return verdict.best[1] * verdict.support


def _plausible(place: Pose, camera: Camera) -> bool:
    x, y = place.centre
    inside = -0.3 * place.radius < x < camera.width + 0.3 * place.radius
    inside = inside and -0.3 * place.radius < y < camera.height + 0.3 * place.radius
    return inside and SMALLEST * 0.5 < place.radius < LARGEST * 0.6


def _without_twins(judgements: Sequence[Judgement], places: Sequence[Pose]) -> tuple[list[Judgement], list[Pose]]:
    """Of those that stand at the same place only the one that is most surely a die."""
    order = sorted(range(len(places)), key=lambda i: judgements[i].kinds[KIND_NONE])
    kept: list[int] = []
    for i in order:
        near = (
            math.dist(places[i].centre, places[j].centre) < 0.6 * max(places[i].radius, places[j].radius) for j in kept
        )
        if not any(near):
            kept.append(i)
    return [judgements[i] for i in kept], [places[i] for i in kept]


def _is_die(found: Found) -> bool:
    """Whether it is worth asking a person about."""
    kinds = found.judgement.kinds
    die = kinds[KIND_D20] + kinds[KIND_CUBE]
    shows = found.verdict.best[1] > _LEAST_CHANCE
    return (die > _SURELY_DIE_ALTHOUGH and shows) if found.contradicted else (die > _SURELY_DIE or shows)


def _apart(found: Sequence[Found]) -> list[Found]:
    """Of those that lie inside one another (a die, and a face of it taken for a small die) the more convincing."""

    def merit(one: Found) -> float:
        kinds = one.judgement.kinds
        return _merit(one.verdict) + (0.15 if one.contradicted else 0.3) * (kinds[KIND_D20] + kinds[KIND_CUBE])

    kept: list[Found] = []
    for one in sorted(found, key=merit, reverse=True):
        place = one.verdict.pose
        inside = (
            math.dist(place.centre, other.verdict.pose.centre) < 0.9 * max(place.radius, other.verdict.pose.radius)
            for other in kept
        )
        if not any(inside):
            kept.append(one)
    return kept


def large_enough(found: Sequence[Found]) -> list[Found]:
    """Without what is doubtful and far smaller than the smallest die of its kind that was read beside it.

    Dice of one kind differ little in size, and seen from above little by where they lie: what is not even
    `_LEAST_OF_ITS_KIND` as large is part of the tray or of what lies around it, unless one of its faces (not blank:
    whatever is smooth looks blank) is more likely than not.
    """
    least: dict[bool, float] = {}
    for one in found:
        if one.reading.state is DieState.READ:
            d20 = one.verdict.kind is DieKind.D20
            least[d20] = min(one.verdict.pose.radius, least.get(d20, math.inf))
    return [
        one
        for one in found
        if one.reading.state is DieState.READ
        or one.verdict.pose.radius >= _LEAST_OF_ITS_KIND * least.get(one.verdict.kind is DieKind.D20, 0.0)
        or (one.verdict.best[1] > _MORE_LIKELY_THAN_NOT and one.verdict.best[0] is not Symbol.BLANK)
    ]


def _leaned(camera: Camera, place: Pose, towards: tuple[float, float]) -> NDArray[np.float64]:
    """The "up" in the camera frame that leans so from the line of sight; the inverse of `lean`."""
    sight = -camera.ray(place.centre)
    right = np.array([1.0, 0.0, 0.0]) - sight[0] * sight
    right /= np.linalg.norm(right)
    down = np.cross(right, sight)
    local = tilted(*towards)
    result: NDArray[np.float64] = local[0] * right + local[1] * down - local[2] * sight
    return result


def explain(picture: NDArray[np.uint8], dice: Sequence[DieReading], *, hfov: float = 60.0) -> NDArray[np.uint8]:
    """A picture for people: what was considered, how each die is thought to lie, its faces, and what was read.

    `dice` are this picture's readings; the steps behind them are gone through again. Raises `ReaderError` as
    `load_reader` does.
    """
    reader = load_reader(hfov=hfov)
    height, width = picture.shape[:2]
    verdicts = [found.verdict for found in reader.find(picture)]
    return draw(picture, locate(picture), verdicts, dice, Camera(width, height, hfov))

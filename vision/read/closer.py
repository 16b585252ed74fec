"""Reads dice in their poses: a first look, then closer ones at those that stay unsure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.pose.geometry import Array, Pose
from vision.pose.posing import PosedDie
from vision.read.die_evidence import Shown
from vision.read.face_memory import FaceMemory
from vision.read.faces import Verdict, around, merit, read_cubes, read_d20s
from vision.read.thresholds import EVEN, LOOK_FACE, LOOK_SUPPORT, LOOK_SURE, LOOK_TAUGHT, LOOK_WHOLE
from vision.taught.likeness import OwnDice


@dataclass(frozen=True, eq=False)
class DiceSubset:
    """Some of a picture's dice, their colours (empty if no dice were taught), and the taught dice."""

    places: Sequence[PosedDie]
    colours: Sequence[Array]
    own: OwnDice

    def only(self, numbers: Sequence[int]) -> DiceSubset:
        """Those of these numbers."""
        return DiceSubset(
            [self.places[n] for n in numbers], [self.colours[n] for n in numbers] if self.colours else [], self.own
        )


@dataclass(frozen=True)
class _Look:
    """A closer look at `faces` faces, from the pose found so far, its `rivals` and a number of others `nearby`.

    `spread` is how far those lie (`faces.around`); a `wider` look is for all dice on which anything looks like a face.
    """

    faces: int
    rivals: bool
    nearby: int
    spread: float
    wider: bool


LOOKS_AT_D20S: Final = (_Look(8, False, 0, 0.0, True), _Look(8, True, 1, 0.5, True))  # noqa: FBT003 - a small table
"""The closer looks at d20s, one after another."""
LOOKS_AT_CUBES: Final = (_Look(8, True, 1, 0.5, True), _Look(5, False, 5, 1.0, False))  # noqa: FBT003 - likewise
"""The closer looks at cubes. Only their upper face is read, whatever `faces` says."""


def read_dice(shown: Shown, places: Sequence[PosedDie], colours: Sequence[Array]) -> list[Verdict]:
    """The face of each die in its pose; `colours` are theirs, empty if they do not count."""
    some = DiceSubset(places, colours, shown.own)
    read_so: dict[int, Verdict] = {}
    for is_d20, read in ((True, _d20s), (False, _cubes)):
        chosen = [number for number, place in enumerate(places) if (place.solid.name == "d20") is is_d20]
        read_so.update(zip(chosen, read(shown, some.only(chosen)), strict=True))
    return [read_so[number] for number in range(len(places))]


def _d20s(shown: Shown, some: DiceSubset) -> list[Verdict]:
    memory = FaceMemory(shown.grey, shown.networks)

    def look(part: DiceSubset, looks: Sequence[Sequence[Pose]], most: int) -> list[Verdict]:
        likely = [max(place.fits, place.agreed) for place in part.places]
        return read_d20s(memory, looks, shown.camera, likely=likely, most=most, own=part.own, colours=part.colours)

    return looked_closer(some, look(some, [[place.pose] for place in some.places], 3), look, LOOKS_AT_D20S)


def _cubes(shown: Shown, some: DiceSubset) -> list[Verdict]:
    def look(part: DiceSubset, looks: Sequence[Sequence[Pose]], most: int) -> list[Verdict]:
        del most  # of a cube only the upper face is read
        return read_cubes(shown.grey, looks, shown.camera, shown.networks, own=part.own, colours=part.colours)

    glances = look(some, [[place.pose] for place in some.places], 1)
    return looked_closer(some, glances, look, LOOKS_AT_CUBES)


def looked_closer(
    some: DiceSubset,
    glances: Sequence[Verdict],
    look: Callable[[DiceSubset, Sequence[Sequence[Pose]], int], list[Verdict]],
    closer: Sequence[_Look],
) -> list[Verdict]:
    """Look more closely, step by step, at dice that a first look left unsure.

    Stops as soon as it is sure, or if hardly anything supports a face: more looks would not help. The same picture
    always gets the same poses. Looks that contradict one another halve the chances.
    """
    best = list(glances)
    for one in closer:
        again = [n for n, verdict in enumerate(best) if not is_sure(verdict) and _hopeful(verdict, wider=one.wider)]
        looks = []
        for number in again:
            pose = best[number].pose
            rivals = some.places[number].rivals if one.rivals else ()
            looks.append([pose, *rivals, *around(pose, np.random.default_rng(1), one.nearby, one.spread)])
        for number, after in zip(again, look(some.only(again), looks, one.faces), strict=True):
            before = best[number]
            # More faces of a taught die outweigh what a few of them said. Of a cube every look is at the same one.
            one_die = before.owner is not None and before.owner == after.owner
            doubt = LOOK_TAUGHT if one_die and some.places[number].solid.name == "d20" else 0.5
            contrary = before.best[0] != after.best[0] and before.best[1] > doubt and after.best[1] > EVEN
            if contrary:
                halved = {face: chance / 2 for face, chance in after.chances.items()}
                best[number] = replace(after, chances=halved, sign=after.sign / 2)
            elif merit(after) > 0.5 * merit(before):
                best[number] = after
    return best


def _hopeful(verdict: Verdict, *, wider: bool) -> bool:
    """Whether another look may help: at more faces where anything looks like a face, then where one stands out."""
    if wider:
        return verdict.support > LOOK_SUPPORT or verdict.best[1] > LOOK_FACE
    return verdict.best[1] > LOOK_FACE


def is_sure(verdict: Verdict) -> bool:
    """Whether no closer look is needed: at a d20 whose few faces fit no known numbering, more of them may tell why."""
    whole = verdict.support >= LOOK_WHOLE
    return verdict.best[1] >= LOOK_SURE[verdict.kind] and whole and verdict.numbered > EVEN

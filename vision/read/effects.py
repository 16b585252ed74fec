"""Decides whether a picture on a cube is an Effect or a sign of another game, by the dice of its set and by its sides.

Each maker of Challenge Dice draws another emblem, and to the `cubes` network most of them are strange. A single die
gives no answer. The dice of one set, alike in colour and size, do: one that shows a 1 or a 2 is no symbol die of
another game; blank faces lie among Challenge Dice; one emblem stands on all of them, while other games have many; and
the sides of those that show the picture carry a 1, a 2 and blank faces, or other pictures, or a d6's numbers. A sure
Challenge Die of any set tells that such dice are thrown here.

What speaks for a Challenge Die adds up as log odds against each kind of die that may carry such a picture; the kind
that is hardest to exclude decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Symbol
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, cube, see
from vision.pose.networks import Networks
from vision.read.faces import Verdict, raised
from vision.read.sides import SQUARE_SIDE, USUAL_SIDES, side_patch, visible_sides
from vision.read.thresholds import (
    EFFECT_AGAINST,
    EFFECT_LOOK,
    EFFECT_SAME_OF_SET,
    EFFECT_SET_SIZE,
    EFFECT_SIGN,
    EFFECT_SIGN_OF_SET,
    KIND_SURE,
)
from vision.taught.colours import colour_of, of_one_dye
from vision.taught.likeness import StrangeFace


@dataclass(frozen=True)
class _Rival:
    """A kind of die that may carry a picture and is no Challenge Die, and what the dice of its set say against it.

    `sides`: the shares of `SIDE_SHOWS` on its other faces. The rest are log odds for a Challenge Die:

    * `first`: before looking; `same`: if all pictures of the set are one.
    * `challenge`: if a die of the set surely is a Challenge Die with a 1 or 2; `blank`: if one is blank.
    * `bare`: if one shows a bare 1 or 2 that may be a d6's; `numbers`: if one shows a number from 3 to 6.
    """

    sides: tuple[float, ...]
    first: float
    challenge: float
    bare: float
    blank: float
    same: float
    numbers: float


_ON_CHALLENGE: Final = (0.4, 0.1, 0.1, 0.4, 0.0, 0.0)
"""The shares of `SIDE_SHOWS` on the five other faces of a Challenge Die with an Effect up, most of them strange."""
_RIVALS: Final = (
    _Rival((0.03, 0.2, 0.72, 0.05, 0.0, 0.0), 2.0, 2.5, 2.0, 1.0, 1.0, 0.0),  # a symbol die, another picture a face
    _Rival((0.0, 0.02, 0.03, 0.2, 0.375, 0.375), 2.5, 2.0, 0.0, 0.5, 0.0, -4.5),  # a d6 with a maker's logo
    _Rival((0.33, 0.17, 0.5, 0.0, 0.0, 0.0), 2.5, 3.0, 2.5, -1.0, 0.0, 0.0),  # a die with two signs and blank faces
    _Rival(_ON_CHALLENGE, 3.5, 0.0, 0.0, 0.0, 1.0, 0.0),  # a Challenge Die's own 1 or 2 that cannot be read
)
"""The other dice that a picture may belong to; the weights were fitted to rendered tables (docs/vision-measured.md).

`first` is how seldom such a die lies on a table of this game, not how often on the tables of the measure: a picture
alone is an Effect by 7 to 1, which is not sure, and any other evidence for it is enough.
"""
_MISTAKEN: Final = 0.04
"""The chance that a side shows anything else, whatever the network says."""

_SAME_AGAIN: Final = math.log(2)
"""The log odds of each further die of its set with the same picture: rivals carry it on half as many faces at most."""
_ON_TABLE: Final = 1.0
"""The log odds of a Challenge Die of any set: where they are thrown, dice of other games seldom lie."""
_AGAIN_MOST: Final = 2
"""So many of them count at most: more dice seldom show an Effect at once, and print repeats its pictures."""
_SIZES: Final = (0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.11, 1.18, 1.25)
"""The sizes in which a picture is compared with another: those of two fitted dice are off by a tenth each."""


@dataclass(frozen=True)
class OfSet:
    """The evidence of the other dice of a set: see `_Rival`.

    `unlike`: another picture than the die in question. `again`: how many show its own beside the first that does.
    `table`: whether a die of any set surely is a Challenge Die.
    """

    challenge: bool = False
    bare: bool = False
    blank: bool = False
    same: bool = False
    unlike: bool = False
    again: int = 0
    numbers: bool = False
    table: bool = False


@dataclass(frozen=True, eq=False)
class _Cube:
    """A cube of the picture: its number, face and colour, and the tools for a closer look.

    Its sides and face are read once, because each die of a set needs those of every other one.
    """

    number: int
    verdict: Verdict
    colour: Array
    grey: Grey
    camera: Camera
    networks: Networks

    @cached_property
    def sides(self) -> Array:
        """The evidence of its visible sides against each other kind of die."""
        view = see(cube(), self.verdict.pose, self.camera)
        shown = visible_sides(view)
        if not shown:
            return np.zeros(len(_RIVALS))
        said = sides_against(self.networks.sides([side_patch(self.grey, view, side) for side in shown]))
        shares = np.minimum(1.0, view.facing[shown] / SQUARE_SIDE)
        result: Array = shares @ said
        return result

    @cached_property
    def face(self) -> StrangeFace:
        """Its upper face, ready to be compared."""
        return self._face(1.0)

    @cached_property
    def faces(self) -> tuple[StrangeFace, ...]:
        """The same in each of `_SIZES`."""
        return tuple(self._face(size) for size in _SIZES)

    def alike(self, others: Sequence[_Cube]) -> list[float]:
        """How alike the picture on each of `others` is to that on this one, whatever the error of a die's size."""
        faces = [one.face for one in others]
        return np.max([one.alike(faces) for one in self.faces], axis=0).tolist() if others else []

    def _face(self, size: float) -> StrangeFace:
        pose = self.verdict.pose.moved(0.0, 0.0, size)
        return StrangeFace.of(face_patch(self.grey, see(cube(), pose, self.camera), 0))

    @property
    def signed(self) -> bool:
        """Whether it shows a picture."""
        return self.verdict.sign > EFFECT_SIGN_OF_SET

    def of_set(self, other: _Cube) -> bool:
        """Whether both are alike in colour and size, and not one and the same."""
        one, two = self.verdict.pose, other.verdict.pose
        larger, smaller = max(one.radius, two.radius), min(one.radius, two.radius)
        alike = larger < EFFECT_SET_SIZE * smaller and of_one_dye(self.colour, other.colour)
        return alike and math.dist(one.centre, two.centre) > larger


def effects_told(
    picture: NDArray[np.uint8], grey: Grey, camera: Camera, networks: Networks, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """The dice of one picture, those with a sign with the chance that it is an Effect; the others unchanged.

    `verdicts` have told already whose bare 1s and 2s are (`kinds.kinds_told`).
    """
    result = list(verdicts)
    if not any(_may_be(one) for one in verdicts):
        return result
    cubes = [
        _Cube(n, one, colour_of(picture, one.pose, cube(), camera), grey, camera, networks)
        for n, one in enumerate(verdicts)
        if one.kind is not DieKind.D20
    ]
    for one in cubes:
        if _may_be(one.verdict):
            mates = [other for other in cubes if one.of_set(other)]
            told = np.sum([one.sides, *(other.sides for other in mates if other.signed)], axis=0)
            beside = replace(_shown_by(one, mates), table=any(_surely(other.verdict) for other in cubes))
            result[one.number] = _told(one.verdict, effect_odds(told, beside), unlike=beside.unlike)
    return result


def effect_odds(sides: Array, beside: OfSet) -> float:
    """The log odds that a picture is an Effect: against the kind of die that is hardest to exclude.

    `sides` is the evidence against each of them from its own sides and those of its set's dice with a picture.
    """
    flags = (beside.challenge, beside.bare and not beside.challenge, beside.blank, beside.same, beside.numbers)
    said = [
        one.first + sum(compress((one.challenge, one.bare, one.blank, one.same, one.numbers), flags)) for one in _RIVALS
    ]
    more = _SAME_AGAIN * min(beside.again, _AGAIN_MOST) + (_ON_TABLE if beside.table else 0.0)
    return float(np.min(np.array(said) + sides)) + more


def sides_against(rows: NDArray[np.floating]) -> Array:
    """For each side (row, its chances of `SIDE_SHOWS`) the log odds of a Challenge Die against each other kind."""
    seen = np.asarray(rows, np.float64) / np.array(USUAL_SIDES)
    shares = np.array([_ON_CHALLENGE, *(one.sides for one in _RIVALS)])
    logs = np.log((1 - _MISTAKEN) * seen @ shares.T + _MISTAKEN)
    result: Array = logs[:, :1] - logs[:, 1:]
    return result


def _shown_by(asked: _Cube, mates: Sequence[_Cube]) -> OfSet:
    """The evidence of the other dice of its set."""
    alike = asked.alike([one for one in mates if one.signed])
    same = bool(alike) and min(alike) > EFFECT_SAME_OF_SET
    sure = [one.verdict for one in mates if not one.signed and one.verdict.best[1] > KIND_SURE]
    faces = [(one.best[0], one) for one in sure]
    challenge = DieKind.CHALLENGE
    numbered = [one for face, one in faces if face in (1, 2) and (one.kind is challenge or one.shared is not None)]
    return OfSet(
        challenge=any(one.kind is challenge and one.kind_chance > KIND_SURE for one in numbered),
        bare=bool(numbered),
        blank=any(face is Symbol.BLANK for face, _ in faces),
        same=same,
        again=len(alike) - 1 if same else 0,
        unlike=bool(alike) and not same,
        numbers=any(face in (3, 4, 5, 6) for face, _ in faces),
    )


def _surely(verdict: Verdict) -> bool:
    """Whether it surely is a Challenge Die that shows a 1, a 2 or a blank face."""
    face, chance = verdict.best
    known = verdict.kind is DieKind.CHALLENGE and face is not Symbol.EFFECT
    return known and min(chance, verdict.kind_chance) > KIND_SURE


def _may_be(verdict: Verdict) -> bool:
    """Whether it shows a possible Effect on an untaught die."""
    return verdict.kind is DieKind.CHALLENGE and verdict.sign > EFFECT_SIGN and verdict.owner is None


def _told(verdict: Verdict, odds: float, *, unlike: bool) -> Verdict:
    """The verdict on a die with these log odds that its sign is an Effect; different pictures in one set are none.

    A sign that looks like a known Effect stays one unless equal evidence contradicts it. Its look and these odds know
    nothing of each other, so that they add up. A look that is strange says nothing: each maker draws another emblem.
    """
    before = verdict.chances[Symbol.EFFECT]
    chances = verdict.chances
    if odds < EFFECT_AGAINST:
        chances = chances | {Symbol.EFFECT: min(before, _chance(verdict, odds))}
    elif not unlike:
        chance = _chance(verdict, odds + min(max(verdict.emblem, 0.0), EFFECT_LOOK))
        chances = raised(chances, Symbol.EFFECT, max(before, chance))
    return replace(verdict, chances=chances, sign_odds=odds)


def _chance(verdict: Verdict, odds: float) -> float:
    """The chance of an Effect if what shows is a sign at all."""
    return verdict.sign / (1 + math.exp(-odds))

"""Decides whether a 1 or 2 without a frame is a d6's or a Challenge Die's.

The evidence adds up as log odds: the patch of its upper face, its visible sides (a numeral d6 with a 1 or 2 up shows 3
to 6 on most of them, a Challenge Die blanks and Effects), and the other cubes of the picture. Pips say nothing: they
lie among Challenge Dice as among others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.dice import FACES, DieKind
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, cube, see
from vision.pose.networks import Networks
from vision.read.faces import Verdict
from vision.read.sides import SQUARE_SIDE, USUAL_SIDES, side_patch, visible_sides
from vision.read.thresholds import KIND_BARE, KIND_SURE, KIND_TELLS_ITSELF
from vision.taught.colours import colour_of, of_one_dye

_ALONE: Final = -2.0
"""The log odds of a Challenge Die for a lone die below the lens, without a visible side: rather a d6, but doubtful."""
_USUALLY: Final = -1.0
"""The same for any other die, whose sides might tell or which lies among dice of this game: 1 to 3."""
_CHALLENGE_BESIDE: Final = (3.2, 0.4, 3)
"""The log odds added by a sure blank or Effect in the picture, by each further one, and the most of these that
count."""
_FRAMED_BESIDE: Final = -3.0
"""The log odds added by a 1 or 2 in a frame: Challenge Dice of that set have no bare ones."""
_NUMERAL_BESIDE: Final = -3.0
"""The log odds added by a sure numeral d6."""
_ALIKE: Final = 2.0
"""The log odds added for the kind of a sure die of the same colour."""
_UNLIKE: Final = -1.5
"""The log odds added if several dice of the kind share a colour that is not this die's."""
_UPPER: Final = (0.5, -1.0)
"""The weight of the patch's own log odds, and their value if the patch is undecided."""
_UPPER_MOST: Final = 2.0
"""The most that the patch's log odds count, either way."""
_SIDES: Final = 1.4
"""The weight of a side's log odds: fitted, as were those of the patch, to rendered tables (`tests/bench`)."""
_ON_CHALLENGE: Final = (0.4, 0.36, 0.04, 0.2, 0.0, 0.0)
"""The shares of `SIDE_SHOWS` on the five other faces of a Challenge Die with a 1 or 2 up."""
_ON_D6: Final = (0.0, 0.0, 0.0, 0.2, 0.8, 0.0)
"""The shares of `SIDE_SHOWS` on the five other faces of a numeral d6."""
_MISTAKEN: Final = 0.02
"""The chance that a side shows anything else, whatever the network says."""


@dataclass(frozen=True)
class KindOdds:
    """The log odds of a Challenge Die against a d6, by its upper face, its sides and the other dice."""

    upper: float
    sides: float
    beside: float

    @property
    def whole(self) -> float:
        """All together."""
        return self.upper + self.sides + self.beside


class _Says(Enum):
    """What another die is evidence for."""

    CHALLENGE = auto()
    FRAMES = auto()
    NUMERALS = auto()


@dataclass(frozen=True, eq=False)
class _Witness:
    """What another die is evidence for, and its colour."""

    says: _Says
    colour: Array


def kinds_told(
    picture: NDArray[np.uint8],
    grey: Grey,
    camera: Camera,
    networks: Networks,
    verdicts: Sequence[Verdict],
) -> list[Verdict]:
    """The dice of one picture, each bare 1 or 2 given to the likelier kind; the others are as they were.

    The verdict's `kind_chance` says how sure that is.
    """
    result = list(verdicts)
    for number, odds in odds_for(picture, grey, camera, networks, verdicts).items():
        one = verdicts[number]
        kind = DieKind.CHALLENGE if odds.whole > 0 else DieKind.D6
        chance = 1 / (1 + math.exp(-abs(odds.whole)))
        chances = {face: one.chances[face] if face in (1, 2) else 0.0 for face in FACES[DieKind.CHALLENGE]}
        result[number] = replace(
            one, kind=kind, chances=chances if kind is DieKind.CHALLENGE else one.chances, kind_chance=chance
        )
    return result


def odds_for(
    picture: NDArray[np.uint8], grey: Grey, camera: Camera, networks: Networks, verdicts: Sequence[Verdict]
) -> dict[int, KindOdds]:
    """The log odds of a Challenge Die for each verdict of a bare 1 or 2, by its place."""
    bare = [
        n for n, one in enumerate(verdicts) if one.shared is not None and one.owner is None and one.best[1] > KIND_BARE
    ]
    if not bare:
        return {}
    said = _sides_of([verdicts[number] for number in bare], grey, camera, networks)
    itself = {n: (_upper_says(verdicts[n].shared or 0.0), sides) for n, sides in zip(bare, said, strict=True)}
    tells = {n: says for n, one in enumerate(verdicts) if (says := _tells(one, itself.get(n))) is not None}
    colours = {n: colour_of(picture, verdicts[n].pose, cube(), camera) for n in {*bare, *tells}}
    result = {}
    for number, (upper, sides) in itself.items():
        pose = verdicts[number].pose
        others = {n for n, one in enumerate(verdicts) if math.dist(one.pose.centre, pose.centre) > pose.radius}
        witnesses = [_Witness(says, colours[n]) for n, says in tells.items() if n in others]
        alone = sides is None and not any(verdicts[n].best[1] > KIND_SURE for n in others)
        beside = (_ALONE if alone else _USUALLY) + _beside_says(colours[number], witnesses)
        result[number] = KindOdds(upper, sides or 0.0, beside)
    return result


def sides_say(rows: NDArray[np.floating]) -> Array:
    """For each side, from its chances of `SIDE_SHOWS`, the log odds that it is a Challenge Die's with a 1 or 2 up."""
    against = np.asarray(rows, np.float64) / np.array(USUAL_SIDES)
    challenge, plain = ((1 - _MISTAKEN) * against @ np.array(shares) + _MISTAKEN for shares in (_ON_CHALLENGE, _ON_D6))
    result: Array = _SIDES * np.log(challenge / plain)
    return result


def _sides_of(bare: Sequence[Verdict], grey: Grey, camera: Camera, networks: Networks) -> list[float | None]:
    """The log odds of each die's visible sides (None: there are none); one run of the network for all of them."""
    views = [see(cube(), one.pose, camera) for one in bare]
    sides = [(number, side) for number, view in enumerate(views) for side in visible_sides(view)]
    said = sides_say(networks.sides([side_patch(grey, views[number], side) for number, side in sides]))
    result: list[float | None] = [None] * len(bare)
    for (number, side), odds in zip(sides, said.tolist(), strict=True):
        share = min(1.0, float(views[number].facing[side]) / SQUARE_SIDE)
        result[number] = (result[number] or 0.0) + share * odds
    return result


def _upper_says(shared: float) -> float:
    shared = min(1 - 1e-6, max(1e-6, shared))
    weight, usual = _UPPER
    return max(-_UPPER_MOST, min(_UPPER_MOST, weight * (math.log(shared / (1 - shared)) - usual)))


def _beside_says(colour: Array, others: Sequence[_Witness]) -> float:
    """The evidence of the other dice for one of this colour."""
    total = _FRAMED_BESIDE if any(one.says is _Says.FRAMES for one in others) else 0.0
    first, further, most = _CHALLENGE_BESIDE
    if any(one.says is _Says.NUMERALS for one in others):
        most = 0  # both kinds lie there: the number of either is no evidence
    for says, way in ((_Says.CHALLENGE, 1), (_Says.NUMERALS, -1)):
        some = [one for one in others if one.says is says]
        if some:
            total += first + further * min(most, len(some) - 1) if says is _Says.CHALLENGE else _NUMERAL_BESIDE
            if any(of_one_dye(one.colour, colour) for one in some):
                total += way * _ALIKE
            elif any(of_one_dye(one.colour, other.colour) for one, other in combinations(some, 2)):
                total += way * _UNLIKE
    return total


def _tells(one: Verdict, itself: tuple[float, float | None] | None) -> _Says | None:
    """What a die is evidence for, if anything; `itself` are the log odds of a bare one's own face and sides."""
    face, chance = one.best
    if chance <= KIND_SURE:
        return None
    if itself is not None:
        odds = itself[0] + (itself[1] or 0.0)
        return None if abs(odds) < KIND_TELLS_ITSELF else _Says.CHALLENGE if odds > 0 else _Says.NUMERALS
    if one.owner is not None:  # a taught die is known as one of its kind, and may well carry a bare number
        return _Says.CHALLENGE if one.kind is DieKind.CHALLENGE else _Says.NUMERALS if one.numeral > KIND_SURE else None
    if one.kind is DieKind.CHALLENGE:
        return _Says.FRAMES if face in {1, 2} else _Says.CHALLENGE
    return _Says.NUMERALS if one.kind is DieKind.D6 and one.numeral > KIND_SURE else None

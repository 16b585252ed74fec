"""Dice lying at random: which solid, which numbers on its faces, how it is turned, and what it is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.dice import FACES, DieKind, Face, Symbol
from vision.pose.geometry import Array, Camera, Pose, Solid, common_layout, cube, icosahedron, lying, other_solids
from vision.training.glyphs import Fonts, Hand, challenge_number, effect, numeral, pips
from vision.training.paint import Lettering, Look

_CHALLENGE_NET: Final[tuple[Face, ...]] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)
"""The six faces of a Challenge Die."""
_MARKED: Final = frozenset({6, 9, 16, 19})
"""The numbers of a d20 that may have a dot or a line, so that 6 and 9 are told apart."""


@dataclass(frozen=True)
class PaintedDie:
    """A die ready to be painted: `kind` is None for dice that trueroll does not read, `face` is what lies up."""

    kind: DieKind | None
    face: Face | None
    solid: Solid
    letters: dict[int, Lettering]
    values: dict[int, Face]
    style: str


def d20(rng: np.random.Generator, fonts: Fonts, face: int | None = None, hand: Hand | None = None) -> PaintedDie:
    """A d20 in the common layout, its mirror image, or (one in six) a maker's own; `face` up, or any.

    With a `hand` given it is a plain one: known layout, no logo.
    """
    solid = icosahedron()
    up = int(rng.integers(1, 21)) if face is None else face
    way = rng.random() * (1.0 if hand is None else 0.8)
    numbers = list(common_layout(mirrored=way < 0.3))
    if way > 5 / 6:
        rng.shuffle(numbers)
    where = numbers.index(up)
    numbers = _turned(numbers, where)
    steady = hand is not None or rng.random() < 0.5
    hand = hand or Hand.chosen(rng, fonts)
    logo = None if steady else int(rng.integers(1, 20))
    letters = {}
    for index, number in enumerate(numbers):
        if index == logo:
            letters[index] = Lettering(effect(hand), int(rng.integers(3)))
        else:
            marked = number in _MARKED and (number < 10 or hand.design % 3 > 0)
            letters[index] = Lettering(numeral(fonts, hand, number, marked=marked), int(rng.integers(3)))
    values: dict[int, Face] = {i: n for i, n in enumerate(numbers) if i != logo}
    return PaintedDie(DieKind.D20, up, solid, letters, values, "numeral")


def _turned(numbers: list[int], up: int) -> list[int]:
    """The same numbering with face `up` brought to face 0."""
    from vision.pose.geometry import turns_of_d20  # noqa: PLC0415 - used here only

    turns = turns_of_d20()
    row = next(turn for turn in turns if turn[0] == up)
    return [numbers[index] for index in row]


def cube_die(
    rng: np.random.Generator, fonts: Fonts, kind: DieKind, face: Face | None = None, hand: Hand | None = None
) -> PaintedDie:
    """A Challenge Die, or a d6 with pips or numerals; `face` up, or any; lettered by `hand`, or any."""
    hand = hand or Hand.chosen(rng, fonts, cube=True)
    net: list[Face] = list(_CHALLENGE_NET) if kind is DieKind.CHALLENGE else list(FACES[DieKind.D6])
    up = net[int(rng.integers(6))] if face is None else face
    net.remove(up)
    rng.shuffle(net)
    shown = [up, *net]
    style = "challenge" if kind is DieKind.CHALLENGE else str(rng.choice(["pips", "numeral"]))
    letters = {}
    for index, value in enumerate(shown):
        corner = int(rng.integers(4))
        if value is Symbol.EFFECT:
            letters[index] = Lettering(effect(hand), corner)
        elif value is Symbol.BLANK:
            continue
        elif style == "challenge":
            letters[index] = Lettering(challenge_number(fonts, hand, int(value)), corner)
        elif style == "pips":
            letters[index] = Lettering(pips(hand, int(value)), corner)
        else:
            letters[index] = Lettering(numeral(fonts, hand, int(value), marked=value == 6), corner)
    return PaintedDie(kind, up, cube(), letters, dict(enumerate(shown)), style)


def other_die(rng: np.random.Generator, fonts: Fonts) -> PaintedDie:
    """A d4, d8, d10 or d12."""
    solids = other_solids()
    solid = solids[int(rng.integers(len(solids)))]
    hand = Hand.chosen(rng, fonts)
    letters = {
        index: Lettering(numeral(fonts, hand, int(rng.integers(0, 13)), marked=False), int(rng.integers(5)))
        for index in range(len(solid.faces))
    }
    return PaintedDie(None, None, solid, letters, {}, "other")


def die_of(
    rng: np.random.Generator, fonts: Fonts, kind: DieKind, face: Face | None = None, *, plain: bool = False
) -> PaintedDie:
    """A die of the kind, `face` up or any; a `plain` one has bold, middling lettering and no surprises."""
    is_d20 = kind is DieKind.D20
    hand = Hand.plain(rng, cube=not is_d20) if plain else None
    if is_d20:
        return d20(rng, fonts, None if face is None else int(face), hand)
    return cube_die(rng, fonts, kind, face, hand)


def resting(die: PaintedDie, centre: tuple[float, float], radius: float, up: Array, spin: float) -> Pose:
    """The pose of the die lying on a table whose "up" is given; a d4 lies with a corner up."""
    if len(die.solid.faces) == 4:
        turned = lying(-up, spin)
        return Pose(centre, radius, turned)
    return Pose(centre, radius, lying(up, spin))


def spot_in(camera: Camera, rng: np.random.Generator, margin: float) -> tuple[float, float]:
    """A random place in the picture, `margin` pixels from its edges."""
    return (
        float(rng.uniform(margin, max(margin, camera.width - margin))),
        float(rng.uniform(margin, max(margin, camera.height - margin))),
    )


FULL_TURN: Final = 2 * math.pi
"""A whole turn in radians."""


def readable_look(look: Look, least: float = 90.0) -> bool:
    """Whether ink and body differ by more than `least` grey levels, so that a person reads the die at a glance."""
    weights = np.array([0.114, 0.587, 0.299])
    return abs(float(np.array(look.body) @ weights - np.array(look.ink) @ weights)) > least


def plain_look(look: Look, table: Array) -> bool:
    """Whether a die of this look is easy to see on a table of this colour and easy to read."""
    apart = float(np.abs(np.array(look.body) - table).max())
    calm = look.marbling < 0.25 and look.gloss < 0.45 and abs(look.edges) < 0.2
    return calm and apart > 60 and readable_look(look, 140.0)

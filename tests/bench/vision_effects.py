"""`python -m tests.bench.vision_effects`: are Effects told from the signs of other games, by the dice of their sets?

Rendered tables of cubes in sets. Challenge Dice by themselves, with symbol dice of another game (of a look of their
own, or of the very same one) and with d6s that carry the emblem as a logo; dice of two signs and blank faces; d6s with
a logo, and symbol dice, by themselves. No network was taught with these emblems. Of dice that are none of ours every
one that is read counts as wrong.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState, Face, Symbol
from tests.bench.own_scenes import same_sign
from tests.bench.ray_traced.emblems import EMBLEMS, FRAMES, Layers, Shape, layered
from tests.bench.ray_traced.looks import Part
from vision.pose.geometry import Camera, cube, tilted
from vision.read.reader import load_reader
from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Fonts, Hand, Mask, challenge_number, numeral, pips
from vision.training.paint import Lettering, Look, light_at_random, look_at_random, paint_die
from vision.training.pictograms import picture
from vision.training.samples import spoil, surface
from vision.training.scenes import LyingDie, finish, tray
from vision.training.signs import KEPT_BACK, strange
from vision.training.throws import FULL_TURN, PaintedDie, d20, readable_look, resting, spot_in
from vision.training.weather import shine, weathered

SORTS: Final = (
    "Challenge Dice",
    "Challenge Dice",
    "with symbol dice",
    "with symbol dice of the same look",
    "dice of two signs",
    "d6s with a logo",
    "symbol dice",
    "with d6s with a logo",
)
"""What lies on a table, by its number; of each sort every other one is worn and shiny, under a camera in haste."""
COLUMNS: Final = ("Effects", "read", "read wrongly", "their other faces", "read", "read wrongly", "other cubes", "read")
_KEPT: Final = ("letter", "number", "shape", "crowd")
"""Families of signs, taught ones, of a symbol die that carries no pictures."""
_FINE: Final = 8
"""The factor by which signs are drawn larger and then reduced."""
_SIGNS: Final = {**EMBLEMS[Part.CALIBRATE], **{name: EMBLEMS[Part.DEV][name] for name in ("gear", "flame", "shield")}}


def main() -> int:
    """Print the table; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_effects", description=__doc__)
    parser.add_argument("--tables", type=int, default=160)
    parser.add_argument("--first", type=int, default=1000, help="the number of the first table")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = load_reader()
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for number in range(chosen.first, chosen.first + chosen.tables):
        sort, shown, laid = table(number)
        left = list(reader.look(shown).found)
        for lies in laid:
            near = [one for one in left if math.dist(one.pose.centre, lies.pose.centre) < 0.4 * lies.pose.radius]
            left = [one for one in left if one not in near[:1]]
            reading = near[0].reading if near else None
            read = reading is not None and reading.state is DieState.READ
            right = reading is not None and reading.face == lies.die.face
            if lies.die.kind is DieKind.CHALLENGE:
                column = 0 if lies.die.face is Symbol.EFFECT else 3
                counts[sort].update({column: 1, column + 1: int(read), column + 2: int(read and not right)})
            elif lies.die.kind is None:
                counts[sort].update({6: 1, 7: int(read)})
    sys.stdout.write("| table | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|\n")
    for sort in dict.fromkeys(SORTS):
        cells = (str(counts[sort][column]) for column in range(len(COLUMNS)))
        sys.stdout.write(f"| {sort} | {' | '.join(cells)} |\n")
    return 0


def table(number: int) -> tuple[str, NDArray[np.uint8], list[LyingDie]]:
    """The sort of the table of this number, its picture and what lies there."""
    rng = np.random.default_rng(number)
    sort, worn = SORTS[number % len(SORTS)], bool(number // len(SORTS) % 2)
    dice = list(_thrown(rng, Fonts(), sort))
    if rng.random() < 0.5:
        dice.append((d20(rng, Fonts()), _look(rng)))
    camera = Camera(1280, 720, 60.0)
    shown = surface(rng, 720, 1280) if worn else tray(rng, (1280, 720))
    light = light_at_random(rng)
    up = tilted(*np.sin(np.radians(rng.normal(0, 2.5, 2))))
    radius = float(rng.uniform(28, 66))
    laid: list[LyingDie] = []
    for die, look in dice:
        for _ in range(200):
            spot = spot_in(camera, rng, 1.3 * radius)
            if all(math.dist(spot, other.pose.centre) > 2.3 * radius for other in laid):
                pose = resting(die, spot, radius, up, float(rng.uniform(0, FULL_TURN)))
                letters = weathered(die.letters, rng) if worn and die.letters else die.letters
                view = paint_die(shown, die.solid, pose, camera, letters=letters, look=look, light=light)
                if worn:
                    shine(shown, view, radius, rng)
                laid.append(LyingDie(die, pose, look))
                break
    return sort, spoil(shown, rng) if worn else finish(shown, rng), laid


def _thrown(rng: np.random.Generator, fonts: Fonts, sort: str) -> Iterator[tuple[PaintedDie, Look]]:
    """The cubes of a table of this sort."""
    hand, own, sign, framed = Hand.chosen(rng, fonts, cube=True), _look(rng), _emblem(rng), bool(rng.random() < 0.5)
    if sort == "Challenge Dice" or sort.startswith("with "):
        most = 7 if sort == "Challenge Dice" else 5
        for _ in range(int(rng.integers(2, most))):
            yield _challenge(rng, fonts, hand, sign, framed=framed), own
    if "symbol dice" in sort:
        signs = _six_signs(rng, fonts, hand)
        alone = sort == "symbol dice"
        look = own if alone or sort.endswith("same look") else _look(rng)
        for _ in range(int(rng.integers(3, 7) if alone else rng.integers(1, 4))):
            yield _other(rng, signs), look
    if sort == "dice of two signs":
        for _ in range(4):
            yield _other(rng, (_cross(upright=True), _cross(upright=True), _cross(), _cross(), None, None)), own
    if sort.endswith("a logo"):
        logo, style, look = int(rng.choice([1, 6])), str(rng.choice(["pips", "numeral"])), _look(rng)
        for _ in range(int(rng.integers(2, 6))):
            yield _d6(rng, fonts, hand, sign, style=style, logo=logo), look


def _look(rng: np.random.Generator) -> Look:
    return next(look for look in iter(lambda: look_at_random(rng), None) if readable_look(look, 60.0))


def _emblem(rng: np.random.Generator) -> Mask:
    layers = _SIGNS[str(rng.choice(sorted(_SIGNS)))]
    frame = None if rng.random() > 0.3 else list(FRAMES.values())[int(rng.integers(len(FRAMES)))]
    large = rng.random() > 0.8 or frame is not None
    return _drawn(layers(rng), float(rng.uniform(0.42, 0.47) if large else rng.uniform(0.26, 0.4)), frame)


def _drawn(layers: Layers, reach: float, frame: Shape | None) -> Mask:
    """The sign in a face's texture, `reach` edge lengths from its middle."""
    side = TEXTURE_PIXELS * _FINE
    mask = np.zeros((side, side), np.uint8)
    for shape, ink in layered(layers, reach / (2 * TEXTURE_REACH) * side, frame):
        corners = np.round((np.array(shape) + side / 2) * 16).astype(np.int32)
        cv2.fillPoly(mask, [corners], 255 if ink else 0, cv2.LINE_AA, shift=4)
    return np.asarray(cv2.resize(mask, (TEXTURE_PIXELS, TEXTURE_PIXELS), interpolation=cv2.INTER_AREA), np.uint8)


def _challenge(rng: np.random.Generator, fonts: Fonts, hand: Hand, sign: Mask, *, framed: bool) -> PaintedDie:
    net: tuple[Face, ...] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)
    shown = [net[place] for place in rng.permutation(6)]
    letters = {}
    for place, face in enumerate(shown):
        if face is Symbol.BLANK:
            continue
        texture = sign
        if face is not Symbol.EFFECT:
            number = int(face)
            texture = challenge_number(fonts, hand, number) if framed else numeral(fonts, hand, number, marked=False)
        letters[place] = Lettering(texture, int(rng.integers(4)))
    return PaintedDie(DieKind.CHALLENGE, shown[0], cube(), letters, dict(enumerate(shown)), "challenge")


def _d6(rng: np.random.Generator, fonts: Fonts, hand: Hand, sign: Mask, *, style: str, logo: int) -> PaintedDie:
    """A d6 with a sign in the place of a number; with that up it is none of ours."""
    net = (1, 2, 3, 6, 5, 4)
    shown = [net[place] for place in rng.permutation(6)]

    def lettered(number: int) -> Mask:
        if number == logo:
            return sign
        return pips(hand, number) if style == "pips" else numeral(fonts, hand, number, marked=number == 6)

    letters = {place: Lettering(lettered(number), int(rng.integers(4))) for place, number in enumerate(shown)}
    ours = shown[0] != logo
    values: dict[int, Face] = dict(enumerate(shown))
    return PaintedDie(DieKind.D6 if ours else None, shown[0] if ours else None, cube(), letters, values, style)


def _six_signs(rng: np.random.Generator, fonts: Fonts, hand: Hand) -> list[Mask]:
    """The signs of a symbol die, each another one: of families never taught, pictures, or letters."""
    way = str(rng.choice(["kept", "pictures", "letters"]))
    signs: list[Mask] = []
    while len(signs) < 6:
        if way == "pictures":
            sign = _emblem(rng) if rng.random() < 0.6 else picture(rng)
        else:
            sign = strange(str(rng.choice(KEPT_BACK if way == "kept" else _KEPT)), rng, fonts, hand)
        if not any(same_sign(sign, other) for other in signs):
            signs.append(sign)
    return signs


def _other(rng: np.random.Generator, signs: Sequence[Mask | None]) -> PaintedDie:
    shown = [signs[int(place)] for place in rng.permutation(6)]
    letters = {n: Lettering(sign, int(rng.integers(4))) for n, sign in enumerate(shown) if sign is not None}
    return PaintedDie(None, None, cube(), letters, {}, "other")


def _cross(*, upright: bool = False) -> Mask:
    """A minus, or a plus."""
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    cv2.rectangle(texture, (24, 42), (72, 54), 255, -1)
    if upright:
        cv2.rectangle(texture, (42, 24), (54, 72), 255, -1)
    return texture


if __name__ == "__main__":
    sys.exit(main())

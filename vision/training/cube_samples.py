"""Training data for the network that reads cubes: whole trays, their cubes cut out as the reader finds them.

The reader's own steps (locate, judge, pose) process each tray, so that the cut-outs have the reader's errors, and false
cubes are labelled as such. Further cut-outs are off by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Face, Symbol
from vision.pose.crops import CUBE_PIXELS, Grey, cube_patch
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, cube, lying, see, tilted
from vision.pose.networks import CUBE_FACES, Networks
from vision.pose.places import places_of
from vision.pose.refinement import difference, turned_by
from vision.training.drawing import EDGE, MIDDLE, Points, empty_texture, filled, outlined, regular, shrunk
from vision.training.emblems import emblem, frame
from vision.training.glyphs import BUILT_IN, Fonts, Hand, Mask, numeral, pips
from vision.training.paint import Lettering, Light, Look, Paint, light_at_random, look_at_random, odd_look, paint_die
from vision.training.plates import flattened, is_plate, printed_look
from vision.training.samples import litter, spoil, surface
from vision.training.scenes import finish, tray
from vision.training.signs import TAUGHT, strange
from vision.training.things import any_thing, lay
from vision.training.throws import FULL_TURN, PaintedDie, d20, other_die, plain_look, readable_look, resting, spot_in
from vision.training.weather import mirrored, patterned, shine, standing, weathered

PICTURE: Final = (800, 600)
"""Width and height of a tray in pixels."""
_RIGHT: Final = math.radians(14.0)
"""The angle, in radians, up to which a patch may be turned and still show its face."""
_WRONG: Final = math.radians(22.0)
"""The angle, in radians, from which on a patch shows no face; between the two it is not taught."""
_NONE: Final = len(CUBE_FACES) - 1
"""The place in `CUBE_FACES` of what is no face."""
STYLES: Final = ("challenge", "pips", "numeral", "strange")
"""The styles of dice on a tray."""
_SHARES: Final = (0.42, 0.15, 0.26, 0.17)
"""The share of dice of each style."""
_UP_ON_CHALLENGE: Final = (0.2, 0.18, 0.11, 0.11, 0.2, 0.2)
"""The share of each face of a Challenge Die that lies up: its 1, 2 and Effects are harder to read than frequent."""
_PICTURED: Final = 0.02
"""How many strange dice carry a picture on each face.

Few dice other than Challenge Dice have pictures: a picture alone is rather an Effect.
"""
_PICTURE_LIKE: Final = {"strokes": 0.6, "shape": 0.6, "zigzag": 0.2, "curl": 0.2, "knot": 0.6}
"""How often strange signs that look like pictures are drawn against others: a bolt, a moon, a ring, a shell."""
_LOGO: Final = 0.03
"""The share of d6s with a maker's logo instead of the 1 or the 6: no Effect, which only their sides show."""
_LOGO_UP: Final = 0.6
"""The share of these with the logo up."""
_SHAPED_PIPS: Final = 0.35
"""The share of pip dice without round pips."""
_CORNERED: Final = 0.2
"""The share of Challenge Dice with small emblems in the corners beside their 1 and 2."""
_SURELY_BLANK: Final = 0.9
"""The chance of a blank face from which a sign is too faint to learn."""
_BARE: Final = 0.5
"""The share of the upper faces that are bare, so that signs can be laid on them (`lettered.py`)."""
_WITH_THINGS: Final = 0.25
"""The share of the trays with other things than dice."""
_AT_ONCE: Final = 1000
"""Patches that the network looks at in one run."""
_MARBLED: Final = 0.25
"""The share of marbled dice, blank ones included, which are easily lost."""
_LEAN: Final = (math.radians(10.0), math.radians(45.0))
"""From how far to how far dice lean that do not lie flat, in radians."""
_DRAWN: Final = 0.25
"""The share of dice lettered in plain strokes, thin ones too, as if engraved by a needle."""


@dataclass(frozen=True)
class Lies:
    """A die on the tray; `labels` tells for each face of a cube what it shows (a place in `CUBE_FACES`)."""

    die: PaintedDie
    pose: Pose
    labels: dict[int, int]


@dataclass(frozen=True)
class Cut:
    """A patch, what it shows (a place in `CUBE_FACES`), and the style of the cube that it shows rightly, if any."""

    patch: Grey
    label: int
    style: str | None


@dataclass(frozen=True)
class Kinds:
    """What dice lie on a tray: from how many to fewer than how many, and which shares are d20s and d4s to d12s.

    That share of them is `leaning`; of these `Lies.labels` name the faces as if they lay flat.
    """

    dice: tuple[int, int]
    d20s: float
    others: float
    leaning: float = 0.0


MOSTLY_CUBES: Final = Kinds((8, 17), 0.08, 0.06)
"""The trays for training on cubes."""


def label_of(style: str, face: Face | None) -> int:
    """The place in `CUBE_FACES` of what a face shows; every blank face is a Challenge Die's."""
    return CUBE_FACES.index(("challenge" if face is Symbol.BLANK else style, face))


def any_cube(
    rng: np.random.Generator, fonts: Fonts, style: str, families: Sequence[str] = TAUGHT
) -> tuple[PaintedDie, dict[int, int]]:
    """A cube of the style ("challenge", "pips", "numeral" or "strange"), of any make, and its faces' labels."""
    hand = Hand.chosen(rng, fonts, cube=True)
    if rng.random() < _DRAWN:
        hand = replace(hand, font=int(rng.integers(BUILT_IN)), weight=int(rng.integers(3, 10)))
    letters: dict[int, Lettering] = {}
    labels: dict[int, int] = {}
    net: list[Face] = [1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT]
    if style != "challenge":
        net = list(range(1, 7))
    logo = int(rng.choice([0, 5])) if style in {"pips", "numeral"} and rng.random() < _LOGO else None
    order = _order(rng, style, logo)
    family = _family(rng, families)
    pip = _pip(rng) if style == "pips" and rng.random() < _SHAPED_PIPS else None
    for face, place in enumerate(order):
        value, corner = net[place], int(rng.integers(4))
        labels[face] = label_of(style, None if style == "strange" else value)
        if value is Symbol.BLANK:
            continue
        if place == logo:
            labels[face], texture = label_of("strange", None), emblem(hand, fonts.icons)
        elif style == "strange":
            texture = strange(family if rng.random() < 0.7 else _family(rng, families), rng, fonts, hand)
        elif style == "pips":
            texture = pips(hand, int(value), pip)
        elif style == "numeral":
            texture = numeral(fonts, hand, int(value), marked=value == 6 and hand.design % 3 > 0)
        elif value is Symbol.EFFECT:
            texture = emblem(hand, fonts.icons)
        else:
            texture = challenge_one_or_two(fonts, hand, int(value))
        letters[face] = Lettering(texture, corner)
    kind = DieKind.CHALLENGE if style in ("challenge", "strange") else DieKind.D6
    return PaintedDie(kind, net[order[0]], cube(), letters, {}, style), labels


def _order(rng: np.random.Generator, style: str, logo: int | None) -> list[int]:
    """Which place of its net is on each face of a die, the upper face first."""
    order = [int(place) for place in rng.permutation(6)]
    first = int(rng.choice(6, p=_UP_ON_CHALLENGE)) if style == "challenge" else logo
    if first is None or (style != "challenge" and rng.random() > _LOGO_UP):
        return order
    return [first, *(place for place in order if place != first)]


def _pip(rng: np.random.Generator) -> Points:
    """The outline of a pip that is not round: a square, a rhomb, a star or a heart."""
    way = int(rng.integers(4))
    if way < 2:
        return regular(1.0, 4, math.pi / 4 * way)
    if way == 2:
        outline = regular(1.0, 10)
        outline[1::2] *= float(rng.uniform(0.4, 0.6))
        return outline
    turn = np.linspace(0, 2 * math.pi, 30, endpoint=False)
    down = 13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
    return np.column_stack([np.sin(turn) ** 3, -down / 16])


def _family(rng: np.random.Generator, families: Sequence[str]) -> str:
    """One of the families, that of pictures as often as `_PICTURED` says."""
    rest = [name for name in families if name != "picture"]
    if "picture" in families and (not rest or rng.random() < _PICTURED):
        return "picture"
    shares = np.array([_PICTURE_LIKE.get(name, 1.0) for name in rest])
    return str(rng.choice(rest, p=shares / shares.sum()))


def make_cubes(seed: int, trays: int, fonts: Fonts, networks: Networks) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Patches (count, side, side) from a number of trays, and two columns: what each shows, and the style of its die.

    The first is a place in `CUBE_FACES`, the second one in `STYLES`, or -1 where no face is shown.
    """
    rng = np.random.default_rng(seed)
    patches: list[Grey] = []
    labels: list[tuple[int, int]] = []
    for _ in range(trays):
        picture, camera, up, lies = cube_tray(rng, fonts, things=_WITH_THINGS, bare=_BARE)
        for cut in cuts_of(rng, picture, camera, up=up, lies=lies, networks=networks):
            patches.append(cut.patch)
            labels.append((cut.label, -1 if cut.style is None else STYLES.index(cut.style)))
    return np.array(patches), np.array(labels)


def cuts_of(
    rng: np.random.Generator,
    picture: NDArray[np.uint8],
    camera: Camera,
    *,
    up: Array,
    lies: Sequence[Lies],
    networks: Networks,
) -> list[Cut]:
    """The reader's supposed cubes in a picture, each cube a little beside its pose, and places that show no face."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return [*_as_found(picture, grey, camera, lies, networks), *_by_chance(rng, grey, camera, up, lies)]


def without_faint(
    patches: NDArray[np.uint8], labels: NDArray[np.intp], networks: Networks
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """The patches and labels without signs so faint that `cubes` of these networks surely takes them for a blank face.

    To learn them would be to doubt each blank face. The labels are those of `make_cubes`.
    """
    blank = CUBE_FACES.index(("challenge", Symbol.BLANK))
    parts = np.array_split(patches, max(1, len(patches) // _AT_ONCE))
    said = np.concatenate([networks.cubes(list(part))[:, blank] for part in parts])
    kept = (said < _SURELY_BLANK) | (labels[:, 0] == blank) | (labels[:, 0] == _NONE)
    return patches[kept], labels[kept]


def cube_tray(
    rng: np.random.Generator,
    fonts: Fonts,
    *,
    flat: float = 0.0,
    things: float = 0.0,
    bare: float = 0.0,
    kinds: Kinds = MOSTLY_CUBES,
) -> tuple[NDArray[np.uint8], Camera, Array, list[Lies]]:
    """A picture (`PICTURE`) of any tray with cubes and a few other dice; its camera, what is "up", and how they lie.

    That share of the cubes is `flat`: print, cards, tiles (`plates`), which have no labels. On that share of the trays
    lie `things` that are no dice, below the dice or beside them. That share of the upper faces is `bare`.
    """
    width, height = PICTURE
    camera = Camera(width, height, float(rng.uniform(48, 72)))
    fair = rng.random() < 0.4
    picture = tray(rng, PICTURE) if fair else surface(rng, height, width)
    if not fair and rng.random() < 0.4:
        patterned(picture, rng)
    light = light_at_random(rng)
    wide = 3.0 if rng.random() < 0.8 else 8.0
    up = tilted(*np.sin(np.radians(rng.normal(0, wide, 2))))
    radius = math.exp(float(rng.uniform(math.log(20), math.log(64))))
    for _ in range(int(rng.integers(0, 3))):
        reach = round(radius * float(rng.uniform(1.2, 3)))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        litter(picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach], rng, reach * 0.6)
    if things and rng.random() < things:
        for _ in range(int(rng.integers(1, 7))):
            sheet, far = any_thing(rng, fonts)
            lay(picture, sheet, spot_in(camera, rng, 0.0), radius * far, rng)
    lies: list[Lies] = []
    set_look = look_at_random(rng) if rng.random() < 0.3 else None
    apart = float(rng.choice([2.3, 1.75]))
    standing_light = rng.random() < 0.3
    for _ in range(int(rng.integers(*kinds.dice))):
        spot = spot_in(camera, rng, radius * float(rng.uniform(0.7, 1.2)))
        if any(math.dist(spot, one.pose.centre) < apart * radius for one in lies):
            continue
        one = _laid(rng, fonts, spot, radius * math.exp(float(rng.normal(0, 0.08))), up, kinds=kinds)
        if bare and one.labels and rng.random() < bare:
            one = _bared(one)
        if flat and one.labels and rng.random() < flat:
            one = replace(one, die=flattened(one.die, rng), labels={})
        lies.append(one)
        if standing_light:
            standing(picture, one.die.solid, one.pose, camera, up=up, light=light, origin=(0.0, 0.0), rng=rng)
        shade = replace(light, shadow=0.0) if standing_light or is_plate(one.die) else light
        _paint(picture, rng, one, camera, light=shade, look=set_look, fair=fair)
    shown = finish(picture, rng, float(rng.uniform(0.5, 5))) if fair else spoil(picture, rng)
    return shown, camera, up, lies


def _leaned(pose: Pose, rng: np.random.Generator) -> Pose:
    """The pose leaning to any side."""
    way, far = float(rng.uniform(0, FULL_TURN)), float(rng.uniform(*_LEAN))
    return replace(pose, rotation=turned_by(np.array([math.cos(way), math.sin(way), 0.0]) * far) @ pose.rotation)


def _bared(one: Lies) -> Lies:
    """The cube with nothing on its upper face."""
    letters = {face: lettering for face, lettering in one.die.letters.items() if face != 0}
    return replace(
        one, die=replace(one.die, letters=letters), labels=one.labels | {0: label_of(one.die.style, Symbol.BLANK)}
    )


def _laid(
    rng: np.random.Generator, fonts: Fonts, spot: tuple[float, float], radius: float, up: Array, *, kinds: Kinds
) -> Lies:
    labels: dict[int, int] = {}
    draw = rng.random()
    if draw < kinds.d20s:
        die = d20(rng, fonts)
    elif draw < kinds.d20s + kinds.others:
        die = other_die(rng, fonts)
    else:
        die, labels = any_cube(rng, fonts, str(rng.choice(STYLES, p=_SHARES)))
    pose = resting(die, spot, radius, up, float(rng.uniform(0, FULL_TURN)))
    return Lies(die, _leaned(pose, rng) if kinds.leaning and rng.random() < kinds.leaning else pose, labels)


def _paint(
    picture: Paint, rng: np.random.Generator, one: Lies, camera: Camera, *, light: Light, look: Look | None, fair: bool
) -> None:
    table = np.median(picture[::16, ::16], axis=(0, 1)).astype(np.float64)
    if look is None:
        tries = (look_at_random(rng) for _ in range(30))
        plain, legible = rng.random() < 0.4, rng.random() < 0.5

        def suits(one: Look) -> bool:
            return plain_look(one, table) if fair and plain else not (fair or legible) or readable_look(one)

        look = next((one for one in tries if suits(one)), look_at_random(rng))
        if not (fair and plain) and rng.random() < _MARBLED:
            look = replace(look, marbling=float(rng.uniform(0.2, 0.55)))
        if not fair:
            look = odd_look(look, rng)
    if one.die.style == "print":
        look = printed_look(look, table, rng)
    letters = one.die.letters if fair else weathered(one.die.letters, rng)
    view = paint_die(picture, one.die.solid, one.pose, camera, letters=letters, look=look, light=light)
    if not fair:
        mirrored(picture, view, rng)
        shine(picture, view, one.pose.radius, rng)


def _as_found(
    picture: NDArray[np.uint8], grey: Grey, camera: Camera, lies: Sequence[Lies], networks: Networks
) -> list[Cut]:
    """The reader's supposed cubes, each with its true face."""
    result = []
    for place in places_of(picture, grey, camera, np.array(STRAIGHT_UP), networks).places:
        if place.solid.name == "cube":
            told = _truth(place.pose, camera, lies)
            if told is not None:
                result.append(Cut(cube_patch(grey, see(cube(), place.pose, camera)), *told))
    return result


def _truth(pose: Pose, camera: Camera, lies: Sequence[Lies]) -> tuple[int, str | None] | None:
    """The label of a supposed cube's upper face and its style; None if its pose is neither about right nor wrong."""
    one = min(lies, key=lambda one: math.dist(one.pose.centre, pose.centre), default=None)
    if one is None or math.dist(one.pose.centre, pose.centre) > 0.5 * max(pose.radius, one.pose.radius):
        return _NONE, None
    if not one.labels:
        return _NONE, None
    off, angle = difference(one.pose, pose, camera, cube())
    moved = max(abs(float(off[0])), abs(float(off[1])), abs(float(off[2])))
    if angle < _RIGHT and moved < 0.15:  # in radii: the sign is still whole in the patch
        normals = cube().normals @ one.pose.rotation.T
        return one.labels[int(np.argmax(normals @ pose.rotation[:, 2]))], one.die.style
    return (_NONE, None) if angle > _WRONG or moved > 0.3 else None  # the die's edge crosses the patch


def _by_chance(rng: np.random.Generator, grey: Grey, camera: Camera, up: Array, lies: Sequence[Lies]) -> list[Cut]:
    """Each cube a little beside its pose, some far beside, and places where there is no die."""
    result = []

    def cut(pose: Pose, label: int, style: str | None = None) -> None:
        result.append(Cut(cube_patch(grey, see(cube(), pose, camera)), label, style))

    for one in lies:
        if one.labels:
            for _ in range(2):
                cut(beside(rng, one.pose, 0.03, 0.0), one.labels[0], one.die.style)
            if rng.random() < 0.15:
                cut(beside(rng, one.pose, 0.1, math.pi / 4), _NONE)
            if rng.random() < 0.08:
                right, down = rng.choice([-0.6, 0.6, 0.9], 2).tolist()
                cut(beside(rng, one.pose.moved(right, down, 1.0), 0.1, 0.0), _NONE)
    for _ in range(3):
        spot, radius = spot_in(camera, rng, 10), math.exp(float(rng.uniform(math.log(18), math.log(70))))
        if all(math.dist(spot, one.pose.centre) > 0.8 * max(radius, one.pose.radius) for one in lies):
            cut(Pose(spot, radius, lying(up, float(rng.uniform(0, FULL_TURN)))), _NONE)
    return result


def beside(rng: np.random.Generator, pose: Pose, move: float, turn: float) -> Pose:
    """The pose moved by about `move` radii, tilted and turned a little, and turned by `turn` radians besides."""
    near = pose.moved(float(rng.normal(0, move)), float(rng.normal(0, move)), math.exp(rng.normal(0, 0.03)))
    angle = float(rng.uniform(0, FULL_TURN))
    tilt = turned_by(np.array([math.cos(angle), math.sin(angle), 0.0]) * float(rng.normal(0, 0.05)))
    spun = turned_by(pose.rotation[:, 2] * (turn + float(rng.normal(0, 0.05))))
    return Pose(near.centre, near.radius, tilt @ spun @ pose.rotation)


def varied(patch: Grey, rng: np.random.Generator) -> Grey:
    """The patch as another look at the same die may give it: moved, turned, blurred, noisy, lighter or darker."""
    way = rng.random(4)
    result = patch
    if way[0] < 0.6:
        angle, growth = float(rng.normal(0, 0.04)), 1 + float(rng.normal(0, 0.02))
        about = cv2.getRotationMatrix2D(((CUBE_PIXELS - 1) / 2,) * 2, math.degrees(angle), growth)
        about = about + np.array([(0.0, 0.0, shift) for shift in rng.normal(0, 0.9, 2).tolist()])
        result = np.asarray(
            cv2.warpAffine(result, about, (CUBE_PIXELS,) * 2, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
    if way[1] < 0.15:
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.3, 0.9))), np.uint8)
    if way[2] < 0.15:
        noisy = result + rng.normal(0, float(rng.uniform(2, 8)), result.shape)
        result = np.clip(noisy, 0, 255).astype(np.uint8)
    if way[3] < 0.2:
        result = (255 * (result / 255) ** math.exp(float(rng.normal(0, 0.35)))).astype(np.uint8)
    return result


def challenge_one_or_two(fonts: Fonts, hand: Hand, number: int) -> Mask:
    """A Challenge Die's 1 or 2 of any make: alone, underlined, framed or cut out of a badge, by the hand's design."""
    rng = np.random.default_rng(hand.design + 3)
    texture = numeral(fonts, hand, number, marked=False)
    way = rng.random()
    if rng.random() < _CORNERED:
        return np.maximum(shrunk(texture, float(rng.uniform(0.75, 1.0))), _in_corners(emblem(hand, fonts.icons), rng))
    if way < 0.25:
        return texture
    if way < 0.3:
        low, wide = round(MIDDLE + (hand.height / 2 + 0.06) * EDGE), round(hand.height * 0.3 * EDGE)
        cv2.line(texture, (round(MIDDLE) - wide, low), (round(MIDDLE) + wide, low), 255, 4, cv2.LINE_AA)
        return texture
    texture = shrunk(texture, float(rng.uniform(0.6, 0.8)))
    outline = frame(rng)
    if rng.random() < 0.08:
        badge = empty_texture()
        filled(badge, outline)
        return np.asarray(cv2.subtract(badge, texture), np.uint8)
    outlined(texture, outline, int(rng.integers(2, 5)))
    return texture


def _in_corners(texture: Mask, rng: np.random.Generator) -> Mask:
    """The sign, small, in two opposite corners of the face or in all four."""
    small, way = shrunk(texture, float(rng.uniform(0.22, 0.34))), round(float(rng.uniform(0.28, 0.36)) * EDGE)
    corners = [(-way, -way), (way, way)] if rng.random() < 0.6 else [(y, x) for y in (-way, way) for x in (-way, way)]
    turned = small if rng.random() < 0.5 else small[::-1, ::-1]
    placed = [np.roll(turned if down > 0 else small, (down, across), (0, 1)) for down, across in corners]
    result: Mask = np.maximum.reduce(placed)
    return result

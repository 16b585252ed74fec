"""Labelled crops for teaching: rendered dice, spoiled as cameras spoil them, cut as the reader cuts them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from vision.pose.crops import Grey, die_crop
from vision.pose.geometry import (
    STRAIGHT_UP,
    Array,
    Camera,
    Pose,
    Solid,
    View,
    cube,
    icosahedron,
    lean,
    lying,
    see,
    tilted,
)
from vision.pose.networks import KIND_CUBE, KIND_D20, KIND_NONE, OTHER_KINDS
from vision.pose.refinement import (
    PoseSquare,
    difference,
    frontal,
    pose_square,
    sight_frame,
    symmetries,
    turn_of,
    turned_by,
)
from vision.pose.tilts import FURTHEST, TiltSquare, tilt_square
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Paint, clouds, light_at_random, look_at_random, paint_die
from vision.training.throws import FULL_TURN, PaintedDie, cube_die, d20, other_die, resting, spot_in
from vision.training.weather import hasty, mirrored, patterned, shine, standing, weathered


@dataclass
class Samples:
    """What one run of the generator yields; the lists grow side by side."""

    dice: list[Grey]
    leans: list[tuple[float, float]]
    targets: list[list[float]]
    poses: list[PoseSquare]
    pose_targets: list[list[float]]
    tilts: list[TiltSquare]
    tilt_targets: list[tuple[float, float]]

    @classmethod
    def empty(cls) -> Samples:
        """No samples yet."""
        return cls(*([] for _ in fields(cls)))

    def add(self, other: Samples) -> None:
        """Take over all of the other's."""
        for one in fields(self):
            getattr(self, one.name).extend(getattr(other, one.name))


def spoil(picture: Paint, rng: np.random.Generator, *, harsh: bool = True) -> NDArray[np.uint8]:
    """The picture with a camera's flaws: blur, exposure, noise and JPEG."""
    if harsh and rng.random() < 0.05:
        picture = hasty(picture, rng)
    if rng.random() < 0.7:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.3 if harsh else 0.7))))
    if harsh:
        gain, offset = float(rng.uniform(0.6, 1.5)), float(rng.normal(0, 12))
        if rng.random() < 0.15:
            gain *= 1.6
        picture = picture * gain + offset
        if rng.random() < 0.2:
            picture = (picture - 110) * float(rng.uniform(0.3, 0.7)) + 110
    noise = float(rng.uniform(0, 9 if harsh else 4))
    noisy = picture + rng.standard_normal(picture.shape, dtype=np.float32) * noise
    result = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(35 if harsh else 75, 96))
        _, packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        result = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return result


def surface(rng: np.random.Generator, height: int, width: int) -> Paint:
    """A table or tray: plain, cloudy, grained or lettered, with a fall of light."""
    colour = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 255)) + rng.normal(0, 6, 3)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = np.clip(colour, 2, 253)
    way = rng.random()
    if way < 0.4:
        picture *= (1 + float(rng.uniform(0.02, 0.3)) * clouds(int(rng.integers(1 << 30)), height, width))[..., None]
    elif way < 0.6:
        thin = clouds(int(rng.integers(1 << 30)), height, max(2, width // 16))
        grain = cv2.resize(np.ascontiguousarray(thin), (width, height))
        grain = grain if rng.random() < 0.5 else np.resize(grain.T, (height, width))
        picture *= (1 + float(rng.uniform(0.05, 0.35)) * grain)[..., None]
    elif way < 0.7:
        for _ in range(int(rng.integers(1, 6))):
            ends = rng.integers(-20, max(height, width) + 20, 4)
            shade = float(rng.uniform(0, 255))
            start, end = (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3]))
            cv2.line(picture, start, end, (shade, shade, shade), int(rng.integers(1, 12)), cv2.LINE_AA)
    if rng.random() < 0.15:
        patterned(picture, rng)
    slope = np.linspace(1 - float(rng.uniform(0, 0.15)), 1 + float(rng.uniform(0, 0.15)), width, dtype=np.float32)
    picture *= slope[None, :, None]
    return picture


def litter(picture: Paint, rng: np.random.Generator, radius: float) -> None:
    """Something that is no die, in the picture's middle: a coin, a pen, a card's corner, a finger, a stain."""
    height, width = picture.shape[:2]
    middle = (width // 2, height // 2)
    colour = tuple(float(value) for value in rng.uniform(0, 255, 3))
    way = int(rng.integers(4))
    if way == 0:
        cv2.circle(picture, middle, round(radius * 0.9), colour, -1, cv2.LINE_AA)
        inner = tuple(value * 0.8 for value in colour)
        cv2.circle(picture, middle, round(radius * float(rng.uniform(0.4, 0.8))), inner, 2, cv2.LINE_AA)
    elif way == 1:
        angle = float(rng.uniform(0, FULL_TURN))
        away = np.array([math.cos(angle), math.sin(angle)]) * width
        ends = [tuple(int(value) for value in np.array(middle) + side * away) for side in (-1, 1)]
        cv2.line(picture, ends[0], ends[1], colour, max(2, round(radius * float(rng.uniform(0.2, 1.0)))), cv2.LINE_AA)
    elif way == 2:
        corners = np.array(middle) + rng.normal(0, radius, (int(rng.integers(3, 6)), 2))
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
    else:
        cv2.ellipse(
            picture, middle, (round(radius), round(radius * 0.5)), float(rng.uniform(0, 180)), 0, 360, colour, -1
        )


@dataclass(frozen=True)
class Laid:
    """A picture of a die and its truth; `origin` is the camera's pixel at the picture's upper left.

    `solid` is None where no die lies, `kind` where none that trueroll reads does.
    """

    grey: Grey
    solid: Solid | None
    kind: DieKind | None
    camera: Camera
    origin: tuple[float, float]
    pose: Pose
    up: Array


def make(seed: int, count: int, fonts: Fonts) -> Samples:
    """Samples from `count` rendered dice; the same seed and fonts give the same samples."""
    rng = np.random.default_rng(seed)
    samples = Samples.empty()
    for _ in range(count):
        _one(rng, fonts, samples)
    return samples


def _one(rng: np.random.Generator, fonts: Fonts, samples: Samples) -> None:
    radius = math.exp(float(rng.uniform(math.log(21), math.log(60))))
    zoom = radius / float(rng.uniform(25, 110))
    camera = Camera(round(1280 * zoom), round(720 * zoom), float(rng.uniform(45, 70)))
    centre = spot_in(camera, rng, radius)
    wide = 4.0 if rng.random() < 0.65 else 16.0
    up = tilted(*np.clip(np.sin(np.radians(rng.normal(0, wide, 2))), -0.7, 0.7))
    side = math.ceil(3.6 * radius)
    origin = (centre[0] - side / 2, centre[1] - side / 2)
    picture = surface(rng, side, side)
    light = light_at_random(rng)
    draw = rng.random()
    die: PaintedDie | None = None
    if draw < 0.5:
        die = d20(rng, fonts)
    elif draw < 0.78:
        die = cube_die(rng, fonts, DieKind.CHALLENGE if rng.random() < 0.5 else DieKind.D6)
    elif draw < 0.92:
        die = other_die(rng, fonts)
    elif rng.random() < 0.7:
        litter(picture, rng, radius)
    if rng.random() < 0.3:
        angle, far = float(rng.uniform(0, FULL_TURN)), radius * float(rng.uniform(1.75, 2.4))
        beside = (centre[0] + math.cos(angle) * far, centre[1] + math.sin(angle) * far)
        friend = d20(rng, fonts) if rng.random() < 0.5 else cube_die(rng, fonts, DieKind.CHALLENGE)
        pose = resting(friend, beside, radius * 0.95, up, float(rng.uniform(0, FULL_TURN)))
        _painted(picture, rng, friend, pose, camera, light=light, origin=origin, up=up)
    spin = float(rng.uniform(0, FULL_TURN))
    pose = Pose(centre, radius, lying(up, spin))
    cocked = die is not None and rng.random() < 0.12
    if die is not None:
        pose = resting(die, centre, radius, up, spin)
        if cocked:
            pose = Pose(centre, radius, turned_by(_level_axis(rng) * rng.uniform(0.1, 0.7)) @ pose.rotation)
        _painted(picture, rng, die, pose, camera, light=light, origin=origin, up=up)
    grey = np.asarray(cv2.cvtColor(spoil(picture, rng), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    solid, kind = (die.solid, die.kind) if die is not None else (None, None)
    laid = Laid(grey, solid, kind, camera, origin, pose, up)
    _whole(rng, laid, samples, spin, cocked=cocked)
    add_poses(rng, laid, samples, np.random.default_rng(len(samples.dice)))


def add_poses(rng: np.random.Generator, laid: Laid, samples: Samples, tilting: np.random.Generator) -> None:
    """Add squares of the die in poses about its own for the networks that mend poses; `tilting` for the tilts."""
    _posed(rng, laid, samples)
    _tilted(tilting, laid, samples)


def _painted(
    picture: Paint,
    rng: np.random.Generator,
    die: PaintedDie,
    pose: Pose,
    camera: Camera,
    *,
    light: Light,
    origin: tuple[float, float],
    up: Array,
) -> None:
    letters = weathered(die.letters, rng)
    look = look_at_random(rng)
    if rng.random() < 0.8:  # the others have soft spots anywhere for shadows
        standing(picture, die.solid, pose, camera, up=up, light=light, origin=origin, rng=rng)
        light = replace(light, shadow=0.0)
    view = paint_die(picture, die.solid, pose, camera, letters=letters, look=look, light=light, origin=origin)
    mirrored(picture, view, rng)
    shine(picture, view, pose.radius, rng)


def _level_axis(rng: np.random.Generator) -> Array:
    angle = float(rng.uniform(0, FULL_TURN))
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def _whole(rng: np.random.Generator, laid: Laid, samples: Samples, spin: float, *, cocked: bool) -> None:
    camera, origin, pose = laid.camera, laid.origin, laid.pose
    for spread in (0.04, 0.12):
        guess = pose.moved(float(rng.normal(0, spread)), float(rng.normal(0, spread)), math.exp(rng.normal(0, spread)))
        local = (guess.centre[0] - origin[0], guess.centre[1] - origin[1])
        given = lean(camera, guess.centre, np.array(STRAIGHT_UP))
        true = lean(camera, guess.centre, laid.up)
        kind = KIND_NONE
        if laid.solid is not None:
            kind = OTHER_KINDS.get(laid.solid.name, KIND_D20 if laid.kind is DieKind.D20 else KIND_CUBE)
        folds = 3 if kind == KIND_D20 else 4
        samples.dice.append(die_crop(laid.grey, local, guess.radius))
        samples.leans.append(given)
        samples.targets.append(
            [
                float(kind),
                (pose.centre[0] - guess.centre[0]) / guess.radius,
                (pose.centre[1] - guess.centre[1]) / guess.radius,
                math.log(pose.radius / guess.radius),
                math.cos(folds * spin),
                math.sin(folds * spin),
                true[0] - given[0],
                true[1] - given[1],
                float(cocked),
            ]
        )


_WITHIN: Final = math.radians(15.0)
"""A pose no further off than this is about right: the network says how to mend it."""
_BEYOND: Final = math.radians(24.0)
"""A pose at least this far off is wrong; nothing is said of those between `_WITHIN` and this."""


def _posed(rng: np.random.Generator, laid: Laid, samples: Samples) -> None:
    """Squares for the pose network: the die and the edges of a pose near its own, of a wrong one, of a wrong solid.

    A target is 1 (about right), 0 (wrong) or -1 (between), then the six numbers of `difference`.
    """
    pose = laid.pose
    own = laid.solid if laid.kind is not None else None
    for _ in range(1 if own is None else 3):
        wide = 0.02 if rng.random() < 0.4 else 0.06
        near = pose.moved(float(rng.normal(0, wide)), float(rng.normal(0, wide)), math.exp(rng.normal(0, wide)))
        tilt = _level_axis(rng) * math.radians(float(np.clip(rng.normal(0, 6.0 if wide < 0.05 else 12.0), -30, 30)))
        spin = math.radians(float(rng.normal(0, 3.0 if wide < 0.05 else 9.0)))
        solid = own
        if solid is None or rng.random() < 0.07:
            solid = icosahedron() if rng.random() < 0.6 else cube()
        if rng.random() < 0.15:
            spin += math.pi / (3 if solid.name == "d20" else 4)
        turns = symmetries(solid)
        tumbled = pose.rotation @ turns[int(rng.integers(len(turns)))]
        about = turned_by(pose.rotation[:, 2] * spin)
        guess = Pose(near.centre, near.radius, turned_by(tilt) @ about @ tumbled)
        delta, angle = np.zeros(6), math.pi
        if solid is own:
            delta, angle = difference(pose, guess, laid.camera, solid)
        verdict = 1.0 if angle < _WITHIN else 0.0 if angle > _BEYOND else -1.0
        shift = np.array(laid.origin)
        seen = see(solid, guess, laid.camera)
        view = View(solid, seen.points - shift, seen.centres - shift, seen.facing)
        local = (guess.centre[0] - shift[0], guess.centre[1] - shift[1])
        turn = turn_of(sight_frame(laid.camera, guess), guess)
        samples.poses.append(pose_square(laid.grey, view, local, guess.radius, turn))
        samples.pose_targets.append([verdict, *delta.tolist()])


def _tilted(rng: np.random.Generator, laid: Laid, samples: Samples) -> None:
    """Squares for the tilt network: a pose that is tilted, and otherwise nearly the die's own."""
    solid, pose = laid.solid, laid.pose
    if solid is None or laid.kind is None:
        return
    for _ in range(2):
        near = pose.moved(float(rng.normal(0, 0.012)), float(rng.normal(0, 0.012)), math.exp(rng.normal(0, 0.012)))
        far = math.radians(float(np.clip(rng.normal(0, 12.0), -25, 25)))
        spun = turned_by(pose.rotation[:, 2] * math.radians(float(rng.normal(0, 2.5)))) @ pose.rotation
        guess = Pose(near.centre, near.radius, turned_by(_level_axis(rng) * far) @ spun)
        guess = frontal(guess, laid.camera, solid)
        delta, angle = difference(pose, guess, laid.camera, solid)
        if angle > FURTHEST:
            continue
        shift = np.array(laid.origin)
        seen = see(solid, guess, laid.camera)
        view = View(solid, seen.points - shift, seen.centres - shift, seen.facing)
        local = Pose((guess.centre[0] - shift[0], guess.centre[1] - shift[1]), guess.radius, guess.rotation)
        samples.tilts.append(tilt_square(laid.grey, view, local, sight_frame(laid.camera, guess)))
        samples.tilt_targets.append((float(delta[3]), float(delta[4])))

"""Finds a die's pose by the looks of taught dice, where the pose network is misled or in doubt.

Seen from above, a d20 that is spun by a sixth of a turn has nearly the same outline, and the frame of a sign on a cube
looks like a smaller cube. The network distinguishes such poses by the edges; signs across or along the edges mislead
it. Taught faces are found only in the right pose.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.dice import DieKind
from vision.pose.crops import Grey, face_patch, patch_map
from vision.pose.geometry import Array, Camera, Pose, View, cube, icosahedron, layout_hypotheses, lying, see
from vision.pose.networks import KIND_CUBE, KIND_D20, Networks
from vision.pose.posing import PosedDie, posed_anew, spun
from vision.pose.refinement import turned_by
from vision.taught.likeness import CODE_STEP, KnownDie, OwnDice, PatchCodes
from vision.taught.thresholds import (
    AGREED,
    AGREED_BY_NUMBERS,
    BELONGS,
    HARDLY_FITS,
    KNOWN_FACES_CUBE,
    KNOWN_FACES_D20,
    OTHER_SOLID,
    POSE_BELONGS,
    POSE_BETTER,
    TELLS_PLACE,
)

_SPIN: Final = math.pi / 3
"""The spin, about the upper face, that is tried besides."""
_FACES: Final = 6
"""Faces of a d20 that are compared: the upper one and the most frontal ones."""
_HARDLY: Final = 0.1
"""The share of faces that do not look as they were taught: glare, a smudge, a bad look."""
_SPINS: Final = 10
"""Spins tried within a third of a turn."""
_NEIGHBOURS: Final = 4
"""Faces compared at each spin."""
_DICE: Final = 2
"""Dice compared at each spin: those that the upper face is likest to."""
_STARTS: Final = 2
"""Spins that are followed up."""
_STEPS: Final = 3
"""Steps of moving a pose towards its looks."""
_USUAL: Final = (0.06, 0.06, 0.05, math.radians(6), math.radians(6), math.radians(8))
"""By how much a pose usually is off: to the right and down (radii), in size (logarithm), and turned about each axis."""
_OFF: Final = 0.02
"""The usual error of a face's place, in radii."""
_SMALL: Final = 1e-3
"""The small change of a pose, in radii or radians, for computing how each face moves."""
_OTHER_SIZES: Final = ((1.25, 0.0), (1.6, 0.0), (1.3, math.pi / 4))
"""How much larger a cube may be than the sign that was taken for it, and how it may be spun against that."""


@dataclass(frozen=True)
class _Tried:
    """A pose that was tried: how surely it makes the die a taught one, and how surely its faces belong together."""

    place: PosedDie
    belongs: float
    agreed: float = 0.0

    @property
    def worth(self) -> float:
        return self.belongs + max(0.0, self.agreed)

    @property
    def sure(self) -> bool:
        """Whether its faces prove that the pose is right."""
        return self.agreed >= AGREED_BY_NUMBERS and self.agreed + max(0.0, self.belongs) >= AGREED


def posed_as_taught(
    grey: Grey, camera: Camera, places: Sequence[tuple[PosedDie, Array]], own: OwnDice, networks: Networks
) -> list[PosedDie]:
    """The places, each in another pose if only that makes it look like a taught die.

    With each place comes "up" there (unit, camera frame); face 0 of the poses lies towards it.
    """
    look = _Sought(grey, camera, own, networks)
    return [_posed(look, place, up) for place, up in places]


@dataclass(frozen=True, eq=False)
class _Sought:
    """The inputs of every search: the picture, the camera, the taught dice."""

    grey: Grey
    camera: Camera
    own: OwnDice
    networks: Networks


def _posed(look: _Sought, place: PosedDie, up: Array) -> PosedDie:
    """The place in the pose in which it most looks like a taught die.

    Only dice of which enough is known are used for laying a d20 or seeking a cube. Any taught d20 may confirm a d20's
    pose.
    """
    grey, camera, own, networks = look.grey, look.camera, look.own, look.networks
    d20s = [one for one in own.d20s if len(one.die.faces) >= KNOWN_FACES_D20]
    cubes = [one for one in own.cubes if len(one.die.faces) >= KNOWN_FACES_CUBE]
    is_d20 = place.solid.name == "d20"
    other = place.judgement.kinds[KIND_CUBE if is_d20 else KIND_D20] > OTHER_SOLID or place.posed < HARDLY_FITS
    before = _Tried(place, -10.0)
    tried: list[_Tried] = []
    if own.d20s and is_d20:
        anew = posed_anew(grey, camera, [(replace(place, pose=spun(place.pose, _SPIN)), up)], networks)
        before, turned = _d20s_tried(grey, camera, [place, *anew], own.d20s)
        tried.append(turned)
    if d20s and (is_d20 or other) and not any(one.sure for one in (before, *tried)):
        laid = _d20s_tried(grey, camera, _registered(grey, camera, place, up, d20s), own.d20s)
        tried += [one for one in laid if one.sure]
    if cubes and (not is_d20 or other or not before.sure):
        (first,) = _cubes_tried(grey, camera, [_as_cube(place, up, camera)], own.cubes)
        if is_d20:
            tried += _cubes_posed(look, [(first.place, up)], cubes)
        else:
            before = first
        if first.belongs < BELONGS:
            larger = [(_as_cube(place, up, camera, *change), up) for change in _OTHER_SIZES]
            rough = _cubes_tried(grey, camera, posed_anew(grey, camera, larger, networks), cubes)
            likest = max(rough, key=lambda one: one.belongs).place
            tried += _cubes_posed(look, [(likest, up)], cubes)
    best = max(tried, key=lambda one: one.worth, default=before)
    if best.worth > max(POSE_BELONGS, before.worth + POSE_BETTER):
        return replace(best.place, rivals=(place.pose,) if best.place.solid is place.solid else (), agreed=_sure(best))
    return replace(place, agreed=_sure(before)) if before.sure else place


def _sure(one: _Tried) -> float:
    """The chance of that pose, 0 if it is not sure."""
    return 1 / (1 + math.exp(-one.agreed - max(0.0, one.belongs))) if one.sure else 0.0


def _d20s_tried(grey: Grey, camera: Camera, places: Sequence[PosedDie], dice: Sequence[KnownDie]) -> list[_Tried]:
    views = [see(one.solid, one.pose, camera) for one in places]
    shown = [_frontal(view, _FACES) for view in views]
    patches = [face_patch(grey, view, face) for view, faces in zip(views, shown, strict=True) for face in faces]
    said = OwnDice.say(patches, dice)
    result = []
    for number, (place, faces) in enumerate(zip(places, shown, strict=True)):
        part = slice(number * _FACES, (number + 1) * _FACES)
        told = [
            _Tried(place, alike.belongs(part), agreement(alike.odds[part], faces, one.die.rings))
            for one, alike in zip(dice, said, strict=True)
        ]
        result.append(max(told, key=lambda one: one.worth))
    return result


def agreement(odds: Array, shown: Sequence[int], rings: Mapping[int, tuple[int, int, int]]) -> float:
    """The log odds that faces (`shown`, face 0 first) which look like these numbers lie as on a die against by chance.

    `odds` are those of `Likeness`, `rings` the numbers that are known to lie round the taught die's faces.
    """
    logs = np.log((1 - _HARDLY) * np.exp(odds) + _HARDLY)
    hypotheses = layout_hypotheses()
    whole = np.sum([logs[i, hypotheses[:, face] - 1] for i, face in enumerate(shown)], axis=0)
    common = float(np.logaddexp.reduce(whole)) - math.log(len(hypotheses))
    beside = [shown.index(face) for face in icosahedron().neighbours[0] if face in shown]
    order = [icosahedron().neighbours[0].index(shown[place]) for place in beside]
    turns = [
        logs[0, number - 1] + sum(logs[place, ring[(n + turn) % 3] - 1] for place, n in zip(beside, order, strict=True))
        for number, ring in rings.items()
        for turn in range(3)
    ]
    ringed = float(np.logaddexp.reduce(turns)) - math.log(60) if turns else -math.inf
    return max(common, ringed)


def _frontal(view: View, most: int) -> list[int]:
    return [0, *(int(face) for face in (-view.facing).argsort() if face != 0)][:most]


def _registered(grey: Grey, camera: Camera, place: PosedDie, up: Array, dice: Sequence[KnownDie]) -> list[PosedDie]:
    """The d20's pose fitted to the taught looks of its faces, from every spin with a face up."""
    solid = icosahedron()
    poses = [
        Pose(place.pose.centre, place.pose.radius, lying(up, turn * 2 * math.pi / 3 / _SPINS)) for turn in range(_SPINS)
    ]
    views = [see(solid, pose, camera) for pose in poses]
    tops = PatchCodes.of([face_patch(grey, view, 0) for view in views], DieKind.D20)
    likest = sorted(dice, key=lambda one: -float(one.compared(tops).best.max()))[:_DICE]
    shown = [_frontal(view, _NEIGHBOURS) for view in views]
    patches = [face_patch(grey, view, face) for view, faces in zip(views, shown, strict=True) for face in faces]
    ready = PatchCodes.of(patches, DieKind.D20)
    worth = []
    for one in likest:
        alike = one.compared(ready)
        for number, faces in enumerate(shown):
            part = slice(number * _NEIGHBOURS, (number + 1) * _NEIGHBOURS)
            worth.append((alike.belongs(part) + agreement(alike.odds[part], faces, one.die.rings), number, one))
    worth.sort(key=lambda row: -row[0])
    return [
        replace(place, solid=solid, pose=_laid(grey, camera, poses[number], one), likely=0.0, fits=0.0)
        for _, number, one in worth[:_STARTS]
    ]


def _laid(grey: Grey, camera: Camera, pose: Pose, die: KnownDie) -> Pose:
    """The pose moved, scaled and turned so that each face lies where its look is seen (least squares)."""
    solid = icosahedron()
    usual = np.diag(1 / np.square(_USUAL))
    whole = np.zeros(len(_USUAL))
    for _ in range(_STEPS):
        view = see(solid, pose, camera)
        faces = _frontal(view, _FACES)
        alike, shifts = die.located(PatchCodes.of([face_patch(grey, view, face) for face in faces], DieKind.D20))
        away = np.array(
            [patch_map(view, face)[:, :2] @ shift for face, shift in zip(faces, shifts * CODE_STEP, strict=True)]
        )
        weight = np.repeat(np.maximum(0.0, alike - TELLS_PLACE) / (1 - TELLS_PLACE), 2) / (_OFF * pose.radius) ** 2
        changes = []
        for column in range(len(_USUAL)):
            step = np.zeros(len(_USUAL))
            step[column] = _SMALL
            changes.append((see(solid, _changed(pose, step), camera).centres[faces] - view.centres[faces]) / _SMALL)
        along = np.array(changes).reshape(len(_USUAL), -1)
        step = np.linalg.solve((along * weight) @ along.T + usual, (along * weight) @ away.ravel() - usual @ whole)
        pose, whole = _changed(pose, step), whole + step
    return pose


def _changed(pose: Pose, by: Array) -> Pose:
    moved = pose.moved(float(by[0]), float(by[1]), math.exp(float(by[2])))
    return replace(moved, rotation=turned_by(by[3:]) @ pose.rotation)


def _as_cube(place: PosedDie, up: Array, camera: Camera, scale: float = 1.0, turn: float = 0.0) -> PosedDie:
    """The place as a cube whose upper face has the same middle as the supposed one."""
    solid, pose = cube(), place.pose
    if place.solid is not solid:
        pose = replace(pose, rotation=lying(up, place.judgement.cube_spin))
    x, y = pose.centre
    middle = see(solid, pose, camera).centres[0]
    centre = (float(middle[0] + scale * (x - middle[0])), float(middle[1] + scale * (y - middle[1])))
    return replace(place, solid=solid, pose=spun(Pose(centre, scale * pose.radius, pose.rotation), turn))


def _cubes_tried(grey: Grey, camera: Camera, places: Sequence[PosedDie], dice: Sequence[KnownDie]) -> list[_Tried]:
    said = OwnDice.say([face_patch(grey, see(cube(), one.pose, camera), 0) for one in places], dice)
    return [
        _Tried(place, max(alike.belongs(slice(number, number + 1)) for alike in said))
        for number, place in enumerate(places)
    ]


def _cubes_posed(look: _Sought, places: Sequence[tuple[PosedDie, Array]], dice: Sequence[KnownDie]) -> list[_Tried]:
    """Supposed cubes with their poses fitted again; each is as likely as its last correction says."""
    anew = posed_anew(look.grey, look.camera, places, look.networks)
    return _cubes_tried(look.grey, look.camera, [replace(one, likely=one.fits) for one in anew], dice)

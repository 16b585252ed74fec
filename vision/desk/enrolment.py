"""Teaches the reader one's own dice, from a picture and what a person says that a die shows.

The face that is up becomes a look of the die. The faces round it are learnt, too, if the die's numbering determines
them, so that a d20 is known after a few throws instead of twenty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, Face, Symbol
from vision.desk.thresholds import TAUGHT_ALIKE, TAUGHT_FACING, TAUGHT_LAYOUT, TAUGHT_LOOK, TAUGHT_POSE, TAUGHT_RING
from vision.errors import OwnDiceError, OwnDiceFault
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, cube, icosahedron, layout_hypotheses, see
from vision.pose.networks import Networks
from vision.read.detection import Detection
from vision.read.faces import read_cubes, same_faces
from vision.read.ink import with_coloured_ink
from vision.read.thresholds import EFFECT_SIGN
from vision.taught.colours import colour_of
from vision.taught.likeness import KnownDie, code_like
from vision.taught.own_dice import OwnDie, mixed

_OWN_LAYOUT: Final = 0.1
"""The chance, before looking, that a die has a numbering of its own."""
_MISTAKEN: Final = 0.02
"""The least chance of any number on a face, whatever the network says."""
_COLOUR_PACE: Final = 8
"""Throws that count for a die's mean colour; older ones fade."""


@dataclass(frozen=True)
class EnrolmentPicture:
    """A picture for teaching a die: its pixels, the camera, and what the reader found there."""

    picture: NDArray[np.uint8]
    camera: Camera
    found: tuple[Detection, ...]

    @property
    def grey(self) -> Grey:
        """The picture in grey, with the signs that differ by colour alone made visible on every die found."""
        grey = np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), np.uint8)
        dice = [(icosahedron() if one.solid == "d20" else cube(), one.pose) for one in self.found if not one.beneath]
        return with_coloured_ink(self.picture, grey, self.camera, dice)


def learnt(die: OwnDie, shown: EnrolmentPicture, one: Detection, face: Face, networks: Networks) -> OwnDie:
    """The die after a throw in which `one` is it and shows `face`.

    Raises `OwnDiceError` where the solid is another one, or how it lies cannot be made out.
    """
    is_d20, legible = die.kind is DieKind.D20, True
    if (one.solid == "d20") is not is_d20:
        raise OwnDiceError(OwnDiceFault.NOT_SEEN)
    if one.likely < TAUGHT_POSE:
        raise OwnDiceError(OwnDiceFault.UNSURE_POSE)
    solid = icosahedron() if is_d20 else cube()
    view, grey = see(solid, one.pose, shown.camera), shown.grey
    looks: dict[int, Face] = {0: face}
    rings = dict(die.rings)
    if is_d20:
        visible = [0, *(int(n) for n in np.argsort(-view.facing) if n != 0 and view.facing[n] > TAUGHT_FACING)]
        patches = [face_patch(grey, view, number) for number in visible]
        rows = networks.numbers(patches).astype(np.float64)
        legible = bool(rows[0, int(face) - 1] > TAUGHT_ALIKE)
        told = _told(rows, KnownDie.of(die).says(patches).odds if die.looks else None, legible=legible)
        layout = _layout(told, visible, int(face))
        if layout is not None:
            looks |= {number: int(layout[number]) for number in visible}
        elif legible:
            sure = [(i, n) for i, n in enumerate(visible[1:], 1) if told[i].max() > TAUGHT_LOOK]
            looks |= {number: int(told[i].argmax()) + 1 for i, number in sure}
        ring = _ring(told, visible)
        if ring is not None:
            rings[int(face)] = ring
    light, green_red, blue_yellow = colour_of(shown.picture, one.pose, solid, shown.camera).tolist()
    colour = (light, green_red, blue_yellow)
    after = die
    for number, shows in looks.items():
        patch = face_patch(grey, view, number)
        known = [look.code for look in after.looks if look.face == shows]
        code = code_like(patch, die.kind, known, ways=3 if after.legible else 6)
        read_so = None if is_d20 else _reads(shown, one, die.kind, face, networks)
        after = after.with_look(shows, code, colour if number == 0 else None, read_so=read_so)
    alike = (die.throws if die.alike is None else die.alike) + legible
    mean = mixed(die.colour, colour, min(die.throws, _COLOUR_PACE))
    return replace(after, colour=mean, rings=rings, throws=die.throws + 1, alike=alike)


def _reads(shown: EnrolmentPicture, one: Detection, kind: DieKind, face: Face, networks: Networks) -> bool:
    """Whether the networks alone read `face` on a cube of this `kind`, as the person says.

    An Effect is read if it is a sign, whichever sign.
    """
    (verdict,) = read_cubes(shown.grey, [[one.pose]], shown.camera, networks)
    read, chance = verdict.best
    if face is Symbol.EFFECT and verdict.sign > EFFECT_SIGN:
        return True
    return read == face and face in same_faces(verdict.kind, kind) and chance > TAUGHT_ALIKE


def _told(rows: Array, odds: Array | None, *, legible: bool) -> Array:
    """The chances of each number on each visible face, adding up to 1 at most: by the network's `rows` and the looks.

    A source that reads the upper face differently from the person (Roman numerals, signs) is not used for the others.
    """
    numbers = rows[:, :20] if legible else np.full_like(rows[:, :20], 1 / 20)
    if odds is not None:
        numbers = (numbers + rows[:, 20:] / 20 * legible) * np.exp(odds)
    result: Array = numbers / np.maximum(numbers.sum(axis=1, keepdims=True), 0.3)
    return result


def _layout(told: Array, visible: list[int], face: int) -> NDArray[np.intp] | None:
    """The numbers on all faces, if `face` and the others determine them; None for an unusual numbering."""
    hypotheses = layout_hypotheses()
    fitting = hypotheses[hypotheses[:, 0] == face]
    logs = np.log(told + _MISTAKEN)
    known = sum((logs[i, fitting[:, n] - 1] for i, n in enumerate(visible[1:], 1)), np.zeros(len(fitting)))
    own = float(np.log((told + _MISTAKEN).mean(axis=1))[1:].sum()) + math.log(_OWN_LAYOUT)
    known += math.log((1 - _OWN_LAYOUT) / len(fitting))
    whole = float(np.logaddexp.reduce(np.append(known, own)))
    best = int(np.argmax(known))
    return fitting[best] if math.exp(float(known[best]) - whole) > TAUGHT_LAYOUT else None


def _ring(told: Array, visible: list[int]) -> tuple[int, int, int] | None:
    """The three numbers round face 0, if each was read surely."""
    ring = []
    for face in icosahedron().neighbours[0]:
        if face not in visible or told[visible.index(face)].max() < TAUGHT_RING:
            return None
        ring.append(int(told[visible.index(face)].argmax()) + 1)
    one, two, three = ring
    return (one, two, three) if len(set(ring)) == 3 else None  # noqa: PLR2004 - no number lies there twice

"""How a d20 lies, by the looks of the dice that were taught, where the pose network is misled or in doubt.

Seen from above, a d20 that is spun by a sixth of a turn has nearly the same outline. The network tells the two by the
edges inside; signs that run across the edges mislead it. Faces that look as they were taught could not be cut out in
a wrong pose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from vision.crops import Grey, face_patch
from vision.geometry import Array, Camera, see
from vision.likeness import OwnDice
from vision.networks import Networks
from vision.places import Place, posed_anew, spun

_SPIN: Final = math.pi / 3
"""The spin, about the upper face, that is tried besides."""
_FACES: Final = 4
"""So many faces are compared: the upper one and those that look most at the camera."""
_BETTER: Final = 1.2
"""The other pose must be better by so much, as log odds that the die is a taught one..."""
_LEAST: Final = 0.5
"""... and its odds no less than this."""


def posed_as_taught(
    grey: Grey, camera: Camera, places: Sequence[tuple[Place, Array]], own: OwnDice, networks: Networks
) -> list[Place]:
    """The places (d20s all), each in another pose where only that makes it look like a die that was taught.

    With each place comes what is up there (unit, camera frame); face 0 of the poses lies towards it.
    """
    if not places:
        return []
    turned = [(replace(place, pose=spun(place.pose, _SPIN)), up) for place, up in places]
    candidates = [
        (place, other) for (place, _), other in zip(places, posed_anew(grey, camera, turned, networks), strict=True)
    ]
    patches: list[Grey] = []
    for row in candidates:
        for place in row:
            view = see(place.solid, place.pose, camera)
            order = [0, *(int(face) for face in (-view.facing).argsort() if face != 0)]
            patches += [face_patch(grey, view, face) for face in order[:_FACES]]
    said = own.say(patches, own.d20s)
    result = []
    start = 0
    for row in candidates:
        parts = [slice(start + n * _FACES, start + (n + 1) * _FACES) for n in range(2)]
        start += 2 * _FACES
        before, after = (max(one.belongs(part) for one in said) for part in parts)
        place, other = row
        better = after > max(_LEAST, before + _BETTER)
        result.append(replace(other, rivals=(place.pose,)) if better else place)
    return result

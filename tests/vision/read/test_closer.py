"""What looking again changes of what a die was read as."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rules.dice import DieKind, Face
from vision.pose.geometry import Pose, Solid, cube, icosahedron
from vision.pose.networks import Judgement
from vision.pose.posing import PosedDie
from vision.read.closer import LOOKS_AT_CUBES, LOOKS_AT_D20S, DiceSubset, looked_closer
from vision.read.faces import Verdict
from vision.taught.likeness import NO_OWN_DICE

POSE = Pose((100.0, 100.0), 40.0, np.eye(3))
OWNER = "0000002a"
OTHER = "0000002b"


def said(kind: DieKind, chances: dict[Face, float], owner: str | None) -> Verdict:
    return Verdict(kind, chances, POSE, 0.8, owner)


def after_two_looks(solid: Solid, kind: DieKind, owners: tuple[str | None, str | None], first: float) -> Verdict:
    """What is made of a die that a glance took for a 3, so surely, and every other look takes for a 5."""
    judgement = Judgement((0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
    some = DiceSubset([PosedDie(judgement, solid, POSE, 0.9)], [], NO_OWN_DICE)
    later = said(kind, {3: 0.04, 5: 0.96}, owners[1])

    def look(part: DiceSubset, looks: Sequence[Sequence[Pose]], _most: int) -> list[Verdict]:
        assert len(part.places) == len(looks) == 1
        return [later]

    looks = LOOKS_AT_D20S if solid.name == "d20" else LOOKS_AT_CUBES
    (result,) = looked_closer(some, [said(kind, {3: first, 5: 1 - first}, owners[0])], look, looks[:1])
    return result


def test_more_faces_of_a_taught_d20_outweigh_what_a_few_of_them_said() -> None:
    d20 = icosahedron()
    assert after_two_looks(d20, DieKind.D20, (OWNER, OWNER), 0.8).best == (5, 0.96)
    assert after_two_looks(d20, DieKind.D20, (OWNER, OWNER), 0.95).best == (5, 0.48)
    assert after_two_looks(d20, DieKind.D20, (OWNER, OTHER), 0.8).best == (5, 0.48)
    assert after_two_looks(d20, DieKind.D20, (None, None), 0.8).best == (5, 0.48)
    assert after_two_looks(d20, DieKind.D20, (None, None), 0.45).best == (5, 0.96)


@pytest.mark.parametrize("owner", [OWNER, None])
def test_looks_at_the_one_face_of_a_cube_that_contradict_one_another_leave_doubt(owner: str | None) -> None:
    assert after_two_looks(cube(), DieKind.D6, (owner, owner), 0.8).best == (5, 0.48)
    assert after_two_looks(cube(), DieKind.D6, (owner, owner), 0.45).best == (5, 0.96)

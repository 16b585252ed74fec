"""A die is laid upon another "up" by the least turn."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pose.askew import laid_on
from vision.pose.geometry import STRAIGHT_UP, Pose, lying, tilted
from vision.pose.table_normal import angle_between


@pytest.mark.parametrize("lean", [0.0, 0.1, 0.3])
def test_a_die_is_laid_upon_what_is_up_by_the_least_turn(lean: float) -> None:
    straight, askew = np.array(STRAIGHT_UP), tilted(lean, 0.0)
    pose = Pose((300.0, 200.0), 50.0, lying(straight, 0.7))
    laid = laid_on(pose, askew)
    assert laid.rotation[:, 2] == pytest.approx(askew)
    assert (laid.centre, laid.radius) == (pose.centre, pose.radius)
    turn = laid.rotation @ pose.rotation.T
    assert np.arccos((np.trace(turn) - 1) / 2) == pytest.approx(angle_between(straight, askew), abs=1e-6)

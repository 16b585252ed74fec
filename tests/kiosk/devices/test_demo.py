"""The demonstration's camera: two of its throws are for a person to look at, all others are simply read."""

from __future__ import annotations

from kiosk.devices.demo import WithQuestions
from rules.dice import DieKind, DieState
from vision.read.reader import load_reader
from vision.training.stage import TUMBLE_SECONDS, Stage


def test_one_throw_has_a_leaning_die_and_one_a_die_too_many() -> None:
    """As the reader sees them: of each throw, how many dice lie there and how many were not read."""
    now = [0.0]
    stage, reader = Stage(7, clock=lambda: now[0]), load_reader(hfov=60.0)
    throw, seen = WithQuestions(stage.throw), []
    for kinds in [
        (DieKind.D20, DieKind.D20), (DieKind.D20,), (DieKind.CHALLENGE, DieKind.CHALLENGE), (DieKind.D20, DieKind.D20),
        (DieKind.D20,), (DieKind.D20, DieKind.D20), (DieKind.CHALLENGE,) * 3, (DieKind.D20, DieKind.D20),
    ]:  # fmt: skip
        throw(kinds)
        now[0] += TUMBLE_SECONDS + 0.1
        dice = reader.read(stage.frame())
        seen.append((len(dice), sum(one.state is not DieState.READ for one in dice)))
    assert seen == [(2, 0), (1, 0), (2, 0), (2, 1), (1, 0), (2, 0), (4, 0), (2, 0)]

"""What a network said once is taken for the same input alone, and for the reader's own networks alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.vision.answered import Answered, answered_before
from vision.pose.crops import FACE_PIXELS
from vision.pose.networks import MODELS, Networks, Scores


@pytest.fixture
def networks() -> Networks:
    return Networks(names=("numbers",))


def batch(seed: int = 3) -> Scores:
    return np.random.default_rng(seed).random((2, 1, 48, 48), np.float32)


def test_the_same_input_is_answered_as_before_and_any_other_anew(tmp_path: Path, networks: Networks) -> None:
    asked = list[tuple[str, Scores]]()

    def run(_: Networks, name: str, given: Scores) -> Scores:
        asked.append((name, given))
        return np.full((2, 3), len(asked), np.float32)

    file = tmp_path / "kept" / "answers.sqlite"
    for turn in range(3):
        answered = Answered(file, run)
        for _ in range(2):
            assert answered.run(networks, "numbers", batch()).tolist() == [[1.0] * 3] * 2
        answered.run(networks, "numbers", batch())[:] = 9.0
        assert len(asked) == 1 + turn, "what was given out is nobody's to change"
        answered.run(networks, "numbers", batch(turn))
        answered.run(networks, "numbers", batch(turn))
        assert len(asked) == 2 + turn
        answered.keep()
    again = Answered(file, run)
    again.run(networks, "cubes", batch())
    again.run(networks, "numbers", batch().reshape(1, 2, 48, 48))
    assert [name for name, _ in asked[4:]] == ["cubes", "numbers"], "another network, and another form of the input"


def test_the_answers_are_those_of_the_network_and_other_networks_are_asked(tmp_path: Path) -> None:
    copied = tmp_path / "numbers.onnx"
    copied.write_bytes((MODELS / copied.name).read_bytes())
    patches = [np.full((FACE_PIXELS, FACE_PIXELS), grey, np.uint8) for grey in (70, 170)]
    plain = Networks(names=("numbers",)).numbers(patches)
    file = tmp_path / "answers.sqlite"
    for seen in (patches, patches[:1], patches):
        with answered_before(file):
            assert np.allclose(Networks(names=("numbers",)).numbers(seen), plain[: len(seen)])
            assert np.allclose(Networks(tmp_path, ("numbers",)).numbers(seen[::-1]), plain[: len(seen)][::-1])
    with closing(sqlite3.connect(file)) as kept:
        assert kept.execute("SELECT count(*) FROM answers").fetchone() == (2,), "of the reader's own networks"

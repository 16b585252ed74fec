"""In the short forms the networks answer what they were asked before as they did then; the long forms ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from vision.pose.networks import Networks, Scores


@pytest.fixture(scope="session", autouse=True)
def _known_answers(known_answers: None, *, whole: bool) -> None:
    """For every test of this folder, and each of them has a long form: `whole` says so."""


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many squares or pictures the networks were asked about, one number for each time; it grows with the test."""
    from vision.pose import networks  # noqa: PLC0415 - a run without pictures loads no OpenCV

    rows: list[int] = []
    run = networks.Networks._run  # noqa: SLF001 - all evaluations pass through it

    def counted(asked: Networks, name: str, batch: Scores) -> Scores:
        rows.append(len(batch))
        return run(asked, name, batch)

    monkeypatch.setattr(networks.Networks, "_run", counted)
    return rows

"""In the short forms the networks answer what they were asked before as they did then; the long forms ask them."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def _known_answers(known_answers: None, *, whole: bool) -> None:
    """For every test of this folder, and each of them has a long form: `whole` says so."""

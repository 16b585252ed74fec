"""A kiosk without hardware, and somebody who asks it from its own screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A kiosk of this test's own."""
    with Desk() as made:
        yield made


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    """Who stands at that kiosk."""
    return desk.client()

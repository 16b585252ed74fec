"""What holds for every test: those that wait for other processes may be run once more.

A browser, an emulated chip, a terminal and the kiosk share two cores with whatever else the machine does. Such a test
that fails is run a second time, and pytest's closing line counts it as a rerun, so that nothing passes in silence.
Pure tests never are: what fails once there is wrong. Properties are held by examples, not by the clock: no test has a
deadline for each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

settings.register_profile("trueroll", deadline=None)
settings.load_profile("trueroll")

PURE: Final = frozenset({"conformance", "contracts", "rules", "stories"})
"""The folders whose tests wait for nothing but themselves."""

HERE: Final = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder, *rest = item.path.relative_to(HERE).parts
        if rest and folder not in PURE:
            item.add_marker(pytest.mark.flaky(reruns=1))

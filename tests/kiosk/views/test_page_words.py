"""Words that pages share."""

from __future__ import annotations

import pytest

from kiosk.views.page_words import source_words


@pytest.mark.parametrize(
    ("source", "state", "said"),
    [
        ("camera", "lost", "Camera: lost."),
        ("journal", "lost", "Journal: needs attention."),
        ("journal", "ready", "Journal: ready."),
        ("house tables", "lost", "House tables: needs attention."),
    ],
)
def test_a_file_in_trouble_is_not_called_lost(source: str, state: str, said: str) -> None:
    assert source_words({"source": source, "state": state}) == said


def test_a_part_that_is_ready_with_a_fault_says_so() -> None:
    assert source_words({"source": "tray", "state": "ready", "faulty": True}) == "Tray: ready, with a fault."
    assert source_words({"source": "tray", "state": "lost", "faulty": True}) == "Tray: connected, with a fault."

"""Words that pages and their scripts share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kiosk
from kiosk.views.page_words import ATTENTION, CONNECTED, source_words


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


def test_the_script_tells_the_same() -> None:
    script = (Path(kiosk.__file__).parent / "static" / "js" / "language.js").read_text(encoding="utf-8")
    found = re.search(r"const CONNECTED = new Set\(\[(.*?)\]\)", script)
    assert found is not None
    assert set(re.findall(r'"([^"]+)"', found[1])) == CONNECTED
    assert f't("{ATTENTION}")' in script

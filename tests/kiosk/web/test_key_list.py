"""The list of keys says what the scripts do."""

from __future__ import annotations

import re
from pathlib import Path

import kiosk
from kiosk.web.voice_pages import LETTERS
from tests.kiosk.desk import Desk
from tests.kiosk.web.test_pages import read


def test_the_list_of_keys_has_those_that_scripts_begin_with() -> None:
    script = (Path(kiosk.__file__).parent / "static" / "js" / "keys.js").read_text(encoding="utf-8")
    usual = dict(re.findall(r'(\w+): "(\w)"', next(line for line in script.splitlines() if "USUAL =" in line)))
    assert {name: key.upper() for name, key in usual.items()} == LETTERS
    with Desk() as desk:
        shown = re.findall(r'<kbd data-key="(\w+)">(\w)</kbd>', read(desk.client(), "/keys"))
    assert dict(shown) == LETTERS

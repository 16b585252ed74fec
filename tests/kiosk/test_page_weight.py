"""How much a phone loads before it can be used: one page, with the styles and modules that it really takes."""

from __future__ import annotations

import re
from pathlib import Path

from tests.kiosk.desk import Desk
from tests.kiosk.test_pages import PAGES, read, set_up


def loaded_with(page: str, folder: Path) -> set[Path]:
    """The style sheets and modules of ours that a page loads, with all that these import."""
    found = {folder / name for name in re.findall(r'(?:href|src)="/static/([^"#]+)', page)}
    waiting = [one for one in found if one.suffix == ".js"]
    while waiting:
        one = waiting.pop()
        for name in re.findall(r'from "\./([\w.]+)"', one.read_text()):
            if (imported := one.parent / name) not in found:
                found.add(imported)
                waiting.append(imported)
    return found


def test_first_load_is_light(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    folder = Path(desk.app.static_folder or "")
    pages = {path: read(client, path) for path in PAGES}
    assert len(loaded_with(pages["/play"], folder)) > 10
    sizes = {
        path: len(page) + sum(one.stat().st_size for one in loaded_with(page, folder)) for path, page in pages.items()
    }
    assert max(sizes.values()) < 150_000, sizes

"""docs/vision.md is short enough to be read, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "vision.md").read_text(encoding="utf-8")


def anchors(page: str) -> set[str]:
    """The anchors that a page's headings make, as shown by the usual renderers of Markdown."""
    titles = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_page_stays_under_twelve_kilobytes() -> None:
    assert len(PAGE.encode()) < 12_000


def test_each_link_leads_to_a_heading() -> None:
    links = re.findall(r"\]\(([\w-]+\.md)(?:#([\w-]+))?\)", PAGE)
    assert links
    for file, anchor in links:
        page = (DOCS / file).read_text(encoding="utf-8")
        assert not anchor or anchor in anchors(page), (file, anchor)


def test_each_file_that_it_names_is_there() -> None:
    names = [name for name in re.findall(r"`([\w/]+\.py)`", PAGE) if "/" in name]
    assert names
    folders = [DOCS.parent, DOCS.parent / "vision"]
    assert [name for name in names if not any((folder / name).is_file() for folder in folders)] == []

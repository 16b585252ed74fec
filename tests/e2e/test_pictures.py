"""The pictures in docs/pictures are what the screens show now; a changed one is looked at, then taken anew.

That is compared by `make soak`. `make test` holds that each state has its picture, and that there is no other.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.docs_pictures import DOCS, FOLDER, PARTS, unlike

ALIKE = 0.01
"""The share of a picture that may differ: another version of the browser, not another word."""

MOST_BYTES = 3_000_000


@pytest.mark.long
@pytest.mark.parametrize("part", range(len(PARTS)))
def test_the_pictures_are_what_is_shown(browser: Browser, part: int, tmp_path: Path) -> None:
    page = (DOCS / "screens.md").read_text(encoding="utf-8")
    other = []
    for picture in PARTS[part](browser):
        assert f"(pictures/{picture.name}.webp)" in page
        share = unlike(picture.png, FOLDER / f"{picture.name}.webp")
        if share > ALIKE:
            now = tmp_path / f"{picture.name}.png"
            now.write_bytes(picture.png)
            other.append(f"{picture.name}: {share:.1%} differs; as it is now: {now}")
    assert not other, "Look at these; if they are right, take all anew with `make docs`:\n" + "\n".join(other)


def test_a_changed_word_is_found() -> None:
    kept = FOLDER / "success.webp"
    image = cv2.imread(str(kept))
    assert image is not None
    same = bytes(cv2.imencode(".png", cv2.GaussianBlur(image, (3, 3), 0))[1])
    assert unlike(same, kept) <= ALIKE, "letters drawn a little softer are the same picture"
    failed = cv2.imread(str(FOLDER / "failure.webp"))
    assert failed is not None
    assert unlike(bytes(cv2.imencode(".png", failed)[1]), kept) > ALIKE
    covered = image.copy()
    covered[150:330, 100:700] = 40
    assert unlike(bytes(cv2.imencode(".png", covered)[1]), kept) > ALIKE
    assert unlike(bytes(cv2.imencode(".png", np.zeros((10, 10, 3), np.uint8))[1]), kept) == 1.0


STATES = {"code", "failure", "success", "complication", "triumph", "photographs"}
"""The four weights, dice that a camera read, and the way in: what people look for first."""


def test_each_weight_and_dice_of_a_camera_and_the_code_have_a_picture() -> None:
    assert {one.stem for one in FOLDER.iterdir()} >= STATES


def test_the_pictures_are_small_and_none_is_left_over() -> None:
    files = sorted(FOLDER.iterdir())
    assert sum(one.stat().st_size for one in files) < MOST_BYTES
    page = (DOCS / "screens.md").read_text(encoding="utf-8")
    assert [one.name for one in files if f"(pictures/{one.name})" not in page] == []

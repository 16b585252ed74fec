"""`python -m tests.bench.vision_colours`: dice whose signs differ from their body by colour alone.

Red on blue, green on red, gold on violet, of one grey: a person tells such a sign at a glance, and a picture in grey
has lost it. Plain trays of six dice (`--trays`, from `--seed` on), of each kind two. Ink and body are within `ALIKE`
grey levels of each other, and at least `APART` levels apart in colour. With `--anyhow` inks are as in teaching, well
apart in grey too: what looking at colours changes there. `--grey` takes the colours out of the pictures first.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rules.dice import DieKind, DieReading, DieState, as_challenge_face
from tests.bench.vision_charts import likely_share
from vision.ports import Pixels
from vision.pose.geometry import Camera, tilted
from vision.read.reader import PictureReader, load_reader
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.paint import Look, light_at_random
from vision.training.scenes import TrueDie, finish, lay, paint, tray

FIRST_SEED: Final = 8_800_000
MIX: Final = (DieKind.D20, DieKind.CHALLENGE, DieKind.D6) * 2
SIZE: Final = (1280, 720)
ALIKE: Final = 12.0
"""Grey levels within which ink and body are of one grey."""
APART: Final = 110.0
"""By how many levels their colours differ at least (the length of the way from one to the other)."""
LEAN: Final = 2.0
"""Degrees by which cameras lean, to the right and downwards (standard deviation)."""
GREY: Final = np.array([0.114, 0.587, 0.299])
"""How much blue, green and red weigh in a grey picture."""


def in_colour_alone(look: Look, rng: np.random.Generator) -> Look:
    """The look with a body and an ink that are of one grey, each in a colour of its own."""
    while True:
        body, ink = rng.uniform(5, 250, (2, 3))
        if abs(float((body - ink) @ GREY)) < ALIKE and float(np.linalg.norm(body - ink)) > APART:
            return replace(look, body=tuple(body.tolist()), ink=tuple(ink.tolist()), marbling=0.0, engraving=0.0)


def coloured_tray(seed: int, fonts: Fonts, *, anyhow: bool = False) -> tuple[Pixels, list[TrueDie]]:
    """The picture of this seed and its dice."""
    rng = np.random.default_rng(seed)
    camera, light = Camera(*SIZE, 60.0), light_at_random(rng)
    up = tilted(*np.sin(np.radians(rng.normal(0, LEAN, 2))))
    picture = tray(rng, SIZE)
    laid = lay(rng, MIX, camera, up=up, radius=float(rng.uniform(34, 60)), fonts=fonts)
    shown = laid if anyhow else [replace(one, look=in_colour_alone(one.look, rng)) for one in laid]
    dice = [paint(picture, one, camera, light) for one in shown]
    return finish(picture, rng), dice


def counted(reader: PictureReader, trays: Iterator[tuple[Pixels, list[TrueDie]]]) -> dict[str, Counter[str]]:
    """How many dice of each kind were read, rightly or not as a table counts them (CD-1), asked about or neither."""
    result: dict[str, Counter[str]] = {str(kind): Counter() for kind in DieKind}
    for picture, dice in trays:
        left = list(reader.read(picture))
        for true in dice:
            assert true.kind is not None
            count = result[true.kind]
            count["dice"] += 1
            near = min(left, key=lambda one: _away(one, true), default=None)
            if near is None or _away(near, true) > true.box.width / 3:
                count["neither"] += 1
                continue
            left.remove(near)
            count["asked about"] += near.state is not DieState.READ
            count["read"] += near.state is DieState.READ
            count["wrong"] += near.state is DieState.READ and not _same(near, true)
    return result


def _away(one: DieReading, true: TrueDie) -> float:
    if one.box is None:
        return math.inf
    return math.dist((one.box.x + one.box.width / 2, one.box.y + one.box.height / 2), true.centre)


def _same(one: DieReading, true: TrueDie) -> bool:
    if one.face is None or true.face is None or true.kind is None:
        return False
    if DieKind.D20 in {one.kind, true.kind}:
        return (one.kind, one.face) == (true.kind, true.face)
    return as_challenge_face(one.kind, one.face) == as_challenge_face(true.kind, true.face)


def lines(counts: Mapping[str, Counter[str]]) -> Iterator[str]:
    """The table in Markdown."""
    yield "| dice | count | read | wrong of read, 95 % by Wilson | asked about | neither |"
    yield "|---|---|---|---|---|---|"
    whole = sum(counts.values(), Counter[str]())
    for kind, count in {**counts, "all": whole}.items():
        low, high = likely_share(count["wrong"], max(1, count["read"]))
        wrong = f"{count['wrong']} ({low:.1%} to {high:.1%})"
        yield f"| {kind} | {count['dice']} | {count['read']} | {wrong} | {count['asked about']} | {count['neither']} |"


def main() -> int:
    """Print the table; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_colours", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--trays", type=int, default=40)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--anyhow", action="store_true", help="inks as in teaching")
    parser.add_argument("--grey", action="store_true", help="without the colours")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))

    def trays() -> Iterator[tuple[Pixels, list[TrueDie]]]:
        for number in range(chosen.trays):
            picture, dice = coloured_tray(chosen.seed + number, fonts, anyhow=chosen.anyhow)
            if chosen.grey:
                grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
                picture = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
            yield picture, dice

    for line in lines(counted(load_reader(), trays())):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.bench.vision_report`: how well and how fast pictures are read, by source, die and view.

Times are processor times of one OpenCV thread. The tables go to standard output, and with `--write` into their part of
docs/vision-measured.md.
With `--fonts FOLDER` (may be repeated) further trays are lettered in those of its fonts that teaching keeps back
(`vision.training`, given the same folders in the same order).
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieReading, DieState
from tests.bench.baselines.rows import one_shot_rows, sift_rows, timed, times
from tests.bench.evening import HELD_OUT, taught_report
from tests.bench.evening import report as evening_report
from tests.bench.leaning import report as leaning_report
from tests.bench.own_dice import report as own_dice_report
from tests.bench.standing_camera import report as standing_report
from tests.bench.vision_causes import FIRST_SEED, Seen, looked_at, read_beside, table
from tests.bench.vision_charts import write_charts
from tests.bench.vision_closeups import report as closeups_report
from tests.vision.photographs import ABSENT, FOLDER, photographs, tally
from vision.frames.pictures import load_picture
from vision.ports import Reader
from vision.pose.crops import die_crop, face_patch
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, icosahedron, lying, see
from vision.pose.locate import locate
from vision.pose.refinement import square_of
from vision.pose.tilts import tilt_square_of
from vision.read.reader import PictureReader, load_reader
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.scenes import Scene, scene

PAGE: Final = Path(__file__).parents[2] / "docs" / "vision-measured.md"
"""The page that keeps the tables."""
FIRST: Final = "<!-- made by tests.bench.vision_report -->\n"
LAST: Final = "<!-- end of what is made -->\n"
"""Between which lines of it they stand."""

COLUMNS = ("dice", "found", "read", "right", "wrong", "missed", "false")
SCENES = 40


def main() -> int:
    """Print the report; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_report", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/vision-measured.md")
    parser.add_argument("--charts", type=Path, help="a folder for pictures of calibration and confusion")
    chosen = parser.parse_args()
    folders = chosen.fonts
    cv2.setNumThreads(1)  # this process only measures
    reader = load_reader()
    del _said[:]
    say(f"Machine: {platform.machine()}, {os.cpu_count()} cores; OpenCV {cv2.__version__}; one thread.\n")
    say("| pictures | " + " | ".join(COLUMNS) + " |")
    say("|---" * (len(COLUMNS) + 1) + "|")
    photographed(reader)
    mixed: tuple[DieKind | None, ...] = (DieKind.D20,) * 5 + (DieKind.CHALLENGE,) * 2 + (DieKind.D6,) * 2 + (None,)
    for name, lean in (("rendered trays, camera within 2 degrees", 2.0), ("rendered trays, within 6 degrees", 6.0)):
        for kind, count in rendered(reader, mixed, lean).items():
            row(f"{name}, {kind}", count)
    if folders:
        kept_back = Fonts(fonts_for(folders, kept_back=True))
        for kind, count in rendered(reader, mixed, 4.0, kept_back).items():
            row(f"rendered trays in fonts kept back, within 4 degrees, {kind}", count)
    beside(reader, mixed)
    seen = causes(reader, Fonts(fonts_for(folders, kept_back=True)))
    if chosen.charts is not None:
        say("\n" + ", ".join(str(path) for path in write_charts(seen, chosen.charts)))
    say("\n| stage, 1280x720, five d20s | ms (median) |\n|---|---|")
    for name, milliseconds in (*stages(reader), *times()):
        say(f"| {name} | {milliseconds:.1f} |")
    if chosen.write:
        PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), "".join(_said)), encoding="utf-8")
    return 0


def rewritten(page: str, tables: str) -> str:
    """The page with these tables in place of those that stood there. Raises `ValueError` where it has no such place."""
    before, _, rest = page.partition(FIRST)
    _, found, after = rest.partition(LAST)
    if not found:
        msg = f"{PAGE.name} has no place for the tables: put the lines {FIRST.strip()} and {LAST.strip()} into it"
        raise ValueError(msg)
    return f"{before}{FIRST}{tables}{LAST}{after}"


def photographed(reader: PictureReader) -> None:
    """The photographs, by die and view."""
    if not (FOLDER / "index.jsonl").is_file():
        say(f"(photographs left out: {ABSENT})")
        return
    by_die: dict[str, Counter[str]] = defaultdict(Counter)
    for photograph in photographs():
        name = f"photographs, {photograph.die}, {photograph.view}"
        by_die[name] += tally(photograph, reader.read(load_picture(photograph.file).pixels))
    for name, count in by_die.items():
        row(name, count)


def beside(reader: PictureReader, kinds: tuple[DieKind | None, ...]) -> None:
    """What two other ways of reading make of the same pictures, and what teaching one's own dice changes."""
    for name, count in (*one_shot_rows(rendered, kinds), *sift_rows(SCENES)):
        row(name, count)
    say("")
    for line in leaning_report(reader):
        say(line)
    say("")
    for line in standing_report(PictureReader(reader.networks)):
        say(line)
    say("")
    for line in own_dice_report(reader):
        say(line)
    for lines in (evening_report(reader, HELD_OUT), taught_report(reader, HELD_OUT)):
        say("")
        for line in lines:
            say(line)
    if (FOLDER / "index.jsonl").is_file():
        say("")
        for line in closeups_report(reader):
            say(line)


PLACES = (("plain trays", False, 0.0), ("worn dice on any surface", True, 0.0), ("leaning dice", False, 0.4))


def causes(reader: PictureReader, fonts: Fonts) -> list[Seen]:
    """Where dice are lost, on fresh trays of three sorts; all the dice that were seen."""
    every: list[Seen] = []
    for name, weather, cocked in PLACES:
        seen = [looked_at(reader, FIRST_SEED + seed, fonts, weather=weather, cocked=cocked) for seed in range(SCENES)]
        say(f"\n{name.capitalize()}:\n")
        for line in table([die for dice, _ in seen for die in dice]):
            say(line)
        say(f"Called read beside the dice: {sum(read_beside(left) for _, left in seen)}")
        every += (die for dice, _ in seen for die in dice)
    return every


def rendered(
    reader: Reader, kinds: tuple[DieKind | None, ...], lean: float, fonts: Fonts | None = None
) -> dict[str, Counter[str]]:
    """The same counts on fresh scenes, by kind of die."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(SCENES):
        tray = scene(700_000 + seed, kinds, lean=lean, fonts=fonts)
        dice = list(reader.read(tray.picture))
        for true in tray.dice:
            near = [die for die in dice if middle_distance(die, true.centre) < 0.3 * true.box.width]
            count = counts[str(true.kind or "other dice")]
            if near:
                dice.remove(near[0])
            is_read = bool(near) and near[0].state is DieState.READ
            if true.kind is None:
                count["false"] += is_read
                continue
            count["dice"] += 1
            count["found" if near else "missed"] += 1
            if is_read:
                count["read"] += 1
                count["right" if (near[0].kind, near[0].face) == (true.kind, true.face) else "wrong"] += 1
        counts["no die"]["false"] += sum(die.state is DieState.READ for die in dice)
    return counts


def middle_distance(die: DieReading, spot: tuple[float, float]) -> float:
    """From a reading's box to a spot, in pixels."""
    if die.box is None:
        return math.inf
    return math.dist((die.box.x + die.box.width / 2, die.box.y + die.box.height / 2), spot)


def stages(reader: PictureReader) -> Iterator[tuple[str, float]]:
    """Each stage of reading a 1280x720 picture of five d20s with its median milliseconds."""
    trays: list[Scene] = [scene(800_000 + seed, (DieKind.D20,) * 5) for seed in range(10)]
    grey: NDArray[np.uint8] = np.asarray(cv2.cvtColor(trays[0].picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    crops = [die_crop(grey, true.centre, 50) for true in trays[0].dice]
    camera = Camera(1280, 720)
    view = see(icosahedron(), Pose((640, 360), 50, lying(np.array(STRAIGHT_UP), 0.3)), camera)
    patches = [face_patch(grey, view, face) for face in range(4)]
    yield "locate", timed([lambda tray=tray: locate(tray.picture) for tray in trays])  # type: ignore[misc]  # a default binds the loop's value
    glance = reader.networks.proposals
    yield "glance at the whole", timed([lambda tray=tray: glance(tray.picture) for tray in trays])  # type: ignore[misc]  # likewise
    yield f"judge {len(crops)} squares", timed([lambda: reader.networks.judge(crops, [(0.0, 0.0)] * len(crops))] * 10)
    poses = [Pose(true.centre, 50, lying(np.array(STRAIGHT_UP), 0.3)) for true in trays[0].dice]
    squares = [square_of(grey, icosahedron(), pose, camera) for pose in poses]
    yield f"mend {len(squares)} poses", timed([lambda: reader.networks.mend(squares)] * 10)
    slopes = [tilt_square_of(grey, icosahedron(), pose, camera) for pose in poses]
    yield f"tilt {len(slopes)} poses", timed([lambda: reader.networks.tilts(slopes)] * 10)
    yield "cut 4 patches", timed([lambda: [face_patch(grey, view, face) for face in range(4)]] * 10)
    yield "read 4 patches", timed([lambda: reader.networks.numbers(patches)] * 10)
    yield "the whole picture", timed([lambda tray=tray: reader.read(tray.picture) for tray in trays])  # type: ignore[misc]  # a default binds the loop's value


def row(name: str, count: Counter[str]) -> None:
    """One line of the table; none where there were no dice and nothing was called read."""
    if count["dice"] or count["false"]:
        say(f"| {name} | " + " | ".join(str(count[column]) for column in COLUMNS) + " |")


_said: Final[list[str]] = []
"""All that was printed, for the page."""


def say(text: str) -> None:
    """A line on standard output, and of what `--write` keeps."""
    _said.append(text + "\n")
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())

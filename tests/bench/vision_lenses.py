"""`python -m tests.bench.vision_lenses`: dice under other lenses than the usual one, read with and without the tag.

Rendered trays as JPEG files of 4 by 3, as phones take them: read as if somebody had said 60 degrees, by what their dice
show of the lens, and with the tag, which holds whole millimetres, so that what it tells is off by up to two degrees.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

from rules.dice import DieKind, DieReading, DieState
from tests.bench.leaning import found_at
from tests.vision.taken import lens_of, with_exif
from vision.frames.pictures import decode_picture, encode_jpeg
from vision.pose.geometry import USUAL_HFOV
from vision.read.reader import PictureReader, load_reader
from vision.training.scenes import Scene, scene

SEED = 6_100_000
SIZE = (1280, 960)
LENSES = {
    40.0: "a phone's or a Raspberry Pi's, zoomed to the middle",
    60.0: "the one that is supposed",
    80.0: "a wide webcam's",
    92.0: "an action camera's",
    104.0: "a phone's ultra-wide one",
}
"""Degrees along the longer side, and who has such a lens."""
DICE = (DieKind.D20,) * 3 + (DieKind.CHALLENGE,)


def trays(hfov: float, count: int) -> Iterator[tuple[int, Scene]]:
    """Trays under such a lens, the camera within two degrees of straight down, with the number of each."""
    for seed in range(SEED, SEED + count):
        yield seed, scene(seed, DICE, size=SIZE, hfov=hfov)


def tally(tray: Scene, dice: tuple[DieReading, ...]) -> Counter[str]:
    """The dice of the tray by what became of them."""
    told: Counter[str] = Counter(dice=len(tray.dice))
    for true in tray.dice:
        near = found_at(true, dice)
        if not near:
            told["neither"] += 1
        elif near[0].state is not DieState.READ:
            told["asked"] += 1
        elif near[0].face == true.face:
            told["right"] += 1
        else:
            told["wrong"] += 1
    return told


def report(reader: PictureReader, count: int) -> Iterator[str]:
    """The table as lines of Markdown."""
    yield "| lens | dice | read as of 60 degrees | wrong | read untold | wrong | read with the tag | wrong |"
    yield "|---|---|---|---|---|---|---|---|"
    usual = reader.elsewhere(USUAL_HFOV)
    for hfov, whose in LENSES.items():
        said: Counter[str] = Counter()
        bare: Counter[str] = Counter()
        tagged: Counter[str] = Counter()
        for _, tray in trays(hfov, count):
            jpeg = encode_jpeg(tray.picture, quality=95)
            said.update(tally(tray, usual.read(decode_picture(jpeg).pixels)))
            for file, told in ((jpeg, bare), (with_exif(jpeg, lens=lens_of(hfov, *SIZE)), tagged)):
                picture = decode_picture(file)
                reader.look_through(picture.hfov)
                told.update(tally(tray, reader.read(picture.pixels)))
        cells = (f"{told['right'] + told['wrong']} | {told['wrong']}" for told in (said, bare, tagged))
        yield f"| {hfov:.0f} degrees ({whose}) | {bare['dice']} | {' | '.join(cells)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trays", type=int, default=12, help="trays of four dice for each lens")
    for line in report(load_reader(), parser.parse_args().trays):
        print(line, flush=True)

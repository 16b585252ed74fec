"""`python -m vision.training`: render dice, teach the networks with them, write vision/models/*.onnx."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2

from vision.networks import MODELS, NAMES
from vision.training.glyphs import Fonts, usable_fonts
from vision.training.samples import Samples, make

_BATCH = 500


def main(arguments: list[str] | None = None) -> int:
    """Teach with what the command line asks for; 0 when the models were written, 1 when a tool is missing."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--dice", type=int, default=100_000, help="how many dice to render (default %(default)s)")
    parser.add_argument("--epochs", type=float, default=3.0, help="how often each sample is seen (default %(default)s)")
    parser.add_argument("--fonts", type=Path, action="append", default=None, help="a folder of fonts; may be repeated")
    parser.add_argument("--only", choices=NAMES, action="append", help="teach this network; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=MODELS, help="where to write the models")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    try:
        from vision.training.teach import teach_all  # noqa: PLC0415 - the rendering half works without torch
    except ImportError as error:
        sys.stderr.write(f"Training needs the extra tools ({error.name} is missing): pip install '.[training]'\n")
        return 1
    start = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - start:7.0f} s  {text}\n")
        sys.stdout.flush()

    files = fonts_for(chosen.fonts or [Path("/usr/share/fonts"), Path.home() / ".local/share/fonts"])
    say(f"{len(files)} font files besides OpenCV's own; rendering {chosen.dice} dice")
    names = frozenset(chosen.only or NAMES)
    jobs = [(chosen.seed * 100_000 + number, files, names == {"cubes"}) for number in range(-(-chosen.dice // _BATCH))]
    with ProcessPoolExecutor(chosen.workers) as pool:
        samples = joined(pool.map(_render, jobs))
    chosen.out.mkdir(parents=True, exist_ok=True)
    teach_all(samples, chosen.out, chosen.epochs, say, names)
    say(f"models written to {chosen.out}")
    return 0


def fonts_for(folders: list[Path], *, kept_back: bool = False) -> list[Path]:
    """The usable font files to teach with, or every ninth, kept back for measuring; none when Pillow is not there."""
    try:
        files = usable_fonts(folders)
    except ImportError:
        return []
    return [file for number, file in enumerate(files) if bool(number % 9) is not kept_back]


def _render(job: tuple[int, list[Path], bool]) -> Samples:
    cv2.setNumThreads(1)  # a process of its own: the workers share the cores
    return make(job[0], _BATCH, Fonts(job[1]), cubes_only=job[2])


def joined(parts: Iterable[Samples]) -> Samples:
    """All samples in one."""
    whole = Samples([], [], [], [], [], [], [])
    for part in parts:
        whole.dice += part.dice
        whole.leans += part.leans
        whole.targets += part.targets
        whole.numbers += part.numbers
        whole.number_classes += part.number_classes
        whole.cubes += part.cubes
        whole.cube_classes += part.cube_classes
    return whole


if __name__ == "__main__":
    sys.exit(main())

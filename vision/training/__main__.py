"""`python -m vision.training`: render dice, teach the networks with them, write vision/models/*.onnx."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.pose.networks import MODELS, NAMES, POSING
from vision.training.cube_samples import make_cubes
from vision.training.flat_samples import make_flat
from vision.training.glyphs import Fonts, usable_fonts
from vision.training.icons import icons_in
from vision.training.number_patches import sheets_of
from vision.training.rest_samples import make_rests
from vision.training.side_samples import make_sides
from vision.training.thing_samples import make_things
from vision.training.trays import trays_in
from vision.training.workers import cut_out, cut_poses, joined, paint_numbers, render, render_trays

_BATCH = 500
"""Dice that one process renders at a time."""
_TRAYS = 200
"""Trays that one process renders at a time."""
_CUBE_TRAYS = 60
"""Trays with cubes that one process renders at a time."""
_NUMBER_PASSES = 4
"""How often each painted patch counts in a pass of the others: half of what comes beside it is cut from sheets."""
_OF_SHEETS_TOO = frozenset({"poses", "tilts"})
"""The networks of posed dice that are taught with number sheets besides."""
_OF_SHEETS = 0.5
"""For each rendered die so many are cut from such sheets for them."""
_SHEETS_COUNT = 3
"""The weight of path-traced squares, of which there are few."""


def main(arguments: list[str] | None = None) -> int:
    """Teach with what the command line asks for; 0 when the models were written, 1 when a tool is missing."""
    chosen = _options().parse_args(arguments)
    try:
        from vision.training.teach import (  # noqa: PLC0415 - the rendering half works without torch
            teach_all,
            teach_cubes,
            teach_numbers,
            teach_sides,
            teach_solids,
            teach_things,
        )
        from vision.training.teach_spots import teach_spots  # noqa: PLC0415 - likewise
    except ImportError as error:
        sys.stderr.write(f"Training needs the extra tools ({error.name} is missing): pip install '.[training]'\n")
        return 1
    start = time.monotonic()

    def report(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - start:7.0f} s  {text}\n")
        sys.stdout.flush()

    files = fonts_for(chosen.fonts or [Path("/usr/share/fonts"), Path.home() / ".local/share/fonts"])
    names = frozenset(chosen.only or NAMES)
    letters = Fonts(files, icons_in(chosen.icons or []) if "cubes" in names else ())
    report(f"{len(files)} font files besides OpenCV's own; rendering for {', '.join(sorted(names))}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    first = chosen.seed * 100_000
    # Spawned, for a copy of a process in which OpenCV's threads or torch's have run may wait for them for ever.
    with ProcessPoolExecutor(chosen.workers, mp_context=get_context("spawn")) as pool:
        if "spots" in names:
            parts = list(pool.map(render_trays, [(*job, files) for job in _jobs(first, chosen.trays, _TRAYS)]))
            pictures, places = (np.concatenate([part[i] for part in parts]) for i in range(2))
            report(f"spots: {len(pictures)} trays")
            whole = trays_in(chosen.spot_trays) if chosen.spot_trays is not None else []
            spots, passes = chosen.out / "spots.onnx", 2 * chosen.epochs
            teach_spots(pictures, places, spots, passes, report, whole=whole, begin=chosen.begin)
        if "numbers" in names:
            jobs = [(*job, files) for job in _jobs(first, chosen.d20s, _BATCH)]
            faces, shown = (np.concatenate(one) for one in zip(*pool.map(paint_numbers, jobs), strict=True))
            sheets = sheets_of(chosen.number_sheets) if chosen.number_sheets is not None else []
            numbers, passes = chosen.out / "numbers.onnx", _NUMBER_PASSES * chosen.epochs
            teach_numbers((faces, shown), numbers, passes, report, sheets=sheets, begin=chosen.begin)
        if names - {"spots", "numbers", "cubes", "sides", "solids", "rests", "things"}:
            samples = joined(pool.map(render, [(*job, files) for job in _jobs(first, chosen.dice, _BATCH)]))
            report(f"{chosen.dice} dice rendered")
            if chosen.number_sheets is not None and names & _OF_SHEETS_TOO:
                more = _jobs(first, round(_OF_SHEETS * chosen.dice), _BATCH)
                samples.add(joined(pool.map(cut_poses, [(*job, chosen.number_sheets) for job in more])))
                report("dice of path-traced sheets cut out, for `poses` and `tilts`")
            teach_all(samples, chosen.out, chosen.epochs, report, names, begin=chosen.begin)
        folder = posing_folder(chosen.out)  # when all are taught, those that find and pose dice lie there by now
        for name, trays, make_some, teach_it, passes in (
            ("cubes", chosen.cube_trays, make_cubes, partial(teach_cubes, fonts=letters), 2),
            ("sides", chosen.side_trays, make_sides, teach_sides, 4),
            ("solids", chosen.flat_trays, make_flat, teach_solids, 5),
            ("rests", chosen.rest_trays, make_rests, teach_solids, 5),
            ("things", chosen.thing_trays, make_things, teach_things, 6),
        ):
            if name in names:
                tasks = [(make_some, *job, files, folder) for job in _jobs(first, trays, _CUBE_TRAYS)]
                parts = list(pool.map(cut_out, tasks))
                parts += _path_traced(name, chosen)
                cut, labels = (np.concatenate([part[i] for part in parts]) for i in range(2))
                teach_it(cut, labels, chosen.out / f"{name}.onnx", passes * chosen.epochs, report, begin=chosen.begin)
    report(f"models written to {chosen.out}")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--dice", type=int, default=150_000, help="how many dice to render (default %(default)s)")
    parser.add_argument("--trays", type=int, default=8000, help="how many trays to render (default %(default)s)")
    parser.add_argument("--d20s", type=int, default=15_000, help="how many for `numbers` (default %(default)s)")
    parser.add_argument("--cube-trays", type=int, default=6000, help="how many more with cubes (default %(default)s)")
    parser.add_argument("--side-trays", type=int, default=2100, help="and for their sides (default %(default)s)")
    parser.add_argument("--flat-trays", type=int, default=4200, help="and with flat things (default %(default)s)")
    parser.add_argument("--rest-trays", type=int, default=4500, help="and with leaning ones (default %(default)s)")
    parser.add_argument("--thing-trays", type=int, default=4000, help="and with other things (default %(default)s)")
    parser.add_argument("--epochs", type=float, default=3.0, help="how often each sample is seen (default %(default)s)")
    parser.add_argument("--fonts", type=Path, action="append", default=None, help="a folder of fonts; may be repeated")
    parser.add_argument("--icons", type=Path, action="append", help="a folder of icon fonts, for `cubes` besides")
    parser.add_argument("--only", choices=NAMES, action="append", help="teach this network; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=MODELS, help="where to write the models")
    parser.add_argument("--sheets", type=Path, help="a folder of path-traced sheets, for `solids` besides")
    parser.add_argument("--number-sheets", type=Path, help="likewise, for `numbers`, `poses` and `tilts`")
    parser.add_argument("--spot-trays", type=Path, help="a folder of path-traced trays, for `spots` besides")
    parser.add_argument("--cube-sheets", type=Path, help="a folder of path-traced sheets, for `cubes` besides")
    parser.add_argument("--begin", type=Path, help="a folder of networks to go on with (default: from nothing)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    return parser


def _path_traced(name: str, chosen: argparse.Namespace) -> list[tuple[NDArray[np.uint8], NDArray[Any]]]:
    """What path-traced sheets add for the network of that name, each as often as it counts."""
    if name == "solids" and chosen.sheets is not None:
        return _SHEETS_COUNT * sheets_in(chosen.sheets)
    return cube_sheets_in(chosen.cube_sheets) if name == "cubes" and chosen.cube_sheets is not None else []


def sheets_in(folder: Path) -> list[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """The squares of each sheet of a folder, and 1 for each flat thing (`tests/bench/ray_traced/sheets.py`)."""
    sheets = []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as arrays:
            sheets.append((arrays["squares"], arrays["flat"]))
    return sheets


def cube_sheets_in(folder: Path) -> list[tuple[NDArray[np.uint8], NDArray[np.intp]]]:
    """The patches and labels, as of `make_cubes`, of a folder's sheets (`tests/bench/ray_traced/cube_sheets.py`)."""
    sheets = []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as arrays:
            sheets.append((arrays["patches"], np.column_stack([arrays["labels"], arrays["styles"]])))
    return sheets


def fonts_for(folders: list[Path], *, kept_back: bool = False) -> list[Path]:
    """The usable font files to teach with, or every ninth, kept back for measuring.

    None when Pillow is not there, which is said: what is measured without tells nothing of letters not taught.
    """
    try:
        files = usable_fonts(folders)
    except ImportError:
        sys.stderr.write("Pillow is missing: letters are OpenCV's own alone, which teaching used as well.\n")
        return []
    return [file for number, file in enumerate(files) if bool(number % 9) is not kept_back]


def posing_folder(out: Path) -> Path:
    """The folder of the networks that find and pose cubes: `out`, or ours if any is missing there.

    Cut-outs should have the errors of the reader that they are for, which has all networks of `out`.
    """
    return out if all((out / f"{name}.onnx").is_file() for name in POSING) else MODELS


def _jobs(first: int, total: int, batch: int) -> list[tuple[int, int]]:
    """A seed and how many to render with it, for every worker's turn: `batch` at a time, fewer the last time."""
    return [(first + n, min(batch, total - n * batch)) for n in range(-(-total // batch))]


if __name__ == "__main__":
    sys.exit(main())

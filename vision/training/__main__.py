"""`python -m vision.training`: render dice, teach the networks with them, write vision/models/*.onnx."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import MODELS, NAMES, POSING, Networks
from vision.training.cube_samples import make_cubes
from vision.training.glyphs import Fonts, usable_fonts
from vision.training.samples import Samples, make
from vision.training.side_samples import make_sides
from vision.training.trays import Places, make_trays

_BATCH = 500
_TRAYS = 200
_CUBE_TRAYS = 60


def main(arguments: list[str] | None = None) -> int:
    """Teach with what the command line asks for; 0 when the models were written, 1 when a tool is missing."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--dice", type=int, default=150_000, help="how many dice to render (default %(default)s)")
    parser.add_argument("--trays", type=int, default=8000, help="how many trays to render (default %(default)s)")
    parser.add_argument("--cube-trays", type=int, default=6000, help="how many more with cubes (default %(default)s)")
    parser.add_argument("--side-trays", type=int, default=2100, help="and for their sides (default %(default)s)")
    parser.add_argument("--epochs", type=float, default=3.0, help="how often each sample is seen (default %(default)s)")
    parser.add_argument("--fonts", type=Path, action="append", default=None, help="a folder of fonts; may be repeated")
    parser.add_argument("--only", choices=NAMES, action="append", help="teach this network; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=MODELS, help="where to write the models")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    try:
        from vision.training.teach import teach_all, teach_cubes, teach_sides  # noqa: PLC0415 - the rendering half works without torch
        from vision.training.teach_spots import teach_spots  # noqa: PLC0415 - likewise
    except ImportError as error:
        sys.stderr.write(f"Training needs the extra tools ({error.name} is missing): pip install '.[training]'\n")
        return 1
    start = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - start:7.0f} s  {text}\n")
        sys.stdout.flush()

    files = fonts_for(chosen.fonts or [Path("/usr/share/fonts"), Path.home() / ".local/share/fonts"])
    names = frozenset(chosen.only or NAMES)
    say(f"{len(files)} font files besides OpenCV's own; rendering for {', '.join(sorted(names))}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    first = chosen.seed * 100_000
    # Spawned, for a copy of a process in which OpenCV's threads or torch's have run may wait for them for ever.
    with ProcessPoolExecutor(chosen.workers, mp_context=get_context("spawn")) as pool:
        if "spots" in names:
            parts = list(pool.map(_render_trays, [(*job, files) for job in _jobs(first, chosen.trays, _TRAYS)]))
            pictures, places = (np.concatenate([part[i] for part in parts]) for i in range(2))
            say(f"spots: {len(pictures)} trays")
            teach_spots(pictures, places, chosen.out / "spots.onnx", 2 * chosen.epochs, say)
        if names - {"spots", "cubes", "sides"}:
            samples = joined(pool.map(_render, [(*job, files) for job in _jobs(first, chosen.dice, _BATCH)]))
            say(f"{chosen.dice} dice rendered")
            teach_all(samples, chosen.out, chosen.epochs, say, names)
        folder = posing_folder(chosen.out)  # when all are taught, those that find and pose dice lie there by now
        if "cubes" in names:
            tasks = _jobs(first, chosen.cube_trays, _CUBE_TRAYS)
            cut = list(pool.map(_render_cubes, [(*job, files, folder) for job in tasks]))
            patches, labels = np.concatenate([one for one, _ in cut]), np.concatenate([one for _, one in cut])
            teach_cubes(patches, labels, chosen.out / "cubes.onnx", 2 * chosen.epochs, say)
        if "sides" in names:
            tasks = _jobs(first, chosen.side_trays, _CUBE_TRAYS)
            cut = list(pool.map(_render_sides, [(*job, files, folder) for job in tasks]))
            patches, labels = np.concatenate([one for one, _ in cut]), np.concatenate([one for _, one in cut])
            teach_sides(patches, labels, chosen.out / "sides.onnx", 4 * chosen.epochs, say)
    say(f"models written to {chosen.out}")
    return 0


def fonts_for(folders: list[Path], *, kept_back: bool = False) -> list[Path]:
    """The usable font files to teach with, or every ninth, kept back for measuring; none when Pillow is not there."""
    try:
        files = usable_fonts(folders)
    except ImportError:
        return []
    return [file for number, file in enumerate(files) if bool(number % 9) is not kept_back]


def posing_folder(out: Path) -> Path:
    """Where the networks lie that cubes and their sides are found and posed with: in `out`, or if any is not, ours.

    Cut-outs are to be off as those of the reader that they are taught for, which has all networks of `out`.
    """
    return out if all((out / f"{name}.onnx").is_file() for name in POSING) else MODELS


def _jobs(first: int, total: int, batch: int) -> list[tuple[int, int]]:
    """A seed and how many to render with it, for every worker's turn: `batch` at a time, fewer the last time."""
    return [(first + n, min(batch, total - n * batch)) for n in range(-(-total // batch))]


def _render(job: tuple[int, int, list[Path]]) -> Samples:
    cv2.setNumThreads(1)  # a process of its own: the workers share the cores
    seed, count, files = job
    return make(seed, count, Fonts(files))


def _render_trays(job: tuple[int, int, list[Path]]) -> tuple[NDArray[np.uint8], Places]:
    cv2.setNumThreads(1)
    seed, count, files = job
    return make_trays(seed, count, Fonts(files))


def _render_cubes(job: tuple[int, int, list[Path], Path]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    cv2.setNumThreads(1)
    seed, count, files, folder = job
    return make_cubes(seed, count, Fonts(files), Networks(folder, POSING))


def _render_sides(job: tuple[int, int, list[Path], Path]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    cv2.setNumThreads(1)
    seed, count, files, folder = job
    return make_sides(seed, count, Fonts(files), Networks(folder, POSING))


def joined(parts: Iterable[Samples]) -> Samples:
    """All samples in one."""
    whole = Samples.empty()
    for part in parts:
        whole.add(part)
    return whole


if __name__ == "__main__":
    sys.exit(main())

"""What the three kinds of sheets share: their command line, and a folder with a file a sheet.

What lies in the folder is not rendered again, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.bench.ray_traced.looks import Part, fonts_of
from vision.training.glyphs import usable_fonts


def asking(module: str, about: str | None, first_seed: int, parts: Sequence[Part]) -> argparse.ArgumentParser:
    """The arguments that each kind has: out, sheets, seed, part (the first of `parts` unless named), fonts."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.bench.ray_traced.{module}", description=about)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sheets", type=int, default=10)
    parser.add_argument("--seed", type=int, default=first_seed)
    parser.add_argument("--part", type=Part, choices=parts, default=parts[0])
    parser.add_argument("--fonts", type=Path, action="append", default=None)
    return parser


def part_fonts(asked: argparse.Namespace) -> list[Path]:
    """The font files of the part that was asked for."""
    return fonts_of(asked.part, usable_fonts(asked.fonts or [Path("/usr/share/fonts")]))


def fill(asked: argparse.Namespace, render: Callable[[int, str, Path], str]) -> None:
    """Render what the folder lacks, and say of each sheet what it holds and how long it took.

    `render` gets a seed, a file for the renderer's picture (OpenEXR) and the sheet's own, which it writes whole or not
    at all (`put`); it returns what the sheet holds.
    """
    asked.out.mkdir(parents=True, exist_ok=True)
    for seed in range(asked.seed, asked.seed + asked.sheets):
        file = asked.out / f"{seed}.npz"
        if file.exists():
            continue
        start = time.monotonic()
        held = render(seed, str(asked.out / f"{asked.seed}.exr"), file)
        sys.stdout.write(f"{file.name}: {held}, {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()


def put(file: Path, **arrays: NDArray[np.generic]) -> None:
    """Write the arrays; the file is whole once it has its name."""
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **arrays)
    unfinished.rename(file)

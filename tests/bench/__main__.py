"""`make bench`: what the kiosk costs on this machine, and whether the marks of its pages are held.

With --write, docs/benchmarks.md is written anew; with --pages, only what has a mark is measured.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from kiosk.clock import SystemClock
from kiosk.storage.journal import open_journal
from kiosk.storage.paths import JOURNAL_NAME
from rules.legal.offers import options
from tests.bench import camera_tray, conflicts, emulated, pages, play, speech, tray
from tests.bench.measure import Row, each, machine, milliseconds, resident_megabytes
from tests.bench.screens import measure
from tests.bench.vision_report import stages
from tests.e2e.conftest import chromium
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from vision.read.reader import load_reader

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
TASKS = 2_000
SEASON = 10_000
SCREENS = (1, 8, 48)
TAPS = 20
OUTCOMES = 100
NO_SOURCES = ("--camera", "off", "--tray", "off")


def rules_rows() -> Iterator[Row]:
    """A whole Task from declaration to saved Momentum, in memory; and the legal options of a table at play."""
    history, decisions = play.set_up()
    number = len(decisions)

    def whole_task() -> None:
        nonlocal history, number
        for step in play.TASK:
            number += 1
            history, _ = play.decided(history, step(history.present), number)

    taken = each(TASKS, whole_task)
    yield Row("rules: a whole Task decided and folded", f"{milliseconds(taken)}, {TASKS / sum(taken):.0f} a second")
    for step in play.TASK[:2]:
        history, _ = play.decided(history, step(history.present), number)
    yield Row("rules: the legal options of a table", milliseconds(each(TASKS, lambda: options(history.present))))


def journal_rows(folder: Path) -> Iterator[Row]:
    """Durable commits over a season."""
    history, decisions = play.set_up()
    journal = open_journal(folder / "season" / JOURNAL_NAME, SystemClock())
    for decision in decisions:
        journal.append(decision)
    number, taken = len(decisions), list[float]()
    for _ in range(SEASON):
        for step in play.TASK:
            number += 1
            history, decision = play.decided(history, step(history.present), number)
            start = time.perf_counter()
            journal.append(decision)
            taken.append(time.perf_counter() - start)
    journal.close()
    tenth = len(taken) // 10
    yield Row("journal: a durable commit", f"{milliseconds(taken)}, {len(taken) / sum(taken):.0f} a second")
    yield Row("journal: commits in the first tenth of a season", milliseconds(taken[:tenth]))
    yield Row("journal: commits in its last tenth", milliseconds(taken[-tenth:]))


def compiled(folder: Path) -> None:
    """Have Python keep what it compiles of the kiosk and its libraries, whatever the shell says otherwise.

    An installed kiosk has it so; else each start compiles anew what a fresh environment has not kept.
    """
    program = Program(folder / "compiled", "--demo")
    try:
        program.start(PYTHONDONTWRITEBYTECODE="")
    finally:
        program.__exit__()


def program_rows(folder: Path) -> Iterator[Row]:
    """Start-up and memory of the real program."""
    for name, what, arguments in (
        ("fresh", "on an empty journal, no camera", NO_SOURCES),
        ("season", f"after a season of {SEASON} rolls, no camera", NO_SOURCES),
        ("demo", "with the demonstration's camera and tray", ("--demo",)),
    ):
        program = Program(folder / name, *arguments)
        start = time.perf_counter()
        with program:
            taken = time.perf_counter() - start
            if name == "fresh":
                set_up(program)
            time.sleep(3.0)
            yield Row(f"start {what}", f"{taken:.2f} s to the first answer")
            yield Row(f"memory {what}", f"{resident_megabytes(program.pid):.0f} MB")


def vision_rows() -> Iterator[Row]:
    """Milliseconds per picture of five d20s, stage by stage."""
    for name, spent in stages(load_reader()):
        yield Row(f"reading 1280x720, five d20s: {name}", f"median {spent:.1f} ms")


def main() -> None:
    """Print the table; with --write also into the docs."""
    browser = chromium()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = ["| what | figure |", "|---|---|"]
        print(f"Machine: {machine()}\n", *lines, sep="\n", flush=True)
        compiled(folder)
        visited = pages.visits(folder, browser)
        thrown = (
            pages.outcomes(folder, browser, screens=SCREENS[-1], painted=painted, throws=TAPS)
            for painted in (SCREENS[0], SCREENS[-1])
        )
        screens = (measure(folder, browser, screens=count, taps=TAPS) for count in SCREENS)
        rules = (rules_rows(), conflicts.rows())
        voice = speech.rows(folder, OUTCOMES)
        sources = (tray.rows(), camera_tray.rows(), emulated.rows(), vision_rows())
        marked = (visited, screens)
        everything = (*rules, journal_rows(folder), program_rows(folder), *sources, voice, *marked, *thrown)
        for row in chain(*(marked if "--pages" in sys.argv[1:] else everything)):
            lines.append(f"| {row.what} | {row.figure} |")
            print(lines[-1], flush=True)
    if "--write" in sys.argv[1:] and "--pages" not in sys.argv[1:]:
        PAGE.write_text(
            "# What it costs\n\nPrinted by `make bench ARGS=--write`; pages, kiosk and measuring share the machine.\n"
            "Painted screens are windows of one browser on this machine: where 48 are painted, its cores draw\n"
            "them all one after another, which at a table 48 computers do. How well dice are read is measured by\n"
            "`make bench-vision` ([figures](vision-measured.md)). No Raspberry Pi was ever measured, and no board\n"
            "of a tray: their programs ran emulated on this machine.\n\n"
            f"Machine: {machine()}.\n\n" + "\n".join(lines) + "\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()

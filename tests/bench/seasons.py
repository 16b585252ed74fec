"""What long seasons cost: `python -m tests.bench.seasons`; with `--write` into the docs.

For each number of rolls a journal is written, as the kiosk would have: a Task declared, its dice, its end, and now and
then an undo and a redo. Then it is started, exported, brought in again, backed up and looked at whole, by the real
program, each in a process of its own; the system counts its peak of memory. All is kept in `--folder`: a run that was
ended goes on where it was. ARGS: the numbers of rolls, as `10000 100000`; `--seed` draws other dice.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from kiosk.clock import SystemClock
from kiosk.storage.journal import FileJournal, open_journal
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.paths import JOURNAL_NAME
from kiosk.storage.rows import Row, rows_of
from rules.deciding.decision import Command
from rules.history import Decision
from rules.state.table import Table
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice
from rules.undo import Redo, Undo
from tests.bench import play
from tests.bench.measure import machine, peak_megabytes, processor_seconds
from tests.e2e.program import TRUEROLL, Program

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "reliability.md"
BEGIN: Final = "<!-- written by python -m tests.bench.seasons --write -->\n"
END: Final = "<!-- end of the seasons -->\n"
ROLLS: Final = (10_000, 100_000)
SEED: Final = 1701
CHANGES_OF_MIND: Final = 0.02
"""The share of rolls whose declaration is taken back and brought back."""
FIRST: Final = 1_600_000_000.0
"""When the first decision was taken, in seconds since 1970."""
APART: Final = 20.0
"""Seconds between two decisions."""
AT_ONCE: Final = 3_000
"""Decisions written in one transaction."""
NO_SOURCES: Final = ("--camera", "off", "--tray", "off")
LOOK_SECONDS: Final = 0.02
"""How often the memory of a command is looked at; what it had last before its end counts."""
QUIET_SECONDS: Final = 3.0
"""How long a kiosk that has started is left alone before its memory is looked at."""


class Cost(NamedTuple):
    """What a step took: seconds, those of the processor, and the most memory that it had, in megabytes (10^6 bytes)."""

    seconds: float
    processor: float
    megabytes: float


def main() -> None:
    """Measure what is missing in the folder, print all of it, and write it where that is wanted."""
    given = _arguments()
    print(f"seed {given.seed}, in {given.folder}; a run that was ended goes on with the same words", flush=True)
    rows = []
    for rolls in given.rolls:
        season = Season(given.folder / f"{rolls}-{given.seed}", rolls, given.seed)
        for name, cost in season.costs():
            rows.append(
                f"| {rolls:,} | {name} | {cost.processor:.1f} s | {cost.seconds:.1f} s | {cost.megabytes:.0f} MB |"
            )
            print(rows[-1], flush=True)
    if given.write:
        head = f"Dice drawn by seed {given.seed}. Machine: {machine()}.\n\n"
        head += "| rolls | what | of the processor | in all | memory |\n|---|---|---|---|---|\n"
        text = DOCUMENT.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        told = head + "".join(f"{row}\n" for row in rows)
        DOCUMENT.write_text(before + BEGIN + told + END + rest.partition(END)[2], encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.seasons", description=__doc__)
    parser.add_argument("rolls", nargs="*", type=int, default=list(ROLLS))
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "seasons")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/reliability.md")
    return parser.parse_args()


class Season:
    """One journal with a number of rolls in a folder, and its measurements."""

    def __init__(self, folder: Path, rolls: int, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.data = folder / "data"
        self._rolls = rolls
        self._seed = seed
        self._kept = folder / "costs.json"
        self._file = folder / "season.json"

    def costs(self) -> Iterator[tuple[str, Cost]]:
        """Each step with what it took, now or in a run before."""
        write_season(self.data / JOURNAL_NAME, self._rolls, self._seed)
        for name, step in self._steps().items():
            known = json.loads(self._kept.read_text()) if self._kept.exists() else {}
            if name not in known:
                known[name] = step()
                self._kept.write_text(json.dumps(known, indent=1))
            yield name, Cost(*known[name])

    def _steps(self) -> dict[str, Callable[[], Cost]]:
        """In this order: the first start writes the checkpoint that the second one begins from."""
        return {
            "the first start, from the first decision on": lambda: self._start(afresh=True),
            "each later start": self._start,
            "export as JSON": lambda: self._program("export", "--json", "--output", str(self._file)),
            "export as Markdown": lambda: self._program("export", "--output", str(self.folder / "season.md")),
            "export as CSV": lambda: self._program(
                "export", "--format", "csv", "--output", str(self.folder / "season.csv")
            ),
            "import of the JSON": self._import,
            "backup, read back": self._back_up,
            "restore of the backup": self._restore,
            "`trueroll doctor`": lambda: self._program("doctor", may_fail=True),
        }

    def _program(self, *words: str, data: Path | None = None, may_fail: bool = False) -> Cost:
        """One command of the program, to its end."""
        begun = time.perf_counter()
        run = subprocess.Popen(
            [TRUEROLL, words[0], "--data", str(data or self.data), *words[1:]], stdout=subprocess.DEVNULL
        )
        used = (0.0, 0.0)
        while run.poll() is None:
            with suppress(LookupError, OSError):  # it may end between the two
                used = processor_seconds(run.pid), peak_megabytes(run.pid)
            time.sleep(LOOK_SECONDS)
        if run.returncode and not may_fail:
            raise SystemExit(f"trueroll {' '.join(words)} ended with {run.returncode}.")
        return Cost(time.perf_counter() - begun, *used)

    def _start(self, *, afresh: bool = False) -> Cost:
        """Until the pages answer."""
        if afresh:
            (self.data / "checkpoint.json").unlink(missing_ok=True)
        program = Program(self.data, *NO_SOURCES)
        begun = time.perf_counter()
        program.start()
        seconds, used = time.perf_counter() - begun, processor_seconds(program.pid)
        try:
            urllib.request.urlopen(f"{program.address}/display", timeout=20).close()  # noqa: S310 - our own address
            time.sleep(QUIET_SECONDS)
            return Cost(seconds, used, peak_megabytes(program.pid))
        finally:
            program.stop()

    def _import(self) -> Cost:
        other = self.folder / "brought-in"
        shutil.rmtree(other, ignore_errors=True)
        cost = self._program("import", str(self._file), data=other)
        _require_equal(self.data, other)
        shutil.rmtree(other)
        return cost

    def _back_up(self) -> Cost:
        (self.folder / "season.zip").unlink(missing_ok=True)
        return self._program("backup", str(self.folder / "season.zip"))

    def _restore(self) -> Cost:
        other = self.folder / "restored"
        shutil.rmtree(other, ignore_errors=True)
        cost = self._program("restore", str(self.folder / "season.zip"), data=other)
        _require_equal(self.data, other)
        shutil.rmtree(other)
        return cost


def _require_equal(one: Path, other: Path) -> None:
    """The chained checksum of the last decision answers for every row before it."""
    ends = []
    for data in (one, other):
        with closing(open_journal(data / JOURNAL_NAME, SystemClock())) as journal:
            ends.append((journal.decision, journal.checksum_at(journal.decision)))
    if ends[0] != ends[1]:
        raise SystemExit(f"{other} holds another journal than {one}: {ends}")


def write_season(path: Path, rolls: int, seed: int) -> None:
    """Write or continue a journal with that number of rolls, and its second copy.

    The same seed writes the same journal, however often the writing was cut off.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(open_journal(path, SystemClock())) as journal:
        beyond = _rows_beyond(journal, season(rolls, seed))
        while some := list(islice(beyond, AT_ONCE)):
            journal.take(some)
    open_kept_twice(path, SystemClock()).close()


def _rows_beyond(journal: FileJournal, decisions: Iterator[Decision]) -> Iterator[list[Row]]:
    """The rows of the decisions that the journal has not yet."""
    present, sequence, before = journal.decision, journal.sequence, journal.checksum_at(journal.decision)
    for one in decisions:
        if one.number > present:
            rows = rows_of(one, sequence, before, FIRST + APART * one.number, f"key-{one.number}")
            sequence, before = rows[-1][0], rows[0][-1] or ""
            yield rows


def season(rolls: int, seed: int) -> Iterator[Decision]:
    """The decisions for that number of rolls, with dice of that seed."""
    random = Random(seed)  # noqa: S311 - dice of a benchmark, not secrets
    history, setting_up = play.set_up()
    yield from setting_up
    number = len(setting_up)
    for _ in range(rolls):
        for step in _roll(random):
            after, decision = play.decided(history, step(history.present), number + 1)
            if decision.events:  # a spending may have ended by itself, as for the engine
                history, number = after, decision.number
                yield decision


def _roll(random: Random) -> Iterator[play.Step]:
    """The commands of a Task; no die shows a 20, so that nothing has to be settled beside it."""
    faces = tuple(random.randint(1, 19) for _ in range(3))
    minds = (_undo, _redo) if random.random() < CHANGES_OF_MIND else ()

    def throw(table: Table) -> Command:
        assert table.request is not None
        return EnterDice(request=table.request.number, faces=faces)

    return chain(play.TASK[:1], minds, (throw, lambda _: FinishSpending()))


def _undo(_: Table) -> Command:
    return Undo()


def _redo(_: Table) -> Command:
    return Redo()


if __name__ == "__main__":
    main()

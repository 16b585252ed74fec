"""What the kept files survive, with figures: `python -m tests.bench.reliability`; `--write` puts them into the docs.

`python -m tests.bench.reliability cameras` makes the faults of cameras instead, as streams of pictures.

Each fault is made for real, on files and processes of its own. A full and a read-only disk are small tmpfs mounts, for
which this has to run as root; without that right these rows say that they were not made.
"""

from __future__ import annotations

import logging
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from kiosk.clock import SystemClock
from kiosk.storage.backup import BackupError, back_up, verified
from kiosk.storage.begun import Mark
from kiosk.storage.journal import open_journal
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.rows import rows_of
from kiosk.storage.unfailing import UnfailingJournal, open_unfailing
from tests.kiosk.storage.test_journal import decision
from tests.vision.watch.seen_tables import FAULT_AT, Course
from tests.vision.watch.test_sight import FAULTS as CAMERA_FAULTS
from tests.vision.watch.test_sight import HELD_OUT, LASTS, moved_while_off, seen_when_calibrated, with_fault
from vision.errors import Blindness

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "reliability.md"
BEGIN: Final = "<!-- written by python -m tests.bench.reliability --write -->\n"
END: Final = "<!-- end -->\n"
CAMERAS_BEGIN: Final = "<!-- written by python -m tests.bench.reliability cameras --write -->\n"
CAMERAS_MADE: Final = {
    "a lens cap": "all of it nearly black",
    "the light is out": "4 % of the light",
    "a lamp into the lens": "all of it white",
    "a faulty lamp": "40 % of the light, 2.3 times a second",
    "a slow faulty lamp": "55 % of the light, once a second",
    "a palm on the lens": "skin that glows at one place",
    "a cloth over the lens": "one colour",
    "out of focus": "blurred by 6 pixels",
    "far out of focus": "blurred by 11 pixels",
    "pushed": "70 pixels to the right, 40 down",
    "turned": "by 7 degrees, and pushed a little",
}
"""How each fault of a camera is made."""
SEED: Final = 1701
MANY: Final = 200
"""Decisions in the journals that are damaged."""
FLIPS: Final = 500
KILLS: Final = 20
PAGES: Final = 100
CLOCK: Final = SystemClock()


class Row(NamedTuple):
    """A fault, how it is made, how often, what was lost, and how long until the table went on."""

    fault: str
    made: str
    times: int
    lost: str
    seconds: float


def main() -> None:
    """Make every fault of the files, or of cameras, and print or write the table."""
    logging.disable(logging.CRITICAL)
    begin, told = (CAMERAS_BEGIN, cameras()) if "cameras" in sys.argv else (BEGIN, files())
    print(told)
    if "--write" in sys.argv:
        text = DOCUMENT.read_text(encoding="utf-8")
        head, _, rest = text.partition(begin)
        DOCUMENT.write_text(head + begin + told + END + rest.partition(END)[2], encoding="utf-8")


def files() -> str:
    """The table of what is kept."""
    rows = [row for fault in FAULTS for row in fault()]
    told = "| fault | how it is made | times | lost | longest until the table went on |\n|---|---|---|---|---|\n"
    return told + "".join(
        f"| {one.fault} | {one.made} | {one.times} | {one.lost} | {one.seconds:.2f} s |\n" for one in rows
    )


def cameras() -> str:
    """The table of cameras that do not see: on tables with a rim, in the time of their pictures."""
    told = "| fault | how it is made | told as | times | not told, or otherwise | longest until told |"
    told += " until told that it is over |\n|---|---|---|---|---|---|---|\n"
    tables = [one for one in HELD_OUT if one.rim]
    for name, (fault, made) in CAMERA_FAULTS.items():
        found = [with_fault(table, made) for table in tables]
        told += f"| {name} | {CAMERAS_MADE[name]} | {_in_figures(fault, found, FAULT_AT)} |\n"
    for name in ("pushed", "turned"):
        fault, made = CAMERA_FAULTS[name]
        found = [moved_while_off(table, made, seen_when_calibrated(table), -1) for table in tables]
        told += f"| {name} while the kiosk was off | as above, from the first picture on, the tray empty |"
        told += f" {_in_figures(fault, found, 0.0)} |\n"
    return told


def _in_figures(fault: Blindness, found: Sequence[Course], since: float) -> str:
    """The figures of a fault's row, which begins at `since` and lasts `LASTS` seconds."""
    well = [one.told for one in found if [what for _, what in one.told] == [fault, None]]
    longest = max((one[0][0] - since for one in well), default=0.0)
    over = max((one[1][0] - since - LASTS for one in well), default=0.0)
    return f"{fault} | {len(found)} | {len(found) - len(well)} | {longest:.1f} s | {over:.1f} s"


@contextmanager
def room() -> Iterator[Path]:
    """An empty folder."""
    with TemporaryDirectory() as made:
        yield Path(made)


def filled(path: Path, many: int = MANY) -> None:
    """A journal with that number of decisions, and its second copy."""

    def rows() -> Iterator[list[tuple[int, int, int, str, str, str, float, str | None, str, str | None]]]:
        sequence, before = 0, ""
        for number in range(1, many + 1):
            made = rows_of(decision(number, "Fog " * 20), sequence, before, 1.7e9 + number, f"key-{number}")
            sequence, before = made[-1][0], made[0][-1] or ""
            yield made

    with closing(open_journal(path, CLOCK)) as journal:
        journal.take(rows())
    open_kept_twice(path, CLOCK).close()


def flips() -> Iterator[Row]:
    """One bit flips in the journal or in its second copy."""
    random = Random(SEED)  # noqa: S311 - places, not secrets
    for ending, name in ((".sqlite3", "the journal"), (".lines", "its second copy")):
        with room() as folder:
            path = folder / "journal.sqlite3"
            filled(path)
            files = {one: one.read_bytes() for one in folder.iterdir()}
            lost, longest = 0, 0.0
            for _ in range(FLIPS):
                for one in folder.iterdir():
                    one.unlink()
                for one, content in files.items():
                    one.write_bytes(content)
                damaged = bytearray(files[path.with_suffix(ending)])
                place = random.randrange(len(damaged) * 8)
                damaged[place // 8] ^= 1 << place % 8
                path.with_suffix(ending).write_bytes(damaged)
                begun = time.perf_counter()
                with closing(open_kept_twice(path, CLOCK)) as journal:
                    longest = max(longest, time.perf_counter() - begun)
                    found = list(journal.decisions())
                lost += sum(one not in found for one in (decision(n, "Fog " * 20) for n in range(1, MANY + 1)))
            yield Row(f"a bit of {name} flips", f"one of its bits, drawn by seed {SEED}", FLIPS, f"{lost}", longest)


def pages() -> Iterator[Row]:
    """A page of the journal is garbage, and of its second copy the last third is gone."""
    random = Random(SEED)  # noqa: S311 - places, not secrets
    with room() as folder:
        path = folder / "journal.sqlite3"
        filled(path)
        sound, lines = path.read_bytes(), path.with_suffix(".lines").read_bytes()
        lost, longest = 0, 0.0
        for _ in range(PAGES):
            for one in folder.iterdir():
                one.unlink()
            at = random.randrange(len(sound) // 4096) * 4096
            path.write_bytes(sound[:at] + random.randbytes(4096) + sound[at + 4096 :])
            path.with_suffix(".lines").write_bytes(lines[: len(lines) * 2 // 3])
            begun = time.perf_counter()
            with closing(open_kept_twice(path, CLOCK)) as journal:
                longest = max(longest, time.perf_counter() - begun)
                found = list(journal.decisions())
            lost = max(lost, sum(one not in found for one in (decision(n, "Fog " * 20) for n in range(1, MANY + 1))))
        yield Row(
            "a page of the journal is garbage, and its second copy damaged, too",
            f"one of its pages of 4 KiB, drawn by seed {SEED}, and the last third of the lines cut off",
            PAGES,
            f"{lost} at most, which stood in that page",
            longest,
        )


def ends() -> Iterator[Row]:
    """Both files end too early, each between two decisions."""
    random = Random(SEED)  # noqa: S311 - places, not secrets
    untold, longest = 0, 0.0
    for _ in range(PAGES):
        left = random.randrange(1, MANY)
        with room() as folder:
            path = folder / "journal.sqlite3"
            filled(path, left)
            mark = Mark(path)
            mark.write(MANY, mark.told()[1])
            begun = time.perf_counter()
            with closing(open_kept_twice(path, CLOCK)) as journal:
                longest = max(longest, time.perf_counter() - begun)
                told = journal.set_aside.left_out if journal.set_aside is not None else ()
                untold += [one.number for one in told] != list(range(left + 1, MANY + 1))
    lost = f"what stood there; {untold} times not told, or otherwise"
    yield Row(
        "both files end too early, and look whole", f"behind a decision drawn by seed {SEED}", PAGES, lost, longest
    )


def kills() -> Iterator[Row]:
    """SIGKILL while decisions are kept."""
    program = (
        "import sys; from pathlib import Path; from kiosk.clock import SystemClock;"
        "from kiosk.storage.kept_twice import open_kept_twice; from tests.kiosk.storage.test_journal import decision;"
        "journal = open_kept_twice(Path(sys.argv[1]), SystemClock());\n"
        "while True: journal.append(decision(journal.decision + 1)); print(journal.decision, flush=True)"
    )
    random = Random(SEED)  # noqa: S311 - moments, not secrets
    with room() as folder:
        path, lost, longest = folder / "journal.sqlite3", 0, 0.0
        for _ in range(KILLS):
            run = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
            assert run.stdout is not None
            run.stdout.readline()
            time.sleep(random.random() / 5)
            run.send_signal(signal.SIGKILL)
            said = [int(one) for one in run.stdout.read().split()]
            run.wait()
            begun = time.perf_counter()
            with closing(open_kept_twice(path, CLOCK)) as journal:
                longest = max(longest, time.perf_counter() - begun)
                lost += max(0, (said[-1] if said else 1) - journal.decision)
                assert [one.number for one in journal.decisions()] == list(range(1, journal.decision + 1))
        yield Row("the kiosk is killed while it writes", "SIGKILL at a random moment", KILLS, f"{lost}", longest)


@contextmanager
def disk(size: str) -> Iterator[Path | None]:
    """A small disk of its own; None where this may not mount one."""
    with room() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=False, capture_output=True
        )
        if mounted.returncode:
            yield None
            return
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def kept_again(journal: UnfailingJournal) -> float:
    """Seconds until all is kept; a minute at most."""
    begun = time.perf_counter()
    while journal.trouble is not None and time.perf_counter() - begun < 60:
        time.sleep(0.05)
        journal.keep()
    return time.perf_counter() - begun


def full() -> Iterator[Row]:
    """A disk that fills in play, one that is full at the start, and one that can only be read."""
    for name in ("full in play", "full at the start", "read-only at the start"):
        with disk("1m") as folder:
            if folder is None:
                yield Row(f"the disk is {name}", "needs root: not made", 0, "-", 0)
                continue
            path = folder / "data" / "journal.sqlite3"
            path.parent.mkdir()
            filled(path, 20)
            filler, journal = folder / "filler", None
            if name == "full in play":
                journal = open_unfailing(path, CLOCK, open_kept_twice)
            if name.startswith("read"):
                subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            else:
                with suppress(OSError), filler.open("wb", buffering=0) as out:
                    while out.write(bytes(1024)):
                        pass
            begun = time.perf_counter()
            journal = journal or open_unfailing(path, CLOCK, open_kept_twice)
            forty_more(journal)
            seconds = time.perf_counter() - begun
            assert journal.trouble is not None, "it was kept, so the disk was not full"
            if name.startswith("read"):
                subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
            filler.unlink(missing_ok=True)
            again, lost = kept_at_the_end(journal, path)
            made = f"a tmpfs of 1 MB, then 40 decisions; room came, and all was kept after {again:.1f} s"
            yield Row(f"the disk is {name}", made, 1, f"{lost}", seconds)


def forty_more(journal: UnfailingJournal) -> float:
    """Decide forty times after the twentieth decision; the seconds that it takes."""
    begun = time.perf_counter()
    for number in range(21, 61):
        journal.append(decision(number, "Rain " * 200))
    return time.perf_counter() - begun


def kept_at_the_end(journal: UnfailingJournal, path: Path) -> tuple[float, int]:
    """The seconds until all is kept again, and how many of sixty decisions are not there once it is closed."""
    again = kept_again(journal)
    journal.close()
    with closing(open_kept_twice(path, CLOCK)) as kept:
        return again, 60 - len(list(kept.decisions()))


def gone() -> Iterator[Row]:
    """The data folder is taken away in play, and is there again: as it was, or empty."""
    for name, comes_back in (("moved away and back", True), ("deleted, and made anew empty", False)):
        with room() as folder:
            path = folder / "data" / "journal.sqlite3"
            path.parent.mkdir()
            filled(path, 20)
            journal = open_unfailing(path, CLOCK, open_kept_twice)
            if comes_back:
                path.parent.rename(folder / "away")
            else:
                shutil.rmtree(path.parent)
            seconds = forty_more(journal)
            assert journal.trouble is not None, "it was not noticed"
            if comes_back:
                (folder / "away").rename(path.parent)
            else:
                path.parent.mkdir()
            again, lost = kept_at_the_end(journal, path)
            made = f"in play, then 40 decisions; it was there again, and all was kept after {again:.1f} s"
            yield Row(f"the data folder is {name}", made, 1, f"{lost}", seconds)


def backups() -> Iterator[Row]:
    """One bit of a backup flips: is it reported before anything is unpacked?"""
    random = Random(SEED)  # noqa: S311 - places, not secrets
    with room() as folder:
        filled(folder / "data" / "journal.sqlite3")
        manifest = back_up(folder / "data", folder / "one.zip", CLOCK)
        whole, wrong, longest = (folder / "one.zip").read_bytes(), 0, 0.0
        for _ in range(FLIPS):
            damaged = bytearray(whole)
            place = random.randrange(len(damaged) * 8)
            damaged[place // 8] ^= 1 << place % 8
            (folder / "two.zip").write_bytes(damaged)
            begun = time.perf_counter()
            with suppress(BackupError):
                wrong += verified(folder / "two.zip").files != manifest.files
            longest = max(longest, time.perf_counter() - begun)
        yield Row("a bit of a backup flips", "as above, then looked through", FLIPS, f"{wrong} taken wrongly", longest)


def seasons() -> Iterator[Row]:
    """How long a long journal takes to open, and to be looked at whole."""
    with room() as folder:
        path = folder / "journal.sqlite3"
        filled(path, 10_000)
        begun = time.perf_counter()
        with closing(open_kept_twice(path, CLOCK)) as journal:
            opened = time.perf_counter() - begun
            journal.older_altered()
            whole = time.perf_counter() - begun - opened
        made = f"10,000 decisions; looked at whole in the background in {whole:.2f} s"
        yield Row("none: a long season", made, 1, "0", opened)


FAULTS: Final[tuple[Callable[[], Iterator[Row]], ...]] = (flips, pages, ends, kills, full, gone, backups, seasons)

if __name__ == "__main__":
    main()

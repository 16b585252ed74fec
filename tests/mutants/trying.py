"""Runs the tests on one mutant after the other, each in a copy of the tree.

Once for all of them, the tests of the rooms are run with a probe at each place (`probes`). Of those that come past a
mutant some run before all others, and most often one of them notices within seconds. Else what is quick: the
conformance cases and the stories, for the folders that they play with; then the tests of the mutant's room; then the
recorded journals, where the mutant is of the rules. A test that fails is run on the tree as it is before it counts:
what fails there as well, for want of a program or of time, is left out from then on.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.mutants.places import Mutant
from tests.mutants.probes import put_probes, who_passed
from tests.mutants.reach import tests_of

QUICK: Final = ("tests/conformance", "tests/stories")
"""The tests run first for mutants of the rules, or of the kiosk's parts that the stories use."""

RECORDED: Final = "tests/recorded"
"""The tests run last for mutants of the rules: whole evenings, which notice a fault, but do not locate it."""

OF_EACH_FILE: Final = 3
"""How many of a file's tests that come past a mutant run before all others."""

FIRST: Final = 45
"""How many such tests there are in all, at most: more take as long as whole rooms."""

TEST_SECONDS: Final = 300
"""The longest that one test may take; a mutant that goes round for ever is killed by that."""

ROOM_SECONDS: Final = 3 * 3600
"""The longest that one mutant may take on a busy machine."""

_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:::.*?)?)(?: - .*)?$", re.MULTILINE)
"""What pytest's summary says of a test that failed, or of a file that cannot be imported."""


class Copy:
    """A copy of the tree to change; links to what git does not keep, such as built programs."""

    def __init__(self, tree: Path, place: Path, cases: Path | None) -> None:
        self.tree = tree
        self.place = place
        self._cases = cases
        self._broken: set[str] = set()
        self._ticks = 0
        if place.exists():
            shutil.rmtree(place)
        place.mkdir(parents=True)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=True).stdout.decode()
        for name in filter(None, listed.split("\0")):
            if (tree / name).is_file():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree / name, place / name)
        (place / "build").mkdir(exist_ok=True)
        for built in (tree / "build").glob("*"):
            if built.name != "mutants":
                (place / "build" / built.name).symlink_to(built.resolve())

    def passed(self, mutants: Sequence[Mutant]) -> dict[str, list[str]] | None:
        """Run the quick tests of the mutants' rooms as they are, and say which came past each mutant, by its name.

        None where the run did not come to its end.
        """
        wrote = self.place / "build" / "passed"
        shutil.rmtree(wrote, ignore_errors=True)  # what an earlier run wrote has the numbers of other places
        put_probes(self.place, mutants)
        try:
            rooms = sorted({Path(one.path).parts[0] for one in mutants})
            code, _ = self._pytest([f"tests/{room}" for room in rooms], whole=True)
            who = who_passed(wrote)
        finally:
            for path in {mutant.path for mutant in mutants}:
                self._put(path, (self.tree / path).read_text("utf-8"))
        if code not in {0, 1}:  # pytest's words for: all passed, some failed
            return None
        return {mutant.name: who.get(number, []) for number, mutant in enumerate(mutants)}

    def tried(self, mutant: Mutant, passed: Sequence[str] = ()) -> dict[str, Any]:
        """Run the tests on `mutant` and say whether one noticed, which, and after how long.

        `passed` are tests that come past it: some of them run first.
        """
        begun = time.monotonic()
        text = (self.tree / mutant.path).read_text("utf-8")
        self._put(mutant.path, mutant.applied(text))
        try:
            fate, by = self._fate(mutant, passed)
        finally:
            self._put(mutant.path, text)
        return {"mutant": mutant.name, "fate": fate, "by": by, "seconds": round(time.monotonic() - begun)}

    def _put(self, path: str, text: str) -> None:
        """Write a file; its time moves on each time, so that no stale compiled file is taken for it."""
        self._ticks += 1
        (self.place / path).write_text(text, "utf-8")
        moment = time.time() + self._ticks
        os.utime(self.place / path, (moment, moment))

    def _fate(self, mutant: Mutant, passed: Sequence[str]) -> tuple[str, str]:
        room = tests_of(self.tree, mutant.path)
        first = first_of(passed, room)
        fate = self._noticed(mutant, first) if first else ("survived", "")
        if fate[0] == "killed":
            return fate
        played = mutant.path.startswith(("rules/", "kiosk/"))
        if played and self._cases is not None and self._fails_cases():
            return "killed", "the conformance cases"
        files = [*(QUICK if played else ()), *room]
        if mutant.path.startswith("rules/"):
            files.append(RECORDED)
        return self._noticed(mutant, files)

    def _noticed(self, mutant: Mutant, what: Sequence[str]) -> tuple[str, str]:
        """Whether one of these tests notices, and which is the first; those that fail anyway are left out."""
        while True:
            code, told = self._pytest([one for one in what if one not in self._broken])
            if code is None:
                return "timed out", ""
            if code in {0, 5}:
                return "survived", ""
            failed = _FAILED.findall(told)
            if not failed:
                return "killed", f"pytest ended with {code}"
            if failed[0] not in self._broken and self._fails_as_it_is(mutant, failed[0]):
                self._broken.add(failed[0])
                continue
            return ("timed out" if "Timeout" in told else "killed"), failed[0]

    def _fails_as_it_is(self, mutant: Mutant, test: str) -> bool:
        """Whether the test fails without the mutant too."""
        mutated = (self.place / mutant.path).read_text("utf-8")
        self._put(mutant.path, (self.tree / mutant.path).read_text("utf-8"))
        try:
            return self._pytest([test])[0] not in {0, 5}
        finally:
            self._put(mutant.path, mutated)

    def _fails_cases(self) -> bool:
        command = [sys.executable, "-m", "tests.conformance", str(self._cases)]
        try:
            return (
                subprocess.run(
                    command, cwd=self.place, capture_output=True, timeout=TEST_SECONDS, check=False
                ).returncode
                != 0
            )
        except subprocess.TimeoutExpired:
            return True

    def _pytest(self, what: Sequence[str], *, whole: bool = False) -> tuple[int | None, str]:
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
        command += [
            *(["--length=quick"] if whole else ["-x"]),
            "--numprocesses=0",
            f"--timeout={TEST_SECONDS}",
            "--hypothesis-seed=0",
        ]
        command += [f"--{'deselect' if '::' in one else 'ignore'}={one}" for one in sorted(self._broken)]
        try:
            ended = subprocess.run(
                [*command, *what], cwd=self.place, capture_output=True, timeout=ROOM_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return ended.returncode, ended.stdout.decode(errors="replace")


def first_of(passed: Sequence[str], room: Sequence[str]) -> list[str]:
    """Of the tests that come past a place some of each file, those of the nearest files first."""
    near = {file: at for at, file in enumerate(room)}
    by_file: dict[str, list[str]] = {}
    for test in passed:
        by_file.setdefault(test.partition("::")[0], []).append(test)
    files = sorted((file for file in by_file if file in near), key=near.__getitem__)
    return [test for file in files for test in by_file[file][:OF_EACH_FILE]][:FIRST]


def noted(path: Path) -> dict[str, dict[str, Any]]:
    """What is known already, by the mutant's name."""
    if not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.endswith("}"))
    return {row["mutant"]: row for row in rows}


def note(path: Path, row: dict[str, Any]) -> None:
    """Add one line to the results."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")

"""`python -m tests.mutants [--seed N] [--count 100] [--jobs 1]`: which small faults do the tests notice?

What was found is kept under `build/mutants/`; begun again with the same seed on the same code, it goes on from there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from tests.mutants.places import Mutant, drawn
from tests.mutants.trying import Copy, note, noted

ROOT: Final = Path(__file__).resolve().parents[2]

CASES: Final = ROOT.parent / "shared" / "conformance" / "cases.jsonl"
"""The cases that lie beside a checkout, where they do."""

SEED: Final = 16
"""The draw whose shares docs/testing.md states."""


def main(arguments: Sequence[str]) -> int:
    """Draw, run, and print the survivors; 1 where there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help="of the draw (default: %(default)s)")
    parser.add_argument("--count", type=int, default=100, help="how many are drawn (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at once (default: %(default)s)")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to change (default: this one)")
    parser.add_argument("--cases", type=Path, default=CASES, help="conformance cases beside the project's own")
    parser.add_argument("--list", action="store_true", help="only print what would be run")
    given = parser.parse_args(arguments)
    tree = given.tree.resolve()
    mutants = drawn(tree, given.seed, given.count)
    if given.list:
        sys.stdout.writelines(f"{mutant.name}\n" for mutant in mutants)
        return 0
    results = tree / "build" / "mutants" / f"seed-{given.seed}.jsonl"
    cases = given.cases.resolve() if given.cases.is_file() else None
    copies: SimpleQueue[Copy] = SimpleQueue()
    for number in range(given.jobs):
        copies.put(Copy(tree, tree / "build" / "mutants" / f"tree-{number}", cases))
    passed = passed_by(tree, mutants, copies, results.parent)

    def run(mutant: Mutant) -> None:
        copy = copies.get()
        try:
            row = copy.tried(mutant, passed.get(mutant.name, ()))
        finally:
            copies.put(copy)
        note(results, row)
        sys.stdout.write(f"{row['fate']}: {row['mutant']} ({row['by'] or 'nothing noticed'}, {row['seconds']} s)\n")
        sys.stdout.flush()

    known = noted(results)
    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(run, [mutant for mutant in mutants if mutant.name not in known]))
    return told(mutants, results)


def passed_by(tree: Path, mutants: Sequence[Mutant], copies: SimpleQueue[Copy], folder: Path) -> dict[str, list[str]]:
    """Which tests come past each mutant: as an earlier run on the same code has kept it, else found out and kept.

    Nothing is kept, and nothing known, where the tests did not run to their end.
    """
    kept = folder / f"passed-{code_of(tree, mutants)}.json"
    if kept.exists():
        found: dict[str, list[str]] = json.loads(kept.read_text("utf-8"))
        return found
    copy = copies.get()
    try:
        passed = copy.passed(mutants)
    finally:
        copies.put(copy)
    if passed is None:
        sys.stderr.write("The tests did not run to their end: which of them come past a mutant is not known.\n")
        return {}
    for old in folder.glob("passed-*.json"):
        old.unlink()
    kept.write_text(json.dumps(passed), "utf-8")
    return passed


def code_of(tree: Path, mutants: Sequence[Mutant]) -> str:
    """A name for these mutants and all the Python files that git knows in `tree`, the tests too, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py"], cwd=tree, capture_output=True, check=True
    ).stdout.decode()
    digest = sha256("\n".join(mutant.name for mutant in mutants).encode())
    for path in filter(None, listed.split("\0")):
        if (tree / path).is_file():
            digest.update(path.encode() + b"\0" + sha256((tree / path).read_bytes()).digest())
    return digest.hexdigest()[:16]


def told(mutants: Sequence[Mutant], results: Path) -> int:
    """Print how many were killed, and those that were not: they survived, or no test came to an end in its time."""
    known = noted(results)
    alive = [(known[mutant.name]["fate"], mutant.name) for mutant in mutants]
    alive = [(fate, name) for fate, name in alive if fate != "killed"]
    sys.stdout.write(f"{len(mutants) - len(alive)} of {len(mutants)} killed\n")
    sys.stdout.writelines(f"{fate}: {name}\n" for fate, name in sorted(alive))
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m tests.conformance FILE.jsonl...`: exit 0 if all passed, 1 if any failed, 2 for a file without cases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.cases import CaseFileError, read_cases
from tests.conformance.runner import failures


def main(arguments: Sequence[str]) -> int:
    """Run the cases of every file named; print the failing ones and the counts."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance", description="Run conformance cases through the rules."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl", help="one case a line")
    files: list[Path] = parser.parse_args(arguments).files
    try:
        cases = [case for path in files for case in read_cases(path)]
    except CaseFileError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    failed = list(failures(cases))
    for failure in failed:
        sys.stdout.write(f"{failure}\n")
    sys.stdout.write(f"{len(cases) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

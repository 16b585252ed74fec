"""`python -m tests.rules_reference [--check | --missing]`: writes docs/rules.md, or says what it lacks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.rules_reference.page import PAGE, missing, rules_page

ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write the page below `root`; with `--check` exit 1 if it differs; `--missing` lists what it lacks."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules_reference", description="Write docs/rules.md.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is current")
    parser.add_argument("--missing", action="store_true", help="only list the rules that nothing holds or tests")
    given = parser.parse_args(arguments)
    if given.missing:
        for rule, (function, test) in missing(root).items():
            sys.stdout.write(f"{rule}: {'' if function else 'no function'}{'' if function or test else ', '}"
                             f"{'' if test else 'no test'}\n")  # fmt: skip
        return 0
    check: bool = given.check
    page = root / PAGE
    current = rules_page(root)
    if not check:
        page.write_text(current, encoding="utf-8")
        return 0
    if page.is_file() and page.read_text(encoding="utf-8") == current:
        return 0
    sys.stderr.write(f"{PAGE} is not current; run python -m tests.rules_reference\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

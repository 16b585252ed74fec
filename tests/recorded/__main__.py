"""`python -m tests.recorded write`: plays the journals anew and keeps them in the place of those that are there."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.recorded.recorder import keep_older, record


def main() -> None:
    """Record the journals as the game is now; only where it is meant to change are those in git replaced."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded", description="Record journals to be replayed.")
    what = parser.add_subparsers(dest="what", required=True)
    what.add_parser("write", help="play everything and keep it")
    older = what.add_parser("older", help="keep journals that older code wrote, with what they lead to now")
    older.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    given = parser.parse_args()
    if given.what == "write":
        record()
    else:
        keep_older(given.files)


if __name__ == "__main__":
    main()

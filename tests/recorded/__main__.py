"""`python -m tests.recorded write`: plays the journals anew and keeps them in the place of those that are there."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.recorded.excuses import FILE, read_excuses, written
from tests.recorded.excusing import excused_anew
from tests.recorded.kept import read_present
from tests.recorded.recorder import keep_older, record, record_scripted


def main() -> None:
    """Record the journals as the game is now; only where it is meant to change are those in git replaced."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded", description="Record journals to be replayed.")
    what = parser.add_subparsers(dest="what", required=True)
    what.add_parser("write", help="play everything and keep it")
    what.add_parser("scripted", help="play anew what is written out, and keep that alone")
    older = what.add_parser("older", help="keep journals that older code wrote, with what they lead to now")
    older.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    what.add_parser("excuse", help="write anew what becomes of the decisions that a mended rule decides otherwise")
    given = parser.parse_args()
    if given.what == "write":
        record()
    elif given.what == "scripted":
        record_scripted()
    elif given.what == "excuse":
        FILE.write_text(written(excused_anew(read_excuses(), read_present())), encoding="utf-8")
    else:
        keep_older(given.files)


if __name__ == "__main__":
    main()

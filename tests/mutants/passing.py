"""What a probe calls: it notes which test comes past its place. `probes` copies this file into the changed tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "build" / "passed"
"""Where the probes of this tree write, each process into a file of its own."""

_SEEN: Final[set[str]] = set()
"""What this process has written already."""


def passed(number: int) -> None:
    """The test that runs comes past the place of that number."""
    line = f"{number}\t{os.environ.get('PYTEST_CURRENT_TEST', '').rpartition(' (')[0]}\n"
    if line not in _SEEN:
        _SEEN.add(line)
        FOLDER.mkdir(parents=True, exist_ok=True)
        with (FOLDER / f"{os.getpid()}.tsv").open("a", encoding="utf-8") as file:
            file.write(line)

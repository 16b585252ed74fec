"""The simulated tray's terminal: `trueroll tray simulate` as a subprocess."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self

from tests.e2e.program import TRUEROLL


class Tray:
    """A simulated tray whose port is at `link`; type lines into it as a person would."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._process = subprocess.Popen(
            [str(TRUEROLL), "tray", "simulate", "--seed", "1", "--link", str(link)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip(), "it prints its port first"

    def tell(self, line: str) -> None:
        """Type one line into it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.communicate(timeout=10)

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

"""Which decisions were told to be not as they were written: a table is told once, and not at every start.

That a table begins empty because its journal was lost is told at each start until it is set up anew.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from kiosk.ports import MISSING
from kiosk.storage.journal import damaged_journals
from kiosk.storage.replacing import read_file, replace_file
from kiosk.storage.second_copy import BEGUN

log = logging.getLogger(__name__)

FILE_NAME: Final = "told.json"
"""The file in the data folder: the checksums of what the decisions said then."""

_FILE: Final = "file "
"""How the entry of a file begins; alone it says that files are told."""

_EMPTY: Final = "empty "
"""How the entry begins by which the table is empty since its journal was lost; the file that is left follows."""


class ToldOnce:
    """Keeps at `path` what was told. Where that file is lost, or its disk fails, what is altered is told again.

    Damaged journals that are there are not told then, and that a table is empty is known only until something is
    decided on it: see `new_names` and `lost_before`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.behind: frozenset[int] = frozenset()
        """Of those that were news: the missing ones that were told before, with another decision behind them.

        No checksum of the chain vouches for the one directly behind; what it said when the gap was told does.
        """

    def news(self, decisions: Mapping[int, str]) -> tuple[int, ...]:
        """Those of `decisions` that were not told before. From now on they were.

        They come as `Journal.altered` has them: one that says something else since, or of another journal, is news.
        """
        told = self._read()
        news = tuple(number for number, checksum in decisions.items() if checksum not in told)
        gaps = {number: f"gap {number}" for number, checksum in decisions.items() if checksum.startswith(MISSING)}
        for run in _runs(gaps):  # one more that is missing at either end makes the checksum another, too
            if run[0] in news and all(gaps[number] in told for number in run):
                self.behind |= {*run}
        self._keep(told, {*decisions.values(), *gaps.values()})
        return news

    def new_names(self, names: Iterable[str], what: str = "") -> tuple[str, ...]:
        """Those files that were not told before. From now on they were.

        `what` names their kind; without one they are damaged journals. The first time that it is asked for those, the
        ones that are there count as told: they may be years old.
        """
        told = self._read()
        kind = f"{what} {_FILE}".lstrip()
        found = {one: f"{kind}{one}" for one in names}
        self._keep(told, {kind, *found.values()})
        if not what and not any(one.startswith(kind) for one in told):
            return ()
        return tuple(one for one, kept in found.items() if kept not in told)

    def begins_empty(self, name: str) -> None:
        """From now on the table is empty because its journal was lost, which is kept as `name`, empty where nowhere."""
        told = self._read()
        self._write(told, _set_up(told) | {f"{_EMPTY}{name}"})

    def is_set_up(self) -> None:
        """The table is empty no longer: that is told no more."""
        told = self._read()
        self._write(told, _set_up(told))

    @property
    def empty_since(self) -> str | None:
        """As what the journal is kept since whose loss the table is empty, as `begins_empty` has it; None if it is not.

        Nothing is changed.
        """
        return next((one.removeprefix(_EMPTY) for one in sorted(self._read()) if one.startswith(_EMPTY)), None)

    def lost_before(self, journal: Path, decision: int) -> str | None:
        """As `empty_since`, of the journal at that path, whose last decision that is.

        Where it could not be kept it is known as long as nothing is decided: the mark beside it says that there was a
        table. Then the newest damaged journal is taken for the one that was lost. Nothing is changed.
        """
        kept = self.empty_since
        if kept is None and not decision and journal.with_name(BEGUN).exists():
            return next((one.name for one in reversed(damaged_journals(journal))), "")
        return kept

    def _keep(self, told: frozenset[str], now: set[str]) -> None:
        self._write(told, told | now)

    def _write(self, told: frozenset[str], now: frozenset[str]) -> None:
        if now == told:
            return
        try:
            replace_file(self._path, msgspec.json.encode(sorted(now)) + b"\n")
        except OSError as error:
            log.warning("What was told of the journal's state cannot be kept: %s", error)

    def _read(self) -> frozenset[str]:
        try:
            return msgspec.json.decode(read_file(self._path), type=frozenset[str])
        except (OSError, msgspec.MsgspecError):
            return frozenset()


def _set_up(told: frozenset[str]) -> frozenset[str]:
    """The same without that the table is empty."""
    return frozenset(one for one in told if not one.startswith(_EMPTY))


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Numbers that follow on one another, together."""
    run: list[int] = []
    for one in sorted(numbers):
        if run and one != run[-1] + 1:
            yield run
            run = []
        run.append(one)
    if run:
        yield run

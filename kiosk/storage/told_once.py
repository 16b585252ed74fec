"""Remembers which altered decisions were reported, so that they are reported once, not at every start.

An empty table after a loss is reported at each start until it is set up anew.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from kiosk.ports import MISSING
from kiosk.storage.begun import BEGUN
from kiosk.storage.journal_names import damaged_journals
from kiosk.storage.replacing import read_file, replace_file

log = logging.getLogger(__name__)

FILE_NAME: Final = "told.json"
"""The file in the data folder: the checksums of the reported decisions."""

_FILE: Final = "file "
"""The beginning of an entry for a file; alone it means that files are recorded."""

_EMPTY: Final = "empty "
"""The beginning of the entry for an empty table after a loss; the name of the remaining file follows."""


class ToldOnce:
    """Keeps at `path` what was reported. If that file is lost, or its disk fails, altered decisions are reported again.

    Damaged journals that are there are not told then, and that a table is empty is known only until something is
    decided on it: see `new_names` and `lost_before`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.behind: frozenset[int] = frozenset()
        """Of the news: missing ones reported before, now with a different decision behind them. No checksum of the
        chain protects that one; only its content at the first report does.
        """

    def news(self, decisions: Mapping[int, str]) -> tuple[int, ...]:
        """Those of `decisions` that were not reported before; from now on they count as reported.

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
        """The files that were not reported before; from now on they count as reported.

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
        """Note that the table is empty because its journal was lost, which is kept as `name`, empty if nowhere."""
        told = self._read()
        self._write(told, _set_up(told) | {f"{_EMPTY}{name}"})

    def is_set_up(self) -> None:
        """Note that the table is no longer empty."""
        told = self._read()
        self._write(told, _set_up(told))

    @property
    def empty_since(self) -> str | None:
        """The name of the lost journal after which the table is empty, as in `begins_empty`; None if it is not.

        Changes nothing.
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
    """The entries without that of an empty table."""
    return frozenset(one for one in told if not one.startswith(_EMPTY))


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Groups of consecutive numbers."""
    run: list[int] = []
    for one in sorted(numbers):
        if run and one != run[-1] + 1:
            yield run
            run = []
        run.append(one)
    if run:
        yield run

"""The real kiosk with a plug that is pulled at one exact step: `python -m tests.e2e.crashing STEP NUMBER …`.

The step is `before-commit`, `after-commit` or `after-publish` of decision NUMBER. It is made from the product's own
parts through the arguments that composition takes; the product itself knows nothing of it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from kiosk.compose import build
from kiosk.config import load_config
from kiosk.ports import Clock, Entry, SecondCopyState, SetAside
from kiosk.storage.journal import FileJournal, open_journal
from kiosk.storage.rows import Row
from rules.history import Decision
from rules.words import Phrase

STEPS = ("before-commit", "after-commit", "after-publish")


def pull_the_plug() -> None:
    """End at once, as a power cut would: nothing is flushed, closed or said."""
    os.kill(os.getpid(), signal.SIGKILL)


class PluggedJournal:
    """A real journal on a kiosk whose plug is pulled before or after one commit."""

    trouble: Phrase | None = None
    second_copy = SecondCopyState.WELL
    copied_anew = 0
    times_copied_anew = 0

    def __init__(self, inner: FileJournal, step: str, number: int) -> None:
        self._inner = inner
        self._step = step
        self._number = number

    @property
    def sequence(self) -> int:
        return self._inner.sequence

    @property
    def decision(self) -> int:
        return self._inner.decision

    @property
    def set_aside(self) -> SetAside | None:
        return self._inner.set_aside

    @property
    def altered(self) -> Mapping[int, str]:
        return self._inner.altered

    def mend_indexes(self) -> bool:
        return self._inner.mend_indexes()

    def older_altered(self) -> Mapping[int, str]:
        return self._inner.older_altered()

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        now = decision.number == self._number
        if now and self._step == "before-commit":
            pull_the_plug()
        sequence = self._inner.append(decision, idempotency, at=at)
        if now and self._step == "after-commit":
            pull_the_plug()
        return sequence

    def keep(self) -> None:
        self._inner.keep()

    def look_there(self) -> None:
        self._inner.look_there()

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        return self._inner.known(idempotency)

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        return self._inner.decisions(after)

    def leave_out(self, most: int) -> bool:
        return self._inner.leave_out(most)

    def end_before(self, decision: int) -> None:
        self._inner.end_before(decision)

    def checksum_at(self, decision: int) -> str:
        return self._inner.checksum_at(decision)

    def copy_to(self, copy: Path) -> None:
        self._inner.copy_to(copy)

    def members(self, after: int) -> Iterator[tuple[int, list[Row]]]:
        return self._inner.members(after)

    def take(self, decisions: Iterable[Sequence[Row]]) -> None:
        self._inner.take(decisions)

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        return self._inner.entries(after, limit)

    def close(self) -> None:
        self._inner.close()


@click.command()
@click.argument("step", type=click.Choice(STEPS))
@click.argument("number", type=int)
@click.option("--data", type=click.Path(path_type=Path), required=True)
@click.option("--port", type=int, required=True)
def main(step: str, number: int, data: Path, port: int) -> None:
    """Run until the plug is pulled."""

    def opened(path: Path, clock: Clock) -> PluggedJournal:
        return PluggedJournal(open_journal(path, clock), step, number)

    config = load_config(None, {"server.port": port, "camera.source": "off", "tray.url": "off"})
    kiosk = build(config, data, journal=opened)
    if step == "after-publish":
        kiosk.services.engine.listen(lambda told: pull_the_plug() if told.decision.number == number else None)
    kiosk.start()
    threading.Event().wait()


def crash() -> None:
    """Run by the words of the command line."""
    main()


if __name__ == "__main__":
    crash()

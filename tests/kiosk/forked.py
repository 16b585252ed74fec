"""A short program of a test in a process of its own, which may be killed: forked where the kiosk is loaded already."""

from __future__ import annotations

from tests.e2e.warm import FORKS


def ended(program: str) -> int:
    """Runs that Python and tells how its process ended: as its signal's number below zero where one killed it."""
    process = FORKS.Process(target=exec, args=(program, {}), daemon=True)
    process.start()
    process.join(60)
    assert process.exitcode is not None, "it has not ended within 60 s"
    return process.exitcode

"""The errors of the panel: each says what happened and what a person can do."""

from __future__ import annotations

from rules.words import Phrase, sentences


class HardwareError(Exception):
    """The base of every error that `hardware` raises."""


class PanelUnavailable(HardwareError):  # noqa: N818 - an absent panel is a state of the table, not a fault
    """There is no panel to use, and the table goes on without one.

    `what` says what is missing, `remedy` what a person can do; `str()` gives both.
    """

    def __init__(self, what: Phrase, remedy: Phrase) -> None:
        super().__init__(sentences(what, remedy))
        self.what = what
        self.remedy = remedy


class PanelStateError(HardwareError, RuntimeError):
    """The panel was started twice, or after it had been stopped."""


class PinsError(HardwareError, ValueError):
    """A pin assignment that cannot be wired.

    `problems` holds one sentence for each thing to change, `fields` the fields of `PanelPins` that are concerned.
    """

    def __init__(self, problems: tuple[Phrase, ...], fields: tuple[str, ...] = ()) -> None:
        super().__init__(sentences(*problems))
        self.problems = problems
        self.fields = fields


class RingLevelError(HardwareError, ValueError):
    """A brightness outside 0 to 1."""


class TimingError(HardwareError, ValueError):
    """Press timings that contradict one another."""

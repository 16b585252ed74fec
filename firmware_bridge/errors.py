"""The errors between trueroll and a dice tray: one small tree.

Every error says what happened (`error.what`, and `str(error)`) and what a person can do about it (`error.remedy`). Each
also inherits the builtin that fits, so that a caller may catch either.
"""

from __future__ import annotations

from typing import Final

from rules.words import Phrase

NO_WORDS: Final = Phrase("")
"""No words."""


class TrayError(Exception):
    """The base of all errors of the dice tray; `remedy` says what a person can do."""

    def __init__(self, what: Phrase, remedy: Phrase = NO_WORDS) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


class TerminalError(TrayError):
    """What the tools of the terminal meet, which speak English alone: only what a page shows, too, is a template."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what if isinstance(what, Phrase) else Phrase(what), Phrase(remedy))


class AddressError(TrayError, ValueError):
    """The tray's address cannot be that of a serial port."""


class PortMissingError(TrayError, FileNotFoundError):
    """No device is at the address now."""


class PortBusyError(TrayError, BlockingIOError):
    """Another program has the port open."""


class PortForbiddenError(TrayError, PermissionError):
    """This user may not open the port."""


class PortBrokenError(TrayError, ConnectionError):
    """The port is there but will not open."""


class LinkLostError(TrayError, ConnectionError):
    """An open port stopped working: unplugged, frozen, or read by a second program."""


class MessageError(TerminalError, ValueError):
    """A frame whose checksum is right but whose payload is shorter than its message."""


class SimulatorError(TerminalError, ValueError):
    """A command that the simulated tray does not understand."""


class RecordingError(TerminalError, ValueError):
    """A recording that cannot be replayed; the message names the line."""


class TaughtError(TrayError, ValueError):
    """What has been taught of the dice, or is about to be, cannot be so; the message says which die, face or line."""


class TeachingRefusedError(TaughtError):
    """A step of teaching that contradicts what the tray sees or what has been taught."""

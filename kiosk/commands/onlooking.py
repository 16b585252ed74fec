"""The tray's serial traffic for the terminal: from the port itself, or from the running kiosk that has it open."""

from __future__ import annotations

import itertools
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from firmware_bridge.conversation import Happened, Passed, PortChanged, follow, overhear
from firmware_bridge.discover import ports_of, usb_ports
from firmware_bridge.errors import (
    LinkLostError,
    PortBrokenError,
    PortBusyError,
    PortForbiddenError,
    PortMissingError,
    TaughtError,
    TrayError,
)
from firmware_bridge.recording import read_head, read_line
from firmware_bridge.session import TraySession
from firmware_bridge.taught import FILE_NAME
from firmware_bridge.taught_file import TaughtFile
from kiosk.commands.ending import told_to_end
from kiosk.storage.folder import LOCK_NAME, held_at
from kiosk.storage.paths import data_folder
from rules.words import Phrase

if TYPE_CHECKING:
    from firmware_bridge.link import SerialLink

SILENCE: Final = 20.0
"""Seconds of silence after which the kiosk counts as gone; it sends a sign of life twice a second."""

_LONGEST_REFUSAL: Final = 1000
"""Most bytes read of an answer in which the kiosk refuses."""

LOOK_INTERVAL: Final = 0.5
"""Seconds between two looks for a tray that is not there."""

KIOSK_FIRST: Final = 2.0
"""Seconds that a running kiosk has for opening a port that came back, before it is opened here."""

GoOn = Callable[[], bool]
"""Whether the caller still watches."""
Follow = Callable[[GoOn], Iterator[Passed | Happened]]
"""Yields what happens for as long as `GoOn` is true."""


@dataclass(frozen=True, slots=True)
class PortNotice:
    """What a person should know of the port, in words."""

    time: float
    words: str


class Watch:
    """Watches the tray at `url`, or any tray; it may come late, go, and come back.

    Where a kiosk on the data folder owns the port, what the kiosk sees and sends is overheard. `session` understands
    all of it; `nonce` is what it begins with at the first port.
    """

    def __init__(self, url: str | None, data_path: Path | None) -> None:
        self.nonce = 0
        self._url = url
        self._data = data_folder(data_path)
        self.session: Final = _session(self._data)
        self._begun: float | None = None
        self._was_beside = self._missed = False

    def passing(self, seconds: float | None) -> Iterator[Passed | Happened | PortChanged | PortNotice]:
        """The traffic until Ctrl-C or for `seconds` after the port opened, and notices when the port comes or goes.

        Raises `TrayError` where the port is there but cannot be used and never was, and where none came in `seconds`.
        """
        end = None if seconds is None else time.monotonic() + seconds
        with told_to_end() as told:

            def go_on() -> bool:
                return not told.is_set() and (end is None or time.monotonic() < end)

            is_open, said = False, ""
            while True:
                try:
                    with self._wire() as (nonce, follow_it):
                        yield from self._opened(nonce)
                        is_open, said = True, ""
                        yield from follow_it(go_on)
                        return
                except (LinkLostError, PortMissingError, PortBusyError, PortForbiddenError, PortBrokenError) as error:
                    trouble = error
                if self._begun is None and not isinstance(trouble, PortMissingError):
                    raise trouble
                if is_open:
                    is_open = False
                    yield PortChanged(self._clock(), None)
                if said != (said := words_of(trouble)):
                    yield PortNotice(self._clock(), f"{said} This command waits for the tray; Ctrl-C ends it.")
                told.wait(LOOK_INTERVAL if end is None else min(LOOK_INTERVAL, max(0.0, end - time.monotonic())))
                if told.is_set():
                    return
                if not go_on():
                    if self._begun is None:
                        raise trouble
                    return

    def _clock(self) -> float:
        return 0.0 if self._begun is None else time.monotonic() - self._begun

    def _opened(self, nonce: int) -> Iterator[PortChanged | PortNotice]:
        self.session.begin_with(nonce)
        if self._begun is None:
            self._begun, self.nonce = time.monotonic(), nonce
        else:
            yield PortChanged(self._clock(), nonce)
            yield PortNotice(self._clock(), "The dice tray's port is there again.")

    @contextmanager
    def _wire(self) -> Iterator[tuple[int, Follow]]:
        """One opening of the port, here or in the kiosk that owns it. Raises `TrayError`."""
        kiosk = _kiosk_on(self._data)
        if kiosk and (self._url is None or self._was_beside):
            try:
                with self._overheard(kiosk) as wire:
                    yield wire
            except _NoTrayThereError:
                if self._was_beside:
                    raise  # the kiosk opens the port as soon as it is there
            else:
                return
        try:
            address = found_port(self._url)
            if kiosk and self._missed:
                self._missed = False
                time.sleep(KIOSK_FIRST)  # what came just now is the kiosk's, if it wants it
                with self._overheard(kiosk) as wire:
                    yield wire
                return
            link = opened(address, ends=self._begun is None)
        except PortMissingError:
            self._missed = True
            raise
        except PortBusyError as error:
            if not kiosk:
                words = "A kiosk that owns it is overheard where --data names its folder."
                raise PortBusyError(error.what, Phrase(f"{error.remedy} {words}")) from error
            try:
                with self._overheard(kiosk) as wire:
                    yield wire
            except _NoTrayThereError as none:
                raise PortBusyError(error.what, Phrase(f"{error.remedy} The kiosk at {kiosk} says: {none}")) from error
            return
        try:
            nonce = secrets.randbelow(0xFFFF) + 1
            yield nonce, lambda go_on: follow(link, self.session, self._clock, go_on)
        finally:
            link.close()

    @contextmanager
    def _overheard(self, kiosk: str) -> Iterator[tuple[int, Follow]]:
        with _beside(kiosk) as (nonce, passing):
            self._was_beside = True
            yield nonce, lambda go_on: overhear(passing(go_on), self.session, self._clock)


class _NoTrayThereError(LinkLostError):
    """The kiosk has no port open, or refuses to share its traffic."""


def _kiosk_on(data: Path) -> str:
    """The address of the kiosk that uses the folder `data`; empty if there is none or it is unknown."""
    try:
        return held_at(data / LOCK_NAME) or ""
    except OSError:
        return ""


@contextmanager
def _beside(address: str) -> Iterator[tuple[int, Callable[[GoOn], Iterator[Passed | None]]]]:
    """The tray's traffic as the kiosk at `address` passes it on.

    Raises `_NoTrayThereError` before anything came, then `TrayError`.
    """
    try:
        answer = urllib.request.urlopen(f"{address}tray/wire", timeout=SILENCE)  # noqa: S310 - http only
    except urllib.error.HTTPError as error:
        with error:
            is_words = error.headers.get_content_type() == "text/plain"
            said = error.read(_LONGEST_REFUSAL).decode(errors="replace") if is_words else f"status {error.code}"
        raise _NoTrayThereError(Phrase(said)) from error
    except OSError as error:
        raise _NoTrayThereError(Phrase(str(error))) from error
    with answer:
        messages = _messages(answer)
        nonce = read_head(next(messages, None) or "")
        click.echo(f"The kiosk at {address} owns the tray's port; this is what it sees and sends.", err=True)

        def passing(go_on: GoOn) -> Iterator[Passed | None]:
            for number, line in enumerate(itertools.takewhile(lambda _: go_on(), messages), start=2):
                one = read_line(number, line) if line else None
                if not isinstance(one, PortChanged):
                    yield one

        yield nonce, passing


def _messages(answer: Iterator[bytes]) -> Iterator[str | None]:
    """The data of each message, None for a sign of life. Raises `LinkLostError` at the end, with the kiosk's words."""
    ended = False
    try:
        for raw in answer:
            line = raw.decode(errors="replace").rstrip("\r\n")
            if line.startswith("event: end"):
                ended = True
            elif line.startswith("data: ") and ended:
                raise LinkLostError(Phrase(line.removeprefix("data: ")))
            elif line.startswith("data: "):
                yield line.removeprefix("data: ")
            elif line.startswith(":"):
                yield None
    except (HTTPException, OSError) as error:
        if isinstance(error, TrayError):
            raise
        raise LinkLostError(Phrase(f"The kiosk no longer answers ({error})."), Phrase("Start it again.")) from error
    raise LinkLostError(
        Phrase("The kiosk was closed."), Phrase("With no kiosk running, this command opens the port itself.")
    )


def _session(data: Path) -> TraySession:
    """A session that knows the dice which were taught, as the kiosk does."""
    return TraySession(nonce=1, start_id=secrets.token_hex(4), taught=taught_in(data).current)


def taught_in(data: Path) -> TaughtFile:
    """The dice that were taught to the kiosk on the folder `data`; what is wrong with their file is said."""
    file = TaughtFile(data / FILE_NAME)
    try:
        file.load()
    except TaughtError as error:
        click.echo(f"{words_of(error)} Until then tagged dice are not known.", err=True)
    return file


def found_port(url: str | None) -> str:
    """The port that `url` names, or that calls itself a tray. Raises `PortMissingError`."""
    port = next(iter(ports_of(url)), None)
    if port is None and url is not None:
        raise PortMissingError(Phrase(f"No dice tray is connected as {url}."), Phrase("Plug it in, or name its port."))
    if port is None:
        others = ", ".join(usb_ports())
        raise PortMissingError(
            Phrase("No port calls itself a trueroll tray."),
            Phrase(f"If it is one of these, name it: {others}" if others else "Plug the tray in, or name its port."),
        )
    return port


_AFTERWARDS: Final[dict[type[TrayError], str]] = {
    PortBusyError: "Close that program, then start this command again.",
    PortForbiddenError: "Add the user to the group that owns the port (on Debian: sudo usermod -aG dialout USER), "
    "log in again, then start this command again.",
    PortBrokenError: "Unplug the tray and plug it in again, then start this command again.",
    PortMissingError: "Plug it in, then start this command again.",
    LinkLostError: "Plug it in again, then start this command again.",
}
"""Advice for each error in a command, which does not retry as the kiosk does."""


def afterwards(error: TrayError) -> TrayError:
    """`error` with the advice for a command that ends by it."""
    remedy = next((words for kind, words in _AFTERWARDS.items() if isinstance(error, kind)), None)
    return error if remedy is None else type(error)(error.what, Phrase(remedy))


def opened(address: str, *, ends: bool = True) -> SerialLink:
    """The port at `address`, for a command. Raises what `open_link` does.

    Where such an error `ends` the command, it says what to do before the next attempt. A missing port may be awaited.
    """
    from firmware_bridge.link import open_link  # noqa: PLC0415 - only commands with a port need pyserial

    try:
        return open_link(address)
    except PortBusyError as error:
        if not ends:
            raise
        raise afterwards(error) from error
    except (PortForbiddenError, PortBrokenError) as error:
        if not ends or "://" in address:  # what to do about those is said of the address itself
            raise
        raise afterwards(error) from error


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the tray's errors into a message and exit status 1, and Ctrl-C into a quiet end."""
    try:
        yield
    except TrayError as error:
        raise click.ClickException(words_of(error)) from error
    except KeyboardInterrupt:
        return


def words_of(error: TrayError) -> str:
    """What happened and what to do, as one text."""
    what = str(error)
    return f"{what}{'' if what.endswith('.') else '.'} {error.remedy}".rstrip()

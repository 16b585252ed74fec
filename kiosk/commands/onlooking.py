"""The wire of the tray for the terminal: a port of one's own, or what a running kiosk sees and sends on it."""

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
from typing import Final

import click

from firmware_bridge.conversation import Happened, Passed, follow, overhear
from firmware_bridge.discover import ports_of, usb_ports
from firmware_bridge.errors import LinkLostError, PortBusyError, PortMissingError, TaughtError, TrayError
from firmware_bridge.recording import read_head, read_line
from firmware_bridge.session import TraySession
from firmware_bridge.taught import FILE_NAME
from firmware_bridge.taught_file import TaughtFile
from kiosk.commands.ending import told_to_end
from kiosk.folder import LOCK_NAME, held_at
from kiosk.paths import data_folder

SILENCE: Final = 20.0
"""Seconds without a word from the kiosk, which says twice a second that it is there, after which it is gone."""

_LONGEST_REFUSAL: Final = 1000

GoOn = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What passes between a host and the tray: a `session` that began with `nonce` understands it."""

    nonce: int
    session: TraySession
    follow: Callable[[GoOn], Iterator[Passed | Happened]]

    def passing(self, seconds: float | None) -> Iterator[Passed | Happened]:
        """What passes until Ctrl-C or for `seconds`. Raises `TrayError`."""
        end = None if seconds is None else time.monotonic() + seconds
        with told_to_end() as told:
            yield from self.follow(lambda: not told.is_set() and (end is None or time.monotonic() < end))


@contextmanager
def open_conversation(url: str | None, data_path: Path | None) -> Iterator[Conversation]:
    """The tray at `url`, or any; overheard where a kiosk on the data folder owns its port. Raises `TrayError`."""
    from firmware_bridge.link import open_link  # noqa: PLC0415 - only monitor and record need pyserial

    data = data_folder(data_path)
    kiosk = _kiosk_on(data)
    if kiosk and url is None:
        try:
            with _beside(kiosk, data) as conversation:
                yield conversation
        except _NoTrayThereError:
            pass  # the kiosk uses none: one may be found without it
        else:
            return
    try:
        link = open_link(_found(url))
    except PortBusyError as error:
        if not kiosk:
            words = "A kiosk that owns it is overheard where --data names its folder."
            raise PortBusyError(str(error), f"{error.remedy} {words}") from error
        try:
            with _beside(kiosk, data) as conversation:
                yield conversation
        except _NoTrayThereError as none:
            raise PortBusyError(str(error), f"{error.remedy} The kiosk at {kiosk} says: {none}") from error
        return
    nonce = secrets.randbelow(0xFFFF) + 1
    session = _session(nonce, data)
    try:
        yield Conversation(nonce, session, lambda go_on: follow(link, session, time.monotonic, go_on))
    finally:
        link.close()


class _NoTrayThereError(LinkLostError):
    """The kiosk has no port open, or does not let this program look on."""


def _kiosk_on(data: Path) -> str:
    """Where the kiosk that uses the folder `data` is found; empty where none is, or it cannot be told."""
    try:
        return held_at(data / LOCK_NAME) or ""
    except OSError:
        return ""


@contextmanager
def _beside(address: str, data: Path) -> Iterator[Conversation]:
    """What the kiosk at `address` sees and sends. Raises `_NoTrayThereError` before anything came, then `TrayError`."""
    try:
        answer = urllib.request.urlopen(f"{address}tray/wire", timeout=SILENCE)  # noqa: S310 - http only
    except urllib.error.HTTPError as error:
        with error:
            is_words = error.headers.get_content_type() == "text/plain"
            said = error.read(_LONGEST_REFUSAL).decode(errors="replace") if is_words else f"status {error.code}"
        raise _NoTrayThereError(said) from error
    except OSError as error:
        raise _NoTrayThereError(str(error)) from error
    with answer:
        messages = _messages(answer)
        nonce = read_head(next(messages, None) or "")
        session = _session(nonce, data)
        click.echo(f"The kiosk at {address} owns the tray's port; this is what it sees and sends.", err=True)

        def passing(go_on: GoOn) -> Iterator[Passed | Happened]:
            lines = itertools.takewhile(lambda _: go_on(), messages)
            came = (line and read_line(number, line) for number, line in enumerate(lines, start=2))
            return overhear((one or None for one in came), session, time.monotonic)

        yield Conversation(nonce, session, passing)


def _messages(answer: Iterator[bytes]) -> Iterator[str | None]:
    """The data of each message, None for a sign of life. Raises `LinkLostError` at the end, with the kiosk's words."""
    ended = False
    try:
        for raw in answer:
            line = raw.decode(errors="replace").rstrip("\r\n")
            if line.startswith("event: end"):
                ended = True
            elif line.startswith("data: ") and ended:
                raise LinkLostError(line.removeprefix("data: "))
            elif line.startswith("data: "):
                yield line.removeprefix("data: ")
            elif line.startswith(":"):
                yield None
    except (HTTPException, OSError) as error:
        if isinstance(error, TrayError):
            raise
        raise LinkLostError(f"The kiosk no longer answers ({error}).", "Start it again.") from error
    raise LinkLostError("The kiosk was closed.", "With no kiosk running, this command opens the port itself.")


def _session(nonce: int, data: Path) -> TraySession:
    """A session that knows the dice which were taught, as the kiosk does."""
    file = TaughtFile(data / FILE_NAME)
    try:
        file.load()
    except TaughtError as error:
        click.echo(f"{words_of(error)} Until then tagged dice are not known.", err=True)
    return TraySession(nonce=nonce, start_id=secrets.token_hex(4), taught=file.current)


def _found(url: str | None) -> str:
    port = next(iter(ports_of(url)), None)
    if port is None and url is not None:
        raise PortMissingError(f"No dice tray is connected as {url}.", "Plug it in, or name its port.")
    if port is None:
        others = ", ".join(usb_ports())
        raise PortMissingError(
            "No port calls itself a trueroll tray.",
            f"If it is one of these, name it: {others}" if others else "Plug the tray in, or name its port.",
        )
    return port


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

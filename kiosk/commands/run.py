"""`trueroll run`: the kiosk, until someone ends it."""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import click

from kiosk.commands.allocator import give_memory_back, keep_little_memory
from kiosk.commands.ending import EndInTime, leave, told_to_end
from kiosk.commands.options import config_option, configured, data_option
from kiosk.config import Config
from kiosk.errors import KioskError, words_of
from kiosk.settings import ServerSettings
from kiosk.storage.paths import data_folder
from kiosk.web.startup import StartupServer
from rules.words import masked

if TYPE_CHECKING:
    from kiosk.web.services import Services

LOOK_EVERY_SECONDS: Final = 5.0
"""Seconds between two signals to the watchdog; systemd expects one every 30 s."""

TIDY_SECONDS: Final = 30.0
"""Seconds between two returns of free memory to the system."""

SERVICE: Final = "INVOCATION_ID"
"""Set if systemd started the kiosk; then a browser was started, too, and can show an error page."""

AT_HOME: Final = "127.0.0.1"
"""The address of the error page if the settings cannot be read."""


class RunningKiosk(Protocol):
    """A built kiosk: see `compose.Kiosk`."""

    @property
    def services(self) -> Services:
        """Its parts."""

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the pages."""

    @property
    def join_address(self) -> str | None:
        """Where phones join; None while the kiosk is not open to the network."""

    @property
    def alive(self) -> bool:
        """Whether decisions are still being taken."""

    def all_is_kept(self) -> bool:
        """Whether everything decided is on a disk, or never will be, so that it may end at once. From any thread."""

    def start(self, listening: socket.socket | None = None) -> None:
        """Serve the pages, then start the sources."""

    def stop(self) -> None:
        """End everything; twice is fine."""


Build = Callable[[Config, Path, bool], RunningKiosk]
"""Builds a kiosk from settings, data folder and whether it is a demonstration; `cli` passes it in."""


class DiscreetFormatter(logging.Formatter):
    """Writes a line of the log without what lets somebody in: the last door, as libraries quote whole addresses."""

    def format(self, record: logging.LogRecord) -> str:
        """As usual, with its traceback."""
        return masked(super().format(record))


def to_log(level: str) -> None:
    """Write the log to standard error from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(DiscreetFormatter("%(asctime)s %(levelname)-7s %(message)s [%(name)s]"))
    logging.basicConfig(level=level.upper(), handlers=[handler])


@click.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (8080); 0 takes any free one.")
@data_option
@config_option
@click.option("--camera", help="Camera, address, video, or folder of pictures; `off` uses none.")
@click.option("--tray", help="The tray's port or pyserial address; `off` uses none.")
@click.option("--demo", is_flag=True, help="Add a simulated tray and a camera that looks at rendered dice.")
@click.pass_obj
def run(
    build: Build,
    *,
    host: str | None,
    port: int | None,
    data_path: Path | None,
    config_path: Path | None,
    camera: str | None,
    tray: str | None,
    demo: bool,
) -> None:
    """Start the kiosk: pages for the table, sources found by themselves. Needs no hardware and no network."""
    given = {"server.host": host, "server.port": port, "camera.source": camera, "tray.url": tray}
    expected = SERVICE in os.environ
    try:
        config = configured(config_path, {key: value for key, value in given.items() if value is not None})
    except click.ClickException as error:
        if expected and isinstance(error.__cause__, KioskError):
            with StartupServer(AT_HOME, ServerSettings().port if port is None else port) as server:
                server.tell_failure(words_of(error.__cause__), expected=True)
        raise
    to_log(config.log.level)
    keep_little_memory()
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    end = EndInTime()
    with told_to_end(end.begin) as told, closing(end):
        with StartupServer(config.host, config.server.port) as server:
            try:
                with _kept_for_good():
                    kiosk = build(config, data_folder(data_path), demo)
                    end.kept = kiosk.all_is_kept
                    kiosk.start(server.hand_over())
            except KioskError as error:
                server.tell_failure(words_of(error), expected=expected)
                raise click.ClickException(str(error)) from error
        try:
            greet(kiosk, data_folder(data_path))
            _watch(kiosk, told)
        finally:
            kiosk.stop()
    if not told.is_set():
        raise click.ClickException(
            "The kiosk stopped taking decisions or serving pages. Start it again; nothing shown was lost."
        )
    leave()


@contextmanager
def _kept_for_good() -> Iterator[None]:
    """Exclude what is loaded here from garbage collection: it stays until the end.

    Of some 80,000 objects 500 could go; scanning them again and again is a tenth of the start, and a pause later.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def greet(kiosk: RunningKiosk, data: Path) -> None:
    """Print the addresses. Each part logs itself what it misses."""
    click.echo(f"trueroll is ready. Open {kiosk.address} in a browser on this machine.")
    if kiosk.join_address is not None and sys.stdout.isatty():
        access = kiosk.services.access
        click.echo(f"Phones join at {kiosk.join_address} (table code {access.table_code}).")
        click.echo(f"The gamemaster's code is {access.gamemaster_code}.")
    elif kiosk.join_address is not None:  # what is printed is kept, as in the system's log: no codes in it
        place = kiosk.join_address.partition("?")[0]
        click.echo(
            f"Phones join at {place}. The display shows the table's code, {kiosk.address}setup the gamemaster's."
        )
    else:
        settled = kiosk.services.network.settled
        how = settled or f"To let phones in, choose that on {kiosk.address}setup."
        click.echo(f"Only this machine can reach it. {how}")
    trouble = kiosk.services.engine.trouble
    click.echo(f"The journal is kept in {data}." if trouble is None else f"Nothing is being kept in {data}: {trouble}.")
    click.echo("Press Ctrl+C to end.")
    sys.stdout.flush()


def _watch(kiosk: RunningKiosk, told: threading.Event) -> None:
    """Wait for the end, and feed the system's watchdog only while decisions are taken and pages served."""
    from hardware.notify import Notifier  # noqa: PLC0415 - the board's room is known to the running kiosk alone

    notifier = Notifier.from_environment(os.environ)
    notifier.ready()
    tidied = 0.0
    while kiosk.alive and not told.wait(min(notifier.feed_every or LOOK_EVERY_SECONDS, LOOK_EVERY_SECONDS)):
        notifier.watchdog()
        if time.monotonic() - tidied >= TIDY_SECONDS:
            give_memory_back()
            tidied = time.monotonic()
    notifier.stopping()

"""`trueroll tray`: the serial dice tray from the terminal."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import TextIO

import click

from firmware_bridge.actions import Changed, Report
from firmware_bridge.check_rules import RuleVerdict, finding_data, finding_words
from firmware_bridge.checking import Check
from firmware_bridge.conversation import Direction, Happened, Passed, PortChanged
from firmware_bridge.describe import TextFinder, frame_data, frame_words, is_text, reading_data, reading_words
from firmware_bridge.errors import LinkLostError, PortMissingError, SimulatorError
from firmware_bridge.framing import FrameDecoder
from firmware_bridge.recording import head_line, line_of, read_recording
from firmware_bridge.recording import replay as play
from firmware_bridge.session import TraySession
from firmware_bridge.simulator_commands import help_line
from kiosk.commands.ending import told_to_end
from kiosk.commands.keyboard import typed_lines
from kiosk.commands.onlooking import (
    PortNotice,
    Watch,
    afterwards,
    found_port,
    opened,
    plain_errors,
    taught_in,
    words_of,
)
from kiosk.commands.options import data_option
from kiosk.commands.teach import dice, teach
from kiosk.storage.paths import data_folder

_LONGEST_PAUSE = 3600.0
"""The longest pause of a scripted simulator, in seconds: an hour."""
_OF_FRAMES = frozenset({"bad_checksum", "overlong", "short", "malformed"})
"""The counts of damaged frames, which a tray of plain lines does not send."""


@click.group()
def tray() -> None:
    """The serial dice tray: teach its dice, watch it, check it, simulate one, record and replay its wire."""


tray.add_command(teach)
tray.add_command(dice)


@tray.command()
@click.argument("url", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End by itself after this many seconds.")
@data_option
def monitor(url: str | None, *, as_json: bool, seconds: float | None, data_path: Path | None) -> None:
    """Show what passes between trueroll and the tray, both ways, as it happens.

    URL is a device or a pyserial URL; without it the tray is found by itself. It may come late, go, and come back;
    Ctrl-C ends the command. While a kiosk on the same data folder owns the port, what the kiosk sees and sends is
    shown. The last line counts what came and what was dropped. Of a plain tray each line is shown. Tagged dice are
    read as they were taught.
    """
    decoders = {direction: FrameDecoder(long_frames=True) for direction in Direction}
    text = TextFinder()
    watch = Watch(url, data_path)
    last: float | None = None
    try:
        with plain_errors():
            for one in watch.passing(seconds):
                last = one.time if watch.nonce else None
                for words, data in _lines(one, decoders, text):
                    line = json.dumps({"t": round(one.time, 3), **data}) if as_json else f"{one.time:9.3f} {words}"
                    click.echo(line)
    finally:
        if last is not None:
            words, data = _summary(watch.session)
            click.echo(json.dumps({"t": round(last, 3), **data}) if as_json else f"{last:9.3f} {words}")


@tray.command()
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path))
@click.argument("url", required=False)
@click.option("--seconds", type=click.FloatRange(min=0), help="End by itself after this many seconds.")
@data_option
def record(file: Path, url: str | None, seconds: float | None, data_path: Path | None) -> None:
    """Write everything that passes to FILE, for `replay` and for a report of what went wrong.

    A FILE that is there already is left as it is.
    The tray may come late, go, and come back, which is written too; Ctrl-C ends the command.
    """
    if file.is_file():
        raise click.ClickException(f"{file} is there already. Name a file that is not.")
    lines = 0
    watch = Watch(url, data_path)
    try:
        with plain_errors(), ExitStack() as kept:
            target: TextIO | None = None
            for one in watch.passing(seconds):
                if isinstance(one, PortNotice):
                    click.echo(one.words, err=True)
                if not isinstance(one, Passed | PortChanged):
                    continue
                if target is None:  # a port that does not open must leave no empty recording
                    target = kept.enter_context(file.open("w", encoding="utf-8"))
                    target.write(head_line(watch.nonce) + "\n")
                target.write(line_of(one) + "\n")
                target.flush()  # so that nothing is lost when the power goes
                lines += 1
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        if lines:
            click.echo(f"{lines} lines recorded in {file}", err=True)


@tray.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(file: Path, *, as_json: bool) -> None:
    """Play the recording FILE through the protocol again and print the readings that come of it."""
    with plain_errors():
        try:
            recording = read_recording(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise click.ClickException(f"{file} cannot be read as a recording: {error}") from error
        if recording.cut_off:
            click.echo(
                f"The last line of {file} was not written to its end; {len(recording.passed)} whole lines are played.",
                err=True,
            )
        session = TraySession(nonce=recording.nonce, start_id="replay")
        for now, reading in play(recording, session):
            if as_json:
                click.echo(json.dumps({"t": round(now, 3), **reading_data(reading)}))
            else:
                click.echo(f"{now:9.3f}  {reading_words(reading)}")


@tray.command()
@click.argument("url", required=False)
@click.option("--no-restart", is_flag=True, help="Send no RESET: a Nano with the old boot loader hangs in it.")
@click.option("--no-throw", is_flag=True, help="Ask for no dice, and leave out the rules of dice.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@data_option
def check(url: str | None, *, no_restart: bool, no_throw: bool, as_json: bool, data_path: Path | None) -> None:
    """Try the rules of docs/tray-protocol.md on a tray, one after the other, and say what to mend.

    URL is a device or a pyserial URL; without it the tray is found by itself. The kiosk must not have the port
    open: who has it is named. You are asked to throw a die and to take it away again. Exits 1 if a rule is broken,
    or if the tray cannot be tried.
    """
    broken = 0
    with plain_errors():
        address = found_port(url)
        one = Check(
            lambda: opened(address),
            time.monotonic,
            time.sleep,
            ask=None if no_throw else lambda what: click.echo(f">> {what}", err=True),
            taught=taught_in(data_folder(data_path)).taught,
            restarts=not no_restart,
        )
        try:
            for finding in one.run():
                broken += finding.verdict is RuleVerdict.BROKEN
                click.echo(json.dumps(finding_data(finding)) if as_json else finding_words(finding))
        except (LinkLostError, PortMissingError) as error:  # no tray is tried again by itself, as it is by the kiosk
            raise afterwards(error) from error
        if not as_json:
            click.echo(f"Rules that are broken: {broken}." if broken else "No rule that was tried is broken.")
    if broken:
        sys.exit(1)


@tray.command()
@click.option("--seed", type=int, help="The same dice, boot ids and noise every time.")
@click.option("--link", type=click.Path(path_type=Path), help="A path that always points at the simulated port.")
@click.option("--stay", is_flag=True, help="Go on when standard input ends, until the program is stopped.")
def simulate(seed: int | None, link: Path | None, *, stay: bool) -> None:
    """A dice tray without the tray, on a pseudo-terminal: prints the port's path, then obeys lines of input.

    `help` lists the lines: throwing dice, touching them, and every fault a tray can have; `wait SECONDS`
    pauses. Exits 1 if a line could not be obeyed.
    """
    from firmware_bridge.pty_simulator import PtySimulator  # noqa: PLC0415 - only this command needs it

    simulator = PtySimulator(seed, link=link)
    with plain_errors(), told_to_end() as told:
        click.echo(simulator.start())
        try:
            refused = _obey(simulator.command, told)
            if stay:
                told.wait()
        finally:
            simulator.stop()  # so that the link is taken away
    if refused and not told.is_set():
        sys.exit(1)


def _obey(command: Callable[[str], str], told: Event) -> bool:
    """Carry out the typed lines until `told` to end; whether one was refused."""
    refused = False
    for line in typed_lines():
        if told.is_set():
            break
        if line is None:
            continue
        try:
            said = _pause(line, told) if line.split()[:1] == ["wait"] else command(line)
            if line.strip().lower() == "help":
                said = f"{said}\n{help_line('wait SECONDS', 'pause, as in a script')}"
        except SimulatorError as error:
            refused = True
            click.echo(words_of(error), err=True)
        else:
            if said:
                click.echo(said)
    return refused


def _pause(line: str, told: Event) -> str:
    try:
        seconds = float(line.split()[1])
    except (IndexError, ValueError):
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST_PAUSE:
        raise SimulatorError(f"wait needs seconds from 0 to {_LONGEST_PAUSE:g}")
    told.wait(seconds)
    return ""


def _lines(
    one: Passed | Happened | PortChanged | PortNotice, decoders: dict[Direction, FrameDecoder], text: TextFinder
) -> Iterator[tuple[str, dict[str, object]]]:
    """What to print for `one`: words, and the same as data."""
    if isinstance(one, Passed):
        arrow = "<-" if one.direction is Direction.IN else "->"
        decoder = decoders[one.direction]
        before = decoder.counts.dropped
        for frame in decoder.feed(one.data):
            yield f"{arrow} {frame_words(frame)}", {"direction": one.direction.value, **frame_data(frame)}
        is_plain = one.direction is Direction.IN and not decoder.counts.good
        for line, understood in text.feed(one.data) if is_plain else ():
            words = "" if understood else " is no line that trueroll knows"
            yield f"{arrow} {line!r}{words}", {"direction": one.direction.value, "line": line, "understood": understood}
        dropped = decoder.counts.dropped - before
        if dropped and not (is_plain and is_text(one.data)):
            yield f"{arrow} {dropped} damaged", {"direction": one.direction.value, "damaged": dropped}
    elif isinstance(one, PortNotice):
        yield f"-- {one.words}", {"port": one.words}
    elif isinstance(one, PortChanged):
        for decoder in decoders.values():
            decoder.reset()
    elif isinstance(one.action, Report):
        yield f"== {reading_words(one.action.reading)}", reading_data(one.action.reading)
    elif isinstance(one.action, Changed):
        condition = one.action.condition
        words = f"-- {condition.what} {condition.remedy}".rstrip()
        yield words, {"state": condition.state.value, "what": condition.what, "remedy": condition.remedy}
    else:
        yield "-- The tray has been silent for long; trueroll would reopen the port now.", {"reopen": True}


def _summary(session: TraySession) -> tuple[str, dict[str, object]]:
    """What came over the wire in all: words, and the same as data."""
    counts = session.counts
    lines = not counts["frames"]  # what is no frame is no damage where a tray sends plain lines
    met = [
        f"{number} {name.replace('_', ' ')}"
        for name, number in counts.items()
        if number and name != "frames" and not (lines and name in _OF_FRAMES and session.condition.situation == "plain")
    ]
    trip = session.round_trip
    words = ", ".join([f"{counts['frames']} frames", *met])
    if trip is not None:
        words += f"; round trip {trip * 1e3:.1f} ms"
    return f"-- in all: {words}", {"counts": counts, "round_trip": None if trip is None else round(trip, 6)}

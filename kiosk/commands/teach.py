"""`trueroll tray teach` and `trueroll tray dice`: which tag is which face of which die, from the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import click

from firmware_bridge.errors import TaughtError
from firmware_bridge.supervisor import TraySupervisor
from firmware_bridge.taught import FILE_NAME, TagSide, TaughtDie, written
from firmware_bridge.taught_file import TaughtFile
from kiosk.commands.ending import told_to_end
from kiosk.commands.keyboard import typed_lines
from kiosk.commands.options import data_option
from kiosk.devices.teaching_file import FILE_NAME as TEACHING_NAME
from kiosk.devices.teaching_file import TeachingFile
from kiosk.devices.tray_desk import NO_D20, TrayChange, TrayDesk, may_be_taught
from kiosk.errors import JournalBusyError, JournalError, TrayDeskError
from kiosk.storage.folder import LOCK_NAME, HeldFolder, held_at
from kiosk.storage.paths import data_folder
from rules.dice import DieKind, SourceState, SourceStatus

HELP: Final = "Enter takes what lies there, u undoes a step, q stops."
"""The help that is printed before the first step."""

_LOOK: Final = 0.1
"""Seconds between two checks whether the tray has answered."""
_HOPELESS: Final = frozenset({SourceState.ABSENT, SourceState.OFF, SourceState.INCOMPATIBLE})
"""The states in which no tray will answer."""
_GREETING: Final = 8.0
"""Seconds that a tray may take to answer: a board restarts, and is asked for 3 s."""


@click.command()
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in DieKind]),
    help="A Challenge Die unless said; with --again, as before. Tags suit no d20: one is taught with --again alone.",
)
@click.option(
    "--side",
    type=click.Choice([side.value for side in TagSide]),
    help="What a tag stands for: the face that is up while it is read (unless said), or its own (for tags not yet "
    "glued in); with --again, as before.",
)
@click.option("--again", is_flag=True, help="Teach the die of this name anew.")
@click.option("--port", "url", help="The tray's port; otherwise it is looked for.")
@data_option
def teach(
    name: str, kind: str | None, side: str | None, url: str | None, data_path: Path | None, *, again: bool
) -> None:
    """Teach the tagged die NAME: lay it on the tray with each side up in turn.

    The finished die is kept in the data folder. While a kiosk runs, teach on its page instead.
    """
    with _held(data_folder(data_path)) as folder, told_to_end() as told:
        desk = TrayDesk(TaughtFile(folder / FILE_NAME), under_way=TeachingFile(folder / TEACHING_NAME))
        if unusable := desk.load():
            raise click.ClickException(unusable)
        old = next((die for die in desk.file.taught.dice if die.name.casefold() == name.strip().casefold()), None)
        if old is None and again:
            raise click.ClickException(f"No die is called {name}. `trueroll tray dice` lists those that were taught.")
        if old is not None and not again:
            raise click.ClickException(f"A die is called {old.name} already. To teach it anew, add --again.")
        if kind is not None and not may_be_taught(DieKind(kind), old):
            raise click.ClickException(NO_D20)
        told_of: list[SourceStatus] = []
        under_way = desk.under_way
        tray = TraySupervisor(
            url,
            taught=desk.file,
            hold_back=lambda: True,
            held_roll=under_way.held_roll,
            keep_held=under_way.hold,
        )
        desk.use(tray)
        tray.start(lambda _: None, told_of.append)
        try:
            _wait_for_tray(told_of, told.is_set)
            desk.do(_beginning(name, kind, side, old))
            click.echo(HELP)
            finished = _taught(desk, typed_lines(), told.is_set)
        except TrayDeskError as error:
            raise click.ClickException(str(error)) from error
        finally:
            tray.stop()
            under_way.keep(None)
    if not finished:
        click.echo(f"{name} was not taught; nothing was changed.", err=True)
        sys.exit(1)


@click.command()
@data_option
def dice(data_path: Path | None) -> None:
    """Print the dice that were taught, as the text of their file: `trueroll tray dice > my-dice.toml` keeps a copy."""
    try:
        click.echo(written(TaughtFile(data_folder(data_path) / FILE_NAME).load()), nl=False)
    except TaughtError as error:
        raise click.ClickException(f"{error}. {error.remedy}".strip()) from error


def _beginning(name: str, kind: str | None, side: str | None, old: TaughtDie | None) -> TrayChange:
    """The command that begins teaching.

    Options default to those of the `old` die, else to a Challenge Die by its upper face.
    """
    new_kind = DieKind(kind) if kind else old.kind if old is not None else DieKind.CHALLENGE
    as_before = old.side if old is not None and new_kind is old.kind else TagSide.UP
    die_id = f"{old.die_id:08x}" if old is not None else ""
    return TrayChange(
        action="begin", name=name, kind=new_kind, side=TagSide(side) if side else as_before, die_id=die_id
    )


@contextmanager
def _held(folder: Path) -> Iterator[Path]:
    """Lock the data folder; a running kiosk owns the tray's port, and has a page for teaching."""
    try:
        held = HeldFolder(folder)
    except JournalBusyError as error:
        address = ""
        with suppress(OSError):
            address = held_at(folder / LOCK_NAME) or ""
        where = f"{address}tray" if address else "the kiosk's page /tray"
        raise click.ClickException(f"A kiosk runs and owns the tray. Teach on its page: {where}") from error
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    with held:
        yield folder


def _wait_for_tray(told_of: list[SourceStatus], ended: Callable[[], bool]) -> None:
    """Return once a tray is ready, or end the command with the reason why none is."""
    until = time.monotonic() + _GREETING
    while not ended() and time.monotonic() < until:
        state = told_of[-1].state if told_of else SourceState.STARTING
        if state is SourceState.READY:
            return
        if state in _HOPELESS:
            break
        time.sleep(_LOOK)
    last = told_of[-1] if told_of else None
    why = f"{last.what} {last.remedy}".strip() if last else "The tray does not answer."
    raise click.ClickException(f"{why} This command has ended; start it again then.")


def _taught(desk: TrayDesk, lines: Iterator[str | None], ended: Callable[[], bool]) -> bool:
    """Lead through the steps; whether the die is complete."""
    instruction, seen = "", ""
    for line in lines:
        view = desk.view()
        if ended() or view.teaching is None:
            return False
        if view.teaching.instruction != instruction:
            instruction = view.teaching.instruction
            click.echo(instruction)
        lying = "; ".join(f"place {place.slot + 1}: {place.words}" for place in view.places) or "nothing"
        sees = desk.obstacle or f"The tray sees {lying}."
        if sees != seen:
            seen = sees
            click.echo(f"  {sees}")
        if line is None:
            continue
        word = line.strip().lower()
        if word in {"q", "quit"}:
            return False
        if word not in {"", "u", "undo"}:
            click.echo(HELP)
            continue
        try:
            said = desk.do(TrayChange(action="undo" if word else "take")).said
        except TrayDeskError as error:
            said = str(error)
        click.echo(f"  {said}")
        if desk.view().teaching is None:
            return True
    return False

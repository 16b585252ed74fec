"""`trueroll backup` and `trueroll restore`: all that is kept in one file, and back again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from kiosk.clock import SystemClock
from kiosk.commands.options import data_option
from kiosk.commands.unkept import warn_of_unkept
from kiosk.errors import KioskError
from kiosk.storage.backup import back_up, checked, left_out_words, usual_name
from kiosk.storage.backup import restore as restore_from
from kiosk.storage.paths import data_folder

MOST_NAMED: Final = 20
"""Most damaged decisions of a backup that are named."""


@click.command()
@data_option
@click.option("--force", is_flag=True, help="Put it in the place of a FILE that is there already.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def backup(data_path: Path | None, file: Path | None, *, force: bool) -> None:
    """Write all that is kept to a new FILE, or to one named by the time, and read it back. Works while the kiosk runs.

    The codes of the table are in it: keep it as you keep a key.
    """
    clock = SystemClock()
    target = file or Path(usual_name(clock))
    if target.exists() and not force:
        raise click.ClickException(
            f"{target} is there already, and nothing was changed. Name a file that is not, or replace it with --force."
        )
    try:
        made = back_up(data_folder(data_path), target, clock)
    except KioskError as error:
        raise click.ClickException(str(error)) from error
    warn_of_unkept(data_folder(data_path))
    click.echo(f"{target} holds {made.decisions} decisions and {len(made.files)} files, and was read back whole.")
    if made.left_out:
        click.echo(str(left_out_words(made)))


@click.command()
@data_option
@click.option("--check", is_flag=True, help="Only look whether the backup is whole.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(data_path: Path | None, file: Path, *, check: bool) -> None:
    """Put what FILE holds in the place of all that is kept, once all of it was found whole. Stop the kiosk first.

    Nothing is deleted: what was there is moved into a folder beside it.
    """
    data = data_folder(data_path)
    try:
        if check:
            made, altered = checked(file, SystemClock())
            click.echo(f"{file} is whole: {made.decisions} decisions and {len(made.files)} files of {made.when}.")
            _tell_altered(altered)
            return
        done = restore_from(file, data, SystemClock())
    except KioskError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{data} is as it was on {done.manifest.when}: {done.manifest.decisions} decisions.")
    if done.before:
        click.echo(f"What was there before is in {data / done.before}.")
    _tell_altered(done.altered)


def _tell_altered(decisions: Sequence[int]) -> None:
    """Say which decisions were damaged before the backup was made, if any."""
    if decisions:
        named = ", ".join(map(str, decisions[:MOST_NAMED])) + (", …" if len(decisions) > MOST_NAMED else "")
        click.echo(f"Damaged or missing when it was made, so compare them with your notes: decision {named}.")

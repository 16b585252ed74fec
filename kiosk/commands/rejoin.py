"""`trueroll rejoin`: joins a rescued journal to the one that it continues."""

from __future__ import annotations

from pathlib import Path

import click

from kiosk.clock import SystemClock
from kiosk.commands.options import data_option
from kiosk.errors import KioskError
from kiosk.storage.journal_names import RESCUED
from kiosk.storage.paths import JOURNAL_NAME, data_folder
from kiosk.storage.rejoining import rejoin as put_behind


@click.command()
@data_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def rejoin(data_path: Path | None, file: Path) -> None:
    """Put the decisions of a rescued journal FILE behind those of the journal that it continues. Stop the kiosk first.

    Nothing is deleted: FILE stays as it is, and the journal as it was is kept beside it. Where FILE does not continue
    the journal, it says why, and changes nothing. A name without a folder is looked for in the data folder, too.
    """
    folder = data_folder(data_path)
    found = folder / file if not file.exists() and file.name == str(file) else file
    try:
        done = put_behind(folder / JOURNAL_NAME, found.absolute(), SystemClock())
    except KioskError as error:
        raise click.ClickException(f"{found} was not put behind the journal: {error}") from error
    if done is None:
        rescued = f".{RESCUED}-" in found.name  # an older copy of the journal is kept on purpose
        click.echo(
            f"The journal has all of {found} already. Nothing was changed{'; the file may be deleted' * rescued}."
        )
        return
    they = (
        f"Decision {done.first} of {found} stands"
        if done.first == done.last
        else f"The decisions {done.first} to {done.last} of {found} stand"
    )
    click.echo(f"{they} in the journal now. As it was before it is kept as {done.before}.")

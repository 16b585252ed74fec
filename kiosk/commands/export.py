"""`trueroll export`: the session as Markdown, CSV or JSON."""

from __future__ import annotations

from pathlib import Path

import click

from kiosk.clock import SystemClock
from kiosk.commands.options import data_option
from kiosk.errors import KioskError
from kiosk.storage.export import FORMS, tell
from kiosk.storage.journal import open_for_reading
from kiosk.storage.paths import JOURNAL_NAME, data_folder
from kiosk.storage.persons import FILE_NAME as PERSONS_NAME
from kiosk.storage.persons import Persons


@click.command()
@data_option
@click.option("--format", "form", type=click.Choice(list(FORMS)), default="markdown", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write; standard output if none."
)
def export(data_path: Path | None, form: str, output: Path | None, *, as_json: bool) -> None:
    """Write out everything the journal holds. Works while the kiosk runs and changes nothing."""
    try:
        folder = data_folder(data_path)
        journal = open_for_reading(folder / JOURNAL_NAME, SystemClock())
        try:
            told, table = tell(journal, Persons(folder / PERSONS_NAME).called)
        finally:
            journal.close()
        text = FORMS["json" if as_json else form](told, table)
        if output is None:
            click.echo(text, nl=False)
        else:
            output.write_text(text, encoding="utf-8")
    except KioskError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{output} cannot be written: {error.strerror}. Choose another --output.") from error

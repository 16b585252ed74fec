"""`trueroll export` and `trueroll import`: the session as Markdown, CSV or JSON, and from JSON again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import click

from kiosk.clock import SystemClock
from kiosk.commands.options import data_option
from kiosk.commands.unkept import warn_of_unkept
from kiosk.errors import KioskError
from kiosk.storage.export import FORMS, brought_in, write_export
from kiosk.storage.folder import HeldFolder
from kiosk.storage.journal import open_for_reading, open_journal
from kiosk.storage.paths import JOURNAL_NAME, data_folder
from kiosk.storage.persons import FILE_NAME as PERSONS_NAME
from kiosk.storage.persons import Persons
from kiosk.storage.rows import Row, rows_of


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
        warn_of_unkept(folder)
        called = Persons(folder / PERSONS_NAME).called
        name = "json" if as_json else form
        with closing(open_for_reading(folder / JOURNAL_NAME, SystemClock())) as journal:
            if output is None:
                write_export(journal, name, sys.stdout, called)
                return
            with output.open("w", encoding="utf-8", newline="") as file:
                write_export(journal, name, file, called)
    except KioskError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        place = output or "The output"
        raise click.ClickException(f"{place} cannot be written: {error.strerror}. Choose another --output.") from error


@click.command("import")
@data_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def import_(data_path: Path | None, file: Path) -> None:
    """Make a journal of an export as JSON, in a data folder that has none yet."""
    folder = data_folder(data_path)
    path = folder / JOURNAL_NAME
    try:
        with HeldFolder(folder):
            if path.exists():
                raise click.ClickException(
                    f"There is a journal in {folder} already. Choose an empty folder with --data."
                )
            try:
                with file.open(encoding="utf-8") as lines, closing(open_journal(path, SystemClock())) as journal:
                    journal.take(_rows(lines))
                    decisions = journal.decision
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except KioskError as error:
        raise click.ClickException(str(error)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{file} cannot be read: {error}.") from error
    click.echo(f"{path} has {decisions} decisions now.")


def _rows(lines: Iterable[str]) -> Iterator[list[Row]]:
    sequence, before = 0, ""
    for decision, time, key in brought_in(lines):
        rows = rows_of(decision, sequence, before, time, key)
        sequence, before = rows[-1][0], rows[0][-1] or ""
        yield rows

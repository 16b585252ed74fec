"""`trueroll update` and `trueroll rollback`: install a new version, and go back to the one before."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import click

from kiosk.clock import SystemClock
from kiosk.commands.options import data_option
from kiosk.commands.trying import environment, start, stop, try_out
from kiosk.commands.update_file import UpdateError, unpack
from kiosk.commands.versions import CURRENT, VERSIONS, Installation, Means
from kiosk.errors import KioskError
from kiosk.storage.backup import restore
from kiosk.storage.paths import data_folder

root_option = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the versions; usually the one that this program is in.",
)


@click.command()
@data_option
@root_option
@click.option("--check", is_flag=True, help="Only look whether the file is whole.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def update(data_path: Path | None, root: Path | None, file: Path, *, check: bool) -> None:
    """Install the version in FILE, try it on a copy of the data, and let it run.

    FILE says by checksums that it is whole, not who made it: take it from whom you trust. A version that does not run
    for three minutes gives way by itself to the one before.
    """
    try:
        if check:
            manifest = unpack(file)
            click.echo(f"{file} is whole: trueroll {manifest.version}, {len(manifest.parts)} files.")
            return
        name = _installation(root).update(file, _means(data_folder(data_path)))
    except UpdateError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(_unwritten(error)) from error
    click.echo(f"{name} runs now. If it does not last for three minutes, the version before comes back by itself.")


@click.command()
@data_option
@root_option
@click.option("--with-data", is_flag=True, help="Put back the data as they were at the update, too.")
def rollback(data_path: Path | None, root: Path | None, *, with_data: bool) -> None:
    """Let the version before run again, once it was tried on a copy of the data. Every roll stays.

    Where that version cannot read what the later one wrote, --with-data takes the table back to the update. What came
    after it is kept in a folder beside.
    """
    data = data_folder(data_path)
    given_back = partial(_give_back, data) if with_data else None
    try:
        name = _installation(root).roll_back(_means(data), with_data=given_back)
    except UpdateError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(_unwritten(error)) from error
    click.echo(f"{name} runs again.")


def _installation(root: Path | None) -> Installation:
    if root is not None:
        root.mkdir(parents=True, exist_ok=True)
        return Installation(root.absolute())  # its links and units are read from elsewhere
    place = next((one.parent for one in Path(sys.prefix).parents if one.name == VERSIONS), None)
    if place is None or not (place / CURRENT).is_symlink():
        raise UpdateError(
            "This trueroll was not installed by hardware/os/install.sh, so it has no versions beside each other. "
            "Update it as it came: its package with apt, its source with make install; or name the folder of the "
            "versions with --root."
        )
    return Installation(place)


def _means(data: Path) -> Means:
    clock = SystemClock()
    return Means(data, environment, partial(try_out, data=data, clock=clock), stop, start)


def _give_back(data: Path, backup: Path) -> None:
    owner = data.stat()
    try:
        restore(backup, data, SystemClock())
    except KioskError as error:
        raise UpdateError(str(error)) from error
    finally:
        if os.geteuid() == 0:  # what root put there is the kiosk's
            for one in data.rglob("*"):
                os.chown(one, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _unwritten(error: OSError) -> str:
    place = error.filename or "The disk"
    return f"{place} cannot be changed: {error.strerror}. Run this with sudo. The present version goes on."

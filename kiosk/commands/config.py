"""`trueroll config`: the settings in force, and where each came from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kiosk.commands.options import config_option, configured
from kiosk.config import as_dict, show
from kiosk.storage.paths import settings_place


@click.group()
def config() -> None:
    """Look at the settings."""


@config.command("show")
@config_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show_settings(config_path: Path | None, *, as_json: bool) -> None:
    """Print every setting in force and where it came from."""
    settings = configured(config_path)
    if as_json:
        click.echo(json.dumps(as_dict(settings), ensure_ascii=False))
        return
    where = settings.path or f"{settings_place()} (not there yet; the defaults are in force)"
    click.echo(f"# Settings file: {where}")
    click.echo(show(settings), nl=False)

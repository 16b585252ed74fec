"""Options that several commands share, and settings read with a clean error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from kiosk.config import Config, load_config
from kiosk.errors import ConfigError
from kiosk.storage.paths import settings_file

config_option = click.option(
    "--config", "config_path", type=click.Path(path_type=Path, dir_okay=False), help="Settings file (TOML)."
)
data_option = click.option(
    "--data",
    "data_path",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the journal and the codes.",
)


def configured(given: Path | None, overrides: Mapping[str, object] | None = None) -> Config:
    """The settings in force; a file that cannot be used ends the command with words."""
    try:
        return load_config(settings_file(given), overrides or {})
    except ConfigError as error:
        raise click.ClickException(str(error)) from error

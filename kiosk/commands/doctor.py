"""`trueroll doctor`: what is wrong, and what to do."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import click

from kiosk.commands.options import config_option, configured, data_option
from kiosk.doctor import Health, examine
from kiosk.storage.paths import data_folder


@click.command()
@config_option
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def doctor(config_path: Path | None, data_path: Path | None, *, as_json: bool) -> None:
    """Look at every part and say what is wrong and what to do. Exit status 1 when something is wrong."""
    findings = examine(configured(config_path), data_folder(data_path))
    widest = max(len(finding.part) for finding in findings)
    for finding in findings:
        if as_json:
            click.echo(json.dumps(dataclasses.asdict(finding), ensure_ascii=False))
        else:
            click.echo(f"{finding.health.upper():7} {finding.part:{widest}} {finding.what}")
            if finding.remedy:
                click.echo(f"{'':{8 + widest}} {finding.remedy}")
    if any(finding.health is Health.WRONG for finding in findings):
        sys.exit(1)

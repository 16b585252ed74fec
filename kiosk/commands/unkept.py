"""What the running kiosk holds in memory because its disk does not take it. Who copies its files lacks that."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.json import decode

from kiosk.storage.folder import LOCK_NAME, held_at

ANSWER_SECONDS: Final = 3.0
"""A kiosk that takes longer to say how it is has more wrong with it than this would find out."""


def unkept_on(data: Path) -> str:
    """What the kiosk that uses the folder `data` says of what it cannot keep there; empty where none does, or says so.

    Raises `OSError` where the folder cannot be looked into.
    """
    address = held_at(data / LOCK_NAME)
    if not address:
        return ""
    try:
        with urllib.request.urlopen(f"{address}api/v1/table", timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http only
            return decode(answer.read(), type=_WhetherKept).not_kept
    except (OSError, ValueError):  # no kiosk, one that tells strangers nothing, or another version
        return ""


class _WhetherKept(Struct):
    """Of the table as the kiosk tells it, whether it is kept."""

    not_kept: str = ""


def warn_of_unkept(data: Path) -> None:
    """Say on standard error that the kiosk on the folder `data` holds decisions that are not in its files, if any."""
    try:
        unkept = unkept_on(data)
    except OSError:
        return
    if unkept:
        click.echo(f"{unkept} That is not in here: make a backup at the kiosk, on its settings page.", err=True)

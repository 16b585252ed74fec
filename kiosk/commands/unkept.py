"""Decisions that the running kiosk could not save: a copy of its files lacks them."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.json import decode

from kiosk.storage.folder import LOCK_NAME, held_at

ANSWER_SECONDS: Final = 3.0
"""Seconds that the kiosk has to answer; a slower one has worse problems."""


def unkept_on(data: Path) -> str:
    """The kiosk's words on what it could not save in `data`; empty if nothing, or no kiosk answers.

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
    """The part of the kiosk's answer that says whether the table is saved."""

    not_kept: str = ""


def warn_of_unkept(data: Path) -> None:
    """Say on standard error that the kiosk on the folder `data` holds decisions that are not in its files, if any."""
    try:
        unkept = unkept_on(data)
    except OSError:
        return
    if unkept:
        click.echo(f"{unkept} That is not in here: make a backup at the kiosk, on its settings page.", err=True)

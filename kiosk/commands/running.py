"""Finds the running kiosk by its data folder's lock, and asks for the state of its parts."""

from __future__ import annotations

import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from msgspec import DecodeError
from msgspec.json import decode

from kiosk.commands.unkept import ANSWER_SECONDS
from kiosk.ports import SourceView
from kiosk.storage.folder import LOCK_NAME, held_at
from kiosk.web.messages import Health


@dataclass(frozen=True, slots=True)
class Running:
    """A kiosk that holds a data folder. `address` is empty until it serves its pages.

    `parts` holds how each part is, by its name; None where the kiosk did not say.
    """

    address: str
    parts: dict[str, SourceView] | None


def running_on(data: Path) -> Running | None:
    """The kiosk that uses the folder `data`, or None where none does.

    What a killed kiosk left there is never taken for a running one. Raises `OSError` where the folder cannot be looked
    into.
    """
    address = held_at(data / LOCK_NAME)
    if address is None:
        return None
    return Running(address, parts_at(address) if address else None)


def parts_at(address: str) -> dict[str, SourceView] | None:
    """How the parts of the kiosk at `address` are, by name; None where no kiosk answers there."""
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http only
            body: bytes = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            body = error.read()  # a kiosk that can decide nothing says so with 503, and still tells of its parts
    except (OSError, ValueError):
        return None
    try:
        return {part.source: part for part in decode(body, type=Health).parts}
    except DecodeError:
        return None

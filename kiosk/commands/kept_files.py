"""Checks the files beside the journal: reads each as the kiosk does, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from firmware_bridge.errors import TaughtError
from firmware_bridge.taught import FILE_NAME as TAUGHT_NAME
from firmware_bridge.taught_file import TaughtFile
from kiosk.devices.bluetooth_desk import FILE_NAME as BLUETOOTH_NAME
from kiosk.devices.bluetooth_desk import KeptDie
from kiosk.devices.teaching_file import FILE_NAME as TEACHING_NAME
from kiosk.devices.teaching_file import Kept
from kiosk.storage.kept_file import fault_of
from kiosk.storage.persons import FILE_NAME as PERSONS_NAME
from kiosk.storage.persons import Person
from kiosk.storage.preferences import FILE_NAME as PREFERENCES_NAME
from kiosk.storage.preferences import Preferences
from kiosk.web.access import FILE_NAME as ACCESS_NAME
from kiosk.web.access import Secrets

JSON_FILES: Final[Mapping[str, type[object]]] = {
    ACCESS_NAME: Secrets,
    PERSONS_NAME: tuple[Person, ...],
    PREFERENCES_NAME: Preferences,
    "hidden.json": tuple[dict[str, object], ...],
    TEACHING_NAME: Kept,
    BLUETOOTH_NAME: tuple[KeptDie, ...],
}
"""The JSON files, each with its model."""


def faults(data: Path) -> Iterator[str]:
    """What is wrong with the files of that folder, a sentence each. A camera library that is broken raises."""
    for name, shape in JSON_FILES.items():
        if (fault := fault_of(data / name, shape)) is not None:
            yield str(fault)
    try:
        TaughtFile(data / TAUGHT_NAME).load()
    except TaughtError as error:
        yield f"{str(error).rstrip('.')}."
    yield from _of_the_camera(data)


def _of_the_camera(data: Path) -> Iterator[str]:
    """Own dice, calibration, empty tray and cases."""
    from vision.desk.cases import FOLDER_NAME, broken  # noqa: PLC0415 - a broken camera library costs this part alone
    from vision.errors import VisionError  # noqa: PLC0415 - likewise
    from vision.table.folder import TableFolder  # noqa: PLC0415 - likewise

    table = TableFolder(data)
    parts: tuple[Callable[[], object], ...] = (table.calibration, table.empty, table.dice)
    for part in parts:
        try:
            part()
        except (VisionError, OSError) as error:
            yield str(error)
    yield from (f"{one}." for one in broken(data / FOLDER_NAME))

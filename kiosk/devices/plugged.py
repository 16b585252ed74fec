"""The plugged-in cameras and serial ports, each as the settings name it."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rules.words import say

if TYPE_CHECKING:
    from firmware_bridge.discover import Port

log = logging.getLogger(__name__)

USB_CAMERAS: Final = Path("/dev/v4l/by-id")
"""Where Linux keeps the lasting names of USB cameras."""

MODULE: Final = "picamera2"
"""What the settings call the camera module of a Raspberry Pi, and the library that it needs."""


@dataclass(frozen=True, slots=True)
class Plugged:
    """One device: how the settings name it, and what a person knows it by."""

    value: str
    words: str


def usb_cameras(folder: Path = USB_CAMERAS) -> tuple[Path, ...]:
    """The USB cameras that are plugged in, by the names that they keep."""
    return tuple(sorted(folder.glob("*-video-index0"))) if folder.is_dir() else ()


def has_camera_module() -> bool:
    """Whether a camera module could be used: its library is there."""
    return importlib.util.find_spec(MODULE) is not None


def cameras(folder: Path = USB_CAMERAS) -> tuple[Plugged, ...]:
    """Every camera that can be chosen."""
    found = [
        Plugged(str(one), one.name.removeprefix("usb-").removesuffix("-video-index0").replace("_", " "))
        for one in usb_cameras(folder)
    ]
    return (*found, Plugged(MODULE, say("The camera module"))) if has_camera_module() else tuple(found)


def ports(list_ports: Callable[[], Iterable[Port]] | None = None) -> tuple[Plugged, ...]:
    """Every serial port of a USB device; none where the library for them is broken."""
    try:
        from firmware_bridge.discover import stable_path, system_ports  # noqa: PLC0415 - a broken pyserial costs this alone

        listed = [one for one in (list_ports or system_ports)() if one.vid is not None]
        return tuple(
            Plugged(stable_path(one.device), f"{one.product or one.manufacturer or ''} ({one.device})".strip())
            for one in sorted(listed, key=lambda one: one.device)
        )
    except Exception:
        log.debug("the serial ports cannot be listed", exc_info=True)
        return ()

"""Silences OpenCV's own messages on standard error; ours replace them."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import Final

import cv2

_SILENT: Final = 0
"""OpenCV's level at which it logs nothing."""


@functools.cache
def hush_opencv() -> None:
    """Silence OpenCV's logger and FFmpeg's, once; a level the owner set in the environment stays."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if "OPENCV_LOG_LEVEL" in os.environ:
        return
    set_level = getattr(cv2, "setLogLevel", None)  # OpenCV 4.x; 5.x has it in `utils.logging` alone
    with contextlib.suppress(AttributeError):  # not every build of OpenCV has a logger to set
        (set_level or cv2.utils.logging.setLogLevel)(_SILENT)

"""What the process loads that kiosks are forked from, before the first of them: see `warm`.

The shapes of commands and events are made here, once, and not by each kiosk at its first of each; and no kiosk looks
through any of it for garbage, which would copy every page of memory that it shares with the others. Nor does it look
through its own as often as one that runs for weeks.
"""

from __future__ import annotations

import gpiozero
import jinja2.ext
import msgspec

import hardware.board
import hardware.panel
import kiosk.cli
import kiosk.commands.run
import kiosk.compose
from kiosk.settings import Settings
from kiosk.storage import shapes
from tests.garbage import look_seldom_for_garbage

LOADED = (gpiozero, jinja2.ext, hardware.board, hardware.panel, kiosk.cli, kiosk.commands.run, kiosk.compose)
"""The program and what it loads when it runs."""

MADE = (shapes.AnyCommand, shapes.AnyEvent, msgspec.convert({}, Settings))
"""The shapes that a command and its answer need, and those of the settings."""

look_seldom_for_garbage()

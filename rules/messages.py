"""Every command and every event by name, for the journal and the wire.

Each message enters its list as it is defined. Importing the table defines nearly all; the modules named here define
those that nothing else imports.
"""

from __future__ import annotations

from typing import Final

import rules.house.adopting
import rules.setup.fights
import rules.setup.setting_up
import rules.setup.table_options
import rules.ships.striking
import rules.table
import rules.tasks.asking
import rules.tasks.dial
import rules.tasks.second_throws
import rules.tasks.throwing
import rules.undo  # noqa: F401 - these are imported for what they define
from rules.deciding.decision import Command, Event

COMMANDS: Final[dict[str, type[Command]]] = dict(Command.kinds)
"""Every command's class by its name."""

EVENTS: Final[dict[str, type[Event]]] = dict(Event.kinds)
"""Every event's class by its name."""

"""The lists of messages are whole, whoever asks for them first."""

from __future__ import annotations

import subprocess
import sys

ASKED_FIRST = """
from rules.messages import COMMANDS, EVENTS
import rules.game
from rules.deciding.decision import Command, Event
print(*sorted(Command.kinds.keys() - COMMANDS.keys()), *sorted(Event.kinds.keys() - EVENTS.keys()))
"""


def test_no_message_is_missing_where_the_lists_are_imported_first() -> None:
    asked = subprocess.run([sys.executable, "-c", ASKED_FIRST], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == []

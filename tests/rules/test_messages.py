"""The lists of messages are whole, whoever asks for them first."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rules.deciding.decision import Command, Event, PoolChanged, name_of
from rules.tasks.declaring import DeclareTask

ASKED_FIRST = """
from rules.messages import COMMANDS, EVENTS
import rules.game
from rules.deciding.decision import Command, Event, PoolChanged, name_of
from rules.tasks.declaring import DeclareTask
print(*sorted(Command.kinds.keys() - COMMANDS.keys()), *sorted(Event.kinds.keys() - EVENTS.keys()))
"""


def test_no_message_is_missing_where_the_lists_are_imported_first() -> None:
    asked = subprocess.run([sys.executable, "-c", ASKED_FIRST], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == []


@pytest.mark.parametrize("first", [PoolChanged, DeclareTask])
def test_a_second_message_of_one_name_is_refused(first: type[Event | Command]) -> None:
    """A journal names its messages; the second class would take the first one's place in it."""
    with pytest.raises(TypeError, match=f"rules.elsewhere.{first.__name__} needs another name"):
        type(first.__name__, first.__bases__, {"__module__": "rules.elsewhere"})
    assert first.kinds[name_of(first)] is first

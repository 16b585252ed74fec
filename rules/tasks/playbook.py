"""The part of the playbook that Tasks of any kind bring: Extended Tasks, what pools buy, what abilities come to."""

from __future__ import annotations

from typing import Final

from rules.deciding.decision import Playbook, bound
from rules.tasks import abilities, extended, pools, threat

PLAYBOOK: Final = bound(
    extended.PLAYBOOK,
    Playbook(spends=pools.ROWS, threat_gains=threat.GAINS, threat_spends=threat.SPENDS, abilities=abilities.ROWS),
)
"""What holds of Tasks whatever is played. What ends a decision comes last, by `ending` and `line`."""

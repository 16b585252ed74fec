"""The part of the playbook that starship combat of the first edition and the starter set brings (STN, SATK)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rules.deciding.decision import Draft, Playbook, only_in
from rules.deciding.rows import SpendRule
from rules.ships.first import breaching, choosing, engineering, helm, hits, officers, power, rounds, spends, tactical
from rules.ships.first.choosing import spent
from rules.ships.first.engineering import STABILISE, stabilised
from rules.ships.first.holding import completed, count_down
from rules.ships.first.officers import turn_starts
from rules.ships.first.stations import FIRST
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Spend
from rules.words import say

OF_ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    Spend.MORE_POWER: ("power_management", say("More Power comes with Power Management only.")),
    Spend.MORE_RESISTANCE: ("modulate_shields", say("More Resistance comes with Modulate Shields only.")),
    Spend.BETTER_COURSE: ("plot_course", say("A Better Course comes with Plot Course only.")),
    Spend.MORE_HAZARDS: ("chart_hazard", say("More Hazards come with Chart Hazard only.")),
}
"""Spends of one action: its name, and what is said elsewhere (STN-7, STN-17, STN-18, STN-21)."""


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why one of these spends is not possible now; None where it is, or where it is another room's spend."""
    if spend.name in OF_ACTIONS:
        name, why = OF_ACTIONS[spend.name]
        action = task.declaration.action
        return None if action is not None and action.name == name else why
    return choosing.spend_refused(table, task, spend)


_SERVES: Final[Mapping[str, Callable[[Draft, Task], int]]] = {
    Spend.MORE_POWER: engineering.power_to_gain,
    Spend.MORE_HAZARDS: helm.hazards_to_chart,
}
"""How many times more the spends of one action can serve, where that comes to an end (STN-7, STN-18)."""


def serves(draft: Draft, task: Task, spend: str) -> int | None:
    """How many times more one of these spends can serve; None where it always does, or is another room's."""
    left = _SERVES.get(spend)
    return left(draft, task) if left is not None else choosing.serves(draft, task, spend)


PLAYBOOK: Final = Playbook(
    actions=(*officers.ROWS, *helm.ROWS, *engineering.ROWS, *tactical.ROWS),
    steps=(*hits.STEPS, *choosing.STEPS, *breaching.STEPS, *power.STEPS, *tactical.STEPS, *rounds.STEPS),
    spends=spends.ROWS,
    completes=(completed,),
    turn_starts=(turn_starts,),
    round_ends=(rounds.persistent_damage, only_in(FIRST, rounds.engines_and_cores), count_down),
    spend_refused=(spend_refused,),
    serves=(serves,),
    spent=(spent,),
    extended_done={STABILISE: stabilised},
)
"""The stations, hits, Breaches and Rounds of the first edition."""

"""What ships and the first edition's starship combat bring to the playbook, and what decides their commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules import commands_ships as ch
from rules import commands_ships2e as cs
from rules.deciding.draft import Draft
from rules.deciding.playbook import Chapter
from rules.deciding.ships import (
    breaching,
    cards,
    choosing,
    engineering,
    helm,
    hits,
    holding,
    officers,
    power,
    rounds,
    striking,
    tactical,
    upkeep,
)
from rules.phrases import say
from rules.state import Table, Task
from rules.vocabulary import Spend

OF_ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    Spend.MORE_POWER: ("power_management", say("More Power comes with Power Management only.")),
    Spend.MORE_RESISTANCE: ("modulate_shields", say("More Resistance comes with Modulate Shields only.")),
    Spend.BETTER_COURSE: ("plot_course", say("A Better Course comes with Plot Course only.")),
    Spend.MORE_HAZARDS: ("chart_hazard", say("More Hazards come with Chart Hazard only.")),
}
"""Spends of one action: its name, and what is said elsewhere (STN-7, STN-17, STN-18, STN-21)."""


def spend_refused(table: Table, task: Task, spend: str) -> str | None:
    """Why one of this chapter's spends is not possible now; None where it is, or is no spend of its own."""
    if spend in OF_ACTIONS:
        name, why = OF_ACTIONS[spend]
        action = task.declaration.action
        return None if action is not None and action.name == name else why
    return choosing.spend_refused(table, task, spend)


CHAPTER: Final = Chapter(
    actions=(*officers.ROWS, *helm.ROWS, *engineering.ROWS, *tactical.ROWS),
    steps=(*hits.STEPS, *choosing.STEPS, *breaching.STEPS, *power.STEPS, *tactical.STEPS, *rounds.STEPS),
    completes=(holding.completed,),
    turn_starts=(officers.turn_starts,),
    round_ends=(rounds.round_ends,),
    scene_ends=(upkeep.scene_ends,),
    scene_starts=(cards.scene_starts,),
    spend_refused=(spend_refused,),
    spent=(choosing.spent,),
    extended_done={engineering.STABILISE: engineering.stabilised},
)
"""The first edition's stations, hits, Breaches, Rounds, and the ships' cards of every ruleset."""

DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    ch.RerollShipDamage: choosing.reroll_ship_damage,
    ch.SettleShipHit: choosing.settle_ship_hit,
    ch.NameShipsHit: rounds.name_ships_hit,
    ch.NameCasualty: breaching.name_casualty,
    ch.RestoreShields: upkeep.restore_shields,
    ch.AdjustPower: upkeep.adjust_power,
    ch.SpendCrewSupport: upkeep.spend_crew_support,
    ch.RenewCrewSupport: upkeep.renew_crew_support,
    ch.ComplicateShip: upkeep.complicate_ship,
    ch.ShelterShip: upkeep.shelter_ship,
    cs.StrikeShip: striking.strike_ship,
}
"""What decides each command about ships."""

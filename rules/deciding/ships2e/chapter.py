"""What starship combat of the second edition brings to the playbook, and what decides its commands (S2E)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules import commands_ships2e as cs
from rules.deciding.draft import Draft
from rules.deciding.playbook import Chapter
from rules.deciding.ships2e import core, hits, leaving, movement, officers, power, reacting, repairs, sensors, tactical
from rules.phrases import say
from rules.state import Table, Task
from rules.vocabulary import Spend, StepKind

OF_CHALLENGE_DICE: Final = frozenset({"bonus_damage", "penetration", "reroll_damage"})
"""Spends that an attack with flat damage does not have (S2E-8, S2E-10)."""


def spend_refused(table: Table, task: Task, spend: str) -> str | None:
    """Why a spend is not possible now; None where it is, or is no affair of this chapter."""
    if spend in OF_CHALLENGE_DICE and hits.hit_in_hand(table, task):
        return say("This damage is flat; Added Damage makes it worse.")
    if spend == Spend.ADDED_DAMAGE and not hits.hit_in_hand(table, task):
        return say("Added Damage makes a hit worse before its damage is settled; none waits.")
    if spend == Spend.DEVASTATING_ATTACK and _second_edition_attack(table) and not hits.hit_in_hand(table, task):
        return say("A Devastating Attack is bought before the damage of the first hit is settled; none waits.")
    if spend == Spend.COUNTER_HIT and not reacting.may_hit_back(table, task):
        return say("Only Defensive Fire that beats an attack hits back; nothing like that is in hand.")
    if spend == Spend.MORE_SHIELDS and not _regenerates(task):
        return say("More Shields come with Regenerate Shields only.")
    return None


def _second_edition_attack(table: Table) -> bool:
    """Whether Devastating Attack is this chapter's: no attack with Challenge Dice is under way."""
    return table.attack is None or not table.attack.dice


def _regenerates(task: Task) -> bool:
    action = task.declaration.action
    return action is not None and action.name == "regenerate_shields"


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """What one of this chapter's spends brings at once."""
    if spend == Spend.ADDED_DAMAGE:
        hits.add_damage(draft, times)
    elif spend == Spend.DEVASTATING_ATTACK and draft.table.agenda[:1] and _flat(draft.table):
        hits.add_devastating_hit(draft)
    elif spend == Spend.COUNTER_HIT:
        reacting.hit_back(draft, task)


def _flat(table: Table) -> bool:
    return table.agenda[0].kind is StepKind.FLAT_HIT


CHAPTER: Final = Chapter(
    actions=(
        *officers.ROWS,
        *movement.ROWS,
        *reacting.ROWS,
        *tactical.ROWS,
        *sensors.ROWS,
        *power.ROWS,
        *repairs.ROWS,
        *core.ROWS,
        *leaving.ROWS,
    ),
    steps=(*hits.STEPS, *core.STEPS, *leaving.STEPS),
    round_ends=(leaving.round_ends, core.round_ends),
    scene_starts=(power.scene_starts,),
    spend_refused=(spend_refused,),
    spent=(spent,),
    extended_done={core.STABILISE: core.stabilised},
)
"""The second edition's stations, hits, Rounds and scenes."""

DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    cs.SetTerrain: movement.set_terrain,
    cs.ChooseStruckSystem: hits.choose_struck_system,
    cs.SettleHit: hits.settle_hit,
    cs.ChooseShaken: leaving.choose_shaken,
    cs.ChooseShipsInClose: core.choose_ships_in_close,
    cs.AbandonShip: leaving.abandon_ship,
    cs.ChooseLargeShipTurns: leaving.choose_large_ship_turns,
    cs.UseSurplusDie: leaving.use_surplus_die,
}
"""What decides each command of this chapter."""

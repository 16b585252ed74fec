"""The part of the playbook that starship combat of the second edition brings (S2E)."""

from __future__ import annotations

from typing import Final

from rules.deciding.decision import Draft, Playbook, only_in
from rules.deciding.rows import SpendRule
from rules.ships.second import (
    core,
    hits,
    leaving,
    movement,
    officers,
    power,
    reacting,
    repairs,
    sensors,
    spends,
    tactical,
)
from rules.ships.second.core import STABILISE, stabilised
from rules.ships.second.hits import add_damage, add_devastating_hit, hit_in_hand
from rules.ships.second.power import scene_starts
from rules.ships.second.reacting import hit_back, may_hit_back
from rules.ships.second.stations import SECOND
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Spend, StepKind
from rules.words import say

OF_CHALLENGE_DICE: Final = frozenset({"bonus_damage", "penetration", "reroll_damage"})
"""Spends that an attack with flat damage does not have (S2E-8, S2E-10)."""


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why a spend is not possible now; None where it is, or where another room decides."""
    if spend.name in OF_CHALLENGE_DICE and hit_in_hand(table, task):
        return say("This damage is flat; Added Damage makes it worse.")
    if spend.name == Spend.ADDED_DAMAGE and not hit_in_hand(table, task):
        return say("Added Damage makes a hit worse before its damage is settled; none waits.")
    if spend.name == Spend.DEVASTATING_ATTACK and _second_edition_attack(table) and not hit_in_hand(table, task):
        return say("A Devastating Attack is bought before the damage of the first hit is settled; none waits.")
    if spend.name == Spend.COUNTER_HIT and not may_hit_back(table, task):
        return say("Only Defensive Fire that beats an attack hits back; nothing like that is in hand.")
    if spend.name == Spend.MORE_SHIELDS and not _regenerates(task):
        return say("More Shields come with Regenerate Shields only.")
    return None


def serves(draft: Draft, task: Task, spend: str) -> int | None:
    """How many times more Shields can serve, in either edition's form (S2E-O3, STN-8); None of other spends."""
    return power.shields_to_regain(draft, task) if spend == Spend.MORE_SHIELDS else None


def _second_edition_attack(table: Table) -> bool:
    """Whether Devastating Attack is the second edition's here: no attack with Challenge Dice is under way."""
    return table.attack is None or not table.attack.dice


def _regenerates(task: Task) -> bool:
    action = task.declaration.action
    return action is not None and action.name == "regenerate_shields"


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Apply one of the second edition's spends that act at once."""
    if spend == Spend.ADDED_DAMAGE:
        add_damage(draft, times)
    elif spend == Spend.DEVASTATING_ATTACK and draft.table.agenda[:1] and _flat(draft.table):
        add_devastating_hit(draft)
    elif spend == Spend.COUNTER_HIT:
        hit_back(draft, task)


def _flat(table: Table) -> bool:
    return table.agenda[0].kind is StepKind.FLAT_HIT


PLAYBOOK: Final = Playbook(
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
    spends=spends.ROWS,
    round_ends=(leaving.round_ends, only_in(SECOND, core.round_ends)),
    scene_starts=(scene_starts,),
    spend_refused=(spend_refused,),
    serves=(serves,),
    spent=(spent,),
    extended_done={STABILISE: stabilised},
)
"""The stations, hits, Rounds and scenes of the second edition."""

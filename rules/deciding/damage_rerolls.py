"""Damage thrown again, on foot and between ships: paid for, noted as done, asked for (MOM-6, CD-5, POOL-4).

In: the attack in hand whose damage lies there. Out: the step that takes the new dice; what they come to is the chain's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from rules import events_conflict as ec
from rules.deciding.agenda import ask_for_dice
from rules.deciding.draft import Draft, profile
from rules.deciding.settling import pay_from_task, record_spend
from rules.deciding.turns.budget import do_once, once_key, was_done
from rules.dice import DieKind
from rules.errors import Refusal
from rules.events_fighting import DamageRerollStarted
from rules.events_ships import ShipDamageRerollStarted
from rules.pools import spend_cost, spend_rule
from rules.rerolls import chosen_positions
from rules.state import SpendMade
from rules.state_conflict import Step
from rules.vocabulary import StepKind

_REROLL: Final = "reroll_damage"


def throw_damage_again(
    draft: Draft,
    positions: Collection[int],
    *,
    kind: StepKind,
    started: type[DamageRerollStarted | ShipDamageRerollStarted],
    who: str,
    why: str,
) -> None:
    """Pay for some of the damage's dice and ask `who` for them again, `why` in words; `kind` takes them (C-62).

    The step in hand is the choice of what is bought. Refuses a second time for one attack, and in one Round.
    """
    attack, task, ruled = draft.table.attack, draft.table.task, profile(draft.table)
    if attack is None or task is None or not attack.faces:
        raise Refusal("MOM-6", "Damage is thrown again once it lies there and before it is settled.")
    if was_done(draft.table, once_key(task, _REROLL)):
        raise Refusal("POOL-4", "Damage is thrown again once a Round; go on with it.")
    if attack.rerolled:
        raise Refusal("CD-5", "This damage was thrown again once already; go on with it.")
    places = chosen_positions(len(attack.faces), positions, "CD-5")
    payment = pay_from_task(draft.table, spend_cost(_REROLL, 1, ruled), immediate=False)
    spend = SpendMade(
        spend=_REROLL,
        times=1,
        from_generated=payment.from_generated,
        from_pool=payment.from_pool,
        added_threat=payment.added_threat,
        spent_threat=payment.spent_threat,
    )
    record_spend(draft, spend, spend_rule(_REROLL, ruled).label)
    do_once(draft, once_key(task, _REROLL))
    draft.record(started(positions=places, faces=tuple(attack.faces[place] for place in places)))
    draft.record(ec.AttackChanged(attack=replace(attack, rerolled=True), next_number=draft.table.next_number))
    choice, *later = draft.table.agenda
    again = Step(kind=kind, subject_id=choice.subject_id, by_id=choice.by_id, count=len(places), places=places)
    draft.record(ec.AgendaChanged(steps=(again, choice, *later)))
    ask_for_dice(draft, DieKind.CHALLENGE, len(places), who=who, why=why)

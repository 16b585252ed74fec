"""Damage thrown again, on foot and between ships: paid for, noted as done, asked for (MOM-6, CD-5, POOL-4).

In: the attack in hand whose damage lies there. Out: the step that takes the new dice; the chain counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from rules.conflict.budget import do_once, once_key, was_done
from rules.deciding.agenda import AgendaChanged, ask_for_dice
from rules.deciding.checks import profile
from rules.deciding.decision import Draft, Event
from rules.dice import DieKind, Face
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Attack, Step
from rules.state.tasks import SpendMade
from rules.state.vocabulary import StepKind
from rules.tasks.pools import REROLL_DAMAGE, played, spend_cost
from rules.tasks.rerolls import chosen_positions
from rules.tasks.settling import pay_from_task, record_spend

_REROLL: Final = "reroll_damage"
"""The name of Reroll Damage in the table of spends."""


def throw_damage_again(
    draft: Draft,
    positions: Collection[int],
    *,
    kind: StepKind,
    started: Callable[[tuple[int, ...], tuple[Face, ...], Attack], Event],
    who: str,
    why: str,
) -> None:
    """Pay for some of the damage's dice and ask `who` for them again, `why` in words; `kind` takes them (C-62).

    `started` makes the event that tells it, of the dice's places and faces and the attack from then on.

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
    payment = pay_from_task(draft.table, spend_cost(REROLL_DAMAGE, 1, ruled), immediate=False)
    spend = SpendMade(
        spend=_REROLL,
        times=1,
        from_generated=payment.from_generated,
        from_pool=payment.from_pool,
        added_threat=payment.added_threat,
        spent_threat=payment.spent_threat,
    )
    record_spend(draft, spend, played(REROLL_DAMAGE, ruled).label)
    do_once(draft, once_key(task, _REROLL))
    draft.record(started(places, tuple(attack.faces[place] for place in places), replace(attack, rerolled=True)))
    choice, *later = draft.table.agenda
    again = Step(kind=kind, subject_id=choice.subject_id, by_id=choice.by_id, count=len(places), places=places)
    draft.record(AgendaChanged(steps=(again, choice, *later)))
    ask_for_dice(draft, DieKind.CHALLENGE, len(places), who=who, why=why)

"""Paying for what a conflict's order sells: out of the Task in hand, the pool, or Threat (POOL-4, C-62, NPC-1)."""

from __future__ import annotations

from rules.deciding.decision import Draft
from rules.state.table import Table
from rules.state.tasks import SpendMade
from rules.state.vocabulary import Pool, TaskPhase
from rules.tasks.pools import pay
from rules.tasks.settling import record_spend


def momentum_at_hand(table: Table, *, npc: bool) -> int:
    """Momentum that an Immediate price can be paid with: what the Task in hand of that side has left, and the pool."""
    return _generated(table, npc=npc) + (0 if npc else table.momentum)


def _generated(table: Table, *, npc: bool) -> int:
    task = table.task
    settling = task is not None and task.phase is TaskPhase.SPENDING and task.npc is npc
    return task.momentum_left if task is not None and settling else 0


def pay_price(draft: Draft, price: int, *, npc: bool, threat_part: int, spend: str, label: str) -> None:
    """Pay an Immediate price: what the Task in hand generated first, if it is of the same side, then the pools.

    Refuses what is not there.
    """
    payment = pay(
        price,
        generated=_generated(draft.table, npc=npc),
        pool=draft.table.momentum,
        immediate=True,
        threat_part=threat_part,
        threat=draft.table.threat,
        npc=npc,
    )
    if payment.from_generated:
        made = SpendMade(
            spend=spend,
            times=1,
            from_generated=payment.from_generated,
            from_pool=payment.from_pool,
            added_threat=payment.added_threat,
            spent_threat=payment.spent_threat,
        )
        record_spend(draft, made, label)
        return
    draft.change_pool(Pool.MOMENTUM, -payment.from_pool, label)
    draft.change_pool(Pool.THREAT, payment.added_threat - payment.spent_threat, label)

"""Deciding changes of the pools that no Task makes: put right, gained, spent (POOL-2, THR-2, THR-4, THR-5)."""

from __future__ import annotations

from rules import commands as c
from rules.deciding.draft import Draft, require_ready, short_text
from rules.deciding.setting_up import record_trait
from rules.errors import Refusal
from rules.phrases import say
from rules.pools import MOMENTUM_CAP, THREAT_GAINS, THREAT_SPENDS, gain_threat, spend_threat
from rules.vocabulary import Pool, TraitKind

MOST_AT_ONCE = 100
"""The largest change of a pool in one go; more is a slip of the finger."""

_CREATE_COMPLICATION = "create_complication"


def adjust_pool(draft: Draft, command: c.AdjustPool) -> None:
    """POOL-2, THR-5: put a pool right by a change; it stays within what it can hold."""
    require_ready(draft.table)
    reason = short_text(command.reason, say("the reason")) or say("put right")
    if not command.change:
        raise Refusal("POOL-2", "Say by how much the pool changes.")
    table = draft.table
    after = (table.momentum if command.pool is Pool.MOMENTUM else table.threat) + command.change
    if command.pool is Pool.MOMENTUM and not 0 <= after <= MOMENTUM_CAP:
        raise Refusal(
            "POOL-2",
            "Momentum goes from 0 to {most}, and there is {momentum}; change it by less.",
            most=MOMENTUM_CAP,
            momentum=table.momentum,
        )
    if after < 0:
        raise Refusal(
            "THR-5", "Threat cannot fall below 0, and there is {threat}; take away less.", threat=table.threat
        )
    _require_sensible(command.change)
    draft.change_pool(command.pool, command.change, reason)


def gain(draft: Draft, command: c.GainThreat) -> None:
    """THR-2: Threat rises."""
    require_ready(draft.table)
    _require_sensible(command.amount)
    after = gain_threat(draft.table.threat, command.event, command.amount)
    draft.change_pool(Pool.THREAT, after - draft.table.threat, THREAT_GAINS[command.event].label)


def spend(draft: Draft, command: c.SpendThreat) -> None:
    """THR-4, THR-5: the gamemaster spends Threat; a Complication made so becomes a trait if the note names it."""
    require_ready(draft.table)
    _require_sensible(command.amount)
    note = short_text(command.note, say("the note"))
    after = spend_threat(draft.table.threat, command.event, command.amount)
    label = THREAT_SPENDS[command.event].label
    draft.change_pool(
        Pool.THREAT, after - draft.table.threat, say("{reason}: {note}", reason=label, note=note) if note else label
    )
    if note and command.event == _CREATE_COMPLICATION:
        record_trait(draft, note, TraitKind.COMPLICATION)


def _require_sensible(amount: int) -> None:
    if abs(amount) > MOST_AT_ONCE:
        raise Refusal("THR-2", "A pool changes by at most {most} at once; change it by less.", most=MOST_AT_ONCE)

"""What lasts: begun, changed and ended, each with its word to the table, by itself when its moment comes.

In: packages begin effects and name their end; the moments of play call `end_effects`. Out: `EffectBegan` and
`EffectEnded`.
"""

from __future__ import annotations

from dataclasses import replace

from rules import commands_conflict as cc
from rules import events_conflict as ec
from rules.deciding.draft import Draft, require_nothing_open
from rules.errors import Refusal
from rules.phrases import say
from rules.state import Table
from rules.state_conflict import LastingEffect
from rules.vocabulary import EffectEnd


def effects_named(table: Table, name: str, *, owner_id: str = "", target_id: str = "") -> tuple[LastingEffect, ...]:
    """What of that name holds now, for an owner or a target if one is given."""
    return tuple(
        one
        for one in table.effects
        if one.name == name
        and (not owner_id or one.owner_id == owner_id)
        and (not target_id or one.target_id == target_id)
    )


def begin_effect(draft: Draft, effect: LastingEffect) -> None:
    """Let something last; `effect_id` is given here. The same from the same owner on the same target is renewed."""
    table = draft.table
    for known in effects_named(table, effect.name, owner_id=effect.owner_id, target_id=effect.target_id):
        if known.target_id == effect.target_id:
            renewed = replace(effect, effect_id=known.effect_id)
            draft.record(ec.EffectBegan(effect=renewed, next_number=table.next_number))
            return
    number = table.next_number
    named = replace(effect, effect_id=f"effect-{number}")
    draft.record(ec.EffectBegan(effect=named, next_number=number + 1))


def end_one(draft: Draft, effect: LastingEffect, why: str) -> None:
    """End something that lasts; `why` in words."""
    draft.record(ec.EffectEnded(effect=effect, why=why))


def end_effects(draft: Draft, when: EffectEnd, why: str, *, owner_id: str = "", role: str = "") -> None:
    """End everything whose moment is `when`, for one owner or role if given."""
    for one in draft.table.effects:
        if one.ends is when and (not owner_id or one.owner_id == owner_id) and (not role or one.role == role):
            end_one(draft, one, why)


def end_effect(draft: Draft, command: cc.EndEffect) -> None:
    """The gamemaster ends something before its time; not in the middle of what may depend on it."""
    require_nothing_open(draft.table)
    for one in draft.table.effects:
        if one.effect_id == command.effect_id:
            end_one(draft, one, say("the gamemaster ended it"))
            return
    raise Refusal("TASK-10", "That does not hold any more; choose one of those listed.")


def scene_ends(draft: Draft) -> None:
    """Nothing lasts beyond its scene."""
    for one in draft.table.effects:
        end_one(draft, one, say("the scene ended"))

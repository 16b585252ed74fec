"""What holds until a Turn or a Round is over: ended by itself at that moment (ACT-8, C-19, C-71)."""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import EffectBegan, effects_named, end_effects, end_one
from rules.conflict.order import combatant_name
from rules.deciding.decision import Draft
from rules.state.changing import replace
from rules.state.conflict import LastingEffect
from rules.state.vocabulary import EffectEnd
from rules.words import say

_BOUND_TO_TURNS: Final = frozenset(
    {
        EffectEnd.OWNER_TURN_ENDS,
        EffectEnd.OWNER_NEXT_TURN,
        EffectEnd.OWNER_NEXT_TURN_ENDS,
        EffectEnd.ROUNDS,
    }
)
"""The ends that Turns and Rounds bring: such an effect ends with the conflict, or as its owner leaves."""


def turn_starts(draft: Draft, combatant_id: str) -> None:
    """End what held until its owner's next Turn; what holds until that Turn's end now ends with it."""
    end_effects(
        draft,
        EffectEnd.OWNER_NEXT_TURN,
        say("{combatant} acts again", combatant=combatant_name(draft.table, combatant_id)),
        owner_id=combatant_id,
    )
    for one in draft.table.effects:
        if one.ends is EffectEnd.OWNER_NEXT_TURN_ENDS and one.owner_id == combatant_id:
            changed = replace(one, ends=EffectEnd.OWNER_TURN_ENDS)
            draft.record(EffectBegan(effect=changed, next_number=draft.table.next_number))


def turn_ends(draft: Draft, combatant_id: str) -> None:
    """End what held for its owner's Turn."""
    why = say("the Turn of {combatant} is over", combatant=combatant_name(draft.table, combatant_id))
    end_effects(draft, EffectEnd.OWNER_TURN_ENDS, why, owner_id=combatant_id)


def round_ends(draft: Draft) -> None:
    """Count down what holds for a number of Rounds."""
    for one in draft.table.effects:
        if one.ends is not EffectEnd.ROUNDS:
            continue
        if one.rounds_left <= 1:
            end_one(draft, one, say("its Rounds are over"))
        else:
            fewer = replace(one, rounds_left=one.rounds_left - 1)
            draft.record(EffectBegan(effect=fewer, next_number=draft.table.next_number))


def conflict_ends(draft: Draft) -> None:
    """Without Turns and Rounds, what is bound to them is over."""
    for one in draft.table.effects:
        if one.ends in _BOUND_TO_TURNS:
            end_one(draft, one, say("the conflict is over"))


def owner_leaves(draft: Draft, owner_id: str) -> None:
    """End what is bound to the Turns of someone who has left."""
    for one in draft.table.effects:
        if one.owner_id == owner_id and one.ends in _BOUND_TO_TURNS:
            end_one(draft, one, say("{owner} left", owner=combatant_name(draft.table, owner_id)))


def use_up(draft: Draft, name: str, *, owner_id: str = "", target_id: str = "") -> tuple[LastingEffect, ...]:
    """End what is used up by being used; the effects that held."""
    used = effects_named(draft.table, name, owner_id=owner_id, target_id=target_id)
    for one in used:
        end_one(draft, one, say("it was used"))
    return used

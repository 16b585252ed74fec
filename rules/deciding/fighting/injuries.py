"""Injuries and falls, each a choice: avoided, withstood or suffered (DMG-5 to DMG-7, EFF-2, EFF-3, NPC-2)."""

from __future__ import annotations

from typing import Final

from rules import commands_fighting as cf
from rules import events_fighting as ef
from rules.abilities import amount_of
from rules.damage import avoid_injury_price, injured, knockdown
from rules.deciding.agenda import finish_step, require_step
from rules.deciding.draft import Draft, find_character, is_npc, profile, require_text
from rules.deciding.fighting.bodies import change_body, find_person, threat_of
from rules.deciding.playbook import StepRow
from rules.deciding.setting_up import record_trait
from rules.deciding.turns.paying import pay_price
from rules.deciding.values import spend_on
from rules.determination import Benefit
from rules.errors import Refusal
from rules.phrases import say
from rules.pools import spend_cost
from rules.state import Character, Table
from rules.state_conflict import Step
from rules.threat import gain_threat, require_threat
from rules.vocabulary import InjuryState, Pool, Standing, StepKind, TraitKind

_AVOID: Final = "avoid_injury"


def price_of_avoiding(table: Table, character: Character, step: Step) -> int:
    """Points for avoiding the Injury of `step` (DMG-7, C-25). Refuses who cannot."""
    price = avoid_injury_price(
        character.standing,
        used_this_scene=character.body.avoided,
        effects=step.count,
        intense=step.count > 0,
        price=spend_cost(_AVOID, 1, profile(table)),
    )
    return price.cost


def may_avoid(table: Table, character: Character, step: Step) -> bool:
    """Whether there is anything to choose: who cannot avoid an Injury at all suffers it at once (DMG-7)."""
    try:
        price = price_of_avoiding(table, character, step)
    except Refusal:
        return False
    return character.standing is Standing.PLAYER or price <= threat_of(table, character)


def _begin_injury(draft: Draft, step: Step) -> None:
    target = find_character(draft.table, step.subject_id)
    if target.body.injury is InjuryState.DEAD:
        finish_step(draft)
    elif _withstands(draft.table, target):
        _withstand(draft, target)
        finish_step(draft)
    elif not may_avoid(draft.table, target, step):
        _suffer(draft, target, step)


def _withstands(table: Table, target: Character) -> bool:
    """NPC-2: Invulnerable, unless its weakness was struck."""
    if table.attack is not None and table.attack.action.weakness:
        return False
    return any(amount_of(target, name) for name in ("invulnerable", "staggered", "wrathful"))


def _withstand(draft: Draft, target: Character) -> None:
    """NPC-2: an Invulnerable creature takes no Injury; it may be staggered, or enraged, instead."""
    staggered = bool(amount_of(target, "staggered"))
    if staggered:
        change_body(draft, target.character_id, say("staggered"), staggered=True)
    before = draft.table.threat
    after = gain_threat(before, "wrathful_would_be_injured") if amount_of(target, "wrathful") else before
    draft.record(
        ef.InjuryWithstood(
            character_id=target.character_id, name=target.name, staggered=staggered, threat=after - before
        )
    )
    draft.change_pool(Pool.THREAT, after - before, say("{target} is enraged", target=target.name))


def _suffer(draft: Draft, target: Character, step: Step) -> None:
    """DMG-6: hurt worse by one step."""
    before = target.body.injury
    after = injured(before, lethal=step.lethal)
    attack = draft.table.attack
    debilitating = attack is not None and "debilitating" in attack.qualities
    change_body(
        draft,
        target.character_id,
        say("an Injury"),
        injury=after,
        stabilised=False,
        pushing_on=False,
        debilitated=target.body.debilitated or debilitating,
    )
    draft.record(ef.InjurySuffered(character_id=target.character_id, name=target.name, before=before, after=after))
    finish_step(draft)


def suffer_injury(draft: Draft, _: cf.SufferInjury) -> None:
    """DMG-6: the Injury in hand is suffered."""
    step = _require_injury(draft)
    _suffer(draft, find_character(draft.table, step.subject_id), step)


def _require_injury(draft: Draft) -> Step:
    return require_step(
        draft, StepKind.INJURY, "DMG-7", say("No Injury waits to be settled; look at what is asked for.")
    )


def avoid_injury(draft: Draft, command: cf.AvoidInjury) -> None:
    """DMG-7: for points, or for a Complication in place of the basic price (C-25)."""
    step = _require_injury(draft)
    target = find_character(draft.table, step.subject_id)
    price = price_of_avoiding(draft.table, target, step)
    complication = ""
    if command.how is cf.AvoidHow.COMPLICATION:
        if is_npc(target):
            raise Refusal("NPC-1", "An NPC avoids an Injury with Threat alone; pay that, or let it be suffered.")
        complication = require_text(command.complication, say("the Complication in words"))
        price -= min(price, spend_cost(_AVOID, 1, profile(draft.table)))
    pay_price(
        draft,
        price,
        npc=is_npc(target),
        threat_part=command.threat_part,
        spend=_AVOID,
        label=say("avoiding an Injury"),
    )
    if complication:
        record_trait(draft, complication, TraitKind.COMPLICATION)
    change_body(draft, target.character_id, say("an Injury avoided"), avoided=True)
    draft.record(
        ef.InjuryAvoided(character_id=target.character_id, name=target.name, price=price, complication=complication)
    )
    finish_step(draft)


# --- falls --------------------------------------------------------------------------------------------------


def _begin_fall(draft: Draft, step: Step) -> None:
    target = find_character(draft.table, step.subject_id)
    if target.body.prone or target.body.injury is not InjuryState.NONE:
        finish_step(draft)
    elif is_npc(target) and step.count > threat_of(draft.table, target):
        _fall(draft, target)


def _fall(draft: Draft, target: Character) -> None:
    change_body(draft, target.character_id, say("knocked down"), prone=True)
    draft.record(ef.KnockedDown(character_id=target.character_id, name=target.name, fell=True))
    finish_step(draft)


def _require_fall(draft: Draft) -> Step:
    return require_step(
        draft, StepKind.KNOCKDOWN, "EFF-3", say("Nobody is being knocked down; look at what is asked for.")
    )


def fall_down(draft: Draft, _: cf.FallDown) -> None:
    """EFF-3: the target goes down."""
    step = _require_fall(draft)
    _fall(draft, find_character(draft.table, step.subject_id))


def stay_up(draft: Draft, _: cf.StayUp) -> None:
    """EFF-3: as much Threat as Effects, added by a player, spent by an NPC."""
    step = _require_fall(draft)
    target = find_character(draft.table, step.subject_id)
    change = knockdown(step.count, npc=is_npc(target)).resist_threat_change
    if change < 0:
        require_threat(-change, draft.table.threat)
    draft.change_pool(Pool.THREAT, change, say("{target} stays up", target=target.name))
    draft.record(ef.KnockedDown(character_id=target.character_id, name=target.name, fell=False))
    finish_step(draft)


# --- acting in spite of it ----------------------------------------------------------------------------------


def push_on(draft: Draft, command: cf.PushOn) -> None:
    """DET-9, C-24: 1 Determination, and the Injury does not hold one back until the scene ends; it still counts."""
    character = find_person(draft.table, command.character_id)
    if character.standing is not Standing.PLAYER or not profile(draft.table).pushing_on:
        raise Refusal("DET-9", "Only players' characters act in spite of an Injury, where the table plays so.")
    if character.body.injury not in {InjuryState.NONLETHAL, InjuryState.LETHAL} or character.body.pushing_on:
        raise Refusal("DET-9", "{character} is not held back by an Injury.", character=character.name)
    spend_on(draft, character, Benefit.IGNORE_INJURY, command.value)
    change_body(draft, character.character_id, say("acts in spite of the Injury"), pushing_on=True)
    draft.record(ef.PushedOn(character_id=character.character_id, name=character.name))


STEPS: Final = (
    StepRow(kind=StepKind.INJURY, begin=_begin_injury),
    StepRow(kind=StepKind.KNOCKDOWN, begin=_begin_fall),
)
"""How an Injury and a fall are settled."""

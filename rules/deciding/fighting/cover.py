"""Cover: how good it is, its Challenge Dice against each hit, and what Recover makes of it (DMG-2, C-70)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import commands_fighting as cf
from rules import events_conflict as ec
from rules import events_fighting as ef
from rules.challenge import challenge_result
from rules.deciding.agenda import ask_for_dice, finish_step
from rules.deciding.draft import Draft, find_character, require_ready
from rules.deciding.fighting.bodies import find_person
from rules.deciding.fighting.chain import MOST_DICE
from rules.deciding.lasting import begin_effect, effects_named, end_one
from rules.deciding.playbook import StepRow
from rules.dice import DieKind, as_challenge_face
from rules.errors import Refusal
from rules.phrases import say
from rules.state import Table, ThrownDie
from rules.state_conflict import LastingEffect, Step
from rules.vocabulary import EffectEnd, StepKind

COVER: Final = "cover"
"""What lasts while somebody is behind cover: its Challenge Dice are the amount (DMG-2)."""


def cover_dice(table: Table, character_id: str) -> int:
    """Challenge Dice of the cover that somebody is behind (DMG-2)."""
    return sum(one.amount for one in effects_named(table, COVER, target_id=character_id))


def _begin_cover(draft: Draft, step: Step) -> None:
    dice = cover_dice(draft.table, step.subject_id)
    if not dice:
        finish_step(draft)
        return
    target = find_character(draft.table, step.subject_id)
    ask_for_dice(draft, DieKind.CHALLENGE, dice, who=target.name, why=say("Cover"))


def _count_cover(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    """DMG-2, C-70: the cover's Resistance goes to the hit on whom it covers."""
    target = find_character(draft.table, step.subject_id)
    faces = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    result = challenge_result(faces)
    better = sum(one.amount for one in effects_named(draft.table, "recover_cover", target_id=step.subject_id))
    found = result.total + better * result.effects
    draft.record(ef.CoverCounted(name=target.name, resistance=found))
    agenda = tuple(
        replace(one, count=found)
        if one.kind is StepKind.SETTLE_HIT and one.subject_id == step.subject_id and one.name == step.name
        else one
        for one in draft.table.agenda
    )
    draft.record(ec.AgendaChanged(steps=agenda))
    finish_step(draft)


def set_cover(draft: Draft, command: cf.SetCover) -> None:
    """DMG-2: the gamemaster says how good somebody's cover is."""
    require_ready(draft.table)
    character = find_person(draft.table, command.character_id)
    if not 0 <= command.dice <= MOST_DICE:
        raise Refusal("DMG-2", "Cover has 0 to {most} Challenge Dice; choose one of these.", most=MOST_DICE)
    known = effects_named(draft.table, COVER, target_id=character.character_id)
    if not command.dice:
        if not known:
            raise Refusal("DMG-2", "{character} is behind no cover.", character=character.name)
        for name in (COVER, "recover_cover"):
            for one in effects_named(draft.table, name, target_id=character.character_id):
                end_one(draft, one, say("{character} leaves it", character=character.name))
        return
    cover = LastingEffect(
        effect_id="",
        name=COVER,
        owner_id=character.character_id,
        target_id=character.character_id,
        amount=command.dice,
        ends=EffectEnd.SCENE,
    )
    begin_effect(draft, cover)


STEPS: Final = (StepRow(kind=StepKind.COVER_DICE, begin=_begin_cover, count=_count_cover),)
"""How cover's dice are taken."""

"""Cover: how good it is, its Challenge Dice against each hit, and what Recover makes of it (DMG-2, C-70)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.bodies import find_person
from rules.conflict.chain import MAIN, MOST_DICE
from rules.conflict.events import CoverCounted
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.conflict.positions import zone_of
from rules.deciding.agenda import ask_for_dice, finish_step
from rules.deciding.checks import find_character, require_ready
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind, as_challenge_face
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import LastingEffect, Step
from rules.state.table import Table
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import EffectEnd, StepKind
from rules.tasks.challenge import MOST_POINTS, challenge_result
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCover(Command):
    """Someone is behind cover of that number of Challenge Dice until they leave it (0) or the scene ends (DMG-2)."""

    character_id: str
    dice: int

    undone: ClassVar[Phrase | None] = say("the cover")

    def decide(self, draft: Draft) -> None:
        """DMG-2: the gamemaster says how good somebody's cover is."""
        require_ready(draft.table)
        character = find_person(draft.table, self.character_id)
        if not 0 <= self.dice <= MOST_DICE:
            raise Refusal("DMG-2", "Cover has 0 to {most} Challenge Dice; choose one of these.", most=MOST_DICE)
        known = effects_named(draft.table, COVER, target_id=character.character_id)
        if not self.dice:
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
            amount=self.dice,
            ends=EffectEnd.SCENE,
        )
        begin_effect(draft, cover)


COVER: Final = "cover"
"""What lasts while somebody is behind cover: its Challenge Dice are the amount (DMG-2)."""


def cover_dice(table: Table, character_id: str) -> int:
    """Challenge Dice of the cover that somebody is behind: their own, or their zone's where that is better (DMG-2)."""
    own = sum(one.amount for one in effects_named(table, COVER, target_id=character_id))
    zone = zone_of(table, character_id)
    return max(own, zone.cover) if zone is not None else own


def best_cover(table: Table, character_id: str) -> int:
    """The most Resistance that somebody's cover can be worth in a throw (DMG-2, C-70)."""
    return cover_dice(table, character_id) * max(MOST_POINTS, 1 + _bettered(table, character_id))


def _bettered(table: Table, character_id: str) -> int:
    """The additional worth of each Effect of somebody's cover after Recover (C-70)."""
    return sum(one.amount for one in effects_named(table, "recover_cover", target_id=character_id))


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
    found = result.total + _bettered(draft.table, step.subject_id) * result.effects
    agenda = tuple(
        replace(one, count=found)
        if one.kind is StepKind.SETTLE_HIT and one.subject_id == step.subject_id and one.name == step.name
        else one
        for one in draft.table.agenda
    )
    attack = draft.table.attack
    if attack is not None and step.name == MAIN:
        attack = replace(attack, cover=thrown)
    draft.record(CoverCounted(name=target.name, resistance=found, steps=agenda, attack=attack))
    finish_step(draft)


STEPS: Final = (StepRow(kind=StepKind.COVER_DICE, begin=_begin_cover, count=_count_cover),)
"""The step that takes the dice of cover."""

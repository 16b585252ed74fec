"""Injuries and falls, each a choice: avoided, withstood or suffered (DMG-5 to DMG-7, EFF-2, EFF-3, NPC-2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from rules.conflict.bodies import body_with, find_person, name_of_person, threat_of
from rules.conflict.damage import avoid_injury_price, injured, knockdown
from rules.conflict.events import InjuryAvoided, InjurySuffered, InjuryWithstood, KnockedDown, PushedOn
from rules.conflict.spends import AVOID_INJURY
from rules.conflict.threats import WRATHFUL
from rules.deciding.agenda import finish_step, require_step, subject_of
from rules.deciding.checks import find_character, is_npc, profile, short_text
from rules.deciding.decision import Command, Draft, StepRow
from rules.errors import Refusal
from rules.state.conflict import Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.vocabulary import Benefit, InjuryState, Pool, Standing, StepKind, TraitKind
from rules.tasks.abilities import amount_of
from rules.tasks.determination import spend_on
from rules.tasks.paying import pay_price
from rules.tasks.pools import spend_cost
from rules.tasks.threat import gain_threat, require_threat
from rules.tasks.traits import record_trait
from rules.words import Phrase, say, spoken


class AvoidHow(StrEnum):
    """What avoiding an Injury is paid with (DMG-7): points of the pool, or a Complication in place of the basic 2."""

    POINTS = "points"
    COMPLICATION = "complication"


@dataclass(frozen=True, slots=True, kw_only=True)
class AvoidInjury(Command):
    """The Injury in hand is not suffered (DMG-7, MOM-7).

    `threat_part` points of a player's price are added to Threat. Paying by a Complication names it; left empty, it is
    said that they are worse off.
    """

    how: AvoidHow = AvoidHow.POINTS
    threat_part: int = 0
    complication: str = ""

    undone: ClassVar[Phrase | None] = say("avoiding the Injury")

    def payer(self, table: Table) -> str | None:
        """Whose body it is."""
        return subject_of(table)

    def decide(self, draft: Draft) -> None:
        """DMG-7: for points, or for a Complication in place of the basic price (C-25)."""
        step = _require_injury(draft)
        target = find_character(draft.table, step.subject_id)
        price = price_of_avoiding(draft.table, target, step)
        complication = ""
        if self.how is AvoidHow.COMPLICATION:
            if is_npc(target):
                raise Refusal("NPC-1", "An NPC avoids an Injury with Threat alone; pay that, or let it be suffered.")
            complication = short_text(self.complication, say("the Complication in words")) or say("Worse off")
            price -= min(price, spend_cost(AVOID_INJURY, 1, profile(draft.table)))
        pay_price(
            draft,
            price,
            npc=is_npc(target),
            threat_part=self.threat_part,
            spend=_AVOID,
            label=say("avoiding an Injury"),
        )
        if complication:
            record_trait(draft, complication, TraitKind.COMPLICATION)
        draft.record(
            InjuryAvoided(
                character_id=target.character_id,
                name=target.name,
                price=price,
                complication=complication,
                body=body_with(draft, target.character_id, avoided=True),
            )
        )
        finish_step(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class SufferInjury(Command):
    """The Injury in hand is suffered (DMG-6)."""

    undone: ClassVar[Phrase | None] = say("suffering the Injury")

    def decide(self, draft: Draft) -> None:
        """DMG-6: the Injury in hand is suffered."""
        step = _require_injury(draft)
        _suffer(draft, find_character(draft.table, step.subject_id), step)


@dataclass(frozen=True, slots=True, kw_only=True)
class StayUp(Command):
    """Resist the Knockdown in hand: a player adds Threat, an NPC spends it (EFF-3)."""

    undone: ClassVar[Phrase | None] = say("staying up")

    def payer(self, table: Table) -> str | None:
        """Whose body it is."""
        return subject_of(table)

    def decide(self, draft: Draft) -> None:
        """EFF-3: as much Threat as Effects, added by a player, spent by an NPC."""
        step = _require_fall(draft)
        target = find_character(draft.table, step.subject_id)
        change = knockdown(step.count, npc=is_npc(target)).resist_threat_change
        if change < 0:
            require_threat(-change, draft.table.threat)
        draft.change_pool(Pool.THREAT, change, say("{target} stays up", target=target.name))
        draft.record(KnockedDown(character_id=target.character_id, name=target.name, fell=False))
        finish_step(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class FallDown(Command):
    """The Knockdown in hand takes effect (EFF-3)."""

    undone: ClassVar[Phrase | None] = say("falling down")

    def decide(self, draft: Draft) -> None:
        """EFF-3: the target goes down."""
        step = _require_fall(draft)
        _fall(draft, find_character(draft.table, step.subject_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOn(Command):
    """1 Determination: act in spite of an Injury until the scene ends (DET-9, C-24)."""

    character_id: str
    value: str

    undone: ClassVar[Phrase | None] = say("acting in spite of the Injury")

    def decide(self, draft: Draft) -> None:
        """DET-9, C-24: 1 Determination, and the Injury does not hold one back until the scene ends; it still counts."""
        character = find_person(draft.table, self.character_id)
        if character.standing is not Standing.PLAYER or not profile(draft.table).pushing_on:
            raise Refusal("DET-9", "Only players' characters act in spite of an Injury, where the table plays so.")
        if character.body.injury not in {InjuryState.NONLETHAL, InjuryState.LETHAL} or character.body.pushing_on:
            raise Refusal("DET-9", "{character} is not held back by an Injury.", character=character.name)
        spend_on(draft, character, Benefit.IGNORE_INJURY, self.value)
        body = body_with(draft, character.character_id, pushing_on=True)
        draft.record(PushedOn(character_id=character.character_id, name=character.name, body=body))


_AVOID: Final = "avoid_injury"
"""The name of Avoid Injury in the table of spends."""


def price_of_avoiding(table: Table, character: Character, step: Step) -> int:
    """Points for avoiding the Injury of `step` (DMG-7, C-25). Refuses who cannot."""
    price = avoid_injury_price(
        character.standing,
        used_this_scene=character.body.avoided,
        effects=step.count,
        intense=step.count > 0,
        price=spend_cost(AVOID_INJURY, 1, profile(table)),
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
    body = body_with(draft, target.character_id, staggered=True) if staggered else None
    before = draft.table.threat
    after = gain_threat(before, WRATHFUL) if amount_of(target, "wrathful") else before
    draft.record(
        InjuryWithstood(
            character_id=target.character_id, name=target.name, staggered=staggered, threat=after - before, body=body
        )
    )
    draft.change_pool(Pool.THREAT, after - before, say("{target} is enraged", target=target.name))


def _suffer(draft: Draft, target: Character, step: Step) -> None:
    """DMG-6: hurt worse by one step."""
    before = target.body.injury
    after = injured(before, lethal=step.lethal)
    attack = draft.table.attack
    debilitating = attack is not None and "debilitating" in attack.qualities
    body = body_with(
        draft,
        target.character_id,
        injury=after,
        stabilised=False,
        pushing_on=False,
        debilitated=target.body.debilitated or debilitating,
    )
    draft.record(
        InjurySuffered(character_id=target.character_id, name=target.name, before=before, after=after, body=body)
    )
    finish_step(draft)


def _require_injury(draft: Draft) -> Step:
    return require_step(
        draft, StepKind.INJURY, "DMG-7", say("No Injury waits to be settled; look at what is asked for.")
    )


# --- falls --------------------------------------------------------------------------------------------------


def _begin_fall(draft: Draft, step: Step) -> None:
    target = find_character(draft.table, step.subject_id)
    if target.body.prone or target.body.injury is not InjuryState.NONE:
        finish_step(draft)
    elif is_npc(target) and step.count > threat_of(draft.table, target):
        _fall(draft, target)


def _fall(draft: Draft, target: Character) -> None:
    body = body_with(draft, target.character_id, prone=True)
    draft.record(KnockedDown(character_id=target.character_id, name=target.name, fell=True, body=body))
    finish_step(draft)


def _require_fall(draft: Draft) -> Step:
    return require_step(
        draft, StepKind.KNOCKDOWN, "EFF-3", say("Nobody is being knocked down; look at what is asked for.")
    )


def _ask_avoid(table: Table, step: Step) -> Phrase:
    name = name_of_person(table, step.subject_id)
    price = spend_cost(AVOID_INJURY, 1, profile(table)) + step.count
    hurt = next((one for one in table.characters if one.character_id == step.subject_id), None)
    if hurt is not None and hurt.standing is not Standing.PLAYER:
        return say(
            "The gamemaster chooses: {name} suffers the Injury, or avoids it for {price} Threat.",
            name=name,
            price=price,
        )
    if step.count:
        return say(
            "{name} chooses: suffer the Injury, or avoid it for {price} Momentum or Threat, "
            "or for a Complication and {more} more.",
            name=name,
            price=price,
            more=step.count,
        )
    return say(
        "{name} chooses: suffer the Injury, or avoid it for {price} Momentum or Threat, or for a Complication.",
        name=name,
        price=price,
    )


def _ask_fall(table: Table, step: Step) -> Phrase:
    subject = find_character(table, step.subject_id)
    if is_npc(subject):
        return say(
            "The gamemaster chooses: {name} falls, or stays up for {count} Threat.",
            name=spoken(subject.name),
            count=step.count,
        )
    return say("{name} chooses: fall, or stay up for {count} Threat.", name=spoken(subject.name), count=step.count)


STEPS: Final = (
    StepRow(kind=StepKind.INJURY, begin=_begin_injury, asks=_ask_avoid),
    StepRow(kind=StepKind.KNOCKDOWN, begin=_begin_fall, asks=_ask_fall),
)
"""The steps that settle an Injury and a fall."""

"""Determination and Values: what a point buys, and how points come back (DET-1 to DET-8)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.checks import find_character, is_npc, profile, require_text
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, longer, same, why_changed
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.folding import with_character
from rules.state.people import Character, Value
from rules.state.table import Table
from rules.state.vocabulary import Benefit, TaskPhase, TraitKind, ValueAction
from rules.tasks.rerolls import chosen_positions
from rules.tasks.traits import record_trait
from rules.words import Phrase, say, spoken, worded

BENEFIT_RULES: Final[dict[Benefit, str]] = {
    Benefit.PERFECT_OPPORTUNITY: "DET-2",
    Benefit.MOMENT_OF_INSPIRATION: "DET-3",
    Benefit.SURGE_OF_ACTIVITY: "DET-4",
    Benefit.MAKE_IT_SO: "DET-5",
    Benefit.IGNORE_INJURY: "DET-9",
}
"""The rule of each benefit; each costs one point and cites a Value (DET-2 to DET-5)."""


BENEFIT_PRICE: Final = 1
"""Points of Determination for one benefit (DET-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueUse:
    """The result of a Value turned against its owner (DET-6, DET-7)."""

    determination: int
    complications: int
    value_usable: bool


def spend_determination(determination: int, benefit: Benefit, *, value_applies: bool) -> int:
    """Determination left after one benefit (DET-1).

    Refuses without a Value that helps, or without a point, citing the benefit's rule for the latter.
    """
    require_at_least(0, determination, "Determination")
    if not value_applies:
        raise Refusal("DET-1", "Determination needs a Value that helps here; cite one.")
    if determination < BENEFIT_PRICE:
        raise Refusal(BENEFIT_RULES[benefit], "No Determination is left; do without it, or let a Value get in the way.")
    return determination - BENEFIT_PRICE


def inspired_positions(own_dice: int, positions: Collection[int], profile: Profile) -> tuple[int, ...]:
    """Which of one's own thrown dice a Moment of Inspiration throws again, in order (DET-3, C-6).

    `own_dice` counts the leader's thrown dice, without the Determination die. Refuses anything but all of them
    where the ruleset asks for that, and positions that are none of them.
    """
    chosen = chosen_positions(own_dice, positions, "DET-3")
    if not profile.inspiration_subset and len(chosen) != own_dice:
        raise Refusal("DET-3", "In this ruleset a Moment of Inspiration throws all of your own dice again; choose all.")
    return chosen


def surge_difficulty(profile: Profile) -> int:
    """What a Surge of Activity adds to the Difficulty of the Task it gives (DET-4, C-7)."""
    return profile.surge_difficulty


def gain_determination(determination: int, profile: Profile, points: int = 1) -> int:
    """Determination after a gain; what exceeds the maximum is lost (DET-8, C-18). It never falls by a gain."""
    raised = require_at_least(0, determination, "Determination") + require_at_least(0, points, "a gain")
    return max(determination, min(profile.determination_maximum, raised))


def use_value_against(
    determination: int, action: ValueAction, profile: Profile, *, challenged_this_session: bool = False
) -> ValueUse:
    """A Value gets in the way for a Complication (DET-6), or is challenged and struck out (DET-7).

    Either gives one point back; at the maximum the point is lost, the Value struck all the same (C-83).
    Refuses a second challenge in one session.
    """
    after = gain_determination(determination, profile)
    if action is ValueAction.ACCEPT_COMPLICATION:
        return ValueUse(determination=after, complications=1, value_usable=True)
    if challenged_this_session:
        raise Refusal("DET-7", "A Value was challenged this session already; do it in the next one.")
    return ValueUse(determination=after, complications=0, value_usable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeterminationChanged(Event):
    """A character's Determination rose or fell to `after`; `value` is the Value cited, if any."""

    character_id: str
    name: str
    change: int
    after: int
    reason: str
    value: str = ""

    weight: ClassVar[int | None] = 330

    def fold(self, table: Table) -> Table:
        return with_character(table, self.character_id, lambda one: replace(one, determination=self.after))

    def told(self, _: Table, __: Table) -> Narration:
        return why_changed(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChallenged(Event):
    """A Value was challenged: struck out, and no other may be challenged this session (DET-7)."""

    character_id: str
    name: str
    value: str

    weight: ClassVar[int | None] = 290

    def fold(self, table: Table) -> Table:
        def strike(one: Character) -> Character:
            values = tuple(
                Value(text=value.text, struck=value.struck or value.text == self.value) for value in one.values
            )
            return replace(one, values=values, challenged_this_session=True)

        return with_character(table, self.character_id, strike)

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{name}'s Value is struck out.", name=spoken(self.name)),
            say("{words}.", words=spoken(self.value)),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeGained(Event):
    """DET-4: this character may act again right after this Task."""

    character_id: str
    name: str

    weight: ClassVar[int | None] = 300

    def fold(self, table: Table) -> Table:
        return replace(table, surge_for=self.character_id)

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} may begin another Task at once.", name=spoken(self.name)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeEnded(Event):
    """The second Task of DET-4 was begun, or its moment is over."""

    character_id: str

    def fold(self, table: Table) -> Table:
        return replace(table, surge_for="")


def surges(table: Table, character_id: str) -> bool:
    """Whether the Task that somebody declares now is the one of DET-4; one by an ally's direction is not."""
    turn = table.conflict.turn if table.conflict is not None else None
    return table.surge_for == character_id and (turn is None or turn.guest_id != character_id)


def end_surge(draft: Draft) -> None:
    """End the Surge of Activity (DET-4)."""
    if draft.table.surge_for:
        draft.record(SurgeEnded(character_id=draft.table.surge_for))


_AFTER_THE_DICE = frozenset({TaskPhase.SPENDING, TaskPhase.COMPLICATIONS})
"""The phases of a Task in which its dice are scored."""


def value_applies(character: Character, value: str) -> bool:
    """Whether a Value of the character was cited (DET-1). Refuses one that is not theirs or is struck out."""
    if not value:
        return False
    for one in character.values:
        if one.text == value:
            if one.struck:
                raise Refusal("DET-7", "That Value is struck out until it is rewritten; cite another.")
            return True
    raise Refusal(
        "DET-1", "That is not a Value of {character}; cite one of those on the card.", character=character.name
    )


def change_determination(draft: Draft, character: Character, change: int, reason: str, value: str) -> None:
    """Record a change of a character's Determination, if it is one."""
    if change:
        draft.record(
            DeterminationChanged(
                character_id=character.character_id,
                name=character.name,
                change=change,
                after=character.determination + change,
                reason=reason,
                value=value,
            )
        )


def spend_on(draft: Draft, character: Character, benefit: Benefit, value: str) -> None:
    """Pay one point for a benefit (DET-1). Refuses without a Value that applies or without a point."""
    after = spend_determination(character.determination, benefit, value_applies=value_applies(character, value))
    words = worded(benefit)
    change_determination(draft, character, after - character.determination, words, value)


def _just_acted(table: Table, character_id: str) -> bool:
    task = table.task
    if task is None:
        task = table.last_task
    elif task.phase not in _AFTER_THE_DICE:
        return False
    return task is not None and task.declaration.character_id == character_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SurgeOfActivity(Command):
    """1 Determination: another Task right after this one (DET-4)."""

    character_id: str
    value: str

    undone: ClassVar[Phrase | None] = say("the Surge of Activity")

    def decide(self, draft: Draft) -> None:
        """DET-4: right after their Task, the character may begin another."""
        character = find_character(draft.table, self.character_id)
        if not _just_acted(draft.table, character.character_id):
            raise Refusal("DET-4", "A Surge of Activity follows a Task of the same character; act first.")
        if draft.table.surge_for:
            raise Refusal("DET-4", "A further Task is already granted; declare it.")
        for refused in draft.playbook.surge_refused:
            why = refused(draft.table, character.character_id)
            if why is not None:
                raise Refusal("DET-4", why)
        spend_on(draft, character, Benefit.SURGE_OF_ACTIVITY, self.value)
        draft.record(SurgeGained(character_id=character.character_id, name=character.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeItSo(Command):
    """1 Determination: an Advantage for the scene at once (DET-5)."""

    character_id: str
    value: str
    advantage: str

    undone: ClassVar[Phrase | None] = say("Make It So")

    def decide(self, draft: Draft) -> None:
        """DET-5: an Advantage for the scene at once."""
        character = find_character(draft.table, self.character_id)
        advantage = require_text(self.advantage, say("the Advantage in words"))
        spend_on(draft, character, Benefit.MAKE_IT_SO, self.value)
        record_trait(draft, advantage, TraitKind.ADVANTAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseValueAgainst(Command):
    """A Value gets in the way or is challenged; Determination comes back (DET-6, DET-7)."""

    character_id: str
    value: str
    action: ValueAction
    complication: str = ""

    undone: ClassVar[Phrase | None] = say("the use of a Value")

    def decide(self, draft: Draft) -> None:
        """DET-6, DET-7: a Value gets in the way for a Complication, or is challenged and struck out."""
        character = find_character(draft.table, self.character_id)
        if not value_applies(character, self.value):
            raise Refusal("DET-6", "Say which Value gets in the way or is challenged.")
        use = use_value_against(
            character.determination,
            self.action,
            profile(draft.table),
            challenged_this_session=character.challenged_this_session,
        )
        complication = ""
        if self.action is ValueAction.ACCEPT_COMPLICATION:
            complication = require_text(self.complication, say("the Complication in words"))
        words = say("a Value got in the way") if complication else say("a Value was challenged")
        change_determination(draft, character, use.determination - character.determination, words, self.value)
        if complication:
            record_trait(draft, complication, TraitKind.COMPLICATION, npc=is_npc(character))
        if not use.value_usable:
            draft.record(ValueChallenged(character_id=character.character_id, name=character.name, value=self.value))

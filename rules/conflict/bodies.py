"""A fighter's body: what it is at the start, and every change of it with its word to the table (DMG-3, DMG-6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rules.conflict.events import BodyChanged, EverybodyRestored, InjuryEnded, InjurySuffered, StressChanged
from rules.deciding.checks import find_character, require_ready, short_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.people import Body, Character
from rules.state.table import Table
from rules.state.vocabulary import InjuryState
from rules.tasks.abilities import amount_of
from rules.words import Phrase, say, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustStress(Command):
    """The gamemaster puts Stress right by a change, or restores it after a scene (C-75).

    `restored` says which of the two, where no `reason` does.
    """

    character_id: str
    change: int
    reason: str = ""
    restored: bool = False

    undone: ClassVar[Phrase | None] = say("the change of Stress")

    def decide(self, draft: Draft) -> None:
        """C-75: the gamemaster puts Stress right, or restores it."""
        require_ready(draft.table)
        character = find_person(draft.table, self.character_id)
        if not -MOST_STRESS <= self.change <= MOST_STRESS or not self.change:
            raise Refusal("DMG-3", "Stress changes by 1 to {most}, up or down; choose one of these.", most=MOST_STRESS)
        before = body_of(character)
        after = min(before.stress_max, max(0, before.stress + self.change))
        if after == before.stress:
            raise Refusal(
                "DMG-3",
                "{character} has {stress} Stress of {stress_max}; nothing changes.",
                character=character.name,
                stress=before.stress,
                stress_max=before.stress_max,
            )
        why = short_text(self.reason, say("the reason")) or (say("restored") if self.restored else say("put right"))
        draft.record(
            StressChanged(
                character_id=character.character_id,
                name=character.name,
                stress=after,
                stress_max=before.stress_max,
                why=why,
                body=body_with(draft, character.character_id, stress=after),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEverybody(Command):
    """The gamemaster restores the Stress of everybody alive after a scene (C-75)."""

    undone: ClassVar[Phrase | None] = say("the restored Stress")

    def decide(self, draft: Draft) -> None:
        """C-75: nothing restores Stress by itself; the gamemaster may between scenes."""
        require_ready(draft.table)
        short = tuple(one.character_id for one in short_of_stress(draft.table))
        if not short:
            raise Refusal("DMG-3", "Nobody alive lacks Stress; nothing changes.")
        draft.record(EverybodyRestored(character_ids=short))


def short_of_stress(table: Table) -> tuple[Character, ...]:
    """Everybody alive whose Stress is not whole."""
    return tuple(
        one
        for one in table.characters
        if one.body.stress < one.body.stress_max and one.body.injury is not InjuryState.DEAD
    )


MOST_STRESS: Final = 60
"""The most Stress or Resistance of anybody; a larger number is a slip of the finger."""


def stress_most(fitness: int, security: int) -> int:
    """Stress of a character whose card says nothing else: Fitness + Security (DMG-3)."""
    return fitness + security


def find_person(table: Table, character_id: str) -> Character:
    """The character with that id. Refuses an unknown one, and a ship: people alone fight on foot."""
    character = find_character(table, character_id)
    if all(one is not character for one in table.characters):
        raise Refusal(
            "ATK-1", "{character} is a ship; people fight on foot, so choose a character.", character=character.name
        )
    return character


def body_of(character: Character) -> Body:
    """The present body; unhurt if the character was never in a fight."""
    body = character.body
    if body.stress_max:
        return body
    most = stress_most(character.attributes.fitness, character.disciplines.security)
    return replace(body, stress_max=most, stress=most)


def body_with(draft: Draft, character_id: str, **changes: Any) -> Body | None:  # noqa: ANN401 - fields of `Body`
    """A character's body with these changes, for the event that names them; None if nothing changes."""
    character = find_character(draft.table, character_id)
    body = replace(body_of(character), **changes)
    return body if body != character.body else None


def change_body(draft: Draft, character_id: str, why: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `Body`
    """Change a character's body if no other event names it; nothing if it is so already."""
    body = body_with(draft, character_id, **changes)
    if body is not None:
        name = find_character(draft.table, character_id).name
        draft.record(BodyChanged(character_id=character_id, name=name, body=body, why=why))


def resistance_of(character: Character) -> int:
    """Static Resistance: the card's, and a Machine's X (DMG-2, NPC-2)."""
    return body_of(character).resistance + amount_of(character, "machine")


def threat_of(table: Table, character: Character) -> int:
    """Threat that an NPC can pay with: the common pool's and its own (THR-6, C-86)."""
    return table.threat + character.body.private_threat


def regain_stress(draft: Draft, character_id: str, points: int, why: str) -> None:
    """Give Stress back, up to the most there is (DMG-9)."""
    character = find_character(draft.table, character_id)
    before = body_of(character)
    after = min(before.stress_max, before.stress + points)
    if after <= before.stress:
        return
    draft.record(
        StressChanged(
            character_id=character_id,
            name=character.name,
            stress=after,
            stress_max=before.stress_max,
            why=why,
            body=body_with(draft, character_id, stress=after),
        )
    )


def dying(table: Table) -> tuple[Character, ...]:
    """Whom the end of the scene kills: a lethal Injury that nobody treated (DMG-6)."""
    return tuple(one for one in table.characters if one.body.injury is InjuryState.LETHAL and not one.body.stabilised)


def scene_ends(draft: Draft) -> None:
    """DMG-6: an untreated lethal Injury kills when the scene ends."""
    for one in dying(draft.table):
        draft.record(
            InjurySuffered(
                character_id=one.character_id,
                name=one.name,
                before=InjuryState.LETHAL,
                after=InjuryState.DEAD,
                body=body_with(draft, one.character_id, injury=InjuryState.DEAD),
            )
        )


def scene_starts(draft: Draft) -> None:
    """C-75, THR-6: non-lethal Injuries are gone, an Injury may be avoided again, a creature's own Threat is back."""
    for one in draft.table.characters:
        body = one.body
        private = amount_of(one, "threatening")
        fresh = replace(
            body,
            injury=InjuryState.NONE if body.injury is InjuryState.NONLETHAL else body.injury,
            debilitated=body.debilitated and body.injury is InjuryState.LETHAL,
            avoided=False,
            pushing_on=False,
            staggered=False,
            prone=False,
            disarmed=(),
            private_threat=private,
            entered=False,
        )
        if fresh == body:
            continue
        kind = InjuryEnded if body.injury is InjuryState.NONLETHAL else BodyChanged
        draft.record(kind(character_id=one.character_id, name=one.name, body=fresh, why=say("a new scene")))


def name_of_person(table: Table, character_id: str) -> str:
    """The name of somebody who is hit as it is said; "the target" of who is gone."""
    return next((spoken(one.name) for one in table.characters if one.character_id == character_id), say("the target"))

"""What can last at a table, as data: names, what it means in words, and the rule it comes from.

In: nothing. Out: `LASTING`, by the names that `LastingEffect.name` carries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

from rules.deciding.checks import require_nothing_open
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, ended, longer, reason, sentence
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import LastingEffect
from rules.state.table import Table
from rules.state.vocabulary import EffectEnd
from rules.words import Phrase, say, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingRow:
    """One thing that lasts. `label` is its name in words, `meaning` what holds meanwhile.

    `against` says the same of what counts against one alone, whose name it is given.
    """

    name: str
    rule: str
    label: str
    meaning: str
    against: Callable[[str], Phrase] | None = None


_TABLE: Final = (
    LastingRow(name="guard", rule="ACT-8", label=say("Guard"), meaning=say("attacks on the guarded are 1 harder")),
    LastingRow(name="cover", rule="DMG-2", label=say("Cover"), meaning=say("Challenge Dice are thrown for Resistance")),
    LastingRow(name="assist", rule="ASST-4", label=say("Assist"), meaning=say("the next Task has a helper")),
    LastingRow(name="ready", rule="ACT-4", label=say("Ready"), meaning=say("the readied Task may interrupt")),
    LastingRow(name="prepare", rule="ACT-3", label=say("Prepare"), meaning=say("what needs preparation may be done")),
    LastingRow(
        name="recover_cover",
        rule="ACT-5",
        label=say("Better Cover"),
        meaning=say("each Effect on Cover dice stops 1 damage more"),
    ),
    LastingRow(name="aim", rule="ACT-3", label=say("Aim"), meaning=say("the next attack may throw a d20 again")),
    LastingRow(
        name="pattern_flown",
        rule="S2E-H3",
        label=say("Attack Pattern"),
        meaning=say("attacks on the ship are 1 easier, and the helm helps with each of its attacks"),
    ),
    LastingRow(
        name="evading",
        rule="S2E-H4",
        label=say("Evasive Action"),
        meaning=say("attacks on the ship are opposed by the helm, and its own attacks are 1 harder"),
    ),
    LastingRow(
        name="firing_defensively",
        rule="S2E-T4",
        label=say("Defensive Fire"),
        meaning=say("attacks on the ship are opposed by tactical"),
    ),
    LastingRow(
        name="shields_modulated",
        rule="S2E-T6",
        label=say("Modulated Shields"),
        meaning=say("the ship's Resistance is 2 higher"),
    ),
    LastingRow(
        name="sensors_calibrated",
        rule="S2E-X1",
        label=say("Calibrated Sensors"),
        meaning=say("the next action of the sensors throws a d20 again or ignores a trait"),
    ),
    LastingRow(
        name="weapons_calibrated",
        rule="S2E-T1",
        label=say("Calibrated Weapons"),
        meaning=say("the next attack does 1 more damage"),
    ),
    LastingRow(
        name="target_solved",
        rule="S2E-T3",
        label=say("Targeting Solution"),
        meaning=say("the next attack chooses the system, or throws a d20 again"),
        against=lambda ship: say("the next attack on {ship} chooses the system, or throws a d20 again", ship=ship),
    ),
    LastingRow(
        name="weakness_found",
        rule="S2E-X4",
        label=say("Weakness found"),
        meaning=say("the next attack does more damage or pierces"),
        against=lambda ship: say("the next attack on {ship} does more damage or pierces", ship=ship),
    ),
    LastingRow(
        name="beam_held",
        rule="S2E-T7",
        label=say("Tractor Beam"),
        meaning=say("the ship is held until it breaks free"),
    ),
    LastingRow(
        name="revealed",
        rule="S2E-X3",
        label=say("Revealed"),
        meaning=say("its zone is known until it moves; attacks on it are 2 harder"),
    ),
    LastingRow(
        name="probe_out",
        rule="S2E-X2",
        label=say("Probe"),
        meaning=say("a probe is out within Long range; any damage destroys it"),
    ),
    LastingRow(
        name="power_rerouted",
        rule="S2E-O4",
        label=say("Rerouted Power"),
        meaning=say("Reserve Power serves the next action with that system"),
    ),
    LastingRow(
        name="bridge_prepared",
        rule="S2E-6",
        label=say("Prepared"),
        meaning=say("what needs preparation may be done"),
    ),
    LastingRow(
        name="at_warp",
        rule="S2E-4",
        label=say("At warp"),
        meaning=say("a pursuer needs more successes"),
    ),
    LastingRow(
        name="abandoning",
        rule="S2E-20",
        label=say("Abandoning ship"),
        meaning=say("half the crew leaves by the end of each Round"),
    ),
    LastingRow(
        name="surplus_dice",
        rule="S2E-21",
        label=say("Bonus dice"),
        meaning=say("dice in the place of turns that were given up"),
    ),
    LastingRow(
        name="evasive_action",
        rule="STN-14",
        label=say("Evasive Action"),
        meaning=say("attacks on the ship and by it are 1 harder"),
    ),
    LastingRow(
        name="attack_pattern",
        rule="STN-15",
        label=say("Attack Pattern"),
        meaning=say("the ship's attacks are 1 easier, or make 1 Momentum more"),
    ),
    LastingRow(
        name="resistance_modulated",
        rule="STN-21",
        label=say("Modulated Shields"),
        meaning=say("the ship's Resistance is higher until it is damaged"),
    ),
    LastingRow(
        name="jammed", rule="STN-5", label=say("Signals Jamming"), meaning=say("the ship's transmissions are jammed")
    ),
    LastingRow(
        name="damage_reported",
        rule="STN-6",
        label=say("Damage Report"),
        meaning=say("the next repair of the ship is 1 easier"),
    ),
    LastingRow(
        name="course_plotted",
        rule="STN-17",
        label=say("Plotted Course"),
        meaning=say("the next Task of the helm is easier"),
    ),
    LastingRow(
        name="hazard_charted", rule="STN-18", label=say("Charted Hazard"), meaning=say("Tasks to avoid it are 2 easier")
    ),
    LastingRow(
        name="probe_launched",
        rule="STN-25",
        label=say("Probe"),
        meaning=say("Sensor Sweeps near the probe are 2 easier, and hazards hit the probe"),
    ),
    LastingRow(
        name="link_open",
        rule="STN-3",
        label=say("Open Link"),
        meaning=say("those who are hailed may answer, and need not"),
    ),
    LastingRow(
        name="link_full", rule="STN-4", label=say("Full Link"), meaning=say("both ships see and hear each other")
    ),
    LastingRow(
        name="ship_prepared",
        rule="SHIP-10",
        label=say("Prepared"),
        meaning=say("what needs preparation may be done this Turn"),
    ),
    LastingRow(
        name="changing_position",
        rule="SHIP-10",
        label=say("Changing position"),
        meaning=say("arrives at the start of the next Turn"),
    ),
    LastingRow(
        name="warp_trail",
        rule="SHIP-7",
        label=say("Gone to warp"),
        meaning=say("a pursuer has to spend more Power than it did"),
    ),
    LastingRow(
        name="persistent_damage",
        rule="SWPN-3",
        label=say("Persistent damage"),
        meaning=say("the ship is damaged again at the end of each Round"),
    ),
)
"""Every effect that can last, in the order of the reference."""


LASTING: Final[Mapping[str, LastingRow]] = MappingProxyType({one.name: one for one in _TABLE})
"""Everything that can last, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Event):
    """Something holds from now on until its end; also when its number or its Rounds changed."""

    effect: LastingEffect
    next_number: int

    def fold(self, table: Table) -> Table:
        others = tuple(one for one in table.effects if one.effect_id != self.effect.effect_id)
        return replace(table, effects=(*others, self.effect), next_number=self.next_number)

    def told(self, before: Table, after: Table) -> Narration | None:
        """A change of what holds already, such as its Rounds, is not told again."""
        if any(one.effect_id == self.effect.effect_id for one in before.effects):
            return None
        row = LASTING.get(self.effect.name)
        if row is None:
            return None
        name, other = whose(after, self.effect), against(after, self.effect)
        if name and other:
            text = say("{effect}, {name} against {other}.", effect=row.label, name=name, other=other)
        else:
            text = say("{effect}, {name}.", effect=row.label, name=name) if name else ended(row.label)
        return longer(text, sentence(meaning_of(after, self.effect)), spoken(self.effect.note), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Event):
    """Something that held has ended; `why` in words."""

    effect: LastingEffect
    why: str

    def fold(self, table: Table) -> Table:
        return replace(table, effects=tuple(one for one in table.effects if one.effect_id != self.effect.effect_id))

    def told(self, before: Table, __: Table) -> Narration | None:
        row = LASTING.get(self.effect.name)
        if row is None:
            return None
        name, other = whose(before, self.effect), against(before, self.effect)
        if name and other:
            text = say("{effect} against {other} ends for {name}.", effect=row.label, name=name, other=other)
        elif name:
            text = say("{effect} ends for {name}.", effect=row.label, name=name)
        else:
            text = say("{effect} ends.", effect=row.label)
        return longer(text, "", reason(self.why), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEffect(Command):
    """The gamemaster ends something that lasts before its time."""

    effect_id: str

    undone: ClassVar[Phrase | None] = say("the end of what lasted")

    def decide(self, draft: Draft) -> None:
        """The gamemaster ends something before its time; not in the middle of what may depend on it."""
        require_nothing_open(draft.table)
        for one in draft.table.effects:
            if one.effect_id == self.effect_id:
                end_one(draft, one, say("the gamemaster ended it"))
                return
        raise Refusal("TASK-10", "That does not hold any more; choose one of those listed.")


def effects_named(
    table: Table, name: str, *, owner_id: str = "", target_id: str = "", against_id: str = ""
) -> tuple[LastingEffect, ...]:
    """The present effects of that name, for an owner or target if given, and against another if given."""
    return tuple(
        one
        for one in table.effects
        if one.name == name
        and (not owner_id or one.owner_id == owner_id)
        and (not target_id or one.target_id == target_id)
        and (not against_id or one.against_id in ("", against_id))
    )


def begin_effect(draft: Draft, effect: LastingEffect) -> None:
    """Begin an effect; `effect_id` is assigned here.

    An effect with the same name, owner, target and opponent is renewed.
    """
    table = draft.table
    for known in effects_named(table, effect.name, owner_id=effect.owner_id, target_id=effect.target_id):
        if (known.target_id, known.against_id) == (effect.target_id, effect.against_id):
            renewed = replace(effect, effect_id=known.effect_id)
            draft.record(EffectBegan(effect=renewed, next_number=table.next_number))
            return
    number = table.next_number
    named = replace(effect, effect_id=f"effect-{number}")
    draft.record(EffectBegan(effect=named, next_number=number + 1))


def end_one(draft: Draft, effect: LastingEffect, why: str) -> None:
    """End something that lasts; `why` in words."""
    draft.record(EffectEnded(effect=effect, why=why))


def end_effects(draft: Draft, when: EffectEnd, why: str, *, owner_id: str = "", role: str = "") -> None:
    """End everything whose moment is `when`, for one owner or role if given."""
    for one in draft.table.effects:
        if one.ends is when and (not owner_id or one.owner_id == owner_id) and (not role or one.role == role):
            end_one(draft, one, why)


def scene_ends(draft: Draft) -> None:
    """Nothing lasts beyond its scene."""
    for one in draft.table.effects:
        end_one(draft, one, say("the scene ended"))


def whose(table: Table, effect: LastingEffect) -> str:
    """The name of an effect's target, else of its owner; empty if neither is at the table."""
    named = _names(table)
    return spoken(named.get(effect.target_id) or named.get(effect.owner_id) or "")


def against(table: Table, effect: LastingEffect) -> str:
    """The name of the only one against whom an effect counts; empty if it counts against anybody."""
    return spoken(_names(table).get(effect.against_id, ""))


def meaning_of(table: Table, effect: LastingEffect) -> str:
    """The meaning of a lasting effect, and against whom alone, if so; empty for an unknown effect."""
    row, other = LASTING.get(effect.name), against(table, effect)
    if row is None:
        return ""
    return row.against(other) if row.against is not None and other else row.meaning


def _names(table: Table) -> dict[str, str]:
    return {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}

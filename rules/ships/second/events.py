"""What happened to ships in the second edition: Power in reserve, terrain, flat hits, Breaches, the core, leaving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.conflict.events import OfAttack, OfConflict, harm_words
from rules.conflict.lasting import EffectBegan
from rules.deciding.decision import Event
from rules.deciding.telling import (
    Narration,
    NarrationKind,
    ended,
    longer,
    reason,
    same,
)
from rules.ships.events import OfShip
from rules.ships.shaken import label_of
from rules.state.changing import replace
from rules.state.glossary import grammatical
from rules.state.table import Table
from rules.state.vocabulary import StepKind, System, Terrain
from rules.words import (
    NOTHING,
    capitalized,
    counted,
    say,
    say_count,
    sentences,
    spoken,
    worded,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservePowerChanged(OfShip, Event):
    """Reserve Power was used or is back (S2E-3)."""

    available: bool
    why: str

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.available:
            return longer(say("{name} has Reserve Power.", name=name), "", reason(self.why), NarrationKind.CHANGE)
        return longer(say("{name} has no Reserve Power left.", name=name), "", reason(self.why), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponsArmed(OfShip, Event):
    """Weapons were armed or made safe (S2E-T2)."""

    armed: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.armed:
            return same(say("{name}'s weapons are armed.", name=name), NarrationKind.CHANGE)
        return same(say("{name}'s weapons are safe.", name=name), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainSet(OfShip, Event):
    """The gamemaster said what kind of zone a ship is in (S2E-5)."""

    terrain: Terrain
    hazardous: bool

    def told(self, _: Table, __: Table) -> Narration:
        name, place = spoken(self.name), worded(self.terrain)
        if self.hazardous:
            return same(say("{name} is in the {place}, hazardous.", name=name, place=place), NarrationKind.CHANGE)
        return same(say("{name} is in the {place}.", name=name, place=place), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardMet(Event):
    """Threat that paid for leaving hazardous terrain is spent at once for harm (S2E-5)."""

    ship_id: str
    name: str
    terrain: Terrain
    threat: int

    def told(self, _: Table, __: Table) -> Narration:
        points = counted(self.threat, "Threat")
        return longer(
            say("The {place} harms {name}.", place=worded(self.terrain), name=spoken(self.name)),
            say("{points} is spent on it at once. Gamemaster, say what happens.", points=points),
            "",
            NarrationKind.OUTCOME,
            urgent=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WentToWarp(OfShip, Event):
    """A ship went to warp with that number of successes: at most as many zones as its Engines, or away (S2E-4)."""

    zones: int
    successes: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.zones:
            text = say("{name} is at warp {zones} away.", name=name, zones=counted(self.zones, "zone"))
        else:
            text = say("{name} is at warp and leaves.", name=name)
        made = say("It made {successes}; a pursuer needs more.", successes=counted(self.successes, "success"))
        return longer(text, made, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class PursuitDecided(Event):
    """Whether a pursuer at warp caught up: only with more successes (S2E-23)."""

    pursuer: str
    fleeing: str
    pursuer_successes: int
    fleeing_successes: int
    caught: bool

    def told(self, _: Table, __: Table) -> Narration:
        pursuer, fleeing = spoken(self.pursuer), spoken(self.fleeing)
        first = (
            say("{pursuer} catches up with {fleeing}.", pursuer=pursuer, fleeing=fleeing)
            if self.caught
            else say("{fleeing} escapes from {pursuer}.", fleeing=fleeing, pursuer=pursuer)
        )
        made = say(
            "{successes} against {fleeing}.",
            successes=counted(self.pursuer_successes, "success"),
            fleeing=self.fleeing_successes,
        )
        more = NOTHING if self.caught else say("The pursuer needs more.")
        return longer(first, made, more, NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackStruck(OfAttack, Event):
    """An attack struck, or something else does damage to a ship: a hazard, a collision; `by` says what or who."""

    ship_id: str
    name: str
    by: str
    damage: int

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{name} is hit.", name=spoken(self.name)),
            say("{damage} damage before Resistance, by {by}.", damage=self.damage, by=spoken(self.by)),
            "",
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatHitSettled(OfShip, Event):
    """A hit's damage after Resistance and reductions, and what it did (S2E-10 to S2E-12).

    `reductions` of the attack's Complications were used up for it, one for each point.
    """

    system: System
    damage: int
    shields: int
    shields_max: int
    shaken: int
    breaches: int
    breaches_of_system: int
    system_destroyed: bool
    reductions: int = 0

    def fold(self, table: Table) -> Table:
        """The ship as it stands; what took damage off is no Complication of the Task's any more (S2E-10)."""
        table = OfShip.fold(self, table)
        task = table.task
        if task is None or not self.reductions:
            return table
        return replace(table, task=replace(task, complications_open=max(0, task.complications_open - self.reductions)))

    def told(self, before: Table, _: Table) -> Narration:
        done = [harm_words(before, self.ship_id, self.name, self.damage)]
        if self.breaches:
            done.append(
                say("{breaches} on its {system}.", breaches=counted(self.breaches, "Breach"), system=self.system)
            )
        if self.system_destroyed:
            many = grammatical(self.system)
            done.append(
                say_count(many, "Its {system} is destroyed.", "Its {system} are destroyed.", system=self.system)
            )
        if self.shaken == 1:
            done.append(say("It is shaken."))
        elif self.shaken:
            done.append(say("It is shaken twice."))
        left = [say("Shields {shields}.", shields=self.shields) if self.shields else say("Shields down.")]
        highest = say("Their maximum is {shields_max}.", shields_max=self.shields_max) if self.shields_max else NOTHING
        total = (
            say(
                "{breaches} on its {system} in all.",
                breaches=counted(self.breaches_of_system, "Breach"),
                system=self.system,
            )
            if self.breaches
            else NOTHING
        )
        if self.reductions:
            left.append(say("Complications took off {reductions} damage and are used up.", reductions=self.reductions))
        if off := self._withstood(before):
            left.append(say("Resistance took off {points}.", points=off))
        return longer(sentences(*done), sentences(*left), sentences(highest, total), NarrationKind.OUTCOME)

    def _withstood(self, before: Table) -> int:
        """How much the Resistance took off an attack's own hit; 0 of any other, whose damage stands nowhere."""
        step, attack = before.agenda[0] if before.agenda else None, before.attack
        if step is None or attack is None or step.kind is not StepKind.FLAT_HIT or step.subject_id != self.ship_id:
            return 0
        return max(0, step.count + attack.bonus_damage - self.damage - self.reductions) if step.count else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HullFailed(Event):
    """A ship is critically damaged, or destroyed (S2E-15)."""

    ship_id: str
    name: str
    destroyed: bool
    npc: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.destroyed:
            return same(say("{name} is destroyed.", name=name), NarrationKind.OUTCOME)
        more = say("Any further Breach destroys it.")
        if self.npc:
            more = sentences(more, say("The gamemaster may let it be destroyed at once."))
        return longer(say("{name} is critically damaged and cannot act.", name=name), more, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakenChosen(OfShip, Event):
    """What a shaken ship suffers, as its commander chose (S2E-13, C-39)."""

    result: str
    system: System | None
    note: str

    def told(self, _: Table, __: Table) -> Narration:
        out = (
            say_count(
                grammatical(self.system),
                "{system} is out until restored.",
                "{system} are out until restored.",
                system=capitalized(self.system),
            )
            if self.system is not None
            else NOTHING
        )
        result = spoken(label_of(self.result))
        text = say("{name} is shaken: {result}.", name=spoken(self.name), result=result)
        return same(sentences(text, out, ended(spoken(self.note))), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreChecked(OfShip, Event):
    """The d20 for a failing warp core (S2E-17); `limit` is what it must not exceed."""

    face: int
    limit: int
    explodes: bool
    splash: int
    ejected: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.explodes:
            return longer(
                say("The warp core of {name} holds.", name=name),
                say("{face} does not exceed {limit}.", face=self.face, limit=self.limit),
                "",
                NarrationKind.OUTCOME,
            )
        fate = (
            say("{name} survives, as it was ejected.", name=name) if self.ejected else say("{name} is lost.", name=name)
        )
        more = say(
            "{face} exceeds {limit}. {splash} damage to every ship in Close range.",
            face=self.face,
            limit=self.limit,
            splash=self.splash,
        )
        explodes = sentences(say("The warp core of {name} explodes.", name=name), fate)
        return longer(explodes, more, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreachPatched(OfShip, Event):
    """One Breach was patched in combat (S2E-18); `open_breaches` are left on the system."""

    system: System
    open_breaches: int

    def told(self, _: Table, __: Table) -> Narration:
        left = (
            say("{breaches} still open.", breaches=counted(self.open_breaches, "Breach"))
            if self.open_breaches
            else say("None is open.")
        )
        return longer(
            say("A Breach on the {system} of {name} is patched.", system=self.system, name=spoken(self.name)),
            left,
            "",
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BreachesMended(OfShip, Event):
    """Breaches were repaired for good, in that number of hours (S2E-19); `left` stay on the system."""

    system: System
    mended: int
    hours: int
    left: int

    def told(self, _: Table, __: Table) -> Narration:
        text = say(
            "{breaches} on the {system} of {name} repaired.",
            breaches=counted(self.mended, "Breach"),
            system=self.system,
            name=spoken(self.name),
        )
        hours, left = counted(self.hours, "hour"), counted(self.left, "Breach")
        more = sentences(say("It takes {hours}.", hours=hours), say("{breaches} left.", breaches=left))
        return longer(text, more, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipAbandoned(OfShip, Event):
    """S2E-20: the order (`share` 0), half the crew gone (1), all of it (2)."""

    share: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.share == _ALL:
            return same(say("Everyone has left {name}.", name=name), NarrationKind.OUTCOME)
        if self.share == _HALF:
            return longer(
                say("Half the crew has left {name}.", name=name),
                say("The rest goes in the next Round."),
                "",
                NarrationKind.OUTCOME,
            )
        return longer(
            say("Abandon ship: {name}.", name=name),
            say("Half the crew is out by the end of the Round."),
            "",
            NarrationKind.OUTCOME,
        )

    def covers(self, other: Event) -> bool:
        """The order, that the crew leaves from now on."""
        return isinstance(other, EffectBegan) and (other.effect.name, other.effect.target_id) == (
            "abandoning",
            self.ship_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeShipTurnsSet(OfConflict, Event):
    """A large adversary's number of Turns, and its bonus dice for the rest (S2E-21)."""

    ship_id: str
    name: str
    turns: int
    bonus_dice: int

    def told(self, _: Table, __: Table) -> Narration:
        name, turns = spoken(self.name), counted(self.turns, "turn")
        if self.bonus_dice:
            dice = counted(self.bonus_dice, "bonus die")
            text = say("{name} has {turns} a Round and {dice}.", name=name, turns=turns, dice=dice)
        else:
            text = say("{name} has {turns} a Round.", name=name, turns=turns)
        return same(text, NarrationKind.CHANGE)


_HALF: Final = 1
"""The part of a crew that has left once its first half went."""


_ALL: Final = 2
"""The part of a crew that has left once all went."""

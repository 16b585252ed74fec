"""What happened to ships: Power, movement, hits, Breaches, the core, repairs, in both editions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rules.conflict.events import OfAttack, OfConflict, with_attack
from rules.deciding.decision import Event
from rules.deciding.telling import (
    NOTHING,
    Asked,
    Narration,
    NarrationKind,
    ended,
    longer,
    reason,
    same,
    saved_told,
)
from rules.dice import Face
from rules.ships.shaken import label_of
from rules.state.conflict import Attack, Step
from rules.state.glossary import grammatical
from rules.state.ships import Ship, ShipState
from rules.state.table import Table
from rules.state.vocabulary import Condition, StepKind, System, Terrain
from rules.words import (
    Phrase,
    capitalized,
    challenge_words,
    counted,
    either,
    known,
    listed,
    say,
    say_count,
    sentences,
    spoken,
    worded,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfShip:
    """What an event of one ship carries: the ship, and how it stands from then on.

    `state` is None where the event changes nothing of the ship, and in older journals, which keep a `ShipStateChanged`
    beside it.
    """

    ship_id: str
    name: str
    state: ShipState | None = None

    def fold(self, table: Table) -> Table:
        return table if self.state is None else _standing(table, self.ship_id, self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipStateChanged(Event):
    """Something of a ship changed that no other event names; `why` in words."""

    ship_id: str
    name: str
    state: ShipState
    why: str

    def fold(self, table: Table) -> Table:
        return _standing(table, self.ship_id, self.state)


def _standing(table: Table, ship_id: str, state: ShipState) -> Table:
    ships = tuple(replace(one, state=state) if one.ship_id == ship_id else one for one in table.ships)
    return replace(table, ships=ships)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSaved(Event):
    """A ship was made or replaced."""

    ship: Ship
    created: bool
    next_number: int

    weight: ClassVar[int | None] = 390

    def fold(self, table: Table) -> Table:
        ships = tuple(self.ship if one.ship_id == self.ship.ship_id else one for one in table.ships)
        if self.ship not in ships:
            ships = (*ships, self.ship)
        return replace(table, ships=ships, next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        return saved_told(spoken(self.ship.name), created=self.created)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRemoved(Event):
    """A ship left the table."""

    ship_id: str
    name: str

    weight: ClassVar[int | None] = 400

    def fold(self, table: Table) -> Table:
        return replace(table, ships=tuple(one for one in table.ships if one.ship_id != self.ship_id))

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} leaves the table.", name=spoken(self.name)), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerChanged(OfShip, Event):
    """A ship has more or less Power (SHIP-2, SHIP-5); `why` in words."""

    power: int
    change: int
    why: str

    def told(self, _: Table, __: Table) -> Narration:
        name, points = spoken(self.name), abs(self.change)
        if self.change > 0:
            text = say("{name} gains {points} Power, {power} now.", name=name, points=points, power=self.power)
        else:
            text = say("{name} loses {points} Power, {power} left.", name=name, points=points, power=self.power)
        return longer(text, "", reason(self.why), _CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipComplicated(Event):
    """A Complication came up on a ship, on `system` or on none (SHIP-5, C-84)."""

    ship_id: str
    name: str
    system: System | None
    trait: str

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.system is None:
            text = say("A Complication for {name}.", name=name)
        else:
            text = say("A Complication for {name} on its {system}.", name=name, system=self.system)
        return longer(text, "", reason(self.trait), _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewSupportChanged(OfShip, Event):
    """Crew Support was spent, or is whole again for a new mission (SHIP-2)."""

    left: int
    spent: bool
    note: str = ""

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.spent:
            return same(say("{name} has {left} Crew Support for the new mission.", name=name, left=self.left), _CHANGE)
        who = say("{name} comes in.", name=spoken(self.note)) if spoken(self.note) else NOTHING
        return longer(say("{name} has {left} Crew Support left.", name=name, left=self.left), who, "", _CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipSheltered(OfShip, Event):
    """A ship has so many Challenge Dice of Resistance beside its own (SDMG-1)."""

    dice: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.dice:
            return same(say("{name} has no shelter any more.", name=name), _CHANGE)
        worth = say("{dice} of Resistance against each hit.", dice=counted(self.dice, "Challenge Die"))
        return longer(say("{name} is sheltered.", name=name), worth, "", _CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusMomentumGained(Event):
    """The Task in hand has bonus Momentum, to be spent now or lost (POOL-10, SQUAL-5, STN-15)."""

    number: int
    who: str
    amount: int
    momentum_left: int
    why: str

    def fold(self, table: Table) -> Table:
        if table.task is None:
            return table
        bonus = table.task.bonus_momentum + self.amount
        return replace(table, task=replace(table.task, momentum_left=self.momentum_left, bonus_momentum=bonus))

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{amount} bonus Momentum.", amount=self.amount),
            say("Spend it now, or it is lost."),
            reason(self.why),
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageCounted(OfAttack, Event):
    """An attack's Challenge Dice: the total with Vicious and the Effects, before Resistance (SDMG-1)."""

    attacker: str
    faces: tuple[Face, ...]
    total: int
    effects: int

    def told(self, _: Table, __: Table) -> Narration:
        effects = counted(self.effects, "Effect")
        return longer(
            say("{total} damage, {effects}.", total=self.total, effects=effects),
            "",
            say("The dice show {faces}.", faces=challenge_words(self.faces)),
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageRerollStarted(OfAttack, Event):
    """Some of the damage's dice are thrown again (MOM-6)."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{dice} of the damage again.", dice=counted(len(self.positions), "die")),
            "",
            say("They showed {faces}.", faces=challenge_words(self.faces)),
            NarrationKind.DECLARED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipResistanceCounted(Event):
    """What a ship's shelter is worth against the hit in hand (SDMG-1)."""

    ship_id: str
    name: str
    resistance: int

    def told(self, _: Table, __: Table) -> Narration:
        return same(
            say(
                "Shelter of {name} is worth {resistance} Resistance.",
                name=spoken(self.name),
                resistance=self.resistance,
            ),
            _CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipHitSettled(OfShip, Event):
    """A ship was hit: damage after `resistance`, Shields left, Breaches that follow (SDMG-1, SDMG-2)."""

    system: System | None
    damage: int
    resistance: int
    shields: int
    shields_max: int
    breaches: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        breaches = ended(counted(self.breaches, "Breach")) if self.breaches else NOTHING
        shields = say("Shields {shields}.", shields=self.shields) if self.shields else say("Shields down.")
        return longer(
            sentences(say("{name} takes {damage} damage.", name=name, damage=self.damage), breaches),
            shields,
            say(
                "Their maximum is {shields_max}. Resistance was {resistance}.",
                shields_max=self.shields_max,
                resistance=self.resistance,
            ),
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemBreached(OfShip, Event):
    """A system has `breaches` in all and stands as `condition`; it is out until Restore (BRCH-1, BRCH-2)."""

    system: System
    breaches: int
    condition: Condition

    def told(self, _: Table, __: Table) -> Narration:
        out = NOTHING
        if self.condition in {Condition.DAMAGED, Condition.DISABLED}:
            out = say("Out until restored.")
        total = say("{breaches} in all.", breaches=counted(self.breaches, "Breach"))
        return longer(_breach_words(self), out, total, _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class NpcShipBreached(OfShip, Event):
    """An NPC ship has `breaches` in one total and stands as `condition` (NSHIP-3)."""

    breaches: int
    condition: Condition
    turn_lost: bool
    attack: Attack | None = None

    def fold(self, table: Table) -> Table:
        """The ship as it stands; the attack takes a Turn and Power from a ship once."""
        return with_attack(OfShip.fold(self, table), self.attack)

    def told(self, _: Table, __: Table) -> Narration:
        lost = NOTHING
        if self.condition is Condition.DISABLED:
            lost = say("It has no more Turns this scene.")
        elif self.turn_lost and self.condition is not Condition.DESTROYED:
            lost = sentences(
                say("It loses a Turn next Round."), say("Its Breaches count for the whole ship, on no system.")
            )
        total = say("{breaches} in all.", breaches=counted(self.breaches, "Breach"))
        return longer(_NPC_BREACHED[self.condition](spoken(self.name)), lost, total, _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactCounted(Event):
    """The Challenge Dice of an Impact on the Structure: how many people are injured (BRCH-2)."""

    ship_id: str
    name: str
    injured: int

    def told(self, _: Table, __: Table) -> Narration:
        ship = spoken(self.name)
        if not self.injured:
            return same(say("Nobody is injured aboard {ship}.", ship=ship), _OUTCOME)
        return same(
            say_count(
                self.injured,
                "{number} person is injured aboard {ship}.",
                "{number} people are injured aboard {ship}.",
                ship=ship,
            ),
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CasualtyNamed(Event):
    """Somebody is injured by a hit on the Structure (BRCH-2)."""

    ship_id: str
    ship: str
    character_id: str
    name: str

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} is injured aboard {ship}.", name=spoken(self.name), ship=spoken(self.ship)), _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainmentFailed(OfShip, Event):
    """The Engines are destroyed, in the second edition of a critical ship: the warp core fails (BRCH-5, S2E-17)."""

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("The warp core of {name} is failing.", name=spoken(self.name)),
            say("At the end of each Round dice decide whether it explodes. Stabilise or eject it."),
            "",
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreCounted(OfShip, Event):
    """The Challenge Dice for a failing core at the end of a Round (WCB-1); `next_dice` are due in the next one."""

    faces: tuple[Face, ...]
    explodes: bool
    splash: int
    ejected: bool
    next_dice: int

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        shown = say("The dice show {faces}.", faces=challenge_words(self.faces))
        if not self.explodes:
            due = say_count(
                self.next_dice,
                "{number} Challenge Die is thrown next Round.",
                "{number} Challenge Dice are thrown next Round.",
            )
            return longer(say("The warp core of {name} holds.", name=name), due, shown, _OUTCOME)
        fate = (
            say("{name} survives, as it was ejected.", name=name)
            if self.ejected
            else say("{name} is lost with all aboard.", name=name)
        )
        splash = counted(self.splash, "Challenge Die")
        return longer(
            sentences(say("The warp core of {name} explodes.", name=name), fate),
            say("{splash} of damage to all in Close range.", splash=splash),
            shown,
            _OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipsNamed(Event):
    """Which other ships are hit (SWPN-1, WCB-1)."""

    names: tuple[str, ...]

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("Hit as well: {names}.", names=listed([spoken(one) for one in self.names])), _CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRepaired(OfShip, Event):
    """A system, or an NPC ship as a whole (`system` None), works again; its Breaches stay (REP-2)."""

    system: System | None

    def told(self, _: Table, __: Table) -> Narration:
        ship = spoken(self.name)
        if self.system is None:
            return longer(say("{ship} is repaired.", ship=ship), "", say("Its Breaches stay."), _OUTCOME)
        text = say_count(
            grammatical(self.system),
            "The {system} of {ship} works again.",
            "The {system} of {ship} work again.",
            system=self.system,
            ship=ship,
        )
        return longer(text, "", say("The Breaches stay."), _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEditionWarp(Event):
    """A ship went to warp for so much Power (SHIP-7, STN-13); `pursued` names the ship that it follows."""

    ship_id: str
    name: str
    zones: int
    power: int
    pursued: str

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        terse = (
            say("{name} follows {pursued} at warp.", name=name, pursued=spoken(self.pursued))
            if self.pursued
            else say("{name} goes to warp.", name=name)
        )
        far = ended(counted(self.zones, "zone")) if self.zones else NOTHING
        return longer(terse, say("A pursuer needs more than {power} Power.", power=self.power), far, _OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionChanged(OfConflict, Event):
    """Someone goes to another station, now or with the next Turn (SHIP-10, C-3)."""

    name: str
    station: str
    arrived: bool

    def told(self, _: Table, __: Table) -> Narration:
        name, place = spoken(self.name), spoken(known(self.station))
        if self.arrived:
            return same(say("{name} is at {place} now.", name=name, place=place), _CHANGE)
        return same(
            say("{name} is on the way to {place} and arrives with the next Turn.", name=name, place=place), _CHANGE
        )


_CHANGE, _OUTCOME = NarrationKind.CHANGE, NarrationKind.OUTCOME


def summed(events: Iterable[Event]) -> list[Event]:
    """`events`, with the losses of one ship's Power for one reason as one: each after the first would sound alike."""
    told: list[Event] = []
    for event in events:
        same_loss = next((place for place, one in enumerate(told) if _alike(one, event)), None)
        if same_loss is None:
            told.append(event)
            continue
        first = told[same_loss]
        if isinstance(first, PowerChanged) and isinstance(event, PowerChanged):
            told[same_loss] = replace(event, change=first.change + event.change)
    return told


def _alike(first: Event, later: Event) -> bool:
    return (
        isinstance(first, PowerChanged)
        and isinstance(later, PowerChanged)
        and (first.ship_id, first.why, first.change > 0) == (later.ship_id, later.why, later.change > 0)
    )


def _breach_words(event: SystemBreached) -> Phrase:
    many, system, ship = grammatical(event.system), event.system, spoken(event.name)
    if event.condition is Condition.DAMAGED:
        return say_count(
            many,
            "The {system} of {ship} is damaged.",
            "The {system} of {ship} are damaged.",
            system=system,
            ship=ship,
        )
    if event.condition is Condition.DISABLED:
        return say_count(
            many,
            "The {system} of {ship} is disabled.",
            "The {system} of {ship} are disabled.",
            system=system,
            ship=ship,
        )
    if event.condition is Condition.DESTROYED:
        return say_count(
            many,
            "The {system} of {ship} is destroyed.",
            "The {system} of {ship} are destroyed.",
            system=system,
            ship=ship,
        )
    return say_count(
        many,
        "The {system} of {ship} is out until restored.",
        "The {system} of {ship} are out until restored.",
        system=system,
        ship=ship,
    )


_NPC_BREACHED: Final[dict[Condition, Callable[[str], Phrase]]] = {
    Condition.OPERATIONAL: lambda ship: say("{ship} is breached.", ship=ship),
    Condition.DAMAGED: lambda ship: say("{ship} is damaged.", ship=ship),
    Condition.DISABLED: lambda ship: say("{ship} is disabled.", ship=ship),
    Condition.DESTROYED: lambda ship: say("{ship} is destroyed.", ship=ship),
}


def _ask_damage(table: Table, step: Step) -> Phrase:
    return say("Buy more for the hit on {ship}, or settle it.", ship=name_of_ship(table, step.subject_id))


def _ask_casualty(table: Table, step: Step) -> Phrase:
    return say(
        "Somebody aboard {ship} is injured. Let a die say who, and name them.",
        ship=name_of_ship(table, step.subject_id),
    )


def _ask_ships(table: Table, step: Step) -> Phrase:
    name = name_of_ship(table, step.subject_id)
    if step.name == "area":
        return say_count(
            step.count,
            "Up to {number} more ship in Close range of {name} may be hit. Which?",
            "Up to {number} more ships in Close range of {name} may be hit. Which?",
            name=name,
        )
    return say("Which ships are in Close range of the core of {name}?", name=name)


ASKED_FIRST: Final[Asked] = {
    StepKind.CHOOSE_SHIP_DAMAGE: _ask_damage,
    StepKind.CASUALTY: _ask_casualty,
    StepKind.SHIP_TARGETS: _ask_ships,
}
"""What a chain of ships asks next."""


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
class ShieldsChanged(OfShip, Event):
    """Shields were regenerated, raised or lowered."""

    shields: int
    change: int
    why: str

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{name}, Shields {shields}.", name=spoken(self.name), shields=self.shields),
            reason(self.why),
            "",
            NarrationKind.CHANGE,
        )


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
class ShipMoved(OfShip, Event):
    """A ship moved; `terrain` is where it is now, `left` where it was (S2E-5, S2E-H1, S2E-H2).

    `on_map`: another event says to which zone (RNG-1).
    """

    zones: int
    left: Terrain
    terrain: Terrain
    how: str
    on_map: bool = False

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if not self.zones:
            return same(say("{name} moves within its zone.", name=name), NarrationKind.CHANGE)
        left = say("It leaves the {place}.", place=_place(self.left)) if self.left is not Terrain.OPEN_SPACE else ""
        entered = (
            say("It is in the {place} now.", place=_place(self.terrain))
            if self.terrain is not Terrain.OPEN_SPACE
            else ""
        )
        moves = say("{name} moves {zones}.", name=name, zones=counted(self.zones, "zone"))
        return longer(
            NOTHING if self.on_map else moves,
            sentences(left, entered),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainSet(OfShip, Event):
    """The gamemaster said what kind of zone a ship is in (S2E-5)."""

    terrain: Terrain
    hazardous: bool

    def told(self, _: Table, __: Table) -> Narration:
        name, place = spoken(self.name), _place(self.terrain)
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
            say("The {place} harms {name}.", place=_place(self.terrain), name=spoken(self.name)),
            say("{points} is spent on it at once. Gamemaster, say what happens.", points=points),
            "",
            NarrationKind.OUTCOME,
            urgent=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WentToWarp(OfShip, Event):
    """A ship went to warp with so many successes: as many zones as its Engines at most, or away (S2E-4)."""

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
class EvasionWon(Event):
    """Who won an attack on an evading ship may move it 1 zone (S2E-H4)."""

    ship_id: str
    name: str

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} may move 1 zone.", name=spoken(self.name)), NarrationKind.CHANGE)


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
class SystemStruck(Event):
    """Which system a hit finds, by a d20 (`face`) or by choice (`face` 0)."""

    ship_id: str
    name: str
    system: System
    face: int

    def told(self, _: Table, __: Table) -> Narration:
        shown = say("The d20 shows {face}.", face=self.face) if self.face else ""
        text = say_count(
            grammatical(self.system),
            "{system} of {ship} is hit.",
            "{system} of {ship} are hit.",
            system=capitalized(self.system),
            ship=spoken(self.name),
        )
        return longer(text, shown, "", NarrationKind.OUTCOME)


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

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        done = [say("{name} takes {damage} damage.", name=name, damage=self.damage)]
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
            done.append(say("{name} is shaken.", name=name))
        elif self.shaken:
            done.append(say("{name} is shaken twice.", name=name))
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
        return longer(sentences(*done), sentences(*left), sentences(highest, total), NarrationKind.OUTCOME)


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
class CoreSecured(OfShip, Event):
    """The warp core was ejected, or stabilised (S2E-17)."""

    ejected: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.ejected:
            return same(
                say("The warp core of {name} is ejected and still may explode.", name=name), NarrationKind.OUTCOME
            )
        return same(say("The warp core of {name} is stable.", name=name), NarrationKind.OUTCOME)


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
    """Breaches were repaired for good, in so many hours (S2E-19); `left` stay on the system."""

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
class SystemRestored(OfShip, Event):
    """A system that was out works again (S2E-6)."""

    system: System

    def told(self, _: Table, __: Table) -> Narration:
        text = say_count(
            grammatical(self.system),
            "{name}'s {system} is restored.",
            "{name}'s {system} are restored.",
            name=spoken(self.name),
            system=self.system,
        )
        return same(text, NarrationKind.CHANGE)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeShipTurnsSet(OfConflict, Event):
    """How a large adversary takes its turns: so many, and bonus dice for the rest (S2E-21)."""

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


_HALF, _ALL = 1, 2


def _place(terrain: Terrain) -> Phrase:
    return worded(terrain)


def name_of_ship(table: Table, ship_id: str) -> str:
    """A ship's name as it is said."""
    return next((spoken(one.name) for one in table.ships if one.ship_id == ship_id), say("A ship"))


def _ask_system(table: Table, step: Step) -> Phrase:
    return say(
        "Which other system of {ship} is hit? Choose {systems}.",
        ship=name_of_ship(table, step.subject_id),
        systems=either([one for one in System if table.attack is None or one not in table.attack.breached]),
    )


def _ask_hit(table: Table, step: Step) -> Phrase:
    attack = table.attack
    damage = step.count + (attack.bonus_damage if attack is not None else 0)
    return say(
        "{damage} damage before Resistance on {ship}. Buy more, or settle the hit.",
        damage=damage,
        ship=name_of_ship(table, step.subject_id),
    )


def _ask_shaken(table: Table, step: Step) -> Phrase:
    return say("What does the shaken {ship} suffer? Its commander chooses.", ship=name_of_ship(table, step.subject_id))


def _ask_splash(table: Table, step: Step) -> Phrase:
    return say(
        "{damage} damage around {ship}. Who is in Close range?",
        damage=step.count,
        ship=name_of_ship(table, step.subject_id),
    )


ASKED_SECOND: Final[Asked] = {
    StepKind.STRUCK_SYSTEM: _ask_system,
    StepKind.FLAT_HIT: _ask_hit,
    StepKind.SHAKEN: _ask_shaken,
    StepKind.CORE_SPLASH: _ask_splash,
}
"""What a chain of second-edition starship combat asks next."""

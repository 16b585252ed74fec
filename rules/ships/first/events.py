"""What happened to ships in the first edition: Power, Challenge Dice of hits, Breaches, the core, warp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.conflict.events import OfAttack, OfConflict, harm_words, is_undecided, with_attack
from rules.deciding.agenda import OfChain
from rules.deciding.decision import Event
from rules.deciding.telling import (
    Narration,
    NarrationKind,
    ended,
    longer,
    reason,
    same,
)
from rules.dice import Face
from rules.ships.events import OfShip
from rules.state.changing import replace
from rules.state.conflict import Attack
from rules.state.glossary import grammatical
from rules.state.table import Table
from rules.state.vocabulary import Condition, System
from rules.words import (
    NOTHING,
    Phrase,
    challenge_words,
    counted,
    known,
    listed,
    say,
    say_count,
    sentences,
    spoken,
)


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
        return longer(text, "", reason(self.why), NarrationKind.CHANGE)

    def joined_with(self, later: Event) -> Event | None:
        """Losses of one ship's Power for one reason are told as one, and gains: each after the first sounds alike."""
        if not isinstance(later, PowerChanged):
            return None
        alike = (self.ship_id, self.why, self.change > 0) == (later.ship_id, later.why, later.change > 0)
        return replace(later, change=self.change + later.change) if alike else None


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
        return longer(text, "", reason(self.trait), NarrationKind.OUTCOME)


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
            NarrationKind.OUTCOME,
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
            NarrationKind.OUTCOME,
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
class ShipResistanceCounted(OfChain, Event):
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
            NarrationKind.CHANGE,
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

    def told(self, before: Table, _: Table) -> Narration:
        harm = harm_words(before, self.ship_id, self.name, self.damage)
        breaches = ended(counted(self.breaches, "Breach")) if self.breaches else NOTHING
        shields = say("Shields {shields}.", shields=self.shields) if self.shields else say("Shields down.")
        return longer(
            sentences(harm, breaches),
            shields,
            say(
                "Their maximum is {shields_max}. Resistance was {resistance}.",
                shields_max=self.shields_max,
                resistance=self.resistance,
            ),
            NarrationKind.OUTCOME,
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
        return longer(_breach_words(self), out, total, NarrationKind.OUTCOME)


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
        return longer(_NPC_BREACHED[self.condition](spoken(self.name)), lost, total, NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactCounted(OfChain, Event):
    """The Challenge Dice of an Impact on the Structure: how many people are injured (BRCH-2)."""

    ship_id: str
    name: str
    injured: int

    def told(self, _: Table, __: Table) -> Narration:
        ship = spoken(self.name)
        if not self.injured:
            return same(say("Nobody is injured aboard {ship}.", ship=ship), NarrationKind.OUTCOME)
        return same(
            say_count(
                self.injured,
                "{number} person is injured aboard {ship}.",
                "{number} people are injured aboard {ship}.",
                ship=ship,
            ),
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CasualtyNamed(OfChain, Event):
    """Somebody is injured by a hit on the Structure (BRCH-2)."""

    ship_id: str
    ship: str
    character_id: str
    name: str

    def told(self, _: Table, after: Table) -> Narration:
        name, ship = spoken(self.name), spoken(self.ship)
        return same(
            say("{name} is hit aboard {ship}: an Injury, unless it is avoided.", name=name, ship=ship)
            if is_undecided(after, self.character_id)
            else say("{name} is injured aboard {ship}.", name=name, ship=ship),
            NarrationKind.OUTCOME,
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
            return longer(say("The warp core of {name} holds.", name=name), due, shown, NarrationKind.OUTCOME)
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
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipsNamed(OfChain, Event):
    """Which other ships are hit (SWPN-1, WCB-1)."""

    names: tuple[str, ...]

    def told(self, _: Table, __: Table) -> Narration:
        return same(
            say("Hit as well: {names}.", names=listed([spoken(one) for one in self.names])), NarrationKind.CHANGE
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipRepaired(OfShip, Event):
    """A system, or an NPC ship as a whole (`system` None), works again; its Breaches stay (REP-2)."""

    system: System | None

    def told(self, _: Table, __: Table) -> Narration:
        ship = spoken(self.name)
        if self.system is None:
            return longer(say("{ship} is repaired.", ship=ship), "", say("Its Breaches stay."), NarrationKind.OUTCOME)
        text = say_count(
            grammatical(self.system),
            "The {system} of {ship} works again.",
            "The {system} of {ship} work again.",
            system=self.system,
            ship=ship,
        )
        return longer(text, "", say("The Breaches stay."), NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEditionWarp(OfShip, Event):
    """A ship went to warp for that Power (SHIP-7, STN-13); `pursued` names the ship that it follows."""

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
        return longer(
            terse, say("A pursuer needs more than {power} Power.", power=self.power), far, NarrationKind.OUTCOME
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionChanged(OfConflict, Event):
    """Someone goes to another station, now or with the next Turn (SHIP-10, C-3)."""

    name: str
    station: str
    arrived: bool

    def told(self, _: Table, __: Table) -> Narration:
        name, place = spoken(self.name), spoken(known(self.station))
        if self.arrived:
            return same(say("{name} is at {place} now.", name=name, place=place), NarrationKind.CHANGE)
        return same(
            say("{name} is on the way to {place} and arrives with the next Turn.", name=name, place=place),
            NarrationKind.CHANGE,
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
"""What is said of an NPC ship that a Breach has brought into that condition (NSHIP)."""

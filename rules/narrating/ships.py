"""How ships are told: power, hits on ships, Breaches, cores, and what a chain of theirs asks next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from rules import events_ships as eh
from rules.messages import Event
from rules.narrating.ships2e import name_of_ship
from rules.narrating.telling import NOTHING, Asked, Narration, NarrationKind, Sentences, ended, longer, reason, same
from rules.phrases import Phrase, known, say, say_count, sentences
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import Condition, StepKind
from rules.wording import challenge_words, counted, grammatical, joined, spoken

_CHANGE, _OUTCOME = NarrationKind.CHANGE, NarrationKind.OUTCOME


def _power(event: eh.PowerChanged, _: Table, __: Table) -> Narration:
    name, points = spoken(event.name), abs(event.change)
    if event.change > 0:
        text = say("{name} gains {points} Power, {power} now.", name=name, points=points, power=event.power)
    else:
        text = say("{name} loses {points} Power, {power} left.", name=name, points=points, power=event.power)
    return longer(text, "", reason(event.why), _CHANGE)


def summed(events: Iterable[Event]) -> list[Event]:
    """`events`, with the losses of one ship's Power for one reason as one: each after the first would sound alike."""
    told: list[Event] = []
    for event in events:
        same_loss = next((place for place, one in enumerate(told) if _alike(one, event)), None)
        if same_loss is None:
            told.append(event)
            continue
        first = told[same_loss]
        if isinstance(first, eh.PowerChanged) and isinstance(event, eh.PowerChanged):
            told[same_loss] = replace(event, change=first.change + event.change)
    return told


def _alike(first: Event, later: Event) -> bool:
    return (
        isinstance(first, eh.PowerChanged)
        and isinstance(later, eh.PowerChanged)
        and (first.ship_id, first.why, first.change > 0) == (later.ship_id, later.why, later.change > 0)
    )


def _complicated(event: eh.ShipComplicated, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.system is None:
        text = say("A Complication for {name}.", name=name)
    else:
        text = say("A Complication for {name} on its {system}.", name=name, system=event.system)
    return longer(text, "", reason(event.trait), _OUTCOME)


def _support(event: eh.CrewSupportChanged, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.spent:
        return same(say("{name} has {left} Crew Support for the new mission.", name=name, left=event.left), _CHANGE)
    who = say("{name} comes in.", name=spoken(event.note)) if spoken(event.note) else NOTHING
    return longer(say("{name} has {left} Crew Support left.", name=name, left=event.left), who, "", _CHANGE)


def _sheltered(event: eh.ShipSheltered, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.dice:
        return same(say("{name} has no shelter any more.", name=name), _CHANGE)
    worth = say("{dice} of Resistance against each hit.", dice=counted(event.dice, "Challenge Die"))
    return longer(say("{name} is sheltered.", name=name), worth, "", _CHANGE)


def _bonus(event: eh.BonusMomentumGained, _: Table, __: Table) -> Narration:
    return longer(
        say("{amount} bonus Momentum.", amount=event.amount),
        say("Spend it now, or it is lost."),
        reason(event.why),
        _OUTCOME,
    )


def _damage(event: eh.ShipDamageCounted, _: Table, __: Table) -> Narration:
    effects = counted(event.effects, "Effect")
    return longer(
        say("{total} damage, {effects}.", total=event.total, effects=effects),
        "",
        say("The dice show {faces}.", faces=challenge_words(event.faces)),
        _OUTCOME,
    )


def _again(event: eh.ShipDamageRerollStarted, _: Table, __: Table) -> Narration:
    return longer(
        say("{dice} of the damage again.", dice=counted(len(event.positions), "die")),
        "",
        say("They showed {faces}.", faces=challenge_words(event.faces)),
        NarrationKind.DECLARED,
    )


def _resistance(event: eh.ShipResistanceCounted, _: Table, __: Table) -> Narration:
    return same(
        say(
            "Shelter of {name} is worth {resistance} Resistance.", name=spoken(event.name), resistance=event.resistance
        ),
        _CHANGE,
    )


def _hit(event: eh.ShipHitSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    breaches = ended(counted(event.breaches, "Breach")) if event.breaches else NOTHING
    shields = say("Shields {shields}.", shields=event.shields) if event.shields else say("Shields down.")
    return longer(
        sentences(say("{name} takes {damage} damage.", name=name, damage=event.damage), breaches),
        shields,
        say(
            "Their maximum is {shields_max}. Resistance was {resistance}.",
            shields_max=event.shields_max,
            resistance=event.resistance,
        ),
        _OUTCOME,
    )


def _breached(event: eh.SystemBreached, _: Table, __: Table) -> Narration:
    out = NOTHING
    if event.condition in {Condition.DAMAGED, Condition.DISABLED}:
        out = say("Out until restored.")
    total = say("{breaches} in all.", breaches=counted(event.breaches, "Breach"))
    return longer(_breach_words(event), out, total, _OUTCOME)


def _breach_words(event: eh.SystemBreached) -> Phrase:
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


def _npc(event: eh.NpcShipBreached, _: Table, __: Table) -> Narration:
    lost = NOTHING
    if event.condition is Condition.DISABLED:
        lost = say("It has no more Turns this scene.")
    elif event.turn_lost and event.condition is not Condition.DESTROYED:
        lost = sentences(
            say("It loses a Turn next Round."), say("Its Breaches count for the whole ship, on no system.")
        )
    total = say("{breaches} in all.", breaches=counted(event.breaches, "Breach"))
    return longer(_NPC_BREACHED[event.condition](spoken(event.name)), lost, total, _OUTCOME)


def _impact(event: eh.ImpactCounted, _: Table, __: Table) -> Narration:
    ship = spoken(event.name)
    if not event.injured:
        return same(say("Nobody is injured aboard {ship}.", ship=ship), _OUTCOME)
    return same(
        say_count(
            event.injured,
            "{number} person is injured aboard {ship}.",
            "{number} people are injured aboard {ship}.",
            ship=ship,
        ),
        _OUTCOME,
    )


def _casualty(event: eh.CasualtyNamed, _: Table, __: Table) -> Narration:
    return same(say("{name} is injured aboard {ship}.", name=spoken(event.name), ship=spoken(event.ship)), _OUTCOME)


def _failed(event: eh.ContainmentFailed, _: Table, __: Table) -> Narration:
    return longer(
        say("The warp core of {name} is failing.", name=spoken(event.name)),
        say("At the end of each Round dice decide whether it explodes. Stabilise or eject it."),
        "",
        _OUTCOME,
    )


def _core(event: eh.CoreCounted, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    shown = say("The dice show {faces}.", faces=challenge_words(event.faces))
    if not event.explodes:
        due = say_count(
            event.next_dice,
            "{number} Challenge Die is thrown next Round.",
            "{number} Challenge Dice are thrown next Round.",
        )
        return longer(say("The warp core of {name} holds.", name=name), due, shown, _OUTCOME)
    fate = (
        say("{name} survives, as it was ejected.", name=name)
        if event.ejected
        else say("{name} is lost with all aboard.", name=name)
    )
    splash = counted(event.splash, "Challenge Die")
    return longer(
        sentences(say("The warp core of {name} explodes.", name=name), fate),
        say("{splash} of damage to all in Close range.", splash=splash),
        shown,
        _OUTCOME,
    )


def _named(event: eh.ShipsNamed, _: Table, __: Table) -> Narration:
    return same(say("Hit as well: {names}.", names=joined([spoken(one) for one in event.names])), _CHANGE)


def _repaired(event: eh.ShipRepaired, _: Table, __: Table) -> Narration:
    ship = spoken(event.name)
    if event.system is None:
        return longer(say("{ship} is repaired.", ship=ship), "", say("Its Breaches stay."), _OUTCOME)
    text = say_count(
        grammatical(event.system),
        "The {system} of {ship} works again.",
        "The {system} of {ship} work again.",
        system=event.system,
        ship=ship,
    )
    return longer(text, "", say("The Breaches stay."), _OUTCOME)


def _warp(event: eh.FirstEditionWarp, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    terse = (
        say("{name} follows {pursued} at warp.", name=name, pursued=spoken(event.pursued))
        if event.pursued
        else say("{name} goes to warp.", name=name)
    )
    far = ended(counted(event.zones, "zone")) if event.zones else NOTHING
    return longer(terse, say("A pursuer needs more than {power} Power.", power=event.power), far, _OUTCOME)


def _position(event: eh.PositionChanged, _: Table, __: Table) -> Narration:
    name, place = spoken(event.name), spoken(known(event.station))
    if event.arrived:
        return same(say("{name} is at {place} now.", name=name, place=place), _CHANGE)
    return same(say("{name} is on the way to {place} and arrives with the next Turn.", name=name, place=place), _CHANGE)


SENTENCES: Final[Sentences] = {
    eh.ShipDamageCounted: _damage,
    eh.ShipDamageRerollStarted: _again,
    eh.ShipResistanceCounted: _resistance,
    eh.ShipHitSettled: _hit,
    eh.SystemBreached: _breached,
    eh.NpcShipBreached: _npc,
    eh.ImpactCounted: _impact,
    eh.CasualtyNamed: _casualty,
    eh.ContainmentFailed: _failed,
    eh.CoreCounted: _core,
    eh.ShipsNamed: _named,
    eh.ShipRepaired: _repaired,
    eh.FirstEditionWarp: _warp,
    eh.PowerChanged: _power,
    eh.ShipComplicated: _complicated,
    eh.BonusMomentumGained: _bonus,
    eh.CrewSupportChanged: _support,
    eh.ShipSheltered: _sheltered,
    eh.PositionChanged: _position,
}
"""The events of ships."""


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


ASKED: Final[Asked] = {
    StepKind.CHOOSE_SHIP_DAMAGE: _ask_damage,
    StepKind.CASUALTY: _ask_casualty,
    StepKind.SHIP_TARGETS: _ask_ships,
}
"""What a chain of ships asks next."""

COMMANDS: Final = {
    "reroll_ship_damage": say("throwing the damage again"),
    "settle_ship_hit": say("settling the hit"),
    "name_ships_hit": say("the ships that are hit as well"),
    "name_casualty": say("who is injured"),
    "restore_shields": say("the restored Shields"),
    "adjust_power": say("the change of Power"),
    "spend_crew_support": say("the Crew Support"),
    "renew_crew_support": say("the new mission's Crew Support"),
    "complicate_ship": say("the ship's Complication"),
    "shelter_ship": say("the ship's shelter"),
}
"""The commands about ships, after "take back"."""

"""How ships are told: power, hits on ships, Breaches, cores, and what a chain of theirs asks next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rules import events_ships as eh
from rules.messages import Event
from rules.narrating.ships2e import name_of_ship
from rules.narrating.telling import Asked, Narration, NarrationKind, Sentences, longer, same, sentence
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import Condition, StepKind
from rules.wording import are, challenge_words, counted, joined, spoken

_CHANGE, _OUTCOME = NarrationKind.CHANGE, NarrationKind.OUTCOME


def _power(event: eh.PowerChanged, _: Table, __: Table) -> Narration:
    how = "gains" if event.change > 0 else "loses"
    return longer(
        f"{spoken(event.name)} {how} {abs(event.change)} Power.",
        f"Power {event.power}.",
        sentence(spoken(event.why)),
        _CHANGE,
    )


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
    where = f" on its {event.system}" if event.system is not None else ""
    return longer(f"A Complication for {spoken(event.name)}{where}.", "", sentence(spoken(event.trait)), _OUTCOME)


def _support(event: eh.CrewSupportChanged, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.spent:
        return same(f"{name} has {event.left} Crew Support for the new mission.", _CHANGE)
    who = f"{spoken(event.note)} comes in." if spoken(event.note) else ""
    return longer(f"{name} has {event.left} Crew Support left.", who, "", _CHANGE)


def _sheltered(event: eh.ShipSheltered, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.dice:
        return same(f"{name} has no shelter any more.", _CHANGE)
    dice = counted(event.dice, "Challenge Die", "Challenge Dice")
    return longer(f"{name} is sheltered.", f"{dice} of Resistance against each hit.", "", _CHANGE)


def _bonus(event: eh.BonusMomentumGained, _: Table, __: Table) -> Narration:
    return longer(
        f"{event.amount} bonus Momentum.", "Spend it now, or it is lost.", sentence(spoken(event.why)), _OUTCOME
    )


def _damage(event: eh.ShipDamageCounted, _: Table, __: Table) -> Narration:
    effects = counted(event.effects, "Effect")
    return longer(f"{event.total} damage, {effects}.", "", f"The dice show {challenge_words(event.faces)}.", _OUTCOME)


def _again(event: eh.ShipDamageRerollStarted, _: Table, __: Table) -> Narration:
    return longer(
        f"{counted(len(event.positions), 'die', 'dice')} of the damage again.",
        "",
        f"They showed {challenge_words(event.faces)}.",
        NarrationKind.DECLARED,
    )


def _resistance(event: eh.ShipResistanceCounted, _: Table, __: Table) -> Narration:
    return same(f"Shelter of {spoken(event.name)} is worth {event.resistance} Resistance.", _CHANGE)


def _hit(event: eh.ShipHitSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    breaches = f" {counted(event.breaches, 'Breach', 'Breaches')}." if event.breaches else ""
    shields = f"Shields {event.shields}." if event.shields else "Shields down."
    return longer(
        f"{name} takes {event.damage} damage.{breaches}",
        shields,
        f"Their maximum is {event.shields_max}. Resistance was {event.resistance}.",
        _OUTCOME,
    )


_CONDITIONS: Final = {
    Condition.OPERATIONAL: "",
    Condition.DAMAGED: "damaged",
    Condition.DISABLED: "disabled",
    Condition.DESTROYED: "destroyed",
}


def _breached(event: eh.SystemBreached, _: Table, __: Table) -> Narration:
    state = _CONDITIONS[event.condition]
    verb = are(event.system)
    words = f"{verb} {state}" if state else f"{verb} out until restored"
    out = "" if not state or event.condition is Condition.DESTROYED else "Out until restored."
    total = counted(event.breaches, "Breach", "Breaches")
    return longer(f"The {event.system} of {spoken(event.name)} {words}.", out, f"{total} in all.", _OUTCOME)


def _npc(event: eh.NpcShipBreached, _: Table, __: Table) -> Narration:
    name, state = spoken(event.name), _CONDITIONS[event.condition]
    terse = f"{name} is {state}." if state else f"{name} is breached."
    lost = "It loses a Turn next Round." if event.turn_lost and event.condition is not Condition.DESTROYED else ""
    if event.condition is Condition.DISABLED:
        lost = "It has no more Turns this scene."
    return longer(terse, lost, f"{counted(event.breaches, 'Breach', 'Breaches')} in all.", _OUTCOME)


def _impact(event: eh.ImpactCounted, _: Table, __: Table) -> Narration:
    people = counted(event.injured, "person is", "people are") if event.injured else "Nobody is"
    return same(f"{people} injured aboard {spoken(event.name)}.", _OUTCOME)


def _casualty(event: eh.CasualtyNamed, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} is injured aboard {spoken(event.ship)}.", _OUTCOME)


def _failed(event: eh.ContainmentFailed, _: Table, __: Table) -> Narration:
    return longer(
        f"The warp core of {spoken(event.name)} is failing.",
        "At the end of each Round dice decide whether it explodes. Stabilise or eject it.",
        "",
        _OUTCOME,
    )


def _core(event: eh.CoreCounted, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    shown = f"The dice show {challenge_words(event.faces)}."
    if not event.explodes:
        due = counted(event.next_dice, "Challenge Die is", "Challenge Dice are")
        return longer(f"The warp core of {name} holds.", f"{due} thrown next Round.", shown, _OUTCOME)
    fate = f"{name} survives, as it was ejected." if event.ejected else f"{name} is lost with all aboard."
    splash = counted(event.splash, "Challenge Die", "Challenge Dice")
    return longer(
        f"The warp core of {name} explodes. {fate}", f"{splash} of damage to all in Close range.", shown, _OUTCOME
    )


def _named(event: eh.ShipsNamed, _: Table, __: Table) -> Narration:
    return same(f"Hit as well: {joined([spoken(one) for one in event.names])}.", _CHANGE)


def _repaired(event: eh.ShipRepaired, _: Table, __: Table) -> Narration:
    what = f"The {event.system} of {spoken(event.name)} work" if event.system is not None else spoken(event.name)
    if event.system is None:
        return longer(f"{what} is repaired.", "", "Its Breaches stay.", _OUTCOME)
    verb = "s" if are(event.system) == "is" else ""
    return longer(f"{what}{verb} again.", "", "The Breaches stay.", _OUTCOME)


def _warp(event: eh.FirstEditionWarp, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    terse = f"{name} follows {spoken(event.pursued)} at warp." if event.pursued else f"{name} goes to warp."
    far = f"{counted(event.zones, 'zone')}." if event.zones else ""
    return longer(terse, f"A pursuer needs more than {event.power} Power.", far, _OUTCOME)


def _position(event: eh.PositionChanged, _: Table, __: Table) -> Narration:
    name, place = spoken(event.name), spoken(event.station)
    if event.arrived:
        return same(f"{name} is at {place} now.", _CHANGE)
    return same(f"{name} is on the way to {place} and arrives with the next Turn.", _CHANGE)


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


def _ask_damage(table: Table, step: Step) -> str:
    return f"Buy more for the hit on {name_of_ship(table, step.subject_id)}, or settle it."


def _ask_casualty(table: Table, step: Step) -> str:
    return f"Somebody aboard {name_of_ship(table, step.subject_id)} is injured. Let a die say who, and name them."


def _ask_ships(table: Table, step: Step) -> str:
    name = name_of_ship(table, step.subject_id)
    if step.name == "area":
        return f"Up to {counted(step.count, 'more ship')} in Close range of {name} may be hit. Which?"
    return f"Which ships are in Close range of the core of {name}?"


ASKED: Final[Asked] = {
    StepKind.CHOOSE_SHIP_DAMAGE: _ask_damage,
    StepKind.CASUALTY: _ask_casualty,
    StepKind.SHIP_TARGETS: _ask_ships,
}
"""What a chain of ships asks next."""

COMMANDS: Final[dict[str, str]] = {
    "reroll_ship_damage": "throwing the damage again",
    "settle_ship_hit": "settling the hit",
    "name_ships_hit": "the ships that are hit as well",
    "name_casualty": "who is injured",
    "restore_shields": "the restored Shields",
    "adjust_power": "the change of Power",
    "spend_crew_support": "the Crew Support",
    "renew_crew_support": "the new mission's Crew Support",
    "complicate_ship": "the ship's Complication",
    "shelter_ship": "the ship's shelter",
}
"""The commands about ships, after "take back"."""

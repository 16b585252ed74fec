"""How starship combat of the second edition is told: power, movement, hits, the core, repairs."""

from __future__ import annotations

from typing import Final

from rules import events_ships2e as es
from rules.narrating.telling import Asked, Narration, NarrationKind, Sentences, longer, same, sentence
from rules.shaken import label_of
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import StepKind, System, Terrain
from rules.wording import are, counted, joined, spoken

_HALF, _ALL = 1, 2


def _place(terrain: Terrain) -> str:
    return terrain.replace("_", " ")


def name_of_ship(table: Table, ship_id: str) -> str:
    """A ship's name as it is said."""
    return next((spoken(one.name) for one in table.ships if one.ship_id == ship_id), "A ship")


def _reserve(event: es.ReservePowerChanged, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.available:
        return longer(f"{name} has Reserve Power.", "", sentence(spoken(event.why)), NarrationKind.CHANGE)
    return longer(f"{name} has no Reserve Power left.", "", sentence(spoken(event.why)), NarrationKind.CHANGE)


def _shields(event: es.ShieldsChanged, _: Table, __: Table) -> Narration:
    return longer(
        f"{spoken(event.name)}, Shields {event.shields}.",
        sentence(spoken(event.why)),
        "",
        NarrationKind.CHANGE,
    )


def _armed(event: es.WeaponsArmed, _: Table, __: Table) -> Narration:
    words = "armed" if event.armed else "safe"
    return same(f"{spoken(event.name)}'s weapons are {words}.", NarrationKind.CHANGE)


def _moved(event: es.ShipMoved, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.zones:
        return same(f"{name} moves within its zone.", NarrationKind.CHANGE)
    left = f"It leaves the {_place(event.left)}." if event.left is not Terrain.OPEN_SPACE else ""
    entered = f"It is in the {_place(event.terrain)} now." if event.terrain is not Terrain.OPEN_SPACE else ""
    return longer(
        f"{name} moves {counted(event.zones, 'zone')}.", f"{left} {entered}".strip(), "", NarrationKind.CHANGE
    )


def _terrain(event: es.TerrainSet, _: Table, __: Table) -> Narration:
    danger = ", hazardous" if event.hazardous else ""
    return same(f"{spoken(event.name)} is in the {_place(event.terrain)}{danger}.", NarrationKind.CHANGE)


def _hazard(event: es.HazardMet, _: Table, __: Table) -> Narration:
    points = counted(event.threat, "Threat", "Threat")
    return longer(
        f"The {_place(event.terrain)} harms {spoken(event.name)}.",
        f"{points} is spent on it at once. Gamemaster, say what happens.",
        "",
        NarrationKind.OUTCOME,
        urgent=True,
    )


def _warp(event: es.WentToWarp, _: Table, __: Table) -> Narration:
    far = f"{counted(event.zones, 'zone')} away" if event.zones else "and leaves"
    made = counted(event.successes, "success", "successes")
    return longer(
        f"{spoken(event.name)} is at warp {far}.", f"It made {made}; a pursuer needs more.", "", NarrationKind.OUTCOME
    )


def _pursuit(event: es.PursuitDecided, _: Table, __: Table) -> Narration:
    pursuer, fleeing = spoken(event.pursuer), spoken(event.fleeing)
    first = f"{pursuer} catches up with {fleeing}." if event.caught else f"{fleeing} escapes from {pursuer}."
    made = f"{counted(event.pursuer_successes, 'success', 'successes')} against {event.fleeing_successes}."
    more = "" if event.caught else "The pursuer needs more."
    return longer(first, made, more, NarrationKind.OUTCOME)


def _evasion(event: es.EvasionWon, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} may move 1 zone.", NarrationKind.CHANGE)


def _attack(event: es.AttackStruck, _: Table, __: Table) -> Narration:
    return longer(
        f"{spoken(event.name)} is hit.",
        f"{event.damage} damage before Resistance, by {spoken(event.by)}.",
        "",
        NarrationKind.OUTCOME,
    )


def _struck(event: es.SystemStruck, _: Table, __: Table) -> Narration:
    shown = f"The d20 shows {event.face}." if event.face else ""
    return longer(
        f"{event.system.capitalize()} of {spoken(event.name)} {are(event.system)} hit.",
        shown,
        "",
        NarrationKind.OUTCOME,
    )


def _settled(event: es.FlatHitSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    first = f"{name} takes {event.damage} damage."
    done = []
    if event.breaches:
        done.append(f"{counted(event.breaches, 'Breach', 'Breaches')} on its {event.system}.")
    if event.system_destroyed:
        done.append(f"Its {event.system} {are(event.system)} destroyed.")
    if event.shaken:
        done.append(f"{name} is shaken{' twice' if event.shaken > 1 else ''}.")
    left = len(done)
    done.append(f"Shields {event.shields}." if event.shields else "Shields down.")
    highest = f"Their maximum is {event.shields_max}." if event.shields_max else ""
    total = (
        f"{counted(event.breaches_of_system, 'Breach', 'Breaches')} on its {event.system} in all."
        if event.breaches
        else ""
    )
    if event.reductions:
        done.append(f"Complications took off {event.reductions} damage and are used up.")
    return longer(
        " ".join((first, *done[:left])), " ".join(done[left:]), f"{highest} {total}".strip(), NarrationKind.OUTCOME
    )


def _hull(event: es.HullFailed, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.destroyed:
        return same(f"{name} is destroyed.", NarrationKind.OUTCOME)
    more = "Any further Breach destroys it."
    if event.npc:
        more += " The gamemaster may let it be destroyed at once."
    return longer(f"{name} is critically damaged and cannot act.", more, "", NarrationKind.OUTCOME)


def _shaken(event: es.ShakenChosen, _: Table, __: Table) -> Narration:
    out = f" {event.system.capitalize()} {are(event.system)} out until restored." if event.system is not None else ""
    note = f" {spoken(event.note)}." if event.note else ""
    return same(f"{spoken(event.name)} is shaken: {spoken(label_of(event.result))}.{out}{note}", NarrationKind.CHANGE)


def _core(event: es.CoreChecked, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.explodes:
        return longer(
            f"The warp core of {name} holds.", f"{event.face} does not exceed {event.limit}.", "", NarrationKind.OUTCOME
        )
    fate = f"{name} survives, as it was ejected." if event.ejected else f"{name} is lost."
    more = f"{event.face} exceeds {event.limit}. {event.splash} damage to every ship in Close range."
    return longer(f"The warp core of {name} explodes. {fate}", more, "", NarrationKind.OUTCOME)


def _secured(event: es.CoreSecured, _: Table, __: Table) -> Narration:
    words = "is ejected and still may explode" if event.ejected else "is stable"
    return same(f"The warp core of {spoken(event.name)} {words}.", NarrationKind.OUTCOME)


def _patched(event: es.BreachPatched, _: Table, __: Table) -> Narration:
    left = (
        f"{counted(event.open_breaches, 'Breach', 'Breaches')} still open." if event.open_breaches else "None is open."
    )
    return longer(
        f"A Breach on the {event.system} of {spoken(event.name)} is patched.", left, "", NarrationKind.OUTCOME
    )


def _mended(event: es.BreachesMended, _: Table, __: Table) -> Narration:
    mended = counted(event.mended, "Breach", "Breaches")
    return longer(
        f"{mended} on the {event.system} of {spoken(event.name)} repaired.",
        f"It takes {counted(event.hours, 'hour')}. {counted(event.left, 'Breach', 'Breaches')} left.",
        "",
        NarrationKind.OUTCOME,
    )


def _restored(event: es.SystemRestored, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)}'s {event.system} {are(event.system)} restored.", NarrationKind.CHANGE)


def _abandoned(event: es.ShipAbandoned, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.share == _ALL:
        return same(f"Everyone has left {name}.", NarrationKind.OUTCOME)
    if event.share == _HALF:
        return longer(f"Half the crew has left {name}.", "The rest goes in the next Round.", "", NarrationKind.OUTCOME)
    return longer(f"Abandon ship: {name}.", "Half the crew is out by the end of the Round.", "", NarrationKind.OUTCOME)


def _large(event: es.LargeShipTurnsSet, _: Table, __: Table) -> Narration:
    dice = f" and {counted(event.bonus_dice, 'bonus die', 'bonus dice')}" if event.bonus_dice else ""
    return same(f"{spoken(event.name)} has {counted(event.turns, 'turn')} a Round{dice}.", NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {
    es.AttackStruck: _attack,
    es.SystemStruck: _struck,
    es.FlatHitSettled: _settled,
    es.HullFailed: _hull,
    es.ShakenChosen: _shaken,
    es.CoreChecked: _core,
    es.CoreSecured: _secured,
    es.PursuitDecided: _pursuit,
    es.WentToWarp: _warp,
    es.HazardMet: _hazard,
    es.ShipMoved: _moved,
    es.EvasionWon: _evasion,
    es.TerrainSet: _terrain,
    es.ReservePowerChanged: _reserve,
    es.ShieldsChanged: _shields,
    es.WeaponsArmed: _armed,
    es.BreachPatched: _patched,
    es.BreachesMended: _mended,
    es.SystemRestored: _restored,
    es.ShipAbandoned: _abandoned,
    es.LargeShipTurnsSet: _large,
}
"""The events of second-edition starship combat."""


def _ask_system(table: Table, step: Step) -> str:
    names = [one.value for one in System if table.attack is None or one not in table.attack.breached]
    choices = joined(names).replace(" and ", " or ")
    return f"Which other system of {name_of_ship(table, step.subject_id)} is hit? Choose {choices}."


def _ask_hit(table: Table, step: Step) -> str:
    attack = table.attack
    damage = step.count + (attack.bonus_damage if attack is not None else 0)
    return f"{damage} damage before Resistance on {name_of_ship(table, step.subject_id)}. Buy more, or settle the hit."


def _ask_shaken(table: Table, step: Step) -> str:
    return f"What does the shaken {name_of_ship(table, step.subject_id)} suffer? Its commander chooses."


def _ask_splash(table: Table, step: Step) -> str:
    return f"{step.count} damage around {name_of_ship(table, step.subject_id)}. Who is in Close range?"


ASKED: Final[Asked] = {
    StepKind.STRUCK_SYSTEM: _ask_system,
    StepKind.FLAT_HIT: _ask_hit,
    StepKind.SHAKEN: _ask_shaken,
    StepKind.CORE_SPLASH: _ask_splash,
}
"""What a chain of second-edition starship combat asks next."""

COMMANDS: Final[dict[str, str]] = {
    "set_terrain": "the terrain",
    "choose_struck_system": "the system that is hit",
    "settle_hit": "settling the hit",
    "choose_shaken": "the choice of the shaken ship",
    "strike_ship": "the damage to the ship",
    "choose_ships_in_close": "the ships in Close range",
    "abandon_ship": "the order to abandon ship",
    "choose_large_ship_turns": "the turns of the large adversary",
    "use_surplus_die": "the large adversary's bonus die",
}
"""The commands of second-edition starship combat, after "take back"."""

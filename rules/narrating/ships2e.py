"""How starship combat of the second edition is told: power, movement, hits, the core, repairs."""

from __future__ import annotations

from typing import Final

from rules import events_ships2e as es
from rules.narrating.telling import NOTHING, Asked, Narration, NarrationKind, Sentences, ended, longer, reason, same
from rules.phrases import Phrase, capitalized, either, known, say, say_count, sentences, worded
from rules.shaken import label_of
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import StepKind, System, Terrain
from rules.wording import counted, grammatical, spoken

_HALF, _ALL = 1, 2


def _place(terrain: Terrain) -> Phrase:
    return worded(terrain)


def name_of_ship(table: Table, ship_id: str) -> str:
    """A ship's name as it is said."""
    return next((spoken(one.name) for one in table.ships if one.ship_id == ship_id), say("A ship"))


def _reserve(event: es.ReservePowerChanged, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.available:
        return longer(say("{name} has Reserve Power.", name=name), "", reason(event.why), NarrationKind.CHANGE)
    return longer(say("{name} has no Reserve Power left.", name=name), "", reason(event.why), NarrationKind.CHANGE)


def _shields(event: es.ShieldsChanged, _: Table, __: Table) -> Narration:
    return longer(
        say("{name}, Shields {shields}.", name=spoken(event.name), shields=event.shields),
        reason(event.why),
        "",
        NarrationKind.CHANGE,
    )


def _armed(event: es.WeaponsArmed, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.armed:
        return same(say("{name}'s weapons are armed.", name=name), NarrationKind.CHANGE)
    return same(say("{name}'s weapons are safe.", name=name), NarrationKind.CHANGE)


def _moved(event: es.ShipMoved, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.zones:
        return same(say("{name} moves within its zone.", name=name), NarrationKind.CHANGE)
    left = say("It leaves the {place}.", place=_place(event.left)) if event.left is not Terrain.OPEN_SPACE else ""
    entered = (
        say("It is in the {place} now.", place=_place(event.terrain)) if event.terrain is not Terrain.OPEN_SPACE else ""
    )
    return longer(
        say("{name} moves {zones}.", name=name, zones=counted(event.zones, "zone")),
        sentences(left, entered),
        "",
        NarrationKind.CHANGE,
    )


def _terrain(event: es.TerrainSet, _: Table, __: Table) -> Narration:
    name, place = spoken(event.name), _place(event.terrain)
    if event.hazardous:
        return same(say("{name} is in the {place}, hazardous.", name=name, place=place), NarrationKind.CHANGE)
    return same(say("{name} is in the {place}.", name=name, place=place), NarrationKind.CHANGE)


def _hazard(event: es.HazardMet, _: Table, __: Table) -> Narration:
    points = counted(event.threat, "Threat")
    return longer(
        say("The {place} harms {name}.", place=_place(event.terrain), name=spoken(event.name)),
        say("{points} is spent on it at once. Gamemaster, say what happens.", points=points),
        "",
        NarrationKind.OUTCOME,
        urgent=True,
    )


def _warp(event: es.WentToWarp, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.zones:
        text = say("{name} is at warp {zones} away.", name=name, zones=counted(event.zones, "zone"))
    else:
        text = say("{name} is at warp and leaves.", name=name)
    made = say("It made {successes}; a pursuer needs more.", successes=counted(event.successes, "success"))
    return longer(text, made, "", NarrationKind.OUTCOME)


def _pursuit(event: es.PursuitDecided, _: Table, __: Table) -> Narration:
    pursuer, fleeing = spoken(event.pursuer), spoken(event.fleeing)
    first = (
        say("{pursuer} catches up with {fleeing}.", pursuer=pursuer, fleeing=fleeing)
        if event.caught
        else say("{fleeing} escapes from {pursuer}.", fleeing=fleeing, pursuer=pursuer)
    )
    made = say(
        "{successes} against {fleeing}.",
        successes=counted(event.pursuer_successes, "success"),
        fleeing=event.fleeing_successes,
    )
    more = NOTHING if event.caught else say("The pursuer needs more.")
    return longer(first, made, more, NarrationKind.OUTCOME)


def _evasion(event: es.EvasionWon, _: Table, __: Table) -> Narration:
    return same(say("{name} may move 1 zone.", name=spoken(event.name)), NarrationKind.CHANGE)


def _attack(event: es.AttackStruck, _: Table, __: Table) -> Narration:
    return longer(
        say("{name} is hit.", name=spoken(event.name)),
        say("{damage} damage before Resistance, by {by}.", damage=event.damage, by=spoken(known(event.by))),
        "",
        NarrationKind.OUTCOME,
    )


def _struck(event: es.SystemStruck, _: Table, __: Table) -> Narration:
    shown = say("The d20 shows {face}.", face=event.face) if event.face else ""
    text = say_count(
        grammatical(event.system),
        "{system} of {ship} is hit.",
        "{system} of {ship} are hit.",
        system=capitalized(event.system),
        ship=spoken(event.name),
    )
    return longer(text, shown, "", NarrationKind.OUTCOME)


def _settled(event: es.FlatHitSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    done = [say("{name} takes {damage} damage.", name=name, damage=event.damage)]
    if event.breaches:
        done.append(say("{breaches} on its {system}.", breaches=counted(event.breaches, "Breach"), system=event.system))
    if event.system_destroyed:
        many = grammatical(event.system)
        done.append(say_count(many, "Its {system} is destroyed.", "Its {system} are destroyed.", system=event.system))
    if event.shaken == 1:
        done.append(say("{name} is shaken.", name=name))
    elif event.shaken:
        done.append(say("{name} is shaken twice.", name=name))
    left = [say("Shields {shields}.", shields=event.shields) if event.shields else say("Shields down.")]
    highest = say("Their maximum is {shields_max}.", shields_max=event.shields_max) if event.shields_max else NOTHING
    total = (
        say(
            "{breaches} on its {system} in all.",
            breaches=counted(event.breaches_of_system, "Breach"),
            system=event.system,
        )
        if event.breaches
        else NOTHING
    )
    if event.reductions:
        left.append(say("Complications took off {reductions} damage and are used up.", reductions=event.reductions))
    return longer(sentences(*done), sentences(*left), sentences(highest, total), NarrationKind.OUTCOME)


def _hull(event: es.HullFailed, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.destroyed:
        return same(say("{name} is destroyed.", name=name), NarrationKind.OUTCOME)
    more = say("Any further Breach destroys it.")
    if event.npc:
        more = sentences(more, say("The gamemaster may let it be destroyed at once."))
    return longer(say("{name} is critically damaged and cannot act.", name=name), more, "", NarrationKind.OUTCOME)


def _shaken(event: es.ShakenChosen, _: Table, __: Table) -> Narration:
    out = (
        say_count(
            grammatical(event.system),
            "{system} is out until restored.",
            "{system} are out until restored.",
            system=capitalized(event.system),
        )
        if event.system is not None
        else NOTHING
    )
    result = spoken(known(label_of(event.result)))
    text = say("{name} is shaken: {result}.", name=spoken(event.name), result=result)
    return same(sentences(text, out, ended(spoken(event.note))), NarrationKind.CHANGE)


def _core(event: es.CoreChecked, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.explodes:
        return longer(
            say("The warp core of {name} holds.", name=name),
            say("{face} does not exceed {limit}.", face=event.face, limit=event.limit),
            "",
            NarrationKind.OUTCOME,
        )
    fate = say("{name} survives, as it was ejected.", name=name) if event.ejected else say("{name} is lost.", name=name)
    more = say(
        "{face} exceeds {limit}. {splash} damage to every ship in Close range.",
        face=event.face,
        limit=event.limit,
        splash=event.splash,
    )
    explodes = sentences(say("The warp core of {name} explodes.", name=name), fate)
    return longer(explodes, more, "", NarrationKind.OUTCOME)


def _secured(event: es.CoreSecured, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.ejected:
        return same(say("The warp core of {name} is ejected and still may explode.", name=name), NarrationKind.OUTCOME)
    return same(say("The warp core of {name} is stable.", name=name), NarrationKind.OUTCOME)


def _patched(event: es.BreachPatched, _: Table, __: Table) -> Narration:
    left = (
        say("{breaches} still open.", breaches=counted(event.open_breaches, "Breach"))
        if event.open_breaches
        else say("None is open.")
    )
    return longer(
        say("A Breach on the {system} of {name} is patched.", system=event.system, name=spoken(event.name)),
        left,
        "",
        NarrationKind.OUTCOME,
    )


def _mended(event: es.BreachesMended, _: Table, __: Table) -> Narration:
    text = say(
        "{breaches} on the {system} of {name} repaired.",
        breaches=counted(event.mended, "Breach"),
        system=event.system,
        name=spoken(event.name),
    )
    hours, left = counted(event.hours, "hour"), counted(event.left, "Breach")
    more = sentences(say("It takes {hours}.", hours=hours), say("{breaches} left.", breaches=left))
    return longer(text, more, "", NarrationKind.OUTCOME)


def _restored(event: es.SystemRestored, _: Table, __: Table) -> Narration:
    text = say_count(
        grammatical(event.system),
        "{name}'s {system} is restored.",
        "{name}'s {system} are restored.",
        name=spoken(event.name),
        system=event.system,
    )
    return same(text, NarrationKind.CHANGE)


def _abandoned(event: es.ShipAbandoned, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.share == _ALL:
        return same(say("Everyone has left {name}.", name=name), NarrationKind.OUTCOME)
    if event.share == _HALF:
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


def _large(event: es.LargeShipTurnsSet, _: Table, __: Table) -> Narration:
    name, turns = spoken(event.name), counted(event.turns, "turn")
    if event.bonus_dice:
        dice = counted(event.bonus_dice, "bonus die")
        text = say("{name} has {turns} a Round and {dice}.", name=name, turns=turns, dice=dice)
    else:
        text = say("{name} has {turns} a Round.", name=name, turns=turns)
    return same(text, NarrationKind.CHANGE)


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


ASKED: Final[Asked] = {
    StepKind.STRUCK_SYSTEM: _ask_system,
    StepKind.FLAT_HIT: _ask_hit,
    StepKind.SHAKEN: _ask_shaken,
    StepKind.CORE_SPLASH: _ask_splash,
}
"""What a chain of second-edition starship combat asks next."""

COMMANDS: Final = {
    "set_terrain": say("the terrain"),
    "choose_struck_system": say("the system that is hit"),
    "settle_hit": say("settling the hit"),
    "choose_shaken": say("the choice of the shaken ship"),
    "strike_ship": say("the damage to the ship"),
    "choose_ships_in_close": say("the ships in Close range"),
    "abandon_ship": say("the order to abandon ship"),
    "choose_large_ship_turns": say("the turns of the large adversary"),
    "use_surplus_die": say("the large adversary's bonus die"),
}
"""The commands of second-edition starship combat, after "take back"."""

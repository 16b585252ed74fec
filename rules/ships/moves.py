"""What could be chosen now about ships: answers to what a chain asks, reactions, what is set right between fights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from rules.conflict.bodies import AdjustStress, RestoreEverybody, short_of_stress
from rules.conflict.lasting import effects_named
from rules.conflict.positions import parted
from rules.deciding.candidate import Candidate, Role
from rules.deciding.checks import find_character, is_npc, profile
from rules.dice import Face
from rules.ships.answering import REACTIONS, answers
from rules.ships.first.breaching import NameCasualty
from rules.ships.first.choosing import RerollShipDamage, SettleShipHit
from rules.ships.first.rounds import NameShipsHit, may_be_named
from rules.ships.places import destinations
from rules.ships.second.core import ChooseShipsInClose
from rules.ships.second.hits import ChooseStruckSystem, SettleHit, most_reductions
from rules.ships.second.leaving import LARGE_SCALE, AbandonShip, ChooseLargeShipTurns, ChooseShaken, UseSurplusDie
from rules.ships.second.numbers import LargeShipTurns
from rules.ships.shaken import label_of, results_of, row_of
from rules.ships.upkeep import RestoreShields
from rules.state.changing import replace
from rules.state.conflict import Action, Conflict, Step
from rules.state.places import Zone
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import (
    ActionScope,
    ConflictKind,
    Standing,
    StepKind,
    System,
    TaskPhase,
)
from rules.tasks.challenge import points_of
from rules.tasks.declaring import DeclareTask
from rules.tasks.opposed import waiting
from rules.words import Phrase, challenge_words, counted, listed, say

MOST_COMBINED: Final = 5
"""The most ships of which every choice is listed; among more, somebody names them by hand."""


def ships(table: Table) -> Iterator[Candidate]:
    """Everything that may be offered here now; the rules refuse what does not fit."""
    if not table.agenda or table.request is not None:
        return
    step = table.agenda[0]
    if step.kind is StepKind.CHOOSE_SHIP_DAMAGE:
        yield from _damage(table)
    elif step.kind is StepKind.CASUALTY:
        yield from _casualties(table)
    elif step.kind is StepKind.SHIP_TARGETS:
        yield from _targets(table, step)


def _damage(table: Table) -> Iterator[Candidate]:
    attack = table.attack
    faces = attack.faces if attack is not None else ()
    role = Role.GAMEMASTER if attack is not None and attack.npc else Role.PLAYER
    yield Candidate(
        option_id="settle_ship_hit",
        label=say("Settle the hit"),
        command=SettleShipHit(),
        rule="SDMG-1",
        role=role,
        free=True,
    )
    everything = tuple(range(len(faces)))
    misses = tuple(place for place in everything if not points_of(faces[place]))
    singles = [
        (
            f"{place}",
            say("Throw die {place} of the damage again, the {shown}", place=place + 1, shown=_shown(faces[place])),
            (place,),
        )
        for place in everything
    ]
    for name, label, places in (
        (
            "misses",
            say("Throw {dice} of the damage again", dice=counted(len(misses), "blank die")),
            misses,
        ),
        ("all", say("Throw all the damage again"), everything),
        *(singles if len(everything) > 1 else ()),
    ):
        if places:
            yield Candidate(
                option_id=f"reroll_ship_damage:{name}",
                label=label,
                command=RerollShipDamage(positions=places),
                rule="MOM-6",
                role=role,
            )


def _shown(face: Face) -> str:
    return challenge_words((face,))


def _casualties(table: Table) -> Iterator[Candidate]:
    """Every player's character, in no order that would pick one: the table lets a die say who it is."""
    for one in table.characters:
        if one.standing is not Standing.PLAYER:
            continue
        for lethal in (False, True):
            yield Candidate(
                option_id=f"name_casualty:{one.character_id}{':lethal' if lethal else ''}",
                label=say("The die says {name}: lethally injured", name=one.name)
                if lethal
                else say("The die says {name}: injured", name=one.name),
                command=NameCasualty(character_id=one.character_id, lethal=lethal),
                rule="BRCH-2",
                role=Role.GAMEMASTER,
                free=True,
            )
    yield Candidate(
        option_id="name_casualty:nobody",
        label=say("Nobody was near"),
        command=NameCasualty(),
        rule="BRCH-2",
        role=Role.GAMEMASTER,
        free=True,
    )


def _targets(table: Table, step: Step) -> Iterator[Candidate]:
    near = may_be_named(table, step)
    choices: list[tuple[str, str, tuple[Ship, ...]]] = [("none", say("No further ship"), ())]
    choices += [(one.ship_id, say("Only {name}", name=one.name), (one,)) for one in near]
    for several in range(2, len(near)) if len(near) <= MOST_COMBINED else ():
        choices += [
            ("+".join(one.ship_id for one in named), listed([one.name for one in named]), named)
            for named in combinations(near, several)
        ]
    if len(near) > 1:
        choices.append(("all", listed([one.name for one in near]), near))
    for name, label, named in choices:
        yield Candidate(
            option_id=f"name_ships_hit:{name}",
            label=label,
            command=NameShipsHit(ship_ids=tuple(one.ship_id for one in named)),
            rule="SWPN-1" if step.name == "area" else "WCB-1",
            role=Role.GAMEMASTER,
            free=True,
        )


def second_edition_ships(table: Table) -> Iterator[Candidate]:
    """Everything that may be offered here now; the rules refuse what does not fit."""
    if table.agenda and table.request is None:
        yield from _answers(table, table.agenda[0])
    yield from _reactions(table)
    yield from _surplus(table)


def _answers(table: Table, step: Step) -> Iterator[Candidate]:
    if step.kind is StepKind.STRUCK_SYSTEM:
        yield from _systems(table)
    elif step.kind is StepKind.FLAT_HIT:
        yield from _settling(table)
    elif step.kind is StepKind.SHAKEN:
        yield from _shaken(table, step)
    elif step.kind is StepKind.CORE_SPLASH:
        yield from _splash(table, step)


def _attacker(table: Table) -> Role:
    return Role.GAMEMASTER if table.attack is not None and table.attack.npc else Role.PLAYER


def _systems(table: Table) -> Iterator[Candidate]:
    for system in System:
        yield Candidate(
            option_id=f"choose_struck_system:{system}",
            label=say("Hit the {system}", system=system),
            command=ChooseStruckSystem(system=system),
            rule="S2E-8",
            role=_attacker(table),
            free=True,
        )


def _settling(table: Table) -> Iterator[Candidate]:
    most = most_reductions(table)
    role = _attacker(table)
    for reductions in range(most + 1):
        label = (
            say("Settle the hit, {reductions} damage off for Complications", reductions=reductions)
            if reductions
            else say("Settle the hit")
        )
        yield Candidate(
            option_id=f"settle_hit:{reductions}",
            label=label,
            command=SettleHit(reductions=reductions),
            rule="S2E-10",
            role=Role.GAMEMASTER if most else role,
            free=True,
        )


def _shaken(table: Table, step: Step) -> Iterator[Candidate]:
    npc = any(one.ship_id == step.subject_id and one.crew is not None for one in table.ships)
    role = Role.GAMEMASTER if npc else Role.PLAYER
    for result in results_of(profile(table).house.shaken):
        row = row_of(result)
        systems = tuple(System) if row is not None and row.name == "system_out" else (None,)
        for system in systems:
            where = f":{system}" if system is not None else ""
            yield Candidate(
                option_id=f"choose_shaken:{result}{where}",
                label=label_of(result)
                if system is None
                else say("{result}: {system}", result=label_of(result), system=system),
                command=ChooseShaken(result=result, system=system),
                rule="S2E-13",
                role=role,
                free=True,
            )


def _splash(table: Table, step: Step) -> Iterator[Candidate]:
    near = [
        one
        for one in table.ships
        if one.ship_id != step.subject_id
        and not one.state.destroyed
        and not parted(table, step.subject_id, one.ship_id)
    ]
    choices: list[tuple[str, str, tuple[Ship, ...]]] = [("none", say("Nobody else is in Close range"), ())]
    choices += [(one.ship_id, say("Only {name} is in Close range", name=one.name), (one,)) for one in near]
    if len(near) > 1:
        choices.append(("all", say("In Close range: {names}", names=listed([one.name for one in near])), tuple(near)))
    for name, label, ships in choices:
        yield Candidate(
            option_id=f"choose_ships_in_close:{name}",
            label=label,
            command=ChooseShipsInClose(ship_ids=tuple(one.ship_id for one in ships)),
            rule="S2E-17",
            role=Role.GAMEMASTER,
            free=True,
        )


_REACTIONS: Final[tuple[tuple[str, Callable[[str], Phrase], str], ...]] = (
    ("evade", lambda name: say("{name} evades", name=name), "S2E-H4"),
    ("return_fire", lambda name: say("{name} returns fire", name=name), "S2E-T4"),
)
"""The reactions of an attacked ship: the name of each, what it is called, and its rule."""


def _reactions(table: Table) -> Iterator[Candidate]:
    """The reactive side of an attack on a ship that evades or fires defensively (C-64)."""
    task = waiting(table)
    action = task.declaration.action if task is not None else None
    found = answers(table, task) if task is not None else None
    if action is None or found is None or not found.who:
        return
    for name, label, rule in _REACTIONS:
        if name not in found.actions:
            continue
        held = effects_named(table, REACTIONS[name][0], target_id=action.target_id)[0]
        who = held.owner_id if held.owner_id in found.who else found.who[0]
        character = find_character(table, who)
        ship = next(one for one in table.ships if one.ship_id == action.target_id)
        answer = Declaration(
            character_id=who,
            focus=held.focus and who == held.owner_id,
            action=Action(name=name, scope=ActionScope.BRIDGE, ship_id=action.target_id, weapon=held.note),
        )
        role = Role.GAMEMASTER if is_npc(character) else Role.PLAYER
        first = Candidate(
            option_id=f"declare_task:{name}",
            label=label(character.name),
            command=DeclareTask(declaration=answer),
            rule=rule,
            role=role,
            free=True,
        )
        yield first
        yield from (_to_zone(first, answer, one) for one in destinations(table, ship) if name == "evade")


def _to_zone(answer: Candidate, declaration: Declaration, zone: Zone) -> Candidate:
    """An answer with the zone that it leads to if it wins (S2E-H4)."""
    action = replace(declaration.action, zone_id=zone.zone_id) if declaration.action is not None else None
    return replace(
        answer,
        option_id=f"{answer.option_id}:{zone.zone_id}",
        label=say("{action} to {zone}", action=answer.label, zone=zone.name),
        command=DeclareTask(declaration=replace(declaration, action=action)),
    )


def _surplus(table: Table) -> Iterator[Candidate]:
    task = table.task
    if task is None or task.phase is not TaskPhase.AWAITING_DICE or task.dice:
        return
    if not effects_named(table, "surplus_dice", owner_id=task.declaration.character_id):
        return
    yield Candidate(
        option_id="use_surplus_die",
        label=say("One more d20 of the ship's bonus dice"),
        command=UseSurplusDie(),
        rule="S2E-21",
        role=Role.GAMEMASTER,
        repeatable=True,
        free=True,
    )


_TURNS: Final[dict[LargeShipTurns, Callable[[str], Phrase]]] = {
    LargeShipTurns.ALL: lambda ship: say("{ship} takes all its Turns", ship=ship),
    LargeShipTurns.MATCH: lambda ship: say(
        "{ship} takes as many Turns as the players, with bonus dice for the rest", ship=ship
    ),
}
"""What is offered to each way of a large ship's Turns."""


def upkeep(table: Table) -> Iterator[Candidate]:
    """Everything that may be restored now; the rules refuse what does not fit."""
    if table.task is not None or table.request is not None or table.agenda:
        return
    if table.conflict is None:
        yield from _restoring(table)


def second_edition_upkeep(table: Table) -> Iterator[Candidate]:
    """S2E-20, S2E-21: which ships may be left now, and what is chosen for large ones."""
    if table.task is not None or table.request is not None or table.agenda:
        return
    yield from (_abandoning(one) for one in table.ships if one.state.critical)
    if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
        yield from _large_turns(table, table.conflict)


def _restoring(table: Table) -> Iterator[Candidate]:
    """C-75: nothing comes back by itself between scenes, but the gamemaster may let it."""
    short = short_of_stress(table)
    if len(short) > 1:
        yield Candidate(
            option_id="restore_everybody",
            label=say("Restore everybody's Stress"),
            command=RestoreEverybody(),
            rule="C-75",
            role=Role.GAMEMASTER,
            free=True,
        )
        short = ()
    for person in short:
        body = person.body
        yield Candidate(
            option_id=f"adjust_stress:{person.character_id}",
            label=say(
                "Restore {name}'s Stress, {stress} of {stress_max}",
                name=person.name,
                stress=body.stress,
                stress_max=body.stress_max,
            ),
            command=AdjustStress(character_id=person.character_id, change=body.stress_max - body.stress, restored=True),
            rule="C-75",
            role=Role.GAMEMASTER,
            free=True,
        )
    for ship in table.ships:
        state = ship.state
        if state.shields_raised and state.shields < state.shields_max and not state.destroyed:
            yield Candidate(
                option_id=f"restore_shields:{ship.ship_id}",
                label=say(
                    "Restore {ship}'s Shields, {shields} of {shields_max}",
                    ship=ship.name,
                    shields=state.shields,
                    shields_max=state.shields_max,
                ),
                command=RestoreShields(ship_id=ship.ship_id),
                rule="C-75",
                role=Role.GAMEMASTER,
                free=True,
            )


def _abandoning(ship: Ship) -> Candidate:
    return Candidate(
        option_id=f"abandon_ship:{ship.ship_id}",
        label=say("Give the order to abandon {ship}", ship=ship.name),
        command=AbandonShip(ship_id=ship.ship_id),
        rule="S2E-20",
        role=Role.PLAYER if ship.crew is None else Role.GAMEMASTER,
        free=True,
    )


def _large_turns(table: Table, conflict: Conflict) -> Iterator[Candidate]:
    for ship in table.ships:
        combatant = conflict.combatant(ship.ship_id)
        if combatant is None or combatant.turns_taken or ship.scale < LARGE_SCALE:
            continue
        for option, label in _TURNS.items():
            yield Candidate(
                option_id=f"choose_large_ship_turns:{ship.ship_id}:{option}",
                label=label(ship.name),
                command=ChooseLargeShipTurns(ship_id=ship.ship_id, option=option),
                rule="S2E-21",
                role=Role.GAMEMASTER,
                free=True,
            )

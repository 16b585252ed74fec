"""What could be chosen now in starship combat of the second edition: answers to what a chain asks, reactions, dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rules import commands as c
from rules import commands_ships2e as cs
from rules.candidate import Candidate, Role
from rules.deciding.draft import find_character, is_npc, profile
from rules.deciding.lasting import effects_named
from rules.deciding.ships2e.hits import most_reductions
from rules.phrases import Phrase, say
from rules.shaken import label_of, results_of, row_of
from rules.state import Declaration, Ship, Table
from rules.state_conflict import Action, Step
from rules.vocabulary import ActionScope, Attribute, Discipline, StepKind, System, TaskPhase
from rules.wording import joined


def second_edition_ships(table: Table) -> Iterator[Candidate]:
    """Everything this chapter may offer now; the rules refuse what does not fit."""
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
            command=cs.ChooseStruckSystem(system=system),
            rule="S2E-8",
            role=_attacker(table),
            free=True,
        )


def _settling(table: Table) -> Iterator[Candidate]:
    most = most_reductions(table)
    for reductions in range(most + 1):
        label = (
            say("Settle the hit, {reductions} damage off for Complications", reductions=reductions)
            if reductions
            else say("Settle the hit")
        )
        yield Candidate(
            option_id=f"settle_hit:{reductions}",
            label=label,
            command=cs.SettleHit(reductions=reductions),
            rule="S2E-10",
            role=Role.GAMEMASTER if most else Role.ANYONE,
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
                command=cs.ChooseShaken(result=result, system=system),
                rule="S2E-13",
                role=role,
                free=True,
            )


def _splash(table: Table, step: Step) -> Iterator[Candidate]:
    near = [one for one in table.ships if one.ship_id != step.subject_id and not one.state.destroyed]
    choices: list[tuple[str, str, tuple[Ship, ...]]] = [("none", say("Nobody else is in Close range"), ())]
    choices += [(one.ship_id, say("Only {name} is in Close range", name=one.name), (one,)) for one in near]
    if len(near) > 1:
        choices.append(("all", say("In Close range: {names}", names=joined([one.name for one in near])), tuple(near)))
    for name, label, ships in choices:
        yield Candidate(
            option_id=f"choose_ships_in_close:{name}",
            label=label,
            command=cs.ChooseShipsInClose(ship_ids=tuple(one.ship_id for one in ships)),
            rule="S2E-17",
            role=Role.GAMEMASTER,
            free=True,
        )


_REACTIONS: Final[tuple[tuple[str, str, Callable[[str], Phrase], str], ...]] = (
    ("evading", "evade", lambda name: say("{name} evades", name=name), "S2E-H4"),
    ("firing_defensively", "return_fire", lambda name: say("{name} returns fire", name=name), "S2E-T4"),
)


def _reactions(table: Table) -> Iterator[Candidate]:
    """The reactive side of an attack on a ship that evades or fires defensively (C-64)."""
    task = table.task
    action = task.declaration.action if task is not None else None
    if task is None or action is None or task.phase is not TaskPhase.AWAITING_OPPOSITION:
        return
    for effect, name, label, rule in _REACTIONS:
        for held in effects_named(table, effect, target_id=action.target_id):
            character = find_character(table, held.owner_id)
            yield Candidate(
                option_id=f"declare_task:{name}",
                label=label(character.name),
                command=c.DeclareTask(
                    declaration=Declaration(
                        character_id=held.owner_id,
                        attribute=Attribute.DARING,
                        discipline=Discipline.CONN,
                        focus=held.focus,
                        action=Action(name=name, scope=ActionScope.BRIDGE, ship_id=action.target_id, weapon=held.note),
                    )
                ),
                rule=rule,
                role=Role.GAMEMASTER if is_npc(character) else Role.PLAYER,
                free=True,
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
        command=cs.UseSurplusDie(),
        rule="S2E-21",
        role=Role.GAMEMASTER,
        repeatable=True,
        free=True,
    )

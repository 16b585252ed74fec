"""What lasts and has nothing to do with a decision, so that the decision is the same without it.

In: a decision. Out: the effects that are about nobody in it, by whom each is said to hold for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from rules.conflict.events import TurnGivenUp
from rules.conflict.lasting import EffectBegan, EndEffect
from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, NextRound, PassTurn, RemoveCombatant
from rules.deciding.decision import Command, Event
from rules.setup.setting_up import StartScene
from rules.state.conflict import LastingEffect
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import EffectEnd
from rules.tasks.declaring import DeclareTask
from rules.tasks.events import TaskDeclared

OF_TIME: Final = (BeginTurn, EndTurn, PassTurn, NextRound, RemoveCombatant, EndConflict, StartScene, EndEffect)
"""What ends things that last, whomever they are about."""

STRIKES: Final = frozenset({"attack", "defend", "fire", "fire_weapon", "ram", "ramming_speed", "return_fire"})
"""Actions that strike somebody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a decision is about: names of actions, ids of who acts, and of who is struck, helped or meant."""

    names: frozenset[str]
    acts: frozenset[str]
    meant: frozenset[str]


def _guards(effect: LastingEffect, deed: Deed) -> bool:
    return bool(deed.names & STRIKES) and effect.target_id in deed.meant


def _of_who_acts(effect: LastingEffect, deed: Deed) -> bool:
    return effect.owner_id in deed.acts


def _of_an_ally(effect: LastingEffect, deed: Deed) -> bool:
    return bool({effect.owner_id, effect.target_id} & deed.acts)


def _against_one(effect: LastingEffect, deed: Deed) -> bool:
    return effect.target_id in deed.acts and (not effect.against_id or effect.against_id in deed.meant)


def _of_anybody(effect: LastingEffect, deed: Deed) -> bool:
    return bool({effect.owner_id, effect.target_id} & (deed.acts | deed.meant))


CONCERNS: Final[dict[str, Callable[[LastingEffect, Deed], bool]]] = {
    "guard": _guards,
    "aim": _of_who_acts,
    "prepare": _of_who_acts,
    "ready": _of_who_acts,
    "assist": _of_an_ally,
    "weakness_found": _against_one,
    "target_solved": _against_one,
}
"""Whom an effect holds for, where not for all that is done by or to its owner or target (ACT-3, ACT-8, ASST-4, S2E)."""


def bystanding(table: Table, command: Command, events: tuple[Event, ...]) -> tuple[LastingEffect, ...]:
    """What lasts at the table and is about nobody in this decision; nothing where time ends things."""
    deed = _deed(table, command, events)
    if isinstance(command, OF_TIME) or "pass" in deed.names:
        return ()
    renewed = {one.effect.effect_id for one in events if isinstance(one, EffectBegan)}
    gave_a_turn = {one.combatant_id for one in events if isinstance(one, TurnGivenUp)}
    return tuple(
        one
        for one in table.effects
        if one.effect_id not in renewed
        and one.owner_id not in gave_a_turn
        and not CONCERNS.get(one.name, _of_anybody)(one, deed)
        and not (one.ends in {EffectEnd.OWNER_NEXT_TASK, EffectEnd.ROLE_NEXT_TASK} and one.owner_id in deed.acts)
    )


def without(table: Table, effects: tuple[LastingEffect, ...]) -> Table:
    """The table as it were if these did not hold."""
    return replace(table, effects=tuple(one for one in table.effects if one not in effects))


def _deed(table: Table, command: Command, events: tuple[Event, ...]) -> Deed:
    declared = [one.task.declaration for one in events if isinstance(one, TaskDeclared)]
    if isinstance(command, DeclareTask):
        declared.append(command.declaration)
    if not isinstance(command, DeclareTask) or table.task is not None:
        declared += [one.declaration for one in (table.task, table.opposed) if one is not None]
    acts = {one for declaration in declared for one in _acting(declaration)}
    meant = {one for declaration in declared for one in _meant(declaration)}
    names = {one.action.name if one.action is not None else "" for one in declared}
    if table.attack is not None:
        acts.add(table.attack.attacker_id)
        meant |= {table.attack.action.target_id, *table.attack.hit_ids}
        names.add(table.attack.action.name)
    for step in table.agenda:
        meant |= {step.subject_id, step.by_id}
    chosen = set(_chosen(command))
    return Deed(
        names=frozenset(names),
        acts=frozenset(_with_ships(table, acts | chosen)),
        meant=frozenset(_with_ships(table, meant | chosen)),
    )


def _acting(declaration: Declaration) -> Iterable[str]:
    yield declaration.character_id
    yield from (one.character_id for one in declaration.assists)
    if declaration.ship is not None:
        yield declaration.ship.ship_id
    if declaration.action is not None:
        yield declaration.action.ship_id


def _meant(declaration: Declaration) -> Iterable[str]:
    if declaration.action is not None:
        yield from (declaration.action.target_id, declaration.action.also_id)


def _chosen(command: Command) -> Iterable[str]:
    """Everybody and every ship that a command names beside the Task in hand."""
    if isinstance(command, DeclareTask):
        return
    for name in ("character_id", "target_id", "ship_id", "target_ids", "ship_ids"):
        found = getattr(command, name, ())
        yield from (found,) if isinstance(found, str) else found
    action = getattr(command, "action", None)
    if action is not None:
        yield from (getattr(action, "target_id", ""), getattr(action, "ship_id", ""))


def _with_ships(table: Table, ids: set[str]) -> set[str]:
    """Those, the ships that they serve on, and who serves on these ships."""
    seats = table.conflict.combatants if table.conflict is not None else ()
    ships = {one.ship_id for one in seats if one.combatant_id in ids}
    return (ids | ships) - {""}

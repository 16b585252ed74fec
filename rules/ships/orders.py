"""Orders that both editions share: Shields up and down, a system back, a core made safe, a role played."""

from __future__ import annotations

from rules.conflict.events import ConflictChanged
from rules.deciding.decision import Draft
from rules.errors import Refusal
from rules.ships.events import CoreSecured, ShieldsChanged, SystemRestored
from rules.state.changing import replace
from rules.state.glossary import grammatical
from rules.state.ships import Ship
from rules.state.tasks import Task
from rules.state.vocabulary import System
from rules.words import say_count


def set_shields(draft: Draft, ship: Ship, why: str, *, raised: bool) -> None:
    """SHIP-10: lowered Shields are 0, raised ones what they were before."""
    state = ship.state
    shields = state.shields_kept if raised else 0
    kept = 0 if raised else state.shields
    draft.record(
        ShieldsChanged(
            ship_id=ship.ship_id,
            name=ship.name,
            shields=shields,
            change=shields - state.shields,
            why=why,
            state=replace(state, shields_raised=raised, shields=shields, shields_kept=kept),
        )
    )


def restore_system(draft: Draft, ship: Ship, system: System | None, rule: str) -> None:
    """Restore a system that is out (BRCH-2, S2E-6). Refuses with `rule` one that is not out, and none named."""
    if system is None:
        raise Refusal(rule, "Say which system is restored.")
    damage = ship.state.damage_of(system)
    if not damage.impact:
        raise Refusal(
            rule,
            say_count(
                grammatical(system),
                "{ship}'s {system} is not out; choose one that is.",
                "{ship}'s {system} are not out; choose one that is.",
                ship=ship.name,
                system=system,
            ),
        )
    state = replace(ship.state, systems=ship.state.systems_with(replace(damage, impact=False)))
    draft.record(SystemRestored(ship_id=ship.ship_id, name=ship.name, system=system, state=state))


def eject_core(draft: Draft, ship: Ship) -> None:
    """Eject the warp core, which may still explode outside the ship (WCB-3, S2E-17)."""
    state = replace(ship.state, core=replace(ship.state.core, ejected=True))
    draft.record(CoreSecured(ship_id=ship.ship_id, name=ship.name, ejected=True, state=state))


def stabilise_core(draft: Draft, ship: Ship) -> None:
    """Stabilise the warp core for good (WCB-2, S2E-17)."""
    state = replace(ship.state, core=replace(ship.state.core, stable=True))
    draft.record(CoreSecured(ship_id=ship.ship_id, name=ship.name, ejected=False, state=state))


def play_role(draft: Draft, task: Task, role: str) -> None:
    """Remember which role of an NPC ship acted this Round (NSHIP-2)."""
    conflict, actor_id = draft.table.conflict, task.declaration.character_id
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    if conflict is None or combatant is None or all(one.ship_id != actor_id for one in draft.table.ships):
        return
    combatants = conflict.combatants_with(actor_id, roles=(*combatant.roles, role))
    draft.record(ConflictChanged(conflict=replace(conflict, combatants=combatants)))

"""A ship's systems as Tasks meet them: gone, out for now, or breached (S2E-6, S2E-14, S2E-18, TRAIT-4)."""

from __future__ import annotations

from rules.deciding.checks import profile
from rules.errors import Refusal
from rules.state.glossary import grammatical
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Modifier
from rules.state.vocabulary import Condition, System
from rules.words import say, say_count


def is_counted_whole(table: Table, ship: Ship) -> bool:
    """Whether a ship's Breaches are counted in one total: an NPC ship where the table plays it so (NSHIP-3, C-72)."""
    return ship.crew is not None and profile(table).npc_ship_shortcut


def require_system(ship: Ship, system: System) -> None:
    """Refuse a Task that a destroyed system would help with, as it fails by itself, and one that is out for now."""
    damage = ship.state.damage_of(system)
    if damage.condition is Condition.DESTROYED:
        raise Refusal(
            "S2E-14",
            say_count(
                grammatical(system),
                "{ship}'s {system} is destroyed, so this fails by itself; choose another action.",
                "{ship}'s {system} are destroyed, so this fails by itself; choose another action.",
                ship=ship.name,
                system=system,
            ),
        )
    if damage.impact:
        raise Refusal(
            "S2E-6",
            say_count(
                grammatical(system),
                "{ship}'s {system} is out for now; restore that first with a Minor Action.",
                "{ship}'s {system} are out for now; restore that first with a Minor Action.",
                ship=ship.name,
                system=system,
            ),
        )


def breach_modifiers(ship: Ship, system: System | None) -> tuple[Modifier, ...]:
    """What Breaches that nobody patched add to a Task which their system helps with (TRAIT-4, S2E-18)."""
    if system is None:
        return ()
    damage = ship.state.damage_of(system)
    open_breaches = damage.breaches - damage.patched
    return (
        (Modifier(reason=say("Breaches of {system}", system=system), change=open_breaches),)
        if open_breaches > 0
        else ()
    )

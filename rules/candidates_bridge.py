"""Minor Actions at a bridge's stations that need no words: what could be chosen in a Turn (SHIP-10, S2E-6, S2E-H1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from rules.deciding.playbook import ActionRow
from rules.deciding.ships2e.bridge import ships_served
from rules.deciding.ships2e.movement import FARTHEST_IMPULSE
from rules.phrases import say
from rules.starship2e import terrain_cost
from rules.state import Ship, Table
from rules.state_conflict import Action
from rules.table import PLAYBOOK
from rules.vocabulary import ActionScope
from rules.wording import counted

WORDLESS: Final = frozenset({"system", "zones", "threat_part"})
"""What may be asked for and can be listed; an action that needs words is a person's to fill in."""

ALSO_WITHOUT: Final = frozenset({"prepare"})
"""Actions whose words may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minor:
    """One Minor Action as it could be taken: `price` is its own in Momentum, beside what the Turn asks for (S2E-5)."""

    key: str
    label: str
    row: ActionRow
    action: Action
    price: int = 0


def minor_actions(table: Table, actor_id: str) -> Iterator[Minor]:
    """Those of the ruleset's bridge, with each choice that can be made; the rules refuse what does not fit."""
    served = ships_served(table, actor_id)
    for (scope, _, ruleset), row in PLAYBOOK.actions.items():
        if scope is not ActionScope.BRIDGE or ruleset is not table.ruleset or not row.minor:
            continue
        if not WORDLESS.issuperset(row.needs) and row.name not in ALSO_WITHOUT:
            continue
        for ship in served:
            for one in _of_ship(row, ship):
                yield one if len(served) == 1 else _named(one, ship)


def _of_ship(row: ActionRow, ship: Ship) -> Iterator[Minor]:
    action = Action(name=row.name, scope=ActionScope.BRIDGE)
    if "system" in row.needs:
        for damage in ship.state.systems:
            if damage.impact:
                system = damage.system
                yield Minor(
                    key=f"{row.name}:{system}",
                    label=say("{action} the {system}", action=row.label, system=system),
                    row=row,
                    action=replace(action, system=system),
                )
    elif "zones" in row.needs:
        for zones in range(1, FARTHEST_IMPULSE + 1):
            yield Minor(
                key=f"{row.name}:{zones}",
                label=say("{action}, {zones}", action=row.label, zones=counted(zones, "zone")),
                row=row,
                action=replace(action, zones=zones),
                price=terrain_cost(ship.state.terrain, zones),
            )
    else:
        yield Minor(key=row.name, label=row.label, row=row, action=action)


def _named(one: Minor, ship: Ship) -> Minor:
    """The same with the ship said, for those who may act for several."""
    action = replace(one.action, ship_id=ship.ship_id)
    return replace(
        one,
        key=f"{one.key}:{ship.ship_id}",
        label=say("{action}, {ship}", action=one.label, ship=ship.name),
        action=action,
    )

"""Damage to a ship that no attack does: a hazard, debris, a collision (SDMG-1, SDMG-2, S2E-5, S2E-10, S2E-16).

In: points that the gamemaster names. Out: a hit by the rules of the table's edition, with all that follows.
"""

from __future__ import annotations

from typing import Final

from rules import commands_ships2e as cs
from rules import events_ships2e as es
from rules.deciding.agenda import plan_last
from rules.deciding.draft import Draft, find_ship, require_nothing_open, require_ready, require_text
from rules.deciding.ships import hits as first
from rules.deciding.ships2e import hits as second
from rules.errors import Refusal
from rules.phrases import say
from rules.state import Ship
from rules.state_conflict import Action, Step
from rules.vocabulary import ActionScope, Ruleset, StepKind

MOST_DAMAGE: Final = 60
"""More than any weapon or collision does; a larger number is a slip of the finger."""


def strike_ship(draft: Draft, command: cs.StrikeShip) -> None:
    """A ship takes that damage: Breaches by BRCH-1 in the first edition, by the Shields' thresholds in the second."""
    require_ready(draft.table)
    require_nothing_open(draft.table)
    is_second = draft.table.ruleset is Ruleset.SECOND_EDITION
    if draft.table.attack is not None:
        raise Refusal("SDMG-1", "An attack is not settled yet; settle it first.")
    ship = find_ship(draft.table, command.ship_id)
    if ship.state.destroyed:
        raise Refusal(
            "S2E-15" if is_second else "BRCH-5", "{ship} is destroyed already; choose another ship.", ship=ship.name
        )
    reason = require_text(command.reason, say("what does the damage"))
    if not 1 <= command.damage <= MOST_DAMAGE or not 0 <= command.piercing <= MOST_DAMAGE:
        raise Refusal("SDMG-1", "Damage goes from 1 to {most}; choose one of these.", most=MOST_DAMAGE)
    action = Action(name="strike", scope=ActionScope.BRIDGE, target_id=ship.ship_id, note=reason)
    if is_second:
        second.open_attack(
            draft,
            attacker=None,
            action=action,
            flat=command.damage,
            target_id=ship.ship_id,
            qualities=(f"piercing:{command.piercing}",) if command.piercing else (),
            system=command.system,
            reason=reason,
        )
    else:
        _strike(draft, command, ship, action, reason)


def _strike(draft: Draft, command: cs.StrikeShip, ship: Ship, action: Action, reason: str) -> None:
    """SDMG-1, SDMG-2: points without Challenge Dice, against Resistance less what pierces it."""
    first.begin_attack(
        draft,
        attacker=None,
        action=action,
        dice=0,
        bonus_damage=command.damage,
        effects=(f"piercing:{command.piercing}",) if command.piercing else (),
        reason=reason,
    )
    draft.record(es.AttackStruck(ship_id=ship.ship_id, name=ship.name, by=reason, damage=command.damage))
    hit = first.hit_steps(ship, "", name=first.MAIN, system=command.system)
    plan_last(draft, *hit, Step(kind=StepKind.SHIP_ATTACK_DONE))

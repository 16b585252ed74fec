"""Damage to a ship that no attack does: a hazard, debris, a collision (SDMG-1, SDMG-2, S2E-5, S2E-10, S2E-16).

In: points that the gamemaster names. Out: a hit by the rules of the table's edition, with all that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.chain import MAIN
from rules.deciding.agenda import plan_last
from rules.deciding.checks import find_ship, profile, require_nothing_open, require_ready, require_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.ships.first.hits import hit_steps, new_attack
from rules.ships.first.stations import FIRST
from rules.ships.second.events import AttackStruck
from rules.ships.second.hits import open_attack
from rules.ships.second.stations import SECOND
from rules.state.conflict import Action, Step
from rules.state.ships import Ship
from rules.state.vocabulary import ActionScope, Ruleset, StepKind, System
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeShip(Command):
    """Damage to a ship that no Task of an attack brings: a hazard, a collision (S2E-5, S2E-16).

    `system` is the one hit, None for a d20. `piercing` is Resistance ignored.
    """

    ship_id: str
    damage: int
    reason: str
    piercing: int = 0
    system: System | None = None

    undone: ClassVar[Phrase | None] = say("the damage to the ship")

    def decide(self, draft: Draft) -> None:
        """A ship takes that damage: Breaches by BRCH-1, or by the Shields' thresholds in the second edition."""
        require_ready(draft.table)
        require_nothing_open(draft.table)
        if draft.table.attack is not None:
            raise Refusal("SDMG-1", "An attack is not settled yet; settle it first.")
        ship = find_ship(draft.table, self.ship_id)
        if ship.state.destroyed:
            gone = profile(draft.table).cited.ship_gone
            raise Refusal(gone, "{ship} is destroyed already; choose another ship.", ship=ship.name)
        reason = require_text(self.reason, say("what does the damage"))
        if not 1 <= self.damage <= MOST_DAMAGE or not 0 <= self.piercing <= MOST_DAMAGE:
            raise Refusal("SDMG-1", "Damage goes from 1 to {most}; choose one of these.", most=MOST_DAMAGE)
        action = Action(name="strike", scope=ActionScope.BRIDGE, target_id=ship.ship_id, note=reason)
        _STRIKES[draft.table.ruleset](draft, self, ship, action, reason)


MOST_DAMAGE: Final = 60
"""The most damage that is taken in; a larger number is a slip of the finger."""


def _strike_first(draft: Draft, command: StrikeShip, ship: Ship, action: Action, reason: str) -> None:
    """SDMG-1, SDMG-2: points without Challenge Dice, against Resistance less what pierces it."""
    attack = new_attack(
        draft,
        attacker=None,
        action=action,
        dice=0,
        bonus_damage=command.damage,
        effects=(f"piercing:{command.piercing}",) if command.piercing else (),
        reason=reason,
    )
    draft.record(AttackStruck(ship_id=ship.ship_id, name=ship.name, by=reason, damage=command.damage, attack=attack))
    hit = hit_steps(draft.table, ship, "", name=MAIN, system=command.system)
    plan_last(draft, *hit, Step(kind=StepKind.SHIP_ATTACK_DONE))


def _strike_second(draft: Draft, command: StrikeShip, ship: Ship, action: Action, reason: str) -> None:
    """S2E-10, S2E-16: flat damage, as an attack does it."""
    open_attack(
        draft,
        attacker=None,
        action=action,
        flat=command.damage,
        target_id=ship.ship_id,
        qualities=(f"piercing:{command.piercing}",) if command.piercing else (),
        system=command.system,
        reason=reason,
    )


_STRIKES: Final[Mapping[Ruleset, Callable[[Draft, StrikeShip, Ship, Action, str], None]]] = {
    **dict.fromkeys(FIRST, _strike_first),
    **dict.fromkeys(SECOND, _strike_second),
}
"""How damage that no attack does comes to a ship, in each ruleset."""

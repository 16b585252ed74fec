"""A first-edition table with three ships: Far Lantern of Scale 4, the raider Black Comet and her consort Ember."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.deciding.decision import Draft, Event
from rules.dice import Face
from rules.ships.cards import SaveShip
from rules.ships.first.breaching import breach
from rules.ships.first.choosing import SettleShipHit
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.people import WeaponTrait
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import ActionScope, CrewQuality, Range, Ruleset, ShipWeaponKind, System
from rules.table import PLAYBOOK
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import disciplines, systems

PHASERS = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=4)
TORPEDOES = ShipWeapon(name="Torpedoes", kind=ShipWeaponKind.TORPEDO, rating=4, optimal_range=Range.LONG)
BY_SYSTEM = TableOptions(npc_ship_shortcut=False)
"""NPC ships are breached system by system, as the players' are."""


def weapon(*traits: tuple[str, int], rating: int = 4) -> ShipWeapon:
    """An energy weapon with these effects and qualities."""
    named = tuple(WeaponTrait(name=name, amount=amount) for name, amount in traits)
    return replace(PHASERS, name="Lance", rating=rating, effects=named)


class Squadron(Fleet):
    """The raider is of Scale 5 with Resistance 3 and 12 Shields; both ships of the gamemaster have Talented crews."""

    def __init__(
        self,
        momentum: int = 0,
        options: TableOptions | None = BY_SYSTEM,
        ruleset: Ruleset = Ruleset.CORE_1E,
        special: ShipWeapon | None = None,
    ) -> None:
        super().__init__(momentum, options, ruleset)
        ratings: dict[str, Any] = {"systems": systems(), "departments": disciplines()}
        arms = (PHASERS, TORPEDOES, *((special,) if special is not None else ()))
        self.do(SaveShip(ship_id=self.ship, name="Far Lantern", scale=4, weapons=arms, shields=12, **ratings))
        raider: dict[str, Any] = {
            "name": "Black Comet",
            "scale": 5,
            "crew": CrewQuality.TALENTED,
            "shields": 12,
            "resistance": 3,
        }
        self.do(SaveShip(ship_id=self.raider, weapons=(PHASERS, TORPEDOES), **raider, **ratings))
        self.do(SaveShip(name="Ember", scale=3, crew=CrewQuality.TALENTED, weapons=(PHASERS,), **ratings))
        self.ember = self.table.ships[-1].ship_id

    def minor(self, name: str, actor_id: str = "", **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        action = Action(name=name, scope=ActionScope.BRIDGE, **changes)
        row = PLAYBOOK.action(action, self.table.ruleset)
        assert row is not None
        assert row.perform is not None
        draft = Draft(self.table, PLAYBOOK)
        row.perform(draft, actor_id or self.okafor, action)
        self.record(*draft.events)
        return tuple(draft.events)

    def round_ends(self) -> None:
        """What the end of a Round brings, as one decision."""
        draft = Draft(self.table, PLAYBOOK)
        for ends in PLAYBOOK.round_ends:
            ends(draft)
        self.record(*draft.events)

    def fire(self, *own: int, ship: int = 20, weapon: str = "Phasers", **action: Any) -> None:  # noqa: ANN401 - an Action's
        """Fire at the raider unless told otherwise, with these own dice and the ship's, and go on if it hits."""
        target_id = action.pop("target_id", self.raider)
        self.act("fire_weapon", action.pop("character_id", ""), target_id=target_id, weapon=weapon, **action)
        self.throw(*(own or (1, 1)))
        self.throw(ship)
        self.follow()

    def strikes(self, *faces: Face, system: int | None = 12, weapon: str = "Lance", **action: Any) -> None:  # noqa: ANN401 - an Action's
        """Fire, hit, find the system by a d20 unless it is None, throw the damage, and buy nothing."""
        self.fire(weapon=weapon, **action)
        if system is not None:
            self.throw(system)
        self.throw_challenge(*faces)
        self.do(SettleShipHit())

    def succeed(self, name: str, *faces: int, ship: int = 20, character_id: str = "", **action: Any) -> None:  # noqa: ANN401 - an Action's
        """Take a station's Task with these dice and the ship's, if it helps, and be done with it."""
        self.act(name, character_id, **action)
        self.throw(*(faces or (1, 1)))
        if self.waits_for_dice():
            self.throw(ship)

    def breached(self, system: System, breaches: int, ship_id: str = "") -> None:
        """Let a system have that number of Breaches."""
        draft = Draft(self.table, PLAYBOOK)
        breach(draft, ship_id or self.ship, system, breaches)
        self.record(*draft.events)


__all__ = ["BY_SYSTEM", "PHASERS", "TORPEDOES", "Squadron", "weapon"]

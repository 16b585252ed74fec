"""A second-edition table with two ships: the players' Far Lantern, Scale 4, and the raider Black Comet, Scale 5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules import history
from rules.deciding.decision import Draft, Event
from rules.errors import Refusal
from rules.ships.cards import SaveShip
from rules.ships.events import ShipSaved, ShipStateChanged
from rules.ships.striking import StrikeShip
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.people import WeaponTrait
from rules.state.ships import Ship, ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    CrewQuality,
    Discipline,
    Pool,
    Ruleset,
    ShipWeaponKind,
    System,
)
from rules.table import PLAYBOOK, evolve
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending, TakeComplication
from tests.rules.tabletop import Game, disciplines, fitting, systems

PHASERS = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=7)
TORPEDOES = ShipWeapon(
    name="Torpedoes", kind=ShipWeaponKind.TORPEDO, rating=9, qualities=(WeaponTrait(name="Piercing", amount=3),)
)


class Fleet(Game):
    """Okafor is at tactical, Lindqvist has the helm; the raider's crew is Talented (10 and 3)."""

    def __init__(self, momentum: int = 0, options: TableOptions | None = None, ruleset: Ruleset | None = None) -> None:
        super().__init__(ruleset or Ruleset.SECOND_EDITION, momentum, options)
        numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "shields": 12}
        self.do(
            SaveShip(
                ship_id=self.ship, name="Far Lantern", scale=4, weapons=(PHASERS, TORPEDOES), resistance=4, **numbers
            )
        )
        self.do(
            SaveShip(
                name="Black Comet", scale=5, crew=CrewQuality.TALENTED, weapons=(PHASERS,), resistance=3, **numbers
            )
        )
        self.raider = self.table.ships[-1].ship_id

    def put(self, ship: Ship) -> None:
        """Let a ship at the table be otherwise."""
        self.record(ShipSaved(ship=ship, created=False, next_number=self.table.next_number))

    def state(self, ship_id: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `ShipState`
        """Let a ship stand otherwise."""
        one = self.of(ship_id)
        state = replace(one.state, **changes)
        self.record(ShipStateChanged(ship_id=ship_id, name=one.name, state=state, why="the test"))

    def record(self, *events: Event) -> None:
        """Let something have happened, as one decision."""
        number = self.history.next_decision
        decision = history.Decision(number=number, by="test", command="set_up_table", events=events)
        self.history = history.evolve(self.history, decision)
        self.decisions.append(decision)

    def of(self, ship_id: str = "") -> Ship:
        return next(one for one in self.table.ships if one.ship_id == (ship_id or self.ship))

    def act(self, name: str, character_id: str = "", **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        """Declare a station's Task."""
        return self.do(self.acting(name, character_id, **changes))

    def acting(self, name: str, character_id: str = "", **changes: Any) -> DeclareTask:  # noqa: ANN401 - an Action's
        declared = {
            one: changes.pop(one)
            for one in ("rolled", "purchases", "assists", "focus", "modifiers", "complication_range")
            if one in changes
        }
        action = Action(name=name, scope=ActionScope.BRIDGE, **changes)
        declaration = Declaration(
            character_id=character_id or self.okafor,
            attribute=Attribute.CONTROL,
            discipline=Discipline.SECURITY,
            action=action,
            **declared,
        )
        return DeclareTask(declaration=fitting(self.table, declaration))

    def minor(self, name: str, actor_id: str = "", **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        """Take a Minor Action outside of Rounds, as its row performs it; what it costs of a Turn is not looked at."""
        action = Action(name=name, scope=ActionScope.BRIDGE, **changes)
        row = PLAYBOOK.action(action, Ruleset.SECOND_EDITION)
        assert row is not None
        assert row.perform is not None
        draft = Draft(self.table, PLAYBOOK)
        row.perform(draft, actor_id or self.okafor, action)
        self.record(*draft.events)
        return tuple(draft.events)

    def minor_refused(self, name: str, rule: str, actor_id: str = "", **changes: Any) -> str:  # noqa: ANN401 - see above
        """The refusal of a Minor Action, which changes nothing."""
        before = self.history
        with pytest.raises(Refusal) as caught:
            self.minor(name, actor_id, **changes)
        assert caught.value.rule == rule, caught.value.message
        assert self.history is before
        return caught.value.message

    def strike(self, damage: int, ship_id: str = "", system: System = System.STRUCTURE, piercing: int = 0) -> None:
        """A hazard's damage."""
        self.do(
            StrikeShip(ship_id=ship_id or self.ship, damage=damage, reason="a hazard", system=system, piercing=piercing)
        )

    def threaten(self, change: int) -> None:
        self.do(AdjustPool(pool=Pool.THREAT, change=change))

    def is_settled(self) -> bool:
        """Whether no attack is in hand and nothing of a chain is left to do."""
        return not self.table.agenda and self.table.attack is None

    def waits_for_dice(self) -> bool:
        """Whether the table asks for dice now."""
        return self.table.request is not None

    def follow(self) -> None:
        self.do(FollowThrough())

    def finish(self) -> None:
        """Finish the Task in hand, and take its Complications."""
        self.do(FinishSpending())
        while self.table.task is not None and self.table.task.complications_open:
            self.do(TakeComplication())

    def hit(self, *faces: int, system: int = 12, **action: Any) -> None:  # noqa: ANN401 - an Action's
        """Fire at the raider with two own dice and the ship's, and hit; the d20 for the system follows."""
        self.act("fire", **{"target_id": self.raider, "weapon": "Phasers", **action})
        own, ship = faces[:-1] or (1, 1), faces[-1] if faces else 19
        self.throw(*own)
        self.throw(ship)
        self.follow()
        if self.table.request is not None:
            self.throw(system)


def replayed(game: Game) -> Table:
    """The table folded anew from all decisions that were made, without undo."""
    table = Table()
    for decision in game.decisions:
        for event in decision.events:
            table = evolve(table, event)
    return table

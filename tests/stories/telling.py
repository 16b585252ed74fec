"""What the stories are told with: a table whose every decision can go through the journal's bytes, and the way back."""

from __future__ import annotations

from typing import Any

from kiosk.storage.wire import event_of, kept_event
from rules import history
from rules.conflict.budget import TakeMinorAction
from rules.conflict.damage_spends import SettleDamage
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, StartConflict
from rules.deciding.decision import Command, Event
from rules.dice import Face
from rules.history import Decision
from rules.setup.setting_up import SaveCharacter
from rules.state.conflict import Action
from rules.state.people import Body
from rules.state.ships import Ship, ShipState
from rules.state.tasks import Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, Discipline, Pool
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending
from rules.undo import Redo, Undo
from tests.rules.tabletop import Game, attributes, disciplines, fitting


class Story(Game):
    """A game in which people take Turns; with `restarts` the kiosk starts anew after every decision."""

    restarts = False

    def do(self, command: Command) -> tuple[Event, ...]:
        events = super().do(command)
        if self.restarts and events:
            self.restart()
        return events

    def restart(self) -> None:
        """Forget everything but the journal's bytes, and fold them anew."""
        live, anew = self.history, history.begin()
        for one in self.decisions:
            events = tuple(event_of(kept_event(event)) for event in one.events)
            read = Decision(number=one.number, by=one.by, command=one.command, events=events)
            anew = history.evolve(anew, read)
        assert anew == live
        self.history = anew

    def take_all_back(self) -> None:
        """Undo to the empty table, and redo to the end: each step is the exact table that was there."""
        steps, end = self.history.done, self.table
        for step in reversed(steps):
            assert self.table == step.after
            self.do(Undo())
            assert self.table == step.before
        for step in steps:
            self.do(Redo())
            assert self.table == step.after
        assert self.table == end

    # --- cast ---------------------------------------------------------------------------------------------

    def cast(self, character_id: str, name: str, **changes: Any) -> None:  # noqa: ANN401 - what SaveCharacter takes
        """Give a character at the table another card."""
        whole: dict[str, Any] = {"attributes": attributes(), "disciplines": disciplines(), **changes}
        self.do(SaveCharacter(character_id=character_id, name=name, **whole))

    def pools(self, momentum: int, threat: int) -> None:
        """Both pools as the scene finds them."""
        for pool, wanted, now in (
            (Pool.MOMENTUM, momentum, self.table.momentum),
            (Pool.THREAT, threat, self.table.threat),
        ):
            if wanted != now:
                self.do(AdjustPool(pool=pool, change=wanted - now))

    def of(self, ship_id: str) -> Ship:
        return next(one for one in self.table.ships if one.ship_id == ship_id)

    def state(self, ship_id: str) -> ShipState:
        return self.of(ship_id).state

    def body(self, character_id: str) -> Body:
        return self.card(character_id).body

    # --- Turns --------------------------------------------------------------------------------------------

    def conflict(self, kind: ConflictKind, *entrants: Entrant, begins: str) -> None:
        self.do(StartConflict(kind=kind, combatants=entrants, begins=begins))

    def begin(self, combatant_id: str) -> None:
        self.do(BeginTurn(combatant_id=combatant_id))

    def end(self) -> None:
        self.do(EndTurn())

    def minor(self, who: str, name: str, scope: ActionScope = ActionScope.PERSONAL, **changes: Any) -> None:  # noqa: ANN401 - an Action's
        threat_part = changes.pop("threat_part", 0)
        action = Action(name=name, scope=scope, **changes)
        self.do(TakeMinorAction(character_id=who, action=action, threat_part=threat_part))

    def take(
        self,
        who: str,
        name: str,
        attribute: Attribute = Attribute.DARING,
        discipline: Discipline = Discipline.SECURITY,
        scope: ActionScope = ActionScope.PERSONAL,
        **changes: Any,  # noqa: ANN401 - a Declaration's, or an Action's
    ) -> None:
        """Declare a Task of the conflict."""
        of_the_task = ("focus", "purchases", "assists", "modifiers", "value")
        declared = {one: changes.pop(one) for one in of_the_task if one in changes}
        action = Action(name=name, scope=scope, **changes)
        whole = Declaration(character_id=who, attribute=attribute, discipline=discipline, action=action, **declared)
        self.do(DeclareTask(declaration=fitting(self.table, whole)))

    def bridge(self, who: str, name: str, **changes: Any) -> None:  # noqa: ANN401 - as `take`
        """Declare a Task of a station."""
        self.take(who, name, scope=ActionScope.BRIDGE, **changes)

    def follow(self, *damage: Face) -> None:
        """Go on from a success, and throw the damage."""
        self.do(FollowThrough())
        if damage:
            self.throw_challenge(*damage)

    def settle(self) -> None:
        self.do(SettleDamage())

    def finish(self) -> None:
        """Nothing more is spent; Complications are left for the story to settle."""
        self.do(FinishSpending())

    @property
    def whose_turn(self) -> str:
        """Whose Turn is in hand; empty between Turns."""
        conflict = self.table.conflict
        return conflict.turn.combatant_id if conflict is not None and conflict.turn is not None else ""

    @property
    def lasting(self) -> set[tuple[str, str]]:
        """What lasts, and for whom."""
        return {(one.name, one.target_id or one.owner_id) for one in self.table.effects}

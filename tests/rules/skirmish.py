"""A fight to play in tests: Okafor and Lindqvist against Brack and Dorr."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import history
from rules.conflict.budget import TakeMinorAction
from rules.conflict.events import BodyChanged, ConflictChanged
from rules.conflict.lasting import EffectBegan
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, SetReach, StartConflict
from rules.deciding.checks import find_character
from rules.deciding.decision import Event
from rules.state.conflict import Action, Combatant, Conflict, LastingEffect
from rules.state.options import TableOptions
from rules.state.vocabulary import ConflictKind, InjuryState, Ruleset, Standing
from tests.rules.tabletop import Game


class Skirmish(Game):
    """A game with a conflict under way; `begins` names who has the first Turn, as "okafor"."""

    def __init__(
        self,
        ruleset: Ruleset = Ruleset.CORE_1E,
        begins: str = "",
        momentum: int = 0,
        options: TableOptions | None = None,
    ) -> None:
        super().__init__(ruleset, momentum, options)
        self.dorr = self.character("Dorr", standing=Standing.MINOR_NPC)
        self.do(
            StartConflict(
                kind=ConflictKind.PERSONAL,
                combatants=tuple(
                    Entrant(combatant_id=one) for one in (self.okafor, self.lindqvist, self.brack, self.dorr)
                ),
                begins=getattr(self, begins) if begins else "",
            )
        )

    @property
    def conflict(self) -> Conflict:
        assert self.table.conflict is not None
        return self.table.conflict

    def combatant(self, combatant_id: str) -> Combatant:
        one = self.conflict.combatant(combatant_id)
        assert one is not None
        return one

    def enter(self, name: str, **changes: Any) -> str:  # noqa: ANN401 - whatever SaveCharacter takes
        one = self.character(name, **changes)
        self.do(AddCombatant(combatant=Entrant(combatant_id=one)))
        return one

    def begin(self, combatant_id: str) -> tuple[Event, ...]:
        return self.do(BeginTurn(combatant_id=combatant_id))

    def take_turn(self, combatant_id: str) -> None:
        self.begin(combatant_id)
        self.do(EndTurn())

    def minor(self, combatant_id: str, name: str, **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        return self.do(TakeMinorAction(character_id=combatant_id, action=Action(name=name, **changes)))

    def act(self, combatant_id: str, name: str, **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        return self.declare(combatant_id, action=Action(name=name, **changes))

    def reach(self, first: str, second: str) -> None:
        self.do(SetReach(first_id=first, second_id=second))

    def change_body(self, character_id: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `Body`
        """Put a body in a state as a hit would leave it, as an event of its own."""
        character = find_character(self.table, character_id)
        body = replace(character.body, **changes)
        self.record(BodyChanged(character_id=character_id, name=character.name, body=body, why="a hit"))

    def record_effect(self, effect: LastingEffect) -> None:
        self.record(EffectBegan(effect=effect, next_number=self.table.next_number))

    def record_tasks(self, combatant_id: str, tasks: int) -> None:
        """Let somebody have taken that number of Tasks this Round."""
        combatants = self.conflict.combatants_with(combatant_id, tasks=tasks)
        self.record(ConflictChanged(conflict=replace(self.conflict, combatants=combatants)))

    def record(self, event: Event) -> None:
        """An event as another part of the rules would leave it, in a decision of its own."""
        decision = history.Decision(number=self.history.next_decision, by="test", command="recorded", events=(event,))
        self.history = history.evolve(self.history, decision)
        self.decisions.append(decision)

    def injure(self, character_id: str, injury: InjuryState = InjuryState.NONLETHAL) -> None:
        self.change_body(character_id, injury=injury, stress_max=10, stress=0)

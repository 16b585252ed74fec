"""A fight to play in tests: Okafor and Lindqvist against Brack and Dorr."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import commands_turns as ct
from rules import events_conflict as ec
from rules import history
from rules.deciding.draft import find_character
from rules.messages import Event
from rules.state_conflict import Action, Combatant, Conflict, LastingEffect
from rules.state_options import TableOptions
from rules.vocabulary import ConflictKind, InjuryState, Ruleset, Standing
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
            ct.StartConflict(
                kind=ConflictKind.PERSONAL,
                combatants=tuple(
                    ct.Entrant(combatant_id=one) for one in (self.okafor, self.lindqvist, self.brack, self.dorr)
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
        self.do(ct.AddCombatant(combatant=ct.Entrant(combatant_id=one)))
        return one

    def begin(self, combatant_id: str) -> tuple[Event, ...]:
        return self.do(ct.BeginTurn(combatant_id=combatant_id))

    def take_turn(self, combatant_id: str) -> None:
        self.begin(combatant_id)
        self.do(ct.EndTurn())

    def minor(self, combatant_id: str, name: str, **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        return self.do(ct.TakeMinorAction(character_id=combatant_id, action=Action(name=name, **changes)))

    def act(self, combatant_id: str, name: str, **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - an Action's
        return self.declare(combatant_id, action=Action(name=name, **changes))

    def reach(self, first: str, second: str) -> None:
        self.do(ct.SetReach(first_id=first, second_id=second))

    def change_body(self, character_id: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `Body`
        """Put a body in a state as a hit would leave it, as an event of its own."""
        character = find_character(self.table, character_id)
        body = replace(character.body, **changes)
        self.record(ec.BodyChanged(character_id=character_id, name=character.name, body=body, why="a hit"))

    def record_effect(self, effect: LastingEffect) -> None:
        self.record(ec.EffectBegan(effect=effect, next_number=self.table.next_number))

    def record(self, event: Event) -> None:
        """An event as another part of the rules would leave it, in a decision of its own."""
        decision = history.Decision(number=self.history.next_decision, by="test", command="recorded", events=(event,))
        self.history = history.evolve(self.history, decision)
        self.decisions.append(decision)

    def injure(self, character_id: str, injury: InjuryState = InjuryState.NONLETHAL) -> None:
        self.change_body(character_id, injury=injury, stress_max=10, stress=0)

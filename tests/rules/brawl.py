"""A fight to play at in tests: Okafor with a phaser and bare hands against the gamemaster's Brack and a minor guard."""

from __future__ import annotations

from typing import Any

from rules.conflict.chain import StrikeHazard
from rules.conflict.damage_spends import SettleDamage
from rules.conflict.lasting import begin_effect
from rules.conflict.rounds import BeginTurn, Entrant, SetReach, StartConflict
from rules.deciding.decision import Draft, Event
from rules.dice import Face
from rules.history import Decision, evolve
from rules.setup.setting_up import SaveCharacter
from rules.state.conflict import Action, LastingEffect
from rules.state.options import TableOptions
from rules.state.people import Ability, Body
from rules.state.tasks import Declaration
from rules.state.vocabulary import ConflictKind, Pool, Ruleset, Standing
from rules.table import PLAYBOOK
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from tests.rules.tabletop import OKAFOR_VALUE, Game, attributes, disciplines


def acting(who: str, action: Action) -> Declaration:
    return Declaration(character_id=who, action=action)


class Brawl(Game):
    """Okafor carries a Phaser Type 2 and a knife; Brack a blade; the guard nothing. Nobody's Turn is kept."""

    def __init__(
        self, ruleset: Ruleset = Ruleset.CORE_1E, momentum: int = 0, options: TableOptions | None = None
    ) -> None:
        super().__init__(ruleset, momentum, options)
        ann = self.table.players[0].player_id
        self.save(self.okafor, "Okafor", player_id=ann, values=(OKAFOR_VALUE,), weapons=("phaser_type_2", "knife"))
        self.save(self.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("blade",), resistance=1)
        self.guard = self.character("Guard", standing=Standing.MINOR_NPC, stress_max=4)

    def save(self, character_id: str, name: str, **changes: Any) -> None:  # noqa: ANN401 - what SaveCharacter takes
        whole: dict[str, Any] = {"attributes": attributes(), "disciplines": disciplines(), **changes}
        self.do(SaveCharacter(character_id=character_id, name=name, **whole))

    def creature(self, *abilities: Ability, **changes: Any) -> str:  # noqa: ANN401 - what SaveCharacter takes
        return self.character("Creature", standing=Standing.NOTABLE_NPC, abilities=abilities, **changes)

    def body(self, character_id: str) -> Body:
        return self.card(character_id).body

    def threat(self, points: int) -> None:
        if points != self.table.threat:
            self.do(AdjustPool(pool=Pool.THREAT, change=points - self.table.threat))

    def attack(self, who: str, whom: str, weapon: str = "", **changes: Any) -> None:  # noqa: ANN401 - of `Action`
        action = Action(name="attack", target_id=whom, weapon=weapon, **changes)
        self.do(DeclareTask(declaration=acting(who, action)))

    def defend(self, who: str, weapon: str = "", **changes: Any) -> None:  # noqa: ANN401 - of `Action`
        self.do(DeclareTask(declaration=acting(who, Action(name="defend", weapon=weapon, **changes))))

    def shoot(
        self,
        *faces: Face,
        whom: str = "",
        weapon: str = "phaser_type_2",
        **changes: Any,  # noqa: ANN401 - of `Action`
    ) -> None:
        """A shot that hits with 2 Momentum, and its damage dice."""
        self.attack(self.okafor, whom or self.brack, weapon, **changes)
        self.throw(1, 1)
        self.do(FollowThrough())
        if faces:
            self.throw_challenge(*faces)

    def fight(self, begins: str, *, reach: tuple[str, str] | None = None) -> None:
        """Rounds and Turns begin, and the Turn of one; two may stand in each other's Reach."""
        people = (self.okafor, self.lindqvist, self.brack, self.guard)
        entrants = tuple(Entrant(combatant_id=one) for one in people)
        self.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants, begins=begins))
        if reach is not None:
            self.do(SetReach(first_id=reach[0], second_id=reach[1]))
        self.do(BeginTurn(combatant_id=begins))

    def hurt(self, whom: str, *faces: Face, lethal: bool = False) -> None:
        """A hazard's damage."""
        self.do(StrikeHazard(target_id=whom, rating=len(faces), reason="Falling rocks", lethal=lethal))
        self.throw_challenge(*faces)

    def settle(self) -> None:
        self.do(SettleDamage())

    def prepare(self, who: str = "") -> None:
        """Let somebody be prepared, as the Minor Action leaves it."""
        self.begin(LastingEffect(effect_id="", name="prepare", owner_id=who or self.okafor))

    def begin(self, effect: LastingEffect) -> None:
        """Let something last."""
        draft = Draft(self.table, PLAYBOOK)
        begin_effect(draft, effect)
        self.take(tuple(draft.events))

    def take(self, events: tuple[Event, ...]) -> None:
        """Take events in as one decision that no command stands for."""
        decision = Decision(number=self.history.next_decision, by="test", command="test", events=events)
        self.history = evolve(self.history, decision)

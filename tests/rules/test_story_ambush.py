"""A fight told from its first shot to the next scene, each number worked out by hand."""

from __future__ import annotations

from rules.conflict.budget import TakeMinorAction
from rules.conflict.cover import SetCover
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidHow, AvoidInjury
from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, SetReach
from rules.setup.setting_up import StartScene
from rules.state.conflict import Action
from rules.state.vocabulary import InjuryState, Spend, Standing, StepKind
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.brawl import Brawl, acting


class Ambush(Brawl):
    """Okafor and Lindqvist, back to back in a cargo hold; Brack has a grenade, a guard his bare hands."""

    def __init__(self) -> None:
        super().__init__(momentum=2)
        self.save(self.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("pulse_grenade",), resistance=1)
        self.fight(self.okafor, reach=(self.okafor, self.lindqvist))
        self.do(SetCover(character_id=self.lindqvist, dice=2))

    def minor(self, who: str, name: str) -> None:
        self.do(TakeMinorAction(character_id=who, action=Action(name=name)))

    def turn_passes_to(self, who: str) -> None:
        self.do(EndTurn())
        self.do(BeginTurn(combatant_id=who))

    def pools(self) -> tuple[int, int]:
        return self.table.momentum, self.table.threat


def a_charged_shot_stuns_nobody(game: Ambush) -> None:
    """Control 11 + Security 3 against Difficulty 2: two successes, no Momentum. Vicious 1 of Charge."""
    game.minor(game.okafor, "prepare")
    game.attack(game.okafor, game.brack, "phaser_type_2", effect="vicious")
    game.throw(8, 4)
    game.do(FollowThrough())
    game.throw_challenge(5, 6, 2, 2, 1, 3)
    assert game.last_said.terse.startswith("9 damage before Resistance, 2 Effects.")
    game.settle()
    assert game.body(game.brack).stress == 11 - (7 + 2 - 1)
    assert game.pools() == (2, 4)
    game.do(AvoidInjury())
    assert game.last_said.terse == "Brack avoids the Injury. The attack is settled. Threat 2."
    assert game.pools() == (2, 2)
    game.do(FinishSpending())


def a_grenade_falls_between_two(game: Ambush) -> None:
    """To kill: 1 Threat. Three successes, 1 Momentum for Bonus Damage; 4 + Security 3 dice: 11 and an Effect."""
    game.turn_passes_to(game.brack)
    game.attack(game.brack, game.okafor, "pulse_grenade", lethal=True)
    assert game.task.declaration.complication_range == 2, "Lindqvist stands in Okafor's Reach"
    assert game.pools() == (2, 1)
    game.throw(1, 5)
    game.do(FollowThrough())
    game.throw_challenge(5, 2, 2, 2, 2, 2, 3)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE))
    assert game.pools() == (2, 1)
    game.settle()
    assert game.body(game.okafor).stress == 0, "11 less 12"
    assert [one.kind for one in game.table.agenda[:2]] == [StepKind.INJURY, StepKind.INJURY]
    game.do(AvoidInjury(how=AvoidHow.COMPLICATION, complication="Thrown against the bulkhead"))
    assert [one.name for one in game.table.traits] == ["Thrown against the bulkhead"]
    assert game.body(game.okafor).injury is InjuryState.LETHAL, "the second cannot be avoided in the same scene"
    assert game.table.agenda[0].kind is StepKind.AREA_TARGETS
    game.do(ChooseTargets(target_ids=(game.lindqvist,)))
    assert game.table.request is not None
    assert (game.table.request.who, game.table.request.why, game.table.request.count) == ("Lindqvist", "Cover", 2)
    game.throw_challenge(2, 5)
    assert game.body(game.lindqvist).stress == 11 - (12 - 3)
    game.do(AvoidInjury())
    assert (game.body(game.lindqvist).injury, game.pools()) == (InjuryState.NONE, (0, 1))
    game.do(FinishSpending())
    assert game.pools() == (0, 1)


def lindqvist_brings_him_back(game: Ambush) -> None:
    """First Aid: Daring 9 + Medicine 1 against Difficulty 1, three successes: stabilised, and back for 2."""
    game.turn_passes_to(game.lindqvist)
    game.do(DeclareTask(declaration=acting(game.lindqvist, Action(name="first_aid", target_id=game.okafor))))
    assert (game.task.target_number, game.task.difficulty) == (10, 1)
    game.throw(1, 4)
    game.do(MakeSpend(spend=Spend.BACK_IN_ACTION))
    game.do(FinishSpending())
    assert game.pools() == (0, 1)
    assert (game.body(game.okafor).stabilised, game.body(game.okafor).pushing_on) == (True, True)


def a_guard_rushes_in_and_meets_a_knife(game: Ambush) -> None:
    """Okafor defends to kill: 1 Threat more. 1 + Security 3 dice: 5, and 1 for Vicious, on 4 Stress."""
    game.turn_passes_to(game.guard)
    game.do(SetReach(first_id=game.guard, second_id=game.okafor))
    game.attack(game.guard, game.okafor)
    game.throw(15, 16)
    game.defend(game.okafor, "knife", lethal=True)
    assert (game.pools(), game.task.difficulty) == ((0, 2), 1)
    game.throw(2, 3)
    game.do(FollowThrough())
    game.throw_challenge(2, 2, 5, 3)
    game.settle()
    assert game.body(game.guard).injury is InjuryState.DEAD, "two Injuries, and a minor NPC avoids none"
    assert game.last_said.terse.startswith("Okafor hits Guard with Knife: 6 damage. 2 Injuries. Guard is dead.")
    game.do(FinishSpending())
    assert game.pools() == (1, 2)


def test_an_ambush_in_the_hold() -> None:
    """ATK-1 to ATK-4, DMG-1 to DMG-7, EFF-1, EFF-5, QUAL-2, MOM-1, MOM-7, ACT-7, NPC-1, C-61, C-69, C-75."""
    game = Ambush()
    beginning = len(game.decisions), game.table
    a_charged_shot_stuns_nobody(game)
    a_grenade_falls_between_two(game)
    lindqvist_brings_him_back(game)
    a_guard_rushes_in_and_meets_a_knife(game)
    game.do(EndTurn())
    game.do(EndConflict())
    game.do(StartScene(name="Sickbay"))
    okafor, lindqvist = game.body(game.okafor), game.body(game.lindqvist)
    assert (okafor.injury, okafor.stabilised, okafor.pushing_on) == (InjuryState.LETHAL, True, False)
    assert (okafor.stress, okafor.avoided, lindqvist.stress, lindqvist.avoided) == (0, False, 2, False)
    assert (game.body(game.brack).stress, game.body(game.brack).avoided) == (3, False)
    assert game.table.effects == ()
    assert game.pools() == (1, 2)
    for _ in range(len(game.decisions) - beginning[0]):
        game.do(Undo())
    assert game.table == beginning[1]

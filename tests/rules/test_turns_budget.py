"""What a Turn has room for: Tasks and Minor Actions and the price of more (TURN-5, ACT-1, ACT-2, MOM-3, MOM-9, C-8)."""

from __future__ import annotations

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import AddCombatant, EndTurn, Entrant, PassTurn, StartConflict
from rules.legal.offers import options
from rules.legal.trial import move_before
from rules.state.conflict import Action, Turn
from rules.state.options import TableOptions
from rules.state.vocabulary import ConflictKind, Pool, Ruleset, Spend, Standing, ValueAction
from rules.tasks.determination import SurgeOfActivity, UseValueAgainst
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import OKAFOR_VALUE, Game


def turn_of(game: Skirmish) -> Turn:
    assert game.conflict.turn is not None
    return game.conflict.turn


def advantage(game: Skirmish, who: str, *faces: int) -> None:
    """A Task of that Turn: Control 11 + Engineering 4, Difficulty 2."""
    game.act(who, "create_advantage", note="High ground")
    game.throw(*faces)


def settle(game: Skirmish) -> None:
    game.do(FinishSpending())
    while game.table.task is not None:
        game.do(TakeComplication())


def named_action(game: Skirmish) -> str:
    action = game.task.declaration.action
    return action.name if action is not None else ""


def test_one_task_a_turn() -> None:
    """TURN-5."""
    game = Skirmish(begins="okafor")
    declared = game.declaration(game.okafor, action=Action(name="other"))
    assert "Begin the Turn of Okafor" in game.refused(declared, "TURN-1")
    game.begin(game.okafor)
    advantage(game, game.okafor, 20, 19)
    settle(game)
    assert "The Task of this Turn is taken" in game.refused(declared, "TURN-5")
    assert turn_of(game).task_names == ("create_advantage",)


def test_nobody_acts_in_somebody_elses_turn() -> None:
    """TURN-1."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    declared = game.declaration(game.brack, action=Action(name="other"))
    assert "It is the Turn of Okafor" in game.refused(declared, "TURN-1")
    minor = TakeMinorAction(character_id=game.brack, action=Action(name="aim"))
    game.refused(minor, "TURN-1")
    outside = game.character("Onlooker")
    game.refused(game.declaration(outside, action=Action(name="other")), "TURN-1")


def test_a_plain_task_is_one_of_the_turns_tasks() -> None:
    """TURN-5, ACT-4: however it is declared."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.declare(game.okafor)
    assert named_action(game) == "other"
    game.throw(19, 19)
    settle(game)
    assert "The Task of this Turn is taken" in game.refused(game.declaration(game.okafor), "TURN-5")


def test_a_swift_task_is_one_harder() -> None:
    """MOM-9, TURN-5."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    advantage(game, game.okafor, 5, 5)
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    game.refused(MakeSpend(spend=Spend.SWIFT_TASK), "MOM-9")
    settle(game)
    game.act(game.okafor, "create_advantage", note="Smoke")
    assert game.task.difficulty == 3
    assert [one.reason for one in game.task.declaration.modifiers] == ["Swift Task"]
    assert turn_of(game).harder == 0


@pytest.mark.parametrize(
    ("ruleset", "cap"), [(Ruleset.CORE_1E, None), (Ruleset.SECOND_EDITION, None), (Ruleset.STARTER, 2)]
)
def test_two_tasks_are_the_most_where_the_table_plays_so(ruleset: Ruleset, cap: int | None) -> None:
    """C-8, S2E-2: the second costs 2 and is 1 harder."""
    game = Skirmish(ruleset=ruleset, begins="okafor", momentum=6, options=TableOptions(task_cap=cap))
    game.begin(game.okafor)
    advantage(game, game.okafor, 5, 5)
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    assert game.table.momentum == 4
    settle(game)
    game.act(game.okafor, "create_advantage", note="Smoke")
    assert game.task.difficulty == 3
    game.throw(1, 1)
    surge = SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE)
    assert "no more Tasks" in game.refused(surge, "DET-4")
    assert all(one.command != surge for one in options(game.table))


@pytest.mark.parametrize("ruleset", [Ruleset.CORE_1E, Ruleset.SECOND_EDITION])
def test_a_task_that_is_given_and_not_taken_yet_fills_the_cap_too(ruleset: Ruleset) -> None:
    """C-8, MOM-9, DET-4: nothing is paid for a Task that there is no room for, in either order."""
    surge = SurgeOfActivity(character_id="character-3", value=OKAFOR_VALUE)
    swift = MakeSpend(spend=Spend.SWIFT_TASK)
    for first, second, rule in ((swift, surge, "DET-4"), (surge, swift, "MOM-9")):
        game = Skirmish(ruleset=ruleset, begins="okafor", momentum=6)
        game.begin(game.okafor)
        advantage(game, game.okafor, 5, 5)
        game.do(first)
        assert "Another Task is possible already" in game.refused(second, rule)
        assert all(one.command != second for one in options(game.table))


def test_who_was_directed_twice_before_their_turn_has_no_task_in_it() -> None:
    """C-8: the Round of who has one Turn in it is what the cap counts."""
    game = Skirmish(begins="okafor")
    game.record_tasks(game.okafor, 2)
    game.begin(game.okafor)
    said = game.refused(game.declaration(game.okafor, action=Action(name="other")), "TURN-5")
    assert "Okafor can take no more Tasks" in said


def readied_to_direct(ally: str) -> Skirmish:
    """It is Okafor's Turn, or that of a veteran with two a Round; that ally of theirs keeps a Task for it."""
    game = Skirmish(ruleset=Ruleset.SECOND_EDITION, begins=ally, momentum=6)
    veteran = game.character("Veteran", standing=Standing.NOTABLE_NPC)
    game.do(AddCombatant(combatant=Entrant(combatant_id=veteran, turns=2)))
    game.do(AdjustPool(pool=Pool.THREAT, change=4))
    friend = getattr(game, ally)
    game.begin(friend)
    game.act(friend, "ready", note="Now")
    game.do(EndTurn())
    acts, between = (game.okafor, game.dorr) if ally == "lindqvist" else (veteran, game.okafor)
    game.take_turn(between)
    game.begin(acts)
    return game


def test_who_was_given_every_task_of_the_turn_is_not_directed() -> None:
    """C-8, C-22, MOM-9, DET-4: a Task that an ally gives fills the cap as well, given and not taken yet."""
    game = readied_to_direct("lindqvist")
    advantage(game, game.okafor, 5, 5)
    before = game.history
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    settle(game)
    directs = game.declaration(game.lindqvist, action=Action(name="direct", target_id=game.okafor))
    assert "Another Task is possible for Okafor already" in game.refused(directs, "TURN-5")
    game.history = before
    settle(game)
    game.do(directs)
    surge = SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE)
    assert all(one.command != surge for one in options(game.table))
    advantage(game, game.okafor, 5, 5)
    game.throw(9)
    assert "no more Tasks" in game.refused(MakeSpend(spend=Spend.SWIFT_TASK), "MOM-9")


def test_who_is_directed_in_a_turn_of_their_own_takes_one_of_its_tasks() -> None:
    """C-8, TURN-6, ACT-3: whoever has several Turns a Round, too."""
    game = readied_to_direct("brack")
    veteran = turn_of(game).combatant_id
    game.act(game.brack, "direct", target_id=veteran)
    game.declare(veteran, action=Action(name="sprint"), rolled=False)
    assert turn_of(game).task_names == ("sprint",)
    game.refused(TakeMinorAction(character_id=veteran, action=Action(name="movement")), "ACT-3")
    game.refused(PassTurn(), "TURN-6")
    advantage(game, veteran, 5, 5)
    game.throw(9)
    assert "no more Tasks" in game.refused(MakeSpend(spend=Spend.SWIFT_TASK), "MOM-9")


def test_the_starter_set_has_one_swift_task_and_no_other_cap() -> None:
    """C-8."""
    game = Skirmish(ruleset=Ruleset.STARTER, begins="okafor", momentum=6)
    game.begin(game.okafor)
    advantage(game, game.okafor, 5, 5)
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    settle(game)
    game.act(game.okafor, "create_advantage", note="Smoke")
    game.throw(1, 1)
    assert "Swift Task is possible once a Round" in game.refused(MakeSpend(spend=Spend.SWIFT_TASK), "MOM-9")
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    settle(game)
    advantage(game, game.okafor, 5, 5)
    assert turn_of(game).tasks == 3


def test_a_surge_gives_another_task_and_ends_with_the_turn() -> None:
    """DET-4."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    advantage(game, game.okafor, 5, 5)
    settle(game)
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.act(game.okafor, "create_advantage", note="Smoke")
    assert game.task.difficulty == 2
    game.throw(19, 19)
    settle(game)
    game.do(EndTurn())
    assert game.table.surge_for == ""
    game.refused(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE), "DET-4")


def test_a_surge_outlasts_the_task_of_an_ally_who_was_directed() -> None:
    """DET-4, ACT-4: what was paid for is there when the ally has acted; it ends with the Turn."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "direct", target_id=game.lindqvist)
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.act(game.lindqvist, "create_advantage", note="Smoke")
    game.throw(5, 5)
    game.throw(19)
    settle(game)
    assert game.table.surge_for == game.okafor
    game.act(game.okafor, "create_advantage", note="Noise")
    assert not game.table.surge_for


def test_a_surge_outside_a_conflict_is_over_when_somebody_else_acts() -> None:
    """DET-4: right after the Task that it follows."""
    game = Game()
    game.declare()
    game.throw(5, 5)
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.do(FinishSpending())
    game.declare(game.lindqvist)
    assert not game.table.surge_for
    game.throw(5, 5)
    game.do(FinishSpending())
    game.declare()
    game.throw(5, 5)
    game.do(
        UseValueAgainst(
            character_id=game.okafor, value=OKAFOR_VALUE, action=ValueAction.ACCEPT_COMPLICATION, complication="Late"
        )
    )
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.do(FinishSpending())
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=(Entrant(combatant_id=game.okafor),)))
    assert not game.table.surge_for


def test_the_injured_cannot_act_until_they_push_on() -> None:
    """DMG-6, C-24."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.injure(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="other")), "DMG-6")
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="aim")), "DMG-6")
    game.change_body(game.okafor, pushing_on=True)
    game.minor(game.okafor, "aim")
    game.act(game.okafor, "other")


def test_a_staggered_creature_loses_its_turn() -> None:
    """NPC-2."""
    game = Skirmish(begins="brack")
    game.change_body(game.brack, staggered=True)
    game.begin(game.brack)
    assert game.last_said.terse == "Brack's Turn. Staggered, this Turn is lost."
    game.refused(game.declaration(game.brack, action=Action(name="other")), "NPC-2")
    game.refused(TakeMinorAction(character_id=game.brack, action=Action(name="aim")), "NPC-2")
    game.do(EndTurn())
    assert not game.card(game.brack).body.staggered


def test_who_is_out_of_reach_can_be_moved_to_first() -> None:
    """ACT-3, ATK-1."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    attack = Action(name="attack", target_id=game.brack, weapon="unarmed")
    declared = game.declaration(game.okafor, action=attack)
    game.refused(declared, "ATK-1")
    move = move_before(game.table, declared.declaration)
    assert move is not None
    assert (move.label, move.own_label) == ("Okafor: Movement into Brack's Reach", "Movement into Brack's Reach")
    game.do(move.command)
    game.do(declared)
    assert move_before(game.table, declared.declaration) is None


@pytest.mark.parametrize(("ruleset", "prices"), [(Ruleset.CORE_1E, (0, 1, 1)), (Ruleset.STARTER, (0, 1, 2))])
def test_further_minor_actions_cost_momentum(ruleset: Ruleset, prices: tuple[int, ...]) -> None:
    """ACT-1, C-1, MOM-3."""
    game = Skirmish(ruleset=ruleset, begins="okafor", momentum=6)
    game.begin(game.okafor)
    for name, price in zip(("aim", "prepare", "interact"), prices, strict=True):
        before = game.table.momentum
        game.minor(game.okafor, name)
        assert before - game.table.momentum == price
    assert turn_of(game).minor_actions == ("aim", "prepare", "interact")


def test_a_minor_action_is_paid_with_threat_or_not_at_all() -> None:
    """C-2, THR-4, NPC-1."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    free = TakeMinorAction(character_id=game.okafor, action=Action(name="aim"), threat_part=1)
    game.refused(free, "MOM-3")
    game.minor(game.okafor, "aim")
    further = Action(name="prepare")
    game.refused(TakeMinorAction(character_id=game.okafor, action=further), "POOL-4")
    threat = game.table.threat
    game.do(TakeMinorAction(character_id=game.okafor, action=further, threat_part=1))
    assert game.table.threat == threat + 1
    game.do(EndTurn())
    game.begin(game.brack)
    game.minor(game.brack, "aim")
    game.minor(game.brack, "prepare")
    assert game.table.threat == threat


def test_a_minor_action_is_paid_from_the_task_in_hand_or_bought_with_it_for_later() -> None:
    """C-62, MOM-3, C-1."""
    game = Skirmish(ruleset=Ruleset.STARTER, begins="okafor")
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=3))
    game.begin(game.okafor)
    game.minor(game.okafor, "interact")
    advantage(game, game.okafor, 1, 1)
    game.do(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION))
    assert (game.task.momentum_left, turn_of(game).minor_actions_paid) == (1, 1)
    game.minor(game.okafor, "prepare")
    assert (game.task.momentum_left, turn_of(game).minor_actions_paid) == (1, 0)
    game.minor(game.okafor, "aim")
    assert (game.task.momentum_left, game.table.momentum) == (0, 2)


def test_no_minor_action_twice_and_not_both_down_and_up() -> None:
    """ACT-2."""
    game = Skirmish(begins="okafor", momentum=6)
    game.begin(game.okafor)
    game.minor(game.okafor, "drop_prone")
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="drop_prone")), "ACT-2")
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="stand")), "ACT-2")


def test_minor_actions_and_tasks_keep_apart() -> None:
    """ACT-1, ACT-4."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="recover")), "ACT-1")
    game.refused(game.declaration(game.okafor, action=Action(name="aim")), "ACT-1")
    game.refused(game.declaration(game.okafor, action=Action(name="dance")), "ACT-4")
    game.act(game.okafor, "recover")
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="aim")), "ACT-1")

"""Threat that an NPC has drawn pays for what it does itself, and for nothing else (THR-6, C-86)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.budget import TakeMinorAction
from rules.conflict.creatures import BringIn, DrawPrivateThreat
from rules.conflict.injuries import AvoidInjury
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, KeepInitiative
from rules.deciding.decision import Command
from rules.errors import Refusal
from rules.legal.offers import options
from rules.state.conflict import Action
from rules.state.people import Ability
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, Pool
from rules.tasks.declaring import BuyDie, CreateProblem
from rules.tasks.pools import AdjustPool, SpendThreat
from rules.tasks.settling import BuyOffComplication, FinishSpending
from tests.rules.brawl import Brawl

HEAVY = (2, 2, 2)


class Lair(Brawl):
    """A creature with 3 Threat of its own, and a pool of Threat."""

    def __init__(self, pool: int) -> None:
        super().__init__()
        self.beast = self.creature(Ability(name="threatening", amount=3), weapons=("phase_pistol",))
        self.threat(pool)

    def draw(self, points: int) -> None:
        self.do(DrawPrivateThreat(character_id=self.beast, points=points))

    @property
    def own(self) -> int:
        return self.body(self.beast).private_threat

    def turn(self) -> None:
        """It is the creature's Turn."""
        self.fight(self.okafor)
        self.do(AddCombatant(combatant=Entrant(combatant_id=self.beast)))
        self.do(EndTurn())
        self.do(BeginTurn(combatant_id=self.beast))


def test_what_was_drawn_pays_for_no_reinforcement() -> None:
    """THR-6: refused where the common pool is too small; where it is not, the creature's comes back."""
    game = Lair(1)
    game.draw(3)
    said = game.refused(BringIn(character_id=game.brack, reinforcement=True), "THR-6")
    assert said == (
        "Creature drew 3 Threat of its own, which pays for it alone; 1 is there for others. "
        "Let it act, or take that back."
    )
    game.do(BringIn(character_id=game.guard, reinforcement=True))
    assert (game.table.threat, game.own) == (0, 3)


@pytest.mark.parametrize(
    ("event", "mine"),
    [
        ("reinforce_minor", False), ("environment_effect", False), ("create_complication", False),
        ("npc_immediate_spend", True), ("npc_lethal_attack", True), ("waive_npc_complication", True),
    ],
)  # fmt: skip
def test_by_hand_it_is_spent_for_what_an_npc_does_alone(event: str, mine: bool) -> None:  # noqa: FBT001 - a case
    """THR-4, THR-6: the gamemaster's own reasons take common Threat; an NPC's take that of who acts."""
    game = Lair(0)
    game.turn()
    game.draw(2)
    spent = SpendThreat(event=event, amount=1)
    if mine:
        game.do(spent)
        assert game.own == 3 - (2 if event == "waive_npc_complication" else 1)
    else:
        game.refused(spent, "THR-6")


def test_another_npcs_dice_are_not_paid_with_it() -> None:
    """THR-6, BUY-7: drawn before anybody acts."""
    game = Lair(0)
    game.draw(2)
    dice = (Purchase(payer=Payer.THREAT),)
    game.refused(game.declaration(game.brack, purchases=dice), "THR-6")
    game.declare(game.beast, purchases=dice)
    assert (game.table.threat, game.own) == (0, 2), "1 was paid, and 1 came back"


def test_its_own_dice_spends_and_minor_actions_are() -> None:
    """THR-6, C-86: each payment of its own, mixed with the pool."""
    game = Lair(1)
    game.turn()
    game.do(TakeMinorAction(character_id=game.beast, action=Action(name="aim")))
    game.draw(1)
    game.do(TakeMinorAction(character_id=game.beast, action=Action(name="prepare")))
    assert (game.table.threat, game.own) == (1, 2)
    game.attack(game.beast, game.okafor, "phase_pistol")
    game.draw(2)
    game.do(BuyDie(purchase=Purchase(payer=Payer.THREAT)))
    assert (game.table.threat, game.own) == (1, 1)
    game.throw(20, 19, 19)
    game.draw(1)
    game.do(FinishSpending())
    assert game.own == 1
    game.draw(1)
    game.do(BuyOffComplication())
    assert (game.table.threat, game.own) == (0, 0)


def test_its_injury_and_its_turn_are_its_own() -> None:
    """THR-6, DMG-7, TURN-4."""
    game = Lair(0)
    game.hurt(game.beast, *HEAVY)
    game.draw(2)
    game.do(AvoidInjury())
    assert (game.table.threat, game.own) == (0, 1)
    game = Lair(1)
    game.turn()
    game.draw(1)
    game.do(KeepInitiative(ally_id=game.brack))
    assert (game.table.threat, game.own) == (0, 2)


def test_a_pool_that_is_put_right_leaves_what_was_drawn() -> None:
    """THR-6: what the gamemaster takes out of the pool is common Threat."""
    game = Lair(2)
    game.draw(2)
    game.do(AdjustPool(pool=Pool.THREAT, change=-2))
    assert (game.table.threat, game.own) == (0, 3)


def test_prices_leave_out_what_goes_back() -> None:
    """THR-6: a creature's own Threat goes back by itself, whatever is chosen, so no price tells of it."""
    game = Lair(1)
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=4))
    game.turn()
    game.attack(game.beast, game.okafor, "phase_pistol")
    before = {one.command: one.price for one in options(game.table)}
    game.draw(2)
    after = {one.command: one.price for one in options(game.table)}
    kept = before.keys() & after.keys()
    assert {one: after[one] for one in kept} == {one: before[one] for one in kept}
    assert any(before[one].momentum for one in kept)
    assert any(before[one].threat for one in kept)


OTHERS: list[Command] = [
    SpendThreat(event="environment_effect"),
    SpendThreat(event="reinforce_minor", amount=2),
    CreateProblem(),
    AdjustPool(pool=Pool.THREAT, change=-1),
    AdjustPool(pool=Pool.THREAT, change=1),
]


@given(
    pool=st.integers(0, 3),
    steps=st.lists(st.tuples(st.integers(1, 3), st.sampled_from(OTHERS)), min_size=1, max_size=4),
)
def test_nobody_else_ever_spends_it(pool: int, steps: list[tuple[int, Command]]) -> None:
    """THR-6: whatever is tried, the creature has all its points afterwards, and so has the common pool."""
    game = Lair(pool)
    for points, command in steps:
        common = game.table.threat
        game.draw(points)
        assert all(one.command != command or game.table.threat - points > 0 for one in options(game.table)), (
            "no option needs the creature's points"
        )
        try:
            game.do(command)
        except Refusal:
            game.do(AdjustPool(pool=Pool.MOMENTUM, change=1))
        assert game.own == 3
        assert 0 <= game.table.threat <= common + 1

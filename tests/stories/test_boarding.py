"""A stealthy boarding: up a shaft unseen, then hand to hand in a cargo bay, until the raiders' leader lies there."""

from __future__ import annotations

import pytest

from rules.conflict.injuries import AvoidInjury, FallDown
from rules.conflict.rounds import Entrant, NextRound
from rules.dice import Symbol
from rules.setup.setting_up import StartScene
from rules.state.tasks import Assistance
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, InjuryState, Spend, Standing
from rules.tasks.settling import MakeSpend, TakeComplication
from tests.stories.telling import Story

BLANK, EFFECT = Symbol.BLANK, Symbol.EFFECT


class Boarding(Story):
    """Okafor with a bludgeon and Lindqvist with a phaser, against Brack with a blade and his sentry."""

    def __init__(self) -> None:
        super().__init__()
        ann, bob = (one.player_id for one in self.table.players)
        self.cast(self.okafor, "Okafor", player_id=ann, weapons=("bludgeon",))
        self.cast(self.lindqvist, "Lindqvist", player_id=bob, weapons=("phaser_type_1",))
        self.cast(self.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("blade",), resistance=1)
        self.sentry = self.character("Sentry", standing=Standing.MINOR_NPC, weapons=("phaser_type_1",))


def tell(game: Boarding) -> None:
    game.do(StartScene(name="Cargo bay"))
    game.pools(momentum=1, threat=4)
    creep_up_the_shaft(game)
    first_round(game)
    second_round(game)


def creep_up_the_shaft(game: Boarding) -> None:
    # Okafor leads, Lindqvist assists with Insight 10 + Conn 2 = 12.
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.INSIGHT, discipline=Discipline.CONN)
    game.declare(
        discipline=Discipline.SECURITY, difficulty=2, assists=(helper,), label="Creep up the shaft", rerolls=()
    )
    assert game.task.target_number == 14
    game.throw(5, 12)
    game.throw(9)
    # 3 successes against 2: 1 Momentum, saved.
    game.finish()
    assert (game.table.momentum, game.table.threat) == (2, 4)


def first_round(game: Boarding) -> None:
    people = (game.okafor, game.lindqvist, game.brack, game.sentry)
    game.conflict(ConflictKind.PERSONAL, *(Entrant(combatant_id=one) for one in people), begins=game.okafor)

    # Okafor drops into Brack's Reach and swings: Daring 9 + Security 3 = 12.
    game.begin(game.okafor)
    game.minor(game.okafor, "movement", target_id=game.brack)
    game.take(game.okafor, "attack", target_id=game.brack, weapon="bludgeon")
    assert (game.task.target_number, game.task.difficulty) == (12, 1)
    game.throw(4, 12)
    game.take(game.brack, "defend", weapon="blade")
    game.throw(15, 9)
    # 2 successes beat 1: Okafor has 1 Momentum, and 2 + 3 Challenge Dice. 1 + 2 + 1 + 0 + 1 = 5 and an Effect.
    game.follow(EFFECT, 2, 1, BLANK, 1)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE))
    game.settle()
    # 6 less Resistance 1 = 5: Stress 11 to 6, and an Injury, which Brack avoids for 2 Threat.
    assert game.body(game.brack).stress == 6
    game.do(AvoidInjury())
    assert (game.table.momentum, game.table.threat) == (2, 2)
    # The bludgeon knocks him down.
    game.do(FallDown())
    game.finish()
    assert (game.body(game.brack).prone, game.body(game.brack).injury) == (True, InjuryState.NONE)
    game.end()

    # Brack gets up and swings back. He misses with both dice, a 20 among them; Okafor's blow lands instead.
    game.begin(game.brack)
    game.minor(game.brack, "stand")
    game.take(game.brack, "attack", target_id=game.okafor, weapon="blade")
    game.throw(18, 20)
    game.take(game.okafor, "defend", weapon="bludgeon")
    game.throw(7, 19)
    # 2 + 2 + 1 = 5 less 1 = 4: Stress 6 to 2. No Effect, so he stays up.
    game.follow(2, 2, 1, BLANK, BLANK)
    game.settle()
    assert (game.body(game.brack).stress, game.body(game.brack).prone) == (2, False)
    game.finish()
    # His Complication is the gamemaster's to settle.
    game.do(TakeComplication(name="Blade stuck in a crate"))
    game.end()

    # Lindqvist covers Okafor: Guard for somebody else is Difficulty 1, Insight 10 + Security 3 = 13.
    game.begin(game.lindqvist)
    game.take(game.lindqvist, "guard", Attribute.INSIGHT, target_id=game.okafor)
    assert (game.task.target_number, game.task.difficulty) == (13, 1)
    game.throw(8, 14)
    game.finish()
    assert game.lasting == {("guard", game.okafor)}
    game.end()

    # The sentry fires at Okafor: Difficulty 2 and 1 more for the Guard. 2 successes are not enough.
    game.begin(game.sentry)
    game.take(game.sentry, "attack", Attribute.CONTROL, target_id=game.okafor, weapon="phaser_type_1")
    assert game.task.difficulty == 3
    game.throw(3, 9)
    game.finish()
    game.end()


def second_round(game: Boarding) -> None:
    game.do(NextRound())
    assert game.table.conflict is not None
    assert game.table.conflict.round == 2

    # Okafor strikes again: 2 successes, Brack none. 1 Momentum; 1 + 2 + 1 + 2 = 6 less 1 = 5.
    game.begin(game.okafor)
    game.take(game.okafor, "attack", target_id=game.brack, weapon="bludgeon")
    game.throw(2, 11)
    game.take(game.brack, "defend", weapon="blade")
    game.throw(16, 17)
    game.follow(1, 2, 1, 2, BLANK)
    game.settle()
    game.finish()


def assert_end(game: Boarding) -> None:
    brack, okafor = game.body(game.brack), game.body(game.okafor)
    # Stress 2 less 5 is 0: two Injuries at once, for 5 damage and for the last of the Stress. Brack avoided his one
    # of this scene before; a second Injury that is not lethal makes the first one lethal.
    assert (brack.stress, brack.injury, brack.avoided, brack.prone) == (0, InjuryState.LETHAL, True, False)
    assert (okafor.stress, okafor.injury) == (11, InjuryState.NONE)
    assert game.body(game.lindqvist).injury is InjuryState.NONE
    # 2 Momentum and the 1 of the last blow; 4 Threat less 2 for the Injury avoided.
    assert (game.table.momentum, game.table.threat) == (3, 2)
    # Lindqvist's Guard lasts until her next Turn, and it is Okafor's Turn.
    assert game.lasting == {("guard", game.okafor)}
    assert game.whose_turn == game.okafor
    assert "Blade stuck in a crate" in {one.name for one in game.table.traits}
    assert not game.table.agenda
    assert game.table.attack is None
    assert game.table.task is None


@pytest.mark.parametrize("restarts", [False, True])
def test_the_boarding(restarts: bool) -> None:  # noqa: FBT001 - a case
    """TURN-1 to TURN-3, ASST-1, ATK-2, ACT-4, DMG-3 to DMG-7, EFF-3, MOM-1."""
    game = Boarding()
    game.restarts = restarts
    tell(game)
    assert_end(game)


def test_the_boarding_is_taken_back() -> None:
    """Every step gives its exact table back."""
    game = Boarding()
    tell(game)
    game.take_all_back()
    assert_end(game)

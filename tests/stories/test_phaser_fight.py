"""A phaser fight around a transporter pad: a shot that spreads, crates for cover, First Aid for an enemy."""

from __future__ import annotations

import pytest

from rules.conflict.cover import SetCover
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidInjury
from rules.conflict.rounds import Entrant, NextRound, PassTurn, SetReach
from rules.dice import Symbol
from rules.setup.setting_up import StartScene
from rules.state.vocabulary import (
    Attribute,
    ConflictKind,
    Discipline,
    InjuryState,
    RerollReason,
    Ruleset,
    Spend,
    Standing,
)
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import MakeSpend
from tests.rules.tabletop import disciplines
from tests.stories.telling import Story

BLANK, EFFECT = Symbol.BLANK, Symbol.EFFECT


class PhaserFight(Story):
    """Okafor with a Phaser Type 2 and Lindqvist, a medic, against Brack with a disruptor and two sentries."""

    def __init__(self) -> None:
        super().__init__(Ruleset.STARTER)
        ann, bob = (one.player_id for one in self.table.players)
        self.cast(self.okafor, "Okafor", player_id=ann, weapons=("phaser_type_2",))
        self.cast(self.lindqvist, "Lindqvist", player_id=bob, disciplines=disciplines(medicine=3))
        self.cast(self.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("disruptor_pistol",))
        self.near = self.character("Near Sentry", standing=Standing.MINOR_NPC, stress_max=5)
        self.far = self.character("Far Sentry", standing=Standing.MINOR_NPC)


def tell(game: PhaserFight) -> None:
    game.do(StartScene(name="Transporter pad"))
    game.pools(momentum=1, threat=3)
    people = (game.okafor, game.lindqvist, game.brack, game.near, game.far)
    game.conflict(ConflictKind.PERSONAL, *(Entrant(combatant_id=one) for one in people), begins=game.okafor)
    # The two sentries stand shoulder to shoulder behind crates, which cover the nearer one with 2 Challenge Dice.
    game.do(SetReach(first_id=game.near, second_id=game.far))
    game.do(SetCover(character_id=game.near, dice=2))
    okafor_fires(game)
    brack_fires_back(game)
    lindqvist_helps_the_enemy(game)
    # The players had the last Turn, so Brack opens the second Round; he waits for what they do.
    game.do(NextRound())
    game.do(PassTurn(combatant_id=game.brack))
    okafor_recovers(game)


def okafor_fires(game: PhaserFight) -> None:
    game.begin(game.okafor)
    # Prepare is free, the Aim after it costs the 1 Momentum.
    game.minor(game.okafor, "prepare")
    game.minor(game.okafor, "aim")
    assert game.table.momentum == 0
    game.take(
        game.okafor, "attack", Attribute.CONTROL, focus=True,
        target_id=game.near, weapon="phaser_type_2", effect="area",
    )  # fmt: skip
    # Control 11 + Security 3; with somebody in the target's Reach a 19 complicates as well.
    assert (game.task.target_number, game.task.difficulty) == (14, 2)
    assert game.task.declaration.complication_range == 2
    game.throw(18, 3)
    # The Aim throws the 18 again. 3 counts twice with the focus: 3 successes, 1 Momentum.
    game.do(RerollDice(positions=(0,), reason=RerollReason.AIM))
    game.throw(6)
    # Phaser 3 + Security 3: 1 + 2 + 2 + 1 + 1 + 0 = 7, with an Effect. The crates stop 1 + 1 = 2.
    game.follow(EFFECT, 2, 2, 1, 1, BLANK)
    game.throw_challenge(1, EFFECT)
    game.settle()
    # 5 get through to a Stress of 5: an Injury for the 5, another for the last of the Stress.
    assert (game.body(game.near).stress, game.body(game.near).injury) == (0, InjuryState.LETHAL)
    # Nothing covers the far sentry, who takes the whole 7: Stress 11 to 4, and one Injury.
    game.do(ChooseTargets(target_ids=(game.far,)))
    assert (game.body(game.far).stress, game.body(game.far).injury) == (4, InjuryState.NONLETHAL)
    game.finish()
    assert game.table.momentum == 1
    game.end()


def brack_fires_back(game: PhaserFight) -> None:
    game.begin(game.brack)
    game.take(game.brack, "attack", Attribute.CONTROL, target_id=game.okafor, weapon="disruptor_pistol")
    game.throw(2, 10)
    # 2 successes against 2. Disruptor 3 + Security 3: 1 + 1 + 1 + 2 = 5, and Vicious adds 1 for each of 2 Effects: 7.
    game.follow(EFFECT, EFFECT, 1, 2, BLANK, BLANK)
    game.settle()
    assert game.body(game.okafor).stress == 4
    # Okafor avoids the Injury: the 1 Momentum of the pool, and 1 added to Threat.
    game.do(AvoidInjury(threat_part=1))
    assert (game.table.momentum, game.table.threat) == (0, 4)
    game.finish()
    game.end()


def lindqvist_helps_the_enemy(game: PhaserFight) -> None:
    game.begin(game.lindqvist)
    game.take(game.lindqvist, "first_aid", Attribute.DARING, Discipline.MEDICINE, target_id=game.near)
    # Daring 9 + Medicine 3, Difficulty 1: 2 successes, 1 Momentum.
    assert (game.task.target_number, game.task.difficulty) == (12, 1)
    game.throw(5, 11)
    game.finish()
    assert game.body(game.near).stabilised
    game.end()


def okafor_recovers(game: PhaserFight) -> None:
    game.begin(game.okafor)
    game.take(game.okafor, "recover", Attribute.FITNESS, Discipline.COMMAND, focus=True)
    # Fitness 8 + Command 3, Difficulty 2: 2 and 3 count twice each with the focus. 2 Momentum, 1 of it for 2 Stress.
    assert (game.task.target_number, game.task.difficulty) == (11, 2)
    game.throw(2, 3)
    game.do(MakeSpend(spend=Spend.REGAIN_STRESS))
    game.finish()


def assert_end(game: PhaserFight) -> None:
    okafor, brack = game.body(game.okafor), game.body(game.brack)
    # 11 less 7, and 2 regained; she may avoid an Injury again.
    assert (okafor.stress, okafor.injury, okafor.avoided) == (6, InjuryState.NONE, False)
    assert (game.body(game.lindqvist).stress, game.body(game.lindqvist).injury) == (11, InjuryState.NONE)
    assert (brack.stress, brack.injury) == (11, InjuryState.NONE)
    near, far = game.body(game.near), game.body(game.far)
    assert (near.stress, near.injury, near.stabilised) == (0, InjuryState.LETHAL, True)
    assert (far.stress, far.injury, far.stabilised) == (4, InjuryState.NONLETHAL, False)
    # 1 Momentum of the First Aid and 1 left of Recover; the starter set, too, keeps Threat at 3 + 1.
    assert (game.table.momentum, game.table.threat) == (2, 4)
    assert game.lasting == {("cover", game.near), ("recover_cover", game.okafor)}
    assert game.whose_turn == game.okafor
    assert game.table.conflict is not None
    assert game.table.conflict.round == 2
    assert game.table.task is None
    assert game.table.attack is None
    assert not game.table.agenda


@pytest.mark.parametrize("restarts", [False, True])
def test_the_phaser_fight(restarts: bool) -> None:  # noqa: FBT001 - a case
    """ACT-1, ACT-3, ACT-5, ACT-7, ATK-3, QUAL-2, EFF-1, EFF-5, DMG-2 to DMG-7."""
    game = PhaserFight()
    game.restarts = restarts
    tell(game)
    assert_end(game)


def test_the_phaser_fight_is_taken_back() -> None:
    """Every step gives its exact table back."""
    game = PhaserFight()
    tell(game)
    game.take_all_back()
    assert_end(game)

"""What a conflict costs: a whole chain of an attack, the legal options in a busy Round, an actor's menu."""

from __future__ import annotations

from collections.abc import Iterator

from rules import commands as c
from rules import commands_conflict as cc
from rules import commands_fighting as cf
from rules import commands_turns as ct
from rules.dice import Symbol
from rules.history import History
from rules.menu import menu
from rules.messages import Command
from rules.options import options
from rules.state_conflict import Action
from tests.bench.measure import Row, each, milliseconds
from tests.bench.play import decided
from tests.rules.brawl import Brawl, acting
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE

TIMES = 500


def busy_round() -> Brawl:
    """Five people in a fight, Brack behind cover, Guard and Aim in force, and Okafor's Turn."""
    game = Brawl(momentum=6)
    players = [one.player_id for one in game.table.players]
    for character_id, name, player_id, value in zip(
        (game.okafor, game.lindqvist), ("Okafor", "Lindqvist"), players, (OKAFOR_VALUE, LINDQVIST_VALUE), strict=True
    ):
        game.save(character_id, name, player_id=player_id, values=(value,), weapons=("phaser_type_2", "knife"))
    game.threat(8)
    game.fight(game.okafor)
    game.do(cf.SetCover(character_id=game.brack, dice=2))
    game.do(ct.TakeMinorAction(character_id=game.okafor, action=Action(name="aim")))
    game.do(cf.AdjustStress(character_id=game.brack, change=-6))
    return game


def chain(game: Brawl) -> tuple[Command, ...]:
    """An attack, its dice, damage, cover, two Injuries from one hit, one avoided and one suffered, and the end."""
    effect = Symbol.EFFECT
    return (
        c.DeclareTask(
            declaration=acting(game.okafor, Action(name="attack", target_id=game.brack, weapon="phaser_type_2"))
        ),
        c.EnterDice(request=0, faces=(1, 2)),
        cc.FollowThrough(),
        c.EnterDice(request=0, faces=(2, 2, 2, 2, effect, effect)),
        c.EnterDice(request=0, faces=(1, 1)),
        cf.SettleDamage(),
        cf.AvoidInjury(),
        c.FinishSpending(),
    )


def played(history: History, commands: tuple[Command, ...]) -> History:
    """The history after the chain; dice are entered for whatever request waits."""
    for command in commands:
        waiting = history.present.request
        if isinstance(command, c.EnterDice) and waiting is not None:
            command = c.EnterDice(request=waiting.number, faces=command.faces)  # noqa: PLW2901 - the same dice, addressed
        history, _ = decided(history, command, history.next_decision)
    return history


def rows() -> Iterator[Row]:
    """Milliseconds of each."""
    game = busy_round()
    start, commands = game.history, chain(game)
    taken = each(TIMES, lambda: played(start, commands))
    yield Row(f"rules: a full attack chain of {len(commands)} decisions", milliseconds(taken))
    table = start.present
    yield Row(
        f"rules: the {len(options(table))} legal options of a busy Round",
        milliseconds(each(TIMES, lambda: options(table))),
    )
    spending = played(start, commands[:2]).present
    yield Row(
        f"rules: the {len(options(spending))} legal options after a hit",
        milliseconds(each(TIMES, lambda: options(spending))),
    )
    yield Row("rules: the menu of an actor", milliseconds(each(TIMES, lambda: menu(table, game.okafor))))

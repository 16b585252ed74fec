"""What a conflict costs: a whole chain of an attack, the legal options in a busy Round, an actor's menu."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rules.conflict.bodies import AdjustStress
from rules.conflict.budget import TakeMinorAction
from rules.conflict.cover import SetCover
from rules.conflict.damage_spends import SettleDamage
from rules.conflict.injuries import AvoidInjury
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt
from rules.deciding.decision import Command
from rules.dice import Symbol
from rules.history import History
from rules.legal.menu import menu
from rules.legal.offers import options
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.vocabulary import ConflictKind, CrewQuality, Layout, Ruleset, Terrain
from rules.tasks.actions import FollowThrough
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice
from tests.bench.measure import Row, each, milliseconds
from tests.bench.play import decided
from tests.rules.brawl import Brawl, acting
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE, Game, disciplines, systems

TIMES = 500
MAP_TIMES = 50
ZONES = 16


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
    game.do(SetCover(character_id=game.brack, dice=2))
    game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="aim")))
    game.do(AdjustStress(character_id=game.brack, change=-6))
    return game


def on_foot() -> Skirmish:
    """Four people on a map, one of its zones hard to leave, and Okafor's Turn."""
    game = Skirmish(Ruleset.CORE_1E, begins="okafor", momentum=4)
    draw_map(game, (game.okafor, game.lindqvist, game.brack, game.dorr))
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def of_ships(ruleset: Ruleset) -> Fleet:
    """Eight ships on such a map, and the Turn of Okafor, who has the helm."""
    game = Fleet(momentum=4) if ruleset is Ruleset.SECOND_EDITION else Squadron(momentum=4, ruleset=ruleset)
    for number in range(8 - len(game.table.ships)):
        game.do(
            SaveShip(
                name=f"Raider {number}",
                scale=3,
                crew=CrewQuality.TALENTED,
                systems=systems(),
                departments=disciplines(),
                shields=3,
            )
        )
    ships = tuple(one.ship_id for one in game.table.ships)
    draw_map(game, ships)
    helm = Entrant(combatant_id=game.okafor, ship_id=game.ship, station="helm")
    others = tuple(Entrant(combatant_id=one) for one in ships if one != game.ship)
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(helm, *others), begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def draw_map(game: Game, who: tuple[str, ...]) -> None:
    """A line of zones, and each of those named in one of their own."""
    game.do(DrawMap(zones=tuple(f"Zone {number}" for number in range(ZONES)), layout=Layout.LINE))
    assert game.table.zone_map is not None
    zones = [one.zone_id for one in game.table.zone_map.zones]
    game.do(ChangeZone(zone_id=zones[1], terrain=Terrain.DENSE_NEBULA, difficulty=1, concealment=1, cover=1))
    for one, zone in zip(who, zones, strict=False):
        game.do(PlaceAt(who_ids=(one,), zone_id=zone))


def chain(game: Brawl) -> tuple[Command, ...]:
    """An attack, its dice, damage, cover, two Injuries from one hit, one avoided and one suffered, and the end."""
    effect = Symbol.EFFECT
    return (
        DeclareTask(
            declaration=acting(game.okafor, Action(name="attack", target_id=game.brack, weapon="phaser_type_2"))
        ),
        EnterDice(request=0, faces=(1, 2)),
        FollowThrough(),
        EnterDice(request=0, faces=(2, 2, 2, 2, effect, effect)),
        EnterDice(request=0, faces=(1, 1)),
        SettleDamage(),
        AvoidInjury(),
        FinishSpending(),
    )


def played(history: History, commands: tuple[Command, ...]) -> History:
    """The history after the chain; dice are entered for whatever request waits."""
    for command in commands:
        waiting = history.present.request
        if isinstance(command, EnterDice) and waiting is not None:
            command = EnterDice(request=waiting.number, faces=command.faces)  # noqa: PLW2901 - the same dice, addressed
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
    for what, scene in (("on foot", on_foot()), *((f"of 8 ships, {one.value}", of_ships(one)) for one in Ruleset)):
        there, who = scene.table, scene.okafor
        yield Row(
            f"rules: the menu of an actor {what}, on a map of {ZONES} zones",
            milliseconds(each(MAP_TIMES, partial(menu, there, who))),
        )

"""Random play of whole conflicts: one number is one move, so that a failing course of play shrinks move by move. A move
throws the awaited dice, takes an option or an action of the menu, or sends a command that is mostly refused.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from rules.conflict.bodies import AdjustStress, RestoreEverybody
from rules.conflict.budget import TakeMinorAction
from rules.conflict.chain import StrikeHazard
from rules.conflict.cover import SetCover
from rules.conflict.creatures import BringIn, TakeWeapon
from rules.conflict.damage_spends import RerollDamage
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidHow, AvoidInjury, PushOn, SufferInjury
from rules.conflict.lasting import EndEffect
from rules.conflict.order import may_begin
from rules.conflict.rounds import (
    BeginTurn,
    EndTurn,
    Entrant,
    KeepInitiative,
    NextRound,
    PassTurn,
    RemoveCombatant,
    SetReach,
    StartConflict,
)
from rules.deciding.decision import Command
from rules.dice import DieKind, Face
from rules.legal.offers import Option, options
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.ships.first.breaching import NameCasualty
from rules.ships.first.choosing import RerollShipDamage, SettleShipHit
from rules.ships.first.rounds import NameShipsHit
from rules.ships.second.hits import ChooseStruckSystem, SettleHit
from rules.ships.second.leaving import AbandonShip, ChooseLargeShipTurns, ChooseShaken
from rules.ships.second.movement import SetTerrain
from rules.ships.second.numbers import LargeShipTurns
from rules.ships.shaken import RESULTS
from rules.ships.striking import StrikeShip
from rules.ships.upkeep import AdjustPower, ComplicateShip, RestoreShields, ShelterShip, SpendCrewSupport
from rules.state.conflict import Action
from rules.state.people import Ability, WeaponTrait
from rules.state.ships import ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Declaration, Purchase, ShipAssistance
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    CrewQuality,
    Discipline,
    Payer,
    Pool,
    Range,
    RerollReason,
    Ruleset,
    ShipWeaponKind,
    Spend,
    Standing,
    System,
    Terrain,
    ValueAction,
)
from rules.table import PLAYBOOK
from rules.tasks.actions import FollowThrough
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.declaring import BuyDie, CreateProblem, DeclareTask, WithdrawTask
from rules.tasks.determination import SurgeOfActivity, UseValueAgainst
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.pools import AdjustPool
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, TakeComplication
from rules.tasks.task_dice import ThrowAgainst
from rules.tasks.throwing import EnterDice
from tests.rules.brawl import Brawl
from tests.rules.tabletop import (
    LINDQVIST_VALUE,
    OKAFOR_VALUE,
    Game,
    challenge_die,
    die,
    disciplines,
    fitting,
    reading,
    systems,
)

PHASERS: Final = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=7)
TORPEDOES: Final = ShipWeapon(
    name="Torpedoes",
    kind=ShipWeaponKind.TORPEDO,
    rating=5,
    qualities=(WeaponTrait(name="calibration"), WeaponTrait(name="high_yield")),
)
_ENDS: Final = ("end_conflict", "end_effect", "end_extended_task", "challenge_value", "pass_turn")
_ONWARD: Final = {"follow_through", "settle_damage", "settle_ship_hit", "settle_hit:0", "finish_spending"}

SPREAD: Final = ShipWeapon(
    name="Spread",
    kind=ShipWeaponKind.TORPEDO,
    rating=4,
    effects=(WeaponTrait(name="area"), WeaponTrait(name="piercing", amount=1)),
)


def fight_on_foot(ruleset: Ruleset) -> Brawl:
    """Four people and a creature, in each other's Reach, with a grenade and a blade about."""
    game = Brawl(ruleset, momentum=4)
    ann, bob = (player.player_id for player in game.table.players)
    game.save(
        game.okafor,
        "Okafor",
        player_id=ann,
        values=(OKAFOR_VALUE,),
        weapons=("phaser_type_2", "knife", "pulse_grenade"),
    )
    game.save(
        game.lindqvist, "Lindqvist", player_id=bob, values=(LINDQVIST_VALUE,), weapons=("heavy_blade",), resistance=1
    )
    beast = game.character(
        "Beast",
        standing=Standing.NOTABLE_NPC,
        abilities=tuple(Ability(name=one, amount=1) for one in ("menacing", "fast_recovery", "threatening")),
        stress_max=5,
    )
    game.threat(5)
    people = (game.okafor, game.lindqvist, game.brack, game.guard, beast)
    entrants = tuple(Entrant(combatant_id=one) for one in people)
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants, begins=game.okafor))
    for first, second in ((game.okafor, game.brack), (game.lindqvist, game.brack), (game.guard, game.brack)):
        game.do(SetReach(first_id=first, second_id=second))
    return game


def ship_duel(ruleset: Ruleset) -> Game:
    """The Far Lantern with two officers on the bridge against a raider with a Talented crew."""
    game = Game(ruleset, momentum=4)
    weapons = (PHASERS, TORPEDOES, SPREAD)
    numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "weapons": weapons, "shields": 3}
    game.do(SaveShip(ship_id=game.ship, name="Far Lantern", scale=4, **numbers))
    game.do(SaveShip(name="Black Comet", scale=3, crew=CrewQuality.TALENTED, **numbers))
    raider = game.table.ships[-1].ship_id
    game.do(AdjustPool(pool=Pool.THREAT, change=6))
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    return game


def move(table: Table, number: int) -> Command:
    """The command that one number stands for at the table as it is; it may be refused."""
    chance = Random(number)  # noqa: S311 - the number is the move
    kind = chance.random()
    if table.request is not None:
        return _thrown(table, chance) if kind < 0.85 else _any(table, chance)
    waits = table.held is not None or bool(table.agenda) or table.task is not None
    if kind < (0.75 if waits else 0.25):
        offered = options(table)
        return _chosen(offered, chance) if offered else _any(table, chance)
    if kind < 0.9:
        return action_of(table, chance)
    return _any(table, chance)


def _chosen(offered: tuple[Option, ...], chance: Random) -> Command:
    """Something offered: seldom what ends everything, often what goes on with what is in hand."""
    onward = [one for one in offered if one.option_id in _ONWARD]
    if onward and chance.random() < 0.3:
        return chance.choice(onward).worded()
    lasting = [one for one in offered if not one.option_id.startswith(_ENDS)]
    return chance.choice(lasting if lasting and chance.random() < 0.97 else offered).worded()


def face_of(kind: DieKind, chance: Random) -> Face:
    return chance.randint(1, 20 if kind is DieKind.D20 else 6)


def _thrown(table: Table, chance: Random) -> Command:
    request = table.request
    assert request is not None
    faces = tuple(face_of(request.kind, chance) for _ in range(request.count))
    if request.kind is DieKind.D20 and chance.random() < 0.5:
        faces = tuple(chance.randint(1, 8) for _ in faces)
    if chance.random() < 0.5:
        return EnterDice(request=request.number, faces=faces)
    make = die if request.kind is DieKind.D20 else challenge_die
    return reading(*(make(one) for one in faces), *(make(one) for one in request.kept))


def ids_of(table: Table) -> tuple[str, ...]:
    return (*(one.character_id for one in table.characters), *(one.ship_id for one in table.ships))


def actor_of(table: Table, chance: Random) -> str:
    turn = table.conflict.turn if table.conflict is not None else None
    if turn is not None and chance.random() < 0.85:
        return turn.guest_id or turn.combatant_id
    ready = may_begin(table)
    return chance.choice(ready).combatant_id if ready else chance.choice(ids_of(table))


def action_of(table: Table, chance: Random) -> Command:
    """Some action of whoever acts; between Turns mostly the beginning of one."""
    actor = actor_of(table, chance)
    if table.conflict is not None and table.conflict.turn is None and chance.random() < 0.8:
        return BeginTurn(combatant_id=actor)
    return action_by(table, chance, actor)


def action_by(table: Table, chance: Random, actor: str) -> DeclareTask | TakeMinorAction:
    """Some action of the ruleset by somebody, with choices that may fit."""
    on_foot = table.conflict is None or table.conflict.kind is ConflictKind.PERSONAL
    wanted = ActionScope.PERSONAL if on_foot else chance.choice(tuple(ActionScope))
    rows = [row for (scope, _, ruleset), row in PLAYBOOK.rows.items() if ruleset is table.ruleset and scope is wanted]
    striking = [row for row in rows if row.name in {"attack", "fire", "fire_weapon"}]
    row = chance.choice(striking if striking and chance.random() < 0.55 else rows)
    needs = set(row.needs)
    weapons = [weapon for one in table.characters if one.character_id == actor for weapon in one.weapons]
    ships = tuple(one.ship_id for one in table.ships)
    mounted = [weapon.name for ship in table.ships for weapon in ship.weapons]
    action = Action(
        name=row.name,
        scope=row.scope,
        target_id=chance.choice(ids_of(table) if on_foot else ships or ids_of(table)) if "target_id" in needs else "",
        weapon=chance.choice(["", *(weapons if on_foot else mounted)]) if "weapon" in needs or chance.random() < 0.1
        else "",
        lethal="lethal" in needs and chance.random() < 0.4,
        effect=chance.choice(["", "", "area", "vicious"]) if "effect" in needs else "",
        system=chance.choice([None, *System]) if "system" in needs else None,
        at_range=chance.choice([None, *Range]) if "at_range" in needs else None,
        zones=chance.randint(0, 3) if "zones" in needs else 0,
        level=chance.choice([None, 0, 1, 2]) if "level" in needs else None,
        note=chance.choice(["", "Smoke"]) if "note" in needs else "",
        in_cover="in_cover" in needs and chance.random() < 0.3,
    )  # fmt: skip
    if row.minor:
        return TakeMinorAction(character_id=actor, action=action, threat_part=chance.choice([0, 0, 1, 2]))
    declaration = Declaration(
        character_id=actor,
        attribute=chance.choice(row.attributes or tuple(Attribute)),
        discipline=chance.choice(row.disciplines or tuple(Discipline)),
        focus=chance.random() < 0.5,
        purchases=tuple(
            Purchase(payer=chance.choice([Payer.MOMENTUM, Payer.THREAT, Payer.TALENT]))
            for _ in range(chance.choice([0, 0, 1, 2]))
        ),
        ship=ShipAssistance(
            ship_id=chance.choice(ships),
            system=chance.choice(tuple(System)),
            department=chance.choice(tuple(Discipline)),
        )
        if chance.random() < 0.1
        else None,
        complication_range=chance.choice([1, 1, 3]),
        action=action,
    )
    return DeclareTask(declaration=fitting(table, declaration, chosen=True) if chance.random() < 0.95 else declaration)


def _any(table: Table, chance: Random) -> Command:
    """Anything of any subject, mostly refused as the table stands."""
    return chance.choice(_ANY)(table, chance)


def _character(table: Table, chance: Random) -> str:
    return chance.choice([*(one.character_id for one in table.characters), "nobody"])


def _ship(table: Table, chance: Random) -> str:
    return chance.choice([*(one.ship_id for one in table.ships), "nothing"])


def _value(chance: Random) -> str:
    return chance.choice([OKAFOR_VALUE, LINDQVIST_VALUE, ""])


def _places(chance: Random) -> tuple[int, ...]:
    return tuple(chance.sample(range(6), chance.randint(0, 3)))


def _settled(table: Table, _: Random) -> Command:
    """Whatever closes the thing in hand."""
    return TakeComplication() if table.task is not None and table.task.complications_open else FinishSpending()


_ANY: Final[tuple[Callable[[Table, Random], Command], ...]] = (
    _settled,
    lambda _, r: MakeSpend(spend=r.choice(tuple(Spend)), times=r.randint(0, 3), threat_part=r.randint(-1, 3)),
    lambda _, r: MakeSpend(spend=r.choice(tuple(Spend)), times=r.randint(0, 3), threat_part=r.randint(-1, 3)),
    lambda _, r: BuyDie(purchase=Purchase(payer=r.choice(tuple(Payer))), value=_value(r)),
    lambda _, r: CreateProblem(steps=r.randint(0, 3), threat_part=r.randint(0, 2)),
    lambda _, r: AdjustPool(pool=r.choice(tuple(Pool)), change=r.randint(-4, 4)),
    lambda _, r: RerollDice(positions=_places(r), reason=r.choice(tuple(RerollReason)), value=_value(r)),
    lambda _, r: CorrectScoredDie(position=r.randint(0, 5), face=r.randint(1, 20), challenge=r.random() < 0.3),
    lambda t, r: SurgeOfActivity(character_id=_character(t, r), value=_value(r)),
    lambda t, r: UseValueAgainst(
        character_id=_character(t, r), value=_value(r), action=r.choice(tuple(ValueAction)), complication="Late"
    ),
    lambda _, r: DeclareChallenge(count=r.randint(0, 4), who="Okafor"),
    lambda _, __: WithdrawTask(),
    lambda _, __: ThrowAgainst(),
    lambda _, __: StartScene(),
    lambda _, __: BuyOffComplication(),
    lambda _, __: FollowThrough(),
    lambda _, __: FollowThrough(),
    lambda t, r: EndEffect(effect_id=r.choice([one.effect_id for one in t.effects] or ["none"])),
    lambda t, r: SetCover(character_id=_character(t, r), dice=r.randint(0, 3)),
    lambda t, r: StrikeHazard(
        target_id=_character(t, r),
        rating=r.randint(0, 6),
        reason="Falling rocks",
        effects=r.choice([(), ("knockdown",), ("persistent:1",), ("piercing:2",)]),
        lethal=r.random() < 0.5,
    ),
    lambda _, r: RerollDamage(positions=_places(r)),
    lambda t, r: ChooseTargets(target_ids=(_character(t, r),)),
    lambda _, r: AvoidInjury(
        how=r.choice(tuple(AvoidHow)), threat_part=r.randint(0, 3), complication=r.choice(["", "Late"])
    ),
    lambda _, __: SufferInjury(),
    lambda t, r: TakeWeapon(character_id=_character(t, r), weapon="phaser_rifle", threat_part=r.randint(0, 2)),
    lambda t, r: PushOn(character_id=_character(t, r), value=_value(r)),
    lambda t, r: BringIn(character_id=_character(t, r), reinforcement=r.random() < 0.5),
    lambda _, __: RestoreEverybody(),
    lambda t, r: AdjustStress(character_id=_character(t, r), change=r.randint(-3, 3)),
    lambda t, r: BeginTurn(combatant_id=r.choice(ids_of(t))),
    lambda _, __: EndTurn(),
    lambda _, __: EndTurn(),
    lambda t, r: PassTurn(combatant_id=r.choice(["", *ids_of(t)])),
    lambda t, r: KeepInitiative(ally_id=r.choice(ids_of(t)), threat_part=r.randint(0, 2)),
    lambda _, __: NextRound(),
    lambda t, r: SetReach(first_id=r.choice(ids_of(t)), second_id=r.choice(ids_of(t)), in_reach=r.random() < 0.8),
    lambda t, r: RemoveCombatant(combatant_id=r.choice([*ids_of(t), *["nobody"] * 8])),
    lambda t, r: AdjustPower(ship_id=_ship(t, r), change=r.randint(-4, 4)),
    lambda t, r: RestoreShields(ship_id=_ship(t, r), shields=r.choice([None, 0, 3, 99])),
    lambda t, r: ComplicateShip(ship_id=_ship(t, r), system=r.choice([None, *System]), name="Sparks"),
    lambda t, r: ShelterShip(ship_id=_ship(t, r), dice=r.randint(0, 3)),
    lambda t, r: SpendCrewSupport(ship_id=_ship(t, r)),
    lambda _, __: SettleShipHit(),
    lambda _, r: RerollShipDamage(positions=_places(r)),
    lambda t, r: NameShipsHit(ship_ids=(_ship(t, r),)),
    lambda t, r: NameCasualty(character_id=_character(t, r), lethal=r.random() < 0.5),
    lambda t, r: SetTerrain(ship_id=_ship(t, r), terrain=r.choice(tuple(Terrain)), hazardous=r.random() < 0.3),
    lambda t, r: StrikeShip(
        ship_id=_ship(t, r),
        damage=r.randint(0, 12),
        reason="a hazard",
        system=r.choice([None, *System]),
        piercing=r.randint(0, 2),
    ),
    lambda _, r: SettleHit(reductions=r.randint(0, 2)),
    lambda _, r: ChooseStruckSystem(system=r.choice(tuple(System))),
    lambda _, r: ChooseShaken(result=r.choice(tuple(RESULTS)), system=r.choice([None, *System])),
    lambda t, r: AbandonShip(ship_id=_ship(t, r)),
    lambda t, r: ChooseLargeShipTurns(ship_id=_ship(t, r), option=r.choice(tuple(LargeShipTurns))),
    lambda _, r: BeginExtendedTask(label="Repairs", work=r.randint(0, 9), magnitude=r.randint(0, 2)),
)
"""One way for each subject to be asked for something."""

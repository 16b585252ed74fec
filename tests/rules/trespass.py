"""What nobody may do just now, tried amid random play: one number is one move, as in `wild`.

A trespass is an action in somebody else's Turn, a second Task, an answer by a bystander, a Minor Action while an answer
is awaited. Beside them stand the spends that give more Tasks and Turns, so that there is something to be overdrawn, and
what keeps them payable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from rules.conflict.budget import TakeMinorAction
from rules.conflict.order import may_begin
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, KeepInitiative, NextRound, PassTurn
from rules.deciding.decision import Command
from rules.legal.offers import declarers
from rules.ships.cards import SaveShip
from rules.ships.upkeep import RestoreShields
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    CrewQuality,
    Discipline,
    Pool,
    Range,
    RerollReason,
    Ruleset,
    Spend,
    Standing,
    TaskPhase,
    ValueAction,
)
from rules.table import PLAYBOOK
from rules.tasks.actions import FollowThrough
from rules.tasks.asking import AskForTask
from rules.tasks.declaring import DeclareTask
from rules.tasks.determination import SurgeOfActivity, UseValueAgainst
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.throwing import EnterDice
from tests.rules.brawl import Brawl
from tests.rules.ledger import waits
from tests.rules.tabletop import Game, disciplines, fitting, systems
from tests.rules.wild import PHASERS, action_by, actor_of, face_of, fight_on_foot, ids_of, move, ship_duel


def brawl_with_onlookers(ruleset: Ruleset) -> Brawl:
    """The fight on foot, with a veteran who has two Turns a Round and somebody who takes no part."""
    game = fight_on_foot(ruleset)
    veteran = game.character("Veteran", standing=Standing.NOTABLE_NPC)
    game.do(AddCombatant(combatant=Entrant(combatant_id=veteran, turns=2)))
    game.character("Onlooker", standing=Standing.MINOR_NPC)
    return game


def two_against_one(ruleset: Ruleset) -> Game:
    """The duel of ships, with a consort on the raider's side."""
    game = ship_duel(ruleset)
    weapons = (PHASERS,)
    numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "weapons": weapons, "shields": 3}
    game.do(SaveShip(name="Ember", scale=2, crew=CrewQuality.TALENTED, **numbers))
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.table.ships[-1].ship_id)))
    return game


def pressing(table: Table, number: int) -> Command:
    """The command that one number stands for at the table as it is; a trespass is to be refused."""
    chance = Random(number)  # noqa: S311 - the number is the move
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(_WHILE_AWAITED if waits(table) else _TRESPASSES)(table, chance)
    if kind < 0.85:
        return onward(table, chance)
    return move(table, chance.getrandbits(24))


# --- going on -----------------------------------------------------------------------------------------------


def onward(table: Table, chance: Random) -> Command:
    """What brings the play on: dice that mostly succeed, what is bought with them, Turns to their end."""
    task = table.task
    if table.request is not None:
        kind = table.request.kind
        low = chance.random() < 0.8
        faces = tuple(chance.randint(1, 5) if low else face_of(kind, chance) for _ in range(table.request.count))
        return EnterDice(request=table.request.number, faces=faces)
    if table.held is not None or table.agenda:
        return move(table, chance.getrandbits(24))
    if task is None:
        turn = table.conflict.turn if table.conflict is not None else None
        done = turn is None or (turn.tasks >= turn.tasks_allowed and not turn.guest_id and not table.surge_for)
        return chance.choice(_BETWEEN if done and chance.random() < 0.7 else _FREELY)(table, chance)
    if task.phase is TaskPhase.AWAITING_OPPOSITION:
        return _answer(table, chance, chance.choice(declarers(table) or ids_of(table)))
    if task.phase is TaskPhase.COMPLICATIONS:
        return TakeComplication()
    return chance.choice(_WITH_A_SUCCESS)(table, chance)


def _scope(table: Table) -> ActionScope:
    on_foot = table.conflict is None or table.conflict.kind is ConflictKind.PERSONAL
    return ActionScope.PERSONAL if on_foot else ActionScope.BRIDGE


def _task(table: Table, chance: Random, who: str, action: Action | None, **changes: Any) -> DeclareTask:  # noqa: ANN401 - of `Declaration`
    """A Task that mostly succeeds, with Momentum."""
    whole: dict[str, Any] = {
        "attribute": Attribute.CONTROL,
        "discipline": Discipline.COMMAND,
        "difficulty": chance.randint(0, 1),
        **changes,
    }
    action = action if action is None else replace(action, scope=_scope(table))
    declaration = Declaration(character_id=who, action=action, **whole)
    return DeclareTask(
        declaration=fitting(table, declaration, *changes, chosen=True) if chance.random() < 0.95 else declaration
    )


def _of_side(table: Table, chance: Random, who: str, *, own: bool) -> str:
    """Somebody else of one's own side, or of the other."""
    seats = table.conflict.combatants if table.conflict is not None else ()
    side = next((one.side for one in seats if one.combatant_id == who), None)
    found = [one.combatant_id for one in seats if (one.side is side) is own and one.combatant_id != who]
    return chance.choice(found or list(ids_of(table)))


def _plain(table: Table, chance: Random) -> Command:
    return _task(table, chance, actor_of(table, chance), chance.choice([None, Action(name="other")]))


def _direct(table: Table, chance: Random) -> Command:
    who = actor_of(table, chance)
    return _task(table, chance, who, Action(name="direct", target_id=_of_side(table, chance, who, own=True)))


def _ready(table: Table, chance: Random) -> Command:
    return _task(table, chance, actor_of(table, chance), Action(name="ready", note="Now"))


def _assist(table: Table, chance: Random) -> Command:
    who = actor_of(table, chance)
    return _task(table, chance, who, Action(name="assist", target_id=_of_side(table, chance, who, own=True)))


def _guard(table: Table, chance: Random) -> Command:
    """Guard, sometimes as if somebody stood against it."""
    who = actor_of(table, chance)
    guarded = Action(name="guard", target_id=chance.choice(["", _of_side(table, chance, who, own=True)]))
    return _task(table, chance, who, guarded, opposed=chance.random() < 0.5)


def _contest(table: Table, chance: Random) -> Command:
    """A Task of no special kind that the other side stands against."""
    return _task(table, chance, actor_of(table, chance), Action(name="other"), opposed=True)


def _interrupt(table: Table, chance: Random) -> Command:
    """Somebody who readied a Task takes it, or directs whose Turn it is."""
    ready = [one.owner_id for one in table.effects if one.name == "ready"]
    turn = table.conflict.turn if table.conflict is not None else None
    holder = turn.combatant_id if turn is not None else ""
    action = chance.choice([Action(name="other"), Action(name="direct", target_id=holder)])
    return _task(table, chance, chance.choice(ready or list(ids_of(table))), action)


def _aided(table: Table, chance: Random) -> Command:
    """A Task with a helper who is named with it, and may give up a Turn for it (ASST-4)."""
    who = actor_of(table, chance)
    helper = Assistance(
        character_id=_of_side(table, chance, who, own=chance.random() < 0.8),
        attribute=Attribute.REASON,
        discipline=Discipline.COMMAND,
    )
    return _task(table, chance, who, Action(name="other"), assists=(helper,))


def _melee(table: Table, chance: Random) -> Command:
    """Whom somebody stands in Reach of is struck with bare hands."""
    who = actor_of(table, chance)
    pairs = [one for one in (table.conflict.reach if table.conflict is not None else ()) if who in one]
    near = [second if first == who else first for first, second in pairs]
    return _task(table, chance, who, Action(name="attack", target_id=chance.choice(near or list(ids_of(table)))))


def _shot(table: Table, chance: Random) -> Command:
    """Somebody is shot at, or a ship is; where ships fight, a weakness is sought first as often."""
    who = actor_of(table, chance)
    target = _of_side(table, chance, who, own=False)
    if _scope(table) is ActionScope.PERSONAL:
        return _task(table, chance, who, Action(name="attack", target_id=target, weapon="phaser_type_2"))
    seats = table.conflict.combatants if table.conflict is not None else ()
    target = next((one.ship_id for one in seats if one.combatant_id == target and one.ship_id), target)
    fire = "fire" if table.ruleset is Ruleset.SECOND_EDITION else "fire_weapon"
    solution = Action(name="targeting_solution", scope=ActionScope.BRIDGE, target_id=target)
    return chance.choice(
        [
            TakeMinorAction(character_id=who, action=solution),
            TakeMinorAction(character_id=who, action=solution),
            _task(table, chance, who, Action(name="scan_for_weakness", target_id=target)),
            _task(table, chance, who, Action(name=fire, target_id=target, weapon="Phasers", at_range=Range.CLOSE)),
        ]
    )


def _surge(table: Table, who: str) -> Command:
    values = [value.text for one in table.characters if one.character_id == who for value in one.values]
    return SurgeOfActivity(character_id=who, value=next(iter(values), ""))


def _last_actor(table: Table) -> str:
    task = table.task or table.last_task
    return task.declaration.character_id if task is not None else ""


def _regain(table: Table, chance: Random) -> Command:
    """A Value in the way gives a point of Determination back (DET-6)."""
    one = chance.choice(table.characters)
    value = next((each.text for each in one.values), "")
    return UseValueAgainst(
        character_id=one.character_id, value=value, action=ValueAction.ACCEPT_COMPLICATION, complication="Late"
    )


def _refill(table: Table, chance: Random) -> Command:
    """Pools that pay, ships that stand."""
    if table.ships and chance.random() < 0.3:
        return RestoreShields(ship_id=chance.choice(table.ships).ship_id)
    pool = chance.choice([Pool.MOMENTUM, Pool.THREAT])
    held = table.momentum if pool is Pool.MOMENTUM else table.threat
    return AdjustPool(pool=pool, change=6 - held)


def _asked(table: Table, chance: Random) -> Command:
    return AskForTask(character_id=chance.choice(ids_of(table)), attribute=Attribute.DARING, discipline=Discipline.CONN)


def _round_goes_on(table: Table, chance: Random) -> Command:
    if table.conflict is not None and table.conflict.turn is not None:
        return EndTurn()
    ready = may_begin(table)
    return BeginTurn(combatant_id=chance.choice(ready).combatant_id) if ready else NextRound()


def _minor(table: Table, chance: Random) -> Command:
    return _minor_of(table, chance, actor_of(table, chance))


def _minor_of(table: Table, chance: Random, who: str) -> Command:
    """A Minor Action of somebody, mostly one that needs nothing."""
    scope = _scope(table)
    rows = [
        row
        for (where, _, ruleset), row in PLAYBOOK.rows.items()
        if row.minor and where is scope and ruleset is table.ruleset
    ]
    row = chance.choice(rows)
    target = chance.choice(ids_of(table)) if "target_id" in row.needs else ""
    return TakeMinorAction(character_id=who, action=Action(name=row.name, scope=scope, target_id=target))


_Move = Callable[[Table, Random], Command]

_FREELY: Final[tuple[_Move, ...]] = (
    _plain,
    _plain,
    _plain,
    _direct,
    _direct,
    _ready,
    _interrupt,
    _interrupt,
    _aided,
    _assist,
    _melee,
    _shot,
    _shot,
    _shot,
    _guard,
    _contest,
    _minor,
    _asked,
    _regain,
    _refill,
    _round_goes_on,
    lambda t, r: action_by(t, r, actor_of(t, r)),
    lambda t, _: _surge(t, _last_actor(t)),
)
"""What is done where nothing is in hand."""

_BETWEEN: Final[tuple[_Move, ...]] = (
    _round_goes_on,
    _round_goes_on,
    _round_goes_on,
    _interrupt,
    _regain,
    _refill,
    lambda t, _: _surge(t, _last_actor(t)),
    lambda t, r: KeepInitiative(ally_id=_of_side(t, r, _last_actor(t), own=True), threat_part=r.randint(0, 1)),
)
"""What is done where the Task of the Turn is taken, and between Turns."""

_WITH_A_SUCCESS: Final[tuple[_Move, ...]] = (
    lambda _, __: FinishSpending(),
    lambda _, __: FinishSpending(),
    lambda _, __: FollowThrough(),
    lambda _, __: MakeSpend(spend=Spend.SWIFT_TASK),
    lambda _, __: MakeSpend(spend=Spend.SWIFT_TASK),
    lambda _, r: MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, times=r.randint(1, 2)),
    lambda t, _: _surge(t, _last_actor(t)),
    _minor,
    _refill,
)
"""What is done with a Task whose Momentum may be spent."""


# --- trespasses ---------------------------------------------------------------------------------------------


def _anybody(table: Table, chance: Random) -> str:
    return chance.choice(ids_of(table))


def _answer(table: Table, chance: Random, who: str) -> DeclareTask:
    """An answer to the Task that waits, mostly the right one."""
    action = table.task.declaration.action if table.task is not None else None
    fitting = {"attack": "defend", "fire": "evade", "fire_weapon": "evade"}.get(action.name if action else "", "other")
    name = chance.choice([fitting, fitting, fitting, "", "other", "return_fire", "guard", "ready", "assist"])
    return _task(table, chance, who, Action(name=name, note="Now") if name else None)


def _opposed(table: Table, chance: Random) -> Command:
    """Some action, declared as if somebody opposed it."""
    found = action_by(table, chance, actor_of(table, chance))
    if isinstance(found, TakeMinorAction):
        return found
    return DeclareTask(declaration=replace(found.declaration, opposed=True))


def _claimed(table: Table, chance: Random) -> Command:
    """Some action, with a re-roll that mostly nobody gave."""
    found = action_by(table, chance, actor_of(table, chance))
    if isinstance(found, TakeMinorAction):
        return found
    claims = (RerollReason.AIM, RerollReason.ACCURATE_AIM, RerollReason.SHIP_SYSTEM)
    return DeclareTask(declaration=replace(found.declaration, rerolls=(chance.choice(claims),)))


_TRESPASSES: Final[tuple[_Move, ...]] = (
    lambda t, r: action_by(t, r, _anybody(t, r)),
    lambda t, r: _task(t, r, _anybody(t, r), r.choice([None, Action(name="other")])),
    lambda t, r: _task(t, r, _anybody(t, r), Action(name="direct", target_id=_anybody(t, r))),
    lambda t, r: _task(t, r, _anybody(t, r), Action(name="ready", note="Now")),
    lambda t, r: _minor_of(t, r, _anybody(t, r)),
    lambda t, r: _minor_of(t, r, _anybody(t, r)),
    lambda t, r: _surge(t, _anybody(t, r)),
    lambda t, r: BeginTurn(combatant_id=_anybody(t, r)),
    lambda t, r: PassTurn(combatant_id=_anybody(t, r)),
    lambda t, r: KeepInitiative(ally_id=_anybody(t, r)),
    lambda _, __: NextRound(),
    _aided,
    _opposed,
    _claimed,
)
"""What somebody tries whose moment it mostly is not."""

_WHILE_AWAITED: Final[tuple[_Move, ...]] = (
    lambda t, r: _answer(t, r, _anybody(t, r)),
    lambda t, r: _answer(t, r, _anybody(t, r)),
    lambda t, r: _minor_of(t, r, _anybody(t, r)),
    lambda t, r: _minor_of(t, r, actor_of(t, r)),
    *_TRESPASSES,
)
"""The same while a Task waits for its answer."""

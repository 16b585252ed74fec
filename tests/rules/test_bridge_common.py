"""What every bridge crew has beside its station: Assist, Direct, Ready, Pass, another Task, Interact."""

from __future__ import annotations

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.events import ConflictChanged
from rules.conflict.lasting import effects_named
from rules.conflict.rounds import BeginTurn, EndConflict, PassTurn
from rules.legal.menu import menu
from rules.ships.cards import SaveShip
from rules.state.conflict import Action, Combatant, Conflict
from rules.state.options import TableOptions
from rules.state.tasks import Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, CrewQuality, Discipline, Ruleset, Side, Terrain
from rules.tasks.declaring import DeclareTask
from rules.undo import Undo
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.tabletop import disciplines, systems

STANDARD = {"assist", "direct", "ready", "pass", "other", "interact", "change_position"}


class Bridge(Fleet):
    """Okafor, Lindqvist and Tane at these stations against the raider; it is Okafor's Turn."""

    def __init__(
        self,
        *stations: str,
        momentum: int = 2,
        ruleset: Ruleset = Ruleset.SECOND_EDITION,
        options: TableOptions | None = None,
    ) -> None:
        super().__init__(momentum, options, ruleset)
        self.tane = self.character("Tane", player_id=self.table.players[0].player_id)
        crew = tuple(
            Combatant(combatant_id=who, side=Side.PC, ship_id=self.ship, station=station)
            for who, station in zip((self.okafor, self.lindqvist, self.tane), stations, strict=True)
        )
        raider = Combatant(combatant_id=self.raider, side=Side.NPC, ship_id=self.raider)
        conflict = Conflict(kind=ConflictKind.STARSHIP, round=1, combatants=(*crew, raider))
        self.record(ConflictChanged(conflict=conflict))
        self.do(BeginTurn(combatant_id=self.okafor))


def test_the_commander_directs_for_one_momentum_and_helps_with_control_and_command() -> None:
    """S2E-2, S2E-C3, C-22, C-82: Immediate, out of the pool; the ally acts at once, with a third d20."""
    game = Bridge("command", "tactical", "helm")
    game.act("direct", target_id=game.lindqvist)
    assert game.table.momentum == 1
    game.act("fire", game.lindqvist, target_id=game.raider, weapon="Phasers")
    helper = game.task.declaration.assists[0]
    assert (helper.character_id, helper.attribute, helper.discipline) == (
        game.okafor, Attribute.CONTROL, Discipline.COMMAND,
    )  # fmt: skip
    game.throw(1, 1)
    assert game.table.request is not None
    assert game.table.request.count == 1
    assert replayed(game) == game.table
    game.do(Undo())
    game.do(Undo())
    game.do(Undo())
    assert game.table.momentum == 2
    assert not effects_named(game.table, "assist")


def test_direct_is_paid_with_threat_too() -> None:
    """S2E-C3, C-82."""
    game = Bridge("command", "tactical", "helm", momentum=0)
    game.refused(game.acting("direct", target_id=game.lindqvist), "POOL-4")
    before = game.table.threat
    game.act("direct", target_id=game.lindqvist, threat_part=1)
    assert (game.table.momentum, game.table.threat) == (0, before + 1)


def test_nobody_overrides_the_commander() -> None:
    """S2E-6, S2E-C3, C-59: Direct is the commander's; by the first edition's form anyone may."""
    game = Bridge("tactical", "command", "helm")
    game.refused(game.acting("direct", target_id=game.lindqvist), "S2E-6")
    assert not next(one for one in menu(game.table, game.okafor) if one.name == "direct").possible
    first = Bridge("tactical", "command", "helm", options=TableOptions(override_as=Ruleset.CORE_1E))
    first.act("direct", target_id=first.lindqvist)
    core = Bridge("tactical", "command", "helm", ruleset=Ruleset.CORE_1E)
    core.act("direct", target_id=core.lindqvist)
    assert core.table.momentum == 2


def test_direct_on_the_bridge_is_free_and_without_limit_in_the_core_book() -> None:
    """STN-1, C-22: once a scene is for fights on foot."""
    game = Bridge("command", "tactical", "helm", ruleset=Ruleset.CORE_1E)
    for _ in range(2):
        game.act("direct", target_id=game.lindqvist)
        game.do(Undo())
    game.act("direct", target_id=game.lindqvist)
    assert not [one for one in game.table.conflict.once if "direct" in one]  # type: ignore[union-attr]  # just begun


def test_the_commander_assists_two_allies() -> None:
    """S2E-C1, ASST-4: each of them has the commander's d20 with the next Task."""
    game = Bridge("command", "tactical", "helm")
    game.act("assist", target_id=game.lindqvist, also_id=game.tane)
    promised = effects_named(game.table, "assist")
    assert [(one.owner_id, one.target_id) for one in promised] == [
        (game.okafor, game.lindqvist), (game.okafor, game.tane),
    ]  # fmt: skip
    game.do(Undo())
    assert not effects_named(game.table, "assist")
    game.refused(game.acting("assist", target_id=game.tane, also_id=game.tane), "S2E-C1")
    game.refused(game.acting("assist", target_id=game.tane, also_id=game.raider), "ASST-4")


def test_others_assist_one_ally() -> None:
    """S2E-6, S2E-C1."""
    game = Bridge("tactical", "command", "helm")
    game.refused(game.acting("assist", target_id=game.lindqvist, also_id=game.tane), "S2E-C1")
    game.act("assist", target_id=game.tane)
    core = Bridge("command", "tactical", "helm", ruleset=Ruleset.CORE_1E)
    core.refused(core.acting("assist", target_id=core.lindqvist, also_id=core.tane), "ASST-4")


@pytest.mark.parametrize("ruleset", Ruleset)
def test_every_crew_has_the_common_tasks_once(ruleset: Ruleset) -> None:
    """S2E-6, SHIP-10, ACT-4: on the bridge by the bridge's form, and not again as for people on foot."""
    game = Bridge("command", "tactical", "helm", ruleset=ruleset)
    listed = [one for one in menu(game.table, game.okafor) if one.name in STANDARD]
    assert sorted(one.name for one in listed) == sorted(STANDARD)
    assert all(one.scope is ActionScope.BRIDGE and one.possible for one in listed), listed
    crew = {one.name: one for one in menu(game.table, game.raider)}
    assert set(crew) >= STANDARD
    game.do(EndConflict())
    ashore = [one for one in menu(game.table, game.okafor) if one.name in STANDARD - {"change_position"}]
    assert all(one.scope is ActionScope.PERSONAL for one in ashore)


def test_a_task_of_no_station_counts_as_one_of_the_turn() -> None:
    """S2E-6, TURN-5: another Task, also where no action is named."""
    game = Bridge("command", "tactical", "helm")
    declared = Declaration(
        character_id=game.okafor, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND, difficulty=1
    )
    game.do(DeclareTask(declaration=declared))
    turn = game.table.conflict.turn if game.table.conflict is not None else None
    assert turn is not None
    assert turn.task_names == ("other",)


def test_an_npc_ships_crew_helps_nobody_by_name() -> None:
    """ASST-4, NSHIP-1: it has no single helper; a promise of it would never be thrown."""
    game = Bridge("command", "tactical", "helm")
    game.do(SaveShip(name="Grey Wake", scale=3, crew=CrewQuality.BASIC, systems=systems(), departments=disciplines()))
    game.do(PassTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    message = game.refused(game.acting("assist", game.raider, target_id=game.table.ships[-1].ship_id), "ASST-4")
    assert "acts as one" in message


def test_interact_is_a_minor_action_aboard() -> None:
    """S2E-6, SHIP-10."""
    game = Bridge("command", "tactical", "helm")
    action = Action(name="interact", scope=ActionScope.BRIDGE)
    game.do(TakeMinorAction(character_id=game.okafor, action=action))
    turn = game.table.conflict.turn if game.table.conflict is not None else None
    assert turn is not None
    assert turn.minor_actions == ("interact",)


def test_leaving_terrain_may_be_paid_with_threat() -> None:
    """S2E-5: without Momentum the menu still has Impulse, as its price may be added to Threat."""
    game = Bridge("helm", "tactical", "command", momentum=0)
    game.state(game.ship, terrain=Terrain.SINGULARITY)
    entry = next(one for one in menu(game.table, game.okafor) if one.name == "impulse")
    assert entry.possible, entry.why_not
    assert "threat_part" in entry.needs

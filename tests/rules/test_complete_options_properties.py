"""Nothing that is allowed is hidden: over random play, whatever of a bounded kind `decide` accepts is offered."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings

from rules import commands as c
from rules import commands_conflict as cc
from rules import commands_fighting as cf
from rules import commands_ships as ch
from rules import commands_ships2e as cs
from rules import commands_turns as ct
from rules.deciding.draft import profile
from rules.deciding.turns.minors import ROWS
from rules.errors import Refusal
from rules.messages import Command
from rules.options import options
from rules.pools import spend_cost, spends_of
from rules.shaken import RESULTS
from rules.state import Table
from rules.state_conflict import Action
from rules.table import decide
from rules.vocabulary import ConflictKind, Ruleset, Spend, System
from tests.rules.test_conflict_properties import MOVES, SCENES, play

PLAIN: tuple[Command, ...] = (
    cc.FollowThrough(),
    c.FinishSpending(),
    c.SucceedAtCost(),
    c.ThrowAgainst(),
    c.TakeComplication(),
    c.BuyOffComplication(),
    c.WithdrawTask(),
    c.CloseChallenge(),
    cf.SettleDamage(),
    cf.FallDown(),
    cf.StayUp(),
    cf.AvoidInjury(),
    cf.SufferInjury(),
    cf.FendOff(),
    cf.ChooseTargets(),
    ch.SettleShipHit(),
    ch.NameCasualty(),
    ch.NameShipsHit(),
    cs.ChooseShipsInClose(),
    cs.UseSurplusDie(),
    ct.EndTurn(),
    ct.NextRound(),
    ct.EndConflict(),
    *(cs.SettleHit(reductions=number) for number in range(4)),
    *(cs.ChooseStruckSystem(system=one) for one in System),
    *(cs.ChooseShaken(result=name) for name in RESULTS),
    *(cs.ChooseShaken(result=name, system=one) for name in RESULTS if name == "system_out" for one in System),
)
"""Commands that say everything by themselves."""


def bounded(table: Table) -> Iterator[Command]:
    """Every command of the kinds that can be listed."""
    yield from PLAIN
    house = profile(table)
    costs = {one.name: spend_cost(one.name, 1, house) for one in spends_of(house)}
    for spend in Spend:
        for part in {0, costs.get(spend, 0)}:
            yield c.MakeSpend(spend=spend, threat_part=part)
    ids = [one.character_id for one in table.characters] + [one.ship_id for one in table.ships]
    for one in ids:
        yield ct.BeginTurn(combatant_id=one)
        yield from (ct.KeepInitiative(ally_id=one, threat_part=part) for part in (0, costs["keep_initiative"]))
        yield cf.ChooseTargets(target_ids=(one,))
        yield ch.NameShipsHit(ship_ids=(one,))
        yield cs.ChooseShipsInClose(ship_ids=(one,))
        yield from (ch.NameCasualty(character_id=one, lethal=lethal) for lethal in (False, True))
    conflict = table.conflict
    if conflict is None:
        return
    yield from (ct.PassTurn(combatant_id=one) for one in (ids if conflict.turn is None else [""]))
    if conflict.turn is not None and conflict.kind is ConflictKind.PERSONAL:
        for row in ROWS:
            if not row.needs:
                action = Action(name=row.name)
                yield ct.TakeMinorAction(character_id=conflict.turn.combatant_id, action=action)


def accepted(table: Table, command: Command) -> bool:
    try:
        return bool(decide(table, command))
    except Refusal:
        return False


@settings(max_examples=150)
@given(scene=SCENES, numbers=MOVES)
def test_nothing_that_is_allowed_is_hidden(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-4, TURN-1 to TURN-6, ACT-1, DMG-3 to DMG-7, S2E-8 to S2E-13: each choice that would be taken is listed."""
    for one in play(scene, numbers)[::3]:
        table = one.after.present
        offered = {choice.command for choice in options(table)}
        for command in bounded(table):
            assert command in offered or not accepted(table, command), command

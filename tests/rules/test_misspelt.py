"""An effect or a note of an action that should be a name and is none is refused with the names that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.deciding.decision import ActionRow
from rules.errors import Refusal
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, ConflictKind, Ruleset
from rules.table import PLAYBOOK
from rules.tasks.actions import rightly_named
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron


def refused(game: Fleet, name: str, rule: str, *, effect: str = "", note: str = "") -> str:
    """The refusal of an action at a station, as it is declared or taken."""
    row = PLAYBOOK.action(Action(name=name, scope=ActionScope.BRIDGE), game.table.ruleset)
    assert row is not None
    with pytest.raises(Refusal) as caught:
        rightly_named(
            game.table, row, game.okafor, Action(name=name, scope=ActionScope.BRIDGE, effect=effect, note=note)
        )
    assert caught.value.rule == rule
    return caught.value.message


def test_a_charge_that_is_none() -> None:
    """QUAL-2."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "prepare")
    attack = Action(name="attack", target_id=game.brack, effect="piercng")
    said = game.refused(game.declaration(game.okafor, action=attack), "QUAL-2")
    assert said == "Attack knows no 'piercng'; choose area, intense, piercing or vicious, or leave it out."


def test_a_weakness_and_a_calibration_that_are_none() -> None:
    """S2E-X1, S2E-X4."""
    game = Fleet()
    game.refused(game.acting("scan_for_weakness", target_id=game.raider, effect="piercng"), "S2E-X4")
    assert "choose damage or piercing" in refused(game, "scan_for_weakness", "S2E-X4", effect="piercng")
    assert "choose reroll or trait" in refused(game, "calibrate_sensors", "S2E-X1", effect="traits")
    game.act("scan_for_weakness", target_id=game.raider, effect=" Piercing ")
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.effect == "piercing", "it is spelt in one way from then on"


def test_what_has_no_effect_takes_none() -> None:
    """STN-20, S2E-T5: who names one would expect it to count."""
    game = Squadron()
    said = game.refused(
        game.acting("fire_weapon", target_id=game.raider, weapon="Phasers", effect="piercing"), "STN-20"
    )
    assert said == "Fire Weapon takes no effect; leave it out."


def test_a_kind_of_zone_that_is_none() -> None:
    """S2E-5."""
    game = Fleet()
    said = refused(game, "impulse", "S2E-5", note="dense nebulla")
    assert "dense_nebula" in said
    row = PLAYBOOK.action(Action(name="impulse", scope=ActionScope.BRIDGE), Ruleset.SECOND_EDITION)
    assert row is not None
    for note in ("", "dense_nebula", "Dense Nebula"):
        rightly_named(game.table, row, game.okafor, Action(name="impulse", scope=ActionScope.BRIDGE, note=note))


def test_words_of_ones_own_that_are_nearly_a_name() -> None:
    """S2E-T2, SHIP-10, STN-25, STN-18: one letter would make something else of them."""
    later, first = Fleet(), Squadron()
    assert "say raise shields, or put it in other words" in refused(later, "prepare", "S2E-T2", note="raise shield")
    assert "say tactical" in refused(later, "change_position", "SHIP-10", note="tacticall")
    assert "say internal" in refused(first, "change_position", "SHIP-10", note="internall")
    first.act("launch_probe")
    assert "say near the probe" in refused(first, "sensor_sweep", "STN-23", note="near the prob")
    first.succeed("chart_hazard", note="Ion storm")
    first.finish()
    assert "say Ion storm" in refused(first, "pilot", "SHIP-6", note="ion strom")


def test_words_stay_free_where_the_rules_want_words() -> None:
    """S2E-6, SHIP-10, ACT-4, TRAIT-3."""
    game = Fleet()
    for name, note in (
        ("prepare", "going to warp"), ("change_position", "the shuttle bay"), ("create_trait", "Raise shield"),
        ("impulse", ""), ("navigate", "A way through"),
    ):  # fmt: skip
        row = PLAYBOOK.action(Action(name=name, scope=ActionScope.BRIDGE), Ruleset.SECOND_EDITION)
        assert row is not None
        action = Action(name=name, scope=ActionScope.BRIDGE, note=note)
        assert rightly_named(game.table, row, game.okafor, action) == action


def test_a_seat_that_is_nearly_one_is_refused_in_a_fight() -> None:
    """SHIP-10: else somebody would be on the way to a place called Tacticl."""
    game = Squadron()
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(Entrant(combatant_id=game.okafor, station="helm"),)))
    game.do(BeginTurn(combatant_id=game.okafor))
    seat = Action(name="change_position", scope=ActionScope.BRIDGE, note="Tacticl")
    game.refused(TakeMinorAction(character_id=game.okafor, action=seat), "SHIP-10")
    game.do(TakeMinorAction(character_id=game.okafor, action=replace(seat, note="Tactical")))
    assert game.table.conflict is not None
    assert game.table.conflict.combatants[0].station == "tactical"


ROWS = tuple((ruleset, row) for ruleset in Ruleset for row in PLAYBOOK.actions if ruleset in row.rulesets)


def accepted(table: Table, row: ActionRow, who: str, effect: str) -> bool:
    try:
        rightly_named(table, row, who, Action(name=row.name, scope=row.scope, effect=effect))
    except Refusal:
        return False
    return True


@given(played=st.sampled_from(ROWS), typed=st.text(min_size=1, max_size=12))
def test_no_effect_but_those_of_the_row_is_taken(played: tuple[Ruleset, ActionRow], typed: str) -> None:
    """QUAL-2, S2E-X1, S2E-X4."""
    ruleset, row = played
    game = Fleet(ruleset=ruleset)
    field = row.field("effect")
    names = field.names(game.table, game.okafor) if field is not None else ()
    assert accepted(game.table, row, game.okafor, typed) == (typed.strip().casefold() in {"", *names})
    assert all(accepted(game.table, row, game.okafor, one) for one in names)

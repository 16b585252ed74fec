"""Tables that play single rules of ships in the other edition's form (section 19)."""

from __future__ import annotations

from rules.state.options import TableOptions
from rules.state.ships import SystemDamage
from rules.state.vocabulary import Condition, Ruleset, System
from rules.undo import Undo
from tests.rules.squadron import Squadron


def test_a_second_edition_table_may_play_a_form_of_the_first() -> None:
    """C-44 to C-51."""
    game = Squadron(
        ruleset=Ruleset.SECOND_EDITION,
        options=TableOptions(evasive_action_as=Ruleset.CORE_1E, modulate_shields_as=Ruleset.CORE_1E),
    )
    game.succeed("evasive_action", character_id=game.lindqvist)
    game.finish()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 3


def test_repairs_of_either_edition_take_the_penalties_off() -> None:
    """C-51, REP-2, S2E-18: both ways to repair are of the form that the table plays; the next Breach undoes them."""
    second = Squadron(ruleset=Ruleset.CORE_1E, options=TableOptions(repairs_as=Ruleset.SECOND_EDITION))
    second.breached(System.COMPUTERS, 2)
    for name in ("damage_control", "repair_in_person"):
        second.act(name, system=System.COMPUTERS)
        second.throw(1, 1)
        second.finish()
    assert second.of().state.damage_of(System.COMPUTERS).patched == 2
    assert second.of().state.damage_of(System.COMPUTERS).condition is Condition.OPERATIONAL
    second.breached(System.COMPUTERS, 1)
    assert second.of().state.damage_of(System.COMPUTERS).patched == 0
    first = Squadron(ruleset=Ruleset.SECOND_EDITION, options=TableOptions(repairs_as=Ruleset.CORE_1E))
    damage = SystemDamage(system=System.SENSORS, breaches=1, condition=Condition.DAMAGED)
    first.state(first.ship, systems=(damage,))
    for name in ("damage_control", "repair_in_person"):
        first.act(name, system=System.SENSORS)
        assert first.task.difficulty == 3
        first.do(Undo())
    first.succeed("damage_control", system=System.SENSORS)
    first.finish()
    first.act("sensor_sweep")
    assert [one.reason for one in first.task.declaration.modifiers] == []

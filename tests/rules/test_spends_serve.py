"""A spend serves each of its times, or is refused with how often it can (POOL-4)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from rules import history
from rules.conflict.budget import TakeMinorAction
from rules.conflict.cover import SetCover
from rules.conflict.damage_spends import SettleDamage
from rules.conflict.events import DamageSettled
from rules.conflict.zones import DrawMap, PlaceAt
from rules.deciding.decision import Command, Event, name_of
from rules.errors import Refusal
from rules.history import Decision, History
from rules.legal.offers import options
from rules.ships.first.choosing import SettleShipHit
from rules.ships.first.events import ShipHitSettled
from rules.ships.second.hits import SettleHit
from rules.state.conflict import Action
from rules.state.glossary import SPEND_WORDS
from rules.state.table import Table
from rules.state.vocabulary import Ruleset, Spend, TaskPhase
from rules.table import decide, evolve
from rules.tasks.settling import FinishSpending, MakeSpend
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.trespass import brawl_with_onlookers, pressing, two_against_one

PLENTY = 60
"""Momentum and Threat that pay for whatever is tried."""


def bought(game: Any, spend: Spend, most: int, rule: str) -> None:  # noqa: ANN401 - any game
    """A spend can be bought as often as it serves, at once or one by one, and is offered that long."""
    said = game.refused(MakeSpend(spend=spend, times=most + 1), rule)
    assert said == (
        f"{SPEND_WORDS[spend]} can serve once more here; buy it once."
        if most == 1
        else f"{SPEND_WORDS[spend]} can serve {most} times more here; buy it {most} times at most."
    )
    for _ in range(most):
        assert f"make_spend:{spend}:momentum" in {one.option_id for one in options(game.table)}
        game.do(MakeSpend(spend=spend))
    assert f"make_spend:{spend}:momentum" not in {one.option_id for one in options(game.table)}
    game.refused(MakeSpend(spend=spend), rule)


def won(game: Skirmish, name: str, **action: Any) -> None:  # noqa: ANN401 - an Action's
    game.act(game.okafor, name, **action)
    game.throw(1, 1)


def test_stress_is_regained_as_far_as_it_is_lost() -> None:
    """ACT-5, DMG-9: 3 lost Stress is 2 Momentum."""
    game = Skirmish(begins="okafor", momentum=6)
    game.change_body(game.okafor, stress_max=10, stress=7)
    game.begin(game.okafor)
    won(game, "recover")
    bought(game, Spend.REGAIN_STRESS, 2, "ACT-5")


def test_a_sprint_goes_on_to_its_zone_and_no_farther() -> None:
    """ACT-6: of three zones the first comes with the Sprint itself."""
    game = Skirmish(begins="okafor", momentum=6)
    game.do(DrawMap(zones=("Bridge", "Corridor", "Lift", "Hold")))
    zones = [one.zone_id for one in game.table.zone_map.zones] if game.table.zone_map is not None else []
    game.do(PlaceAt(who_ids=(game.okafor,), zone_id=zones[0]))
    game.begin(game.okafor)
    won(game, "sprint", zone_id=zones[3])
    bought(game, Spend.SPRINT_ON, 2, "ACT-6")


def test_a_sprint_without_a_map_goes_as_far_as_was_said() -> None:
    """ACT-6: where nobody said how far, nobody but the table knows."""
    game = Skirmish(begins="okafor", momentum=6)
    game.begin(game.okafor)
    before = game.history
    won(game, "sprint", zones=2)
    bought(game, Spend.SPRINT_ON, 1, "ACT-6")
    game.history = before
    won(game, "sprint")
    game.do(MakeSpend(spend=Spend.SPRINT_ON, times=6))


def test_penetration_ignores_resistance_that_there_is() -> None:
    """MOM-5, DMG-2, EFF-4: static Resistance, cover, less Piercing."""
    game = Brawl(momentum=6)
    game.shoot(1, 2, 3, 3, 3, 3)
    bought(game, Spend.PENETRATION, 1, "MOM-5")
    game = Brawl(momentum=6)
    game.do(SetCover(character_id=game.brack, dice=2))
    game.shoot(1, 2, 3, 3, 3, 3)
    game.throw_challenge(2, 2)
    bought(game, Spend.PENETRATION, 3, "MOM-5")
    game = Brawl(momentum=6)
    game.prepare()
    game.shoot(5, 2, 3, 3, 3, 3, effect="piercing")
    assert "make_spend:penetration:momentum" not in {one.option_id for one in options(game.table)}
    said = game.refused(MakeSpend(spend=Spend.PENETRATION), "MOM-5")
    assert said == "Penetration can serve no more here; spend Momentum on something else."


def test_penetration_serves_against_everybody_whom_the_attack_may_hit() -> None:
    """MOM-5, MOM-8, EFF-1, C-69, C-70: also against cover that is still to be thrown for, at its best."""
    game = Brawl(momentum=6)
    game.do(SetCover(character_id=game.lindqvist, dice=2))
    game.prepare()
    game.shoot(5, 2, 3, 3, 3, 3, effect="area")
    bought(game, Spend.PENETRATION, 2, "MOM-5")
    game = Brawl(momentum=6)
    game.do(SetCover(character_id=game.lindqvist, dice=2))
    game.shoot(1, 2, 3, 3, 3, 3)
    game.do(MakeSpend(spend=Spend.PENETRATION))
    game.refused(MakeSpend(spend=Spend.PENETRATION), "MOM-5")
    game.do(MakeSpend(spend=Spend.SECONDARY_TARGET))
    game.do(MakeSpend(spend=Spend.PENETRATION))
    game.refused(MakeSpend(spend=Spend.PENETRATION), "MOM-5")


def test_minor_actions_are_bought_for_as_long_as_there_are_others() -> None:
    """ACT-2, ACT-3, MOM-3: eight of people on foot, of which Drop Prone and Stand exclude each other."""
    game = Skirmish(begins="okafor", momentum=6)
    game.begin(game.okafor)
    won(game, "recover")
    game.refused(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, times=7, threat_part=7), "MOM-3")
    game.do(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, times=6))
    game.refused(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, threat_part=1), "MOM-3")
    for name in ("aim", "interact", "drop_prone", "draw_item", "prepare", "movement"):
        game.minor(game.okafor, name)
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="stand")), "ACT-2")


def test_a_ships_resistance_power_and_shields_come_to_an_end() -> None:
    """MOM-5, MOM-11, SHIP-5, STN-7, STN-8: Power falls short once."""
    game = Squadron(momentum=6)
    game.state(game.raider, power=1)
    game.fire(1, 1)
    game.throw(12)
    game.throw_challenge(1, 1, 1, 1)
    bought(game, Spend.PENETRATION, 2, "MOM-5")
    game.refused(MakeSpend(spend=Spend.POWER_LOSS, times=3), "MOM-11")
    before = game.history
    game.do(MakeSpend(spend=Spend.POWER_LOSS, times=2))
    assert game.of(game.raider).state.power == 0
    game.refused(MakeSpend(spend=Spend.POWER_LOSS), "MOM-11")
    game.history = before
    bought(game, Spend.POWER_LOSS, 2, "MOM-11")
    for name, spend, rule, state in (
        ("power_management", Spend.MORE_POWER, "STN-7", {"power": 7}),
        ("regenerate_shields", Spend.MORE_SHIELDS, "S2E-O3", {"shields": 5}),
    ):
        game = Squadron(momentum=6)
        game.state(game.ship, **state)
        game.act(name)
        game.throw(1, 1)
        if game.waits_for_dice():
            game.throw(20)
        most = game.of().state.power_max - 8 if name == "power_management" else 3
        bought(game, spend, most, rule)


def test_hazards_are_charted_that_were_named() -> None:
    """STN-18: each once, and none that was charted before."""
    game = Squadron(momentum=6)
    game.succeed("chart_hazard", 1, 1, note="mines")
    game.refused(MakeSpend(spend=Spend.MORE_HAZARDS), "STN-18")
    game.finish()
    said = game.refused(game.acting("chart_hazard", note="Mines"), "STN-18")
    assert said == "Far Lantern has charted Mines already; name another hazard."
    game.succeed("chart_hazard", 1, 1, note="mines, a comet, A comet, a buoy, dust")
    bought(game, Spend.MORE_HAZARDS, 2, "STN-18")
    game.finish()
    assert [one.note for one in game.table.effects if one.name == "hazard_charted"] == ["mines, a comet, a buoy, dust"]


def test_regenerated_shields_of_the_second_edition_end_at_their_most() -> None:
    """S2E-O3: 12 at most, of which 3 of Engineering and 2 for each Momentum."""
    game = Fleet(momentum=6)
    game.state(game.ship, shields=4)
    game.act("regenerate_shields")
    game.throw(1, 1)
    game.throw(20)
    gained = game.of().departments.engineering
    bought(game, Spend.MORE_SHIELDS, -(-(12 - 4 - gained) // 2), "S2E-O3")


# --- over random play ---------------------------------------------------------------------------------------

SCENES = st.tuples(st.sampled_from([brawl_with_onlookers, two_against_one]), st.sampled_from(Ruleset))
MOVES = st.lists(st.integers(0, 2**24), min_size=40, max_size=80)

IN_WORDS = frozenset({Spend.OBTAIN_INFORMATION, Spend.CREATE_PROBLEM, Spend.SPRINT_ON})
"""What the table keeps in words, without a map the zones of a Sprint too; and what is bought before an enemy's dice."""


@cache
def opening(scene: tuple[object, Ruleset]) -> History:
    make, ruleset = scene
    assert callable(make)
    begun: History = make(ruleset).history
    return begun


@given(scene=SCENES, numbers=MOVES)
def test_each_time_that_is_paid_for_brings_something(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-4: whatever is bought, and however often."""
    at = opening(scene)
    for number in numbers:
        table = at.present
        if table.task is not None and table.task.phase is TaskPhase.SPENDING:
            every_time_counts(table)
        command = pressing(table, number)
        found = decided(table, command)
        if found:
            at = history.evolve(
                at, Decision(number=at.next_decision, by="test", command=name_of(command), events=found)
            )


def every_time_counts(table: Table) -> None:
    rich = replace(table, momentum=PLENTY, threat=PLENTY)
    before = outcome(rich)
    for spend in Spend:
        if spend in IN_WORDS or (spend is Spend.PENETRATION and others_may_be_hit(table)):
            continue
        come_to = before
        for times in range(1, 6):
            found = decided(rich, MakeSpend(spend=spend, times=times, note=_NOTES.get(spend, "")))
            if not found:
                break
            after = outcome(folded(rich, found))
            assert after != come_to, (spend, times)
            come_to = after


def others_may_be_hit(table: Table) -> bool:
    """Whether there may be Resistance to ignore beside that of the hit in hand."""
    attack = table.attack
    wide = attack is not None and any(one.startswith(("area", "spread")) for one in (*attack.effects, *attack.once))
    bought = attack is not None and "devastating_attack" in attack.once
    return wide or bought or any(one.name == "secondary" for one in table.agenda)


def outcome(table: Table) -> object:
    """What the table comes to once nothing more is bought, without what pays and what merely notes a spend."""
    found = next(filter(None, (decided(table, end) for end in _ENDS)), ())
    hits = tuple((one.damage, one.resistance) for one in found if isinstance(one, DamageSettled | ShipHitSettled))
    worse = table.attack.bonus_damage if table.attack is not None else 0
    after = folded(table, found)
    rest = replace(
        after, momentum=0, threat=0, task=None, last_task=None, last_opponent=None, attack=None, next_number=0
    )
    return rest, hits, worse


_NOTES: Final = {Spend.CREATE_ADVANTAGE: "Smoke"}

_ENDS: Final = (SettleDamage(), SettleShipHit(), SettleHit(), FinishSpending())
"""What ends the buying for what is in hand."""


def decided(table: Table, command: Command) -> tuple[Event, ...]:
    try:
        return decide(table, command)
    except Refusal:
        return ()


def folded(table: Table, events: tuple[Event, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table

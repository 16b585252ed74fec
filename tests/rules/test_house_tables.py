"""The tables of a house: read from plain rows, each fault named by its place, adopted, and looked up by the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import history
from rules.conflict.damage import avoid_injury_price, damage_dice
from rules.conflict.numbers import minor_actions_cost
from rules.deciding.checks import profile
from rules.errors import Refusal
from rules.house.adopting import AdoptHouseTables
from rules.house.tables import HouseTablesError, as_plain, house_tables
from rules.legal.offers import options
from rules.rulesets.profiles import profile_of
from rules.rulesets.weapons import EFFECTS, QUALITIES, WEAPONS, weapon, weapons_of
from rules.setup.setting_up import SetUpTable
from rules.ships.first.numbers import breach_thresholds, system_condition
from rules.ships.second.hits import SettleHit
from rules.state.house import THE_RULES_OWN, HouseTables
from rules.state.options import TableOptions
from rules.state.people import WeaponTrait
from rules.state.vocabulary import AttackType, Availability, Condition, DirectUse, Ruleset, Spend, Standing
from rules.table import PLAYBOOK, evolve
from rules.tasks.actions import FollowThrough
from rules.tasks.pools import played, spend_cost, spends_of
from rules.tasks.settling import MakeSpend
from rules.undo import Undo
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.tabletop import Game

HOUSE: dict[str, Any] = {
    "weapons": {
        "blade": {"rating": 4},
        "boarding_axe": {
            "attack": "melee",
            "rating": 3,
            "two_handed": True,
            "effects": ["vicious 2"],
            "qualities": ["deadly"],
            "availability": "priced",
            "opportunity": 1,
        },
    },
    "spends": {"obtain_information": {"cost": 2, "label": "Ask"}},
    "stations": {
        "tractor_beam": {"difficulty": 1, "second-edition": {"difficulty": 4}},
        "warp": {"starter": {"power": 1}},
    },
    "breaches": {"4": {"damaged": 1, "disabled": 3, "destroyed": 4}},
    "ship_weapons": {"Lance": {"kind": "energy", "rating": 9, "optimal_range": "long", "qualities": ["versatile 2"]}},
    "shaken": {"results": ["lose_reserve_power", "The lights go out"]},
    "options": {"momentum_decay": 1, "direct_use": "momentum", "pushing_on": False},
}

SPENDS = PLAYBOOK.spend_rows


def house(plain: dict[str, Any] | None = None) -> HouseTables:
    return house_tables(HOUSE if plain is None else plain, "weapons.toml")


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        (
            {"weapons": {"blade": {"rating": "two"}}},
            "weapon 'blade': rating must be a whole number from 0 to 20, not 'two'.",
        ),
        (
            {"weapons": {"blade": {"rating": True}}},
            "weapon 'blade': rating must be a whole number from 0 to 20, not true.",
        ),
        ({"weapons": {"blade": {"rating": 21}}}, "weapon 'blade': rating must be a whole number from 0 to 20, not 21."),
        ({"weapons": {"blade": {"ratng": 2}}}, "weapon 'blade': there is no key 'ratng'; did you mean 'rating'?"),
        ({"weapons": {"blade": 3}}, "weapon 'blade' must be a table of keys, not 3."),
        ({"weapons": {"axe": {"rating": 3}}}, "weapon 'axe': attack is missing; add it."),
        (
            {"weapons": {"blade": {"attack": "thrown"}}},
            "weapon 'blade': attack must be 'melee' or 'ranged', not 'thrown'.",
        ),
        (
            {"weapons": {"blade": {"effects": ["vicious"]}}},
            "weapon 'blade': effects must be 'vicious' with a number from 1 to 20, not 'vicious'.",
        ),
        (
            {"weapons": {"blade": {"effects": ["area 2"]}}},
            "weapon 'blade': effects must be 'area' without a number, not 'area 2'.",
        ),
        (
            {"weapons": {"blade": {"effects": ["area", "area"]}}},
            "weapon 'blade': effects has 'area' twice; once is enough.",
        ),
        (
            {"weapons": {"blade": {"effects": "area"}}},
            "weapon 'blade': effects must be a list out of area, intense, knockdown, piercing X, vicious X",
        ),
        (
            {"weapons": {"blade": {"label": " "}}},
            "weapon 'blade': label must be a text of 1 to 60 characters, not ' '.",
        ),
        ({"weapons": {"": {"rating": 3}}}, "weapons has a row whose name is empty or too long: ''."),
        ({"weapons": []}, "weapons must be a table with a row for each thing, not a list."),
        ({"weapns": {}}, "there is no table 'weapns'; did you mean 'weapons'?"),
        ({"spends": {"disarms": {"cost": 1}}}, "spend 'disarms': the rules have no such spend; did you mean 'disarm'?"),
        ({"spends": {"disarm": {"cost": -1}}}, "spend 'disarm': cost must be a whole number from 0 to 20, not -1."),
        ({"spends": {"disarm": {"repeatable": 1}}}, "spend 'disarm': repeatable must be true or false, not 1."),
        (
            {"spends": {"create_problem": {"most": 2}}},
            "spend 'create_problem': most is the option create_problem_cap; set that instead.",
        ),
        (
            {"spends": {"create_opportunity": {"cost": 2}}},
            "spend 'create_opportunity' cannot be changed here: bonus dice have prices of their own.",
        ),
        (
            {"stations": {"worp": {"power": 1}}},
            "station action 'worp': no station has such an action; did you mean 'warp'?",
        ),
        (
            {"stations": {"warp": {"attributes": []}}},
            "station action 'warp': attributes must be a list of attributes, not a list.",
        ),
        ({"stations": {"warp": {"ship_system": "hull"}}}, "station action 'warp': ship_system must be"),
        (
            {"stations": {"warp": {"starter": {"power": "x"}}}},
            "station action 'warp' in starter: power must be a whole number from 0 to 20, not 'x'.",
        ),
        ({"stations": {"warp": 3}}, "station action 'warp' must be a table of keys, not 3."),
        ({"breaches": {"x": {}}}, "breaches at Scale 'x': a Scale is a whole number from 1 to 20."),
        ({"breaches": {"4": {"damaged": 1, "disabled": 2}}}, "breaches at Scale '4': destroyed is missing; add it."),
        (
            {"breaches": {"4": {"damaged": 3, "disabled": 3, "destroyed": 4}}},
            "breaches at Scale '4': damaged, disabled and destroyed must rise, not 3, 3, 4.",
        ),
        (
            {"ship_weapons": {"Lance": {"kind": "laser", "rating": 3}}},
            "ship weapon 'Lance': kind must be 'energy' or 'torpedo', not 'laser'.",
        ),
        ({"shaken": {"results": []}}, "shaken: results must be a list of 1 to 20 texts, not a list."),
        (
            {"options": {"momentum_decay": True}},
            "options: momentum_decay must be a whole number from 0 to 20, not true.",
        ),
        ({"options": {"pushing_on": 1}}, "options: pushing_on must be true or false, not 1."),
        (
            {"options": {"direct_use": "never"}},
            "options: direct_use must be 'free' or 'once_per_scene' or 'momentum', not 'never'.",
        ),
    ],
)
def test_a_fault_names_source_table_row_and_key(tables: dict[str, Any], fault: str) -> None:
    """WPN-1, POOL-4, STN-1, BRCH-1, S2E-13: each kind of bad row, in words."""
    with pytest.raises(HouseTablesError) as caught:
        house(tables)
    (found,) = caught.value.problems
    assert found.startswith(f"weapons.toml: {fault}")
    assert str(caught.value) == found


def test_nothing_may_cost_nothing_and_a_task_may_have_no_difficulty() -> None:
    """WPN-1, POOL-4, STN-1, BRCH-1: the least of each number is no fault."""
    made = house(
        {
            "weapons": {"blade": {"rating": 0, "opportunity": 0, "escalation": 0}},
            "spends": {"disarm": {"cost": 0, "most": 1}},
            "stations": {"warp": {"difficulty": 0, "power": 0}},
            "breaches": {"1": {"damaged": 0, "disabled": 1, "destroyed": 2}},
            "ship_weapons": {"Lance": {"kind": "energy", "rating": 0}},
        }
    )
    (weapon_,), (spend,), (station,), (steps,) = made.weapons, made.spends, made.stations, made.breaches
    assert (weapon_.rating, weapon_.opportunity, weapon_.escalation) == (0, 0, 0)
    assert (spend.cost, spend.most) == (0, 1)
    assert (station.difficulty, station.power) == (0, 0)
    assert (steps.scale, steps.damaged, steps.disabled, steps.destroyed) == (1, 0, 1, 2)
    assert [one.rating for one in made.ship_weapons] == [0]


def test_every_fault_of_a_file_is_told_at_once() -> None:
    with pytest.raises(HouseTablesError) as caught:
        house({"weapons": {"blade": {"rating": 99, "colour": 1}}, "options": {"decay": 1}, "extra": 3})
    assert len(caught.value.problems) == 4
    assert str(caught.value).count("\n") == 3


def test_a_known_row_changes_only_what_it_names_and_a_new_one_stands_beside() -> None:
    """WPN-1, DMG-1: the dice of an attack follow the house's rating; other houses keep theirs."""
    profile = profile_of(Ruleset.CORE_1E, house=house())
    blade = weapon("blade", profile)
    assert blade == replace(WEAPONS["blade"], rating=4)
    assert damage_dice(blade.rating, 3) == damage_dice(WEAPONS["blade"].rating, 3) + 2
    axe = weapon("boarding_axe", profile)
    assert (axe.label, axe.attack, axe.availability) == ("Boarding Axe", AttackType.MELEE, Availability.PRICED)
    assert axe.effects == (WeaponTrait(name="vicious", amount=2),)
    assert [one.name for one in weapons_of(profile)] == [*WEAPONS, "boarding_axe"]
    plain = profile_of(Ruleset.CORE_1E)
    assert weapon("blade", plain).rating == 2
    with pytest.raises(Refusal, match="No weapon is called boarding axe"):
        weapon("boarding_axe", plain)


def test_a_spend_costs_what_the_house_says() -> None:
    """POOL-4, POOL-8."""
    profile = profile_of(Ruleset.CORE_1E, house=house())
    assert spend_cost(SPENDS["obtain_information"], 2, profile) == 4
    assert played(SPENDS["obtain_information"], profile).label == "Ask"
    assert spend_cost(SPENDS["obtain_information"], 2, profile_of(Ruleset.CORE_1E)) == 2
    plain = {one.name: one for one in spends_of(PLAYBOOK, profile_of(Ruleset.CORE_1E))}
    changed = {one.name for one in spends_of(PLAYBOOK, profile) if one != plain[one.name]}
    assert changed == {"obtain_information"}
    game = Game(momentum=6)
    game.do(AdoptHouseTables(tables=house()))
    game.declare(difficulty=0)
    game.throw(1, 1)
    prices = {
        one.command.spend: one.price.momentum for one in options(game.table) if isinstance(one.command, MakeSpend)
    }
    assert prices[Spend.OBTAIN_INFORMATION] == 2
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    assert game.task.momentum_left == 2


def test_prices_of_conflicts_follow_the_house() -> None:
    """MOM-3, MOM-4, MOM-7: further Minor Actions, the Initiative, an Injury avoided."""
    dear = house(
        {"spends": {"extra_minor_action": {"cost": 2}, "keep_initiative": {"cost": 1}, "avoid_injury": {"cost": 3}}}
    )
    flat, rising = (profile_of(one, house=dear) for one in (Ruleset.CORE_1E, Ruleset.STARTER))
    minors = ("aim", "draw_item", "movement")
    assert (minor_actions_cost(minors, flat), minor_actions_cost(minors, rising)) == (4, 6)
    assert minor_actions_cost(minors[:1], flat) == 0
    assert spend_cost(SPENDS["keep_initiative"], 1, flat) == 1
    assert avoid_injury_price(Standing.PLAYER, price=spend_cost(SPENDS["avoid_injury"], 1, flat)).cost == 3


def test_an_attack_on_foot_asks_for_the_houses_dice_and_a_replay_does_too() -> None:
    """WPN-1, DMG-1: the rating that the house gave the weapon, and Security 3."""
    game = Brawl()
    game.do(AdoptHouseTables(tables=house({"weapons": {"phaser_type_2": {"rating": 5}}})))
    game.shoot()
    assert game.table.request is not None
    assert game.table.request.count == 5 + 3
    assert replayed(game) == game.table


@pytest.mark.parametrize(("rating", "damage"), [(None, 7 - 3), (9, 9 - 3)])
def test_a_ships_weapon_strikes_with_the_houses_rating(rating: int | None, damage: int) -> None:
    """S2E-10: what an attack at the table does follows the house's row of that weapon, and a replay does too."""
    game = Fleet()
    rows = {"ship_weapons": {"phasers": {"kind": "energy", "rating": rating}}} if rating else {}
    game.do(AdoptHouseTables(tables=house(rows)))
    before = game.of(game.raider).state.shields
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(1, 1)
    while game.waits_for_dice():
        game.throw(20)
    game.do(FollowThrough())
    while game.waits_for_dice():
        game.throw(10)
    while not game.is_settled():
        game.do(SettleHit())
    assert before - game.of(game.raider).state.shields == damage
    assert replayed(game) == game.table


def test_breaches_count_as_the_house_says_at_that_scale() -> None:
    """BRCH-1."""
    ours = house()
    assert [system_condition(4, count, ours) for count in range(5)] == [
        Condition.OPERATIONAL, Condition.DAMAGED, Condition.DAMAGED, Condition.DISABLED, Condition.DESTROYED,
    ]  # fmt: skip
    assert system_condition(5, 2, ours) is system_condition(5, 2)
    assert breach_thresholds(7) == breach_thresholds(7, ours)
    never = house({"breaches": {"2": {"damaged": 0, "disabled": 2, "destroyed": 5}}})
    assert [system_condition(2, count, never) for count in (0, 1, 2)] == [
        Condition.OPERATIONAL, Condition.OPERATIONAL, Condition.DISABLED,
    ]  # fmt: skip


def test_the_houses_options_hold_unless_the_table_says_otherwise() -> None:
    """POOL-11 (C-17), ACT-4 (C-22): ruleset, then house, then table."""
    game = Game(options=TableOptions(momentum_decay=0))
    game.do(AdoptHouseTables(tables=house()))
    ruled = profile(game.table)
    assert (ruled.momentum_decay, ruled.direct_use, ruled.pushing_on) == (0, DirectUse.MOMENTUM, False)


def test_adopted_tables_survive_the_file_and_a_new_table() -> None:
    """What was adopted is in the journal: a replay plays with it, whatever its file says by then."""
    game = Game()
    game.do(AdoptHouseTables(tables=house()))
    assert game.last_said.full == (
        "House tables hold. They set 2 weapons, 1 spend, 2 station actions, 1 Scale's Breaches, 1 ship weapon, "
        "2 shaken results and 3 options. From weapons.toml."
    )
    game.refused(AdoptHouseTables(tables=house()), "UNDO")
    game.do(AdoptHouseTables(tables=house({"weapons": {"blade": {"rating": 9}}})))
    replayed = history.begin().present
    ratings = []
    for decision in game.decisions:
        for event in decision.events:
            replayed = evolve(replayed, event)
        ratings.append(weapon("blade", profile(replayed)).rating)
    assert ratings[-2:] == [4, 9]
    assert replayed == game.table
    game.do(Undo())
    assert weapon("blade", profile(game.table)).rating == 4
    game.do(SetUpTable(ruleset=Ruleset.STARTER, players=("Ann",)))
    assert game.table.house == house()
    game.do(AdoptHouseTables(tables=THE_RULES_OWN))
    assert game.last_said.terse == "The rules' own tables hold."
    assert game.table.house == THE_RULES_OWN


def test_a_change_waits_until_nothing_is_open_and_a_fault_is_refused() -> None:
    """TASK-10: nobody's dice change under way; tables that did not come from a file are checked as well."""
    game = Game()
    game.declare()
    game.refused(AdoptHouseTables(tables=house()), "TASK-10")
    ours = house()
    wrong = replace(ours, weapons=(replace(ours.weapons[0], rating=99),))
    message = game.refused(AdoptHouseTables(tables=wrong), "SETUP")
    assert message == "weapons.toml: weapon 'blade': rating must be a whole number from 0 to 20, not 99."
    unnamed = game.refused(AdoptHouseTables(tables=replace(wrong, source="")), "SETUP")
    assert unnamed.startswith("weapon 'blade': rating")


def test_determination_keeps_within_the_houses_maximum() -> None:
    """DET-8: a start above the maximum is refused; who holds more keeps the maximum."""
    game = Game(options=TableOptions(determination_start=2))
    game.refused(AdoptHouseTables(tables=house({"options": {"determination_maximum": 1}})), "DET-8")
    game.do(AdoptHouseTables(tables=house({"options": {"determination_maximum": 2}})))
    assert game.card(game.okafor).determination == 2
    lower = Game()
    lower.do(AdoptHouseTables(tables=house({"options": {"determination_maximum": 1, "determination_start": 0}})))
    assert lower.card(lower.okafor).determination == 1


TRAITS = st.sampled_from([[], ["knockdown"], ["vicious 2", "area"], ["piercing 1"]])
ROWS = st.fixed_dictionaries(
    {"attack": st.sampled_from(["melee", "ranged"]), "rating": st.integers(0, 20)},
    optional={"effects": TRAITS, "two_handed": st.booleans(), "label": st.sampled_from(["Axe", "Big  Axe"])},
)


@given(st.dictionaries(st.sampled_from(["blade", "unarmed", "axe", "Net"]), ROWS, max_size=4))
def test_tables_written_out_and_read_again_are_the_same(rows: dict[str, Any]) -> None:
    """WPN-1: `as_plain` is the form that is read, for every weapon there can be."""
    made = house({**HOUSE, "weapons": rows})
    assert house_tables(as_plain(made), made.source) == made


WORDS = ["weapons", "blade", "rating", "options", "breaches", "4", "effects", "stations", "warp", "starter", "x"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
)


@given(VALUES)
def test_whatever_a_file_holds_is_read_or_refused_in_words(plain: Any) -> None:  # noqa: ANN401 - any file's content
    """WPN-1: no content makes the reading fail in another way."""
    tables = plain if isinstance(plain, dict) else {"weapons": plain}
    faults: tuple[str, ...] = ()
    made = THE_RULES_OWN
    try:
        made = house(tables)
    except HouseTablesError as wrong:
        faults = wrong.problems
    assert all(re.match(r"weapons\.toml: .+[.?]$", one) for one in faults)
    assert faults or house_tables(as_plain(made), made.source) == made


def test_every_weapon_of_the_rules_has_effects_and_qualities_that_exist() -> None:
    """WPN-1, EFF-1 to EFF-5, QUAL-1 to QUAL-9: the printed table, and a number exactly where one belongs."""
    assert len(WEAPONS) == 16
    for one in WEAPONS.values():
        for trait, known in ((each, EFFECTS) for each in one.effects):
            assert (trait.amount > 0) is known[trait.name]
        for trait, known in ((each, QUALITIES) for each in one.qualities):
            assert (trait.amount > 0) is known[trait.name]
    rifle = WEAPONS["phaser_type_3"]
    assert (rifle.rating, rifle.two_handed, rifle.opportunity, rifle.escalation) == (4, True, 1, 2)
    assert sum(one.rating for one in WEAPONS.values()) == 47


def test_a_wrong_name_is_told_without_every_right_one() -> None:
    with pytest.raises(HouseTablesError) as caught:
        house_tables({"stations": {"zzzzqqq": {"difficulty": 1}}}, "house.toml")
    message = str(caught.value)
    assert " more" in message
    assert len(message) < 500

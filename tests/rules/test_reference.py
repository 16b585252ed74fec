"""The tables of the books in words: every value of the rules has its row, in every ruleset and every language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import pytest

from kiosk.i18n.languages import Languages
from rules.conflict.lasting import LASTING
from rules.deciding.decision import Command
from rules.game import (
    COMMANDS,
    EXPLAINED,
    OPTION_ROWS,
    PLAYBOOK,
    SHIP_EFFECTS,
    STATION_ACTIONS,
    ActionScope,
    BuyDie,
    Circumstance,
    CreateProblem,
    CrewQuality,
    InjuryState,
    MakeSpend,
    Payer,
    Profile,
    Purchase,
    Range,
    ReferenceRow,
    Ruleset,
    ShipWeaponKind,
    System,
    TableOptions,
    Terrain,
    Topic,
    TraitKind,
    WithdrawTask,
    profile_of,
    reference,
    reference_row,
    row_about,
    weapons_of,
)
from rules.rulesets.weapons import EFFECTS, QUALITIES
from rules.ships.cards import SHIP_QUALITIES
from rules.ships.first.numbers import system_condition
from rules.ships.shaken import RESULTS
from rules.state.house import HouseBreaches, HouseSpend, HouseTables
from rules.state.people import Weapon
from rules.state.vocabulary import AttackType, Benefit, Condition, Spend, ValueAction
from rules.tasks.pools import spends_of
from rules.words import Phrase, translated

FIRST: Final = frozenset({Ruleset.STARTER, Ruleset.CORE_1E})
EVERYWHERE: Final = frozenset(Ruleset)

TORPEDOES: Final = {"torpedo_attack", "npc_torpedo_attack"}
"""A torpedo adds Threat in the second edition alone (C-52)."""


def wanted(ruleset: Ruleset) -> Mapping[Topic, Collection[str]]:
    """The keys of the rows that each table must have: the values of the enumerations and tables of the rules."""
    profile = profile_of(ruleset)
    torpedoes = set[str]() if profile.torpedo_adds_threat else TORPEDOES
    played = [one for one in PLAYBOOK.played(profile.edition_of) if one.listed]
    first = ruleset in FIRST
    conditions = set(Condition) if first else set(Condition) - {Condition.DISABLED}  # the second edition knows none
    more: dict[Topic, Collection[str]] = (
        {Topic.IMPACTS: set(System)} if first else {Topic.SHAKEN: set(RESULTS)}
    )  # what a Breach does at once, or a shaken ship suffers
    return more | {
        Topic.DIFFICULTY: [str(one) for one in range(6)],
        Topic.COMPLICATION_RANGE: [str(one) for one in range(1, 6)],
        Topic.BONUS_DICE: set(Payer),
        Topic.MOMENTUM: {one.name for one in spends_of(PLAYBOOK, profile)},
        Topic.DETERMINATION: {*Benefit, *ValueAction},
        Topic.THREAT_GAINS: set(PLAYBOOK.gain_rows) - torpedoes,
        Topic.THREAT_SPENDS: set(PLAYBOOK.threat_rows) - torpedoes,
        Topic.TRAITS: set(TraitKind),
        Topic.CIRCUMSTANCES: set(Circumstance),
        Topic.RANGES: set(Range),
        Topic.ACTIONS: {one.name for one in played if one.scope is ActionScope.PERSONAL},
        Topic.WEAPONS: {one.name for one in weapons_of(profile)},
        Topic.WEAPON_EFFECTS: set(EFFECTS),
        Topic.WEAPON_QUALITIES: set(QUALITIES),
        Topic.INJURIES: set(InjuryState) - {InjuryState.NONE},
        Topic.ABILITIES: set(PLAYBOOK.ability_rows),
        Topic.CREWS: set(CrewQuality),
        Topic.STATIONS: {one.name for one in played if one.scope is ActionScope.BRIDGE},
        Topic.SHIP_WEAPONS: set(ShipWeaponKind),
        Topic.SHIP_EFFECTS: set(SHIP_EFFECTS),
        Topic.SHIP_QUALITIES: set(SHIP_QUALITIES),
        Topic.TERRAIN: set(Terrain),
        Topic.SYSTEMS_HIT: set(System),
        Topic.BREACH_CAUSES: {"heavy", "down", "bare"} if first else {"half", "quarter", "down", "bare"},
        Topic.BREACHES: [str(scale) for scale in range(1, 8)],
        Topic.CONDITIONS: conditions,
    }


@pytest.mark.parametrize("ruleset", Ruleset)
def test_every_value_of_the_rules_has_its_row(ruleset: Ruleset) -> None:
    tables = reference(profile_of(ruleset))
    for topic, keys in wanted(ruleset).items():
        assert {one.key for one in tables[topic].rows} == set(keys), topic
        assert len(tables[topic].rows) == len(set(keys)), topic
    assert set(tables) - {Topic.LASTING} == set(wanted(ruleset))


def test_what_lasts_has_its_row_in_the_edition_that_has_it() -> None:
    rows = {one: {row.key for row in reference(profile_of(one))[Topic.LASTING].rows} for one in Ruleset}
    assert set.union(*rows.values()) == set(LASTING)
    assert "evasive_action" in rows[Ruleset.CORE_1E]
    assert "evading" not in rows[Ruleset.CORE_1E]
    mixed = profile_of(Ruleset.CORE_1E, TableOptions(evasive_action_as=Ruleset.SECOND_EDITION))
    assert {"evading"} <= {row.key for row in reference(mixed)[Topic.LASTING].rows}


@pytest.mark.parametrize("code", ["en", "de", "es", "fr"])
def test_every_row_is_said_in_every_language(code: str) -> None:
    catalog = Languages().language(code).catalog
    english = Languages().language("en").catalog
    for ruleset in Ruleset:
        for table in reference(profile_of(ruleset)).values():
            for row in table.rows:
                said = translated(row.said, catalog)
                assert said, (table.topic, row.key)
                assert "{" not in said
                assert said.endswith(".")
                assert row.meaning or row.price, (table.topic, row.key)
                if code != "en" and row.meaning:
                    meant = translated(row.meaning, catalog), translated(row.meaning, english)
                    assert len(set(meant)) == 2, (table.topic, row.key, meant)


def test_numbers_are_those_of_the_rules() -> None:
    core, second = profile_of(Ruleset.CORE_1E), profile_of(Ruleset.SECOND_EDITION)
    assert said(core, "complication_range/4") == "Complication range 4. Complication on 17 to 20."
    assert "It costs 2 Momentum. Up to 3 times on one Task." in said(core, "momentum/create_problem")
    assert "disabled from 4, destroyed from 5" in said(core, "breaches/4")
    assert system_condition(4, 4) is Condition.DISABLED
    assert "destroyed from 2 Breaches. With 5 in all" in said(second, "breaches/4")
    assert "Target Number 13" in said(core, "crews/talented")
    assert said(core, "systems_hit/structure") == "Structure. The d20 shows 10 to 17."


def test_a_larger_ship_has_a_row_too() -> None:
    profile = profile_of(Ruleset.CORE_1E)
    assert "disabled from 12" in said(profile, "breaches/12")
    assert reference_row(profile, "breaches", "100000") is None
    assert reference_row(profile, "breaches", "many") is None
    assert reference_row(profile, "nothing", "1") is None


def test_a_house_has_its_own_rows() -> None:
    house = HouseTables(
        weapons=(Weapon(name="net", label="Net", attack=AttackType.RANGED, rating=1),),
        spends=(HouseSpend(name="disarm", label="Knock it away", cost=1),),
        breaches=(HouseBreaches(scale=9, damaged=0, disabled=2, destroyed=3),),
        shaken=("Lights flicker",),
    )
    first, second = (profile_of(one, house=house) for one in (Ruleset.CORE_1E, Ruleset.SECOND_EDITION))
    assert said(first, "weapons/net").startswith("Net. Ranged: 1 Challenge Die")
    assert said(first, "momentum/disarm").startswith("Knock it away.")
    assert "It costs 1 Momentum." in said(first, "momentum/disarm")
    assert said(first, "breaches/9") == "Scale 9. A system is disabled from 2 Breaches, destroyed from 3."
    assert said(second, "shaken/Lights flicker") == "Lights flicker."


def test_options_change_what_a_row_says() -> None:
    profile = profile_of(Ruleset.CORE_1E, TableOptions(pushing_on=False, surge_difficulty=1, inspiration_subset=False))
    assert reference_row(profile, "determination", "ignore_injury") is None
    assert "1 harder" in said(profile, "determination/surge_of_activity")
    assert "All of one's own dice" in said(profile, "determination/moment_of_inspiration")
    assert set(OPTION_ROWS) >= {"pushing_on", "surge_difficulty", "inspiration_subset"}


def said(profile: Profile, name: str) -> str:
    row = reference_row(profile, *name.split("/"))
    assert isinstance(row, ReferenceRow), name
    return str(row.said)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (MakeSpend(spend=Spend.DISARM), (Topic.MOMENTUM, "disarm")),
        (BuyDie(purchase=Purchase(payer=Payer.TALENT)), (Topic.BONUS_DICE, "talent")),
        (CreateProblem(), (Topic.MOMENTUM, "create_problem")),
        (WithdrawTask(), None),
        (MakeSpend(spend=Spend.COUNTER_HIT), None),  # the second edition's own
    ],
)
def test_a_command_leads_to_its_row(command: Command, found: tuple[Topic, str] | None) -> None:
    assert row_about(profile_of(Ruleset.CORE_1E), command) == found


def test_every_explained_command_is_one() -> None:
    assert set(COMMANDS.values()) >= EXPLAINED


def test_stations_have_the_numbers_of_their_table() -> None:
    for ruleset in Ruleset:
        listed = reference(profile_of(ruleset))[Topic.STATIONS]
        for row in STATION_ACTIONS[ruleset].values():
            if listed.row(row.action) and row.rolled and row.difficulty is not None:
                assert f"Difficulty {row.difficulty}." in said(profile_of(ruleset), f"stations/{row.action}"), row


def test_labels_are_phrases_so_that_they_can_be_said_otherwise() -> None:
    rows = [row for table in reference(profile_of(Ruleset.CORE_1E)).values() for row in table.rows]
    assert all(isinstance(one.label, Phrase) and isinstance(one.said, Phrase) for one in rows)

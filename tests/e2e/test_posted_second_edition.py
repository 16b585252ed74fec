"""A story of the second edition over HTTP, with SIGKILL in the middle: two raiders, of which one was scanned."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tests.e2e.crew import DISCIPLINES
from tests.e2e.posted import PostedEvening
from tests.e2e.warm import WarmProgram

PHASERS: Final = {"name": "Phasers", "kind": "energy", "rating": 7}
TORPEDOES: Final = {"name": "Torpedoes", "kind": "torpedo", "rating": 9}
SEATS: Final = {"Ada": "tactical", "Ben": "helm", "Cy": "sensors", "Dee": "navigation"}


def tell(evening: PostedEvening) -> None:
    evening.send("set_up_table", ruleset="second-edition", players=["Ada", "Ben", "Cy", "Dee"])
    for name in SEATS:
        evening.join(name)
    departments = {**DISCIPLINES, "security": 4}
    evening.launch("Far Lantern", scale=4, shields=9, resistance=4, weapons=[PHASERS], departments=departments)
    raider: dict[str, Any] = {"scale": 1, "shields": 12, "resistance": 3, "crew": "talented"}
    evening.launch("Black Comet", weapons=[PHASERS, TORPEDOES], **raider)
    evening.launch("Ember", weapons=[PHASERS], **raider)
    evening.send("start_scene", name="The raiders")
    evening.send("adjust_pool", pool="threat", change=-8)
    take_seats(evening)
    cy_scans_the_comet(evening)
    the_comet_has_no_threat(evening)
    ember_fires_at_who_evades(evening)
    ada_fires_at_ember(evening)
    ben_evades_a_torpedo(evening)
    ada_fires_at_the_comet(evening)
    cy_takes_a_trait_away(evening)
    at_the_other_stations(evening)


def take_seats(evening: PostedEvening) -> None:
    """S2E-22: Security 4 gives tactical a second seat, and no third."""
    start = {"kind": "starship", "begins": evening.people["Cy"]}
    crowded = {**SEATS, "Cy": "tactical", "Dee": "tactical"}
    said = evening.refused("S2E-22", "start_conflict", combatants=_combatants(evening, crowded), **start)
    assert said == "No seat is left at tactical on Far Lantern, where Ada and Cy sit; choose another station."
    evening.send("start_conflict", combatants=_combatants(evening, SEATS), **start)


def _combatants(evening: PostedEvening, seats: dict[str, str]) -> list[dict[str, str]]:
    lantern = evening.ships["Far Lantern"]
    crew = [{"combatant_id": evening.people[one], "ship_id": lantern, "station": at} for one, at in seats.items()]
    return [*crew, *({"combatant_id": evening.ships[one]} for one in ("Black Comet", "Ember"))]


def cy_scans_the_comet(evening: PostedEvening) -> None:
    """S2E-X4: of two ships one is named; the effect is spelt as the rules spell it."""
    evening.begin("Cy")
    said = evening.refused_task("S2E-X4", "Cy", "scan_for_weakness")
    assert said == "This counts against one ship alone; say against which: Black Comet or Ember."
    said = evening.refused_task("S2E-X4", "Cy", "scan_for_weakness", target="Black Comet", effect="piercng")
    assert said == "Scan for Weakness knows no 'piercng'; choose damage or piercing, or leave it out."
    evening.act("Cy", "scan_for_weakness", target="Black Comet")
    # Control 11 + Science 3 against 2: a 1 and a 9 are 3; the ship's 14 is over Sensors 9 + Security 4.
    assert evening.thrown_against == (14, 2)
    evening.throw(1, 9)
    evening.power_cut()
    evening.succeeds((14,))
    assert evening.pools == (1, 0)
    evening.send("end_turn")


def the_comet_has_no_threat(evening: PostedEvening) -> None:
    """THR-4, NPC-1: what adds Threat for a player costs it an NPC."""
    evening.begin("Black Comet")
    said = evening.refused_task("THR-4", "Black Comet", "fire", target="Far Lantern", weapon="Torpedoes")
    assert said == "A torpedo costs an NPC 1 Threat, and there is none; fire another weapon."
    evening.send("end_turn")
    evening.begin("Ben")
    evening.act("Ben", "evasive_action")
    assert evening.table["request"] is None
    evening.send("end_turn")


def ember_fires_at_who_evades(evening: PostedEvening) -> None:
    """S2E-H4, C-64, C-61: the ship that evades answers, and its Complication waits for the hit."""
    evening.begin("Ember")
    evening.act("Ember", "fire", target="Far Lantern", weapon="Phasers")
    # Attribute 10 + discipline 3 of a Talented crew against 2: a 1 is 2, a 5 is 1, the ship's 19 misses: 1 Momentum.
    assert evening.thrown_against == (13, 2)
    evening.throw(1, 5)
    evening.throw(19)
    evening.power_cut()
    view = evening.program.table()
    assert (view["declarers"], view["may_be_plain"]) == ([evening.people["Ben"]], False)
    evening.refused_task("S2E-H4", "Ada", "evade")
    for who, name in (("Ada", "modulate_shields"), ("Cy", "assist"), ("Black Comet", "evade"), ("Ben", "return_fire")):
        evening.refused_task("S2E-H4", who, name)
    evening.act("Ben", "evade")
    # Daring 9 + Conn 2 against 1, and the ship's 12 is over Structure 9 + Conn 2.
    assert evening.thrown_against == (11, 1)
    evening.throw(20, 19)
    evening.throw(12)
    assert evening.task["who"] == "Ember", "who lost has nothing to end"
    evening.send("follow_through")
    evening.throw(12)
    evening.power_cut()
    evening.send("settle_hit")
    # 7 less Resistance 4; 6 of 9 Shields are not below half.
    assert evening.ship("Far Lantern")["state"]["shields"] == 6
    evening.send("finish_spending")
    evening.power_cut()
    assert (evening.task["who"], evening.task["phase"], evening.pools) == ("Ben", "complications", (1, 1))
    evening.send("take_complication", name="Overcorrected")
    evening.send("end_turn")


def ada_fires_at_ember(evening: PostedEvening) -> None:
    """S2E-X4, S2E-T3: neither the weakness nor the solution against the Comet counts; ASST-4, MOM-9, S2E-T6."""
    evening.begin("Ada")
    said = evening.refused_minor("S2E-T3", "Ada", "targeting_solution")
    assert said == "This counts against one ship alone; say against which: Black Comet or Ember."
    said = evening.refused_minor("S2E-T2", "Ada", "prepare", note="raise shield")
    assert "raise shields" in said
    evening.minor("Ada", "targeting_solution", target="Black Comet")
    said = evening.refused_task("S2E-T3", "Ada", "fire", target="Ember", system="engines")
    assert "against Ember" in said
    dee = {"character_id": evening.people["Dee"], "attribute": "reason", "discipline": "science"}
    evening.act("Ada", "fire", target="Ember", assists=[dee])
    # Control 11 + Security 3 against 2, and 1 for the Evasive Action: 4 of Ada's 1s, 1 of Dee's 5, 2 of the ship's 4.
    assert evening.thrown_against == (14, 3)
    evening.throw(1, 1)
    evening.power_cut()
    evening.throw(5)
    evening.throw(4)
    evening.send("follow_through")
    evening.throw(12)
    evening.send("settle_hit")
    assert evening.ship("Ember")["state"]["shields"] == 12 - (7 - 3)
    assert {"weakness_found", "target_solved"} <= _lasting(evening)
    evening.send("make_spend", spend="swift_task")
    evening.send("finish_spending")
    # 7 less 3 are 4 Momentum; 2 for the Swift Task, 2 saved. Its Difficulty is no matter to what has no dice.
    assert (evening.pools, evening.turn["harder"]) == ((3, 1), 1)
    evening.power_cut()
    evening.act("Ada", "modulate_shields")
    assert (evening.table["request"], evening.turn["tasks"], evening.turn["harder"]) == (None, 2, 0)
    evening.send("end_turn")
    evening.refused("TURN-1", "begin_turn", combatant_id=evening.people["Dee"])
    evening.send("next_round")


def ben_evades_a_torpedo(evening: PostedEvening) -> None:
    """THR-4: the 1 Threat is taken though the torpedo misses; S2E-H4: who won may move."""
    evening.begin("Black Comet")
    evening.act("Black Comet", "fire", target="Far Lantern", weapon="Torpedoes")
    assert (evening.thrown_against, evening.pools) == ((13, 3), (3, 0))
    evening.throw(19, 18)
    evening.throw(19)
    evening.act("Ben", "evade")
    evening.throw(1, 5)
    evening.throw(19)
    evening.power_cut()
    evening.settle()
    assert evening.pools == (3 + 2, 0)
    evening.send("end_turn")


def ada_fires_at_the_comet(evening: PostedEvening) -> None:
    """S2E-X4, S2E-T3: 2 more damage, on the system that is chosen; then both are used up."""
    evening.begin("Ada")
    evening.act("Ada", "fire", target="Black Comet", system="weapons")
    assert evening.thrown_against == (14, 3)
    evening.throw(1, 1)
    evening.throw(19)
    evening.send("follow_through")
    evening.power_cut()
    evening.send("settle_hit")
    assert evening.ship("Black Comet")["state"]["shields"] == 12 - (7 + 2 - 3)
    evening.settle()
    assert not {"weakness_found", "target_solved"} & _lasting(evening)
    evening.send("end_turn")
    evening.begin("Ember")
    evening.send("end_turn")


def _lasting(evening: PostedEvening) -> set[str]:
    return {one["name"] for one in evening.table["effects"]}


def cy_takes_a_trait_away(evening: PostedEvening) -> None:
    """S2E-6: Create Trait is every station's, of Difficulty 2, and ends a trait as well."""
    _require_create_trait(evening)
    evening.begin("Cy")
    (trait,) = evening.table["traits"]
    evening.act("Cy", "create_trait", target_id=trait["trait_id"], attribute="insight", discipline="medicine")
    # Insight 9 + Medicine 1: what fits is named at the table.
    assert evening.thrown_against == (10, 2)
    evening.succeeds((1, 19))
    assert evening.traits == []


def at_the_other_stations(evening: PostedEvening) -> None:
    """S2E-6: the same for whoever sits where nobody has."""
    evening.send("end_conflict")
    others = {"Ada": "command", "Ben": "communications", "Cy": "operations", "Dee": ""}
    evening.send("start_conflict", kind="starship", combatants=_combatants(evening, others))
    evening.power_cut()
    _require_create_trait(evening)


def _require_create_trait(evening: PostedEvening) -> None:
    for name in SEATS:
        entry = evening.menu(name)["create_trait"]
        assert (entry["station"], entry["difficulty"]) == ("", 2)


def test_the_second_editions_story_over_http(tmp_path: Path) -> None:
    """S2E-6, S2E-22, S2E-H4, S2E-T3, S2E-T5, S2E-T6, S2E-X4, ASST-4, MOM-9, THR-4, NPC-1, C-61, C-64."""
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program:
        evening = PostedEvening(program, "bridge")
        tell(evening)
        assert evening.cuts == 9

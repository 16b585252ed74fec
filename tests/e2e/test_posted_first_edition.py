"""A story of the first edition over HTTP, with SIGKILL in the middle: a chase with boarders in the corridors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.posted import PostedEvening
from tests.e2e.warm import WarmProgram

PHASERS = {"name": "Phasers", "kind": "energy", "rating": 4}
TORPEDOES = {"name": "Torpedoes", "kind": "torpedo", "rating": 4}


def tell(evening: PostedEvening) -> None:
    evening.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben", "Cy"])
    for name in ("Ada", "Ben", "Cy"):
        evening.join(name)
    evening.join("Vosk", standing="notable_npc")
    evening.launch("Far Lantern", scale=4, weapons=[PHASERS])
    evening.launch("Black Comet", scale=1, shields=9, resistance=1, crew="talented", weapons=[TORPEDOES])
    evening.launch("Skiff", scale=1, shields=1)
    evening.send("start_scene", name="The debris")
    evening.send("adjust_pool", pool="threat", change=-6)
    evening.send("add_trait", name="Smoke", kind="complication")
    lantern = evening.ships["Far Lantern"]
    seats = {"Ada": "tactical", "Ben": "sensors", "Cy": "helm", "Vosk": ""}
    crew = [{"combatant_id": evening.people[one], "ship_id": lantern, "station": at} for one, at in seats.items()]
    crew.append({"combatant_id": evening.ships["Black Comet"]})
    evening.send("start_conflict", kind="starship", combatants=crew, begins=evening.people["Cy"])
    cy_promises_help(evening)
    ben_scans_and_launches_a_probe(evening)
    ada_fires(evening)
    boarders_are_met(evening)
    through_the_debris(evening)
    engines_that_are_gone(evening)


def cy_promises_help(evening: PostedEvening) -> None:
    """ASST-4: helping is a Task, so who is only named is refused."""
    evening.begin("Cy")
    evening.act("Cy", "assist", target="Ada", attribute="reason", discipline="science")
    assert evening.table["request"] is None
    evening.send("end_turn")
    evening.send("pass_turn", combatant_id=evening.people["Vosk"])


def ben_scans_and_launches_a_probe(evening: PostedEvening) -> None:
    """STN-24, STN-25, MOM-9: a probe has no dice, and so no Difficulty that a Swift Task could raise."""
    evening.begin("Ben")
    said = evening.refused_task("STN-24", "Ben", "scan_for_weakness", effect="piercng")
    assert said == "Scan for Weakness takes no effect; leave it out."
    helper = {"character_id": evening.people["Ada"], "attribute": "reason", "discipline": "science"}
    said = evening.refused_task("ASST-4", "Ben", "scan_for_weakness", assists=[helper])
    assert "In a conflict helping costs a Task. Let Ada take Assist in a Turn before" in said
    evening.act("Ben", "scan_for_weakness")
    # Control 11 + Science 3: a 1 and a 14 are 3 successes against 1; the ship's 13 is over Sensors 9 + Security 3.
    assert evening.thrown_against == (14, 1)
    evening.throw(1, 14)
    evening.power_cut()
    evening.throw(13)
    assert evening.task["outcome"]["momentum"] == 2
    evening.send("make_spend", spend="swift_task")
    evening.send("finish_spending")
    evening.power_cut()
    assert evening.turn["harder"] == 1
    evening.act("Ben", "launch_probe")
    assert evening.table["request"] is None
    assert (evening.turn["tasks"], evening.turn["harder"], evening.pools) == (2, 0, (0, 0))
    assert {one["name"] for one in evening.table["effects"]} == {"assist", "weakness_found", "probe_launched"}
    evening.refused_task("TURN-5", "Ben", "maneuver", zones=1)
    evening.send("end_turn")


def ada_fires(evening: PostedEvening) -> None:
    evening.begin("Black Comet")
    evening.act("Black Comet", "fire_weapon", target="Far Lantern", weapon="Torpedoes")
    # C-52: here a torpedo takes no Threat. Attribute 10 + discipline 3 of a Talented crew against 3; all miss.
    assert (evening.thrown_against, evening.pools) == ((13, 3), (0, 0))
    evening.succeeds((19, 18), (19,))
    evening.send("end_turn")
    evening.begin("Ada")
    evening.act("Ada", "fire_weapon", target="Black Comet", weapon="Phasers")
    # Control 11 + Security 3 against 2. Ada's 5 is 1, Cy's 13 is 1, the ship's 3 is 2 with its focus: 2 Momentum.
    assert evening.thrown_against == (14, 2)
    assert [one["promised"] for one in evening.task["declaration"]["assists"]] == [True]
    evening.throw(20, 5)
    evening.power_cut()
    evening.throw(13)
    evening.throw(3)
    assert evening.task["outcome"]["momentum"] == 2
    evening.send("follow_through")
    evening.throw("effect", 2, 1, "blank")
    evening.power_cut()
    # 4 points; the weakness pierces 2 for the Effect, and so the Resistance of 1.
    evening.send("settle_ship_hit")
    assert evening.ship("Black Comet")["state"]["shields"] == 9 - 4
    # POOL-5: both Momentum end a Complication.
    (smoke,) = evening.table["traits"]
    evening.send("make_spend", spend="create_advantage", trait_id=smoke["trait_id"])
    assert evening.traits == []
    evening.send("finish_spending")
    evening.power_cut()
    # C-61: the 20 waits until here.
    assert evening.task["phase"] == "complications"
    evening.send("buy_off_complication")
    assert evening.pools == (0, 2)
    evening.send("end_turn")
    evening.begin("Vosk")
    evening.act("Vosk", "ready", note="An ambush at the turbolift")
    evening.send("end_turn")
    evening.send("next_round")


def boarders_are_met(evening: PostedEvening) -> None:
    """STN-19, OPP-1: what is contested is answered by the other side, with a plain Task."""
    evening.begin("Ada")
    evening.act("Ada", "deploy_security")
    # Presence 8 + Security 3, which the action settles; from tactical it is an Override: 2 successes, 0 Momentum.
    assert evening.thrown_against == (11, 2)
    evening.throw(3, 11)
    evening.power_cut()
    for who, name in (("Cy", "ready"), ("Cy", "maneuver"), ("Ben", "launch_probe"), ("Vosk", "ready")):
        evening.refused_task("OPP-1", who, name, note="Now")
    plain = {"attribute": "fitness", "discipline": "security"}
    evening.refused("OPP-1", "declare_task", declaration={"character_id": evening.people["Ben"], **plain})
    evening.send("declare_task", declaration={"character_id": evening.people["Vosk"], **plain})
    assert evening.thrown_against == (11, 1)
    evening.throw(20, 12)
    evening.send("finish_spending")
    # Nothing is damaged, so the loser's Complication is settled as it comes.
    assert (evening.task["who"], evening.task["phase"]) == ("Vosk", "complications")
    evening.power_cut()
    evening.send("take_complication", name="Cut off")
    evening.settle()
    assert (evening.traits, evening.pools) == (["Cut off"], (0, 2))
    evening.send("end_turn")
    evening.begin("Vosk")
    evening.send("end_turn")


def through_the_debris(evening: PostedEvening) -> None:
    """SHIP-9: terrain makes a Task of Maneuver; the menu says that dice are thrown."""
    evening.send("set_terrain", ship_id=evening.ships["Far Lantern"], terrain="debris_field")
    evening.begin("Cy")
    menu = evening.menu("Cy")
    assert menu["restore"]["why_not"] == "No system is out; nothing is there to restore."
    assert menu["warp"]["power"] == 2
    entry = menu["maneuver"]
    assert (entry["dice"], entry["power"], entry["possible"]) == ("now", 0, True)
    evening.act("Cy", "maneuver", zones=1)
    assert evening.thrown_against == (13, 1)
    evening.throw(14, 13)
    evening.power_cut()
    evening.throw(20)
    evening.settle()
    state = evening.ship("Far Lantern")["state"]
    assert (state["terrain"], state["power"]) == ("open_space", 9)


def engines_that_are_gone(evening: PostedEvening) -> None:
    """BRCH-5: 14 less 1 Resistance are 5 or more, and the Shields fall: 2 Breaches, the end at Scale 1."""
    skiff = evening.ships["Skiff"]
    evening.send("strike_ship", ship_id=skiff, damage=14, reason="debris", system="engines")
    (engines,) = evening.ship("Skiff")["state"]["systems"]
    assert (engines["breaches"], engines["condition"]) == (2, "destroyed")
    evening.refused("BRCH-5", "adjust_power", ship_id=skiff, change=1)
    evening.send("adjust_power", ship_id=skiff, change=-1)
    assert evening.ship("Skiff")["state"]["power"] == 9 - 4 - 1


@pytest.mark.long
def test_the_first_editions_story_over_http(tmp_path: Path) -> None:
    """In the short form the second edition's goes the same way over the wire; `tests/rules` holds each rule.

    MOM-9, ASST-4, OPP-1, STN-11, STN-19, STN-20, STN-24, STN-25, C-52, C-61, POOL-5, THR-3, BRCH-5."""
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program:
        evening = PostedEvening(program, "bridge")
        tell(evening)
        assert evening.cuts == 8

"""A story of the starter set over HTTP, with SIGKILL in the middle: a melee in the hold, and out of a nebula."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.posted import PostedEvening
from tests.e2e.warm import WarmProgram


def tell(evening: PostedEvening) -> None:
    evening.send("set_up_table", ruleset="starter", players=["Ada", "Ben"])
    evening.join("Ada", weapons=["blade"])
    evening.join("Ben")
    evening.join("Vosk", standing="notable_npc", weapons=["blade"])
    evening.join("Creature", standing="minor_npc", abilities=[{"name": "threatening", "amount": 2}])
    evening.join("Brute", standing="minor_npc")
    evening.launch("Far Lantern", scale=4)
    evening.send("start_scene", name="The hold")
    evening.send("adjust_pool", pool="threat", change=-4)
    evening.send("add_trait", name="Smoke", kind="complication")
    seats = [{"combatant_id": one} for one in evening.people.values()]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=evening.people["Ada"])
    evening.send("set_reach", first_id=evening.people["Ada"], second_id=evening.people["Vosk"])
    ada_strikes_vosk(evening)
    ada_directs_ben(evening)
    the_creature_spends_its_own(evening)
    out_of_the_nebula(evening)


def ada_strikes_vosk(evening: PostedEvening) -> None:
    evening.begin("Ada")
    said = evening.refused_task("QUAL-2", "Ada", "attack", target="Vosk", weapon="blade", effect="piercng")
    assert said == "Attack knows no 'piercng'; choose area, intense, piercing or vicious, or leave it out."
    evening.act("Ada", "attack", target="Vosk", weapon="blade")
    # Daring 9 + Security 3, which the attack settles; Difficulty 1 in melee, opposed.
    assert evening.thrown_against == (12, 1)
    evening.throw(1, 5)
    evening.power_cut()
    # 3 successes, 2 Momentum, and Vosk's answer is awaited: nobody else's, and nothing but a defence.
    assert evening.program.table()["declarers"] == [evening.people["Vosk"]]
    for who, name in (("Ben", "guard"), ("Ben", "sprint"), ("Brute", "guard"), ("Brute", "sprint"), ("Vosk", "guard")):
        evening.refused_task("ATK-2", who, name)
    evening.refused_task("ATK-2", "Ben", "defend", weapon="unarmed")
    evening.act("Vosk", "defend", weapon="blade")
    assert evening.thrown_against == (12, 1)
    evening.throw(20, 19)
    # Vosk fails with a Complication, which waits for the damage: blade 2 + Security 3 dice, 1 + 2 points.
    evening.send("finish_spending")
    assert (evening.task["who"], evening.task["outcome"]["momentum"]) == ("Ada", 2)
    evening.refused("TASK-10", "take_complication", name="Off balance")
    evening.send("follow_through")
    evening.throw(1, 2, "blank", "blank", "blank")
    evening.power_cut()
    evening.send("settle_damage")
    assert evening.person("Vosk")["body"]["stress"] == 11 - 3


def ada_directs_ben(evening: PostedEvening) -> None:
    """MOM-9: 2 Momentum for a second Task, which is Direct and has no dice to be harder."""
    evening.send("make_spend", spend="swift_task")
    evening.power_cut()
    evening.send("finish_spending")
    assert evening.task["who"] == "Vosk"
    evening.send("take_complication", name="Off balance")
    evening.act("Ada", "direct", target="Ben", attribute="presence")
    assert evening.table["request"] is None
    assert (evening.turn["tasks"], evening.turn["harder"], evening.turn["guest_id"]) == (2, 0, evening.people["Ben"])
    smoke = next(one["trait_id"] for one in evening.table["traits"] if one["name"] == "Smoke")
    evening.act("Ben", "create_advantage", target_id=smoke, attribute="reason", discipline="science")
    # Reason 10 + Science 3 against 2; Ada helps with Presence 8 + Command 2: a 13 and her 2 are just enough.
    assert evening.thrown_against == (13, 2)
    evening.throw(13, 14)
    evening.power_cut()
    evening.throw(2)
    assert evening.task["outcome"]["momentum"] == 0
    evening.settle()
    assert evening.traits == ["Off balance"]
    evening.send("end_turn")


def the_creature_spends_its_own(evening: PostedEvening) -> None:
    """THR-6, C-86: what it drew pays for no other NPC, and what it does not spend is its own again."""
    creature = evening.people["Creature"]
    evening.send("draw_private_threat", character_id=creature, points=2)
    assert evening.pools == (0, 2)
    said = evening.refused("THR-6", "bring_in", character_id=evening.people["Brute"], reinforcement=True)
    assert "Creature drew 2 Threat of its own, which pays for it alone; 0 is there for others." in said
    evening.refused("THR-6", "spend_threat", event="environment_effect", amount=1)
    evening.power_cut()
    evening.begin("Creature")
    assert (evening.pools, evening.person("Creature")["body"]["private_threat"]) == ((0, 0), 2)
    evening.send("draw_private_threat", character_id=creature, points=2)
    evening.act("Creature", "sprint", purchases=[{"payer": "threat"}])
    # 1 of its 2 for the die.
    assert (evening.pools, evening.person("Creature")["body"]["private_threat"]) == ((0, 0), 1)
    evening.succeeds((19, 19, 19))


def out_of_the_nebula(evening: PostedEvening) -> None:
    """SHIP-6 to SHIP-9, C-32, C-33: the starter's own numbers in the menu and in what comes of them."""
    evening.send("end_conflict")
    evening.scope = "bridge"
    crew = [{"combatant_id": evening.people[one], "ship_id": evening.ships["Far Lantern"]} for one in ("Ada", "Ben")]
    crew[0]["station"], crew[1]["station"] = "helm", "sensors"
    evening.send("start_conflict", kind="starship", combatants=crew, begins=evening.people["Ben"])
    evening.send("set_terrain", ship_id=evening.ships["Far Lantern"], terrain="dense_nebula")
    evening.begin("Ben")
    menu = evening.menu("Ben")
    sweep, warp = menu["sensor_sweep"], menu["warp"]
    assert (sweep["rule"], sweep["difficulty"], sweep["attributes"]) == ("SHIP-8", 1, ["control", "reason"])
    assert (warp["rule"], warp["power"], warp["possible"]) == ("SHIP-7", 1, True)
    said = evening.refused_task("TASK-1", "Ben", "sensor_sweep")
    assert said == "Say with which attribute: Sensor Sweep. Choose control or reason."
    evening.act("Ben", "sensor_sweep", attribute="reason")
    # Reason 10 + Science 3, the ship with Sensors 9 + Science 3; two 1s and a miss: 4 successes, 3 Momentum.
    assert evening.thrown_against == (13, 1)
    evening.throw(1, 1)
    evening.power_cut()
    evening.throw(19)
    evening.send("make_spend", spend="swift_task")
    evening.send("finish_spending")
    # A dense nebula makes a Task of Difficulty 2 of the way out, which the Swift Task makes 1 harder, as does Override.
    evening.act("Ben", "impulse", zones=1)
    assert (evening.thrown_against, evening.ship("Far Lantern")["state"]["power"]) == ((13, 4), 8)
    evening.succeeds((19, 18), (19,))
    assert evening.ship("Far Lantern")["state"]["terrain"] == "dense_nebula"
    evening.send("end_turn")
    evening.begin("Ada")
    evening.act("Ada", "impulse", zones=1)
    # Control 11 + Conn 2 against 2: a 1 and a 13.
    assert evening.thrown_against == (13, 2)
    evening.succeeds((1, 13), (19,))
    state = evening.ship("Far Lantern")["state"]
    assert (state["terrain"], state["power"], evening.pools) == ("open_space", 7, (2, 0))


@pytest.mark.long
def test_the_starters_story_over_http(tmp_path: Path) -> None:
    """In the short form the second edition's goes the same way over the wire; `tests/rules` holds each rule.

    MOM-9, ATK-2, C-61, TRAIT-3, THR-6, C-86, SHIP-6 to SHIP-9, C-32, C-33."""
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off") as program:
        evening = PostedEvening(program, "personal")
        tell(evening)
        assert evening.cuts == 6

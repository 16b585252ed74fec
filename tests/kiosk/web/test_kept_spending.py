"""What can still be bought is its owner's: no other phone ends it, an NPC's only the gamemaster (docs/declaring.md)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kiosk.desk import Desk, post, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_line import page, table_of
from tests.kiosk.web.test_not_on_turn import buttons, lines_up
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES
from tests.kiosk.web.test_persons import Phone, opened


class Company:
    """Ada with Okafor, Ben with Lindqvist, a gamemaster, and Brack, who is an NPC."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.ids = crew(desk.client())
        self.ada, self.ben, self.master = (
            Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, gamemaster=True, name="Gus"),
        )  # fmt: skip
        self.ada.take(self.ids["Okafor"])
        self.ben.take(self.ids["Lindqvist"])

    @property
    def in_hand(self) -> str:
        """Whose Task is in hand."""
        task = table_of(self.ada)["task"]
        return str(task["who"]) if task is not None else ""

    def throws(self, *faces: int) -> None:
        """The dice that are awaited, entered at the kiosk."""
        send(self.desk.client(), "enter_dice", request=table_of(self.ada)["request"]["number"], faces=faces)

    def spends(self, who: str) -> None:
        """A Task of that character has 2 Momentum to spend."""
        send(self.desk.client(), "declare_task", declaration={"character_id": self.ids[who], **DECLARATION})
        self.throws(1, 1)
        assert (self.in_hand, table_of(self.ada)["task"]["momentum_left"]) == (who, 2)

    def wins(self, who: str) -> None:
        """That character has 2 Momentum over Okafor, who may still throw again, so that Okafor's Task is in hand."""
        value = {"values": ["Every System Can Be Understood"], "attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
        send(self.desk.client(), "save_character", character_id=self.ids["Okafor"], name="Okafor", **value)
        of = self.declared(who)["declaration"] | {"opposed": True, "opponent_id": self.ids["Okafor"]}
        for declaration, faces in ((of, (1, 1)), (self.declared("Okafor")["declaration"], (19, 18))):
            send(self.desk.client(), "declare_task", declaration=declaration)
            self.throws(*faces)
        shown = table_of(self.ada)
        assert (self.in_hand, shown["opposed"]["who"], shown["opposed"]["momentum_left"]) == ("Okafor", who, 2)

    def declared(self, who: str) -> dict[str, dict[str, object]]:
        """A declaration of that character."""
        return {"declaration": {"character_id": self.ids[who], **DECLARATION}}

    def fight(self, begins: str) -> None:
        """A fight on foot, with that character's Turn."""
        seats = [{"combatant_id": one} for one in self.ids.values()]
        send(self.desk.client(), "start_conflict", kind="personal", combatants=seats, begins=self.ids[begins])
        send(self.desk.client(), "begin_turn", combatant_id=self.ids[begins])


@pytest.fixture
def company() -> Iterator[Company]:
    with opened() as desk:
        yield Company(desk)


def test_a_players_declaration_waits_for_what_the_gamemaster_still_buys_for_an_npc(company: Company) -> None:
    """POOL-9: what is left becomes Threat, so when it ends is the gamemaster's to say."""
    company.spends("Brack")
    status, told = company.ada.asks("declare_task", **company.declared("Okafor"))
    assert (status, told["detail"]) == (403, "The gamemaster still spends for Brack: your Task waits.")
    form = page(company.ada, f"/play?declare=yes&character_id={company.ids['Okafor']}")
    assert "Declare it for later" in form
    assert lines_up(company.ada, company.ids["Okafor"], line="yes") == 200
    assert not [one for one in buttons(page(company.ada, "/play")) if one.startswith("Go on")]
    assert company.in_hand == "Brack"
    assert company.master.asks("finish_spending")[0] == 200
    assert company.in_hand == "Okafor"
    assert table_of(company.ada)["threat"] == 6


def test_a_form_that_was_opened_before_waits_for_it_too(company: Company) -> None:
    company.spends("Brack")
    assert lines_up(company.ada, company.ids["Okafor"]) == 200
    assert [one["character_id"] for one in table_of(company.ada)["in_line"]] == [company.ids["Okafor"]]
    assert company.in_hand == "Brack"


def test_the_gamemasters_next_decision_for_an_npc_ends_it(company: Company) -> None:
    company.spends("Brack")
    assert company.master.asks("declare_task", **company.declared("Brack"))[0] == 200
    assert table_of(company.ada)["threat"] == 6


def test_without_a_gamemaster_a_players_declaration_ends_it_as_ever(company: Company) -> None:
    change = {"action": "send_away", "person_id": company.master.me["person_id"]}
    assert post(company.desk.client(), "/api/v1/persons", change)[0] == 200
    company.spends("Brack")
    form = page(company.ada, f"/play?declare=yes&character_id={company.ids['Okafor']}")
    assert "Declare it for later" not in form
    assert company.ada.asks("declare_task", **company.declared("Okafor"))[0] == 200
    assert (company.in_hand, table_of(company.ada)["threat"]) == ("Okafor", 6)


@pytest.mark.parametrize("who", ["Okafor", "Brack"])
def test_nobody_begins_a_fight_while_another_person_still_buys(company: Company, who: str) -> None:
    """Refused before it is asked whether a fight shall begin: there is nothing to confirm."""
    company.spends(who)
    fight = {"kind": "personal", "combatants": [{"combatant_id": one} for one in company.ids.values()]}
    for confirmed in (False, True):
        status, told = company.ben.asks("start_conflict", **fight, confirmed=confirmed)
        assert status == 403
        assert told["detail"].startswith(("Ada" if who == "Okafor" else "The gamemaster") + " still spends for " + who)
    assert (company.in_hand, table_of(company.ada)["conflict"]) == (who, None)
    mine = company.ada if who == "Okafor" else company.master
    assert mine.asks("start_conflict", **fight, confirmed=True)[0] == 200
    assert (company.in_hand, table_of(company.ada)["conflict"] is not None) == ("", True)


def test_who_has_the_turn_does_not_end_it_over_what_another_won(company: Company) -> None:
    """OPP-2: who answered has the Momentum, in the Turn of whoever began."""
    company.fight("Okafor")
    send(company.desk.client(), "declare_task", declaration={
        "character_id": company.ids["Okafor"], **DECLARATION, "opposed": True, "opponent_id": company.ids["Lindqvist"],
    })  # fmt: skip
    company.throws(19, 18)
    send(company.desk.client(), "declare_task", **company.declared("Lindqvist"))
    company.throws(1, 1)
    assert (company.in_hand, table_of(company.ada)["task"]["momentum_left"]) == ("Lindqvist", 2)
    shown = page(company.ada, "/play")
    assert not [one for one in buttons(shown) if one.startswith("End the Turn")]
    assert "Lindqvist chooses what to do with 2 Momentum." in shown
    for command, more in (("end_turn", {}), ("end_conflict", {"confirmed": True})):
        status, told = company.ada.asks(command, **more)
        assert (status, told["detail"]) == (
            403, "Ben still spends for Lindqvist: let them finish, or ask the gamemaster.",
        )  # fmt: skip
    assert company.ben.asks("finish_spending")[0] == 200
    assert company.ada.asks("end_turn")[0] == 200


def test_who_has_the_turn_ends_their_own_with_it(company: Company) -> None:
    company.fight("Okafor")
    company.spends("Okafor")
    assert company.ben.asks("end_conflict", confirmed=True)[0] == 403
    assert company.ada.asks("end_turn")[0] == 200
    assert table_of(company.ada)["momentum"] == 2


@pytest.mark.parametrize(("who", "whose"), [("Lindqvist", "Ben"), ("Brack", "The gamemaster")])
def test_who_lost_ends_nothing_of_what_the_winner_can_still_buy(company: Company, who: str, whose: str) -> None:
    """OPP-2: the loser's Task is in hand, as its dice may be thrown again, and the winner's waits behind it."""
    company.wins(who)
    fight = {"kind": "personal", "combatants": [{"combatant_id": one} for one in company.ids.values()]}
    for command, more in (
        ("declare_task", company.declared("Okafor")),
        ("start_conflict", {**fight, "confirmed": True}),
    ):
        status, told = company.ada.asks(command, **more)
        assert (status, told["detail"].startswith(f"{whose} still spends for {who}")) == (403, True), command
    assert "Declare it for later" in page(company.ada, f"/play?declare=yes&character_id={company.ids['Okafor']}")
    assert lines_up(company.ada, company.ids["Okafor"]) == 200
    assert f"Your Task begins by itself when {who} is done" in page(company.ada, "/play")
    assert not [one for one in buttons(page(company.ada, "/play")) if one.startswith("Go on")]
    assert (company.in_hand, table_of(company.ada)["opposed"]["momentum_left"]) == ("Okafor", 2)
    assert company.ada.asks("finish_spending")[0] == 200
    assert (company.in_hand, table_of(company.ada)["task"]["momentum_left"]) == (who, 2)
    assert (company.ben if who == "Lindqvist" else company.master).asks("finish_spending")[0] == 200
    assert (company.in_hand, table_of(company.ada)["in_line"]) == ("Okafor", [])


def test_who_has_a_surge_of_activity_waits_for_what_the_winner_can_still_buy(company: Company) -> None:
    """DET-4: the right to act again ends nothing of another's either, and is not lost by waiting."""
    company.wins("Lindqvist")
    okafor = company.ids["Okafor"]
    value = "Every System Can Be Understood"
    assert company.ada.asks("surge_of_activity", character_id=okafor, value=value)[0] == 200
    assert company.ada.asks("declare_task", **company.declared("Okafor"))[0] == 403
    assert "Declare it for later" in page(company.ada, f"/play?declare=yes&character_id={okafor}")
    assert lines_up(company.ada, okafor) == 200
    assert "Your Task begins by itself when Lindqvist is done" in page(company.ada, "/play")
    assert (company.in_hand, table_of(company.ada)["task"]["momentum_left"]) == ("Lindqvist", 2)
    assert company.ben.asks("finish_spending")[0] == 200
    task = table_of(company.ada)["task"]
    assert (task["who"], task["surge"], table_of(company.ada)["in_line"]) == ("Okafor", True, [])


def test_in_a_fight_the_loser_does_not_end_it_over_that(company: Company) -> None:
    company.fight("Brack")
    company.wins("Brack")
    assert company.ada.asks("end_conflict", confirmed=True)[0] == 403
    assert company.ada.asks("finish_spending")[0] == 200
    assert (company.in_hand, table_of(company.ada)["threat"]) == ("Brack", 4)
    assert company.master.asks("end_turn")[0] == 200
    assert table_of(company.ada)["threat"] == 6

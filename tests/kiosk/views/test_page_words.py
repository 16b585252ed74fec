"""Words that pages share."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from kiosk.views.page_words import number_kept, numbered, one_line, parts_kept, source_words
from tests.kiosk.desk import Desk


@pytest.mark.parametrize(
    ("source", "state", "said"),
    [
        ("camera", "lost", "Camera: lost."),
        ("journal", "lost", "Journal: needs attention."),
        ("journal", "ready", "Journal: ready."),
        ("house tables", "lost", "House tables: needs attention."),
    ],
)
def test_a_file_in_trouble_is_not_called_lost(source: str, state: str, said: str) -> None:
    assert source_words({"source": source, "state": state}) == said


def test_a_part_that_is_ready_with_a_fault_says_so() -> None:
    assert source_words({"source": "tray", "state": "ready", "faulty": True}) == "Tray: ready, with a fault."
    assert source_words({"source": "tray", "state": "lost", "faulty": True}) == "Tray: connected, with a fault."


def test_the_number_of_one_of_several_stays_on_the_line_of_its_name() -> None:
    names = ("Hired blade 1", "Guard 12", "Deck 5 guard", "Varga", "Okoro hits Corsair 1: 6 damage")
    told = [number_kept(one) for one in names]
    assert told == [
        "Hired blade\u00a01",
        "Guard\u00a012",
        "Deck 5 guard",
        "Varga",
        "Okoro hits Corsair\u00a01: 6 damage",
    ]


def test_a_number_stays_beside_its_word() -> None:
    assert numbered("Ada 2 takes 5 damage") == "Ada 2\u00a0takes 5\u00a0damage", "also its own"
    assert numbered("Brack hits Ada: 5 damage") == "Brack hits Ada: 5\u00a0damage"
    kept = [numbered(Markup("&amp; 5 damage")), number_kept(Markup("R&amp;D, Scale 4"))]
    assert kept == [Markup("&amp; 5\u00a0damage"), Markup("R&amp;D, Scale\u00a04")]
    assert all(isinstance(one, Markup) for one in kept)


def test_a_word_too_long_for_any_line_is_one_to_cut_short_and_stays_whole() -> None:
    name = "<b>" + "W" * 40
    assert one_line(f"{name} & Reed") == f'<span class="long">&lt;b&gt;{"W" * 40}</span> &amp; Reed'
    assert one_line(one_line(f"{name} hits")) == one_line(f"{name} hits"), "once"
    assert one_line(f"Begin {name}'s", apart=True).startswith("<span>Begin <span class=")
    assert one_line("Lieutenant Okoro hits", apart=True) == "Lieutenant Okoro hits"


def test_what_a_button_says_first_stays_in_one_line() -> None:
    first = '<span><span class="told-first">A system goes out:</span> computers</span>'
    assert one_line("A system goes out: computers", apart=True) == first
    longer = "Keep the Initiative by adding Threat: Adeyemi is next"
    assert one_line(longer, apart=True) == longer
    assert one_line("Lose 2 Power", apart=True) == "Lose 2\u00a0Power"


def test_a_line_ends_between_the_parts_of_a_note_alone() -> None:
    kept = parts_kept("1 Breach, 2 Effects, Vicious adds 2")
    assert kept.split(" ") == ["1\u00a0Breach,", "2\u00a0Effects,", "Vicious\u00a0adds\u00a02"]


def test_the_note_of_a_number_stands_in_brackets() -> None:
    with Desk() as desk, desk.app.test_request_context():
        parts = desk.app.jinja_env.get_template("_parts.html").make_module({"back": "/play"})
        now = {"who": "", "word": "", "lines": [], "next": [], "dice": [], "counts": [], "kind": "chain"}
        fact = {"name": "Damage", "value": "2", "note": "1 Effect"}
        html = str(getattr(parts, "on_stage")(now | {"facts": [fact]}))  # noqa: B009 - a macro
    assert "2<small> (1\u00a0Effect)</small>" in html

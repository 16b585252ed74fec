"""What templates import is made once for a page, and anew for the next one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest
from flask import Flask
from jinja2 import DictLoader, Environment, FileSystemLoader, nodes

from kiosk.ports import SOURCE_LANGUAGE
from kiosk.web.app import TEMPLATES as OWN_TEMPLATES
from kiosk.web.imported import KeptMacros, OnceAPage, nothing_made
from kiosk.web.live_parts import OWN, LivePage, LivePartsOf
from rules.game import Refusal, Ruleset, Undo
from tests.kiosk.desk import LANGUAGES, Desk, StillClock
from tests.kiosk.memory_journal import MemoryJournal
from tests.recorded.plays import fighting
from tests.rules.tabletop import Game
from tests.rules.wild import fight_on_foot, ship_duel

MOVES: Final = 24
OPEN_FOR: Final = 4
"""For so many moves in a row pages stay open in the same way."""

SPOKEN: Final = (SOURCE_LANGUAGE, LANGUAGES.language("de"))

TEMPLATES = {
    "page": '{% import "one" as a with context %}{% import "two" as b with context %}{{ a.say() }}{{ b.say() }}',
    "one": '{% import "low" as low with context %}{% macro say() %}{{ low.say() }}{% endmacro %}',
    "two": '{% import "low" as low with context %}{% macro say() %}{{ low.say() }}{% endmacro %}',
    "low": "{% set _ = made.append(word) %}{% macro say() %}{{ word }}{% endmacro %}",
}


def shown(word: str, *, once: bool) -> tuple[str, list[str]]:
    """A page that says the word, and the word for each time that the lowest template was made."""
    app = Flask(__name__)
    app.jinja_env.loader = DictLoader(TEMPLATES)
    if once:
        app.jinja_env.template_class = OnceAPage
        app.context_processor(nothing_made)
    made: list[str] = []
    with app.app_context():
        pages = []
        for one in (word, word.upper()):
            context = {"word": one, "made": made}
            app.update_template_context(context)
            pages.append(app.jinja_env.get_template("page").render(context))
    return "".join(pages), made


def test_a_template_is_made_once_for_a_page_and_anew_for_the_next() -> None:
    assert shown("die", once=False) == ("diedieDIEDIE", ["die", "die", "DIE", "DIE"])
    assert shown("die", once=True) == ("diedieDIEDIE", ["die", "DIE"])


TOP: Final = """{% import "one" as a with context %}{% import "two" as b with context %}
{%- macro all() %}{{ greeting }} {{ a.say() }} {{ b.say() }} {{ own or "-" }}{% endmacro %}
{%- macro field() %}{{ view.word }}{{ view.table.scene }}{{ table.scene }}{% endmacro %}
{%- macro every() %}{{ view|join(" ") }}{% endmacro %}
{%- macro size() %}{{ view|length }}{% endmacro %}
{%- macro asked() %}{{ lucky() }}{% endmacro %}
"""


def kept_macros(**given: Any) -> KeptMacros:  # noqa: ANN401 - the globals of the templates, of any kind
    low = {"low": "{% macro say() %}{{ word }}{% endmacro %}"}
    environment = Environment(loader=DictLoader({**TEMPLATES, **low, "top": TOP}), autoescape=True)
    environment.template_class = OnceAPage
    environment.globals |= given
    return KeptMacros(environment.get_template("top"), fields=("view", "table"), changing=("lucky",))


def viewed(word: str, scene: int, **more: object) -> dict[str, Any]:
    table = {"scene": scene}
    return {"view": {"word": word, "table": table, **more}, "table": table}


def test_kept_macros_read_the_values_given_last() -> None:
    macros = kept_macros(greeting="Now")
    macros.reading({"word": "die", "own": "mine"})
    assert macros.part("all", None).html == "Now die die mine"
    macros.reading({"word": "tray"})
    assert macros.part("all", None).html == "Now tray tray -", "what was given before is forgotten"


def test_a_part_is_kept_as_long_as_all_that_it_read_is_as_it_was() -> None:
    macros = kept_macros(greeting="Now")
    macros.reading({"word": "die"} | viewed("a", 1))
    whole, field = macros.part("all", None), macros.part("field", None)
    assert field.html == "a11"
    macros.reading({"word": "die"} | viewed("a", 1, sequence=2))
    assert macros.part("all", whole) is whole
    assert macros.part("field", field) is field, "another field is not its concern"
    macros.reading({"word": "die", "own": "mine"} | viewed("a", 2))
    assert macros.part("all", whole).html == "Now die die mine", "what it looked for in vain is there now"
    assert macros.part("field", field).html == "a22"
    macros.reading(viewed("b", 1))
    assert macros.part("all", whole).html == "Now   -", "what it read is gone"
    assert macros.part("field", field).html == "b11"


@pytest.mark.parametrize("macro", ["every", "size"])
def test_who_reads_all_fields_is_made_anew_when_any_has_changed(macro: str) -> None:
    macros = kept_macros()
    macros.reading(viewed("a", 1))
    before = macros.part(macro, None)
    macros.reading(viewed("a", 1))
    assert macros.part(macro, before) is before
    macros.reading(viewed("a", 1, sequence=2))
    assert macros.part(macro, before) is not before


def test_what_asks_a_function_that_may_answer_otherwise_is_always_made_anew() -> None:
    answers = iter(["yes", "no"])
    macros = kept_macros(lucky=lambda: next(answers))
    macros.reading({})
    before = macros.part("asked", None)
    assert (before.html, macros.part("asked", before).html) == ("yes", "no")


@pytest.mark.parametrize(
    ("scene", "ruleset", "seed"),
    [
        (fight_on_foot, Ruleset.CORE_1E, 5),
        (fight_on_foot, Ruleset.SECOND_EDITION, 6),
        (ship_duel, Ruleset.CORE_1E, 7),
        (ship_duel, Ruleset.SECOND_EDITION, 5),
    ],
)
def test_kept_parts_are_those_that_would_be_made_now(
    scene: Callable[[Ruleset], Game], ruleset: Ruleset, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Every page is asked for after each move, as by one whose page is open, and compared before another opens it."""
    game, journal, chance = scene(ruleset), MemoryJournal(StillClock()), Random(seed)  # noqa: S311 - the course of play
    for decision in game.decisions:
        journal.append(decision)
    with Desk(journal=journal) as desk:
        app, kept, ada = desk.app, desk.hub.parts, desk.persons.join("", "player", "Ada").person_id
        desk.persons.take(ada, game.okafor)
        assert kept is not None
        for move in range(MOVES):
            with suppress(Refusal):
                asked = Undo() if move % 6 == 5 else fighting(desk.views.present().table, chance)
                desk.engine.submit(asked, "test", person=ada if chance.random() < 0.5 else "")
            whose, language = (ada, OWN, "")[move // OPEN_FOR % 3], SPOKEN[move // OPEN_FOR % 2]
            opened = [f"{page}//{whose}/{game.okafor}" for page in LivePage]
            shown = [kept(one, language) for one in opened]
            if move % OPEN_FOR == OPEN_FOR - 1:
                fresh = LivePartsOf(app, desk.services)
                assert shown == [fresh(one, language) for one in opened], move
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []


def test_the_templates_whose_macros_are_kept_hold_macros_and_imports_alone() -> None:
    environment = Environment(loader=FileSystemLoader(OWN_TEMPLATES), autoescape=True, extensions=["jinja2.ext.i18n"])
    waiting, checked, wrong = ["_display.html", "_live.html"], set[str](), list[tuple[str, int]]()
    while waiting:
        checked.add(name := waiting.pop())
        template = environment.parse((OWN_TEMPLATES / name).read_text())
        imported = {one.template.as_const() for one in template.find_all(nodes.Import)}
        waiting += imported - checked - set(waiting)
        wrong += [(name, one.lineno) for one in template.body if not _may_be_made_once(one)]
    assert wrong == []
    assert {"_parts.html", "_reference.html", "_company.html"} <= checked, "those that they import are looked at, too"


def _may_be_made_once(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Output):
        return all(isinstance(one, nodes.TemplateData) and not one.data.strip() for one in node.nodes)
    return isinstance(node, nodes.Macro | nodes.Import)

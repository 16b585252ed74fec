"""What templates import is made once for a page, and anew for the next one."""

from __future__ import annotations

from typing import Any

from flask import Flask
from jinja2 import DictLoader, Environment, FileSystemLoader, nodes

from kiosk.web.app import TEMPLATES as OWN_TEMPLATES
from kiosk.web.imported import KeptMacros, OnceAPage, nothing_made

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


def test_kept_macros_are_made_once_and_read_the_values_given_last() -> None:
    low = {"low": "{% macro say() %}{{ word }}{% endmacro %}"}
    top = """{% import "one" as a with context %}{% import "two" as b with context %}
    {%- macro all() %}{{ greeting }} {{ a.say() }} {{ b.say() }} {{ own or "-" }}{% endmacro %}"""
    environment = Environment(loader=DictLoader({**TEMPLATES, **low, "top": top}), autoescape=True)
    environment.template_class = OnceAPage
    environment.globals["greeting"] = "Now"
    kept = KeptMacros(environment.get_template("top"))
    first: Any = kept.reading({"word": "die", "own": "mine"})
    assert first.all() == "Now die die mine"
    again: Any = kept.reading({"word": "tray"})
    assert again is first
    assert again.all() == "Now tray tray -", "what was given before is forgotten"


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

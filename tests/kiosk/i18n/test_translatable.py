"""Every word that templates and scripts put before a person can be translated; the check is tried on bad ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment, nodes

from tests.kiosk.script_words import untranslated as untranslated_in_script

KIOSK: Final = Path(__file__).parents[3] / "kiosk"
TEMPLATES: Final = sorted((KIOSK / "templates").glob("*.html"))
SCRIPTS: Final = sorted((KIOSK / "static" / "js").glob("*.js"))

MARKS: Final = frozenset({"_", "gettext", "ngettext"})
"""Functions whose literals are collected and translated."""

READ: Final = frozenset({"alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title"})
"""Attributes that are read aloud or shown."""

SAME_EVERYWHERE: Final = frozenset({"trueroll"})
"""Names that are the same in every language."""

VALUE: Final = "\ufffc"
"""Stands for what a template fills in."""

CLASSES: Final = re.compile(r"\{% block body %\}.*?\{% endblock %\}")
"""The block that fills the class of the page's body."""

WORDS: Final = re.compile(r"[^\W\d_]{2,}")
TECHNICAL: Final = re.compile(r"[a-z0-9_./:#?=&+-]*")
"""Names, paths and values: no word that a person reads is written without a capital and without a space."""


def environment() -> Environment:
    made = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    made.filters |= dict.fromkeys(
        ("titled", "shown_face", "face_words", "fits", "source_words", "trait_words", "told"), str
    )
    return made


class Page(HTMLParser):
    """The words of a page that stand in its source: texts, and attributes that are read."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.found += [text for name, text in attrs if name in READ and text and has_words(text)]

    def handle_data(self, data: str) -> None:
        words = data.strip().replace(VALUE, "")
        is_address = words.startswith("/") and TECHNICAL.fullmatch(words)  # as a macro makes one
        if has_words(data) and not is_address:
            self.found.append(" ".join(data.split()))


def has_words(text: str) -> bool:
    return any(word not in SAME_EVERYWHERE for word in WORDS.findall(text))


def without_values(source: str) -> str:
    """A template as HTML: what it fills in as one sign, what it decides and what it remarks left out."""
    made, inside = [], False
    for _, kind, text in environment().lex(CLASSES.sub("", source)):
        if kind == "data":
            made.append(text)
        elif kind == "variable_begin":
            inside = True
            made.append(VALUE)
        elif kind == "variable_end":
            inside = False
    assert not inside
    return "".join(made)


def literals(node: nodes.Node) -> Iterator[str]:
    """The texts below `node` that are worded for people and that nobody translates."""
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in MARKS:
        for one in node.kwargs:
            yield from literals(one)
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        if (
            has_words(node.value)
            and not TECHNICAL.fullmatch(node.value.strip())
            and not node.value.startswith(("<", "http://"))
        ):
            yield node.value
        return
    for child in node.iter_child_nodes():
        yield from literals(child)


def untranslated(source: str) -> list[str]:
    """What of a template would stay English in every language."""
    tree = environment().parse(source)
    return [*Page(without_values(source)).found, *(one for one in literals(tree) if not one.endswith(".html"))]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_word_of_a_template_is_translated(path: Path) -> None:
    assert untranslated(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_word_of_a_script_is_translated(path: Path) -> None:
    assert untranslated_in_script(path.read_text(encoding="utf-8")) == []


GOOD: Final = """{% import "_parts.html" as parts %}{# a remark #}
<h1 class="big" aria-label="{{ _("Now") }}">{{ _("%(left)s of %(most)s", left=1, most=6) }}</h1>
{{ parts.select("kind", _("Kind"), [("all", _("All of them"))], "", id=key ~ "-kind") }}
<p>trueroll {{ name }}: 20</p>"""


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ("<p>Declare a Task</p>", "Declare a Task"),
        ("<p>{{ name }} throws</p>", f"{VALUE} throws"),
        ('<img alt="Picture of die {{ number }}">', f"Picture of die {VALUE}"),
        ('<button aria-label="Less">-</button>', "Less"),
        ('<input placeholder="{{ _("Name") }} here">', f"{VALUE} here"),
        ("<svg><title>Hull</title></svg>", "Hull"),
        ('<p>{{ "Wins" if good else _("Loses") }}</p>', "Wins"),
        ('<p>{{ "Die " ~ place }}</p>', "Die "),
        ('{{ parts.select("kind", "Kind", kinds) }}', "Kind"),
        ('{{ _("Undo: %(what)s", what="the last throw") }}', "the last throw"),
        ("<p>{% if one %}{{ one }}{% else %}nobody{% endif %}</p>", f"{VALUE}nobody"),
    ],
)
def test_an_english_word_in_a_template_is_found(bad: str, found: str) -> None:
    assert untranslated(GOOD) == []
    assert untranslated(GOOD + bad) == [found]


GOOD_SCRIPT: Final = """// A remark in English.
import { t } from "./language.js";
const face = /^([1-9]|1[0-9]|20)$/;  /* Another remark. */
el("p", { class: "error main-action", "data-mark": "ask" }, t("{name} throws.", { name }),
  tn(2, "{number} die", "{number} dice"));
place.querySelector("main > .error[role=alert]").textContent = `${mark}-${size}`;
fetch("/api/v1/events", { method: "POST" });
"""


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ('place.textContent = "Nothing to undo";', "Nothing to undo"),
        ("place.textContent = `Undo: ${view.undo}`;", "Undo: "),
        ('say(live ? t("Live.") : "Offline.");', "Offline."),
        ('el("button", { "aria-label": "Less of it" }, "+");', "Less of it"),
        ('el("button", { type: "submit" }, "Declare");', "Declare"),
        ("say(`${t('Die')} ${asked ? `is asked ${x}` : ''}`);", "is asked "),
        ('setText(place, words || "nobody at all");', "nobody at all"),
        ('t("Undo: {what}", { what: ["the last throw"] });', "the last throw"),
        ("place.title = 'Not read';", "Not read"),
    ],
)
def test_an_english_word_in_a_script_is_found(bad: str, found: str) -> None:
    assert untranslated_in_script(GOOD_SCRIPT) == []
    assert untranslated_in_script(GOOD_SCRIPT + bad) == [found]


def test_templates_of_scripts_are_literals() -> None:
    """What is not a literal is not collected, and stays English."""
    calls = re.compile(r"(?<![\w.$])(?:t\(|tn\([^,]+,)\s*([^\s\"])")
    found = {path.name: calls.findall(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert {name: one for name, one in found.items() if one and name != "language.js"} == {}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_nothing_that_would_break_a_page(path: Path) -> None:
    """What is translated stands in attributes too, and is not escaped again."""
    calls = environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call)
    marked = [one for one in calls if isinstance(one.node, nodes.Name) and one.node.name in MARKS]
    texts = [arg.value for one in marked for arg in one.args if isinstance(arg, nodes.Const)]
    assert all(isinstance(text, str) and not set('"<>&') & set(text) for text in texts)
    assert all(isinstance(one.args[0], nodes.Const) for one in marked)

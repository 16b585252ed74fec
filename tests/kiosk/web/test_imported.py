"""What templates import is made once for a page, and anew for the next one."""

from __future__ import annotations

from flask import Flask
from jinja2 import DictLoader

from kiosk.web.imported import OnceAPage, nothing_made

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

"""A language that nobody speaks, in the browser: words two fifths longer, of letters that English does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, Error, Route

from kiosk.views.page_words import WORDS_OF_SCRIPTS

SCRIPTS: Final = Path(__file__).parents[2] / "kiosk" / "static" / "js"

LONGER: Final = 0.4
"""How much longer than English a word becomes; German and French are said to need a third more."""

_LETTERS: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "åþçđéƒğħîĵķłɱñøþǫřšŧůʋŵẋýžÅÞÇĐÉƑĞĦÎĴĶŁƜÑØÞǪŘŠŦŮƲŴẊÝŽ",
)
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_TAG: Final = re.compile(r"(<!--.*?-->|<(?:script|style|textarea)\b.*?</(?:script|style|textarea)>|<[^>]*>)", re.DOTALL)
_CATALOG: Final = re.compile(r'<script type="application/json" id="catalog">.*?</script>', re.DOTALL)
_READ: Final = re.compile(r"\b(aria-label|alt|placeholder)=\"([^\"]*)\"")
_PLACE: Final = re.compile(r"(\{\w+\})")
_ENTITY: Final = re.compile(r"(&\w+;|&#\w+;)")
_TEMPLATE: Final = re.compile(r"(?<![\w.$])t\(\s*\"((?:[^\"\\]|\\.)*)\"")

TABLE_IN_IT: Final = """
{
    const parse = JSON.parse;
    const letters = LETTERS;
    const longer = (text) => text.replace(/[A-Za-z]{2,}/g, (word) => {
        const strange = [...word].map((one) => letters[one] ?? one).join("");
        return strange + strange.slice(-1).toLowerCase().repeat(Math.ceil(LONGER * word.length));
    });
    const worded = (value) => {
        if (typeof value === "string") return longer(value);
        if (Array.isArray(value)) return value.map(worded);
        if (!value || typeof value !== "object") return value;
        const machine = new Set(["kind", "mark", "shape", "face", "picture", "source", "state", "id"]);
        const each = ([key, one]) => [key, machine.has(key) ? one : worded(one)];
        return Object.fromEntries(Object.entries(value).map(each));
    };
    const rendered = (html) => {
        const made = document.createElement("template");
        made.innerHTML = html;
        const walk = document.createTreeWalker(made.content, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) node.data = longer(node.data);
        for (const name of ["aria-label", "alt"]) {
            for (const one of made.content.querySelectorAll(`[${name}]`)) {
                one.setAttribute(name, longer(one.getAttribute(name)));
            }
        }
        return made.innerHTML;
    };
    JSON.parse = (text, revive) => {
        const view = parse(text, revive);
        if (!view?.stage) return view;
        if (typeof view.stage === "string") {
            return Object.fromEntries(Object.entries(view).map(([id, html]) => [id, rendered(html)]));
        }
        const told = ["stage", "narration", "questions", "asked", "menu", "sources", "undo", "redo"];
        for (const key of told) view[key] = worded(view[key]);
        view.options = view.options.map((one) => ({ ...one, label: worded(one.label) }));
        return view;
    };
}
"""
"""What the kiosk says in its view of the table, and in the parts that it renders of it, is in that language as well."""


@cache
def longer(text: str) -> str:
    """`text` in the long language; its places stay."""
    return "".join(part if _PLACE.fullmatch(part) else _WORD.sub(_longer_word, part) for part in _PLACE.split(text))


def _longer_word(found: re.Match[str]) -> str:
    strange = found[0].translate(_LETTERS)
    return strange + strange[-1].lower() * -(-int(len(strange) * LONGER * 10) // 10)


@cache
def catalog() -> str:
    """The block of the page for its scripts."""
    words = {str(term): longer(term) for term in WORDS_OF_SCRIPTS}
    for path in SCRIPTS.glob("*.js"):
        words |= {one: longer(one) for one in _TEMPLATE.findall(path.read_text(encoding="utf-8"))}
    return json.dumps(words).replace("</", "<\\/")


def page_in_it(html: str, direction: str) -> str:
    """An English page in the long language."""
    page = re.sub(r' dir="\w+"', f' dir="{direction}"', _CATALOG.sub("", _in_it(html)), count=1)
    return page.replace("</head>", f'<script type="application/json" id="catalog">{catalog()}</script></head>', 1)


def _in_it(html: str) -> str:
    return "".join(_tag(part) if _TAG.fullmatch(part) else _text(part) for part in _TAG.split(html))


def _tag(part: str) -> str:
    return _READ.sub(lambda found: f'{found[1]}="{_text(found[2])}"', part)


def _text(part: str) -> str:
    return "".join(one if _ENTITY.fullmatch(one) else longer(one) for one in _ENTITY.split(part))


def speak_it(context: BrowserContext, direction: str = "ltr") -> None:
    """From now on every page of `context` is in the long language, and laid out in `direction`."""
    letters = {chr(english): chr(strange) for english, strange in _LETTERS.items() if isinstance(strange, int)}
    script = TABLE_IN_IT.replace("= LETTERS", f"= {json.dumps(letters)}").replace("LONGER", str(LONGER))
    context.add_init_script(script)

    def answer(route: Route) -> None:
        if route.request.resource_type not in {"document", "fetch"}:
            return route.continue_()
        with _given_up():
            answered = route.fetch()
            if "/parts/" in route.request.url and answered.ok:
                parts = {name: _in_it(html) for name, html in answered.json().items()}
                return route.fulfill(response=answered, body=json.dumps(parts))
            if "text/html" not in answered.headers.get("content-type", ""):
                return route.fulfill(response=answered)
            return route.fulfill(response=answered, body=page_in_it(answered.text(), direction))

    def answer_odds(route: Route) -> None:
        with _given_up():
            answered = route.fetch()
            route.fulfill(response=answered, body=json.dumps(_odds(answered.json())))

    context.route(lambda address: "/api/" not in address and "/static/" not in address, answer)
    context.route(lambda address: "/api/v1/odds" in address, answer_odds)


@contextmanager
def _given_up() -> Iterator[None]:
    """A page that moved on meanwhile has given its request up, and nobody waits for the answer."""
    try:
        yield
    except Error as error:
        if "disposed" not in error.message and "closed" not in error.message:
            raise


def _odds(value: object, key: str = "") -> object:
    """Chances as the kiosk tells them: their sentences, and why there are none."""
    if isinstance(value, dict):
        return {name: _odds(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_odds(one) for one in value]
    return longer(value) if key in {"words", "why_not"} and isinstance(value, str) else value

"""Finds the words for people in a script that no function translates; a lexer for as much of the language as is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<template>`)
    |(?P<word>[\w$]+)
    |(?P<sign>[^\s\w$])
    |(?P<space>\s+)""",
    re.VERBOSE | re.DOTALL,
)
_REGEX: Final = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/[a-z]*")
_BEFORE_REGEX: Final = frozenset({"(", ",", "=", ":", "[", "!", "&", "|", "?", "{", "}", ";", "return", ""})

TRANSLATING: Final = frozenset({"t", "tn"})
"""Functions of language.js whose literals are collected."""

MACHINES: Final = frozenset(
    {
        "addEventListener",
        "byId",
        "closest",
        "createElement",
        "el",
        "fetch",
        "getAttribute",
        "getElementById",
        "hasAttribute",
        "matches",
        "post",
        "querySelector",
        "querySelectorAll",
        "setAttribute",
        "setProperty",
        "svg",
        "toggleAttribute",
    }
)
"""Functions whose first text is no word for a person."""

KEYS: Final = frozenset(
    {"autocapitalize", "autocomplete", "class", "d", "headers", "inputmode", "method", "role", "type", "viewBox"}
)
"""Names of values that nobody reads."""

SIGNALS: Final = frozenset(
    {"AbortError", "Backspace", "Content-Type", "Enter", "Escape", "POST", "X-Trueroll", "Tab", "NotAllowedError"}
)
"""What browsers call keys, errors and the like."""

_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_TECHNICAL: Final = re.compile(r"[a-z0-9_./:#?=&+\[\]()\"*>-]*|[a-z]+(?:[A-Z][a-z]+)+|[./][\w./?=&%-]*")


@dataclass(frozen=True, slots=True)
class Text:
    """A literal of a script: its static words, the name before the bracket around it or before its colon."""

    words: str
    call: str
    first: bool
    key: str


def untranslated(source: str) -> list[str]:
    """The words for people in `source` that stay English in every language."""
    return [one.words for one in _texts(source) if _for_people(one)]


def _for_people(one: Text) -> bool:
    if (
        one.call in TRANSLATING
        or (one.call in MACHINES and one.first)
        or one.key in KEYS
        or one.key.startswith("data-")
    ):
        return False
    words = one.words.strip()
    return bool(_LETTERS.search(words)) and words not in SIGNALS and not _TECHNICAL.fullmatch(words)


def _texts(source: str) -> Iterator[Text]:
    calls: list[tuple[str, int]] = [("", 0)]
    before, key, place = "", "", 0
    importing = False
    while place < len(source):
        if source[place] == "/" and before in _BEFORE_REGEX and source[place + 1 : place + 2] not in {"/", "*"}:
            found = _REGEX.match(source, place)
            if found:
                before, place = "regex", found.end()
                continue
        token = _TOKEN.match(source, place)
        assert token is not None, source[place : place + 40]
        kind, text, place = token.lastgroup, token[0], token.end()
        if kind in {"comment", "space"}:
            continue
        if kind in {"text", "template"}:
            if kind == "template":
                words, inner, place = _template(source, place)
                for each in inner:
                    yield from _texts(each)
            else:
                words = text[1:-1]
            if not importing and not source[place : place + 1] == ":":
                yield Text(words, calls[-1][0], calls[-1][1] == 0, key if before == ":" else "")
            key = words
        elif text in "([{":
            calls.append((before if text == "(" else calls[-1][0] if text == "[" else "", 0))
        elif text in ")]}":
            calls.pop()
        elif text == ",":
            calls[-1] = (calls[-1][0], calls[-1][1] + 1)
        if text in {"import", "from"}:
            importing = True
        elif text == ";":
            importing = False
        if kind == "word":
            key = text
        before = text if kind != "template" else "`"


def _template(source: str, place: int) -> tuple[str, list[str], int]:
    """The static words of a template literal that begins at `place`, its expressions, and where it ends."""
    words, inner = [], []
    while source[place] != "`":
        if source[place] == "\\":
            words.append(source[place : place + 2])
            place += 2
        elif source.startswith("${", place):
            depth, start = 1, place + 2
            place = start
            while depth:
                if source[place] == "`":
                    _, _, place = _template(source, place + 1)
                    continue
                depth += {"{": 1, "}": -1}.get(source[place], 0)
                place += 1
            inner.append(source[start : place - 1])
        else:
            words.append(source[place])
            place += 1
    return "".join(words), inner, place + 1

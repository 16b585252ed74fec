"""Finds the words for people in a script that no function translates, by a lexer for what our scripts use."""

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
        "matchMedia",
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
    {
        "AbortError",
        "TimeoutError",
        "Backspace",
        "Content-Type",
        "Enter",
        "Escape",
        "POST",
        "X-Trueroll",
        "Tab",
        "NotAllowedError",
    }
)
"""What browsers call keys, errors and the like."""

_SELECTOR: Final = re.compile(r"[a-z0-9.#,='\[\]>:() -]*\[[a-z0-9.#,='\[\]>:() -]*")
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
    return [one.words for one in _Lexer(source).texts() if _for_people(one)]


def _for_people(one: Text) -> bool:
    if (
        one.call in TRANSLATING
        or (one.call in MACHINES and one.first)
        or one.key in KEYS
        or one.key.startswith("data-")
    ):
        return False
    words = one.words.strip()
    return bool(_LETTERS.search(words)) and words not in SIGNALS and not _of_machines(words)


def _of_machines(words: str) -> bool:
    return words.startswith("data:") or bool(_TECHNICAL.fullmatch(words) or _SELECTOR.fullmatch(words))


class _Lexer:
    """Walks through a script; `texts` yields its literals, those within template literals among them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.before = ""
        self.key = ""
        self.importing = False
        self.calls: list[tuple[str, int]] = [("", 0)]

    def texts(self) -> Iterator[Text]:
        while self.place < len(self.source):
            if not self._skipped_regex():
                yield from self._token()

    def _skipped_regex(self) -> bool:
        if self.before not in _BEFORE_REGEX or self.source.startswith(("//", "/*"), self.place):
            return False
        found = _REGEX.match(self.source, self.place)
        if found is not None:
            self.before, self.place = "regex", found.end()
        return found is not None

    def _token(self) -> Iterator[Text]:
        token = _TOKEN.match(self.source, self.place)
        assert token is not None, self.source[self.place : self.place + 40]
        kind, text, self.place = token.lastgroup, token[0], token.end()
        if kind in {"comment", "space"}:
            return
        if kind == "text":
            yield from self._literal(text[1:-1])
        elif kind == "template":
            words, inner, self.place = _template(self.source, self.place)
            for each in inner:
                yield from _Lexer(each).texts()
            yield from self._literal(words)
        elif kind == "word":
            self.key = text
            self.importing = self.importing or text in {"import", "from"}
        else:
            self._sign(text)
        self.before = text

    def _literal(self, words: str) -> Iterator[Text]:
        """A literal, unless it is what is imported from, or the name of a value."""
        call, place = self.calls[-1]
        if not self.importing and self.source[self.place : self.place + 1] != ":":
            yield Text(words, call, place == 0, self.key if self.before == ":" else "")
        self.key = words

    def _sign(self, sign: str) -> None:
        call, place = self.calls[-1]
        if sign == ";":
            self.importing = False
        elif sign == ",":
            self.calls[-1] = (call, place + 1)
        elif sign in ")]}":
            self.calls.pop()
        elif sign in "([{":
            self.calls.append(({"(": self.before, "[": call}.get(sign, ""), 0))


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

"""A language that nobody speaks: each template of the rules with strange letters, so that English words stand out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import rules

FOLDER: Final = Path(rules.__file__).parent

TEMPLATES_AT: Final = {"say": (0,), "say_count": (1, 2), "_plural": (0, 1), "Refusal": (1,)}
"""Where each call takes its templates."""

_PLACE: Final = re.compile(r"(\{\w+\})")


@dataclass(frozen=True)
class Told:
    """One call that takes templates: where it stands, the templates, and the places that it fills."""

    where: str
    name: str
    templates: tuple[ast.expr, ...]
    fills: frozenset[str]


def parsed() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(FOLDER.rglob("*.py")):
        yield str(path.relative_to(FOLDER)), ast.parse(path.read_text())


@cache
def told() -> tuple[Told, ...]:
    """Every call in the rules that takes a template."""
    return tuple(
        Told(
            f"{name}:{call.lineno}",
            call.func.id,
            tuple(one for place, one in enumerate(call.args) if place in TEMPLATES_AT[call.func.id]),
            frozenset(one.arg or "**" for one in call.keywords),
        )
        for name, tree in parsed()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in TEMPLATES_AT
    )


@cache
def templates() -> frozenset[str]:
    """Every template, as it is collected for those who translate."""
    return frozenset(
        one.value
        for call in told()
        for one in call.templates
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


class Strange:
    """A catalog in which every letter is an ø; what is not collected from the source stays English."""

    def gettext(self, message: str, /) -> str:
        if message not in templates():
            return message
        return "".join(one if _PLACE.fullmatch(one) else _odd(one) for one in _PLACE.split(message))

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return self.gettext(singular if number == 1 else plural)


def _odd(words: str) -> str:
    return "".join("ø" if one.isalpha() else one for one in words)

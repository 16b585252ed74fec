"""Decisions that a mended rule decides otherwise today, or refuses, and what exactly becomes of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.recorded.game import Refusal

FILE: Final = Path(__file__).parent / "decided_otherwise.json"
"""A person writes the rows, their rules and the numbers; `python -m tests.recorded excuse` writes the excuses."""


class Excuse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The present result of one recorded command. Nothing else is excused.

    `refused` is the rule and the sentence of its refusal, if it is refused. `sent` then puts right what is refused, by
    the path of each field, None for one that is left out: with that it is decided. `now` is what differs from what was
    recorded, by its place, as it is today: of the command with `sent`, or of the recorded one where it is not refused.
    """

    refused: tuple[str, str] | None = None
    sent: dict[str, Any] = {}
    now: dict[str, Any] = {}

    @property
    def needed(self) -> bool:
        """Whether the recorded command is decided otherwise at all."""
        return self.refused is not None or bool(self.now)

    def __str__(self) -> str:
        return json.dumps(msgspec.to_builtins(self), ensure_ascii=False)


class Mended(msgspec.Struct, frozen=True):
    """What one mended rule changes: `why` says what was mended. The recorded events are folded as they are."""

    rule: str
    why: str
    decisions: dict[str, dict[int, Excuse]]


def read_excuses() -> tuple[Mended, ...]:
    """All of them, by journal and number."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[Mended, ...])


def written(rows: Iterable[Mended]) -> str:
    """The file of `rows`, an excuse a line. A row that excuses nothing any more is left out."""
    lines: list[str] = []
    for row in rows:
        decisions = [
            f"   {_json(name)}: {{\n"
            + ",\n".join(f'    "{number}": {one}' for number, one in sorted(excuses.items()))
            + "\n   }"
            for name, excuses in row.decisions.items()
            if excuses
        ]
        if decisions:
            head = f' {{\n  "rule": {_json(row.rule)},\n  "why": {_json(row.why)},\n  "decisions": {{\n'
            lines.append(head + ",\n".join(decisions) + "\n  }\n }")
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def put_right(command: Mapping[str, Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """The recorded `command` with the fields of `sent`."""
    made: dict[str, Any] = json.loads(json.dumps(command))
    for path, value in sent.items():
        *way, last = path.split(".")
        inner = made
        for name in way:
            inner = inner[name]
        if value is None:
            inner.pop(last)
        else:
            inner[last] = value
    return made


def refused_as(refusal: Refusal) -> tuple[str, str]:
    """The rule and the sentence of a refusal."""
    return refusal.rule, str(refusal)

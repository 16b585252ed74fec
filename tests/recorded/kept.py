"""How recorded journals are kept: compressed JSON, one line a decision, each journal begun by a line with its name."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.recorded.game import Hashes, Words

FOLDER: Final = Path(__file__).parent / "journals"
"""Where the recorded journals lie, with what each decision led to."""

OLDER: Final = FOLDER / "older.jsonl.xz"
"""Of those, journals of older forms: their events alone are kept."""

FORM_1: Final = Path(__file__).parent / "form_1"
"""The kiosk's own files of form 1, as 0.1.0 wrote them, with what they led to. Nothing writes here any more."""

FORM_2: Final = Path(__file__).parent / "form_2"
"""The same of form 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One decision as it was recorded.

    `command` is None where a test let something happen that no command stands for. `state` holds the hashes of the
    table's fields that are other than after the decision before, None for one that is as it is by itself again.
    """

    number: int
    by: str
    name: str
    command: dict[str, Any] | None
    events: tuple[str, ...]
    state: dict[str, str | None]
    english: Words | None
    german: Words | None


@dataclass(frozen=True, slots=True)
class Journal:
    """A course of play from the empty table on."""

    name: str
    decisions: tuple[Kept, ...]


def read(path: Path) -> Iterator[Journal]:
    """The journals that `write` wrote. Of several of one name each after the first is numbered."""
    name = ""
    met: Counter[str] = Counter()
    decisions: list[Kept] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "journal" in row:
                if decisions:
                    yield Journal(name, tuple(decisions))
                name, decisions = row["journal"], []
                met[name] += 1
                name += f" ({met[name]})" if met[name] > 1 else ""
            else:
                decisions.append(_kept(row))
    yield Journal(name, tuple(decisions))


def present() -> list[Path]:
    """The files of the stories, of the plays by seed, and of what the rules' tests play."""
    return sorted(path for path in FOLDER.glob("*.jsonl.xz") if path != OLDER)


def read_present() -> Iterator[Journal]:
    """The journals of `present`."""
    return (journal for path in present() for journal in read(path))


def _kept(row: dict[str, Any]) -> Kept:
    return Kept(
        number=row["n"],
        by=row["by"],
        name=row["name"],
        command=row.get("command"),
        events=tuple(row["events"]),
        state=row["state"],
        english=row.get("en"),
        german=row.get("de"),
    )


def write(path: Path, journals: Iterable[Journal]) -> None:
    """Keep `journals` in the file `path`."""
    with lzma.open(path, "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as lines:
        for journal in journals:
            lines.write(_line({"journal": journal.name}))
            lines.writelines(_line(_row(one)) for one in journal.decisions)


def _row(one: Kept) -> dict[str, Any]:
    row = {
        "n": one.number,
        "by": one.by,
        "name": one.name,
        "command": one.command,
        "events": one.events,
        "state": one.state,
        "en": one.english,
        "de": one.german,
    }
    return {name: value for name, value in row.items() if value is not None}


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n"


def changed(before: Hashes, after: Hashes) -> dict[str, str | None]:
    """What is other in `after`: see `Kept.state`."""
    gone = dict.fromkeys(sorted(before.keys() - after.keys()))
    return {**{name: one for name, one in sorted(after.items()) if before.get(name) != one}, **gone}


def applied(before: Hashes, change: dict[str, str | None]) -> Hashes:
    """The hashes after `change`."""
    whole = {**before, **change}
    return {name: one for name, one in whole.items() if one is not None}

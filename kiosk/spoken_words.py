"""How the spoken menu says its entries: the same words for the ear and for the caption, in three lengths."""

from __future__ import annotations

from kiosk.spoken_places import Entry, Level
from rules.narrate import Narration, NarrationKind
from rules.options import Option, Price
from rules.pools import MOMENTUM_CAP
from rules.state import Declaration, Table
from rules.task import target_number
from rules.wording import counted, joined, spoken


def price_words(price: Price) -> str:
    """What something costs, such as "costs 2 Momentum and adds 1 Threat"; empty where it costs nothing."""
    parts = []
    if price.momentum:
        parts.append(f"costs {price.momentum} Momentum")
    if price.determination:
        parts.append(f"costs {price.determination} Determination")
    if price.threat:
        parts.append(f"{'takes' if price.threat_spent else 'adds'} {price.threat} Threat")
    return joined(parts)


def option_price(option: Option, *, bought: bool) -> str:
    """The price of an option; of what is `bought`, also that it is free."""
    return price_words(option.price) or ("costs nothing" if bought else "")


def entry_said(level: Level, place: int, *, entered: bool, hint: str) -> Narration:
    """Entry `place` of `level` as it is said; one who has just `entered` the level hears first what is asked."""
    entry = level.entries[place]
    asked = level.prompt if entered else ""
    core = entry_words(entry)
    which = f"{place + 1} of {len(level.entries)}."
    terse = _text(asked, core)
    return Narration(
        terse=terse,
        normal=_text(terse, which),
        full=_text(level.prompt, core, entry.more, which, hint),
        kind=NarrationKind.QUESTION,
    )


def entry_words(entry: Entry) -> str:
    """An entry with its price as a sentence."""
    label = entry.label.rstrip(". ")
    return f"{label}, {entry.price}." if entry.price else label + ("" if label.endswith("?") else ".")


def told(text: str) -> Narration:
    """One sentence that is the same in every length."""
    return Narration(terse=text, normal=text, full=text, kind=NarrationKind.INFO)


def declaration_words(table: Table, draft: Declaration) -> str:
    """A Task to be declared, read back: who, with what, how difficult, and the Target Number."""
    character = next(one for one in table.characters if one.character_id == draft.character_id)
    goal = target_number(
        getattr(character.attributes, draft.attribute), getattr(character.disciplines, draft.discipline)
    )
    who = spoken(character.name)
    return f"{who}: {skills_words(draft)}, Difficulty {draft.difficulty}. Target Number {goal}."


def skills_words(draft: Declaration) -> str:
    """What a Task is thrown with: "Scan the hull, Reason and Science with focus"."""
    label = f"{spoken(draft.label)}, " if spoken(draft.label) else ""
    focus = " with focus" if draft.focus else ""
    return f"{label}{draft.attribute.capitalize()} and {draft.discipline.capitalize()}{focus}"


def standing_words(table: Table) -> str:
    """Where the table stands: pools, scene, whose Task."""
    task = table.task
    doing = (
        f"{spoken(task.who)} is at a Task of Difficulty {task.difficulty}." if task is not None else "No Task is open."
    )
    left = f"The Task has {counted(task.momentum_left, 'Momentum')} left." if task and task.momentum_left else ""
    return _text(f"Momentum {table.momentum} of {MOMENTUM_CAP}, Threat {table.threat}.", doing, left)


def _text(*parts: str) -> str:
    return " ".join(part for part in parts if part)

"""How the spoken menu says its entries: the same words for the ear and for the caption, in three lengths."""

from __future__ import annotations

from kiosk.spoken_places import Entry, Level
from rules.commands import DeclareTask
from rules.events import TaskDeclared
from rules.narrate import Narration, NarrationKind
from rules.options import Option, Price
from rules.phrases import known, say, sentences
from rules.state import Declaration, Table
from rules.state_conflict import Action
from rules.table import decide
from rules.wording import joined, spoken


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
    """A Task to be declared, read back as the rules have it: who, with what, at whom, how difficult, Target Number."""
    character = next(one for one in table.characters if one.character_id == draft.character_id)
    who = spoken(character.name)
    declared = (one.task for one in decide(table, DeclareTask(declaration=draft)) if isinstance(one, TaskDeclared))
    task = next(declared, None)
    aimed = aim_words(table, draft.action)
    if task is None:
        return sentences(say("{who}: {what}.", who=who, what=spoken(known(draft.label))), aimed)
    return sentences(
        say(
            "{who}: {skills}, Difficulty {difficulty}.",
            who=who,
            skills=skills_words(task.declaration),
            difficulty=task.difficulty,
        ),
        aimed,
        say("Target Number {goal}.", goal=task.target_number),
    )


def aim_words(table: Table, action: Action | None) -> str:
    """What an action is aimed at and with what, as sentences; empty where it is aimed at nothing."""
    if action is None:
        return ""
    named = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    target = spoken(named.get(action.target_id, ""))
    weapon = spoken(action.weapon)
    return sentences(
        say("At {target}.", target=target) if target else "",
        say("With {weapon}.", weapon=weapon) if weapon else "",
        say("To kill.") if action.lethal else "",
        say("Aimed at the {system}.", system=action.system) if action.system is not None else "",
    )


def skills_words(draft: Declaration) -> str:
    """What a Task is thrown with: "Scan the hull, Reason and Science with focus"."""
    label = f"{spoken(draft.label)}, " if spoken(draft.label) else ""
    focus = " with focus" if draft.focus else ""
    return f"{label}{draft.attribute.capitalize()} and {draft.discipline.capitalize()}{focus}"


def _text(*parts: str) -> str:
    return " ".join(part for part in parts if part)

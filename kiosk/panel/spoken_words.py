"""The words for the entries of the spoken menu, heard and in the caption, in three lengths."""

from __future__ import annotations

from typing import Final

from kiosk.panel.spoken_places import Level, LevelEntry
from rules.game import (
    Action,
    ActionScope,
    Declaration,
    DeclareTask,
    Narration,
    NarrationKind,
    Option,
    Price,
    Table,
    TaskDeclared,
    decide,
    profile,
    weapon_label,
)
from rules.words import NOTHING, Phrase, altered, capitalized, listed, say, sentences, spoken, worded

LOCKED: Final = say(
    "The gamemaster's part asks for the PIN: dial it in the menu, or type it in under Gamemaster on the table's screen."
)
"""What is said of what the PIN keeps back at the table's screen."""


def price_words(price: Price) -> Phrase:
    """What something costs, such as "costs 2 Momentum and adds 1 Threat"; empty where it costs nothing."""
    parts: list[Phrase] = []
    if price.momentum:
        parts.append(say("costs {number} Momentum", number=price.momentum))
    if price.determination:
        parts.append(say("costs {number} Determination", number=price.determination))
    if price.threat:
        parts.append(
            say("takes {number} Threat", number=price.threat)
            if price.threat_spent
            else say("adds {number} Threat", number=price.threat)
        )
    return listed(parts)


def option_price(option: Option, *, bought: bool) -> Phrase:
    """The price of an option; of what is `bought`, also that it is free."""
    return price_words(option.price) or (say("costs nothing") if bought else NOTHING)


def entry_said(level: Level, place: int, *, entered: bool, hint: str) -> Narration:
    """Entry `place` of `level` as it is said; one who has just `entered` the level hears first what is asked."""
    entry = level.entries[place]
    asked = level.prompt if entered else ""
    core = entry_words(entry)
    which = say("{place} of {count}.", place=place + 1, count=len(level.entries))
    terse = sentences(asked, core)
    return Narration(
        terse=terse,
        normal=terse if level.secret else sentences(terse, which),
        full=sentences(level.prompt, core, entry.more, "" if level.secret else which, hint),
        kind=NarrationKind.QUESTION,
    )


def entry_words(entry: LevelEntry) -> Phrase:
    """An entry with its price as a sentence."""
    if entry.price:
        return say("{label}, {price}.", label=altered(entry.label, _bare), price=entry.price)
    return altered(entry.label, _as_sentence)


def told(text: str) -> Narration:
    """One sentence that is the same in every length."""
    return Narration(terse=text, normal=text, full=text, kind=NarrationKind.INFO)


def declaration_words(table: Table, draft: Declaration) -> str:
    """The words that read back a Task before it is declared: who, with what, at whom, how difficult, Target Number."""
    character = next(one for one in table.characters if one.character_id == draft.character_id)
    who = spoken(character.name)
    declared = (one.task for one in decide(table, DeclareTask(declaration=draft)) if isinstance(one, TaskDeclared))
    task = next(declared, None)
    aimed = aim_words(table, draft.action)
    if task is None:
        return sentences(say("{who}: {what}.", who=who, what=spoken(draft.label)), aimed)
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


def weapon_words(table: Table, name: str, scope: ActionScope) -> str:
    """A weapon's words: the label of its row; for a ship's weapon the name that somebody gave it."""
    return spoken(name if scope is ActionScope.BRIDGE else weapon_label(name, profile(table)))


def aim_words(table: Table, action: Action | None) -> str:
    """The target and weapon of an action, as sentences; empty without a target."""
    if action is None:
        return ""
    named = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    target = spoken(named.get(action.target_id, ""))
    weapon = weapon_words(table, action.weapon, action.scope)
    return sentences(
        say("At {target}.", target=target) if target else "",
        say("With {weapon}.", weapon=weapon) if weapon else "",
        say("To kill.") if action.lethal else "",
        say("Aimed at the {system}.", system=action.system) if action.system is not None else "",
    )


def skills_words(draft: Declaration) -> Phrase:
    """What a Task is thrown with: "Scan the hull, Reason and Science with focus"."""
    attribute, discipline = (capitalized(worded(one)) for one in draft.skills)
    skills = (
        say("{attribute} and {discipline} with focus", attribute=attribute, discipline=discipline)
        if draft.focus
        else say("{attribute} and {discipline}", attribute=attribute, discipline=discipline)
    )
    label = spoken(draft.label)
    return say("{label}, {skills}", label=label, skills=skills) if label else skills


def _bare(words: str) -> str:
    return words.rstrip(". ")


def _as_sentence(words: str) -> str:
    bare = _bare(words)
    return bare if bare.endswith("?") else f"{bare}."

"""The chances of an action's Task before it is declared: as its form stands, and with other choices in it.

Those are dice, focus, skills, target, weapon, distance, system and what is ticked; a ship, a level, zones, a second
target and words are left as they are. Every one is asked of the rules, which set Difficulty, range and help: a choice
that they refuse has no chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from flask import Response, request

from kiosk.storage.wire import command_of, decode_object, output, told
from kiosk.web.chances import completed, odds_of
from kiosk.web.messages import Odds
from kiosk.web.presets import Choice, Choices, bonus_dice, choices, cost_of
from kiosk.web.route import answered
from kiosk.web.services import Services
from rules.game import (
    PLAYBOOK,
    YES,
    ChoiceKind,
    Declaration,
    DeclareTask,
    MenuChoice,
    Refusal,
    Table,
    chance,
    choices_for,
    chosen,
    move_before,
    name_of,
    pool_of,
    profile,
    skills_for,
    why_unpaid,
    with_skills,
)

Other = tuple[str, str, Declaration]
"""A field, its value, and the declaration with that choice."""

_MOST_TARGETS: Final = 20
"""Most targets whose chance is computed, the other side first; others have one once they are chosen."""


def post_choices(kiosk: Services) -> Response:
    """The chances of a declaration, choice by choice."""
    raw = decode_object(request.get_data())
    asked = command_of({"command": name_of(DeclareTask), "declaration": raw}).command
    if not isinstance(asked, DeclareTask):
        raise TypeError(f"declare_task made a {type(asked).__name__}")
    table = kiosk.views.present().table
    declaration = with_skills(table, asked.declaration)
    if declaration.action is not None:
        return answered(acting_choices(table, declaration))
    return answered(choices(table, declaration, unpaid=why_unpaid(table, declaration) is not None))


def acting_choices(table: Table, declared: Declaration) -> Choices:
    """The odds of an action's Task as `declared`, and the chance with each choice tried that changes it."""
    odds: Odds | None = None
    why_not, instead = "", None
    try:
        odds = odds_of(table, declared)
    except Refusal as refusal:
        why_not = refusal.message
        move = move_before(table, declared)
        instead = told(move) if move is not None else None
    now = odds.chance if odds is not None else 0.0
    found: dict[str, list[Choice]] = {}
    for field, value, one in _others(table, declared):
        complete = _completed(table, one)
        if complete is not None:
            made = Choice(
                field=field,
                value=value,
                chance=chance(pool_of(table, complete)).chance,
                price=cost_of(table, one),
                declaration=output(as_thrown(one, complete)),
            )
            found.setdefault(field, []).append(made)
    telling = (some for some in found.values() if any(one.chance != now for one in some))
    tried = tuple(one for some in telling for one in some)
    return Choices(chance=now, odds=odds, why_not=why_not, instead=instead, choices=tried)


def as_thrown(declared: Declaration, complete: Declaration) -> Declaration:
    """A declaration with the attribute and the discipline that its action settled."""
    return replace(declared, attribute=complete.attribute, discipline=complete.discipline)


def _completed(table: Table, declared: Declaration) -> Declaration | None:
    """The declaration as the rules complete it; None where they refuse it."""
    try:
        return completed(table, declared)
    except Refusal:
        return None


def _others(table: Table, declared: Declaration) -> Iterator[Other]:
    action = declared.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    if action is None or row is None:
        return
    yield "focus", "yes", replace(declared, focus=True)
    yield "focus", "", replace(declared, focus=False)
    yield from bonus_dice(table, declared, unpaid=why_unpaid(table, declared) is not None)
    if not row.settled:
        attributes, disciplines = skills_for(table, declared.character_id, action)
        yield from (("attribute", one.value, replace(declared, attribute=one)) for one in attributes)
        yield from (("discipline", one.value, replace(declared, discipline=one)) for one in disciplines)
    if row.settled:  # another weapon may be thrown with something else
        declared = replace(declared, attribute=None, discipline=None)
    for choice in choices_for(table, declared.character_id, action):
        for value in _values(choice):
            changes: dict[str, Any] = {choice.name: chosen(choice.name, value)}
            if choice.name == "target_id" and table.zone_map is not None:
                changes["at_range"] = None  # how far another one is the map says
            yield choice.name, value, replace(declared, action=replace(action, **changes))


def _values(choice: MenuChoice) -> Iterator[str]:
    """The values for a field of an action, as in its form; empty for no choice."""
    if choice.kind is ChoiceKind.YES_OR_NO:
        yield from (YES, "")
    elif choice.kind is ChoiceKind.ONE_OF:
        if not choice.required:
            yield ""
        yield from (one.id for one in choice.values[:_MOST_TARGETS])

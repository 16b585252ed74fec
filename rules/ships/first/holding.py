"""What holds for a Task when it is declared: damage, Evasive Action, Attack Pattern, a plotted course, charted hazards.

In: a declaration as its row made it. Out: the declaration with these modifiers, or a refusal (BRCH-2 to BRCH-4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rules.conflict.lasting import EffectBegan, effects_named, end_one
from rules.deciding.checks import profile
from rules.deciding.decision import Draft
from rules.ships.bridge import acting_ship, held_by
from rules.ships.first.stations import FIRST, ROWS, breach_modifiers_of_the_second, condition_modifiers
from rules.ships.stations import attack_under_pattern
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier
from rules.state.vocabulary import ActionScope, EffectEnd, Ruleset
from rules.tasks.scoring import task_difficulty
from rules.words import Phrase, say

SHOTS: Final = frozenset({"fire_weapon", "fire"})
"""The actions that fire a ship's weapons in either edition."""


AVOIDS_HAZARDS: Final = frozenset({"pilot", "maneuver", "impulse", "warp"})
"""Tasks that may avoid a hazard of the way (STN-18)."""


HAZARD_EASIER: Final = 2
"""By how much a charted hazard is easier to avoid (STN-18)."""


PATTERN: Final = say("Attack Pattern")
"""The reason of the modifiers that Attack Pattern brings."""


def completed(table: Table, declaration: Declaration) -> Declaration:
    """The declaration with whatever holds for it; Attack Pattern last, as it has a floor (STN-26)."""
    action = declaration.action
    found, wider = _DAMAGE[table.ruleset](table, declaration)
    if not declaration.rolled:
        return declaration
    declaration = replace(
        declaration,
        modifiers=(*declaration.modifiers, *found),
        complication_range=declaration.complication_range + wider,
    )
    if action is None or action.scope is not ActionScope.BRIDGE or action.name not in (*ROWS, *SHOTS):
        return declaration
    ship = acting_ship(table, declaration.character_id, action)
    declaration = _with(declaration, _on_the_way(table, ship, action))
    return _attacking(table, declaration, ship, action) if action.name in SHOTS else declaration


def _of_a_taken_form(table: Table, declaration: Declaration) -> tuple[tuple[Modifier, ...], int]:
    """What damage does to an action that a table of the second edition plays in the first edition's form (C-44)."""
    action = declaration.action
    if action is None or action.scope is not ActionScope.BRIDGE or profile(table).edition_of(action.name) not in FIRST:
        return (), 0
    return breach_modifiers_of_the_second(table, declaration), 0


_DAMAGE: Final[Mapping[Ruleset, Callable[[Table, Declaration], tuple[tuple[Modifier, ...], int]]]] = {
    **dict.fromkeys(FIRST, condition_modifiers),
    Ruleset.SECOND_EDITION: _of_a_taken_form,
}
"""What damage makes harder, and by how much it widens the complication range, in each ruleset."""


def _with(declaration: Declaration, more: tuple[Modifier, ...]) -> Declaration:
    return replace(declaration, modifiers=(*declaration.modifiers, *more)) if more else declaration


def _on_the_way(table: Table, ship: Ship, action: Action) -> tuple[Modifier, ...]:
    """STN-17, STN-18: a plotted course, and hazards that were charted."""
    found = []
    row = ROWS.get(action.name)
    if row is not None and row.station == "helm":
        found += [
            Modifier(reason=say("a plotted course"), change=-one.amount)
            for one in effects_named(table, "course_plotted", target_id=ship.ship_id)
        ]
    if action.name in AVOIDS_HAZARDS and is_charted(table, ship, action.note):
        found.append(Modifier(reason=say("a charted hazard"), change=-HAZARD_EASIER))
    return tuple(found)


def is_charted(table: Table, ship: Ship, hazard: str) -> bool:
    """Whether that hazard was charted for the ship (STN-18)."""
    named = hazard.strip().casefold()
    charted = effects_named(table, "hazard_charted", target_id=ship.ship_id)
    return bool(named) and any(named == one.strip().casefold() for held in charted for one in held.note.split(","))


def _attacking(table: Table, declaration: Declaration, ship: Ship, action: Action) -> Declaration:
    """STN-14, STN-15: evading ships are hard to hit and shoot worse, an Attack Pattern helps the ship's own shots."""
    target = next((one for one in table.ships if one.ship_id == action.target_id), None)
    evading = tuple(
        Modifier(reason=say("Evasive Action of {name}", name=one.name), change=1)
        for one in (ship, target)
        if one is not None and held_by(table, "evasive_action", one)
    )
    declaration = _with(declaration, evading)
    if not held_by(table, "attack_pattern", ship):
        return declaration
    before = task_difficulty(declaration.difficulty, (one.change for one in declaration.modifiers))
    easier = attack_under_pattern(before).difficulty - before
    return _with(declaration, (Modifier(reason=PATTERN, change=easier),) if easier else ())


def pattern_bonus(table: Table, ship: Ship, declaration: Declaration) -> int:
    """Momentum that an Attack Pattern gives to an attack which it could not make easier (STN-15, STN-26)."""
    eased = any(isinstance(one.reason, Phrase) and one.reason == PATTERN for one in declaration.modifiers)
    if eased or not held_by(table, "attack_pattern", ship):
        return 0
    difficulty = task_difficulty(declaration.difficulty, (one.change for one in declaration.modifiers))
    return attack_under_pattern(difficulty).bonus_momentum


def count_down(draft: Draft) -> None:
    """C-71: what an NPC ship's helm flies ends at the latest with the next Round."""
    for one in draft.table.effects:
        if one.ends is not EffectEnd.ROLE_NEXT_TASK or not one.rounds_left:
            continue
        if one.rounds_left == 1:
            end_one(draft, one, say("the Round is over"))
        else:
            fewer = replace(one, rounds_left=one.rounds_left - 1)
            draft.record(EffectBegan(effect=fewer, next_number=draft.table.next_number))

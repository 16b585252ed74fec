"""What is still to be thrown for the Task in hand, told before its first dice: helpers, the ship, where a shot hits.

In: the table. Out: sentences for the table's screen and for phones.
"""

from __future__ import annotations

from rules.dice import DieKind
from rules.game import PLAYBOOK, Table, Task, ThrowRole, profile
from rules.words import Phrase, dice_words, listed, say


def still_to_throw(table: Table, task: Task) -> tuple[Phrase, ...]:
    """The throws after the one that is awaited, as sentences; empty where none follows, and of dice thrown again."""
    request = table.request
    if request is None or request.role is ThrowRole.REROLL:
        return ()
    one = dice_words(1, DieKind.D20)
    helpers = [say("{dice} for {who}", dice=one, who=name) for name in _helpers(table, task, request.role)]
    sentences = (say("Then {dice}.", dice=listed(helpers)),) if helpers else ()
    return (*sentences, say("If it hits, {dice} says where.", dice=one)) if _is_located(table, task) else sentences


def _helpers(table: Table, task: Task, now: ThrowRole) -> list[str]:
    """Who helps with a die after the throw that is awaited: characters, and the ship last of all (ASST-1, ASST-3)."""
    if now is ThrowRole.SHIP:
        return []
    there = sum(die.role is ThrowRole.ASSIST for die in task.dice) + (now is ThrowRole.ASSIST)
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    left = [one.character_id for one in task.declaration.assists[there:]]
    ship = task.declaration.ship
    return [names[one] for one in (*left, *([ship.ship_id] if ship is not None else [])) if one in names]


def _is_located(table: Table, task: Task) -> bool:
    """Whether a d20 says which system of a ship is hit, once the attack succeeds (SATK-2, NSHIP-3)."""
    action = task.declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    if action is None or row is None or not row.strikes or action.system is not None:
        return False
    target = next((one for one in table.ships if one.ship_id == action.target_id), None)
    return target is not None and not (target.crew is not None and profile(table).npc_ship_shortcut)

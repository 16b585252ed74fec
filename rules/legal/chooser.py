"""Who answers what a chain asks, so that everybody reads for whom they wait.

In: the table. Out: the character, or the gamemaster; nobody in particular where any player may answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.conflict.chain import SECONDARY
from rules.deciding.checks import is_npc
from rules.ships.seats import commander
from rules.state.conflict import Step
from rules.state.table import Table
from rules.state.vocabulary import StepKind

OF_ATTACKER: Final = frozenset(
    {StepKind.CHOOSE_DAMAGE, StepKind.CHOOSE_SHIP_DAMAGE, StepKind.FLAT_HIT, StepKind.STRUCK_SYSTEM}
)
"""The steps that the attacker decides, not whoever is hit."""

OF_BODY: Final = frozenset({StepKind.INJURY, StepKind.KNOCKDOWN, StepKind.FAST_RECOVERY})
"""The steps that whoever they happen to decides."""

OF_GAMEMASTER: Final = frozenset(
    {StepKind.AREA_TARGETS, StepKind.CASUALTY, StepKind.SHIP_TARGETS, StepKind.CORE_SPLASH}
)
"""The steps that the gamemaster decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Who answers: a player's character by id, or the `gamemaster`; neither where any player may."""

    character_id: str = ""
    gamemaster: bool = False


_GAMEMASTER: Final = Chooser(gamemaster=True)
"""The gamemaster as the one who answers."""


def chooser(table: Table) -> Chooser | None:
    """Who answers what the chain asks now; None where it asks nothing, or for dice."""
    if not table.agenda or table.request is not None:
        return None
    step = table.agenda[0]
    if step.kind in OF_ATTACKER or (step.kind is StepKind.AREA_TARGETS and step.name == SECONDARY):
        return _attacker(table)
    if step.kind in OF_GAMEMASTER:
        return _GAMEMASTER
    if step.kind in OF_BODY:
        return _of(table, step.subject_id)
    return _of_ship(table, step) if step.kind is StepKind.SHAKEN else Chooser()


def _attacker(table: Table) -> Chooser:
    attack, task = table.attack, table.task
    if attack is not None and attack.npc:
        return _GAMEMASTER
    return _of(table, task.declaration.character_id if task is not None else "")


def _of(table: Table, one_id: str) -> Chooser:
    character = next((one for one in table.characters if one.character_id == one_id), None)
    if character is None:
        crewed = any(one.ship_id == one_id and one.crew is not None for one in table.ships)
        return _GAMEMASTER if crewed else Chooser()
    return _GAMEMASTER if is_npc(character) else Chooser(character_id=one_id)


def _of_ship(table: Table, step: Step) -> Chooser:
    if any(one.ship_id == step.subject_id and one.crew is not None for one in table.ships):
        return _GAMEMASTER
    return Chooser(character_id=commander(table, step.subject_id))

"""Whose Turn it is, and what the stage says between throws."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from kiosk.views.stage.names import name_of, those_said
from kiosk.views.stage.told import task_summary, work_so_far
from kiosk.views.stage.values import StageFact, StageView
from rules.game import (
    Condition,
    Conflict,
    ConflictEnd,
    Side,
    Table,
    TaskPhase,
    Weight,
    after_turn_words,
    combatant_name,
    is_able,
    may_begin,
    named_opponent,
    round_is_over,
    turn_is_lost,
)
from rules.words import Phrase, say


def while_waiting(table: Table) -> StageView:
    """Between throws: the Turn, the last Task, or what is to be set up."""
    if not table.ready:
        lines = (say("Set one up first: ruleset, players, characters."),)
        return StageView(kind="setup", who="", word=say("No table yet"), lines=lines)
    if table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION:
        other = named_opponent(table, table.task.declaration)
        lines = (say("The other side throws first. Declare its Task."),)
        if other:
            lines = (say("{who} throws first. Declare a Task of theirs.", who=other),)
        return StageView(kind="idle", who=task_summary(table.task), word=say("Opposed"), lines=lines)
    if table.conflict is not None:
        return _turn(table, table.conflict)
    lines = (say("Declare a Task, or throw: free dice are shown, not scored."),)
    if table.conflict_end is not None:
        return _after_conflict(table, table.conflict_end)
    return StageView(kind="idle", who=table.scene_name, word=say("Ready"), lines=lines, facts=_tracks(table))


_MOST_TRACKS: Final = 3
"""Extended Tasks that stand there between throws, those that were begun last."""


def _tracks(table: Table) -> tuple[StageFact, ...]:
    """How far each Extended Task is."""
    return tuple(replace(work_so_far(one), name=one.label) for one in table.extended[-_MOST_TRACKS:])


def _after_conflict(table: Table, end: ConflictEnd) -> StageView:
    """The end of a conflict: won as a triumph, where none of its foes can go on; lost where none of its crew can.

    One who left the table since is not known to have been beaten.
    """
    won = bool(end.foes) and all(_is_out(table, one) for one in end.foes)
    lost = not won and bool(end.crew) and all(_is_out(table, one) for one in end.crew)
    word = say("The conflict is won") if won else say("The conflict is lost") if lost else say("The conflict is over")
    onward = say("Declare a Task; the gamemaster starts the next scene or the next fight.")
    return StageView(
        kind="idle",
        who=table.scene_name,
        word=word,
        lines=(say("It ended in Round {round}.", round=end.round), onward),
        facts=_tracks(table),
        mark="success" if won else "failure" if lost else "",
        weight=Weight.TRIUMPH.value if won else Weight.FAILURE.value if lost else "",
        beat=f"conflict {end.number}",
    )


def _is_out(table: Table, its_id: str) -> bool:
    """Whether a character of the table cannot act any more, or an NPC ship of it does not fight on (NSHIP-3)."""
    if its_id not in {*(one.character_id for one in table.characters), *(one.ship_id for one in table.ships)}:
        return False
    disabled = any(one.ship_id == its_id and one.state.condition is Condition.DISABLED for one in table.ships)
    return disabled or not is_able(table, its_id)


def turn_holder(table: Table) -> str:
    """Who has the Turn in a conflict (TURN-1); empty while nobody has it, or while there is no conflict."""
    turn = table.conflict.turn if table.conflict is not None else None
    if turn is None:
        return ""
    return name_of(table, turn.combatant_id)


def _turn(table: Table, conflict: Conflict) -> StageView:
    """Between two throws of a conflict: who acts, or that somebody has to be chosen."""
    name = turn_holder(table)
    title = say("Round {number}", number=conflict.round)
    if name:
        over = _turn_is_lost(table, conflict)
        if not over:
            return StageView(kind="turn", who=title, word=say("{name}'s Turn", name=name))
        return StageView(kind="turn", who=title, word=over, lines=_after_lost_turn(table))
    if round_is_over(table):
        over = say("Round {round} is over", round=conflict.round)
        lines = (say("The gamemaster begins the next Round."),)
        return StageView(kind="turn", who=table.scene_name, word=over, lines=lines)
    allowed = may_begin(table)
    sides = {one.side for one in allowed}
    if len(allowed) == 1:
        only = say("{name} is next", name=combatant_name(table, allowed[0].combatant_id))
        begins = say("The gamemaster begins the Turn.") if Side.NPC in sides else say("Begin the Turn, or pass.")
        return StageView(kind="turn", who=title, word=only, lines=those_said(begins, _may_end(table)))
    chosen = say("Choose who acts next.")
    if sides == {Side.NPC}:
        chosen = say("The gamemaster chooses who acts next.")
    elif sides == {Side.PC}:
        chosen = say("The players choose who acts next.")
    return StageView(kind="turn", who=title, word=say("Whose Turn?"), lines=those_said(chosen, _may_end(table)))


def foes_are_out(table: Table) -> bool:
    """Whether a fight had foes, and none of them can act any more."""
    seats = table.conflict.combatants if table.conflict is not None else ()
    foes = [one.combatant_id for one in seats if one.side is Side.NPC]
    return bool(foes) and not any(is_able(table, one) for one in foes)


def _may_end(table: Table) -> Phrase | str:
    return say("No foe can act any more: the gamemaster may end the fight.") if foes_are_out(table) else ""


def with_who_begins(shown: StageView, table: Table, *, led: bool) -> StageView:
    """`shown` with who begins the next Round: where no gamemaster joined (`led` False), anybody does."""
    if led or shown.kind != "turn" or table.conflict is None or table.conflict.turn or not round_is_over(table):
        return shown
    return replace(shown, lines=(say("Begin the next Round."),))


def _turn_is_lost(table: Table, conflict: Conflict) -> Phrase | str:
    """Why whoever has the Turn can do nothing with it any more, as a heading; empty while they can act."""
    turn = conflict.turn
    if turn is None or not turn_is_lost(table):
        return ""
    who = turn.guest_id or turn.combatant_id
    name = name_of(table, who)
    ship = next((one for one in table.ships if one.ship_id == who), None)
    if ship is not None and ship.state.destroyed:
        return say("{name} is destroyed", name=name)
    return say("{name} cannot act", name=name)


def _after_lost_turn(table: Table) -> tuple[str, ...]:
    """Who goes on after a Turn that is lost, and who is next then."""
    turn = table.conflict.turn if table.conflict is not None else None
    players = turn is not None and turn.side is Side.PC
    ends = say("The Turn is over: end it to go on.") if players else say("The Turn is over: the gamemaster goes on.")
    return those_said(ends, after_turn_words(table))

"""What a listener may ask for at any time: how the pools stand, whose turn it is, who is where. Three lengths each."""

from __future__ import annotations

from rules.conflict.events import after_turn_words, next_words
from rules.conflict.order import combatant_name, turn_is_lost
from rules.conflict.positions import place_of, ranges_told, where_words, zone_features_words
from rules.deciding.telling import Narration, NarrationKind, awaited_words, longer, pools_words
from rules.narrate import asked_words
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Standing, TaskPhase
from rules.tasks.opposed import opponent
from rules.tasks.pools import MOMENTUM_CAP
from rules.tasks.settling import told_apart_by
from rules.tasks.words import questions_sentence
from rules.words import NOTHING, Phrase, counted, joined_by, listed, say, sentences, spoken


def pools_told(table: Table) -> Narration:
    """Both pools; in the normal length also what fits in, in full also the players' Determination."""
    if not table.ready:
        return _no_table()
    left = MOMENTUM_CAP - table.momentum
    room = say("Room for {left} more Momentum.", left=left) if left else say("No more Momentum fits in.")
    owned = [
        say("{name} {points}", name=spoken(one.name), points=one.determination)
        for one in table.characters
        if one.standing is Standing.PLAYER
    ]
    determination = say("Determination: {owned}.", owned=listed(owned)) if owned else ""
    return longer(pools_words(table), room, determination, NarrationKind.INFO)


def turn_told(table: Table) -> Narration:
    """Who has to do something now and what; in the normal length also whose Turn it is, in full also who is next."""
    if not table.ready:
        return _no_table()
    now, turn = _now(table), _turn(table)
    first = now or turn or say("No Task is declared yet. Whoever acts next declares one.")
    return longer(first, sentences(turn if now else "", _line(table)), _round(table), NarrationKind.INFO)


def where_told(table: Table) -> Narration | None:
    """Where everybody is; None without a map.

    The normal length adds how far the others are from whose Turn it is, the full one what each zone is like.
    """
    zone_map = table.zone_map
    if zone_map is None:
        return None
    turn = table.conflict.turn if table.conflict is not None else None
    return longer(
        where_words(table),
        ranges_told(table, place_of(table, turn.combatant_id)) if turn is not None else "",
        sentences(*(zone_features_words(table, zone_map, one) for one in zone_map.zones)),
        NarrationKind.INFO,
    )


def _no_table() -> Narration:
    return longer(say("There is no table yet."), say("Set one up on a phone or the screen."), "", NarrationKind.INFO)


def _now(table: Table) -> Phrase:
    """What the table waits for: an answer about dice, dice, a choice, the end of a Task."""
    if table.held is not None and table.request is not None:
        return questions_sentence(table.held, table.request)
    if asked := asked_words(table):
        return asked
    if table.request is not None:
        return awaited_words(table.request)
    if table.task is not None:
        return _at_task(table, table.task)
    waiting = table.complications_waiting
    return sentences(*(to_take_words(one.who, one.left, told_apart_by(table, one)) for one in waiting))


def _at_task(table: Table, task: Task) -> Phrase:
    who = spoken(task.who)
    if task.phase is TaskPhase.AWAITING_OPPOSITION:
        other = opponent(table, task)
        if other and not task.reactive:
            return say("{other} is to declare a Task against {who}.", other=spoken(other), who=who)
        return say("The other side of {who}'s Task is to declare.", who=who)
    if task.phase is TaskPhase.COMPLICATIONS and task.complications_open:
        return to_take_words(task.who, task.complications_open)
    if task.momentum_left:
        left = counted(task.momentum_left, "Momentum")
        saved = say("{who} has {left} to spend or save.", who=who, left=left)
        return say("{who} has {left} to spend; the rest becomes Threat.", who=who, left=left) if task.npc else saved
    if task.outcome is not None:
        return say("{who} has thrown; what follows is still to be settled.", who=who)
    return say("{who} is at a Task of Difficulty {difficulty}.", who=who, difficulty=task.difficulty)


def to_take_words(who: str, left: int, deed: str = "") -> Phrase:
    """Whose Complications nobody has settled yet, how many, and of what, where that has to be told."""
    words = say("{who} has {open} to take.", who=spoken(who), open=counted(left, "Complication"))
    return joined_by(": ", [spoken(deed), words]) if deed else words


def _turn(table: Table) -> Phrase:
    conflict = table.conflict
    if conflict is None or conflict.turn is None:
        return next_words(table)
    name = combatant_name(table, conflict.turn.combatant_id)
    if turn_is_lost(table):
        over = say("{name} cannot act any more: the Turn is over and has to be ended.", name=spoken(name))
        return sentences(over, after_turn_words(table))
    return say("It is {name}'s Turn.", name=spoken(name))


def _line(table: Table) -> Phrase:
    """Who stands in line, the next first."""
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    waiting = [spoken(names[one.character_id]) for one in table.in_line if one.character_id in names]
    if not waiting:
        return NOTHING
    after = say("After that: {names}.", names=listed(waiting[1:])) if waiting[1:] else NOTHING
    return sentences(say("{who} is next.", who=waiting[0]), after)


def _round(table: Table) -> Phrase:
    if table.conflict is None:
        return NOTHING
    return say("Round {round}.", round=table.conflict.round)

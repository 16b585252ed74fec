"""How Rounds and Turns are told: who acts, who is next, what a Turn brought."""

from __future__ import annotations

from typing import Final

from rules import events_turns as et
from rules.deciding.turns.order import may_begin, name_of, round_is_over
from rules.narrating.telling import NOTHING, Narration, NarrationKind, Sentences, ended, longer, same
from rules.phrases import Phrase, either, known, say, say_count, sentences
from rules.state import Table
from rules.vocabulary import ConflictKind, Side
from rules.wording import joined, spoken

_KINDS: Final = {
    ConflictKind.PERSONAL: say("Conflict, Round 1."),
    ConflictKind.STARSHIP: say("Starship conflict, Round 1."),
}
_SIDES: Final = {Side.PC: say("The players' side"), Side.NPC: say("The gamemaster's side")}


def next_words(table: Table) -> Phrase:
    """Who may act now that nobody has the Turn, or that the Round is over. Empty during a Turn."""
    conflict = table.conflict
    if conflict is None or conflict.turn is not None or table.agenda:
        return NOTHING
    if round_is_over(table):
        return say("Round {round} is over.", round=conflict.round)
    names = [spoken(name_of(table, one.combatant_id)) for one in may_begin(table)]
    if len(names) == 1:
        return say("Next {name}.", name=names[0])
    return say("Next may be {names}.", names=either(names))


def _started(event: et.ConflictStarted, _: Table, after: Table) -> Narration:
    names = joined([spoken(one) for one in event.names])
    begins = say("{begins} begins.", begins=spoken(event.begins)) if event.begins else ""
    part = say_count(len(event.names), "{names} takes part.", "{names} take part.", names=names)
    following = "" if event.begins else next_words(after)
    return longer(sentences(_KINDS[event.kind], begins), part, following, NarrationKind.DECLARED)


def _over(event: et.ConflictOver, _: Table, __: Table) -> Narration:
    return longer(
        say("The conflict is over."), "", say("It ends in Round {round}.", round=event.round), NarrationKind.CHANGE
    )


def _joined(event: et.CombatantJoined, _: Table, __: Table) -> Narration:
    return longer(
        say("{name} joins the conflict.", name=spoken(event.name)), "", ended(_SIDES[event.side]), NarrationKind.CHANGE
    )


def _left(event: et.CombatantLeft, _: Table, __: Table) -> Narration:
    return same(say("{name} leaves the conflict.", name=spoken(event.name)), NarrationKind.CHANGE)


def _turn_began(event: et.TurnBegan, _: Table, __: Table) -> Narration:
    lost = NOTHING if event.able else say("Staggered, this Turn is lost.")
    text = sentences(say("{name}'s Turn.", name=spoken(event.name)), lost)
    return longer(text, "", say("{side} acts.", side=_SIDES[event.side]), NarrationKind.DECLARED)


def _turn_over(event: et.TurnOver, _: Table, after: Table) -> Narration:
    return longer(say("{name} is done.", name=spoken(event.name)), next_words(after), "", NarrationKind.CHANGE)


def _passed(event: et.TurnPassed, _: Table, after: Table) -> Narration:
    later = say("The Turn may still come this Round.") if event.may_act_later else NOTHING
    return longer(say("{name} passes.", name=spoken(event.name)), next_words(after), later, NarrationKind.CHANGE)


def _kept(event: et.InitiativeKept, _: Table, __: Table) -> Narration:
    text = say("Initiative kept. Next {name}.", name=spoken(event.name))
    return longer(text, "", say("{side} goes on.", side=_SIDES[event.side]), NarrationKind.CHANGE)


def _round(event: et.RoundBegan, _: Table, after: Table) -> Narration:
    return longer(
        say("Round {round}.", round=event.round),
        say("{side} begins.", side=_SIDES[event.side]),
        next_words(after),
        NarrationKind.DECLARED,
    )


def _reach(event: et.ReachChanged, _: Table, __: Table) -> Narration:
    first, second = spoken(event.first), spoken(event.second)
    if event.in_reach:
        text = say("{first} and {second} are within each other's Reach.", first=first, second=second)
    else:
        text = say("{first} and {second} are out of each other's Reach.", first=first, second=second)
    return same(text, NarrationKind.CHANGE)


def _minor(event: et.MinorActionTaken, _: Table, __: Table) -> Narration:
    meaning = _MINOR_MEANINGS.get(event.action, "")
    text = say("{name}: {action}.", name=spoken(event.name), action=spoken(known(event.label)))
    return longer(text, meaning, say("A Minor Action."), NarrationKind.CHANGE)


_MINOR_MEANINGS: Final = {"drop_prone": say("Ranged attacks on one who lies on the ground are harder.")}
"""What a Minor Action does where nothing else tells it (ACT-3, C-20)."""


def _directed(event: et.AllyDirected, _: Table, __: Table) -> Narration:
    leader, ally = spoken(event.leader), spoken(event.ally)
    return longer(
        say("{leader} directs {ally}.", leader=leader, ally=ally),
        say("{ally} acts at once, {leader} helps.", ally=ally, leader=leader),
        "",
        NarrationKind.DECLARED,
    )


SENTENCES: Final[Sentences] = {
    et.ConflictStarted: _started,
    et.ConflictOver: _over,
    et.CombatantJoined: _joined,
    et.CombatantLeft: _left,
    et.TurnBegan: _turn_began,
    et.TurnOver: _turn_over,
    et.TurnPassed: _passed,
    et.InitiativeKept: _kept,
    et.RoundBegan: _round,
    et.ReachChanged: _reach,
    et.MinorActionTaken: _minor,
    et.AllyDirected: _directed,
}
"""Rounds and Turns."""

COMMANDS: Final = {
    "start_conflict": say("starting the conflict"),
    "end_conflict": say("ending the conflict"),
    "add_combatant": say("adding someone to the conflict"),
    "remove_combatant": say("taking someone out of the conflict"),
    "begin_turn": say("beginning the Turn"),
    "end_turn": say("ending the Turn"),
    "pass_turn": say("passing the Turn"),
    "keep_initiative": say("keeping the Initiative"),
    "next_round": say("the next Round"),
    "set_reach": say("the change of Reach"),
    "take_minor_action": say("the Minor Action"),
}
"""Each command in words, for undo."""

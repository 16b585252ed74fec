"""How Rounds and Turns are told: who acts, who is next, what a Turn brought."""

from __future__ import annotations

from typing import Final

from rules import events_turns as et
from rules.deciding.turns.order import may_begin, name_of, round_is_over
from rules.narrating.telling import Narration, NarrationKind, Sentences, longer, same
from rules.state import Table
from rules.vocabulary import ConflictKind, Side
from rules.wording import joined, spoken

_KINDS: Final = {ConflictKind.PERSONAL: "Conflict", ConflictKind.STARSHIP: "Starship conflict"}
_SIDES: Final = {Side.PC: "The players' side", Side.NPC: "The gamemaster's side"}


def next_words(table: Table) -> str:
    """Who may act now that nobody has the Turn, or that the Round is over. Empty during a Turn."""
    conflict = table.conflict
    if conflict is None or conflict.turn is not None or table.agenda:
        return ""
    if round_is_over(table):
        return f"Round {conflict.round} is over."
    names = [spoken(name_of(table, one.combatant_id)) for one in may_begin(table)]
    return f"Next {joined(names) if len(names) == 1 else 'may be ' + _any_of(names)}."


def _any_of(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _started(event: et.ConflictStarted, _: Table, after: Table) -> Narration:
    names = joined([spoken(one) for one in event.names])
    begins = f"{spoken(event.begins)} begins." if event.begins else ""
    text = " ".join(part for part in (f"{_KINDS[event.kind]}, Round 1.", begins) if part)
    return longer(text, f"{names} take part." if len(event.names) > 1 else f"{names} takes part.",
                  "" if event.begins else next_words(after), NarrationKind.DECLARED)  # fmt: skip


def _over(event: et.ConflictOver, _: Table, __: Table) -> Narration:
    return longer("The conflict is over.", "", f"It ends in Round {event.round}.", NarrationKind.CHANGE)


def _joined(event: et.CombatantJoined, _: Table, __: Table) -> Narration:
    return longer(f"{spoken(event.name)} joins the conflict.", "", f"{_SIDES[event.side]}.", NarrationKind.CHANGE)


def _left(event: et.CombatantLeft, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} leaves the conflict.", NarrationKind.CHANGE)


def _turn_began(event: et.TurnBegan, _: Table, __: Table) -> Narration:
    lost = "" if event.able else "Staggered, this Turn is lost."
    text = " ".join(part for part in (f"{spoken(event.name)}'s Turn.", lost) if part)
    return longer(text, "", f"{_SIDES[event.side]} acts.", NarrationKind.DECLARED)


def _turn_over(event: et.TurnOver, _: Table, after: Table) -> Narration:
    return longer(f"{spoken(event.name)} is done.", next_words(after), "", NarrationKind.CHANGE)


def _passed(event: et.TurnPassed, _: Table, after: Table) -> Narration:
    later = "The Turn may still come this Round." if event.may_act_later else ""
    return longer(f"{spoken(event.name)} passes.", next_words(after), later, NarrationKind.CHANGE)


def _kept(event: et.InitiativeKept, _: Table, __: Table) -> Narration:
    text = f"Initiative kept. Next {spoken(event.name)}."
    return longer(text, "", f"{_SIDES[event.side]} goes on.", NarrationKind.CHANGE)


def _round(event: et.RoundBegan, _: Table, after: Table) -> Narration:
    return longer(f"Round {event.round}.", f"{_SIDES[event.side]} begins.", next_words(after), NarrationKind.DECLARED)


def _reach(event: et.ReachChanged, _: Table, __: Table) -> Narration:
    first, second = spoken(event.first), spoken(event.second)
    words = "are within each other's Reach" if event.in_reach else "are out of each other's Reach"
    return same(f"{first} and {second} {words}.", NarrationKind.CHANGE)


def _minor(event: et.MinorActionTaken, _: Table, __: Table) -> Narration:
    meaning = _MINOR_MEANINGS.get(event.action, "")
    return longer(f"{spoken(event.name)}: {spoken(event.label)}.", meaning, "A Minor Action.", NarrationKind.CHANGE)


_MINOR_MEANINGS: Final = {"drop_prone": "Ranged attacks on one who lies on the ground are harder."}
"""What a Minor Action does where nothing else tells it (ACT-3, C-20)."""


def _directed(event: et.AllyDirected, _: Table, __: Table) -> Narration:
    leader, ally = spoken(event.leader), spoken(event.ally)
    return longer(f"{leader} directs {ally}.", f"{ally} acts at once, {leader} helps.", "", NarrationKind.DECLARED)


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

COMMANDS: Final[dict[str, str]] = {
    "start_conflict": "starting the conflict",
    "end_conflict": "ending the conflict",
    "add_combatant": "adding someone to the conflict",
    "remove_combatant": "taking someone out of the conflict",
    "begin_turn": "beginning the Turn",
    "end_turn": "ending the Turn",
    "pass_turn": "passing the Turn",
    "keep_initiative": "keeping the Initiative",
    "next_round": "the next Round",
    "set_reach": "the change of Reach",
    "take_minor_action": "the Minor Action",
}
"""Each command in words, for undo."""

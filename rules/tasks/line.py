"""Several declare at once: whoever declares while another's Task is in hand stands in line (docs/declaring.md).

In: a declaration, and the end of every decision. Out: the line, and the next of it as the Task in hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.candidate import Candidate, Role
from rules.deciding.checks import find_character, is_npc, require_ready
from rules.deciding.decision import Command, Draft, Event, Playbook
from rules.deciding.telling import Narration, NarrationKind, longer, reason, same
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.folding import spends_dial
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Standing, TaskPhase
from rules.tasks.challenge_rolls import RerollChallenge
from rules.tasks.declaring import DeclareTask, prepared
from rules.tasks.determination import surges
from rules.tasks.ending import still_spending
from rules.words import Phrase, say, spoken

LONGEST_LINE: Final = 12
"""Most declarations in line: one for each player of the largest table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp(Command):
    """Declare a Task that stands in line until the one in hand is over; it begins at once where none has to wait.

    It reserves nothing: what its dice cost is paid when it begins. A character stands in line once; a newer declaration
    takes the place of the older one. With `waits` a player's waits too while another's outcome can still buy something,
    which it would end otherwise. The second Task of a Surge of Activity stands before all others (DET-4).
    """

    declaration: Declaration
    waits: bool = False

    undone: ClassVar[Phrase | None] = say("declaring the next Task")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - whoever acts
        """Who acts."""
        return self.declaration.character_id

    def decide(self, draft: Draft) -> None:
        """Begin the Task, or put it behind those that wait. Refuses what no Task can have, and in a conflict."""
        require_ready(draft.table)
        character = find_character(draft.table, self.declaration.character_id)
        spent = self.waits and not is_npc(character) and bool(spends_before(draft, character.character_id))
        if not spent and not _has_to_wait(draft, self.declaration):
            DeclareTask(declaration=self.declaration).decide(draft)
            return
        if draft.table.conflict is not None:
            raise Refusal("TURN-1", "In a conflict Turns say who is next; wait for yours.")
        whole = prepared(Draft(when_next(draft.table), draft.playbook), self.declaration)
        # What its action and its helpers add, they add when it begins: by then the table may be another.
        attribute, discipline = whole.skills
        declaration = replace(self.declaration, label=whole.label, attribute=attribute, discipline=discipline)
        others = _without(draft.table.in_line, character.character_id)
        if len(others) >= LONGEST_LINE:
            raise Refusal("TASK-10", "{most} Tasks wait already; declare once one of them is done.", most=LONGEST_LINE)
        if declaration not in draft.table.in_line:
            ahead = surges(draft.table, character.character_id)
            draft.record(LinedUp(who=character.name, declaration=declaration, ahead=ahead))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveLine(Command):
    """Take a declaration out of the line; nothing was paid for it."""

    character_id: str

    undone: ClassVar[Phrase | None] = say("leaving the line")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - whoever acts
        """Whose declaration it is."""
        return self.character_id

    def decide(self, draft: Draft) -> None:
        """Take the declaration out. Refuses where the character does not stand in line."""
        who = _name_of(draft.table, self.character_id)
        if all(one.character_id != self.character_id for one in draft.table.in_line):
            raise Refusal("TASK-10", "No Task of {who} waits.", who=who)
        draft.record(LeftLine(who=who, character_id=self.character_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinedUp(Event):
    """A declaration stands in line, `ahead` of all others; an older one of the same character gave way to it."""

    who: str
    declaration: Declaration
    ahead: bool = False

    weight: ClassVar[int | None] = 221

    def fold(self, table: Table) -> Table:
        mine = self.declaration.character_id
        if self.ahead:
            return replace(table, in_line=(self.declaration, *_without(table.in_line, mine)))
        there = any(one.character_id == mine for one in table.in_line)
        line = tuple(self.declaration if one.character_id == mine else one for one in table.in_line)
        return replace(table, in_line=line if there else (*line, self.declaration))

    def told(self, _: Table, after: Table) -> Narration:
        first = after.in_line[0].character_id == self.declaration.character_id
        who = spoken(self.who)
        text = (
            say("{who}'s Task is next: it begins by itself.", who=who)
            if first
            else say("{who}'s Task comes later: it begins by itself.", who=who)
        )
        return longer(text, reason(self.declaration.label), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftLine(Event):
    """A declaration was taken out of the line."""

    who: str
    character_id: str

    weight: ClassVar[int | None] = 231

    def fold(self, table: Table) -> Table:
        return replace(table, in_line=_without(table.in_line, self.character_id))

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{who}'s Task does not wait any more.", who=spoken(self.who)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotBegun(Event):
    """The next in line could not begin, for the reason `why`, and stands in line no more."""

    who: str
    character_id: str
    why: str

    def fold(self, table: Table) -> Table:
        return replace(table, in_line=_without(table.in_line, self.character_id))

    def told(self, _: Table, __: Table) -> Narration:
        text = say("{who}'s Task does not begin. {why}", who=spoken(self.who), why=self.why)
        return same(text, NarrationKind.CHANGE)


def _without(line: tuple[Declaration, ...], character_id: str) -> tuple[Declaration, ...]:
    """The line without one character's declaration."""
    return tuple(one for one in line if one.character_id != character_id)


def may_line_up(table: Table) -> bool:
    """Whether a declaration may have to wait now: a Task or a throw is in hand or somebody waits, and no conflict."""
    in_hand = table.task is not None or table.request is not None or bool(table.in_line)
    return table.ready and table.conflict is None and in_hand


def spends_before(draft: Draft, who: str) -> frozenset[str]:
    """The ids of the others whose outcome can still buy something, which a declaration of `who` would end."""
    if not may_line_up(draft.table):
        return frozenset()
    return frozenset(one.declaration.character_id for one in still_spending(draft)) - {who}


def when_next(table: Table) -> Table:
    """The table with nothing in hand, as whoever stands in line will find it: what it then can do is asked of this."""
    dial = None if spends_dial(table) else table.dial
    return replace(table, task=None, opposed=None, request=None, held=None, challenge=None, in_line=(), dial=dial)


def _has_to_wait(draft: Draft, declaration: Declaration) -> bool:
    """Whether something is in hand that this declaration does not end, or somebody is before it in line."""
    table = draft.table
    who = declaration.character_id
    if table.in_line and table.in_line[0].character_id != who and not surges(table, who):
        return True
    if table.task is None and table.request is None:
        return False
    opposed = table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION
    return opposed or table.request is not None or _refused(draft, declaration) is not None


def _refused(draft: Draft, declaration: Declaration) -> Refusal | None:
    """Why a declaration cannot be the Task in hand now; None where it is that from here on."""
    trial = Draft(draft.table, draft.playbook)
    try:
        DeclareTask(declaration=declaration).decide(trial)
    except Refusal as problem:
        return problem
    return None


def _call_up(table: Table, draft: Draft) -> None:
    """Once nothing is in hand any more, begin the next Task in line; what cannot begin leaves it, and says why.

    A conflict goes by Turns: whoever still stands in line when it begins, leaves it. So does who left the table. Whose
    Task waits when a Surge of Activity is bought comes before all others with it (DET-4).
    """
    for one in draft.table.in_line:
        if not _is_here(draft.table, one.character_id):
            who = _name_of(table, one.character_id)
            draft.record(NotBegun(who=who, character_id=one.character_id, why=say("They left the table.")))
    for one in draft.table.in_line[1:]:
        if surges(draft.table, one.character_id):
            draft.record(LinedUp(who=_name_of(table, one.character_id), declaration=one, ahead=True))
    while draft.table.in_line and _is_free(draft):
        first = draft.table.in_line[0]
        problem = None if draft.table.conflict is not None else _refused(draft, first)
        if draft.table.conflict is None and problem is None:
            DeclareTask(declaration=first).decide(draft)
            continue
        why = say("A conflict goes by Turns.") if problem is None else problem.message
        who = _name_of(draft.table, first.character_id)
        draft.record(NotBegun(who=who, character_id=first.character_id, why=why))


def _is_free(draft: Draft) -> bool:
    """Whether nothing is in hand: no dice that may be thrown again (CD-5), and no second Task of another (DET-4)."""
    table = draft.table
    awaited = table.request is not None or table.held is not None or bool(table.agenda)
    surges_first = table.surge_for in {"", table.in_line[0].character_id}
    return table.task is None and not awaited and surges_first and not _may_throw_again(draft)


def _may_throw_again(draft: Draft) -> bool:
    """Whether Challenge Dice are in hand that are to be thrown, or that somebody can pay to throw again (CD-5)."""
    roll = draft.table.challenge
    if roll is None or roll.closed:
        return False
    if not roll.dice:
        return True
    try:
        RerollChallenge(positions=(0,)).decide(Draft(draft.table, draft.playbook))
    except Refusal:
        return False
    return True


def _is_here(table: Table, actor_id: str) -> bool:
    try:
        find_character(table, actor_id)
    except Refusal:
        return False
    return True


def _name_of(table: Table, actor_id: str) -> str:
    return find_character(table, actor_id).name if _is_here(table, actor_id) else say("Somebody who is not here")


def line_moves(table: Table) -> Iterator[Candidate]:
    """The next in line may go on where only the spending of the Task in hand is between, and each may leave it."""
    spends = table.task is None or table.task.phase in {TaskPhase.SPENDING, TaskPhase.COMPLICATIONS}
    for place, one in enumerate(table.in_line):
        character = find_character(table, one.character_id)
        role = Role.PLAYER if character.standing is Standing.PLAYER else Role.GAMEMASTER
        if not place and spends:
            yield Candidate(
                option_id="next_in_line",
                label=say("Go on with {who}'s Task", who=character.name),
                command=DeclareTask(declaration=one),
                rule="TASK-10",
                role=role,
                free=True,
            )
        yield Candidate(
            option_id=f"leave_line:{one.character_id}",
            label=say("Take back {who}'s Task that waits", who=character.name),
            command=LeaveLine(character_id=one.character_id),
            rule="TASK-10",
            role=role,
            free=True,
        )


PLAYBOOK: Final = Playbook(ends=(_call_up,))
"""The playbook of the line: at the end of each decision its next Task may begin."""

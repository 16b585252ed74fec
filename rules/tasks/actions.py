"""What a Task in a conflict is for: planned from its row, paid for when attempted, followed through, concluded.

In: declarations with an `action`, and the Task in hand at the moments of play. Out: whatever the action's row in the
playbook does then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import ClassVar, Final, TypeAlias

from rules.deciding.checks import profile, require_spending
from rules.deciding.decision import ActionRow, Command, Draft, by_choice, nothing
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import ActionScope, Attribute, Discipline
from rules.tasks.events import FollowedThrough
from rules.tasks.opposed import side_of
from rules.words import Phrase, either, listed, say, worded


def row_of(draft: Draft, action: Action) -> ActionRow:
    """The row of an action in the ruleset whose form of it the table plays. Refuses one that it does not have."""
    row = draft.playbook.action(action, profile(draft.table).edition_of(action.name))
    if row is None:
        raise Refusal("ACT-4", _unknown(draft, action))
    return row


def _unknown(draft: Draft, action: Action) -> Phrase:
    """An action that the ruleset does not have, with the place it belongs to, or the names most like it."""
    rows = draft.playbook.played(profile(draft.table).edition_of)
    here = {one.name: one.scope for one in rows}
    said = worded(action.name)
    on_bridge = action.scope is ActionScope.BRIDGE
    if here.get(action.name, action.scope) is not action.scope:
        if on_bridge:
            return say("The action {said} is one taken on foot, not on the bridge; declare it there.", said=said)
        return say("The action {said} is one taken on the bridge, not on foot; declare it there.", said=said)
    fitting = [one.name for one in rows if one.scope is action.scope]
    near = listed([worded(name) for name in get_close_matches(action.name, fitting, n=3, cutoff=0.4)])
    unknown = say("This ruleset has no action called {said} on foot", said=said)
    if on_bridge:
        unknown = say("This ruleset has no action called {said} on the bridge", said=said)
    if not near:
        return say("{unknown}; choose one of the menu of who acts.", unknown=unknown)
    return say("{unknown}; choose one of its menu, as {near}.", unknown=unknown, near=near)


NEARLY: Final = 0.8
"""From how much alike on, between 0 and 1, words of one's own are taken for a name that was misspelt."""


def rightly_named(table: Table, row: ActionRow, actor_id: str, action: Action) -> Action:
    """The action with its effect as the row spells it.

    Refuses an effect that is none of the row's, and a note that should be a name and is none, or that nearly is one:
    words stay free where the rules want words.
    """
    effects = row.field("effect")
    effect = action.effect.strip().casefold()
    if effect and effects is None:
        raise Refusal(row.rule, "{action} takes no effect; leave it out.", action=row.label)
    if effects is not None and effect not in ("", *effects.names(table, actor_id)):
        raise _misspelt(row, effects, action.effect, effects.names(table, actor_id))
    notes = row.field("note")
    if notes is not None:
        _require_rightly_said(table, row, notes, actor_id, action.note)
    return replace(action, effect=effect)


def _require_rightly_said(table: Table, row: ActionRow, notes: FieldRow, actor_id: str, note: str) -> None:
    names = {_as_said(one): one for one in notes.names(table, actor_id)}
    said = _as_said(note)
    if not said or not names or said in names:
        return
    near = get_close_matches(said, names, cutoff=NEARLY)
    if near or not notes.free:
        raise _misspelt(row, notes, note, [names[one] for one in near] if notes.free else list(names.values()))


def _as_said(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def _misspelt(row: ActionRow, field: FieldRow, given: str, names: Sequence[str]) -> Refusal:
    label, said, known_names = row.label, repr(given), either(names)
    words = say(
        "{action} knows no {given}; choose {names}, or leave it out.", action=label, given=said, names=known_names
    )
    if field.free:
        words = say(
            "{action} knows no {given}; say {names}, or put it in other words.",
            action=label,
            given=said,
            names=known_names,
        )
    return Refusal(field.rule or row.rule, words)


Open: TypeAlias = tuple[tuple[Attribute, ...], tuple[Discipline, ...]]
"""Attributes and disciplines among which somebody has to choose; none where nothing is left open."""


NOTHING_OPEN: Final[Open] = ((), ())
"""What is thrown with is said, or settled."""


def skilled(draft: Draft, declaration: Declaration) -> tuple[Declaration, Open]:
    """The declaration with an attribute and a discipline, and what of these is to be chosen still, among what (TASK-1).

    What is left out, the action settles where it has one or none; else what it suggests stands in for it.
    """
    if declaration.attribute is not None and declaration.discipline is not None:
        return declaration, NOTHING_OPEN
    attributes, disciplines, settled = tuple(Attribute), tuple(Discipline), False
    if declaration.action is not None:
        printed = row_of(draft, declaration.action)
        row = printed.here(printed, draft.table, declaration.character_id)
        attributes, disciplines = row.attributes or attributes, row.disciplines or disciplines
        settled = row.settled
    whole = replace(
        declaration,
        attribute=declaration.attribute or attributes[0],
        discipline=declaration.discipline or disciplines[0],
    )
    chosen = declaration.attribute is not None or settled or len(attributes) == 1
    fixed = declaration.discipline is not None or settled or len(disciplines) == 1
    return whole, (() if chosen else attributes, () if fixed else disciplines)


def _left_open(declaration: Declaration, open_: Open) -> Refusal:
    attributes, disciplines = open_
    task = declaration.label or say("the Task")
    if not disciplines:
        return Refusal(
            "TASK-1", "Say with which attribute: {task}. Choose {names}.", task=task, names=either(attributes)
        )
    if not attributes:
        return Refusal(
            "TASK-1", "Say with which discipline: {task}. Choose {names}.", task=task, names=either(disciplines)
        )
    return Refusal(
        "TASK-1",
        "Say with what: {task}. Choose {attributes}, with {disciplines}.",
        task=task,
        attributes=either(attributes),
        disciplines=either(disciplines),
    )


def require_skills(draft: Draft, declaration: Declaration) -> Declaration:
    """The declaration with an attribute and a discipline. Refuses what leaves open what is to be chosen (TASK-1)."""
    whole, open_ = skilled(draft, declaration)
    if open_ != NOTHING_OPEN:
        raise _left_open(declaration, open_)
    return whole


def planned(draft: Draft, declaration: Declaration) -> Declaration:
    """The declaration as the rules complete it: its action's row, then what holds at the table (RNG-2, lasting)."""
    declaration, open_ = skilled(draft, declaration)
    if declaration.action is not None:
        row = row_of(draft, declaration.action)
        if row.minor:
            raise Refusal("ACT-1", "{action} is a Minor Action; take it as one.", action=row.label)
        action = rightly_named(draft.table, row, declaration.character_id, declaration.action)
        situated = draft.playbook.situated(draft.table, declaration.character_id, row, action)
        declaration = replace(declaration, action=situated)
        own = declaration.label not in {"", row.label}  # a page sends the row's label back as text
        declaration = row.plan(draft.table, declaration if own else replace(declaration, label=row.label))
        declaration = replace(declaration, rolled=row.rolled(draft.table, declaration))
        open_ = open_ if declaration.rolled or row.later else NOTHING_OPEN
    if open_ != NOTHING_OPEN:
        raise _left_open(declaration, open_)
    if is_simple(draft, declaration):
        declaration = _without_dice(declaration)
    else:
        more = tuple(one for modifiers in draft.playbook.modifiers for one in modifiers(draft.table, declaration))
        declaration = replace(declaration, modifiers=(*declaration.modifiers, *more))
    for completes in draft.playbook.completes:
        declaration = completes(draft.table, declaration)
    return declaration


def is_simple(draft: Draft, declaration: Declaration) -> bool:
    """Whether the rules settle that nothing is thrown, so that nothing makes it harder either (TASK-9)."""
    if declaration.action is None or declaration.rolled:
        return False
    return row_of(draft, declaration.action).rolled is not by_choice


def _without_dice(declaration: Declaration) -> Declaration:
    return replace(declaration, difficulty=0, modifiers=(), purchases=(), assists=(), ship=None, opposed=False)


def attempt(draft: Draft, task: Task) -> None:
    """Take what the attempt itself costs, whatever comes of it (C-65)."""
    if task.declaration.action is not None:
        row_of(draft, task.declaration.action).pay(draft, task)


def succeeded(task: Task) -> bool:
    """Whether the Task in hand reached its aim: it succeeded, at a cost too, and won if it was opposed (OPP-1)."""
    if task.outcome is None or not task.outcome.success:
        return False
    if task.opposed_winner is None:
        return True
    return task.opposed_winner is side_of(task)


def to_follow(draft: Draft, task: Task) -> ActionRow | None:
    """The row of a Task that reached its aim and has still to set off what follows; None where nothing does (C-61)."""
    if task.declaration.action is None or task.followed or not succeeded(task):
        return None
    row = row_of(draft, task.declaration.action)
    return row if row.struck is not nothing else None


def require_followed(draft: Draft, task: Task) -> None:
    """Refuse to finish a Task's spending while its action waits to be followed through or is not settled (C-61)."""
    row = to_follow(draft, task)
    if row is not None:
        raise Refusal(
            "TASK-10", "{action} succeeded; go on to what follows before its spending is finished.", action=row.label
        )
    if task.followed and (draft.table.agenda or draft.table.attack is not None):
        raise Refusal("TASK-10", "What this Task set off is not settled yet; look at what the table asks for.")


def conclude(draft: Draft, task: Task) -> None:
    """A Task's spending is finished: what its action brings, as a success or as a failure."""
    if task.declaration.action is None:
        return
    row = row_of(draft, task.declaration.action)
    (row.result if succeeded(task) else row.failed)(draft, task)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowThrough(Command):
    """Go on from the success in hand to what it sets off while Momentum may still be spent: an attack's damage.

    From then on the Task's own dice stand.
    """

    undone: ClassVar[Phrase | None] = say("going on to what follows")

    def decide(self, draft: Draft) -> None:
        """Go on to what the success in hand sets off (C-61): its own dice stand from now on."""
        task = require_spending(draft.table)
        row = to_follow(draft, task)
        if row is None:
            raise Refusal(
                "TASK-10", "Nothing follows from this Task before its Momentum is spent; finish its spending."
            )
        draft.record(FollowedThrough(number=task.number, who=task.who, label=task.declaration.label))
        row.struck(draft, task)

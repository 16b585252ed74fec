"""What a Task in a conflict is for: planned from its row, paid for when attempted, followed through, concluded.

In: declarations with an `action`, and the Task in hand at the moments of play. Out: whatever the action's row in the
playbook does then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from rules.deciding.checks import profile, require_spending
from rules.deciding.decision import ActionRow, Command, Draft, by_choice, nothing
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import ActionScope, Attribute, Discipline, RerollReason
from rules.tasks.events import FollowedThrough
from rules.tasks.opposed import side_of, waiting
from rules.words import Phrase, capitalized, either, listed, say, worded


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

    Refuses fields that the row does not use, and an unknown effect. Refuses a note that should be a name and is none,
    or nearly is one. Words stay free where the rules want words.
    """
    said = action.effect
    effect = said.strip().casefold()
    if effect != said:
        action = replace(action, effect=effect)
    _require_taken(row, action)
    effects = row.field("effect")
    if effects is not None and effect not in ("", *effects.names(table, actor_id)):
        raise _misspelt(row, effects, said, effects.names(table, actor_id))
    notes = row.field("note")
    if notes is not None:
        _require_rightly_said(table, row, notes, actor_id, action.note)
    return action


LARGEST: Final = 100
"""The largest number of an action; more is a slip of the finger."""


_NUMBERS: Final = ("zones", "level", "threat_part")
"""The fields of an action that are numbers, from 0 to `LARGEST`; its row may take less in."""


_NAMED: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "target_id": say("target"),
        "ship_id": say("ship"),
        "also_id": say("second ally"),
        "weapon": say("weapon"),
        "lethal": say("intent to kill"),
        "one_handed": say("one-handed use"),
        "effect": say("effect"),
        "weakness": say("weakness"),
        "at_range": say("distance"),
        "system": say("system"),
        "zones": say("number of zones"),
        "zone_id": say("zone"),
        "level": say("level"),
        "threat_part": say("Threat"),
        "in_cover": say("cover"),
    }
)
"""The fields of `Action` that not every action takes, in words."""


_EMPTY: Final = tuple((one.name, one.default) for one in fields(Action) if one.name in _NAMED)
"""The same fields, each with what it holds where nothing was filled in."""


def _require_taken(row: ActionRow, action: Action) -> None:
    """Refuse a field that was filled in and that the action makes nothing of, and a number that is none."""
    for name, empty in _EMPTY:
        if getattr(action, name) != empty and not row.takes(name):
            raise Refusal(row.rule, "{action} takes no {field}; leave it out.", action=row.label, field=_NAMED[name])
    for name in _NUMBERS:
        if not 0 <= (getattr(action, name) or 0) <= LARGEST:
            number = capitalized(_NAMED[name])
            raise Refusal(row.rule, "{field} goes from 0 to {most}; choose within that.", field=number, most=LARGEST)


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


def require_skills(draft: Draft, declaration: Declaration) -> None:
    """Refuse a declaration that leaves open what is to be chosen to throw with (TASK-1)."""
    _, open_ = skilled(draft, declaration)
    if open_ != NOTHING_OPEN:
        raise _left_open(declaration, open_)


def planned(draft: Draft, declaration: Declaration) -> Declaration:
    """The declaration as the rules complete it: its action's row, then what holds at the table (RNG-2, lasting).

    Refuses what it says that the rules have otherwise.
    """
    said = declaration
    declaration, open_ = skilled(draft, declaration)
    if declaration.action is not None:
        row = row_of(draft, declaration.action)
        if row.minor:
            raise Refusal("ACT-1", "{action} is a Minor Action; take it as one.", action=row.label)
        action = rightly_named(draft.table, row, declaration.character_id, declaration.action)
        situated = draft.playbook.situated(draft.table, declaration.character_id, row, action)
        own = declaration.label not in {"", row.label}  # a page sends the row's label back as text
        declaration = replace(
            declaration,
            action=situated,
            label=declaration.label if own else row.label,
            opposed=declaration.opposed and row.free_form,
            opponent_id=declaration.opponent_id if row.free_form else "",
            rerolls=declaration.rerolls if _may_claim(draft.table, row) else (),
        )
        declaration = row.plan(draft.table, declaration)
        declaration = replace(declaration, rolled=row.rolled(draft.table, declaration))
        _require_as_ruled(draft, row, said, declaration)
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


def _may_claim(table: Table, row: ActionRow) -> bool:
    """Whether people say by what dice are thrown again: where nobody's Minor Actions are counted (TASK-12, ACT-3)."""
    return table.conflict is None and row.free_form


def _require_as_ruled(draft: Draft, row: ActionRow, said: Declaration, ruled: Declaration) -> None:
    """Refuse an attribute, a discipline, an opposition or a re-roll that the rules have otherwise."""
    here = row.here(row, draft.table, said.character_id)
    pairs: tuple[tuple[StrEnum | None, StrEnum | None, tuple[StrEnum, ...]], ...] = (
        (said.attribute, ruled.attribute, here.attributes),
        (said.discipline, ruled.discipline, here.disciplines),
    )
    for given, thrown, several in pairs:
        if given is not None and thrown is not None and given is not thrown:
            takes = several if thrown in several and not here.settled else (thrown,)
            raise Refusal(
                "TASK-1",
                "{action} is thrown with {names}, not with {given}; choose that, or leave it out.",
                action=row.label,
                names=either(takes),
                given=given,
            )
    if said.opposed and not ruled.opposed and waiting(draft.table) is None:
        raise Refusal("OPP-1", "Nobody opposes this: {action}. Declare it without the other side.", action=row.label)
    if said.opponent_id and not ruled.opponent_id and waiting(draft.table) is None:
        raise Refusal(
            "OPP-1", "The rules say who opposes this: {action}. Declare it without an opponent.", action=row.label
        )
    for one in said.rerolls:
        if one not in ruled.rerolls and one in _NOT_HAD:
            raise Refusal("TASK-12", _NOT_HAD[one])


_NOT_HAD: Final[Mapping[RerollReason, Phrase]] = MappingProxyType(
    {
        RerollReason.AIM: say("Nobody aimed for this Task; take Aim first, or leave that re-roll out."),
        RerollReason.ACCURATE_AIM: say(
            "Nobody aimed an Accurate weapon for this Task; take Aim first, or leave that re-roll out."
        ),
        RerollReason.SHIP_SYSTEM: say("The ship gives no re-roll to this Task; prepare one first, or leave it out."),
    }
)
"""The re-rolls that the table knows by itself, and what is said of one that nobody has (TASK-12, QUAL-1, S2E-X1).

Determination buys Inspiration, so that nobody has to be asked for it before.
"""


def is_simple(draft: Draft, declaration: Declaration) -> bool:
    """Whether the rules settle that nothing is thrown, so that nothing makes it harder either (TASK-9)."""
    if declaration.action is None or declaration.rolled:
        return False
    return row_of(draft, declaration.action).rolled is not by_choice


def _without_dice(declaration: Declaration) -> Declaration:
    return replace(
        declaration, difficulty=0, modifiers=(), purchases=(), assists=(), ship=None, opposed=False, opponent_id=""
    )


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
    return row if row.strikes else None


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
    """Apply the result of a Task's action once its spending is finished, as a success or as a failure."""
    if task.declaration.action is None:
        return
    row = row_of(draft, task.declaration.action)
    (row.result if succeeded(task) else row.failed)(draft, task)


def left_nothing(draft: Draft, task: Task) -> bool:
    """Whether the end of a Task's spending applies nothing by its action (`conclude`)."""
    if task.declaration.action is None:
        return True
    row = row_of(draft, task.declaration.action)
    return (row.result if succeeded(task) else row.failed) is nothing


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

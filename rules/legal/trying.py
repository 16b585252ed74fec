"""Which actions and choices the rules take now, asked of `decide` one by one, and why they refuse the others.

In: the table, who acts, an action's row and all that might be chosen for it. Out: the choices that are open, each of
the others with its reason, and the reason of an action for which none is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice, product
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from rules.conflict.budget import TakeMinorAction, require_minor
from rules.deciding.decision import ActionRow, Command, Draft
from rules.errors import Refusal
from rules.legal.choices import (
    AIMS,
    MARKS,
    MOST_OF_A_PRICE,
    ChoiceKind,
    MenuChoice,
    MenuValue,
    RefusedValue,
    field_of,
)
from rules.legal.offers import UNSAID
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Range, System
from rules.table import PLAYBOOK, decide
from rules.tasks.actions import planned
from rules.tasks.declaring import DeclareTask, make_way
from rules.words import Phrase, Said

_Skill = TypeVar("_Skill")


MOST_CHOICES_TRIED: Final = 40
"""The most choices of one action that are tried; where none of them is allowed, the action counts as impossible."""


MOST_WAYS_TRIED: Final = 200
"""The most ways to choose the rest that are tried for one value; where none of them is allowed, it is refused."""


MOST_NUMBERS_TRIED: Final = MOST_OF_A_PRICE + 1
"""Most numbers tried from the smallest on: as many as the highest price of its own."""


NOTHING_CHOSEN: Final[Mapping[str, Any]] = MappingProxyType(
    {"system": None, "at_range": None, "level": None, "zones": 0, "threat_part": 0, **dict.fromkeys(MARKS, False)}
)
"""The value of a field of `Action` without a choice; other fields are empty."""


NUMBERS: Final = frozenset({"zones", "level", "threat_part"})
"""Fields that are numbers."""


YES: Final = "yes"
"""The chosen value of a yes-or-no field."""


NAMED: Final[Mapping[str, type[StrEnum]]] = MappingProxyType({"system": System, "at_range": Range})
"""Fields whose values are of a vocabulary."""


_Refused: TypeAlias = tuple[Command, Refusal]
"""A tried command and its refusal."""


_Said: TypeAlias = tuple[tuple[str, str], ...]
"""Rules and sentences against something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The result of trying an action: the open choices, and why none is possible; empty if one is."""

    choices: tuple[MenuChoice, ...]
    why_not: str = ""


def chosen(name: str, value: str) -> str | int | bool | System | Range | None:
    """What a field of `Action` holds where `value` is chosen for it, as a menu or a form names that; "" for nothing."""
    if name in MARKS:
        return value == YES
    if not value:
        nothing: str | int | None = NOTHING_CHOSEN.get(name, "")
        return nothing
    return int(value) if name in NUMBERS else NAMED.get(name, str)(value)


def try_out(table: Table, actor_id: str, row: ActionRow, choices: tuple[MenuChoice, ...], price: int) -> Tried:
    """What may be chosen for an action that costs `price` by itself: each value with which the rules take it somehow.

    Of an action that they do not take at all, the choices stay as they are.
    """
    refused = _against_any(table, actor_id, row)
    if refused is not None:
        return Tried(choices=choices, why_not=refused.message)
    missing = (field_of(row, one.name).none for one in choices if one.required and not one.values)
    for none in missing:
        if none:
            return Tried(choices=choices, why_not=none)
    trial = _Trial(table, actor_id, row, choices, price)
    first = trial.first_of(_actions(row, choices), MOST_CHOICES_TRIED)
    if isinstance(first, Refusal):
        return Tried(choices=choices, why_not=first.message)
    narrowed = [one for one in map(trial.narrowed, choices) if one is not None]
    return Tried(choices=tuple(one for one in narrowed if one.required or (one.least, one.most) != (0, 0)))


class _Trial:
    """One action, tried with one choice after the other; results are cached."""

    def __init__(
        self, table: Table, actor_id: str, row: ActionRow, choices: tuple[MenuChoice, ...], price: int
    ) -> None:
        self._table = table
        self._actor_id = actor_id
        self._row = row
        self._choices = choices
        self._threat = (0, price) if price else (0,)
        self._taken: list[Action] = []
        self._asked: dict[Action, tuple[_Refused, ...]] = {}
        self._overlooked: set[tuple[frozenset[str], _Said]] = set()

    def first_of(self, actions: Iterator[Action], most: int) -> Action | Refusal:
        """The first that the rules take, else the refusal that says best what stands against all of them."""
        refusals: dict[Action, tuple[_Refused, ...]] = {}
        for action in actions:
            if action in refusals:
                continue
            if len(refusals) == most:
                break
            against = self._against(action)
            if not against:
                return action
            refusals[action] = against
        return _farthest(self._table, [one for against in refusals.values() for one in against])

    def narrowed(self, choice: MenuChoice) -> MenuChoice | None:
        """A choice with what is open of it, and the reasons against the rest; required where no way goes without.

        None of a number of which nothing is open.
        """
        required = choice.required or self._refusal(choice, _nothing(choice)) is not None
        if choice.kind is ChoiceKind.NUMBER:
            numbered = self._numbered(choice)
            return None if numbered is None else replace(numbered, required=required)
        values = (MenuValue(id=YES, label=choice.label),) if choice.kind is ChoiceKind.YES_OR_NO else choice.values
        found = [(one, self._refusal(choice, chosen(choice.name, one.id))) for one in values]
        return replace(
            choice,
            required=required,
            values=() if choice.kind is ChoiceKind.YES_OR_NO else tuple(one for one, against in found if not against),
            refused=tuple(
                RefusedValue(id=one.id, label=one.label, why_not=against.message)
                for one, against in found
                if against is not None
            ),
            otherwise="" if required else choice.otherwise,
        )

    def _numbered(self, choice: MenuChoice) -> MenuChoice | None:
        """A choice of a number from the least that is taken to the largest; None where none is."""
        least, most = choice.least or 0, choice.most or 0
        if self._refusal(choice, least) is None and self._refusal(choice, most) is None:
            return choice
        taken = [one for one in range(least, most + 1) if self._refusal(choice, one) is None]
        return replace(choice, least=taken[0], most=taken[-1]) if taken else None

    def _refusal(self, choice: MenuChoice, value: Any) -> Refusal | None:  # noqa: ANN401 - what that field holds
        """What stands against one value, whatever else is chosen; None where some way with it is taken."""
        if any(getattr(one, choice.name) == value for one in self._taken):
            return None
        found = self.first_of(self._ways(choice, value), MOST_WAYS_TRIED)
        return found if isinstance(found, Refusal) else None

    def _against(self, action: Action) -> tuple[_Refused, ...]:
        """The refusals of an action, however it is paid; empty if it is allowed."""
        against = self._asked.get(action)
        if against is None:
            against = self._asked[action] = self._refused(action)
            if not against:
                self._taken.append(action)
        return against

    def _refused(self, action: Action) -> tuple[_Refused, ...]:
        refused: list[_Refused] = []
        for threat_part in self._threat:
            tried = _tried(self._actor_id, self._row, action, threat_part)
            try:
                decide(self._table, tried)
            except Refusal as refusal:
                refused.append((tried, refusal))
            else:
                return ()
        return tuple(refused)

    def _ways(self, choice: MenuChoice, value: Any) -> Iterator[Action]:  # noqa: ANN401 - what that field holds
        """The action with one value, the rest as in what was taken first; then with one of these changed, then two.

        Of two, each pair of required ones, and else a second where the first one led to a refusal of another kind.
        """
        near = replace(self._taken[0], **{choice.name: value})
        others = [one for one in self._choices if one.name != choice.name]
        yield near
        changed: list[tuple[MenuChoice, Action]] = []
        for one, way in self._changed(near, others):
            yield way
            if one is not None:
                changed.append((one, way))
        for first, second in combinations([one for one in others if one.required], 2):
            for each in product(_worth_trying(first), _worth_trying(second)):
                yield replace(near, **dict(zip((first.name, second.name), each, strict=True)))
        start = self._kinds(near)
        for one, way in changed:
            if self._kinds(way) != start:
                yield from (further for _, further in self._changed(way, [each for each in others if each is not one]))

    def _changed(self, way: Action, others: list[MenuChoice]) -> Iterator[tuple[MenuChoice | None, Action]]:
        """A refused action with one of its other choices made otherwise, and which.

        Numbers and marks that may be left out are first put to their most, all at once. Where the very same is said
        against that, and was against each of them when this was last said, they are left as they are.
        """
        light: dict[str, Any] = {one.name: _most(one) for one in others if _is_light(one)}
        said, overlooked = self._said(way), (frozenset(light), self._kinds(way))
        if light:
            extreme = replace(way, **light)
            yield None, extreme
            if overlooked in self._overlooked and self._said(extreme) == said:
                others = [one for one in others if one.name not in light]
        moved = False
        for one in others:
            for each in _worth_trying(one):
                if each != getattr(way, one.name):
                    further = replace(way, **{one.name: each})
                    yield one, further
                    moved = moved or (one.name in light and self._said(further) != said)
        if not moved:
            self._overlooked.add(overlooked)

    def _said(self, action: Action) -> _Said:
        """The rules and sentences against an action."""
        return tuple((refusal.rule, refusal.message) for _, refusal in self._against(action))

    def _kinds(self, action: Action) -> _Said:
        """The rules and sentences against an action, whatever they name."""
        return tuple((refusal.rule, _template(refusal.message)) for _, refusal in self._against(action))


def _template(said: Phrase) -> str:
    return said.template if isinstance(said, Said) else said


def _is_light(choice: MenuChoice) -> bool:
    """Whether a choice may be left out and goes from one end to the other: a number, or a mark."""
    return not choice.required and choice.kind in {ChoiceKind.NUMBER, ChoiceKind.YES_OR_NO}


def _most(choice: MenuChoice) -> int | bool:
    return True if choice.kind is ChoiceKind.YES_OR_NO else choice.most or 0


def _against_any(table: Table, actor_id: str, row: ActionRow) -> Refusal | None:
    """What stands against who acts, or against the action, whatever is chosen for it; None where nothing does."""
    draft = Draft(table, PLAYBOOK)
    try:
        if row.minor:
            require_minor(draft, actor_id, row)
        elif not make_way(draft, _declared(actor_id, row, Action(name=row.name, scope=row.scope))):
            PLAYBOOK.take_task(draft, actor_id, row)
    except Refusal as refusal:
        return refusal
    return None


def _farthest(table: Table, refusals: list[_Refused]) -> Refusal:
    """The refusal of the choice that came farthest: one that its action's own rules took, else the first.

    A foe who can act is tried first. What is said alike counts as having come as far.
    """
    alike: dict[str, _Refused] = {}
    for tried, refusal in refusals:
        alike.setdefault(refusal.message, (tried, refusal))
    if len(alike) > 1:
        for tried, refusal in alike.values():
            if isinstance(tried, DeclareTask) and _is_planned(table, tried.declaration):
                return refusal
    return refusals[0][1]


def _is_planned(table: Table, declaration: Declaration) -> bool:
    try:
        planned(Draft(table, PLAYBOOK), declaration)
    except Refusal:
        return False
    return True


def _tried(actor_id: str, row: ActionRow, action: Action, threat_part: int) -> Command:
    if row.minor:
        return TakeMinorAction(character_id=actor_id, action=action, threat_part=threat_part)
    return DeclareTask(
        declaration=_declared(actor_id, row, replace(action, threat_part=action.threat_part or threat_part))
    )


def _declared(actor_id: str, row: ActionRow, action: Action) -> Declaration:
    return Declaration(
        character_id=actor_id,
        attribute=_suggested(row, row.attributes, Attribute.CONTROL),
        discipline=_suggested(row, row.disciplines, Discipline.COMMAND),
        action=action,
    )


def _suggested(row: ActionRow, several: tuple[_Skill, ...], usual: _Skill) -> _Skill | None:
    """The attribute and discipline for trying an action that leaves a choice."""
    if row.settled or len(several) == 1:
        return None
    return several[0] if several else usual


def _actions(row: ActionRow, choices: tuple[MenuChoice, ...]) -> Iterator[Action]:
    """The action with each choice that could be made for it, what may be left out left out first.

    What is chosen least often differs last, so that the first of the choices is that of the likeliest target.
    """
    order = sorted((one for one in choices if one.kind is not ChoiceKind.YES_OR_NO), key=lambda one: one.name in AIMS)
    for way in product(*(tuple(_worth_trying(one)) for one in order)):
        fields: dict[str, Any] = {one.name: value for one, value in zip(order, way, strict=True)}
        yield Action(name=row.name, scope=row.scope, **fields)


def _nothing(choice: MenuChoice) -> Any:  # noqa: ANN401 - what that field of `Action` holds
    return NOTHING_CHOSEN.get(choice.name, "")


def _worth_trying(choice: MenuChoice) -> Iterator[Any]:
    if choice.kind is ChoiceKind.YES_OR_NO:
        yield from (False, True)
    elif choice.kind is ChoiceKind.WORDS:
        yield UNSAID if choice.required else ""
    elif choice.kind is ChoiceKind.NUMBER:
        if not choice.required:
            yield _nothing(choice)
        yield from islice(range(choice.least or 0, (choice.most or 0) + 1), MOST_NUMBERS_TRIED)
    else:
        if not (choice.required and choice.values):
            yield _nothing(choice)
        yield from (chosen(choice.name, one.id) for one in choice.values)

"""How the menu looks for a way to take a value: two choices that may be left out, closed numbers, and what it costs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.deciding.decision import Command, Event
from rules.errors import Refusal
from rules.legal import trying
from rules.legal.choices import ChoiceKind, MenuChoice, MenuValue
from rules.legal.menu import MenuEntry, menu
from rules.legal.trying import Tried, try_out
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, Ruleset
from rules.table import PLAYBOOK, decide
from rules.tasks.declaring import DeclareTask
from tests.bench.conflicts import busy_round, of_ships, on_foot
from tests.rules.brawl import Brawl


def one_of(name: str, *values: str) -> MenuChoice:
    named = tuple(MenuValue(id=one, label=one) for one in values)
    return MenuChoice(name=name, label=name, kind=ChoiceKind.ONE_OF, required=False, values=named)


def number(name: str) -> MenuChoice:
    return MenuChoice(name=name, label=name, kind=ChoiceKind.NUMBER, required=False, least=0, most=3)


def tried(monkeypatch: pytest.MonkeyPatch, require: Callable[[Action], None], *choices: MenuChoice) -> Tried:
    """What the menu makes of these choices where `require` refuses what is not allowed."""
    game = Brawl()
    row = PLAYBOOK.action(Action(name="other", scope=ActionScope.PERSONAL), Ruleset.CORE_1E)
    assert row is not None

    def decided(_: Table, command: Command) -> tuple[Event, ...]:
        assert isinstance(command, DeclareTask)
        assert command.declaration.action is not None
        require(command.declaration.action)
        return ()

    monkeypatch.setattr(trying, "decide", decided)
    return try_out(game.table, game.okafor, row, choices, 0)


def test_a_value_is_open_that_needs_two_choices_that_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A marked way and a number, and two of several: each in any order of the refusals."""

    def two_of_several(action: Action) -> None:
        if action.zone_id == "far" and not action.target_id:
            raise Refusal("ACT-3", "Say at whom.")
        if action.zone_id == "far" and action.weapon != "second":
            raise Refusal("ACT-3", "Say with what.")

    def mark_and_number(action: Action) -> None:
        if action.zone_id == "far" and not action.in_cover:
            raise Refusal("ACT-3", "Say whether in cover.")
        if action.zone_id == "far" and action.level != 1:
            raise Refusal("ACT-3", "Say how hard.")

    fields = (one_of("zone_id", "near", "far"), one_of("target_id", "somebody"), one_of("weapon", "first", "second"))
    (zone, *_) = tried(monkeypatch, two_of_several, *fields).choices
    assert [one.id for one in zone.values] == ["near", "far"]
    cover = MenuChoice(name="in_cover", label="cover", kind=ChoiceKind.YES_OR_NO, required=False)
    (zone, *_) = tried(monkeypatch, mark_and_number, fields[0], cover, number("level")).choices
    assert [one.id for one in zone.values] == ["near", "far"]


def test_a_number_of_which_nothing_is_open_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_level(action: Action) -> None:
        if action.level is not None:
            raise Refusal("ACT-3", "Nobody says how hard that is.")

    assert not tried(monkeypatch, no_level, number("level")).choices


def listed(entry: MenuEntry) -> int:
    """What a menu says of an action: whether it is possible, and the same of each value that might be chosen."""
    return 1 + sum(len(choice.values) + len(choice.refused) for choice in entry.choices)


def test_what_a_menu_asks_stays_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page and the panel ask for it often; what it lists is asked about once, and little more."""
    asked = 0

    def counted(table: Table, command: Command) -> tuple[Event, ...]:
        nonlocal asked
        asked += 1
        return decide(table, command)

    monkeypatch.setattr(trying, "decide", counted)
    for game, more in ((busy_round(), 10), (on_foot(), 45), *((of_ships(one), 45) for one in Ruleset)):
        asked = 0
        most = more + sum(map(listed, menu(game.table, game.okafor)))
        assert 0 < asked <= most, (game.table.ruleset, asked, most)

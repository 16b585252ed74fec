"""Whatever was played: what the menu offers is taken by `decide`, and what it says is refused is refused so.

The search is the test's own: every way to choose, up to `MOST_WAYS`, where the menu tries the likeliest alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import history
from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import BeginTurn
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt
from rules.deciding.decision import name_of
from rules.errors import Refusal
from rules.history import Decision, History
from rules.legal.choices import ChoiceKind, MenuChoice
from rules.legal.menu import MenuEntry, menu
from rules.legal.trying import NOTHING_CHOSEN, chosen
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Layout, Ruleset, Terrain
from rules.table import decide
from rules.tasks.declaring import DeclareTask
from tests.rules.wild import fight_on_foot, ids_of, move, ship_duel

MOST_WAYS: Final = 1500
"""Ways to choose that are searched for one value; the menu need not see farther than this."""


SCENES = st.tuples(st.sampled_from([fight_on_foot, ship_duel]), st.sampled_from(Ruleset), st.booleans())
MOVES = st.lists(st.integers(0, 2**24), min_size=4, max_size=40)


@cache
def opening(scene: tuple[Any, Ruleset, bool]) -> History:
    make, ruleset, mapped = scene
    game = make(ruleset)
    if mapped:
        game.do(DrawMap(zones=("North", "East", "South", "West", "Far"), layout=Layout.LINE))
        assert game.table.zone_map is not None
        zones = [one.zone_id for one in game.table.zone_map.zones]
        game.do(ChangeZone(zone_id=zones[1], terrain=Terrain.DENSE_NEBULA, difficulty=1, concealment=1, cover=1))
        ships = [one.ship_id for one in game.table.ships]
        everybody = ships if make is ship_duel else [one.character_id for one in game.table.characters]
        for place, who in enumerate(everybody):
            game.do(PlaceAt(who_ids=(who,), zone_id=zones[place % 3]))
    begun: History = game.history
    return begun


@settings(deadline=None)
@given(scene=SCENES, numbers=MOVES)
def test_what_is_offered_is_taken_and_what_is_not_is_refused_so(
    scene: tuple[Any, Ruleset, bool], numbers: list[int]
) -> None:
    """ACT-3, ACT-4, RNG-1, STN, S2E: each target, zone, seat, weapon, system and number, of whoever has the Turn."""
    table = played(opening(scene), numbers).present
    conflict = table.conflict
    if conflict is not None and conflict.turn is None and table.task is None:
        ready = [BeginTurn(combatant_id=one.combatant_id) for one in conflict.combatants]
        table = next((after for after in (taken(table, one) for one in ready) if after is not None), table)
    turn = table.conflict.turn if table.conflict is not None else None
    who = turn.combatant_id if turn is not None else ids_of(table)[0]
    for one in menu(table, who):
        holds(table, who, one)


def played(at: History, numbers: list[int]) -> History:
    """The table after some moves; refused ones change nothing."""
    for number in numbers:
        command = move(at.present, number)
        try:
            events = decide(at.present, command)
        except Refusal:
            continue
        if events:
            done = Decision(number=at.next_decision, by="test", command=name_of(command), events=events)
            at = history.evolve(at, done)
    return at


def taken(table: Table, command: BeginTurn) -> Table | None:
    try:
        events = decide(table, command)
    except Refusal:
        return None
    for one in events:
        table = one.fold(table)
    return table


def holds(table: Table, who: str, entry: MenuEntry) -> None:
    if not entry.possible:
        assert entry.why_not
        assert not any(refused_for(table, who, entry, way) is None for way in ways(entry)), entry
        return
    for choice in entry.choices:
        for value in open_values(choice):
            assert None in reasons(table, who, entry, choice, value), (entry.name, choice.name, value)
        for one in choice.refused:
            said = reasons(table, who, entry, choice, chosen(choice.name, one.id))
            assert None not in said, (entry.name, choice.name, one)
            assert one.why_not in said, (entry.name, choice.name, one, said)
        nothing = {choice.name: NOTHING_CHOSEN.get(choice.name, "")}
        if choice.required:
            alone = nothing | {one.name: NOTHING_CHOSEN.get(one.name, "") for one in entry.choices if not one.required}
            without = (refused_for(table, who, entry, way) for way in ways(entry, alone))
            a_number = nothing[choice.name] in open_values(choice)  # 0, which may be chosen too
            assert a_number or None not in without, (entry.name, choice.name)
        else:
            assert any(refused_for(table, who, entry, way) is None for way in ways(entry, nothing)), choice


def reasons(table: Table, who: str, entry: MenuEntry, choice: MenuChoice, value: object) -> set[str | None]:
    """The refusals of a value, way by way, up to the first allowed way (None)."""
    found: set[str | None] = set()
    for way in ways(entry, {choice.name: value}):
        found.add(refused_for(table, who, entry, way))
        if None in found:
            break
    return found


def ways(entry: MenuEntry, settled: dict[str, object] | None = None) -> Iterator[Action]:
    """The action with some of its fields `settled`, and each way to choose the others, in no order of likelihood."""
    settled = settled or {}
    open_now = [one for one in entry.choices if one.name not in settled]
    every = list(product(*(everything(one) for one in open_now)))
    Random(1).shuffle(every)  # noqa: S311 - an order that is the same each time
    plain = [way for way in every if sum(map(bool, way)) <= sum(one.required for one in open_now)]
    for way in islice((*plain, *every), MOST_WAYS):
        fields: dict[str, Any] = {one.name: value for one, value in zip(open_now, way, strict=True)} | settled
        yield Action(name=entry.name, scope=entry.scope, **fields)


def everything(choice: MenuChoice) -> list[Any]:
    if choice.kind is ChoiceKind.WORDS:
        return ["", "as said"] if choice.required else [""]
    if choice.kind is ChoiceKind.YES_OR_NO:
        return [False, True]
    nothing = NOTHING_CHOSEN.get(choice.name, "")
    if choice.kind is ChoiceKind.NUMBER:
        assert choice.least is not None
        assert choice.most is not None
        return [nothing, *range(choice.least, min(choice.most, choice.least + 4) + 1)]
    ids = [*(one.id for one in choice.values), *(one.id for one in choice.refused)]
    return [nothing, *(chosen(choice.name, one) for one in ids)]


def open_values(choice: MenuChoice) -> list[Any]:
    """What the menu offers of a choice."""
    if choice.kind is ChoiceKind.NUMBER:
        return [choice.least, choice.most]
    if choice.kind is ChoiceKind.YES_OR_NO:
        return [] if choice.refused else [True]
    return [chosen(choice.name, one.id) for one in choice.values]


def refused_for(table: Table, who: str, entry: MenuEntry, action: Action) -> str | None:
    """What `decide` says against an action, however it is paid; None where it takes it."""
    said = ""
    for threat_part in sorted({0, entry.price}):
        command: TakeMinorAction | DeclareTask
        if entry.minor:
            command = TakeMinorAction(character_id=who, action=action, threat_part=threat_part)
        else:
            command = DeclareTask(
                declaration=Declaration(
                    character_id=who,
                    attribute=None if entry.settled else (*entry.attributes, Attribute.CONTROL)[0],
                    discipline=None if entry.settled else (*entry.disciplines, Discipline.COMMAND)[0],
                    action=replace(action, threat_part=action.threat_part or threat_part),
                )
            )
        try:
            decide(table, command)
        except Refusal as refusal:
            said = said or refusal.message
        else:
            return None
    return said

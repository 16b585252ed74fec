"""A table to play at in tests: two players, a ship, the gamemaster's officer, and dice that show what one says."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest

from rules import history
from rules.deciding.checks import profile
from rules.deciding.decision import Command, Event, name_of
from rules.deciding.telling import Narration
from rules.dice import DieKind, DieReading, DieState, Face, Guess, Reading, SourceKind, Symbol
from rules.errors import Refusal
from rules.narrate import narrate
from rules.setup.events import OptionsChanged, TableSetUp
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.ships.cards import SaveShip
from rules.state.options import TableOptions
from rules.state.people import Attributes, Character, Disciplines
from rules.state.ships import Systems
from rules.state.table import Table
from rules.state.tasks import Declaration, HeldThrow, Purchase, Task
from rules.state.vocabulary import Attribute, Discipline, Payer, Pool, RerollReason, Ruleset, Standing
from rules.table import PLAYBOOK
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from rules.tasks.throwing import ReportReading

OKAFOR_VALUE = "Someone will answer in the end"
LINDQVIST_VALUE = "Evidence before opinion"

_ids = itertools.count(1)


def attributes(**changes: int) -> Attributes:
    return replace(Attributes(control=11, daring=9, fitness=8, insight=10, presence=9, reason=10), **changes)


def disciplines(**changes: int) -> Disciplines:
    return replace(Disciplines(command=3, conn=2, security=3, engineering=4, science=2, medicine=1), **changes)


def systems() -> Systems:
    return Systems(communications=9, computers=10, engines=9, sensors=10, structure=8, weapons=9)


def die(
    face: Face | None,
    kind: DieKind = DieKind.D20,
    state: DieState = DieState.READ,
    source: SourceKind = SourceKind.CAMERA,
    guesses: tuple[Guess, ...] = (),
) -> DieReading:
    return DieReading(kind=kind, face=face, confidence=0.99, state=state, source=source, guesses=guesses, picture="p")


def challenge_die(face: Face) -> DieReading:
    if isinstance(face, Symbol) or face <= 2:
        return die(face, DieKind.CHALLENGE)
    return die(face, DieKind.D6)


def reading(*dice: DieReading, reading_id: str = "", source: SourceKind = SourceKind.CAMERA) -> ReportReading:
    return ReportReading(reading=Reading(reading_id=reading_id or f"r{next(_ids)}", source=source, dice=dice))


def require_prices_said(before: Table, events: tuple[Event, ...], after: Table, said: Narration | None) -> None:
    """Whatever is played: a pool that a decision changed is named with what it holds now, in every length."""
    if any(isinstance(event, TableSetUp | OptionsChanged) for event in events):
        return
    stands = []
    if after.momentum != before.momentum:
        stands.append(("Momentum", str(after.momentum)))
    if after.threat != before.threat:
        stands.append(("Threat", str(after.threat)))
    had = {one.character_id: one.determination for one in before.characters}
    stands += [
        ("Determination", str(one.determination))
        for one in after.characters
        if one.determination != had.get(one.character_id, one.determination)
    ]
    both = f"Momentum {after.momentum}, Threat {after.threat}."
    assert said is None or max(one.count(both) for one in (said.terse, said.normal, said.full)) <= 1, said
    for pool, points in stands:
        assert said is not None, (pool, events)
        for text in (said.terse, said.normal, said.full):
            assert re.search(rf"\b{pool}\b[^.]*\b{points}\b", text), (pool, points, text)


class Game:
    """A history that is played by commands. Okafor and Lindqvist are players' characters, Brack is the gamemaster's."""

    def __init__(
        self, ruleset: Ruleset = Ruleset.CORE_1E, momentum: int = 0, options: TableOptions | None = None
    ) -> None:
        self.history = history.begin()
        self.decisions: list[history.Decision] = []
        self.said: list[Narration | None] = []
        self.do(SetUpTable(ruleset=ruleset, players=("Ann", "Bob"), options=options or TableOptions()))
        ann, bob = (player.player_id for player in self.table.players)
        self.okafor = self.character("Okafor", player_id=ann, values=(OKAFOR_VALUE,))
        self.lindqvist = self.character(
            "Lindqvist", player_id=bob, values=(LINDQVIST_VALUE,), disciplines=disciplines(science=5)
        )
        self.brack = self.character("Brack", standing=Standing.NOTABLE_NPC)
        self.do(SaveShip(name="Far Lantern", scale=4, systems=systems(), departments=disciplines()))
        self.ship = self.table.ships[0].ship_id
        if momentum:
            self.do(AdjustPool(pool=Pool.MOMENTUM, change=momentum))

    @property
    def table(self) -> Table:
        return self.history.present

    def asks(self) -> bool:
        """Whether a throw is held for a person."""
        return self.history.present.held is not None

    def is_scored(self) -> bool:
        """Whether the Task in hand has its outcome."""
        return self.task.outcome is not None

    @property
    def held(self) -> HeldThrow | None:
        """As `table.held`, asked anew each time."""
        return self.history.present.held

    @property
    def task(self) -> Task:
        assert self.table.task is not None
        return self.table.task

    def character(self, name: str, **changes: Any) -> str:  # noqa: ANN401 - whatever SaveCharacter takes
        whole: dict[str, Any] = {"attributes": attributes(), "disciplines": disciplines(), **changes}
        self.do(SaveCharacter(name=name, **whole))
        return self.table.characters[-1].character_id

    def card(self, character_id: str) -> Character:
        return next(one for one in self.table.characters if one.character_id == character_id)

    def do(self, command: Command) -> tuple[Event, ...]:
        events = history.decide(self.history, command)
        if events:
            before = self.table
            number = self.history.next_decision
            decision = history.Decision(number=number, by="test", command=name_of(command), events=events)
            self.history = history.evolve(self.history, decision)
            self.decisions.append(decision)
            self.said.append(narrate(before, events, self.table))
            require_prices_said(before, events, self.table, self.said[-1])
        return events

    def refused(self, command: Command, rule: str) -> str:
        before = self.history
        with pytest.raises(Refusal) as caught:
            self.do(command)
        assert caught.value.rule == rule, caught.value.message
        assert self.history is before
        return caught.value.message

    def declare(self, character_id: str = "", **changes: Any) -> tuple[Event, ...]:  # noqa: ANN401 - a Declaration's
        """Control 11 + Engineering 4 = Target Number 15, Difficulty 1, any re-roll, unless told otherwise."""
        return self.do(self.declaration(character_id, **changes))

    def declaration(self, character_id: str = "", **changes: Any) -> DeclareTask:  # noqa: ANN401 - see above
        usual = {
            "attribute": Attribute.CONTROL,
            "discipline": Discipline.ENGINEERING,
            "rerolls": (RerollReason.AIM, RerollReason.ACCURATE_AIM, RerollReason.SHIP_SYSTEM),
        }
        whole: dict[str, Any] = {**usual, **changes}
        declaration = Declaration(character_id=character_id or self.okafor, **whole)
        return DeclareTask(declaration=fitting(self.table, declaration, *changes))

    def throw(self, *faces: int, reading_id: str = "") -> tuple[Event, ...]:
        return self.do(reading(*(die(face) for face in faces), reading_id=reading_id))

    def throw_challenge(self, *faces: Face) -> tuple[Event, ...]:
        return self.do(reading(*(challenge_die(face) for face in faces)))

    @property
    def last_said(self) -> Narration:
        said = self.said[-1]
        assert said is not None
        return said


def fitting(table: Table, declaration: Declaration, *meant: str, chosen: bool = False) -> Declaration:
    """A declaration as a form sends it: without what its action settles, but for what is `meant`.

    Where `chosen`, the first of what the action leaves to choose stands for what it does not take: for play by chance.
    """
    action = declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    changes: dict[str, Any] = {}
    if "rerolls" not in meant and (table.conflict is not None or (row is not None and not row.free_form)):
        changes["rerolls"] = ()
    known = {one.character_id for one in table.characters} | {
        one.ship_id for one in table.ships if one.crew is not None
    }
    acts = row is not None and not row.minor and declaration.character_id in known
    here = row.here(row, table, declaration.character_id) if row is not None and acts else None
    if here is not None:
        for name, several in (("attribute", here.attributes), ("discipline", here.disciplines)):
            if name not in meant and (here.settled or len(several) == 1):
                changes[name] = None
            elif chosen and name not in meant and several and getattr(declaration, name) not in several:
                changes[name] = several[0]
    return replace(declaration, **changes)


def bought(*payers: Payer) -> tuple[Purchase, ...]:
    return tuple(Purchase(payer=payer) for payer in payers)

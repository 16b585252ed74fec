"""What each combatant was given and what they took of it: an account beside the rules, kept from what happened alone.

It knows the budget of a Turn as the rules page has it (TURN-1 to TURN-6, ACT-1, C-1, C-8, C-22) and asks none of the
code that keeps it. It fails at the first event that nobody was given or paid for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rules.conflict.events import (
    AllyDirected,
    CombatantLeft,
    InitiativeKept,
    MinorActionTaken,
    RoundBegan,
    TurnBegan,
    TurnGivenUp,
    TurnOver,
    TurnPassed,
)
from rules.conflict.lasting import EffectBegan, EffectEnded
from rules.deciding.decision import Command, Event, PoolChanged
from rules.state.conflict import Conflict
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Condition, InjuryState, RerollReason, Ruleset, Side, TaskPhase
from rules.tasks.determination import DeterminationChanged, SurgeGained
from rules.tasks.events import MomentumSpent, TaskDeclared
from rules.tasks.settling import MakeSpend

CAP: Final = {Ruleset.STARTER: None, Ruleset.CORE_1E: 2, Ruleset.SECOND_EDITION: 2}
"""C-8: the most Tasks of one Turn, or of a Round where somebody has one Turn in it."""

SWIFT_PRICE: Final = 2
"""MOM-9."""

KEEP_PRICE: Final = 2
"""TURN-4."""

FREE_TASKS: Final = {"", "pass"}
"""What takes nothing of a Turn: what the gamemaster asks for, and letting the Turn go by."""

ANSWERS: Final = {"", "other", "defend", "evade", "return_fire"}
"""What a Task in a conflict is answered with (OPP-1, ATK-2, S2E-H4, S2E-T4)."""

CONTESTED: Final = {"", "other", "extended", "attack", "fire", "fire_weapon", "deploy_security"}
"""What somebody may stand against (OPP-1, ATK-2, STN-19, S2E-H4, S2E-T4)."""

GIVES: Final = {
    RerollReason.AIM: {"aim"},
    RerollReason.ACCURATE_AIM: {"aim"},
    RerollReason.SHIP_SYSTEM: {"sensors_calibrated", "target_solved"},
}
"""What has to hold for dice to be thrown again (TASK-12, ACT-3, S2E-X1, S2E-T3)."""

OF_A_TURN: Final = (TurnBegan, TurnOver, TurnPassed, RoundBegan, MinorActionTaken, SurgeGained, AllyDirected)
"""What does not happen while a Task waits for its answer."""


@dataclass
class Account:
    """What one combatant has of this Round: Turns had, Tasks taken."""

    turns_had: int = 0
    tasks: int = 0
    swift: bool = False


@dataclass
class Ledger:
    """The account of one course of play; `take` each decision in its order."""

    ruleset: Ruleset
    accounts: dict[str, Account] = field(default_factory=dict)
    last_side: Side | None = None
    holder: str = ""
    own: int = 0
    taken: int = 0
    guest: str = ""
    surge: str = ""
    minors: list[str] = field(default_factory=list)
    minors_paid: int = 0
    named: str = ""
    readied: dict[str, set[str]] = field(default_factory=dict)
    directed_once: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, table: Table) -> Ledger:
        """The account at the beginning of a conflict, before anybody's first Turn."""
        conflict = table.conflict
        assert conflict is not None
        assert conflict.turn is None
        accounts = {one.combatant_id: Account() for one in conflict.combatants}
        return cls(ruleset=table.ruleset, accounts=accounts, named=conflict.next_id)

    # --- one decision -------------------------------------------------------------------------------------------

    def take(self, before: Table, command: Command, events: tuple[Event, ...], after: Table) -> None:
        """Enter what one decision of the conflict brought about."""
        assert after.conflict is not None
        for one in after.conflict.combatants:
            self.accounts.setdefault(one.combatant_id, Account())
        if waits(before):
            assert not any(isinstance(one, OF_A_TURN) for one in events), "nothing happens while an answer is awaited"
        for event in events:
            if isinstance(event, MinorActionTaken):
                self._minor(before, event, events)
            elif isinstance(event, TaskDeclared | AllyDirected | MomentumSpent | SurgeGained):
                self._tasked(before, command, after.conflict, event, events)
            else:
                self._turned(before, after.conflict, event, events)
        self._readied(events)
        for one in after.conflict.combatants:
            assert one.turns_taken == self.accounts[one.combatant_id].turns_had

    def _readied(self, events: tuple[Event, ...]) -> None:
        """Keep which Tasks are readied; one that was taken just now has been counted before."""
        for event in events:
            if isinstance(event, EffectBegan) and event.effect.name == "ready":
                self.readied.setdefault(event.effect.owner_id, set()).add(event.effect.effect_id)
            elif isinstance(event, EffectEnded) and event.effect.name == "ready":
                self.readied.get(event.effect.owner_id, set()).discard(event.effect.effect_id)

    # --- Turns --------------------------------------------------------------------------------------------------

    def _turned(self, before: Table, conflict: Conflict, event: Event, events: tuple[Event, ...]) -> None:
        if isinstance(event, TurnBegan):
            self._began(before, conflict, event)
        elif isinstance(event, TurnOver | TurnPassed):
            used = isinstance(event, TurnOver) or bool(self.minors)
            if self.holder:
                assert event.combatant_id == self.holder, "one's own Turn alone is ended or passed"
            assert isinstance(event, TurnOver) or not self.taken, "a Turn with a Task is not passed"
            self.accounts[event.combatant_id].turns_had += used
            self.last_side = side_of(conflict, event.combatant_id)
            if self.named == event.combatant_id and not used:
                self.named = ""  # who passes lets the other side act
            self._no_turn()
        elif isinstance(event, TurnGivenUp):
            account, seat = self.accounts[event.combatant_id], conflict.combatant(event.combatant_id)
            assert self.ruleset is Ruleset.SECOND_EDITION, "a Turn is given up by the second edition alone (ASST-4)"
            assert seat is not None
            assert event.combatant_id not in {self.holder, self.guest}
            account.turns_had += 1
            account.tasks += 1
            assert account.turns_had <= seat.turns, "nobody gives up a Turn that they do not have"
            self._within_the_cap(conflict, event.combatant_id)
            self.named = "" if self.named == event.combatant_id else self.named
        elif isinstance(event, InitiativeKept):
            self._kept(conflict, event, events)
        elif isinstance(event, RoundBegan):
            self._no_turn()
            self.named = ""
            for one in conflict.combatants:
                self.accounts[one.combatant_id] = Account(turns_had=one.turns_taken)  # those it lost (NSHIP-3)
        elif isinstance(event, CombatantLeft):
            self.named = "" if self.named == event.combatant_id else self.named

    def _began(self, before: Table, conflict: Conflict, event: TurnBegan) -> None:
        who, seat = event.combatant_id, conflict.combatant(event.combatant_id)
        assert seat is not None
        assert not self.holder, "one Turn at a time (TURN-1)"
        assert self.accounts[who].turns_had < seat.turns, "nobody has more Turns than they are given (TURN-1)"
        assert self.named in {"", who} or not able(before, self.named), "the Turn was paid for another (TURN-4)"
        waiting = [
            one.combatant_id
            for one in (before.conflict or conflict).combatants
            if one.side is not seat.side
            and self.accounts[one.combatant_id].turns_had < one.turns
            and not one.passed
            and able(before, one.combatant_id)
        ]
        assert self.named == who or seat.side is not self.last_side or not waiting, "sides alternate (TURN-3)"
        self._no_turn()
        self.holder, self.own, self.named = who, 1, ""
        self.readied.pop(who, None)

    def _no_turn(self) -> None:
        self.holder = self.guest = self.surge = ""
        self.own = self.taken = self.minors_paid = 0
        self.minors = []

    def _kept(self, conflict: Conflict, event: InitiativeKept, events: tuple[Event, ...]) -> None:
        side = side_of(conflict, self.holder) if self.holder else self.last_side
        seat = conflict.combatant(event.ally_id)
        assert seat is not None
        assert seat.side is side is event.side, "the Initiative is kept for one's own side (TURN-4)"
        assert not self.named, "one Turn is handed on at a time"
        assert self.accounts[event.ally_id].turns_had + (event.ally_id == self.holder) < seat.turns
        assert paid(events, event) == KEEP_PRICE
        self.named = event.ally_id

    # --- Tasks --------------------------------------------------------------------------------------------------

    def _tasked(
        self, before: Table, command: Command, conflict: Conflict, event: Event, events: tuple[Event, ...]
    ) -> None:
        if isinstance(event, TaskDeclared):
            self._declared(before, conflict, event)
        elif isinstance(event, AllyDirected):
            leader = next(one.task.declaration.character_id for one in events if isinstance(one, TaskDeclared))
            self._directed(before, conflict, leader, event, events)
        elif isinstance(event, SurgeGained):
            self._surged(conflict, event.character_id, events)
        elif isinstance(event, MomentumSpent) and isinstance(command, MakeSpend):
            self._bought(before, conflict, event)

    def _declared(self, before: Table, conflict: Conflict, event: TaskDeclared) -> None:
        declaration = event.task.declaration
        who, action = declaration.character_id, declaration.action
        name = action.name if action is not None else ""
        if event.reactive:
            answered(before, who, name)
            return
        assert not waits(before), "nothing but an answer is declared while one is awaited (OPP-1)"
        assert not declaration.opposed or name in CONTESTED, f"no rule opposes {name} (OPP-1)"
        for one in declaration.rerolls:
            given = GIVES[one]
            holds = [each for each in before.effects if each.name in given]
            assert any(each.name != "aim" or each.owner_id == who for each in holds), f"{who} has no {one} (TASK-12)"
        if conflict.combatant(who) is None or name in FREE_TASKS:
            self.surge = "" if self.surge == who else self.surge
            self._takes_nothing(before, conflict, who, name)
            return
        account = self.accounts[who]
        if self.guest == who:
            self.guest = ""
        elif self.holder == who and self.surge == who:
            self.surge = ""
        elif self.holder == who:
            self.own -= 1
            assert self.own >= 0, "no Task but those of the Turn and those paid for (TURN-5)"
        else:
            assert self.readied.get(who), "nobody acts outside of their own Turn (TURN-1)"
            self.readied[who].pop()
            return
        account.tasks += 1
        self.taken += self.holder == who
        self._within_the_cap(conflict, who)

    def _takes_nothing(self, before: Table, conflict: Conflict, who: str, name: str) -> None:
        """What is declared without a Task of a Turn."""
        if conflict.combatant(who) is None:
            assert not name, "who takes no part has no actions of the conflict"
        elif name == "pass":
            assert self.holder in {"", who}
        else:
            assert who != self.holder, "in one's own Turn each Task is one of its Tasks (TURN-5)"
            assert any(one.character_id == who for one in before.asked), "nobody asked for this Task (TASK-1)"

    def _bought(self, before: Table, conflict: Conflict, event: MomentumSpent) -> None:
        task, spend = before.task, event.spend
        assert task is not None
        who = task.declaration.character_id
        if spend.spend == "swift_task":
            assert who == self.holder, "a Swift Task is one's own Turn's (MOM-9)"
            price = spend.from_generated + spend.from_pool + spend.added_threat + spend.spent_threat
            assert price == SWIFT_PRICE
            assert not self.accounts[who].swift, "Swift Task is bought once a Round (POOL-4)"
            self.accounts[who].swift = True
            self.own += 1
            self._opens_something(conflict, who)
        elif spend.spend == "extra_minor_action":
            assert who == self.holder, "Minor Actions are one's own Turn's (MOM-3)"
            self.minors_paid += spend.times

    def _surged(self, conflict: Conflict, who: str, events: tuple[Event, ...]) -> None:
        if conflict.combatant(who) is None:
            return
        assert who == self.holder, "a Surge of Activity is one's own Turn's (DET-4)"
        points = [one.change for one in events if isinstance(one, DeterminationChanged) and one.character_id == who]
        assert points == [-1]
        self.surge = who
        self._opens_something(conflict, who)

    def _directed(
        self, before: Table, conflict: Conflict, who: str, event: AllyDirected, events: tuple[Event, ...]
    ) -> None:
        ally = event.ally_id
        assert not self.guest, "one is directed at a time (ACT-4)"
        assert side_of(conflict, who) is side_of(conflict, ally), "allies are directed (ACT-4)"
        if self.ruleset is Ruleset.SECOND_EDITION:
            assert paid(events, event) == 1, "Direct costs a point (C-22)"
        elif self.ruleset is Ruleset.CORE_1E and conflict.kind == "personal":
            assert who not in self.directed_once, "Direct is possible once a scene (C-22)"
            self.directed_once.add(who)
        self.guest = ally
        self._opens_something(conflict, ally)
        assert able(before, ally)

    def _within_the_cap(self, conflict: Conflict, who: str) -> None:
        cap = CAP[self.ruleset]
        assert cap is None or self.counted(conflict, who) <= cap, "nobody takes more Tasks than the cap (C-8)"

    def counted(self, conflict: Conflict, who: str) -> int:
        """How many Tasks of somebody the cap counts: of the Round where they have one Turn in it, else of the Turn."""
        seat = conflict.combatant(who)
        assert seat is not None
        if seat.turns == 1:
            return self.accounts[who].tasks
        return self.taken if who == self.holder else 0

    def given(self, who: str) -> int:
        """How many Tasks somebody was given in the Turn in hand and has not taken."""
        return (self.own if who == self.holder else 0) + (self.guest == who) + (self.surge == who)

    def _opens_something(self, conflict: Conflict, who: str) -> None:
        cap = CAP[self.ruleset]
        whole = self.counted(conflict, who) + self.given(who)
        assert cap is None or whole <= cap, "what was paid for opens a Task (C-8)"

    # --- Minor Actions ------------------------------------------------------------------------------------------

    def _minor(self, before: Table, event: MinorActionTaken, events: tuple[Event, ...]) -> None:
        assert event.combatant_id == self.holder, "a Minor Action is one's own Turn's (ACT-1)"
        assert before.request is None
        assert not before.agenda, "what is asked for comes first"
        assert event.action not in self.minors, "each at most once in a Turn (ACT-2)"
        if self.minors and self.minors_paid:
            self.minors_paid -= 1
        elif self.minors:
            price = len(self.minors) if self.ruleset is Ruleset.STARTER else 1
            assert paid(events, event) >= price, "a further Minor Action is paid for (ACT-1, C-1)"
        self.minors.append(event.action)


def waits(table: Table) -> bool:
    """Whether a Task waits for its answer."""
    task = table.task
    return task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION and not task.reactive


def answered(before: Table, who: str, name: str) -> None:
    """Hold an answer against who may give it: at whom the Task is aimed, else the other side (OPP-1, ATK-2)."""
    active = before.task
    assert active is not None
    assert waits(before), "only a Task that waits is answered"
    at_it = {active.declaration.character_id, *(one.character_id for one in active.declaration.assists)}
    assert who not in at_it, "nobody opposes their own Task"
    may = _expected(before, active)
    assert not may or who in may, "a bystander does not answer (OPP-1)"
    if before.conflict is not None:
        assert name in ANSWERS, f"{name} is no answer"
        struck = active.declaration.action is not None and active.declaration.action.name == "attack"
        assert (name == "defend") is struck, "a blow is answered with a defence (ATK-2)"


def _expected(table: Table, active: Task) -> set[str]:
    target = active.declaration.action.target_id if active.declaration.action is not None else ""
    combatants = table.conflict.combatants if table.conflict is not None else ()
    aboard = {one.combatant_id for one in combatants if one.ship_id == target and target}
    meant = {one for one in {target, *aboard} if able(table, one) and one != active.declaration.character_id}
    if meant or table.conflict is None:
        return meant
    own = side_of(table.conflict, active.declaration.character_id)
    people = [one.character_id for one in table.characters] + [one.ship_id for one in table.ships if one.crew]
    return {one for one in people if able(table, one) and _side_at(table, one) is not own}


def _side_at(table: Table, who: str) -> Side:
    assert table.conflict is not None
    seat = table.conflict.combatant(who)
    if seat is not None:
        return seat.side
    return Side.PC if any(one.character_id == who and one.player_id for one in table.characters) else Side.NPC


def side_of(conflict: Conflict, who: str) -> Side:
    seat = conflict.combatant(who)
    assert seat is not None
    return seat.side


def able(table: Table, who: str) -> bool:
    """DMG-6, DET-9, NSHIP-3: whether somebody can act."""
    for one in table.characters:
        if one.character_id == who:
            hurt = one.body.injury is not InjuryState.NONE
            return one.body.injury is not InjuryState.DEAD and (not hurt or one.body.pushing_on)
    for ship in table.ships:
        if ship.ship_id == who:
            state = ship.state
            return not state.destroyed and not state.abandoned and state.condition is not Condition.DISABLED
    return False


def paid(events: tuple[Event, ...], event: Event) -> int:
    """Points that a decision took out of a Task, out of the pool, out of Threat or into it for one of its events."""
    earlier = events[: events.index(event)]
    generated = sum(one.spend.from_generated for one in earlier if isinstance(one, MomentumSpent))
    return generated + sum(abs(one.change) for one in earlier if isinstance(one, PoolChanged))

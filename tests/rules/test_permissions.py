"""Nobody has more than was given and paid for, and nothing lasts against a bystander: over random play and trespasses.

The account is the test's own (`ledger`); the moves are those of `wild`, with what nobody may do just now among them
(`trespass`).
"""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from rules import history
from rules.conflict.lasting import LASTING
from rules.conflict.rounds import BeginTurn
from rules.deciding.decision import Command, Event, name_of
from rules.errors import Refusal
from rules.history import Decision, History
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Ruleset
from rules.table import decide
from rules.tasks.declaring import DeclareTask
from tests.rules.bystanders import CONCERNS, bystanding, without
from tests.rules.ledger import CAP, Ledger, able
from tests.rules.trespass import brawl_with_onlookers, pressing, two_against_one

SCENES = st.tuples(st.sampled_from([brawl_with_onlookers, two_against_one]), st.sampled_from(Ruleset))
MOVES = st.lists(st.integers(0, 2**24), min_size=60, max_size=150)


@cache
def opening(scene: tuple[object, Ruleset]) -> History:
    make, ruleset = scene
    assert callable(make)
    begun: History = make(ruleset).history
    return begun


@given(scene=SCENES, numbers=MOVES)
def test_nobody_has_more_than_was_given_and_nothing_holds_for_a_bystander(
    scene: tuple[object, Ruleset], numbers: list[int]
) -> None:
    """TURN-1 to TURN-5, ACT-1, ACT-2, OPP-1, MOM-9, DET-4, C-8, C-22: whatever is asked, by whomever."""
    at = opening(scene)
    ledger = Ledger.of(at.present)
    for number in numbers:
        table, command = at.present, pressing(at.present, number)
        found = decided(table, command)
        spare_bystanders(table, command, found)
        if isinstance(found, str) or not found:
            continue
        at = history.evolve(at, Decision(number=at.next_decision, by="test", command=name_of(command), events=found))
        if at.present.conflict is None:
            return
        ledger.take(table, command, found, at.present)
        open_what_was_paid_for(ledger, at.present)


def decided(table: Table, command: Command) -> tuple[Event, ...] | str:
    """The result of a command, or the words of its refusal."""
    try:
        return decide(table, command)
    except Refusal as refusal:
        return refusal.message


def spare_bystanders(table: Table, command: Command, found: tuple[Event, ...] | str) -> None:
    """What is about nobody in a decision neither changes it nor is used up by it (ACT-8, ASST-4, S2E-X4, S2E-T3)."""
    others = bystanding(table, command, () if isinstance(found, str) else found)
    alike = decided(without(table, others), command) if others else found
    assert alike == found or (isinstance(alike, str) and isinstance(found, str)), [one.name for one in others]


def open_what_was_paid_for(ledger: Ledger, table: Table) -> None:
    """With nothing in hand, a Task that was given can be declared, and a Turn that was paid for begun."""
    conflict = table.conflict
    if conflict is None or any((table.task, table.request, table.held, table.agenda, table.attack)):
        return
    if ledger.named and not ledger.holder and able(table, ledger.named):
        decide(table, BeginTurn(combatant_id=ledger.named))
    cap = CAP[table.ruleset]
    for who in {ledger.holder, ledger.guest} - {""}:
        full = cap is not None and ledger.counted(conflict, who) >= cap
        if ledger.given(who) and able(table, who) and not full and not staggered(table, who):
            decide(table, plain(who))
    for who, kept in ledger.readied.items():
        if kept and able(table, who) and who not in {ledger.holder, ledger.guest}:
            decide(table, plain(who))


def plain(who: str) -> DeclareTask:
    return DeclareTask(
        declaration=Declaration(character_id=who, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)
    )


def staggered(table: Table, who: str) -> bool:
    return any(one.character_id == who and one.body.staggered for one in table.characters)


def test_whom_an_effect_holds_for_is_said_of_effects_that_there_are() -> None:
    """No row of the account is left over from an effect of another name."""
    assert CONCERNS.keys() <= LASTING.keys()

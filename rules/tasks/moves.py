"""What could be chosen now: one small generator for each moment of play. `rules.legal.offers` tries each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.deciding.candidate import Candidate, Role, how_paid, ways_to_pay
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import Draft, Playbook
from rules.deciding.rows import SpendRule
from rules.dice import DieState
from rules.errors import Refusal
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import HeldThrow, Purchase, Task, TaskDie, WaitingComplications
from rules.state.vocabulary import (
    Payer,
    QuestionReason,
    RerollReason,
    Spend,
    Standing,
    TaskPhase,
    ValueAction,
)
from rules.tasks.actions import FollowThrough, to_follow
from rules.tasks.buying import next_die_price
from rules.tasks.challenge_rolls import CloseChallenge, RerollChallenge
from rules.tasks.declaring import BuyDie, CreateProblem, WithdrawTask
from rules.tasks.determination import SurgeOfActivity, UseValueAgainst
from rules.tasks.extended import work_due
from rules.tasks.paying import momentum_at_hand
from rules.tasks.pools import CREATE_PROBLEM, spend_cost, spends_of
from rules.tasks.second_throws import RerollDice, own_positions
from rules.tasks.settling import (
    BuyOffComplication,
    FinishSpending,
    MakeSpend,
    SucceedAtCost,
    TakeComplication,
    complications_of,
    leftover,
    may_settle,
    price_of_spend,
    told_apart_by,
)
from rules.tasks.task_dice import ThrowAgainst
from rules.tasks.throwing import AttachFreeRoll, CorrectDie, DismissThrow, DropDie
from rules.tasks.traits import complications_of_side
from rules.words import Phrase, counted, face_word, joined_by, say, say_count

_COUNT_AS_READ: Final = (
    (QuestionReason.ONLY_KEPT_DICE, "count_as_new", say("These are the new dice; count them")),
    (QuestionReason.COUNTED_BEFORE, "count_as_new", say("These were thrown again; count them")),
    (QuestionReason.SOURCES_DISAGREE, "count_as_read", say("The dice shown here are right; count them")),
)
"""Questions about a whole throw that a person may answer with a plain yes."""


# --- throws -------------------------------------------------------------------------------------------------


def held_throw_moves(table: Table) -> Iterator[Candidate]:
    """What a person may answer about a throw that is held (TASK-3)."""
    held = table.held
    if held is None:
        return
    yield from _guesses(held)
    for reason, option_id, label in _COUNT_AS_READ:
        if held.dice[0].face is None or all(one.reason is not reason for one in held.questions):
            continue
        yield Candidate(
            option_id=option_id,
            label=label,
            command=CorrectDie(position=0, face=held.dice[0].face),
            rule="TASK-12",
            role=Role.ANYONE,
            free=True,
        )
    for position in _droppable(held):
        yield Candidate(
            option_id=f"drop_die:{position}",
            label=say("Leave die {position} out", position=position + 1),
            command=DropDie(position=position),
            rule="TASK-3",
            role=Role.ANYONE,
            free=True,
        )
    yield Candidate(
        option_id="dismiss_throw",
        label=say("Set this throw aside"),
        command=DismissThrow(),
        rule="TASK-3",
        role=Role.ANYONE,
        free=True,
    )


def _guesses(held: HeldThrow) -> Iterator[Candidate]:
    for position, die in enumerate(held.dice):
        if die.state is DieState.READ:
            continue
        for face in dict.fromkeys(guess.face for guess in die.guesses):
            yield Candidate(
                option_id=f"correct_die:{position}:{face}",
                label=say("Die {position} shows {face}", position=position + 1, face=face),
                command=CorrectDie(position=position, face=face),
                rule="TASK-3",
                role=Role.ANYONE,
                free=True,
            )


def _droppable(held: HeldThrow) -> tuple[int, ...]:
    """Dice that may be none of this throw: all of them when there are too many, else those asked about."""
    too_many = any(
        one.reason is QuestionReason.WRONG_COUNT and (one.seen or 0) > (one.expected or 0) for one in held.questions
    )
    if too_many or any(one.reason is QuestionReason.KEPT_DICE_DIFFER for one in held.questions):
        return tuple(range(len(held.dice)))
    return tuple(one.position for one in held.questions if one.position is not None)


def free_roll_moves(table: Table) -> Iterator[Candidate]:
    """Free rolls that may count for the dice that are awaited (TASK-3)."""
    if table.request is None:
        return
    for roll in reversed(table.free_rolls):
        shown = joined_by(", ", [face_word(die.face) if die.face is not None else say("unread") for die in roll.dice])
        yield Candidate(
            option_id=f"attach_free_roll:{roll.number}",
            label=say("Count the free roll {shown}", shown=shown),
            command=AttachFreeRoll(number=roll.number),
            rule="TASK-3",
            role=Role.ANYONE,
            free=True,
        )


# --- before the dice ----------------------------------------------------------------------------------------


def moves_before_dice(table: Table) -> Iterator[Candidate]:
    """What may be done to a declared Task before its dice: bought, made harder, taken back (BUY, POOL-7)."""
    task = table.task
    if task is None or task.dice:
        return
    yield from _dice_to_buy(table, task)
    yield from _problems(table, task)
    yield Candidate(
        option_id="withdraw_task",
        label=say("Take the Task back"),
        command=WithdrawTask(),
        rule="TASK-10",
        role=_side(task),
        free=True,
    )


def _dice_to_buy(table: Table, task: Task) -> Iterator[Candidate]:
    for payer, label, rule in _PAYERS:
        yield Candidate(
            option_id=f"buy_die:{payer}",
            label=label if not task.npc or payer is Payer.TALENT else say("Buy one more d20 with Threat"),
            command=BuyDie(purchase=Purchase(payer=payer)),
            rule=rule if not task.npc or payer is Payer.TALENT else "BUY-7",
            role=_side(task),
            repeatable=payer is not Payer.DETERMINATION,
            threat_allowed=payer is Payer.MOMENTUM,
        )
    price = next_die_price((one.payer for one in task.declaration.purchases), profile(table))
    if not task.npc and 0 < table.momentum < price:
        yield Candidate(
            option_id="buy_die:mixed",
            label=say("Buy one more d20 with the pool and added Threat"),
            command=BuyDie(purchase=Purchase(payer=Payer.MOMENTUM, threat_part=price - table.momentum)),
            rule="BUY-3",
            role=_side(task),
            repeatable=True,
            threat_allowed=True,
        )
    character = find_character(table, task.declaration.character_id)
    for position, value in _values(character):
        yield Candidate(
            option_id=f"buy_die:determination:{position}",
            label=say("A die that shows 1, with Determination, by the Value: {value}", value=value),
            command=BuyDie(purchase=Purchase(payer=Payer.DETERMINATION), value=value),
            rule="BUY-4",
            role=_side(task),
        )


_PAYERS: Final = (
    (Payer.MOMENTUM, say("Buy one more d20 with Momentum"), "BUY-2"),
    (Payer.THREAT, say("Buy one more d20 by adding Threat"), "BUY-3"),
    (Payer.TALENT, say("One more d20 from a Talent"), "BUY-6"),
)
"""Who can pay for a bonus die without a choice: what it is called, and its rule."""


def _problems(table: Table, task: Task) -> Iterator[Candidate]:
    if not task.npc:
        yield _problem("threat", say("Make it 1 harder with Threat"), Role.GAMEMASTER, 0)
        return
    yield _problem("momentum", say("Make it 1 harder with Momentum"), Role.PLAYER, 0)
    price = spend_cost(CREATE_PROBLEM, 1, profile(table))
    yield _problem("added_threat", say("Make it 1 harder by adding Threat"), Role.PLAYER, price)
    if 0 < table.momentum < price:
        yield _problem(
            "mixed", say("Make it 1 harder with the pool and added Threat"), Role.PLAYER, price - table.momentum
        )


def _problem(how: str, label: str, role: Role, threat_part: int) -> Candidate:
    return Candidate(
        option_id=f"create_problem:{how}",
        label=label,
        command=CreateProblem(threat_part=threat_part),
        rule="POOL-7",
        role=role,
        repeatable=True,
        threat_allowed=role is Role.PLAYER and how != "added_threat",
    )


def opposition_moves(table: Table) -> Iterator[Candidate]:
    """That the active side of an Opposed Task throws without an answer (OPP-1)."""
    task, active = table.task, table.opposed
    if task is None or active is None or task.phase is not TaskPhase.AWAITING_OPPOSITION:
        return
    yield Candidate(
        option_id="throw_against",
        label=say("{who} throws now", who=active.who),
        command=ThrowAgainst(),
        rule="OPP-1",
        role=Role.ANYONE,
        free=True,
    )


# --- after the dice -----------------------------------------------------------------------------------------


def reroll_moves(table: Table) -> Iterator[Candidate]:
    """Which dice of the Task may be thrown again, and by what (DET-3, TASK-12)."""
    task = table.task
    if task is None or task.outcome is None:
        return
    own = own_positions(task)
    character = find_character(table, task.declaration.character_id)
    for position, value in _values(character):
        yield _reroll(
            task,
            RerollReason.INSPIRATION,
            own,
            name=f"{position}",
            label=say("All your own dice again, by the Value: {value}", value=value),
            value=value,
        )
    for place in own:
        yield _reroll(
            task, RerollReason.AIM, (place,), name=f"{place}", label=say("Aim: {die} again", die=_die(task.dice[place]))
        )
    yield _reroll(
        task,
        RerollReason.ACCURATE_AIM,
        own,
        name="all",
        label=say("Aim with an Accurate weapon: all your own dice again"),
    )
    for place, one in enumerate(task.dice):
        label = say("The ship's systems: {die} again", die=_die(one))
        yield _reroll(task, RerollReason.SHIP_SYSTEM, (place,), name=f"{place}", label=label)


def _reroll(
    task: Task, reason: RerollReason, places: tuple[int, ...], *, name: str, label: str, value: str = ""
) -> Candidate:
    return Candidate(
        option_id=f"reroll_dice:{reason}:{name}",
        label=label,
        command=RerollDice(positions=places, reason=reason, value=value),
        rule="DET-3" if reason is RerollReason.INSPIRATION else "TASK-12",
        role=_side(task),
    )


def _die(one: TaskDie) -> Phrase:
    return say("the {face}", face=one.die.face)


def spend_moves(table: Table, playbook: Playbook) -> Iterator[Candidate]:
    """What Momentum buys now, going on with an action, and the end of spending (POOL-2, POOL-4)."""
    task = table.task
    if task is None or task.phase is not TaskPhase.SPENDING:
        return
    played = {one.name: one for one in spends_of(playbook, profile(table))}
    at_hand = momentum_at_hand(table, npc=task.npc)
    for spend in Spend:
        rule = played.get(spend)
        if rule is None:
            continue
        immediate = rule.immediate and not task.npc
        for how, threat_part in ways_to_pay(_price(playbook, table, task, spend), at_hand, threat=immediate):
            yield Candidate(
                option_id=f"make_spend:{spend}:{how}",
                label=how_paid(rule.label, how),
                command=MakeSpend(spend=spend, threat_part=threat_part),
                rule=rule.rule,
                role=_side(task),
                repeatable=rule.repeatable,
                threat_allowed=immediate and how != "threat",
                asks_for="note" if spend is Spend.CREATE_ADVANTAGE else "",
            )
    if (rule := played.get(Spend.CREATE_ADVANTAGE)) is not None:
        yield from _complications_to_end(table, task, rule)
    yield Candidate(
        option_id="follow_through",
        label=say("Go on to the damage"),
        command=FollowThrough(),
        rule="TASK-10",
        role=_side(task),
        free=True,
    )
    yield Candidate(
        option_id="succeed_at_cost",
        label=say("Succeed at a cost: 1 Complication more"),
        command=SucceedAtCost(),
        rule="TASK-11",
        role=_side(task),
        free=True,
    )
    if not task.momentum_left and task.complications_open and may_settle(table, task):
        return  # nothing is to be saved, and a Complication is settled first: to finish would lead to the same question
    yield Candidate(
        option_id="finish_spending",
        label=_with_work(table, task, _finish_label(table, playbook, task)),
        command=FinishSpending(),
        rule="POOL-9" if task.npc else "POOL-2",
        role=_side(task),
        free=True,
    )


def _complications_to_end(table: Table, task: Task, rule: SpendRule) -> Iterator[Candidate]:
    """POOL-5: each Complication of their own side that Create Advantage may take away."""
    for one in complications_of_side(table, npc=task.npc):
        yield Candidate(
            option_id=f"make_spend:{rule.name}:momentum:{one.trait_id}",
            label=say("{spend}: {trait} ends", spend=rule.label, trait=one.name),
            command=MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=one.trait_id),
            rule=rule.rule,
            role=_side(task),
        )


def _price(playbook: Playbook, table: Table, task: Task, spend: str) -> int:
    try:
        return price_of_spend(playbook, table, task, spend)
    except Refusal:
        return 0


def _finish_label(table: Table, playbook: Playbook, task: Task) -> Phrase:
    if not task.momentum_left and task.complications_open:
        return _settled_label(table, playbook, task.complications_open)
    if not task.momentum_left:
        return say("Done with this Task's spending")
    if task.npc:
        return say("Done: {momentum} Momentum becomes Threat", momentum=task.momentum_left)
    left = leftover(table, task)
    if not left.saved:
        return say("Done: {lost} Momentum is lost", lost=left.lost)
    if left.lost:
        return say("Done: save {saved} Momentum, {lost} is lost", saved=left.saved, lost=left.lost)
    return say("Done: save {saved} Momentum", saved=left.saved)


def _settled_label(table: Table, playbook: Playbook, left: int) -> Phrase:
    """What becomes of the Complications of a Task that is over: they wait where the other side hit (C-61)."""
    winners = table.opposed
    if winners is not None and to_follow(Draft(table, playbook), winners) is not None:
        return say_count(
            left, "Done: the Complication waits for the damage", "Done: the Complications wait for the damage"
        )
    return say_count(left, "Done: settle the Complication", "Done: settle the Complications")


def _with_work(table: Table, task: Task, done: Phrase) -> Phrase:
    """`done` with what a success on an Extended Task brings once the spending is over (EXT-T1, EXT-T2)."""
    due = work_due(table, task)
    if due is None:
        return done
    if due.dice:
        return say("{done}, then {dice} dice of Work", done=done, dice=due.dice)
    return say("{done}, then {points} Progress", done=done, points=due.progress)


def complication_moves(table: Table) -> Iterator[Candidate]:
    """How an open Complication is settled (TASK-7, THR-3)."""
    task = table.task
    if task is not None and task.complications_open and may_settle(table, task):
        yield from _ways_to_settle(table, complications_of(task), 0)
    for one in table.complications_waiting:
        yield from _ways_to_settle(table, one, one.number)


def _ways_to_settle(table: Table, of: WaitingComplications, number: int) -> Iterator[Candidate]:
    """How a Complication of the Task in hand is settled, or where there is a `number` one that waits."""
    which = f":{number}" if number else ""
    taken = say("Take {who}'s Complication", who=of.who) if number else say("Take the Complication")
    off = say("Buy the Complication off with Threat")
    if number:
        off = say("Buy {who}'s Complication off with Threat", who=of.who)
    deed = told_apart_by(table, of)
    yield Candidate(
        option_id=f"take_complication{which}",
        label=joined_by(": ", [taken, deed]) if deed else taken,
        command=TakeComplication(number=number),
        rule="TASK-7",
        role=Role.GAMEMASTER if of.npc else Role.PLAYER,
        repeatable=True,
        free=True,
    )
    yield Candidate(
        option_id=f"buy_off_complication{which}",
        label=joined_by(": ", [off, deed]) if deed else off,
        command=BuyOffComplication(number=number),
        rule="THR-4" if of.npc else "THR-3",
        role=Role.ANYONE if not of.npc else Role.GAMEMASTER,
        repeatable=True,
    )


def challenge_moves(table: Table) -> Iterator[Candidate]:
    """What may be done with a Challenge roll in hand (CD-2, CD-5)."""
    roll = table.challenge
    if roll is None or roll.closed:
        return
    if roll.dice:
        yield Candidate(
            option_id="reroll_challenge",
            label=say("Throw {dice} again", dice=counted(len(roll.dice), "Challenge Die")),
            command=RerollChallenge(positions=tuple(range(len(roll.dice)))),
            rule="CD-5",
            role=Role.ANYONE,
        )
    yield Candidate(
        option_id="close_challenge",
        label=say("Done with the Challenge Dice") if roll.dice else say("Call the Challenge roll off"),
        command=CloseChallenge(),
        rule="CD-2",
        role=Role.ANYONE,
        free=True,
    )


# --- Determination ------------------------------------------------------------------------------------------


def determination_moves(table: Table) -> Iterator[Candidate]:
    """What Determination buys and how a Value gives it back (DET-4, DET-7)."""
    task = table.task or table.last_task
    if task is None:
        return
    character = next((one for one in table.characters if one.character_id == task.declaration.character_id), None)
    if character is None or character.standing is not Standing.PLAYER:
        return
    for position, value in _values(character):
        yield Candidate(
            option_id=f"surge_of_activity:{position}",
            label=say(
                "Another Task for {character} at once, by the Value: {value}", character=character.name, value=value
            ),
            command=SurgeOfActivity(character_id=character.character_id, value=value),
            rule="DET-4",
            role=Role.PLAYER,
        )
    for position, value in _values(character):
        lost = character.determination >= profile(table).determination_maximum
        gain = say("the point is lost, the maximum is reached") if lost else say("1 Determination back")
        yield Candidate(
            option_id=f"challenge_value:{position}",
            label=say(
                "{character} challenges and strikes out the Value: {value}; {gain}",
                character=character.name,
                value=value,
                gain=gain,
            ),
            command=UseValueAgainst(character_id=character.character_id, value=value, action=ValueAction.CHALLENGE),
            rule="DET-7",
            role=Role.PLAYER,
            free=True,
        )


def _values(character: Character) -> Iterator[tuple[int, str]]:
    return ((position, one.text) for position, one in enumerate(character.values) if not one.struck)


def _side(task: Task) -> Role:
    return Role.GAMEMASTER if task.npc else Role.PLAYER

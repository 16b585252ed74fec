"""Deciding a Task before its dice: declared, more dice bought, made harder, taken back (TASK-10, BUY, POOL-7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.agenda import require_agenda_done
from rules.deciding.checks import find_character, is_npc, profile, require_ready, require_task, short_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Payment, Purchase, SpendMade, Task
from rules.state.vocabulary import Payer, Pool, Spend, TaskPhase
from rules.tasks.actions import attempt, is_simple, planned, row_of
from rules.tasks.buying import DicePrice, Funds, buy_dice
from rules.tasks.challenge_rolls import close_scored_challenge
from rules.tasks.determination import (
    SurgeGained,
    change_determination,
    end_surge,
    surge_difficulty,
    surges,
    value_applies,
)
from rules.tasks.events import DieBought, OutcomeReached, ProblemCreated, TaskDeclared, TaskWithdrawn
from rules.tasks.opposed import answer, answer_awaited, on_a_side
from rules.tasks.pools import CREATE_PROBLEM, MOMENTUM_CAP, pay, spend_cost
from rules.tasks.scoring import (
    NARROWEST_RANGE,
    WIDEST_RANGE,
    double_at_most,
    simple_success,
    target_number,
    task_difficulty,
)
from rules.tasks.settling import close_if_settled, leftover, make_room
from rules.tasks.task_dice import await_next_throw
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareTask(Command):
    """Declare a Task; what its bonus dice cost is paid at once (BUY).

    A Task that waits for opposition takes it as the reactive side's (OPP-1), which throws first where the table plays
    so (C-42). The spending of the Task before it ends by it (`make_room`). Refused while any other Task is open, and
    while somebody else is next in line.
    """

    declaration: Declaration

    undone: ClassVar[Phrase | None] = say("declaring the Task")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - whoever acts
        """Who acts."""
        return self.declaration.character_id

    def decide(self, draft: Draft) -> None:
        """Begin a Task, or the reactive side of the Opposed Task in hand; its bonus dice are paid at once."""
        reactive = make_way(draft, self.declaration)
        character = find_character(draft.table, self.declaration.character_id)
        declaration = self.declaration
        if not reactive:
            declaration = draft.playbook.declared(draft.table, _against_able(draft, declaration))
        declaration = _completed(draft, declaration, reactive=reactive)
        surge = not reactive and surges(draft.table, character.character_id)
        close_scored_challenge(draft)
        if not reactive and declaration.action is not None:
            draft.playbook.take_task(draft, character.character_id, row_of(draft, declaration.action))
        task = _task(draft.table, character, declaration, surge=surge)
        if profile(draft.table).opposed_reactive_first:
            task = _thrown_in_turn(task, reactive=reactive)
        if not declaration.rolled:
            _require_simple(task)
        funds = Funds(momentum=draft.table.momentum, threat=draft.table.threat, determination=character.determination)
        bill = buy_dice(
            declaration.purchases,
            funds,
            profile(draft.table),
            value_applies=value_applies(character, declaration.value),
            npc=task.npc,
        )
        if bill.why is not None:
            raise bill.why
        paid = _added_up(bill.prices)
        task = replace(task, own_dice=bill.dice_to_roll if declaration.rolled else 0, paid=paid)
        draft.record(TaskDeclared(task=task, reactive=reactive, next_number=task.number + 1))
        if not reactive:
            draft.playbook.begin_task(draft, declaration)
            if surge or draft.table.conflict is None:  # in a Turn, who is directed or interrupts acts in between
                end_surge(draft)
        _pay_for_dice(draft, character, paid, declaration.value)
        attempt(draft, task)
        if task.phase is TaskPhase.AWAITING_OPPOSITION:
            return
        if declaration.rolled:
            await_next_throw(draft)
        else:
            _succeed_simply(draft, task)


def make_way(draft: Draft, declaration: Declaration) -> bool:
    """Close what is done with for a Task of somebody; whether it is the reactive side's of the one that waits (OPP-1).

    Refuses what stands against any Task of theirs, or any of that action, whatever it is aimed at.
    """
    require_ready(draft.table)
    if draft.table.request is not None:
        raise Refusal("TASK-10", "The table waits for dice; throw them, or take that roll back first.")
    declarer = find_character(draft.table, declaration.character_id)
    _require_first(draft.table, declarer)
    draft.playbook.require_able(draft.table, declaration.character_id)
    make_room(draft, declarer)
    require_agenda_done(draft)
    if draft.table.task is None:
        return False
    _require_answer(draft, draft.table.task, declaration)
    return True


def _require_first(table: Table, declarer: Character) -> None:
    """Refuse to get before who stands first in line (docs/declaring.md).

    The gamemaster may, and so may who answers an Opposed Task or has a second Task by a Surge of Activity (DET-4).
    """
    answers = table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION
    if not table.in_line or answers or is_npc(declarer) or surges(table, declarer.character_id):
        return
    first = table.in_line[0].character_id
    if first != declarer.character_id:
        name = find_character(table, first).name
        raise Refusal("TASK-10", "{who}'s Task is next; declare yours for later.", who=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyDie(Command):
    """One more bonus d20 before the throw (BUY-1 to BUY-5)."""

    purchase: Purchase
    value: str = ""

    undone: ClassVar[Phrase | None] = say("buying a die")

    def payer(self, table: Table) -> str | None:
        """Whose Task it is."""
        return table.task.declaration.character_id if table.task is not None else None

    def decide(self, draft: Draft) -> None:
        buy_die(draft, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateProblem(Command):
    """Raise the Difficulty of the Task in hand before its dice, 2 a step (POOL-7, C-9).

    Paid by the side that is not rolling: the gamemaster pays Threat against a player character; the players pay
    Momentum, of which `threat_part` points go to Threat instead, against an NPC.
    """

    steps: int = 1
    threat_part: int = 0

    undone: ClassVar[Phrase | None] = say("the problem created")

    def payer(self, table: Table) -> str | None:
        """At whom the Task is aimed, who has the problem made; nobody in particular where that is nobody."""
        action = table.task.declaration.action if table.task is not None else None
        return action.target_id if action is not None else ""

    def decide(self, draft: Draft) -> None:
        """POOL-7: the other side makes the Task harder and pays: Threat against players, Momentum against NPCs."""
        task = _require_before_throw(draft.table)
        already = sum(one.times for one in task.problems)
        price = spend_cost(CREATE_PROBLEM, self.steps, profile(draft.table), already=already)
        payment = pay(
            price,
            generated=0,
            pool=draft.table.momentum,
            immediate=True,
            threat_part=self.threat_part,
            threat=draft.table.threat,
            npc=not task.npc,
        )
        modifier = Modifier(reason=say("Create Problem"), change=self.steps)
        changes = [one.change for one in task.declaration.modifiers]
        draft.record(
            ProblemCreated(
                modifier=modifier,
                difficulty=task_difficulty(task.declaration.difficulty, (*changes, modifier.change)),
                spend=SpendMade(
                    spend=Spend.CREATE_PROBLEM,
                    times=self.steps,
                    from_generated=0,
                    from_pool=payment.from_pool,
                    added_threat=payment.added_threat,
                    spent_threat=payment.spent_threat,
                ),
            )
        )
        draft.change_pool(Pool.MOMENTUM, -payment.from_pool, say("Create Problem"))
        draft.change_pool(Pool.THREAT, payment.added_threat - payment.spent_threat, say("Create Problem"))


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawTask(Command):
    """Take a Task back before its dice are thrown; everything paid for it is returned."""

    undone: ClassVar[Phrase | None] = say("taking the Task back")

    def decide(self, draft: Draft) -> None:
        """Take the Task back before its dice. All that either side paid for it returns.

        Momentum returns up to the pool's cap, Determination up to its maximum, and of Threat that was added only
        what is still there goes again.
        """
        task = _require_before_throw(draft.table)
        if draft.table.opposed is not None and not task.reactive:
            raise Refusal("OPP-1", "The other side has thrown against this Task already; throw its dice, or undo.")
        if task.declaration.action is not None:
            raise Refusal("TASK-10", "An action is taken back with all that it cost by undo; use that.")
        if any(one.promised for one in task.declaration.assists):
            raise Refusal("ASST-4", "Somebody gave their own Task to help with this one; take it back by undo.")
        draft.record(TaskWithdrawn(number=task.number, who=task.who))
        momentum = task.paid.momentum + sum(one.from_pool for one in task.problems)
        added = task.paid.added_threat + sum(one.added_threat for one in task.problems)
        spent = task.paid.spent_threat + sum(one.spent_threat for one in task.problems)
        reason = say("the Task is taken back")
        draft.change_pool(Pool.MOMENTUM, min(momentum, MOMENTUM_CAP - draft.table.momentum), reason)
        draft.change_pool(Pool.THREAT, max(-draft.table.threat, spent - added), reason)
        character = find_character(draft.table, task.declaration.character_id)
        room = max(0, profile(draft.table).determination_maximum - character.determination)
        change_determination(draft, character, min(task.paid.determination, room), reason, task.declaration.value)
        if task.surge:
            draft.record(SurgeGained(character_id=character.character_id, name=character.name))


LARGEST_DIFFICULTY = 30
"""The largest Difficulty or modifier taken in; more is a slip of the finger."""


MOST_MODIFIERS = 20
"""The most modifiers of a Task; a longer list is a slip of the finger."""


MOST_HELPERS = 12
"""The most helpers of a Task; a longer list is a slip of the finger."""


def prepared(draft: Draft, declaration: Declaration) -> Declaration:
    """The declaration as its Task would have it at the table of `draft`, where nothing is in hand.

    Refuses what could never begin, whatever the pools hold: they are asked when it does.
    """
    character = find_character(draft.table, declaration.character_id)
    draft.playbook.require_able(draft.table, declaration.character_id)
    declaration = draft.playbook.declared(draft.table, _against_able(draft, declaration))
    declaration = _completed(draft, declaration, reactive=False)
    task = _task(draft.table, character, declaration, surge=False)
    if not declaration.rolled:
        _require_simple(task)
    cited = value_applies(character, declaration.value)
    plenty = Funds(momentum=MOMENTUM_CAP, threat=_PLENTY, determination=_PLENTY)
    bill = buy_dice(declaration.purchases, plenty, profile(draft.table), value_applies=cited, npc=task.npc)
    if bill.why is not None:
        raise bill.why
    return declaration


def momentum_to_declare(table: Table) -> int:
    """The Momentum in the pool once a Task is declared now: what the spending before it saves is there by then."""
    task = table.task
    ends = task is not None and task.phase is TaskPhase.SPENDING
    return table.momentum + (leftover(table, task).saved if task is not None and ends else 0)


def why_unpaid(table: Table, declaration: Declaration) -> Refusal | None:
    """Why the pools cannot pay for the bonus dice of a Task that is declared now; None where they can."""
    character = find_character(table, declaration.character_id)
    bill = buy_dice(
        declaration.purchases,
        Funds(momentum=momentum_to_declare(table), threat=table.threat, determination=character.determination),
        profile(table),
        value_applies=value_applies(character, declaration.value),
        npc=is_npc(character),
    )
    return bill.why


_PLENTY: Final = 99
"""More than any pool holds that dice are bought from."""


def _completed(draft: Draft, declaration: Declaration, *, reactive: bool) -> Declaration:
    """The declaration with all that the rules add to it: its action, promised help, a Surge's Difficulty (C-7).

    Who helps by the rules costs nothing more; who else is named gives what helping costs (ASST-4).
    """
    surge, named = surges(draft.table, declaration.character_id), declaration.assists
    declaration = planned(draft, replace(declaration, assists=()))
    if not reactive:
        declaration = draft.playbook.with_help(draft.table, declaration)
    coming = {one.character_id for one in declaration.assists}
    others = () if is_simple(draft, declaration) else tuple(one for one in named if one.character_id not in coming)
    by_rule = declaration.assists
    declaration = checked(draft, replace(declaration, assists=(*others, *by_rule)), reactive=reactive)
    given = tuple(draft.playbook.take_help(draft, declaration.character_id, one) for one in others)
    declaration = replace(declaration, assists=(*given, *by_rule))
    harder = surge_difficulty(profile(draft.table)) if surge and not reactive else 0
    if not harder or is_simple(draft, declaration):
        return declaration
    change = Modifier(reason=say("Surge of Activity"), change=harder)
    return replace(declaration, modifiers=(*declaration.modifiers, change))


def _require_answer(draft: Draft, active: Task, declaration: Declaration) -> None:
    """OPP-1: who may answer, and with what, is for `rules.tasks.opposed` to say."""
    found = answer(draft.table, draft.playbook)
    if found is None:
        raise Refusal("OPP-1", "Both sides are declared; the active side throws now.")
    if active.declaration.character_id == declaration.character_id:
        raise Refusal("OPP-1", "Nobody opposes their own Task; choose the character on the other side.")
    if on_a_side(active) & {one.character_id for one in declaration.assists}:
        raise _on_both_sides()
    if declaration.character_id not in found.who:
        raise answer_awaited(draft.table, found)
    if (declaration.action.name if declaration.action is not None else "") not in found.actions:
        raise Refusal(found.rule, found.otherwise)


def _require_helpers(draft: Draft, declaration: Declaration) -> None:
    """ASST-1, OPP-1: refuse helpers whom no Task can have, or who would stand against this one."""
    helpers = [one.character_id for one in declaration.assists]
    if len(helpers) > MOST_HELPERS or len(set(helpers)) != len(helpers):
        raise Refusal(
            "ASST-1", "Each helper throws one d20, and at most {most} help; name each one once.", most=MOST_HELPERS
        )
    if declaration.character_id in helpers:
        raise Refusal("ASST-1", "Nobody helps with their own Task; choose other helpers.")
    if declaration.opposed and declaration.action is not None and declaration.action.target_id in helpers:
        raise _on_both_sides()
    for helper in helpers:
        find_character(draft.table, helper)
        draft.playbook.require_able(draft.table, helper)


def _against_able(draft: Draft, declaration: Declaration) -> Declaration:
    """A Task that was asked for or stands in line names nobody once its opponent cannot act any more (OPP-1)."""
    table, who, against = draft.table, declaration.character_id, declaration.opponent_id
    if not against or draft.playbook.is_able(table, against):
        return declaration
    before = any((one.character_id, one.opponent_id) == (who, against) for one in (*table.asked, *table.in_line))
    return replace(declaration, opponent_id="") if before else declaration


def _require_opponent(draft: Draft, declaration: Declaration) -> None:
    """OPP-1: refuse to name an opponent whom no Task can have."""
    if not declaration.opponent_id:
        return
    if not declaration.opposed:
        raise Refusal("OPP-1", "Only an Opposed Task has an opponent; declare it as opposed, or name nobody.")
    if declaration.opponent_id == declaration.character_id:
        raise Refusal("OPP-1", "Nobody opposes their own Task; choose the character on the other side.")
    if declaration.opponent_id in {one.character_id for one in declaration.assists}:
        raise _on_both_sides()
    find_character(draft.table, declaration.opponent_id)
    draft.playbook.require_able(draft.table, declaration.opponent_id)


def _on_both_sides() -> Refusal:
    return Refusal("OPP-1", "Nobody helps against their own side of an Opposed Task; choose other helpers.")


def checked(draft: Draft, declaration: Declaration, *, reactive: bool) -> Declaration:
    """The declaration with its texts tidied. Refuses whatever no Task can have."""
    if not NARROWEST_RANGE <= declaration.complication_range <= WIDEST_RANGE:
        raise Refusal(
            "TASK-7",
            "The complication range goes from {narrowest} to {widest}; choose one of these.",
            narrowest=NARROWEST_RANGE,
            widest=WIDEST_RANGE,
        )
    if not 0 <= declaration.difficulty <= LARGEST_DIFFICULTY:
        raise Refusal("TASK-2", "Difficulty goes from 0 to {most}; choose one of these.", most=LARGEST_DIFFICULTY)
    if len(declaration.modifiers) > MOST_MODIFIERS:
        raise Refusal("TRAIT-2", "A Task takes at most {most} modifiers; leave some out.", most=MOST_MODIFIERS)
    if any(abs(one.change) > LARGEST_DIFFICULTY for one in declaration.modifiers):
        raise Refusal(
            "TRAIT-2", "A modifier changes Difficulty by at most {most}; choose a smaller one.", most=LARGEST_DIFFICULTY
        )
    if any(one.threat_part < 0 for one in declaration.purchases):
        raise Refusal("BUY-3", "The part of a price that goes to Threat is 0 or more; enter that.")
    _require_helpers(draft, declaration)
    if not reactive:
        _require_opponent(draft, declaration)
    if declaration.ship is not None:
        draft.playbook.require_ship_helps(draft.table, declaration.character_id, declaration.ship.ship_id)
    return replace(
        declaration,
        label=short_text(declaration.label, say("what the Task is")),
        modifiers=tuple(
            replace(one, reason=short_text(one.reason, say("a modifier's reason"))) for one in declaration.modifiers
        ),
        opposed=declaration.opposed and not reactive,
        opponent_id="" if reactive else declaration.opponent_id,
    )


def _task(table: Table, character: Character, declaration: Declaration, *, surge: bool) -> Task:
    attribute, discipline = declaration.skills
    rating: int = getattr(character.disciplines, discipline)
    return Task(
        number=table.next_number,
        declaration=declaration,
        who=character.name,
        npc=is_npc(character),
        target_number=target_number(getattr(character.attributes, attribute), rating),
        double_at_most=double_at_most(rating, focus=declaration.focus),
        difficulty=task_difficulty(declaration.difficulty, (one.change for one in declaration.modifiers)),
        own_dice=0,
        phase=TaskPhase.AWAITING_DICE,
        surge=surge,
    )


def _thrown_in_turn(task: Task, *, reactive: bool) -> Task:
    """C-42: the active side waits for the reactive side's dice, which have no Difficulty but make one."""
    if reactive:
        return replace(task, difficulty=0)
    return replace(task, phase=TaskPhase.AWAITING_OPPOSITION) if task.declaration.opposed else task


def _require_simple(task: Task) -> None:
    simple_success(task.difficulty)
    declaration = task.declaration
    if declaration.purchases or declaration.assists or declaration.ship is not None or declaration.opposed:
        raise Refusal("TASK-9", "A Task without dice needs no bonus dice, help or opposition; leave them out or throw.")


def _succeed_simply(draft: Draft, task: Task) -> None:
    """TASK-9: no dice, no Momentum, nothing to spend it on; the Task is over at once."""
    draft.record(
        OutcomeReached(
            number=task.number,
            who=task.who,
            label=task.declaration.label,
            target_number=task.target_number,
            double_at_most=task.double_at_most,
            dice=(),
            outcome=simple_success(task.difficulty).outcome,
            momentum_left=0,
            complications_open=0,
            price_complications=0,
            phase=TaskPhase.SPENDING,
        )
    )
    close_if_settled(draft, finish=True)


def _added_up(prices: tuple[DicePrice, ...]) -> Payment:
    return Payment(
        momentum=sum(one.momentum for one in prices),
        added_threat=sum(one.threat_added for one in prices),
        spent_threat=sum(one.threat_spent for one in prices),
        determination=sum(one.determination for one in prices),
    )


def _pay_for_dice(draft: Draft, character: Character, paid: Payment, value: str) -> None:
    draft.change_pool(Pool.MOMENTUM, -paid.momentum, say("bonus dice"))
    draft.change_pool(Pool.THREAT, paid.added_threat - paid.spent_threat, say("bonus dice"))
    change_determination(draft, character, -paid.determination, say("a Determination die"), value)


def _require_before_throw(table: Table) -> Task:
    task = require_task(table)
    if task.phase not in {TaskPhase.AWAITING_DICE, TaskPhase.AWAITING_OPPOSITION} or task.dice:
        raise Refusal("TASK-10", "The dice are thrown; the Task cannot be changed any more. Undo, if that was wrong.")
    if table.held is not None:
        raise Refusal("TASK-10", "Dice of this Task lie on the table; set that throw aside first.")
    return task


def buy_die(draft: Draft, command: BuyDie) -> None:
    """One more bonus d20 before the throw, priced after those bought already (BUY-1 to BUY-7)."""
    task = _require_before_throw(draft.table)
    character = find_character(draft.table, task.declaration.character_id)
    value = task.declaration.value
    if command.purchase.payer is Payer.DETERMINATION:
        value = command.value or value
    if command.purchase.threat_part < 0:
        raise Refusal("BUY-3", "The part of a price that goes to Threat is 0 or more; enter that.")
    bill = buy_dice(
        (*task.declaration.purchases, command.purchase),
        _funds_before(draft.table, character, task.paid),
        profile(draft.table),
        value_applies=value_applies(character, value),
        npc=task.npc,
    )
    if bill.why is not None:
        raise bill.why
    price = _added_up(bill.prices[-1:])
    purchases: tuple[Purchase, ...] = (*task.declaration.purchases, command.purchase)
    draft.record(
        DieBought(
            purchase=command.purchase,
            declaration=replace(task.declaration, purchases=purchases, value=value),
            own_dice=bill.dice_to_roll,
            paid=_added_up(bill.prices),
        )
    )
    _pay_for_dice(draft, character, price, value)
    if task.phase is TaskPhase.AWAITING_DICE:
        await_next_throw(draft)


def _funds_before(table: Table, character: Character, paid: Payment) -> Funds:
    """What was there before this Task's dice were paid, so that the whole list is priced as one."""
    return Funds(
        momentum=table.momentum + paid.momentum,
        threat=max(0, table.threat + paid.spent_threat - paid.added_threat),
        determination=character.determination + paid.determination,
    )

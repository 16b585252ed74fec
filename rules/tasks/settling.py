"""Deciding what follows a Task's dice: spends, saving, Complications, the end (TASK-11, POOL-2 to POOL-9, THR-3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.checks import is_npc, profile, require_spending, require_task, short_text
from rules.deciding.decision import Command, Draft, Playbook
from rules.errors import Refusal
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration, SpendMade, Task, Trait, WaitingComplications
from rules.state.vocabulary import Pool, Spend, TaskPhase, TraitKind
from rules.tasks.actions import conclude, left_nothing, require_followed, to_follow
from rules.tasks.events import (
    ComplicationBoughtOff,
    ComplicationsPutOff,
    ComplicationsWait,
    ComplicationTaken,
    MomentumSpent,
    OutcomeReached,
    SpendingFinished,
    TaskClosed,
)
from rules.tasks.opposed import decide_opposed, other_side, side_of
from rules.tasks.pools import PricePaid, npc_leftover, pay, save_momentum, spend_cost, spend_rule
from rules.tasks.scoring import succeed_at_cost
from rules.tasks.threat import COMPLICATION_BOUGHT_OFF, WAIVE_COMPLICATION, gain_threat, spend_threat
from rules.tasks.traits import RemoveTrait, find_complication, record_trait, remove_trait, without_words
from rules.words import Phrase, capitalized, say, say_count, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class SucceedAtCost(Command):
    """Turn the failure in hand into a bare success for one Complication more (TASK-11)."""

    undone: ClassVar[Phrase | None] = say("the success at a cost")

    def decide(self, draft: Draft) -> None:
        """TASK-11: the failure in hand becomes a bare success for one Complication more."""
        task = require_spending(draft.table)
        if not task.declaration.may_succeed_at_cost:
            raise Refusal("TASK-11", "This Task was not declared as one that may succeed at a cost; let it fail.")
        if task.opposed_winner is not None or task.outcome is None:
            raise Refusal("TASK-11", "An Opposed Task cannot succeed at a cost; let it fail.")
        if task.spends:
            raise Refusal("TASK-11", "Something was bought on this Task; undo that first.")
        outcome = succeed_at_cost(task.outcome)
        more = outcome.complications - task.outcome.complications
        draft.record(
            OutcomeReached(
                number=task.number,
                who=task.who,
                label=task.declaration.label,
                target_number=task.target_number,
                double_at_most=task.double_at_most,
                dice=task.dice,
                outcome=outcome,
                momentum_left=0,
                complications_open=task.complications_open + more,
                price_complications=task.price_complications + more,
                phase=TaskPhase.SPENDING,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSpend(Command):
    """Buy something with Momentum (POOL-4 to POOL-8).

    Paid from what the Task generated first, then from the group pool (C-62); `threat_part` points of an Immediate
    spend are added to Threat instead. An NPC's are paid from its Momentum, then from Threat. Of Create Advantage
    `note` is the Advantage, or `trait_id` the Complication that it takes away (POOL-5); of Disarm it may name the
    weapon (MOM-2), of any other it is what people say of it. Create Problem comes before an enemy's dice, and is a
    command of its own (POOL-7).
    """

    spend: Spend
    times: int = 1
    threat_part: int = 0
    note: str = ""
    trait_id: str = ""

    undone: ClassVar[Phrase | None] = say("the spend")

    def payer(self, table: Table) -> str | None:
        """Whose Task it is."""
        return table.task.declaration.character_id if table.task is not None else None

    def decide(self, draft: Draft) -> None:
        """Buy something with Momentum: out of the Task's own first, then the pool or Threat (POOL-4, C-62)."""
        task = require_spending(draft.table)
        rule = spend_rule(draft.playbook, self.spend, profile(draft.table))
        if self.spend is Spend.CREATE_PROBLEM:
            raise Refusal(
                "POOL-7",
                "{spend} is bought before the dice of an enemy's Task; save the Momentum until one is declared.",
                spend=rule.label,
            )
        if task.outcome is not None and task.outcome.at_cost:
            raise Refusal("TASK-11", "Nothing can be bought on a Task that succeeded at a cost; finish its spending.")
        if not rule.immediate and not wins(task):
            raise Refusal(
                "POOL-4", "{spend} needs a Task that succeeded; this one opens no such spend.", spend=rule.label
            )
        for refused in draft.playbook.spend_refused:
            why = refused(draft.table, task, rule)
            if why is not None:
                raise Refusal(rule.rule, why)
        note = short_text(self.note, say("the note"))
        ended = self._complication(draft.table).name if self.trait_id else ""
        if self.spend is Spend.CREATE_ADVANTAGE and not (note or ended):
            raise Refusal("POOL-5", "Say the Advantage in words, or choose the Complication to remove.")
        price = price_of_spend(draft.playbook, draft.table, task, self.spend, self.times)
        require_serving(draft, task, self.spend, self.times)
        payment = pay_from_task(draft.table, price, immediate=rule.immediate, threat_part=self.threat_part)
        spend = SpendMade(
            spend=self.spend,
            times=self.times,
            from_generated=payment.from_generated,
            from_pool=payment.from_pool,
            added_threat=payment.added_threat,
            spent_threat=payment.spent_threat,
            note=note,
            ended=ended,
        )
        record_spend(draft, spend, rule.label)
        for spent in draft.playbook.spent:
            spent(draft, require_task(draft.table), self.spend, self.times)
        if self.trait_id:
            remove_trait(draft, RemoveTrait(trait_id=self.trait_id))
        elif self.spend is Spend.CREATE_ADVANTAGE:
            record_trait(draft, note, TraitKind.ADVANTAGE)

    def _complication(self, table: Table) -> Trait:
        if self.spend is not Spend.CREATE_ADVANTAGE:
            raise Refusal("POOL-5", "Only Create Advantage takes a Complication away; choose that spend.")
        if self.note.strip():
            raise Refusal("POOL-5", "Create Advantage brings an Advantage or ends a Complication; choose one of both.")
        return find_complication(table, self.trait_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishSpending(Command):
    """Save what is left to the group pool, lose what exceeds 6 (POOL-2); then Complications follow."""

    undone: ClassVar[Phrase | None] = say("finishing the spending")

    def decide(self, draft: Draft) -> None:
        """POOL-2, POOL-9: save what is left, lose what exceeds the cap; an NPC's becomes Threat.

        For a Task that has just ended by itself there is nothing to do: it makes no events.
        """
        if not spends(draft.table) and ended_by_itself(draft) is not None:
            return
        task = require_spending(draft.table)
        require_followed(draft, task)
        _finish(draft, task)
        close_if_settled(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeComplication(Command):
    """Accept one Complication: it is a trait of the scene now (TRAIT-3), by `name` or as trouble for who took it.

    `number` is the Task's whose Complications wait, 0 for the Task in hand.
    """

    name: str = ""
    number: int = 0

    undone: ClassVar[Phrase | None] = say("taking the Complication")

    def decide(self, draft: Draft) -> None:
        """TASK-7, TRAIT-3: accept one Complication, which becomes a trait. One taken as a price goes first (C-78)."""
        of = _settled_now(draft, self.number)
        name = short_text(self.name, say("the Complication's name")) or without_words(draft.table, of.who)
        draft.record(
            ComplicationTaken(
                who=of.who,
                name=name,
                left=of.left - 1,
                price_complications=max(0, of.price - 1),
                number=self.number,
            )
        )
        record_trait(draft, name, TraitKind.COMPLICATION, npc=of.npc)
        if not self.number:
            close_if_settled(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyOffComplication(Command):
    """Waive one Complication for 2 Threat: added for a player's, spent for an NPC's (THR-3, THR-4, C-15).

    `number` as `TakeComplication` has it.
    """

    number: int = 0

    undone: ClassVar[Phrase | None] = say("buying off the Complication")

    def payer(self, table: Table) -> str | None:
        """Whose Task it is."""
        return owner_of_complications(table, self.number) or None

    def decide(self, draft: Draft) -> None:
        """THR-3, THR-4: waive one Complication for 2 Threat, added for a player's Task, spent for an NPC's."""
        of = _settled_now(draft, self.number)
        allowed = profile(draft.table).price_complications_buyoff
        if of.left <= of.price and not allowed:
            raise Refusal("THR-3", "A Complication taken as a price cannot be bought off; take it.")
        threat = draft.table.threat
        after = spend_threat(threat, WAIVE_COMPLICATION) if of.npc else gain_threat(threat, COMPLICATION_BOUGHT_OFF)
        draft.record(ComplicationBoughtOff(who=of.who, left=of.left - 1, number=self.number))
        draft.change_pool(Pool.THREAT, after - threat, say("a Complication bought off"))
        if not self.number:
            close_if_settled(draft)


def spends(table: Table) -> bool:
    """Whether the spending of the Task in hand goes on."""
    return table.task is not None and table.task.phase is TaskPhase.SPENDING


def ended_by_itself(draft: Draft) -> Task | None:
    """The Task whose spending is over, and whose dice can still be put right; None where there is none.

    That is until the next declaration, of Challenge Dice too, or the next hit, and while its spending came to nothing:
    neither Momentum nor a Complication that somebody has settled (docs/declaring.md). Of an Opposed Task it is that of
    the side that threw last, until the other side does something with what the dice came to.
    """
    table = draft.table
    if table.request is not None or table.agenda or table.attack is not None:
        return None
    task, other = _over(table)
    if task is None or not _came_to_nothing(draft, task, other) or not _is_newest(table, task):
        return None
    if other is None:
        return task
    undecided = other.phase is TaskPhase.SPENDING and _is_untouched(other)
    return task if undecided or _came_to_nothing(draft, other, task) else None


def _over(table: Table) -> tuple[Task | None, Task | None]:
    """The Task whose spending is over, and of an Opposed Task the other side's; that of who threw last comes first."""
    newest = table.task if table.task is not None else table.last_task
    other = other_side(table, newest) if newest is not None else None
    if other is None:
        return newest, None
    undecided = table.opposed is not None and table.task is not None and table.task.phase is TaskPhase.COMPLICATIONS
    return (newest, other) if undecided else (other, newest)


def _is_newest(table: Table, task: Task) -> bool:
    """Whether no Challenge Dice were declared since, and neither its Turn nor its fight has ended (CD-2, TURN-1)."""
    if table.challenge is not None and table.challenge.number > task.number:
        return False
    plain = task.declaration.action is None and task.opposed_winner is None
    if plain or table.task is not None:
        return True
    if table.conflict is None:
        return table.conflict_end is None or task.number >= table.conflict_end.number
    return table.conflict.turn is not None and bool(table.conflict.turn.tasks)


def _is_untouched(task: Task) -> bool:
    """Whether its dice came to something on which nothing was decided yet."""
    whole = task.outcome is not None and task.complications_open == task.outcome.complications
    return whole and not task.spends and not task.followed


def _came_to_nothing(draft: Draft, task: Task, other: Task | None) -> bool:
    """Whether the end of a Task's spending did nothing: no Momentum, no Complication settled, nothing by its action."""
    table, outcome = draft.table, task.outcome
    if task.phase not in {TaskPhase.COMPLICATIONS, TaskPhase.CLOSED} or outcome is None or not task.dice:
        return False
    waiting = next((one.left for one in table.complications_waiting if one.number == task.number), 0)
    if waiting and other is None:
        return False
    left = waiting if task.phase is TaskPhase.CLOSED else task.complications_open
    gained = outcome.momentum
    if other is not None and other.outcome is not None:
        active, reactive = (other, task) if task.reactive else (task, other)
        gained = _gained(draft, active, reactive) if wins(task) else 0
    if task.saved or task.lost or gained or left != outcome.complications or outcome.at_cost or task.spends:
        return False
    return left_nothing(draft, task)


def _gained(draft: Draft, active: Task, reactive: Task) -> int:
    """The Momentum that the winner of an Opposed Task had (OPP-2)."""
    if active.outcome is None or reactive.outcome is None:
        return 0
    return decide_opposed(active.outcome, reactive.outcome, profile(draft.table)).momentum


def wins(task: Task) -> bool:
    """Whether the Task in hand opens spends: it succeeded with dice, not at a cost, and won if it was opposed."""
    outcome = task.outcome
    if outcome is None or outcome.at_cost or not task.declaration.rolled:
        return False
    if task.opposed_winner is None:
        return outcome.success
    return task.opposed_winner is side_of(task)


def price_of_spend(playbook: Playbook, table: Table, task: Task, spend: str, times: int = 1) -> int:
    """What a spend costs now, after what was bought of it (POOL-4). Refuses more than there can be."""
    beyond = (bought_before(table, spend) for bought_before in playbook.bought_before)
    of_task = sum(one.times for one in task.spends if one.spend == spend)
    already = next((count for count in beyond if count is not None), of_task)
    return spend_cost(spend_rule(playbook, spend, profile(table)), times, profile(table), already=already)


def require_serving(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Refuse a spend that is bought more often than it can serve, with how often that is (POOL-4)."""
    ends = (serves(draft, task, spend) for serves in draft.playbook.serves)
    most = min((one for one in ends if one is not None), default=None)
    if most is None or times <= most:
        return
    rule = spend_rule(draft.playbook, spend, profile(draft.table))
    if not most:
        raise Refusal(rule.rule, "{spend} can serve no more here; spend Momentum on something else.", spend=rule.label)
    raise Refusal(
        rule.rule,
        say_count(
            most,
            "{spend} can serve once more here; buy it once.",
            "{spend} can serve {number} times more here; buy it {number} times at most.",
            spend=rule.label,
        ),
    )


def pay_from_task(table: Table, price: int, *, immediate: bool, threat_part: int = 0) -> PricePaid:
    """How a price is paid while a Task is settled, or with none in hand out of the pool. Refuses what is not there."""
    task = table.task
    settling = task is not None and task.phase is TaskPhase.SPENDING
    return pay(
        price,
        generated=task.momentum_left if task is not None and settling else 0,
        pool=table.momentum,
        immediate=immediate,
        threat_part=threat_part,
        threat=table.threat,
        npc=task is not None and task.npc,
    )


def record_spend(draft: Draft, spend: SpendMade, reason: str) -> None:
    """Record a spend of the Task in hand with what it takes from the pools."""
    task = require_task(draft.table)
    draft.record(MomentumSpent(spend=spend, momentum_left=task.momentum_left - spend.from_generated))
    draft.change_pool(Pool.MOMENTUM, -spend.from_pool, reason)
    draft.change_pool(Pool.THREAT, spend.added_threat - spend.spent_threat, reason)


def unspent_bonus(task: Task) -> int:
    """Bonus Momentum that is left: what a Task generated is spent after its bonus (POOL-10, C-63)."""
    return max(0, task.bonus_momentum - sum(one.from_generated for one in task.spends))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """Where a Task's remaining Momentum goes when its spending ends."""

    saved: int = 0
    lost: int = 0
    to_threat: int = 0


def leftover(table: Table, task: Task) -> Leftover:
    """Where a Task's remaining Momentum would go now: to the pool, an NPC's to Threat (POOL-2, POOL-9, C-63)."""
    bonus = 0 if profile(table).bonus_momentum_saved else unspent_bonus(task)
    left = task.momentum_left - bonus
    if task.npc:
        return Leftover(lost=bonus, to_threat=npc_leftover(0, left))
    result = save_momentum(table.momentum, left)
    return Leftover(saved=result.saved, lost=result.lost + bonus)


def _finish(draft: Draft, task: Task) -> None:
    left = leftover(draft.table, task)
    draft.record(
        SpendingFinished(
            who=task.who,
            saved=left.saved,
            lost=left.lost,
            to_threat=left.to_threat,
            complications_open=task.complications_open,
        )
    )
    draft.change_pool(Pool.MOMENTUM, left.saved, say("saved"))
    draft.change_pool(Pool.THREAT, left.to_threat, say("an NPC's Momentum"))
    conclude(draft, require_task(draft.table))


def close_if_settled(draft: Draft, *, finish: bool = False) -> None:
    """Close the Task in hand once its last Complication is settled; the other side's Task is then in hand again.

    Those of who lost wait, where the winner sets something off until that is settled (C-61), and the winner does not
    wait for them. `finish` ends the spending of a Task that has nothing left. A side that did not win has nothing to
    spend, so its spending ends by itself when it is in hand again.
    """
    task = require_task(draft.table)
    if finish and task.phase is TaskPhase.SPENDING:
        _finish(draft, task)
    task = require_task(draft.table)
    if task.phase is not TaskPhase.COMPLICATIONS:
        return
    resumed = draft.table.opposed
    if not task.complications_open:
        _close(draft, task)
    elif resumed is not None and to_follow(draft, resumed) is not None:
        left = task.complications_open
        draft.record(ComplicationsWait(number=task.number, who=task.who, complications=left))
    elif resumed is not None and wins(resumed):
        _put_off(draft, task)


def _close(draft: Draft, task: Task) -> None:
    resumed = draft.table.opposed
    draft.record(TaskClosed(number=task.number, who=task.who, resumed=resumed.number if resumed else 0))
    if resumed is not None and not wins(resumed):
        close_if_settled(draft, finish=True)


def _put_off(draft: Draft, task: Task) -> None:
    """Let the Complications of the Task in hand wait, and close it (docs/declaring.md)."""
    waiting = complications_of(task)
    if waiting.left:
        draft.record(ComplicationsPutOff(waiting=waiting))
    _close(draft, task)


def make_room(draft: Draft, declarer: Character | None = None) -> None:
    """End the spending of the Task in hand, and of the one it opposed, for what comes next; what is left is saved.

    What comes next is a Task of `declarer`, or without one the end or the beginning of a Turn, a Round, a conflict or a
    scene. Complications that nobody settled yet wait. Refuses while dice are awaited or something is to follow (C-61),
    and a declaration by which somebody else would lose Momentum: only its owner and the gamemaster let it go.
    """
    task = draft.table.task
    if task is None or task.phase is TaskPhase.AWAITING_OPPOSITION:
        return
    if task.phase is TaskPhase.COMPLICATIONS:
        _put_off(draft, task)
        make_room(draft, declarer)
        return
    if task.phase is not TaskPhase.SPENDING:
        raise Refusal("TASK-10", "A Task is in hand; throw the dice that are awaited first.")
    require_followed(draft, task)
    lost = leftover(draft.table, task).lost
    if lost and declarer is not None and not _lets_go(task, declarer):
        raise Refusal(
            "POOL-2",
            "{lost} Momentum of {who} would be lost; {who} spends it or ends the spending first.",
            lost=lost,
            who=task.who,
        )
    close_if_settled(draft, finish=True)
    make_room(draft, declarer)


def _lets_go(task: Task, declarer: Character) -> bool:
    return declarer.character_id == task.declaration.character_id or is_npc(declarer)


def complications_of(task: Task) -> WaitingComplications:
    """The Complications of a Task that nobody has settled yet."""
    return WaitingComplications(
        number=task.number,
        character_id=task.declaration.character_id,
        who=task.who,
        npc=task.npc,
        left=task.complications_open,
        price=task.price_complications,
        deed=_deed_of(task.declaration),
    )


def _deed_of(declaration: Declaration) -> str:
    if declaration.label:
        return declaration.label
    attribute, discipline = (capitalized(worded(one)) for one in declaration.skills)
    return say("{attribute} + {discipline}", attribute=attribute, discipline=discipline)


def told_apart_by(table: Table, of: WaitingComplications) -> str:
    """What the Task of these Complications was about, where another's of the same person are open, too; else empty."""
    task = table.task
    in_hand = task is not None and task.phase is TaskPhase.COMPLICATIONS and task.declaration.character_id
    whose = [one.character_id for one in table.complications_waiting] + ([in_hand] if in_hand else [])
    return of.deed if whose.count(of.character_id) > 1 else ""


def may_settle(table: Table, task: Task) -> bool:
    """Whether Complications of the Task in hand may be settled: its dice are there, and no other side's matter.

    Of an Opposed Task they come once its spending is finished.
    """
    if task.phase is TaskPhase.COMPLICATIONS:
        return True
    opposed = table.opposed is not None or task.declaration.opposed or task.opposed_winner is not None
    busy = table.request is not None or table.held is not None
    return task.phase is TaskPhase.SPENDING and task.outcome is not None and not opposed and not busy


def settled_early(task: Task) -> bool:
    """Whether a Complication of a Task was settled while its spending goes on: its dice stand from then on."""
    return task.outcome is not None and task.complications_open - task.price_complications < task.outcome.complications


def _settled_now(draft: Draft, number: int) -> WaitingComplications:
    """Those of `open_complications`; of a Task in hand only once what it sets off is settled (C-61)."""
    task = draft.table.task
    if not number and task is not None and task.phase is TaskPhase.SPENDING:
        require_followed(draft, task)
    return open_complications(draft.table, number)


def open_complications(table: Table, number: int = 0) -> WaitingComplications:
    """Those that somebody settles now: of the Task with that number, 0 for the one in hand (TASK-7).

    Refuses where there are none.
    """
    task = table.task
    if not number and task is not None and task.complications_open and may_settle(table, task):
        return complications_of(task)
    waiting = next((one for one in table.complications_waiting if one.number == number), None)
    if waiting is not None:
        return waiting
    if number:
        raise Refusal("TASK-7", "No Complication of that Task is open any more; look at what is still to be settled.")
    require_task(table)
    raise Refusal("TASK-10", "Complications follow once the spending is finished; finish it first.")


def owner_of_complications(table: Table, number: int = 0) -> str:
    """The id of whose Complications would be settled now; empty where none are open."""
    try:
        return open_complications(table, number).character_id
    except Refusal:
        return ""

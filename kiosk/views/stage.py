"""What a screen shows large: one thing at a time, worked out from the table, in words that each listener can have.

`templates/_parts.html` renders it for every page, at first and with each change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from kiosk.views.stage_dice import (
    OWN,
    StageDie,
    challenge_die,
    cover_dice,
    damage_dice,
    dice_that_stay,
    free_die,
    held_die,
    task_die,
)
from kiosk.views.to_come import still_to_throw
from rules.dice import DieKind, Face
from rules.game import (
    DIFFICULTY_WORDS,
    MOMENTUM_CAP,
    PLAYBOOK,
    RANGE_WORDS,
    Attack,
    ChallengeRoll,
    Conflict,
    DecidedStep,
    Declaration,
    FreeRoll,
    HeldThrow,
    History,
    Hit,
    InjuryState,
    Narration,
    OpposedWinner,
    QuestionReason,
    Ship,
    Side,
    Standing,
    Step,
    StepKind,
    System,
    Table,
    Task,
    TaskPhase,
    ThrowRequest,
    ThrowRole,
    Weight,
    Work,
    after_turn_words,
    against_words,
    as_dialled,
    asked_words,
    beside_dice_words,
    chooser,
    combatant_name,
    dial_words,
    difficulty_as_it_is,
    difficulty_now,
    expected,
    flat_resistance,
    foreseen_hit,
    foreseen_ship_hit,
    goal,
    is_able,
    is_finished,
    is_foes,
    last_result,
    may_begin,
    named_opponent,
    next_throw_words,
    opponent,
    other_side,
    outcome_now,
    points_of,
    profile,
    reached,
    resistance_words,
    round_is_over,
    save_momentum,
    ship_acts,
    spends_dial,
    successes_to_win,
    to_take_words,
    to_win,
    told_apart_by,
    turn_is_lost,
    weight_of,
    whole_damage,
    why_won,
    work_words,
)
from rules.words import (
    Phrase,
    altered,
    capitalized,
    counted,
    faces_words,
    joined_by,
    say,
    say_count,
    sentences,
    worded,
)

_Thrown = TypeVar("_Thrown", Task, ChallengeRoll, FreeRoll)
_AGAIN: Final = frozenset({ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL})
"""The throws of dice that lie on the table already."""
OF_NO_TASK: Final = frozenset({ThrowRole.CHALLENGE, ThrowRole.CHALLENGE_REROLL, ThrowRole.STEP})
"""The throws whose dice no Task's Target Number scores."""


class StageFact(Struct, frozen=True):
    """A number that matters now, with its name."""

    name: str
    value: str
    mark: Annotated[str, Meta(description="Empty or `complication`.")] = ""
    note: Annotated[str, Meta(description="What else is to be known of it, in a word or two; else empty.")] = ""


_MOST_DRAWN: Final = 12
"""Most dice drawn of a held throw."""


class Telling(Struct, frozen=True, kw_only=True):
    """How screens show an outcome: once, in a sentence and one number. The voice has its caption."""

    headline: Annotated[str, Meta(description="Who did what, as a sentence.")]
    cost: Annotated[str, Meta(description="The Complications that it cost; else empty.")] = ""
    chooses: Annotated[str, Meta(description="Who chooses what comes of it; empty where nobody does.")] = ""
    about: Annotated[str, Meta(description="What it was about, without whose it was.")] = ""
    number: Annotated[StageFact | None, Meta(description="The one number that matters; null where none does.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="What headline and number leave open.")] = ()
    hint: Annotated[str, Meta(description="For who spends: what becomes of what is left, where it is not saved.")] = ""


class DuelSide(Struct, frozen=True, kw_only=True):
    """One side of an Opposed Task: who threw, what it came to, and the dice."""

    name: Annotated[str, Meta(description="Who throws for it.")]
    words: Annotated[str, Meta(description="What the dice came to; empty before they are thrown.")] = ""
    cost: Annotated[str, Meta(description="The Complications that it cost; else empty.")] = ""
    mark: Annotated[
        str, Meta(description="`won`, of a foe `npc-won`, or `lost`; empty before it is decided, and if neither won.")
    ] = ""
    dice: tuple[StageDie, ...] = ()
    awaited: Annotated[int, Meta(description="How many d20s are awaited.")] = 0
    lies: Annotated[bool, Meta(description="Whether the other side threw after it.")] = False


class Duel(Struct, frozen=True, kw_only=True):
    """Both throws of an Opposed Task side by side, for the room: from the second side's throw on, the winner large."""

    sides: tuple[DuelSide, ...]
    headline: Annotated[str, Meta(description="Who won, as a sentence; empty where the telling says it.")] = ""
    about: Annotated[str, Meta(description="What the headline was about.")] = ""
    number: Annotated[StageFact | None, Meta(description="The one number that matters; null where none does.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="What headline, sides and number leave open.")] = ()
    mark: Annotated[str, Meta(description="As `StageView.mark`, as the players see it.")] = ""
    weight: Annotated[str, Meta(description="As `StageView.weight`, as the players see it.")] = ""
    beat: Annotated[str, Meta(description="Names both throws: settling keeps it; empty before both are there.")] = ""


class Blow(Struct, frozen=True, kw_only=True):
    """A settled attack as the room sees it: the dice of its damage, whom it hit, and what came of it."""

    headline: Annotated[str, Meta(description="Who hit whom, and the harm, as a sentence.")]
    cost: Annotated[str, Meta(description="As `Telling.cost`.")] = ""
    about: Annotated[str, Meta(description="The damage before Resistance, else what was thrown for.")] = ""
    number: Annotated[StageFact | None, Meta(description="What is left of Stress or Shields; else null.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="The systems that were breached, and who else was hit.")] = ()
    dice: Annotated[tuple[StageDie, ...], Meta(description="Those of the damage; empty where it is flat.")] = ()
    counts: Annotated[tuple[int, ...], Meta(description="The damage after each die.")] = ()
    mark: Annotated[str, Meta(description="As `StageView.mark`.")] = ""
    weight: Annotated[str, Meta(description="As `StageView.weight`.")] = ""
    beat: Annotated[str, Meta(description="Names the throw of the damage.")] = ""
    struck: Annotated[str, Meta(description="The id of the ship that was hit; else empty.")] = ""
    system: Annotated[str, Meta(description="Its system that was harmed most; empty where none is known.")] = ""
    next: Annotated[tuple[str, ...], Meta(description="What the attack leaves to be decided.")] = ()


class StageView(Struct, frozen=True, kw_only=True):
    """What is shown large now, in words."""

    kind: Annotated[
        str, Meta(description="`setup`, `idle`, `turn`, `ask`, `question`, `chain`, `outcome`, `challenge` or `free`.")
    ]
    who: str
    whose: Annotated[str, Meta(description="The id of whoever threw for this outcome; else empty.")] = ""
    word: Annotated[str, Meta(description="What matters most.")]
    lines: tuple[str, ...] = ()
    before: Annotated[str, Meta(description="What ended in the moment in which this Task began; else empty.")] = ""
    facts: tuple[StageFact, ...] = ()
    dice: tuple[StageDie, ...] = ()
    mark: Annotated[
        str, Meta(description="`success` or `failure` of an outcome; of a foe's `npc-success` or `npc-failure`.")
    ] = field(default="")
    weight: Annotated[
        str, Meta(description="Of an outcome but a foe's: `failure`, `success`, `cost` or `triumph`; else empty.")
    ] = field(default="")
    beat: Annotated[str, Meta(description="Names the throw whose outcome this is; else empty.")] = field(default="")
    counts: Annotated[
        tuple[int, ...], Meta(description="Of an outcome: the successes after each die; else empty.")
    ] = ()
    next: Annotated[tuple[str, ...], Meta(description="What the gamemaster asks for next, beside the rest.")] = ()
    struck: Annotated[str, Meta(description="The id of the ship that is asked about once it was hit; else empty.")] = ""
    system: Annotated[str, Meta(description="The system that was hit there; empty where none is known.")] = ""
    telling: Annotated[Telling | None, Meta(description="Of dice that lie there scored; else null.")] = None
    duel: Annotated[Duel | None, Meta(description="Both throws of an Opposed Task; null of any other.")] = None
    blow: Annotated[Blow | None, Meta(description="Of an attack that is settled; else null.")] = None
    says_all: Annotated[bool, Meta(description="Whether it has all that was said last: no caption repeats it.")] = False
    says_it_large: Annotated[
        bool, Meta(description="Whether its largest words are what was said last: the screen's caption leaves it out.")
    ] = False
    asks: Annotated[
        tuple[str, ...], Meta(description="Sentences that ask for the dice that it asks for: no caption repeats them.")
    ] = ()


class RecentOutcome(Struct, frozen=True, kw_only=True):
    """A finished Task, or Threat that the gamemaster spent, as shown between throws."""

    headline: Annotated[str, Meta(description="Who did what, as a sentence.")]
    about: Annotated[str, Meta(description="What it was about.")]
    mark: Annotated[str, Meta(description="As `StageView.mark`, or `threat`.")]
    cost: Annotated[str, Meta(description="Its Complications, and what became of them; else empty.")] = ""


REMEMBERED: Final = 3
"""Most outcomes shown between throws: as many as fit beside the crew."""
LOOKED_BACK: Final = 200
"""Decisions searched for them: the busiest evening has some ten to a Task."""


def recent_outcomes(history: History) -> tuple[RecentOutcome, ...]:
    """The last Tasks of this session that are over, and what Threat was spent, the newest first."""
    found: dict[int, RecentOutcome] = {}
    for place in range(len(history.done) - 1, max(-1, len(history.done) - 1 - LOOKED_BACK), -1):
        after = history.done[place].after
        if after.session != history.present.session:
            break
        if history.done[place].command == "spend_threat":
            found[-place] = _threat_spent(history.done[place])
            if len(found) == REMEMBERED:
                break
        over = after.last_task
        shown = last_result(after) if over is not None and over.number not in found else None
        if over is None or shown is None or shown.outcome is None:
            continue
        good = reached(shown)
        mark = _mark(shown, after, good=good)
        headline = _with_harm(_headline(shown, after, good=good), _blow_of(shown, history.done[: place + 1]))
        found[over.number] = RecentOutcome(headline=headline, about=_about(shown, after), mark=mark, cost=_cost(shown))
        if len(found) == REMEMBERED:
            break
    return tuple(found.values())


def _threat_spent(step: DecidedStep) -> RecentOutcome:
    """Threat that was spent, with the Complication that came of it."""
    points = step.before.threat - step.after.threat
    there = {one.trait_id for one in step.before.traits}
    made = "; ".join(one.name for one in step.after.traits if one.trait_id not in there)
    words = say("The gamemaster spends {points} Threat", points=points)
    return RecentOutcome(headline=joined_by(": ", _some(words, made)), about="", mark="threat")


_SHORTEST_NAME: Final = 3
"""Fewest letters of the end of a name that may stand for the whole: a guard's number is no name."""


_MOST_WORDS: Final = 3
"""Words of a name whose last is the family's; of more, or with a small word as in "Robert the Elder", nobody knows."""


def last_name(name: str, others: Iterable[str]) -> str:
    """The last word of `name` if that is a name and tells it from the others, otherwise the whole."""
    words = name.split()
    if "," in name or name.endswith(".") or len(words) > _MOST_WORDS or any(one.islower() for one in words):
        return name
    last = name.rpartition(" ")[2]
    told_apart = all(one.rpartition(" ")[2] != last for one in others)
    return last if told_apart and len(last) >= _SHORTEST_NAME and last[0].isalpha() else name


def called(name: str, players: Collection[str], everybody: Iterable[str]) -> str:
    """A player's character by the last name where nobody else at the table has it; anybody else by the whole name."""
    return last_name(name, (one for one in everybody if one != name)) if [*players].count(name) == 1 else name


def _called(table: Table, name: str) -> str:
    """The same of this table."""
    players = [one.name for one in table.characters if one.standing is Standing.PLAYER]
    return called(name, players, [*(one.name for one in table.characters), *(one.name for one in table.ships)])


def titled(word: str) -> Phrase:
    """A word of the closed sets as a person writes it: `create_advantage` -> `Create advantage`."""
    return altered(worded(word.lower()), _as_title)


def _as_title(words: str) -> str:
    return re.sub(r"\bnpc\b", "NPC", words[:1].upper() + words[1:])


def stage(table: Table, questions: Sequence[str], asked: str, notices: Sequence[str] = ()) -> StageView:
    """The stage of a table. `questions` are those about the held throw, `asked` is a chain's question.

    `notices` are the sources' words on the dice, for those who wait for dice. Who stands in line is told beneath
    whatever is shown.
    """
    shown = _with_complications(table, _with_dial(table, _stage(table, questions, asked, notices)))
    if not table.in_line:
        return shown
    return replace(shown, next=(*(in_line_words(table, one) for one in table.in_line), *shown.next))


def _with_complications(table: Table, shown: StageView) -> StageView:
    """`shown` with the open Complications of earlier Tasks, where the same person has others beside them."""
    deeds = ((one, told_apart_by(table, one)) for one in table.complications_waiting)
    lines = tuple(to_take_words(one.who, one.left, deed) for one, deed in deeds if deed)
    return replace(shown, next=(*shown.next, *lines)) if lines and shown.kind in {"outcome", "idle", "turn"} else shown


def _with_dial(table: Table, shown: StageView) -> StageView:
    """`shown` with the gamemaster's settings, where a Task may start from them now.

    They are large if nothing else is shown, and in place of an outcome that nobody spends on any more, but for Work on
    an Extended Task; else beneath what is shown.
    """
    dial = table.dial
    if dial is None or not dial_counts(table):
        return shown
    over = last_result(table)
    # The dice of Work have just been thrown, and no Task was in hand then; Progress comes without dice.
    at_work = over is not None and over.work is not None and bool(over.work.dice)
    if table.conflict is None and table.task is None and shown.kind == "outcome" and not table.asked and not at_work:
        shown = _waiting(table)
    if table.conflict is None and shown.kind == "idle" and not shown.facts:
        word = DIFFICULTY_WORDS[dial.difficulty] if dial.difficulty < len(DIFFICULTY_WORDS) else ""
        fact = StageFact(say("Difficulty of the next Task"), str(dial.difficulty), note=word)
        return replace(shown, lines=_some(*shown.lines, _wide(dial.complication_range)), facts=(fact,))
    return replace(shown, next=(*shown.next, dial_words(table)))


def dial_counts(table: Table) -> bool:
    """Whether a Task that is declared now would start from what the gamemaster has set.

    Not while dice are awaited or looked at, a choice is open, or the other side has its Task to come. In a conflict
    the rules set the Difficulty of most Tasks, so only a player who has the Turn may still declare one.
    """
    task, conflict = table.task, table.conflict
    if table.dial is None or spends_dial(table) or table.request or table.held or table.agenda:
        return False
    if conflict is None:
        return task is None or task.phase is not TaskPhase.AWAITING_OPPOSITION
    turn = conflict.turn
    return task is None and turn is not None and turn.side is Side.PC and not turn.tasks and not turn_is_lost(table)


def in_line_words(table: Table, declaration: Declaration) -> Phrase:
    """Who stands in line, and for what."""
    told = _wanted_words(table, declaration)
    return joined_by(": ", [told, declaration.label]) if declaration.label else told


def _stage(table: Table, questions: Sequence[str], asked: str, notices: Sequence[str]) -> StageView:
    if table.held is not None:
        return _question(table, questions)
    if table.request is not None:
        awaited = _asked(table, table.request, table.task)
        return replace(awaited, lines=(*awaited.lines, *notices)) if notices else awaited
    if table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION and not table.task.dice:
        return _waiting(table)
    if table.agenda and asked:
        return _chain(table, asked)
    thrown = _thrown(table)
    wanted = table.asked if table.task is None else ()
    if thrown is None and wanted:
        first, *others = wanted
        return replace(_wanted(table, first), next=tuple(_wanted_words(table, one) for one in others))
    shown = thrown or _waiting(table)
    return replace(shown, next=tuple(_wanted_words(table, one) for one in wanted)) if wanted else shown


def with_photographs(view: StageView, has: Callable[[str], bool]) -> StageView:
    """`view` with the available photographs: `has` says whether the die of a key can be cut out."""

    def kept(dice: tuple[StageDie, ...]) -> tuple[StageDie, ...]:
        return tuple(replace(die, photograph=die.photograph if has(die.photograph or "") else None) for die in dice)

    duel, blow = view.duel, view.blow
    if duel is not None:
        duel = replace(duel, sides=tuple(replace(one, dice=kept(one.dice)) for one in duel.sides))
    if blow is not None:
        blow = replace(blow, dice=kept(blow.dice))
    return replace(view, dice=kept(view.dice), duel=duel, blow=blow)


def _wanted_words(table: Table, wanted: Declaration) -> Phrase:
    """The Task that the gamemaster asks for, shown beside an outcome that is still being read."""
    attribute, discipline = wanted.skills
    return say(
        "{who}, {attribute} + {discipline}, Difficulty {difficulty}",
        who=_name_of(table, wanted.character_id) or say("somebody who left"),
        attribute=titled(attribute),
        discipline=titled(discipline),
        difficulty=difficulty_as_it_is(table, wanted),
    )


def _wanted(table: Table, wanted: Declaration) -> StageView:
    """The Task that the gamemaster asks a character for, until it is declared."""
    one = next((each for each in table.characters if each.character_id == wanted.character_id), None)
    attribute, discipline = wanted.skills
    facts = [StageFact(say("Difficulty"), str(wanted.difficulty))]
    if one is not None:
        target = getattr(one.attributes, attribute) + getattr(one.disciplines, discipline)
        facts.insert(0, StageFact(say("Target Number"), str(target)))
    return StageView(
        kind="idle",
        who=one.name if one is not None else "",
        word=say("{attribute} + {discipline}", attribute=titled(attribute), discipline=titled(discipline)),
        lines=_some(wanted.label, _against_named(table, wanted), say("The gamemaster asks for this Task.")),
        facts=tuple(facts),
    )


def _against_named(table: Table, wanted: Declaration) -> Phrase | str:
    """Whom a Task is against, where the gamemaster named them."""
    other = named_opponent(table, wanted)
    return say("Against {who}.", who=other) if other else ""


def _thrown(table: Table) -> StageView | None:
    """The dice on the table: those of what is in hand first, then the latest."""
    task = table.task
    if task is not None and task.outcome is not None:
        return _outcome(task, table)
    roll, last = _after_conflict(table, table.challenge), _after_conflict(table, table.last_task)
    lying = roll if roll is not None and roll.total is not None else None
    free = _after_conflict(table, next((one for one in reversed(table.free_rolls) if not one.attached), None))
    if free is not None and _newest(table, free, (last, lying)) and not (free.found and _shows_more(table)):
        return _free(free)
    if _fresh_turn(table) and (lying is None or lying.closed):
        return None
    if lying is not None and (last is None or not lying.closed or lying.number > last.number):
        return _challenge(lying)
    shown = last_result(table) if last is not None else None
    return _outcome(shown, table) if shown is not None and shown.outcome is not None else None


def _after_conflict(table: Table, one: _Thrown | None) -> _Thrown | None:
    """`one`, or None if it is older than the end of the last conflict."""
    end = table.conflict_end
    return None if one is None or (end is not None and one.number < end.number) else one


def _shows_more(table: Table) -> bool:
    """Whether there is more to show than unattributed dice."""
    return not table.ready or any((table.last_task, table.challenge, table.conflict, table.asked))


def _fresh_turn(table: Table) -> bool:
    """Whether a conflict waits for somebody to act, so that the last Turn's dice no longer matter."""
    conflict = table.conflict
    return conflict is not None and (conflict.turn is None or not conflict.turn.tasks)


def _newest(table: Table, free: FreeRoll, others: Iterable[Task | ChallengeRoll | None]) -> bool:
    """Whether `free` was thrown after the others: the active side's Task closes last but was declared first (OPP-1)."""
    there = [one.number for one in others if one is not None]
    return not there or (free.number > max(there) and free.reading_id == table.seen_readings[-1])


def _waiting(table: Table) -> StageView:
    if not table.ready:
        lines = (say("Set one up first: ruleset, players, characters."),)
        return StageView(kind="setup", who="", word=say("No table yet"), lines=lines)
    if table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION:
        other = named_opponent(table, table.task.declaration)
        lines = (say("The other side throws first. Declare its Task."),)
        if other:
            lines = (say("{who} throws first. Declare a Task of theirs.", who=other),)
        return StageView(kind="idle", who=_summary(table.task), word=say("Opposed"), lines=lines)
    if table.conflict is not None:
        return _turn(table, table.conflict)
    lines = (say("Declare a Task, or throw: free dice are shown, not scored."),)
    if table.conflict_end is not None:
        ended = say("It ended in Round {round}.", round=table.conflict_end.round)
        return StageView(kind="idle", who=table.scene_name, word=say("The conflict is over"), lines=(ended, *lines))
    return StageView(kind="idle", who=table.scene_name, word=say("Ready"), lines=lines)


def turn_holder(table: Table) -> str:
    """Who has the Turn in a conflict (TURN-1); empty while nobody has it, or while there is no conflict."""
    turn = table.conflict.turn if table.conflict is not None else None
    if turn is None:
        return ""
    return _name_of(table, turn.combatant_id)


def _turn(table: Table, conflict: Conflict) -> StageView:
    """Between two throws of a conflict: who acts, or that somebody has to be chosen."""
    name = turn_holder(table)
    title = say("Round {number}", number=conflict.round)
    if name:
        over = _turn_is_lost(table, conflict)
        if not over:
            return StageView(kind="turn", who=title, word=say("{name}'s Turn", name=name))
        return StageView(kind="turn", who=title, word=over, lines=_after_lost_turn(table))
    if round_is_over(table):
        over = say("Round {round} is over", round=conflict.round)
        lines = (say("The gamemaster begins the next Round."),)
        return StageView(kind="turn", who=table.scene_name, word=over, lines=lines)
    allowed = may_begin(table)
    sides = {one.side for one in allowed}
    if len(allowed) == 1:
        only = say("{name} is next", name=combatant_name(table, allowed[0].combatant_id))
        begins = say("The gamemaster begins the Turn.") if Side.NPC in sides else say("Begin the Turn, or pass.")
        return StageView(kind="turn", who=title, word=only, lines=_some(begins, _may_end(table)))
    chosen = say("Choose who acts next.")
    if sides == {Side.NPC}:
        chosen = say("The gamemaster chooses who acts next.")
    elif sides == {Side.PC}:
        chosen = say("The players choose who acts next.")
    return StageView(kind="turn", who=title, word=say("Whose Turn?"), lines=_some(chosen, _may_end(table)))


def foes_are_out(table: Table) -> bool:
    """Whether a fight had foes, and none of them can act any more."""
    seats = table.conflict.combatants if table.conflict is not None else ()
    foes = [one.combatant_id for one in seats if one.side is Side.NPC]
    return bool(foes) and not any(is_able(table, one) for one in foes)


def _may_end(table: Table) -> Phrase | str:
    return say("No foe can act any more: the gamemaster may end the fight.") if foes_are_out(table) else ""


def with_who_begins(shown: StageView, table: Table, *, led: bool) -> StageView:
    """`shown` with who begins the next Round: where no gamemaster joined (`led` False), anybody does."""
    if led or shown.kind != "turn" or table.conflict is None or table.conflict.turn or not round_is_over(table):
        return shown
    return replace(shown, lines=(say("Begin the next Round."),))


def _turn_is_lost(table: Table, conflict: Conflict) -> Phrase | str:
    """Why whoever has the Turn can do nothing with it any more, as a heading; empty while they can act."""
    turn = conflict.turn
    if turn is None or not turn_is_lost(table):
        return ""
    who = turn.guest_id or turn.combatant_id
    name = _name_of(table, who)
    ship = next((one for one in table.ships if one.ship_id == who), None)
    if ship is not None and ship.state.destroyed:
        return say("{name} is destroyed", name=name)
    return say("{name} cannot act", name=name)


def _after_lost_turn(table: Table) -> tuple[str, ...]:
    """Who goes on after a Turn that is lost, and who is next then."""
    turn = table.conflict.turn if table.conflict is not None else None
    players = turn is not None and turn.side is Side.PC
    ends = say("The Turn is over: end it to go on.") if players else say("The Turn is over: the gamemaster goes on.")
    return _some(ends, after_turn_words(table))


def _summary(task: Task) -> Phrase:
    declared = task.declaration
    attribute, discipline = (titled(one) for one in declared.skills)
    if not declared.label:
        return say("{who}, {attribute} + {discipline}", who=task.who, attribute=attribute, discipline=discipline)
    return say(
        "{who}: {label}, {attribute} + {discipline}",
        who=task.who,
        label=declared.label,
        attribute=attribute,
        discipline=discipline,
    )


def _question(table: Table, questions: Sequence[str]) -> StageView:
    held = table.held
    assert held is not None  # noqa: S101 - for the type checker: asked for only then
    asked = {one.position for one in held.questions if one.position is not None}
    numbered = list(enumerate(held.dice))
    if len(numbered) > _MOST_DRAWN:  # a mat that looks like dice: those that were surely read are drawn in any case
        numbered = sorted(sorted(numbered, key=lambda one: one[0] in asked)[:_MOST_DRAWN], key=lambda one: one[0])
    dice = tuple(held_die(die, place + 1, asked=place in asked) for place, die in numbered)
    who = table.request.who if table.request is not None else ""
    word = _miscounted(held, table.request) or say("Look at the dice")
    return StageView(kind="question", who=who, word=word, lines=_some(*questions), dice=dice)


def _miscounted(held: HeldThrow, request: ThrowRequest | None) -> Phrase | str:
    """By how many the dice are too many or too few, where nothing else of them is in question; else empty."""
    reasons = {one.reason for one in held.questions}
    if request is None or reasons != {QuestionReason.WRONG_COUNT}:
        return ""
    question = held.questions[0]
    seen, expected = question.seen or 0, question.expected or 0
    whole = expected + len(request.kept)  # those that stay may lie there, too
    if seen > whole:
        return say_count(seen - whole, "{number} die too many", "{number} dice too many")
    if seen < expected:
        return say_count(expected - seen, "{number} die is missing", "{number} dice are missing")
    return ""


def _asked(table: Table, request: ThrowRequest, task: Task | None) -> StageView:
    what = counted(request.count, "d20" if request.kind is DieKind.D20 else "Challenge Die")
    again = request.role in _AGAIN
    word = say("Throw {dice} again", dice=what) if again else say("Throw {dice}", dice=what)
    kept = dice_that_stay(table, request)
    if task is None or request.role in OF_NO_TASK:
        step = request.role is ThrowRole.STEP
        label = table.challenge.label if table.challenge is not None and not step else capitalized(request.why)
        anybody = "" if request.who else say("Anybody at the table throws.")
        lines = _some(label, beside_dice_words(table), anybody, _still_to_spend(table))
        return StageView(kind="ask", who=_for_whom(table, request), word=word, lines=lines, dice=kept)
    target, double = goal(table, task, request.role)
    needed = to_win(table, task)
    facts = (
        StageFact(say("Target Number"), str(target)),
        StageFact(say("Counts double"), "1" if double <= 1 else say("1 to {most}", most=double)),
        StageFact(say("Difficulty"), str(task.difficulty)) if needed is None else StageFact(say("To win"), str(needed)),
    )
    wide = _wide(task.declaration.complication_range)
    against = against_words(table, task)
    if needed is not None and table.opposed is not None:  # how many win stands among the figures
        against = _successes_against(table.opposed)
    lines = _some(against, wide, say("The others stay.") if again else "", *still_to_throw(table, task))
    helped = say("{helper} helps {who}", helper=request.who, who=task.who)
    own = request.role in OWN or (request.role is ThrowRole.SHIP and ship_acts(task))
    who = _summary(task) if own else helped
    dice = kept if again else tuple(task_die(die) for die in task.dice)
    duel = None if again else _duel_asked(task, table, _some(wide, *still_to_throw(table, task)))
    return StageView(kind="ask", who=who, word=word, lines=lines, facts=facts, dice=dice, duel=duel)


def _for_whom(table: Table, request: ThrowRequest) -> str:
    """Who throws the dice of no Task; for a players' ship that hit, who fires."""
    attack, task = table.attack, table.task
    fires = attack is not None and task is not None and attack.attacker == request.who != task.who and not task.npc
    return say("{who} for {ship}", who=_called(table, task.who), ship=request.who) if fires and task else request.who


def _wide(complication_range: int) -> str:
    """What a complication range wider than usual means (TASK-7)."""
    return RANGE_WORDS[complication_range] if complication_range > 1 else ""


def _some(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)


def _chain(table: Table, asked: str) -> StageView:
    """What a conflict's chain asks a person, with the damage dice."""
    attack = table.attack
    step = table.agenda[0]
    of_hit = step.kind in _OF_A_HIT
    dice = damage_dice(attack) if attack is not None and of_hit else ()
    if attack is not None and step.kind is StepKind.CHOOSE_DAMAGE:
        dice += cover_dice(attack)
    who = attack.attacker if attack is not None else ""
    facts: tuple[StageFact, ...] = ()
    if attack is not None and attack.faces and of_hit:
        total, effects = whole_damage(attack)
        facts = (StageFact(say("Damage"), str(total)), StageFact(say("Effects"), str(effects)))
    word = _who_chooses(table)
    telling = None
    if attack is not None and (headline := _hit_words(table, attack)):
        about = titled(step.system) if step.system is not None else "" if attack.attacker_id else who
        flat = step.kind is StepKind.FLAT_HIT
        lines = (say("Buy more for this damage, or settle it."),) if flat else (asked,)
        number, hint = _damage(table, attack) or _left_after(table, step), _still_to_spend(table)
        telling = Telling(headline=headline, chooses=word, about=about, number=number, lines=lines, hint=hint)
    elif headline := _befell(table, step):
        telling = Telling(headline=headline, chooses=word, lines=(asked,))
    ship = next((one for one in table.ships if one.ship_id == step.subject_id), None)
    beat = _beat_of_hit(table.task or last_result(table), attack) if attack is not None and of_hit else ""
    shown = StageView(
        kind="chain", who=who, word=word, lines=(asked,), facts=facts, dice=dice, telling=telling, beat=beat
    )
    if ship is None or dice or telling is None:
        return shown
    return replace(shown, struck=ship.ship_id, system=step.system.value if step.system is not None else "")


def with_harm(shown: StageView, history: History) -> StageView:
    """`shown` with what a blow that was settled did, beside whom it hits."""
    table = history.present
    task, telling = table.task or last_result(table), shown.telling
    if shown.kind != "outcome" or task is None or telling is None:
        return shown
    settled = _blow_of(task, history.done)
    if settled is None:
        return shown
    headline = _with_harm(telling.headline, settled)
    telling = replace(telling, headline=headline, lines=_some(*telling.lines, _located(settled)))
    return replace(shown, telling=telling, blow=_blow_shown(shown, telling, task, settled))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """An attack as it was at last, and the tables before it and once it was settled."""

    attack: Attack
    before: Table
    after: Table
    hit: Hit | None
    system: System | None = None
    """The system of a ship that the attack's first hit found, if it was found."""


def _blow_of(task: Task, done: Sequence[DecidedStep]) -> _Settled | None:
    """The attack that a Task set off, once it is settled; None of any other Task, and until then."""
    there = _while_in_hand(task.number, done)
    first = next((place for place, one in enumerate(there) if one.attack is not None), len(there))
    struck = list(takewhile(lambda one: one.attack is not None, there[first:]))
    attack = struck[-1].attack if struck else None
    if attack is None or first + len(struck) == len(there):
        return None
    found = (one.system for each in struck for one in each.agenda if one.kind in _LOCATED and one.system is not None)
    hits = (foreseen_hit(one) or foreseen_ship_hit(one) for one in reversed(struck))
    hit = next((one for one in hits if one is not None), None)
    after = there[first + len(struck)]
    return _Settled(attack=attack, before=struck[0], after=after, hit=hit, system=next(found, None))


_LOCATED: Final = frozenset({StepKind.FLAT_HIT, StepKind.SETTLE_SHIP_HIT})
"""The steps of a hit on a ship that know which system it finds."""


def _with_harm(headline: Phrase | str, settled: _Settled | None) -> Phrase | str:
    """`headline` of a blow with the harm that it did; as it is where there is none, and until the blow is settled."""
    harm = _harm(settled.before, settled.after, settled.attack.action.target_id) if settled is not None else ""
    return joined_by(": ", [headline, harm]) if harm else headline


def _blow_shown(shown: StageView, telling: Telling, task: Task, settled: _Settled) -> Blow:
    """A settled attack for the room: the dice of the damage in place of those that hit."""
    attack, before, after = settled.attack, settled.before, settled.after
    target = attack.action.target_id
    dice = damage_dice(attack)
    ship = next((one for one in after.ships if one.ship_id == target), None)
    breached = _breached(before, ship) if ship is not None else {}
    others = tuple(one for one in dict.fromkeys(attack.hit_ids) if one != target)
    harms = ((_name_of(after, one), _harm(before, after, one)) for one in others)
    left = telling.number if task.phase is TaskPhase.SPENDING and task.momentum_left else None
    return Blow(
        headline=telling.headline,
        cost=telling.cost,
        about=_damage_told(attack, settled.hit) if dice else telling.about,
        number=_left_to(after, target),
        lines=(
            *_some(_located(settled) if settled.system not in breached else ""),
            *(joined_by(": ", [titled(one.value), counted(number, "Breach")]) for one, number in breached.items()),
            *(joined_by(": ", _some(name, harm)) for name, harm in harms if name),
        ),
        dice=dice,
        counts=tuple(accumulate(points_of(face) for face in attack.faces)),
        mark=shown.mark,
        weight=Weight.SUCCESS.value if shown.weight == Weight.TRIUMPH else shown.weight,
        beat=_beat_of_hit(task, attack),
        struck=target if ship is not None else "",
        system=(max(breached, key=lambda one: breached[one]) if breached else settled.system or ""),
        next=_some(joined_by(": ", [left.name, left.value]) if left is not None else ""),
    )


def _located(settled: _Settled) -> Phrase | str:
    """The system that a settled attack on a ship found, with what became of it; empty where none was found."""
    target = settled.attack.action.target_id
    ship = next((one for one in settled.after.ships if one.ship_id == target), None)
    if settled.system is None or ship is None:
        return ""
    number = _breached(settled.before, ship).get(settled.system, 0)
    broken = counted(number, "Breach") if number else say("no Breach")
    return joined_by(": ", [titled(settled.system.value), broken])


def _damage_told(attack: Attack, hit: Hit | None) -> Phrase:
    """The damage of the dice, with the Resistance that it met, and their Effects."""
    total, effects = whole_damage(attack)
    more = say_count(effects, "{number} Effect", "{number} Effects") if effects else ""
    told = StageFact(say("Damage before Resistance"), str(total))
    if hit is not None:
        told = _lessened(total, hit.total_resistance, hit.damage)
    return joined_by(": ", [told.name, joined_by(", ", _some(told.value, more))])


def _breached(before: Table, ship: Ship) -> dict[System, int]:
    """The systems of a ship with Breaches that they did not have `before`, and how many."""
    was = next((one for one in before.ships if one.ship_id == ship.ship_id), ship).state
    more = {one: ship.state.damage_of(one).breaches - was.damage_of(one).breaches for one in System}
    return {one: number for one, number in more.items() if number > 0}


def with_what_was_before(shown: StageView, history: History) -> StageView:
    """`shown`, which asks for the dice of a Task that began by itself, with what the one before it came to.

    That one ended by itself in the same moment, so that its dice would be seen by nobody.
    """
    table = history.present
    number = table.task.number if table.task is not None and shown.kind == "ask" else 0
    began = next((one for one in reversed(history.done[-LOOKED_BACK:]) if not _is_in_hand(one.before, number)), None)
    if not number or began is None or began.command in {"declare_task", "line_up"}:
        return shown
    return replace(shown, before=_total_before(table, began) or _work_before(began) or _task_before(began))


def _total_before(table: Table, began: DecidedStep) -> Phrase | str:
    """What the Challenge Dice came to with whose last ones the next Task began; empty where there are none."""
    roll, fell, there = table.challenge, began.after.challenge, began.before.challenge
    if roll is None or fell is None or roll.number != fell.number or roll.total is None or not fell.closed:
        return ""
    if there is not None and there.number == fell.number and there.dice == fell.dice:
        return ""
    return say(
        "Before it: the Challenge Dice show {faces}, total {total}, {effects}.",
        faces=faces_words([one.face for one in roll.dice]),
        total=roll.total,
        effects=counted(roll.effects, "Effect") if roll.effects else say("no Effect"),
    )


def _work_before(began: DecidedStep) -> Phrase | str:
    """What the Work came to with whose dice, or whose Progress, the next Task began; empty where there is none."""
    over, was = began.after.last_task, began.before.last_task
    work = over.work if over is not None else None
    if over is None or work is None or (was is not None and was.number == over.number and was.work is not None):
        return ""
    outcome, faces = _worked(work, _called(began.after, over.who)), faces_words([one.face for one in work.dice])
    if not work.dice:
        return say("Before it: {outcome}.", outcome=outcome)
    return say("Before it: {outcome} with {faces}.", outcome=outcome, faces=faces)


def _task_before(began: DecidedStep) -> Phrase | str:
    """What the Task came to with whose end the next one began; of an Opposed Task, with the dice that fell last."""
    table, last = began.after, began.before.task
    over = last_result(table)
    ended = (table.last_task, table.last_opponent)
    thrown = next((one for one in ended if one is not None and last is not None and one.number == last.number), None)
    if over is None or over.outcome is None or thrown is None or not thrown.dice:
        return ""
    faces = faces_words([one.die.face for one in thrown.dice])
    if over.opposed_winner is OpposedWinner.NONE:
        return say("Before it: neither side wins. {who} threw {faces}.", who=_called(table, thrown.who), faces=faces)
    result = _result(over, table, _called(table, over.who), good=reached(over), banner=False)
    if over.opposed_winner is None:
        return say("Before it: {outcome} with {faces}.", outcome=result, faces=faces)
    who = _called(table, thrown.who)
    return say("Before it: {outcome}. {who} threw {faces}.", outcome=result, who=who, faces=faces)


def _left_to(table: Table, its_id: str) -> StageFact | None:
    """What somebody has left of their Stress, or a ship of its Shields; None where it has none at its best."""
    body = next((one.body for one in table.characters if one.character_id == its_id), None)
    state = next((one.state for one in table.ships if one.ship_id == its_id), None)
    name = _name_of(table, its_id)
    if body is not None and body.stress_max:
        return StageFact(
            say("Stress of {name}", name=name), say("{left} of {most}", left=body.stress, most=body.stress_max)
        )
    if state is not None and state.shields_max:
        return StageFact(
            say("Shields of {name}", name=name), say("{left} of {most}", left=state.shields, most=state.shields_max)
        )
    return None


def _while_in_hand(number: int, done: Sequence[DecidedStep]) -> list[Table]:
    """The tables from before that Task's declaration to its end, or to when its attack was settled with its end."""
    found: list[Table] = []
    for step in reversed(done[-LOOKED_BACK:]):
        if _is_in_hand(step.after, number):
            found.append(step.after)
        elif _is_in_hand(step.before, number):
            found += [step.after] if step.before.attack is not None else []
        elif found:
            return [step.after, *reversed(found)]
        elif step.after.next_number <= number:
            break
    return found[::-1]


def _is_in_hand(table: Table, number: int) -> bool:
    return any(one is not None and one.number == number for one in (table.task, table.opposed))


def _harm(before: Table, after: Table, struck: str) -> Phrase | str:
    """What a settled blow did to one, in short; empty where that cannot be told from how they stood and stand.

    Damage beyond the last point of Stress or Shields is nowhere kept: then the Injury or the Breach is told alone.
    """
    for was in before.characters:
        now = next((one for one in after.characters if one.character_id == was.character_id), None)
        if was.character_id == struck and now is not None:
            stress = was.body.stress if was.body.stress_max else now.body.stress_max
            hurt = "" if was.body.injury is now.body.injury else _HURT[now.body.injury]
            return _harm_words(stress, now.body.stress, hurt)
    for ship in before.ships:
        hit = next((one for one in after.ships if one.ship_id == ship.ship_id), None)
        if ship.ship_id == struck and hit is not None:
            breaches = _breaches(hit) - _breaches(ship)
            broken = counted(breaches, "Breach") if breaches > 0 else ""
            broken = say("ship destroyed") if hit.state.destroyed else broken
            return _harm_words(ship.state.shields, hit.state.shields, broken)
    return ""


def _harm_words(before: int, after: int, hurt: Phrase | str) -> Phrase | str:
    damage = say("{damage} damage", damage=before - after) if 0 < after < before else ""
    if damage or hurt:
        return joined_by(", ", _some(damage, hurt))
    return say("no damage") if after == before else ""


def _breaches(ship: Ship) -> int:
    return sum(one.breaches for one in ship.state.systems) + ship.state.unplaced_breaches


_HURT: Final[Mapping[InjuryState, Phrase | str]] = {
    InjuryState.NONE: "",
    InjuryState.NONLETHAL: counted(1, "Injury"),
    InjuryState.LETHAL: say("lethal Injury"),
    InjuryState.DEAD: say("dead"),
}
"""How badly somebody is hurt, in a headline."""


def with_injury_counted(shown: StageView, history: History) -> StageView:
    """`shown` with which Injury of how many is asked about, where one hit caused several (DMG-5)."""
    table, telling = history.present, shown.telling
    left = most = _injuries_left(table)
    for step in reversed(history.done[-LOOKED_BACK:]):
        before = step.before
        there = _injuries_left(before) if _who_is_hit(before) == _who_is_hit(table) else 0
        if not there:
            break
        most = max(most, there)
    if telling is None or not left or most == 1:
        return shown
    words = say("Injury {number} of {count}", number=most - left + 1, count=most)
    return replace(shown, telling=replace(telling, about=joined_by(": ", _some(telling.about, words))))


def _injuries_left(table: Table) -> int:
    """How many Injuries of whoever is asked about one come one after the other, with that one; else 0."""
    ours = takewhile(lambda one: (one.kind, one.subject_id) == (StepKind.INJURY, _who_is_hit(table)), table.agenda)
    return sum(1 for _ in ours)


def _who_is_hit(table: Table) -> str:
    return table.agenda[0].subject_id if table.agenda else ""


_OF_A_HIT: Final = frozenset(
    {
        StepKind.CHOOSE_DAMAGE,
        StepKind.INJURY,
        StepKind.KNOCKDOWN,
        StepKind.CHOOSE_SHIP_DAMAGE,
        StepKind.FLAT_HIT,
    }
)
"""The steps of a chain about the target of the attack itself, not about others aboard or beside."""


def _hit_words(table: Table, attack: Attack) -> Phrase | str:
    """Who hits whom with the attack in hand; empty if the next step is about something else."""
    step = table.agenda[0]
    hit = step.subject_id
    if step.kind is StepKind.FLAT_HIT and not step.count:
        return ""
    if step.kind not in _OF_A_HIT or hit not in {attack.action.target_id, *attack.hit_ids}:
        return ""
    target = _name_of(table, hit)
    if not attack.attacker_id:
        return say("{target} is hit", target=target) if target else ""
    who, whom = _called(table, attack.attacker), _called(table, target)
    return say("{who} hits {target}", who=who, target=whom) if target else ""


def _damage(table: Table, attack: Attack) -> StageFact | None:
    """The damage while more can be bought for it; once it is applied, the voice reports the result."""
    step = table.agenda[0]
    if step.kind is StepKind.FLAT_HIT:
        whole, met = step.count + attack.bonus_damage, flat_resistance(table, step)
        return _lessened(whole, met, max(0, whole - met))
    if step.kind not in {StepKind.CHOOSE_DAMAGE, StepKind.CHOOSE_SHIP_DAMAGE} or not attack.faces:
        return None
    total, effects = whole_damage(attack)
    bought, thrown = attack.bonus_damage, sum(points_of(face) for face in attack.faces)
    hit = foreseen_hit(table) or foreseen_ship_hit(table)
    wound = "Injury" if step.kind is StepKind.CHOOSE_DAMAGE else "Breach"
    parts = [
        counted(hit.wounds, wound) if hit is not None and hit.wounds else "",
        say_count(effects, "{number} Effect", "{number} Effects") if effects else "",
        say("Vicious adds {points}", points=total - thrown - bought) if total > thrown + bought else "",
        say("Bonus Damage adds {points}", points=bought) if bought else "",
    ]
    note = joined_by(", ", _some(*parts))
    if hit is None:
        return StageFact(say("Damage before Resistance"), str(total), note=note)
    return _lessened(total, hit.total_resistance, hit.damage, note)


def _lessened(whole: int, resistance: int, left: int, note: Phrase | str = "") -> StageFact:
    """Damage with the Resistance that it meets, and what is left of it."""
    if not resistance:
        return StageFact(say("Damage"), str(whole), note=note)
    less = say("{whole} − {resistance} = {left}", whole=whole, resistance=resistance, left=left)  # noqa: RUF001 - a minus
    return StageFact(say("Damage less Resistance"), less, note=note)


def _left_after(table: Table, step: Step) -> StageFact | None:
    """What a hit whose damage is applied left of the Stress, while the rest of it is decided."""
    return _left_to(table, step.subject_id) if step.kind in {StepKind.INJURY, StepKind.KNOCKDOWN} else None


def _still_to_spend(table: Table) -> Phrase | str:
    """What is left of the Momentum of the Task in hand, for as long as it buys more."""
    left = table.task.momentum_left if table.task is not None else 0
    return say("{momentum} Momentum of this Task left.", momentum=left) if left else ""


def _who_chooses(table: Table) -> Phrase:
    """Who answers what a chain asks, as a heading for everybody who waits."""
    found = chooser(table)
    if found is None or (not found.gamemaster and not found.character_id):
        return say("The players choose")
    if found.gamemaster:
        return say("The gamemaster chooses")
    return say("{name} chooses", name=_called(table, _name_of(table, found.character_id)))


def _befell(table: Table, step: Step) -> Phrase | str:
    """What happened, where a chain asks about something else than the attack's own hit; empty if it is told already."""
    name = _name_of(table, step.subject_id)
    if not name:
        return ""
    if step.kind is StepKind.SHAKEN:
        return _breach_words(table, step) or say("{name} is shaken", name=name)
    if step.kind is StepKind.CASUALTY:
        return say("Somebody aboard {ship} is injured", ship=name)
    if step.kind is StepKind.INJURY:
        return say("{name} is hit", name=name)
    if step.kind is StepKind.KNOCKDOWN:
        return say("{name} is knocked down", name=name)
    return ""


def _breach_words(table: Table, step: Step) -> Phrase | str:
    """The Breaches of the system whose hit shook the ship; empty if it has none."""
    ship = next((one for one in table.ships if one.ship_id == step.subject_id), None)
    number = ship.state.damage_of(step.system).breaches if ship is not None and step.system is not None else 0
    if ship is None or step.system is None or not number:
        return ""
    return say_count(
        number,
        "{number} Breach on {ship}: {system}",
        "{number} Breaches on {ship}: {system}",
        ship=ship.name,
        system=titled(step.system.value),
    )


def _outcome(task: Task, table: Table) -> StageView:
    """The Task's own outcome; once its opposition is decided, whether its side won (OPP-1), before it neither."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    winner = task.opposed_winner
    good = reached(task)
    waits = task.phase is TaskPhase.AWAITING_OPPOSITION
    struck_by = _struck_by(task, table)
    theirs = struck_by or task
    landed = good or struck_by is not None  # a blow of either side
    counted_out = winner is not None or task.phase is TaskPhase.SPENDING or task.spends or task.saved or task.lost
    momentum = task.momentum_left + task.saved + task.lost if counted_out else result.momentum
    spent = any(one.from_generated for one in task.spends)
    mark = "" if waits else _mark(theirs, table, good=landed)
    lines = _some(
        _against(task),
        _won_by(task, table) if winner is not None and not good else "",
        next_throw_words(table, task) if waits else "",
        _to_spend(task, table),
        say("{points} Momentum saved to the group.", points=task.saved) if task.saved else "",
        _lost(task),
    )
    shown = StageView(
        kind="outcome",
        who=_summary(task),
        whose=task.declaration.character_id,
        word=_word(task, good=good),
        lines=lines,
        facts=(
            *(() if waits else (StageFact(say("Momentum left") if spent else say("Momentum won"), str(momentum)),)),
            _complications(task),
        ),
        dice=tuple(task_die(die) for die in task.dice),
        mark=mark,
        weight="" if waits or is_foes(theirs, table) else weight_of(task).value,
        beat=_beat(task),
        counts=tuple(accumulate(one.successes if one.counted else 0 for one in task.dice)),
        telling=_telling(task, table, good=good, momentum=0 if waits else momentum),
        duel=_duel(task, table, mark),
    )
    return shown if task.work is None else _with_work(shown, task.work, table)


def _with_work(shown: StageView, work: Work, table: Table) -> StageView:
    """`shown` with what its Task did on an Extended Task: the dice of the Work in place of those that succeeded."""
    track = work.track
    telling = shown.telling
    assert telling is not None  # noqa: S101 - for the type checker: every outcome has one
    of_most = say("{left} of {most}", left=min(track.marked, track.work), most=track.work)
    made = min(track.breakthroughs, track.magnitude)
    easier = work.breakthroughs and any(one.track_id == track.track_id for one in table.extended)
    telling = replace(
        telling,
        number=StageFact(say("Progress") if track.progress else say("Work"), of_most),
        lines=_some(
            resistance_words(work),
            "" if track.progress else say("Breakthroughs: {made} of {most}.", made=made, most=track.magnitude),
            say("{track} is finished.", track=capitalized(track.label)) if is_finished(track) else "",
            say("The next Task on it has Difficulty {difficulty}.", difficulty=difficulty_now(track)) if easier else "",
            *(() if work.dice else telling.lines),
        ),
        hint="",
    )
    if not work.dice:
        return replace(shown, telling=telling)
    return replace(
        shown,
        telling=telling,
        dice=tuple(challenge_die(one) for one in work.dice),
        counts=tuple(accumulate(points_of(one.face) for one in work.dice)),
        weight=Weight.SUCCESS.value if shown.weight == Weight.TRIUMPH else shown.weight,
        beat=f"{shown.beat} {'-'.join(str(one.face) for one in work.dice)}",
        duel=None,
    )


def _duel_asked(task: Task, table: Table, lines: tuple[str, ...]) -> Duel | None:
    """The other side's throw beside whoever throws now, with `lines`; None while there is none."""
    other = table.opposed
    if other is None or other.outcome is None:
        return None
    awaited = table.request.count if table.request is not None else 0
    sides = (_duel_side(other, table, lies=True), replace(_duel_side(task, table), awaited=awaited))
    return Duel(sides=sides[::-1] if other.reactive else sides, lines=lines)


def _duel(task: Task, table: Table, blow: str) -> Duel | None:
    """Both throws of a decided Opposed Task; None of any other. `blow` is the mark of one that strikes somebody.

    It is told as it is for the players where only one side is theirs, else for the winner.
    """
    other = other_side(table, task)
    if other is None or other.outcome is None:
        return None
    won = other if reached(other) else task
    told = next((one for one in (task, other) if not one.npc), won) if task.npc is not other.npc else won
    active, reactive = sorted((task, other), key=lambda one: one.reactive)
    neither = task.opposed_winner is OpposedWinner.NONE
    struck = _struck(task, table) or _struck(other, table)
    reactive_first = profile(table).opposed_reactive_first
    headline: Phrase | str = say("Neither side wins") if neither else _headline(won, table, good=True)
    shared = won.momentum_left + won.saved + won.lost
    return Duel(
        sides=tuple(_duel_side(one, table, lies=one.reactive is reactive_first) for one in (active, reactive)),
        headline="" if struck else headline,
        about=_about(active if neither else won, table),
        number=None if neither or not shared else _number(won, table, shared),
        lines=_some(say("Neither reaches their Difficulty.") if neither else _why(task, table), _lost(won)),
        mark=blow if struck else _mark(told, table, good=reached(told)),
        weight="" if is_foes(told, table) else weight_of(told).value,
        beat=" ".join(_beat(one) for one in (active, reactive)),
    )


def _duel_side(task: Task, table: Table, *, lies: bool = False) -> DuelSide:
    """A side as it is in the duel."""
    result, decided = task.outcome, task.opposed_winner not in {None, OpposedWinner.NONE}
    return DuelSide(
        name=_called(table, task.who),
        words=counted(result.successes, "success") if result is not None else "",
        cost=_cost(task),
        mark=(("npc-won" if is_foes(task, table) else "won") if reached(task) else "lost") if decided else "",
        dice=tuple(task_die(die) for die in task.dice),
        lies=lies,
    )


def _telling(task: Task, table: Table, *, good: bool, momentum: int) -> Telling:
    """The outcome without repetition: Complications beside the headline, successes only if there is no Momentum."""
    waits = task.phase is TaskPhase.AWAITING_OPPOSITION
    decided = task.opposed_winner is not None
    return Telling(
        headline=_headline(task, table, good=good, banner=weight_of(task) is Weight.TRIUMPH),
        cost=_cost(task),
        about=_about(task, table),
        number=_number(task, table, momentum if good else 0),
        lines=_some(
            _beside(task, table) if decided else "",
            _why(task, table),
            next_throw_words(table, task) if waits else "",
            _lost(task),
        ),
        hint=_becomes_of_the_rest(task, table),
    )


_LONGEST_DEED: Final = 32
"""Most letters of a deed and a name that head an outcome: more would take the dice's room, and stand small above it."""


def _deed(task: Task, table: Table) -> str:
    """What the Task was about, where that heads its outcome: of the answer to another's, what that one was.

    Empty of a blow, which tells whom it hits, and of another Task in a fight whose deed nobody named.
    """
    deed = _named_deed(task, table)
    too_long = len(deed) + len(_called(table, task.who)) > _LONGEST_DEED
    return "" if too_long or task.phase is TaskPhase.AWAITING_OPPOSITION or _struck(task, table) else deed


def _named_deed(task: Task, table: Table) -> str:
    """What somebody named as what the Task is about, else as what the one was that it answered; else empty."""
    label, action = task.declaration.label, task.declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    own = "" if row is not None and row.free_form and label == row.label else label
    answered = other_side(table, task) if task.reactive else None
    return own or (_named_deed(answered, table) if answered is not None and not _struck(answered, table) else "")


def _headline(task: Task, table: Table, *, good: bool, banner: bool = False) -> Phrase:
    """The deed, where one was named, and the result for whoever threw; for an attack, whom it hits.

    `banner`: a triumph is told above it.
    """
    deed = _deed(task, table)
    who = _called(table, task.who) if deed else task.who
    result = _worked(task.work, who) if task.work else _result(task, table, who, good=good, banner=banner)
    return joined_by(": ", [deed, result]) if deed else result


def _worked(work: Work, who: str) -> Phrase:
    """What somebody's Work on an Extended Task came to."""
    made = work_words(work)
    return say("{who} gets {work}", who=who, work=made) if made else say("{who} gets no Work done", who=who)


def _result(task: Task, table: Table, who: str, *, good: bool, banner: bool) -> Phrase:
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say("{who} sets Difficulty {difficulty}", who=who, difficulty=result.successes)
    if task.phase is TaskPhase.AWAITING_OPPOSITION and task.dice:
        return say("{who}: {successes}", who=who, successes=counted(result.successes, "success"))
    target = _struck(task, table)
    if target:
        return _blow(task, table, target, good=good)
    if task.opposed_winner in {OpposedWinner.ACTIVE, OpposedWinner.REACTIVE}:
        return say("{who} wins", who=who) if good else say("{who} loses", who=who)
    if good and result.at_cost:
        return say("{who} succeeds at cost", who=who)
    return _BY_WEIGHT[Weight.SUCCESS if banner else weight_of(task)](who)


def _blow(task: Task, table: Table, target: str, *, good: bool) -> Phrase:
    """Whose blow lands on whom; of an attack that was answered in vain, that it missed."""
    who = task.who
    neither = task.reactive and task.opposed_winner is OpposedWinner.NONE
    if neither or _struck_by(task, table) is not None:
        who, target = target, who
    landed = good or _struck_by(task, table) is not None
    who, target = _called(table, who), _called(table, target)
    missed = say("{who} misses {target}", who=who, target=target)
    return say("{who} hits {target}", who=who, target=target) if landed else missed


_BY_WEIGHT: Final[Mapping[Weight, Callable[[str], Phrase]]] = {
    Weight.FAILURE: lambda who: say("{who} fails", who=who),
    Weight.SUCCESS: lambda who: say("{who} succeeds", who=who),
    Weight.COST: lambda who: say("{who} succeeds", who=who),
    Weight.TRIUMPH: lambda who: say("{who} triumphs", who=who),
}
"""How a Task ended by itself, by its weight; the Complications of a success with a cost are told beside it."""


def _struck_by(task: Task, table: Table) -> Task | None:
    """The attack that this Task did not ward off; None for any other Task."""
    lost = task.reactive and task.opposed_winner is OpposedWinner.ACTIVE and bool(_struck(task, table))
    return other_side(table, task) if lost else None


def _struck(task: Task, table: Table) -> str:
    """The name of an attack's target; empty for any other Task."""
    return _name_of(table, _target_of(task, table))


def _target_of(task: Task, table: Table) -> str:
    """The id of an attack's target; empty for any other Task."""
    action = task.declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    return action.target_id if action is not None and row is not None and row.strikes else ""


def aimed_at(table: Table) -> frozenset[str]:
    """The ids of those that the attack in hand is aimed at, from its declaration until each hit is settled."""
    attack = table.attack
    hit = {attack.action.target_id, *attack.hit_ids} if attack is not None else set()
    tasks = (one for one in (table.task, table.opposed) if one is not None)
    return frozenset(hit | {_target_of(one, table) for one in tasks}) - {""}


def _name_of(table: Table, its_id: str) -> str:
    """The name of a character or ship; empty if it is no longer at the table."""
    named = {one.ship_id: one.name for one in table.ships} | {one.character_id: one.name for one in table.characters}
    return named.get(its_id, "")


def _about(task: Task, table: Table) -> Phrase:
    """What the headline leaves open of what was thrown for."""
    attribute, discipline = (titled(one) for one in task.declaration.skills)
    skills = say("{attribute} + {discipline}", attribute=attribute, discipline=discipline)
    label = task.declaration.label or _named_deed(task, table)
    return joined_by(", ", [label, skills]) if label and not _deed(task, table) else skills


def _cost(task: Task) -> Phrase | str:
    """The Complications of the dice, and how many of them are still open."""
    told = _complications(task)
    if not told.mark:
        return ""
    number = task.outcome.complications if task.outcome is not None else 0
    return joined_by(", ", [say_count(number, "{number} Complication", "{number} Complications"), told.note])


def _number(task: Task, table: Table, momentum: int) -> StageFact | None:
    """The Momentum won, else the successes beside the Difficulty, if there is one; None if there is neither."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if momentum:
        left = task.momentum_left if task.phase is TaskPhase.SPENDING else 0
        if not left and not task.saved and task.lost:
            return StageFact(say("Momentum lost"), str(task.lost))
        if not left:
            return StageFact(say("Momentum saved") if task.saved else say("Momentum"), str(task.saved or momentum))
        saves = not task.npc and save_momentum(table.momentum, left).saved
        return StageFact(say("Momentum to spend or save") if saves else say("Momentum to spend"), str(left))
    if not task.dice or (task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION):
        return None
    return _to_win(task, table) or _successes(task, result.successes, result.difficulty)


def _successes(task: Task, successes: int, difficulty: int) -> StageFact:
    if task.opposed_winner is not None or not difficulty:
        note = say("none needed") if task.opposed_winner is None else ""
        return StageFact(say("Successes"), str(successes), note=note)
    needed = say("{successes} of {difficulty}", successes=successes, difficulty=difficulty)
    return StageFact(say("Successes"), needed)


def _to_win(task: Task, table: Table) -> StageFact | None:
    """How many successes the other side needs to win, where the one that threw first reached its Difficulty (OPP-2).

    Its own Difficulty is what its Task would start from; whoever declares it may still choose another.
    """
    result, waits = task.outcome, task.phase is TaskPhase.AWAITING_OPPOSITION and not task.reactive
    if not waits or result is None or not result.success:
        return None
    meant = expected(table, task)
    theirs = as_dialled(table, Declaration(character_id=meant[0] if len(meant) == 1 else "")).difficulty
    at = say("at Difficulty {difficulty}", difficulty=theirs)
    return StageFact(say("To win"), str(successes_to_win(result, theirs)), note=at)


def beside_what_was_told(shown: StageView, table: Table, told: Narration | None) -> StageView:
    """`shown`, marked `says_all` if the last narration was this outcome, this dial, or asks of the dice the same.

    What the caption says of the dial is not shown beneath another thing at the same time.
    """
    if told is None:
        return shown
    shown = replace(shown, says_it_large=_is_large(shown, told), asks=_asks(shown, table))
    if shown.kind == "question":
        return replace(shown, says_all=told.normal == sentences(*shown.lines))
    dial = dial_words(table)
    if dial and told.normal == dial and dial_counts(table):
        others = tuple(one for one in shown.next if one != dial)
        return replace(shown, next=others, says_all=len(others) == len(shown.next))
    now = outcome_now(table) if shown.kind == "outcome" else None
    return replace(shown, says_all=now is not None and told.normal == now.normal)


def _asks(shown: StageView, table: Table) -> tuple[str, ...]:
    """The sentences for the dice that it asks for, with who throws them and without."""
    if shown.kind != "ask":
        return ()
    return _some(asked_words(table), asked_words(table, named=False)) or (say("{words}.", words=shown.word),)


def _is_large(shown: StageView, told: Narration) -> bool:
    """Whether the last narration is the very sentence of a Turn, or of a new scene with its name, that stands there."""
    if shown.kind == "turn":
        return told.normal == f"{shown.word}."
    scene = told.normal.partition(", ")[2]
    return shown.kind == "idle" and bool(shown.who) and scene == f"{shown.who}."


def _beat(task: Task) -> str:
    return _throw_id(task.number, (one.die.face for one in task.dice))


def _beat_of_hit(task: Task | None, attack: Attack) -> str:
    """An id for the damage of an attack, from when its dice lie there: what comes of it is no throw of its own."""
    return f"{_beat(task) if task is not None else ''} {_throw_id(attack.number, attack.faces)}"


def _throw_id(number: int, faces: Iterable[Face]) -> str:
    """An id for a throw: settling keeps it, a re-roll changes it."""
    return "-".join([str(number), *(str(one) for one in faces)])


def _lost(task: Task) -> str:
    """What of a Task's Momentum found no room in the pool; empty where all did (POOL-2)."""
    return (
        say("{points} Momentum lost: the pool holds {most}.", points=task.lost, most=MOMENTUM_CAP) if task.lost else ""
    )


def _to_spend(task: Task, table: Table) -> str:
    """What happens to the Momentum left, if it is not simply saved.

    A full pool takes none (POOL-2), an NPC saves none (POOL-9).
    """
    left = task.momentum_left if task.phase is TaskPhase.SPENDING else 0
    if not left:
        return ""
    if task.npc:
        return say_count(
            left,
            "{number} Momentum to spend; the rest becomes Threat.",
            "{number} Momentum to spend; the rest becomes Threat.",
        )
    if not save_momentum(table.momentum, left).saved:
        return say_count(
            left,
            "{number} Momentum to spend, or it is lost: the pool is full.",
            "{number} Momentum to spend, or it is lost: the pool is full.",
        )
    return ""


def _becomes_of_the_rest(task: Task, table: Table) -> Phrase | str:
    """The same beside the number of what is left: what becomes of it alone."""
    if not _to_spend(task, table):
        return ""
    return say("What is left becomes Threat.") if task.npc else say("What is left is lost: the pool is full.")


def _word(task: Task, *, good: bool) -> Phrase:
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say("Difficulty {difficulty}", difficulty=result.successes)
    if task.phase is TaskPhase.AWAITING_OPPOSITION and task.dice:
        return counted(result.successes, "success")
    if task.opposed_winner in {OpposedWinner.ACTIVE, OpposedWinner.REACTIVE}:
        return say("Wins") if good else say("Loses")
    if not result.success:
        return say("Failure")
    return say("Success at cost") if result.at_cost else say("Success")


def _beside(task: Task, table: Table) -> Phrase | str:
    """What the other side of a decided Opposed Task threw; where neither won, that."""
    other = other_side(table, task)
    if task.opposed_winner is OpposedWinner.NONE:
        return say("Neither side wins.")
    return _successes_against(other) if other is not None else ""


def _successes_against(other: Task) -> Phrase:
    """What lies there against a Task: who threw how many successes."""
    successes = other.outcome.successes if other.outcome is not None else 0
    return say_count(successes, "Against {who}: {number} success.", "Against {who}: {number} successes.", who=other.who)


def seen_by(shown: StageView, table: Table, me: str) -> StageView:
    """`shown` as the phone of whoever plays `me` has it: of a decided Opposed Task that side's own result (OPP-1).

    The room is shown one side. Whoever was the other one sees no mark of what the opponent reached. Who is to throw
    against a Task has a button that says so, and who throws now has the dice in sight without what was before.
    """
    task = table.task or last_result(table)
    if shown.before and task is not None and task.declaration.character_id == me:
        return replace(shown, before="")
    waits = task is not None and task is table.task and task.phase is TaskPhase.AWAITING_OPPOSITION
    if task is not None and waits and shown.telling is not None and opponent(table, task) == _name_of(table, me) != "":
        said = next_throw_words(table, task)
        others = tuple(one for one in shown.telling.lines if one != said)
        return replace(shown, telling=replace(shown.telling, lines=others))
    if shown.kind != "outcome" or task is None or task.opposed_winner is None:
        return shown
    own = other_side(table, task)
    if own is None or own.outcome is None or own.declaration.character_id != me:
        return shown
    theirs = _outcome(own, table)
    if shown.telling is not None and theirs.telling is not None and _struck(own, table):
        blow = replace(theirs.telling, headline=shown.telling.headline)  # the same blow, with the harm that it did
        theirs = replace(theirs, telling=blow)
    return replace(theirs, beat=shown.beat, says_all=shown.says_all)


def _mark(task: Task, table: Table, *, good: bool) -> str:
    """How a Task ended, as the players' side of the table sees it: a foe's success is no success there."""
    how = "success" if good else "failure"
    return f"npc-{how}" if is_foes(task, table) else how


def _won_by(task: Task, table: Table) -> Phrase:
    """Who won the Opposed Task that this side lost."""
    winner = other_side(table, task)
    if task.opposed_winner is OpposedWinner.NONE or winner is None:
        return say("Neither side wins.")
    if winner.momentum_left:
        return say("{who} wins with {momentum} Momentum.", who=winner.who, momentum=winner.momentum_left)
    return say("{who} wins.", who=winner.who)


def _why(task: Task, table: Table) -> Phrase | str:
    """Why the winner of a decided Opposed Task won, where the successes do not show it; else empty."""
    other = other_side(table, task)
    if other is None or task.opposed_winner is OpposedWinner.NONE:
        return ""
    won, lost = (task, other) if reached(task) else (other, task)
    return why_won(won, lost, profile(table), _called(table, won.who), _called(table, lost.who))


def _against(task: Task) -> Phrase:
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say_count(result.successes, "{number} success.", "{number} successes.")
    if not task.declaration.rolled and not task.dice:
        return say("Difficulty 0: no dice needed.")
    return say_count(
        result.successes,
        "{number} success against Difficulty {difficulty}.",
        "{number} successes against Difficulty {difficulty}.",
        difficulty=result.difficulty,
    )


def _complications(task: Task) -> StageFact:
    """The number of Complications, and how many of them are still open."""
    number, left = task.outcome.complications if task.outcome is not None else 0, task.complications_open
    if not number:
        return StageFact(say("Complications"), "0")
    note = say("open") if left == number else say("{number} open", number=left) if left else say("settled")
    return StageFact(say("Complications"), str(number), "complication", note)


def _challenge(roll: ChallengeRoll) -> StageView:
    title = joined_by(": ", [part for part in (roll.who, roll.label) if part]) or say("Challenge Dice")
    return StageView(
        kind="challenge",
        who=title,
        word=say_count(roll.total or 0, "{number} point", "{number} points"),
        lines=(say_count(roll.effects or 0, "{number} Effect.", "{number} Effects."),),
        dice=tuple(challenge_die(die) for die in roll.dice),
        beat=_throw_id(roll.number, (one.face for one in roll.dice)),
    )


def _free(roll: FreeRoll) -> StageView:
    dice = tuple(free_die(die) for die in roll.dice)
    if roll.found:
        lines = (say("Nobody was seen to throw these: shown, not scored."),)
        return StageView(kind="free", who="", word=say("Lay there already"), lines=lines, dice=dice)
    lines = (say("Nothing was declared: shown, not scored."),)
    return StageView(kind="free", who="", word=say("Free roll"), lines=lines, dice=dice)

"""Courses of play by fixed seeds: evenings of rolls, conflicts on foot and with ships, in each ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from rules import history
from rules.deciding.decision import Command, name_of
from rules.dice import DieKind, DieReading, DieState, Guess
from rules.errors import Refusal
from rules.history import Decision, History
from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import Attribute, Discipline, Payer, RerollReason, Ruleset
from rules.tasks.asking import AskForTask, TakeBackAsking
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.declaring import CreateProblem, DeclareTask
from rules.tasks.determination import SurgeOfActivity
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.settling import FinishSpending
from rules.undo import Redo, Undo
from tests.rules.tabletop import OKAFOR_VALUE, Game, challenge_die, die, reading
from tests.rules.wild import face_of, fight_on_foot, move, ship_duel

Mover = Callable[[Table, Random], Command]

FIGHTS: Final = ((fight_on_foot, range(1, 5)), (ship_duel, range(11, 16)))
"""The conflicts and their seeds, for each ruleset."""

EVENINGS: Final = range(21, 24)
"""The seeds of the evenings without a conflict, for each ruleset."""

MOVES: Final = 90
"""The moves of one course of play; what is refused is one too."""


def all_played() -> Iterator[tuple[str, History]]:
    """Each course of play with its name; the recorder sees its decisions as they are made."""
    for ruleset in Ruleset:
        for scene, seeds in FIGHTS:
            for seed in seeds:
                yield f"{scene.__name__}, {ruleset}, seed {seed}", _played(scene(ruleset).history, seed, fighting)
        for seed in EVENINGS:
            yield f"evening, {ruleset}, seed {seed}", _played(Game(ruleset, momentum=2).history, seed, relaxed)


def scripted() -> Iterator[tuple[str, History]]:
    """Courses of play that are written out, each with its name: what chance seldom meets in the right moment."""
    for ruleset in Ruleset:
        yield f"problems, {ruleset}", _problems(ruleset)


def _problems(ruleset: Ruleset) -> History:
    """Both sides make the other's Task harder before its dice: with Threat, Momentum, added Threat, and two of them."""
    game = Game(ruleset, momentum=3)
    game.declare(difficulty=1)
    game.do(CreateProblem())
    game.do(CreateProblem())
    game.throw(5, 9)
    game.do(FinishSpending())
    game.declare(game.brack, difficulty=0)
    game.do(CreateProblem())
    game.do(CreateProblem(threat_part=1))
    game.do(CreateProblem(threat_part=2))
    game.do(Undo())
    game.do(Redo())
    game.throw(1, 2)
    game.do(FinishSpending())
    return game.history


def _played(at: History, seed: int, mover: Mover) -> History:
    chance = Random(seed)  # noqa: S311 - the seed is the course of play
    for _ in range(MOVES):
        if chance.random() < 0.04:
            for command in (Undo(),) * chance.randint(1, 3) + (Redo(),) * chance.randint(0, 3):
                at = _taken(at, command)
        else:
            at = _taken(at, mover(at.present, chance))
    return at


def _taken(at: History, command: Command) -> History:
    try:
        events = history.decide(at, command)
    except Refusal:
        return at
    if not events:
        return at
    return history.evolve(at, Decision(number=at.next_decision, by="", command=name_of(command), events=events))


def fighting(table: Table, chance: Random) -> Command:
    """A move of a conflict, some dice of which are in doubt."""
    if table.request is not None and chance.random() < 0.15:
        return in_doubt(table, chance)
    return move(table, chance.getrandbits(24))


def relaxed(table: Table, chance: Random) -> Command:
    """A move of an evening of Tasks, Challenge Dice and what surrounds them."""
    if table.request is not None:
        return in_doubt(table, chance) if chance.random() < 0.3 else move(table, chance.getrandbits(24))
    offered = options(table)
    if offered and chance.random() < 0.55:
        return chance.choice(offered).worded()
    if table.task is not None or table.held is not None or chance.random() < 0.2:
        return move(table, chance.getrandbits(24))
    return chance.choice(_EVENING)(table, chance)


def in_doubt(table: Table, chance: Random) -> Command:
    """The dice awaited, read so that a person must look: too many, too few, cocked, doubtful, or of no throw at all."""
    request = table.request
    assert request is not None
    make = die if request.kind is DieKind.D20 else challenge_die
    dice = [make(face_of(request.kind, chance)) for _ in range(request.count)]
    where = chance.randrange(len(dice)) if dice else 0
    kind = chance.randrange(5)
    if kind == 0 or not dice:
        dice.append(make(face_of(request.kind, chance)))
    elif kind == 1:
        dice.pop()
    elif kind == 2:
        dice[where] = replace(dice[where], state=DieState.COCKED)
    else:
        dice[where] = _doubtful(dice[where], chance)
    return reading(*dice)


def _doubtful(one: DieReading, chance: Random) -> DieReading:
    guesses = tuple(Guess(face=face, chance=part) for face, part in ((1, 0.5), (2, 0.4)))
    state = chance.choice([DieState.DOUBTFUL, DieState.MOVING, DieState.IN_HAND])
    return replace(one, face=None, state=state, confidence=0.4, guesses=guesses)


def _person(table: Table, chance: Random) -> str:
    return chance.choice([one.character_id for one in table.characters] or ["nobody"])


def _task(table: Table, chance: Random) -> Declaration:
    who = _person(table, chance)
    bought = chance.choice([(), (), (Payer.MOMENTUM,), (Payer.THREAT,), (Payer.TALENT, Payer.THREAT)])
    return Declaration(
        character_id=who,
        attribute=chance.choice(tuple(Attribute)),
        discipline=chance.choice(tuple(Discipline)),
        focus=chance.random() < 0.5,
        difficulty=chance.randint(0, 3),
        complication_range=chance.choice([1, 1, 3]),
        purchases=tuple(Purchase(payer=payer) for payer in bought),
        rolled=chance.random() < 0.95,
        may_succeed_at_cost=chance.random() < 0.4,
        opposed=chance.random() < 0.15,
        rerolls=chance.choice([(), (RerollReason.AIM,), (RerollReason.ACCURATE_AIM,)]),
        action=_work(table, chance),
    )


def _work(table: Table, chance: Random) -> Action | None:
    """Work on an Extended Task, where there is one."""
    if not table.extended or chance.random() < 0.5:
        return None
    return Action(name="extended", target_id=table.extended[0].track_id)


_EVENING: Final[tuple[Callable[[Table, Random], Command], ...]] = (
    *(lambda t, r: DeclareTask(declaration=_task(t, r)),) * 6,
    lambda _, r: DeclareChallenge(count=r.randint(1, 4), who="Okafor"),
    lambda t, r: AskForTask(
        character_id=_person(t, r),
        attribute=r.choice(tuple(Attribute)),
        discipline=r.choice(tuple(Discipline)),
        difficulty=r.randint(0, 3),
    ),
    lambda t, r: TakeBackAsking(character_id=r.choice([one.character_id for one in t.asked] or ["nobody"])),
    lambda _, r: BeginExtendedTask(label="Repairs", work=r.randint(4, 9), magnitude=r.randint(1, 3)),
    lambda _, r: StartScene(name=r.choice(["", "The shuttle bay"])),
    lambda _, r: reading(*(die(r.randint(1, 20)) for _ in range(r.randint(1, 3)))),
    lambda _, __: SurgeOfActivity(character_id="character-3", value=OKAFOR_VALUE),
    lambda t, r: move(t, r.getrandbits(24)),
)
"""What people at a table ask for when nothing is in hand."""

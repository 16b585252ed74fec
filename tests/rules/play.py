"""Random commands for a table as it stands: some legal, some not, all of the kinds that people and sources send."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from rules.deciding.decision import Command
from rules.dice import DieKind, DieReading, DieState, Face, Guess, Reading, SourceKind, Symbol
from rules.setup.setting_up import StartScene, StartSession
from rules.setup.table_options import ChangeOptions
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration, Modifier, Purchase, ShipAssistance
from rules.state.vocabulary import (
    Attribute,
    Discipline,
    Payer,
    Pool,
    RerollReason,
    Ruleset,
    Spend,
    System,
    TraitKind,
    ValueAction,
)
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge, RerollChallenge
from rules.tasks.declaring import BuyDie, CreateProblem, DeclareTask, WithdrawTask
from rules.tasks.determination import MakeItSo, SurgeOfActivity, UseValueAgainst
from rules.tasks.pools import AdjustPool, GainThreat, SpendThreat
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, SucceedAtCost, TakeComplication
from rules.tasks.task_dice import ThrowAgainst
from rules.tasks.throwing import CorrectDie, DismissThrow, DropDie, ReportReading
from rules.tasks.traits import AddTrait
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE

D20S = st.integers(1, 20)
CHARACTERS = st.sampled_from(["character-3", "character-4", "character-5"])
VALUES = st.sampled_from(["", OKAFOR_VALUE, LINDQVIST_VALUE])
CHALLENGE_FACES: st.SearchStrategy[Face] = st.sampled_from([1, 2, 3, 4, 5, 6, Symbol.BLANK, Symbol.EFFECT])
PLACES = st.integers(0, 5)

TABLE_OPTIONS = st.builds(
    TableOptions,
    determination_first=st.none() | st.booleans(),
    bonus_price_counts_all=st.none() | st.booleans(),
    inspiration_subset=st.none() | st.booleans(),
    surge_difficulty=st.none() | st.integers(0, 1),
    create_problem_cap=st.none() | st.integers(0, 3),
    momentum_decay=st.none() | st.integers(0, 1),
    price_complications_buyoff=st.none() | st.booleans(),
    opposed_reactive_first=st.none() | st.booleans(),
    determination_start=st.none() | st.integers(0, 3),
)

RULESETS = st.sampled_from(Ruleset)


PURCHASES = st.builds(Purchase, payer=st.sampled_from(Payer), threat_part=st.sampled_from([0, 0, 0, 1]))

HELPERS = st.builds(
    Assistance,
    character_id=CHARACTERS,
    attribute=st.just(Attribute.REASON),
    discipline=st.sampled_from(Discipline),
    focus=st.booleans(),
)

SHIPS = st.builds(
    ShipAssistance,
    ship_id=st.just("ship-6"),
    system=st.sampled_from(System),
    department=st.just(Discipline.SCIENCE),
)


def _declared(
    character_id: st.SearchStrategy[str],
    value: st.SearchStrategy[str],
    bonus: st.SearchStrategy[tuple[Purchase, ...]],
    helper: st.SearchStrategy[Assistance],
    rolled: st.SearchStrategy[bool],
) -> st.SearchStrategy[DeclareTask]:
    return st.builds(
        DeclareTask,
        declaration=st.builds(
            Declaration,
            character_id=character_id,
            attribute=st.just(Attribute.CONTROL),
            discipline=st.sampled_from(Discipline),
            focus=st.booleans(),
            difficulty=st.integers(0, 3),
            modifiers=st.sampled_from([(), (Modifier(reason="Dark", change=1),), (Modifier(reason="Map", change=-2),)]),
            complication_range=st.integers(1, 5),
            purchases=bonus,
            value=value,
            assists=st.lists(helper, max_size=2, unique_by=lambda one: one.character_id).map(tuple),
            ship=st.none() | SHIPS,
            rolled=rolled,
            may_succeed_at_cost=st.booleans(),
            opposed=st.booleans(),
            rerolls=st.lists(st.sampled_from(RerollReason), unique=True).map(tuple),
        ),
    )


_THREAT = Purchase(payer=Payer.THREAT)
_FREE = Purchase(payer=Payer.TALENT)
_FIXED = Purchase(payer=Payer.DETERMINATION)

LIKELY_TASKS = _declared(
    st.just("character-3"),
    st.just(OKAFOR_VALUE),
    st.sampled_from([(), (_FREE,), (_THREAT, _THREAT), (_FIXED, _FREE), (Purchase(payer=Payer.MOMENTUM),)]),
    HELPERS.map(lambda one: replace(one, character_id="character-4")),
    st.just(True),  # noqa: FBT003 - the value itself
) | _declared(
    st.sampled_from(["character-4", "character-5"]),
    st.just(""),
    st.sampled_from([(), (_FREE,), (_THREAT,)]),
    HELPERS.map(lambda one: replace(one, character_id="character-3")),
    st.just(True),  # noqa: FBT003 - the value itself
)
"""Tasks of the three characters of `tabletop.Game` that the rules mostly allow."""

TASKS = LIKELY_TASKS | _declared(CHARACTERS, VALUES, st.lists(PURCHASES, max_size=4).map(tuple), HELPERS, st.booleans())
"""Tasks of all sorts."""

POSITIONS = st.lists(PLACES, min_size=1, max_size=5, unique=True).map(tuple)

SPENDS = st.builds(MakeSpend, spend=st.sampled_from(Spend), times=st.integers(0, 3), threat_part=st.integers(-1, 3))

CHOICES: st.SearchStrategy[Command] = st.one_of(
    st.builds(BuyDie, purchase=PURCHASES, value=VALUES),
    st.builds(CreateProblem, steps=st.integers(0, 4), threat_part=st.integers(0, 2)),
    st.just(WithdrawTask()),
    st.just(ThrowAgainst()),
    st.just(ThrowAgainst()),
    st.builds(ChangeOptions, options=TABLE_OPTIONS),
    SPENDS,
    st.just(SucceedAtCost()),
    st.just(FinishSpending()),
    st.just(FinishSpending()),
    st.builds(TakeComplication, name=st.sampled_from(["", "Sparks"])),
    st.just(BuyOffComplication()),
    st.builds(DeclareChallenge, count=st.integers(0, 4), who=st.sampled_from(["", "Okafor", "Brack"])),
    st.just(CloseChallenge()),
    st.builds(SurgeOfActivity, character_id=CHARACTERS, value=VALUES),
    st.builds(MakeItSo, character_id=CHARACTERS, value=VALUES, advantage=st.sampled_from(["", "Cover"])),
    st.builds(
        UseValueAgainst,
        character_id=CHARACTERS,
        value=VALUES,
        action=st.sampled_from(ValueAction),
        complication=st.sampled_from(["", "Late"]),
    ),
    st.builds(AdjustPool, pool=st.sampled_from(Pool), change=st.integers(-3, 6)),
    st.builds(GainThreat, event=st.sampled_from(["torpedo_attack", "none"]), amount=st.integers(0, 3)),
    st.builds(
        SpendThreat,
        event=st.sampled_from(["create_complication", "environment_effect"]),
        amount=st.integers(-1, 3),
        note=st.sampled_from(["", "Storm"]),
    ),
    st.builds(AddTrait, name=st.sampled_from(["Fog", "", "Dark"]), kind=st.sampled_from(TraitKind)),
    st.just(StartScene()),
    st.just(StartSession()),
)
"""What people decide beside the dice: purchases, spends, Complications, Values, pools, scenes."""

SAID_OF_DICE: st.SearchStrategy[Command] = st.one_of(
    st.builds(CorrectDie, position=PLACES, face=D20S | CHALLENGE_FACES),
    st.builds(DropDie, position=PLACES),
    st.just(DismissThrow()),
    st.builds(CorrectScoredDie, position=PLACES, face=D20S | CHALLENGE_FACES, challenge=st.booleans()),
    st.builds(RerollDice, positions=POSITIONS, reason=st.sampled_from(RerollReason), value=VALUES),
    st.builds(RerollChallenge, positions=POSITIONS),
)
"""What people say about dice: corrected, left out, set aside, thrown again."""


def _read(face: Face) -> DieReading:
    kind = DieKind.CHALLENGE if isinstance(face, Symbol) else DieKind.D20
    return DieReading(kind=kind, face=face, confidence=0.99, state=DieState.READ, source=SourceKind.CAMERA)


def _read_for_challenge(face: Face) -> DieReading:
    pips = not isinstance(face, Symbol) and face > 2
    kind = DieKind.D6 if pips else DieKind.CHALLENGE
    return DieReading(kind=kind, face=face, confidence=0.99, state=DieState.READ, source=SourceKind.CAMERA)


UNSURE = st.builds(
    DieReading,
    kind=st.sampled_from(DieKind),
    face=st.none(),
    confidence=st.just(0.4),
    state=st.sampled_from([DieState.DOUBTFUL, DieState.COCKED, DieState.MOVING, DieState.IN_HAND]),
    source=st.just(SourceKind.CAMERA),
    guesses=st.just((Guess(face=1, chance=0.5), Guess(face=2, chance=0.4))),
)


@cache
def dice(kind: DieKind, count: int) -> st.SearchStrategy[list[DieReading]]:
    """Mostly exactly the dice awaited, read well; sometimes one too many, none, or one that is unsure."""
    good = good_dice(kind, count)
    return good | st.lists(_good_die(kind) | UNSURE, max_size=count + 1)


@cache
def good_dice(kind: DieKind, count: int) -> st.SearchStrategy[list[DieReading]]:
    """Exactly the dice awaited, read well."""
    return st.lists(_good_die(kind), min_size=count, max_size=count)


def _good_die(kind: DieKind) -> st.SearchStrategy[DieReading]:
    return D20S.map(_read) if kind is DieKind.D20 else CHALLENGE_FACES.map(_read_for_challenge)


@cache
def faces(kind: DieKind, count: int) -> st.SearchStrategy[tuple[Face, ...]]:
    """Faces that a person enters for the throw awaited."""
    one: st.SearchStrategy[Face] = D20S if kind is DieKind.D20 else CHALLENGE_FACES
    return st.lists(one, min_size=count, max_size=count).map(tuple)


def kept_dice(table: Table) -> list[DieReading]:
    """The dice that stay on the table during a re-roll, as a camera would see them again."""
    if table.request is None:
        return []
    read = _read if table.request.kind is DieKind.D20 else _read_for_challenge
    return [read(face) for face in table.request.kept]


def seen(reading_id: str, shown: list[DieReading]) -> ReportReading:
    """A reading of the camera."""
    return ReportReading(reading=Reading(reading_id=reading_id, source=SourceKind.CAMERA, dice=tuple(shown)))

"""The gamemaster's bridge: what waits for an answer and whose it is, the crew and the foes, the dial, the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final

from kiosk.views.conflict_view import Camp, Fighter, camps, tracks_told
from kiosk.views.foes import MOST, crew_ships, kinds_of_foes, kinds_of_ships
from kiosk.views.stage.declared import in_line_words
from kiosk.views.stage.turn import foes_are_out
from rules.game import (
    DIFFICULTY_WORDS,
    Character,
    InjuryState,
    Side,
    Standing,
    Table,
    allies_among,
    chooser,
    combatant_name,
    declarers,
    dial_now,
    dialled,
    may_begin,
    round_is_over,
    to_take_words,
    told_apart_by,
    turn_is_lost,
    turn_told,
    waiting,
)
from rules.words import Phrase, say

HIGHEST: Final = 20
"""The highest face of a d20, a Complication in every range."""

RANGES: Final = (say("usual"), say("risky"), say("perilous"), say("precarious"), say("treacherous"))
"""A word for each complication range from 1 to 5 (TASK-7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that waits, as a sentence; `mine` for the gamemaster, else `whose`, the person's name, if known."""

    words: str
    whose: str = ""
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of foe or ship of the library: its name in fields, and what stands beside it."""

    key: str
    name: str
    more: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Whom a crew can meet at once; `homes` are the crew's ships where there are several, `offered` what it can take.

    `lost` says that the crew had a ship, and none of theirs is left.
    `crew` are the players' characters who live, where somebody plays some of them and others nobody does: each with id,
    name and whether they are played. Empty where all of them take part.
    """

    foes: tuple[Kind, ...]
    ships: tuple[Kind, ...]
    most: int = MOST
    homes: tuple[tuple[str, str], ...]
    offered: tuple[Kind, ...] = ()
    lost: bool = False
    crew: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Somebody who asks with another phone, or at the table's `screen`, for a character that `owner` plays."""

    person: str
    person_id: str
    character: str
    character_id: str
    owner: str
    screen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """Everything of the bridge; `library` while a fight can begin, `acts` names the NPC or ship whose Turn it is.

    `allies`: whether NPCs or ships with crews of their own fight beside the crew; `tracks`: how far Extended Tasks are.
    `unset` are the NPCs of whose strength nobody said anything yet, by id, who may get one of the `strengths`.
    """

    waits: tuple[Waiting, ...]
    asking: tuple[Asking, ...]
    acts: str
    crew: Camp
    foes: Camp
    allies: bool
    dial: DialView
    library: Library | None
    tracks: tuple[Phrase, ...]
    unset: frozenset[str]
    strengths: tuple[tuple[str, Phrase], ...]


def bridge(table: Table, persons: Sequence[Mapping[str, Any]]) -> Bridge:
    """The bridge for `table`; `persons` are those present, as in the view."""
    crew, foes = camps(table)
    points = {one.character_id: one.determination for one in table.characters}
    with_points = tuple(_with_determination(one, points.get(one.combatant_id)) for one in crew.people)
    return Bridge(
        waits=_waits(table, persons),
        asking=_asking(table, persons),
        acts=combatant_name(table, acts_now(table)) if acts_now(table) else "",
        crew=replace(crew, people=with_points),
        foes=foes,
        allies=table.conflict is not None and bool(allies_among(table.conflict.combatants, table)),
        dial=dial_view(table),
        library=_library(table, played_by_somebody(persons)) if table.ready and table.conflict is None else None,
        tracks=tuple(words for _, words in tracks_told(table)),
        unset=frozenset(one.character_id for one in table.characters if _is_unset(one)),
        strengths=tuple((key, name) for key, name, _ in kinds_of_foes()),
    )


def _is_unset(one: Character) -> bool:
    """Whether an NPC is like a new card: all attributes one number, all disciplines too, no weapons, no abilities."""
    numbers = (astuple(one.attributes), astuple(one.disciplines))
    alike = all(len(set(each)) == 1 for each in numbers)
    return one.standing is not Standing.PLAYER and alike and not one.weapons and not one.abilities


def _kinds(listed: Iterable[tuple[str, Phrase, Phrase]]) -> tuple[Kind, ...]:
    return tuple(Kind(key=key, name=name, more=more) for key, name, more in listed)


def _with_determination(one: Fighter, points: int | None) -> Fighter:
    if points is None:
        return one
    return replace(one, notes=(say("Determination {points}", points=points), *one.notes))


def _waits(table: Table, persons: Sequence[Mapping[str, Any]]) -> tuple[Waiting, ...]:
    """What waits first, what else waits, and who stands in line."""
    actor, players = _actor(table), _players(table)
    played_by = {character: str(one["called"]) for one in persons for character in one["characters"]}
    asked = chooser(table)
    mine = (bool(actor) and actor not in players) or _master_begins(table)
    if asked is not None:
        mine = asked.gamemaster
    over = asked is None and table.task is None and foes_are_out(table)
    # Complications wait beside whatever else does, and may be somebody else's: each is told by itself.
    told = turn_told(replace(table, complications_waiting=())).normal
    return (
        Waiting(words=told, whose=played_by.get(actor, ""), mine=mine),
        *(
            Waiting(
                words=to_take_words(one.who, one.left, told_apart_by(table, one)),
                whose=played_by.get(one.character_id, ""),
                mine=one.npc,
            )
            for one in table.complications_waiting
        ),
        *([Waiting(words=say("No foe can act any more. End the conflict, or play on."), mine=True)] if over else []),
        *(Waiting(words=say("In line: {what}.", what=in_line_words(table, one))) for one in table.in_line),
    )


def _asking(table: Table, persons: Sequence[Mapping[str, Any]]) -> tuple[Asking, ...]:
    """Who asks for a character, as long as another has it."""
    owners = {character: one["called"] for one in persons for character in one["characters"]}
    names = {one.character_id: one.name for one in table.characters}
    return tuple(
        Asking(
            person=one["called"],
            person_id=one["person_id"],
            character=names[one["asks"]],
            character_id=one["asks"],
            owner=owners[one["asks"]],
            screen=one.get("at_kiosk", False),
        )
        for one in persons
        if one["asks"] in owners and one["asks"] in names
    )


def acts_now(table: Table) -> str:
    """The id of the NPC or ship whose Turn the gamemaster plays now; empty if there is none."""
    busy = table.task is not None or table.request is not None or table.held is not None or bool(table.agenda)
    turn = table.conflict.turn if table.conflict is not None else None
    if busy or turn is None or turn_is_lost(table):
        return ""
    actor = _actor(table)
    return "" if actor in _players(table) else actor


def _players(table: Table) -> frozenset[str]:
    return frozenset(one.character_id for one in table.characters if one.standing is Standing.PLAYER)


def _actor(table: Table) -> str:
    """The id of whose answer, dice or Turn is awaited; empty if nobody's is."""
    named = {one.name: one.ship_id for one in table.ships} | {one.name: one.character_id for one in table.characters}
    if table.request is not None and table.request.who in named:
        return named[table.request.who]
    if table.agenda:
        step, found = table.agenda[0], chooser(table)
        if found is not None and not found.gamemaster:
            return found.character_id
        return step.subject_id or step.by_id
    if waiting(table) is not None:
        may = tuple(declarers(table))
        meant = len(may) == 1 or may[0] not in _players(table) if may else False  # of several players none is
        return may[0] if meant else ""
    if table.task is not None:
        return table.task.declaration.character_id
    turn = table.conflict.turn if table.conflict is not None else None
    return (turn.guest_id or turn.combatant_id) if turn is not None else ""


def _master_begins(table: Table) -> bool:
    """Whether the gamemaster begins the next Round or Turn, as nobody else can."""
    if table.conflict is None or table.conflict.turn is not None or table.task is not None or table.agenda:
        return False
    return round_is_over(table) or {one.side for one in may_begin(table)} == {Side.NPC}


def played_by_somebody(persons: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The characters that those persons play with a device."""
    return frozenset(each for one in persons for each in one["characters"])


def _library(table: Table, played: frozenset[str]) -> Library:
    crew = tuple(
        (one.character_id, one.name, one.character_id in played)
        for one in table.characters
        if one.standing is Standing.PLAYER and one.body.injury is not InjuryState.DEAD
    )
    own = tuple((one.ship_id, one.name) for one in table.ships if one.crew is None and not one.state.destroyed)
    return Library(
        foes=_kinds(kinds_of_foes()),
        ships=_kinds(kinds_of_ships()),
        homes=own if len(own) > 1 else (),
        offered=() if own else _kinds(crew_ships()),
        lost=not own and any(one.crew is None for one in table.ships),
        crew=crew if len({plays for _, _, plays in crew}) > 1 else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DialStep:
    """One step of a dial: its value, its label, its word, and whether it is the present one."""

    value: int
    shown: str
    word: str
    pressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DialView:
    """Both dials; `in_hand`: they change the Task in hand."""

    title: str
    in_hand: bool
    difficulties: tuple[DialStep, ...]
    ranges: tuple[DialStep, ...]


def dial_view(table: Table) -> DialView:
    """The dials' settings: those of a player's Task in hand if they change it, else those for the next Task."""
    task = dialled(table)
    now, is_set = dial_now(table), task is not None or table.dial is not None
    return DialView(
        title=_title(task.who) if task is not None else say("How hard is the next Task?"),
        in_hand=task is not None,
        difficulties=tuple(
            DialStep(value=place, shown=str(place), word=word, pressed=is_set and place == now.difficulty)
            for place, word in enumerate(DIFFICULTY_WORDS)
        ),
        ranges=tuple(
            DialStep(
                value=place,
                shown=_faces(place),
                word=word,
                pressed=is_set and place == now.complication_range,
            )
            for place, word in enumerate(RANGES, 1)
        ),
    )


def _title(who: str) -> Phrase:
    return say("How hard is {who}'s Task?", who=who)


def _faces(complication_range: int) -> str:
    """The faces that are Complications, as a dial has them, the lowest and the highest."""
    return str(HIGHEST) if complication_range == 1 else f"{HIGHEST + 1 - complication_range}\u2013{HIGHEST}"

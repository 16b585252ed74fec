"""Decides a conflict's order: its start and end, who takes part, Rounds, Turns, Initiative (TURN-1 to TURN-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rules.conflict.events import (
    CombatantJoined,
    CombatantLeft,
    ConflictChanged,
    ConflictOver,
    ConflictStarted,
    InitiativeKept,
    ReachChanged,
    RoundBegan,
    TurnBegan,
    TurnOver,
    TurnPassed,
    crew_among,
    foes_among,
)
from rules.conflict.holding import conflict_ends, owner_leaves, turn_starts
from rules.conflict.numbers import require_turn_between
from rules.conflict.order import (
    OTHER_SIDE,
    combatant_name,
    left_to_act,
    may_begin,
    require_able,
    require_combatant,
    require_conflict,
    require_turn,
    round_is_over,
)
from rules.conflict.positions import parted
from rules.conflict.spends import KEEP_INITIATIVE
from rules.conflict.zones import board
from rules.deciding.agenda import finish_step, plan_last
from rules.deciding.checks import find_character, no_such_ship, profile, require_nothing_open, require_ready
from rules.deciding.decision import Command, Draft, StepRow
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Combatant, Conflict, Step, Turn
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, InjuryState, Side, Standing, StepKind
from rules.tasks.determination import end_surge
from rules.tasks.paying import pay_price
from rules.tasks.pools import spend_cost
from rules.tasks.settling import make_room
from rules.words import Phrase, either, known, listed, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Who takes part: a character, or an NPC ship in a starship conflict (NSHIP-2).

    * `side`: None puts players' characters on theirs and everyone else on the gamemaster's.
    * `ship_id`, `station`: the ship it serves on and its seat there.
    * `turns`: Turns a Round; 0 follows the rules: one, and for an NPC ship its Scale (but see S2E-21).
    """

    combatant_id: str
    side: Side | None = None
    ship_id: str = ""
    station: str = ""
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartConflict(Command):
    """Begin Rounds and Turns. `begins` has the first Turn (TURN-2); with nobody named, whoever begins one has it."""

    kind: ConflictKind
    combatants: tuple[Entrant, ...]
    begins: str = ""

    undone: ClassVar[Phrase | None] = say("starting the conflict")

    def decide(self, draft: Draft) -> None:
        """TURN-1, TURN-2: Rounds and Turns begin."""
        require_ready(draft.table)
        make_room(draft)
        require_nothing_open(draft.table)
        if draft.table.conflict is not None:
            raise Refusal("TURN-1", "A conflict is under way; end it first.")
        combatants = _entered(draft, self.kind, self.combatants)
        if not combatants:
            raise Refusal("TURN-1", "Say who takes part in the conflict.")
        if self.begins and all(one.combatant_id != self.begins for one in combatants):
            there = either([combatant_name(draft.table, one.combatant_id) for one in combatants])
            raise Refusal("TURN-2", "Who begins has to take part; choose {names}.", names=there)
        if self.begins:
            require_able(draft.table, self.begins)
        conflict = Conflict(kind=self.kind, round=1, combatants=combatants, next_id=self.begins)
        names = tuple(combatant_name(draft.table, one.combatant_id) for one in combatants)
        begins = combatant_name(draft.table, self.begins) if self.begins else ""
        end_surge(draft)
        draft.record(ConflictStarted(kind=self.kind, names=names, begins=begins, conflict=conflict))
        board(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndConflict(Command):
    """The conflict is over; what lasts by Turns or Rounds ends with it."""

    undone: ClassVar[Phrase | None] = say("ending the conflict")

    def decide(self, draft: Draft) -> None:
        """No more Rounds and Turns."""
        require_conflict(draft.table)
        make_room(draft)
        require_nothing_open(draft.table)
        close_conflict(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddCombatant(Command):
    """Someone joins the conflict under way."""

    combatant: Entrant

    undone: ClassVar[Phrase | None] = say("adding someone to the conflict")

    def decide(self, draft: Draft) -> None:
        """Someone joins and may act this Round."""
        conflict = require_conflict(draft.table)
        if conflict.combatant(self.combatant.combatant_id) is not None:
            raise Refusal("TURN-1", "They take part already; choose someone else.")
        if len(conflict.combatants) >= MOST_COMBATANTS:
            raise Refusal("TURN-1", "At most {most} take part; take someone out first.", most=MOST_COMBATANTS)
        combatant = _combatant(draft, conflict.kind, self.combatant)
        _require_seat(draft, conflict.combatants, combatant)
        draft.record(
            CombatantJoined(
                combatant_id=combatant.combatant_id,
                name=combatant_name(draft.table, combatant.combatant_id),
                side=combatant.side,
                conflict=replace(conflict, combatants=(*conflict.combatants, combatant)),
            )
        )
        board(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCombatant(Command):
    """Someone leaves the conflict."""

    combatant_id: str

    undone: ClassVar[Phrase | None] = say("taking someone out of the conflict")

    def decide(self, draft: Draft) -> None:
        """Someone leaves, with what was bound to their Turns."""
        conflict = require_conflict(draft.table)
        leaving = require_combatant(draft.table, self.combatant_id)
        gone = leaving.combatant_id
        turn = conflict.turn
        if turn is not None and gone in (turn.combatant_id, turn.guest_id):
            raise Refusal("TURN-1", "It is their Turn; end it first.")
        owner_leaves(draft, gone)
        conflict = conflict_with(
            draft,
            combatants=tuple(one for one in conflict.combatants if one.combatant_id != gone),
            reach=tuple(pair for pair in conflict.reach if gone not in pair),
            next_id="" if conflict.next_id == gone else conflict.next_id,
        )
        name = combatant_name(draft.table, gone)
        draft.record(CombatantLeft(combatant_id=gone, name=name, foes=foes_among((leaving,)), conflict=conflict))


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginTurn(Command):
    """A combatant's Turn begins (TURN-1 to TURN-3)."""

    combatant_id: str

    undone: ClassVar[Phrase | None] = say("beginning the Turn")

    def decide(self, draft: Draft) -> None:
        """TURN-1 to TURN-4: the Turn of someone who may have it now."""
        combatant = _require_may_begin(draft.table, self.combatant_id)
        _require_settled(draft)
        conflict = require_conflict(draft.table)
        kept = conflict.kept_initiative
        conflict = replace(
            conflict,
            combatants=conflict.combatants_with(combatant.combatant_id, passed=False, opened=True),
            turn=Turn(combatant_id=combatant.combatant_id, side=combatant.side),
            next_id="",
            kept_initiative=kept if kept is combatant.side else None,
        )
        character = find_character(draft.table, combatant.combatant_id)
        able = not character.body.staggered
        draft.record(
            TurnBegan(
                combatant_id=combatant.combatant_id,
                name=character.name,
                side=combatant.side,
                able=able,
                conflict=conflict,
            )
        )
        if combatant.opened:  # what was begun since the Turn was passed ends now as well
            turn_starts(draft, combatant.combatant_id)
            return
        for starts in draft.playbook.turn_starts:
            starts(draft, combatant.combatant_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn(Command):
    """The Turn in hand is over."""

    undone: ClassVar[Phrase | None] = say("ending the Turn")

    def decide(self, draft: Draft) -> None:
        """The Turn in hand is over, and what held for it."""
        turn = require_turn(draft.table)
        _require_settled(draft)
        conflict = _after_turn(draft, turn, acted=True)
        name = combatant_name(draft.table, turn.combatant_id)
        draft.record(TurnOver(combatant_id=turn.combatant_id, name=name, conflict=conflict))
        for ends in draft.playbook.turn_ends:
            ends(draft, turn.combatant_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTurn(Command):
    """TURN-6: the Turn goes to the other side; with no Minor Action taken it may still be had this Round.

    `combatant_id` is who may begin a Turn and passes instead; empty for the Turn in hand.
    """

    combatant_id: str = ""

    undone: ClassVar[Phrase | None] = say("passing the Turn")

    def decide(self, draft: Draft) -> None:
        """TURN-6: let the other side act; with no Minor Action taken the Turn may still be had this Round."""
        turn = passable_turn(draft.table, self.combatant_id)
        _require_settled(draft)
        _pass(draft, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepInitiative(Command):
    """TURN-4: an ally has the next Turn. `threat_part` points of a player's price are added to Threat."""

    ally_id: str
    threat_part: int = 0

    undone: ClassVar[Phrase | None] = say("keeping the Initiative")

    def payer(self, table: Table) -> str | None:
        """Whose Turn it is; after it, nobody in particular."""
        turn = table.conflict.turn if table.conflict is not None else None
        return turn.combatant_id if turn is not None else ""

    def decide(self, draft: Draft) -> None:
        """TURN-4, C-53: during a Turn, or right after it, its side pays for an ally to have the next one."""
        table = draft.table
        conflict = require_conflict(table)
        side = conflict.turn.side if conflict.turn is not None else conflict.last_side
        if side is None:
            raise Refusal("TURN-4", "Nobody had a Turn yet; whoever begins may simply begin.")
        if conflict.next_id:
            raise Refusal(
                "TURN-4", "{name} is named for the next Turn already.", name=combatant_name(table, conflict.next_id)
            )
        acting = conflict.turn.combatant_id if conflict.turn is not None else ""
        ally = require_combatant(table, self.ally_id)
        if ally.side is not side:
            raise Refusal("TURN-4", "Only an ally can be handed the Turn; choose one of the same side.")
        left = left_to_act(table)
        turns_needed = 2 if ally.combatant_id == acting else 1
        if ally not in left or ally.turns - ally.turns_taken < turns_needed:
            raise Refusal(
                "TURN-4", "{name} has no Turn left; choose another ally.", name=combatant_name(table, ally.combatant_id)
            )
        if not any(one.side is OTHER_SIDE[side] for one in left):
            raise Refusal("TURN-4", "The other side has nobody left to act; your side goes on without paying.")
        npc = side is Side.NPC
        price = spend_cost(KEEP_INITIATIVE, 1, profile(table))
        require_turn_between(enemy_turn_since_last_keep=conflict.kept_initiative is not side)
        pay_price(
            draft,
            price,
            npc=npc,
            threat_part=self.threat_part,
            spend="keep_initiative",
            label=say("Keep the Initiative"),
        )
        conflict = conflict_with(draft, next_id=ally.combatant_id, kept_initiative=side)
        name = combatant_name(draft.table, ally.combatant_id)
        draft.record(InitiativeKept(side=side, ally_id=ally.combatant_id, name=name, conflict=conflict))


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound(Command):
    """A new Round begins, once all have had their Turns, or all who have not have passed (TURN-3, C-85)."""

    undone: ClassVar[Phrase | None] = say("the next Round")

    def decide(self, draft: Draft) -> None:
        """TURN-3, C-85: what the end of a Round brings, then a new one, opened by the side that did not act last."""
        conflict = require_conflict(draft.table)
        if conflict.turn is not None:
            raise Refusal(
                "TURN-3",
                "It is the Turn of {name}; end it first.",
                name=combatant_name(draft.table, conflict.turn.combatant_id),
            )
        if not round_is_over(draft.table):
            waiting = listed(
                [combatant_name(draft.table, one.combatant_id) for one in left_to_act(draft.table) if not one.passed]
            )
            raise Refusal("TURN-3", "Still to act this Round: {waiting}.", waiting=waiting)
        _require_settled(draft)
        for one in conflict.combatants:
            if one.turns_taken:
                continue
            turn_starts(draft, one.combatant_id)
            for turn_ends in draft.playbook.turn_ends:
                turn_ends(draft, one.combatant_id)
        for ends in draft.playbook.round_ends:
            ends(draft)
        plan_last(draft, Step(kind=StepKind.ROUND_BEGINS))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReach(Command):
    """Two combatants come within each other's Reach, or leave it (RNG-1)."""

    first_id: str
    second_id: str
    in_reach: bool = True

    undone: ClassVar[Phrase | None] = say("the change of Reach")

    def decide(self, draft: Draft) -> None:
        set_reach(draft, self)


MOST_COMBATANTS = 40
"""The most combatants of a conflict; a longer list is a slip of the finger."""


MOST_TURNS = 12
"""The most Turns of one combatant in a Round; large adversaries have several (S2E-21)."""


def conflict_with(draft: Draft, **changes: Any) -> Conflict:  # noqa: ANN401 - fields of `Conflict`
    """The conflict under way with these changes, for the event that names them."""
    return replace(require_conflict(draft.table), **changes)


def change(draft: Draft, **changes: Any) -> None:  # noqa: ANN401 - fields of `Conflict`, checked by `replace`
    """Change the conflict under way where no event names what happened."""
    draft.record(ConflictChanged(conflict=conflict_with(draft, **changes)))


def change_combatant(draft: Draft, combatant_id: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `Combatant`
    """Change one who takes part where no event names what happened."""
    change(draft, combatants=require_conflict(draft.table).combatants_with(combatant_id, **changes))


def _entered(draft: Draft, kind: ConflictKind, entrants: Sequence[Entrant]) -> tuple[Combatant, ...]:
    if len(entrants) > MOST_COMBATANTS:
        raise Refusal("TURN-1", "At most {most} take part; leave some out.", most=MOST_COMBATANTS)
    if len({one.combatant_id for one in entrants}) != len(entrants):
        raise Refusal("TURN-1", "Somebody is named twice; name each one once.")
    entered: tuple[Combatant, ...] = ()
    for entrant in entrants:
        one = _combatant(draft, kind, entrant)
        _require_seat(draft, entered, one)
        entered = (*entered, one)
    return entered


def _require_seat(draft: Draft, others: tuple[Combatant, ...], one: Combatant) -> None:
    """Refuse somebody whose place is taken by `others` (S2E-22)."""
    for may_sit in draft.playbook.may_sit:
        may_sit(draft.table, others, one)


def _combatant(draft: Draft, kind: ConflictKind, entrant: Entrant) -> Combatant:
    table = draft.table
    ship = next((one for one in table.ships if one.ship_id == entrant.combatant_id), None)
    if ship is not None and kind is ConflictKind.PERSONAL:
        raise Refusal("TURN-1", "{ship} is a ship; in a fight on foot its people take part.", ship=ship.name)
    if ship is not None and ship.crew is None:
        raise Refusal(
            "NSHIP-2", "{ship} has no Turns of its own; enter its bridge crew, or give it an NPC crew.", ship=ship.name
        )
    character = find_character(table, entrant.combatant_id)
    if character.body.injury is InjuryState.DEAD:
        raise Refusal("DMG-6", "{character} is dead and takes no part; choose someone else.", character=character.name)
    aboard = ship or next((one for one in table.ships if one.ship_id == entrant.ship_id), None)
    if entrant.ship_id and aboard is None:
        raise no_such_ship(table)
    if aboard is not None and aboard.state.destroyed:
        rule = profile(table).cited.ship_gone
        raise Refusal(rule, "{ship} is destroyed; choose another ship.", ship=aboard.name)
    rows = draft.playbook.rows.items()
    stations = sorted({row.station for (_, _, ruleset), row in rows if ruleset is table.ruleset and row.station})
    if entrant.station and entrant.station not in stations:
        raise Refusal(
            "STN-1",
            "No bridge here has a station called {station}; choose {stations}.",
            station=entrant.station,
            stations=listed(known(one) for one in stations),
        )
    if not 0 <= entrant.turns <= MOST_TURNS:
        raise Refusal("TURN-1", "Turns in a Round go from 1 to {most}; choose one of these.", most=MOST_TURNS)
    controlled = Side.PC if character.standing is Standing.PLAYER else Side.NPC
    return Combatant(
        combatant_id=entrant.combatant_id,
        side=entrant.side or controlled,
        turns=entrant.turns or turns_of(ship),
        ship_id=entrant.ship_id or (entrant.combatant_id if ship is not None else ""),
        station=entrant.station,
    )


def turns_of(ship: Ship | None) -> int:
    """TURN-1, NSHIP-2: one Turn a Round, an NPC ship as many as its Scale."""
    return ship.scale if ship is not None else 1


def close_conflict(draft: Draft) -> None:
    """End the conflict under way, if there is one, with what was bound to it."""
    conflict = draft.table.conflict
    if conflict is None:
        return
    end_surge(draft)
    conflict_ends(draft)
    seats = conflict.combatants
    draft.record(ConflictOver(round=conflict.round, foes=foes_among(seats), crew=crew_among(seats, draft.table)))


def _require_settled(draft: Draft) -> None:
    """Close a Task with nothing left to settle; refuse while one, a throw or a chain is really open."""
    make_room(draft)
    require_nothing_open(draft.table)
    if draft.table.attack is not None:
        raise Refusal("TASK-10", "An attack is not settled yet; look at what the table asks for.")


def _require_may_begin(table: Table, combatant_id: str) -> Combatant:
    conflict = require_conflict(table)
    combatant = require_combatant(table, combatant_id)
    if conflict.turn is not None:
        holder = combatant_name(table, conflict.turn.combatant_id)
        raise Refusal("TURN-1", "It is the Turn of {holder}; end it first.", holder=holder)
    allowed = may_begin(table)
    if combatant in allowed:
        return combatant
    if combatant.turns_taken >= combatant.turns:
        raise Refusal(
            "TURN-1",
            "{combatant} had every Turn of this Round; choose someone else.",
            combatant=combatant_name(table, combatant_id),
        )
    require_able(table, combatant_id)
    names = listed([combatant_name(table, one.combatant_id) for one in allowed])
    raise Refusal("TURN-3", "The next Turn goes to the other side or to who was named: {names}.", names=names)


def _after_turn(draft: Draft, turn: Turn, *, acted: bool) -> Conflict:
    """The conflict once that Turn is over; a Surge of Activity ends before it."""
    end_surge(draft)
    conflict, combatant = require_conflict(draft.table), require_combatant(draft.table, turn.combatant_id)
    named_again = conflict.next_id == turn.combatant_id and not acted
    return replace(
        conflict,
        combatants=conflict.combatants_with(
            turn.combatant_id,
            turns_taken=combatant.turns_taken + acted,
            passed=not acted,
            opened=combatant.opened and not acted,
        ),
        turn=None,
        last_side=turn.side,
        next_id="" if named_again else conflict.next_id,
    )


def passable_turn(table: Table, combatant_id: str) -> Turn:
    """The Turn that someone may pass: the one in hand, also with nobody named, or the one that they may begin."""
    turn = require_conflict(table).turn
    if turn is None:
        combatant = _require_may_begin(table, combatant_id)
        return Turn(combatant_id=combatant.combatant_id, side=combatant.side)
    if combatant_id not in ("", turn.combatant_id):
        raise Refusal(
            "TURN-6", "It is the Turn of {name}; only they can pass now.", name=combatant_name(table, turn.combatant_id)
        )
    if turn.tasks:
        raise Refusal("TURN-6", "A Task was taken in this Turn; end the Turn instead.")
    return turn


def pass_now(draft: Draft, combatant_id: str) -> None:
    """Pass as the action of that name."""
    _pass(draft, passable_turn(draft.table, combatant_id))


def _pass(draft: Draft, turn: Turn) -> None:
    acted = bool(turn.minor_actions)
    conflict = _after_turn(draft, turn, acted=acted)
    draft.record(
        TurnPassed(
            combatant_id=turn.combatant_id,
            name=combatant_name(draft.table, turn.combatant_id),
            may_act_later=not acted,
            conflict=conflict,
        )
    )
    if acted:
        for ends in draft.playbook.turn_ends:
            ends(draft, turn.combatant_id)


def _begin_round(draft: Draft, _: Step) -> None:
    """NSHIP-3: once all that the last Round left behind is thrown for, for that may cost Turns of the new one."""
    conflict = require_conflict(draft.table)
    conflict = replace(
        conflict,
        round=conflict.round + 1,
        combatants=tuple(_fresh(draft, one) for one in conflict.combatants),
        once=tuple(one for one in conflict.once if not one.startswith("round:")),
        next_id="",
    )
    opening = may_begin(replace(draft.table, conflict=conflict))
    last = conflict.last_side or Side.NPC
    draft.record(
        RoundBegan(
            round=conflict.round,
            side=opening[0].side if opening else OTHER_SIDE[last],
            names=tuple(combatant_name(draft.table, one.combatant_id) for one in opening),
            conflict=conflict,
        )
    )
    finish_step(draft)


STEPS: Final = (StepRow(kind=StepKind.ROUND_BEGINS, begin=_begin_round),)
"""The step that begins a Round."""


def _fresh(draft: Draft, combatant: Combatant) -> Combatant:
    """Someone at the start of a Round, without the Turns that they lost in the last one (NSHIP-3)."""
    lost = sum(turns(draft, combatant.combatant_id) for turns in draft.playbook.turns_lost)
    return replace(combatant, turns_taken=lost, tasks=0, passed=False, opened=False, roles=())


def set_reach(draft: Draft, command: SetReach) -> None:
    """RNG-1: two come within each other's Reach, or leave it."""
    first = require_combatant(draft.table, command.first_id).combatant_id
    second = require_combatant(draft.table, command.second_id).combatant_id
    if first == second:
        raise Refusal("RNG-1", "Reach is between two; choose two of them.")
    if command.in_reach and parted(draft.table, first, second):
        raise Refusal(
            "RNG-1",
            "On the map {first} and {second} are in different zones; put one of them into the other's first.",
            first=combatant_name(draft.table, first),
            second=combatant_name(draft.table, second),
        )
    pair = (min(first, second), max(first, second))
    conflict = require_conflict(draft.table)
    if (pair in conflict.reach) is command.in_reach:
        return
    others = tuple(one for one in conflict.reach if one != pair)
    draft.record(
        ReachChanged(
            first=combatant_name(draft.table, first),
            second=combatant_name(draft.table, second),
            in_reach=command.in_reach,
            conflict=replace(conflict, reach=(*others, pair) if command.in_reach else others),
        )
    )


def touch(draft: Draft, first_id: str, second_id: str) -> None:
    """Two ships come into Contact (SHIP-9); nothing outside a conflict, and where they touch already."""
    conflict, pair = draft.table.conflict, (min(first_id, second_id), max(first_id, second_id))
    if conflict is None or pair in conflict.reach:
        return
    draft.record(
        ReachChanged(
            first=combatant_name(draft.table, first_id),
            second=combatant_name(draft.table, second_id),
            in_reach=True,
            ships=True,
            conflict=replace(conflict, reach=(*conflict.reach, pair)),
        )
    )


def leave_reach(draft: Draft, combatant_id: str) -> None:
    """Someone moved away: in nobody's Reach any more."""
    conflict = draft.table.conflict
    if conflict is not None and any(combatant_id in pair for pair in conflict.reach):
        change(draft, reach=tuple(pair for pair in conflict.reach if combatant_id not in pair))


def scene_ends(draft: Draft) -> None:
    """No conflict outlasts its scene."""
    close_conflict(draft)

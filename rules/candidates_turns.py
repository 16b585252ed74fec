"""What could be chosen now in a conflict's order: Turns, Rounds, Initiative, Minor Actions that need no words."""

from __future__ import annotations

from collections.abc import Iterator

from rules import commands_conflict as cc
from rules import commands_turns as ct
from rules.candidate import Candidate, Role, how_paid, ways_to_pay
from rules.candidates_bridge import Minor, minor_actions
from rules.deciding.draft import profile
from rules.deciding.playbook import ActionRow
from rules.deciding.turns.budget import minor_price
from rules.deciding.turns.minors import MOVEMENT, ROWS
from rules.deciding.turns.order import in_reach, is_able, left_to_act, may_begin, name_of, round_is_over
from rules.deciding.turns.paying import momentum_at_hand
from rules.errors import Refusal
from rules.lasting import LASTING
from rules.phrases import say, worded
from rules.pools import spend_cost
from rules.state import Table
from rules.state_conflict import Action, Conflict, Turn
from rules.vocabulary import ConflictKind, Side

_ROLES = {Side.PC: Role.PLAYER, Side.NPC: Role.GAMEMASTER}


def turn_order(table: Table) -> Iterator[Candidate]:
    """Whatever may be chosen of Turns and Rounds now, and what lasts and could be ended; some the rules will refuse."""
    conflict = table.conflict
    if conflict is not None:
        if conflict.turn is not None:
            yield from _in_turn(table, conflict, conflict.turn)
        else:
            yield from _between_turns(table)
        yield from _initiative(table, conflict)
        yield Candidate(
            option_id="end_conflict",
            label=say("End the conflict"),
            command=ct.EndConflict(),
            rule="TURN-1",
            role=Role.GAMEMASTER,
            free=True,
        )
    yield from _effects(table)


def _in_turn(table: Table, conflict: Conflict, turn: Turn) -> Iterator[Candidate]:
    role = _ROLES[turn.side]
    name = name_of(table, turn.combatant_id)
    at_hand = momentum_at_hand(table, npc=turn.side is Side.NPC)
    for one in _minors(table, conflict, turn):
        price = _minor_price(table, turn, one.row) + one.price
        for how, threat_part in ways_to_pay(price, at_hand, threat=turn.side is Side.PC):
            yield Candidate(
                option_id=f"minor_action:{one.key}" + (f":{how}" if threat_part else ""),
                label=how_paid(say("{name}: {action}", name=name, action=one.label), how),
                own_label=how_paid(one.label, how),
                command=ct.TakeMinorAction(character_id=turn.combatant_id, action=one.action, threat_part=threat_part),
                rule=one.row.rule,
                role=role,
                threat_allowed=turn.side is Side.PC and how != "threat",
            )
    yield Candidate(
        option_id="end_turn",
        label=say("End {name}'s Turn", name=name),
        own_label=say("End the Turn"),
        command=ct.EndTurn(),
        rule="TURN-1",
        role=role,
        free=True,
    )
    yield Candidate(
        option_id="pass_turn",
        label=say("{name} passes", name=name),
        own_label=say("Pass the Turn"),
        command=ct.PassTurn(),
        rule="TURN-6",
        role=role,
        free=True,
    )


def _minors(table: Table, conflict: Conflict, turn: Turn) -> Iterator[Minor]:
    """On foot what people do, in a fight of ships what is done at stations."""
    if conflict.kind is ConflictKind.STARSHIP:
        return minor_actions(table, turn.combatant_id)
    return (
        one
        for row in ROWS
        if not row.needs or row.name == MOVEMENT
        for one in (_moves(table, conflict, turn, row) if row.needs else (_plain(row),))
    )


def _plain(row: ActionRow) -> Minor:
    return Minor(key=row.name, label=row.label, row=row, action=Action(name=row.name))


def _moves(table: Table, conflict: Conflict, turn: Turn, row: ActionRow) -> Iterator[Minor]:
    """Into the Reach of each who is not near yet, the other side first, and out of everybody's (RNG-1, ACT-3)."""
    who = turn.combatant_id
    near = {who, *in_reach(conflict, who)}
    others = [one for one in conflict.combatants if one.combatant_id not in near]
    for one in sorted(others, key=lambda one: (one.side is turn.side, not is_able(table, one.combatant_id))):
        yield Minor(
            key=f"{row.name}:{one.combatant_id}",
            label=say("{action} into {name}'s Reach", action=row.label, name=name_of(table, one.combatant_id)),
            row=row,
            action=Action(name=row.name, target_id=one.combatant_id),
        )
    away = say("{action} into nobody's Reach", action=row.label)
    yield Minor(key=row.name, label=away, row=row, action=Action(name=row.name))


def _minor_price(table: Table, turn: Turn, row: ActionRow) -> int:
    try:
        return minor_price(table, turn.combatant_id, row)
    except Refusal:
        return 0


def _between_turns(table: Table) -> Iterator[Candidate]:
    allowed = may_begin(table)
    for one in allowed:
        yield Candidate(
            option_id=f"begin_turn:{one.combatant_id}",
            label=say("Begin {name}'s Turn", name=name_of(table, one.combatant_id)),
            command=ct.BeginTurn(combatant_id=one.combatant_id),
            rule="TURN-3",
            role=_ROLES[one.side],
            free=True,
        )
    for one in allowed:
        yield Candidate(
            option_id=f"pass_turn:{one.combatant_id}",
            label=say("{name} passes", name=name_of(table, one.combatant_id)),
            command=ct.PassTurn(combatant_id=one.combatant_id),
            rule="TURN-6",
            role=_ROLES[one.side],
            free=True,
        )
    yield Candidate(
        option_id="next_round",
        label=say("Begin the next Round"),
        command=ct.NextRound(),
        rule="TURN-3",
        role=Role.ANYONE if round_is_over(table) else Role.GAMEMASTER,
        free=True,
    )


def _initiative(table: Table, conflict: Conflict) -> Iterator[Candidate]:
    side = conflict.turn.side if conflict.turn is not None else conflict.last_side
    price = spend_cost("keep_initiative", 1, profile(table))
    for one in left_to_act(table):
        if one.side is not side:
            continue
        name = name_of(table, one.combatant_id)
        players = one.side is Side.PC
        at_hand = momentum_at_hand(table, npc=not players)
        for how, threat_part in ways_to_pay(price, at_hand, threat=players):
            yield Candidate(
                option_id=f"keep_initiative:{one.combatant_id}" + (f":{how}" if threat_part else ""),
                label=say("{choice}: {name} is next", choice=how_paid(say("Keep the Initiative"), how), name=name),
                command=ct.KeepInitiative(ally_id=one.combatant_id, threat_part=threat_part),
                rule="TURN-4",
                role=_ROLES[one.side],
                threat_allowed=players and how != "threat",
            )


def _effects(table: Table) -> Iterator[Candidate]:
    for one in table.effects:
        row = LASTING.get(one.name)
        label = row.label if row is not None else worded(one.name)
        yield Candidate(
            option_id=f"end_effect:{one.effect_id}",
            label=say("End {effect} of {name}", effect=label, name=name_of(table, one.target_id or one.owner_id)),
            command=cc.EndEffect(effect_id=one.effect_id),
            rule="ACT-4",
            role=Role.GAMEMASTER,
            free=True,
        )

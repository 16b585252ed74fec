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
from rules.deciding.turns.order import left_to_act, may_begin, name_of, round_is_over
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
    for one in _minors(table, conflict, turn):
        yield from _paid(table, turn, one)
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


def movements(table: Table, target_id: str) -> Iterator[Candidate]:
    """The Minor Action that takes whose Turn it is into somebody's Reach, in each way to pay (RNG-1, ACT-3)."""
    conflict = table.conflict
    if conflict is None or conflict.turn is None or conflict.combatant(target_id) is None:
        return
    row = next(one for one in ROWS if one.name == MOVEMENT)
    label = say("{action} into {name}'s Reach", action=row.label, name=name_of(table, target_id))
    action = Action(name=row.name, target_id=target_id)
    yield from _paid(table, conflict.turn, Minor(key=f"{row.name}:{target_id}", label=label, row=row, action=action))


def _paid(table: Table, turn: Turn, one: Minor) -> Iterator[Candidate]:
    """A Minor Action of whose Turn it is, once for each way to pay."""
    at_hand = momentum_at_hand(table, npc=turn.side is Side.NPC)
    price = _minor_price(table, turn, one.row) + one.price
    for how, threat_part in ways_to_pay(price, at_hand, threat=turn.side is Side.PC):
        yield Candidate(
            option_id=f"minor_action:{one.key}" + (f":{how}" if threat_part else ""),
            label=how_paid(say("{name}: {action}", name=name_of(table, turn.combatant_id), action=one.label), how),
            own_label=how_paid(one.label, how),
            command=ct.TakeMinorAction(character_id=turn.combatant_id, action=one.action, threat_part=threat_part),
            rule=one.row.rule,
            role=_ROLES[turn.side],
            threat_allowed=turn.side is Side.PC and how != "threat",
        )


def _minors(table: Table, conflict: Conflict, turn: Turn) -> Iterator[Minor]:
    """On foot what people do, in a fight of ships what is done at stations; nothing that is aimed at somebody."""
    if conflict.kind is ConflictKind.STARSHIP:
        return minor_actions(table, turn.combatant_id)
    return (_plain(row) for row in ROWS if not row.needs or row.name == MOVEMENT)


def _plain(row: ActionRow) -> Minor:
    """A Minor Action as it is taken without a choice: who moves then is in nobody's Reach (RNG-1)."""
    away = say("{action} into nobody's Reach", action=row.label)
    return Minor(key=row.name, label=away if row.needs else row.label, row=row, action=Action(name=row.name))


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

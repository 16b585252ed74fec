"""What could be chosen in a conflict's order: Turns, Rounds, Initiative, Minor Actions that need no words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.conflict.budget import TakeMinorAction, minor_price
from rules.conflict.lasting import LASTING, EndEffect
from rules.conflict.minors import MOVEMENT, ROWS
from rules.conflict.order import combatant_name, left_to_act, may_begin, round_is_over, turn_is_lost
from rules.conflict.positions import FARTHEST_WALK, within, zone_of
from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, KeepInitiative, NextRound, PassTurn
from rules.conflict.spends import KEEP_INITIATIVE
from rules.deciding.candidate import Candidate, Role, how_paid, ways_to_pay
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow
from rules.errors import Refusal
from rules.ships.bridge import ships_served, ships_taking_part
from rules.ships.numbers import TERRAIN
from rules.ships.places import impulse_price
from rules.ships.second.movement import FARTHEST_IMPULSE
from rules.state.changing import replace
from rules.state.conflict import Action, Conflict, Turn
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, ConflictKind, Side
from rules.table import PLAYBOOK
from rules.tasks.paying import momentum_at_hand
from rules.tasks.pools import spend_cost
from rules.words import counted, say, worded

WORDLESS: Final = frozenset({"system", "zones", "threat_part", "target_id"})
"""The needs of an action that can be listed; words are for a person to fill in."""


ALSO_WITHOUT: Final = frozenset({"prepare"})
"""Actions whose words may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minor:
    """One Minor Action as it could be taken: `price` is its own in Momentum, beside what the Turn asks for (S2E-5)."""

    key: str
    label: str
    row: ActionRow
    action: Action
    price: int = 0


def minor_actions(table: Table, actor_id: str) -> Iterator[Minor]:
    """Those of the ruleset's bridge, with each choice that can be made; the rules refuse what does not fit."""
    served = ships_served(table, actor_id)
    for row in PLAYBOOK.played(profile(table).edition_of):
        if row.scope is not ActionScope.BRIDGE or not row.minor:
            continue
        if not WORDLESS.issuperset(row.needs) and row.name not in ALSO_WITHOUT:
            continue
        for ship in served:
            for one in _of_ship(table, row, ship):
                yield one if len(served) == 1 else _named(one, ship)


def _of_ship(table: Table, row: ActionRow, ship: Ship) -> Iterator[Minor]:
    action = Action(name=row.name, scope=ActionScope.BRIDGE)
    if "system" in row.needs:
        for damage in ship.state.systems:
            if damage.impact:
                system = damage.system
                yield Minor(
                    key=f"{row.name}:{system}",
                    label=say("{action} the {system}", action=row.label, system=system),
                    row=row,
                    action=replace(action, system=system),
                )
    elif row.to_zone and zone_of(table, ship.ship_id) is not None:
        yield from _courses(table, row, ship)
    elif "zones" in row.needs:
        for zones in range(1, FARTHEST_IMPULSE + 1):
            yield Minor(
                key=f"{row.name}:{zones}",
                label=say("{action}, {zones}", action=row.label, zones=counted(zones, "zone")),
                row=row,
                action=replace(action, zones=zones),
                price=impulse_price(table, ship, "", zones),
            )
    elif "target_id" in row.needs:
        for other in ships_taking_part(table):
            if other.ship_id != ship.ship_id:
                yield Minor(
                    key=f"{row.name}:{other.ship_id}",
                    label=say("{action} against {ship}", action=row.label, ship=other.name),
                    row=row,
                    action=replace(action, target_id=other.ship_id),
                )
    else:
        yield Minor(key=row.name, label=row.label, row=row, action=action)


def _courses(table: Table, row: ActionRow, ship: Ship) -> Iterator[Minor]:
    """What leads a ship, or its probe, to each zone of the map that is near enough (S2E-H1, S2E-X2)."""
    action = Action(name=row.name, scope=ActionScope.BRIDGE)
    here = zone_of(table, ship.ship_id)
    moves = "zones" in row.needs
    own = () if here is None or moves else ((here,),)
    for path in (*own, *within(table, ship.ship_id, FARTHEST_IMPULSE, lambda zone: TERRAIN[zone.terrain])):
        zone, far = path[-1], len(path) - 1
        label = say("{action} to {zone}", action=row.label, zone=zone.name)
        if far:
            label = say("{action}, {zones}", action=label, zones=counted(far, "zone"))
        yield Minor(
            key=f"{row.name}:{zone.zone_id}",
            label=label,
            row=row,
            action=replace(action, zone_id=zone.zone_id),
            price=impulse_price(table, ship, zone.zone_id, far) if moves else 0,
        )


def _named(one: Minor, ship: Ship) -> Minor:
    """The same with the ship said, for those who may act for several."""
    action = replace(one.action, ship_id=ship.ship_id)
    return replace(
        one,
        key=f"{one.key}:{ship.ship_id}",
        label=say("{action}, {ship}", action=one.label, ship=ship.name),
        action=action,
    )


GO_ON: Final = "go_on"
"""The option that ends a Turn with which nothing can be done any more."""


_ROLES = {Side.PC: Role.PLAYER, Side.NPC: Role.GAMEMASTER}
"""Who decides for each side."""


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
            command=EndConflict(),
            rule="TURN-1",
            role=Role.GAMEMASTER,
            free=True,
        )
    yield from _effects(table)


def _in_turn(table: Table, conflict: Conflict, turn: Turn) -> Iterator[Candidate]:
    role = _ROLES[turn.side]
    name = combatant_name(table, turn.combatant_id)
    if turn_is_lost(table):
        yield Candidate(
            option_id=GO_ON,
            label=say("Go on: {name}'s Turn is over", name=name),
            command=EndTurn(),
            rule="TURN-1",
            role=role,
            free=True,
        )
        return
    for one in _minors(table, conflict, turn):
        yield from _paid(table, turn, one)
    yield Candidate(
        option_id="end_turn",
        label=say("End {name}'s Turn", name=name),
        own_label=say("End the Turn"),
        command=EndTurn(),
        rule="TURN-1",
        role=role,
        free=True,
    )
    yield Candidate(
        option_id="pass_turn",
        label=say("{name} passes", name=name),
        own_label=say("Pass the Turn"),
        command=PassTurn(),
        rule="TURN-6",
        role=role,
        free=True,
    )


def movements(table: Table, target_id: str) -> Iterator[Candidate]:
    """The Minor Action that takes whose Turn it is into somebody's Reach, in each way to pay (RNG-1, ACT-3)."""
    conflict = table.conflict
    if conflict is None or conflict.turn is None or conflict.combatant(target_id) is None:
        return
    if conflict.kind is ConflictKind.STARSHIP:
        return
    row = next(one for one in ROWS if one.name == MOVEMENT)
    label = say("{action} into {name}'s Reach", action=row.label, name=combatant_name(table, target_id))
    action = Action(name=row.name, target_id=target_id)
    yield from _paid(table, conflict.turn, Minor(key=f"{row.name}:{target_id}", label=label, row=row, action=action))


def _paid(table: Table, turn: Turn, one: Minor) -> Iterator[Candidate]:
    """A Minor Action of whose Turn it is, once for each way to pay."""
    at_hand = momentum_at_hand(table, npc=turn.side is Side.NPC)
    price = _minor_price(table, turn, one.row) + one.price
    for how, threat_part in ways_to_pay(price, at_hand, threat=turn.side is Side.PC):
        yield Candidate(
            option_id=f"minor_action:{one.key}" + (f":{how}" if threat_part else ""),
            label=how_paid(
                say("{name}: {action}", name=combatant_name(table, turn.combatant_id), action=one.label), how
            ),
            own_label=how_paid(one.label, how),
            command=TakeMinorAction(character_id=turn.combatant_id, action=one.action, threat_part=threat_part),
            rule=one.row.rule,
            role=_ROLES[turn.side],
            threat_allowed=turn.side is Side.PC and how != "threat",
        )


def _minors(table: Table, conflict: Conflict, turn: Turn) -> Iterator[Minor]:
    """On foot what people do, in a fight of ships what is done at stations; nothing that is aimed at somebody."""
    if conflict.kind is ConflictKind.STARSHIP:
        return minor_actions(table, turn.combatant_id)
    plain = [_plain_turn(row) for row in ROWS if not row.needs or row.name == MOVEMENT]
    return iter([*plain, *_walks(table, turn.combatant_id)])


def _walks(table: Table, actor_id: str) -> Iterator[Minor]:
    """Movement to each zone that somebody can walk to on the map (ACT-3)."""
    row = next(one for one in ROWS if one.name == MOVEMENT)
    for path in within(table, actor_id, FARTHEST_WALK):
        zone = path[-1]
        yield Minor(
            key=f"{row.name}:{zone.zone_id}",
            label=say("{action} to {zone}", action=row.label, zone=zone.name),
            row=row,
            action=Action(name=row.name, zone_id=zone.zone_id),
        )


def _plain_turn(row: ActionRow) -> Minor:
    """A Minor Action as it is taken without a choice: who moves then is in nobody's Reach (RNG-1)."""
    away = say("{action} out of everybody's Reach", action=row.label)
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
            label=say("Begin {name}'s Turn", name=combatant_name(table, one.combatant_id)),
            command=BeginTurn(combatant_id=one.combatant_id),
            rule="TURN-3",
            role=_ROLES[one.side],
            free=True,
        )
    for one in () if round_is_over(table) else allowed:  # whoever passed may still begin, and has nothing more to pass
        yield Candidate(
            option_id=f"pass_turn:{one.combatant_id}",
            label=say("{name} passes", name=combatant_name(table, one.combatant_id)),
            command=PassTurn(combatant_id=one.combatant_id),
            rule="TURN-6",
            role=_ROLES[one.side],
            free=True,
        )
    yield Candidate(
        option_id="next_round",
        label=say("Begin the next Round"),
        command=NextRound(),
        rule="TURN-3",
        role=Role.ANYONE if round_is_over(table) else Role.GAMEMASTER,
        free=True,
    )


def _initiative(table: Table, conflict: Conflict) -> Iterator[Candidate]:
    side = conflict.turn.side if conflict.turn is not None else conflict.last_side
    price = spend_cost(KEEP_INITIATIVE, 1, profile(table))
    for one in left_to_act(table):
        if one.side is not side:
            continue
        name = combatant_name(table, one.combatant_id)
        players = one.side is Side.PC
        at_hand = momentum_at_hand(table, npc=not players)
        for how, threat_part in ways_to_pay(price, at_hand, threat=players):
            yield Candidate(
                option_id=f"keep_initiative:{one.combatant_id}" + (f":{how}" if threat_part else ""),
                label=say("{choice}: {name} is next", choice=how_paid(say("Keep the Initiative"), how), name=name),
                command=KeepInitiative(ally_id=one.combatant_id, threat_part=threat_part),
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
            label=say(
                "End {effect} of {name}", effect=label, name=combatant_name(table, one.target_id or one.owner_id)
            ),
            command=EndEffect(effect_id=one.effect_id),
            rule="ACT-4",
            role=Role.GAMEMASTER,
            free=True,
        )

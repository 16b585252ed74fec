"""A conflict as pages show it: sides, Turns, Stress, Injuries, what lasts; ships with their systems and stations.

Worked out from the table's values, in words; the templates only lay it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Final

from kiosk.views.silhouette import ShipDrawing, silhouette
from kiosk.views.stage.names import last_name, titled
from kiosk.views.stage.told import aimed_at
from kiosk.views.where import WhereView, where_view
from rules.game import (
    LASTING,
    Character,
    Combatant,
    Condition,
    Conflict,
    ConflictEnd,
    ConflictKind,
    Core,
    ExtendedTrack,
    History,
    InjuryState,
    LastingEffect,
    Profile,
    Ruleset,
    Ship,
    Side,
    Standing,
    System,
    Table,
    asked_words,
    dying,
    in_reach,
    is_able,
    left_to_act,
    meaning_of,
    profile,
    weapon_label,
)
from rules.words import Phrase, joined_by, listed, say, say_count

_SIDES: Final = {Side.PC: say("Players' side"), Side.NPC: say("Gamemaster's side")}
"""What each side is called as a heading."""

INJURIES: Final = {
    InjuryState.NONE: "",
    InjuryState.NONLETHAL: say("Injured"),
    InjuryState.LETHAL: say("Lethally injured"),
    InjuryState.DEAD: say("Dead"),
}
"""The word for each state of injury of a fighter."""


_CONDITIONS: Final = {
    Condition.OPERATIONAL: say("works"),
    Condition.DAMAGED: say("damaged"),
    Condition.DISABLED: say("disabled"),
    Condition.DESTROYED: say("destroyed"),
}
"""What each condition of a system is called beside its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A number with its maximum: Stress, Shields, Power. `matters`: it must be legible from the farthest seat."""

    name: str
    left: int
    most: int
    matters: bool = False

    @property
    def full(self) -> bool:
        """Whether nothing is missing."""
        return self.left >= self.most

    @property
    def words(self) -> str:
        """As said: "3 of 9"."""
        return say("{left} of {most}", left=self.left, most=self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """One who takes part. `turn` says in words how it stands with its Turns; `notes` all else that matters now.

    `state` is `turn` as a sign shows it: acting, acted, ready, passed or cannot, with the Turns that are `left`; empty
    outside of a fight. `target`: the attack in hand is aimed at them.
    `short` is the end of the name that is enough to tell them from the others; `station` their seat on a bridge.
    """

    combatant_id: str
    name: str
    short: str
    station: str
    turn: str
    state: str = ""
    left: int = 0
    target: bool = False
    acting: bool
    done: bool
    gauges: tuple[Gauge, ...]
    injury: str
    notes: tuple[str, ...]

    @property
    def quiet(self) -> bool:
        """Whether nothing goes on with them: they do not act, are not aimed at, and are not hurt."""
        return not (self.acting or self.target or self.injury or any(one.matters for one in self.gauges))


COUNTS: Final = range(16)
"""How many quiet fighters the table's screen may show beside dice while it leaves others out.

The largest that has room is taken, so that nobody is left out beside empty space.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One side of a conflict with those who fight on it.

    `places` are those of its quiet ones among all quiet ones, the first of each side before the second of any: as many
    as are shown have the first places.
    """

    name: str
    fighters: tuple[Fighter, ...]
    places: Mapping[str, int] = field(default_factory=dict)

    @property
    def folds(self) -> dict[str, str]:
        """In words how many quiet ones are left out, each with the `COUNTS` at which it is another number."""
        gone = {count: sum(place >= count for place in self.places.values()) for count in COUNTS}
        everybody = len(self.fighters)
        return {
            say("all {number}", number=left) if left == everybody else say("{number} more", number=left): " ".join(
                str(count) for count, number in gone.items() if number != left
            )
            for left in dict.fromkeys(number for number in gone.values() if number)
        }

    def without(self, fighter: Fighter) -> str:
        """The counts at which somebody is left out; empty for one who never is."""
        place = self.places.get(fighter.combatant_id, -1)
        return " ".join(str(count) for count in COUNTS if count <= place)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """One system of a ship. `mark` is how it is drawn: whole, impact, damaged, disabled or destroyed.

    `breaches` are those that it has, `state` is all else, both in words; empty where there is nothing to say.
    """

    system: str
    name: str
    breaches: str
    state: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipView:
    """A ship in words and gauges, with who sits where; `shield_share` is what is left of its Shields, in per cent.

    `unarmed`: it has no weapon. `alarms` are states of the whole ship, `notes` what else is to be known. `whole`: no
    system is harmed, and no Breach counts against the ship as a whole either (NSHIP-3). `target`: the attack in hand
    is aimed at it.
    """

    ship_id: str
    name: str
    scale: int
    gauges: tuple[Gauge, ...]
    systems: tuple[SystemView, ...]
    whole: bool
    shield_share: int
    drawing: ShipDrawing
    target: bool
    unarmed: bool
    stations: tuple[tuple[str, str], ...]
    alarms: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camp:
    """The people and the ships of one side; `aside` names those of it who take no part in the fight there is."""

    people: tuple[Fighter, ...]
    ships: tuple[ShipView, ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictView:
    """Everything that a conflict shows. `title` is "Round 2", `whose` whose Turn it is, `asked` what a chain asks."""

    running: bool
    title: str
    whose: str
    asked: str
    sides: tuple[SideView, ...]
    ships: tuple[ShipView, ...]
    effects: tuple[str, ...]
    extended: tuple[str, ...]
    where: WhereView | None

    @property
    def signs(self) -> tuple[tuple[str, int, str], ...]:
        """What the signs beside the names stand for: `target` or a state, the Turns left if several, and the words.

        Who acts now is not among them: the stage's headline says whose Turn it is.
        """
        people = [one for side in self.sides for one in side.fighters]
        signs: dict[tuple[str, bool], tuple[str, int, str]] = {}
        for one in people:
            several = one.state == "ready" and one.left > 1
            if one.turn and one.state != "acting":
                words = one.turn if one.state != "ready" else say("Turns left") if several else say("To act")
                signs.setdefault((one.state, several), (one.state, one.left if several else 0, words))
        aimed = any(one.target for one in people) or any(one.target for one in self.ships)
        return (*signs.values(), *([("target", 0, say("Target"))] if aimed else []))


def conflict_view(table: Table) -> ConflictView:
    """What a conflict shows now. Without one, those who are hurt, ships that are not whole, and what lasts.

    Nobody is among them who left with a fight that is over.
    """
    conflict = table.conflict
    return ConflictView(
        running=conflict is not None,
        title=say("Round {number}", number=conflict.round) if conflict is not None else "",
        whose=_whose(table, conflict),
        asked=asked_words(table),
        sides=_sides(table, conflict),
        ships=_ships(table, conflict),
        effects=tuple(_effect_words(table, one) for one in table.effects),
        extended=tuple(words for _, words in tracks_told(table)),
        where=where_view(table),
    )


LOOKED_BACK: Final = 200
"""Decisions searched for the end of a conflict: more than anybody makes while a screen still shows it."""


def closing_view(table: Table, history: History) -> ConflictView | None:
    """Who stands and who fell in the conflict that was over last, until something is thrown for or a scene begins.

    None while there is nothing to show of it.
    """
    end = table.conflict_end
    if end is None or table.conflict is not None or table.asked or _thrown_since(table, end):
        return None
    ends = (one for one in reversed(history.done[-LOOKED_BACK:]) if one.after.conflict_end == end)
    last = next((one.before.conflict for one in ends if one.before.conflict is not None), None)
    if last is None:
        return None
    sides = (
        SideView(name=name, fighters=tuple(_after(table, last, one) for one in last.combatants if one.side is side))
        for side, name in _SIDES.items()
    )
    return ConflictView(
        running=False,
        title="",
        whose="",
        asked="",
        sides=tuple(one for one in sides if one.fighters),
        ships=_ships(table, last),
        effects=(),
        extended=(),
        where=None,
    )


def _thrown_since(table: Table, end: ConflictEnd) -> bool:
    """Whether dice are in hand, or were thrown since the conflict was over."""
    thrown = (table.task, table.last_task, table.challenge, *table.free_rolls[-1:])
    return table.request is not None or any(one is not None and one.number >= end.number for one in thrown)


def _after(table: Table, last: Conflict, one: Combatant) -> Fighter:
    """Somebody as the conflict left them, who stands or fell."""
    stands = is_able(table, one.combatant_id)
    return replace(
        _fighter(replace(table, conflict=last), replace(last, turn=None), one),
        turn=say("Stands") if stands else say("Fell"),
        state="acted" if stands else "cannot",
        left=1,
        target=False,
        done=not stands,
    )


def camps(table: Table) -> tuple[Camp, Camp]:
    """Everybody and every ship on the two sides.

    In a conflict the other side shows only those who fight, and names the others, else only those whose fight is still
    to come, and notable NPCs who come back.
    """
    return _camp(table, Side.PC), _camp(table, Side.NPC)


def ships_at_table(table: Table) -> tuple[ShipView, ...]:
    """Each ship at the table as it stands; a foe's only while it takes part in a fight."""
    fight = table.conflict
    shown = (one for one in table.ships if one.crew is None or (fight and fight.combatant(one.ship_id)))
    return tuple(_ship(table, one, fight) for one in shown)


def _camp(table: Table, side: Side) -> Camp:
    conflict = table.conflict
    fighting = conflict.combatants if conflict is not None else ()
    there = {one.combatant_id: one for one in fighting} | {one.ship_id: one for one in fighting if one.ship_id}
    own = [
        one
        for one in table.characters
        if one.character_id not in there and (one.standing is Standing.PLAYER) is (side is Side.PC)
        if side is Side.PC or not has_left(table, one)
    ]
    idle = own if conflict is None or side is Side.PC else []
    duel = conflict is not None and conflict.kind is ConflictKind.STARSHIP
    others = side is Side.PC or not duel  # in a duel a foe's ship that takes no part is another fight's
    ships = [
        one
        for one in table.ships
        if (there[one.ship_id].side is side if one.ship_id in there else others and _side_of(one) is side)
        if side is Side.PC or one.ship_id in there or one.ship_id not in table.fought
    ]
    return Camp(
        people=(
            *(_fighter(table, conflict, one) for one in fighting if conflict is not None and one.side is side),
            *(_bystander(table, one) for one in idle),
        ),
        ships=tuple(_ship(table, one, conflict) for one in ships),
        aside=tuple(one.name for one in own if one not in idle),
    )


def gone_with_fights(table: Table) -> tuple[str, ...]:
    """Foes and their ships, by id, whose fights are over and who come back by themselves in no scene."""
    fight = table.conflict
    people = [
        one.character_id
        for one in table.characters
        if one.standing is Standing.MINOR_NPC
        or (one.standing is Standing.NOTABLE_NPC and not is_able(table, one.character_id))
    ]
    gone = (*people, *(one.ship_id for one in table.ships if one.crew is not None))
    return tuple(one for one in gone if one in table.fought and not (fight and fight.combatant(one)))


def foes_of_fights(table: Table) -> tuple[str, ...]:
    """NPCs and ships with crews of their own, by id, that fight against the crew now or have fought.

    A new table leaves them behind.
    """
    fighting = table.conflict.combatants if table.conflict is not None else ()
    now = {one.combatant_id for one in fighting if one.side is Side.NPC}
    npcs = [one.character_id for one in table.characters if one.standing is not Standing.PLAYER]
    crews = [one.ship_id for one in table.ships if one.crew is not None]
    return tuple(one for one in (*npcs, *crews) if one in now or one in table.fought)


def has_left(table: Table, one: Character) -> bool:
    """Whether somebody left with a fight that is over, and neither fights now nor stands by again."""
    fights = table.conflict is not None and table.conflict.combatant(one.character_id) is not None
    return one.character_id in table.fought and not fights and not _is_back(table, one)


def _is_back(table: Table, one: Character) -> bool:
    """Whether somebody whose fight is over stands by again: a notable NPC who can act, from the next scene on."""
    in_new_scene = table.conflict is None and table.conflict_end is None
    return in_new_scene and one.standing is Standing.NOTABLE_NPC and is_able(table, one.character_id)


def _side_of(ship: Ship) -> Side:
    return Side.PC if ship.crew is None else Side.NPC


def _whose(table: Table, conflict: Conflict | None) -> str:
    if conflict is None:
        return ""
    if conflict.turn is None:
        return say("Nobody has the Turn.")
    return say("{name} has the Turn.", name=_name(table, conflict.turn.combatant_id))


def _name(table: Table, one_id: str) -> str:
    named = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    return named.get(one_id, say("somebody who left"))


def _sides(table: Table, conflict: Conflict | None) -> tuple[SideView, ...]:
    if conflict is None:
        gone = gone_with_fights(table)
        left = (one for one in table.characters if one.character_id not in gone)
        hurt = tuple(_bystander(table, one) for one in left if _is_hurt(one))
        return (SideView(name=say("Hurt"), fighters=hurt),) if hurt else ()
    sides = {
        _SIDES[side]: tuple(_fighter(table, conflict, one) for one in conflict.combatants if one.side is side)
        for side in Side
    }
    quiet = [[one.combatant_id for one in fighters if one.quiet] for fighters in sides.values()]
    order = [one for row in zip_longest(*quiet) for one in row if one is not None]
    return tuple(
        SideView(
            name=name,
            fighters=fighters,
            places={one.combatant_id: order.index(one.combatant_id) for one in fighters if one.quiet},
        )
        for name, fighters in sides.items()
        if fighters
    )


def _is_hurt(one: Character) -> bool:
    return one.body.injury is not InjuryState.NONE or one.body.stress < one.body.stress_max


def _bystander(table: Table, one: Character) -> Fighter:
    return Fighter(
        combatant_id=one.character_id,
        name=one.name,
        short=one.name,
        station="",
        turn="",
        acting=False,
        done=False,
        gauges=body_gauges(one),
        injury=INJURIES[one.body.injury],
        notes=_body_notes(one, profile(table)),
    )


def _fighter(table: Table, conflict: Conflict, one: Combatant) -> Fighter:
    character = next((each for each in table.characters if each.character_id == one.combatant_id), None)
    ship = next((each for each in table.ships if each.ship_id == one.combatant_id), None)
    acting = conflict.turn is not None and conflict.turn.combatant_id == one.combatant_id
    able = acting or one in left_to_act(table)
    notes: list[str] = list(_body_notes(character, profile(table))) if character is not None else []
    notes += [_label(effect) for effect in table.effects if one.combatant_id == (effect.target_id or effect.owner_id)]
    notes += _reach_words(table, conflict, one)
    return Fighter(
        combatant_id=one.combatant_id,
        name=_name(table, one.combatant_id),
        short=_short(table, conflict, character) if character is not None else _name(table, one.combatant_id),
        station=titled(one.station) if one.station else "",
        turn=_turn_words(one, acting=acting, able=able),
        state=_turn_state(one, acting=acting, able=able),
        left=one.turns - one.turns_taken,
        target=one.combatant_id in aimed_at(table),
        acting=acting,
        done=not able,
        gauges=_gauges(table, conflict, one, character, ship),
        injury=INJURIES[character.body.injury] if character is not None else "",
        notes=tuple(notes),
    )


def _reach_words(table: Table, conflict: Conflict, one: Combatant) -> list[str]:
    """Whom a foe on foot can strike with a blade, and who can strike it (RNG-1); said once, with the foe."""
    if conflict.kind is not ConflictKind.PERSONAL or one.side is not Side.NPC:
        return []
    characters = {each.character_id: each for each in table.characters}
    crew = {each.combatant_id for each in conflict.combatants if each.side is Side.PC}
    near = [each for each in in_reach(conflict, one.combatant_id) if each in crew and each in characters]
    names = listed([_short(table, conflict, characters[each]) for each in near])
    return [say("in Reach of {names}", names=names)] if near else []


def _short(table: Table, conflict: Conflict, character: Character) -> str:
    """A player character's last name if it is unique among the fighters; otherwise the whole name.

    NPCs keep their whole names: "Guard 2" needs its first word, and others beside it are named alike.
    """
    others = [
        _name(table, one.combatant_id) for one in conflict.combatants if one.combatant_id != character.character_id
    ]
    return last_name(character.name, others) if character.standing is Standing.PLAYER else character.name


def _gauges(
    table: Table, conflict: Conflict, one: Combatant, character: Character | None, ship: Ship | None
) -> tuple[Gauge, ...]:
    """What a combatant's line shows: a ship says it in its own drawing, and aboard a ship only hurts count."""
    if character is not None:
        return () if one.ship_id and not _is_hurt(character) else body_gauges(character)
    if ship is None or conflict.kind is ConflictKind.STARSHIP:
        return ()
    return _ship_gauges(table, ship)


def _turn_state(one: Combatant, *, acting: bool, able: bool) -> str:
    if acting:
        return "acting"
    if one.turns_taken >= one.turns:
        return "acted"
    if not able:
        return "cannot"
    return "passed" if one.passed else "ready"


_TURN_WORDS: Final = {
    "acting": say("Acting now"),
    "acted": say("Has acted"),
    "cannot": say("Cannot act"),
    "passed": say("Has passed"),
}
"""How each state but `ready` is told, for which the Turns left are."""


def _turn_words(one: Combatant, *, acting: bool, able: bool) -> str:
    told = _TURN_WORDS.get(_turn_state(one, acting=acting, able=able))
    if told is not None:
        return told
    left = one.turns - one.turns_taken
    return say("To act") if one.turns == 1 else say_count(left, "{number} Turn left", "{number} Turns left")


def dying_told(table: Table) -> Phrase | str:
    """Whom the end of the scene kills, as a sentence; empty for nobody (DMG-6)."""
    names = [one.name for one in dying(table)]
    return (
        say("The end of the scene kills {names}: nobody treated a lethal Injury.", names=listed(names)) if names else ""
    )


def body_gauges(one: Character) -> tuple[Gauge, ...]:
    """The Stress of somebody who has any."""
    body = one.body
    if not body.stress_max:
        return ()
    return (Gauge(name=say("Stress"), left=body.stress, most=body.stress_max, matters=body.stress < body.stress_max),)


def _body_notes(one: Character, ruled: Profile) -> tuple[str, ...]:
    body = one.body
    notes = (
        (body.stabilised, say("Stabilised")),
        (body.pushing_on, say("Acts in spite of the Injury")),
        (body.prone, say("Prone")),
        (body.staggered, say("Loses the next Turn")),
        (body.avoided, say("Has avoided an Injury")),
        (bool(body.resistance), say("Resistance {number}", number=body.resistance)),
        (bool(body.drawn), say("Holds {weapon}", weapon=weapon_label(body.drawn, ruled))),
    )
    return tuple(words for holds, words in notes if holds)


def _ships(table: Table, conflict: Conflict | None) -> tuple[ShipView, ...]:
    if conflict is not None and conflict.kind is ConflictKind.STARSHIP:
        there = {one.ship_id or one.combatant_id for one in conflict.combatants}
        return tuple(_ship(table, one, conflict) for one in table.ships if one.ship_id in there)
    if conflict is not None:
        return ()
    gone = gone_with_fights(table)
    hurt = (one for one in table.ships if one.state.systems or one.state.shields < one.state.shields_max)
    return tuple(_ship(table, one, None) for one in hurt if one.ship_id not in gone)


def _ship(table: Table, one: Ship, conflict: Conflict | None) -> ShipView:
    crew = [each for each in conflict.combatants if each.ship_id == one.ship_id and each.station] if conflict else []
    names = {each.character_id: each.name for each in table.characters}
    systems = tuple(_system(one, system) for system in System)
    harmed = one.state.unplaced_breaches or one.state.critical or one.state.destroyed
    return ShipView(
        ship_id=one.ship_id,
        name=one.name,
        scale=one.scale,
        gauges=_ship_gauges(table, one),
        systems=systems,
        whole=not harmed and all(each.mark == "whole" for each in systems),
        shield_share=round(100 * one.state.shields / one.state.shields_max) if one.state.shields_max else 0,
        drawing=silhouette(one),
        target=one.ship_id in aimed_at(table),
        unarmed=not one.weapons,
        stations=tuple((titled(each.station), names.get(each.combatant_id, one.name)) for each in crew),
        alarms=_alarms(one),
        notes=_ship_notes(table, one),
    )


def _ship_gauges(table: Table, one: Ship) -> tuple[Gauge, ...]:
    state = one.state
    gauges = (
        Gauge(name=say("Shields"), left=state.shields, most=state.shields_max, matters=True),
        Gauge(name=say("Power"), left=state.power, most=0 if _has_reserve(table) else state.power_max),
        Gauge(name=say("Crew Support"), left=state.crew_support, most=state.crew_support_max),
    )
    return tuple(each for each in gauges if each.most)


def _has_reserve(table: Table) -> bool:
    """S2E-3: the second edition counts no Power, it has a Reserve or none."""
    return table.ruleset is Ruleset.SECOND_EDITION


def _system(one: Ship, system: System) -> SystemView:
    damage = one.state.damage_of(system)
    mark = "whole" if damage.condition is Condition.OPERATIONAL else damage.condition.value
    words: list[str] = [_CONDITIONS[damage.condition]]
    if damage.impact:
        mark = "impact" if mark == "whole" else mark
        out = damage.condition in {
            Condition.DISABLED,
            Condition.DESTROYED,
        }
        words = words if out else [say("unusable until restored"), *(words if mark != "impact" else ())]
    if damage.patched:
        words.append(say("{number} patched", number=damage.patched))
    breaches = say_count(damage.breaches, "{number} Breach", "{number} Breaches") if damage.breaches else ""
    return SystemView(system=system.value, name=titled(system.value), breaches=breaches, state=listed(words), mark=mark)


def _settled(core: Core) -> bool:
    return core.stable or core.exploded


def _alarms(one: Ship) -> tuple[str, ...]:
    state = one.state
    alarms = (
        (state.destroyed, say("Destroyed")),
        (state.critical, say("Critically damaged")),
        (bool(state.unplaced_breaches), say_count(state.unplaced_breaches, "{number} Breach", "{number} Breaches")),
        (bool(state.core.rounds) and not (state.destroyed or _settled(state.core)), say("The warp core is failing")),
    )
    return tuple(words for holds, words in alarms if holds)


def _ship_notes(table: Table, one: Ship) -> tuple[str, ...]:
    state = one.state
    notes = (
        (state.abandoned, say("Abandoned")),
        (not state.shields_raised, say("Shields lowered")),
        (not state.weapons_armed, say("Weapons safe")),
        (
            _has_reserve(table) and not state.destroyed,
            say("Reserve Power ready") if state.reserve_power else say("Reserve Power used"),
        ),
        (state.core.ejected, say("The warp core is ejected")),
    )
    return tuple(words for holds, words in notes if holds)


def _label(effect: LastingEffect) -> str:
    row = LASTING.get(effect.name)
    return row.label if row is not None else titled(effect.name)


def _effect_words(table: Table, effect: LastingEffect) -> Phrase:
    whom = [_name(table, one) for one in _distinct((effect.owner_id, effect.target_id)) if one]
    words = _whose_effect(_label(effect), whom)
    if meaning := meaning_of(table, effect):
        words = say("{effect}: {meaning}", effect=words, meaning=meaning)
    if not effect.rounds_left:
        return say("{effect}.", effect=words)
    return say_count(
        effect.rounds_left, "{effect}, {number} Round left.", "{effect}, {number} Rounds left.", effect=words
    )


def _whose_effect(label: str, whom: list[str]) -> Phrase:
    """A lasting effect with who caused it and whom it affects."""
    if len(whom) > 1:
        return say("{effect}, {owner} to {target}", effect=label, owner=whom[0], target=whom[1])
    return joined_by(", ", (label, *whom))


def newest_first(table: Table) -> list[ExtendedTrack]:
    """The Extended Tasks: first the one that the Task in hand works on, then the newest."""
    action = table.task.declaration.action if table.task is not None else None
    at_work = action.target_id if action is not None else ""
    newest = table.extended[::-1]
    return sorted(newest, key=lambda one: one.track_id != at_work)


def tracks_told(table: Table) -> tuple[tuple[str, Phrase], ...]:
    """How far each Extended Task has come, as a sentence by its id, in the order of `newest_first`."""
    return tuple((one.track_id, _track_words(one)) for one in newest_first(table))


def _track_words(track: ExtendedTrack) -> Phrase:
    """How far an Extended Task has come (EXT-T1, EXT-T2)."""
    done = min(track.marked, track.work)
    if track.progress:
        words = say("{task}: Progress {done} of {work}", task=track.label, done=done, work=track.work)
    else:
        words = say("{task}: Work {done} of {work}", task=track.label, done=done, work=track.work)
    if not track.magnitude:
        return say("{words}.", words=words)
    made, most = track.breakthroughs, track.magnitude
    return say("{words}, Breakthroughs {made} of {most}.", words=words, made=made, most=most)


def _distinct(ids: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(ids)

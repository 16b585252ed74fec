"""The conflict page: what its lists offer, and its forms as commands in the JSON form of `POST /api/v1/commands`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from kiosk.errors import WireError
from kiosk.views.conflict_view import conflict_view
from kiosk.views.stage import titled
from kiosk.web.acting_form import acted, filled_in
from kiosk.web.form_fields import Form, Raw, lines, text, whole, yes
from rules.game import (
    ALIKE,
    LARGE_SCALE,
    STATION_ACTIONS,
    ActionScope,
    Character,
    Combatant,
    ConflictKind,
    Dice,
    Layout,
    MenuEntry,
    Profile,
    Range,
    Ship,
    ShipWeapon,
    Standing,
    System,
    Table,
    Terrain,
    Zone,
    declarers,
    effects_named,
    foes_of,
    is_able,
    menu,
    profile,
    waiting,
    weapon,
    weapons_of,
    zones,
)
from rules.words import Phrase, counted, joined_by, say, worded

CHARGED_EFFECTS: Final = (
    ("area", say("Area")),
    ("intense", say("Intense")),
    ("piercing", say("Piercing 2")),
    ("vicious", say("Vicious 1")),
)
"""What Charge may add after Prepare (QUAL-2)."""

WEAKNESSES: Final = (("piercing", say("Piercing 2")),)
"""What a weakness may give in the place of more damage (S2E-X4)."""

AIMED_AT_SHIPS: Final = frozenset(
    {
        "fire_weapon",
        "fire",
        "ram",
        "ramming_speed",
        "tractor_beam",
        "hailing_frequencies",
        "respond_to_hail",
        "signals_jamming",
        "reveal",
        "scan_for_weakness",
        "targeting_solution",
    }
)
"""Actions of a bridge that nobody but a ship can be the target of."""

_UNARMED: Final = "unarmed"


def of_conflict(table: Table, who: str, given: Form, *, wanted: str = "", gamemaster: bool) -> dict[str, Any]:
    """Everything that the page of a conflict is rendered from; `who` names the one whose actions are wanted.

    `given` is the form of an action that was refused, or whose chances were asked for; empty where none was. `wanted`
    is an action whose form is asked for, as `bridge/fire`.

    `home` is the players' only ship, empty where they have none or several.
    """
    people = [(one.character_id, one.name) for one in table.characters]
    crews = [(one.ship_id, one.name) for one in table.ships if one.crew is not None]
    own_ships = [one.ship_id for one in table.ships if one.crew is None]
    running = table.conflict.combatants if table.conflict is not None else ()
    there = {one.combatant_id for one in running}
    return {
        "fight": conflict_view(table),
        "acting": _acting(table, who, given, wanted, gamemaster=gamemaster),
        "everyone": [*people, *crews],
        "player_ids": {one.character_id for one in table.characters if one.standing is Standing.PLAYER},
        "home": own_ships[0] if len(own_ships) == 1 else "",
        "bridge": {one.character_id for one in table.characters} if table.ships else set(),
        "combatants": [one for one in (*people, *crews) if one[0] in there],
        "others": [one for one in (*people, *crews) if one[0] not in there],
        "stations": [(one, titled(one)) for one in _stations(table)],
        "weapons_offered": [(one.name, one.label) for one in weapons_of(profile(table))],
        "systems": [(one.value, titled(one.value)) for one in System],
        "by_progress": profile(table).extended_progress,
        "large_ships": [(one.ship_id, one.name) for one in table.ships if one.scale >= LARGE_SCALE],
        "terrains": [(one.value, titled(one.value)) for one in Terrain],
        "drawing": _drawing(table) if gamemaster else None,
    }


LAYOUTS: Final = (
    (Layout.LINE.value, say("Each the next one, in a line")),
    (Layout.ALL.value, say("All of them each other")),
    (Layout.LINKS.value, say("Only the pairs named below")),
)
"""How the zones of a map adjoin, in words."""


def _drawing(table: Table) -> Raw:
    """What the gamemaster's forms of the map are preset to. A map that is there keeps its links, named pair by pair."""
    zone_map = table.zone_map
    zones = zone_map.zones if zone_map is not None else ()
    links = zone_map.links if zone_map is not None else ()
    names = {one.zone_id: one.name for one in zones}
    everybody = [(one.character_id, one.name) for one in table.characters]
    return {
        "names": "\n".join(one.name for one in zones),
        "layouts": LAYOUTS,
        "layout": Layout.LINKS.value if links else Layout.LINE.value,
        "links": "\n".join(f"{names[first]} + {names[second]}" for first, second in links),
        "zones": [(one.zone_id, one.name) for one in zones],
        "each": zones,
        "everybody": [*everybody, *((one.ship_id, one.name) for one in table.ships)],
    }


def _stations(table: Table) -> list[str]:
    """The seats of a bridge in this ruleset, in the order of its table."""
    return list(dict.fromkeys(row.station for row in STATION_ACTIONS[table.ruleset].values() if row.station))


def _acting(table: Table, who: str, given: Form, wanted: str, *, gamemaster: bool) -> Raw | None:
    """The menu of one who may act: whose Turn it is, or who is to answer a Task, if nobody was asked for.

    None where there is nobody.
    """
    actors = [(one.character_id, one.name) for one in table.characters if gamemaster or one.standing is Standing.PLAYER]
    if gamemaster:
        actors += [(one.ship_id, one.name) for one in table.ships if one.crew is not None]
    if not table.ready or not actors:
        return None
    known = [one for one, _ in actors]
    turn = table.conflict.turn if table.conflict is not None else None
    due = declarers(table) if waiting(table) is not None else (turn.combatant_id,) if turn is not None else ()
    chosen = who if who in known else next((one for one in due if one in known), known[0])
    ruled = profile(table)
    seat = table.conflict.combatant(chosen) if table.conflict is not None else None
    targets = _targets(table, chosen)
    foes = foes_of(table, chosen)
    shown: Raw = {
        "who": chosen,
        "wanted": wanted,
        "actors": actors,
        "ship": _ship_of(table, chosen),
        "foes": [one for one, _ in targets if one in foes and is_able(table, one)],
        "tracks": [(one.track_id, one.label) for one in table.extended],
        "ship_targets": _ship_targets(table, chosen),
        "targets": targets,
        "others": _others(table, chosen),
        "ships": [(one.ship_id, one.name) for one in table.ships],
        "weapons": _weapons(table, chosen, ruled),
        "mounted": _mounted(table, chosen),
        "charges": CHARGED_EFFECTS,
        "weaknesses": WEAKNESSES,
        "ranges": [(one.value, titled(one.value)) for one in Range],
        "systems": [(one.value, titled(one.value)) for one in System],
        "zones": _zones(table, chosen, ActionScope.PERSONAL),
        "zones_of_ship": _zones(table, chosen, ActionScope.BRIDGE),
        "values": _values(table, chosen),
    }
    entries = [_entry(table, one, shown, given) for one in menu(table, chosen)]
    here, elsewhere = _within_reach(table, seat, chosen, _groups(entries, seat.station if seat is not None else ""))
    return shown | {"groups": here, "elsewhere": elsewhere}


def _zones(table: Table, who: str, scope: ActionScope) -> list[tuple[str, Phrase]]:
    """Where one can be bound, each zone with how far it is."""
    return [
        (one.zone_id, say("{zone}, {zones} away", zone=one.name, zones=counted(far, "zone")) if far else _here(one))
        for one, far in zones(table, who, scope)
    ]


def _here(zone: Zone) -> Phrase:
    return say("{zone}, here", zone=zone.name)


_Groups = list[tuple[str, list[Raw]]]


def _within_reach(table: Table, seat: Combatant | None, who: str, groups: _Groups) -> tuple[_Groups, _Groups]:
    """The groups of one's own place, and those of stations that nobody has given one.

    Whoever is aboard no ship in a conflict has nothing of the latter; before one, they are beside the rest.
    """
    if (seat is not None and seat.ship_id) or any(one.ship_id == who for one in table.ships):
        return groups, []
    own = [(name, some) for name, some in groups if not some[0]["station"]]
    return own, [] if seat is not None else [one for one in groups if one not in own]


def _targets(table: Table, who: str) -> list[tuple[str, str]]:
    """What an action can be aimed at: the other side first, then all others and Extended Tasks; on foot no ship."""
    people = [(one.character_id, one.name) for one in table.characters]
    on_foot = table.conflict is not None and table.conflict.kind is ConflictKind.PERSONAL
    ships = [] if on_foot else [(one.ship_id, one.name) for one in table.ships]
    foes = foes_of(table, who)
    there = _taking_part(table)
    others = sorted(
        (one for one in (*people, *ships) if one[0] != who), key=lambda one: (one[0] not in foes, one[0] not in there)
    )
    return [*others, *((one.track_id, one.label) for one in table.extended)]


def _others(table: Table, who: str) -> list[tuple[str, str]]:
    """Who else takes part, the other side first: into whose Reach one may move (RNG-1)."""
    there = _taking_part(table)
    return [one for one in _targets(table, who) if one[0] in there]


def _taking_part(table: Table) -> frozenset[str]:
    seats = table.conflict.combatants if table.conflict is not None else ()
    return frozenset(one.combatant_id for one in seats)


def _groups(entries: list[Raw], station: str) -> _Groups:
    """The menu by station, one's own first, Minor Actions after the others, each with its place and its price in words.

    What strikes leads, and what everybody can do anywhere comes last.
    """
    placed = [{"place": place, **one} for place, one in enumerate(entries)]
    placed.sort(
        key=lambda one: (
            one["station"] != station,
            one["station"],
            one["minor"],
            "weapon" not in one["needs"],
            one["name"] in ALIKE,
        )
    )
    return [(name, list(some)) for name, some in groupby(placed, key=_group)]


def _group(one: Raw) -> str:
    kind = say("Minor Actions") if one["minor"] else say("Tasks")
    return say("{station}: {kind}", station=titled(one["station"]), kind=kind) if one["station"] else kind


def _entry(table: Table, one: MenuEntry, acting: Raw, given: Form) -> Raw:
    made: Raw = {
        "name": one.name,
        "label": one.label,
        "scope": one.scope.value,
        "station": one.station,
        "minor": one.minor,
        "needs": (
            *_needed(table, one, acting),
            *(("price_threat" if one.minor else "threat_part",) if one.price else ()),
        ),
        "settled": one.settled,
        "thrown": one.dice is Dice.NOW,
        "focused": one.dice is not Dice.NONE,
        "attributes": [(each.value, titled(each.value)) for each in one.attributes],
        "disciplines": [(each.value, titled(each.value)) for each in one.disciplines],
        "possible": one.possible,
        "why_not": one.why_not,
    }
    made |= filled_in(table, made, acting, given)
    return made | {"summary": _summary(one, made)}


def _summary(one: MenuEntry, made: Raw) -> Phrase:
    """What is said of an action before it is opened: Difficulty as it is now, what it takes, its chance."""
    difficulty = one.difficulty if made["difficulty"] is None else made["difficulty"]
    parts: list[Phrase] = (
        [say("Difficulty {difficulty}", difficulty=difficulty)] if difficulty is not None and not one.minor else []
    )
    parts += [say("{number} Power", number=one.power)] if one.power else []
    parts += [say("{number} Momentum or Threat", number=one.price)] if one.price else []
    parts += [made["chance"]] if made["chance"] else []
    return joined_by(", ", parts)


def _needed(table: Table, one: MenuEntry, acting: Raw) -> list[str]:
    """The fields that make sense now, and only ships where none else is meant.

    No Charge without Prepare (QUAL-2); no system where only a Targeting Solution lets it be chosen (S2E-T3).
    """
    prepared = one.scope is ActionScope.BRIDGE or bool(effects_named(table, "prepare", owner_id=acting["who"]))
    solved = bool(effects_named(table, "target_solved", target_id=acting["ship"]))
    unasked = set() if prepared else {"effect"}
    if one.name == "fire" and not solved and not profile(table).range_and_aim_penalties:
        unasked.add("system")
    needs = [name for name in one.needs if name not in unasked]
    aimed = one.scope is ActionScope.BRIDGE and one.name in AIMED_AT_SHIPS
    return ["target_ship" if aimed and name == "target_id" else name for name in needs]


def _ship_of(table: Table, who: str) -> str:
    """The ship that someone serves on: as seated in the conflict, or itself, or the only one there is."""
    seat = table.conflict.combatant(who) if table.conflict is not None else None
    if seat is not None and seat.ship_id:
        return seat.ship_id
    ids = [one.ship_id for one in table.ships]
    return who if who in ids else ids[0] if len(ids) == 1 else ""


def _character(table: Table, who: str) -> Character | None:
    return next((one for one in table.characters if one.character_id == who), None)


def _ship(table: Table, ship_id: str) -> Ship | None:
    return next((one for one in table.ships if one.ship_id == ship_id), None)


def _weapons(table: Table, who: str, ruled: Profile) -> list[tuple[str, str]]:
    """What one carries, and one's bare hands, each with its dice."""
    character = _character(table, who)
    carried = [] if character is None else [weapon(name, ruled) for name in (*character.weapons, _UNARMED)]
    return [
        (one.name, say("{weapon}, {dice}", weapon=one.label, dice=counted(one.rating, "die")))
        for one in dict.fromkeys(carried)
    ]


def _mounted(table: Table, who: str) -> list[tuple[str, str]]:
    """The weapons of one's ship, each with the distance it is best at; of every ship where it is not settled which."""
    own = _ship(table, _ship_of(table, who))
    return [
        (
            one.name,
            _with_range(one) if own is not None else say("{ship}: {weapon}", ship=ship.name, weapon=_with_range(one)),
        )
        for ship in (table.ships if own is None else (own,))
        for one in ship.weapons
    ]


def _with_range(one: ShipWeapon) -> Phrase:
    return say("{weapon}, {range}", weapon=one.name, range=worded(one.optimal_range.value))


def _ship_targets(table: Table, who: str) -> list[tuple[str, str]]:
    """The ships that one's own may be aimed at, those of the other side first."""
    foes, own = foes_of(table, who), _ship_of(table, who)
    able = {one for one in foes if is_able(table, one)}
    others = sorted(
        (one for one in table.ships if one.ship_id != own),
        key=lambda one: (one.ship_id not in able, one.ship_id not in foes),
    )
    return [(one.ship_id, one.name) for one in others]


def _values(table: Table, who: str) -> list[str]:
    character = _character(table, who)
    return [] if character is None else [one.text for one in character.values if not one.struck]


# --- the forms ----------------------------------------------------------------------------------------------


def started(form: Form, table: Raw) -> list[Raw]:
    """A conflict with those who were ticked."""
    kind = text(form, "kind") or ConflictKind.PERSONAL.value
    ids = [one["character_id"] for one in table["characters"]]
    if kind == ConflictKind.STARSHIP:
        ids += [one["ship_id"] for one in table["ships"] if one["crew"]]
    chosen = [one for one in ids if yes(form, f"takes_part_{one}")]
    return [
        {
            "command": "start_conflict",
            "kind": kind,
            "combatants": [_entrant(form, one, kind) for one in chosen],
            "begins": text(form, "begins"),
        }
    ]


def _entrant(form: Form, one: str, kind: str) -> Raw:
    if kind == ConflictKind.PERSONAL:
        return {"combatant_id": one}
    return {"combatant_id": one, "ship_id": text(form, f"ship_{one}"), "station": text(form, f"station_{one}")}


def joining(form: Form, _table: Raw) -> list[Raw]:
    """Somebody joins the conflict."""
    names = ("combatant_id", "ship_id", "station")
    return [{"command": "add_combatant", "combatant": {name: text(form, name) for name in names}}]


def effects(form: Form, name: str) -> list[str]:
    """Damage Effects as they are typed, "piercing 2, intense", in the form of the rules: "piercing:2"."""
    typed = (one.strip().lower().replace(" ", ":", 1) for one in text(form, name).split(","))
    return [one for one in typed if one]


def drawn(form: Form, _table: Raw) -> list[Raw]:
    """A map as it was typed: zones line by line, and pairs as `Bridge + Engineering`."""
    links = [[one.strip() for one in line.split("+")] for line in lines(form, "links")]
    for typed, pair in zip(lines(form, "links"), links, strict=True):
        if len(pair) != 2 or not all(pair):  # noqa: PLR2004 - a pair
            raise WireError(say("A pair is two zones with + between them, not {typed}.", typed=typed[:60]), "links")
    layout = text(form, "layout") or Layout.LINE.value
    return [{"command": "draw_map", "zones": lines(form, "zones"), "layout": layout, "links": links}]


def placed(form: Form, table: Raw) -> list[Raw]:
    """Those who were ticked, in one zone."""
    ids = [one["character_id"] for one in table["characters"]] + [one["ship_id"] for one in table["ships"]]
    who = [one for one in ids if yes(form, f"there_{one}")]
    return [{"command": "place_at", "who_ids": who, "zone_id": text(form, "zone_id")}]


CONFLICT_FORMS: Final[dict[str, Callable[[Form, Raw], list[Raw]]]] = {
    "act": acted,
    "start_conflict": started,
    "add_combatant": joining,
    "draw_map": drawn,
    "place_at": placed,
}
"""Forms whose fields differ from their command's."""

CONFLICT_PLAIN: Final[dict[str, dict[str, Callable[[Form, str], Any]]]] = {
    "set_reach": {"first_id": text, "second_id": text, "in_reach": yes},
    "remove_combatant": {"combatant_id": text},
    "end_conflict": {},
    "end_effect": {"effect_id": text},
    "set_cover": {"character_id": text, "dice": whole},
    "strike_hazard": {
        "target_id": text,
        "rating": whole,
        "reason": text,
        "effects": effects,
        "lethal": yes,
    },
    "adjust_stress": {"character_id": text, "change": whole},
    "take_weapon": {"character_id": text, "weapon": text, "threat_part": whole},
    "bring_in": {"character_id": text, "reinforcement": yes},
    "restore_shields": {"ship_id": text},
    "adjust_power": {"ship_id": text, "change": whole},
    "shelter_ship": {"ship_id": text, "dice": whole},
    "spend_crew_support": {"ship_id": text, "note": text},
    "renew_crew_support": {"ship_id": text},
    "complicate_ship": {"ship_id": text, "system": lambda form, name: text(form, name) or None, "name": text},
    "strike_ship": {
        "ship_id": text,
        "damage": whole,
        "reason": text,
        "piercing": whole,
        "system": lambda form, name: text(form, name) or None,
    },
    "abandon_ship": {"ship_id": text},
    "choose_large_ship_turns": {"ship_id": text, "option": text},
    "set_terrain": {"ship_id": text, "terrain": text, "hazardous": yes},
    "begin_extended_task": {
        "label": text,
        "work": whole,
        "magnitude": whole,
        "resistance": whole,
        "difficulty": whole,
    },
    "end_extended_task": {"track_id": text},
    "put_map_away": {},
    "change_zone": {
        "zone_id": text,
        "name": text,
        "difficulty": whole,
        "concealment": whole,
        "dark": yes,
        "cover": whole,
        "hazard": whole,
        "terrain": lambda form, name: text(form, name) or None,
        "hazardous": lambda form, name: yes(form, name) if text(form, "terrain") else None,
    },
}
"""Forms whose fields are those of their command."""

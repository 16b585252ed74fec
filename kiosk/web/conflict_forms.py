"""The conflict page: what its lists offer, and its forms as commands in the JSON form of `POST /api/v1/commands`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

from kiosk.errors import WireError
from kiosk.storage.wire import told
from kiosk.views.conflict_view import conflict_view, tracks_told
from kiosk.views.holders import NOBODY, Holders, waits_for_another
from kiosk.views.of_table import Menus
from kiosk.views.stage.names import titled
from kiosk.web.acting_form import acted, button_of, fielded, filled_in
from kiosk.web.form_fields import Form, Raw, lines, text, whole, yes
from rules.game import (
    ALIKE,
    LARGE_SCALE,
    MOVEMENT,
    STATION_ACTIONS,
    Action,
    ActionScope,
    Attribute,
    Character,
    Combatant,
    ConflictKind,
    Declaration,
    Dice,
    Discipline,
    History,
    InjuryState,
    Layout,
    MenuChoice,
    MenuEntry,
    Standing,
    System,
    Table,
    TaskPhase,
    Terrain,
    combatant_name,
    declarers,
    foes_of,
    in_reach,
    is_able,
    may_line_up,
    menu,
    move_before,
    profile,
    waiting,
    weapons_of,
    when_next,
)
from rules.words import Phrase, joined_by, listed, say, spoken


def of_conflict(
    history: History,
    menus: Menus,
    who: str,
    given: Form,
    *,
    gamemaster: bool,
    holders: Holders = NOBODY,
    played: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Everything that the page of a conflict is rendered from; `who` names the one whose actions are wanted.

    `given` and `holders` are as of `acting`, `played` as of `expected`.

    `home` is the players' only ship, empty where they have none or several. `expected` are those who would take part in
    the next fight; `unplayed` whether some of the crew would not, as nobody plays them.
    """
    table = history.present
    people = [(one.character_id, one.name) for one in table.characters]
    crews = [(one.ship_id, one.name) for one in table.ships if one.crew is not None]
    own_ships = [one.ship_id for one in table.ships if one.crew is None]
    running = table.conflict.combatants if table.conflict is not None else ()
    there = {one.combatant_id for one in running}
    takes_part = set() if table.conflict is not None else expected(history, played)
    return {
        "fight": conflict_view(table),
        "acting": acting(table, menus, who, given, gamemaster=gamemaster, holders=holders),
        "everyone": [*people, *crews],
        "player_ids": {one.character_id for one in table.characters if one.standing is Standing.PLAYER},
        "home": own_ships[0] if len(own_ships) == 1 else "",
        "expected": takes_part,
        "unplayed": table.conflict is None and takes_part != expected(history),
        "bridge": {one.character_id for one in table.characters} if table.ships else set(),
        "combatants": [one for one in (*people, *crews) if one[0] in there],
        "others": [one for one in (*people, *crews) if one[0] not in there],
        "stations": [(one, titled(one)) for one in _stations(table)],
        "weapons_offered": [(one.name, one.label) for one in weapons_of(profile(table))],
        "systems": [(one.value, titled(one.value)) for one in System],
        "tracks": dict(tracks_told(table)),
        "by_progress": profile(table).extended_progress,
        "large_ships": [(one.ship_id, one.name) for one in table.ships if one.scale >= LARGE_SCALE],
        "terrains": [(one.value, titled(one.value)) for one in Terrain],
        "drawing": _drawing(table) if gamemaster else None,
    }


def expected(history: History, played: frozenset[str] = frozenset()) -> set[str]:
    """The ids of the players' characters, and of the foes who were in no fight yet: those of an old one are done.

    Where somebody plays one of them with a device, only of those who are `played` so.
    Which fights there were the kept decisions know too: journals of before name no foes as one ends, and who fought for
    the players was in it as well.
    """
    table = history.present
    alive = {one.character_id: one for one in table.characters if one.body.injury is not InjuryState.DEAD}
    players = {one for one, character in alive.items() if character.standing is Standing.PLAYER}
    crews = {one.ship_id for one in table.ships if one.crew is not None and not one.state.destroyed}
    fights = (step.before.conflict for step in history.done)
    fought = {one.combatant_id for fight in fights if fight is not None for one in fight.combatants}
    foes = (alive.keys() | crews) - players - fought - set(table.fought)
    return (players & played or players) | foes


LAYOUTS: Final = (
    (Layout.LINE.value, say("Each the next one, in a line")),
    (Layout.ALL.value, say("All of them each other")),
    (Layout.LINKS.value, say("Only the pairs named below")),
)
"""How the zones of a map adjoin, in words."""


def _drawing(table: Table) -> Raw:
    """The presets of the gamemaster's forms for the map. A map that is there keeps its links, named pair by pair."""
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


def acting(
    table: Table,
    menus: Menus,
    who: str,
    given: Form,
    *,
    gamemaster: bool,
    only: str = "",
    holders: Holders = NOBODY,
) -> Raw | None:
    """The menu of one who may act: whose Turn it is, or who is to answer a Task, if nobody was asked for.

    Not of one of the `holders`' characters, whose forms would be sent in vain.

    `given` is the form of an action that was refused, or whose chances are asked for; one that carries no `scope` names
    in `deed` the action whose form is wanted, as `bridge/fire`. `only` is such a name: the menu has nothing else then.
    `line`: an action stands in line until the Task in hand is over, and is tried as it will be then; so does one that
    would end what another of the `holders` can still buy.
    None where there is nobody.
    """
    wanted = "" if given.get("scope") else given.get("deed", "")
    actors = [(one.character_id, one.name) for one in table.characters if gamemaster or one.standing is Standing.PLAYER]
    if gamemaster:
        actors += [(one.ship_id, one.name) for one in table.ships if one.crew is not None]
    actors = [(one, name) for one, name in actors if one == who or _may_come_to_act(table, one)]
    actors = [(one, name) for one, name in actors if one not in holders]
    if not table.ready or not actors:
        return None
    known = [one for one, _ in actors]
    turn = table.conflict.turn if table.conflict is not None else None
    due = declarers(table) if waiting(table) is not None else (turn.combatant_id,) if turn is not None else ()
    chosen = who if who in known else next((one for one in due if one in known), known[0])
    seat = table.conflict.combatant(chosen) if table.conflict is not None else None
    line = _stands_in_line(table, chosen) or waits_for_another(table, chosen, holders)
    if line:
        table = when_next(table)
    shown: Raw = {
        "line": line,
        "who": chosen,
        "wanted": wanted,
        "actors": actors,
        "foes": [one for one in foes_of(table, chosen) if is_able(table, one)],
        "values": _values(table, chosen),
        "near": in_reach(table.conflict, chosen) if table.conflict is not None else (),
    }
    shown["unarmed"] = _unarmed(table, chosen, seat)
    every = menus.of(table, chosen, menu)
    shown["walks"] = any(one.name == MOVEMENT and one.possible for one in every)
    entries = [_entry(table, one, shown, given) for one in every if only in {"", f"{one.scope.value}/{one.name}"}]
    groups = _groups(entries, seat.station if seat is not None else "", aboard=seat is not None and bool(seat.ship_id))
    here, elsewhere = _within_reach(table, seat, chosen, groups)
    near = [] if line else _approaches(table, (one for _, some in here for one in some), shown)
    return shown | {"groups": here, "elsewhere": elsewhere, "approaches": near}


_MOST_APPROACHES: Final = 4
"""Most foes to whom a Movement is one tap where nobody can be struck yet; its form has the others."""


def _approaches(table: Table, entries: Iterable[Raw], acting: Raw) -> list[Raw]:
    """The Movements after which whoever can strike nobody now can strike a foe, each as its button (ACT-3)."""
    strike = next((one for one in entries if one["name"] == "attack" and fielded(one, "weapon") is not None), None)
    if strike is None or strike["possible"] or not acting["walks"]:
        return []
    weapons = [value for value, _ in (fielded(strike, "weapon") or {})["values"]]
    seated = [one.combatant_id for one in table.conflict.combatants] if table.conflict is not None else []
    found: list[Raw] = []
    for foe in (one for one in seated if one in acting["foes"] and one not in acting["near"]):
        tries = (Action(name="attack", target_id=foe, weapon=weapon) for weapon in weapons)
        moves = (move_before(table, Declaration(character_id=acting["who"], action=one)) for one in tries)
        move = next((one for one in moves if one is not None), None)
        found += [button_of(told(move))] if move is not None else []
        if len(found) == _MOST_APPROACHES:
            break
    return found


def _unarmed(table: Table, who: str, seat: Combatant | None) -> tuple[str, str] | None:
    """The id and the name of the ship aboard which `who` fights, or is the crew of, where it has no weapon."""
    aboard = seat.ship_id or seat.combatant_id if seat is not None else who
    return next(((one.ship_id, one.name) for one in table.ships if one.ship_id == aboard and not one.weapons), None)


def _may_come_to_act(table: Table, one_id: str) -> bool:
    """Whether somebody stands in the list of those who act: nobody who is gone, and no foe of another fight."""
    character = _character(table, one_id)
    if character is not None and character.body.injury is InjuryState.DEAD:
        return False
    if any(one.ship_id == one_id and one.state.destroyed for one in table.ships):
        return False
    ours = character is not None and character.standing is Standing.PLAYER
    return ours or table.conflict is None or table.conflict.combatant(one_id) is not None


def _stands_in_line(table: Table, who: str) -> bool:
    """Whether an action of `who` has to wait: another's dice are awaited or answered, or somebody is before them."""
    task = table.task
    if not may_line_up(table) or (task is not None and task.declaration.character_id == who):
        return False
    before = bool(table.in_line) and table.in_line[0].character_id != who
    answered = task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION
    return table.request is not None or (before and not answered)


_Groups = list[tuple[str, list[Raw]]]


def _within_reach(table: Table, seat: Combatant | None, who: str, groups: _Groups) -> tuple[_Groups, _Groups]:
    """The groups of one's own place, and those of stations without a crew.

    In a conflict somebody aboard no ship gets none of the latter; before one they are added to the rest.
    """
    if (seat is not None and seat.ship_id) or any(one.ship_id == who for one in table.ships):
        return groups, []
    own = [(name, some) for name, some in groups if not some[0]["station"]]
    return own, [] if seat is not None else [one for one in groups if one not in own]


def _groups(entries: list[Raw], station: str, *, aboard: bool) -> _Groups:
    """The menu by station, one's own first, Minor Actions after the others.

    What strikes leads, and what everybody can do anywhere comes last.
    """
    placed = sorted(
        entries,
        key=lambda one: (
            one["station"] != station,
            one["station"],
            one["minor"],
            not fielded(one, "weapon"),
            one["name"] in ALIKE,
        ),
    )
    return [(name, list(some)) for name, some in groupby(placed, key=partial(_group, aboard=aboard))]


def _group(one: Raw, *, aboard: bool) -> str:
    """What heads an action; the ship's Prepare and that of people are two."""
    on_foot = aboard and one["scope"] == ActionScope.PERSONAL
    kind = (say("Minor Actions on foot") if on_foot else say("Minor Actions")) if one["minor"] else say("Tasks")
    return say("{station}: {kind}", station=titled(one["station"]), kind=kind) if one["station"] else kind


def _entry(table: Table, one: MenuEntry, acting: Raw, given: Form) -> Raw:
    made: Raw = {
        "name": one.name,
        "key": f"act-{one.scope.value}-{one.name}",
        "label": one.label,
        "scope": one.scope.value,
        "station": one.station,
        "minor": one.minor,
        "fields": _fields(table, one, walks=acting["walks"], foes=acting["foes"]),
        "settled": one.settled,
        "usual": one.difficulty,
        "thrown": one.dice is Dice.NOW,
        "focused": one.dice is not Dice.NONE,
        "attributes": _skills(one.attributes or tuple(Attribute)),
        "disciplines": _skills(one.disciplines or tuple(Discipline)),
        "possible": one.possible,
        "why_not": one.why_not,
    }
    made |= filled_in(table, made, acting, given)
    nearby = _nearby(table, acting["near"]) if one.name == MOVEMENT and table.conflict is not None else ""
    return made | {"summary": _summary(one, made), "nearby": nearby}


def _nearby(table: Table, near: Sequence[str]) -> Phrase:
    """Who is within somebody's Reach now, as a sentence."""
    names = [combatant_name(table, one) for one in near]
    return say("Within Reach: {names}.", names=listed(names)) if names else say("Nobody is within Reach.")


def _skills(several: Sequence[Attribute | Discipline]) -> list[tuple[str, str]]:
    return [(one.value, titled(one.value)) for one in several]


def _summary(one: MenuEntry, made: Raw) -> Phrase:
    """The summary of an action before it is opened: its present Difficulty, what it takes, its chance."""
    difficulty = one.difficulty if made["difficulty"] is None else made["difficulty"]
    parts: list[Phrase] = (
        [say("Difficulty {difficulty}", difficulty=difficulty)] if difficulty is not None and not one.minor else []
    )
    parts += [say("{number} Power", number=one.power)] if one.power else []
    parts += [say("{number} Momentum or Threat", number=one.price)] if one.price else []
    parts += [made["chance"]] if made["chance"] else []
    return joined_by(", ", parts)


def _fields(table: Table, one: MenuEntry, *, walks: bool, foes: Sequence[str]) -> list[Raw]:
    """The fields of an action's form, each with its values or numbers, then the payment.

    In a fight of ships what strikes is aimed at those in it. The `foes` come first of its targets, and of those to whom
    somebody moves. Who `walks` may choose targets that need a Movement first: the form then leads there.
    """
    armed = any(each.name == "weapon" for each in one.choices)
    opened = {"target_id", "weapon"} if walks and one.name == "attack" else set()
    made: list[Raw] = [
        {
            "name": each.name,
            "label": each.label,
            "kind": each.kind.value,
            "required": each.required,
            "values": _foes_first(
                _there(table, each, _pairs(each, opened=each.name in opened), armed=armed),
                foes if armed or one.name == MOVEMENT else (),
            ),
            "refused": _refused(each) if one.possible else [],
            "least": each.least,
            "most": each.most,
            "otherwise": each.otherwise,
        }
        for each in one.choices
    ]
    known = {each["name"] for each in made}
    price = "price_threat" if one.minor else "threat_part"
    if one.price and price not in known:
        label = (
            say("Points of the Minor Action's price as Threat") if one.minor else say("Points of its price as Threat")
        )
        paid: Raw = {"name": price, "label": label, "kind": "number", "required": False, "values": (), "refused": []}
        made.append(paid | {"least": 0, "most": one.price, "otherwise": ""})
    return made


def _pairs(choice: MenuChoice, *, opened: bool) -> list[tuple[str, str]]:
    """The values of a choice with their words, at the end those that something else opens first."""
    later = [(one.id, one.label) for one in choice.refused] if opened else []
    return [*((one.id, one.label) for one in choice.values), *later]


def _there(table: Table, choice: MenuChoice, values: list[tuple[str, str]], *, armed: bool) -> list[tuple[str, str]]:
    """The values without the ships of another fight, at which nobody shoots in this one; all where that leaves none."""
    conflict = table.conflict
    if not armed or choice.name != "target_id" or conflict is None or conflict.kind is not ConflictKind.STARSHIP:
        return values
    ships = {one.ship_id for one in table.ships}
    named = {one.ship_id or one.combatant_id for one in conflict.combatants}
    return [one for one in values if one[0] not in ships or one[0] in named] or values


def _foes_first(values: list[tuple[str, str]], foes: Sequence[str]) -> list[tuple[str, str]]:
    """The values with foes before one's own side; those of a field without foes stay as they are."""
    return sorted(values, key=lambda one: one[0] not in foes)


def _refused(choice: MenuChoice) -> list[tuple[str, str]]:
    """The choices not possible now, grouped by reason."""
    reasons = dict.fromkeys(one.why_not for one in choice.refused)
    return [
        (listed([spoken(one.label) for one in choice.refused if one.why_not == reason]), reason) for reason in reasons
    ]


def _character(table: Table, who: str) -> Character | None:
    return next((one for one in table.characters if one.character_id == who), None)


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

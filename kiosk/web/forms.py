"""Plain HTML forms as commands: what the page without script sends, in the JSON form of `POST /api/v1/commands`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

from kiosk.errors import StaleError, WireError
from kiosk.i18n.current import said_now
from kiosk.views.crew import sample_crew
from kiosk.views.house_rules import PREFIX, HouseRule, house_rules
from kiosk.views.option_fields import OF_CHALLENGE
from kiosk.web.conflict_forms import CONFLICT_FORMS, CONFLICT_PLAIN
from kiosk.web.fight_form import fight, foe, home_ship
from kiosk.web.fighting_fields import of_character, of_ship
from kiosk.web.form_fields import Form, Raw, checked_name, declared_as, lines, name_of, text, whole, yes
from rules.game import Attribute, Discipline, Payer, RerollReason, System
from rules.words import say, worded

MOST_DICE: Final = 64
"""Dice that one throw can hold, as in the API."""

ROWS: Final = range(1, 4)
"""Bonus dice and modifiers that the form has room for; BUY-1 allows no more dice."""

BOUGHT: Final = "bought"
"""The field of the short form for all its bonus dice: who pays for each, and after a slash what of it is Threat."""

HELPED: Final = "helped"
"""The field of the short form for the first helper, parted by slashes: who, attribute, discipline, yes for a focus."""

SHIP_HELPED: Final = "ship_helped"
"""The field of the short form for the ship that helps, parted by slashes: which, system, department."""

MOST_HELPERS: Final = 64
"""Helpers that one Task can have, as in the API; the form has room for everybody at the table."""

DECLARED_REROLLS: Final = tuple(reason for reason in RerollReason if reason is not RerollReason.INSPIRATION)
"""Reasons for a re-roll that have to be declared (TASK-12); Determination is paid when it is used."""


def commands_of(action: str, form: Form, table: Raw) -> list[Raw]:
    """The commands that the form for `action` asks for, in order. Raises `WireError` with words for the person."""
    if action in _MADE:
        return _MADE[action](form, table)
    if action in _PLAIN:
        return [{"command": action, **{name: read(form, name) for name, read in _PLAIN[action].items()}}]
    raise WireError(
        say("This page has no action called {action}. Go back and use one of its buttons.", action=repr(action[:40])),
        "action",
    )


def face_of(typed: str, kind: str, field: str = "face") -> int | str:
    """What a person typed for a die of `kind`: a number, or on a Challenge Die `b`, `e`, or a word for a face.

    Raises `WireError` at its `field` for anything else; an empty one too, because nothing is filled in for anyone.
    """
    shown = typed.strip().lower()
    if not shown:
        raise WireError("A die has no value yet. Type in what it shows; nothing is filled in for you.", field)
    if kind != "d20" and (named := _named_faces().get(shown)):
        return named
    faces = {str(one): one for one in range(1, (20 if kind == "d20" else 6) + 1)}  # a d6 may stand in (CD-1)
    if number := faces.get(shown.lstrip("0")):
        return number
    face = repr(typed.strip()[:20])
    raise WireError(
        say("No die shows {face}. Type 1 to 20.", face=face)
        if kind == "d20"
        else say("No die shows {face}. Type 1, 2, blank or effect.", face=face),
        field,
    )


def _named_faces() -> dict[str, str]:
    """The faces of a Challenge Die that are no number, by their words in English and in the language of the page."""
    here = {said_now(worded("blank")).casefold(): "blank", said_now(say("Effect")).casefold(): "effect"}
    return here | {"b": "blank", "blank": "blank", "e": "effect", "effect": "effect"}


def d20s_of(form: Form) -> list[int | str]:
    """Every d20 whose field is in the form, in order. Raises `WireError` for an invalid face."""
    fields = itertools.takewhile(form.__contains__, (f"face{place}" for place in itertools.count()))
    return [face_of(form[field], "d20", field) for field in fields]


WORKS: Final = "extended"
"""The action that works on an Extended Task."""


def declaration_of(form: Form) -> Raw:
    """The declaration in the fields of `_declare.html`."""
    made: Raw = {
        "character_id": form.get("character_id", ""),
        "attribute": form.get("attribute", ""),
        "discipline": form.get("discipline", ""),
        "focus": yes(form, "focus"),
        "label": form.get("label", "").strip(),
        "difficulty": whole(form, "difficulty"),
        "complication_range": whole(form, "complication_range"),
        "rolled": yes(form, "rolled") or whole(form, "difficulty") > 0,
        "may_succeed_at_cost": yes(form, "may_succeed_at_cost"),
        "opposed": yes(form, "opposed"),
        "opponent_id": form.get("opponent_id", "") if yes(form, "opposed") else "",
        "rerolls": [reason.value for reason in DECLARED_REROLLS if yes(form, f"rerolls_{reason}")],
        "value": form.get("value", "").strip(),
        "modifiers": [
            {
                "reason": form.get(f"reason{row}", "").strip(),
                "change": whole(form, f"change{row}"),
                "circumstance": form.get(f"circumstance{row}") or None,
            }
            for row in ROWS
            if whole(form, f"change{row}") or form.get(f"reason{row}", "").strip()
        ],
        "purchases": [
            *(_bought(one) for one in form.get(BOUGHT, "").split()[: len(ROWS)]),
            *(_purchase(form, row) for row in ROWS if form.get(f"purchase{row}")),
        ],
        "assists": [
            *([_helping(form[HELPED])] if form.get(HELPED) else []),
            *(
                {
                    "character_id": form[f"assist{row}"],
                    "attribute": form.get(f"assist_attribute{row}", ""),
                    "discipline": form.get(f"assist_discipline{row}", ""),
                    "focus": yes(form, f"assist_focus{row}"),
                }
                for row in range(1, MOST_HELPERS + 1)
                if form.get(f"assist{row}")
            ),
        ],
    }
    if form.get("work_on"):
        made["action"] = {"name": WORKS, "target_id": form["work_on"]}
    if form.get("ship"):
        made["ship"] = {
            "ship_id": form["ship"],
            "system": form.get("system", ""),
            "department": form.get("department", ""),
        }
    if form.get(SHIP_HELPED):
        ship, system, department, *_ = (*form[SHIP_HELPED].split("/"), "", "")
        made["ship"] = {"ship_id": ship, "system": system, "department": department}
    return made


def _bought(one: str) -> Raw:
    payer, _, part = one.partition("/")
    return {"payer": payer, "threat_part": whole({"threat_part": part}, "threat_part") if part else 0}


def _helping(one: str) -> Raw:
    who, attribute, discipline, focus, *_ = (*one.split("/"), "", "", "")
    return {"character_id": who, "attribute": attribute, "discipline": discipline, "focus": focus == "yes"}


def _purchase(form: Form, row: int) -> Raw:
    payer = form[f"purchase{row}"]
    part = whole(form, f"threat_part{row}") if payer == Payer.MOMENTUM else 0
    return {"payer": payer, "threat_part": part}


def _entered(form: Form, table: Raw) -> list[Raw]:
    request, number = table["request"], whole(form, "request")
    if request is None or request["number"] != number:
        raise WireError("The table no longer waits for this throw. Look again before entering dice.", "request")
    fields = [f"face{place}" for place in range(request["count"])]
    faces = [face_of(form.get(field, ""), request["kind"], field) for field in fields]
    return [{"command": "enter_dice", "request": request["number"], "faces": faces}]


def _corrected(command: str) -> Callable[[Form, Raw], list[Raw]]:
    def read(form: Form, table: Raw) -> list[Raw]:
        position = whole(form, "position")
        dice = _dice_at_hand(command, table)
        kind = dice[position] if 0 <= position < len(dice) else "d20"
        return [{"command": command, "position": position, "face": face_of(form.get("face", ""), kind)}]

    return read


def _dice_at_hand(command: str, table: Raw) -> list[str]:
    if command == "correct_die":
        return [die["kind"] for die in table["held"]["dice"]] if table["held"] else []
    if table["task"]:
        return [die["die"]["kind"] for die in table["task"]["dice"]]
    return [die["kind"] for die in table["challenge"]["dice"]] if table["challenge"] else []


def _character(form: Form, _table: Raw) -> list[Raw]:
    made: Raw = {
        "command": "save_character",
        "character_id": text(form, "character_id"),
        "name": name_of(form, "character_name", "a character"),
        "player_id": text(form, "player_id"),
        "standing": text(form, "standing"),
        "attributes": {one.value: whole(form, f"attribute_{one}") for one in Attribute},
        "disciplines": {one.value: whole(form, f"discipline_{one}") for one in Discipline},
        "focuses": lines(form, "focuses"),
        "values": lines(form, "values"),
    }
    if text(form, "determination"):
        made["determination"] = whole(form, "determination")
    return [made | of_character(form)]


def _ship(form: Form, table: Raw) -> list[Raw]:
    before = next((one for one in table["ships"] if one["ship_id"] == text(form, "ship_id")), None)
    return [
        {
            "command": "save_ship",
            "ship_id": text(form, "ship_id"),
            "name": name_of(form, "ship_name", "a ship"),
            "scale": whole(form, "scale"),
            "systems": {one.value: whole(form, f"system_{one}") for one in System},
            "departments": {one.value: whole(form, f"department_{one}") for one in Discipline},
            **of_ship(form, before),
        }
    ]


def _options(form: Form) -> Raw:
    return {one.name.removeprefix(PREFIX): _option(form, one) for one in house_rules() if text(form, one.name)}


def _set_up(form: Form, table: Raw) -> list[Raw]:
    """A new table with those of the players who are ticked, and those who are named; foes leave if it says so."""
    again = [one["name"] for one in table["players"] if yes(form, f"again_{one['player_id']}")]
    named = [checked_name(one, "a player", "players") for one in lines(form, "players")]
    made: Raw = {"command": "set_up_table", "ruleset": text(form, "ruleset"), "players": again + named}
    leave = _leaving(form, table) if yes(form, "leave") else []
    return [made | {"options": _options(form)}, *leave]


def _option(form: Form, rule: HouseRule) -> bool | int | str:
    if rule.truth:
        return yes(form, rule.name)
    return text(form, rule.name) if rule.choices else whole(form, rule.name)


def _declared(form: Form, _table: Raw) -> list[Raw]:
    return [declared_as(form, declaration_of(form))]


def _asked_for(form: Form, _table: Raw) -> list[Raw]:
    """The gamemaster's request to a player: the parts of a Task that one may ask of another."""
    whole_task = declaration_of(form)
    fields = ("character_id", "attribute", "discipline", "focus", "label", "difficulty", "complication_range")
    asked = {name: whole_task[name] for name in (*fields, "opposed", "opponent_id")}
    return [{"command": "ask_for_task", **asked}]


def _challenge(form: Form, _table: Raw) -> list[Raw]:
    return [
        {"command": "declare_challenge", "count": whole(form, "count"), "label": text(form, "challenge_label")},
    ]


def _rerolled(form: Form, table: Raw) -> list[Raw]:
    places = [place for place in range(MOST_DICE) if yes(form, f"die{place}")]
    if not places:
        raise WireError("Choose at least one die to throw again.", "positions")
    of_challenge = text(form, "again") or ("reroll_challenge" if table["task"] is None else "")
    if of_challenge in OF_CHALLENGE:
        return [{"command": of_challenge, "positions": places}]
    return [
        {"command": "reroll_dice", "positions": places, "reason": text(form, "reason"), "value": text(form, "cited")}
    ]


def _cleared(form: Form, table: Raw) -> list[Raw]:
    """Those take their leave whom the page listed and who are still at the table; `StaleError` if nobody is."""
    leave = _leaving(form, table)
    if not leave:
        raise StaleError("Nobody was removed: all of them had left the table before.")
    return leave


def _leaving(form: Form, table: Raw) -> list[Raw]:
    gone = form.get("gone", "").split()
    people = [one["character_id"] for one in table["characters"] if one["character_id"] in gone]
    ships = [one["ship_id"] for one in table["ships"] if one["ship_id"] in gone]
    return [
        *({"command": "remove_character", "character_id": one} for one in people),
        *({"command": "remove_ship", "ship_id": one} for one in ships),
    ]


def _with_value(form: Form, _table: Raw) -> list[Raw]:
    character, _, value = form.get("cited", "").replace("\r", "").partition("\n")
    made: Raw = {"character_id": character, "value": value}
    if form.get("use") == "make_it_so":
        return [{"command": "make_it_so", **made, "advantage": text(form, "what")}]
    return [
        {"command": "use_value_against", **made, "action": "accept_complication", "complication": text(form, "what")}
    ]


def _how_often(form: Form) -> int:
    """How often what is chosen happens: once where the form has no field for that."""
    field = f"amount_{text(form, 'event')}"
    return whole(form, field) if field in form else 1


_MADE: Final[dict[str, Callable[[Form, Raw], list[Raw]]]] = {
    **CONFLICT_FORMS,
    "set_up": _set_up,
    "change_options": lambda form, _table: [{"command": "change_options", "options": _options(form)}],
    "sample_crew": lambda form, _table: sample_crew(text(form, "ruleset"), said_now),
    "fight": fight,
    "foe": foe,
    "crew_ship": home_ship,
    "clear_fights": _cleared,
    "character": _character,
    "ship": _ship,
    "declare": _declared,
    "ask_for_task": _asked_for,
    "enter": _entered,
    "declare_challenge": _challenge,
    "reroll": _rerolled,
    "use_value": _with_value,
    "correct_die": _corrected("correct_die"),
    "correct_scored_die": _corrected("correct_scored_die"),
}
"""Forms whose fields differ from their command's."""

_PLAIN: Final[dict[str, dict[str, Callable[[Form, str], Any]]]] = {
    **CONFLICT_PLAIN,
    "add_player": {"name": lambda form, name: name_of(form, name, "a player")},
    "remove_player": {"player_id": text},
    "remove_character": {"character_id": text},
    "remove_ship": {"ship_id": text},
    "start_session": {},
    "start_scene": {"name": text},
    "add_trait": {"name": text, "kind": text},
    "rename_trait": {"trait_id": text, "name": text},
    "remove_trait": {"trait_id": text},
    "adjust_pool": {"pool": text, "change": whole},
    "gain_threat": {"event": text, "amount": lambda form, _: _how_often(form)},
    "spend_threat": {"event": text, "amount": lambda form, _: _how_often(form), "note": text},
    "drop_die": {"position": whole},
    "dismiss_throw": {},
    "attach_free_roll": {"number": whole},
    "take_back_asking": {"character_id": text},
    "set_difficulty": {"difficulty": lambda form, name: whole(form, name) if text(form, name) else None},
    "set_complication_range": {"complication_range": whole},
    "undo": {},
    "redo": {},
}
"""Forms whose fields are those of their command, with how each is read."""

"""Renders the parts of the kiosk's pages that change with the table, by the templates of the pages themselves.

In: the present view. Out: JSON of HTML by the id of the element that it replaces. It is made once for each view, page,
length, person, character and language. `static/js/live.js` puts it in place.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec
from flask import Flask, current_app, g, request
from jinja2 import Template

from kiosk.i18n.current import language_now, page_catalog
from kiosk.ports import Language
from kiosk.storage.wire import decode_as, encode, in_words_of
from kiosk.views.bridge import acts_now, bridge
from kiosk.views.company import Company, company
from kiosk.views.conflict_view import closing_view, conflict_view, dying_told, ships_at_table
from kiosk.views.hidden import HiddenDesk
from kiosk.views.holders import NOBODY, Holders, held_by, without
from kiosk.views.page_words import in_trouble, source_words
from kiosk.views.phone import TABS as TABS_OF_PHONE
from kiosk.views.phone import crew_of, log_of, sheet_of, tabs_of
from kiosk.views.spoken import SpokenViews
from kiosk.views.stage.now import seen_by
from kiosk.views.stage.turn import turn_holder
from kiosk.views.view import TableView
from kiosk.views.work import player, work_of
from kiosk.web.access import AccessLevel, Identity
from kiosk.web.acting_form import fielded
from kiosk.web.conflict_forms import acting
from kiosk.web.declaring_form import declaring, out_of_it
from kiosk.web.form_fields import Form, Raw
from kiosk.web.imported import KeptMacros, KeptPart
from kiosk.web.listeners import ANYBODY, listener_of
from kiosk.web.page_lists import lists_of
from kiosk.web.permissions import deciders, ending, refused_back
from kiosk.web.persons_routes import absent
from kiosk.web.seen import seen_of_character
from kiosk.web.services import Services
from rules.game import History, Table
from rules.game import menu as menu_of

log = logging.getLogger(__name__)

WELL: Final = frozenset({"ready", "off", "absent"})
"""States of a source that the table's screen need not mention."""


class LivePage(StrEnum):
    """The pages that have such parts."""

    DISPLAY = "display"
    PHONE = "phone"
    SHEET = "sheet"
    FIGHT = "fight"
    LOG = "log"
    TABLE = "table"
    GAMEMASTER = "gm"


WORK: Final = MappingProxyType(
    {
        "held": "held",
        "entered": "entered",
        "pictured": "pictured",
        "actions": "actions",
        "later": "later",
        "more": "more",
        "undo-bar": "undo_bar",
    }
)
"""The parts with controls; pages without a place for one leave it out."""

POOLS: Final = MappingProxyType({"momentum": "momentum", "momentum-places": "places", "threat": "threat"})
"""The parts that tell what the table has; each alone, as a tap changes a number."""

TABS: Final = MappingProxyType({"caption": "caption", "tabs": "tabs"})
"""The parts of each tab of a player's page."""

PARTS: Final[Mapping[LivePage, Mapping[str, str]]] = MappingProxyType(
    {
        LivePage.DISPLAY: {
            "troubles": "what_is_wrong",
            "scene-traits": "scene_traits",
            "stage": "stage_of_photographs",
            "fight": "conflict_beside",
            **POOLS,
            "threat-teeth": "teeth",
            "turn": "whose_turn",
            "here": "who_is_here",
            "company": "company_there",
            "caption": "said",
            "menu": "menu_said",
            "repeat": "repeat",
            "mute": "mute",
            "letters": "letters",
        },
        LivePage.PHONE: {
            **POOLS,
            "stage": "stage",
            "scene-traits": "note_of_traits",
            "where-told": "where_told",
            "asked": "asked",
            "own-turn": "own_turn",
            "declare": "declare",
            "put-right": "put_right",
            **{part: macro for part, macro in WORK.items() if part != "more"},
            **TABS,
        },
        LivePage.SHEET: {"sheet": "sheet", "undo-bar": "undo_bar", **TABS},
        LivePage.FIGHT: {
            **POOLS,
            "stage": "stage",
            "held": "held",
            "entered": "entered",
            "pictured": "pictured",
            "fighting": "fighting",
            "actions": "actions",
            "put-right": "put_right",
            "later": "later",
            "standing": "standing",
            "undo-bar": "undo_bar",
            **TABS,
        },
        LivePage.LOG: {"log": "log", "undo-bar": "undo_bar", **TABS},
        LivePage.TABLE: {
            **POOLS,
            "scene-traits": "note_of_traits",
            "where-told": "where_told",
            "at-table": "at_table",
            "challenge": "challenge",
            "hold-screen": "hold_screen",
            **TABS,
        },
        LivePage.GAMEMASTER: {
            "waits": "waits",
            **POOLS,
            "stage": "stage",
            "scene-traits": "note_of_traits",
            "tracks": "tracks",
            "traits": "traits_to_remove",
            "dying": "who_dies",
            "asked": "you_ask",
            "dial": "dial",
            "master-turn": "master_turn",
            "foes": "foes",
            "library": "library",
            "crew": "crew",
            "about-spends": "about_spends",
            "about-gains": "about_gains",
            "reference": "rules",
            "declare": "master_declares",
            "room-voice": "room_voice",
            "sources": "sources",
            "camera-controls": "camera_controls",
            "hold-screen": "hold_screen",
            "caption": "caption",
            **WORK,
        },
    }
)
"""The ids of each page's parts, each with the macro of `_display.html` or `_live.html` that renders it."""


CHANGING: Final = ("picture_kept", "cut_out_kept", "request", "session")
"""What templates may ask that is no value of theirs: which photographs are still there, and what a browser sent."""


OWN: Final = "own"
"""What stands in place of a person who is not known: they decide for no character that somebody took."""

STAMP: Final = "stamp"
"""What stands among the parts for all of them: another one where any is another."""

BACK: Final = MappingProxyType(
    {
        LivePage.DISPLAY: "/display",
        LivePage.GAMEMASTER: "/gm",
        **{LivePage(name): path for name, path, _ in TABS_OF_PHONE},
    }
)
"""Where a form of each page leads back to."""


def page_of_stream(who: Identity) -> str:
    """The page whose parts the request of `who` asks for, as `LivePartsOf` takes it; empty for none."""
    wanted = request.args.get("parts", "")
    return "" if wanted not in list(LivePage) else _for_visitor(wanted, who, request.args.get("me", ""))


LONGEST_TAB: Final = 40
"""Letters of the name that a page gives itself, at most."""


def tab_now() -> str:
    """How the page names itself that asks, or that a form is asked for; empty of one without script."""
    return request.args.get("tab", "")[:LONGEST_TAB]


def decides_for_all(who: Identity) -> bool:
    """Whether somebody decides for every character: the gamemaster, and whoever is at the kiosk itself."""
    return who.local or who.role >= AccessLevel.GAMEMASTER


def _for_visitor(page: str, who: Identity, me: str) -> str:
    length = "" if page == LivePage.DISPLAY else listener_of(request.cookies).length  # the room has its own
    return f"{page}/{length}/{'' if page == LivePage.DISPLAY else person_of(who) or ''}/{me}"


def person_of(who: Identity) -> str | None:
    """The person for whom a page is made, `OWN` where it is nobody known; None for whoever decides for everybody."""
    return None if decides_for_all(who) else who.person or OWN


def shown_on(html: str, newest: Mapping[str, str]) -> str:
    """With which of the `newest` parts a page was made: their stamp, and the ids of those that it has otherwise."""
    otherwise = [part for part, made in newest.items() if part != STAMP and made not in html]
    return " ".join([newest.get(STAMP, ""), *otherwise])


def newest_parts(services: Services, page: LivePage, who: Identity, me: str) -> Mapping[str, str]:
    """The parts of a visitor's page as its stream begins with them."""
    parts = services.hub.parts
    return decode_as(parts(_for_visitor(page, who, me), language_now()), dict[str, str]) if parts is not None else {}


def shown_by(table: Table, history: History, view: Mapping[str, Any]) -> dict[str, Any]:
    """The values for rendering the parts, alone or within their page."""
    closing = closing_view(table, history)
    return {
        "view": view,
        "table": view["table"],
        "now": view["stage"],
        "fight": conflict_view(table),
        "closing": closing,
        "company": company(table) if closing is None else Company(crew=(), ships=()),
        "troubles": [_trouble(one, view) for one in view["sources"] if _worth_telling(one)],
        "turn": turn_holder(table),
        "something_said": view["narration"] is not None,  # or a part that asks this alone is made anew with each word
    }


def _trouble(part: Mapping[str, Any], view: Mapping[str, Any]) -> tuple[str, str, str]:
    """The state of a part, what happened if the remedy alone does not say it, and the remedy."""
    not_kept: str = view["not_kept"]
    if not_kept and part["source"] == "journal":
        return not_kept, "", part["remedy"]
    return source_words(part), part["what"] if in_trouble(part) else "", part["remedy"]


def on_tabs(
    services: Services,
    view: Mapping[str, Any],
    page: LivePage,
    me: str,
    given: Form = MappingProxyType({}),
    *,
    holders: Holders = NOBODY,
) -> dict[str, Any]:
    """The values for the tab `page` of whoever plays `me`, beside those of the other parts.

    `given` is the form of an action as it was sent, as of `conflict_forms.acting`. Where `me` is one of the `holders`'
    characters, the page is for looking: nothing can be filled in there.
    """
    present = services.views.present()
    table, persons = present.table, view["persons"]
    made: dict[str, Any] = {"tabs": tabs_of(table, page.value)}
    if page is LivePage.SHEET:
        made["sheet"] = sheet_of(table, me)
    if page is LivePage.PHONE:
        made["strike"] = strike_on_phone(services, view, me)
    if page is LivePage.FIGHT:
        made["acting"] = acting_on_phone(services, view, me, given) if me not in holders else None
        made["cannot"] = out_of_it(table, me)
    if page is LivePage.LOG:
        made["log"] = log_of(present.history, services.engine.narration, persons)
    if page is LivePage.TABLE:
        made |= {"crew": crew_of(table, persons), "ships": ships_at_table(table)}
    shown = services.views.current().stage
    seen = seen_by(shown, table, me)
    own = (
        {} if seen is shown else {"now": msgspec.to_builtins(seen, enc_hook=in_words_of(page_catalog(language_now())))}
    )
    return {"phone": made} | own


TakesBack: TypeAlias = tuple[bool, bool]
"""Whether somebody may undo the newest decision, and bring back the one undone last."""


def may_take_back(services: Services, person: str | None) -> TakesBack:
    """What `person` may take back and bring back; None for whoever decides for everybody."""
    history, persons = services.views.present().history, services.access.persons
    if person is None:
        return True, True
    return not refused_back(persons, person, history.done), not refused_back(persons, person, history.undone)


def worked(
    table: Table, view: Mapping[str, Any], *, gamemaster: bool, me: str, held: frozenset[str] | None, back: TakesBack
) -> dict[str, Any]:
    """The values for the parts of `WORK`, for whoever plays `me`; see `views.work.work_of`.

    `undo` and `redo` are what they take back or bring back, in words, as far as they may: `back` of `may_take_back`.
    """
    mine = "" if gamemaster else player(view["table"]["characters"], me)
    whose = None if held is None else deciders(table, view["options"])
    ends = {} if held is None else ending(table, view["options"])
    work = work_of(view, gamemaster=gamemaster, me=mine, deciders=whose, held=held, ends=ends)
    work |= {name: view[name] if may else None for name, may in zip(("undo", "redo"), back, strict=True)}
    return {"work": work, "me": mine, "dying": dying_told(table)}


def held_of(services: Services, who: Identity) -> frozenset[str] | None:
    """The characters that `who` took; None for whoever decides for everybody."""
    return None if decides_for_all(who) else held_by(services.views.holders(), who.person)


def holders_for(services: Services, who: Identity) -> Holders:
    """Who took whom, as far as it binds `who`: their own characters do not, and nobody's binds who decides for all."""
    return _binding(services, held_of(services, who))


def _binding(services: Services, held: frozenset[str] | None) -> Holders:
    return NOBODY if held is None else without(services.views.holders(), held)


def others_holders_for(services: Services, who: Identity, page: LivePage) -> Holders:
    """Whose outcome keeps a Task waiting that `who` declares on that page: `declaring_form.declaring` has it."""
    return _waited_for(services, held_of(services, who), page)


def _waited_for(services: Services, held: frozenset[str] | None, page: LivePage) -> Holders:
    """Everybody's, as in the panel's menu, for whoever decides for all on a player's page; the gamemaster's goes on."""
    everybody = held is None and page is not LivePage.GAMEMASTER
    return services.views.holders() if everybody else _binding(services, held)


def _worth_telling(part: Mapping[str, Any]) -> bool:
    """The sources with a problem, and those that somebody has stopped and can start again."""
    return part["state"] not in WELL or (part["state"] == "off" and bool(part["remedy"]))


class LivePartsOf:
    """Renders the parts of a page: see `ports.LiveParts`. Any thread may ask."""

    def __init__(self, app: Flask, services: Services) -> None:
        self._app = app
        self._services = services
        self._lock = threading.Lock()
        self._view: TableView | None = None
        self._made: dict[tuple[object, ...], bytes] = {}
        self._values: dict[str, dict[str, Any]] = {}
        self._spoken: dict[str, SpokenViews] = {}
        self._macros: dict[Template, KeptMacros] = {}
        self._kept: dict[tuple[object, ...], dict[str, KeptPart]] = {}
        self._kept_before: dict[tuple[object, ...], dict[str, KeptPart]] = {}

    def __call__(self, page: str, language: Language) -> bytes:
        """The parts of `page`, or of `page/length/whose/character` for whoever plays that character, told that much.

        `whose` is the person who decides for those whom they took, or `OWN`; empty for whoever decides for everybody.

        A part that fails is logged and left out, so that the table itself is still published.
        """
        name, _, rest = page.partition("/")
        length, _, rest = rest.partition("/")
        whose, _, wanted = rest.partition("/")
        with self._lock:
            view = self._services.views.current()
            if view is not self._view:
                self._view, self._made, self._values = view, {}, {}
                self._kept_before, self._kept = self._kept, {}  # of pages that nobody has open any more none is kept
            known = any(one.character_id == wanted for one in view.table.characters)
            me = wanted if known else ""
            held = held_by(self._services.views.holders(), whose) if whose else None
            back = may_take_back(self._services, whose or None)
            key = (name, length, held, me, language.code, back)
            if key not in self._made:
                shown, long = LivePage(name), length or ANYBODY.length
                try:
                    self._made[key] = self._html_of(shown, view, language, me, long, held=held, back=back)
                except Exception:
                    log.exception("The parts of the page %s cannot be shown.", shown)
                    self._made[key] = b"{}"
            return self._made[key]

    def _html_of(
        self,
        page: LivePage,
        view: TableView,
        language: Language,
        me: str,
        length: str,
        *,
        held: frozenset[str] | None,
        back: TakesBack,
    ) -> bytes:
        with self._app.app_context():
            g.language = language
            if language.code not in self._values:
                spoken = self._spoken.setdefault(language.code, SpokenViews(page_catalog(language)))
                self._values[language.code] = spoken.of(view)
            values = self._values[language.code]
            template = self._app.jinja_env.get_template("_display.html" if page is LivePage.DISPLAY else "_live.html")
            told = self._services.views.present().history
            given = {
                **shown_by(view.table, told, values),
                **_UNSENT,
                "back": BACK[page],
                "listener": {"length": length},
            }
            given["absent"] = absent(self._services)
            if page is not LivePage.DISPLAY:
                gamemaster = page is LivePage.GAMEMASTER
                mine, theirs = player(values["table"]["characters"], me), _binding(self._services, held)
                given |= on_tabs(self._services, values, page, mine, holders=theirs)
                its_held = None if gamemaster else held
                given |= worked(view.table, values, gamemaster=gamemaster, me=me, held=its_held, back=back)
                if gamemaster:
                    given["bridge"] = bridge(view.table, values["persons"])
                    given["bridge_acting"] = acting_on_bridge(self._services, values, {})
                history = self._services.views.present().history
                given["declare"] = declaring(
                    values,
                    history,
                    {},
                    gamemaster=gamemaster,
                    me=given["me"],
                    holders=theirs,
                    others_holders=_waited_for(self._services, held, page),
                )
                given |= {"words": lists_of(values), "has_camera": self._services.camera is not None}
            self._app.update_template_context(given)
            if template not in self._macros:
                self._macros[template] = KeptMacros(template, fields=("view", "table"), changing=CHANGING)
            macros = self._macros[template]
            macros.reading(given)
            key = (page, length, held, me, language.code)
            before, kept = self._kept_before.get(key, {}), dict[str, KeptPart]()
            made = {part: _html(macros, name, before, kept) for part, name in PARTS[page].items()}
            self._kept[key] = kept
            html = encode(made)
            stamp = encode({STAMP: hashlib.sha256(html).hexdigest()[:16]})
            return stamp[:-1] + b"," + html[1:]


_UNSENT: Final[Mapping[str, Any]] = MappingProxyType(
    {"marks": lambda *_action, **_about: "", "back": "/gm", "given": MappingProxyType({}), "zip": zip}
    | {"seen_of_character": seen_of_character}
)
"""The form values within a part: no marks, because scripts send the forms, and nothing refused."""


def hidden_rolls(desk: HiddenDesk) -> list[Any]:
    """The hidden rolls as templates show them. Needs the context of a request."""
    in_words = in_words_of(page_catalog(language_now()))
    return [msgspec.to_builtins(one, enc_hook=in_words) for one in desk.view().rolls]


def hidden_parts_of(desk: HiddenDesk) -> dict[str, str]:
    """The parts of the gamemaster's page that hold the hidden rolls. Needs the context of a request."""
    context = dict(_UNSENT)
    current_app.update_template_context(context)
    macros = current_app.jinja_env.get_template("_work.html").make_module(context)
    rolls = hidden_rolls(desk)
    return {"hidden": str(macros.hidden_rolls(rolls)), "hidden-done": str(macros.hidden_done(rolls))}  # type: ignore[attr-defined]  # macros of the template


def acting_on_phone(services: Services, view: Mapping[str, Any], me: str, given: Form, only: str = "") -> Raw | None:
    """The menu of `me` while their Turn waits for what they do with it, else None; `given` and `only` as of `acting`.

    A Minor Action that is one tap beside it is not in it. `leads` is the key of its attack, which one does most; empty
    where none is possible.
    """
    if not _acts_now(view["table"], me):
        return None
    menu = acting(services.views.present().table, services.views.menus, me, given, gamemaster=False, only=only)
    if menu is None:
        return None
    made = without_taps(view, menu)
    attacks = (one["key"] for _, some in made["groups"][:1] for one in some if one["possible"] and _is_attack(one))
    return made | {"leads": next(attacks, "")}


def _acts_now(table: Raw, me: str) -> bool:
    """Whether the Turn of `me` waits for what they do with it."""
    turn = table["conflict"]["turn"] if table["conflict"] else None
    busy = table["task"] or table["request"] or table["held"] or table["agenda"]
    return turn is not None and not busy and bool(me) and me == (turn["guest_id"] or turn["combatant_id"])


def strike_on_phone(services: Services, view: Mapping[str, Any], me: str) -> Raw | None:
    """The attack that leads the menu of `me` in their Turn, alone; None where their place has none that is possible."""
    if not _acts_now(view["table"], me):
        return None
    table = services.views.present().table
    seat = table.conflict.combatant(me) if table.conflict is not None else None
    station = seat.station if seat is not None else ""
    armed = (
        one
        for one in services.views.menus.of(table, me, menu_of)
        if one.possible and not one.minor and one.station == station
        if {each.name for each in one.choices} >= _AIMED
    )
    first = next(armed, None)
    if first is None:
        return None
    menu = acting_on_phone(services, view, me, {}, only=f"{first.scope.value}/{first.name}")
    return None if menu is None else next((one for _, some in menu["groups"] for one in some), None)


def _strikes(actions: Iterable[Raw]) -> bool:
    """Whether one of them is an attack that is possible now: what a foe does most."""
    return any(one["possible"] and fielded(one, "weapon") is not None and not one["minor"] for one in actions)


_AIMED: Final = frozenset({"target_id", "weapon"})
"""Fields that a Minor Action's tap fills in by itself, and its form asks for."""


def without_taps(view: Mapping[str, Any], menu: Raw, asking: frozenset[str] = _AIMED, wanted: str = "") -> Raw:
    """A `menu` as of `acting` without the Minor Actions that the page has as one tap beside it.

    One with a field of those in `asking` stays, and one whose form is `wanted`.
    """
    moves = [one["command"] for one in view["options"] if one["command"]["command"] == "take_minor_action"]
    taps = {(one["action"]["scope"], one["action"]["name"]) for one in moves if one["character_id"] == menu["who"]}

    def kept(one: Raw) -> bool:
        aimed = any(field["name"] in asking for field in one["fields"])
        asked = wanted in {one["name"], f"{one['scope']}/{one['name']}"}
        return not one["minor"] or aimed or asked or (one["scope"], one["name"]) not in taps

    groups = [(name, [one for one in some if kept(one)]) for name, some in menu["groups"]]
    return menu | {"groups": [(name, some) for name, some in groups if some]}


def acting_on_bridge(services: Services, view: Mapping[str, Any], given: Form, only: str = "") -> Raw | None:
    """The menu of the NPC or ship whose Turn the gamemaster plays now, else None; as of `acting_on_phone`.

    `leads` is the key of its attack, which a foe does most; empty where none is possible.
    """
    table = services.views.present().table
    who = acts_now(table)
    menu = acting(table, services.views.menus, who, given, gamemaster=True, only=only) if who else None
    if menu is None:
        return None
    made = without_taps(view, menu)
    groups = sorted(made["groups"], key=lambda one: not _strikes(one[1]))
    attacks = (one["key"] for _, some in groups[:1] for one in some if one["possible"] and _is_attack(one))
    return made | {"groups": groups, "leads": next(attacks, "")}


def _is_attack(one: Raw) -> bool:
    return not one["minor"] and all(fielded(one, name) is not None for name in _AIMED)


def of_deed(view: Mapping[str, Any], menu: Raw | None, back: str) -> dict[str, str]:
    """The one action of a menu by its id, with its form; nothing where it cannot be done.

    Needs the context of a request.
    """
    found = [one for _, some in (*menu["groups"], *menu["elsewhere"]) for one in some] if menu else []
    if not found or not found[0]["possible"]:
        return {}
    context: dict[str, Any] = {**_UNSENT, "back": back, "words": lists_of(view), "table": view["table"], "view": view}
    current_app.update_template_context(context)
    macros = current_app.jinja_env.get_template("_acting.html").make_module(context)
    return {found[0]["key"]: str(macros.action(found[0], menu, whole=False))}  # type: ignore[attr-defined]  # a macro of the template


def reference_part_of(view: Mapping[str, Any]) -> dict[str, str]:
    """The part of the gamemaster's page that holds the tables of the books. Needs the context of a request."""
    context: dict[str, Any] = {**_UNSENT, "view": view}
    current_app.update_template_context(context)
    macros = current_app.jinja_env.get_template("_reference.html").make_module(context)
    return {"reference": str(macros.folded(whole=True))}  # type: ignore[attr-defined]  # a macro of the template


def declaring_part(
    view: Mapping[str, Any],
    history: History,
    asked: Form,
    page: LivePage,
    *,
    holders: Holders = NOBODY,
    others_holders: Holders | None = None,
) -> tuple[str, Raw | None]:
    """The part of a page in which a Task is declared, with its form as `asked`; empty where it cannot be open.

    Beside it the form's values, None where something else stands in its place.

    Needs the context of a request.
    """
    gamemaster = page is LivePage.GAMEMASTER
    made = declaring(
        view,
        history,
        asked,
        gamemaster=gamemaster,
        me=asked.get("me", ""),
        holders=holders,
        others_holders=others_holders,
    )
    if made["form"] is None and made["gone"] is None:
        return "", None
    context: dict[str, Any] = {**_UNSENT, "back": BACK[page], "declare": made, "words": lists_of(view)}
    context |= {"table": view["table"], "view": view}
    current_app.update_template_context(context)
    macros = current_app.jinja_env.get_template("_declare.html").make_module(context)
    html = str(macros.masters() if gamemaster else macros.players())  # type: ignore[attr-defined]  # macros of the template
    return html, made["form"]


def _html(macros: KeptMacros, name: str, before: Mapping[str, KeptPart], kept: dict[str, KeptPart]) -> str:
    """The HTML of a part, as it was `before` if nothing of it has changed; it is kept for the next time."""
    try:
        kept[name] = macros.part(name, before.get(name))
        return kept[name].html.strip()  # or a page gathers the spaces round it
    except Exception:
        log.exception("The part %s of the page cannot be shown.", name)
        return ""

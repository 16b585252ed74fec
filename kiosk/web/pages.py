"""The pages: each reads sensibly before, and without, any script; static/js then keeps it live."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, words_of
from kiosk.i18n.current import language_now
from kiosk.storage.wire import encode
from kiosk.views.option_fields import fits
from kiosk.views.page_words import FILTERS
from kiosk.views.screen import LARGEST_KEY_SHARE, LARGEST_SHARE, SMALLEST_SHARE, letter_share
from kiosk.views.stage.dice import shown_face
from kiosk.views.stage.names import titled
from kiosk.web.access import AccessLevel
from kiosk.web.app_pages import app_pages
from kiosk.web.camera_pages import camera_pages
from kiosk.web.colour_pages import colour_pages
from kiosk.web.conflict_forms import acting
from kiosk.web.desk_forms import outcome
from kiosk.web.language_pages import language_pages
from kiosk.web.letting_in import letting_in
from kiosk.web.live_parts import (
    BACK,
    LivePage,
    acting_on_bridge,
    acting_on_phone,
    declaring_part,
    hidden_parts_of,
    holders_for,
    of_deed,
    others_holders_for,
    page_of_stream,
    person_of,
    reference_part_of,
    tab_now,
)
from kiosk.web.person_pages import person_pages
from kiosk.web.persons_routes import me_of
from kiosk.web.problems import status_of
from kiosk.web.screen_form import screen_asked, screen_choice, shown
from kiosk.web.settings_page import settings_page
from kiosk.web.text import forms
from kiosk.web.tray_pages import tray_pages
from kiosk.web.visit import joined, note_actor, note_chooser, page, visit
from kiosk.web.voice_pages import voice_pages

pages = Blueprint("pages", __name__)
pages.register_blueprint(app_pages)
pages.register_blueprint(forms)
pages.register_blueprint(language_pages)
pages.register_blueprint(tray_pages)
pages.register_blueprint(camera_pages)
pages.register_blueprint(voice_pages)
pages.register_blueprint(settings_page)
pages.register_blueprint(letting_in)
pages.register_blueprint(colour_pages)
pages.register_blueprint(person_pages)
pages.add_app_template_filter(titled, "titled")
pages.add_app_template_filter(shown_face, "shown_face")
for name, words in FILTERS.items():
    pages.add_app_template_filter(words, name)
pages.add_app_template_filter(fits, "fits")


@pages.get("/")
def index() -> Response:
    """Choose a part; each missing source is named with what it would add."""
    now = visit()
    return page("index.html", now, languages=now.services.room.languages.names())


@pages.get("/setup")
def set_up() -> Response:
    """Ruleset, players, characters, ships."""
    return page("setup.html", visit())


@pages.get("/display")
def display() -> Response:
    """The table's screen."""
    return page("display.html", visit())


@pages.get("/parts/now")
def now_alone() -> Response:
    """The first message of a live page alone: for a page that polls because no live place is left."""
    now = visit()
    body = now.services.hub.opening(language_now(), page_of_stream(now.who))
    return Response(body, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})


@pages.get("/parts/declare")
def declare_part() -> Response:
    """The form of a Task as the query has it: one part by its id; empty where no Task can be declared there."""
    now = visit()
    name = LivePage.GAMEMASTER if request.args.get("page") == "gm" else LivePage.PHONE
    holders = holders_for(now.services, now.who)
    others = others_holders_for(now.services, now.who, name)
    html, form = declaring_part(
        now.view, now.services.views.present().history, request.args, name, holders=holders, others_holders=others
    )
    if name is LivePage.PHONE and form is not None:
        note_chooser(now, form, request.args)
    elif name is LivePage.PHONE:  # closed there, or the table has gone on
        mine = request.args.get("me", "") or request.args.get("character_id", "")
        now.services.choosing.closed(mine, person_of(now.who) or "", tab_now())
    return Response(encode({"declare": html}), mimetype="application/json", headers={"Cache-Control": "no-store"})


@pages.get("/parts/deed")
def deed_part() -> Response:
    """An action with its form as the query has it: one part by its id; none where nobody can do that now."""
    now = visit()
    asked, services = request.args, now.services
    who, deed = asked.get("who", ""), asked.get("deed", "")
    only = f"{asked['scope']}/{deed}" if asked.get("scope") else deed
    if not deed:  # closed there
        if asked.get("page") == LivePage.FIGHT:
            services.choosing.closed(who, person_of(now.who) or "", tab_now())
        return Response(encode({}), mimetype="application/json", headers={"Cache-Control": "no-store"})
    holders = holders_for(services, now.who)
    if asked.get("page") == LivePage.FIGHT:
        menu = acting_on_phone(services, now.view, who, asked, only) if who not in holders else None
        back = BACK[LivePage.FIGHT]
    elif asked.get("page") == LivePage.GAMEMASTER and now.who.role >= AccessLevel.GAMEMASTER:
        menu, back = acting_on_bridge(services, now.view, asked, only), BACK[LivePage.GAMEMASTER]
    else:
        table, gamemaster = services.views.present().table, now.who.role >= AccessLevel.GAMEMASTER
        menu = acting(table, services.views.menus, who, asked, gamemaster=gamemaster, only=only, holders=holders)
        back = "/conflict"
    found = of_deed(now.view, menu if menu and menu["who"] == who else None, back)
    if found and asked.get("page") == LivePage.FIGHT:
        note_actor(now, who, asked)
    return Response(encode(found), mimetype="application/json", headers={"Cache-Control": "no-store"})


@pages.get("/parts/reference")
def reference_part() -> Response:
    """The tables of the books as a part of the gamemaster's page."""
    html = reference_part_of(visit().view)
    return Response(encode(html), mimetype="application/json", headers={"Cache-Control": "no-store"})


@pages.get("/parts/hidden")
def hidden_parts() -> Response:
    """The hidden rolls as a part of the gamemaster's page, for the gamemaster alone."""
    now = visit()
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    found = hidden_parts_of(now.services.hidden)
    return Response(encode(found), mimetype="application/json", headers={"Cache-Control": "no-store"})


@pages.get("/display.css")
def display_size() -> Response:
    """The size of the letters that the farthest player reads, for the screen in the query, else the chosen one.

    A page names its screen there, so that a later choice does not replace it unnoticed.
    """
    share = letter_share(screen_asked(request.args, visit().services.screen.now))
    key, legible = (min(most, max(SMALLEST_SHARE, share)) for most in (LARGEST_KEY_SHARE, LARGEST_SHARE))
    rule = f":root {{ --key: max(1rem, {key:.2f}vmin); --legible: max(1rem, {legible:.2f}vmin); }}\n"
    return Response(rule, mimetype="text/css")


@pages.get("/screen")
def screen() -> Response:
    """How large the table's screen is, how far people sit, its colours."""
    now = visit()
    return page("screen.html", now, screen=shown(now.services.screen.now))


@pages.post("/screen")
def choose_screen() -> AnyResponse:
    """Keep what the form chose for the table's screen."""
    now = visit()
    access, keeper = now.services.access, now.services.screen
    try:
        if not access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        access.require(now.who, AccessLevel.GAMEMASTER)
        keeper.choose(screen_choice(request.form))
    except KioskError as error:
        problem = {"problem": words_of(error), "screen": shown(keeper.now)}
        return page("screen.html", now, status=status_of(error), given=request.form, **problem)
    now.services.hub.publish_table()
    return redirect("/screen", 303)


@pages.get("/play", defaults={"tab": "phone"})
@pages.get("/play/<any(sheet, fight, log, table):tab>")
def play(tab: str) -> Response:
    """A tab of a player's phone."""
    return page("play.html", visit(), tab=tab)


@pages.get("/gm")
def gamemaster() -> AnyResponse:
    """The gamemaster's page, once the PIN was typed in where one is set."""
    now = visit()
    return redirect("/pin") if now.who.locked else page("gm.html", now)


@pages.get("/conflict")
def conflict() -> Response:
    """A fight or a ship duel: everybody's state, whose Turn it is, and the actions."""
    return page("conflict.html", visit())


@pages.get("/text")
def text() -> Response:
    """Everything without script."""
    now = visit()
    return page("text.html", now, said=outcome(now))


@pages.get("/reference")
def reference() -> Response:
    """The tables of the books, as this table plays them."""
    return page("reference.html", visit())


@pages.get("/join")
def join() -> Response:
    """Type in a code, or arrive with it from the QR code."""
    now = visit()
    code = request.args.get("code", "")
    name = request.args.get("name", "") or me_of(now.services, now.who).name
    return joined(now, {"code": code}) if code else page("join.html", now, given={"name": name})

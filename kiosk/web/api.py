"""The API's handlers, and the one table of routes from which both the application and its OpenAPI document are made."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Annotated, Final, Literal

from flask import Response, current_app, request
from msgspec import Meta, Struct

from kiosk.devices.camera_desk import CheckView
from kiosk.devices.tray_desk import TrayChange, TrayView
from kiosk.engine import CommandResult, Present
from kiosk.errors import AccessError, KioskError, WireError
from kiosk.i18n.current import language_now
from kiosk.panel.spoken_places import Gesture
from kiosk.storage.wire import command_of, decode_as, decode_object, input_shape, output
from kiosk.views.about import require_about
from kiosk.views.screen import Screen, ScreenChoice
from kiosk.views.view import TableView, narration_view
from kiosk.web.access import COOKIE, PIN_COOKIE, AccessLevel, Identity
from kiosk.web.asking import by_program, sender, who_asks
from kiosk.web.chances import odds_of
from kiosk.web.door import LINE
from kiosk.web.hearing import HEARING
from kiosk.web.letting_in import NETWORK
from kiosk.web.listeners import LISTENING
from kiosk.web.live_parts import LivePage, page_of_stream, tab_now
from kiosk.web.menu_view import ACTOR, MenuView, get_menu
from kiosk.web.messages import (
    Applied,
    Health,
    Join,
    Joined,
    Odds,
    Throw,
    Thrown,
    role_needed,
)
from kiosk.web.openapi import document
from kiosk.web.panel_rights import presser_of
from kiosk.web.permissions import require_may
from kiosk.web.persons_routes import PERSONS, with_cookie
from kiosk.web.phone_routes import PHONES
from kiosk.web.picture_uploads import PICTURES
from kiosk.web.problems import http_problem
from kiosk.web.route import CHANGE_FAILS, HEADER, LANGUAGE, Route, answered
from kiosk.web.seen import require_kept
from kiosk.web.services import Services
from rules.dice import DieKind, SourceKind
from rules.game import Command, Declaration, DeclareTask, ReportReading, name_of
from rules.words import say

LONGEST_NUMBER: Final = 15
"""Digits of an event id; more than any journal reaches."""

HIDDEN: Final = (
    "hidden",
    {"type": "string", "enum": ["yes"]},
    "`yes`, for the gamemaster: a `hidden` event, without content, whenever the hidden rolls have changed.",
)
"""A query of `get_events`, as the table of routes has it."""

PARTS: Final = (
    "parts",
    {"type": "string", "enum": [one.value for one in LivePage]},
    "For the kiosk's own pages: `parts` with each table, JSON of HTML by id; the table leaves out what they show.",
)
"""A query of `get_events`, as the table of routes has it."""

ME: Final = (
    "me",
    {"type": "string", "maxLength": 64},
    "For the kiosk's own pages: the `character_id` that is played there; the `parts` are for whoever plays it.",
)
"""A query of `get_events`, as the table of routes has it."""

FREE_DICE: Final = (DieKind.D20.value, DieKind.D20.value)
"""What a demonstration throws when nothing is awaited."""


def services() -> Services:
    """The kiosk that answers the present request."""
    found: Services = current_app.extensions["trueroll"]
    return found


def identity() -> Identity:
    """Who sent the present request."""
    return who_asks(services())


def serve(route: Route) -> Response:
    """Answer the present request by `route`, once it is known to be allowed."""
    kiosk = services()
    if route.method == "POST":
        require_own_page(kiosk)
    kiosk.access.require(identity(), route.needs)
    return route.handler(kiosk)


def require_own_page(kiosk: Services) -> None:
    """Raise `AccessError` where another site's page may have sent the present request."""
    if request.headers.get(HEADER) != "1":
        raise AccessError(
            say("Send the header {header}: 1 with every change; it keeps other sites' pages out.", header=HEADER)
        )
    if not kiosk.access.origin_allowed(request.headers.get("Origin"), request.host):
        raise AccessError("This came from a page of another site, so it was not done.")


def get_table(kiosk: Services) -> Response:
    """The present view."""
    body, _ = kiosk.views.json(language_now())
    return Response(body, mimetype="application/json")


def post_command(kiosk: Services) -> Response:
    """Apply one command."""
    asked = command_of(decode_object(request.get_data()))
    who = identity()
    kiosk.access.require(who, role_needed(asked.command))
    if isinstance(asked.command, ReportReading):
        _require_entered_by_hand(asked.command)
    mark = asked.about

    def fits(present: Present) -> None:
        if mark is not None:
            require_about(present, asked.command, mark, kiosk.access.persons.all)
        require_may(kiosk.access.persons, who, present, (asked.command,), confirmed=asked.confirmed)
        if asked.seen is not None:
            require_kept(asked.command, asked.seen, present.table)

    result = kiosk.engine.submit(asked.command, who.by, asked.idempotency, fits=fits, person=who.person)
    return applied(result)


def applied(result: CommandResult) -> Response:
    """The answer to a command that was applied."""
    events = tuple(output(event) for event in result.events)
    return answered(Applied(sequence=result.sequence, events=events, narration=narration_view(result.said)))


def get_events(kiosk: Services) -> Response:
    """The journal as it grows."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(b"", mimetype="text/event-stream", headers=headers)
    with_hidden = request.args.get("hidden") == "yes"
    if with_hidden:
        kiosk.access.require(identity(), AccessLevel.GAMEMASTER)
    caller = kiosk.knows(sender(kiosk), request.cookies.get(COOKIE))
    who = caller.who or identity().person  # at the kiosk itself there may be somebody, too
    subscription = kiosk.hub.subscribe(
        _last_event_id(),
        language_now(),
        page=page_of_stream(identity()),
        with_hidden=with_hidden,
        place=caller.place,
        who=who,
        tab=tab_now(),
        line=request.environ.get(LINE),
    )

    opened = request.cookies.get(PIN_COOKIE)
    kiosk.access.page_lives(opened, 1)

    def left() -> None:
        kiosk.access.hear(who)  # however long ago that page asked for something
        kiosk.access.page_lives(opened, -1)
        subscription.close()

    answer = Response(iter(subscription), mimetype="text/event-stream", headers=headers)
    answer.call_on_close(left)
    return answer


def get_die_picture(kiosk: Services) -> Response:
    """The crop of a die that a person should look at."""
    key = str((request.view_args or {})["key"])
    return _picture(kiosk.sources.picture(key), "This picture is no longer kept. Look at the die itself.")


def get_cut_out(kiosk: Services) -> Response:
    """A die by itself, as it lay there."""
    key = str((request.view_args or {})["key"])
    found = _picture(kiosk.sources.cut_out(key), "This die is no longer kept by itself.", "image/webp")
    if found.status_code == HTTPStatus.OK:
        found.headers["Cache-Control"] = "private, max-age=86400, immutable"  # a key never names another die
    return found


def get_whole_picture(kiosk: Services) -> Response:
    """The whole picture of the throw of a die."""
    key = str((request.view_args or {})["key"])
    return _picture(kiosk.sources.whole(key), "This picture is no longer kept. Look at the die itself.")


def get_camera_picture(kiosk: Services) -> Response:
    """What the camera sees."""
    return _picture(kiosk.sources.camera_picture(), "There is no camera picture now.")


def post_odds(kiosk: Services) -> Response:
    """Exact chances of a declaration."""
    raw = decode_object(request.get_data())
    asked = command_of({"command": name_of(DeclareTask), "declaration": raw.get("declaration", raw)}).command
    if not isinstance(asked, DeclareTask):
        raise TypeError(f"declare_task made a {type(asked).__name__}")
    return answered(odds_of(kiosk.views.present().table, asked.declaration))


def post_screen(kiosk: Services) -> Response:
    """Choose size, distance and colours of the table's screen."""
    made = kiosk.screen.choose(decode_as(request.get_data(), ScreenChoice))
    kiosk.hub.publish_table()
    return answered(made)


class Hold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the table's screen is to stay as it is, so that a result can be talked over."""

    held: Annotated[bool, Meta(description="False lets it show what is true now.")]


def post_hold(kiosk: Services) -> Response:
    """Hold the table's screen, or let it go on."""
    return answered(kiosk.hold_screen(held=decode_as(request.get_data(), Hold).held))


class Press(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The meaning of a key: to move on or back in the spoken menu, to choose, to leave, to hear it again or more."""

    gesture: Annotated[Gesture, Meta(description="As a button of the panel means it.")]


def post_panel(kiosk: Services) -> Response:
    """Press a button of the panel; what comes of it is shown and said."""
    pressed = decode_as(request.get_data(), Press)
    kiosk.keys.press(pressed.gesture, presser_of(identity(), program=by_program()))
    return answered(pressed)


def get_check(kiosk: Services) -> Response:
    """What the camera's newest picture lacks."""
    return answered(kiosk.camera_desk.check(kiosk.sources))


def get_tray(kiosk: Services) -> Response:
    """What lies on the tray, and the dice that were taught."""
    return answered(kiosk.tray.view())


def post_tray(kiosk: Services) -> Response:
    """A step of teaching a die, or a change of one."""
    return answered(kiosk.tray.do(decode_as(request.get_data(), TrayChange)))


def post_demo_throw(kiosk: Services) -> Response:
    """Throw what is awaited, in a demonstration."""
    asked = decode_as(request.get_data(), Throw)
    if kiosk.demo is None:
        raise KioskError("Only the demonstration throws dice. Here, throw real ones.")
    awaited = kiosk.engine.present().table.request
    dice = FREE_DICE if awaited is None else (awaited.kind.value,) * awaited.count
    kiosk.demo.throw(SourceKind(asked.where), dice)
    return answered(Thrown(where=asked.where, kind=dice[0], count=len(dice)))


def post_join(kiosk: Services) -> Response:
    """Join with a code."""
    asked = decode_as(request.get_data(), Join)
    code = asked.gamemaster_code if asked.gamemaster_code is not None else asked.code
    if code is None:
        raise WireError("Send the table code as code, or the gamemaster's as gamemaster_code.", "$.code")
    gamemaster = asked.gamemaster_code is not None
    held = request.cookies.get(COOKIE)
    cookie = kiosk.access.join(sender(kiosk) or "", code[:64], gamemaster=gamemaster, cookie=held, name=asked.name)
    return with_cookie(answered(Joined(role="gamemaster" if gamemaster else "player")), cookie)


def get_openapi(kiosk: Services) -> Response:  # noqa: ARG001  # every handler takes the services
    """This document."""
    return Response(_description(), mimetype="application/json")


@cache
def _description() -> bytes:
    return document(ROUTES)


def get_health(kiosk: Services) -> Response:
    """How each part is."""
    present = kiosk.engine.present()
    parts = kiosk.sources.views()
    well = {"ready", "off", "absent", "starting"}
    status: Literal["ok", "degraded", "broken"] = "ok"
    if not kiosk.engine.alive:
        status = "broken"
    elif kiosk.engine.trouble is not None or any(part.state not in well for part in parts):
        status = "degraded"
    health = Health(status=status, sequence=present.sequence, subscribers=kiosk.hub.subscribers, parts=parts)
    return answered(health, 503 if status == "broken" else 200)


def _picture(body: bytes | None, missing: str, mimetype: str = "image/jpeg") -> Response:
    if body is None:
        return http_problem(404, missing)
    return Response(body, mimetype=mimetype, headers={"Cache-Control": "no-store"})


def _require_entered_by_hand(command: ReportReading) -> None:
    """Only a source itself may say what it saw; over the API a person can only type dice in."""
    reading = command.reading
    if reading.source is not SourceKind.MANUAL or any(die.source is not SourceKind.MANUAL for die in reading.dice):
        raise AccessError('Dice sent over the API are entered by hand: give "manual" as their source.')


def _last_event_id() -> int | None:
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER else None


ROUTES: Final[tuple[Route, ...]] = (
    *HEARING,
    *LISTENING,
    Route(
        method="POST",
        path="/api/v1/panel",
        name="pressPanel",
        summary="Press a button of the panel's spoken menu: at the table's own screen, or as the gamemaster",
        handler=post_panel,
        needs=AccessLevel.PLAYER,
        body=Press,
        answer=Press,
        problems=(400, 401, 403, 409, 413),
    ),
    Route(
        method="POST",
        path="/api/v1/hold",
        name="holdScreen",
        summary="Hold the table's screen on what it shows, or let it go on",
        handler=post_hold,
        needs=AccessLevel.PLAYER,
        body=Hold,
        answer=Screen,
        problems=(400, 401, 403, 409, 413),
    ),
    *PERSONS,
    *NETWORK,
    *PHONES,
    *PICTURES,
    Route(
        method="GET",
        path="/api/v1/camera/check",
        name="checkCamera",
        summary="What the camera's newest picture lacks for reading dice, and how the camera is calibrated",
        handler=get_check,
        needs=AccessLevel.PLAYER,
        answer=CheckView,
        problems=(401,),
    ),
    Route(
        method="GET",
        path="/api/v1/table",
        name="getTable",
        summary="The table as it is now",
        handler=get_table,
        answer=TableView,
        query=(LANGUAGE,),
    ),
    Route(
        method="GET",
        path="/api/v1/menu",
        name="getMenu",
        summary="What somebody could do now: each action with its price, or why not",
        handler=get_menu,
        answer=MenuView,
        problems=(409,),
        query=(ACTOR,),
    ),
    Route(
        method="POST",
        path="/api/v1/commands",
        name="sendCommand",
        summary="Ask something of the table",
        handler=post_command,
        needs=AccessLevel.PLAYER,
        body=Command,
        answer=Applied,
        problems=(*CHANGE_FAILS, 422, 503, 504, 507),
    ),
    Route(
        method="GET",
        path="/api/v1/events",
        name="followEvents",
        summary="The journal as Server-Sent Events: a snapshot, then what happens; resumable with Last-Event-ID",
        handler=get_events,
        query=(LANGUAGE, HIDDEN, PARTS, ME),
        media_type="text/event-stream",
        problems=(401, 403, 503),
    ),
    Route(
        method="GET",
        path="/api/v1/pictures/<key>.webp",
        name="getCutOut",
        summary="A die cut out of the picture along its outline, upright, the rest transparent",
        handler=get_cut_out,
        media_type="image/webp",
        problems=(404,),
    ),
    Route(
        method="GET",
        path="/api/v1/pictures/<key>.jpg",
        name="getDiePicture",
        summary="A doubtful die's picture",
        handler=get_die_picture,
        media_type="image/jpeg",
        problems=(404,),
    ),
    Route(
        method="GET",
        path="/api/v1/pictures/<key>/whole.jpg",
        name="getWholePicture",
        summary="The whole picture of the throw of a die, with that die marked",
        handler=get_whole_picture,
        media_type="image/jpeg",
        needs=AccessLevel.PLAYER,
        problems=(401, 404),
    ),
    Route(
        method="GET",
        path="/api/v1/camera.jpg",
        name="getCameraPicture",
        summary="The camera's newest picture",
        handler=get_camera_picture,
        media_type="image/jpeg",
        needs=AccessLevel.PLAYER,
        problems=(401, 404),
    ),
    Route(
        method="POST",
        path="/api/v1/odds",
        name="computeOdds",
        summary="Exact chances of a Task before it is declared",
        handler=post_odds,
        body=input_shape(Declaration),
        answer=Odds,
        problems=(400, 403, 409, 413),
    ),
    Route(
        method="POST",
        path="/api/v1/screen",
        name="setScreen",
        summary="Choose how large the table's screen is, how far people sit from it, and its colours",
        handler=post_screen,
        needs=AccessLevel.GAMEMASTER,
        body=ScreenChoice,
        answer=Screen,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="GET",
        path="/api/v1/tray",
        name="getTray",
        summary="What lies on the tray, and the dice that were taught",
        handler=get_tray,
        needs=AccessLevel.PLAYER,
        answer=TrayView,
        problems=(401,),
    ),
    Route(
        method="POST",
        path="/api/v1/tray",
        name="changeTray",
        summary="Teach a tagged die step by step, rename one, or forget one",
        handler=post_tray,
        needs=AccessLevel.GAMEMASTER,
        body=TrayChange,
        answer=TrayView,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/demo/throw",
        name="throwDemoDice",
        summary="Throw make-believe dice",
        handler=post_demo_throw,
        needs=AccessLevel.PLAYER,
        body=Throw,
        answer=Thrown,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/join",
        name="join",
        summary="Join the table with a code",
        handler=post_join,
        body=Join,
        answer=Joined,
        problems=(400, 403, 413, 429),
    ),
    Route(
        method="GET",
        path="/api/v1/openapi.json",
        name="getDescription",
        summary="This document",
        handler=get_openapi,
    ),
    Route(
        method="GET",
        path="/healthz",
        name="getHealth",
        summary="How each part of the kiosk is",
        handler=get_health,
        answer=Health,
        problems=(503,),
    ),
)
"""Every operation of the API."""

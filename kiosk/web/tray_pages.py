"""The tray's page: its condition, what lies on it, and teaching, renaming and forgetting tagged dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, Final, get_args

import msgspec
from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from firmware_bridge.conversation import Passed
from firmware_bridge.describe import reading_words
from firmware_bridge.errors import TrayError
from firmware_bridge.onlookers import Ended, Onlooker
from firmware_bridge.recording import head_line, line_of, read_recording
from firmware_bridge.recording import replay as play
from firmware_bridge.session import TraySession
from kiosk.devices.bluetooth_desk import BluetoothAction, BluetoothChange
from kiosk.devices.tray_desk import KINDS, TrayChange
from kiosk.errors import TrayDeskError, WireError, words_of
from kiosk.i18n.current import said_now
from kiosk.storage.type_registration import registered
from kiosk.web.access import AccessLevel
from kiosk.web.desk_forms import answer_form, outcome
from kiosk.web.visit import Visit, page, visit
from rules.dice import DieKind
from rules.words import capitalized, joined_by, say, sentences, worded

tray_pages = Blueprint("tray_pages", __name__)

WORKSHOP: Final = "/tray/workshop"
"""The path of the tray's workshop."""

RECORDED: Final = 30.0
"""Seconds of a recording: time for a throw, and a file that fits any report."""

RECORDING_NAME: Final = "tray-recording.jsonl"
"""What the browser names it."""

_SIDES: Final = (
    ("up", say("The side that shows while the die lies there")),
    ("down", say("The tag's own side (for tags that are taught before they are glued in)")),
)
"""Which face a taught tag stands for: the value of the field, and its words."""


_BLUETOOTH_ACTIONS: Final = frozenset(get_args(BluetoothAction))
"""The forms of the page that are about Bluetooth dice."""
_TAG_KINDS: Final = tuple((kind, words) for kind, words in KINDS if kind != DieKind.D20)
"""The kinds that a die with tags can be, with their names: tags suit cubes alone."""
_BLUETOOTH_KINDS: Final = tuple((kind, words) for kind, words in KINDS if kind != DieKind.CHALLENGE)
"""The kinds that a Bluetooth die can be, with their names: nobody makes a Challenge Die."""


@tray_pages.get("/tray")
@tray_pages.get("/tray/firmware")
@tray_pages.get("/tray/replay")
def tray() -> Response:
    """The tray's state and its dice; also after a refused form, so that its page stays live."""
    now = visit()
    return page("tray.html", now, said=outcome(now), **_parts(now))


@tray_pages.get(WORKSHOP)
def workshop() -> Response:
    """The same page with the present values of the tray's sensors and readers."""
    now = visit()
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    return page("tray.html", now, said=outcome(now), **_parts(now))


@tray_pages.post("/tray")
def change_tray() -> AnyResponse:
    """Carry out what the form asks for."""
    now = visit()
    action = request.form.get("action")
    if action in _BLUETOOTH_ACTIONS:
        return answer_form(now, "tray.html", _parts, lambda: now.services.bluetooth.do(_bluetooth_change()))
    return answer_form(
        now,
        "tray.html",
        _parts,
        lambda: now.services.tray.do(_change()).said,
        keep_typed=action == "begin",
        back=WORKSHOP if action == "lamps" else "",
    )


@tray_pages.get("/tray/taught-dice.toml")
def taught_dice() -> Response:
    """The file of taught dice, to keep elsewhere."""
    now = visit()
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    headers = {"Content-Disposition": 'attachment; filename="taught-dice.toml"'}
    return Response(now.services.tray.exported(), mimetype="application/toml", headers=headers)


@tray_pages.get("/tray/picture")
def picture() -> Response:
    """The newest picture of a tray with a camera."""
    now = visit()
    now.services.access.require(now.who, AccessLevel.PLAYER)
    found = now.services.tray.picture(_number())
    if found is None:
        return Response(
            said_now(say("This tray has sent no picture yet.")), HTTPStatus.NOT_FOUND, mimetype="text/plain"
        )
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@tray_pages.post("/tray/firmware")
def write_firmware() -> AnyResponse:
    """Write the firmware that is sent to a tray."""
    now = visit()

    def asked() -> str:
        name, data = _sent("firmware")
        now.services.tray.write(request.form.get("tray", 1, type=int), name, data)
        return ""  # the page follows what becomes of it below the form; said twice, one of them would be old

    return answer_form(now, "tray.html", _parts, asked, keep_typed=False, back="/tray")


@tray_pages.post("/tray/replay")
def replay_recording() -> AnyResponse:
    """Say again what the kiosk read in the recording that is sent."""
    now = visit()
    return answer_form(now, "tray.html", _parts, _replayed, keep_typed=False, back="/tray")


def _sent(field: str) -> tuple[str, bytes]:
    """The name and the bytes of the file that the form sends. Raises `TrayDeskError` where none was chosen."""
    file = request.files.get(field)
    if file is None or not file.filename:
        raise TrayDeskError(say("No file came. Choose one first."))
    return file.filename, file.read()


def _replayed() -> str:
    """The readings of a recording, in words."""
    _, data = _sent("recording")
    try:
        recording = read_recording(data.decode("utf-8"))
        session = TraySession(nonce=recording.nonce, start_id="replay")
        readings = list(play(recording, session))
    except UnicodeDecodeError:
        raise TrayDeskError(say("This file is no recording of a tray.")) from None
    except TrayError as error:
        raise TrayDeskError(sentences(joined_by("", (capitalized(error.what), ".")), error.remedy)) from error
    if not readings:
        return say("No throw was read in this recording.")
    lines = [
        say("{seconds} s: {dice}.", seconds=f"{at:.1f}", dice=worded(reading_words(reading)))
        for at, reading in readings
    ]
    return sentences(say("This was read in the recording:"), *lines)


def _number() -> int:
    """The number of the tray that is asked for; the first unless said."""
    return request.args.get("tray", 1, type=int)


@tray_pages.get("/tray/wire")
def wire() -> Response:
    """What passes between the kiosk and the tray, as Server-Sent Events whose data are the lines of a recording."""
    return _looking_on(_overheard, "text/event-stream")


@tray_pages.get("/tray/recording")
def recording() -> Response:
    """What passes in the next half minute, as a file that `trueroll tray replay` plays."""
    answer = _looking_on(lambda onlooker: _recorded(onlooker, time.monotonic() + RECORDED), "application/jsonl")
    if answer.status_code == HTTPStatus.OK:
        answer.headers["Content-Disposition"] = f'attachment; filename="{RECORDING_NAME}"'
    return answer


def _looking_on(told: Callable[[Onlooker], Iterator[bytes]], media_type: str) -> Response:
    """The traffic as it happens, for as long as somebody reads it."""
    now = visit()
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    try:
        onlooker = now.services.tray.look_on(_number())
    except TrayDeskError as error:
        return Response(said_now(words_of(error)), HTTPStatus.CONFLICT, mimetype="text/plain")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    answer = Response(told(onlooker), mimetype=media_type, headers=headers)
    answer.call_on_close(onlooker.close)
    return answer


def _recorded(onlooker: Onlooker, end: float) -> Iterator[bytes]:
    yield head_line(onlooker.nonce).encode() + b"\n"
    for one in onlooker:
        if isinstance(one, Passed):
            yield line_of(one).encode() + b"\n"
        if isinstance(one, Ended) or time.monotonic() >= end:
            return


def _overheard(onlooker: Onlooker) -> Iterator[bytes]:
    yield b"data: " + head_line(onlooker.nonce).encode() + b"\n\n"
    for one in onlooker:
        if one is None:
            yield b": \n\n"
        elif isinstance(one, Ended):
            yield b"event: end\ndata: " + one.what.encode() + b"\n\n"
        else:
            yield b"data: " + line_of(one).encode() + b"\n\n"


def _change() -> TrayChange:
    names = ("action", "name", "kind", "side", "die_id", "step")
    typed = {name: request.form[name] for name in names if name in request.form}
    try:
        return msgspec.convert(typed, registered(TrayChange), strict=False)
    except msgspec.ValidationError:
        raise WireError("This form is not as it should be. Use the buttons of this page.", "action") from None


def _bluetooth_change() -> BluetoothChange:
    typed = {name: request.form[name] for name in ("action", "address", "kind") if name in request.form}
    try:
        return msgspec.convert(typed, registered(BluetoothChange), strict=False)
    except msgspec.ValidationError:
        raise WireError("This form is not as it should be. Use the buttons of this page.", "action") from None


def _parts(now: Visit) -> dict[str, Any]:
    view = now.services.tray.view()
    source = next((one for one in now.view["sources"] if one["source"] == "tray"), None)
    wanted = request.args.get("again", "")
    again = next((die for die in view.dice if die.die_id == wanted), None)
    return {
        "tray": view,
        "obstacle": now.services.tray.obstacle,
        "bluetooth": now.services.bluetooth.view(),
        "bluetooth_kinds": _BLUETOOTH_KINDS,
        "workshop": now.services.tray.workshop() if request.path == WORKSHOP else None,
        "condition": source,
        "written": now.services.tray.update.said,
        "replay": f"trueroll tray replay {RECORDING_NAME}",
        "kinds": KINDS if again is not None and again.kind is DieKind.D20 else _TAG_KINDS,
        "sides": _SIDES,
        "again": again,
    }

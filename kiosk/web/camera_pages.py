"""The pages `/camera` (a live picture, hints, calibrating) and `/dice` (one's own dice, misreadings), plain forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.devices.camera_card import card_file
from kiosk.devices.camera_desk import CameraDesk, Corner
from kiosk.devices.camera_words import face_words
from kiosk.errors import CameraDeskError, WireError, words_of
from kiosk.i18n.current import said_now
from kiosk.web.access import AccessLevel
from kiosk.web.desk_forms import answer_form, outcome
from kiosk.web.form_results import new_key
from kiosk.web.visit import Visit, page, visit
from rules.dice import FACES, DieKind
from rules.words import Phrase, say

camera_pages = Blueprint("camera_pages", __name__)

CORNER_NAMES: Final = (
    say("Upper left corner"),
    say("Upper right corner"),
    say("Lower right corner"),
    say("Lower left corner"),
)
"""The tray's corners in the order in which they are touched, clockwise."""


class Exports(Protocol):
    """The camera's workbench as far as its files go."""

    def explained(self) -> bytes:
        """What the reader made of the last throw, as a PNG."""

    def exported_dice(self) -> str:
        """The taught dice as a file's text."""

    def exported_cases(self) -> bytes:
        """All test cases as a ZIP."""


@camera_pages.get("/camera")
def camera() -> Response:
    """What the camera sees, what it lacks, and how it is calibrated."""
    now = visit()
    return page("camera.html", now, said=outcome(now), **_camera_parts(now))


@camera_pages.post("/camera")
def change_camera() -> AnyResponse:
    """Carry out what the form asks for."""
    now = visit()
    action = request.form.get("action", "")

    def asked() -> str:
        if action not in {"card", "corners", "empty", "forget-empty", "forget"}:
            raise WireError(say("This form is not as it should be. Use the buttons of this page."), "action")
        corners = _corners() if action == "corners" else ()
        return now.services.camera_desk.calibrate(action, corners, printed=request.form.get("printed") == "yes")

    return answer_form(now, "camera.html", _camera_parts, asked)


@camera_pages.get("/dice")
def own_dice() -> Response:
    """One's own dice, and the last throw."""
    now = visit()
    return page("dice.html", now, said=outcome(now), **_dice_parts(now))


@camera_pages.post("/dice")
def change_dice() -> AnyResponse:
    """Teach, put right, rename, forget."""
    now = visit()
    desk, form = now.services.camera_desk, request.form
    action = form.get("action", "")

    def asked() -> str:
        if action == "teach":
            sure = form.get("sure") == "yes"
            return desk.teach(form.get("name", ""), _place(), form.get("shown", ""), form.get("reading", ""), sure=sure)
        if action == "case":
            return desk.put_right(_place(), form.get("shown", ""), form.get("reading", ""))
        if action == "rename":
            return _rename(desk, form.get("die_id", ""), form.get("name", ""))
        if action == "forget":
            return _forget(desk, form.get("die_id", ""))
        if action == "forget-evening":
            return _forget_evening(desk)
        if action == "forget-case":
            return _forget_case(desk, form.get("case", ""))
        raise WireError(say("This form is not as it should be. Use the buttons of this page."), "action")

    return answer_form(now, "dice.html", _dice_parts, asked)


@camera_pages.get("/camera/card.<kind>")
def card(kind: str) -> Response:
    """The calibration card to print: `svg` or `pdf`."""
    if kind not in {"svg", "pdf"}:
        return _refused(say("The card comes as card.svg or card.pdf."), 404)
    try:
        content = card_file(kind, letter=request.args.get("paper") == "letter")
    except CameraDeskError as error:
        return _refused(words_of(error), 409)
    return Response(content, mimetype="image/svg+xml" if kind == "svg" else "application/pdf")


@camera_pages.get("/camera/seen.png")
def seen() -> Response:
    """What the reader made of the last throw, as a picture for people."""
    return _file(lambda bench: bench.explained(), "image/png")


@camera_pages.get("/dice/own-dice.json")
def dice_file() -> Response:
    """The taught dice, to keep elsewhere."""
    return _file(lambda bench: bench.exported_dice(), "application/json", "own-dice.json")


@camera_pages.get("/dice/cases.zip")
def cases_file() -> Response:
    """The test cases, to send to somebody."""
    return _file(lambda bench: bench.exported_cases(), "application/zip", "cases.zip")


def _rename(desk: CameraDesk, die_id: str, name: str) -> str:
    with desk.at_work() as bench:
        bench.rename(die_id, name)
    return say("It is called {name} now.", name=name)


def _forget(desk: CameraDesk, die_id: str) -> str:
    with desk.at_work() as bench:
        bench.forget(die_id)
    return say("The die was forgotten.")


def _forget_evening(desk: CameraDesk) -> str:
    with desk.at_work() as bench:
        bench.forget_evening()
    return say("The answers of this evening are forgotten.")


def _forget_case(desk: CameraDesk, case_id: str) -> str:
    with desk.at_work() as bench:
        if not bench.forget_case(case_id):
            raise CameraDeskError(say("This test case was deleted meanwhile."))
    return say("The test case was deleted.")


def _file(made: Callable[[Exports], str | bytes], kind: str, name: str = "") -> Response:
    now = visit()
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    try:
        with now.services.camera_desk.at_work() as bench:
            content = made(bench)
    except CameraDeskError as error:
        return _refused(words_of(error), 409)
    headers = {"Cache-Control": "no-store"}
    if name:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(content, mimetype=kind, headers=headers)


def _refused(words: Phrase, status: int) -> Response:
    """The answer for a missing file, in the page's language."""
    return Response(said_now(words), status, mimetype="text/plain")


def _corners() -> tuple[Corner, ...]:
    try:
        shares = [float(request.form[f"{axis}{number}"]) / 100 for number in range(4) for axis in "xy"]
    except (KeyError, ValueError):
        raise WireError(say("Each corner has two numbers, in percent of the picture."), "corners") from None
    if not all(0 <= one <= 1 for one in shares):
        raise WireError(say("Each corner has two numbers from 0 to 100, in percent of the picture."), "corners")
    return tuple(zip(shares[::2], shares[1::2], strict=True))


def _place() -> int:
    typed = request.form.get("place", "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 3 else -1  # noqa: PLR2004 - of a few dice


def _camera_parts(now: Visit) -> dict[str, Any]:
    desk = now.services.camera_desk
    setup = desk.bench.setup if desk.bench is not None else None
    return {
        "desk": desk,
        "calibrated": setup is not None and setup.calibration is not None,
        "has_empty": setup is not None and setup.empty is not None,
        "moment": new_key(),  # another address each time, so that a browser fetches the picture again
        "check": desk.check(now.services.sources) if now.who.role >= AccessLevel.PLAYER else None,
        "corners": [
            {"number": number, "name": name, "x": round(100 * x, 1), "y": round(100 * y, 1)}
            for number, (name, (x, y)) in enumerate(zip(CORNER_NAMES, desk.corners(), strict=True))
        ],
    }


def _dice_parts(now: Visit) -> dict[str, Any]:
    desk = now.services.camera_desk
    reading, dice = desk.seen() if now.who.role >= AccessLevel.PLAYER else ("", ())
    return {
        "desk": desk,
        "reading": reading,
        "seen": dice,
        "how": desk.how_to_throw(now.services.sources),
        "own": desk.dice(),
        "evening": len(desk.bench.setup.evening) if desk.bench is not None else 0,
        "cases": desk.bench.case_names() if desk.bench is not None else (),
        "choices": [
            (kind, [(f"{kind.value} {face}", face, face_words(face)) for face in FACES[kind]]) for kind in DieKind
        ],
    }

"""The camera's page and that of one's own dice, with the real reader on rendered dice; without a camera they say so."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from kiosk.devices.camera_desk import CameraDesk, parsed
from kiosk.devices.camera_words import (
    _FINE,
    _LACKING,
    _NEXT,
    calibration_words,
    hint_words,
    next_words,
    throw_words,
    why_words,
)
from kiosk.errors import CameraDeskError
from rules.dice import DiceError, DieKind, SourceKind, SourceState, SourceStatus, Symbol
from tests.kiosk.desk import PHONE, Desk
from tests.vision.carded import photographed, up_of
from tests.vision.desk.test_workbench import Still
from vision.desk.hints import Hint, HintKind
from vision.desk.workbench import ThrowGoneError, Workbench
from vision.errors import CalibrationError, OwnDiceError, OwnDiceFault, ReaderFailedError, Unusable
from vision.ports import GoesOn, Pixels
from vision.pose.geometry import Camera
from vision.read.reader import PictureReader, load_reader
from vision.table.setup import TableSetup
from vision.taught.own_dice import OwnDie
from vision.training.scenes import scene

pytestmark = pytest.mark.usefixtures("known_answers")


@pytest.fixture(scope="module")
def loaded() -> PictureReader:
    return load_reader()


@pytest.fixture
def desk(loaded: PictureReader, tmp_path: Path) -> Iterator[Desk]:
    with Desk() as made:
        loaded.table = TableSetup()
        made.services.camera_desk.take_up(Workbench(loaded, tmp_path))
        yield made


def bench_of(desk: Desk) -> Workbench:
    bench = desk.services.camera_desk.bench
    assert bench is not None
    return bench


def look_at(desk: Desk, picture: Pixels) -> None:
    bench = bench_of(desk)
    bench.attend(Still(picture, bench.read(picture)))


def press(client: FlaskClient, path: str, action: str, **fields: str) -> tuple[int, str]:
    token = re.search(r'name="token" value="([^"]*)"', client.get("/setup").text)
    assert token is not None
    answer = client.post(path, data={"token": token[1], "action": action, **fields}, follow_redirects=True)
    return answer.status_code, answer.text


def test_without_a_camera_every_request_says_so() -> None:
    with Desk() as bare:
        client = bare.client()
        for page in ("/camera", "/dice"):
            shown = client.get(page).text
            assert "No camera is in use." in shown
            assert "Connect one to the kiosk" in shown
            assert 'class="button main-action" href="/settings"' in shown
            assert 'class="button" href="/play"' in shown
        for path in ("/camera/seen.png", "/dice/own-dice.json", "/dice/cases.zip"):
            assert client.get(path).status_code == 409
        assert press(client, "/camera", "card")[0] == 409
        assert client.get("/api/v1/camera/check").get_json()["hints"] == []
        assert client.get("/camera/card.pdf").data.startswith(b"%PDF")


def test_the_card_is_found_and_the_calibration_forgotten(desk: Desk, client: FlaskClient) -> None:
    status, page = press(client, "/camera", "card")
    assert (status, "no camera picture" in page) == (409, True)
    picture, _ = photographed(Camera(1280, 720), up_of(6, -8), 760, tray=(380, 250))
    bench_of(desk).attend(Still(picture))
    status, page = press(client, "/camera", "card")
    assert status == 200
    assert "leans by 10°" in page
    assert "Only the tray inside its four corners counts" in page
    hints = {one["kind"]: one for one in client.get("/api/v1/camera/check").get_json()["hints"]}
    assert hints["scale"]["fine"] is False
    assert re.fullmatch(r"Too far: a d20 would be \d+ pixels across; 30 are needed. .*", hints["scale"]["words"])
    assert press(client, "/camera", "forget")[0] == 200
    assert "Not calibrated" in client.get("/camera").text


def test_the_page_says_why_there_is_no_picture(desk: Desk, client: FlaskClient) -> None:
    what, remedy = "The stream at 10.0.0.9 does not answer with pictures.", "Check the address and the network."
    desk.sources.tell(SourceStatus(SourceKind.CAMERA, SourceState.LOST, what, remedy))
    words = f"There is no picture yet. {what} {remedy}"
    assert words in client.get("/camera").text
    assert client.get("/api/v1/camera/check").get_json()["why"] == words
    look_at(desk, scene(44, (DieKind.D20,)).picture)
    assert client.get("/api/v1/camera/check").get_json()["why"] == f"{what} {remedy}"
    desk.sources.tell(SourceStatus(SourceKind.CAMERA, SourceState.READY, "Camera 0 watches the tray."))
    assert client.get("/api/v1/camera/check").get_json()["why"] == ""


class Watches(Still):
    """An eye on a source whose next picture is brought by `goes_on`."""

    goes_on = GoesOn.BY_ITSELF


def test_before_any_throw_the_page_says_what_to_do_as_the_source_needs_it(desk: Desk, client: FlaskClient) -> None:
    bench = desk.services.camera_desk.bench
    assert bench is not None
    desk.sources.tell(SourceStatus(SourceKind.CAMERA, SourceState.READY, "Camera 0 watches the tray."))
    assert "Nothing was thrown yet. Throw the dice under the camera;" in client.get("/dice").text
    picture = scene(45, ()).picture
    eye = bench.attend(Watches(picture))
    for goes_on, words in {
        GoesOn.BY_ITSELF: "Throw the dice under the camera;",
        GoesOn.CALLED_FOR: "next picture is read when dice are called for: declare a Task or a roll",
        GoesOn.PUT_THERE: "All pictures of the folder were shown. Put a new one of dice there",
        GoesOn.NEVER: "A single picture stands for the camera and stays as it is.",
        GoesOn.STAGED: "press Throw under the camera on the page /gm",
    }.items():
        eye.goes_on = goes_on
        assert words in html.unescape(client.get("/dice").text)
    what, remedy = "The folder throws is gone.", "Put it back; trueroll looks for it by itself."
    desk.sources.tell(SourceStatus(SourceKind.CAMERA, SourceState.LOST, what, remedy))
    assert f"Nothing was thrown yet. {what} {remedy}" in client.get("/dice").text
    bench.attend(Watches(picture, bench.read(scene(44, (DieKind.D20,)).picture)))
    assert "Nothing was thrown yet" not in client.get("/dice").text


def test_a_reader_that_fails_costs_the_hints_alone_and_is_told(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = scene(44, (DieKind.D20,)).picture
    look_at(desk, picture)
    assert client.get("/api/v1/camera/check").get_json()["hints"]

    def fails(*_: object) -> None:
        raise ZeroDivisionError("of a sort")

    monkeypatch.setattr(PictureReader, "look", fails)
    bench_of(desk).attend(Still(picture.copy()))
    told = client.get("/api/v1/camera/check").get_json()
    assert told["hints"] == []
    assert told["why"].startswith("The reader of dice fails on the camera's picture.")
    assert told["calibration"].startswith("Not calibrated")
    page = client.get("/camera")
    assert page.status_code == 200
    assert "The reader of dice fails" in page.text
    refused = client.get("/camera/seen.png")
    assert (refused.status_code, "The reader of dice fails" in refused.text) == (409, True)
    assert press(client, "/camera", "forget")[0] == 200


def test_an_error_of_another_kind_is_not_told_as_a_reader_that_fails(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(_: object) -> None:
        raise CalibrationError(Unusable.DAMAGED)

    monkeypatch.setattr(Workbench, "hints", damaged)
    assert client.get("/api/v1/camera/check").get_json()["why"] == "There is no picture yet."
    assert client.get("/camera").status_code == 200
    desk.sources.tell(SourceStatus(SourceKind.CAMERA, SourceState.READY, "Camera 0 watches the tray."))
    told = client.get("/api/v1/camera/check").get_json()
    assert told["why"] == "There is no picture yet. Camera 0 watches the tray."


def test_corners_are_typed_in_percent_and_wrong_ones_are_refused(desk: Desk, client: FlaskClient) -> None:
    look_at(desk, scene(44, (DieKind.D20,)).picture)
    names = [f"{axis}{number}" for number in range(4) for axis in "xy"]
    right = dict(zip(names, ["10", "10", "90", "10", "90", "90", "10", "90"], strict=True))
    assert "The corners are kept" in press(client, "/camera", "corners", **right)[1]
    assert 'value="90.0"' in client.get("/camera").text
    for wrong in ({**right, "x0": "-3"}, {**right, "y3": "nan"}, {**right, "x2": ""}, {"x0": "1"}):
        assert press(client, "/camera", "corners", **wrong)[0] == 400
    assert press(client, "/camera", "corners", **{**right, "x0": "90", "y0": "90"})[0] == 409
    assert press(client, "/camera", "magic")[0] == 400


def test_a_tray_with_a_die_in_it_is_refused_as_empty_until_it_is_said_to_be_printed(
    desk: Desk, client: FlaskClient
) -> None:
    look_at(desk, scene(44, (DieKind.D20,)).picture)
    assert 'name="printed"' not in client.get("/camera").text
    status, page = press(client, "/camera", "empty")
    assert (status, bench_of(desk).setup.empty) == (409, None)
    assert "1 die was seen" in page
    assert 'name="printed"' in page
    assert "is kept" in press(client, "/camera", "empty", printed="yes")[1]
    assert "is forgotten" in press(client, "/camera", "forget-empty")[1]
    look_at(desk, scene(45, ()).picture)
    assert "is kept" in press(client, "/camera", "empty")[1]


def test_a_die_is_taught_renamed_saved_and_forgotten_on_the_page(desk: Desk, client: FlaskClient) -> None:
    assert "Nothing was thrown yet." in client.get("/dice").text
    look_at(desk, scene(44, (DieKind.D20, DieKind.D20)).picture)
    _, seen = desk.services.camera_desk.seen()
    face = next(die for die in seen if die.sure)
    shown = f"d20 {face.face}"
    status, page = press(client, "/dice", "teach", name="Red", place=str(face.place), shown=shown, reading="a:1")
    assert status == 200
    assert re.search(r"Red was learnt: \d+ of 20 faces. Lay it down next with \d+, \d+ or \d+ up.", page)
    for wrong in ({"name": "", "shown": shown}, {"name": "Red", "shown": "d20 21"}, {"name": "Red", "shown": "x"},
                  {"name": "Red", "shown": "d6 3"}, {"name": "Red", "shown": shown, "place": "9"}):  # fmt: skip
        assert press(client, "/dice", "teach", **{"place": str(face.place), **wrong})[0] == 409
    assert press(client, "/dice", "teach", name="Red", place="0", shown=shown, reading="gone")[0] == 409
    (own,) = desk.services.camera_desk.dice()
    assert "Crimson" in press(client, "/dice", "rename", die_id=own.die_id, name="Crimson")[1]
    assert '"Crimson"' in client.get("/dice/own-dice.json").text
    assert "forgotten" in press(client, "/dice", "forget", die_id=own.die_id)[1]
    assert press(client, "/dice", "forget", die_id=own.die_id)[0] == 409
    assert press(client, "/dice", "magic")[0] == 400


def test_the_answers_of_an_evening_are_forgotten_when_told(desk: Desk, client: FlaskClient) -> None:
    assert "this evening" not in client.get("/dice").text
    bench = bench_of(desk)
    reader = bench._reader  # noqa: SLF001 - how answers come there is shown in `test_workbench`
    reader.table = replace(reader.table, evening=(OwnDie("00000001", "d20", DieKind.D20),))
    assert "Forget the answers of this evening" in client.get("/dice").text
    assert "are forgotten" in press(client, "/dice", "forget-evening")[1]
    assert bench.setup.evening == ()


def test_one_tap_keeps_a_misreading(desk: Desk, client: FlaskClient) -> None:
    look_at(desk, scene(44, (DieKind.D20, DieKind.D20)).picture)
    _, seen = desk.services.camera_desk.seen()
    read = next(die for die in seen if die.sure)
    place, true = str(read.place), int(str(read.face))
    page = client.get("/dice").text
    assert f"It was read as {true}. What does it show?" in page
    assert " selected" not in page.partition('id="last"')[2].partition("</section>")[0]  # the person has to say it
    assert press(client, "/dice", "case", place=place, shown="", reading="a:1")[0] == 409
    status, page = press(client, "/dice", "case", place=place, shown=f"d20 {true}", reading="a:1")
    assert (status, "That is what was read." in page) == (409, True)
    other = f"d20 {true % 20 + 1}"
    status, page = press(client, "/dice", "teach", place=place, shown=other, name="Red", reading="a:1")
    assert (status, "read as another face" in page, f'value="{other}" selected' in page) == (409, True, True)
    assert press(client, "/dice", "teach", place=place, shown=other, name="Red", reading="a:1", sure="yes")[0] == 200
    status, page = press(client, "/dice", "case", place=place, shown=other, reading="a:1")
    assert status == 200
    (name,) = bench_of(desk).case_names()
    assert f"Kept as the test case {name}." in page
    with zipfile.ZipFile(io.BytesIO(client.get("/dice/cases.zip").data)) as archive:
        assert len(archive.namelist()) == 2
    assert client.get("/camera/seen.png").data.startswith(b"\x89PNG")
    assert press(client, "/dice", "forget-case", case=name)[0] == 200
    assert press(client, "/dice", "forget-case", case=name)[0] == 409


def test_only_the_gamemaster_changes_anything() -> None:
    with Desk(settings={"server.open_to_network": True}) as open_desk:
        client = open_desk.client()
        for path in ("/camera", "/dice"):
            page = client.get(path, environ_base=PHONE)
            assert page.status_code == 200
            assert "<form" not in page.text
            assert client.post(path, data={"action": "forget"}, environ_base=PHONE).status_code in (401, 403)
        for path in ("/camera/seen.png", "/dice/own-dice.json", "/dice/cases.zip", "/api/v1/camera/check"):
            assert client.get(path, environ_base=PHONE).status_code in (401, 403)


def test_the_card_comes_in_both_forms_and_no_other(client: FlaskClient) -> None:
    assert "<svg" in client.get("/camera/card.svg?paper=letter").text
    assert client.get("/camera/card.exe").status_code == 404


def test_every_hint_and_every_reason_has_words() -> None:
    assert set(_FINE) == set(_LACKING) == {kind.value for kind in HintKind}
    for kind in HintKind:
        words = {hint_words(Hint(kind, fine, 0.5, 45.0)) for fine in (True, False)}
        assert len(words) == 2
    assert {throw_words(one) for one in GoesOn} == set(_NEXT.values())
    assert len(set(_NEXT.values())) == len(GoesOn)
    told = [
        *(why_words(CalibrationError(one)) for one in Unusable),
        *(why_words(OwnDiceError(one)) for one in OwnDiceFault),
        *(why_words(error) for error in (ReaderFailedError(ValueError()), ThrowGoneError())),
    ]
    assert len(set(told)) == len(told)
    assert why_words(CalibrationError(Unusable.NO_CARD)).startswith("The printed card")
    assert why_words(OSError(28, "No space left on device")) == "It could not be kept: No space left on device."
    assert "cannot show" in why_words(DiceError("x"))
    assert "Not calibrated" in calibration_words(None)


def test_what_to_lay_down_next_are_the_first_faces_that_were_not_seen() -> None:
    assert next_words(()) == "All its faces are known."
    assert next_words((17,)) == "Lay it down next with 17 up."
    assert next_words((1, Symbol.BLANK)) == "Lay it down next with 1 or Blank up."
    assert next_words((3, 5, 8, 9)) == "Lay it down next with 3, 5 or 8 up."


def test_what_a_die_shows_is_two_words() -> None:
    assert parsed("challenge effect") == (DieKind.CHALLENGE, Symbol.EFFECT)
    assert parsed(" D20 17 ") == (DieKind.D20, 17)
    for wrong in ("", "d20", "d20 x", "d7 1", "d20 ²"):
        with pytest.raises(CameraDeskError):
            parsed(wrong)


def test_damage_is_told_as_a_part(tmp_path: Path, loaded: PictureReader) -> None:
    (tmp_path / "own-dice.json").write_text("{")
    desk = CameraDesk()
    desk.take_up(Workbench(loaded, tmp_path))
    with Desk() as made:
        desk.tell_damage(made.sources)
        (view,) = [one for one in made.sources.views() if one.source == "camera setup"]
        assert "damaged" in view.what

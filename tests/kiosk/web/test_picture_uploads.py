"""A phone's picture of a throw, from the script of /play and from the plain form, with the real reader."""

from __future__ import annotations

import io
import json
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.devices.phone_pictures import LARGEST_PICTURE, PhonePictures
from kiosk.web.picture_uploads import FORM_PATH, LARGEST_UPLOAD, PATH
from kiosk.web.server import LARGEST_REQUEST, WebServer
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from tests.kiosk.desk import HEADERS, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.web.test_api import DECLARATION, set_up
from tests.kiosk.web.test_openapi import TwoDice
from vision.desk.snapshots import Snapshots, TakenPicture
from vision.errors import ReaderError
from vision.frames.pictures import encode_jpeg
from vision.read.reader import load_reader
from vision.training.scenes import scene

OPEN = {"server.host": "0.0.0.0", "server.open_to_network": True}  # noqa: S104 - open to the network
PATIENCE_SECONDS = 20

pytestmark = pytest.mark.usefixtures("known_answers")


@cache
def snapshots() -> Snapshots:
    return Snapshots(load_reader())


@cache
def picture(count: int = 2, seed: int = 44) -> bytes:
    return encode_jpeg(scene(seed, (DieKind.D20,) * count).picture, quality=95)


@cache
def faces(count: int = 2, seed: int = 44) -> list[int]:
    return sorted(int(str(one.face)) for one in scene(seed, (DieKind.D20,) * count).dice)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk(phones=PhonePictures(snapshots)) as made:
        yield made


def declared(client: FlaskClient) -> int:
    """A Task that waits for two d20s; the number of the throw."""
    character = set_up(client)
    send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
    return awaited(client)


def awaited(client: FlaskClient) -> int:
    number: int = got(client, "/api/v1/table")["table"]["request"]["number"]
    return number


def sent(client: FlaskClient, data: bytes, request: object, **more: Any) -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - what the client takes
    answer = client.post(f"{PATH}?request={request}", data=data, headers=HEADERS, content_type="image/jpeg", **more)
    body: dict[str, Any] = answer.get_json(force=True)
    return answer.status_code, body


def thrown(client: FlaskClient) -> list[tuple[int, str]]:
    table = got(client, "/api/v1/table")["table"]
    dice = (table["task"] or table["last_task"])["dice"]
    return sorted((one["die"]["face"], one["die"]["source"]) for one in dice)


def test_a_picture_of_the_throw_becomes_the_outcome(desk: Desk) -> None:
    client = desk.client()
    status, answer = sent(client, picture(), declared(client))
    assert (status, answer["narration"]["kind"], answer["notice"]) == (200, "outcome", "")
    assert thrown(client) == [(face, "phone") for face in faces()]


def test_the_same_picture_and_the_same_dice_count_once(desk: Desk) -> None:
    client = desk.client()
    number = declared(client)
    assert sent(client, picture(), number)[0] == 200
    status, problem = sent(client, picture(), number)
    assert (status, problem["type"]) == (409, "/problems/gone-on")
    dice = tuple(DieReading(DieKind.D20, face, 0.99, DieState.READ, SourceKind.CAMERA) for face in faces())
    desk.engine.report(Reading("the-same-seen-by-the-camera", SourceKind.CAMERA, dice))
    send(client, "finish_spending")  # the reading was taken in before it; the Task's spending has ended by itself
    view = got(client, "/api/v1/table")
    assert view["table"]["free_rolls"] == []
    character = view["table"]["characters"][0]["character_id"]
    send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
    status, problem = sent(client, picture(), awaited(client))
    assert (status, "taken in before" in problem["detail"]) == (409, True)
    assert sent(client, picture() + b"\0", awaited(client))[0] == 200
    (question,) = got(client, "/api/v1/table")["table"]["held"]["questions"]
    assert question["reason"] == "counted_before", "another picture of the dice that just counted"


def test_what_is_not_sure_is_held_and_asked_about_with_its_picture(desk: Desk) -> None:
    client = desk.client()
    status, _ = sent(client, picture(3), declared(client))
    assert status == 200
    held = got(client, "/api/v1/table")["table"]["held"]
    assert [one["reason"] for one in held["questions"]] == ["wrong_count"]
    for die in held["dice"]:
        assert die["source"] == "phone"
        assert desk.services.phone_pictures is not None
        assert (desk.services.phone_pictures.picture(die["picture"]) or b"").startswith(b"\xff\xd8")
    assert sent(client, picture(), awaited(client))[0] == 200, "a better picture takes its place"
    assert thrown(client) == [(face, "phone") for face in faces()]


def test_a_picture_that_cannot_serve_changes_nothing_and_says_why(desk: Desk) -> None:
    client = desk.client()
    number = declared(client)
    before = client.get("/api/v1/table").data
    empty = encode_jpeg(scene(45, ()).picture)
    for data, request, status, words in (
        (picture(), number + 1, 409, "no such throw"),
        (picture(), "x", 400, "which throw"),
        (picture(), "", 400, "which throw"),
        (b"", number, 400, "No picture came"),
        (b"not a picture", number, 409, "no picture that can be read; use one of JPEG"),
        (picture()[:-9000], number, 409, "cut off"),
        (empty, number, 409, "No dice were seen"),
        (b"P5 10000 10000 255\n", number, 409, "100 megapixels"),
        (b"\xff" * (LARGEST_PICTURE + 1), number, 409, "more than 20 megabytes"),
    ):
        got_status, problem = sent(client, data, request)
        assert (got_status, words in problem["detail"]) == (status, True), problem
    assert client.get("/api/v1/table").data == before


def test_a_reader_that_cannot_be_loaded_costs_the_picture_alone() -> None:
    def missing() -> Snapshots:
        raise ReaderError("The reader's model is missing.")  # type: ignore[arg-type]  # as a phrase says it

    with Desk(phones=PhonePictures(missing)) as desk:
        client = desk.client()
        number = declared(client)
        status, problem = sent(client, picture(), number)
        assert (status, problem["detail"]) == (409, "The reader's model is missing.")
    with Desk() as desk:
        client = desk.client()
        status, problem = sent(client, picture(), declared(client))
        assert (status, "reads no pictures" in problem["detail"]) == (409, True)


def test_who_has_not_joined_sends_none() -> None:
    with Desk(settings=OPEN, phones=PhonePictures(snapshots)) as desk:
        client = desk.client()
        number = declared(client)
        assert sent(client, picture(), number, environ_base=PHONE)[0] == 401
        assert client.post(f"{PATH}?request={number}", data=picture()).status_code == 403, "not one of our own pages"
        guest = desk.client()
        assert post(guest, "/api/v1/join", {"code": TABLE_CODE}, environ_base=PHONE)[0] == 200
        assert sent(guest, picture(), number, environ_base=PHONE)[0] == 200


def token_of(client: FlaskClient) -> str:
    token = re.search(r'name="token" value="([^"]*)"', client.get("/text").text)
    assert token is not None
    return token[1]


def by_form(client: FlaskClient, data: bytes, **fields: str) -> tuple[int, str]:
    form = {"token": token_of(client), **fields, "picture": (io.BytesIO(data), "IMG_1.jpg")}
    answer = client.post(FORM_PATH, data=form, content_type="multipart/form-data")
    return answer.status_code, answer.text


def test_the_plain_form_does_the_same(desk: Desk) -> None:
    client = desk.client()
    number = str(declared(client))
    page = client.get("/text").text
    assert 'enctype="multipart/form-data"' in page
    assert re.search(r'<input[^>]* type="file" accept="image/\*" capture="environment"', page)
    status, page = by_form(client, b"not a picture", request=number)
    assert (status, 'role="alert">This picture cannot be read' in page) == (409, True)
    status, page = by_form(client, b"", request=number)
    assert (status, "No picture came" in page) == (400, True)
    assert by_form(client, picture(), request=number, token="wrong")[0] == 403  # noqa: S106 - no secret
    assert by_form(client, picture(), request=number)[0] == 303
    assert thrown(client) == [(face, "phone") for face in faces()]
    assert FORM_PATH not in client.get("/text").text


def test_what_else_lies_there_is_told_on_the_plain_page() -> None:
    with Desk(phones=PhonePictures(TwoDice)) as desk:
        client = desk.client()
        assert "A die is red." not in client.get("/text").text
        form = {"token": token_of(client), "request": str(declared(client)), "picture": (io.BytesIO(b"1"), "IMG_1.jpg")}
        answer = client.post(FORM_PATH, data=form, content_type="multipart/form-data", follow_redirects=True)
        assert (answer.status_code, 'role="status">A die is red.<' in answer.text) == (200, True)
        assert "A die is red." not in client.get("/text").text


class Slow(TwoDice):
    """Reads once it is let, and counts what it reads."""

    def __init__(self) -> None:
        """It has to be let first."""
        self.begun = threading.Semaphore(0)
        self.let = threading.Event()
        self.read_so_far = 0

    def read(self, data: bytes) -> TakenPicture:
        self.read_so_far += 1
        self.begun.release()
        assert self.let.wait(PATIENCE_SECONDS)
        return super().read(data)


class Unread(io.BytesIO):
    """A body that nobody may ask for."""

    def read(self, _size: int | None = -1) -> bytes:
        pytest.fail("the body is taken in")

    def readinto(self, _room: object) -> int:
        pytest.fail("the body is taken in")


def test_one_picture_is_read_one_waits_and_the_next_is_refused_before_it_is_taken_in() -> None:
    slow = Slow()
    phones = PhonePictures(lambda: slow)
    with Desk(phones=phones) as desk, ThreadPoolExecutor() as senders:
        number = declared(desk.client())
        read = senders.submit(sent, desk.client(), b"one", number)
        assert slow.begun.acquire(timeout=PATIENCE_SECONDS)
        with phones.place():
            for path, kind, words in (
                (f"{PATH}?request={number}", "image/jpeg", '"Other pictures are being read.'),
                (FORM_PATH, "multipart/form-data; boundary=x", 'role="alert">Other pictures are being read.'),
            ):
                answer = desk.client().post(
                    path, input_stream=Unread(), content_type=kind, content_length=9000, headers=HEADERS
                )
                assert (answer.status_code, words in answer.text) == (409, True), answer.text
        waits = senders.submit(sent, desk.client(), b"one", number)
        slow.let.set()
        assert read.result()[0] == 200
        assert waits.result()[0] == 409
        assert slow.read_so_far == 1, "the same picture"
        with phones.place(), phones.place():
            pass


def test_a_picture_that_was_taken_in_is_not_read_again() -> None:
    slow = Slow()
    slow.let.set()
    with Desk(phones=PhonePictures(lambda: slow)) as desk:
        client = desk.client()
        assert sent(client, b"one", declared(client))[0] == 200
        send(client, "finish_spending")
        character = got(client, "/api/v1/table")["table"]["characters"][0]["character_id"]
        send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
        status, problem = sent(client, b"one", awaited(client))
        assert (status, "taken in before" in problem["detail"]) == (409, True)
    assert slow.read_so_far == 1


@pytest.fixture
def port() -> Iterator[int]:
    with Desk(phones=PhonePictures(snapshots)) as desk:
        server = WebServer(desk.app, "127.0.0.1", 0, admits=lambda _, cookie: cookie == "known")
        server.start()
        yield server.port
        server.stop()


@pytest.mark.parametrize(
    ("path", "cookie", "length", "expected"),
    [
        (PATH, "known", LARGEST_PICTURE, (0, "")),
        (f"{PATH}?request=1", "known", LARGEST_PICTURE, (0, "")),
        (FORM_PATH, "other=1; trueroll=known", LARGEST_PICTURE, (0, "")),
        (PATH, "known", 2 * LARGEST_PICTURE, (413, "more than 20 megabytes")),
        (PATH, "unknown", LARGEST_PICTURE, (401, "Join the table first")),
        (PATH, "", LARGEST_PICTURE, (401, "Join the table first")),
        (PATH, 'ha={"theme":"dark"}; trueroll=known', LARGEST_PICTURE, (0, "")),
        (PATH, ";;=,trueroll=known[]=", LARGEST_PICTURE, (401, "Join the table first")),
        ("/api/v1/commands", "known", LARGEST_PICTURE, (413, "A command takes a few kilobytes")),
        (PATH + "/x", "known", LARGEST_PICTURE, (413, "A command takes a few kilobytes")),
    ],
)
def test_only_somebody_at_the_table_fills_the_room_that_a_picture_takes(
    port: int, path: str, cookie: str, length: int, expected: tuple[int, str]
) -> None:
    status, words = expected
    sent_cookie = cookie if "=" in cookie else f"trueroll={cookie}"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {sent_cookie}\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 20) as line:
        line.sendall(head.encode())
        line.settimeout(1.5 if not status else 20)
        answer = b""
        try:
            while more := line.recv(65536):
                answer += more
        except TimeoutError:
            assert not status, "the rest is waited for"
    if status:
        assert int(answer.split()[1]) == status
        assert words in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]
    else:
        assert answer == b""


@pytest.mark.parametrize(
    ("cookie", "status", "words"), [("known", 413, "more than 20 megabytes"), ("unknown", 401, "Join the table first")]
)
def test_a_picture_of_no_given_length_is_refused_to_each_with_their_own_reason(
    port: int, cookie: str, status: int, words: str
) -> None:
    head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: trueroll={cookie}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n" % 1_000_000 + bytes(1_000_000) + b"\r\n"
    most = LARGEST_UPLOAD if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else LARGEST_REQUEST
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as line:
        line.sendall(head.encode())
        for _ in range(most // 1_000_000 + 1):
            line.sendall(chunk)
        answer = b""
        while more := line.recv(65536):
            answer += more
    assert int(answer.split()[1]) == status
    assert words in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]


def test_nothing_of_a_picture_is_written_to_the_data_folder(desk: Desk, tmp_path: Path) -> None:
    from vision.desk.workbench import Workbench  # noqa: PLC0415 - of this test alone

    bench = Workbench(load_reader(), tmp_path)
    phones = PhonePictures(bench.snapshots)
    client = desk.client()
    phones.count(desk.engine, picture(), declared(client))
    assert list(tmp_path.rglob("*")) == []

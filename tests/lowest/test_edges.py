"""Each dependency at its edge: one real use of it through our own code.

`make lowest` runs these on the lowest versions that pyproject.toml allows, `make test` on the locked ones as well. What
our code does beyond that edge is the same on both.
"""

from __future__ import annotations

import inspect
import json
import os
import queue
import re
import socket
import tomllib
import tty
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware_bridge.bluetooth.supervisor import load_bleak
from firmware_bridge.framing import FrameDecoder, WireFrame, encode_frame
from firmware_bridge.link import open_link
from hardware.panel import PanelButton, PanelPins, open_panel
from kiosk.cli import main
from kiosk.config import load_config
from kiosk.storage.paths import data_folder, settings_place
from kiosk.storage.settings_file import change_settings
from kiosk.web.access import qr_svg
from kiosk.web.server import LARGEST_REQUEST, WebServer
from tests.hardware.fakes import CLOCK, mock_factory
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, Desk, got, post, send
from vision.frames.pictures import decode_picture, encode_png, load_picture
from vision.pose.networks import RECOGNISER, Networks
from vision.read.reader import load_reader
from vision.read.witness import numbers_told

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "tests" / "vision" / "pictures"
STREAMS = frozenset({"/api/v1/events"})
"""What is answered for as long as somebody listens."""


def test_every_dependency_with_a_floor_is_tried_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    everywhere = [one for one in project["dependencies"] if ";" not in one]  # lgpio is for the Pi's own pins
    names = {re.split(r"[-><=]", one)[0] for one in everywhere}
    tried = {name.split("_")[1] for name in globals() if name.startswith("test_")}
    assert len(names) > 10
    assert names <= tried


def test_babel_reads_the_translations_with_their_plurals_and_names_the_languages() -> None:
    with Desk() as desk:
        catalog = desk.room.languages.language("de").catalog
        assert catalog.gettext("Success") == "Erfolg"
        forms = [catalog.ngettext("{number} Complication", "{number} Complications", number) for number in (1, 2)]
        assert len(set(forms)) == 2
        assert not any("Complication" in one for one in forms)
        assert dict(desk.room.languages.names())["fr"] == "Français"


def test_bleak_has_what_the_bluetooth_dice_ask_of_it() -> None:
    bleak = load_bleak()
    assert {"discover"} <= set(dir(bleak.BleakScanner))
    assert {"connect", "disconnect", "services", "start_notify", "write_gatt_char"} <= set(dir(bleak.BleakClient))
    assert {"disconnected_callback", "timeout"} <= set(inspect.signature(bleak.BleakClient).parameters)


def test_click_runs_a_command_and_tells_of_a_wrong_option() -> None:
    runner = CliRunner()
    shown = runner.invoke(main, ["config", "show"], catch_exceptions=False)
    assert shown.exit_code == 0
    assert "[server]" in shown.output
    wrong = runner.invoke(main, ["config", "show", "--colour"])
    assert wrong.exit_code == 2
    assert "--colour" in wrong.output
    assert "odds" in runner.invoke(main, ["--help"]).output


def test_cobs_stuffs_a_frame_and_finds_it_between_others() -> None:
    frame = WireFrame(0x81, 7, b"\x00\x01\x00")
    wire = encode_frame(frame)
    assert (wire[0], wire[-1], wire[1:-1].count(0)) == (0, 0, 0)
    decoder = FrameDecoder()
    assert decoder.feed(b"\x05noise\x00" + wire + b"\x09short\x00") == [frame]
    assert decoder.counts.dropped == 2


def test_flask_shows_every_page_in_another_language() -> None:
    with Desk() as desk:
        client = desk.client()
        send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
        rules = [one for one in desk.app.url_map.iter_rules() if not one.arguments and "GET" in (one.methods or ())]
        paths = {one.rule for one in rules} - STREAMS | {"/play"}  # whose first tab stands for its argument
        answers = {path: client.get(path, headers={"Accept-Language": "de"}) for path in paths}
        assert len(answers) > 30
        assert {path for path, answer in answers.items() if answer.status_code >= 500} == set()
        assert '<html lang="de"' in answers["/play"].get_data(as_text=True)


def test_gpiozero_tells_a_press() -> None:
    pins = PanelPins()
    presses: queue.SimpleQueue[PanelButton] = queue.SimpleQueue()
    with mock_factory() as factory:
        panel = open_panel(pins, clock=CLOCK, pin_factory=factory)
        try:
            panel.start(presses.put)
            factory.pin(pins.confirm).drive_low()
            assert presses.get(timeout=20) is PanelButton.CONFIRM
        finally:
            panel.stop()


def test_itsdangerous_signs_the_cookie_of_who_joined() -> None:
    with Desk(settings={"server.open_to_network": True}) as desk:
        cookie = desk.access.join(PHONE["REMOTE_ADDR"], GAMEMASTER_CODE, gamemaster=True)
        known = desk.access.identify(PHONE["REMOTE_ADDR"], cookie)
        signed, _, signature = cookie.rpartition(".")  # its last letter has bits that mean nothing, its first has none
        other = ("A" if signature[0] != "A" else "B") + signature[1:]
        forged = desk.access.identify(PHONE["REMOTE_ADDR"], f"{signed}.{other}")
        assert known.role > forged.role


def test_msgspec_refuses_an_unknown_key_by_its_name_and_writes_the_schema() -> None:
    with Desk() as desk:
        client = desk.client()
        wrong = {"command": "adjust_pool", "pool": "threat", "change": 1, "chnage": 1}
        status, told = post(client, "/api/v1/commands", wrong)
        assert status == 400
        assert "chnage" in json.dumps(told)
        assert got(client, "/api/v1/openapi.json")["openapi"].startswith("3.1")
        assert got(client, "/api/v1/table")["table"]["threat"] == 0


def test_numpy_and_opencv_read_a_tray() -> None:
    expected = json.loads((PICTURES / "expected.json").read_text(encoding="utf-8"))
    reader = load_reader()
    for name in ("d20s.jpg", "challenge.jpg"):
        dice = reader.read(load_picture(PICTURES / name).pixels)
        read = [[str(one.kind), str(one.face), str(one.state)] for one in dice]
        assert sorted(read) == sorted([kind, str(face), state] for kind, face, state in expected[name])


def test_opencv_writes_a_picture_that_it_reads() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    assert np.array_equal(decode_picture(encode_png(pixels)).pixels, pixels)
    grey = cv2.imencode(".jpg", pixels[:, :, 0])[1].tobytes()
    assert decode_picture(grey).pixels.shape == (60, 80, 3)


def test_opencv_runs_the_recogniser_of_print_as_onnxruntime_does() -> None:
    """What onnxruntime said was recorded by `vision.training.recogniser`: other files of it load, and say else."""
    recorded = np.load(ROOT / "tests" / "vision" / "read" / "recogniser.npz")
    logits = recorded["logits"].astype(np.float64)
    chances = np.exp(logits - logits.max(axis=2, keepdims=True))
    chances /= chances.sum(axis=2, keepdims=True)
    told = Networks(names=(RECOGNISER,)).written(list(recorded["patches"]))
    assert np.abs(told - chances).max() < 1e-4
    assert (numbers_told(told).argmax(axis=1) + 1).tolist() == [1, 6, 9, 14, 17, 20]


def test_platformdirs_says_where_things_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert data_folder() == tmp_path / "data" / "trueroll"
    assert settings_place().parent == tmp_path / "config" / "trueroll"


def test_pyserial_sends_and_hears_on_a_port_of_its_own() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    link = open_link(os.ttyname(slave))
    try:
        link.write(b"out")
        assert os.read(master, 10) == b"out"
        os.write(master, b"in")
        assert link.read(20.0) == b"in"
    finally:
        link.close()
        os.close(master)
        os.close(slave)


def test_segno_draws_the_code_that_phones_join_by() -> None:
    drawn = qr_svg("http://kiosk.local:8080/join", "Join")
    assert drawn.startswith("<svg")
    assert "<title>Join</title>" in drawn
    assert "path" in drawn


def test_tomlkit_changes_one_setting_and_leaves_the_rest_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "trueroll.toml"
    file.write_text('# ours\n[camera]\nsource = "off"  # broken\n')
    change_settings(file, {"camera.source": "auto", "server.open_to_network": True})
    text = file.read_text()
    assert "# ours" in text
    assert "# broken" in text
    config = load_config(file)
    assert (config.camera.source, config.server.open_to_network) == ("auto", True)


def test_waitress_answers_and_turns_away_in_our_words_what_is_too_large() -> None:
    with Desk() as desk:
        server = WebServer(desk.app, "127.0.0.1", 0)
        server.start()
        try:
            assert b" 200 OK" in asked(server.port, "GET /healthz HTTP/1.1")
            refused = asked(server.port, "POST / HTTP/1.1", f"Content-Length: {2 * LARGEST_REQUEST}")
            assert b" 413 " in refused
            assert b"application/problem+json" in refused
        finally:
            desk.hub.close()
            server.stop()


def asked(port: int, *lines: str) -> bytes:
    """What a server answers to a request of these lines."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall("\r\n".join([*lines, "Host: 127.0.0.1", "Connection: close", "X-Trueroll: 1", "", ""]).encode())
        answer = b""
        while got_more := line.recv(65536):
            answer += got_more
    return answer

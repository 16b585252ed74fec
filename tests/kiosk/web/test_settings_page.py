"""The owner's settings: chosen on a page at the kiosk itself, and written into the file with all else left as it is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from kiosk.config import is_loopback, load_config, settled_by
from kiosk.devices.backup_stick import BackupKeeper
from kiosk.devices.plugged import Plugged, cameras, ports
from kiosk.errors import ConfigError
from kiosk.storage.journal import open_journal
from kiosk.storage.settings_file import change_settings
from tests.firmware_bridge.test_discover import BUILT_IN, TRAY
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, Desk, StillClock, post
from tests.kiosk.web.test_form_results import Forms
from tests.kiosk.web.test_pages import read, words

OWN = """# The Saturday table
[camera]
source = "auto"  # the old webcam broke
hfov = 70.0

[voice]
voice = "en-gb"
"""
CAMERA = "/dev/v4l/by-id/usb-Acme_Table_Camera_1-video-index0"


@pytest.mark.parametrize(
    "text",
    [
        *("", OWN, "[server]\n", "[server]\nport = 80", "[server] # ours\nopen_to_network = false # for now\n"),
        *(
            "[server]\r\nopen_to_network=false\r\n[log]\r\n",
            "[log]\nlevel = 'debug'\n\n[server]\nport = 80\n\n# The end",
            "server = { port = 80 }\n",
            "server.port = 80\n",
            "# a box\n[server]\nport = 80\n[camera]\nsource = 'x'\n",
        ),
    ],
)
def test_a_setting_is_changed_and_all_else_stays(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own" / "trueroll.toml"
    if text:
        file.parent.mkdir()
        file.write_bytes(text.encode())
    change_settings(file, {"server.open_to_network": True, "camera.source": 'a "b" \\ c'})
    before, after = tomllib.loads(text), tomllib.loads(file.read_text(encoding="utf-8"))
    assert after == before | {
        "server": before.get("server", {}) | {"open_to_network": True},
        "camera": before.get("camera", {}) | {"source": 'a "b" \\ c'},
    }
    kept = {line.partition("#")[2] for line in text.splitlines()}
    assert kept <= {line.partition("#")[2] for line in file.read_text(encoding="utf-8").splitlines()}, "comments stay"


def test_only_the_value_is_written_anew(tmp_path: Path) -> None:
    """Line ends, order, comments, who may read the file and what lies beside it stay."""
    before = b'# ours\r\n[camera]\r\nsource = "a \\" # b"  # the old one\r\nhfov = 70.0\r\n\r\n[log]\r\n'
    file = tmp_path / "trueroll.toml"
    file.write_bytes(before)
    file.chmod(0o640)
    (tmp_path / "trueroll.new").write_text("mine", encoding="utf-8")
    change_settings(file, {"camera.source": "off"})
    assert file.read_bytes() == before.replace(b'"a \\" # b"', b'"off"')
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(one.name for one in tmp_path.iterdir()) == ["trueroll.new", "trueroll.toml"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[server]\nport = 'x'\n", "Write a whole number"),
        ("[server\n", "is not valid TOML"),
    ],
)
def test_a_file_that_cannot_be_changed_is_left_as_it_is(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "trueroll.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=words):
        change_settings(file, {"server.open_to_network": True})
    assert file.read_text() == text


def test_a_change_that_may_not_be_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "trueroll.toml"
    with pytest.raises(ConfigError, match="500 characters"):
        change_settings(file, {"camera.source": "x" * 501})
    assert not file.exists()


def test_what_is_plugged_in_goes_by_the_name_that_it_keeps(tmp_path: Path) -> None:
    for name in ("usb-Acme_Table_Camera_1-video-index0", "usb-Acme_Table_Camera_1-video-index1"):
        (tmp_path / name).touch()
    usb = [one for one in cameras(tmp_path) if one.value.startswith(str(tmp_path))]
    assert usb == [Plugged(str(tmp_path / "usb-Acme_Table_Camera_1-video-index0"), "Acme Table Camera 1")]
    assert [one.value for one in ports(lambda: [BUILT_IN, TRAY])] == [TRAY.device]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    file = tmp_path / "trueroll.toml"
    file.write_text(OWN)
    monkeypatch.setattr("kiosk.web.settings_page.cameras", lambda: (Plugged(CAMERA, "Acme Table Camera 1"),))
    monkeypatch.setattr("kiosk.web.settings_page.ports", lambda: (Plugged("/dev/ttyACM0", "Tray (/dev/ttyACM0)"),))
    with Desk(config=file, settings={"server.open_to_network": True, "server.host": "0.0.0.0"}) as made:  # noqa: S104 - opened on purpose
        yield made


def keep(client: FlaskClient, **chosen: str) -> tuple[int, str]:
    """Send the page's form with some of it chosen otherwise; the status and what the page says then."""
    form = Forms(read(client, "/settings")).to("/settings") | {"network": "no", "camera": "auto", "tray": "auto"}
    answer = client.post("/settings", data=form | chosen, follow_redirects=True)
    return answer.status_code, words(answer.text)


def test_the_owner_chooses_from_what_is_plugged_in(desk: Desk, client: FlaskClient, tmp_path: Path) -> None:
    status, said = keep(client, network="yes", camera=CAMERA, tray="/dev/ttyACM0")
    assert (status, "It holds from the next start" in said) == (200, True)
    made = load_config(tmp_path / "trueroll.toml").settings
    assert (made.server.open_to_network, made.camera.source, made.tray.url) == (True, CAMERA, "/dev/ttyACM0")
    assert made.camera.hfov == 70
    assert "# The Saturday table" in (tmp_path / "trueroll.toml").read_text()
    page = read(client, "/settings")
    assert f'<option value="{CAMERA}" selected>Acme Table Camera 1</option>' in page, "as it will be"
    assert "They hold whatever is chosen here." in words(page)
    assert desk.config.camera.source == "auto"


@pytest.mark.parametrize(
    ("server", "chosen", "others_reach_it"),
    [('host = "127.0.0.1"', "yes", True), ('host = "0.0.0.0"\nopen_to_network = true', "no", False)],
)
def test_who_can_open_the_pages_holds_against_an_address_of_the_file(
    client: FlaskClient, tmp_path: Path, server: str, chosen: str, *, others_reach_it: bool
) -> None:
    file = tmp_path / "trueroll.toml"
    file.write_text(f"[server]\n{server}\n")
    assert keep(client, network=chosen)[0] == 200
    made = load_config(file)
    assert (made.server.open_to_network, not is_loopback(made.host)) == (others_reach_it, others_reach_it)


def test_a_file_leaves_it_to_the_kiosk_again(client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "trueroll.toml"
    file.write_text('[server] # ours\nhost = "0.0.0.0"\nopen_to_network = true\nport = 8090\n')
    assert keep(client, network="here")[0] == 200
    assert settled_by(load_config(file)) is None
    assert load_config(file).server.port == 8090
    assert "# ours" in file.read_text()


def test_what_was_written_by_hand_since_the_page_was_drawn_stays(client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "trueroll.toml"
    form = Forms(read(client, "/settings")).to("/settings") | {"network": "no", "camera": "auto", "tray": "off"}
    file.write_text(OWN.replace('"auto"', '"1"'))
    assert client.post("/settings", data=form, follow_redirects=True).status_code == 200
    made = load_config(file).settings
    assert (made.camera.source, made.tray.url) == ("1", "off")


def test_a_backup_is_a_tap(desk: Desk, client: FlaskClient, tmp_path: Path) -> None:
    clock = StillClock()
    open_journal(tmp_path / "data" / "journal.sqlite3", clock).close()
    assert "Make a backup now" not in words(read(client, "/settings"))
    keeper = BackupKeeper(tmp_path / "data", clock, lambda *_: None, lambda: ())
    object.__setattr__(desk.services, "backups", keeper)
    assert "There is no backup yet." in words(read(client, "/settings"))
    form = Forms(read(client, "/settings")).to("/settings/backup")
    for _ in range(2):  # pressed twice
        said = words(client.post("/settings/backup", data=form, follow_redirects=True).text)
        assert "trueroll-20231114T221320Z.zip" in said
        clock.wall += 60
    assert "The last backup is of 2023-11-14 22:13 UTC." in words(read(client, "/settings"))
    assert len(list((tmp_path / "data" / "backups").iterdir())) == 1


def test_what_was_unplugged_meanwhile_is_refused(client: FlaskClient, tmp_path: Path) -> None:
    status, said = keep(client, tray="/dev/ttyACM7")
    assert (status, "not plugged in any more" in said) == (400, True)
    assert (tmp_path / "trueroll.toml").read_text() == OWN


def test_an_address_of_ones_own_stays_and_shows_no_password(client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "trueroll.toml"
    file.write_text(OWN.replace('"auto"', '"rtsp://us:secret@camera/1"'))
    page = unescape(read(client, "/settings"))
    assert "rtsp://***@camera/1" in page
    assert "secret" not in page
    assert keep(client, camera="as it is", tray="off")[0] == 200
    made = load_config(file).settings
    assert (made.camera.source, made.tray.url) == ("rtsp://us:secret@camera/1", "off")


def test_only_whoever_stands_at_the_kiosk_changes_them(desk: Desk, tmp_path: Path) -> None:
    phone = desk.client()
    post(phone, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
    page = phone.get("/settings", environ_overrides=PHONE).text
    assert "The settings are changed at the kiosk itself only." in page
    assert "/dev/" not in page
    marks = Forms(phone.get("/setup", environ_overrides=PHONE).text).all[0][1]
    form = {"token": marks["token"], "tap": "x", "network": "no", "camera": "off", "tray": "off"}
    for path in ("/settings", "/settings/backup"):
        assert phone.post(path, data=form, environ_overrides=PHONE).status_code == 403
    assert (tmp_path / "trueroll.toml").read_text() == OWN

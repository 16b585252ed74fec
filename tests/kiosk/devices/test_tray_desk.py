"""Teaching a die at the kiosk: the desk itself, its page without script, and the API."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from firmware_bridge.connection import TrayFirmware
from firmware_bridge.conversation import Direction
from firmware_bridge.messages import Levels, ReaderState
from firmware_bridge.onlookers import Onlookers
from firmware_bridge.recording import read_recording
from firmware_bridge.session import TrayHealth
from firmware_bridge.taught import TaughtDie, read
from firmware_bridge.taught_file import TaughtFile
from firmware_bridge.teaching import TrayPlace
from kiosk.devices.tray_desk import FORGOTTEN_AFTER, LAY_THERE, REST, TrayChange, TrayDesk, TrayInUse
from kiosk.devices.tray_update import TrayUpdate
from kiosk.errors import TrayDeskError
from kiosk.web import tray_pages
from rules.dice import DieKind, SourceState
from rules.words import Phrase
from tests.firmware_bridge.test_recording import RECORDINGS
from tests.kiosk.desk import PHONE, Desk, got, post
from tests.kiosk.devices.test_tray_update import HEX


class Reader:
    """A tray that reads what the test lays down."""

    def __init__(self) -> None:
        self.places: tuple[TrayPlace, ...] = ()
        self.obstacle = self.tagless = ""
        self.untold = Phrase("The tray is mute.")
        self.has_lamps = True
        self.firmware: TrayFirmware | None = None
        self.health: TrayHealth | None = None
        self.lit = 0

    def workshop(self) -> TrayHealth | None:
        return self.health

    def test_lamps(self) -> bool:
        self.lit += self.has_lamps
        return self.has_lamps

    def lay(self, tag: int, *, sure: bool = True) -> None:
        self.places = (TrayPlace(0, tag, sure=sure, words=Phrase("something")),)


def a_desk(path: Path | None = None) -> tuple[TrayDesk, Reader, list[float]]:
    now, reader = [0.0], Reader()
    desk = TrayDesk(TaughtFile(path), clock=lambda: now[0])
    desk.use(reader)
    return desk, reader, now


def teach(desk: TrayDesk, reader: Reader, first: int, again: str = "") -> str:
    """Teach a die whose tags follow on `first`; what was said last."""
    said = desk.do(TrayChange(action="begin", name="Red cube", die_id=again)).said
    tag = first
    while desk.teaching_now():
        reader.lay(tag)
        said = desk.do(TrayChange(action="take")).said
        tag += 1
    return said


def test_a_die_is_taught_and_kept_in_the_file(tmp_path: Path) -> None:
    desk, reader, _ = a_desk(tmp_path / "dice.toml")
    assert teach(desk, reader, 100) == "Red cube is complete and kept."
    assert [(die.name, die.die_id) for die in desk.view().dice] == [("Red cube", "00000064")]
    kept = read((tmp_path / "dice.toml").read_text(encoding="utf-8"))
    assert kept == desk.file.taught
    assert read(desk.exported()) == kept


def test_a_step_sent_twice_is_taken_once_and_one_can_be_undone() -> None:
    desk, reader, _ = a_desk()
    desk.do(TrayChange(action="begin", name="Blue", kind=DieKind.CHALLENGE))
    reader.lay(7)
    desk.do(TrayChange(action="take", step=1))
    assert desk.do(TrayChange(action="take", step=1)).said == "That step was taken already."
    view = desk.view().teaching
    assert view is not None
    assert (view.step, view.steps, view.instruction) == (
        2,
        6,
        "Step 2 of 6: lay the die on the tray with 2 up.",
    )
    undone = desk.do(TrayChange(action="undo")).teaching
    assert undone is not None
    assert undone.step == 1


def look(desk: TrayDesk, reader: Reader, now: list[float], seconds: float) -> None:
    """The tray looks twice, with that time between."""
    desk.looked(reader.places)
    now[0] += seconds
    desk.looked(reader.places)


def test_teaching_goes_on_by_itself_when_a_new_side_rests() -> None:
    desk, reader, now = a_desk()
    reader.lay(1)
    desk.do(TrayChange(action="begin", name="Blue", kind=DieKind.D6))
    look(desk, reader, now, 10)
    assert step_of(desk) == 1, "what lay there before takes a person's word"
    assert note_of(desk) == LAY_THERE, "and nobody waits without a word"
    reader.places = ()
    look(desk, reader, now, 0)
    assert note_of(desk) == ""
    reader.lay(1)
    look(desk, reader, now, REST)
    assert (step_of(desk), note_of(desk)) == (2, ""), "lifted and laid down again it counts"
    for tag in (2, 3):
        reader.lay(tag, sure=False)
        look(desk, reader, now, 10)
        reader.lay(tag)
        look(desk, reader, now, REST / 2)
        assert step_of(desk) == tag, "a die that is turned rests for a moment"
        look(desk, reader, now, REST)
        assert step_of(desk) == tag + 1
    desk.do(TrayChange(action="undo"))
    look(desk, reader, now, 10)
    assert (step_of(desk), note_of(desk)) == (3, LAY_THERE), "the side that was taken back is not taken again"
    for tag in (9, 4, 5, 6):
        reader.lay(tag)
        look(desk, reader, now, REST)
    assert desk.view().said == "Blue is complete and kept."
    assert [die.tags for die in desk.file.taught.dice] == [(1, 2, 9, 4, 5, 6)]


def test_a_side_that_belongs_to_another_die_is_not_taken_by_itself() -> None:
    desk, reader, now = a_desk()
    teach(desk, reader, 100)
    reader.places = ()
    desk.do(TrayChange(action="begin", name="Blue", kind=DieKind.D6))
    reader.lay(105)
    look(desk, reader, now, REST)
    reader.places = (*reader.places, TrayPlace(1, 7, sure=True, words=Phrase("something")))
    look(desk, reader, now, REST)
    assert step_of(desk) == 1
    reader.lay(105)
    assert "belongs to Red cube already" in note_of(desk), "a refusal is told, not only kept"


def note_of(desk: TrayDesk) -> str:
    view = desk.view().teaching
    assert view is not None
    return str(view.note)


def step_of(desk: TrayDesk) -> int:
    view = desk.view().teaching
    assert view is not None
    return view.step


@pytest.mark.parametrize("has_camera", [True, False])
def test_the_page_has_the_command_for_another_firmware(desk: Desk, *, has_camera: bool) -> None:
    reader = Reader()
    reader.firmware = TrayFirmware("1.4", "/dev/serial/by-id/usb one", has_camera=has_camera)
    desk.services.tray.use(reader)
    page = desk.client().get("/tray").get_data(as_text=True)
    assert "Firmware 1.4" in page
    assert ("mpremote connect &#39;/dev/serial/by-id/usb one&#39; cp " in page) is has_camera
    assert "Stop the kiosk first" in page
    assert ("-P &#39;/dev/serial/by-id/usb one&#39;" in page) is not has_camera
    assert "avrdude" not in desk.client().get("/tray", environ_base=PHONE).get_data(as_text=True)


def test_the_workshop_says_how_the_tray_is_and_tests_its_lamps(desk: Desk) -> None:
    reader = Reader()
    reader.firmware = TrayFirmware("1.0", "/dev/ttyACM0", has_camera=False)
    desk.services.tray.use(reader)
    client = desk.client()
    assert "The tray is mute." in client.get("/tray/workshop").get_data(as_text=True)
    readers = (ReaderState(0, 0x92, 3, 0xF1AD3ADF), ReaderState(1, 0x88, 0, 0), ReaderState(2, 0xFF, 9, 0))
    reader.health = TrayHealth(Levels(512, 3, 1), readers, 4, 5, 777)
    page = client.get("/tray/workshop").get_data(as_text=True)
    for words in (
        "Reader 1: chip 92, 3 bad answers, last tag f1ad3adf.",
        "Reader 2: chip 88, 0 bad answers, no tag yet.",
        "Reader 3: nothing answers.",
        "Motion sensor: 512 of 1023, at most 777 in the last seconds",
        "Light beam: interrupted.",
        "dropped 4 damaged messages and lost 5 bytes",
    ):
        assert words in page.replace("&#39;", "'")
    assert "Reader 1" not in client.get("/tray").get_data(as_text=True)
    assert "Reader 1" not in client.get("/tray/workshop", environ_base=PHONE).get_data(as_text=True)
    _, page = sent(client, action="lamps")
    assert "shine white" in page
    assert reader.lit == 1
    reader.has_lamps = False
    status, page = sent(client, action="lamps")
    assert (status, "no lamps that the kiosk can light" in page) == (409, True)
    reader.obstacle = "The tray is gone."
    _, page = sent(client, action="lamps")
    assert "The tray is gone." in page


def test_a_tray_that_looks_with_its_camera_alone_is_not_asked_for_tags(desk: Desk) -> None:
    """It was told that it reads no tag now, and offered to teach: dice would have counted for nothing meanwhile."""
    reader = Reader()
    reader.obstacle = reader.tagless = "It looks with its camera."
    services = desk.services.tray
    services.use(reader)
    client = desk.client()
    page = client.get("/tray").get_data(as_text=True)
    assert "It looks with its camera." in page
    for words in ("reads no tag now", "Teach a die", "Dice that were taught"):
        assert words not in page
    status, page = sent(client, action="begin", name="Red", kind="d6", side="up")
    assert (status, "It looks with its camera." in page) == (409, True)
    assert services.view().teaching is None
    other = Reader()
    both = (TrayInUse(1, reader), TrayInUse(2, other))
    services.in_use = lambda: both
    assert "Teach a die" in client.get("/tray").get_data(as_text=True), "the other one may read tags"
    assert services.obstacle == ""
    other.obstacle = "The other one is away."
    assert services.obstacle == "The other one is away.", "the first one never reads tags, which is no news"
    with pytest.raises(TrayDeskError, match="The other one is away"):
        services.write(2, "tray.hex", HEX)


def test_a_throw_is_recorded_for_a_report(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    client = desk.client()
    assert client.get("/tray/recording").status_code == 409
    onlookers = Onlookers(quiet=0.01)
    onlookers.opened(7)
    onlookers.greet = lambda: onlookers.passed(Direction.IN, b"\x00\x01")
    desk.services.tray.use(Reader(), onlookers)
    monkeypatch.setattr(tray_pages, "RECORDED", 0.05)
    answer = client.get("/tray/recording")
    assert "attachment" in answer.headers["Content-Disposition"]
    recording = read_recording(answer.get_data(as_text=True))
    assert (recording.nonce, [one.data for one in recording.passed]) == (7, [b"\x00\x01"])
    assert client.get("/tray/recording", environ_base=PHONE).status_code in {401, 403}


def test_an_undo_sent_twice_takes_one_step_back() -> None:
    desk, reader, _ = a_desk()
    desk.do(TrayChange(action="begin", name="Blue", kind=DieKind.D6))
    for tag in (7, 8):
        reader.lay(tag)
        desk.do(TrayChange(action="take"))
    assert desk.do(TrayChange(action="undo", step=3)).said == "One step was taken back."
    again = desk.do(TrayChange(action="undo", step=3))
    assert again.said == "That step was taken back already."
    assert again.teaching is not None
    assert again.teaching.step == 2


def test_a_tray_that_cannot_read_is_told_instead_of_where_to_lay_the_die() -> None:
    desk, reader, _ = a_desk()
    desk.do(TrayChange(action="begin", name="Blue"))
    reader.obstacle = "The dice tray was unplugged."
    with pytest.raises(TrayDeskError, match="unplugged"):
        desk.do(TrayChange(action="take"))
    desk.in_use = lambda: ()
    with pytest.raises(TrayDeskError, match="No tray is in use"):
        desk.do(TrayChange(action="take"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([TrayChange(action="take")], "No die is being taught"),
        ([TrayChange(action="begin", name=" ")], "needs a name"),
        ([TrayChange(action="begin", name="red CUBE")], "called red CUBE already"),
        ([TrayChange(action="begin", name="New", die_id="0000ffff")], "forgotten meanwhile"),
        ([TrayChange(action="begin", name="New"), TrayChange(action="begin", name="Other")], "being taught just now"),
        ([TrayChange(action="begin", name="New"), TrayChange(action="take")], "belongs to Red cube already"),
        ([TrayChange(action="begin", name="New"), TrayChange(action="undo")], "no step to undo"),
        ([TrayChange(action="rename", name="X")], "Say which die"),
        ([TrayChange(action="rename", name="", die_id="00000064")], "needs a name"),
        ([TrayChange(action="forget", die_id="0000ffff")], "no die 0000ffff has been taught|No die 0000ffff"),
        (
            [
                TrayChange(action="begin", name="Red cube", die_id="00000064"),
                TrayChange(action="forget", die_id="00000064"),
            ],
            "being taught just now",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_words(changes: list[TrayChange], words: str) -> None:
    desk, reader, _ = a_desk()
    teach(desk, reader, 100)
    before = desk.file.taught
    *first, last = changes
    for change in first:
        desk.do(change)
    with pytest.raises(TrayDeskError, match=words):
        desk.do(last)
    assert desk.file.taught is before


def test_a_die_can_be_taught_again_renamed_and_forgotten() -> None:
    desk, reader, _ = a_desk()
    teach(desk, reader, 100)
    teach(desk, reader, 105, again="00000064")
    (die,) = desk.view().dice
    assert die.die_id == "00000069"
    assert desk.do(TrayChange(action="rename", name="Ruby", die_id=die.die_id)).said == "Red cube is called Ruby now."
    assert desk.do(TrayChange(action="forget", die_id=die.die_id)).dice == ()


def test_a_half_taught_die_is_given_up_in_time() -> None:
    desk, reader, now = a_desk()
    desk.do(TrayChange(action="begin", name="Red", kind=DieKind.D6))
    now[0] = FORGOTTEN_AFTER
    assert desk.teaching_now()
    reader.lay(5)
    desk.do(TrayChange(action="take"))
    now[0] = 2 * FORGOTTEN_AFTER + 1
    assert not desk.teaching_now()


def test_a_broken_file_is_told_and_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_text("version = 1\n[[die]]\nname = 4\n", encoding="utf-8")
    desk, _, _ = a_desk(path)
    assert desk.load().startswith(f"{path}, die 1: name is missing or no text. Mend the file")
    with pytest.raises(TrayDeskError, match="die 1"):
        desk.do(TrayChange(action="begin", name="Red"))
    assert "name = 4" in path.read_text(encoding="utf-8")
    assert "Until then tagged dice are not known." in desk.view().unusable
    path.write_text("version = 1\n", encoding="utf-8")
    assert desk.view().unusable == "", "a file that was mended needs no restart"
    assert desk.do(TrayChange(action="begin", name="Red")).teaching is not None


def test_a_hand_and_the_kiosk_change_the_file_and_neither_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    desk, reader, _ = a_desk(path)
    teach(desk, reader, 100)
    path.write_text(path.read_text(encoding="utf-8").replace("Red cube", "Ruby"), encoding="utf-8")
    assert [die.name for die in desk.view().dice] == ["Ruby"]
    assert "was changed by hand and has been read anew. Another or gone: Red cube." in desk.view().noticed
    teach(desk, reader, 200)
    kept = read(path.read_text(encoding="utf-8"))
    assert [die.name for die in kept.dice] == ["Ruby", "Red cube"]
    path.write_text("version = 1\n[[die]]\n", encoding="utf-8")
    view = desk.view()
    assert "die 1: name is missing" in view.unusable
    assert "Until then the dice are known as they were before." in view.unusable
    assert [die.name for die in view.dice] == ["Ruby", "Red cube"]
    with pytest.raises(TrayDeskError, match="name is missing"):
        desk.do(TrayChange(action="forget", die_id=view.dice[0].die_id))
    assert path.read_text(encoding="utf-8") == "version = 1\n[[die]]\n"


def test_the_page_tells_of_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_text("version = 1\n[[die]]\nname = 4\n", encoding="utf-8")
    unusable = TrayDesk(TaughtFile(path))
    unusable.load()
    with Desk(tray=unusable) as made:
        page = made.client().get("/tray").get_data(as_text=True)
    assert "die 1: name is missing or no text" in page
    assert "None yet." not in page
    assert "Begin</button>" not in page


def token(page: str) -> str:
    return page.split('name="token" value="')[1].split('"', maxsplit=1)[0]


def sent(client: FlaskClient, **form: str) -> tuple[int, str]:
    """Send the page's form as a browser without script does."""
    page = client.get("/tray").get_data(as_text=True)
    answer = client.post("/tray", data={"token": token(page), **form}, follow_redirects=True)
    return answer.status_code, answer.get_data(as_text=True)


def test_the_page_teaches_without_script(desk: Desk) -> None:
    reader = Reader()
    desk.services.tray.use(reader)
    desk.sources.set("tray", SourceState.READY, "Dice tray is ready.")
    client = desk.client()
    assert "Dice tray is ready." in client.get("/tray").get_data(as_text=True)
    _, page = sent(client, action="begin", name="Wee <d6>", kind="d6", side="up")
    assert "Step 1 of 6: lay the die on the tray with 1 up." in page
    assert "Wee &lt;d6&gt;" in page
    status, page = sent(client, action="take", step="1")
    assert status == 409
    assert "The tray reads no tag." in page
    for tag in range(1, 7):
        reader.lay(tag)
        status, page = sent(client, action="take", step=str(tag))
        assert status == 200
    assert "is complete and kept" in page
    assert "Teach Wee &lt;d6&gt; again" in page
    assert 'face = 6, tag = "00000006"' in client.get("/tray/taught-dice.toml").get_data(as_text=True)
    _, page = sent(client, action="rename", die_id="00000001", name="Small")
    assert "Small (D6)" in page
    _, page = sent(client, action="forget", die_id="00000001")
    assert "None yet." in page


def test_no_d20_is_taught_but_one_that_is_known(desk: Desk) -> None:
    reader, tray = Reader(), desk.services.tray
    tray.use(reader)
    client = desk.client()
    assert 'value="d20"' not in client.get("/tray").get_data(as_text=True).partition("Look for dice")[0]
    status, page = sent(client, action="begin", name="Big", kind="d20")
    assert status == 409
    assert "Tags suit no d20" in page
    known = TaughtDie("Big", DieKind.D20, tuple(range(1, 21)))
    tray.file.change(lambda taught: taught.with_die(known))
    assert 'value="d20" selected' in client.get(f"/tray?again={known.die_id:08x}").get_data(as_text=True)
    _, page = sent(client, action="begin", name="Big", kind="d20", die_id=f"{known.die_id:08x}")
    assert "Step 1 of 20" in page


def test_strangers_and_players_teach_nothing(desk: Desk) -> None:
    client = desk.client()
    page = client.get("/tray", environ_base=PHONE).get_data(as_text=True)
    assert "Begin</button>" not in page
    answer = client.post("/tray", data={"action": "begin", "name": "x"}, environ_base=PHONE)
    assert answer.status_code == 403
    assert client.get("/tray/taught-dice.toml", environ_base=PHONE).status_code == 401
    assert post(client, "/api/v1/tray", {"action": "begin", "name": "x"}, environ_base=PHONE)[0] in {401, 403}
    assert desk.services.tray.view().teaching is None


def test_a_form_that_the_page_does_not_have(desk: Desk) -> None:
    status, page = sent(desk.client(), action="explode")
    assert status == 400
    assert "Use the buttons of this page" in page


def test_the_api_teaches_too(desk: Desk) -> None:
    reader = Reader()
    desk.services.tray.use(reader)
    client = desk.client()
    status, body = post(client, "/api/v1/tray", {"action": "begin", "name": "Blue", "kind": "challenge"})
    assert (status, body["teaching"]["instruction"]) == (200, "Step 1 of 6: lay the die on the tray with 1 up.")
    reader.lay(3)
    assert post(client, "/api/v1/tray", {"action": "take"})[1]["teaching"]["step"] == 2
    status, body = post(client, "/api/v1/tray", {"action": "take"})
    assert status == 409
    assert "just taught as 1" in body["detail"]
    assert got(client, "/api/v1/tray")["places"] == [{"tray": 0, "slot": 0, "words": "something", "ready": True}]
    assert post(client, "/api/v1/tray", {"action": "dance"})[0] == 400


def test_the_page_pairs_bluetooth_dice_without_script(desk: Desk) -> None:
    client = desk.client()
    page = client.get("/tray").get_data(as_text=True)
    assert "None is paired." in page
    status, page = sent(client, action="look")
    assert (status, "The Bluetooth dice are not in use. Restart the kiosk." in page) == (409, True), "its sources rest"
    status, page = sent(client, action="pair", address="AA:01", kind="d20")
    assert (status, "This die is not in reach any more." in page) == (409, True)
    status, _ = sent(client, action="pair", kind="no kind")
    assert status == 400
    assert "Look for dice" not in client.get("/tray", environ_base=PHONE).get_data(as_text=True)


@dataclass(frozen=True)
class Shot:
    """A picture of a tray with a camera."""

    number: int = 3
    data: bytes = b"\xff\xd8 the newest"


@dataclass(frozen=True)
class Camera:
    """A tray's camera."""

    newest: Shot | None = Shot()


def test_the_page_shows_the_newest_picture_of_a_trays_camera(desk: Desk) -> None:
    client = desk.client()
    assert client.get("/tray/picture").status_code == 404
    tray = TrayInUse(1, Reader(), pictures=Camera(None))
    desk.services.tray.in_use = lambda: (tray,)
    assert "tray-shot" not in client.get("/tray").get_data(as_text=True)
    seen = replace(tray, pictures=Camera())
    desk.services.tray.in_use = lambda: (seen,)
    assert 'src="/tray/picture?tray=1&amp;n=3"' in client.get("/tray").get_data(as_text=True)
    answer = client.get("/tray/picture?tray=1&n=3")
    assert (answer.mimetype, answer.get_data()) == ("image/jpeg", b"\xff\xd8 the newest")
    assert client.get("/tray/picture?tray=2").status_code == 404
    assert client.get("/tray/picture", environ_base=PHONE).status_code in {401, 403}


def test_several_trays_are_told_apart_by_their_numbers(desk: Desk) -> None:
    both = [Reader(), Reader()]
    for number, reader in enumerate(both, start=1):
        reader.lay(number)
        reader.firmware = TrayFirmware(f"1.{number}", f"/dev/ttyACM{number}", has_camera=False)
        reader.health = TrayHealth(Levels(500 + number, 3, 0), (), 0, 0, 0)
    onlookers = Onlookers(quiet=0.01)
    onlookers.opened(7)
    trays = (TrayInUse(1, both[0]), TrayInUse(2, both[1], onlookers))
    desk.services.tray.in_use = lambda: trays
    client = desk.client()
    page = client.get("/tray/workshop").get_data(as_text=True)
    for words in (
        "Tray 2, place 1: something",
        "Tray 1 at /dev/ttyACM1: firmware 1.1",
        "Tray 2 at /dev/ttyACM2: firmware 1.2",
        "Tray 2: Motion sensor: 502 of 1023",
        'href="/tray/recording?tray=2"',
    ):
        assert words in page.replace("&#39;", "'")
    assert client.get("/tray/recording?tray=1").status_code == 409
    with client.get("/tray/wire?tray=2") as answer:
        assert answer.status_code == 200
    sent(client, action="lamps")
    assert [reader.lit for reader in both] == [1, 1]
    both[0].obstacle = "It is not ready."
    assert not desk.services.tray.obstacle, "one that reads is enough to teach"


class Port:
    """A port that can be let go."""

    def rest(self) -> None:
        """Nothing holds it."""

    def resume(self) -> None:
        """Nothing wants it back."""


def sent_file(client: FlaskClient, path: str, field: str, name: str, data: bytes) -> tuple[int, str]:
    """Send a file as the page's form does."""
    page = client.get("/tray").get_data(as_text=True)
    form = {"token": token(page), "tray": "1", field: (BytesIO(data), name)}
    answer = client.post(path, data=form, content_type="multipart/form-data", follow_redirects=True)
    return answer.status_code, answer.get_data(as_text=True).replace("&#39;", "'")


def test_firmware_is_written_from_a_file_where_the_tool_is_installed_and_by_hand_where_not(desk: Desk) -> None:
    reader = Reader()
    reader.firmware = TrayFirmware("1.4", "/dev/ttyACM0", has_camera=False)
    tray = TrayInUse(1, reader, port=Port())
    services, ran = desk.services.tray, list[list[str]]()
    services.in_use = lambda: (tray,)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    client = desk.client()
    services.update = TrayUpdate(lambda _: None, run)
    page = client.get("/tray").get_data(as_text=True)
    assert ("Write it to the tray" in page, "avrdude -p m328p" in page) == (False, True)
    services.update = TrayUpdate(lambda program: program, run)
    assert "Write it to the tray" in client.get("/tray").get_data(as_text=True)
    status, page = sent_file(client, "/tray/firmware", "firmware", "tray.hex", b":junk")
    assert (status, "The file is damaged" in page, ran) == (409, True, [])
    assert client.get("/tray/firmware").status_code == 200, "a refused page stays live"
    status, page = sent_file(client, "/tray/firmware", "firmware", "tray.hex", HEX)
    assert status == 200
    services.update.wait(30)
    assert [command[0] for command in ran] == ["avrdude"]
    assert "tray.hex is written. The tray starts anew by itself." in client.get("/tray").get_data(as_text=True)
    reader.firmware = None
    assert "Write it to the tray" in client.get("/tray").get_data(as_text=True), "it may say nothing since then"
    status, page = sent_file(client, "/tray/firmware", "firmware", "own.hex", HEX)
    services.update.wait(30)
    assert (status, len(ran)) == (200, 2)
    assert page.count("own.hex") == 1, "how it goes is said once, where it is kept up to date"
    reader.firmware = TrayFirmware("1.5", "/dev/ttyACM0", has_camera=False)
    status, page = sent_file(client, "/tray/firmware", "firmware", "", b"")
    assert "Choose one first" in page
    strange = client.post("/tray/firmware", data={"firmware": (BytesIO(HEX), "tray.hex")}, environ_base=PHONE)
    assert (strange.status_code in {401, 403}, len(ran)) == (True, 2)


def test_a_recording_is_played_on_the_page(desk: Desk) -> None:
    client = desk.client()
    evening = next(file for file in RECORDINGS if file.name == "an_evening.jsonl").read_bytes()
    status, page = sent_file(client, "/tray/replay", "recording", "tray-recording.jsonl", evening)
    assert status == 200
    assert "This was read in the recording:" in page
    assert "the tray is empty" in page
    status, page = sent_file(client, "/tray/replay", "recording", "x.jsonl", b"{}")
    assert (status, "This is no trueroll recording. Make one" in page) == (409, True)
    assert "What lies there" in client.get("/tray/replay").get_data(as_text=True), "a refused page stays live"
    status, page = sent_file(client, "/tray/replay", "recording", "x.jsonl", b"\xff\xfe")
    assert (status, "no recording of a tray" in page) == (409, True)
    status, page = sent_file(client, "/tray/replay", "recording", "x.jsonl", evening.splitlines(keepends=True)[0])
    assert "No throw was read" in page

"""Who may do what, who is told apart by address and cookie, and what keeps other sites out."""

from __future__ import annotations

import stat
import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kiosk.errors import AccessError, NotGamemasterError, NotJoinedError, TooManyTriesError
from kiosk.storage.kept_file import LOST_WITH
from kiosk.storage.persons import Persons
from kiosk.web.access import (
    ALPHABET,
    Access,
    AccessLevel,
    Identity,
    Secrets,
    TryLimit,
    load_secrets,
    own_network_address,
    qr_svg,
)
from tests.kiosk.desk import GAMEMASTER_CODE, TABLE_CODE, StillClock

KEPT = Secrets("a secret of the tests", TABLE_CODE, GAMEMASTER_CODE)
PHONE = "192.168.1.20"


def opened(clock: StillClock | None = None, *, trust_this_machine: bool = True) -> Access:
    return Access(
        KEPT,
        clock or StillClock(),
        host="0.0.0.0",  # noqa: S104 - opened on purpose
        open_to_network=True,
        trust_this_machine=trust_this_machine,
    )


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1"])
def test_from_the_kiosk_itself_everything_is_allowed(address: str) -> None:
    who = Access(KEPT, StillClock()).identify(address, None)
    assert who == Identity(AccessLevel.GAMEMASTER, local=True)
    Access(KEPT, StillClock()).require(who, AccessLevel.GAMEMASTER)


def test_behind_a_proxy_this_machine_is_a_stranger_too() -> None:
    assert opened(trust_this_machine=False).identify("127.0.0.1", None) == Identity(AccessLevel.GUEST, local=False)


@pytest.mark.parametrize(
    ("headers", "passed_on"),
    [
        ({}, False),
        ({"HOST": "127.0.0.1:8080"}, False),
        ({"HOST": "localhost"}, False),
        ({"HOST": "[::1]:8080"}, False),
        ({"HOST": "[broken"}, False),
        ({"HOST": "kiosk", "REFERER": "http://kiosk/"}, False),
        ({"X_FORWARDED_FOR": ""}, True),
        ({"FORWARDED": "for=192.168.1.20"}, True),
        ({"VIA": "1.1 table.home"}, True),
        ({"HOST": "192.168.1.1:8080"}, True),
        ({"HOST": "table.home"}, True),
        ({"HOST": "127.0.0.1", "REFERER": "http://127.0.0.1:8080/gm"}, False),
        ({"HOST": "127.0.0.1", "REFERER": "https://table.home/gm"}, True),
        ({"HOST": "127.0.0.1", "REFERER": "https://table.home/gm", "SEC_FETCH_SITE": "same-origin"}, True),
        ({"HOST": "127.0.0.1", "REFERER": "http://192.168.1.1/gm"}, True),
        ({"HOST": "kiosk", "REFERER": "http://elsewhere.home/"}, False),
        ({"HOST": "127.0.0.1", "REFERER": "https://elsewhere.home/", "SEC_FETCH_SITE": "cross-site"}, False),
        ({"HOST": "127.0.0.1", "REFERER": "http://[broken", "SEC_FETCH_SITE": "same-origin"}, False),
    ],
)
def test_what_a_proxy_on_this_machine_passes_on_is_not_the_kiosks(headers: dict[str, str], *, passed_on: bool) -> None:
    told: list[str] = []
    address = "https://table.home"
    access = Access(KEPT, StillClock(), address=address, noticed=lambda: told.append("noticed"))
    for _ in range(2):
        who = access.identify(access.sender("127.0.0.1", headers), None)
        assert who.local is not passed_on
        assert who.role is (AccessLevel.GUEST if passed_on else AccessLevel.GAMEMASTER)
    assert told == ["noticed"] * passed_on, "once"
    assert access.sender(PHONE, headers) == PHONE, "others may say what they like"
    wary = opened(trust_this_machine=False)
    assert wary.sender("127.0.0.1", headers) == "127.0.0.1", "the owner knows already"


def test_what_asks_as_proxies_alone_still_do_is_not_the_kiosk() -> None:
    """nginx as it comes: no header of its own, the address that it was given, and HTTP 1.0."""
    assert opened().sender("127.0.0.1", {"HOST": "127.0.0.1:8080", "CONNECTION": "close"}, "1.0") is None
    assert opened().sender("127.0.0.1", {"HOST": "127.0.0.1:8080", "CONNECTION": "close"}, "1.1") == "127.0.0.1"


@pytest.mark.parametrize("address", [PHONE, None, "", "unix:", "not an address"])
def test_a_stranger_may_read_and_nothing_else(address: str | None) -> None:
    access = opened()
    who = access.identify(address, None)
    access.require(who, AccessLevel.GUEST)
    with pytest.raises(NotJoinedError, match="/join"):
        access.require(who, AccessLevel.PLAYER)
    with pytest.raises(NotJoinedError):
        access.require(who, AccessLevel.GAMEMASTER)


def test_the_table_code_makes_a_player_and_the_other_a_gamemaster() -> None:
    access = opened()
    player = access.identify(PHONE, access.join(PHONE, TABLE_CODE))
    access.require(player, AccessLevel.PLAYER)
    with pytest.raises(NotGamemasterError, match="gamemaster's code"):
        access.require(player, AccessLevel.GAMEMASTER)
    access.require(access.identify(PHONE, access.join(PHONE, GAMEMASTER_CODE, gamemaster=True)), AccessLevel.GAMEMASTER)


@pytest.mark.parametrize("typed", ["cdfghj", " CDF-GHJ ", "c d f g h j"])
def test_codes_may_be_typed_loosely(typed: str) -> None:
    assert opened().join(PHONE, typed)


def test_the_table_code_is_not_the_gamemasters() -> None:
    with pytest.raises(AccessError, match="under Set up"):
        opened().join(PHONE, TABLE_CODE, gamemaster=True)


@given(some.text(max_size=40))
def test_no_made_up_code_or_cookie_is_taken(text: str) -> None:
    access = opened()
    assert access.identify(PHONE, text).role is AccessLevel.GUEST
    with pytest.raises(AccessError):
        access.join(PHONE, text + "!")


def test_a_cookie_ends_with_the_person_and_with_the_secret() -> None:
    access = opened()
    cookie = access.join(PHONE, TABLE_CODE)
    for kept, persons in ((Secrets("another", TABLE_CODE, GAMEMASTER_CODE), access.persons), (KEPT, Persons())):
        changed = Access(kept, StillClock(), host="0.0.0.0", open_to_network=True, persons=persons)  # noqa: S104 - open
        assert changed.identify(PHONE, cookie).role is AccessLevel.GUEST


def test_wrong_codes_are_limited_by_address_for_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = StillClock()
    access = opened(clock)
    for _ in range(6):
        with pytest.raises(AccessError):
            access.join(PHONE, "wrong")
        clock.ticks += 1
    with pytest.raises(TooManyTriesError) as told:
        access.join(PHONE, TABLE_CODE)
    assert told.value.retry_after == 54
    assert caplog.messages == [f"Too many wrong codes or PINs from {PHONE}: none is taken from there for a minute."]
    assert access.join("192.168.1.21", TABLE_CODE)
    clock.ticks += 54
    assert access.join(PHONE, TABLE_CODE)


def test_many_addresses_together_are_limited_too() -> None:
    limit = TryLimit(StillClock().monotonic, one_address=6, everyone=10)
    for number in range(10):
        limit.require(f"10.0.0.{number}")
        limit.wrong(f"10.0.0.{number}")
    with pytest.raises(TooManyTriesError):
        limit.require("10.0.0.99")


@pytest.mark.parametrize(
    ("host", "closed", "open_"),
    [
        ("127.0.0.1:8080", True, True),
        ("localhost", True, True),
        ("LOCALHOST:8080", True, True),
        ("[::1]:8080", True, True),
        ("192.168.1.5:8080", False, True),
        ("kiosk.example", False, False),
        ("localhost.evil.example", False, False),
        ("127.0.0.1.evil.example", False, False),
        ("", False, False),
        ("[::1", False, False),
        ("a b", False, False),
    ],
)
def test_only_our_own_names_are_answered(host: str, *, closed: bool, open_: bool) -> None:
    assert Access(KEPT, StillClock()).host_allowed(host) is closed
    assert opened().host_allowed(host) is open_


def test_names_in_the_settings_are_ours() -> None:
    access = Access(KEPT, StillClock(), host="0.0.0.0", open_to_network=True, names=("Table.Home",))  # noqa: S104 - open
    assert access.host_allowed("table.home:8080")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:8080", True),
        ("https://127.0.0.1:8080", True),
        ("http://127.0.0.1:9", False),
        ("http://evil.example", False),
        ("null", False),
        ("file://127.0.0.1:8080", False),
        ("", False),
    ],
)
def test_only_our_own_pages_may_send(origin: str | None, *, allowed: bool) -> None:
    assert Access(KEPT, StillClock()).origin_allowed(origin, "127.0.0.1:8080") is allowed


def test_form_tokens_belong_to_the_cookie() -> None:
    access = opened()
    guest, local = Identity(AccessLevel.GUEST, local=False), Identity(AccessLevel.GAMEMASTER, local=True)
    token = access.form_token(guest, "mine")
    assert access.form_token_right(token, guest, "mine")
    assert not access.form_token_right(token, guest, "theirs")
    assert not access.form_token_right("Ünsinn", guest, "mine")
    assert not access.form_token_right(access.form_token(guest, None), local, None), "a guest's is no use on the kiosk"


def test_secrets_are_made_once_and_kept_for_the_owner_alone(tmp_path: Path) -> None:
    told: list[str] = []
    made = load_secrets(tmp_path, told.append)
    assert load_secrets(tmp_path, told.append) == made
    assert told == []
    assert stat.S_IMODE((tmp_path / "access.json").stat().st_mode) == 0o600
    assert set(made.table_code + made.gamemaster_code) <= set(ALPHABET)
    assert load_secrets_elsewhere(tmp_path) != made


def load_secrets_elsewhere(folder: Path) -> Secrets:
    (folder / "other").mkdir()
    return load_secrets(folder / "other")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"secret": 1}', "\x00"])
def test_a_damaged_secrets_file_costs_its_codes_and_is_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "access.json").write_text(text)
    told: list[str] = []
    made = load_secrets(tmp_path, told.append)
    assert told == [f"access.json was damaged; it is kept as access.damaged.json. {LOST_WITH['access.json']}"]
    assert (tmp_path / "access.damaged.json").read_text() == text
    assert load_secrets(tmp_path, told.append) == made
    assert len(told) == 1


def test_codes_that_cannot_be_kept_hold_until_the_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    assert load_secrets(tmp_path / "nowhere", told.append).table_code
    assert told == []
    assert "The codes hold until the next start only" in caplog.text


def test_the_qr_code_is_an_svg_without_style_or_script() -> None:
    svg = ET.fromstring(qr_svg(opened().join_address(8080), "Code to join"))  # noqa: S314 - our own drawing
    assert svg.tag.endswith("svg")
    assert {one.tag.rpartition("}")[2] for one in svg.iter()} <= {"svg", "title", "path", "g"}
    assert not [one for one in svg.iter() if "style" in one.attrib]


def test_phones_are_sent_to_an_address_of_this_machine() -> None:
    assert opened().join_address(8080) == f"http://{own_network_address()}:8080/join?code={TABLE_CODE}"


def test_phones_are_sent_to_the_owners_proxy_and_its_name_is_answered() -> None:
    access = Access(KEPT, StillClock(), host="0.0.0.0", open_to_network=True, address="https://Table.home:8443")  # noqa: S104 - open
    assert access.join_address(8080) == f"https://Table.home:8443/join?code={KEPT.table_code}"
    assert access.host_allowed("table.home:8443")
    assert not access.host_allowed("elsewhere.home:8443")
    assert access.origin_allowed("https://table.home:8443", "table.home:8443")


def test_a_renewed_code_is_not_put_back_by_a_write_that_had_begun() -> None:
    kept: list[Secrets] = []
    begun, go_on = threading.Event(), threading.Event()

    def keep(secrets: Secrets) -> None:
        if threading.current_thread() is again:
            begun.set()
            go_on.wait(0.2)
        kept.append(secrets)

    access = Access(KEPT, StillClock(), keep=keep)
    again = threading.Thread(target=access.keep_again)
    again.start()
    begun.wait()
    access.renew_code(gamemaster=True)
    go_on.set()
    again.join()
    assert kept[-1].gamemaster_code == access.gamemaster_code

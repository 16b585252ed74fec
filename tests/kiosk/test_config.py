"""Settings: strict about keys and values, clear about where each came from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from kiosk.config import as_dict, load_config, reference_markdown, settings_reference, show
from kiosk.errors import ConfigError, words_of
from tests.kiosk.desk import LANGUAGES

ROOT = Path(__file__).parents[2]
ENGLISH = {
    "cannot",
    "used",
    "write",
    "whole",
    "number",
    "from",
    "characters",
    "most",
    "text",
    "texts",
    "list",
    "valid",
    "line",
}


def written(folder: Path, text: str) -> Path:
    path = folder / "trueroll.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold() -> None:
    config = load_config()
    assert (config.host, config.server.port) == ("127.0.0.1", 8080)
    assert config.origins == {}


def test_a_file_is_laid_over_the_defaults_and_overrides_over_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[server]\nport = 9000\nopen_to_network = true\n[voice]\nlength = "terse"\n')
    config = load_config(path, {"server.port": 9001})
    assert (config.server.port, config.host, config.voice.length) == (9001, "0.0.0.0", "terse")  # noqa: S104 - opened on purpose
    shown = show(config)
    assert "port = 9001  # command line" in shown
    assert f'length = "terse"  # {path}' in shown
    assert "rate = 175  # default" in shown
    assert as_dict(config)["server"]["port"] == {"value": 9001, "from": "command line"}


@pytest.mark.parametrize(("written_so", "hfov"), [("60.0", 60.0), ("102", 102.0), ('"auto"', "auto"), (None, "auto")])
def test_the_field_of_view_is_a_number_or_left_to_the_camera(
    tmp_path: Path, written_so: str | None, hfov: object
) -> None:
    config = load_config(written(tmp_path, "" if written_so is None else f"[camera]\nhfov = {written_so}"))
    assert config.camera.hfov == hfov
    assert f"hfov = {json.dumps(hfov)}" in show(config)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[server]\nprot = 1", "unknown key 'server.prot'. Did you mean 'server.port'?"),
        ("[serve]\nport = 1", "unknown key 'serve'. Did you mean 'server'?"),
        ("[camera]\nqqqq = 1", "Known are source, hfov"),
        ("server = 1", r"write its settings under \[server\]"),
        ("[server]\nport = 70000", r"server.port = 70000 cannot be used.*a whole number from 0 to 65535"),
        ("[server]\nport = '80'", 'server.port = "80" cannot be used. Write a whole number'),
        ("[server]\nport = true", "server.port = true cannot be used. Write a whole number"),
        ("[display]\nflip = 1", "Write true or false."),
        ("[camera]\nhfov = 5", 'a number from 10 to 170, or "auto"'),
        ("[camera]\nhfov = 'wide'", 'a number from 10 to 170, or "auto"'),
        ("[display]\ndistance_metres = 99", "a number from 0.3 to 10."),
        ("[voice]\nlength = 'long'", 'Write one of "full", "normal", "terse".'),
        ("[voice]\nvoice = '--stdout x'", "letters, digits"),
        ("[server]\nnames = ['a', 3]", "Write a list of texts, 16 of them at most, each of 253 characters at most."),
        ("[language]\nvoices = ['de']", "each a language and its voice"),
        ("[language]\nroom = 'de_DE'", "Write the code of a language"),
        ("[tray]\nurl = 1", "Write a text of 500 characters at most."),
        ("[server]\nhost = '0.0.0.0'", "open_to_network = true"),
        ("[server]\nhost = 'example.org'", "open_to_network = true"),
        ("[log]\nlevel = = 1", "not valid TOML: line 2 cannot be read"),
        ("[log]\nlevel = '", "not valid TOML: line 2 cannot be read"),
        ("[log]\n[log]\n", "not valid TOML: line 2 sets again what was set before"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_way_out(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_config(written(tmp_path, text))


@pytest.mark.parametrize("code", ["de", "es", "fr"])
@pytest.mark.parametrize(
    "text",
    [
        *("[server]\nport = 70000", "[display]\nflip = 1", "[camera]\nhfov = 5", "[voice]\nlength = 'long'"),
        *("[voice]\nvoice = ' '", "[server]\nnames = [3]", "[language]\nroom = '_'", "[language]\nvoices = ['x']"),
        *("[tray]\nurl = 1", "[log]\nlevel = =", "[log]\n[log]\n", "[display]\ndistance_metres = 99"),
    ],
)
def test_what_cannot_be_used_is_told_whole_in_the_readers_language(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(ConfigError) as found:
        load_config(written(tmp_path, text))
    english = words_of(found.value)
    told = english.rendered(LANGUAGES.language(code).catalog)
    left = set(re.findall(r"[a-z]{4,}", told.replace(str(tmp_path), ""))) & ENGLISH
    assert (told != english, left) == (True, set()), told
    assert re.findall(r"\d+|true|\"\w+\"", told) == re.findall(r"\d+|true|\"\w+\"", english), "and as much is told"


@pytest.mark.parametrize("code", ["de", "es", "fr"])
def test_the_command_line_is_called_so_in_the_readers_language(code: str) -> None:
    with pytest.raises(ConfigError) as found:
        load_config(None, {"server.port": "x"})
    assert not words_of(found.value).rendered(LANGUAGES.language(code).catalog).startswith("command line")


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no settings file"):
        load_config(tmp_path / "nowhere.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not a text file"):
        load_config(tmp_path / "binary.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * 300_000)
    with pytest.raises(ConfigError, match="too large"):
        load_config(tmp_path / "huge.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)


@pytest.mark.parametrize("key", ["server", "server.", "nothing.port", "server.port.more"])
def test_an_override_is_checked_like_the_file(key: str) -> None:
    with pytest.raises(ConfigError, match="command line"):
        load_config(None, {key: 1})


@pytest.mark.parametrize("password", ["it's", "my pass", "a<b", 'a"b', "a@b", "a/b?c#d", "a=b"])
def test_a_password_of_any_signs_is_not_shown(password: str) -> None:
    config = load_config(None, {"camera.source": f"rtsp://admin:{password}@cam/s"})
    assert 'source = "rtsp://***@cam/s"' in show(config)
    assert "'value': 'rtsp://***@cam/s'" in str(as_dict(config)["camera"])


def test_a_setting_that_cannot_be_used_is_told_without_its_password() -> None:
    for wrong in (["rtsp://u:my pw9@cam"], {"a": "http://h/?k=my pw9"}, "http://u:pw9 pw9@h/" + "x" * 500):
        with pytest.raises(ConfigError, match=r"camera\.source = ") as caught:
            load_config(None, {"camera.source": wrong})
        assert "pw9" not in str(caught.value)


def test_what_lets_somebody_in_is_not_shown() -> None:
    given = {"camera.source": "http://me:secret@camera/x?token=secret", "tray.url": "usb:1:2 socket://u:secret@h:1"}
    config = load_config(None, given)
    shown = show(config) + str(as_dict(config))
    assert "secret" not in shown
    assert shown.count("http://***@camera/x?***") == 2
    assert shown.count("usb:1:2 socket://***@h:1") == 2


@given(some.dictionaries(some.text(max_size=20), some.integers() | some.text(max_size=9) | some.booleans(), max_size=4))
@example({"camera.source": ""})
def test_no_overrides_do_anything_but_load_or_say_why(overrides: dict[str, object]) -> None:
    try:
        load_config(None, overrides)
    except ConfigError as error:
        assert str(error)  # noqa: PT017 - most overrides are wrong, and then words are the promise
    else:
        known = {f"{section}.{setting.key}" for section, _, settings in settings_reference() for setting in settings}
        assert set(overrides) <= known


def test_every_setting_is_described() -> None:
    for _, purpose, settings in settings_reference():
        assert purpose
        for setting in settings:
            assert setting.description.endswith("."), setting
            assert setting.allowed, setting


def test_the_reference_in_the_docs_is_current() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == reference_markdown(), "write it anew: python -m kiosk.config > docs/configuration.md"


@pytest.mark.parametrize("address", ["https://ada:geheim@table.home", "https://table.home/page", "table.home"])
def test_an_address_with_more_than_its_name_is_refused_with_the_reason(address: str) -> None:
    with pytest.raises(ConfigError, match="no user, no password and no page") as refused:
        load_config(None, {"server.address": address})
    assert "geheim" not in str(refused.value)

"""The file of house tables: found, refused in words, adopted at the start, and no longer needed by a replay."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.commands.doctor import examine
from kiosk.commands.findings import Finding, FindingState
from kiosk.compose import Kiosk, build
from kiosk.config import load_config
from kiosk.errors import ConfigError
from kiosk.storage.house_file import LARGEST_FILE, house_file, load_house_tables
from rules.deciding.checks import profile
from rules.house.tables import as_plain
from rules.rulesets.options import OPTION_ROWS
from rules.rulesets.weapons import weapon
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge

BARE: dict[str, object] = {"server.port": 0, "camera.source": "off", "tray.url": "off", "panel.enabled": False}
PAGE = Path(__file__).parents[3] / "docs/house-rules.md"
HOOK = '[weapons.harbour_hook]\nattack = "melee"\nrating = {}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOOK.format(3), encoding="utf-8")
    return path


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[Path | None], Kiosk]]:
    made: list[Kiosk] = []

    def one(path: Path | None) -> Kiosk:
        for before in made:
            before.stop()
        settings = BARE if path is None else {**BARE, "rules.house_tables": str(path)}
        kiosk = build(load_config(None, settings), tmp_path / "data")
        made.append(kiosk)
        kiosk.start()
        return kiosk

    yield one
    for kiosk in made:
        kiosk.stop()


def told(kiosk: Kiosk) -> dict[str, tuple[str, str]]:
    return {part.source: (part.state, part.what) for part in kiosk.services.sources.views()}


def rating(kiosk: Kiosk) -> int:
    return weapon("harbour_hook", profile(kiosk.services.engine.present().table)).rating


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[weapons", "house.toml is not valid TOML"),
        (b"\xff\xfe", "is not a text file"),
        (b"#" * (LARGEST_FILE + 1), "is too large to hold house tables"),
        (
            b'[weapons.blade]\nrating = "two"',
            "house.toml: weapon 'blade': rating must be a whole number from 0 to 20, not 'two'.",
        ),
        (
            b"[spends.disarms]\ncost = 1",
            "house.toml: spend 'disarms': the rules have no such spend; did you mean 'disarm'?",
        ),
        (b"[stations.warp]\npower = 99", "house.toml: station action 'warp': power must be"),
        (b"[breaches.4]\ndamaged = 9", "house.toml: breaches at Scale '4': disabled is missing"),
        (b'[ship_weapons.Lance]\nkind = "laser"\nrating = 3', "house.toml: ship weapon 'Lance': kind must be"),
        (b"[shaken]\nresults = 3", "house.toml: shaken: results must be a list"),
        (b"[options]\ntask_cap = 1.5", "house.toml: options: task_cap must be a whole number from 0 to 20, not 1.5."),
    ],
)
def test_a_bad_file_is_refused_in_words_that_name_the_place(file: Path, content: bytes, said: str) -> None:
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_house_tables(file)
    assert said in str(caught.value)


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"There is no file .*none\.toml"):
        load_house_tables(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_house_tables(tmp_path)


def test_a_relative_path_is_beside_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "trueroll.toml"
    settings.write_text('[rules]\nhouse_tables = "house.toml"\n', encoding="utf-8")
    assert house_file(load_config(settings)) == tmp_path / "house.toml"
    assert house_file(load_config(None, {"rules.house_tables": "/etc/house.toml"})) == Path("/etc/house.toml")
    assert house_file(load_config(None)) is None


def test_what_was_adopted_is_played_again_though_the_file_changed(
    start: Callable[[Path | None], Kiosk], file: Path
) -> None:
    """WPN-1: the journal holds the rows; the file is looked at only at a start."""
    first = start(file)
    assert told(first)["house tables"] == ("ready", "house.toml sets 1 weapon.")
    assert rating(first) == 3
    file.write_text(HOOK.format("'much'"), encoding="utf-8")
    second = start(file)
    state, what = told(second)["house tables"]
    assert state == "lost"
    assert what == (
        "house.toml: weapon 'harbour_hook': rating must be a whole number from 0 to 20, not 'much'. "
        "Those of house.toml hold on."
    )
    assert rating(second) == 3
    file.write_text(HOOK.format(5), encoding="utf-8")
    third = start(file)
    assert rating(third) == 5
    decisions = third.services.engine.present().history.next_decision
    again = start(file)
    assert again.services.engine.present().history.next_decision == decisions, "the same tables are adopted once"
    without = start(None)
    assert told(without)["house tables"] == ("off", "The rules' own tables are played.")
    assert without.services.engine.present().table.house.weapons == ()
    assert "house tables" not in told(start(None))


def test_tables_wait_while_a_roll_is_open(start: Callable[[Path | None], Kiosk], file: Path) -> None:
    kiosk = start(None)
    kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ann",)), "test")
    kiosk.services.engine.submit(DeclareChallenge(count=2), "test")
    waiting = start(file)
    state, what = told(waiting)["house tables"]
    assert (state, what.split(".")[0]) == ("lost", "They wait")
    assert waiting.services.engine.present().table.house.weapons == ()
    assert rating(start_after_closing(waiting, start, file)) == 3


def start_after_closing(kiosk: Kiosk, start: Callable[[Path | None], Kiosk], file: Path) -> Kiosk:
    kiosk.services.engine.submit(CloseChallenge(), "test")
    return start(file)


def test_the_doctor_looks_into_the_file(tmp_path: Path, file: Path) -> None:
    def found(path: str) -> Finding:
        config = load_config(None, {**BARE, "rules.house_tables": path})
        return next(one for one in examine(config, tmp_path / "data") if one.part == "house tables")

    assert found("").what == "The rules' own tables are played."
    assert (found(str(file)).health, found(str(file)).what) == (FindingState.WELL, f"{file} sets 1 weapon.")
    file.write_text("[weapon]", encoding="utf-8")
    wrong = found(str(file))
    assert (wrong.health, wrong.what) == (
        FindingState.WRONG,
        "house.toml: there is no table 'weapon'; did you mean 'weapons'?",
    )
    assert "docs/house-rules.md" in wrong.remedy


def test_the_example_of_the_documentation_is_adopted_and_every_option_is_named(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    path = tmp_path / "house.toml"
    path.write_text(example, encoding="utf-8")
    made = load_house_tables(path)
    assert set(as_plain(made)) == set(tomllib.loads(example))
    assert [one.name for one in made.weapons] == ["harbour_hook", "blade"]
    for row in OPTION_ROWS.values():
        assert f"| `{row.name}` |" in page
        assert f"| {row.label}. {row.meaning} |" in page


def test_no_control_character_comes_in_by_a_file(file: Path) -> None:
    file.write_text(
        '[weapons.hook]\nlabel = "Ho\\u202eok\\u0007"\nattack = "melee"\nrating = 3\n'
        '[ship_weapons."Twin\\u2066 Lances"]\nkind = "energy"\nrating = 6\n',
        encoding="utf-8",
    )
    made = load_house_tables(file)
    assert "Ho ok" in repr(made)
    assert "Twin Lances" in repr(made)

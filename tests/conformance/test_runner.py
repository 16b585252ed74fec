from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rules.state.vocabulary import Ruleset
from tests.conformance.__main__ import main
from tests.conformance.cases import CaseFileError, parse_case, read_cases
from tests.conformance.forms import name_in
from tests.conformance.runner import failure_of

GOOD = {
    "id": "a", "rule": "THR-1", "ruleset": "any", "given": {"players": 2}, "expect": {"threat": 4},
    "source": "own", "why": "two each",
}  # fmt: skip


def line(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def write(folder: Path, *lines: str) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_what_holds_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(write(tmp_path, line(), "", line(id="b")))]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"expect": {"threat": 5}}, 'a: expected {"threat": 5}, got {"threat": 4} (starter)'),
        ({"expect": {"threat": 4.0}}, 'a: expected {"threat": 4.0}, got {"threat": 4} (starter)'),
        ({"expect": {}}, 'a: expected {}, got {"threat": 4} (starter)'),
        ({"rule": "THR-99"}, "a: no function is known for rule THR-99"),
        ({"given": {"players": -1}}, "OutOfRangeError"),
        ({"given": {"players": 2, "weather": 1}}, "TypeError"),
        ({"given": {}}, "TypeError"),
    ],
)
def test_what_fails_is_named_with_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object], said: str
) -> None:
    assert main([str(write(tmp_path, line(**changes), line(id="b")))]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert said in first
    assert last == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"), ("[]", "a case is a JSON object"), ("{}", "the case lacks expect, given, id"),
        (line(extra=1), "a case has no extra"), (line(given=[]), "given has to be an object"),
        (line(ruleset="third"), "third is no ruleset; choose any, starter"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_cases_says_where_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = write(tmp_path, line(), text)
    assert main([str(path)]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"{path}:2: ")
    assert said in told.err
    assert told.out == ""


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"\n\n"])
def test_a_file_without_text_or_cases_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(CaseFileError):
        read_cases(path)


def test_a_missing_file_is_an_error_on_the_command_line(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.conformance", str(tmp_path / "none.jsonl")]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "cannot be read" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("ruleset", "source", "rulesets"),
    [
        ("any", "004", tuple(Ruleset)), ("core-1e", "001,002", (Ruleset.CORE_1E,)),
        ("core-1e", "000, 001", (Ruleset.STARTER, Ruleset.CORE_1E)), ("starter", "000", (Ruleset.STARTER,)),
    ],
)  # fmt: skip
def test_a_case_holds_in_its_rulesets(ruleset: str, source: str, rulesets: tuple[Ruleset, ...]) -> None:
    assert parse_case(line(ruleset=ruleset, source=source), "here").rulesets == rulesets


def test_a_case_of_any_ruleset_has_to_hold_in_each() -> None:
    case = parse_case(
        line(rule="POOL-7", given={"spend": "create_problem", "times": 4}, expect={"allowed": True, "cost": 8}), "here"
    )
    failure = failure_of(case)
    assert failure is not None
    assert "core-1e" in str(failure)


NAMES = ("keep_initiative", "avoid_injury", "reroll_damage", "added_damage", "create_complication", "debris_field")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("keep_initiative", "keep_initiative"), ("keep_the_initiative", "keep_initiative"),
        ("Avoid an Injury", "avoid_injury"), ("Avoid-Inj ury", "avoid_injury"), ("re_roll_damage", "reroll_damage"),
    ],
)  # fmt: skip
def test_a_name_may_be_written_in_several_ways(said: str, meant: str) -> None:
    assert name_in(NAMES, said) == meant


@pytest.mark.parametrize("said", ["npc_create_opportunity", "asteroid_field", "add_damage", "create", "", "sandwich"])
def test_a_name_is_never_taken_for_one_that_it_resembles(said: str) -> None:
    assert name_in(NAMES, said) == said


def test_a_name_that_no_table_has_fails_and_is_named() -> None:
    given = {"terrain": "asteroid_field", "impulse_zones": 1}
    failure = failure_of(parse_case(line(rule="S2E-5", given=given, expect={"momentum_cost": 2}), "here"))
    assert failure is not None
    assert "No terrain is called asteroid field" in str(failure)

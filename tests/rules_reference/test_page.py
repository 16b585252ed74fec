from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules_reference.__main__ import ROOT, main
from tests.rules_reference.citations import Citation, cited_rules, held_by_tests, holders
from tests.rules_reference.page import LINES, MISSING, PAGE, missing, render

OF_A_ROLL = re.compile(r"(?:CD|TASK|DIFF|TRAIT|ASST|BUY|DET|OPP|POOL|THR)-\d+|RNG-2|NPC-2")

OF_A_CONFLICT = re.compile(
    r"(?:TURN|ACT|RNG|ATK|DMG|EFF|QUAL|WPN|NPC|MOM|SHIP|NSHIP|SATK|SDMG|BRCH|REP|WCB|SWPN|SQUAL|STN|EXT|S2E)-[A-Z]?\d+"
)


def test_the_page_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().err


def test_a_page_that_is_not_current_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    assert main(["--check"], tmp_path) == 1
    assert PAGE in capsys.readouterr().err
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0


def test_every_rule_of_a_roll_is_held_by_a_function_and_a_test() -> None:
    functions, tests = holders(ROOT), held_by_tests(ROOT)
    needed = {rule for rule in LINES if OF_A_ROLL.fullmatch(rule)}
    assert len(needed) >= 60
    assert {rule for rule in needed if rule not in functions} == set()
    assert {rule for rule in needed if rule not in tests} == set()


def test_every_rule_of_conflicts_and_ships_is_held_by_a_function_and_a_test() -> None:
    """Sections 10 to 17: what nothing holds shows here, and on the page."""
    assert sum(OF_A_CONFLICT.fullmatch(rule) is not None for rule in LINES) == 184
    assert {rule for rule in missing(ROOT) if OF_A_CONFLICT.fullmatch(rule)} == set()


def test_what_is_missing_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"rules/dice.py": "", "tests/rules/test_dice.py": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    assert main(["--missing"], tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == [f"{rule}: no function, no test" for rule in LINES]


def test_every_rule_that_is_cited_has_its_line() -> None:
    disputed = re.compile(r"C-\d+")
    cited = {rule for rule in {**holders(ROOT), **held_by_tests(ROOT)} if not disputed.fullmatch(rule)}
    assert cited - set(LINES) == set()


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Buying (BUY-1, BUY-2).", {"BUY-1", "BUY-2"}),
        ("TASK-4 to TASK-7 and C-12", {"TASK-4", "TASK-5", "TASK-6", "TASK-7", "C-12"}),
        ("S2E-O3, EXT-T1", {"S2E-O3", "EXT-T1"}), ("a well-kept word", set()), ("CD-1 to TASK-3", {"CD-1", "TASK-3"}),
    ],
)  # fmt: skip
def test_rules_are_found_in_words(text: str, rules: set[str]) -> None:
    assert cited_rules(text) == rules


def test_what_nothing_cites_shows() -> None:
    page = render({"A-1": "One.", "A-2": "Two."}, {"A-1": [Citation("rules/a.py", "one")]}, {})
    assert f"| A-1 | One. | [`one`](../rules/a.py) | {MISSING} |" in page
    assert f"| A-2 | Two. | {MISSING} | {MISSING} |" in page

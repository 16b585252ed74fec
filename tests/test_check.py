"""`make check` takes the tests of what changed and of what imports it, and no others."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from tests import check, conftest
from tests.conftest import NEW, SEED, Length, seed_of
from tests.test_arrows import plant


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A made tree: `rules.table` and `vision` import `rules.dice`, and a room of the kiosk imports `rules.table`."""
    for place, text in {
        "rules/__init__.py": "",
        "rules/dice/__init__.py": "",
        "rules/dice/faces.py": "FACES = 6",
        "rules/table/__init__.py": "",
        "rules/table/state.py": "from rules.dice.faces import FACES",
        "vision/__init__.py": "",
        "vision/read.py": "from rules.dice import faces",
        "kiosk/__init__.py": "",
        "kiosk/web/__init__.py": "",
        "kiosk/web/api.py": "from ..hub import Hub\nfrom rules.table.state import FACES",
        "kiosk/hub.py": "class Hub: ...",
        "tests/rules/dice/test_faces.py": "from rules.dice.faces import FACES",
        "tests/rules/test_state.py": "from rules.table import state\nfrom tests.rules.helper import made",
        "tests/rules/helper.py": "from rules.dice.faces import FACES\nmade = FACES",
        "tests/kiosk/web/test_api.py": "from kiosk.web import api",
        "tests/kiosk/web/test_other.py": "import json",
        "tests/vision/test_read.py": "from vision.read import faces",
        "tests/test_house.py": "import os",
    }.items():
        plant(tmp_path, place, text)
    return tmp_path


def taken_for(house: Path, *changed: str) -> set[str]:
    """The names of the files of tests that are taken."""
    found = check.tests_of(house, [PurePath(one) for one in changed])
    return {PurePath(one).stem for one in (*found.own, *found.others)}


def test_a_changed_room_takes_its_tests_and_those_of_the_rooms_that_import_it(house: Path) -> None:
    assert taken_for(house, "rules/table/state.py") == {"test_house", "test_state", "test_api"}
    assert taken_for(house, "rules/dice/faces.py") == {"test_house", "test_faces", "test_state", "test_read"}
    assert taken_for(house, "kiosk/hub.py") == {"test_house", "test_api"}


def test_where_time_is_short_the_tests_beside_the_room_stay_and_the_longest_of_the_others_go(house: Path) -> None:
    found = check.tests_of(house, [PurePath("rules/dice/faces.py")])
    assert [PurePath(one).stem for one in found.own] == ["test_faces", "test_house"]
    state, read = found.others
    taken = dict.fromkeys(found.own, check.SECONDS / 2 - 1)
    assert check.in_time(found, {**taken, state: 1.0, read: 1.0}) == ([*found.own, state, read], [])
    assert check.in_time(found, {**taken, state: 2.0, read: 1.0}) == ([*found.own, read], [state])
    assert check.in_time(found, {**taken, found.own[0]: 2 * check.SECONDS}) == (found.own, found.others)


def test_what_quick_tests_took_is_kept_and_the_short_form_adds_and_lowers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "KEPT", tmp_path / "build" / "seconds.json")
    assert check.kept_seconds() == {}
    check.keep_seconds({"a": 3.0}, quick=False)
    check.keep_seconds({"a": 1.0}, quick=True)
    check.keep_seconds({"a": 4.0, "b": 2.0}, quick=False)
    assert check.kept_seconds() == {"a": 1.0, "b": 2.0}
    check.keep_seconds({"b": 1.5}, quick=False)
    assert check.kept_seconds() == {"a": 1.0, "b": 1.5}


def test_what_a_test_waited_for_a_core_is_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy host doubles what every test takes, and would leave tests of what changed out of the next check."""
    counts = tmp_path / "schedstat"
    assert check.queued(counts) == 0.0
    counts.write_text("7000000000 2500000000 91\n")
    assert check.queued(counts) == 2.5
    monkeypatch.setattr(conftest, "TAKEN", {})
    report = pytest.TestReport("tests/rules/test_a.py::test_it", ("", 0, ""), {}, "passed", None, "call", duration=4.0)
    conftest.pytest_runtest_logreport(report)
    vars(report)["queued"] = 2.5
    conftest.pytest_runtest_logreport(report)
    assert conftest.TAKEN == {"tests/rules/test_a.py": 4.0 + 1.5}


def test_each_report_says_what_was_waited_since_the_last(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, said = iter((7.0, 9.5)), []
    with monkeypatch.context() as patched:  # this test has reports of its own
        patched.setattr(conftest, "queued", lambda: next(now))
        patched.setattr(conftest, "QUEUED", pytest.StashKey[float]())
        for _ in range(2):
            report = pytest.TestReport("tests/rules/test_a.py::test_it", ("", 0, ""), {}, "passed", None, "call")
            hook = conftest.pytest_runtest_makereport(request.node)
            next(hook)
            with pytest.raises(StopIteration):
                hook.send(report)
            said.append(vars(report)["queued"])
    assert said == [0.0, 2.5]


def test_pages_are_tested_with_the_room_that_shows_them(house: Path) -> None:
    assert taken_for(house, "kiosk/static/js/stage.js") == {"test_house", "test_api", "test_other"}


def test_what_walks_the_words_of_all_rooms_is_taken_with_any(house: Path) -> None:
    for walker in check.WALKERS:
        assert (check.ROOT / walker).is_file()
        plant(house, str(walker), "import os")
    assert taken_for(house, "rules/table/state.py") >= {"test_state", "test_translations"}
    assert "test_translations" in taken_for(house, "kiosk/i18n/translations/de.po")


def test_a_changed_test_and_what_uses_a_changed_helper_are_taken(house: Path) -> None:
    assert taken_for(house, "tests/vision/test_read.py") == {"test_house", "test_read"}
    assert taken_for(house, "tests/rules/helper.py") == {"test_house", "test_state"}


def test_tests_beside_changed_fixtures_or_data_are_taken(house: Path) -> None:
    assert taken_for(house, "tests/kiosk/conftest.py") == {"test_house", "test_api", "test_other"}
    assert taken_for(house, "tests/vision/pictures/dice.png") == {"test_house", "test_read"}
    assert taken_for(house, "tests/rules/cases.jsonl") == {"test_house", "test_state", "test_faces"}


def test_what_is_no_code_takes_only_the_tests_of_the_house(house: Path) -> None:
    assert taken_for(house, "docs/index.md", "Makefile") == {"test_house"}
    assert taken_for(house) == {"test_house"}


def test_a_deleted_file_counts_for_its_room(house: Path) -> None:
    assert "test_faces" in taken_for(house, "rules/dice/gone.py")


def test_git_says_what_changed_and_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "ROOT", tmp_path)
    for name in ("kept", "edited", "gone"):
        plant(tmp_path, f"rules/{name}.py", "")
    plant(tmp_path, ".gitignore", "build/")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-qm", "First"]):
        check.output("git", *command)
    assert check.changed_since(check.base()) == []
    plant(tmp_path, "rules/edited.py", "pass")
    plant(tmp_path, "rules/new.py", "")
    plant(tmp_path, "build/made.py", "")
    (tmp_path / "rules/gone.py").unlink()
    names = {path.name for path in check.changed_since(check.base())}
    assert names == {"edited.py", "new.py", "gone.py"}
    for command in (["checkout", "-qb", "work"], ["add", "."], [*who, "commit", "-qm", "Second"]):
        check.output("git", *command)
    assert {path.name for path in check.changed_since(check.base())} == names, "a commit of the branch counts too"


def test_a_task_that_fails_fails_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.run(check.Task("right", ["true"]))
    assert not check.run(check.Task("wrong", ["sh", "-c", "echo why; exit 3"]))
    assert "== wrong (0 s)\nwhy" in capsys.readouterr().out


def test_chance_never_fails_a_landing_and_the_soak_never_repeats_itself() -> None:
    assert {seed_of(None, length) for length in (Length.QUICK, Length.SHORT)} == {str(SEED)}
    assert len({seed_of(None, Length.LONG) for _ in range(8)}) > 1
    assert len({seed_of(NEW, Length.SHORT) for _ in range(8)}) > 1
    assert {seed_of("7", length) for length in Length} == {"7"}

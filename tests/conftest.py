"""Settings for all tests: how long they run, from which seed, and which may be run again.

A test runs in one of three lengths. `make check` is quick, `make test` short, `make soak` long. What is random takes as
many examples as the length says; a test that sets a number of its own sets it as a share of that. What is repeated asks
the fixture `whole` whether to go through all or through a sample. `slow` leaves a test out of `make check`, `long` out
of `make test` as well. In the long form nothing else runs than what has one.

What is random is drawn from a seed that the head of each run says. It is the same one each time, so that nobody's
change fails for a hole that was there before and that chance has found just then; such holes are looked for by
`make soak`, from a new seed each time. `--hypothesis-seed=new` draws one here too.

A browser, an emulated chip, a terminal and the kiosk share two cores with whatever else the machine does. Such a test
that fails is run a second time, and pytest's closing line counts it as a rerun, so that nothing passes in silence.
Pure tests never are: what fails once there is wrong. Properties are held by examples, not by the clock: no test has a
deadline for each of them.
"""

from __future__ import annotations

import gc
import secrets
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from enum import StrEnum
from itertools import chain, groupby
from pathlib import Path
from typing import Final

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.check import keep_seconds, queued
from tests.forked.controller import ForkedWorkers
from tests.garbage import look_seldom_for_garbage


class Length(StrEnum):
    """How much of what is random or repeated runs."""

    QUICK = "quick"
    SHORT = "short"
    LONG = "long"


EXAMPLES: Final = {Length.QUICK: 10, Length.SHORT: 16, Length.LONG: 1000}
"""How many examples a property is held by."""

PURE: Final = frozenset({"conformance", "contracts", "recorded", "rules", "stories"})
"""The folders whose tests wait for nothing but themselves."""

SLOW: Final = frozenset({"e2e"})
"""The folders whose tests are left out of the quick form, every one."""

WAITING: Final = (
    "firmware_bridge/test_emulated_tray.py",
    "firmware_bridge/test_emulated_faults.py",
    "hardware/test_panel.py",
    "vision/watch/test_watched_folders.py",
    "firmware_bridge/test_supervisor.py",
    "vision/watch/test_watcher.py",
    "vision/frames/test_sources.py",
    "firmware_bridge/test_emulator_board.py",
    "firmware_bridge/test_bluetooth_source.py",
)
"""Files whose tests wait ten seconds or more for a tray's clock or a camera and hardly work, the longest first."""

EVERY: Final = 7
"""How many files further on each of these has its turn: all begin among those of e2e, which are at work longest."""

TAKEN: Final[dict[str, float]] = {}
"""The seconds that the quick tests of each file took."""

QUEUED: Final = pytest.StashKey[float]()
"""What `queued` said at the last report of this process."""

SEED: Final = 1701
"""Where `make check` and `make test` begin, unless they are told another seed."""

NEW: Final = "new"
"""What asks for a seed that nobody has chosen."""

HERE: Final = Path(__file__).parent

for _length, _examples in EXAMPLES.items():
    settings.register_profile(_length, deadline=None, max_examples=_examples)
settings.load_profile(Length.SHORT)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--length",
        choices=[*Length],
        default=Length.SHORT.value,
        help="how much of what is random or repeated runs; long leaves out what has no long form",
    )


LONGEST: Final = 1_800.0
"""Seconds that a test of the soak may take: a long random course takes minutes on a slow machine, and is no hang."""


@pytest.hookimpl(tryfirst=True)  # before Hypothesis takes the seed, and the plugin of timeouts its setting
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out of `make check`.")
    config.addinivalue_line("markers", "long: left out of `make check` and `make test`; `make soak` runs it.")
    settings.load_profile(config.getoption("length"))
    if Length(config.getoption("length")) is Length.LONG and config.option.timeout is None:
        config.option.timeout = LONGEST
    config.option.hypothesis_seed = seed_of(config.option.hypothesis_seed, Length(config.getoption("length")))
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(ForkedWorkers())


def seed_of(asked: str | None, length: Length) -> str:
    """The seed of a run: the one that is asked for; else a new one in the long form, and always the same in others."""
    drawn = asked == NEW or (asked is None and length is Length.LONG)
    return str(secrets.randbits(32)) if drawn else asked or str(SEED)


def pytest_report_header(config: pytest.Config) -> str:
    return f"length: {config.getoption('length')}, --hypothesis-seed={config.option.hypothesis_seed}"


@pytest.fixture(scope="session")
def whole(pytestconfig: pytest.Config) -> bool:
    """Whether all of what is repeated runs, rather than a sample of it."""
    return Length(pytestconfig.getoption("length")) is Length.LONG


@pytest.fixture(scope="session")
def known_answers(pytestconfig: pytest.Config) -> Iterator[None]:
    """The reader's networks answer what they were asked before as they did then; the long form asks them.

    It holds from the first test of a worker that asks for it to the worker's last, also for those that did not ask:
    the answers are the networks' own, so these tell the same.
    """
    if Length(pytestconfig.getoption("length")) is Length.LONG:
        yield
        return
    from tests.vision.answered import answered_before  # noqa: PLC0415 - a run without pictures loads no OpenCV

    with answered_before():
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for path, group in groupby(items, lambda item: item.path):
        folder, *rest = path.relative_to(HERE).parts
        for item in group:
            if rest and folder not in PURE:
                item.add_marker(pytest.mark.flaky(reruns=1))
            if folder in SLOW:
                item.add_marker(pytest.mark.slow)
    length = Length(config.getoption("length"))
    taken = {item: runs(item, length) for item in items}
    left = [item for item, runs_now in taken.items() if not runs_now]
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = in_turn(item for item, runs_now in taken.items() if runs_now)


def in_turn(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests file by file, those that wait among those that work: where several wait at once the cores rest."""
    files: dict[str, list[pytest.Item]] = defaultdict(list)
    for path, group in groupby(items, lambda item: item.path):
        files[path.relative_to(HERE).as_posix()].extend(group)
    order = [name for name in files if name not in WAITING]
    for turn, name in enumerate((one for one in WAITING if one in files), start=1):
        order.insert(EVERY * turn, name)
    return chain.from_iterable(files[name] for name in order)


gc.disable()
"""Until all is collected: every worker loads and collects the same, and of that nothing can go."""


def pytest_collection_finish() -> None:
    """What was loaded and collected stays to the end: nobody need look through it again for what can go."""
    look_seldom_for_garbage()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the host's other work cost goes along with the report, from a worker, too."""
    report = yield
    now = queued()
    vars(report)["queued"] = now - item.config.stash.get(QUEUED, now)
    item.config.stash[QUEUED] = now
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if "slow" not in report.keywords:
        file = report.nodeid.partition("::")[0]
        TAKEN[file] = TAKEN.get(file, 0.0) + max(0.0, report.duration - getattr(report, "queued", 0.0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says which tests were run again, and what failed the first time."""
    for report in terminalreporter.getreports("rerun"):
        crash = getattr(report.longrepr, "reprcrash", None)
        told = str(getattr(crash, "message", "")).partition("\n")[0]
        terminalreporter.write_line(f"RERUN {report.nodeid}: {told}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """`make check` chooses by what tests took; a part of a file is none to choose by, so a failed run says nothing."""
    config = session.config
    length = Length(config.getoption("length"))
    whole = not any("::" in one for one in config.args) and not config.option.keyword and not config.option.markexpr
    if whole and session.exitstatus == 0 and length is not Length.LONG and not hasattr(config, "workerinput"):
        keep_seconds(TAKEN, quick=length is Length.QUICK)


def runs(item: pytest.Item, length: Length) -> bool:
    """Whether a test runs in a form of that length."""
    long = item.get_closest_marker("long") is not None
    if length is Length.LONG:
        random = is_hypothesis_test(getattr(item, "obj", None))
        return long or random or "whole" in getattr(item, "fixturenames", ())
    return not long and (length is Length.SHORT or item.get_closest_marker("slow") is None)

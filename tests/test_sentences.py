"""What camera, tray and panel tell people is a template with its fills: the sources are walked for what is not.

The types hold most of it: an error or a condition takes a `Phrase`. This finds a sentence that is made in another way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import pytest

import firmware_bridge.errors
import hardware.errors
import vision.errors
from rules.dice import SourceStatus
from tests.test_arrows import ROOT, SOURCES

CARRIERS: Final = frozenset(
    {
        SourceStatus.__name__,
        hardware.errors.PanelUnavailable.__name__,
        hardware.errors.PinsError.__name__,
        *(
            name
            for module, root in (
                (vision.errors, vision.errors.VisionError),
                (firmware_bridge.errors, firmware_bridge.errors.TrayError),
            )
            for name, kind in vars(module).items()
            if isinstance(kind, type)
            and issubclass(kind, root)
            and not issubclass(kind, firmware_bridge.errors.TerminalError)
        ),
        *("Condition", "TrayPlace", "Ended", "Lost", "Phrase", "NoPictureError"),
    }
)
"""What carries sentences, or parts of them, to a person who may read another language."""

TEMPLATES: Final = frozenset({"say", "say_count"})
"""What takes templates."""

UNTRANSLATED: Final = frozenset(
    {
        *("debug", "info", "warning", "error", "exception", "log"),
        *("TerminalError", "MessageError", "SimulatorError", "RecordingError"),
        *("ArgumentParser", "add_argument"),
    }
)
"""What speaks English alone: the log, and the tools of the terminal."""

TERMINAL_ALONE: Final = (
    "firmware_bridge/check_rules.py",
    "firmware_bridge/checking.py",
    "firmware_bridge/simulator_commands.py",
    "vision/training/",
)
"""What only makers run, from the terminal."""

SENTENCE: Final = re.compile(r"[A-Z][^\n]* [^\n]*[.!?]")


def loose_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Whole sentences in a source that are no template, and any words that a carrier is given in another way."""
    nodes = _nodes(text)
    passed = {id(one) for call in _calls(nodes, TEMPLATES | UNTRANSLATED) for one in ast.walk(call)}
    passed |= {id(one.value) for one in nodes if isinstance(one, ast.Expr)}  # docstrings
    within = {id(part) for one in nodes if isinstance(one, ast.JoinedStr) for part in one.values}
    for node in nodes:
        if id(node) not in passed and id(node) not in within and SENTENCE.fullmatch(_words(node)):
            yield node.lineno, _words(node)  # type: ignore[attr-defined]  # words stand in a line
    for call in _calls(nodes, CARRIERS):
        for given in (*call.args, *(one.value for one in call.keywords)):
            if any(one.isalpha() for one in _words(given)) and not SENTENCE.fullmatch(_words(given)):
                yield call.lineno, _words(given)


@cache
def _nodes(text: str) -> tuple[ast.AST, ...]:
    """A source's tree, walked once."""
    return tuple(ast.walk(ast.parse(text)))


def _calls(nodes: Iterable[ast.AST], names: frozenset[str]) -> Iterator[ast.Call]:
    for one in nodes:
        if isinstance(one, ast.Call):
            called = one.func.id if isinstance(one.func, ast.Name) else getattr(one.func, "attr", "")
            if called in names:
                yield one


def _words(node: ast.AST) -> str:
    """What a text says, something for each of its places; empty for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values)
    return ""


@pytest.mark.parametrize("folder", SOURCES)
def test_what_a_folder_tells_people_is_a_template(folder: str) -> None:
    loose: list[tuple[str, int, str]] = []
    seen = 0
    for path in sorted((ROOT / folder).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        seen += sum(1 for _ in _calls(_nodes(text), TEMPLATES))
        if not where.startswith(TERMINAL_ALONE):
            loose += [(where, line, words) for line, words in loose_sentences(text)]
    assert loose == []
    assert seen > 20


@pytest.mark.parametrize(
    "text",
    [
        'raise SourceError(f"{name} is gone.", REMEDY)',
        'raise SourceError(say("It is gone."), "Plug it in again.")',
        'raise TaughtError(f"two dice are called {name}")',
        'WORDS = "The tray is gone."',
        'def words():\n    return f"Step {step} of {steps}."',
        'status = SourceStatus(kind, state, what=Phrase("it is gone"))',
        'told = Condition(situation, state, "gone")',
    ],
)
def test_a_sentence_that_is_no_template_is_found(text: str) -> None:
    assert len(list(loose_sentences(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        '"""What the tray says of itself. Nothing more."""',
        'log.warning("The tray is gone. %s", why)',
        'raise SourceError(say("{name} is gone.", name="the tray"), say("Plug it in again."))',
        'raise SimulatorError(f"{name} is no command", "Write for example: roll 2d20.")',
        'raise ValueError("a number above 0")',
        'NOTHING = Phrase("")',
        'kind = "d20"',
    ],
)
def test_templates_logs_and_docstrings_are_let_through(text: str) -> None:
    assert list(loose_sentences(text)) == []

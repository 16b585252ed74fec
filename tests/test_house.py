"""House rules that no linter knows: no address of a registry, no path of one machine, a reason beside each choice."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Written in halves, so that this file does not name what it forbids.
REGISTRY_HOSTS = tuple(
    name + "." + domain
    for name, domain in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("piwheels", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("jsdelivr", "net"),
        ("unpkg", "com"),
        ("conda.anaconda", "org"),
        ("download.pytorch", "org"),
        ("crates", "io"),
        ("deb.debian", "org"),
        ("proxy.golang", "org"),
    ]
)
"""Package registries and their mirrors: where packages come from is the owner's setting, not the project's."""

MACHINE_FOLDERS = ("/" + "work/", "/" + "root/", "/" + "tmp/bash_", "/" + "Users/", "/" + "home/")
"""What such a path has in it for sure: a plain search for these is quick, and few files have one."""

MACHINE_PATHS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\w.~-])/" + r"work/",
        r"(?<![\w.~-])/" + r"root/",
        r"(?<![\w.~-])/" + r"tmp/bash_" + "jobs",
        r"(?<![\w.~-])/" + r"Users/\w",
        # The home of the Pi's first user is every Pi's, and "you" stands for the reader.
        r"(?<![\w.~-])/" + r"home/(?!(?:pi|you|trueroll)\b)\w",
    )
)
"""Paths that exist on one machine only."""

ARRAY_OPENS = re.compile(r"^(?P<key>[\w\"*/.-]+)\s*=\s*\[(?P<rest>.*)$")
REASON = re.compile(r"#.*[A-Za-z]{3,}")
SUPPRESSION = re.compile(r"#\s*(?:noqa|type:\s*ignore)\b(?P<rest>.*)$", re.MULTILINE)


def tracked_files(root: Path) -> list[Path]:
    """Every file that git tracks under `root`, or is about to: new files count unless git ignores them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    return [root / name for name in listed.split("\0") if name and (root / name).is_file()]


def addresses(text: str) -> list[str]:
    """What a text names that it should not: registry hosts and machine paths."""
    lowered = text.lower()
    hosts = [host for host in REGISTRY_HOSTS if host in lowered]
    if not any(folder in text for folder in MACHINE_FOLDERS):
        return hosts
    return hosts + [found.group() for pattern in MACHINE_PATHS for found in pattern.finditer(text)]


def unreasoned_choices(pyproject: str) -> list[str]:
    """Lines of pyproject's dependency and ignore arrays with no reason in a comment beside them."""
    found: list[str] = []
    table = ""
    inside = False
    for number, line in enumerate(pyproject.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("[") and stripped.endswith("]") and not inside:
            table = stripped.strip("[]")
            continue
        opens = None if inside else ARRAY_OPENS.match(stripped)
        if opens and not is_reasoned(table, opens["key"]):
            continue
        if opens:
            inside = "]" not in opens["rest"].partition("#")[0]
        elif inside and stripped.startswith("]"):
            inside = False
            continue
        if (opens or inside) and '"' in (opens["rest"] if opens else stripped) and not REASON.search(stripped):
            found.append(f"{number}: {stripped}")
    return found


def is_reasoned(table: str, key: str) -> bool:
    """Whether an array of pyproject has to give reasons: dependencies and what the linter is told to let pass."""
    return (
        key in {"dependencies", "requires", "ignore"}
        or table in {"project.optional-dependencies", "dependency-groups"}
        or table.endswith("per-file-ignores")
    )


def unreasoned_suppressions(source: str) -> Iterator[str]:
    """Comments that silence a check on a line without naming it and saying why."""
    lines = [line for line in source.splitlines() if SUPPRESSION.search(line)]
    if all(is_said(line[at:]) for line in lines for at, sign in enumerate(line) if sign == "#"):
        return  # wherever a comment of these begins, it gives its reason: what is a comment need not be found out
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not is_said(token.string):
            yield f"{token.start[0]}: {token.string}"


def is_said(comment: str) -> bool:
    """Whether a comment silences no check, or names it and says why."""
    silenced = SUPPRESSION.search(comment)
    if silenced is None:
        return True
    codes = re.match(r"(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*|\[[\w, -]+\])(?P<why>.*)$", silenced["rest"])
    why = codes["why"] if codes else ""
    before = comment[: silenced.start()]
    return codes is not None and bool(re.search(r"[A-Za-z]{2,}", SUPPRESSION.sub("", why) + before))


def test_no_tracked_file_names_a_registry_or_a_machine() -> None:
    named = {}
    for path in tracked_files(ROOT):
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if found := addresses(text):
            named[str(path.relative_to(ROOT))] = found
    assert named == {}


def test_the_walk_sees_the_project() -> None:
    assert {ROOT / "pyproject.toml", ROOT / "rules/dice/readings.py", Path(__file__)} <= set(tracked_files(ROOT))


@pytest.mark.parametrize(
    "text",
    [
        f"--index-url https://{REGISTRY_HOSTS[0]}/simple",
        f"https://files.{REGISTRY_HOSTS[1]}/packages/a.whl",
        f"HTTPS://REGISTRY.{REGISTRY_HOSTS[3].upper()}/axe-core",
        "see /" + "work/main/rules",
        "cd /" + "root/.cache",
        "path=/" + "home/alex/trueroll",
        "open('/" + "Users/alex/dice.png')",
    ],
)
def test_an_address_is_caught(text: str) -> None:
    assert addresses(text)


@pytest.mark.parametrize(
    "text",
    [
        "../shared/photos",
        "the network of docs/work/x",
        "/home/pi/trueroll",
        "~/wo" + "rk/trueroll",
        "https://example.org/",
        "/opt",
    ],
)
def test_what_any_machine_has_is_let_through(text: str) -> None:
    assert addresses(text) == []


def test_every_dependency_and_ignore_of_pyproject_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert unreasoned_choices(text) == []
    assert len(unreasoned_choices(re.sub(r"\s+#.*", "", text))) > 20


@pytest.mark.parametrize(
    "pyproject",
    [
        '[project]\ndependencies = [\n    "flask>=3",\n]',
        '[project]\ndependencies = [\n    "flask>=3",  # ?\n]',
        '[project]\ndependencies = ["flask>=3"]',
        '[build-system]\nrequires = ["setuptools>=77"]',
        '[project.optional-dependencies]\npi = [\n    "lgpio>=0.2",\n]',
        '[tool.ruff.lint]\nignore = [\n    "D203",\n]',
        '[tool.ruff.lint.per-file-ignores]\n"tests/**" = [\n    "S101",\n]',
    ],
)
def test_a_choice_without_a_reason_is_caught(pyproject: str) -> None:
    assert len(unreasoned_choices(pyproject)) == 1


def test_arrays_that_choose_nothing_need_no_reason() -> None:
    assert (
        unreasoned_choices('[tool.ruff.lint]\nselect = ["ALL"]\n[tool.pytest.ini_options]\ntestpaths = ["tests"]') == []
    )


def test_every_silenced_check_says_which_and_why() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{where}"
        for path in tracked_files(ROOT)
        if path.suffix == ".py"
        for where in unreasoned_suppressions(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("comment", "caught"),
    [
        ("noqa", True),
        ("noqa: S101", True),
        ("noqa: S101, D100", True),
        ("noqa: because", True),
        ("type: ignore", True),
        ("type: ignore[misc]", True),
        ("noqa: S101 - the caller has checked it", False),
        ("noqa: S101  # the caller has checked it", False),
        ("the caller has checked it  # noqa: S101", False),
        ("type: ignore[misc]  # gpiozero ships no types", False),
    ],
)
def test_a_silenced_check_without_a_reason_is_caught(comment: str, *, caught: bool) -> None:
    assert bool(list(unreasoned_suppressions(f"x = 1  # {comment}\n"))) is caught
    assert list(unreasoned_suppressions(f'x = "# {comment}"\n')) == []


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What a module names at its top, also what it takes from another of the tests."""
    for one in tree.body:
        if isinstance(one, ast.Assign):
            yield from ((ast.unparse(target), one.value) for target in one.targets)
        elif isinstance(one, ast.ImportFrom) and (one.module or "").startswith("tests."):
            origin = ROOT / f"{str(one.module).replace('.', '/')}.py"
            taken = {alias.name for alias in one.names}
            if origin.is_file():
                found = constants(ast.parse(origin.read_text(encoding="utf-8")))
                yield from ((name, value) for name, value in found if name in taken)


def looked_at_once(source: str) -> Iterator[str]:
    """What pages are waited for with other than a function written out: its first look alone passes their policy.

    Playwright makes a function once, at the first look, where a page's policy has no say; it makes an expression anew
    at each look, which the policy forbids from the second on.
    """
    tree = ast.parse(source)
    named = dict(constants(tree))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", None) == "wait_for_function":
            waited = ast.unparse(named.get(ast.unparse(call.args[0]), call.args[0]))
            if not re.match(r"""f?['"]+(\(\w*\)|\w+) => """, waited):
                yield waited


def test_what_a_page_is_waited_for_with_is_a_function() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    waiting = {path: source for path, source in sources.items() if ".wait_for_function(" in source}
    assert ROOT / "tests/e2e/test_catching_up.py" in waiting
    assert not {path: found for path, source in waiting.items() if (found := list(looked_at_once(source)))}


@pytest.mark.parametrize(
    ("waited", "caught"),
    [
        ("'window.read > 0'", True),
        ("f'{size} !== 1'", True),
        ("WORDS", True),
        ("'() => window.read > 0'", False),
        ("f'read => {size} > read', arg=1", False),
        ("LARGE", False),
    ],
)
def test_an_expression_that_is_waited_for_is_caught(waited: str, *, caught: bool) -> None:
    source = f"LARGE = '''() => {{\n}}'''\nWORDS = 'window.read'\npage.wait_for_function({waited})\n"
    assert bool(list(looked_at_once(source))) is caught


MOST_SCRIPT = 1_700
"""Lines of our own JavaScript: whatever the server can render, it renders."""


def test_our_own_scripts_stay_few() -> None:
    static = ROOT / "kiosk/static"
    scripts = sorted(one for one in static.rglob("*.js") if one.parent != static / "htmx")
    assert static / "worker.js" in scripts
    assert len(scripts) > 10
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in scripts)
    assert lines <= MOST_SCRIPT, f"{lines} lines"


MOST_OF_A_CHANGE = 120
"""Most characters of a line in the changelog."""


def changes_out_of_form(changelog: str) -> Iterator[str]:
    """Lines that are neither a heading nor one change in one sentence, below the changelog's introduction."""
    for line in changelog[changelog.index("\n## ") :].splitlines():
        heading = line.startswith(("## ", "### ", "<!-- "))
        change = re.fullmatch(r"- .+\.", line) and not re.search(r"[.!?] [A-Z*`]", line)
        if line and (len(line) > MOST_OF_A_CHANGE or not (heading or change)):
            yield line


def test_each_change_is_one_sentence_in_one_line() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert list(changes_out_of_form(changelog)) == []
    changes = [line for line in changelog.splitlines() if line.startswith("- ")]
    assert len(changes) > 100
    assert sorted(changes) == sorted(set(changes)), "a change stands twice"


@pytest.mark.parametrize(
    "lines",
    [
        "- Dice are read,\n  also small ones.",
        "- Dice are read. Small ones too.",
        "- Dice " + "and dice " * 15 + "are read.",
    ],
)
def test_a_change_of_two_lines_or_sentences_or_a_long_one_is_caught(lines: str) -> None:
    assert list(changes_out_of_form(f"# Changelog\n\n## 0.2.0\n\n### Added\n\n{lines}\n"))

"""The addresses of styles, scripts and drawings: kept for good by browsers, and others with another version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kiosk.web.static_files import (
    KEPT_FOR_GOOD,
    SCRIPTS,
    STYLES,
    folder_of,
    linked,
    script,
    serve_static,
    styles,
    version_of,
)
from tests.kiosk.desk import Desk
from tests.kiosk.web.test_pages import PAGES, read

STATIC = Path(__file__).parents[3] / "kiosk" / "static"


def test_every_address_on_a_page_is_there_and_kept_for_good(desk: Desk) -> None:
    client = desk.client()
    found = {one for path in PAGES for one in re.findall(r'(?:href|src)="(/static/[^"#]+)', read(client, path))}
    assert len(found) > 8
    for address in found:
        answer = client.get(address, buffered=True)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, KEPT_FOR_GOOD), address


@pytest.mark.parametrize("address", ["/static/base.css", "/static/version-0123456789ab/base.css"])
def test_a_page_of_another_version_has_what_there_is_and_keeps_nothing(client: FlaskClient, address: str) -> None:
    answer = client.get(address, buffered=True)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")


def test_what_is_not_there_is_not_kept(client: FlaskClient, desk: Desk) -> None:
    version = version_of(Path(desk.app.static_folder or ""))
    for name in ("nothing.css", "../cli.py", "..%2Fcli.py"):
        answer = client.get(f"/static/version-{version}/{name}", buffered=True)
        assert (answer.status_code, answer.headers.get("Cache-Control")) == (404, None), name


def test_any_changed_file_changes_the_version(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").write_text("1")
    first = version_of(tmp_path)
    (tmp_path / "js" / "a.js").write_text("2")
    version_of.cache_clear()
    assert version_of(tmp_path) != first


def test_a_page_names_them_where_the_program_lies_behind_a_link(desk: Desk, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder_of(desk.app), target_is_directory=True)
    app = Flask(__name__, static_folder=link)
    serve_static(app)
    with app.app_context():
        assert 'src="' in app.jinja_env.from_string("{{ script('play') }}").render()


def test_a_page_has_its_styles_in_one_file_and_its_scripts_in_another(desk: Desk) -> None:
    client = desk.client()
    for path in ("/display", "/play", "/gm", "/conflict"):
        page = read(client, path)
        styles = re.findall(r'rel="stylesheet" href="(/static/[^"]+)"', page)
        scripts = re.findall(r'type="module" src="(/static/[^"]+)"', page)
        assert (len(styles), len(scripts)) == (1, 1), path
        assert "modulepreload" not in page
        assert ('blocking="render"' in page) is (path == "/display"), "it is fitted before it is painted"
        for name in styles[0].rpartition("/")[2].removesuffix(".css").split("+"):
            text = (STATIC / f"{name}.css").read_text(encoding="utf-8")
            assert text in client.get(styles[0], buffered=True).text, (path, name)


def test_every_script_of_a_page_can_be_put_together(desk: Desk) -> None:
    """With each module that it imports once, before all that import it, and nothing left that only a module can say."""
    client = desk.client()
    found = {
        one for path in (*PAGES, "/conflict") for one in re.findall(r'type="module" src="([^"]+)"', read(client, path))
    }
    assert len(found) > 5
    for address in found:
        answer = client.get(address, buffered=True)
        assert answer.mimetype == "text/javascript"
        stems = re.findall(r"^const \$(\w+) = \(\(\) => \{$", answer.text, re.MULTILINE)
        assert len(stems) == len(set(stems)), address
        assert set(address.rpartition("/")[2].removesuffix(".js").split("+")) <= set(stems), address
        assert set(re.findall(r"= \$(\w+);$", answer.text, re.MULTILINE)) <= set(stems), address
        assert not re.search(r"^(import|export (?!const \{))", answer.text, re.MULTILINE), address


def made(folder: Path, **modules: str) -> Path:
    """A folder with those modules, `htmx` where it is vendored."""
    for name, text in modules.items():
        path = folder / ("htmx" if name == "htmx" else "js") / f"{name}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_modules_are_put_together_in_the_order_in_which_a_browser_runs_them(tmp_path: Path) -> None:
    folder = made(
        tmp_path,
        page='import "./first.js";\nimport all from "../htmx/htmx.js";\nimport { give } from "./both.js";\ngive(all);',
        both='import "./first.js";\nexport function give(one) {}\nexport const MOST = 3;\n',
        first="let waits = 1;\n",
        htmx="var htmx=1;export default htmx;",
        other='import { MOST } from "./both.js";\nexport async function more() {}\n',
    )
    text = linked(folder, "page", "other")
    assert [line for line in text.splitlines() if line and line != "})();"] == [
        *("// first.js", "const $first = (() => {", "let waits = 1;", "return {  };"),
        *("// htmx.js", "const $htmx = (() => {", "var htmx=1;", "return { default: htmx };"),
        *("// both.js", "const $both = (() => {", "function give(one) {}", "const MOST = 3;", "return { give, MOST };"),
        *("// page.js", "const $page = (() => {", "const { default: all } = $htmx;", "const { give } = $both;"),
        *("give(all);", "return {  };"),
        *("// other.js", "const $other = (() => {", "const { MOST } = $both;", "async function more() {}"),
        *("return { more };", "export const { more } = $other;"),
    ]


@pytest.mark.parametrize(
    "text", ["export let changes = 1;\n", 'import {\n  a,\n} from "./a.js";\n', "export class One {}\n"]
)
def test_a_module_that_cannot_be_put_together_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"page\.js"):
        linked(made(tmp_path, page=text), "page")


@pytest.mark.parametrize(
    "name",
    [
        "linked/js/nothing.js",
        "linked/js/..%2Fworker.js",
        "linked/js/dom+nothing.js",
        "linked/js/dom.js",
        "linked/js/home+home.js",
        "base+nothing.css",
        "base+..%2Fbase.css",
        "base+base.css",
        "phone+base+conflict.css",
    ],
)
def test_only_what_a_page_names_is_put_together(desk: Desk, name: str) -> None:
    version = version_of(folder_of(desk.app))
    answer = desk.client().get(f"/static/version-{version}/{name}", buffered=True)
    assert (answer.status_code, answer.headers.get("Cache-Control")) == (404, None)


def test_no_page_names_what_would_not_be_put_together() -> None:
    with pytest.raises(ValueError, match="not in STYLES"):
        styles(STATIC, "base", "base")
    with pytest.raises(ValueError, match="not in SCRIPTS"):
        script(STATIC, "dom")
    texts = "".join(one.read_text(encoding="utf-8") for one in (STATIC.parent / "templates").glob("*.html"))
    for word, lists in (("styles", STYLES), ("script", SCRIPTS)):
        named = {tuple(re.findall(r'"(\w+)"', one)) for one in re.findall(rf"{{{{ {word}\((.*?)\) }}}}", texts)}
        assert {one for names in named for one in (names, *((single,) for single in names))} >= lists


def test_what_is_put_together_is_not_sent_again_to_who_has_it(desk: Desk) -> None:
    for name in ("linked/js/home.js", "base+phone+conflict.css"):
        address = f"/static/version-0123456789ab/{name}"
        first = desk.client().get(address, buffered=True)
        again = desk.client().get(address, headers={"If-None-Match": first.headers.get("ETag", "none")}, buffered=True)
        assert (first.status_code, again.status_code, again.data) == (200, 304, b"")

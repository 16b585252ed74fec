"""The addresses of styles, scripts and drawings: kept for good by browsers, and others with another version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kiosk.web.static_files import KEPT_FOR_GOOD, folder_of, serve_static, version_of
from tests.kiosk.desk import Desk
from tests.kiosk.web.test_page_weight import loaded_with
from tests.kiosk.web.test_pages import PAGES, read


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


def test_a_page_names_at_once_all_modules_that_it_will_load(desk: Desk) -> None:
    for path in ("/display", "/play", "/gm", "/conflict", "/camera"):
        page = desk.client().get(path).text
        named = set(re.findall(r'(?:rel="modulepreload" href|type="module" src)="/static/[\w-]+/([^"]+)"', page))
        folder = Path(desk.app.static_folder or "")
        loaded = {one.relative_to(folder).as_posix() for one in loaded_with(page, folder) if one.suffix == ".js"}
        assert named == loaded, path
        assert len(named) > 5, path

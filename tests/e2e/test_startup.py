"""The kiosk's address before the kiosk is there, and after it is gone: words and what to do, never a blank screen."""

from __future__ import annotations

import html
import json
import os
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from kiosk.errors import system_words
from kiosk.i18n.languages import FOLDER
from kiosk.storage import kept_twice
from kiosk.web.startup import FAILED, TRANSLATED, WORDS, StartupServer, words_for
from rules.words import say
from tests.e2e.crew import set_up
from tests.e2e.program import START_SECONDS, TRUEROLL, free_port, until
from tests.e2e.warm import WarmProgram, kiosk
from tests.kiosk.i18n.test_translations import COMPLETE
from tests.words import first_words

READING_SECONDS = 3
"""How long the journal below takes to read."""


def slowly() -> None:
    """Be `trueroll` with a journal that takes as long to read as many seasons."""
    plain = vars(kept_twice)["open_journal"]

    def opened(*given: Any, **more: Any) -> Any:  # noqa: ANN401 - whatever it is called with
        time.sleep(READING_SECONDS)
        return plain(*given, **more)

    vars(kept_twice)["open_journal"] = opened
    kiosk()


class Slow(WarmProgram):
    """Such a kiosk."""

    main = staticmethod(slowly)


def asked(address: str, accept: str = "text/html", languages: str = "") -> tuple[int, dict[str, str], str]:
    headers = {"Accept": accept, "Accept-Language": languages}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own address
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


def test_pages_and_programs_are_told_that_it_starts() -> None:
    with StartupServer("127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.port}"
        status, headers, page = asked(f"{address}/display")
        assert (status, headers["Retry-After"]) == (503, "1")
        assert "Starting. The journal is being read" in page
        assert asked(f"{address}/static/starting.css")[0] == 200
        assert asked(f"{address}/static/../startup.py")[0] == 503, "no file but the page's own"
        status, headers, body = asked(f"{address}/api/v1/table", "*/*")
        assert (status, headers["Content-Type"]) == (503, "application/problem+json")
        assert "Try again in a second" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    ("languages", "answered"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("sv;q=1, en;q=0.2, fr;q=0.7", "fr"),
        ("es;q=0, sv", "en"),
        ("../../de", "en"),
        ("de;q=many", "en"),
        ("de," * 400, "en"),
        ("", "en"),
    ],
)
def test_it_is_said_in_the_language_that_the_browser_likes_best(languages: str, answered: str) -> None:
    language, words = words_for(languages)
    assert (language, words.keys()) == (answered, WORDS.keys())
    with StartupServer("127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.port}"
        page = asked(f"{address}/display", languages=languages)[2]
        assert f'<html lang="{answered}"' in page
        assert "{{" not in page
        for place in ("starting", "failed"):
            assert html.escape(words[place]) in page
        assert "<code>trueroll doctor</code>" in page
        problem = json.loads(asked(f"{address}/api/v1/table", "*/*", languages)[2])
        assert problem["detail"] == words["detail"]


def test_each_complete_language_says_all_of_it_and_a_broken_file_costs_the_translations_alone(tmp_path: Path) -> None:
    told = TRANSLATED.read_text(encoding="utf-8")
    assert told == first_words({path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.po")}), (
        "make words writes it"
    )
    languages = json.loads(told)
    assert {code: set(languages[code]) for code in COMPLETE} == {code: set(WORDS) for code in COMPLETE}
    broken = tmp_path / "starting.json"
    assert words_for("de", broken)[0] == "en"
    broken.write_text('{"de": ')
    assert words_for("de", broken)[0] == "en"


def test_a_connection_that_waits_is_answered_by_the_kiosk_that_follows() -> None:
    with StartupServer("127.0.0.1", 0) as server:
        port = server.port
        handed = server.hand_over()
        assert handed is not None
        handed.settimeout(20)
        answers: list[tuple[int, dict[str, str], str]] = []
        asking = threading.Thread(target=lambda: answers.append(asked(f"http://127.0.0.1:{port}/")))
        asking.start()
        line, _ = handed.accept()
        with line, handed:
            line.recv(65536)
            line.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\ntable")
        asking.join(20)
        assert answers[0][2] == "table"


def test_a_taken_address_costs_only_the_startup_server() -> None:
    with StartupServer("127.0.0.1", 0) as first, StartupServer("127.0.0.1", first.port) as second:
        assert second.hand_over() is None


def test_the_reason_of_a_failed_start_is_escaped_and_told_to_who_asked() -> None:
    with StartupServer("127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.port}/display"
        asked(address)
        telling = threading.Thread(target=server.tell_failure, args=("The folder <data> is in use.",))
        telling.start()
        until(lambda: FAILED in server.answer("/display", "text/html")[2].decode())
        telling.join(0.1)
        assert telling.is_alive(), "the page is made, and nobody has it yet"
        head = urllib.request.Request(address, headers={"Accept": "text/html"}, method="HEAD")
        with pytest.raises(urllib.error.HTTPError, match="503") as answer:
            urllib.request.urlopen(head, timeout=20)  # noqa: S310 - likewise
        answer.value.close()
        telling.join(0.1)
        assert telling.is_alive(), "who asks for its head alone does not have it either"
        assert FAILED in asked(address)[2]
        telling.join(20)
        assert "The folder &lt;data&gt; is in use." in asked(address)[2]


@pytest.mark.parametrize(
    ("language", "title", "why"),
    [
        ("en", "Not started", "the disk is full"),
        ("de", "Nicht gestartet", "die Platte ist voll"),
        ("fr", "Non démarrée", "le disque est plein"),
    ],
)
def test_why_a_start_failed_is_said_in_the_readers_language(language: str, title: str, why: str) -> None:
    words = say(
        "The data folder {path} cannot be used: {why}. Choose another with --data.",
        path="/data",
        why=system_words(OSError(28, "No space left on device")),
    )
    with StartupServer("127.0.0.1", 0) as server:
        server.trouble = words
        page = asked(f"http://127.0.0.1:{server.port}/display", languages=language)[2]
        assert f"<title>{title} · trueroll</title>" in page
        assert "/data" in page
        assert why in page


def test_a_service_whose_settings_are_broken_tells_the_screen(tmp_path: Path) -> None:
    settings = tmp_path / "kiosk.toml"
    settings.write_text("[server]\nprot = 1\n")
    port = free_port()
    address = f"http://127.0.0.1:{port}/display"
    command = [str(TRUEROLL), "run", "--config", str(settings), "--data", str(tmp_path / "data"), "--port", str(port)]

    def told() -> bool:
        """As systemd does, the program is started again and again."""
        with subprocess.Popen(
            command, env={**os.environ, "INVOCATION_ID": "test"}, stderr=subprocess.DEVNULL
        ) as program:
            while program.poll() is None:
                try:
                    if "Did you mean" in (page := asked(address)[2]):
                        assert FAILED in page
                        return True
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.02)
        return False

    until(told, 60)


def test_a_screen_opened_early_becomes_the_table(tmp_path: Path, browser: Browser) -> None:
    program = Slow(tmp_path / "data", "--camera", "off", "--tray", "off")
    starting = threading.Thread(target=program.start)
    starting.start()
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = context.new_page()
    try:
        until(lambda: _answers(program.address), START_SECONDS)
        page.goto(f"{program.address}/display")
        expect(page.locator(".when-starting, #stage").first).to_be_visible()
        expect(page.locator("#first-steps")).to_be_visible(timeout=60_000)
        starting.join(60)
        set_up(program)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        program.kill()
        expect(page.locator(".away:visible")).to_contain_text("does not answer", timeout=60_000)
    finally:
        context.close()
        starting.join(60)
        program.__exit__()


def _answers(address: str) -> bool:
    try:
        asked(address)
    except (urllib.error.URLError, ConnectionError):
        return False
    return True


SHOWN = """state => {
    document.body.dataset.state = state;
    const shown = [...document.querySelectorAll("#status > p")].filter((one) => one.checkVisibility());
    return shown.map((one) => one.className);
}"""
"""The classes of what is seen in a state: asked at once, for without script the page is loaded anew every 2 s."""


def test_the_page_says_only_what_is_true_now(browser: Browser) -> None:
    with StartupServer("127.0.0.1", 0) as server:
        page = browser.new_page(java_script_enabled=False)
        for state in ("starting", "slow", "gone", "failed"):
            server.trouble = "The folder is in use." if state == "failed" else ""
            page.goto(f"http://127.0.0.1:{server.port}/display")
            shown = page.evaluate(SHOWN, state)
            assert len(shown) == (2 if state == "failed" else 1), state
            assert f"when-{state}" in " ".join(shown), state
        page.close()

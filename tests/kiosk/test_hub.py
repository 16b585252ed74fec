"""Live pages: snapshot first, nothing missed, nobody held up, and the one too many is told."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import kiosk
from kiosk.errors import HubFullError
from kiosk.hub import LONGEST_REPLAY, QUEUE_LENGTH, Hub
from kiosk.ports import Language
from kiosk.storage.journal import open_journal
from kiosk.storage.wire import JsonEncoder
from kiosk.views.view import READ_BY_SCRIPTS
from rules.dice import SourceKind, SourceState, SourceStatus
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.traits import AddTrait
from tests.kiosk.desk import Desk, StillClock

SCRIPTS = Path(kiosk.__file__).parent / "static" / "js"

Message = tuple[str, str | None, dict[str, Any]]


def parsed(stream: bytes) -> list[Message]:
    """The messages of a stream as (event, id, data)."""
    found: list[Message] = []
    for block in stream.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "event" in fields:
            found.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    return found


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk() as made:
        made.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "Ada")
        yield made


def test_a_page_that_missed_what_cannot_be_read_is_told_so(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3", StillClock())
    with Desk(journal=journal) as desk:
        desk.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "Ada")
        desk.engine.submit(AddTrait(name="Fog"), "Ada")
        with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as connection, connection:
            connection.execute("UPDATE journal SET event = '{' WHERE decision = 2")
        missed = journal.sequence - 1
        names = [(name, data) for name, _, data in parsed(next(iter(desk.hub.subscribe(1))))]
        assert names[0][0] == "snapshot"
        assert names[1:] == [("behind", {"missed": missed})]
    journal.close()


def test_a_page_of_the_kiosks_own_has_what_its_scripts_read_of_the_table(desk: Desk) -> None:
    whole, page = (parsed(next(iter(desk.hub.subscribe(page=one))))[0][2] for one in ("", "display"))
    assert page == {name: whole[name] for name in READ_BY_SCRIPTS}
    scripts = "".join(one.read_text() for one in SCRIPTS.glob("*.js"))
    read = set(re.findall(r"\b(?:view\(\)\??|now|newest)\.(\w+)", scripts)) & whole.keys()
    read |= set(re.findall(r"[{,] (\w+)(?=[^{}]*} = now;)", scripts))
    assert {"sequence", "narration", "awaited", "stamps", "open_to_network"} <= read <= {*READ_BY_SCRIPTS}


def test_the_encoder_is_given_the_same_live_and_afterwards(desk: Desk) -> None:
    given: list[tuple[object, ...]] = []

    class Seen(JsonEncoder):
        def event(self, *values: Any) -> bytes:  # noqa: ANN401 - whatever the hub knows of an event
            given.append(values)
            return b"{}"

    hub = Hub(desk.journal, desk.views.json, Seen())
    desk.engine.listen(hub.publish)
    before = desk.journal.sequence
    desk.engine.submit(AddTrait(name="Fog"), "Ada")
    live, given[:] = list(given), []
    next(iter(hub.subscribe(before)))
    assert live == given
    assert live


def test_a_snapshot_comes_first_and_without_id(desk: Desk) -> None:
    chunks = iter(desk.hub.subscribe())
    opening = next(chunks)
    assert opening.startswith(b"retry: 1000\n\n")
    [(event, event_id, data)] = parsed(opening)
    assert (event, event_id) == ("snapshot", None)
    assert data == json.loads(desk.views.json()[0])


def test_a_decision_comes_as_its_events_with_ids_then_the_table_without(desk: Desk) -> None:
    chunks = iter(desk.hub.subscribe())
    next(chunks)
    result = desk.engine.submit(AddTrait(name="Smoke\n\nevent: forged"), "Ada")
    messages = parsed(next(chunks))
    assert [name for name, *_ in messages] == ["journal"] * len(result.events) + ["table"]
    assert messages[0][1] == str(result.sequence)
    assert messages[0][2]["by"] == "Ada"
    assert messages[0][2]["event"]["event"] == "trait_added"
    assert messages[-1][1] is None
    assert messages[-1][2]["sequence"] == result.sequence


def test_what_was_missed_comes_after_the_snapshot_each_event_once(desk: Desk) -> None:
    seen = desk.engine.present().sequence
    for name in ("Fog", "Smoke", "Rain"):
        desk.engine.submit(AddTrait(name=name), "Ada")
    chunks = iter(desk.hub.subscribe(last_event_id=seen))
    desk.engine.submit(AddTrait(name="Hail"), "Ada")  # before the page has read anything: it is in the snapshot
    desk.engine.submit(AddTrait(name="Snow"), "Ada")
    messages = parsed(b"".join(islice(chunks, 2)))
    ids = [int(event_id) for _, event_id, _ in messages if event_id is not None]
    assert ids == list(range(seen + 1, seen + 6))
    assert messages[0][0] == "snapshot"


def test_who_missed_too_much_is_told(desk: Desk) -> None:
    for _ in range(LONGEST_REPLAY + 1):
        desk.engine.submit(AddTrait(name="Fog"), "Ada")
    first, second = parsed(next(iter(desk.hub.subscribe(last_event_id=1))))
    assert first[0] == "snapshot"
    assert second == ("behind", None, {"missed": desk.journal.sequence - 1})


def test_an_id_from_another_journal_gets_the_snapshot_alone(desk: Desk) -> None:
    assert [name for name, *_ in parsed(next(iter(desk.hub.subscribe(last_event_id=10**9))))] == ["snapshot"]


def test_silence_is_filled_with_beats(desk: Desk) -> None:
    chunks = iter(desk.hub.subscribe())
    assert [name for _ in range(3) for name, _, _ in parsed(next(chunks))] == ["snapshot", "beat", "beat"]


def test_a_source_that_changes_is_told_at_once(desk: Desk) -> None:
    chunks = iter(desk.hub.subscribe())
    next(chunks)
    desk.sources.set("tray", SourceState.LOST, "The tray is gone.", "Plug it in again.")
    source, (name, _, view) = parsed(next(chunks))
    lost = {
        "source": "tray",
        "state": "lost",
        "what": "The tray is gone.",
        "remedy": "Plug it in again.",
        "notice": "",
        "faulty": False,
    }
    assert source == ("source", None, lost)
    assert (name, view["sources"]) == ("table", [lost]), "with the stamp by which pages know that they have it"


def test_who_falls_behind_is_let_go_and_holds_up_nobody(desk: Desk) -> None:
    slow, quick = desk.hub.subscribe(), desk.hub.subscribe()
    slow_chunks, quick_chunks = iter(slow), iter(quick)
    next(slow_chunks)
    next(quick_chunks)
    for number in range(QUEUE_LENGTH + 1):
        desk.engine.submit(AddTrait(name=f"Fog {number}"), "Ada")
        assert parsed(next(quick_chunks))[-1][2]["sequence"] == desk.journal.sequence
    assert desk.hub.subscribers == 1
    assert len(list(slow_chunks)) <= QUEUE_LENGTH, "it ends, and the browser comes back with its last id"


def test_one_too_many_is_told_and_a_place_given_back_is_free() -> None:
    with Desk(most_subscribers=2) as desk:
        first = desk.hub.subscribe()
        desk.hub.subscribe()
        with pytest.raises(HubFullError, match="All 2 live places"):
            desk.hub.subscribe()
        first.close()
        first.close()
        desk.hub.subscribe()
        assert desk.hub.subscribers == 2


def test_a_page_that_goes_away_in_mid_stream_gives_its_place_back(desk: Desk) -> None:
    chunks = iter(desk.hub.subscribe())
    next(chunks)
    assert desk.hub.subscribers == 1
    chunks.close()  # type: ignore[attr-defined]  # a generator, as the server closes it
    assert desk.hub.subscribers == 0


def test_closing_ends_every_stream_and_lets_nobody_in(desk: Desk) -> None:
    streams = [iter(desk.hub.subscribe()) for _ in range(3)]
    for stream in streams:
        next(stream)
    desk.hub.close()
    assert [len(list(stream)) for stream in streams] == [0, 0, 0]
    with pytest.raises(HubFullError):
        desk.hub.subscribe()


def test_the_view_is_made_once_for_all_who_ask(desk: Desk) -> None:
    first = desk.views.current()
    assert desk.views.current() is first
    desk.voice.muted = True
    assert desk.views.current().voice.muted
    desk.engine.submit(AddTrait(name="Fog"), "Ada")
    assert desk.views.current().sequence == desk.journal.sequence
    assert desk.views.current().undo


def test_a_table_from_before_never_overtakes_a_newer_one(desk: Desk) -> None:
    asked, overtaken = threading.Event(), threading.Event()

    def snapshot(_: Language, _page: str) -> tuple[bytes, int]:
        if asked.is_set():
            return b'{"is": "newer"}', 2
        asked.set()
        overtaken.wait(0.3)
        return b'{"is": "older"}', 1

    hub = Hub(desk.journal, snapshot, JsonEncoder())
    page = hub.subscribe()
    slow = threading.Thread(target=hub.publish_table)
    slow.start()
    assert asked.wait(10)
    hub.publish_table()
    overtaken.set()
    slow.join(10)
    told = [data for name, _, data in parsed(b"".join(islice(page, 3))) if name == "table"]
    assert told[-1] == {"is": "newer"}


def test_the_tables_screen_has_the_news_before_those_of_phones_are_made(desk: Desk) -> None:
    shown, begun, was_shown = threading.Event(), threading.Event(), list[bool]()

    def parts(page: str, _: Language) -> bytes:
        if begun.is_set() and page.startswith("phone"):
            was_shown.append(shown.wait(10))
        return b"{}"

    hub = Hub(desk.journal, desk.views.json, JsonEncoder())
    hub.parts = parts
    pages = [hub.subscribe(page=page) for page in ("phone/normal//ada", "display///", "phone/normal//ben")]
    news = iter(pages[1])
    next(news)

    def look() -> None:
        next(news)
        shown.set()

    onlooker = threading.Thread(target=look)
    onlooker.start()
    begun.set()
    hub.publish_table()
    onlooker.join(10)
    assert was_shown == [True, True]


@dataclass
class NotedLine:
    """The line of a page: it notes what it is sent, as long as it takes something."""

    takes: bool = True
    sent: list[bytes] = field(default_factory=list)

    def __call__(self, data: bytes) -> bool:
        if self.takes:
            self.sent.append(data)
        return self.takes


@contextmanager
def opened(hub: Hub, line: Callable[[bytes], bool], page: str = "") -> Iterator[None]:
    """A live page at which nothing is under way any more but what `line` is sent; its iteration is left running."""
    chunks = iter(hub.subscribe(page=page, line=line))
    while parsed(next(chunks))[0][0] != "beat":
        pass
    yield
    chunks.close()  # type: ignore[attr-defined]  # a generator, as the server closes it


def test_whoever_publishes_sends_the_news_to_the_tables_screen_before_others_is_made(desk: Desk) -> None:
    done: list[str] = []

    def parts(page: str, _: Language) -> bytes:
        done.append(f"made {page}")
        return b"{}"

    def line(page: str) -> Callable[[bytes], bool]:
        def send(_data: bytes) -> bool:
            done.append(f"sent {page}")
            return True

        return send

    hub = Hub(desk.journal, desk.views.json, JsonEncoder(), heartbeat=0.01)
    hub.parts = parts
    pages = ("phone/ada", "display", "phone/ada", "display")
    with ExitStack() as live:
        for page in pages:
            live.enter_context(opened(hub, line(page), page))
        done.clear()
        hub.publish_table()
        screen, phones = (["made " + page, *["sent " + page] * 2] for page in ("display", "phone/ada"))
        assert done == [*screen, *phones]


def test_what_is_published_while_a_page_opens_comes_in_order_and_the_rest_by_its_line(desk: Desk) -> None:
    line = NotedLine()
    chunks = iter(desk.hub.subscribe(line=line))
    next(chunks)
    first = desk.engine.submit(AddTrait(name="Fog"), "Ada")
    assert not line.sent, "the opening is still under way"
    assert parsed(next(chunks))[-1][2]["sequence"] == first.sequence
    second = desk.engine.submit(AddTrait(name="Smoke"), "Ada")
    assert not line.sent, "the one before it is still under way"
    assert parsed(next(chunks))[-1][2]["sequence"] == second.sequence
    assert parsed(next(chunks))[0][0] == "beat"
    third = desk.engine.submit(AddTrait(name="Rain"), "Ada")
    assert [parsed(one)[-1][2]["sequence"] for one in line.sent] == [third.sequence]
    assert parsed(next(chunks))[0][0] == "beat", "nothing comes twice"


def test_a_page_whose_line_takes_no_more_is_let_go(desk: Desk) -> None:
    full, well = NotedLine(), NotedLine()
    with opened(desk.hub, full), opened(desk.hub, well):
        full.takes = False
        desk.engine.submit(AddTrait(name="Fog"), "Ada")
        assert (len(full.sent), len(well.sent)) == (0, 1)
        assert desk.hub.subscribers == 1


def test_nothing_goes_by_the_line_of_a_page_that_ended(desk: Desk) -> None:
    line = NotedLine()
    page = desk.hub.subscribe(line=line)
    chunks = iter(page)
    while parsed(next(chunks))[0][0] != "beat":
        pass
    desk.hub.close()
    assert list(chunks) == []
    assert page.offer(desk.journal.sequence + 1, b"late")
    assert not line.sent


def test_dice_that_a_source_did_not_see_thrown_are_told_to_those_who_wait_for_dice(desk: Desk) -> None:
    desk.engine.submit(DeclareChallenge(count=2), "Ada")
    notice = "Dice lie there that nobody saw thrown."
    chunks = iter(desk.hub.subscribe())
    next(chunks)
    desk.sources.tell(SourceStatus(SourceKind.TRAY, SourceState.READY, "The tray is ready.", notice=notice))
    (first, *_), (name, _, view) = parsed(next(chunks))
    assert (first, name) == ("source", "table")
    assert view["stage"]["lines"][-1] == notice
    desk.sources.tell(SourceStatus(SourceKind.TRAY, SourceState.READY, "The tray is ready."))
    assert notice not in parsed(next(chunks))[1][2]["stage"]["lines"]

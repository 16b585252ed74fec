"""Live pages: snapshot first, nothing missed, nobody held up, and the one too many is told."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from kiosk.errors import HubFullError
from kiosk.hub import LONGEST_REPLAY, MOST_PAUSED_FOR, PAUSE_SECONDS, QUEUE_LENGTH, Hub
from kiosk.ports import Language
from kiosk.storage.journal import open_journal
from kiosk.storage.wire import JsonEncoder
from rules.dice import SourceKind, SourceState, SourceStatus
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.traits import AddTrait
from tests.kiosk.desk import Desk, StillClock

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

    def snapshot(_: Language) -> tuple[bytes, int]:
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


@pytest.mark.parametrize(("phones", "pauses"), [(2, 3), (MOST_PAUSED_FOR, 0)])
def test_publishing_pauses_after_the_news_for_each_page_while_they_are_few(
    desk: Desk, phones: int, pauses: int
) -> None:
    done: list[str] = []

    def parts(page: str, _: Language) -> bytes:
        done.append(page)
        return b"{}"

    hub = Hub(desk.journal, desk.views.json, JsonEncoder(), pause=lambda seconds: done.append(f"{seconds:g}"))
    hub.parts = parts
    for number in range(phones):
        hub.subscribe(page=f"phone/{number}")
    hub.subscribe(page="display")
    hub.publish_table()
    assert done[0] == "display"
    assert done.count(f"{PAUSE_SECONDS:g}") == pauses
    assert not pauses or done[1::2] == [f"{PAUSE_SECONDS:g}"] * pauses, "one after the news for each page"


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

"""Power cuts after any write of any file, with the states in which cards may leave the files.

What is done to the files is written down by `write_log.c`, in the order in which the system saw it. Each prefix of it
is then laid out as a card would have it, in five ways, and opened as at the next start.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from kiosk.commands.kept_files import JSON_FILES
from kiosk.storage.kept_file import fault_of
from kiosk.storage.kept_twice import open_kept_twice
from tests.conftest import SEED
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision
from tests.kiosk.storage.writing import JOURNAL, text_of

log = logging.getLogger(__name__)

SECTOR = 512
LONG, SHORT = 6, 1
"""Times that all is written over."""
SAMPLE = 60
"""Cuts of the short form, in each way."""


@dataclass(frozen=True)
class Record:
    """One line of the log."""

    operation: str
    offset: int
    data: bytes
    path: str


@dataclass
class File:
    """What a file holds for who reads it, and what of it the disk has for certain."""

    seen: bytearray = field(default_factory=bytearray)
    certain: bytes = b""

    def take(self, one: Record) -> None:
        """Do what was done to what is in it."""
        if one.operation == "sync":
            self.certain = bytes(self.seen)
            return
        self.seen.extend(bytes(max(0, one.offset - len(self.seen))))
        if one.operation == "write":
            self.seen[one.offset : one.offset + len(one.data)] = one.data
        else:
            del self.seen[one.offset :]


@dataclass
class Card:
    """Names and files, as they are seen and as they are certain."""

    names: dict[str, File] = field(default_factory=dict)
    certain_names: dict[str, File] = field(default_factory=dict)

    def take(self, one: Record) -> None:
        """Do what was done."""
        path, _, other = one.path.partition("\t")
        match one.operation:
            case "create":
                self.names[path] = File()
            case "rename":
                self.names[other] = self.names.pop(path)
            case "link":
                self.names[other] = self.names[path]
            case "unlink":
                self.names.pop(path, None)
            case _ if path in self.names:
                self.names[path].take(one)
            case "sync":
                for name in {*self.names, *self.certain_names}:
                    if name.rpartition("/")[0] == path:
                        self._settle(name)
            case _:
                assert path.endswith(" (deleted)"), one.operation

    def _settle(self, name: str) -> None:
        if name in self.names:
            self.certain_names[name] = self.names[name]
        else:
            self.certain_names.pop(name, None)


Kept = Callable[[Card, Random], Mapping[str, bytes]]


def all_of_it(card: Card, _: Random) -> Mapping[str, bytes]:
    """A card that writes everything at once, in order."""
    return {name: bytes(one.seen) for name, one in card.names.items()}


def what_is_certain(card: Card, _: Random) -> Mapping[str, bytes]:
    """Nothing but what it was waited for."""
    return {name: one.certain for name, one in card.certain_names.items()}


def names_first(card: Card, _: Random) -> Mapping[str, bytes]:
    """Names at once, contents late: a file that was renamed too early is empty."""
    return {name: one.certain for name, one in card.names.items()}


def contents_first(card: Card, _: Random) -> Mapping[str, bytes]:
    """Contents at once, names late."""
    return {name: bytes(one.seen) for name, one in card.certain_names.items()}


def sectors_by_chance(card: Card, random: Random) -> Mapping[str, bytes]:
    """Of what is not certain each sector, or not, in no order: a write may be torn, and a later one be there."""
    made: dict[str, bytes] = {}
    for name, one in card.names.items():
        mixed = bytearray(one.seen)
        certain = one.certain.ljust(len(mixed), b"\0")
        for at in range(0, len(mixed), SECTOR):
            if random.random() < 0.5:
                mixed[at : at + SECTOR] = certain[at : at + SECTOR][: len(mixed) - at]
        made[name] = bytes(mixed)
    return made


WAYS: tuple[Kept, ...] = (all_of_it, what_is_certain, names_first, contents_first, sectors_by_chance)


def records(raw: bytes) -> Iterator[Record]:
    place = 0
    while place < len(raw):
        end = raw.index(b"\n", place)
        operation, offset, length, path = raw[place:end].decode().split(" ", 3)
        place = end + 1
        many = int(length) if operation in {"write", "done"} else 0
        yield Record(operation, int(offset), raw[place : place + many], path)
        place += many


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, *, whole: bool) -> tuple[str, list[Record]]:
    """The folder that was written to, and all that was done to it."""
    room = tmp_path_factory.mktemp("written")
    shim, data, told = room / "write_log.so", room / "data", room / "log"
    source = Path(__file__).with_name("write_log.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl", "-lpthread"], check=True)
    data.mkdir()
    watched = {"LD_PRELOAD": str(shim), "WRITE_LOG": str(told), "WRITE_LOG_ROOT": f"{data}/"}
    command = [sys.executable, "-m", "tests.kiosk.storage.writing", str(data), str(told), str(LONG if whole else SHORT)]
    subprocess.run(command, check=True, env={**os.environ, **watched})
    return str(data), list(records(told.read_bytes()))


@pytest.mark.parametrize("way", WAYS)
def test_a_plug_pulled_after_any_write_costs_nothing_that_was_done(
    written: tuple[str, list[Record]], way: Kept, pytestconfig: pytest.Config, *, whole: bool
) -> None:
    folder, done = written
    random = Random(int(pytestconfig.option.hypothesis_seed or SEED))  # noqa: S311 - sectors, not secrets
    told = [json.loads(one.data) for one in done if one.operation == "done"]
    cuts = range(len(done) + 1)
    wanted = set(cuts if whole else random.sample(cuts, SAMPLE))
    card, acknowledged, tried = Card(), 0, 0
    for cut in cuts:
        if cut in wanted:
            look(folder, way(card, random), told, acknowledged)
            tried += 1
        if cut < len(done) and done[cut].operation == "done":
            acknowledged += 1
        elif cut < len(done):
            card.take(done[cut])
    log.info("%s: %d cuts of %d writes", way.__name__, tried, len(done))


def look(folder: str, kept: Mapping[str, bytes], told: list[dict[str, object]], acknowledged: int) -> None:
    """Start on what the card has: all that was acknowledged is there once, each file whole as it was then or since."""
    with TemporaryDirectory(dir="/dev/shm") as room:
        data = Path(room)
        for name, content in kept.items():
            place = data / Path(name).relative_to(folder)
            if place.name.endswith("-shm"):
                continue  # it is in memory, and made anew
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        last = told[acknowledged - 1] if acknowledged else {"decided": 0, "files": {}}
        with closing(open_kept_twice(data / JOURNAL, StillClock())) as journal:
            found = list(journal.decisions())
            assert journal.altered == {}
            assert journal.set_aside is None or not journal.set_aside.name, "a pulled plug is no damage"
        assert found == [decision(number, text_of(number)) for number in range(1, len(found) + 1)]
        assert len(found) >= int(str(last["decided"]))
        since: dict[str, set[str]] = {}
        for one in told[max(0, acknowledged - 1) : acknowledged + 1]:
            for name, digest in dict(one["files"]).items():  # type: ignore[call-overload]  # what JSON holds
                since.setdefault(name, set()).add(digest)
        for name in dict(last["files"]):  # type: ignore[call-overload]  # likewise
            assert (data / name).exists(), name
        for name, digests in since.items():
            if (data / name).exists():
                assert hashlib.sha256((data / name).read_bytes()).hexdigest() in digests, name
        assert [fault for name, shape in JSON_FILES.items() if (fault := fault_of(data / name, shape))] == []

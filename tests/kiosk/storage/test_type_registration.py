"""Types that several threads meet at once are learnt by one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import msgspec._utils as internals
import pytest

from kiosk.storage.type_registration import registered
from rules.messages import COMMANDS


@dataclass(frozen=True)
class Inner:
    number: int


@dataclass(frozen=True)
class Outer:
    inner: tuple[Inner, ...] = ()


def test_a_second_thread_waits_until_a_type_is_wholly_known(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[[type], dict[str, object]] = vars(internals)["get_class_annotations"]
    begun, go_on = threading.Event(), threading.Event()
    asked: list[type] = []

    def slowly(kind: type) -> dict[str, object]:
        asked.append(kind)
        begun.set()
        assert go_on.wait(20)
        return real(kind)

    monkeypatch.setattr(internals, "get_class_annotations", slowly)
    known: list[type] = []
    first = threading.Thread(target=lambda: known.append(registered(Outer)))
    first.start()
    assert begun.wait(20)
    second = threading.Thread(target=lambda: known.append(registered(Outer)))
    second.start()
    second.join(0.2)
    assert known == []
    go_on.set()
    first.join(20)
    second.join(20)
    assert known == [Outer, Outer]
    assert sorted(one.__name__ for one in asked) == ["Inner", "Outer"]
    assert msgspec.convert({"inner": [{"number": 2}]}, Outer) == Outer((Inner(2),))


def test_every_command_is_known_after_its_meeting() -> None:
    assert [registered(kind) for kind in COMMANDS.values()] == list(COMMANDS.values())

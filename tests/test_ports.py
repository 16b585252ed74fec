"""The ports of kiosks under test: a browser goes to each."""

from __future__ import annotations

import os

import pytest

from tests.e2e import program


def test_no_kiosk_stands_where_a_browser_does_not_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 80)
    assert 10080 in program.REFUSED
    assert program.usual_port() != 10080
    monkeypatch.setattr(os, "getpid", lambda: 81)
    refused = program.usual_port()
    monkeypatch.setattr(program, "REFUSED", {refused})
    assert program.usual_port() != refused


def test_a_port_that_the_system_gives_away_is_asked_for_again_where_a_browser_does_not_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class FirstOnly(set[int]):
        def __contains__(self, port: object) -> bool:
            first = not self
            assert isinstance(port, int)
            self.add(port)
            return first

    refused = FirstOnly()
    monkeypatch.setattr(program, "REFUSED", refused)
    assert program.free_port() in {*refused}
    assert len(refused) == 2

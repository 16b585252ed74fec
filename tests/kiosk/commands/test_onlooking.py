"""`trueroll tray monitor` and `record` beside a kiosk that owns the tray's port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.pty_simulator import PtySimulator
from kiosk.commands.tray import tray
from kiosk.compose import Kiosk, build
from kiosk.config import load_config
from kiosk.devices.tray_desk import NO_TRAY, TrayDesk
from rules.dice import DieKind
from tests.kiosk.commands.test_tray_command import Command, eventually
from tests.kiosk.desk import PHONE, Desk


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[PtySimulator]:
    one = PtySimulator(3, link=tmp_path / "port")
    one.start()
    yield one
    one.stop()


@pytest.fixture
def kiosk(simulator: PtySimulator, tmp_path: Path) -> Iterator[Kiosk]:
    settings: dict[str, object] = {
        "server.port": 0,
        "camera.source": "off",
        "tray.url": simulator.path or "",
        "panel.enabled": False,
        "voice.enabled": False,
    }
    one = build(load_config(None, settings), tmp_path / "data")
    one.start()
    try:
        eventually(
            lambda: any(part.source == "tray" and part.state == "ready" for part in one.services.sources.views())
        )
        yield one
    finally:
        one.stop()


@pytest.mark.parametrize("named", [True, False])
def test_monitor_shows_what_the_kiosk_sees_and_sends(
    kiosk: Kiosk, simulator: PtySimulator, tmp_path: Path, *, named: bool
) -> None:
    simulator.throw(((DieKind.D20, 17),))
    with Command("monitor", *([simulator.path or ""] if named else []), "--data", tmp_path / "data") as monitor:
        monitor.wait_for(f"The kiosk at {kiosk.address} owns the tray's port", "-> HELLO_REQ", "<- HELLO", "is ready")
        monitor.wait_for("<- DIE", "== d20 17", "<- BEAT")
        simulator.throw(((DieKind.D20, 4),))
        monitor.wait_for("== d20 4", "-> ACK")
        monitor.end()
    sequence = kiosk.services.engine.present().sequence
    eventually(lambda: kiosk.services.engine.present().sequence >= sequence)
    rolls = kiosk.services.engine.present().table.free_rolls
    assert [[die.face for die in roll.dice] for roll in rolls][-2:] == [[17], [4]], "looking on counts nothing twice"


def test_what_was_recorded_beside_the_kiosk_is_replayed(kiosk: Kiosk, simulator: PtySimulator, tmp_path: Path) -> None:
    assert kiosk.alive
    file, runner = tmp_path / "rec.jsonl", CliRunner()
    simulator.throw(((DieKind.D20, 12),))
    with Command("record", file, "--data", tmp_path / "data") as record:
        eventually(lambda: file.exists() and "d20 12" in runner.invoke(tray, ["replay", str(file)]).output)
        record.end()


def test_the_end_of_the_port_and_of_the_kiosk_are_told(kiosk: Kiosk, simulator: PtySimulator, tmp_path: Path) -> None:
    with Command("monitor", "--data", tmp_path / "data") as monitor:
        monitor.wait_for("is ready")
        simulator.command("unplug")
        monitor.wait_for("the kiosk looks for the tray again")
        simulator.command("replug")
        monitor.wait_for("is there again")
        simulator.throw(((DieKind.D20, 9),))
        monitor.wait_for("== d20 9")
        assert kiosk.services.tray.obstacle == "", "the kiosk has kept its port"
        kiosk.stop()
        monitor.wait_for("No port calls itself a trueroll tray")
        monitor.end()


def test_only_the_gamemaster_looks_on_and_only_where_there_is_a_tray() -> None:
    with Desk(tray=TrayDesk()) as desk:
        client = desk.client()
        assert client.get("/tray/wire", environ_base=PHONE).status_code in {401, 403}
        answer = client.get("/tray/wire")
        assert (answer.status_code, answer.get_data(as_text=True)) == (409, NO_TRAY)

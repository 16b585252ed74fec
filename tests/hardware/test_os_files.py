"""The Pi's OS files: the unit as systemd reads it, and the tray's rule."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

OS_FILES = Path(__file__).resolve().parents[2] / "hardware/os"
UNIT = (OS_FILES / "trueroll.service").read_text(encoding="utf-8")
RULES = (OS_FILES / "70-trueroll-tray.rules").read_text(encoding="utf-8")


def verified(unit: str, folder: Path) -> str:
    """What systemd has to say about a unit whose program is there. It exits 0 even for a key it does not know."""
    place = folder / "trueroll.service"
    place.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", unit, flags=re.MULTILINE))
    command = ["systemd-analyze", "verify", "--man=no", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = [line for line in done.stderr.splitlines() if "trueroll.service" in line]
    return "\n".join(said) or ("" if done.returncode == 0 else done.stderr)


def test_the_unit_says_what_the_kiosk_relies_on() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    unit.read_string(UNIT)
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10
    assert service["Restart"] == "always"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert service["User"] == "trueroll"
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    assert service["ExecStart"].endswith("trueroll run --data %S/trueroll")
    assert service["StateDirectory"] == "trueroll"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="NOT CHECKED: systemd-analyze is not installed")
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path) -> None:
    assert verified(UNIT, tmp_path) == ""
    assert "WatchdogSek" in verified(UNIT.replace("WatchdogSec", "WatchdogSek"), tmp_path)


def test_every_line_of_the_rule_is_one() -> None:
    part = re.compile(r'^[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)"[^"]*"$')
    lines = [line for line in RULES.splitlines() if line and not line.startswith("#")]
    assert len(lines) > 10
    for line in lines:
        assert all(part.match(one.strip()) for one in line.split(", ")), line


def test_every_jump_of_the_rule_lands_further_down() -> None:
    for jump in re.finditer(r'GOTO="(\w+)"', RULES):
        assert RULES.find(f'LABEL="{jump[1]}"', jump.end()) > 0, jump[1]


def test_the_rule_keeps_modemmanager_off_and_names_the_port() -> None:
    _, _, tray = RULES.partition('LABEL="trueroll_tray"')
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in tray
    assert 'SYMLINK+="trueroll-tray"' in tray
    assert 'SUBSYSTEM=="tty"' in tray


def test_the_browser_script_is_a_program_and_says_what_it_lacks() -> None:
    script = OS_FILES / "trueroll-browser"
    assert os.access(script, os.X_OK)
    # Found by path, with nowhere to find a browser in.
    shell = "/bin/sh"
    tools = {"PATH": "/nonexistent"}
    done = subprocess.run([shell, str(script)], env=tools, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    assert "sudo apt install chromium" in done.stderr

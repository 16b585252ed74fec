"""A machine without a panel gets the reason and a remedy, and keeps nothing claimed."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockPin, MockPWMPin

from hardware.panel import Panel, PanelButton, PanelPins, PanelUnavailable, open_panel
from tests.hardware.fakes import mock_factory

PINS = PanelPins()


@pytest.fixture(autouse=True)
def _no_named_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A root folder whose firmware says Raspberry Pi."""
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    return tmp_path


@pytest.fixture
def _default_factory_forgotten() -> Iterator[None]:
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = None
    yield
    if gpiozero.Device.pin_factory is not None:
        gpiozero.Device.pin_factory.close()
    gpiozero.Device.pin_factory = before


def refuse(monkeypatch: pytest.MonkeyPatch, library: str, error: Exception) -> None:
    """Make importing `library` fail as if it were missing or broken on this machine."""
    honest = builtins.__import__

    def importing(name: str, *rest: object, **named: object) -> object:
        if name == library:
            raise error
        return honest(name, *rest, **named)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.delitem(sys.modules, library, raising=False)
    monkeypatch.setattr(builtins, "__import__", importing)


def unavailable(root: Path, **named: object) -> PanelUnavailable:
    with pytest.raises(PanelUnavailable) as refused:
        open_panel(PINS, clock=time.monotonic, root=root, **named)  # type: ignore[arg-type]  # passed on
    assert refused.value.what
    assert "keyboard" in refused.value.remedy
    assert str(refused.value) == f"{refused.value.what} {refused.value.remedy}"
    return refused.value


def test_a_machine_that_is_no_pi_loads_no_library_of_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "gpiozero", ImportError("nobody needs it here"))
    assert "no Raspberry Pi pins" in unavailable(tmp_path).what


def test_another_board_is_named(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Pine64 RockPro64\0")
    assert "Pine64 RockPro64" in unavailable(tmp_path).what


@pytest.mark.parametrize("error", [ImportError("no module"), OSError("libfoo.so: cannot open"), RuntimeError("bad")])
def test_a_gpiozero_that_cannot_be_loaded(pi: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    refuse(monkeypatch, "gpiozero", error)
    refused = unavailable(pi)
    assert "gpiozero" in refused.what
    assert str(error) in refused.what


def test_a_pi_without_lgpio(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "gpiozero.pins.lgpio", ImportError("No module named 'lgpio'"))
    refused = unavailable(pi)
    assert "need lgpio" in refused.what
    assert "apt install python3-lgpio" in refused.remedy


def test_a_pi_whose_lgpio_fails(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "gpiozero.pins.lgpio", PermissionError("can not open gpiochip"))
    refused = unavailable(pi)
    assert "can not open gpiochip" in refused.what
    assert "group 'gpio'" in refused.remedy


def test_pins_that_cannot_dim_are_refused_and_given_back(pi: Path) -> None:
    with mock_factory(MockPin) as factory:
        refused = unavailable(pi, pin_factory=factory)
        assert "cannot be used" in refused.what
        gpiozero.InputDevice(PINS.confirm, pull_up=True, pin_factory=factory).close()


def test_a_pin_in_use_is_named_and_the_others_given_back(pi: Path) -> None:
    with mock_factory(MockPWMPin) as factory:
        other = gpiozero.PWMLED(PINS.ring, pin_factory=factory)
        try:
            assert "GPIO12 is already in use" in unavailable(pi, pin_factory=factory).what
        finally:
            other.close()
        open_panel(PINS, clock=time.monotonic, pin_factory=factory).stop()


@pytest.mark.usefixtures("_default_factory_forgotten")
def test_pins_named_by_the_environment_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
    panel = open_panel(PINS, clock=time.monotonic, root=tmp_path)
    assert isinstance(panel, Panel)
    panel.stop()


@pytest.mark.usefixtures("_default_factory_forgotten")
def test_a_misspelt_name_in_the_environment_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpoi")
    refused = unavailable(tmp_path)
    assert "GPIOZERO_PIN_FACTORY=lgpoi" in refused.what
    assert "Unset GPIOZERO_PIN_FACTORY" in refused.remedy


def test_presses_are_named_after_their_pins() -> None:
    assert [getattr(PINS, press) for press in PanelButton] == [17, 27, 22, 23, 24]

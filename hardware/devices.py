"""Claiming the panel's pins through gpiozero, or saying why they cannot be had.

gpiozero and lgpio are loaded only when a panel is opened: one that is missing or broken costs the panel.
"""

from __future__ import annotations

import math
import os
import warnings
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.board import board_model
from hardware.buzzer import HIGHEST, LOWEST
from hardware.errors import PanelUnavailable
from hardware.pins import PanelButton, PanelPins
from rules.words import Phrase, say, sentences

RING_FREQUENCY: Final = 1000
"""Hz. A camera row is exposed for several milliseconds, so each sees many cycles and none comes out darker."""

LAMP_FREQUENCY: Final = 200
"""Hz. Above what the eye sees flicker, and cheap for software pulses."""

NAMED: Final = "GPIOZERO_PIN_FACTORY"
"""The variable of the environment that names another pin factory, as gpiozero has it."""

KEYBOARD: Final = say("Everything the panel does can be done by keyboard, touch screen and phone.")
"""The advice without a panel."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The gpiozero devices of one panel, the factory of their pins, and how to let go of all of them.

    A button that is not fitted is not in `buttons`; a leg of the lamp, a ring or a buzzer that is not fitted is None.
    """

    buttons: dict[PanelButton, Any]
    lamp: tuple[Any, Any, Any]
    ring: Any
    buzzer: Any
    factory: Any
    release: ExitStack


def claim(pins: PanelPins, pin_factory: Any, root: Path) -> Devices:  # noqa: ANN401 - gpiozero ships no types
    """Claim every pin, lights dark. A factory opened here is closed by `Devices.release`; a given one is not.

    Raises `PanelUnavailable` with the reason and a remedy; what was claimed until then is given back.
    """
    if not pins.uses():
        raise PanelUnavailable(
            say("Every part of the panel is set as not fitted, so there is no panel."),
            sentences(KEYBOARD, say("For a panel, set the pins of the parts that are there.")),
        )
    if pin_factory is None:
        _require_pins(root)
    with ExitStack() as stack:
        gpiozero = _import_gpiozero()
        factory = _find_factory(gpiozero, stack) if pin_factory is None else pin_factory
        try:
            return _claim(gpiozero, pins, factory, stack)
        except Exception as error:  # each pin library has its own errors; all mean the same here
            raise PanelUnavailable(
                say("The panel's pins cannot be used ({reason}).", reason=reason_of(error)),
                sentences(
                    say(
                        "Check that no other program uses them, that the pins in the settings are the ones wired, and "
                        "that the person or service running trueroll is in the group 'gpio'."
                    ),
                    KEYBOARD,
                ),
            ) from error


def reason_of(error: Exception) -> str:
    """An error in words, for one that may carry none."""
    return str(error) or type(error).__name__


def _import_gpiozero() -> Any:  # noqa: ANN401 - gpiozero ships no types
    try:
        import gpiozero  # noqa: PLC0415 - a broken library costs the panel, not the kiosk
    except Exception as error:  # a pin library may fail with anything: a missing .so is an OSError
        raise PanelUnavailable(
            say("The panel's library gpiozero cannot be loaded ({reason}).", reason=reason_of(error)),
            sentences(say("Install trueroll again with 'make install'."), KEYBOARD),
        ) from error
    return gpiozero


def _require_pins(root: Path) -> None:
    """Refuse a computer without pins, before gpiozero is loaded for nothing (1.5 MB); a named factory needs none."""
    model = board_model(root)
    if not os.environ.get(NAMED) and (model is None or "Raspberry Pi" not in model):
        remedy = sentences(KEYBOARD, say("For a panel, run trueroll on a Raspberry Pi."))
        raise PanelUnavailable(_no_pins(model), remedy)


def _find_factory(gpiozero: Any, stack: ExitStack) -> Any:  # noqa: ANN401 - gpiozero ships no types
    """The factory that `NAMED` names, else this board's own through lgpio, closed with `stack`.

    gpiozero's own search is not used: it ends at pins that cannot dim a light, and warns on the way.
    """
    named = os.environ.get(NAMED)
    if named:
        return _named_factory(gpiozero, named)
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only a Pi with a panel needs lgpio

        factory = LGPIOFactory()
    except ImportError as error:
        raise PanelUnavailable(
            say(
                "The pins of this Raspberry Pi need lgpio, which cannot be loaded ({reason}).", reason=reason_of(error)
            ),
            sentences(say("Install it with 'sudo apt install python3-lgpio', then install trueroll again."), KEYBOARD),
        ) from error
    except Exception as error:  # lgpio's errors share no base with anything
        raise PanelUnavailable(
            say("The pins of this Raspberry Pi cannot be opened ({reason}).", reason=reason_of(error)),
            sentences(
                say(
                    "Put the person or service running trueroll into the group 'gpio', and start it in a folder that "
                    "it may write to, for lgpio keeps a pipe there."
                ),
                KEYBOARD,
            ),
        ) from error
    stack.callback(factory.close)
    return factory


def _no_pins(model: str | None) -> Phrase:
    if model is None:
        return say("This computer has no Raspberry Pi pins, so there is no panel.")
    return say("This computer ({model}) has no Raspberry Pi pins, so there is no panel.", model=model)


def _named_factory(gpiozero: Any, named: str) -> Any:  # noqa: ANN401 - gpiozero ships no types
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gpiozero.Device.ensure_pin_factory()
    except Exception as error:  # each pin library has its own errors; all mean the same here
        raise PanelUnavailable(
            say(
                "The pins that GPIOZERO_PIN_FACTORY={named} names cannot be opened ({reason}).",
                named=named,
                reason=reason_of(error),
            ),
            sentences(say("Unset GPIOZERO_PIN_FACTORY to use this board's own pins, or correct it."), KEYBOARD),
        ) from error
    return gpiozero.Device.pin_factory


def _claim(gpiozero: Any, pins: PanelPins, factory: Any, stack: ExitStack) -> Devices:  # noqa: ANN401 - no types
    def light(pin: int | None, frequency: int, *, active_high: bool = True) -> Any:  # noqa: ANN401 - no types
        if pin is None:
            return None
        device = gpiozero.PWMLED(pin, active_high=active_high, frequency=frequency, pin_factory=factory)
        stack.callback(device.close)
        return device

    buttons: dict[PanelButton, Any] = {}
    for press in PanelButton:
        pin = getattr(pins, press.value)
        if pin is None:
            continue
        buttons[press] = gpiozero.InputDevice(pin, pull_up=True, pin_factory=factory)
        stack.callback(buttons[press].close)
    lit_high = not pins.lamp_common_anode
    red = light(pins.lamp_red, LAMP_FREQUENCY, active_high=lit_high)
    green = light(pins.lamp_green, LAMP_FREQUENCY, active_high=lit_high)
    blue = light(pins.lamp_blue, LAMP_FREQUENCY, active_high=lit_high)
    ring = light(pins.ring, RING_FREQUENCY)
    buzzer = None
    if pins.buzzer is not None:
        # An octave to either side of the middle, which is what LOWEST and HIGHEST span.
        middle = gpiozero.tones.Tone(frequency=math.sqrt(LOWEST * HIGHEST))
        buzzer = gpiozero.TonalBuzzer(pins.buzzer, mid_tone=middle, octaves=1, pin_factory=factory)
        stack.callback(buzzer.close)
    return Devices(buttons, (red, green, blue), ring, buzzer, factory, stack.pop_all())

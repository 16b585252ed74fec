"""Connects this machine's panel with the table; only here is `hardware` imported.

Without gpiozero or pins there is no panel, which is reported once.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from hardware.errors import PanelUnavailable
from kiosk.clock import SystemClock
from kiosk.config import Config
from kiosk.engine import Engine
from kiosk.errors import words_of
from kiosk.hub import Hub
from kiosk.panel.link import PanelLink
from kiosk.panel.rights import Rights
from kiosk.panel.signals import BUTTONS, LampWord, RingLevels, SignalWord
from kiosk.panel.spoken_places import Rest
from kiosk.ports import Clock, Voice
from kiosk.sources import Sources
from kiosk.storage.preferences import PreferencesFile
from kiosk.views.screen import Screen, ScreenKeeper
from kiosk.views.view import Views
from rules.dice import SourceState
from rules.words import joined_by, say, sentences

if TYPE_CHECKING:
    from hardware.panel import PanelPins

log = logging.getLogger(__name__)


class Surroundings(Protocol):
    """The parts of the kiosk that the panel uses."""

    @property
    def engine(self) -> Engine:
        """Applies the commands of presses."""

    @property
    def hub(self) -> Hub:
        """Informs pages of a new caption."""

    @property
    def voice(self) -> Voice:
        """Says what the menu says."""

    @property
    def sources(self) -> Sources:
        """The state of camera and tray."""

    @property
    def screen(self) -> ScreenKeeper:
        """The table's screen, which may be held."""

    @property
    def views(self) -> Views:
        """Show the menu's words as a caption."""

    @property
    def rights(self) -> Rights:
        """What whoever presses may do."""

    @property
    def preferences(self) -> PreferencesFile | None:
        """Where the ring light's rest is kept."""

    def hold_screen(self, *, held: bool) -> Screen:
        """Hold the table's screen, or let it go on."""


def panel_pins(config: Config) -> PanelPins:
    """The panel's wiring as set. Raises what `hardware.panel` raises for pins that cannot be wired so."""
    from hardware.panel import PanelPins  # noqa: PLC0415  # a broken library costs the panel alone

    wanted = config.panel
    return PanelPins(
        confirm=wanted.confirm_pin,
        undo=wanted.undo_pin,
        repeat=wanted.repeat_pin,
        next=wanted.next_pin,
        previous=wanted.previous_pin,
        lamp_red=wanted.lamp_red_pin,
        lamp_green=wanted.lamp_green_pin,
        lamp_blue=wanted.lamp_blue_pin,
        ring=wanted.ring_pin,
        buzzer=wanted.buzzer_pin,
        lamp_common_anode=wanted.lamp_common_anode,
    )


def pins_refused(error: Exception) -> tuple[str, str] | None:
    """What is wrong with the configured pins, and which settings to change; None for another error."""
    problems, fields = getattr(error, "problems", None), getattr(error, "fields", ())
    if not problems:
        return None
    settings = joined_by(", ", [f"panel.{name}_pin" for name in fields])
    remedy = say(
        "Set {settings} so that each pin serves once, then start trueroll again. docs/wiring.md says which are free.",
        settings=settings,
    )
    return sentences(*problems), remedy


class PanelPart:
    """A panel with what its presses mean, listening until `stop`. Raises what keeps the pins from being used."""

    def __init__(
        self,
        config: Config,
        services: Surroundings,
        pin_factory: Any = None,  # noqa: ANN401 - gpiozero ships no types
        clock: Clock | None = None,
    ) -> None:
        from hardware.panel import Lamp, Signal, open_panel  # noqa: PLC0415  # a broken library costs the panel alone

        wanted, pins, ticking = config.panel, panel_pins(config), clock or SystemClock()
        self._panel = open_panel(pins, clock=ticking.monotonic, pin_factory=pin_factory)
        self._lamp, self._signal = Lamp, Signal
        self._buzzes = wanted.buzzer

        def caption(words: str) -> None:
            services.views.show_menu(words)
            services.hub.publish_table()

        kept = services.preferences

        def keep_rest(rest: Rest) -> None:
            if kept is not None:
                kept.change(ring=rest.value)

        ring = RingLevels(looking=wanted.ring_level, rest=wanted.ring_rest_level)
        self._link = PanelLink(
            services.engine,
            services.voice,
            self,
            clock=ticking,
            fitted=[one for one in BUTTONS if getattr(pins, one) is not None],
            sources=services.sources.views,
            caption=caption,
            ring=ring if pins.ring is not None else None,
            rest=Rest(kept.load().ring or Rest.DIM) if kept is not None else Rest.DIM,
            keep_rest=keep_rest,
            held=lambda: services.screen.now.held,
            hold=lambda held: services.hold_screen(held=held),
            menus=services.views.menus,
            holders=services.views.holders,
            rights=services.rights,
        )
        try:
            self._panel.start(
                lambda button: self._link.pressed(button.value), on_hold=lambda button: self._link.held(button.value)
            )
        except BaseException:
            self._panel.stop()  # the pins are given back, for whoever tries next
            raise
        self._link.start()
        services.engine.listen(self._link.committed)
        services.sources.listen(lambda _: self._link.refresh())
        self._link.refresh()

    @property
    def link(self) -> PanelLink:
        """What its presses mean."""
        return self._link

    def show_word(self, word: LampWord) -> None:
        """See `panel_link.Outputs`."""
        self._panel.show(self._lamp(word))

    def sound_word(self, word: SignalWord) -> None:
        """See `panel_link.Outputs`."""
        if self._buzzes:
            self._panel.sound(self._signal(word))

    def ring(self, level: float) -> None:
        """See `panel_link.Outputs`."""
        self._panel.ring(level)

    def stop(self) -> None:
        """Take no more presses and give the pins back."""
        self._link.stop()
        self._panel.stop()


class _NoOutputs:
    """A panel that is not fitted shows and sounds nothing."""

    def show_word(self, word: LampWord) -> None:
        """See `panel_link.Outputs`."""

    def sound_word(self, word: SignalWord) -> None:
        """See `panel_link.Outputs`."""

    def ring(self, level: float) -> None:
        """See `panel_link.Outputs`."""


def linked_without_panel(services: Surroundings, clock: Clock | None = None) -> PanelLink:
    """The spoken menu for a keyboard where no panel is fitted, with every button. Accepts presses until `stop`."""

    def caption(words: str) -> None:
        services.views.show_menu(words)
        services.hub.publish_table()

    link = PanelLink(
        services.engine,
        services.voice,
        _NoOutputs(),
        clock=clock or SystemClock(),
        fitted=BUTTONS,
        sources=services.sources.views,
        caption=caption,
        held=lambda: services.screen.now.held,
        hold=lambda held: services.hold_screen(held=held),
        menus=services.views.menus,
        holders=services.views.holders,
        rights=services.rights,
    )
    services.engine.listen(link.committed)
    link.start()
    return link


def open_part(config: Config, services: Surroundings) -> PanelPart | None:
    """This machine's panel, or None if there is none; its state is reported either way."""
    if not config.panel.enabled:
        services.sources.set("panel", SourceState.OFF, say("The panel is switched off in the settings."))
        return None
    try:
        part = PanelPart(config, services)
    except Exception as error:
        if refused := pins_refused(error):
            services.sources.set("panel", SourceState.INCOMPATIBLE, *refused)
            return None
        log.debug("the panel cannot be used", exc_info=True)
        what, remedy = words_of(error), say("With buttons and a lamp on GPIO pins, a roll needs no screen.")
        if isinstance(error, PanelUnavailable):
            what, remedy = error.what, error.remedy
        services.sources.set("panel", SourceState.ABSENT, what, remedy)
        return None
    services.sources.set("panel", SourceState.READY, say("Buttons and lamp are ready."))
    return part

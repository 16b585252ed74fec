"""What the web side needs of the kiosk, handed over in one piece."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.access import Access
from kiosk.camera_desk import CameraDesk
from kiosk.camera_switch import SwitchedCamera
from kiosk.config import Config
from kiosk.engine import Engine
from kiosk.hidden import HiddenDesk
from kiosk.hub import Hub
from kiosk.ports import Demo, Voice
from kiosk.preferences import PreferencesFile
from kiosk.pressing import PanelKeys
from kiosk.room import Room
from kiosk.screen import ScreenKeeper
from kiosk.sources import Sources
from kiosk.tray_desk import TrayDesk
from kiosk.view import Views


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of a running kiosk. `demo` is None outside of the demonstration, `camera` without one."""

    engine: Engine
    hub: Hub
    voice: Voice
    access: Access
    config: Config
    sources: Sources
    screen: ScreenKeeper
    views: Views
    room: Room = field(default_factory=Room)
    demo: Demo | None = None
    preferences: PreferencesFile | None = None
    keys: PanelKeys = field(default_factory=PanelKeys)
    tray: TrayDesk = field(default_factory=TrayDesk)
    hidden: HiddenDesk
    camera: SwitchedCamera | None = None
    camera_desk: CameraDesk = field(default_factory=CameraDesk)

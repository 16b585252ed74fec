"""The parts of the kiosk that the web side needs."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.config import Config
from kiosk.devices.backup_stick import BackupKeeper
from kiosk.devices.bluetooth_desk import BluetoothDesk
from kiosk.devices.camera_desk import CameraDesk
from kiosk.devices.camera_switch import SwitchedCamera
from kiosk.devices.phone_pictures import PhonePictures
from kiosk.devices.tray_desk import TrayDesk
from kiosk.engine import Engine
from kiosk.hub import Hub, KeptPlace
from kiosk.i18n.room import Room
from kiosk.panel.link import PanelKeys
from kiosk.ports import Demo, Voice
from kiosk.sources import Sources
from kiosk.storage.preferences import PreferencesFile
from kiosk.views.hidden import HiddenDesk
from kiosk.views.screen import Screen, ScreenKeeper
from kiosk.views.view import Views
from kiosk.web.access import Access, AccessLevel
from kiosk.web.allowance import SpeechAllowance
from kiosk.web.choosing import Choosing
from kiosk.web.door import Caller, by_address, network_of
from kiosk.web.form_results import FormResults
from kiosk.web.network import Network
from kiosk.web.panel_rights import PanelRights


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of a running kiosk.

    `demo` is None outside of the demonstration, `camera` without one, `phone_pictures` where none can be read. `begun`
    says that this start begins a new table, where there was no trace of one; else it is empty.
    """

    engine: Engine
    hub: Hub
    voice: Voice
    access: Access
    network: Network
    config: Config
    sources: Sources
    screen: ScreenKeeper
    views: Views
    room: Room = field(default_factory=Room)
    demo: Demo | None = None
    preferences: PreferencesFile | None = None
    keys: PanelKeys = field(default_factory=PanelKeys)
    tray: TrayDesk = field(default_factory=TrayDesk)
    bluetooth: BluetoothDesk = field(default_factory=BluetoothDesk)
    hidden: HiddenDesk
    camera: SwitchedCamera | None = None
    camera_desk: CameraDesk = field(default_factory=CameraDesk)
    phone_pictures: PhonePictures | None = None
    backups: BackupKeeper | None = None
    begun: str = ""
    choosing: Choosing = field(default_factory=Choosing)
    form_results: FormResults = field(default_factory=FormResults)
    speech_allowance: SpeechAllowance = field(default_factory=SpeechAllowance)

    @property
    def rights(self) -> PanelRights:
        """What whoever presses the panel's buttons may do."""
        return PanelRights(self.access)

    def hold_screen(self, *, held: bool) -> Screen:
        """Hold the table's screen, or let it go on, and tell every page; the screen as it is then."""
        made = self.screen.hold(held=held)
        self.hub.publish_table()
        return made

    def admits(self, address: str | None, cookie: str | None) -> bool:
        """Whether somebody at the table asks from `address` with `cookie`: only they may send large bodies."""
        return self.access.identify(address, cookie).role >= AccessLevel.PLAYER

    def knows(self, address: str | None, cookie: str | None) -> Caller:
        """The kind of place for a request.

        Whoever comes through a proxy on this machine has no address of their own.
        """
        found = self.access.identify(address, cookie)
        if found.local:
            return Caller(KeptPlace.KIOSK)
        if found.role is AccessLevel.GUEST:
            through_proxy = by_address(address, None).place is KeptPlace.KIOSK
            return Caller(KeptPlace.GUEST, "" if through_proxy else network_of(address or ""))
        return Caller(KeptPlace.GAMEMASTER if found.role is AccessLevel.GAMEMASTER else KeptPlace.TABLE, found.person)

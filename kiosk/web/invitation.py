"""How phones find the kiosk: the QR code, its address and the table's code, or what keeps them out and lets them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from flask import request
from markupsafe import Markup

from kiosk.config import OVERRIDE_ORIGIN, Config, is_loopback
from kiosk.i18n.current import said_now
from kiosk.storage.paths import settings_place
from kiosk.web.access import AccessLevel, Identity, qr_svg
from kiosk.web.services import Services
from rules.words import Phrase, masked_address, say

AUTO: Final = "auto"
"""The setting of a source that the kiosk finds by itself."""
OFF: Final = "off"
"""The setting of a source that the kiosk does not use."""


@dataclass(frozen=True, slots=True)
class OwnersSetting:
    """A setting that only the settings file changes: what it is about, how it is now, and lines that change it.

    `overruled`: it is as the command line has it, whatever the file says.
    """

    name: Phrase
    now: Phrase
    lines: str
    overruled: bool


def owners_settings(config: Config) -> tuple[OwnersSetting, ...]:
    """The settings that a household changes with its hardware and that no page may change."""

    def source(section: str, key: str, name: Phrase, value: str, example: str) -> OwnersSetting:
        now = {AUTO: say("The kiosk looks for one by itself."), OFF: say("Switched off.")}
        return OwnersSetting(
            name=name,
            now=now.get(value) or say("{place} is used.", place=masked_address(value)),
            lines=f'[{section}]\n{key} = "{example}"',
            overruled=config.origins.get(f"{section}.{key}") == OVERRIDE_ORIGIN,
        )

    return (
        source("camera", "source", say("Camera"), config.camera.source, OFF if config.camera.source == AUTO else AUTO),
        source("tray", "url", say("Tray"), config.tray.url, OFF if config.tray.url == AUTO else AUTO),
    )


def invitation(services: Services, who: Identity) -> dict[str, Any]:
    """What `_invitation.html` shows. The code is for who belongs to the table already, never for a stranger."""
    network = services.network
    found: dict[str, Any] = {
        "qr": "",
        "opened": network.is_open,
        "settled": network.settled,
        "network_trouble": network.trouble,
        "nowhere": False,
        "owner_here": who.local,
        "settings_file": str(services.config.path or settings_place()),
    }
    if not network.is_open or who.role < AccessLevel.PLAYER:
        return found
    address = services.access.join_address(int(request.environ["SERVER_PORT"]))  # the setting may be 0: any free one
    if is_loopback(urlsplit(address).hostname or ""):
        return found | {"nowhere": True}
    return found | {
        "qr": Markup(qr_svg(address, said_now(say("Code to join")))),  # noqa: S704 - our own drawing, no words of a person in it
        "join_address": address.partition("?")[0],
        "code": services.access.table_code,
    }

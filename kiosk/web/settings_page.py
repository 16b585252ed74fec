"""The page `/settings`: what the owner chooses at the kiosk itself, written into the file for the next start."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.config import OVERRIDE_ORIGIN, Config, is_loopback, load_config, settled_by
from kiosk.devices.plugged import Plugged, cameras, ports
from kiosk.errors import AccessError, ConfigError, PinNeededError, WireError
from kiosk.storage.paths import settings_place
from kiosk.storage.settings_file import change_settings
from kiosk.web.access import TYPE_PIN
from kiosk.web.desk_forms import answer_form, outcome
from kiosk.web.invitation import AUTO, OFF, invitation
from kiosk.web.services import Services
from kiosk.web.visit import Visit, page, visit
from rules.words import masked_address, say

settings_page = Blueprint("settings_page", __name__)

NETWORK: Final = "server.open_to_network"
"""The setting that lets phones in."""
HOST: Final = "server.host"
"""The setting of the address at which the kiosk listens."""
CAMERA: Final = "camera.source"
"""The setting of the camera."""
TRAY: Final = "tray.url"
"""The setting of the tray."""

_NETWORK_CHOICES: Final = (
    ("no", say("The kiosk itself only")),
    ("yes", say("Phones too, with the code")),
    ("here", say("As it is chosen at the kiosk while it runs")),
)
"""Who may reach the kiosk: the value of the setting, and its words."""
_USUAL: Final = ((AUTO, say("The kiosk looks for one by itself.")), (OFF, say("Switched off.")))
"""The choices of every source, besides the devices that were found."""

_OTHER: Final = "as it is"
"""The choice for a value that the form does not offer, such as an address with a password: it stays."""


@settings_page.get("/settings")
def settings() -> Response:
    """Show the settings for the next start."""
    now = visit()
    return page("settings.html", now, said=outcome(now), **_parts(now))


@settings_page.post("/settings")
def change() -> AnyResponse:
    """Save the changes of the form; manual changes of the file meanwhile stay."""
    now = visit()
    return answer_form(now, "settings.html", _parts, lambda: _kept(now))


@settings_page.post("/settings/backup")
def back_up() -> AnyResponse:
    """Make a backup now."""
    now = visit()
    return answer_form(now, "settings.html", _parts, lambda: _backed_up(now), back="/settings")


def _backed_up(now: Visit) -> str:
    _require_owner(now)
    backups = now.services.backups
    if backups is None:
        raise AccessError(say("This kiosk keeps nothing, so there is nothing to back up."))
    return say("A backup is in {file}.", file=str(backups.now()))


def _require_owner(now: Visit) -> None:
    if now.who.locked:
        raise PinNeededError(TYPE_PIN)
    if not now.who.local:
        raise AccessError(say("The settings are changed at the kiosk itself only."))


def _kept(now: Visit) -> str:
    _require_owner(now)
    form, chosen = request.form, _in_file(now.services).settings
    plugged = {CAMERA: cameras(), TRAY: ports()}
    changes: dict[str, bool | str | None] = {}
    changed = {name for name in ("network", "camera", "tray") if form.get(name) != form.get(f"{name}_shown")}
    if "network" in changed:
        opened = {"yes": True, "no": False}.get(form.get("network", ""))
        changes[NETWORK] = opened
        host = chosen.server.host
        if host and (opened is None or is_loopback(host) is opened):
            changes[HOST] = ""  # an address that says the opposite would overrule it
    for name, key in (("camera", CAMERA), ("tray", TRAY)):
        wanted = form.get(name, "")
        if name not in changed or wanted == _OTHER:
            continue
        if wanted not in {AUTO, OFF, *(one.value for one in plugged[key])}:
            raise WireError(say("That is not plugged in any more. Choose from the list."), name)
        changes[key] = wanted
    if changes:
        change_settings(_file(now.services), changes)
    return say("Kept. It holds from the next start: switch the kiosk off and on again.")


def _parts(now: Visit) -> dict[str, Any]:
    services = now.services
    if not now.who.local:
        return {"local": False}
    written = _in_file(services)
    chosen = written.settings
    overruled = [key for key in (NETWORK, HOST, CAMERA, TRAY) if services.config.origins.get(key) == OVERRIDE_ORIGIN]
    return {
        "local": True,
        **invitation(services, now.who),
        "settings_file": str(_file(services)),
        "network": _network(written),
        "network_choices": _NETWORK_CHOICES,
        "cameras": _choices(chosen.camera.source, cameras()),
        "trays": _choices(chosen.tray.url, ports()),
        "overruled": bool(overruled),
        **_backups(services),
    }


def _backups(services: Services) -> dict[str, Any]:
    """The last backup that can be seen, and whether a marked stick is plugged in."""
    keeper = services.backups
    plugged_in, newest = keeper.seen() if keeper is not None else (False, None)
    return {
        "backups": keeper is not None,
        "backup_stick": plugged_in,
        "last_backup": "" if newest is None else f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d %H:%M} UTC",
    }


def _choices(value: str, found: Iterable[Plugged]) -> dict[str, Any]:
    """The choices of one source, and which of them the file holds now."""
    listed = [*_USUAL, *((one.value, one.words) for one in found)]
    if value in dict(listed):
        return {"chosen": value, "all": listed}
    return {"chosen": _OTHER, "all": [*listed, (_OTHER, masked_address(value))]}


def _file(services: Services) -> Path:
    return services.config.path or settings_place()


def _network(written: Config) -> str:
    """Who can open the pages, as the file says."""
    if settled_by(written) is None:
        return "here"
    return "yes" if written.server.open_to_network else "no"


def _in_file(services: Services) -> Config:
    """The settings in the file; those in force if it cannot be used."""
    path = _file(services)
    try:
        return load_config(path if path.exists() else None)
    except ConfigError:
        return services.config

"""Who may do what: everything from the kiosk itself; from the network, what the table code and the gamemaster's allow.

Bound to this machine alone there is nobody else, and the Host header is checked so that no page of another site can
pretend to be ours. Once the owner opens the kiosk to the local network, reading stays free, changing things needs the
table code that the display shows, and the gamemaster's part a code of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import ipaddress
import json
import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from itsdangerous import BadSignature, URLSafeSerializer

from kiosk.config import is_loopback
from kiosk.errors import AccessError, NotGamemasterError, NotJoinedError, TooManyTriesError, system_words
from kiosk.ports import Clock
from kiosk.storage.replacing import replace_file
from rules.words import say

COOKIE: Final = "trueroll"
"""The cookie by which a device that has joined is known."""
FILE_NAME: Final = "access.json"
"""The file in the data folder that keeps the codes."""
ALPHABET: Final = "23456789CDFGHJKMNPQRTVWXY"
"""Letters and digits that cannot be taken for one another, and no vowels to make words of."""

JOIN_FIRST: Final = say("Join the table first: scan the code on the display, or type it in at /join.")
"""What a guest is told who would change something."""
TABLE_CODE_LENGTH: Final = 6
"""Characters of the code with which players join."""
GAMEMASTER_CODE_LENGTH: Final = 8
"""Characters of the gamemaster's code: longer, as it opens more."""
MINUTE: Final = 60.0
"""Seconds in which wrong codes are counted together."""
EVERYONE_TRIES: Final = 60
"""Wrong codes a minute from all addresses together; 25^6 codes then outlast any evening."""

MOST_ADDRESSES: Final = 1024
"""Addresses remembered for wrong codes."""


class AccessLevel(IntEnum):
    """What someone may do; each role may do what those before it may."""

    GUEST = 0
    PLAYER = 1
    GAMEMASTER = 2


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks: the role, and whether the request came from the kiosk itself."""

    role: AccessLevel
    local: bool

    @property
    def by(self) -> str:
        """The word under which the journal keeps this person's decisions."""
        return "kiosk" if self.local else self.role.name.lower()


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the kiosk keeps to itself in its data folder."""

    secret: str
    table_code: str
    gamemaster_code: str


class TryLimit:
    """Counts wrong codes a minute, by address and in all."""

    def __init__(self, monotonic: Callable[[], float], *, one_address: int, everyone: int = EVERYONE_TRIES) -> None:
        self._monotonic = monotonic
        self._one_address = one_address
        self._everyone = everyone
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque(maxlen=MOST_ADDRESSES)

    def require(self, address: str) -> None:
        """Raise `TooManyTriesError` while the limit is reached."""
        with self._lock:
            now = self._monotonic()
            while self._wrong and now - self._wrong[0][0] >= MINUTE:
                self._wrong.popleft()
            mine = [when for when, who in self._wrong if who == address]
            full = [mine[-self._one_address]] if len(mine) >= self._one_address else []
            if len(self._wrong) >= self._everyone:
                full.append(self._wrong[-self._everyone][0])
            if full:
                raise TooManyTriesError(max(1, round(max(full) + MINUTE - now)))

    def wrong(self, address: str) -> None:
        """Count one wrong code."""
        with self._lock:
            self._wrong.append((self._monotonic(), address))


class Access:
    """Decides who someone is and what they may do. `host` is the address that the kiosk listens on."""

    def __init__(
        self,
        kept: Secrets,
        clock: Clock,
        *,
        host: str = "127.0.0.1",
        open_to_network: bool = False,
        trust_this_machine: bool = True,
        wrong_codes_per_minute: int = 6,
        names: tuple[str, ...] = (),
    ) -> None:
        self._kept = kept
        self._open = open_to_network and not is_loopback(host)
        self._trust = trust_this_machine
        own = socket.gethostname().lower()
        self._names = frozenset({"localhost", own, f"{own}.local", *(name.lower() for name in names)})
        self._limit = TryLimit(clock.monotonic, one_address=wrong_codes_per_minute)
        self._cookies = URLSafeSerializer(
            kept.secret, salt="trueroll-join", signer_kwargs={"digest_method": hashlib.sha256}
        )

    @property
    def open_to_network(self) -> bool:
        """Whether others than this machine can reach the kiosk."""
        return self._open

    @property
    def table_code(self) -> str:
        """The code that the display shows."""
        return self._kept.table_code

    @property
    def gamemaster_code(self) -> str:
        """The gamemaster's code; show it on the kiosk itself only."""
        return self._kept.gamemaster_code

    def identify(self, address: str | None, cookie: str | None) -> Identity:
        """Who asks from `address` with `cookie`."""
        local = self._trust and address is not None and _is_own_address(address)
        if local:
            return Identity(AccessLevel.GAMEMASTER, local=True)
        return Identity(self._role_in(cookie), local=False)

    def require(self, identity: Identity, role: AccessLevel) -> None:
        """Raise `NotJoinedError` or `NotGamemasterError` where `identity` may not do what needs `role`."""
        if identity.role >= role:
            return
        if role is AccessLevel.PLAYER or identity.role is AccessLevel.GUEST:
            raise NotJoinedError(JOIN_FIRST)
        raise NotGamemasterError("Only the gamemaster can do this. Type in the gamemaster's code at /join.")

    def join(self, address: str, code: str, *, gamemaster: bool = False) -> str:
        """The cookie that a right code earns; raises `AccessError` for a wrong one, `TooManyTriesError` after many.

        Codes may be typed in small letters and with spaces or hyphens.
        """
        self._limit.require(address)
        wanted = self._kept.gamemaster_code if gamemaster else self._kept.table_code
        typed = "".join(one for one in code.upper() if one not in " -")
        if not hmac.compare_digest(typed.encode(), wanted.encode()):
            self._limit.wrong(address)
            raise AccessError(
                say("That is not the code. The kiosk itself shows it at /setup.")
                if gamemaster
                else say("That is not the code. The display shows it.")
            )
        role = AccessLevel.GAMEMASTER if gamemaster else AccessLevel.PLAYER
        return self._cookies.dumps({"role": role.value, "code": self._mark(role)})

    def host_allowed(self, host: str) -> bool:
        """Whether the Host header names this kiosk: another site's name that resolves to it does not."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name.rstrip(".") in self._names
        return self._open or address.is_loopback

    def origin_allowed(self, origin: str | None, host: str) -> bool:
        """Whether a page at `origin` may send to us: only our own pages, or a program that names no origin."""
        if origin is None:
            return True
        parts = urlsplit(origin)
        return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()

    def form_token(self, identity: Identity, cookie: str | None) -> str:
        """The token that our own forms carry, bound to the visitor's cookie.

        The kiosk's own browser needs no cookie; its token differs from what a guest of the network is given.
        """
        bound = f"form:{identity.local}:{cookie or ''}"
        return hmac.new(self._kept.secret.encode(), bound.encode(), hashlib.sha256).hexdigest()

    def form_token_right(self, token: str, identity: Identity, cookie: str | None) -> bool:
        """Whether a form came from one of our own pages."""
        return hmac.compare_digest(token.encode(), self.form_token(identity, cookie).encode())

    def join_address(self, port: int) -> str:
        """The address behind the QR code: this machine's own on the local network, with the table code."""
        return f"http://{_bracketed(own_network_address())}:{port}/join?code={quote(self.table_code)}"

    def _role_in(self, cookie: str | None) -> AccessLevel:
        if not cookie:
            return AccessLevel.GUEST
        try:
            held = self._cookies.loads(cookie)
            role = AccessLevel(held["role"])
            right = hmac.compare_digest(str(held["code"]), self._mark(role))
        except (BadSignature, KeyError, TypeError, ValueError):
            return AccessLevel.GUEST
        return role if right else AccessLevel.GUEST

    def _mark(self, role: AccessLevel) -> str:
        """Ties a cookie to the code it was given for, so that a new code ends old cookies."""
        code = self._kept.gamemaster_code if role is AccessLevel.GAMEMASTER else self._kept.table_code
        return hmac.new(self._kept.secret.encode(), code.encode(), hashlib.sha256).hexdigest()[:16]


def qr_svg(text: str, title: str) -> str:
    """`text` as a QR code in SVG called `title`, black on white with its quiet zone, sized by the page."""
    import segno  # noqa: PLC0415  # a kiosk that no phone joins has nothing to draw

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgclass="qr", lineclass=None, light="#fff", omitsize=True, title=title
    )
    return out.getvalue().decode().strip()


def load_secrets(folder: Path) -> Secrets:
    """The kiosk's secret and codes, made on first use and kept in `folder` for its owner alone.

    Raises `AccessError` for a file that cannot be used.
    """
    path = folder / FILE_NAME
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Secrets(str(kept["secret"]), str(kept["table_code"]), str(kept["gamemaster_code"]))
    except FileNotFoundError:
        return _make_secrets(path)
    except OSError as error:
        raise AccessError(
            say("{path} cannot be read: {why}. Check its permissions.", path=str(path), why=system_words(error))
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise AccessError(
            say("{path} is damaged. Remove it; new codes are made at the next start.", path=str(path))
        ) from error


def own_network_address() -> str:
    """This machine's address on the local network; 127.0.0.1 where it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


def _make_secrets(path: Path) -> Secrets:
    made = Secrets(secrets.token_urlsafe(32), _code(TABLE_CODE_LENGTH), _code(GAMEMASTER_CODE_LENGTH))
    body = json.dumps(
        {"secret": made.secret, "table_code": made.table_code, "gamemaster_code": made.gamemaster_code}, indent=2
    )
    try:
        replace_file(path, f"{body}\n".encode())
    except OSError as error:
        why = system_words(error)
        raise AccessError(
            say("{path} cannot be written: {why}. Choose another folder with --data.", path=str(path), why=why)
        ) from error
    return made


def _code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _is_own_address(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address

"""Who may do what: everything from the kiosk itself; from the network, what the table code and the gamemaster's allow.

Bound to this machine alone there is nobody else, and the Host header is checked so that no page of another site can
pretend to be ours. Once the owner opens the kiosk to the local network, reading stays free. Changing things needs the
table code that the display shows, and the gamemaster's part a code of its own. Whoever joins becomes a person, whom a
signed cookie names from then on. At the kiosk itself the gamemaster's part asks for a PIN once the table has set one.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import ipaddress
import json
import logging
import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote, urlsplit

from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import Meta

from kiosk.config import is_loopback
from kiosk.errors import (
    AccessError,
    NotGamemasterError,
    NotJoinedError,
    PinNeededError,
    TooManyTriesError,
    system_words,
)
from kiosk.ports import Clock
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.persons import Persons
from kiosk.storage.replacing import replace_file
from kiosk.web.door import came_by_proxy, network_of
from rules.words import say

log = logging.getLogger(__name__)

COOKIE: Final = "trueroll"
"""The cookie by which a person's device is known."""
PIN_COOKIE: Final = "trueroll_pin"
"""The cookie of a browser at the kiosk itself into which the PIN was typed."""
PROXY: Final = "proxy"
"""The part under which a proxy is reported that would pass for the kiosk itself."""
FILE_NAME: Final = "access.json"
"""The file in the data folder that keeps the codes."""
ALPHABET: Final = "23456789CDFGHJKMNPQRTVWXY"
"""Letters and digits that cannot be taken for one another, and no vowels to make words of."""

JOIN_FIRST: Final = say("Join the table first: scan the code on the display, or type it in at /join.")
"""The refusal for a guest who wants to change something."""
SENT_AWAY: Final = say("You were sent away from the table. To play again, join with the table's code at /join.")
"""The refusal for somebody who was sent away and wants to change something."""
TYPE_PIN: Final = say("This is the gamemaster's part. Type in the table's PIN first.")
"""The refusal at the kiosk itself while the PIN is needed."""
PIN_LENGTHS: Final = range(4, 9)
"""How many digits a PIN has."""
PIN_SECONDS: Final = 30 * 60.0
"""How long the gamemaster's part stays open at the kiosk itself once the PIN was typed in."""
PAGE_SECONDS: Final = 60.0
"""How long the panel's buttons stay open after the last word of a page of the browser into which the PIN was typed."""
MOST_UNLOCKED: Final = 16
"""Browsers at the kiosk itself that are open at once."""
TABLE_CODE_LENGTH: Final = 6
"""Characters of the code with which players join."""
GAMEMASTER_CODE_LENGTH: Final = 8
"""Characters of the gamemaster's code: longer, as it opens more."""
MINUTE: Final = 60.0
"""Seconds in which wrong codes are counted together."""
EVERYONE_TRIES: Final = 60
"""Most wrong codes a minute from all addresses together, so that 25^6 codes outlast any evening."""

MOST_ADDRESSES: Final = 1024
"""Addresses remembered for wrong codes."""


Code = Annotated[str, Meta(min_length=1)]
"""A code or a secret; an empty one would let everybody in."""


class AccessLevel(IntEnum):
    """What someone may do; each role may do what those before it may."""

    GUEST = 0
    PLAYER = 1
    GAMEMASTER = 2


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks: the role, whether the request came from the kiosk itself, and which person, where it is one.

    `locked`: at the kiosk itself, before the PIN. `sent_away`: the person was, and is a guest since.
    """

    role: AccessLevel
    local: bool
    person: str = ""
    locked: bool = False
    sent_away: bool = False

    @property
    def by(self) -> str:
        """The word under which the journal keeps this person's decisions."""
        return "kiosk" if self.local else self.role.name.lower()


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the kiosk keeps to itself in its data folder; `pin` is a mark of the PIN, empty where none is set."""

    secret: Code
    table_code: Code
    gamemaster_code: Code
    pin: str = ""


@dataclass(slots=True)
class _Opening:
    """A browser into which the PIN was typed: open `until` then, last `heard` at, with so many live `pages` now."""

    until: float
    heard: float
    pages: int = 0


class TryLimit:
    """Counts wrong codes a minute, by address and in all; those at the kiosk itself by themselves.

    Else strangers could keep the gamemaster from typing in the PIN there.
    """

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
            address = network_of(address)
            mine = [when for when, who in self._wrong if who == address]
            full = [mine[-self._one_address]] if len(mine) >= self._one_address else []
            others = [when for when, who in self._wrong if not _is_own_address(who)]
            if len(others) >= self._everyone and not _is_own_address(address):
                full.append(others[-self._everyone])
            if full:
                raise TooManyTriesError(max(1, round(max(full) + MINUTE - now)))

    def wrong(self, address: str) -> None:
        """Count one wrong code. The log has once in each minute who has too many, so that the owner finds them."""
        with self._lock:
            who = network_of(address)
            self._wrong.append((self._monotonic(), who))
            full = sum(one == who for _, one in self._wrong) == self._one_address
        if full:
            log.warning("Too many wrong codes or PINs from %s: none is taken from there for a minute.", who)


class Access:
    """Decides who someone is and what they may do. `host` is the address that the kiosk listens on.

    `address` is where phones are sent, if not to the kiosk itself. `keep` writes changed codes down; it raises
    `AccessError` where it cannot. `noticed` is called once where a proxy on this machine turns out to pass requests on.
    """

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
        address: str = "",
        persons: Persons | None = None,
        keep: Callable[[Secrets], None] = lambda _: None,
        noticed: Callable[[], None] = lambda: None,
    ) -> None:
        self._kept = kept
        self._keep = keep
        self._monotonic = clock.monotonic
        self._lock = threading.Lock()
        self._unlocked: dict[str, _Opening] = {}
        self._dialled = ""
        self._heard: dict[str, float] = {}
        self.persons = persons if persons is not None else Persons()
        self.open_to_network = open_to_network and not is_loopback(host)
        """Whether other machines can reach the kiosk; `Network` changes it while the kiosk runs."""
        self.locks = 0
        """How often the gamemaster's part was locked: pages that were made before look whether they are."""
        self._tell_locked: Callable[[], None] = lambda: None
        self._trust = trust_this_machine
        own = socket.gethostname().lower()
        self._address = address
        proxy = urlsplit(address).hostname
        called = (*names, proxy) if proxy else names
        self._names = frozenset({"localhost", own, f"{own}.local", *(name.lower() for name in called)})
        self._proxy = proxy or ""
        self._noticed = noticed
        self._proxied = False
        self._limit = TryLimit(clock.monotonic, one_address=wrong_codes_per_minute)
        self._cookies = URLSafeSerializer(
            kept.secret, salt="trueroll-join", signer_kwargs={"digest_method": hashlib.sha256}
        )

    @property
    def table_code(self) -> str:
        """The code that the display shows."""
        return self._kept.table_code

    @property
    def gamemaster_code(self) -> str:
        """The gamemaster's code; show it on the kiosk itself only."""
        return self._kept.gamemaster_code

    @property
    def has_pin(self) -> bool:
        """Whether the table has set a PIN."""
        return bool(self._kept.pin)

    def sender(self, address: str | None, headers: Mapping[str, str], version: str = "1.1") -> str | None:
        """The address that a request counts as sent from: none where a proxy on this machine passed it on.

        `headers` and `version` as `door.came_by_proxy` has them. Whoever comes that way is no more trusted than in the
        network.
        """
        if not self._trust or address is None or not _is_own_address(address):
            return address
        if not came_by_proxy(version, headers, self._is_own_name, self._has_pages_at):
            return address
        with self._lock:
            first, self._proxied = not self._proxied, True
        if first:
            self._noticed()
        return None

    def _is_own_name(self, host: str) -> bool:
        """Whether a browser on this machine may have used that host name: any but the proxy's or another address."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return True  # no name at all, which is refused anyway
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name.rstrip(".") != self._proxy

    def _has_pages_at(self, host: str) -> bool:
        """Whether a browser on this machine gets our pages by that host name, without a proxy."""
        return self.host_allowed(host) and self._is_own_name(host)

    def identify(
        self, address: str | None, cookie: str | None, pin_cookie: str | None = None, *, program: bool = False
    ) -> Identity:
        """Who asks from `address`, as of `sender`, with `cookie`.

        At the kiosk itself that is a gamemaster, or while a PIN is set whoever has typed it in. A `program` there needs
        none as long as nobody else can reach the kiosk.
        """
        found = self._person_in(cookie)
        person = self.persons.find(found) if found else None
        here = person.person_id if person is not None and person.here else ""
        if here:
            self._heard[here] = self._monotonic()
        if self._is_here(address):
            self.page_lives(pin_cookie, 0)
            locked = self.has_pin and not (program and not self.open_to_network) and not self._is_unlocked(pin_cookie)
            role = AccessLevel.PLAYER if locked else AccessLevel.GAMEMASTER
            return Identity(role, local=True, person=here, locked=locked)
        if person is None:
            return Identity(AccessLevel.GUEST, local=False)
        if not here:
            return Identity(AccessLevel.GUEST, local=False, sent_away=True)
        return Identity(AccessLevel[person.part.upper()], local=False, person=here)

    def hear(self, person_id: str) -> None:
        """Note that the device of that person was there until now; nothing for anybody else."""
        if self.persons.find(person_id) is not None:
            self._heard[person_id] = self._monotonic()

    def silent(self, person_id: str) -> float | None:
        """For how many seconds nobody was heard of as that person; None if nobody was since the kiosk started."""
        heard = self._heard.get(person_id)
        return None if heard is None else self._monotonic() - heard

    def keep_again(self) -> None:
        """Write the codes to disk again. Raises `AccessError`."""
        with self._lock:  # else it may write the old codes after new ones
            self._keep(self._kept)

    def require(self, identity: Identity, role: AccessLevel) -> None:
        """Raise an `AccessError` if `identity` lacks `role`; its class says what is lacking."""
        if identity.role >= role:
            return
        if identity.locked:
            raise PinNeededError(TYPE_PIN)
        if role is AccessLevel.PLAYER or identity.role is AccessLevel.GUEST:
            raise NotJoinedError(SENT_AWAY if identity.sent_away else JOIN_FIRST)
        raise NotGamemasterError("Only the gamemaster can do this. Type in the gamemaster's code at /join.")

    def join(
        self, address: str, code: str, *, gamemaster: bool = False, cookie: str | None = None, name: str = ""
    ) -> str:
        """The cookie for a right code, of the person whom `cookie` names or of somebody new.

        Raises `AccessError` for a wrong one, `TooManyTriesError` after many. Codes may be typed in small letters and
        with spaces or hyphens.
        """
        self._limit.require(address)
        wanted = self._kept.gamemaster_code if gamemaster else self._kept.table_code
        typed = "".join(one for one in code.upper() if one not in " -")
        if not hmac.compare_digest(typed.encode(), wanted.encode()):
            self._limit.wrong(address)
            raise AccessError(
                say("That is not the code. The kiosk itself shows it under Set up.")
                if gamemaster
                else say("That is not the table's code now. Scan the one on the display, or type it in.")
            )
        person = self.persons.join(
            self._person_in(cookie), "gamemaster" if gamemaster else "player", name, at_kiosk=self._is_here(address)
        )
        self._heard[person.person_id] = self._monotonic()
        return self._cookie_of(person.person_id)

    def waits(self, address: str) -> int:
        """For how many seconds no code and no PIN is taken from there; 0 if they are."""
        try:
            self._limit.require(address)
        except TooManyTriesError as error:
            return error.retry_after
        return 0

    def settle_in(self, identity: Identity) -> tuple[str, str | None]:
        """The person who asks, with a cookie if one had to be made for a browser at the kiosk itself."""
        if identity.person:
            return identity.person, None
        made = self.persons.join("", "player", at_kiosk=identity.local)
        self._heard[made.person_id] = self._monotonic()
        return made.person_id, self._cookie_of(made.person_id)

    def renew_code(self, *, gamemaster: bool) -> None:
        """Replace the table's or the gamemaster's code; people who joined stay. Raises `AccessError`."""
        with self._lock:
            if gamemaster:
                self._change(replace(self._kept, gamemaster_code=_code(GAMEMASTER_CODE_LENGTH)))
            else:
                self._change(replace(self._kept, table_code=_code(TABLE_CODE_LENGTH)))

    def set_pin(self, pin: str) -> None:
        """Set the PIN for the kiosk itself; an empty one removes it. Raises `AccessError`."""
        if pin and not (pin.isascii() and pin.isdecimal() and len(pin) in PIN_LENGTHS):
            least, most = PIN_LENGTHS[0], PIN_LENGTHS[-1]
            raise AccessError(say("A PIN has {least} to {most} digits.", least=least, most=most))
        with self._lock:
            self._close()
            self._change(replace(self._kept, pin=self._pin_mark(pin) if pin else ""))
        self._tell_locked()

    def unlock(self, address: str, pin: str, pin_cookie: str | None = None) -> str:
        """The cookie for the right PIN, valid for a while, in place of the one that the browser had.

        Raises `AccessError`, also for whoever is not at the kiosk itself, and `TooManyTriesError` after many.
        """
        self._require_here(address)
        return self._opened(address, pin, pin_cookie or "")

    def unlock_buttons(self, pin: str) -> None:
        """Open the gamemaster's part for the panel's buttons and keys, by the PIN that was dialled with them.

        Raises as `unlock` does for a wrong one.
        """
        self._dialled = self._opened("127.0.0.1", pin, self._dialled)

    @property
    def dialled(self) -> bool:
        """Whether the gamemaster's part is open by a PIN that was dialled with the panel's buttons."""
        return self._is_unlocked(self._dialled)

    def _opened(self, address: str, pin: str, before: str) -> str:
        """A new token for the right PIN, in place of the one `before`."""
        if not self.has_pin:
            raise AccessError(say("This table has set no PIN: the gamemaster's part is open at the kiosk itself."))
        self._limit.require(address)
        if not hmac.compare_digest(self._pin_mark(pin.strip()), self._kept.pin):
            self._limit.wrong(address)
            raise AccessError(say("That is not the PIN. The gamemaster knows it."))
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._unlocked.pop(before, None)
            open_still = sorted(self._unlocked.items(), key=lambda one: one[1].until)[1 - MOST_UNLOCKED :]
            now = self._monotonic()
            self._unlocked = {**dict(open_still), token: _Opening(now + PIN_SECONDS, now)}
        return token

    def page_lives(self, pin_cookie: str | None, more: int) -> None:
        """Note that a page of the browser with that cookie asks now; so many `more` of its pages are live since."""
        with self._lock:
            if (found := self._unlocked.get(pin_cookie or "")) is not None:
                found.heard, found.pages = self._monotonic(), found.pages + more

    def locked_here(self) -> bool:
        """Whether the gamemaster's part is closed for the panel's buttons.

        They are open by a PIN that was dialled with them, or as long as a browser that is open has a page that lives.
        """
        with self._lock:
            now, since = self._monotonic(), self._monotonic() - PAGE_SECONDS
            return self.has_pin and not any(
                one.until > now and (one.pages > 0 or one.heard > since or token == self._dialled)
                for token, one in self._unlocked.items()
            )

    def lock(self, address: str) -> None:
        """Ask for the PIN again in each browser at the kiosk itself, and for the panel's buttons.

        Raises `AccessError` for whoever is not there.
        """
        self._require_here(address)
        self.lock_all()

    def lock_all(self) -> None:
        """Ask for the PIN again in each browser at the kiosk itself, and for the panel's buttons."""
        with self._lock:
            self._close()
        self._tell_locked()

    def when_locked(self, tell: Callable[[], None]) -> None:
        """Have `tell` called each time that browsers which were open may be locked."""
        self._tell_locked = tell

    def _close(self) -> None:
        """Called with the lock held."""
        self._unlocked.clear()
        self.locks += 1

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
        return self.open_to_network or address.is_loopback

    def origin_allowed(self, origin: str | None, host: str) -> bool:
        """Whether a page at `origin` may send to us: only our own pages, or a program that names no origin."""
        if origin is None:
            return True
        parts = urlsplit(origin)
        return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()

    def form_token(self, identity: Identity, cookie: str | None) -> str:
        """The token that our own forms carry, bound to the visitor's cookie.

        The kiosk's own browser needs no cookie and may be given one at any time; its token differs from what a guest of
        the network is given.
        """
        bound = f"form:{identity.local}:{'' if identity.local else cookie or ''}"
        return hmac.new(self._kept.secret.encode(), bound.encode(), hashlib.sha256).hexdigest()

    def form_token_right(self, token: str, identity: Identity, cookie: str | None) -> bool:
        """Whether a form came from one of our own pages."""
        return hmac.compare_digest(token.encode(), self.form_token(identity, cookie).encode())

    def join_address(self, port: int) -> str:
        """The address behind the QR code: the owner's proxy, else this machine on the local network; with the code."""
        place = self._address or f"http://{_bracketed(own_network_address())}:{port}"
        return f"{place}/join?code={quote(self.table_code)}"

    def _person_in(self, cookie: str | None) -> str:
        """The id in a cookie of this kiosk; empty in any other."""
        if not cookie:
            return ""
        try:
            return str(self._cookies.loads(cookie)["person"])
        except (BadSignature, KeyError, TypeError, ValueError):
            return ""

    def _cookie_of(self, person_id: str) -> str:
        return str(self._cookies.dumps({"person": person_id}))

    def _is_here(self, address: str | None) -> bool:
        """Whether a request from `address`, as of `sender`, is one of the kiosk itself."""
        return self._trust and address is not None and _is_own_address(address)

    def _require_here(self, address: str) -> None:
        if not self._is_here(address):
            raise AccessError(
                say("The PIN is for the kiosk's own screen. The gamemaster's device joins with the gamemaster's code.")
            )

    def _is_unlocked(self, pin_cookie: str | None) -> bool:
        found = self._unlocked.get(pin_cookie or "")
        return found is not None and found.until > self._monotonic()

    def _pin_mark(self, pin: str) -> str:
        return hmac.new(self._kept.secret.encode(), f"pin:{pin}".encode(), hashlib.sha256).hexdigest()

    def _change(self, kept: Secrets) -> None:
        self._keep(kept)
        self._kept = kept


def qr_svg(text: str, title: str) -> str:
    """`text` as a QR code in SVG called `title`, black on white with its quiet zone, sized by the page."""
    import segno  # noqa: PLC0415  # a kiosk that no phone joins has nothing to draw

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgclass="qr", lineclass=None, light="#fff", omitsize=True, title=title
    )
    return out.getvalue().decode().strip()


def load_secrets(folder: Path, tell: Tell = None) -> Secrets:
    """The kiosk's secret and codes, made on first use and kept in `folder` for its owner alone.

    A file that cannot be used costs the codes that were in it: `tell` is called with what happened, and a damaged one
    is kept under another name. One that cannot be written costs that new codes are kept, until `Access.keep_again`.
    """
    found = read_kept(folder / FILE_NAME, Secrets, tell)
    if found is not None:
        return found
    made = Secrets(secrets.token_urlsafe(32), _code(TABLE_CODE_LENGTH), _code(GAMEMASTER_CODE_LENGTH))
    try:
        if not (folder / FILE_NAME).exists():  # else it is one that cannot be read now
            keep_secrets(folder, made)
    except (AccessError, OSError) as error:
        log.warning("The codes hold until the next start only: %s", error)
    return made


def own_network_address() -> str:
    """This machine's address on the local network; 127.0.0.1 where it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


def keep_secrets(folder: Path, kept: Secrets) -> None:
    """Write them into `folder`, for its owner alone. Raises `AccessError` if that fails."""
    path = folder / FILE_NAME
    try:
        replace_file(path, f"{json.dumps(asdict(kept), indent=2)}\n".encode())
    except OSError as error:
        why = system_words(error)
        raise AccessError(
            say(
                "{path} cannot be written: {why}. Nothing was changed; mend that, and try again.",
                path=str(path),
                why=why,
            )
        ) from error


def _code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


@lru_cache(maxsize=64)  # each request asks several times
def _is_own_address(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address

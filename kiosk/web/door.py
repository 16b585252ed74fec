"""Decides who gets a place while many ask: limits on connections, request time and threads.

The kiosk itself, the gamemaster, whoever has joined and strangers are each answered by threads of their own: a stranger
can take only what strangers have. Connections are limited by address. A new connection is always accepted, and the
least useful one is closed: behind one router a table's phones have the same address as whoever else is there, and a
refusal would hit them. An address of IPv6 counts by its network of 64 bits.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import urlsplit

from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import Error

from kiosk.config import is_loopback
from kiosk.errors import KioskError
from kiosk.hub import MOST_LIVE, KeptPlace

CONNECTIONS: Final = 512
"""Connections from the network at once; those of the kiosk itself come on top. A process may have 1024 files open."""

FROM_ONE: Final = 128
"""Connections from one address of the network: a browser keeps six, and a table may sit behind one router."""

HEADER_SECONDS: Final = 10.0
"""The longest that the headers of a request may take to arrive."""

BODY_BYTES_A_SECOND: Final = 16_000
"""The slowest speed for a body, which sets its time limit; far below that of any phone."""

STALL_SECONDS: Final = 30.0
"""The longest that a client may read nothing of an answer."""

LIVE: Final = "/api/v1/events"
"""The address of live pages, each of which keeps a thread."""
LINE: Final = "trueroll.line"
"""The name in a request's environment of what sends more of its answer from any thread: see `server.LiveTask.send`."""
HEALTH: Final = "/healthz"
"""The address at which the kiosk asks itself whether it answers, by a line of its own: see `WebServer.own_line`."""

THREADS: Final = {KeptPlace.KIOSK: 12, KeptPlace.GAMEMASTER: 6, KeptPlace.TABLE: 10, KeptPlace.GUEST: 3}
"""Requests answered at once, beside live pages."""
SPARE: Final = 2
"""Threads beside those of live pages, for refusing one too many."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose request it is: the kind of place and the person; `who` is empty if persons are not distinguished."""

    place: KeptPlace
    who: str = ""


Knows = Callable[[str | None, str | None], Caller]
"""Determines by address and cookie whose request it is."""


def network_of(address: str) -> str:
    """The address under which somebody is counted: of IPv6 the network of 64 bits, as one device has all of it."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def by_address(address: str | None, _cookie: str | None) -> Caller:
    """Knows this machine alone."""
    try:
        here = address is not None and ipaddress.ip_address(address).is_loopback
    except ValueError:
        here = False
    return Caller(KeptPlace.KIOSK) if here else Caller(KeptPlace.GUEST, network_of(address or ""))


PROXY_HEADERS: Final = frozenset(
    {
        "FORWARDED",
        "VIA",
        "X_FORWARDED_FOR",
        "X_FORWARDED_HOST",
        "X_FORWARDED_PROTO",
        "X_REAL_IP",
    }
)
"""Headers that proxies add (RFC 7239, RFC 9110, and common ones), with names as waitress writes them."""


OLD_VERSION: Final = "1.0"
"""The HTTP version that nginx uses by default as a proxy, and no browser or program of today."""


def came_by_proxy(
    version: str, headers: Mapping[str, str], own_names: Callable[[str], bool], own_pages: Callable[[str], bool]
) -> bool:
    """Whether a proxy passed a request on: it says so, or the request names another host than this machine.

    `version` is that of HTTP, and `headers` are by name as waitress has them: capitals, an underscore for a hyphen.
    `own_names` tells by which names this machine may be asked for, `own_pages` by which it has pages of ours.

    A proxy may add nothing, change the name and use the present version. Then only the page that a browser comes from
    shows it. The browser must say that both are of one site; at a loopback address silence means the same, because
    there it would name another site. Without a page, or with a false one, such a proxy is not recognised.
    """
    if version == OLD_VERSION or not PROXY_HEADERS.isdisjoint(headers):
        return True
    host = headers.get("HOST", "")
    if host and not own_names(host):
        return True
    try:
        page, name = urlsplit(headers.get("REFERER", "")).netloc, urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    # For a name over plain http browsers leave it out: there a link of another site would count.
    site = headers.get("SEC_FETCH_SITE", "same-origin" if is_loopback(name) else "")
    return site == "same-origin" and page not in {"", host} and not own_pages(page)


class NetworkLine(Protocol):
    """The facts about a connection that decide which one is closed."""

    caller: Caller
    """Who has it, by its newest request."""
    network: str
    """The address that it counts towards; empty if none."""
    asked: float
    """When its newest request was whole, on the monotonic clock; when it was made, where there was none yet."""
    has_asked: bool

    @property
    def busy(self) -> bool:
        """Whether a request of it is being answered."""


_Line = TypeVar("_Line", bound=NetworkLine)


def _use(one: NetworkLine) -> tuple[bool, bool, float]:
    return one.caller.place is not KeptPlace.GUEST, one.has_asked, one.asked


def in_the_way(present: Iterable[_Line], network: str) -> tuple[bool, _Line | None]:
    """Whether a connection from `network` may come, and which other one is closed for it.

    The one that goes is of that address where it has as many as one may have, else of the address with the most. It is
    one that is not being answered: first of strangers, first one that never asked, first the oldest.
    """
    counted = [one for one in present if one.caller.place is not KeptPlace.KIOSK]
    mine = [one for one in counted if network and one.network == network]
    if len(mine) >= FROM_ONE:
        idle = [one for one in mine if not one.busy]
    elif len(counted) < CONNECTIONS:
        return True, None
    else:
        many = Counter(one.network for one in counted if not one.busy)
        greediest = many.most_common(1)[0][0] if many else ""
        idle = [one for one in counted if not one.busy and one.network == greediest]
    victim = min(idle, key=_use, default=None)
    return victim is not None, victim


class _Pool(ThreadedTaskDispatcher):
    """Threads started on demand, up to `most`."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add_task(self, task: Any) -> None:  # noqa: ANN401 - of waitress
        known: Any = self
        if len(known.threads) < self._most and known.active_count + len(known.queue) >= len(known.threads):
            self.set_thread_count(len(known.threads) + 1)
        super().add_task(task)


Full = Callable[[Caller], KioskError | None]
"""Why somebody can have no live page now; None if they can."""


def never_full(_caller: Caller) -> None:
    """Has a live page for everybody."""


class TurnedAwayError(Error):
    """The error of a request for which the kiosk has no place: the application never sees it."""

    def __init__(self, why: KioskError) -> None:
        super().__init__(str(why))
        self.why = why


class Pools(ThreadedTaskDispatcher):
    """Answers requests with the threads of the requester's kind.

    A live page more than are kept for its kind is refused at once, which costs next to nothing.
    """

    def __init__(self, full: Full = never_full) -> None:
        super().__init__()
        self._full = full
        self._live = {place: _Pool(most + SPARE) for place, most in MOST_LIVE.items()}
        self._asked = {place: _Pool(most) for place, most in THREADS.items()}
        self._health = _Pool(1)
        self._own = _Pool(1)
        self._refused = _Pool(SPARE)

    def add_task(self, channel: Any) -> None:  # noqa: ANN401 - of waitress
        """Answer the channel's next request soon."""
        wanted = channel.requests[0]
        caller = channel.know(wanted)
        place = caller.place
        live = wanted.error is None and wanted.path == LIVE and wanted.command == "GET"
        if live and (why := self._full(caller)) is not None:
            wanted.error = TurnedAwayError(why)
        if wanted.error is not None:
            self._refused.add_task(channel)
        elif wanted.path == LIVE:
            self._live[place].add_task(channel)
        elif wanted.path == HEALTH and place is KeptPlace.KIOSK:
            (self._own if channel.own else self._health).add_task(channel)
        else:
            self._asked[place].add_task(channel)

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:  # noqa: FBT001, FBT002 - of waitress
        """End all threads, together within `timeout` seconds."""
        pools = (*self._live.values(), *self._asked.values(), self._health, self._own, self._refused)
        going = [
            threading.Thread(target=one.shutdown, args=(cancel_pending, timeout), daemon=True)
            for one in pools
            if getattr(one, "threads")  # noqa: B009 - the stubs leave it out
        ]
        for one in going:
            one.start()
        for one in going:
            one.join()
        return True

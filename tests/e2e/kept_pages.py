"""Pages of the browser that are used again by the next test: a new one costs as much as what most tests do with it.

A page that is handed back has no cookie, keeps nothing, intercepts nothing and calls nobody: what a test may do with it
is taken back here, and what cannot be taken back is refused. Only what the kiosk lets a browser keep for good stays:
styles, scripts and fonts. So the kiosks of one worker, one after the other, have one port.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error

NOT_TAKEN_BACK: Final = ("add_init_script", "expose_function", "expose_binding", "emulate_media")
"""What would reach into the next test. Who needs it asks for a browser of its own: `open_page(..., alone=True)`."""

ALL_TIME: Final = "cookies,local_storage,indexeddb,cache_storage,service_workers"


def _refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("This reaches into the tests that follow: open the page with alone=True.")


class KeptPage:
    """A page with what has to be undone before another test has it."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page = context.new_page()
        self._tools: CDPSession = context.new_cdp_session(self.page)
        self._listeners: list[tuple[Any, Callable[..., Any]]] = []
        listen, once = self.page.on, self.page.once

        def on(event: Any, listener: Callable[..., Any]) -> None:  # noqa: ANN401 - Playwright's own names of events
            self._listeners.append((event, listener))
            listen(event, listener)

        def on_once(event: Any, listener: Callable[..., Any]) -> None:  # noqa: ANN401 - likewise
            self._listeners.append((event, listener))
            once(event, listener)

        own: Any = self.page
        own.on, own.once = on, on_once
        for name in NOT_TAKEN_BACK:
            setattr(own, name, _refuse)
        for name in NOT_TAKEN_BACK[:3]:
            setattr(context, name, _refuse)

    def take_back(self, origin: str) -> bool:
        """Make it as good as new after pages of `origin`. False where that fails: then it is to be closed."""
        with suppress(Error):
            for other in self.context.pages:
                if other is not self.page:
                    other.close()
            for event, listener in self._listeners:
                with suppress(KeyError):  # it was for one time, and has been called
                    self.page.remove_listener(event, listener)
            self._listeners.clear()
            self.page.unroute_all(behavior="ignoreErrors")
            self.context.unroute_all(behavior="ignoreErrors")
            self.context.set_offline(False)
            self.page.mouse.move(-1, -1)
            self.page.goto(f"{origin}/static/favicon.svg")  # nothing runs there, and the renderer goes on
            self._tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": ALL_TIME})
            for local in (True, False):
                self._tools.send("DOMStorage.clear", {"storageId": {"securityOrigin": origin, "isLocalStorage": local}})
            self.context.clear_cookies()
            self.context.clear_permissions()
            return not self.page.is_closed()
        return False


class KeptPages:
    """Pages that are at rest, by what their contexts were made with."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._at_rest: dict[str, list[KeptPage]] = defaultdict(list)
        self._lent: dict[KeptPage, str] = {}

    def lend(self, width: int, height: int, wanted: dict[str, Any]) -> KeptPage:
        """A page of that size in a context made with `wanted`."""
        key = repr(sorted(wanted.items()))
        size: Any = {"width": width, "height": height}
        if self._at_rest[key]:
            kept = self._at_rest[key].pop()
            if kept.page.viewport_size != size:
                kept.page.set_viewport_size(size)
        else:
            kept = KeptPage(self._browser.new_context(viewport=size, **wanted))
        self._lent[kept] = key
        return kept

    def hand_back(self, kept: KeptPage, origin: str) -> None:
        """The test that had it showed pages of `origin`."""
        key = self._lent.pop(kept)
        if kept.take_back(origin):
            self._at_rest[key].append(kept)
        else:
            kept.context.close()

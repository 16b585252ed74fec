"""Answers that come late: held back by a test, and let go when something newer has overtaken them."""

from __future__ import annotations

from playwright.sync_api import Page, Route

from tests.e2e.program import until

_COUNT_READ = """() => {
  window.read = 0;
  const ask = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await ask(...asked);
    const whole = answer.text.bind(answer);
    answer.text = async () => {
      const text = await whole();
      setTimeout(() => { window.read += 1; }); // after what waits for the text has painted it
      return text;
    };
    return answer;
  };
}"""


class Late:
    """Holds back the first answer that the scripts of `page` ask for from now on at an address of `pattern`."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._held: list[Route] = []
        page.evaluate(_COUNT_READ)
        page.route(pattern, lambda route: self._held.append(route) if not self._held else route.continue_())

    def asked(self) -> Route:
        """The request that is held back, once it was made."""

        def come() -> bool:
            self._page.wait_for_timeout(20)  # lets Playwright hear of it
            return bool(self._held)

        until(come)
        return self._held[0]

    def let_go(self, route: Route, **answer: object) -> None:
        """Answers it, and returns when the page has read the answer and done with it what it does."""
        read = self._page.evaluate("window.read")
        if answer:
            route.fulfill(**answer)  # type: ignore[arg-type]  # Playwright's own names
        else:
            route.continue_()
        self._page.wait_for_function("read => window.read > read", arg=read, polling=50)

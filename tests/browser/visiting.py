"""A page in a browser, and all that goes wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Response, Route

PAGES = [
    "index.html",
    "claims/index.html",
    "claims/S1.html",
    "claims/S4.html",
    "scenarios/index.html",
    "scenarios/primes.html",
    "scenarios/blocking_server.html",
    "machines/fixture-host.html",
    "builds/cpython-3.13.1.html",
    "data.html",
    "data-fields.html",
    "data-problems.html",
    "method.html",
    "articles/start-here.html",
    "articles/a-server-that-blocks.html",
    "articles/latency-the-heartbeat-and-the-queue.html",
    "articles/the-gil-and-free-threading.html",
    "scenarios/heartbeat.html",
    "scenarios/queue_depth.html",
    "glossary.html",
    "use-the-data.html",
]
"""Of each kind one, and those that hold what no other holds."""


def hold(page: Page, pattern: str) -> list[Route]:
    """Hold back what is asked for by *pattern*; it goes on as the test says."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(pattern, keep)
    return held


class Visit:
    """One page in one surrounding, and all that went wrong in it."""

    def __init__(self, browser: Browser, site: str, **surroundings: Any) -> None:  # noqa: ANN401 - Playwright's own
        self.site = site
        self.context = browser.new_context(**surroundings)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on("response", self._see)

    def _hear(self, told: ConsoleMessage) -> None:
        if told.type in {"error", "warning"}:
            self.complaints.append(told.text)

    def _see(self, answer: Response) -> None:
        if answer.status >= 400:
            self.complaints.append(answer.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.context.close()

    def open(self, path: str) -> Page:
        self.page.goto(urljoin(self.site, path), wait_until="load")
        return self.page

    def foreign(self) -> list[str]:
        return [url for url in self.requested if not url.startswith((self.site, "data:", "blob:"))]

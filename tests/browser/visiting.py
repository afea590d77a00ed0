"""A page in a browser, and all that goes wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Response

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
]
"""One of each kind."""


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

"""A page in a browser, and all that goes wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Response, Route, ViewportSize

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
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
DRAWN = '.chart__area[data-state="drawn"]'
INK = f"[...document.querySelectorAll('{DRAWN}')].find((one) => one.offsetParent).layout.template.layout.font.color"
"""What the first drawn chart that is shown writes with."""


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"form.filters select[name={name}]").select_option(value)


def families(place: Locator) -> set[str]:
    """Wait until the page's filter holds, and return the families whose rows are shown in *place*."""
    place.page.wait_for_function(
        "() => (document.documentElement.dataset.family ?? '') === document.querySelector('[name=family]').value"
    )
    marks = place.locator("table tbody tr:visible .mark")
    return {*marks.evaluate_all("all => all.map((one) => one.className.match(/family-([a-z]+)/)[1])")}


def open_card(page: Page) -> Locator:
    """Open the card of the first square that is shown."""
    page.locator("a.square:visible").first.click()
    card = page.get_by_role("dialog", name="Verdict")
    card.wait_for()
    return card


def come_to_chart(place: Page | Locator) -> Locator:
    """Scroll to the first chart that is shown in *place*."""
    chart = place.locator(".chart__area:visible").first
    chart.scroll_into_view_if_needed()
    return chart


def drawn_chart(place: Page | Locator) -> Locator:
    """Scroll to the first chart that is shown in *place*, and wait until it is drawn."""
    chart = come_to_chart(place)
    chart.and_(place.locator(DRAWN)).wait_for()
    return chart


def hold(page: Page, pattern: str) -> list[Route]:
    """Hold back what is asked for by *pattern*; it goes on as the test says."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no built-in function
    return held


class Visit:
    """One page in one surrounding, and all that went wrong in it."""

    def __init__(self, browser: Browser, site: str, **surroundings: Any) -> None:  # noqa: ANN401 - Playwright's own
        self.site = site
        self.context = browser.new_context(**surroundings)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.may_complain = False
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

    def lose(self, pattern: str, times: int | None = None) -> None:
        """Let nothing come of what is asked for by *pattern*: the page may complain of that."""
        self.may_complain = True
        self.page.route(pattern, lambda route: route.abort(), times=times)

    def refuse(self, pattern: str) -> None:
        """Answer that there is nothing by *pattern*: the page may complain of that."""
        self.may_complain = True
        self.page.route(pattern, lambda route: route.fulfill(status=404))

    def urls(self, part: str) -> list[str]:
        """Return what was asked for with *part* in its address."""
        return [url for url in self.requested if part in url]

    def foreign(self) -> list[str]:
        return [url for url in self.requested if not url.startswith((self.site, "data:", "blob:"))]

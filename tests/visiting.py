"""A page in a browser, and all that goes wrong in it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal
from urllib.parse import urljoin

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, ViewportSize

ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", ON_MACOS))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-features=WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup",
]
"""The last keeps the pages of its address bar from loading with each of ours: a quarter of the time."""
PAGES = [
    "index.html",
    "claims/index.html",
    "claims/S4.html",
    "scenarios/index.html",
    "scenarios/primes.html",
    "scenarios/heartbeat.html",
    "machines/fixture-host-2-cores-fixture-cpu.html",
    "machines/fixture-host-2-cores-fixture-cpu/cpython-3.13.1.html",
    "builds/cpython-3.13.1.html",
    "articles/a-server-that-blocks.html",
    "versions.html",
    "choose.html",
    "choose/other-host-2-cores-fixture-cpu/cpython-3.13.1.html",
    "compare.html",
    "data.html",
    "data-problems.html",
    "method.html",
]
"""One of each kind, and those with a picture that no other has."""
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
LONGEST_PX = {"index.html": 4_000, "scenarios/primes.html": 7_000, "compare.html": 3_000, "method.html": 8_440}
LONGEST_PX |= {"articles/a-server-that-blocks.html": 8_440, "claims/index.html": 6_000}
"""How high a page may be on a phone."""
DRAWN = '.chart__area[data-state="drawn"]'


@contextmanager
def launched() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the measured side's environment lacks it

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as browser:
        yield browser


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"form.filters select[name={name}]").select_option(value)


def choose_scheme(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.wait_for_selector(f"body[data-md-color-scheme={'slate' if scheme == 'dark' else 'default'}]")


def settle(page: Page) -> None:
    """Let two frames be drawn: what was laid out or came into view has been handled by then."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def come_to_chart(place: Page | Locator) -> Locator:
    """Scroll to the first visible chart in *place*, as a reader does: with a hand on the mouse."""
    chart = place.locator(".chart__area:visible").first
    chart.scroll_into_view_if_needed()
    for at in (5, 9):
        chart.page.mouse.move(at, at)
    return chart


def drawn_chart(place: Page | Locator) -> Locator:
    chart = come_to_chart(place)
    chart.and_(place.locator(DRAWN)).wait_for()
    return chart


def open_folds(page: Page, most: int = 1_000) -> None:
    folds = "[...document.querySelectorAll('main details')]"
    page.evaluate(f"(most) => {folds}.slice(0, most).forEach((each) => {{ each.open = true; }})", most)


class Visit:
    """One page in one context, and all that went wrong in it."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.complaints: list[str] = []
        self.may_complain = False
        self.requested: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def open(self, path: str) -> Page:
        self.page.goto(urljoin(self.site, path), wait_until="load")
        return self.page

    def refuse(self, pattern: str, times: int | None = None) -> None:
        """Answer 404 to requests that match *pattern*: the page may complain of that."""
        self.may_complain = True
        self.page.route(pattern, lambda route: route.fulfill(status=404), times=times)

    def urls(self, part: str) -> list[str]:
        return [url for url in self.requested if part in url]

    def foreign(self) -> list[str]:
        return [url for url in self.requested if not url.startswith((self.site, "data:", "blob:"))]

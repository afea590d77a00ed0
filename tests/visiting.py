"""A page in a browser, and all that goes wrong in it."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route, ViewportSize

ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
"""Where Chrome's installer puts it there, and no path leads."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-features=WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup",
]
"""The last keeps pages of its own, those of its address bar, from loading with each of ours: a quarter of the time."""
PAGES = [
    "index.html",
    "claims/index.html",
    "claims/S1.html",
    "claims/S4.html",
    "scenarios/index.html",
    "scenarios/primes.html",
    "scenarios/blocking_server.html",
    "machines/fixture-host-2-cores-fixture-cpu.html",
    "builds/cpython-3.13.1.html",
    "data.html",
    "data-fields.html",
    "data-problems.html",
    "method.html",
    "how-it-works.html",
    "articles/start-here.html",
    "articles/a-server-that-blocks.html",
    "articles/latency-the-heartbeat-and-the-queue.html",
    "articles/the-gil-and-free-threading.html",
    "scenarios/heartbeat.html",
    "scenarios/queue_depth.html",
    "choose.html",
    "choose/other-host-2-cores-fixture-cpu/cpython-3.13.1.html",
    "glossary.html",
    "use-the-data.html",
]
"""Of each kind one, and those that hold what no other holds."""
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
LONGEST_PX = {"scenarios/*.html": 8_000, "index.html": 6_000, "compare.html": 6_000}
"""How high a narrow page may be."""
MOST_PRINTED = 6
"""On how many sheets of A4 an article may be printed."""


def found(*places: str) -> str | None:
    """Return the first of these programs, on the path or at a path, that is there; None where none is."""
    return next(filter(None, map(shutil.which, places)), None)


CHROMIUM = found("chromium", "chromium-browser", "google-chrome", ON_MACOS)
IS_LAID_OUT = (
    "() => [...document.querySelectorAll('main *')]"
    ".every((one) => getComputedStyle(one).contentVisibility === 'visible')"
)
FACTS = "[data-piece] p.facts:visible"
DRAWN = '.chart__area[data-state="drawn"]'
COMES_LATE = {
    "index.html": "[data-found]:not(:empty)",
    "choose.html": "[data-chosen] tbody tr",
    "compare.html": "[data-compared] tbody tr",
}
"""By page, what is there once the script has run that is fetched for it alone, which is after the page has loaded."""
INK = f"[...document.querySelectorAll('{DRAWN}')].find((one) => one.offsetParent).layout.template.layout.font.color"
"""What the first drawn chart that is shown writes with."""


@contextmanager
def launched() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be absent

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as browser:
        yield browser


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"form.filters select[name={name}]").select_option(value)


def show(page: Page, name: str, value: str) -> None:
    """Choose another machine or build, and wait until its tables are there."""
    choose(page, name, value)
    page.wait_for_selector(f"{FACTS} >> text={value.partition('-2-cores')[0]}")  # a machine by its label


def choose_scheme(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Have the page light or dark, and wait until it is."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_selector(f"body[data-md-color-scheme={'slate' if scheme == 'dark' else 'default'}]")


def lay_out_all(page: Page) -> None:
    """Wait until all is laid out that is laid out while the browser has nothing else to do."""
    page.wait_for_function(IS_LAID_OUT)


def height_px(page: Page) -> int:
    lay_out_all(page)
    return int(page.evaluate("document.documentElement.scrollHeight"))


def printed_pages(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def settle(page: Page) -> None:
    """Let two frames be drawn: all that was laid out or came into view is known by then."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def wait_until_filled(page: Page, path: str) -> None:
    """Wait until the page at *path* has what comes to it late; most pages have all when they have loaded."""
    if late := COMES_LATE.get(path):
        page.wait_for_selector(late, state="attached")  # it may stand in a fold


def families(place: Locator) -> set[str]:
    """Wait until the page's filter holds, and return the families whose rows are shown in *place*."""
    place.page.wait_for_function(
        "() => (document.documentElement.dataset.family ?? '') === document.querySelector('[name=family]').value"
    )
    marks = place.locator("table tbody tr:visible .mark")
    return {*marks.evaluate_all("all => all.map((one) => one.className.match(/family-([a-z]+)/)[1])")}


def open_card(page: Page) -> Locator:
    """Open the first row of the board that is shown, and return the card in it."""
    page.locator("form.filters").wait_for()  # the script is there
    row = page.locator("details.row:visible").first
    row.locator(".row__says").click()
    card = row.locator(".card")
    card.wait_for()
    return card


def come_to_chart(place: Page | Locator) -> Locator:
    """Scroll to the first chart that is shown in *place*, as a reader does: with a hand on the mouse."""
    chart = place.locator(".chart__area:visible").first
    chart.scroll_into_view_if_needed()
    for at in (5, 9):
        chart.page.mouse.move(at, at)
    return chart


def drawn_chart(place: Page | Locator) -> Locator:
    """Scroll to the first chart that is shown in *place*, and wait until it is drawn."""
    chart = come_to_chart(place)
    chart.and_(place.locator(DRAWN)).wait_for()
    return chart


def open_folds(page: Page) -> None:
    """Open all that is folded in the page's content."""
    page.evaluate("() => document.querySelectorAll('main details').forEach((each) => { each.open = true; })")


def begin_to_read(page: Page) -> None:
    """Move on a scenario's page until it asks for what it has folded: its script may not have come at once."""
    page.wait_for_function("""() => {
      dispatchEvent(new Event("pointermove"));
      return performance.getEntriesByType("resource").some(({ name }) => name.endsWith("-folded.json"));
    }""")


def fill_folds(page: Page) -> None:
    """Begin to read a scenario's page, and wait until what it has folded is there."""
    begin_to_read(page)
    page.wait_for_function(
        "() => [...document.querySelectorAll('details[id^=case-]')].every((one) => one.querySelector('section'))"
    )


def hold(page: Page, pattern: str) -> list[Route]:
    """Hold back what is asked for by *pattern*; it goes on as the test says."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no built-in function
    return held


def let_go(held: Route) -> None:
    """Let what was held back come, and wait until all of it has: a response is there before its body is."""
    page = held.request.frame.page
    with page.expect_request_finished(lambda request: request.url == held.request.url):
        held.continue_()
    settle(page)


class Visit:
    """One page in one surrounding, and all that went wrong in it."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.complaints: list[str] = []
        self.may_complain = False
        self.requested: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))

    def _hear(self, told: ConsoleMessage) -> None:
        if told.type in {"error", "warning"}:
            self.complaints.append(f"{told.text} ({told.location['url']})")

    def open(self, path: str) -> Page:
        self.page.goto(urljoin(self.site, path), wait_until="load")
        return self.page

    def refuse(self, pattern: str, times: int | None = None) -> None:
        """Answer that there is nothing by *pattern*: the page may complain of that."""
        self.may_complain = True
        self.page.route(pattern, lambda route: route.fulfill(status=404), times=times)

    def urls(self, part: str) -> list[str]:
        """Return what was asked for with *part* in its address."""
        return [url for url in self.requested if part in url]

    def foreign(self) -> list[str]:
        return [url for url in self.requested if not url.startswith((self.site, "data:", "blob:"))]

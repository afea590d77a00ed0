"""The built site in a real browser: every kind of page, narrow and wide, light and dark, with JavaScript and without.

Skipped where Playwright or a Chromium is absent, unless REQUIRE_BROWSER=1 makes that a failure.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any, Literal, Self

import pytest
from factory import REFERENCE, Plan, make

from runners.harness import catalogue
from runners.harness.codec import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page, Response

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGES = [
    "index.html",
    "scenarios/index.html",
    "scenarios/primes.html",
    "scenarios/blocking_server.html",
    "machines/fixture-host.html",
    "builds/cpython-3.13.1.html",
    "data.html",
    "data-problems.html",
    "method.html",
]
WIDTHS = (390, 1280)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCROLL_THROUGH = """async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 500) {
    scrollTo(0, y); await new Promise((done) => setTimeout(done, 15));
  }
}"""
ALL_DRAWN = """() => [...document.querySelectorAll(".chart__area")].every((area) => area.dataset.state === "drawn")"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")  # no longer: while it is open an event loop runs in this thread, which others need
def browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be absent
    except ImportError:
        absent("Playwright is not installed")
    if CHROMIUM is None:
        absent("no Chromium is installed")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


def absent(reason: str) -> None:
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the real pages over synthetic results, serve them, and give their address."""
    folder = tmp_path_factory.mktemp("site")
    scenarios = catalogue.find()
    plans = {
        "a": Plan(build=REFERENCE, speed={"process_pool": 0.02}),
        "b": Plan(status={"thread_pool": "timed_out", "gevent_pywsgi": "unsupported"}),
    }
    (folder / "results").mkdir()
    for name, plan in plans.items():
        (folder / "results" / f"{name}.json").write_bytes(encode(make(scenarios, plan)))
    (folder / "results" / "broken.json").write_text("{")
    shutil.copy(catalogue.ROOT / "mkdocs.yml", folder)
    run("generate", "--results", folder / "results", "--out", folder / "build", expected=1)
    run("mkdocs", "build", "--strict", "--quiet", "-f", folder / "build/mkdocs.yml", expected=0)
    yield from serve(folder / "build/site")


def run(module: str, *arguments: str | Path, expected: int) -> None:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=catalogue.ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == expected, done.stderr


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        pass


def serve(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


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
        self.page.goto(self.site + path, wait_until="load")
        return self.page

    def foreign(self) -> list[str]:
        return [url for url in self.requested if not url.startswith((self.site, "data:", "blob:"))]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_draws_without_a_complaint_at_any_width_and_scheme(browser: Browser, site: str, path: str) -> None:
    for width in WIDTHS:
        with Visit(browser, site, viewport={"width": width, "height": 900}) as visit:
            page = visit.open(path)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SCROLL_THROUGH)
                page.wait_for_function(ALL_DRAWN, timeout=20_000)
                assert page.evaluate(SIDEWAYS) <= 0, (width, scheme)
            assert not visit.complaints, width
            assert not visit.foreign(), width


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_complete_without_javascript(browser: Browser, site: str, path: str) -> None:
    for width in WIDTHS:
        surroundings: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "java_script_enabled": False}
        with Visit(browser, site, **surroundings) as visit:
            page = visit.open(path)
            assert not visit.complaints
            assert not visit.foreign()
            assert not page.locator(".chart__area:visible").count()
            captions = page.locator("figure.chart figcaption")
            assert captions.count() == page.locator("figure.chart").count()
            assert all(page.locator("main h1").all_inner_texts())
            assert page.locator("main").bounding_box()["width"] <= width  # type: ignore[index]


def test_tables_have_every_row_without_javascript(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}, java_script_enabled=False) as visit:
        page = visit.open("scenarios/primes.html")
        block = page.locator(".tabbed-block").first
        runners = list(catalogue.find()["primes"].runners)
        for name in runners:
            assert block.locator("tbody tr", has_text=name).first.is_visible()
        assert block.locator(".track").count() >= len(runners)


def test_builds_are_chosen_without_javascript(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, java_script_enabled=False) as visit:
        page = visit.open("scenarios/primes.html")
        second = page.locator(".tabbed-set").first.locator(".tabbed-block").nth(1)
        assert not second.is_visible()
        page.locator(".tabbed-labels label", has_text="cpython-3.13.1").first.click()
        assert second.is_visible()
        assert second.get_by_text("ran out of time").first.is_visible()


def test_the_chart_library_is_fetched_only_when_a_chart_comes_near(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 600}) as visit:
        page = visit.open("scenarios/primes.html")
        page.wait_for_timeout(300)
        assert not [url for url in visit.requested if "plotly" in url]
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"] .main-svg')
        assert len([url for url in visit.requested if "plotly" in url]) == 1


def test_a_chart_takes_the_colours_of_the_scheme(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, color_scheme="light") as visit:
        page = visit.open("scenarios/primes.html")
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"]')
        ink = "() => document.querySelector('.chart__area').layout.font.color"
        light = page.evaluate(ink)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(f"({ink})() !== '{light}'")
        assert not visit.complaints


def test_a_chart_whose_data_is_gone_says_so(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}) as visit:
        visit.page.route("**/assets/charts/*.json", lambda route: route.fulfill(status=404))
        page = visit.open("scenarios/primes.html")
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="failed"]')
        area = page.locator(".chart__area").first
        assert "could not be drawn" in area.inner_text()
        assert area.get_attribute("role") is None
        assert page.locator("figure.chart").first.get_by_role("link", name="Data of this chart").is_visible()


def test_paper_is_light_and_has_what_was_folded(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, color_scheme="dark") as visit:
        page = visit.open("scenarios/primes.html")
        page.wait_for_selector('body[data-md-color-scheme="slate"]')
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
        folded = page.locator("details.more:not([open]) table")
        assert folded.count()
        assert all(folded.nth(each).bounding_box() for each in range(folded.count()))


def test_a_folded_table_is_still_a_table(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("scenarios/primes.html")
        table = page.get_by_role("table", name="published").first
        assert table.get_by_role("rowheader").count() >= len(catalogue.find()["primes"].runners)
        assert table.get_by_role("cell").count()


def test_a_table_is_reached_from_the_keyboard(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("scenarios/primes.html")
        page.locator(".scroller").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate("document.activeElement.matches('.scroller')")
        assert page.evaluate(outline) == "solid"


def test_the_first_table_costs_little(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 844}, java_script_enabled=True) as visit:
        sizes: list[int] = []
        visit.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
        visit.open("scenarios/primes.html")
        visit.page.wait_for_timeout(300)
        assert sum(sizes) < 700_000  # uncompressed; a host compresses it to under 150 KB

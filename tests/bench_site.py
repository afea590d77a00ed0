"""Prints what the site's pages cost in a browser: part of `make bench`. No test; nothing is judged but by the reader.

Chromium on loopback, its processor slowed down four times, answers compressed as a host would. Beside our pages stands
one of the bare theme, loaded in turn with them. Chromium's own pages, those of its address bar, are kept from loading
beside: on two cores they took a third of the time of the bare theme's tasks.
"""

from __future__ import annotations

import functools
import gzip
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from outside import ROOT, Quiet, serving
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SITE = ROOT / "build" / "site"
LOADS = 5
SLOWER = 4
PAGES = [
    "index.html",
    "glossary.html",
    "articles/start-here.html",
    "articles/cpu-work-beside-an-event-loop.html",
    "claims/S4.html",
    "scenarios/primes.html",
    "articles/a-server-that-blocks.html",
    "scenarios/gil_wait.html",
    "scenarios/heartbeat.html",
    "data.html",
]
WITH_CHART = "scenarios/primes.html"
THEME = "the theme alone"
SIZE = {"width": 1280, "height": 900}
OBSERVE = """
  window.seen = { lcp: 0, shift: 0, longest: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("longtask", (entry) => { seen.longest = Math.max(seen.longest, entry.duration); });
"""
SEEN = """() => ({ ...seen, fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 })"""
SETTLE_MS = 700
console = Console(width=140)


@dataclass
class Loads:
    """What the loads of one page gave."""

    first_ms: list[float] = field(default_factory=list)
    largest_ms: list[float] = field(default_factory=list)
    script_ms: list[float] = field(default_factory=list)
    longest_ms: list[float] = field(default_factory=list)
    shift: list[float] = field(default_factory=list)
    kb: list[float] = field(default_factory=list)


class Compressed(Quiet):
    """Answers with gzip, as hosts of static sites do."""

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        """Answer one request."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = _compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@functools.cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())


def machines() -> list[str]:
    """Return the pages of machines: which there are, the results tell."""
    return sorted(f"machines/{page.name}" for page in (SITE / "machines").glob("*.html") if page.stem != "index")


def bare_theme(folder: Path) -> Path:
    """Build a site of one short page with the theme and nothing of ours."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# A page\n\nA paragraph.\n")
    (folder / "mkdocs.yml").write_text("site_name: Bare\ntheme:\n  name: material\n  font: false\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True)  # noqa: S603 - fixed words
    return folder / "site"


def load(browser: Browser, url: str, into: Loads) -> None:
    """Load a page once with an empty cache, and note what it cost before anybody scrolls."""
    context = browser.new_context(viewport=SIZE)  # type: ignore[arg-type] # a plain dict of the right shape
    page = context.new_page()
    control = context.new_cdp_session(page)
    sizes = _count_bytes(control)
    control.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    control.send("Performance.enable")
    page.add_init_script(OBSERVE)
    page.goto(url, wait_until="load")
    page.wait_for_timeout(SETTLE_MS)
    seen = page.evaluate(SEEN)
    metrics = {each["name"]: each["value"] for each in control.send("Performance.getMetrics")["metrics"]}
    into.first_ms.append(seen["fcp"])
    into.largest_ms.append(seen["lcp"])
    into.longest_ms.append(seen["longest"])
    into.shift.append(seen["shift"])
    into.script_ms.append(1000 * metrics["ScriptDuration"])
    into.kb.append(sum(sizes) / 1000)
    context.close()


def _count_bytes(control: Any) -> list[float]:  # noqa: ANN401 - Playwright's session takes any event
    sizes: list[float] = []
    control.send("Network.enable")
    control.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def chart(browser: Browser, site: str) -> tuple[float, float]:
    """Return how many kB it takes until a chart can be used, and how far the page shifts meanwhile."""
    context = browser.new_context(viewport=SIZE)  # type: ignore[arg-type] # a plain dict of the right shape
    page: Page = context.new_page()
    sizes = _count_bytes(context.new_cdp_session(page))
    page.add_init_script(OBSERVE)
    page.goto(site + WITH_CHART, wait_until="load")
    page.locator(".chart__area:visible").first.scroll_into_view_if_needed()
    page.wait_for_selector('.chart__area[data-state="drawn"]')
    page.wait_for_timeout(SETTLE_MS)
    shift = page.evaluate("() => seen.shift")
    context.close()
    return sum(sizes) / 1000, shift


def main() -> None:
    """Load every page in turn, five times, and print medians."""
    if not SITE.is_dir():
        console.print("there is no site yet: make site")
        return
    found: dict[str, Loads] = {name: Loads() for name in (THEME, *PAGES, *machines()[:1])}
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    own_pages = "--disable-features=WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup"
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", own_pages]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(bare_theme(Path(folder)), Compressed) as bare,
        serving(SITE, Compressed) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for _time in range(LOADS):
            for name, into in found.items():
                load(browser, bare + "index.html" if name == THEME else site + name, into)
        chart_kb, shift = chart(browser, site)
        browser.close()
    show(found)
    index_kb = len(_compressed(SITE / "search" / "search_index.json")) / 1000
    console.print(f"to an interactive chart: {chart_kb:.0f} kB (at most 600), layout shift {shift:.3f}")
    console.print(f"search index: {index_kb:.0f} kB (at most 40)")


def show(found: dict[str, Loads]) -> None:
    """Print the medians of each page."""
    console.rule(
        "pages (at most 500 ms to the first paint, 700 to the largest, 300 of scripts, 200 a task; 75 or 150 kB)"
    )
    table = Table("page", "first paint, ms", "largest, ms", "scripts, ms", "longest task, ms", "shift", "kB")
    for name, loads in found.items():
        lists = (loads.first_ms, loads.largest_ms, loads.script_ms, loads.longest_ms)
        times = [f"{median(each):.0f}" for each in lists]
        table.add_row(name, *times, f"{median(loads.shift):.3f}", f"{median(loads.kb):.0f}")
    console.print(table)


if __name__ == "__main__":
    main()

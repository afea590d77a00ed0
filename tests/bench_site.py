"""Prints what pages cost in a browser, next to a page of the bare theme: part of `make bench`. It judges nothing.

Chromium on loopback, its processor slowed down four times, answers compressed as a host would.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

from outside import ROOT, Quiet, serving
from playwright.sync_api import Browser, Page
from rich.console import Console
from rich.table import Table
from visiting import WIDE, drawn_chart, launched

SITE = ROOT / "build" / "site"
LOADS = 15
SLOWER = 4
PAGES = [
    "index.html",
    "choose.html",
    "compare.html",
    "articles/start-here.html",
    "articles/a-server-that-blocks.html",
    "claims/S4.html",
    "scenarios/primes.html",
    "scenarios/blocking_server.html",
    "data.html",
]
WITH_CHART = "scenarios/primes.html"
COLUMNS = ("first paint, ms", "largest, ms", "blocked, ms", "shift", "kB")
"""Blocked: time of tasks beyond 50 ms each."""
OBSERVE = """
  window.seen = { largest: 0, shift: 0, blocked: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.largest = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("longtask", ({ duration }) => { seen.blocked += duration - 50; });
"""
SEEN = """() => {
  const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  return [first, seen.largest, seen.blocked, seen.shift];
}"""
SETTLE_MS = 700
console = Console(width=150)


class Compressed(Quiet):
    """Answers with gzip, as hosts of static sites do."""

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):  # the page was left before all had come
            self.wfile.write(body)


def bare_theme(folder: Path) -> Path:
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# A page\n\nA paragraph.\n")
    (folder / "mkdocs.yml").write_text("site_name: Bare\ntheme:\n  name: material\n  font: false\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})  # noqa: S603 - fixed words
    return folder / "site"


def load(browser: Browser, url: str, then: Callable[[Page], object] = lambda _: None) -> list[float]:
    """Load a page once with an empty cache, and return its figure for each of COLUMNS."""
    sizes: list[float] = []
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        control = context.new_cdp_session(page)
        control.send("Network.enable")
        control.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        control.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(OBSERVE)
        page.goto(url, wait_until="load")
        then(page)
        page.wait_for_timeout(SETTLE_MS)
        return [*page.evaluate(SEEN), sum(sizes) / 1000]


def main() -> None:
    if not SITE.is_dir():
        console.print("there is no site yet: make site")
        return
    table = Table("page", *COLUMNS)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(bare_theme(Path(folder)), Compressed) as bare,
        serving(SITE, Compressed) as site,
        launched() as browser,
    ):
        for name, url in {"the bare theme": f"{bare}index.html", **{page: site + page for page in PAGES}}.items():
            loads = [load(browser, url) for _ in range(LOADS)]
            figures = map(median, zip(*loads, strict=True))
            table.add_row(name, *(f"{figure:.3g}" for figure in figures))
        console.print(table)
        chart = load(browser, site + WITH_CHART, then=drawn_chart)
        console.print(f"to an interactive chart: {chart[-1]:.0f} kB (at most 600), layout shift {chart[-2]:.3f}")


if __name__ == "__main__":
    main()

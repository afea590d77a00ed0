"""Prints what the site's pages cost in a browser: part of `make bench`. No test; nothing is judged but by the reader.

Chromium on loopback, its processor slowed down four times, answers compressed as a host would. Beside our pages stands
one of the bare theme, loaded before each of them: a single load varies by a third, and so does the median of five. So
each load is divided by that of the theme before it, and the ratios' median has its interval, as our results have. Where
the loads of a page are too few to decide, those of all pages together say more.
"""

from __future__ import annotations

import functools
import gzip
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from outside import ROOT, Quiet, serving
from rich.console import Console
from rich.table import Table
from visiting import (
    LONGEST_PX,
    MOST_PRINTED,
    NARROW,
    WIDE,
    drawn_chart,
    height_px,
    launched,
    printed_pages,
    wait_until_filled,
)

sys.path.insert(0, str(ROOT))

from generate.data.estimates import Bounds, RunRounds, pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, CDPSession, Page, ViewportSize

    from generate.data.estimates import Decision, Estimate

SITE = ROOT / "build" / "site"
LOADS = 15
SLOWER = 4
PAGES = [
    "index.html",
    "choose.html",
    "compare.html",
    "glossary.html",
    "articles/start-here.html",
    "articles/cpu-work-beside-an-event-loop.html",
    "claims/S4.html",
    "scenarios/primes.html",
    "articles/a-server-that-blocks.html",
    "scenarios/blocking_server.html",
    "scenarios/gil_wait.html",
    "scenarios/heartbeat.html",
    "data.html",
]
WITH_CHART = "scenarios/primes.html"
THEME = "the theme alone"
TOGETHER = "all of these pages"
COLUMNS = ("first paint, ms", "largest, ms", "blocked, ms", "longest, ms", "shift", "kB")
"""Blocked: what tasks of over 50 ms take beyond these."""
MOST_TIMES = {"first paint, ms": 1.25, "largest, ms": 1.25, "blocked, ms": 1.5}
"""How many times the theme's a page's may be."""
Loads = list[tuple[float, ...]]
OBSERVE = """
  window.seen = { lcp: 0, shift: 0, longest: 0, blocked: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("longtask", ({ duration }) => {
    seen.longest = Math.max(seen.longest, duration);
    seen.blocked += duration - 50;
  });
"""
SEEN = """() => ({ ...seen, fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 })"""
SETTLE_MS = 700
console = Console(width=150)


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
        with suppress(ConnectionError):  # the page was left before all had come
            self.wfile.write(body)


@functools.cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())


def of_every_page_kb(browser: Browser, site: str) -> list[float]:
    """Return how many kB each page of the site takes before anybody scrolls, the least first."""
    found = []
    for path in SITE.rglob("*.html"):
        with watched(browser) as (page, _, answers):
            page.goto(site + path.relative_to(SITE).as_posix(), wait_until="load")
            found.append(sum(answers) / 1000)
    return sorted(found)


def lengths(browser: Browser, site: str) -> list[str]:
    """Say which of the pages whose length has a limit are longest: on a phone as they open, and articles on paper."""
    said = []
    for pattern, most in LONGEST_PX.items():
        height, name = longest(browser, site, pattern, NARROW, height_px)
        said.append(f"highest of {pattern} on a phone: {height} px (at most {most}), {name}")
    printed, name = longest(browser, site, "articles/*.html", WIDE, printed_pages)
    return [*said, f"most printed pages of an article: {printed} (at most {MOST_PRINTED}), {name}"]


def longest(
    browser: Browser, site: str, pattern: str, size: ViewportSize, measure: Callable[[Page], int]
) -> tuple[int, str]:
    """Return what *measure* says of the longest of these pages, and which that is."""
    found = []
    with browser.new_context(viewport=size) as context:
        page = context.new_page()
        for path in SITE.glob(pattern):
            name = path.relative_to(SITE).as_posix()
            page.goto(site + name, wait_until="load")
            wait_until_filled(page, name)
            found.append((measure(page), name))
    return max(found)


def machines() -> list[str]:
    """Return the pages of machines: which there are, the results tell."""
    return sorted(f"machines/{page.name}" for page in (SITE / "machines").glob("*.html") if page.stem != "index")


def bare_theme(folder: Path) -> Path:
    """Build a site of one short page with the theme and nothing of ours."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# A page\n\nA paragraph.\n")
    (folder / "mkdocs.yml").write_text("site_name: Bare\ntheme:\n  name: material\n  font: false\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(folder / "mkdocs.yml")]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, check=True, env=quiet)  # noqa: S603 - fixed words
    return folder / "site"


@contextmanager
def watched(browser: Browser) -> Iterator[tuple[Page, CDPSession, list[float]]]:
    """Give a page with an empty cache, what controls it, and the bytes of each answer that it gets."""
    sizes: list[float] = []
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        control = context.new_cdp_session(page)
        control.send("Network.enable")
        control.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.add_init_script(OBSERVE)
        yield page, control, sizes


def load(browser: Browser, url: str) -> tuple[float, ...]:
    """Load a page once, and return what it cost before anybody scrolls: a figure for each of COLUMNS."""
    with watched(browser) as (page, control, sizes):
        control.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(url, wait_until="load")
        page.wait_for_timeout(SETTLE_MS)
        seen = page.evaluate(SEEN)
        return seen["fcp"], seen["lcp"], seen["blocked"], seen["longest"], seen["shift"], sum(sizes) / 1000


def chart(browser: Browser, site: str) -> tuple[float, float]:
    """Return how many kB it takes until a chart can be used, and how far the page shifts meanwhile."""
    with watched(browser) as (page, _, sizes):
        page.goto(site + WITH_CHART, wait_until="load")
        drawn_chart(page)
        page.wait_for_timeout(SETTLE_MS)
        return sum(sizes) / 1000, page.evaluate("() => seen.shift")


def main() -> None:
    """Load every page in turn, as often as LOADS says, the theme before each, and print medians."""
    if not SITE.is_dir():
        console.print("there is no site yet: make site")
        return
    pages = [*PAGES, *machines()[:1]]
    found: dict[str, Loads] = {name: [] for name in pages}
    themes: dict[str, Loads] = {name: [] for name in pages}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(bare_theme(Path(folder)), Compressed) as bare,
        serving(SITE, Compressed) as site,
        launched() as browser,
    ):
        for _time in range(LOADS):
            for name in pages:
                themes[name].append(load(browser, bare + "index.html"))
                found[name].append(load(browser, site + name))
        chart_kb, shift = chart(browser, site)
        every_kb = of_every_page_kb(browser, site)
        longest_pages = lengths(browser, site)
    show(found, themes)
    ordinary = f"median {median(every_kb):.0f} kB (at most 90), heaviest {every_kb[-1]:.0f} kB (at most 120)"
    console.print(f"all {len(every_kb)} pages before scroll: {ordinary}")
    index_kb = len(_compressed(SITE / "search" / "search_index.json")) / 1000
    console.print(f"to an interactive chart: {chart_kb:.0f} kB (at most 600), layout shift {shift:.3f}")
    console.print(f"search index, fetched when the search is opened: {index_kb:.0f} kB")
    console.print(*longest_pages, sep="\n")


def show(found: dict[str, Loads], themes: dict[str, Loads]) -> None:
    """Print the medians of each page and what its loads are beside the theme's."""
    console.rule(f"pages: medians of {LOADS} loads; in brackets times the theme's, with its 95 % interval")
    table = Table("page", *COLUMNS)
    table.add_row(THEME, *map(_written, COLUMNS, _medians([each for loads in themes.values() for each in loads])))
    times = {name: _times(loads, themes[name]) for name, loads in found.items()}
    times[TOGETHER] = _times(*([each for name in found for each in loads[name]] for loads in (found, themes)))
    found = {**found, TOGETHER: [each for loads in found.values() for each in loads]}
    for name, loads in found.items():
        table.add_row(name, *map(_written, COLUMNS, _medians(loads), map(times[name].get, COLUMNS)))
    console.print(table)
    for column, most in MOST_TIMES.items():
        limit = Bounds(-math.inf, most)
        pages: dict[Decision, list[str]] = defaultdict(list)
        for name, ratios in times.items():
            if (ratio := ratios.get(column)) and name != TOGETHER:
                pages[limit.decide(ratio.low, ratio.high)].append(name)
        above = ", ".join(pages["does not hold"]) or "none"
        counts = f"{len(pages['holds'])} pages within, {len(pages['undecided'])} open"
        console.print(f"{column}, at most {most} times: {counts}; above: {above}")


def _medians(loads: Loads) -> list[float]:
    return [median(amounts) for amounts in zip(*loads, strict=True)]


def _times(loads: Loads, themes: Loads) -> dict[str, Estimate]:
    """Compare a page's loads with the theme's, each with the one before it, in each column that has a limit."""
    ours, bare = (dict(zip(COLUMNS, zip(*each, strict=True), strict=True)) for each in (loads, themes))
    ratios = {
        column: [own / theirs for own, theirs in zip(ours[column], bare[column], strict=True) if theirs]
        for column in MOST_TIMES
    }
    compared = {column: pool([RunRounds("", each)], 0.0) for column, each in ratios.items() if each}
    return {column: found for column, found in compared.items() if found}


def _written(column: str, amount: float, beside: Estimate | None = None) -> str:
    """Write a median, and how many times the theme's it is, where that is known."""
    written = f"{amount:.3f}" if column == "shift" else f"{amount:.0f}"
    return f"{written} ({beside.value:.2f}, {beside.low:.2f}-{beside.high:.2f})" if beside else written


if __name__ == "__main__":
    main()

"""What the browser tests share: a Chromium, and the real pages over synthetic results.

Skipped where Playwright or a Chromium is absent, unless REQUIRE_BROWSER=1 makes that a failure. Each reason is printed
once, at the end.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from importlib.util import find_spec
from typing import TYPE_CHECKING

import outside
import pytest
from factory import REFERENCE, Plan, build, make
from visiting import WIDE, Visit

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def why_no_browser() -> str | None:
    """Return what is missing, and how to get it; None where nothing is."""
    if find_spec("playwright") is None:
        return "tests in a browser need Playwright: make .venv/dev.done"
    if CHROMIUM is None:
        return "tests in a browser need Chromium or Google Chrome on the path (on Debian: apt install chromium)"
    return None


@pytest.hookimpl(tryfirst=True)  # before any fixture: a site that no browser visits is not built
def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = why_no_browser()
    if missing is not None and isinstance(item, pytest.Function) and "browser" in item.fixturenames:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why tests were skipped, a line a reason: pytest's own summary has a line for each test."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in sorted(Counter(report.longrepr[2] for report in skipped).items()):
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="module")  # no longer: while it is open an event loop runs in this thread, which others need
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be absent

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate the real pages over synthetic results, ready for a site engine."""
    folder = tmp_path_factory.mktemp("site")
    scenarios = catalogue.find()
    plans = {
        "a": Plan(build=REFERENCE, speed={"process_pool": 0.02}),
        "b": Plan(status={"thread_pool": "timed_out", "gevent_pywsgi": "unsupported"}),
        "c": Plan(machine="other-host", run_id="fixture-2", build=build("3.11.9")),
        "d": Plan(machine="other-host", run_id="fixture-2", speed={"thread_pool": 0.1}),
    }
    (folder / "results").mkdir()
    for name, plan in plans.items():
        (folder / "results" / f"{name}.json").write_bytes(encode(make(scenarios, plan)))
    (folder / "results" / "broken.json").write_text("{")
    shutil.copy(catalogue.ROOT / "mkdocs.yml", folder)
    run("generate", "--results", folder / "results", "--out", folder / "build", expected=3)
    return folder / "build"


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[str]:
    """Build and serve the site, and give its address."""
    run("mkdocs", "build", "--strict", "--quiet", "-f", built / "mkdocs.yml", expected=0)
    with outside.serving(built / "site") as address:
        yield address


@pytest.fixture
def visit(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Give a page on a wide screen, or in the surroundings of the test's mark. It may complain of nothing."""
    mark = request.node.get_closest_marker("surroundings")
    with Visit(browser, site, **{"viewport": WIDE, **(mark.kwargs if mark else {})}) as visit:
        yield visit
        assert visit.may_complain or not visit.complaints


@pytest.fixture
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    """Open the page that the test's module is about."""
    return visit.open(request.module.PAGE)


def run(module: str, *arguments: str | Path, expected: int) -> None:
    done = outside.run(module, *arguments)
    assert done.returncode == expected, done.stderr

"""What the browser tests share: a Chromium, and the real pages over synthetic results.

Skipped where Playwright or a Chromium is absent, unless REQUIRE_BROWSER=1 makes that a failure. Each reason is printed
once, at the end.
"""

from __future__ import annotations

import os
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import outside
import pytest
from factory import REFERENCE, Plan, build, make
from map_factory import map_record
from visiting import CHROMIUM, WIDE, Visit, launched

from runners.harness import matrix
from runners.harness.builds import found_again
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

matrix.FILE = Path(__file__).with_name("matrix.toml")
"""A copy of matrix.toml as this repository has it, where check.yml wants the two alike: in a fork, whose own has other
machines and Pythons, the same tests pass. Set here, as modules of tests read it while they are imported."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last: while it is open an event loop runs in this thread, which others need."""
    items.sort(key=lambda item: isinstance(item, pytest.Function) and "browser" in item.fixturenames)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why tests were skipped, a line a reason: pytest's own summary has a line for each test."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in sorted(Counter(report.longrepr[2] for report in skipped).items()):
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session", autouse=True)
def _kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what runs of the tests began with apart from what the user's own runs go on with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found_again, "KEPT", tmp_path_factory.mktemp("runs"))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    missing = None
    if find_spec("playwright") is None:
        missing = "tests in a browser need Playwright: make .venv/dev.done"
    elif CHROMIUM is None:
        missing = "tests in a browser need Chromium or Chrome (Debian: apt install chromium; macOS: Google's installer)"
    if missing and os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(missing, pytrace=False)
    if missing:
        pytest.skip(missing)
    with launched() as opened:
        yield opened


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build and serve the real pages over synthetic results, and give their address."""
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
    first = map_record()
    elsewhere = msgspec.structs.replace(first.machine, label="other-host")
    for name, of_map in (("map", first), ("another-map", msgspec.structs.replace(first, machine=elsewhere))):
        (folder / "results" / f"{name}.json").write_bytes(encode(of_map))
    (folder / "results" / "broken.json").write_text("{")
    with outside.serving(outside.build_site(folder, problems=3)) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Give a page on a wide screen, or in the surroundings of the test's mark. It may complain of nothing."""
    mark = request.node.get_closest_marker("surroundings")
    with browser.new_context(**{"viewport": WIDE, **(mark.kwargs if mark else {})}) as context:
        visit = Visit(context.new_page(), site)
        yield visit
        assert visit.may_complain or not visit.complaints


@pytest.fixture
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    """Open the page that the test's module is about."""
    return visit.open(request.module.PAGE)

"""What the tests share: which of them run one after the other, a Chromium, and the real pages over synthetic results.

Browser tests are skipped without Playwright or a Chromium, unless REQUIRE_BROWSER=1 makes that a failure.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import outside
import pytest
from factory import REFERENCE, Plan, build, make_record
from map_factory import map_record
from playwright.sync_api import Browser, Page
from visiting import CHROMIUM, WIDE, Visit, launched

from runners.harness import matrix
from runners.harness.builds import kept_requests
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

matrix.FILE = Path(__file__).with_name("matrix.toml")
"""A copy of this repository's matrix.toml: a fork with other machines and Pythons passes the same tests. It is set here
because test modules read it on import."""

SERIAL = (
    "actions/test_publish.py",
    "browser",
    "generate/site/test_mkdocs.py",
    "harness/process",
    "harness/run/test_interruption.py",
    "runners",
    "validate",
)
"""Folders and files of tests that depend on time, or load the machine. One worker runs them one after the other."""
PROCESSES = (
    "actions/test_changes.py",
    "actions/test_commands.py",
    "actions/test_measure_cell.py",
    "actions/test_workflows.py",
    "generate/pages/test_examples.py",
    "harness/builds/test_interpreters.py",
    "harness/http_load/test_origin_sites.py",
    "harness/own",
    "harness/run",
    "harness/test_command_line.py",
    "harness/test_observe.py",
    "harness/test_programs.py",
    "harness/test_setup.py",
    "harness/test_tables_after_run.py",
    "test_architecture.py",
)
"""Further ones that start processes, which any worker runs and `make test-quick` leaves out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the serial tests and those that start processes.

    A browser comes last: it keeps an event loop running in its thread, which others need.
    """
    for item in items:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        for mark, paths in (("serial", SERIAL), ("processes", PROCESSES)):
            if path.startswith(paths):
                item.add_marker(mark)
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:  # noqa: ANN401 - of xdist
    """Send a file's tests, which may share a fixture, and all serial files to one worker.

    Marks of groups have no effect: xdist 3.8 appends them to ids that pytest 9.2 does not read.
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # noqa: PLC0415 - may be missing

    places = tuple(f"tests/{place}" for place in SERIAL)
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = lambda test: "serial" if test.startswith(places) else test.partition("::")[0]
    return scheduler


@pytest.fixture(scope="session", autouse=True)
def _keep_test_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the tests' runs remember apart from the user's own runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_requests, "KEPT", tmp_path_factory.mktemp("runs"))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "tests in a browser need Chromium or Chrome (Debian: apt install chromium; macOS: Google's installer)"
        (pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip)(missing)
    with launched() as opened:
        yield opened


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the real pages over synthetic results: two machines, failures, maps, a broken file."""
    folder = tmp_path_factory.mktemp("site")
    scenarios = catalogue.find()
    free_threaded = build("3.14.0", free_threaded=True)
    plans = {
        "a": Plan(build=REFERENCE, speed={"process_pool": 0.02}),
        "b": Plan(status={"thread_pool": "timed_out", "gevent_pywsgi": "unsupported"}),
        "c": Plan(machine="other-host", run_id="fixture-2", build=build("3.11.9")),
        "d": Plan(machine="other-host", run_id="fixture-2", speed={"thread_pool": 0.1}),
        "e": Plan(build=free_threaded, speed={"process_pool": 0.9, "thread_pool": 0.6}),
    }
    (folder / "results").mkdir()
    for name, plan in plans.items():
        (folder / "results" / f"{name}.json").write_bytes(encode(make_record(scenarios, plan)))
    first = map_record()
    elsewhere = msgspec.structs.replace(first.machine, label="other-host")
    for name, record in (("map", first), ("another-map", msgspec.structs.replace(first, machine=elsewhere))):
        (folder / "results" / f"{name}.json").write_bytes(encode(record))
    (folder / "results" / "broken.json").write_text("{")
    return outside.build_site(folder, problems=3)


@pytest.fixture(scope="session")
def site(built_site: Path) -> Iterator[str]:
    """Serve the built site, and yield its address."""
    with outside.serving(built_site) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Yield a page on a wide screen, or with the options of the test's `context` mark. It may complain of nothing."""
    mark = request.node.get_closest_marker("context")
    with browser.new_context(**{"viewport": WIDE, **(mark.kwargs if mark else {})}) as context:
        visit = Visit(context.new_page(), site)
        yield visit
        assert visit.may_complain or not visit.complaints


@pytest.fixture
def page(visit: Visit, request: pytest.FixtureRequest) -> Page:
    """Open the page that the test's module is about."""
    return visit.open(request.module.PAGE)

"""The local origin sites, and the latencies of their pages."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

from runners.download._latencies import LONGEST_OF_MEAN, MEANS_S, Page
from runners.harness.http_load import origin_sites
from runners.harness.http_load.origin_sites import Sites, SitesError

OPENER = build_opener(ProxyHandler({}))
PAGES = "runners.download._latencies"


@pytest.fixture(scope="module")
def origin() -> Iterator[Sites]:
    with origin_sites.sites(PAGES) as running:
        yield running


def fetch(origin: Sites, page: Page) -> bytes:
    with OPENER.open(origin.addresses[page.site] + page.path) as answer:
        body: bytes = answer.read()
        return body


@pytest.mark.parametrize("tail", [False, True])
def test_each_site_waits_for_the_latency_of_its_page(*, origin: Sites, tail: bool) -> None:
    origin.reset()
    for site in (0, 1, 2, 3, 3):
        page = Page(site, 3, tail, 1, 0.1)
        started_s = time.perf_counter()
        assert fetch(origin, page) == page.body
        assert time.perf_counter() - started_s >= page.latency_s
    assert origin.counts() == ([1, 1, 1, 2], 1)


def test_pages_in_flight_are_counted_over_all_sites(origin: Sites) -> None:
    pages = [Page(site, 0, tail=False, seed=1, factor=0.5 / MEANS_S[site]) for site in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(partial(fetch, origin), pages))
    assert origin.counts()[1] == 4
    origin.reset()
    assert origin.counts() == ([0, 0, 0, 0], 0)


@pytest.mark.parametrize("path", ["/", "/fixed/1/0.01/x", "/fixed/1/0.010/0"])
def test_unknown_pages_are_not_found_and_not_counted(origin: Sites, path: str) -> None:
    origin.reset()
    with pytest.raises(HTTPError, match="404"):
        OPENER.open(origin.addresses[0] + path)
    assert origin.counts() == ([0, 0, 0, 0], 0)


def test_fixed_latencies_and_the_tail_have_the_same_means() -> None:
    assert [Page(site, 5, tail=False, seed=1, factor=1.0).latency_s for site in range(4)] == list(MEANS_S)
    for site, mean_s in enumerate(MEANS_S):
        drawn_s = [Page(site, task, tail=True, seed=1, factor=1.0).latency_s for task in range(5_000)]
        assert sum(drawn_s) / len(drawn_s) == pytest.approx(mean_s, rel=0.05)
        assert 7 * mean_s < max(drawn_s) <= LONGEST_OF_MEAN * mean_s
        assert min(drawn_s) > 0.4 * mean_s
    page = Page(1, 3, tail=True, seed=2, factor=1.0)
    assert page.latency_s == pytest.approx(0.0439501525, rel=1e-8)  # it must not change between Pythons


def test_sites_end_with_the_harness_and_are_then_missed() -> None:
    with origin_sites.sites(PAGES) as running:
        process = running._process
        assert process.stdin
        process.stdin.close()  # as when the harness dies
        assert process.wait(10) == 0
    with origin_sites.sites(PAGES) as running:
        running._process.kill()
        running._process.wait()
        with pytest.raises(SitesError):
            running.reset()
    with pytest.raises(SitesError), origin_sites.sites("no_such_module"):
        pass

"""The local origin sites, and the latencies that both sides compute with."""

from __future__ import annotations

import errno
import sys
import threading
import time
from io import StringIO
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest
from aiohttp import web

from runners.download._latencies import LONGEST_OF_MEAN, MEANS_S, Page, page_at, share_of_mean
from runners.harness.http_load import origin_sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.http_load.origin_sites import Sites

OPENER = build_opener(ProxyHandler({}))


@pytest.fixture(scope="module")
def origin() -> Iterator[Sites]:
    with origin_sites.sites("runners.download._latencies") as running:
        yield running


def fetch(origin: Sites, page: Page) -> bytes:
    with OPENER.open(origin.addresses[page.site] + page.path) as answer:
        body: bytes = answer.read()
        return body


@pytest.mark.parametrize("tail", [False, True])
def test_each_site_waits_as_long_as_the_page_says_and_sends_what_stands_in_it(*, origin: Sites, tail: bool) -> None:
    for site in range(4):
        page = Page(site, 3, tail, 1, 0.1)
        started_s = time.perf_counter()
        assert fetch(origin, page) == page.body
        assert time.perf_counter() - started_s >= page.latency_s


def test_requests_are_counted_by_site_until_reset(origin: Sites) -> None:
    origin.reset()
    for site in (0, 2, 2):
        fetch(origin, Page(site, 0, tail=False, seed=1, factor=0.01))
    assert origin.counts() == ([1, 0, 2, 0], 1)
    origin.reset()
    assert origin.counts() == ([0, 0, 0, 0], 0)


def test_a_request_of_before_a_reset_counts_for_nothing_after_it() -> None:
    counter = origin_sites._Counter(1)
    left_behind = counter.begin(0)
    counter.reset()
    own = counter.begin(0)
    assert (counter.in_flight, counter.peak) == (1, 1)
    counter.end(left_behind)
    assert counter.in_flight == 1
    counter.end(own)
    assert (counter.in_flight, counter.peak) == (0, 1)


def test_pages_in_flight_are_counted_over_all_sites(origin: Sites) -> None:
    origin.reset()
    pages = [Page(site, 0, tail=False, seed=1, factor=0.5 / MEANS_S[site]) for site in range(4)]
    threads = [threading.Thread(target=fetch, args=(origin, page)) for page in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert origin.counts()[1] == 4


@pytest.mark.parametrize("path", ["/", "/fixed/1/0.01", "/fixed/1/0.01/x", "/other/1/0.01/0", "/fixed/1/0.010/0"])
def test_what_is_no_page_is_not_found_and_not_counted(origin: Sites, path: str) -> None:
    origin.reset()
    with pytest.raises(HTTPError, match="404"):
        OPENER.open(origin.addresses[0] + path)
    assert origin.counts() == ([0, 0, 0, 0], 0)


def test_they_end_with_our_side() -> None:
    with origin_sites.sites("runners.download._latencies") as running:
        running._orders.close()  # as when our side dies
        assert running._answers.readline() == ""


def test_sites_that_have_ended_say_so_when_they_are_asked_and_are_left_without_an_error() -> None:
    with origin_sites.sites("runners.download._latencies") as running:
        running._orders.close()
        with pytest.raises(origin_sites.SitesError, match="they have ended"):
            running._answer()


def test_an_order_that_can_not_be_given_is_answered_by_nobody() -> None:
    class Broken(StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    sites = origin_sites.Sites(StringIO("[1, 2, 3, 4]\n"), Broken())
    with pytest.raises(origin_sites.SitesError, match="they have ended"):
        sites.reset()


def test_sites_that_can_not_be_started_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with (
        pytest.raises(origin_sites.SitesError, match="could not be started: No such file"),
        origin_sites.sites("runners.download._latencies"),
    ):
        pass


def test_sites_that_did_not_start_are_an_error() -> None:
    with pytest.raises(origin_sites.SitesError, match="ended"):
        origin_sites.Sites(StringIO(""), StringIO())


def test_a_page_is_found_again_by_its_path() -> None:
    for page in (Page(0, 0, tail=False, seed=2, factor=1.0), Page(3, 9, tail=True, seed=2, factor=0.05)):
        assert page_at(page.site, page.path) == page


def test_fixed_latencies_are_the_means() -> None:
    assert [Page(site, 5, tail=False, seed=1, factor=1.0).latency_s for site in range(4)] == [0.02, 0.04, 0.06, 0.08]


def test_the_tail_has_the_same_means_and_is_cut() -> None:
    for site, mean_s in enumerate(MEANS_S):
        drawn_s = [Page(site, task, tail=True, seed=1, factor=1.0).latency_s for task in range(5_000)]
        assert sum(drawn_s) / len(drawn_s) == pytest.approx(mean_s, rel=0.05)
        assert max(drawn_s) <= LONGEST_OF_MEAN * mean_s
        assert max(drawn_s) > 7 * mean_s
        assert min(drawn_s) > 0.4 * mean_s
    assert share_of_mean(1.0) == pytest.approx(LONGEST_OF_MEAN)


def test_a_latency_depends_on_seed_site_and_task_alone() -> None:
    page = Page(1, 3, tail=True, seed=2, factor=1.0)
    others = [page._replace(site=2), page._replace(task=4), page._replace(seed=3)]
    shares = {other.latency_s / MEANS_S[other.site] for other in [page, *others]}
    assert len(shares) == 4
    assert page._replace(factor=0.5).latency_s == pytest.approx(page.latency_s / 2)
    assert page.latency_s == pytest.approx(0.0439501525, rel=1e-8)  # written down: it must not change between Pythons


def test_a_port_that_can_not_be_had_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def start(_: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(web.TCPSite, "start", start)
    origin_sites.main("runners.download._latencies")
    said = capsys.readouterr()
    assert said.err == ""
    with pytest.raises(origin_sites.SitesError, match=r"^no port of 127\.0\.0\.1 can be had: Address already in use$"):
        origin_sites.Sites(StringIO(said.out), StringIO())

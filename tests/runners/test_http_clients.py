"""Every client on a few pages: each page once, from its site, and no more open at once than allowed."""

from collections.abc import Iterator

import pytest
from apart import take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight, span_since
from runners.harness.http_load import origin_sites
from runners.harness.http_load.origin_sites import Sites
from runners.http_clients import workload
from runners.http_clients._pages import Page, page_at

SCENARIO = catalogue.find()["http_clients"]


@pytest.fixture(scope="module")
def origin() -> Iterator[Sites]:
    with origin_sites.sites(SCENARIO.sites_module) as running:
        yield running


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_client_gets_each_page_once_within_its_limit(runner: str, origin: Sites) -> None:
    values, observed = take_rightly(SCENARIO, runner, {"size": "tiny", "gets": 30, "at_once": 4}, origin)
    assert origin.counts()[0] == [30]
    assert observed.asked_at_once == 4
    assert observed.peak_in_flight is not None
    assert 1 <= observed.peak_in_flight <= 4  # as its site saw them, which answers at once
    assert 0 < values["worst_latency_ns"] < values["elapsed_ns"]


def test_wrong_missing_and_repeated_pages_are_caught() -> None:
    job = workload.prepare({"gets": 2, "at_once": 1}, Surroundings(2, 1, ("http://site",)))
    first, second = (workload.Got(url, Page(n).body, span_since(n)) for n, url in enumerate(job.urls))
    outcome = workload.judge(job, [second, first])
    assert (outcome.wrong, outcome.values["gets_count"], peak_in_flight(outcome.spans)) == ("", 2, 2)
    for returned in ([first], [first, first], [first, first._replace(body=second.body)], [first, second, second]):
        assert workload.judge(job, returned).wrong
    with pytest.raises(ValueError, match="no page"):
        page_at(0, "/07")

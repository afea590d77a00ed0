"""HTTP clients: the cases, the job of each, and the check of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since
from runners.http_clients._pages import Page

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings, Value

__all__ = ["BASELINE", "CASES", "SITES", "Got", "Job", "at_once", "judge", "prepare", "span_since"]

BASELINE = "aiohttp_session"
SITES = True

CASES = {
    "1,000 gets, 100 at once": Case(
        {"size": "1,000 gets", "gets": 1_000, "at_once": 100},
        warm_up={"gets": 20, "at_once": 5},
        quick=False,
    )
}


class Got(NamedTuple):
    """What a get brought, and when and where it ran."""

    url: str
    body: bytes
    span: Span


class Job(NamedTuple):
    """What a runner gets: addresses, each to be fetched once, in any order, and how many gets may be open at once."""

    urls: tuple[str, ...]
    at_once: int


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    site = surroundings.sites[0]
    urls = tuple(site + Page(number).path for number in range(int(parameters["gets"])))
    return Job(urls, int(parameters["at_once"]))


def at_once(job: Job) -> dict[str, int]:
    """Return the limits that AT_ONCE can name."""
    return {"gets": job.at_once}


def judge(job: Job, returned: list[Got]) -> Outcome:
    """Check that each address was fetched once and brought its own page."""
    bodies = {url: Page(number).body for number, url in enumerate(job.urls)}
    right = {got.url for got in returned if bodies.get(got.url) == got.body}
    wrong = ""
    if len(returned) != len(job.urls) or right != bodies.keys():
        wrong = f"{len(returned)} gets came back, {len(right)} of {len(job.urls)} with the right page"
    latencies_ns = [got.span.ended_ns - got.span.started_ns for got in returned]
    values: dict[str, Value] = {"gets_count": len(right), "worst_latency_ns": max(latencies_ns, default=None)}
    return Outcome(values, [got.span for got in returned], wrong)

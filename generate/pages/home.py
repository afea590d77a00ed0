"""The pictures of home, each with the answers that the data choose. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.charts.bars import Row, bars_of, picture
from generate.pages.home_sentences import computes, shares, waits
from generate.pages.scenario import why_no_value
from generate.pages.templates import fragment, root_of
from generate.words.builds import describe_build
from generate.words.names import describe_status
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from markupsafe import Markup

    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.data.table import Summary
    from generate.pages.context import SiteContext
    from runners.harness.contract import Metric


class Place(NamedTuple):
    """A bar."""

    name: str
    case: str
    runner: str


class Found:
    """What one build has of a picture, and its counterpart without the GIL."""

    def __init__(self, context: SiteContext, bars: Bars, cell: Result) -> None:
        """Look up the bars in *cell*."""
        self._site, self._bars, self.cell = context.site, bars, cell
        self.free = context.site.without_gil(cell, bars.scenario)
        metrics = {metric.name: metric for metric in context.site.scenarios[bars.scenario].metrics}
        self._metrics: Mapping[str, Metric] = metrics

    def row(self, place: int, of: Result | None = None) -> Summary | None:
        """Return the summary of a bar."""
        key = self._key(place)
        return self._site.row(of or self.cell, key.scenario, key.case, key.runner, self._bars.metric)

    def value(self, place: int, metric: str = "") -> Estimate | None:
        """Return the value of a bar, or of its series in another metric."""
        return self.cell.estimate(self._key(place), self._metrics[metric or self._bars.metric])

    def ratio(self, place: int) -> Estimate | None:
        """Return a bar over the first."""
        return self.cell.ratio(self._key(place), self._key(0), self._metrics[self._bars.metric])

    def without_gil(self, place: int, other: int) -> Estimate | None:
        """Return a bar without the GIL over *other* with it."""
        metric, runner = self._metrics[self._bars.metric], self._key(other).runner
        return self.free.against_counterpart(self._key(place), metric, runner) if self.free else None

    def _key(self, place: int) -> SeriesKey:
        wanted = self._bars.places[place]
        cases = (wanted.case, self._bars.quick.get(wanted.case, wanted.case))
        having = (case for case in cases if self._site.case_rows(self.cell, self._bars.scenario, case))
        return SeriesKey(self._bars.scenario, next(having, wanted.case), wanted.runner, "subject")


class Bars(NamedTuple):
    """A picture of home."""

    title: str
    scenario: str
    places: Sequence[Place]
    """The baseline first."""
    quick: Mapping[str, str]
    """What a quick run has in the place of a case."""
    metric: str
    shows: str
    article: str
    answers: Callable[[Found], Iterable[str]]


PICTURES = (
    Bars(
        "It computes",
        "primes",
        [
            Place("a plain loop", "published", "sync_loop"),
            Place("threads", "published", "thread_pool"),
            Place("processes", "published", "process_pool"),
            Place("coroutines", "published", "asyncio_naive"),
        ],
        {},
        "elapsed_ns",
        "Time to test eight numbers in pure Python; shorter is better",
        "articles/cpu-work-beside-an-event-loop.md",
        lambda found: computes(
            found.ratio(2), found.ratio(1), [found.without_gil(1, 0), found.without_gil(1, 2), found.without_gil(0, 0)]
        ),
    ),
    Bars(
        "It waits",
        "blocking_server",
        [
            Place("one request at a time (HTTPServer)", "tenth", "http_server_fair"),
            Place("threads (ThreadingHTTPServer)", "tenth", "threading_server"),
            Place("coroutines that await (Tornado)", "tenth", "tornado_awaiting"),
            Place("coroutines that block (Tornado)", "tenth", "tornado_blocking"),
        ],
        {"tenth": "tenth, 60 requests"},
        "requests_per_s",
        "Requests answered a second, with 12 clients at once, where each request waits 28 ms; longer is better",
        "articles/a-server-that-blocks.md",
        lambda found: waits([found.ratio(1), found.ratio(2)], found.ratio(3)),
    ),
    Bars(
        "It shares a loop",
        "heartbeat",
        [
            Place("without a queue", "published, jobs that never await, no limit", "task_burst"),
            Place("a queue with 4 workers", "published, jobs that never await, 4 at once", "job_queue"),
        ],
        {
            "published, jobs that never await, no limit": "quarter, jobs that never await, no limit",
            "published, jobs that never await, 4 at once": "quarter, jobs that never await, 4 at once",
        },
        "heartbeat_worst_delay_ns",
        "Worst delay of an event loop when a burst of jobs that never await arrives; shorter is better",
        "articles/latency-the-heartbeat-and-the-queue.md",
        lambda found: shares(found.value(0), found.value(0, "jobs_elapsed_ns"), found.value(1), found.ratio(1)),
    ),
)


class Drawn(NamedTuple):
    """A picture with its answers."""

    answers: Sequence[str]
    picture: Markup
    builds: Sequence[str]
    """In words: that of the bars, and that of the lighter ones if there are any."""
    runs: int
    cores: int


def pictures(context: SiteContext, page: str) -> Markup:
    """Return the three pictures, each with its answers and the way to its article."""
    views = [(each, _drawn(context, each)) for each in PICTURES]
    lacking = {each.scenario: _lacking(context, each) for each, drawn in views if not drawn}
    return fragment("home_pictures.html", views=views, lacking=lacking, root=root_of(page))


def _found(context: SiteContext, bars: Bars) -> Found | None:
    known = bars.scenario in context.site.scenarios
    cell = context.site.first(bars.scenario) if known else None
    return Found(context, bars, cell) if cell else None


def _drawn(context: SiteContext, bars: Bars) -> Drawn | None:
    """Draw a picture; None if it lacks a value."""
    found = _found(context, bars)
    if found is None:
        return None
    rows = [found.row(place) for place in range(len(bars.places))]
    if any(row is None or row.value is None for row in rows):
        return None
    second = [found.row(place, found.free) if found.free else None for place in range(len(bars.places))]
    drawn = [
        Row(place.name, row.family or "sync", [*bars_of(row), *bars_of(other, is_second=True)])
        for place, row, other in zip(bars.places, rows, second, strict=True)
        if row
    ]
    unit = next(row.unit for row in rows if row)
    shown = [found.cell, *filter(None, [found.free if any(second) else None])]
    return Drawn(
        answers=[*bars.answers(found)],
        picture=picture(drawn, unit, f"{bars.title}. {bars.shows}"),
        builds=[describe_build(each.build) for each in shown],
        runs=len(found.cell.runs),
        cores=found.cell.record.machine.usable_cores,
    )


def _lacking(context: SiteContext, bars: Bars) -> str:
    """Say what became of the bars without a value, in short; empty if the scenario was not measured.

    The scenario's page has the reason: here it would push the next picture off a phone's first screen.
    """
    found = _found(context, bars)
    if found is None:
        return ""
    rows = [(place.name, found.row(number)) for number, place in enumerate(bars.places)]
    return "; ".join(f"{name}: {describe_status(row.status)}" for name, row in rows if row and why_no_value(row))

"""The pictures of home, each under a sentence that the data choose. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.charts.bars import Row, bars_of, picture
from generate.pages import other_runs
from generate.pages.home_sentences import Compared, computes, computes_without_gil, shares, waits
from generate.pages.outcome import outcome_of
from generate.pages.short_answer import why_no_value
from generate.pages.templates import fragment, root_of
from generate.text.builds import build_words, how_optimised, these_were
from generate.text.numbers import format_value
from generate.text.statuses import status_words
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markupsafe import Markup

    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext
    from generate.statistics.intervals import Comparison
    from generate.text.over_runs import OverRuns


class Place(NamedTuple):
    """Where the value of a bar is found."""

    name: str
    """What the bar is called: as its sentence calls it."""
    case: str
    runner: str


class Bars(NamedTuple):
    """A picture of home."""

    title: str
    scenario: str
    places: Sequence[Place]
    """Of each row, the baseline first; of a case that was not measured, see `quick`."""
    quick: Mapping[str, str]
    """What a quick run has in the place of a case."""
    metric: str
    shows: str
    """What the bars are, in words."""
    article: str
    says: Callable[[Sequence[Compared]], str]
    """The sentence, from how each row but the first compares with the first."""
    without_gil: Callable[[Compared], str] | None = None
    """What is added of the second row without the GIL, from how it compares with the first row with it, in one run."""


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
        computes,
        computes_without_gil,
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
        waits,
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
        shares,
    ),
)


class Said(NamedTuple):
    """What a picture of home says: its sentence, its bars, and what they are of."""

    sentence: str
    picture: Markup
    builds: Sequence[str]
    """In words: that of the bars, and that of the lighter ones where there are any."""
    cores: int
    built: Sequence[str]
    """How these builds were optimised."""
    is_quick: bool
    is_older: bool
    """Whether articles quote a newer run."""
    is_apart: bool
    """Whether the lighter bars are of another run."""


def pictures(context: SiteContext, page: str) -> Markup:
    """Return the three pictures, each with its sentence and the way to its article."""
    views = [(each, _said(context, each)) for each in PICTURES]
    said = [each for _, each in views if each]
    facts = {
        "built": list(dict.fromkeys(these_were(how) for each in said for how in each.built)),
        "is_quick": any(each.is_quick for each in said),
        "is_older": any(each.is_older for each in said),
        "between_runs": other_runs.note(context),
        "lacking": {each.scenario: _lacking(context, each) for each, drawn in views if not drawn},
    }
    return fragment("home_pictures.html", views=views, root=root_of(page), **facts)


def _said(context: SiteContext, wanted: Bars) -> Said | None:
    """Draw a picture of the first cell; None where that lacks a value."""
    first = next(iter(context.site.current.get(wanted.scenario, [])), None)
    cell, free = context.site.paired(first, wanted.scenario) if first else (None, None)
    found = _rows(context, wanted, cell) if cell else []
    if cell is None or any(row is None for row in found):
        return None
    theirs = _rows(context, wanted, free) if free else [None] * len(found)
    newest = _rows(context, wanted, first or cell)
    compared = [_compared(row, beside) for row, beside in zip(found[1:], newest[1:], strict=True) if row]
    sentences = [wanted.says(compared)]
    is_beside = free and free.gated.twin and free.gated.twin.file.path == cell.file.path
    if free and is_beside and wanted.without_gil and found[0] and theirs[1]:
        sentences.append(wanted.without_gil(_beside_gil(context, free, theirs[1], found[0].runner)))
    rows = [
        Row(place.name, own.family or "sync", [*bars_of(own), *bars_of(other, is_second=True)])
        for place, own, other in zip(wanted.places, found, theirs, strict=True)
        if own
    ]
    unit = next(row.unit for row in found if row)
    shown = [each for each in (cell, free) if each]
    return Said(
        sentence=" ".join(sentences),
        picture=picture(rows, unit, f"{wanted.title}. {wanted.shows}"),
        builds=[build_words(each.build) for each in shown],
        cores=cell.record.machine.usable_cores,
        built=sorted({how_optimised(each.record.build) for each in shown}),
        is_quick=cell.gated.is_quick,
        is_older=cell is not first,
        is_apart=free is not None and free.record.run.id != cell.record.run.id,
    )


def _lacking(context: SiteContext, wanted: Bars) -> str:
    """Say what became of that of which the first cell has no value, in short; empty where it was not measured.

    The scenario's page has the reason: here it would push the next picture off a phone's first screen.
    """
    first = next(iter(context.site.current.get(wanted.scenario, [])), None)
    if first is None:
        return ""
    rows = [(place.name, _row(context, wanted, first, place)) for place in wanted.places]
    return "; ".join(f"{name}: {status_words(row.status)}" for name, row in rows if row and why_no_value(row))


def _rows(context: SiteContext, wanted: Bars, cell: CellResult) -> list[Summary | None]:
    """Return the row of each place; None where it has no value."""
    rows = [_row(context, wanted, cell, place) for place in wanted.places]
    return [row if row and row.median is not None else None for row in rows]


def _row(context: SiteContext, wanted: Bars, cell: CellResult, place: Place) -> Summary | None:
    site, case = context.site, place.case
    having = (name for name in (case, wanted.quick.get(case, case)) if site.rows_of(cell, wanted.scenario, name))
    return site.row(cell, wanted.scenario, next(having, case), place.runner, wanted.metric)


def _beside_gil(context: SiteContext, free: CellResult, row: Summary, baseline: str) -> Compared:
    """Return how *row*, of a build without the GIL, compares with *baseline* with it, by round of one run."""
    metric = next(each for each in context.site.scenarios[row.scenario].metrics if each.name == row.metric)
    series = free.gated.view.series[SeriesKey(row.scenario, row.case, row.runner, "subject")]
    compared = free.gated.beside_twin(series, metric, baseline)
    runs = context.site.runs_beside_gil(free, series, metric, baseline)
    return _of(compared, free.gated.noise_beside_twin(series, metric), row, runs)


def _compared(row: Summary, newest: Summary | None) -> Compared:
    """Return how *row* compares; where its run is none of the several that the newest stands among, it is one more."""
    runs = row.ratios_of_runs
    if runs is None and newest and newest.ratios_of_runs and row.ratio is not None:
        runs = newest.ratios_of_runs.with_another(row.ratio)
    return _of(row.against_baseline, row.noise, row, runs)


def _of(compared: Comparison | None, noise: Comparison | None, row: Summary, runs: OverRuns | None = None) -> Compared:
    value = format_value(row.median, row.unit)
    if compared is None:
        return Compared("undecided", 1.0, value)
    bounds = None if compared.quick else (compared.low, compared.high)
    return Compared(outcome_of(compared, noise, runs), compared.ratio, value, bounds, runs)

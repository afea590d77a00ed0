"""The pictures of home and of the articles' cards, with answers chosen by the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from generate.charts import svg
from generate.charts.rows import Row, bar_figure
from generate.data.estimates import Estimate
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.table import Summary
from generate.pages.articles import Article, Bars, FrontMatterError
from generate.pages.pieces import Functions, SiteContext
from generate.pages.scenario import why_no_value
from generate.pages.templates import fragment, path_to_root
from generate.pages.values import scenario_named
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.names import describe_status
from generate.words.numbers import (
    describe,
    describe_briefly,
    format_estimate,
    format_ratio,
    outcome,
)
from generate.words.patterns import NOT_MEASURED
from generate.words.repeat import format_first_run
from generate.words.units import DURATION, RATE
from runners.harness.contract import Metric
from runners.harness.errors import UserError
from runners.harness.record.model import SeriesKey

COMPLETE = 0.9
"""Delays of at least this share of a burst count as long as the entire burst."""
NEVER_AWAIT = "jobs that never await"


def answer_computing(bars: "Measured") -> Iterable[str]:
    """Answer whether processes and threads help work that computes, against a plain loop."""
    loop, threads, processes = range(3)
    yield patterns.HOME_PROCESSES.format(ratio=describe(bars.ratio(processes), DURATION))
    yield format_takes("Threads", "take", bars.ratio(threads))
    free = bars.without_gil(threads, loop)
    if free is not None:
        than_processes = bars.without_gil(threads, processes)
        end = patterns.HOME_THAN_PROCESSES[outcome(than_processes)] if than_processes else "."
        yield format_takes("Threads without the GIL", "take", free).removesuffix(".") + end
    single = bars.without_gil(loop, loop)
    if single is not None:
        yield format_takes("Single-threaded code without the GIL", "takes", single)


def format_takes(name: str, verb: str, ratio: Estimate | None) -> str:
    """Format "Threads take 1.1 times as long." or "Processes: 1.5 times as fast."."""
    words = describe_briefly(ratio, DURATION)
    longer = words.removeprefix("takes ")
    return f"{name}: {words}." if longer == words else f"{name} {verb} {longer}."


def answer_waiting(bars: "Measured") -> Iterable[str]:
    """Answer how many requests servers that overlap them answer, against one at a time, without ranking the servers."""
    yield patterns.HOME_OVERLAPPING.format(ratio=join_rates([bars.ratio(1), bars.ratio(2)]))
    yield patterns.HOME_BLOCKING.format(ratio=describe_briefly(bars.ratio(3), RATE))


def join_rates(ratios: Sequence[Estimate | None]) -> str:
    """Format several rates as one: "10 to 11 times as many per second"."""
    known = [ratio for ratio in ratios if ratio]
    if len(known) < len(ratios):
        return NOT_MEASURED
    if any(outcome(ratio) != "more" for ratio in known):
        return "; ".join(describe_briefly(ratio, RATE) for ratio in known)
    low, high = (format_ratio(end(ratio.value for ratio in known)) for end in (min, max))
    return RATE.more.format(low if low == high else f"{low} to {high}")


def answer_sharing(bars: "Measured") -> Iterable[str]:
    """Answer for how long a burst of jobs stops a loop, with and without a queue."""
    burst, queue, jobs, ratio = bars.value(0), bars.value(1), bars.value(0, "jobs_elapsed_ns"), bars.ratio(1)
    is_complete = burst is not None and jobs is not None and burst.value >= COMPLETE * jobs.value
    pattern = patterns.HOME_ENTIRE_BURST if is_complete else patterns.HOME_BURST
    yield pattern.format(time=format_estimate(burst, "ns"))
    yield patterns.HOME_QUEUE[outcome(ratio) if ratio else "less"].format(time=format_estimate(queue, "ns"))


class HomePicture(NamedTuple):
    title: str
    scenario: str
    bars: Mapping[str, tuple[str, str]]
    """Case and runner by name, the baseline first."""
    quick: Mapping[str, str]
    """Smaller cases of quick runs."""
    metric: str
    caption: str
    article: str
    answers: "Callable[[Measured], Iterable[str]]"


PICTURES = (
    HomePicture(
        "It computes",
        "primes",
        {
            "a plain loop": ("published", "sync_loop"),
            "threads": ("published", "thread_pool"),
            "processes": ("published", "process_pool"),
            "coroutines": ("published", "asyncio_naive"),
        },
        {},
        "elapsed_ns",
        "Time to test eight numbers in pure Python; shorter is better",
        "articles/cpu-work-beside-an-event-loop.md",
        answer_computing,
    ),
    HomePicture(
        "It waits",
        "blocking_server",
        {
            "one request at a time (HTTPServer)": ("tenth", "http_server_fair"),
            "threads (ThreadingHTTPServer)": ("tenth", "threading_server"),
            "coroutines that await (Tornado)": ("tenth", "tornado_awaiting"),
            "coroutines that block (Tornado)": ("tenth", "tornado_blocking"),
        },
        {"tenth": "tenth, 60 requests"},
        "requests_per_s",
        "Requests answered a second, with 12 clients at once, if each request waits 28 ms; longer is better",
        "articles/a-server-that-blocks.md",
        answer_waiting,
    ),
    HomePicture(
        "It shares a loop",
        "heartbeat",
        {
            "without a queue": (f"published, {NEVER_AWAIT}, no limit", "task_burst"),
            "a queue with 4 workers": (f"published, {NEVER_AWAIT}, 4 at once", "job_queue"),
        },
        {
            f"published, {NEVER_AWAIT}, {limit}": f"quarter, {NEVER_AWAIT}, {limit}"
            for limit in ("no limit", "4 at once")
        },
        "heartbeat_worst_delay_ns",
        "Worst delay of an event loop when a burst of jobs that never await arrives; shorter is better",
        "articles/latency-the-heartbeat-and-the-queue.md",
        answer_sharing,
    ),
)


class Measured:
    """A picture's values on one build, and on its counterpart without the GIL. Bars are named by index."""

    def __init__(self, context: SiteContext, bars: HomePicture, result: Result) -> None:
        self._site, self._bars, self.result = context.site, bars, result
        self.free = context.site.without_gil(result, bars.scenario)
        self._metrics = {metric.name: metric for metric in context.site.scenarios[bars.scenario].metrics}
        self._keys = [self._key(*place) for place in bars.bars.values()]

    def _key(self, case: str, runner: str) -> SeriesKey:
        scenario, cases = self._bars.scenario, (case, self._bars.quick.get(case, case))
        having = (each for each in cases if self._site.case_rows(self.result, scenario, each))
        return SeriesKey(scenario, next(having, case), runner, "subject")

    def rows(self, result: Result | None) -> list[Summary | None]:
        metric = self._bars.metric
        places = [(key.scenario, key.case, key.runner) for key in self._keys]
        return [self._site.row(result, *place, metric) if result else None for place in places]

    def value(self, bar: int, metric: str = "") -> Estimate | None:
        """Return the value of a bar, or of its series in a different metric."""
        return self.result.estimate(self._keys[bar], self._metrics[metric or self._bars.metric])

    def ratio(self, bar: int) -> Estimate | None:
        """Return a bar over the first."""
        return self.result.ratio(self._keys[bar], self._keys[0], self._metrics[self._bars.metric])

    def without_gil(self, bar: int, other: int) -> Estimate | None:
        """Return a bar without the GIL over *other* with it."""
        metric, runner = self._metrics[self._bars.metric], self._keys[other].runner
        return self.free.against_counterpart(self._keys[bar], metric, runner) if self.free else None


class HomeFunctions(Functions):
    def home_pictures(self) -> Markup:
        """Return the three pictures, each with its answers and a link to its article. `home_pictures()`."""
        return fragment("home_pictures.html", views=[self._view(bars) for bars in PICTURES], root=self._root)

    def _view(self, bars: HomePicture) -> dict[str, object]:
        """Return a picture with its answers, or the missing values with reasons."""
        site = self._context.site
        result = site.first(bars.scenario) if bars.scenario in site.scenarios else None
        if result is None:
            return {"bars": bars, "drawn": None, "lacking": ""}
        measured = Measured(self._context, bars, result)
        rows, second = measured.rows(result), measured.rows(measured.free)
        drawn = [
            Row(name, row.family or "sync", [each.value for each in (row, other) if each and each.value])
            for name, row, other in zip(bars.bars, rows, second, strict=True)
            if row and row.value
        ]
        if len(drawn) < len(bars.bars):
            without = [(name, row) for name, row in zip(bars.bars, rows, strict=True) if row and why_no_value(row)]
            lacking = "; ".join(f"{name}: {describe_status(row.status)}" for name, row in without)
            return {"bars": bars, "drawn": None, "lacking": lacking}
        unit = next(row.unit for row in rows if row)
        return {
            "bars": bars,
            "drawn": svg.picture(bar_figure(drawn, unit), f"{bars.title}. {bars.caption}"),
            "answers": [*bars.answers(measured)],
            "result": result,
            "lighter": describe_build(measured.free.build) if measured.free and any(second) else "",
        }


ROOM = 0.6
"""Room for the number right of a card's longest bar, as a share of that bar."""


class ArticleFunctions(Functions):
    def article_cards(self) -> Markup:
        """Return the articles as cards with picture, question and description. `article_cards()`."""
        entries = [(article, _draw(self._context, article)) for article in self._context.articles]
        return fragment("article_cards.html", entries=entries, root=path_to_root(self._page))

    def opening_picture(self) -> Markup:
        """Return the picture of the article's card, to show below its title. `opening_picture()`."""
        article = next((each for each in self._context.articles if each.page == self._page), None)
        return fragment("opening_picture.html", drawn=_draw(self._context, article) if article else Drawn())


class Drawn(NamedTuple):
    """A picture with its caption, or the command that measures its values."""

    svg: Markup = Markup()
    caption: str = ""
    command: str = ""


def _draw(context: SiteContext, article: Article) -> Drawn:
    try:
        return _draw_bars(context.site_for(article.page), article.picture) if article.picture else Drawn()
    except UserError as error:
        msg = f"{article.page}: picture: {error}"
        raise FrontMatterError(msg) from error


def _draw_bars(site: Results, bars: Bars) -> Drawn:
    """Draw the values of the first result that has any."""
    scenario = scenario_named(site, bars.scenario)
    for runner, case in bars.rows.values():
        scenario_named(site, bars.scenario, case, runner)
    metric = scenario.metrics[0]
    every = ((result, _values(site, result, bars, metric)) for result in site.current[bars.scenario])
    result, values = next(((result, values) for result, values in every if any(values.values())), (None, {}))
    if result is None:
        return Drawn(command=format_first_run(scenario, [case for _, case in bars.rows.values()]))
    free = site.without_gil(result, bars.scenario) if bars.without_gil else None
    second = _values(site, free, bars, metric) if free else {}
    rows = [
        Row(
            name if row else f"{name}: no value",
            scenario.runners[bars.rows[name][0]].family,
            [each.value for each in (row, second.get(name)) if row and each and each.value],
        )
        for name, row in values.items()
    ]
    better = "" if metric.better == "neither" else f"; {metric.better} is better"
    lighter = f"; lighter: {describe_build(free.build)}" if free else ""
    caption = f"{metric.title}{better}. {describe_build(result.build)}{lighter}"
    written = [f"{name} {format_estimate(row.value, row.unit) if row else 'no value'}" for name, row in values.items()]
    return Drawn(svg.picture(bar_figure(rows, metric.unit, room=ROOM), f"{caption}: {', '.join(written)}"), caption)


def _values(site: Results, result: Result, bars: Bars, metric: Metric) -> dict[str, Summary | None]:
    return {
        name: site.value(result, bars.scenario, case, runner, metric.name) for name, (runner, case) in bars.rows.items()
    }

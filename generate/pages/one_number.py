"""One number, followed from a page back to the samples that it is made of: how to check any other. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from generate.pages.templates import fragment, root_of
from generate.pages.templates import page as markdown
from generate.statistics.intervals import median_interval, ranks
from generate.text.numbers import NOT_MEASURED, counted, format_ratio, format_value, ordinal
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.selection import CellResult
    from generate.pages.context import SiteContext
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series


class Round(NamedTuple):
    """What one round has of a runner and of its block's baseline, as the file has it."""

    number: int
    baseline: float
    value: float

    @property
    def ratio(self) -> str:
        """The runner's by the baseline's."""
        return format_ratio(self.value / self.baseline)


def one_number(context: SiteContext, page: str, scenario: str, case: str, runner: str) -> Markup:
    """Return the samples behind the current median of a runner and its ratio, and a program that computes both.

    The metric is the scenario's first that stands in the file as it is shown.
    """
    cell = context.site.first(scenario, case)
    metric = next(metric for metric in context.site.scenarios[scenario].metrics if metric.compute is None)
    series = cell.gated.view.series.get(SeriesKey(scenario, case, runner, "subject")) if cell else None
    base = cell.gated.view.baseline(series) if cell and series else None
    rounds = _rounds(cell, series, base, metric) if cell and series and base else []
    if not (cell and series and base and rounds):
        return Markup('<p class="note">There is no number to follow: {}.</p>').format(NOT_MEASURED)
    runners = context.site.scenarios[scenario].runners
    facts = {
        "cell": cell,
        "file_name": cell.file.path.rpartition("/")[2],
        "metric": metric,
        "series": series,
        "base": base,
        "names": [runners[each.runner].words for each in (base, series)],
        "rounds": rounds,
        "in_words": _in_words(rounds, metric),
    }
    table = fragment("one_number.html", **facts, root=root_of(page))
    return Markup(markdown("one_number.md", table=table, **facts, root=root_of(page)))  # noqa: S704 - rendered with escaping


def _rounds(cell: CellResult, series: Series, base: Series, metric: Metric) -> list[Round]:
    values, others = (cell.gated.by_round(each, metric) for each in (series, base))
    both = sorted(number for number in values.keys() & others if values[number] and others[number])
    return [Round(number, others[number], values[number]) for number in both]


def _in_words(rounds: Sequence[Round], metric: Metric) -> dict[str, Any]:
    """Return how the median, its interval and the median ratio follow from the rounds."""
    values = median_interval([each.value for each in rounds])
    ratios = median_interval([each.value / each.baseline for each in rounds])
    place, middle = ranks(len(rounds)).low, sorted(each.value for each in rounds)[(len(rounds) - 1) // 2 :]
    return {
        "count": counted(len(rounds), "sample"),
        "middle": middle[: 1 if len(rounds) % 2 else 2],
        "median": format_value(values.median, metric.unit),
        "place": "" if place == 1 else f"{ordinal(place)} ",
        "ends": [format_value(end, metric.unit) for end in (values.low, values.high)],
        "ratio": format_ratio(ratios.median),
        "turned": format_ratio(1 / ratios.median),
    }

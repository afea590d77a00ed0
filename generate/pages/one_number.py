"""One number, followed from a page back to the samples of all its runs: how to check any other. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.data.between_runs import Block
from generate.data.estimates import OF_A_MEDIAN, PRIOR_DEGREES, PRIOR_RUNS, SURE_ROUNDS, quantile
from generate.pages.templates import fragment, root_of
from generate.pages.templates import page as markdown
from generate.words.numbers import NOT_MEASURED, describe
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from generate.data.estimates import RunValue
    from generate.data.selection import Result
    from generate.pages.context import SiteContext
    from runners.harness.contract import Metric


class Run(NamedTuple):
    """A run that the number is of."""

    value: RunValue
    path: str
    """Of its file, below results/."""
    day: str
    floor: float
    """Its block's variance of rounds, if it has too few rounds of its own; else 0."""


def one_number(context: SiteContext, page: str, scenario: str, case: str, runner: str) -> Markup:
    """Return the runs behind the ratio of a runner to its baseline, and a program that computes it from their files.

    The metric is the scenario's first that stands in the files as it is shown.
    """
    cell = context.site.first(scenario, case)
    of = context.site.scenarios[scenario]
    metric = next(metric for metric in of.metrics if metric.compute is None)
    key = SeriesKey(scenario, case, runner, "subject")
    ratio = cell.against_baseline(key, metric) if cell else None
    if cell is None or ratio is None or not ratio.has_range or ratio.scale != "log":
        return Markup('<p class="note">There is no number to follow: {}.</p>').format(NOT_MEASURED)
    base_case, base = of.baseline_of(of.block_of(case))
    facts = {
        "runs": [_run(cell, value, key, metric) for value in ratio.runs],
        "metric": metric,
        "key": key,
        "baseline": (base_case, base),
        "names": (of.runners[base].words, of.runners[runner].words),
        "words": describe(ratio, kind_of_metric(metric)),
        "ratio": ratio,
        "between": cell.between.variance(Block("within", scenario, of.block_of(case), metric.name)),
        "t": quantile(PRIOR_DEGREES + len(ratio.runs) - 1),
        "prior": PRIOR_RUNS,
        "degrees": PRIOR_DEGREES,
        "of_a_median": OF_A_MEDIAN,
    }
    root = root_of(page)
    table = fragment("one_number.html", **facts, root=root)
    return Markup(markdown("one_number.md", table=table, **facts))  # noqa: S704 - rendered with escaping


def _run(cell: Result, value: RunValue, key: SeriesKey, metric: Metric) -> Run:
    gated = next(each for each in cell.runs_with(key) if each.run == value.run)
    floor = gated.block_variance(gated.view.series[key], metric, "within") if value.rounds < SURE_ROUNDS else None
    return Run(value, gated.file.path, gated.file.record.run.started[:10], floor or 0.0)

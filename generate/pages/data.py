"""The pages of downloads and their fields, and tables from raw samples: one number traced, the validation, ab's."""

from typing import Any

import numpy as np
from markupsafe import Markup

from generate.data.between_runs import Block
from generate.data.estimates import MEDIAN_FACTOR, PRIOR_DEGREES, PRIOR_RUNS, SURE_ROUNDS, RunValue, quantile
from generate.data.read import read_series
from generate.data.results import Results
from generate.data.selection import Result
from generate.downloads.data_dictionary import explain_fields, explain_metrics, record_sections
from generate.downloads.validation import Compared, Made, Validation
from generate.pages.pieces import SiteContext
from generate.pages.templates import fragment, heads, path_to_root
from generate.pages.templates import page as markdown
from generate.words.numbers import describe
from generate.words.patterns import NOT_MEASURED
from generate.words.units import find_kind
from runners.harness.contract import Metric
from runners.harness.record.model import Series, SeriesKey

PERCENTS = (50, 66, 75, 80, 90, 95, 98, 99)
"""The percentiles that Apache Bench prints."""
PROBLEMS = "data-problems.md"


def pages(context: SiteContext) -> dict[str, str]:
    """Return the data page, the page of its fields and, if there are problems, their page."""
    site = context.site
    newest = {(cell.machine, cell.python): (run, cell) for run in site.runs for cell in run.cells}
    pooled = [file for file in site.files if file.path in site.current_paths]
    data = markdown(
        "data.md",
        files=sorted(pooled, key=lambda file: (file.record.run.started, file.path), reverse=True),
        history=len(site.files) - len(pooled),
        measured=[scenario for name, scenario in site.scenarios.items() if site.current[name]],
        problems=len(site.problems),
        has_validation=context.validated != Validation(),
        missing=[(run, cell) for run, cell in newest.values() if cell.status != "measured"],
    )
    fields = markdown(
        "fields.md",
        records=record_sections(),
        metrics=explain_metrics(site.scenarios),
        explained=explain_fields(),
    )
    pages = {"data.md": data, "data-fields.md": fields}
    if site.problems:
        pages[PROBLEMS] = markdown("problems.md", problems=site.problems)
    return pages


def one_number(context: SiteContext, page: str, scenario: str, case: str, runner: str) -> Markup:
    """Return the runs behind a runner's ratio to its baseline, and a program that computes it from their files.

    The metric is the scenario's first that is a column of the files.
    """
    result, known = context.site.first(scenario, case), context.site.scenarios[scenario]
    metric = next(metric for metric in known.metrics if metric.compute is None)
    key = SeriesKey(scenario, case, runner, "subject")
    ratio = result.against_baseline(key, metric) if result else None
    if result is None or ratio is None or not ratio.has_range or ratio.scale != "log":
        return Markup('<p class="note">There is no number to follow: {}.</p>').format(NOT_MEASURED)
    base_case, base = known.find_baseline(known.find_block(case))
    facts = {
        "runs": [_number_run(result, value, key, metric) for value in ratio.runs],
        "metric": metric,
        "key": key,
        "baseline": (base_case, base),
        "names": (known.runners[base].label, known.runners[runner].label),
        "words": describe(ratio, find_kind(metric)),
        "ratio": ratio,
        "between": result.between.variance(Block("within", scenario, known.find_block(case), metric.name)),
        "t": quantile(PRIOR_DEGREES + len(ratio.runs) - 1),
        "prior": PRIOR_RUNS,
        "degrees": PRIOR_DEGREES,
        "median_factor": MEDIAN_FACTOR,
    }
    table = fragment("one_number.html", **facts, root=path_to_root(page))
    return Markup(markdown("one_number.md", table=table, **facts))  # noqa: S704 - rendered with escaping


def _number_run(result: Result, value: RunValue, key: SeriesKey, metric: Metric) -> dict[str, object]:
    """Return a run behind the number, with its block's variance of rounds (`floor`) if its own rounds are too few."""
    run = next(each for each in result.runs_with(key) if each.run == value.run)
    floor = run.block_variance(run.series[key], metric, "within") if value.rounds < SURE_ROUNDS else None
    day = run.file.record.run.started[:10]
    return {"value": value, "path": run.file.path, "day": day, "floor": floor or 0.0}


def apache_bench(site: Results, scenario: str, case: str) -> Markup:
    """Return what Apache Bench prints, for each server in the newest run that measured a case; empty without one."""
    result, known = site.first(scenario, case), site.scenarios[scenario]
    if result is None:
        return Markup()
    at_once = int(known.cases[case].parameters["at_once"])
    servers = {
        key.runner: (known.runners[key.runner].family, apache_bench_figures(series))
        for key, series in sorted(read_series(result.file.location).items())
        if (key.scenario, key.case, key.role) == (scenario, case, "subject")
        if (checked := result.newest.find(key)) and not checked.rejected
    }
    facts = {"servers": servers, "result": result, "case": case, "at_once": at_once}
    return fragment("apache_bench.html", **facts, numbers=heads, percents=[f"{percent} %" for percent in PERCENTS])


def apache_bench_figures(series: Series) -> dict[str, Any]:
    """Return a server's figures, times in ms: over all requests, or the median over samples; empty if none ran."""
    rows: list[Any] = [row.values for row in series.samples.ok_rows() if row.values.get("latency_steps_us")]
    if not rows:
        return {}
    counts = np.array([row["completed_count"] for row in rows])
    sample_ms = np.array([row["elapsed_ns"] for row in rows]) / 1e6
    total = np.concatenate([np.cumsum(row["latency_steps_us"]) for row in rows]) / 1e3
    connect = np.concatenate([np.cumsum(row.get("connect_steps_us") or [0]) for row in rows]) / 1e3
    processing = total.mean() - connect.mean()
    receiving = sum(row.get("receive_all_us") or 0 for row in rows) / 1e3 / len(total)
    return {
        "across": np.median(sample_ms / counts),
        "sample_s": np.median(sample_ms) / 1e3,
        "answered": counts.sum(),
        "failed": sum(row.get("failed_count") or 0 for row in rows),
        "bytes": np.median([row.get("received_bytes") or 0 for row in rows]),
        "means": {"processing": processing, "waiting": processing - receiving},
        "spreads": {
            name: [part.min(), part.mean(), part.std(ddof=min(1, len(part) - 1)), np.median(part), part.max()]
            for name, part in (("connect", connect), ("total", total))
        },
        "percentiles": np.percentile(total, PERCENTS, method="inverted_cdf"),
    }


VALIDATION_PARTS = {
    "predictions": "held-out runs",
    "detection": "controls and planted differences",
    "pyperf": "pyperf",
    "agreement": "load generators",
}
COMPARED: dict[Compared, str] = {
    "value": "values",
    "ratio": "ratios",
    "within": "ratios within a build",
    "across": "ratios between builds",
}


def validation_html(validation: Validation) -> Markup:
    """Return the figures of the validation as tables; a note if there are none."""
    return fragment(
        "validation.html",
        validation=validation,
        made=_made(validation),
        compared=COMPARED,
        meters=sorted({meter for ratios in validation.agreement.values() for meter in ratios}),
    )


def _made(validation: Validation) -> dict[Made, list[str]]:
    """Return when, where and from which commit each part was made, newest first."""
    parts = [(made, VALIDATION_PARTS[name]) for name, made in validation.made.items()]
    parts += [(trial.made, "a real slowdown") for trial in validation.slowdown]
    ordered = sorted({made for made, _ in parts}, key=_order, reverse=True)
    return {made: [*dict.fromkeys(words for by, words in parts if by == made)] for made in ordered}


def _order(made: Made) -> tuple[str, ...]:
    """Order by date, and within a day by everything else."""
    return made.date, made.machine, made.processor, made.commit or ""

"""Shows result files in a terminal: for each case a table of its runners, and who is faster by how much.

Several runs of one build are one estimate. A runner is compared with its case's baseline on the same build, and, on a
build that is not the reference, with itself on the reference build.
"""

from __future__ import annotations

import math
import sys
from itertools import groupby
from typing import TYPE_CHECKING

import click

from generate.comparison import closing, compare, metrics_of, sides_of
from generate.data.between_runs import read as read_between_runs
from generate.data.gate import check_records
from generate.data.read import LOCAL_FOLDER, RESULTS_FOLDER, load
from generate.data.table import summarise
from generate.layout import add_row, describe_runs, make_screen, make_table, print_lines, remarks
from generate.options import FOLDER
from generate.words.log_lines import ending_on_errors, log_line
from generate.words.names import describe_status
from generate.words.numbers import abbreviate_rate, describe, format_estimate, format_range
from generate.words.units import kind_of_metric
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Metric
from runners.harness.errors import EXIT_INCOMPLETE, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from generate.comparison import Side
    from generate.data.gate import CheckedRecord
    from generate.data.table import Summary
    from generate.words.units import Kind
    from runners.harness.catalogue.scenarios import Scenario

ALL = "all"
"""Asks for every metric."""
OTHER_METRIC = commands.module_command("generate", "show", "--metric", "NAME")
NO_RATIO = "no ratio: the baseline is 0 or has no value"
MOST_NAMES = 6
"""Of metrics that are not shown, so many are named."""


def show(paths: Sequence[Path], screen: Console | None = None, metric: str = "", *, is_after_run: bool = False) -> bool:
    """Print what the files at *paths* hold; return True if the sanity gate rejects some of it.

    A run says itself whether its machine was busy. Raises UserError if no file can be used, or none has the *metric*.
    """
    screen, scenarios = screen or make_screen(), catalogue.find()
    loaded = load(*paths)
    print_lines(screen, [log_line(problem) for problem in loaded.problems])
    if not any(file.record.series for file in loaded.files):
        msg = "there is no result file to show, or none has a series: name one, or a folder"
        raise UserError(msg)
    records = check_records(loaded.files, scenarios)
    refuse_unknown(metric, records)
    sides = sides_of(records, scenarios, read_between_runs(catalogue.ROOT / "docs"))
    for _, group in groupby(sorted(sides, key=lambda cell: _order(sides[cell])), key=lambda cell: cell.machine_key):
        cells = [*group]
        print_lines(screen, ["", *(describe_runs(sides[cell]) for cell in cells)], style="bold")
        for rows in cases([sides[cell] for cell in cells], metric):
            _print_case(screen, rows, scenarios)
        for cell in cells[1:]:
            print_lines(
                screen,
                ["", *closing(cell.build, cells[0].build, compare(sides[cells[0]], sides[cell]))],
            )
    if not metric and (others := other_metrics(records)):
        hint = f"also measured: {_first_of(others)}; for their tables, or those of {ALL}:"
        print_lines(screen, ["", hint, f"  {OTHER_METRIC}"])
    if not is_after_run:
        print_lines(screen, remarks(records))
    return any(record.rejected or record.rejected_rounds for record in records)


def refuse_unknown(metric: str, records: Sequence[CheckedRecord]) -> None:
    """Raise UserError if no record has the *metric*."""
    known = metrics_of(records)
    if metric and metric != ALL and metric not in known:
        msg = f"nothing here has the metric {metric!r}: choose {ALL}, or one of {', '.join(known)}"
        raise UserError(msg)


def _order(side: Side) -> tuple[object, ...]:
    """Put the builds of a machine together, the reference build first."""
    result = next(iter(side.values()))
    return result.machine_key, not result.newest.is_reference, result.order


def cases(sides: Sequence[Side], metric: str = "") -> Iterator[list[Summary]]:
    """Yield the summaries of each case and metric of one machine's builds, in the order of their series.

    Of the scenario's first metric, or of the *metric* named if the case has it; of each for `ALL`.
    """
    names = dict.fromkeys(name for side in sides for name in side)
    for name in names:
        rows = [row for row in summarise([side[name] for side in sides if name in side], name) if row.role == "subject"]
        first = rows[0].metric if rows else ""
        for case in dict.fromkeys(row.case for row in rows):
            of_case = [row for row in rows if row.case == case]
            for wanted in dict.fromkeys(row.metric for row in of_case) if metric == ALL else [metric or first]:
                found = [row for row in of_case if row.metric == wanted]
                if not metric or any(row.value for row in found):
                    yield found


def _print_case(screen: Console, rows: Sequence[Summary], scenarios: Mapping[str, Scenario]) -> None:
    """Print a table for each build: its baseline first, then by value, the best first."""
    first = rows[0]
    base_case, base = _baseline(scenarios, first.scenario, first.case)
    kind = _kind(scenarios, first)
    print_lines(screen, ["", f"{first.scenario}, {first.case}: {first.title}"], style="bold")
    builds = dict.fromkeys(row.build for row in rows)
    against = (
        f"against {base}{'' if base_case == first.case else f' in {base_case}'}" if base else "no baseline is known"
    )
    for build in builds:
        of_build = sorted((row for row in rows if row.build == build), key=lambda row: _rank(row, base))
        packages = dict.fromkeys(row.other_packages for row in of_build if row.other_packages)
        heads = ["runner", "value", "range", against]
        if any(row.reference_build != row.build for row in of_build):
            heads.append(f"against {first.reference_build}")
        if len(builds) > 1:
            print_lines(screen, [f"{build} ({'; '.join(packages)})" if packages else build], style="italic")
        table = make_table(*heads, numbers=("value", "range"))
        for row in of_build:
            add_row(table, *_texts(row, base if base_case == row.case else "", kind)[: len(heads)])
        screen.print(table)


def _texts(row: Summary, baseline: str, kind: Kind) -> list[str]:
    if row.value is None:
        why = "not measured" if row.status == "ok" else describe_status(row.status)
        return [row.runner, "", "", f"{why}: {row.reason}" if row.reason else why, ""]
    words = "the baseline" if row.runner == baseline else describe(row.ratio, kind) if row.ratio else NO_RATIO
    notes = [f"{describe_status(row.status)}: {row.reason}"] if row.status != "ok" else []
    aside = "; ".join([words, *notes, *filter(None, [row.note])])
    value, between = (abbreviate_rate(write(row.value, row.unit)) for write in (format_estimate, format_range))
    return [
        row.runner,
        value,
        between,
        aside,
        describe(row.reference_ratio, kind) if row.reference_ratio else "no ratio",
    ]


def _rank(row: Summary, baseline: str) -> tuple[bool, bool, float]:
    number = math.inf if row.number is None else row.number
    return row.runner != baseline, row.number is None, -number if row.better == "higher" else number


def _baseline(scenarios: Mapping[str, Scenario], scenario: str, case: str) -> tuple[str, str]:
    """Return the case and runner that a case is compared with; empty for an unknown case."""
    known = scenarios.get(scenario)
    if known is None or case not in known.cases:
        return "", ""
    return known.baseline_of(known.block_of(case))


def _kind(scenarios: Mapping[str, Scenario], row: Summary) -> Kind:
    metrics = scenarios[row.scenario].metrics if row.scenario in scenarios else ()
    unknown = Metric(row.metric, row.title, row.unit, row.better)
    return kind_of_metric(next((metric for metric in metrics if metric.name == row.metric), unknown))


def other_metrics(records: Sequence[CheckedRecord]) -> list[str]:
    """Return the metrics of *records* that are not the first of their scenario."""
    metrics = [gated.view.metrics(series) for gated in records for series in gated.view.series.values()]
    first = {of_series[0].name for of_series in metrics if of_series}
    return [*dict.fromkeys(each.name for of_series in metrics for each in of_series if each.name not in first)]


def _first_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def newest_run(local: Path) -> Path:
    """Return the folder of the newest run below *local*. Raises UserError if there is none."""
    folders = {path.parent for path in local.glob("*/*/*.json")}
    if not folders:
        measure = commands.module_command("runners", "run")
        msg = f"there is no result under results/local: name a file or a folder, or measure: {measure}"
        raise UserError(msg)
    return max(folders, key=lambda folder: folder.parts[-2:])  # its day, and its name, which begins with its time


@click.command("show")
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--metric", default="", help=f"This one instead of each scenario's first, or {ALL}.")
@click.option("--after-run", is_flag=True, hidden=True)
def command(paths: tuple[Path, ...], metric: str, *, after_run: bool) -> None:
    """Print the tables of result files (default: the newest run of this machine): who is faster by how much."""
    with ending_on_errors():
        paths = paths or (newest_run(catalogue.ROOT / RESULTS_FOLDER / LOCAL_FOLDER),)
        is_rejected = show(paths, metric=metric, is_after_run=after_run)
    if is_rejected and after_run:
        sys.exit(EXIT_INCOMPLETE)

"""Shows result files in a terminal: for each case a table of its runners, and who is faster by how much.

Files of one run stand in one table, build beside build. A runner is held against its case's baseline on the same build;
on a build that is not the reference, the same runner on the reference build too.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

from generate.analysis.gated import apply_gate, why_busy
from generate.analysis.packages import changed, versions_of
from generate.analysis.summaries import summarise
from generate.checks.drawn import CaseTable, Line, draw, fitted
from generate.checks.plainly import Change, closing
from generate.results.load import LOCAL_FOLDER, RESULTS_FOLDER, load
from generate.results.options import FOLDER
from generate.statistics.noise import Finding, finding_of, wider
from generate.text.log_lines import ending_on_errors, log_line
from generate.text.names import build_order
from generate.text.numbers import (
    NOT_MEASURED,
    counted,
    format_interval,
    format_ratio_interval,
    format_value,
    say,
    short,
)
from generate.text.statuses import status_words
from generate.text.units import kind_of
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.analysis.gated import GatedRecord
    from generate.analysis.summary import Summary
    from generate.text.units import Kind
    from runners.harness.catalogue.scenarios import Scenario

ALL = "all"
"""Asks for every metric, where else one is named."""
OTHER_METRIC = commands.module("generate", "show", "--metric", "NAME")
NO_RATIO = "no ratio: the baseline has no value above 0 beside it"
"""What is said of a value whose baseline is 0 in some round, as of failures that did not happen, or is not there."""
MOST_NAMES = 6
"""Of metrics that are not shown, so many are named."""


def show(paths: Sequence[Path], console: Console | None = None, metric: str = "") -> None:
    """Print what the files at *paths* hold. Raises UserError where none can be used, or none has the *metric*."""
    screen = console or Console(highlight=False)
    loaded, scenarios = load(*paths), catalogue.find()
    for problem in loaded.problems:
        screen.print(log_line(problem), markup=False)
    if not loaded.files:
        msg = "there is no result file to show: name one, or a folder"
        raise UserError(msg)
    ordered = sorted(apply_gate(loaded.files, scenarios), key=_order_of_file)
    _refuse_unknown(metric, ordered)
    for _, of_run in groupby(ordered, key=_run_of):
        records = list(of_run)
        screen.print(f"\n[bold]{escape(heading(records))}[/bold]")
        tables = [*case_tables(records, scenarios, metric)]
        for table in tables:
            _print(table, records, screen)
        for line in summing_up(tables, first_build(records)):
            screen.print("\n".join(fitted(line, screen.width)), markup=False, soft_wrap=True)
    if not metric and (others := other_metrics(ordered)):
        hint = fitted(f"also measured: {_first_of(others)}; for their tables, or those of {ALL}:", screen.width)
        screen.print("\n".join(["", *hint, f"  {OTHER_METRIC}"]), markup=False, soft_wrap=True)


def _refuse_unknown(metric: str, records: Sequence[GatedRecord]) -> None:
    known = {each.name for gated in records for key in gated.file.record.series for each in gated.view.metrics(key)}
    if metric and metric != ALL and metric not in known:
        msg = f"nothing here has the metric {metric!r}: choose {ALL}, or one of {', '.join(sorted(known))}"
        raise UserError(msg)


def _first_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def _print(table: CaseTable, records: Sequence[GatedRecord], screen: Console) -> None:
    alone = next(iter(table.of_builds.values())) if len(records) == 1 else ""
    screen.print(f"\n[bold]{escape(table.title)}[/bold]\n{escape('; '.join(filter(None, [table.baseline, alone])))}")
    for line, is_build in draw(table, screen.width, first_build(records)):
        screen.print(line, markup=False, soft_wrap=True, style="italic" if is_build else None)


def first_build(records: Sequence[GatedRecord]) -> str:
    """Say what the builds of a table are held against: by name where that is not the first of them."""
    return "the first build" if records[0].is_reference else build_name(records[0].file.record.reference_build)


def summing_up(tables: Sequence[CaseTable], first: str) -> list[str]:
    """Return what to close with where builds are compared: what is plainly faster or slower than on the *first*."""
    changes: dict[str, list[Change]] = {}
    for line in (line for table in tables for line in table.lines):
        if line.change:
            changes.setdefault(line.build, []).append(line.change)
    closed = [line for build, of_build in changes.items() for line in closing(build, first, of_build)]
    return ["", *closed] if closed else []


def heading(records: Sequence[GatedRecord]) -> str:
    """Say what a run measured on, how often, and when."""
    record = records[0].file.record
    builds = ", ".join(build_name(gated.file.record.build) for gated in records)
    how = f"{record.run.profile} profile, {counted(record.run.rounds, 'round')}"
    cut = "" if record.complete else ", cut off"
    busy = next(
        (f"; it decides nothing: {why}" for gated in records if (why := why_busy(gated.file.record.machine))), ""
    )
    return f"{builds} on {record.machine.label}: {how}, {record.run.started[:10]}{cut}{busy}"


def case_tables(
    records: Sequence[GatedRecord], scenarios: Mapping[str, Scenario], metric: str = ""
) -> Iterator[CaseTable]:
    """Return a table for each case that the files of one run have, in the order of their series.

    It is of the scenario's first metric, or of the *metric* named where the case has that; of `ALL`, one of each.
    """
    rows = [row for row in summarise(records) if row.role == "subject"]
    for scenario, case in dict.fromkeys((row.scenario, row.case) for row in rows):
        of_case = [row for row in rows if (row.scenario, row.case) == (scenario, case)]
        known = [*dict.fromkeys(row.metric for row in of_case)]
        wanted = known if metric == ALL else [name for name in known if name == (metric or known[0])]
        for name in wanted:
            of_metric = [row for row in of_case if row.metric == name]
            if metric and all(row.median is None for row in of_metric):
                continue  # it is of other cases
            yield _table(records, scenarios, of_metric, has_others=metric == ALL)


def _table(
    records: Sequence[GatedRecord], scenarios: Mapping[str, Scenario], rows: Sequence[Summary], *, has_others: bool
) -> CaseTable:
    """Return the table of the *rows* of one case and metric; where it *has_others* beside it, its metric is named."""
    scenario, case, title = rows[0].scenario, rows[0].case, rows[0].title
    base_case, base_runner = _baseline(scenarios, scenario, case)
    base = base_runner if base_case == case else ""
    kind = _kind(scenarios, rows[0])
    place = f"{scenario}, {case}{f', {title}' if has_others else ''}"
    first = build_name(records[0].file.record.reference_build)
    of_first = {row.runner: row for row in rows if row.build == first}
    lines = [
        _line(row, of_first.get(row.runner), base, kind, place)
        for _, of_build in groupby(rows, key=lambda row: row.build)
        for row in sorted(of_build, key=lambda row: _order(row, base))
    ]
    name = base or f"{base_runner} in “{base_case}”"
    words = f"baseline: {name}" if base_runner else "no baseline is known"
    coverage = min((row.coverage for row in rows if row.coverage is not None), default=None)
    return CaseTable(f"{scenario}, {case}: {title}", words, _of_builds(records, rows), coverage, lines)


def other_metrics(records: Sequence[GatedRecord]) -> list[str]:
    """Name the metrics of what the files of runs have that are not the first of their scenario."""
    metrics = [gated.view.metrics(series) for gated in records for series in gated.file.record.series]
    first = {of_series[0].name for of_series in metrics if of_series}
    return [*dict.fromkeys(each.name for of_series in metrics for each in of_series if each.name not in first)]


def _run_of(gated: GatedRecord) -> tuple[str, str, str]:
    record = gated.file.record
    return record.run.started, record.run.id, record.machine.label


def _order_of_file(gated: GatedRecord) -> tuple[object, ...]:
    """Put the files of a run together, the reference build's first."""
    build = build_name(gated.file.record.build)
    return *_run_of(gated), not gated.is_reference, build_order(build)


def _baseline(scenarios: Mapping[str, Scenario], scenario: str, case: str) -> tuple[str, str]:
    """Name the case and runner that a case is held against; of a case that is not known any more, neither."""
    known = scenarios.get(scenario)
    if known is None or case not in known.cases:
        return "", ""
    return known.baseline_of(known.block_of(case))


def _kind(scenarios: Mapping[str, Scenario], row: Summary) -> Kind:
    """Return what the metric of *row* measures; where no scenario has it, its name and unit say so."""
    known = scenarios[row.scenario].metrics if row.scenario in scenarios else ()
    kind = next((metric.kind for metric in known if metric.name == row.metric), None)
    return kind_of(row.metric, row.unit, row.better, kind)


def _order(row: Summary, baseline: str) -> tuple[bool, bool, float]:
    value = math.inf if row.median is None else row.median
    return row.runner != baseline, row.median is None, -value if row.better == "higher" else value


def _line(row: Summary, of_first: Summary | None, baseline: str, kind: Kind, place: str) -> Line:
    """Return the line of *row*; *of_first* is the same on the reference build, where there is such."""
    if row.median is None:
        status = NOT_MEASURED if row.status == "ok" else status_words(row.status)
        why = f"{status}: {row.reason}" if row.reason else status
        return Line(row.build, row.runner, "", "", why, "", differs_beyond_noise=False)
    compared = row.against_baseline
    words = say(compared, kind, row.noise) if compared else NO_RATIO
    if row.runner == baseline:
        words = "the baseline"
    if row.status != "ok":
        words += f"; {status_words(row.status)}: {row.reason}"
    interval = "" if row.low is None else short(format_interval(row.low, row.high, row.unit))
    beside = row.against_reference
    beside_reference, is_beyond, change = "", False, None
    if beside is not None and not beside.low == beside.high == 1:  # not itself
        noise = wider(row.noise, of_first.noise if of_first else None) if row.noise else None
        beside_reference = say(beside, kind, noise)
        change = Change(f"{row.runner} in {place}", beside, noise, kind, row.better)
        is_beyond = finding_of(beside, noise) in {Finding.REACHES, Finding.BEYOND}
    median = short(format_value(row.median, row.unit))
    return Line(row.build, row.runner, median, interval, words, beside_reference, is_beyond, change)


def _of_builds(records: Sequence[GatedRecord], rows: Sequence[Summary]) -> dict[str, str]:
    """Return what to say of each build beside its name: its packages where builds differ in them, and its noise."""
    noises = {row.build: format_ratio_interval(row.noise_low, row.noise_high) for row in rows if row.noise is not None}
    differing = {build_name(gated.file.record.build): _changed_packages(gated, rows[0]) for gated in records}
    of_first = {name: theirs for of_build in differing.values() for name, (_, theirs) in of_build.items()}
    said = {}
    for gated in records:
        build = build_name(gated.file.record.build)
        packages = [f"{name} {ours}, not {theirs}" for name, (ours, theirs) in differing[build].items()]
        if gated.is_reference:
            packages = [f"{name} {theirs}" for name, theirs in sorted(of_first.items())]
        noise = [f"the baseline against itself: {noises[build]}"] if build in noises else []
        said[build] = "; ".join([*packages, *noise])
    return said


def _changed_packages(gated: GatedRecord, of_case: Summary) -> dict[str, tuple[str, str]]:
    """Return, by name, the version here and on the reference build of each package of a case that differs there."""
    record, case = gated.file.record, (of_case.scenario, of_case.case)
    roots = {name for each in record.series if each.key[:2] == case for name in gated.view.packages(each)}
    return changed(versions_of(record.packages, roots), versions_of(record.reference_packages, roots))


def newest_run(local: Path) -> Path:
    """Return the folder of the run below *local* that was begun last. Raises UserError where there is none."""
    folders = {path.parent for path in local.glob("*/*/*.json")}
    if not folders:
        measure = commands.module("runners", "run")
        msg = f"there is no result under results/local: name a file or a folder, or measure: {measure}"
        raise UserError(msg)
    return max(folders, key=lambda folder: folder.parts[-2:])  # its day, and its name, which begins with its time


@click.command("show")
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--metric", default="", help=f"This one instead of each scenario's first, or {ALL}.")
def command(paths: tuple[Path, ...], metric: str) -> None:
    """Print the tables of result files (default: the newest run of this machine): who is faster by how much."""
    with ending_on_errors():
        show(paths or (newest_run(catalogue.ROOT / RESULTS_FOLDER / LOCAL_FOLDER),), metric=metric)

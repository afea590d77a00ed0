"""Shows result files in a terminal: a table of runners for each case, and who is faster by how much.

Several runs of one build are one estimate. A runner is compared with its case's baseline on the same build, and, on a
build that is not the reference, with itself on the reference build.
"""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console

from generate.comparison import Side, compare, counts, list_metrics, pool_sides, sum_up
from generate.data.between_runs import read as read_between_runs
from generate.data.files import ResultKey
from generate.data.gate import check_records
from generate.data.read import LOCAL_FOLDER, RESULTS_FOLDER, load
from generate.data.selection import Result
from generate.data.table import Summary, best_runners, summarise
from generate.layout import MarkdownScreen, describe_runs, make_screen, print_lines, print_table, remarks
from generate.options import FOLDER
from generate.words import patterns
from generate.words.log_lines import ending_on_errors, log_line
from generate.words.names import describe_status
from generate.words.numbers import abbreviate_rate, describe, describe_briefly, format_estimate, format_range
from generate.words.units import Kind, find_kind
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.errors import EXIT_INCOMPLETE, UserError

MOST_ANSWERS, MOST_NAMED = 10, 3
OTHER_METRIC = commands.module_command("generate", "show", "--metric", "NAME")


def show(
    paths: Sequence[Path],
    screen: Console | None = None,
    metric: str = "",
    *,
    is_after_run: bool = False,
    has_tables: bool = True,
) -> bool:
    """Print the results at *paths*. Return True if the sanity gate rejects any.

    After a run the answer of each scenario is last. There are no remarks, as the run reports a busy machine itself.
    Raises UserError if no file can be used, or none has the *metric*.
    """
    screen, scenarios = screen or make_screen(), catalogue.find()
    loaded = load(*paths)
    print_lines(screen, [log_line(problem) for problem in loaded.problems])
    if not any(file.record.series for file in loaded.files):
        msg = "there is no result file to show, or none has a series: name one, or a folder"
        raise UserError(msg)
    records = check_records(loaded.files, scenarios)
    if metric not in {"", *list_metrics(records)}:
        msg = f"nothing here has the metric {metric!r}: choose one of {', '.join(list_metrics(records))}"
        raise UserError(msg)
    sides = pool_sides(records, scenarios, read_between_runs(catalogue.ROOT / "docs"))

    def order(key: ResultKey) -> tuple[object, ...]:
        result = next(iter(sides[key].values()))
        return key.machine_key, not result.newest.is_reference, result.order

    ordered = sorted(sides, key=order)
    for _, group in groupby(ordered, key=lambda key: key.machine_key) if has_tables else ():
        _print_machine(screen, {key: sides[key] for key in group}, metric, scenarios)
    if is_after_run:
        print_lines(screen, ["", *_answers({key: sides[key] for key in ordered}, scenarios)])
    elif not metric:
        names = ", ".join(list_metrics(records))
        print_lines(screen, ["", f"metrics: {names}; for the tables of one:", f"  {OTHER_METRIC}"])
    if not is_after_run:
        print_lines(screen, remarks(records))
    return any(series.rejected or series.rejected_rounds for record in records for series in record.series.values())


def _print_machine(
    screen: Console, sides: Mapping[ResultKey, Side], metric: str, scenarios: Mapping[str, Scenario]
) -> None:
    """Print the tables of a machine's builds, then how each compares with the first."""
    print_lines(screen, ["", *map(describe_runs, sides.values())], style="bold")
    for rows in _cases([*sides.values()], metric):
        _print_case(screen, rows, scenarios)
    (first, side), *others = sides.items()
    for key, other in others:
        print_lines(screen, ["", *sum_up(key.build, first.build, compare(side, other))])


def _answers(sides: Mapping[ResultKey, Side], scenarios: Mapping[str, Scenario]) -> list[str]:
    """Return a line for each scenario: the best of its first case on the first build, and how the others compare."""
    if not sides:  # the catalogue no longer has these scenarios
        return []
    first, *others = sides.items()
    names = dict.fromkeys(name for side in sides.values() for name in side)
    lines = []
    for name in names:
        own = {name: first[1][name]} if name in first[1] else {}
        parts = [_best(own[name], next(_cases([own], ""), []), scenarios)] if own else []
        for key, side in others:
            different = counts(compare(own, {name: side[name]} if name in side else {}))
            parts.append(patterns.TERMINAL_BUILD.format(build=key.build, counts=", ".join(different)))
        lines.append(f"{name}, {'; '.join(parts)}")
    hidden = len(lines) - MOST_ANSWERS
    return [*lines[: MOST_ANSWERS - 1], patterns.TERMINAL_MORE.format(hidden + 1)] if hidden > 0 else lines


def _best(result: Result, rows: Sequence[Summary], scenarios: Mapping[str, Scenario]) -> str:
    """Name the best runners of a case, or the first after the baseline if they are not alternatives."""
    measured = sorted((row for row in rows if row.value is not None), key=lambda row: _rank(row, ""))
    scenario = scenarios.get(rows[0].scenario) if rows else None
    if not measured or scenario is None:
        return patterns.NOT_MEASURED
    metric = next(each for each in scenario.metrics if each.name == measured[0].metric)
    names, baseline = best_runners(result, scenario, metric, measured), measured[0].baseline
    named = [row for row in measured if row.runner in names]
    first, *_ = named or [row for row in measured if row.runner != baseline] or measured
    against = f"{describe_briefly(first.ratio, find_kind(metric))} {patterns.TERMINAL_AGAINST.format(baseline)}"
    runners = [row.runner for row in named or [first]]
    hidden = len(runners) - MOST_NAMED
    shown = ", ".join(runners[:MOST_NAMED])
    return patterns.TERMINAL_BEST.format(
        case=first.case,
        runners=patterns.TERMINAL_AS_GOOD.format(shown, hidden) if hidden > 0 else shown,
        value=abbreviate_rate(format_estimate(first.value, first.unit)),
        words=patterns.THE_BASELINE if first.runner == baseline else against,
    )


def _cases(sides: Sequence[Side], metric: str) -> Iterator[list[Summary]]:
    """Yield the summaries of each case of one machine's builds, in the order of their series.

    The metric is the scenario's first, or *metric* if the case has it.
    """
    for name in dict.fromkeys(name for side in sides for name in side):
        every = (summarise(side[name], name) for side in sides if name in side)
        rows = [row for each in every for row in each if row.role == "subject"]
        wanted = metric or next((row.metric for row in rows), "")
        for case in dict.fromkeys(row.case for row in rows):
            case_rows = [row for row in rows if (row.case, row.metric) == (case, wanted)]
            if case_rows and (not metric or any(row.value for row in case_rows)):
                yield case_rows


def _print_case(screen: Console, rows: Sequence[Summary], scenarios: Mapping[str, Scenario]) -> None:
    """Print a table for each build: its baseline first, then by value, the best first."""
    first, kind = rows[0], _kind(scenarios, rows[0])
    title = patterns.TERMINAL_TITLE.format(scenario=first.scenario, case=first.case, metric=first.title)
    print_lines(screen, ["", title], style="bold")
    case, _, baseline = (first.baseline or "").rpartition("/")
    named = patterns.BASELINE_OF_ANOTHER_CASE.format(runner=baseline, case=case) if case else baseline
    heads = ["runner", "value", "range", patterns.TERMINAL_AGAINST.format(named) if baseline else patterns.NO_BASELINE]
    builds = dict.fromkeys(row.build for row in rows)
    for build in builds:
        build_rows = sorted((row for row in rows if row.build == build), key=lambda row: _rank(row, baseline))
        packages = "; ".join(dict.fromkeys(row.other_packages for row in build_rows if row.other_packages))
        if len(builds) > 1:
            print_lines(screen, [f"{build} ({packages})" if packages else build], style="italic")
        has_reference = any(row.reference_build != row.build for row in build_rows)
        more = [patterns.TERMINAL_AGAINST.format(first.reference_build)] if has_reference else []
        texts = []
        for row in build_rows:
            reference = describe(row.reference_ratio, kind) if row.reference_ratio else patterns.NO_REFERENCE_RATIO
            compared = [reference if row.value else ""] if more else []
            texts.append([*_texts(row, kind, is_baseline=not case and row.runner == baseline), *compared])
        print_table(screen, [*heads, *more], texts, ("value", "range"))


def _texts(row: Summary, kind: Kind, *, is_baseline: bool) -> tuple[str, ...]:
    """Return the runner, its value, its range, and how it compares with the baseline or why it has no value."""
    status = patterns.NOT_MEASURED if row.status == "ok" else describe_status(row.status)
    status = f"{status}: {row.reason}" if row.reason else status
    if row.value is None:
        return row.runner, "", "", status
    words = patterns.THE_BASELINE if is_baseline else describe(row.ratio, kind) if row.ratio else patterns.NO_RATIO
    notes = [words, "" if row.status == "ok" else status, row.note]
    value, between = (abbreviate_rate(write(row.value, row.unit)) for write in (format_estimate, format_range))
    return row.runner, value, between, "; ".join(filter(None, notes))


def _rank(row: Summary, baseline: str) -> tuple[bool, bool, float]:
    number = math.inf if row.number is None else row.number
    return row.runner != baseline, row.number is None, -number if row.better == "higher" else number


def _kind(scenarios: Mapping[str, Scenario], row: Summary) -> Kind:
    metrics = scenarios[row.scenario].metrics if row.scenario in scenarios else ()
    unknown = Metric(row.metric, row.title, row.unit, row.better)
    return find_kind(next((metric for metric in metrics if metric.name == row.metric), unknown))


def _newest_run(local: Path) -> Path:
    """Return the folder of the newest run below *local*. Raises UserError if there is none."""
    folders = {path.parent for path in local.glob("*/*/*.json")}
    if not folders:
        measure = commands.module_command("runners", "run")
        msg = f"there is no result under results/local: name a file or a folder, or measure: {measure}"
        raise UserError(msg)
    return max(folders, key=lambda folder: folder.parts[-2:])  # the day, and the name, which begins with the time


@click.command("show")
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--metric", default="", help="This metric instead of each scenario's first.")
@click.option("--markdown", is_flag=True, help="Print Markdown, to paste into an issue.")
@click.option("--after-run", is_flag=True, hidden=True)
@click.option("--all", "has_tables", is_flag=True, hidden=True)
def command(paths: tuple[Path, ...], metric: str, *, markdown: bool, after_run: bool, has_tables: bool) -> None:
    """Print the tables of result files (default: the newest run of this machine): who is faster by how much."""
    with ending_on_errors():
        paths = paths or (_newest_run(catalogue.ROOT / RESULTS_FOLDER / LOCAL_FOLDER),)
        screen = MarkdownScreen() if markdown else None
        has_tables = has_tables or bool(metric) or not after_run
        is_rejected = show(paths, screen, metric, is_after_run=after_run, has_tables=has_tables)
    if is_rejected and after_run:
        sys.exit(EXIT_INCOMPLETE)

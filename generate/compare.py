"""Compares two result files, or two folders of them, in a terminal. See `comparison` for the rules."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console

from generate.comparison import (
    BOTH_ARE_REFERENCES,
    ONLY_ONE,
    Row,
    Side,
    compare,
    list_metrics,
    pool_sides,
    reasons,
    sum_up,
)
from generate.data.between_runs import read as read_between_runs
from generate.data.checked import CheckedRecord
from generate.data.files import ResultKey
from generate.data.gate import check_records
from generate.data.read import load
from generate.layout import describe_runs, make_screen, print_lines, print_table, remarks
from generate.options import FOLDER
from generate.words import patterns
from generate.words.log_lines import ending_on_errors
from generate.words.names import list_names
from generate.words.numbers import abbreviate_rate, format_estimate
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.errors import UserError


def show(paths: tuple[Path, Path], metric: str = "", screen: Console | None = None) -> None:
    """Print how the results at the second path compare with those at the first. Raises UserError."""
    screen, scenarios = screen or make_screen(), catalogue.find()
    records = [_read(path, scenarios) for path in paths]
    first_sha256, second_sha256 = ({record.file.sha256 for record in each} for each in records)
    if first_sha256 and first_sha256 == second_sha256:
        msg = "both are the same results: name two files, or two folders"
        raise UserError(msg)
    between = read_between_runs(catalogue.ROOT / "docs")
    first, second = (pool_sides(each, scenarios, between) for each in records)
    compared = {pair: compare(first[pair[0]], second[pair[1]], metric) for pair in _pairs(first, second)}
    if metric and not any(compared.values()):
        known = ", ".join(list_metrics([*records[0], *records[1]]))
        msg = f"neither has the metric {metric!r}: choose one of {known}"
        raise UserError(msg)
    relevant = {pair: rows for pair, rows in compared.items() if {row.why_not for row in rows} != {BOTH_ARE_REFERENCES}}
    for (ours, theirs), rows in (relevant or compared).items():
        sides = [f"second: {describe_runs(second[theirs])}", f"first: {describe_runs(first[ours])}"]
        print_lines(screen, ["", *sides], style="bold")
        _print_rows(screen, rows)
        names = (theirs.build if ours.build != theirs.build else "the second", ours.build)
        not_compared = (patterns.COMPARE_NOT_COUNT.format(number=number, reason=why) for why, number in reasons(rows))
        print_lines(screen, ["", *sum_up(*names, rows), *not_compared])
    print_lines(screen, remarks(*records))


def _read(path: Path, scenarios: Mapping[str, Scenario]) -> list[CheckedRecord]:
    """Read a result file with its run's other files, or a folder. Raises UserError with what is wrong."""
    is_file = path.suffix == ".json"
    siblings = [other for other in sorted(path.parent.glob("*.json")) if other != path] if is_file else []
    loaded = load(path, *siblings)
    for problem in loaded.problems:
        if not is_file or problem.path == path.as_posix():
            raise UserError(str(problem))
    records = check_records(loaded.files, scenarios)
    return [record for record in records if record.file.path == path.as_posix()] if is_file else records


def _pairs(first: Mapping[ResultKey, Side], second: Mapping[ResultKey, Side]) -> list[tuple[ResultKey, ResultKey]]:
    """Return the builds of two folders to compare. Raises UserError unless their names match."""
    if len(first) == len(second) == 1:
        return [(next(iter(first)), next(iter(second)))]
    alike = [(ours, theirs) for ours in first for theirs in second if ours.build == theirs.build]
    if not alike or len({ours for ours, _ in alike}) < len(alike):
        msg = f"the first has {_list_builds(first)}, the second {_list_builds(second)}: name two files"
        raise UserError(msg)
    return alike


def _list_builds(keys: Mapping[ResultKey, Side]) -> str:
    names = sorted(f"{key.build} on {key.machine} ({key.machine_key.processor})" for key in keys)
    return list_names(names) or "no result"


def _print_rows(screen: Console, rows: Sequence[Row]) -> None:
    """Print a table for each case in both."""
    shown = [row for row in rows if row.why_not != ONLY_ONE]
    for (scenario, case, metric), group in groupby(shown, lambda row: (*row.key[:2], row.metric.title)):
        case_rows = [*group]
        versions = ", ".join(dict.fromkeys(name for row in case_rows for name in row.packages))
        title = patterns.TERMINAL_TITLE.format(scenario=scenario, case=case, metric=metric)
        print_lines(screen, ["", f"{title} ({versions})" if versions else title], style="bold")
        heads = ("runner", "first", "second", "second against first")
        print_table(screen, heads, map(_texts, case_rows), ("first", "second"))


def _texts(row: Row) -> list[str]:
    values = (abbreviate_rate(format_estimate(value, row.metric.unit)) for value in row.values)
    is_direct = row.is_paired or row.ratio is None
    return [row.key.runner, *values, row.text if is_direct else patterns.COMPARE_THROUGH_REFERENCE.format(row.text)]


@click.command("compare")
@click.argument("first", type=FOLDER)
@click.argument("second", type=FOLDER)
@click.option("--metric", default="", help="This metric instead of each scenario's first.")
def command(first: Path, second: Path, metric: str) -> None:
    """Compare two result files, or two folders of them: each series of SECOND over that of FIRST."""
    with ending_on_errors():
        show((first, second), metric)

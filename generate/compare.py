"""Compares two result files, or two folders of them, in a terminal: `comparison` has the rules."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from generate.comparison import (
    BOTH_ARE_REFERENCES,
    MOST_NAMED,
    ONLY_ONE,
    WOULD_CANCEL,
    closing,
    compare,
    metrics_of,
    reasons,
    sides_of,
)
from generate.data.between_runs import read as read_between_runs
from generate.data.gate import check_records
from generate.data.read import load
from generate.layout import add_row, describe_runs, make_screen, make_table, print_lines, remarks
from generate.options import FOLDER
from generate.words.log_lines import ending_on_errors
from generate.words.names import list_names
from generate.words.numbers import abbreviate_rate, format_estimate
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from generate.comparison import Row, Side
    from generate.data.gate import CheckedRecord
    from generate.data.selection import MachineKey, ResultKey
    from runners.harness.catalogue.scenarios import Scenario

REMEDY = (
    "Measure both in one run, for example:",
    f"  {commands.module_command('runners', 'run', '--python', '3.13', '--python', '3.13+WHEEL')}",
)


def read(path: Path, scenarios: Mapping[str, Scenario]) -> list[CheckedRecord]:
    """Read a result file with its run's other files, or a folder. Raises UserError with what is wrong."""
    is_file = path.suffix == ".json"
    siblings = [other for other in sorted(path.parent.glob("*.json")) if other != path] if is_file else []
    loaded = load(path, *siblings)
    for problem in loaded.problems:
        if not is_file or problem.path == path.as_posix():
            raise UserError(str(problem))
    gated = check_records(loaded.files, scenarios)
    return [one for one in gated if one.file.path == path.as_posix()] if is_file else gated


def pairs(first: Mapping[ResultKey, Side], second: Mapping[ResultKey, Side]) -> list[tuple[ResultKey, ResultKey]]:
    """Return the builds of two folders to compare. Raises UserError unless their names match."""
    if len(first) == len(second) == 1:
        return [(next(iter(first)), next(iter(second)))]
    alike = [(one, other) for one in first for other in second if one.build == other.build]
    if not alike or len({one for one, _ in alike}) < len(alike):
        builds = [list_names(sorted({cell.build for cell in side})) or "no result" for side in (first, second)]
        hosts = [
            f" on {list_names(sorted({_named(cell.machine_key) for cell in side}))}"
            if len(side) > len({cell.build for cell in side})
            else ""
            for side in (first, second)
        ]
        msg = f"the first has {builds[0]}{hosts[0]}, the second {builds[1]}{hosts[1]}: name two files"
        raise UserError(msg)
    return alike


def _named(host: MachineKey) -> str:
    return f"{host.machine} ({host.processor})"


def refuse_alike(first: Sequence[CheckedRecord], second: Sequence[CheckedRecord]) -> None:
    """Raise UserError if both are the same results, which nothing can be learned from."""
    if first and {one.file.sha256 for one in first} == {one.file.sha256 for one in second}:
        msg = "both are the same results: name two files, or two folders"
        raise UserError(msg)


def show(paths: tuple[Path, Path], metric: str = "", screen: Console | None = None) -> None:
    """Print how the results at the second path compare with those at the first. Raises UserError."""
    screen, scenarios = screen or make_screen(), catalogue.find()
    records = [read(path, scenarios) for path in paths]
    refuse_alike(*records)
    between = read_between_runs(catalogue.ROOT / "docs")
    first, second = (sides_of(of_path, scenarios, between) for of_path in records)
    compared = {pair: compare(first[pair[0]], second[pair[1]], metric) for pair in pairs(first, second)}
    if metric and not any(compared.values()):
        known = metrics_of([one for of_path in records for one in of_path])
        msg = f"neither has the metric {metric!r}: choose one of {', '.join(known)}"
        raise UserError(msg)
    others = {pair: rows for pair, rows in compared.items() if any(row.why_not != BOTH_ARE_REFERENCES for row in rows)}
    for (one, other), rows in (others or compared).items():
        print_lines(
            screen, ["", f"second: {describe_runs(second[other])}", f"first: {describe_runs(first[one])}"], style="bold"
        )
        print_rows(screen, rows)
    for (one, other), rows in (others or compared).items():
        print_lines(screen, ["", *summary(one, other, rows)])
    every = [row for rows in compared.values() for row in rows]
    if any(WOULD_CANCEL in row.why_not for row in every):
        print_lines(screen, REMEDY)
    print_lines(screen, remarks(*records))


def print_rows(screen: Console, rows: Sequence[Row]) -> None:
    """Print a table for each case that both have."""
    shown = [row for row in rows if row.why_not != ONLY_ONE]
    for (scenario, case, metric), group in groupby(shown, lambda row: (*row.key[:2], row.metric.title)):
        of_case = [*group]
        versions = ", ".join(dict.fromkeys(name for row in of_case for name in row.packages))
        title = f"{scenario}, {case}: {metric}" + (f" ({versions})" if versions else "")
        print_lines(screen, ["", title], style="bold")
        table = make_table("runner", "first", "second", "second against first", numbers=("first", "second"))
        for row in of_case:
            way = "" if row.is_paired or row.ratio is None else ", through the reference build"
            values = (abbreviate_rate(format_estimate(value, row.metric.unit)) for value in row.values)
            add_row(table, row.key.runner, *values, f"{row.words}{way}")
        screen.print(table)


def summary(first: ResultKey, second: ResultKey, rows: Sequence[Row]) -> Iterator[str]:
    """Sum up: what differs most, and why rows are not compared."""
    yield from closing(second.build if first.build != second.build else "the second", first.build, rows)
    every = reasons(rows)
    for reason, number in every[:MOST_NAMED]:
        yield f"  not compared ({number}): {reason}"
    if len(every) > MOST_NAMED:
        others = sum(number for _, number in every[MOST_NAMED:])
        yield f"  not compared ({others}): for other reasons, in the tables above"


@click.command("compare")
@click.argument("first", type=FOLDER)
@click.argument("second", type=FOLDER)
@click.option("--metric", default="", help="This one instead of each scenario's first.")
def command(first: Path, second: Path, metric: str) -> None:
    """Compare two result files, or two folders of them: each series of SECOND over that of FIRST."""
    with ending_on_errors():
        show((first, second), metric)

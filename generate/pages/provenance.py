"""Says on which machine, with which build, when and how often something was measured. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generate.analysis.between_runs import MOST_RUNS
from generate.claims.answers import number_words
from generate.text.builds import build_words, how_optimised, these_were
from generate.text.hosted_machines import ownership_note
from generate.text.machine_names import indefinite
from generate.text.names import listed_briefly, plain
from generate.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult

WHAT_A_RATIO_IS = "A ratio is the median over the rounds, which need not be the quotient of two medians."


def measured_on(cell: CellResult, scenario: str | None = None) -> str:
    """Say of which machine, build and run a result is; of how many rounds, by *scenario* where one is named."""
    run = cell.record.run
    build = f"{plain(cell.build)} ({how_optimised(cell.record.build)})"
    host = cell.record.machine
    machine = f"{indefinite(plain(cell.machine_name))}{ownership_note(*cell.host)}, {plain(host.cpu)},"
    when = f"{run.started[:10]}: {rounds_words(cell, scenario)}, profile {run.profile}"
    return f"Measured on {machine} with {build} on {when}."


def how_they_were_built(cells: Iterable[CellResult]) -> str:
    """Say how the builds of *cells* were optimised, the commonest way first; empty where there are none."""
    by_way: dict[str, list[str]] = defaultdict(list)
    for cell in {cell.build: cell for cell in sorted(cells, key=lambda cell: cell.order)}.values():
        by_way[how_optimised(cell.record.build)].append(build_words(cell.build))
    if not by_way:
        return ""
    common = max(by_way, key=lambda way: len(by_way[way]))
    others = [f"{listed_briefly(names)}: {way}" for way, names in by_way.items() if way != common]
    return "; ".join([these_were(common), *others]) + "."


def what_follows_a_range(site: CurrentResults, cell: CellResult, scenario: str) -> str:
    """Say what follows a range where several full runs measured the same; nothing where this run is alone."""
    of_file = site.rows.get(cell.file.path, {}).items()
    if not any(row.runs > 1 for (name, _), rows in of_file if name == scenario for row in rows):
        return ""
    several = f"that of the medians of several, {number_words(MOST_RUNS)} at most, where there are some"
    return f"In brackets: the range of this run; then {several}."


def rounds_words(cell: CellResult, scenario: str | None = None) -> str:
    """Say how many rounds a cell has: of *scenario* fewer than the run, where timers decide how long it takes.

    Of a run that was cut short, of how many.
    """
    record = cell.record
    counts = (len(series.samples.status) for series in record.series if series.scenario == scenario)
    measured, rounds = max(counts, default=record.run.rounds), counted(record.run.rounds, "round")
    return counted(measured, "round") if record.complete else f"{measured} of {rounds}"

"""Prints the figures of the project itself: `make bench`. No test; nothing is judged but by the reader.

Measured runs go to a folder of their own and are removed; the figures of the full profile are read from results/.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from generate.results import load
from generate.statistics import intervals
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.run import report

if TYPE_CHECKING:
    from generate.results.model import ResultFile
    from runners.harness.contract import Metric
    from runners.harness.record import model

console = Console(width=120)


@click.command()
@click.option("--quick/--no-quick", default=True, help="measure and build the quick profile first (about 6 minutes)")
def main(*, quick: bool) -> None:
    """Print every figure."""
    if quick:
        report_command()
    committed = [file for file in load.load(ROOT / "results").files if not file.local]
    full = [file for file in committed if file.record.run.profile == "full" and file.record.complete]
    if not full:
        console.print("results/ holds no complete run of the full profile: nothing to say of it")
        return
    full_profile(full)
    controls([file.record for file in full])


def timed(title: str, *command: str) -> float:
    """Run *command*; print and return its wall time, in seconds."""
    began_s = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own commands
    spent_s = time.monotonic() - began_s
    console.print(f"{title}: {spent_s:.1f} s")
    return spent_s


def report_command() -> None:
    """Do what `make report` does in an empty clone of the last commit, and print where its time goes."""
    console.rule("make report, quick profile (at most 300 s, of which what is not measuring 25 s with packages cached)")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)  # noqa: S603, S607 - our own words
        make = ("make", "--directory", folder, f"PYTHON={sys.executable}", "PYTHONS=")
        spent_s = sum(timed(goal, *make, goal) for goal in (".venv/site.done", "measure", "site"))
        records = [file.record for file in load.load(Path(folder, "results", "local")).files]
        for one in records:
            console.print(report.time_shares(one.run.wall_ns, samples_of(one)))
            console.print("measured work is to be at least 60 %")
    measuring_s = sum(sum(one.run.wall_ns.values()) for one in records) / 1e9
    console.print(f"together: {spent_s:.1f} s, of which {spent_s - measuring_s:.1f} s are not measuring")


def samples_of(one: model.Record) -> int:
    """Count the samples that a file's own build took."""
    return sum(len(series.samples.round) for series in one.series if series.role != "reference")


def full_profile(files: list[ResultFile]) -> None:
    """Print what the committed full runs took, and how large they are."""
    console.rule("committed runs of the full profile (at most 30 minutes a build, 250 KB a file, 80 % measured work)")
    for file in files:
        one, size_kb = file.record, file.size_bytes / 1000
        wall_s = sum(one.run.wall_ns.values()) / 1e9
        shares = report.time_shares(one.run.wall_ns, samples_of(one))
        console.print(f"{one.machine.label} {one.build.version}: {wall_s / 60:.1f} min, {size_kb:.0f} KB; {shares}")


def controls(records: list[model.Record]) -> None:
    """Print how often the baseline measured against itself differs, and how far its pairs spread, by scenario."""
    console.rule("controls: the baseline against itself (the interval is to contain 1 in at least 90 % of the blocks)")
    contained: dict[str, list[bool]] = defaultdict(list)
    spreads: dict[str, list[float]] = defaultdict(list)
    for one in records:
        for scenario, ratios in control_ratios(one):
            compared = intervals.comparison(ratios)
            if compared is not None:
                contained[scenario].append(compared.low <= 1 <= compared.high)
                spreads[scenario].append(median(abs(ratio - 1) for ratio in ratios))
    table = Table("scenario", "blocks", "contain 1", "spread of the pairs (median distance from 1)")
    for scenario, hits in sorted(contained.items()):
        table.add_row(scenario, str(len(hits)), f"{sum(hits)}", f"{median(spreads[scenario]):.1%}")
    every = [hit for hits in contained.values() for hit in hits]
    table.add_row("all", str(len(every)), f"{sum(every)} ({sum(every) / max(len(every), 1):.0%})", "")
    console.print(table)


def control_ratios(one: model.Record) -> list[tuple[str, list[float]]]:
    """Return, by block, the scenario and the ratios of control to baseline, paired by round."""
    scenarios = catalogue.find()
    found = []
    for control in one.series:
        if control.role != "control" or control.scenario not in scenarios:
            continue
        metric = scenarios[control.scenario].metrics[0]
        of = control.key._replace(role="subject")
        baseline = next(series for series in one.series if series.key == of)
        by_round = [by_number(series, metric) for series in (control, baseline)]
        found.append((control.scenario, intervals.paired_ratios(*by_round)))
    return found


def by_number(series: model.Series, metric: Metric) -> dict[int, float]:
    """Return a series' metric by round, of the samples that are ok."""
    found = {}
    for row in series.samples.rows():
        value = metric.compute(row.values) if metric.compute else row.values.get(metric.name)
        if row.status == "ok" and isinstance(value, int | float):
            found[row.round] = float(value)
    return found


if __name__ == "__main__":
    main()

"""Tests the statistics: `make validate` on the committed runs, `make validate-long` on work that is measured for it."""

import datetime as dt
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median, stdev
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import against_pyperf
import click
import committed_runs
import cross_check
import lines
import msgspec

from generate.data import between_runs
from generate.downloads import validation
from generate.words.log_lines import ending_on_errors
from runners.harness.builds import host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.files import write_atomically
from runners.harness.process import launcher as launch
from runners.harness.run import protocol
from runners.harness.run.new_run import DEFAULT_PYTHON
from runners.harness.run.revision import revision

DOCS = ROOT / "docs"
RESULTS = ROOT / "results"
TIMES = 20
ROUNDS = 12
SERVER_LIMIT_S = 600.0
"""How long one server may be up for all rounds."""

Step = Callable[[], dict[str, Any]]


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["committed", "slowdown", "pyperf", "meters"]))
def main(parts: Sequence[str]) -> None:
    """Try the statistics on the committed runs, or by measuring, and keep the figures in docs/validation.json."""
    steps: dict[str, Step] = {"committed": committed, "slowdown": slowdown, "pyperf": pyperf, "meters": meters}
    with ending_on_errors():
        validation.read(DOCS)  # a broken record is refused before anything is measured
        for part in parts or ["committed"]:
            if figures := steps[part]():
                click.echo(msgspec.json.format(msgspec.json.encode(figures), indent=1))
                keep(figures)


def keep(figures: dict[str, Any]) -> None:
    before, made = validation.read(DOCS), made_now()
    stamped = {**before.made, **dict.fromkeys(figures.keys() - {"slowdown"}, made)}
    record = msgspec.json.encode(msgspec.structs.replace(before, made=stamped, **figures))
    write_atomically(DOCS / validation.FILE, msgspec.json.format(record, indent=1) + b"\n")


def made_now() -> validation.Made:
    machine = host.look(None)
    return validation.Made(dt.datetime.now(dt.UTC).date().isoformat(), machine.label, revision().commit, machine.cpu)


def committed() -> dict[str, Any]:
    series = committed_runs.read(RESULTS)
    table = committed_runs.between_runs_table(series)
    write_atomically(DOCS / between_runs.FILE, between_runs.encode(table))
    return {"predictions": committed_runs.predictions(series), "detection": committed_runs.detection(series)}


def slowdown() -> dict[str, Any]:
    """Measure a tenth more of the same work, like any runner; earlier trials are kept."""
    trials = validation.read(DOCS).slowdown
    works: dict[validation.Work, str] = {"computes": "additions", "waits": "waits"}
    for work, scenario in works.items():
        measured = lines.measure(scenario, "slower", TIMES * ROUNDS, seed=1)
        complete = range(0, len(measured.candidate) - ROUNDS + 1, ROUNDS)
        medians = [median(measured.candidate[start : start + ROUNDS]) for start in complete]
        spread = stdev(measured.control)
        trials = [*trials, validation.Slowdown(len(medians), ROUNDS, median(medians), spread, made_now(), work)]
    return {"slowdown": trials}


def pyperf() -> dict[str, Any]:
    return {"pyperf": [against_pyperf.compare()]}


def meters() -> dict[str, Any]:
    """Compare our load generator with those that are installed; without any, the figures stay as they were."""
    installed = cross_check.available()
    for name in cross_check.INSTALL.keys() - installed.keys():
        click.echo(f"left out, as it is not installed: {name} ({cross_check.INSTALL[name]})")
    if len(installed) == 1:
        return {}
    build = interpreters.prepare([DEFAULT_PYTHON])[0]
    scenario = catalogue.find()["blocking_server"]
    with launch.Launcher() as launcher:

        @contextmanager
        def serving(runner: catalogue.Runner) -> Iterator[int]:
            task = protocol.task(scenario, cross_check.CASE, runner.name, build, seed=0)
            with launcher.start(replace(task, time_limit_s=SERVER_LIMIT_S)) as worker:
                yield worker.receive()["port"]

        return {"agreement": dict(cross_check.compare(scenario, serving, installed))}


if __name__ == "__main__":
    main()

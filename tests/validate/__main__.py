"""Tests the statistics: `make validate` on the committed runs, `make validate-long` on work that is measured for it.

Prints the figures, and keeps them in docs/validation.json.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median, stdev
from typing import TYPE_CHECKING, Any

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
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.process import launcher as launch
from runners.harness.run import protocol
from runners.harness.run.new_run import DEFAULT_PYTHON
from runners.harness.run.session import revision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

DOCS = ROOT / "docs"
RESULTS = ROOT / "results"
TIMES = 20
ROUNDS = 12
SERVER_LIMIT_S = 600.0
"""How long one server may be up for all rounds."""

COMMITTED = "between runs"
MEASURED = {"slowdown": "seven minutes", "pyperf": "twelve minutes", "meters": "ten minutes"}
"""The parts that measure, and how long each takes on an idle machine."""

Step = Callable[[], dict[str, Any]]


@click.command()
@click.option("--long", is_flag=True, help="measure: on an idle machine, about half an hour")
@click.option("--only", type=click.Choice([COMMITTED, *MEASURED]), help="one part")
def main(*, long: bool, only: str | None) -> None:
    """Validate, and keep the figures in docs/validation.json."""
    with ending_on_errors():
        validate([only] if only else [*MEASURED] if long else [COMMITTED])


def validate(names: Sequence[str]) -> None:
    """Make the figures of the parts called *names*, and keep each as soon as it is known."""
    validation.read(DOCS)  # a broken record is refused before anything is measured
    steps: dict[str, Step] = {COMMITTED: between_the_runs, "slowdown": slowdown, "pyperf": pyperf, "meters": meters}
    for name in names:
        click.echo(f"{name}: {MEASURED.get(name, 'half a minute')}")
        if figures := steps[name]():
            keep(figures)


def keep(figures: dict[str, Any]) -> None:
    """Put *figures* into the record, each part with when, where and from which commit it was made."""
    before, made = validation.read(DOCS), made_now()
    stamped = {**before.made, **{name: made for name in figures if name != "slowdown"}}
    record = msgspec.json.encode(msgspec.structs.replace(before, made=stamped, **figures))
    write_atomically(DOCS / validation.FILE, msgspec.json.format(record, indent=1) + b"\n")


def made_now() -> validation.Made:
    """Return when, where and from which commit figures are made."""
    machine = host.look(None)
    return validation.Made(dt.datetime.now(dt.UTC).date().isoformat(), machine.label, revision().commit, machine.cpu)


def between_the_runs() -> dict[str, Any]:
    """Make the table of how much runs differ, and test the rule on the runs in results/."""
    series = committed_runs.read(RESULTS)
    table = committed_runs.between_runs_table(series)
    write_atomically(DOCS / between_runs.FILE, between_runs.encode(table))
    predicted, detected = committed_runs.predictions(series), committed_runs.detection(series)
    for line in committed_runs.table(predicted, detected):
        click.echo(line)
    return {"predictions": predicted, "detection": detected}


def slowdown() -> dict[str, Any]:
    """Measure a tenth more of the same work, like any runner; earlier trials are kept."""
    trials = [_trial("additions", "computes"), _trial("waits", "waits")]
    return {"slowdown": [*validation.read(DOCS).slowdown, *trials]}


def _trial(scenario: str, work: validation.Work) -> validation.Slowdown:
    measured = lines.measure(scenario, "slower", TIMES * ROUNDS, seed=1)
    medians = [median(rounds) for rounds in complete_rounds(measured.candidate)]
    if not medians:
        msg = f"no comparison of the {scenario} has all its rounds: so the slowdown is unknown"
        raise UserError(msg)
    click.echo(f"{work}: {median(medians):.3f} times as long, of {len(medians)} times {ROUNDS} rounds")
    spread = stdev(measured.control)
    return validation.Slowdown(len(medians), ROUNDS, median(medians), spread, made_now(), work)


def complete_rounds(ratios: Sequence[float]) -> list[Sequence[float]]:
    """Split ratios into complete comparisons of so many rounds each."""
    return [ratios[start : start + ROUNDS] for start in range(0, len(ratios) - ROUNDS + 1, ROUNDS)]


def pyperf() -> dict[str, Any]:
    """Measure the same two variants our way and pyperf's."""
    figures = [against_pyperf.compare(work) for work in against_pyperf.WORKS]
    click.echo(msgspec.json.format(msgspec.json.encode(figures), indent=1).decode())
    return {"pyperf": figures}


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

        def serving(runner: catalogue.Runner) -> AbstractContextManager[int]:
            request = protocol.request(scenario, cross_check.CASE, runner.name, python=build.python, seed=0)
            return protocol.serving(launcher, replace(request, time_limit_s=SERVER_LIMIT_S))

        figures = dict(cross_check.compare(scenario, serving, installed))
    click.echo(msgspec.json.format(msgspec.json.encode(figures), indent=1).decode())
    return {"agreement": figures}


if __name__ == "__main__":
    main()

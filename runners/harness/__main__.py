"""The commands: `python -m runners list | new | plan | run`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runners.harness import commands, matrix
from runners.harness.builds import host
from runners.harness.builds.build_request import PACKAGES, SWITCHES
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue import skeleton
from runners.harness.errors import EXIT_INCOMPLETE, Commands, UserError
from runners.harness.run import duration, new_run, plan
from runners.harness.run.report import (
    busy_lines,
    closing_lines,
    fault_lines,
    listing,
    listing_json,
    opening_lines,
    plan_json,
    plan_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from runners.harness.run.session import Session

INTERRUPTED = 130
SHOW = (sys.executable, "-m", "generate", "show", "--after-run")
"""Prints the tables of result files, and ends with NOT_ALL if the sanity gate rejected something.

A process of its own: what measures imports nothing of what reads results.
"""

MOST_RUNS = 50
REPEAT_HELP = f"measure N runs one after another (at most {MOST_RUNS}), each with its own seed and folder"
PYTHON_HELP = (
    "a version, or the path of an interpreter; may be repeated, and the first is the reference. "
    f"What is different about it follows, each behind a +: {PACKAGES}, a wheel's path, {SWITCHES}. "
    "In front of it may be a label of your own and an =, as patched=/opt/python3"
)


@click.group(cls=Commands)
def main() -> None:
    """Measure what articles claim about Python concurrency."""


def selection_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that say what is to be measured."""
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(0, new_run.LARGEST_SEED),
            help="of the order and of drawn workloads; default: drawn",
        ),
        click.option("--rounds", type=click.IntRange(1, 1000), help="instead of the profile's own"),
        click.option("--profile", default="quick", show_default=True, metavar="|".join(plan.ROUNDS)),
        click.option("--case", "cases", multiple=True, help="only this case"),
        click.option("--runner", "runners_", multiple=True, help="only this runner, and the baselines"),
        click.option("--scenario", "scenarios", multiple=True, help="only this scenario"),
        click.option("--python", "pythons", multiple=True, help=PYTHON_HELP),
    ):
        command = option(command)
    return command


@main.command("list")
@click.option("--json", "as_json", is_flag=True, help="as JSON on stdout")
def list_(*, as_json: bool) -> None:
    """Show every scenario and runner."""
    scenarios = catalogue.find()
    click.echo(json.dumps(listing_json(scenarios), indent=1) if as_json else listing(scenarios))


@main.command()
@click.argument("name", metavar="SCENARIO[/RUNNER]")
def new(name: str) -> None:
    """Write a skeleton for a new scenario, or a runner for an existing one.

    It passes the tests as it is: change it from there.
    """
    for path in skeleton.create(name):
        click.echo(path.relative_to(catalogue.ROOT).as_posix())


@main.command("plan")
@selection_options
@click.option("--json", "as_json", is_flag=True, help="as JSON on stdout")
def plan_(*, as_json: bool, **options: object) -> None:
    """Show what a run would measure, and measure nothing.

    A selection that measures nothing is refused, and a Python that is not here.

    A run of several builds may take them in another order.
    """
    request = new_run.RunRequest.of(options)
    scenarios = catalogue.find()
    steps = new_run.checked(request, scenarios)
    if as_json:
        click.echo(json.dumps(plan_json(steps, request), indent=1))
        return
    minutes = duration.estimate_minutes(steps, request.selection.profile, scenarios, matrix.read().minutes)
    click.echo("\n".join(plan_lines(steps, minutes)))


@main.command()
@selection_options
@click.option("--out", type=click.Path(path_type=Path), default=new_run.LOCAL, help="default: results/local")
@click.option("--machine", "label", help="the machine's name on the site")
@click.option("--repeat", type=click.IntRange(1, MOST_RUNS), default=1, metavar="N", help=REPEAT_HELP)
@click.option("--metric", default="", help="what the tables show: a metric's name, or all; default: the first")
@click.option("--resume", type=click.Path(path_type=Path), help="go on with this file, or this run's folder")
def run(*, out: Path, label: str | None, repeat: int, metric: str, resume: Path | None, **options: object) -> None:
    """Measure, write one result file a build, and show what came of it.

    The status is 4 if something could not be measured, or cannot be true: it is named at the end.
    """
    scenarios = catalogue.find()
    sessions: list[Session] = []
    if resume:
        if repeat > 1:
            msg = "--resume goes on with one run: leave out --repeat, and measure the other runs afterwards"
            raise UserError(msg)
        prepare: Sequence[Callable[[], Session]] = [partial(new_run.resume, resume, scenarios, metric)]
    else:
        request = new_run.RunRequest.of(options)
        new_run.check_metric(metric, request.selection, scenarios)

        def begin(each: new_run.RunRequest) -> Session:
            builds = sessions[0].builds if sessions else ()
            return new_run.begin(replace(each, builds=builds), scenarios, out, label)

        prepare = [partial(begin, each) for each in request.repeated(repeat)]
    for number, prepared in enumerate(prepare, start=1):
        which = f"run {number} of {repeat}" if repeat > 1 else ""
        sessions.append(_prepared(prepared, which))
        _carry_out(sessions[-1], which)
    faults = ["The sanity gate rejected samples: the tables say which, and why."] * show(
        [path for session in sessions for path in session.paths()], metric
    )
    faults += [line for session in sessions for line in fault_lines(session)]
    closing = [line for session in sessions for line in closing_lines(session)]
    click.echo("\n".join(["", *closing, *faults, *busy_lines([session.machine() for session in sessions])]))
    sys.exit(EXIT_INCOMPLETE if faults else 0)


def _prepared(prepare: Callable[[], Session], which: str) -> Session:
    """Prepare a run, and say what would spoil it."""
    try:
        session = prepare()
    except KeyboardInterrupt:
        before = f"{which}; those before it are complete" if which else "the first sample: run it again"
        click.echo(f"cut off before {before}", err=True)
        sys.exit(INTERRUPTED)
    for line in [*filter(None, [which]), *opening_lines(session, session.order.machine, host.processor_time())]:
        click.echo(line, err=True)
    return session


def _carry_out(session: Session, which: str) -> None:
    try:
        new_run.carry_out(session)
    except KeyboardInterrupt:
        of_which = f" in {which}, and those before it are complete" if which else ""
        click.echo(f"cut off{of_which}; go on with: {new_run.resume_command(session)}", err=True)
        sys.exit(INTERRUPTED)


def show(paths: Sequence[Path], metric: str) -> bool:
    """Print the tables of the files at *paths*, or why they can't be shown; True if the gate rejected something."""
    sys.stdout.flush()
    wanted: list[str | Path] = [*(["--metric", metric] if metric else []), *(path.absolute() for path in paths)]
    try:
        done = subprocess.run([*SHOW, *wanted], cwd=catalogue.ROOT, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own command
        if done.returncode in {0, EXIT_INCOMPLETE}:
            return done.returncode == EXIT_INCOMPLETE
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
    except OSError as error:
        reason = str(error.strerror)
    except KeyboardInterrupt:  # all is measured and written
        sys.exit(INTERRUPTED)
    again = commands.module_command("generate", "show", *wanted)
    click.echo(f"the tables can't be shown ({reason}); try: {again}", err=True)
    return False


if __name__ == "__main__":
    main(prog_name="python -m runners")

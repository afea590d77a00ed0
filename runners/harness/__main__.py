"""The commands `python -m runners list | new | plan | run | try`."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from runners.harness import commands
from runners.harness.builds import interpreters
from runners.harness.builds.build_request import PACKAGES, SWITCHES
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue import skeleton
from runners.harness.errors import EXIT_INCOMPLETE, Commands, UserError
from runners.harness.own.command import try_
from runners.harness.run import new_run, plan, resume
from runners.harness.run.report import (
    busy_lines,
    closing_lines,
    fault_lines,
    left_out_lines,
    listing,
    opening_lines,
    plan_lines,
)
from runners.harness.run.session import Session

INTERRUPTED = 130
SHOW = (sys.executable, "-m", "generate", "show", "--after-run")
"""Prints what result files say, in a process of its own: what measures imports nothing that reads results.

Its exit status is EXIT_INCOMPLETE if the sanity gate rejected a sample."""
REJECTED = "The sanity gate rejected samples: the tables give the reasons."
NEEDS_CLONE = "{0} writes into a clone of the repository, and this copy is installed: in a clone, python -m runners {0}"
NOT_SHOWN = "The results can't be shown ({}); try: {}"
MAX_RUNS = 50
PYTHON_HELP = (
    "A version, or the path of an interpreter. Repeat it for several builds; the first is the reference. "
    f"Add what makes a build different, each after a +: {PACKAGES}, a wheel's path, {SWITCHES}. "
    "Put a label of your own and an = in front, as in patched=/opt/python3."
)


@click.group(cls=Commands)
def main() -> None:
    """Measure what articles claim about Python concurrency."""


main.add_command(try_)


def selection_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(0, new_run.LARGEST_SEED),
            default=new_run.draw_seed,
            help="Seed of the order and of random workloads; drawn by default.",
        ),
        click.option("--rounds", type=click.IntRange(1, 1000), help="The number of rounds, instead of the profile's."),
        click.option("--profile", type=click.Choice([*plan.ROUNDS]), default="quick", show_default=True),
        click.option("--case", "cases", multiple=True, help="Only this case."),
        click.option("--runner", "runners_", multiple=True, help="Only this runner, and the baselines."),
        click.option("--scenario", "scenarios", multiple=True, help="Only this scenario."),
        click.option("--python", "pythons", multiple=True, help=PYTHON_HELP),
    ):
        command = option(command)
    return command


def check_clone(command: str) -> None:
    """Raise UserError if this copy is installed."""
    if not catalogue.IS_CLONE:
        raise UserError(NEEDS_CLONE.format(command))


@main.command("list")
def list_() -> None:
    """Show every scenario and runner."""
    click.echo(listing(catalogue.find()))


@main.command()
@click.argument("name", metavar="SCENARIO[/RUNNER]")
def new(name: str) -> None:
    """Write a scenario, or a runner of an existing one, that passes the tests: change it from there."""
    check_clone("new")
    for path in skeleton.create(name):
        click.echo(path.relative_to(catalogue.ROOT).as_posix())
    chosen = name.replace("/", " and ")
    click.echo(f'next: ruff check && ruff format && python -m pytest tests/runners/test_every_runner.py -k "{chosen}"')


@main.command("plan")
@selection_options
def plan_(**options: object) -> None:
    """Show what a run would measure, and for how long."""
    request = new_run.RunRequest.from_options(options)
    scenarios = catalogue.find()
    steps = new_run.plan_samples(request, scenarios)
    for python in request.pythons:
        interpreters.find(python.interpreter)
    minutes = new_run.estimate_minutes(steps, request.selection, scenarios)
    click.echo("\n".join([*left_out_lines(request.selection, scenarios), *plan_lines(steps, minutes)]))


@main.command()
@selection_options
@click.option("--out", type=click.Path(path_type=Path), default=new_run.LOCAL, help="Default: results/local.")
@click.option("--machine", "label", help="The machine's name on the site.")
@click.option(
    "--repeat",
    type=click.IntRange(1, MAX_RUNS),
    default=1,
    metavar="N",
    help=f"Measure N runs (at most {MAX_RUNS}), each with its own seed and folder.",
)
@click.option("--metric", default="", help="What the tables show: a metric's name, or all; by default the first.")
@click.option("--all", "has_tables", is_flag=True, help="End with the tables of all cases, not only with the answer.")
@click.option("--resume", "resumed", type=click.Path(path_type=Path), help="Continue this file's or folder's run.")
def run(*, out: Path, label: str | None, repeat: int, resumed: Path | None, **options: Any) -> None:  # noqa: ANN401 - those of a selection
    """Measure, write a result file per build, and end with the answer. Status 4: something is missing, as listed."""
    check_clone("run")
    scenarios, metric = catalogue.find(), options["metric"]
    sessions: list[Session] = []

    def begin(request: new_run.RunRequest) -> Session:
        builds = sessions[0].builds if sessions else ()
        return new_run.begin(replace(request, builds=builds), scenarios, out, label)

    if resumed:
        if repeat > 1:
            msg = "--resume continues one run: leave out --repeat, and measure the other runs afterwards"
            raise UserError(msg)
        prepare: Sequence[Callable[[], Session]] = [partial(resume.resume, resumed, scenarios, metric)]
    else:
        request = new_run.RunRequest.from_options(options)
        new_run.check_metric(metric, request.selection, scenarios)
        prepare = [partial(begin, each) for each in request.repeated(repeat)]
    for number, prepared in enumerate(prepare, start=1):
        sessions.append(_measure(prepared, f"run {number} of {repeat}" if repeat > 1 else ""))
    _finish(sessions, ["--all"] * options["has_tables"] + ["--metric", metric] * bool(metric))


def _measure(prepare: Callable[[], Session], name: str) -> Session:
    session = None
    try:
        session = prepare()
        selection, remaining = plan.Selection.from_run(session.order.run), session.not_reached()
        minutes = new_run.estimate_minutes(remaining, selection, session.scenarios)
        opening = [*opening_lines(session), *left_out_lines(selection, session.scenarios)]
        for line in [*filter(None, [name]), *opening, *plan_lines(remaining, minutes)[-1:]]:
            click.echo(line, err=True)
        new_run.carry_out(session)
    except KeyboardInterrupt:
        place = f" in {name}; the runs before it are complete" if name else ""
        then = f"resume with: {new_run.resume_command(session)}" if session else "nothing was measured: run it again"
        click.echo(f"interrupted{place}; {then}", err=True)
        sys.exit(INTERRUPTED)
    return session


def _finish(sessions: Sequence[Session], options: Sequence[str]) -> None:
    paths = [path.absolute() for session in sessions for path in session.paths()]
    faults = [line for session in sessions for line in fault_lines(session)]
    closing = [line for session in sessions for line in closing_lines(session)]
    tables = commands.module_command("generate", "show", *dict.fromkeys(path.parent for path in paths))
    click.echo("\n".join(["", *closing, *faults, f"All tables: {tables}"]))
    problem = _show([*options, *paths])
    for line in [*filter(None, [problem]), *busy_lines([session.machine() for session in sessions])]:
        click.echo(line)
    sys.exit(EXIT_INCOMPLETE if faults or problem else 0)


def _show(arguments: Sequence[str | Path]) -> str:
    """Print the answer of result files. Return a sentence if the gate rejected a sample, or nothing can be shown."""
    sys.stdout.flush()
    try:
        done = subprocess.run([*SHOW, *arguments], cwd=catalogue.ROOT, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own command
        if done.returncode in {0, EXIT_INCOMPLETE}:
            return REJECTED if done.returncode else ""
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
    except OSError as error:
        reason = str(error.strerror)
    except KeyboardInterrupt:  # everything is measured and written
        sys.exit(INTERRUPTED)
    shown = [argument for argument in arguments if argument != "--all"]
    return NOT_SHOWN.format(reason, commands.module_command("generate", "show", *shown))


if __name__ == "__main__":
    main(prog_name="python -m runners")

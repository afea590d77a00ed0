"""The commands: `python -m runners list | plan | run`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runners.harness import commands, matrix
from runners.harness.builds import host
from runners.harness.builds.build_request import PACKAGES, SWITCHES
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import Commands, moved
from runners.harness.run import expected, new_run, plan
from runners.harness.run.report import (
    closing_lines,
    fault_lines,
    listing,
    listing_json,
    opening_lines,
    plan_json,
    plan_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_ALL = 4
"""Exit status where a series that could have been measured was not, or not in every round: all else was."""
INTERRUPTED = 130
SHOW = (sys.executable, "-m", "generate", "show")
"""Prints the tables of result files. A process of its own: what measures imports nothing of what reads results."""

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
    minutes = expected.minutes(steps, request.selection.profile, scenarios, matrix.read().minutes)
    click.echo("\n".join(plan_lines(steps, minutes)))


@main.command()
@selection_options
@click.option("--out", type=click.Path(path_type=Path), default=new_run.LOCAL, help="default: results/local")
@click.option("--machine", "label", help="the machine's name on the site")
@click.option("--resume", type=click.Path(path_type=Path), help="go on with this file, or this run's folder")
def run(*, out: Path, label: str | None, resume: Path | None, **options: object) -> None:
    """Measure, write one result file a build, and show what came of it.

    The status is 4 where a series that this build should have could not be measured: each is named at the end.
    """
    scenarios = catalogue.find()
    try:
        session = (
            new_run.resume(resume, scenarios)
            if resume
            else new_run.begin(new_run.RunRequest.of(options), scenarios, out, label)
        )
    except KeyboardInterrupt:
        click.echo("cut off before the first sample: run it again", err=True)
        sys.exit(INTERRUPTED)
    machine = host.look() if resume else session.order.machine
    for line in opening_lines(session, machine, host.processor_time()):
        click.echo(line, err=True)
    try:
        new_run.carry_out(session)
    except KeyboardInterrupt:
        click.echo(f"cut off; go on with: {new_run.how_to_go_on(session)}", err=True)
        sys.exit(INTERRUPTED)
    show(session.paths())
    faults = fault_lines(session)
    click.echo("\n".join(["", *closing_lines(session), *faults]))
    sys.exit(NOT_ALL if faults else 0)


def show(paths: Sequence[Path]) -> None:
    """Let the tables of the files at *paths* be printed; where that fails, say so in a line."""
    sys.stdout.flush()
    files = [path.absolute() for path in paths]
    try:
        done = subprocess.run([*SHOW, *files], cwd=catalogue.ROOT, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own command
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1] if done.returncode else ""
    except OSError as error:
        reason = str(error.strerror)
    except KeyboardInterrupt:  # all is measured and written
        sys.exit(INTERRUPTED)
    if reason:
        again = commands.module("generate", "show", *files)
        click.echo(f"the tables can't be shown ({reason}); try: {again}", err=True)


for _old, _new in {
    "check": "python -m generate check",
    "compare": "python -m generate compare",
    "actions": "python -m actions",
    "agree": "make validate",
}.items():
    main.add_command(moved(_old, _new))

if __name__ == "__main__":
    main(prog_name="python -m runners")

"""The commands: `python -m runners list | plan | run`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import Commands, moved
from runners.harness.run import new_run, plan
from runners.harness.run.report import closing_lines, listing, plan_lines

INTERRUPTED = 130


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
        click.option("--runner", "runners_", multiple=True, help="only this runner, and the baselines"),
        click.option("--scenario", "scenarios", multiple=True, help="only this scenario"),
        click.option(
            "--python", "pythons", multiple=True, help="a version or an interpreter; the first is the reference"
        ),
    ):
        command = option(command)
    return command


@main.command("list")
def list_() -> None:
    """Show every scenario and runner."""
    click.echo(listing(catalogue.find()))


@main.command("plan")
@selection_options
def plan_(**options: object) -> None:
    """Show what a run would measure, how many samples of what, and measure nothing."""
    click.echo("\n".join(plan_lines(new_run.planned(new_run.RunRequest.of(options), catalogue.find()))))


@main.command()
@selection_options
@click.option("--out", type=click.Path(path_type=Path), default=new_run.LOCAL, help="default: results/local")
@click.option("--machine", "label", help="the machine's name on the site")
@click.option("--resume", type=click.Path(path_type=Path), help="go on with this file, or this run's folder")
def run(*, out: Path, label: str | None, resume: Path | None, **options: object) -> None:
    """Measure, and write one result file a build."""
    scenarios = catalogue.find()
    session = (
        new_run.resume(resume, scenarios)
        if resume
        else new_run.begin(new_run.RunRequest.of(options), scenarios, out, label)
    )
    try:
        faults = new_run.carry_out(session)
    except KeyboardInterrupt:
        click.echo(f"cut off; go on with: python -m runners run --resume {session.paths()[0].parent}", err=True)
        sys.exit(INTERRUPTED)
    click.echo("\n".join(closing_lines(session, faults)))


for _old, _new in {
    "check": "python -m generate check",
    "compare": "python -m generate compare",
    "actions": "python -m actions",
    "agree": "make validate",
}.items():
    main.add_command(moved(_old, _new))

if __name__ == "__main__":
    main(prog_name="python -m runners")

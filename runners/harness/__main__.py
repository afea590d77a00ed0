"""The commands: `python -m runners list | plan | run`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import Commands, moved
from runners.harness.run import new_run, plan
from runners.harness.run.report import closing_lines, listing, listing_json, plan_json, plan_lines

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
@click.option("--json", "as_json", is_flag=True, help="as JSON on stdout")
def list_(*, as_json: bool) -> None:
    """Show every scenario and runner."""
    scenarios = catalogue.find()
    click.echo(json.dumps(listing_json(scenarios), indent=1) if as_json else listing(scenarios))


@main.command("plan")
@selection_options
@click.option("--json", "as_json", is_flag=True, help="as JSON on stdout")
def plan_(*, as_json: bool, **options: object) -> None:
    """Show what a run would measure, in its order, and measure nothing."""
    request = new_run.RunRequest.of(options)
    scenarios = catalogue.find()
    steps = new_run.planned(request, scenarios)
    click.echo(json.dumps(plan_json(steps, request), indent=1) if as_json else "\n".join(plan_lines(steps)))


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
        click.echo(f"cut off; go on with: {new_run.how_to_go_on(session)}", err=True)
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

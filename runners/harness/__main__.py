"""The commands: `python -m runners list | plan | run | check | compare`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from runners.harness import catalogue, plan, runs
from runners.harness.actions import actions
from runners.harness.errors import UserError
from runners.harness.report import closing_lines, listing, listing_json, plan_json, plan_lines

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

INTERRUPTED = 130


class Commands(click.Group):
    """Shows what a user can put right as one line, with exit status 2."""

    def invoke(self, context: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(context)
        except UserError as error:
            fail(str(error))


def fail(message: str) -> NoReturn:
    """End with *message* and exit status 2."""
    click.echo(f"error: {message}", err=True)
    sys.exit(2)


@click.group(cls=Commands)
def main() -> None:
    """Measure what articles claim about Python concurrency."""


main.add_command(actions)


def asked(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that say what is to be measured."""
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(0, runs.LARGEST_SEED),
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
    found = catalogue.find()
    click.echo(json.dumps(listing_json(found), indent=1) if as_json else listing(found))


@main.command("plan")
@asked
@click.option("--json", "as_json", is_flag=True, help="as JSON on stdout")
def plan_(*, as_json: bool, **options: object) -> None:
    """Show what a run would measure, in its order, and measure nothing."""
    wanted = runs.Wanted.of(options)
    scenarios = catalogue.find()
    steps = runs.planned(wanted, scenarios)
    click.echo(json.dumps(plan_json(steps, wanted), indent=1) if as_json else "\n".join(plan_lines(steps)))


@main.command()
@asked
@click.option("--out", type=click.Path(path_type=Path), default=runs.LOCAL, help="default: results/local")
@click.option("--machine", "label", help="the machine's name on the site")
@click.option("--resume", type=click.Path(path_type=Path), help="go on with this file, or this run's folder")
def run(*, out: Path, label: str | None, resume: Path | None, **options: object) -> None:
    """Measure, and write one result file a build."""
    scenarios = catalogue.find()
    session = runs.resumed(resume, scenarios) if resume else runs.begun(runs.Wanted.of(options), scenarios, out, label)
    try:
        faults = runs.carry_out(session)
    except KeyboardInterrupt:
        click.echo(f"cut off; go on with: python -m runners run --resume {session.paths()[0].parent}", err=True)
        sys.exit(INTERRUPTED)
    click.echo("\n".join(closing_lines(session, faults)))


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="fail on what the sanity gate refuses, too")
def check(paths: tuple[Path, ...], *, strict: bool) -> None:
    """Check result files (default: results/) against the schema and the sanity gate."""
    from runners.harness import check as checking  # noqa: PLC0415 - it loads numpy, which `run` does without

    report = checking.check(paths or (runs.RESULTS,), strict=strict)
    for line in report.lines():
        click.echo(line)
    sys.exit(report.exit_status)


@main.command()
@click.argument("ours", type=click.Path(path_type=Path))
@click.argument("yours", type=click.Path(path_type=Path))
def compare(ours: Path, yours: Path) -> None:
    """Print, for each series of two files, the ratio of the second to the first, or why there is none."""
    from runners.harness import compare as comparing  # noqa: PLC0415 - it loads numpy, which `run` does without

    comparing.show(comparing.read(ours), comparing.read(yours))


@main.command()
@click.option("--python", default=None, help="a version or an interpreter; default: our own")
def agree(*, python: str | None) -> None:
    """Compare our load generator with Apache Bench and wrk, server by server."""
    from runners.harness import agreement, builds, converse, launch  # noqa: PLC0415 - few runs need them

    build = builds.prepare([python or runs.our_own_python()])[0]
    scenario = catalogue.find()["blocking_server"]
    with launch.Launcher() as launcher:

        def serving(runner: catalogue.Runner) -> AbstractContextManager[int]:
            asked_for = converse.request(scenario, agreement.CASE, runner.name, python=build.python, seed=0)
            return converse.serving(launcher, replace(asked_for, time_limit_s=agreement.SERVER_LIMIT_S))

        sys.exit(agreement.check(agreement.compare(scenario, serving), click.echo))


if __name__ == "__main__":
    main(prog_name="python -m runners")

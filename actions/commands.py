"""The commands that workflows call. What they are told stands in environment variables, never in a script."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from actions import dispatch, failure, measure_cell, verify
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import Commands, UserError
from runners.harness.run import new_run

if TYPE_CHECKING:
    from actions.dispatch import CellJob, Plan

INPUTS = ("profile", "scenarios", "machines", "pythons", "rounds", "publish", "note")
PLAN_FILE = "plan.json"
FOLDER = click.Path(path_type=Path)


class ToldError(UserError):
    """An environment variable that a command needs is not there, or not what it must be."""


@click.group(cls=Commands)
def main() -> None:
    """Do what the workflows ask for."""


@main.command()
@click.option("--out", type=FOLDER, required=True, help="where plan.json is written")
def plan(out: Path) -> None:
    """Plan a run from the inputs (INPUT_PROFILE and so on), and hand the matrix on."""
    inputs = {name: os.environ.get(f"INPUT_{name.upper()}", "") for name in INPUTS}
    made = dispatch.planned(inputs, catalogue.find())
    out.mkdir(parents=True, exist_ok=True)
    (out / PLAN_FILE).write_bytes(msgspec.json.encode(made))
    _hand_on("matrix", dispatch.matrix_json(made))
    _hand_on("publish", "true" if made.publish else "false")
    _hand_on("run_id", f"{dt.datetime.now(dt.UTC).date()}-gh{_told('GITHUB_RUN_ID')}.{_told('GITHUB_RUN_ATTEMPT')}")
    _hand_on("plan_sha256", hashlib.sha256((out / PLAN_FILE).read_bytes()).hexdigest())
    of = f"{made.rounds} rounds of the {made.profile} profile"
    click.echo(f"{len(made.cells)} cells, {len(made.excluded)} excluded; {of}")
    for one in made.excluded:
        click.echo(f"excluded: {one.machine} with {one.python}: {one.reason}")


@main.command()
@click.option("--plan", "plan_file", type=FOLDER, required=True)
@click.option("--out", type=FOLDER, required=True, help="the artifact's folder")
@click.option(
    "--minutes", type=click.IntRange(1, 350), default=330, help="this long after the start no sample is begun"
)
def measure(plan_file: Path, out: Path, minutes: int) -> None:
    """Measure one cell of a plan (CELL: its id), and put its files where the artifact is made."""
    name = _told("CELL")
    if not re.fullmatch(r"\w[\w.-]*", name):
        msg = f"CELL is {name[:60]!r}, which names no cell"
        raise ToldError(msg)
    with failure.left_in(out, name):
        _in_time(run_id())
        made = _plan(plan_file)
        cell = _cell(made, name)
        origin = new_run.Origin(f"{run_id()}.{cell.id}", _trigger(), run_url())
        measure_cell.measure(measure_cell.Job(made, cell, origin, out, minutes))


@main.command("try")
@click.option("--python", required=True, help="a version")
@click.option("--allow-dirty", is_flag=True, help="take what no commit holds, to try it before it is committed")
def try_(python: str, *, allow_dirty: bool) -> None:
    """Run every runner of the quick profile once on a build; fail where one fails or a record is not as it must be."""
    from actions import smoke_test  # noqa: PLC0415 - few commands need numpy, which it loads

    faults = smoke_test.on(python, allow_dirty=allow_dirty)
    for fault in faults:
        click.echo(f"fault: {fault}")
    sys.exit(1 if faults else 0)


@main.command()
@click.option("--plan", "plan_file", type=FOLDER, required=True)
@click.option("--artifacts", type=FOLDER, required=True)
@click.option("--out", type=FOLDER, required=True, help="a folder that stands for results/")
def collect(plan_file: Path, artifacts: Path, out: Path) -> None:
    """Take in what the cells measured, as far as it can be trusted."""
    from actions import collect as collecting  # noqa: PLC0415 - few commands need numpy, which it loads
    from actions import collected, job_summary  # noqa: PLC0415 - few commands need numpy, which it loads

    expected = collecting.Expected(run_id(), _told("GITHUB_SHA"), run_url(), _trigger())
    found = collecting.collect(_plan(plan_file), artifacts, out / collected.folder(run_id()), expected)
    for reason in found.refused:
        click.echo(f"refused: {job_summary.plain(reason)}")
    for fault in found.impossible:
        click.echo(f"refused by the sanity gate: {job_summary.plain(fault)}")
    measured = [outcome for outcome in found.outcomes.cells if outcome.status == "measured"]
    click.echo(f"{len(measured)} of {len(found.outcomes.cells)} cells measured")
    _hand_on("measured", str(len(measured)))
    _hand_on("collected_sha256", collected.digest(out))
    _summarise(job_summary.bounded(job_summary.cells(found) + job_summary.verdicts(out)))


@main.command()
@click.option("--plan", "plan_file", type=FOLDER, required=True)
@click.option("--files", type=FOLDER, required=True, help="a folder that stands for results/")
@click.option("--branch", required=True)
def publish(plan_file: Path, files: Path, branch: str) -> None:
    """Put a run's files (COLLECTED_SHA256: their digest) onto the branch of the repository that this runs for."""
    from actions import collected  # noqa: PLC0415 - few commands need numpy, which it loads
    from actions import publish as publishing  # noqa: PLC0415 - few commands need numpy, which it loads

    names = collected.names(_plan(plan_file), run_id())
    if _told("COLLECTED_SHA256") != collected.digest(files):
        msg = f"{files.name} does not hold what this run collected: its digest is not COLLECTED_SHA256"
        raise ToldError(msg)
    remote = f"{_told('GITHUB_SERVER_URL')}/{_told('GITHUB_REPOSITORY')}"
    message = f"Results of run {run_id()}\n\n{run_url()}"
    token = os.environ.get("GITHUB_TOKEN", "")
    kept: list[str] = []
    wanted = publishing.Publication(files, names, "results", remote, branch, message, token, tell=kept.append)
    head = publishing.publish(wanted)
    _tell_kept(kept, branch)
    click.echo(f"{branch} is at {head}")
    _hand_on("commit", head)


@main.command()
@click.option("--base", required=True, help="the commit that a pull request is to be merged into")
def contributed(base: str) -> None:
    """Check the results that a pull request brings; nothing to check is well."""
    from actions import pull_request as contribution  # noqa: PLC0415 - few commands need numpy, which it loads

    sys.exit(contribution.show(base))


def run_id() -> str:
    """Return the run's name, as its plan made it: the day, Actions' number, and the attempt that planned."""
    name = _told("RUN_ID")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}-gh\d+\.\d+", name):
        msg = f"RUN_ID is {name[:60]!r}, which no plan handed on"
        raise ToldError(msg)
    try:
        dt.date.fromisoformat(name[:10])
    except ValueError as error:
        msg = f"RUN_ID is {name!r}, which begins with no day"
        raise ToldError(msg) from error
    return name


def run_url() -> str:
    """Return the address of the run's page."""
    return f"{_told('GITHUB_SERVER_URL')}/{_told('GITHUB_REPOSITORY')}/actions/runs/{_told('GITHUB_RUN_ID')}"


def _trigger() -> Literal["dispatch", "schedule"]:
    return "schedule" if os.environ.get("GITHUB_EVENT_NAME") == "schedule" else "dispatch"


def _told(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        msg = f"the environment variable {name} is not set: this command is for workflows"
        raise ToldError(msg)
    return value


def _plan(path: Path) -> Plan:
    """Read the plan. It came as an artifact, which any job of the run could have put in its place."""
    try:
        data = path.read_bytes()
        made = msgspec.json.decode(data, type=dispatch.Plan)
    except (OSError, msgspec.DecodeError) as error:
        msg = f"{path.name} is no plan: {error}"
        raise ToldError(msg) from error
    if hashlib.sha256(data).hexdigest() != _told("PLAN_SHA256"):
        msg = f"{path.name} is not the plan that this run made"
        raise ToldError(msg)
    return made


def _in_time(name: str) -> None:
    """Refuse to measure what would not be taken in: hours of a machine would be lost."""
    if not verify.may_begin(name, today()):
        days = verify.MOST_DAYS
        msg = f"the run is of {name[:10]}, and what begins over {days} days later is not taken in: start a new run"
        raise ToldError(msg)


def today() -> dt.date:
    """Return the day, in UTC."""
    return dt.datetime.now(dt.UTC).date()


def _tell_kept(kept: list[str], branch: str) -> None:
    lines = [f"{name} is on {branch} from an earlier attempt and stays as it is" for name in kept]
    for line in lines:
        click.echo(line)
    if lines:
        _summarise("\n".join(["## Kept", "", *(f"- {line}" for line in lines), ""]))


def _cell(plan: Plan, name: str) -> CellJob:
    cells = {cell.id: cell for cell in plan.cells}
    return cells[catalogue.select(cells, [name], "cell")[0]]


def _hand_on(name: str, value: str) -> None:
    """Give a later job an output. A value is one line: it can't begin another output."""
    path = os.environ.get("GITHUB_OUTPUT")
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(f"{name}={value}\n")


def _summarise(text: str) -> None:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(text)

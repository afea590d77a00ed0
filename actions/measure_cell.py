"""Measures the cells of one job of a hosted run."""

import datetime as dt
import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from uv import find_uv_bin

from actions import cost, job, run_plan
from actions.named_builds import get_interpreter
from actions.run_plan import Plan, PlannedJob
from runners.harness import matrix, programs
from runners.harness.builds import environments, interpreters
from runners.harness.builds.build_request import parse
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.matrix import Machine
from runners.harness.redact import redact_paths
from runners.harness.run import new_run
from runners.harness.run.report import busy_lines, closing_lines, fault_lines, opening_lines

OWN_BUILDS = {"X64": ("x86_64", "amd64", "universal2"), "ARM64": ("arm64", "aarch64", "universal2")}
"""Native platforms by GitHub's name for the host's architecture, as an emulated process would report its own."""
CUT_OFF = "the job was ended before it had measured everything"


@click.command()
@job.PLAN
@click.option("--out", type=job.FOLDER, required=True, help="The artifact's folder.")
def command(plan_file: Path, out: Path) -> None:
    """Measure the cells of one job of a plan (JOB: its id)."""
    plan = run_plan.read_plan(plan_file)
    jobs = {planned.id: planned for planned in plan.jobs}
    planned = jobs[catalogue.select(jobs, [job.read_variable("JOB")], "job")[0]]
    with explaining_failure(out / planned.failure_file):
        run = job.read_run()
        if not run.day <= job.today() <= run.day + dt.timedelta(days=job.MOST_DAYS):  # its results would be refused
            msg = f"the run is from {run.day}; after {job.MOST_DAYS} days no job may begin: start a new run"
            raise UserError(msg)
        name, has_reference = run.name(run.attempt), bool(planned.reference)
        origin = new_run.Origin(f"{name}.{planned.id}", name, run.trigger, run.url, has_reference_build=has_reference)
        measure(plan, planned, origin, out)


@contextmanager
def explaining_failure(path: Path) -> Iterator[None]:
    """Write the reason to *path* if the block fails. A job that is killed leaves CUT_OFF."""

    def write(reason: str) -> None:
        path.write_text(" ".join(redact_paths(reason).split()) + "\n", encoding="utf-8")

    path.parent.mkdir(parents=True, exist_ok=True)
    write(CUT_OFF)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # sent shortly before a job is killed
    try:
        yield
    except Exception as error:
        write(str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    path.unlink()


def measure(plan: Plan, planned: PlannedJob, origin: new_run.Origin, out: Path) -> None:
    """Measure a job's cells. Results so far are in *out*, the artifact's folder, however it ends."""
    began_s = time.monotonic()
    known = matrix.read()
    (machine,) = (each for each in known.machine if each.label == planned.machine)
    pythons = tuple(resolve(python, machine) for python in planned.pythons)
    install(pythons)
    builds = [parse(python, environments.packages()) for python in pythons]
    request = new_run.RunRequest(plan.selection, plan.rounds, new_run.draw_seed(), builds)
    session = new_run.begin(request, catalogue.find(), out.parent / "measuring", planned.machine, origin)
    for build in session.builds:
        _check_architecture(build.name, interpreters.find_platform(build.python))
    for line in opening_lines(session):
        click.echo(job.make_inert(line))
    minutes = cost.limit_samples(plan, planned, known.minutes)
    names = dict(zip(pythons, planned.result_files, strict=True))
    try:
        new_run.carry_out(session, minutes=minutes - (time.monotonic() - began_s) / 60)
    finally:
        out.mkdir(parents=True, exist_ok=True)
        for path, build in zip(session.paths(), session.builds, strict=True):
            if path.exists():
                shutil.copy(path, out / names[build.request.text])
    for line in [*closing_lines(session), *fault_lines(session), *busy_lines([session.machine()])]:
        click.echo(" " * (len(line) - len(line.lstrip())) + job.make_inert(line))


def install(pythons: Sequence[str]) -> None:
    """Let uv install the builds without a path. If it fails, the machine may still have them."""
    for python in dict.fromkeys(map(get_interpreter, pythons)):
        if "/" in python or "\\" in python:
            continue
        done = programs.run(find_uv_bin(), "python", "install", python)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
            click.echo(f"uv did not install {python}: {job.make_inert(last)}")


def resolve(python: str, machine: Machine) -> str:
    """Return a build with the path of its interpreter's label on *machine*, else with uv's name for a native build.

    On Windows on ARM uv's default is an emulated build.
    """
    name, plus, rest = python.partition("+")
    label, equals, interpreter = name.rpartition("=")
    if path := machine.paths.get(interpreter):
        return f"{label or interpreter}={path}{plus}{rest}"
    if (os.environ.get("RUNNER_OS"), os.environ.get("RUNNER_ARCH")) == ("Windows", "ARM64"):
        interpreter = f"cpython-{interpreter}-windows-aarch64-none"
    return f"{label}{equals}{interpreter}{plus}{rest}"


def _check_architecture(name: str, built_for: str) -> None:
    """Raise UserError for an emulated build."""
    architecture = os.environ.get("RUNNER_ARCH", "")
    if architecture in OWN_BUILDS and not built_for.endswith(OWN_BUILDS[architecture]):
        msg = f"{name} is built for {built_for}, and the machine is {architecture}: it would be measured emulated"
        raise UserError(msg)

"""Measures the cells of one job of a hosted run."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click
from uv import find_uv_bin

from actions import cost, job, named_builds, run_plan
from runners.harness import matrix, programs
from runners.harness.builds import interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.redact import redact_paths
from runners.harness.run import new_run
from runners.harness.run.plan import Selection
from runners.harness.run.report import busy_lines, closing_lines, fault_lines, opening_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from actions.run_plan import Plan, PlannedJob
    from runners.harness.matrix import Machine

OWN_BUILDS = {"X64": ("x86_64", "amd64", "universal2"), "ARM64": ("arm64", "aarch64", "universal2")}
"""Native platforms by GitHub's name for the host's architecture. An emulated process would see another one."""
CUT_OFF = "the job was ended before it had measured everything"


@click.command()
@job.PLAN
@click.option("--out", type=job.FOLDER, required=True, help="the artifact's folder")
def command(plan_file: Path, out: Path) -> None:
    """Measure the cells of one job of a plan (JOB: its id)."""
    name = job.variable("JOB")
    if not re.fullmatch(r"\w[\w.-]*", name):
        msg = f"JOB is {name[:60]!r}, which names no job"
        raise UserError(msg)
    with explaining_failure(out / f"{name}.failed.txt"):
        run = job.hosted_run()
        if not run.may_begin(job.today()):
            msg = f"the run is of {run.day}; after {job.MOST_DAYS} days no job may begin: start a new run"
            raise UserError(msg)
        plan = run_plan.read_plan(plan_file)
        jobs = {planned.id: planned for planned in plan.jobs}
        planned = jobs[catalogue.select(jobs, [name], "job")[0]]
        name = run.name(run.attempt)
        origin = new_run.Origin(
            f"{name}.{planned.id}", name, run.trigger, run.url, has_reference_build=bool(planned.reference)
        )
        measure(plan, planned, origin, out)


@contextmanager
def explaining_failure(path: Path) -> Iterator[None]:
    """Write to *path* why the block fails. A job that is killed leaves CUT_OFF."""

    def write(reason: str) -> None:
        path.write_text(" ".join(redact_paths(reason).split()) + "\n", encoding="utf-8")

    path.parent.mkdir(parents=True, exist_ok=True)
    write(CUT_OFF)
    before = signal.signal(signal.SIGTERM, _interrupt)  # sent shortly before a job is killed
    try:
        yield
    except Exception as error:
        write(str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    path.unlink()


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def measure(plan: Plan, planned: PlannedJob, origin: new_run.Origin, out: Path) -> None:
    """Measure a job's cells. However it ends, what was measured by then is in *out*, the artifact's folder."""
    began_s = time.monotonic()
    known = matrix.read()
    (machine,) = (each for each in known.machine if each.label == planned.machine)
    pythons = tuple(on_machine(python, machine) for python in planned.pythons)
    request = new_run.RunRequest(
        Selection(plan.profile, tuple(plan.scenarios)), plan.rounds, new_run.drawn_seed(), pythons
    )
    install(pythons)
    session = new_run.begin(request, catalogue.find(), out.parent / "measuring", planned.machine, origin)
    for build in session.builds:
        _check_architecture(build.name, interpreters.platform_of(build.python))
    for line in opening_lines(session):
        click.echo(job.plain(line))
    minutes = cost.limits(plan, planned, known.minutes).samples
    names = dict(zip(pythons, planned.result_files, strict=True))
    try:
        new_run.carry_out(session, minutes=minutes - (time.monotonic() - began_s) / 60)
    finally:
        out.mkdir(parents=True, exist_ok=True)
        for path, build in zip(session.paths(), session.builds, strict=True):
            if path.exists():
                shutil.copy(path, out / names[build.named])
    for line in [*closing_lines(session), *fault_lines(session), *busy_lines([session.machine()])]:
        click.echo(" " * (len(line) - len(line.lstrip())) + job.plain(line))


def install(pythons: Sequence[str]) -> None:
    """Have uv install the builds without a path. If it can't, the machine may still have them."""
    for python in dict.fromkeys(map(named_builds.interpreter, pythons)):
        if "/" in python or "\\" in python:
            continue
        done = programs.run(find_uv_bin(), "python", "install", python)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
            click.echo(f"uv did not install {python}: {job.plain(last)}")


def on_machine(python: str, machine: Machine) -> str:
    """Return the name of a build on *machine*, with the path of a label."""
    name, plus, rest = python.partition("+")
    label, equals, interpreter = name.rpartition("=")
    if path := machine.paths.get(interpreter):
        return f"{label or interpreter}={path}{plus}{rest}"
    return f"{label}{equals}{native(interpreter)}{plus}{rest}"


def native(python: str) -> str:
    """Return uv's name for a native build. On Windows on ARM its default is an emulated one."""
    is_windows_on_arm = (os.environ.get("RUNNER_OS"), os.environ.get("RUNNER_ARCH")) == ("Windows", "ARM64")
    return f"cpython-{python}-windows-aarch64-none" if is_windows_on_arm else python


def _check_architecture(name: str, built_for: str) -> None:
    """Raise UserError for an emulated build."""
    host = os.environ.get("RUNNER_ARCH", "")
    if host in OWN_BUILDS and not built_for.endswith(OWN_BUILDS[host]):
        msg = f"{name} is built for {built_for}, and the machine is {host}: it would be measured emulated"
        raise UserError(msg)

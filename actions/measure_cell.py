"""Measures one cell of a hosted run, and puts its files where the artifact is made. Our side."""

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

from actions import dispatch, job
from runners.harness import programs
from runners.harness.builds import interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.redact import without_paths
from runners.harness.run import new_run
from runners.harness.run.plan import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from actions.dispatch import CellJob, Plan

OWN_BUILDS = {"X64": ("x86_64", "amd64", "universal2"), "ARM64": ("arm64", "aarch64", "universal2")}
"""By GitHub's word for a host's architecture (a process that is emulated sees another), how its builds' platforms end.
Those for both of Apple's run as the host's own."""
MINUTES = 330
"""This long after the start no sample is begun: the workflow ends the step 15 minutes later."""
CUT_OFF = "the job was ended before it had measured everything"


@click.command()
@job.PLAN
@click.option("--out", type=job.FOLDER, required=True, help="the artifact's folder")
def command(plan_file: Path, out: Path) -> None:
    """Measure one cell of a plan (CELL: its id), and put its files where the artifact is made."""
    name = job.variable("CELL")
    if not re.fullmatch(r"\w[\w.-]*", name):
        msg = f"CELL is {name[:60]!r}, which names no cell"
        raise UserError(msg)
    with leaving_the_reason(out / f"{name}.failed.txt"):
        run = job.hosted_run()
        if not run.may_begin(job.today()):
            days = f"over {job.MOST_DAYS} days later is not accepted"
            msg = f"the run is of {run.day}, and what begins {days}: start a new run"
            raise UserError(msg)
        plan = dispatch.read_plan(plan_file)
        cells = {cell.id: cell for cell in plan.cells}
        cell = cells[catalogue.select(cells, [name], "cell")[0]]
        name = run.name(run.attempt)
        origin = new_run.Origin(f"{name}.{cell.id}", name, run.trigger, run.url, brings_reference=bool(cell.reference))
        measure(plan, cell, origin, out)


@contextmanager
def leaving_the_reason(path: Path) -> Iterator[None]:
    """Leave at *path* why the block ends, unless it ends well. Of a job that is killed, CUT_OFF is there already."""

    def write(reason: str) -> None:
        path.write_text(" ".join(without_paths(reason).split()) + "\n", encoding="utf-8")

    path.parent.mkdir(parents=True, exist_ok=True)
    write(CUT_OFF)
    before = signal.signal(signal.SIGTERM, _interrupt)  # hosted jobs are sent it soon before they are killed
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


def measure(plan: Plan, cell: CellJob, origin: new_run.Origin, out: Path) -> None:
    """Measure a cell. Whatever ends it, what was measured by then is in the artifact's folder, *out*."""
    began_s = time.monotonic()
    versions = (cell.reference, cell.python) if cell.reference else (cell.python,)
    pythons = tuple(map(native, versions))
    request = new_run.RunRequest(
        Selection(plan.profile, tuple(plan.scenarios)), plan.rounds, new_run.drawn_seed(), pythons
    )
    install(pythons)
    session = new_run.begin(request, catalogue.find(), out.parent / "measuring", cell.machine, origin)
    for build in session.builds:
        _check_architecture(build.name, interpreters.platform_of(build.python))
    try:
        new_run.carry_out(session, minutes=MINUTES - (time.monotonic() - began_s) / 60)
    finally:
        out.mkdir(parents=True, exist_ok=True)
        written = reversed(session.paths())  # the reference build's stands first
        for path, name in zip(written, cell.result_files, strict=True):
            if path.exists():  # one that is not complete says so
                shutil.copy(path, out / name)


def install(pythons: Sequence[str]) -> None:
    """Let uv bring the builds. Where it may not download any, those of the machine have to do."""
    for python in pythons:
        done = programs.run(find_uv_bin(), "python", "install", python)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
            click.echo(f"uv brought no {python}: {job.plain(last)}")


def native(python: str) -> str:
    """Return what asks uv for a version built for the host itself.

    On Windows on ARM uv by default prefers a build that is emulated: more packages have wheels for it.
    """
    is_windows_on_arm = (os.environ.get("RUNNER_OS"), os.environ.get("RUNNER_ARCH")) == ("Windows", "ARM64")
    return f"cpython-{python}-windows-aarch64-none" if is_windows_on_arm else python


def _check_architecture(name: str, built_for: str) -> None:
    """Raise UserError for a build of another architecture: what was measured would be the emulation."""
    host = os.environ.get("RUNNER_ARCH", "")
    if host in OWN_BUILDS and not built_for.endswith(OWN_BUILDS[host]):
        msg = f"{name} is built for {built_for}, and the machine is {host}: it would be measured emulated"
        raise UserError(msg)

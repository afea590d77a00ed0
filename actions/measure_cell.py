"""Measures one cell of a hosted run, and lays its files where the artifact is made. Our side."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from uv import find_uv_bin

from runners.harness.builds import interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.run import new_run
from runners.harness.run.plan import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from actions.dispatch import CellJob, Plan
    from runners.harness.run.session import Session

ARCHITECTURES = {"x64": "x86-64", "amd64": "x86-64", "x86_64": "x86-64", "arm64": "arm64", "aarch64": "arm64"}
"""By the names that hosts and builds have for it, in small letters."""
EVERY_MAC = "universal2"
"""Of builds for both of Apple's architectures: such a one runs as the host's own."""


@dataclass(frozen=True)
class Job:
    """One cell to measure."""

    plan: Plan
    cell: CellJob
    origin: new_run.Origin
    out: Path
    """The artifact's folder."""
    minutes: int
    """This long after its start no sample is begun."""


def measure(job: Job) -> None:
    """Measure a cell. Whatever ends it, what was measured by then is in the artifact's folder."""
    began_s = time.monotonic()
    cell, plan = job.cell, job.plan
    asked = (cell.reference, cell.python) if cell.reference else (cell.python,)
    pythons = tuple(map(native, asked))
    wanted = new_run.RunRequest(
        Selection(plan.profile, tuple(plan.scenarios)), plan.rounds, new_run.drawn_seed(), pythons
    )
    install(pythons)
    session = new_run.begun(wanted, catalogue.find(), job.out.parent / "measuring", cell.machine, job.origin)
    for build in session.builds:
        _check_architecture(build.name, interpreters.platform_of(build.python))
    try:
        new_run.carry_out(session, minutes=job.minutes - (time.monotonic() - began_s) / 60)
    finally:
        _lay(session, job)


def _lay(session: Session, job: Job) -> None:
    """Copy the files that are there; one that is not complete says so."""
    reference, own = session.paths()[0], session.paths()[-1]
    names = {own: f"{job.cell.id}.json"}
    if job.cell.reference:
        names[reference] = f"{job.cell.id}.reference.json"
    job.out.mkdir(parents=True, exist_ok=True)
    for path, name in names.items():
        if path.exists():
            shutil.copy(path, job.out / name)


def install(pythons: Sequence[str]) -> None:
    """Let uv bring the builds. Where it may not download any, those of the machine have to do."""
    for python in pythons:
        done = subprocess.run(  # noqa: S603 - our own modules
            [find_uv_bin(), "python", "install", python],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            click.echo(f"uv brought no {python}: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")


def native(python: str) -> str:
    """Return what asks uv for a version built for the host itself.

    On Windows on ARM uv, unless it is told, prefers a build that is emulated: more packages have wheels for it.
    """
    is_windows_on_arm = os.environ.get("RUNNER_OS") == "Windows" and _known(host_architecture()) == "arm64"
    return f"cpython-{python}-windows-aarch64-none" if is_windows_on_arm else python


def host_architecture() -> str:
    """Return the host's architecture: as GitHub tells it, since a process that is emulated is told another."""
    return os.environ.get("RUNNER_ARCH") or platform.machine()


def _known(name: str) -> str:
    return ARCHITECTURES.get(name.lower(), name.lower())


def _check_architecture(name: str, built_for: str) -> None:
    """Raise UserError for a build of another architecture: what was measured would be the emulation."""
    architecture, host = built_for.rpartition("-")[2], host_architecture()
    if architecture != EVERY_MAC and _known(architecture) != _known(host):
        msg = f"{name} is built for {built_for}, and the machine is {host}: it would be measured emulated"
        raise UserError(msg)

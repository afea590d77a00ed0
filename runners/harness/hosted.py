"""Measures one cell of a hosted run, and lays its files where the artifact is made. Our side."""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from uv import find_uv_bin

from runners.harness import catalogue, runs
from runners.harness.plan import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runners.harness.matrix import Cell, Plan
    from runners.harness.session import Session


@dataclass(frozen=True)
class Job:
    """One cell to measure."""

    plan: Plan
    cell: Cell
    origin: runs.Origin
    out: Path
    """The artifact's folder."""
    minutes: int
    """This long after its start no sample is begun."""


def measure(job: Job) -> None:
    """Measure a cell. Whatever ends it, what was measured by then is in the artifact's folder."""
    began_s = time.monotonic()
    cell, plan = job.cell, job.plan
    pythons = (cell.reference, cell.python) if cell.reference else (cell.python,)
    wanted = runs.Wanted(Selection(plan.profile, tuple(plan.scenarios)), plan.rounds, runs.drawn_seed(), pythons)
    install(pythons)
    session = runs.begun(wanted, catalogue.find(), job.out.parent / "measuring", cell.machine, job.origin)
    try:
        runs.carry_out(session, minutes=job.minutes - (time.monotonic() - began_s) / 60)
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
        done = subprocess.run(  # noqa: S603 - uv itself; the names are those of matrix.toml
            [find_uv_bin(), "python", "install", python],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            click.echo(f"uv brought no {python}: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")

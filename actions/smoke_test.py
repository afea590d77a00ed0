"""Runs every runner once on a build, and says what is not as it must be. Our side.

What is checked is the record, read back as the one who publishes it would read it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from actions import measure_cell, verify
from actions.safe_text import plain
from generate.analysis import sanity_gate
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.measure import GIL_IS_BACK
from runners.harness.record import codec
from runners.harness.record.build_names import is_older
from runners.harness.run import new_run
from runners.harness.run.plan import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.catalogue.runner_file import Runner
    from runners.harness.record.model import Build, Series
    from runners.harness.run.session import Session


@click.command()
@click.option("--python", required=True, help="a version")
@click.option("--allow-dirty", is_flag=True, help="take what no commit holds, to try it before it is committed")
def command(python: str, *, allow_dirty: bool) -> None:
    """Run every runner of the quick profile once on a build; fail where one fails or a record is not as it must be."""
    faults = smoke_test(python, allow_dirty=allow_dirty)
    for fault in faults:
        click.echo(f"fault: {plain(fault)}")
    sys.exit(1 if faults else 0)


def smoke_test(python: str, *, allow_dirty: bool) -> list[str]:
    """Measure one round of the quick profile on a build; return what is wrong, a line each.

    Raises UserError for a build that can't be had.
    """
    name = measure_cell.native(python)
    measure_cell.install([name])
    request = new_run.RunRequest(Selection("quick"), 1, new_run.drawn_seed(), (name,))
    with tempfile.TemporaryDirectory() as folder:
        session = new_run.begin(request, catalogue.find(), Path(folder), None)
        for (series, status), reason in new_run.carry_out(session).items():
            click.echo(plain(f"{series}: {status}: {reason}"))
        return [fault for path in session.paths() for fault in _of_file(path, session, allow_dirty=allow_dirty)]


def _of_file(path: Path, session: Session, *, allow_dirty: bool) -> Iterator[str]:
    try:
        record = codec.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        yield f"its file can't be read again: {error}"
        return
    if not record.complete:
        yield "the record is not complete"
    if record.run.dirty is not False and not allow_dirty:
        yield "the code is not that of a commit: something wrote into the checkout, or it is none"
    yield from verify.of_texts(record)
    yield from verify.of_code(record, session.scenarios)
    yield from map(str, sanity_gate.faults(record, session.scenarios))
    for series in record.series:
        if fault := _of_series(series, session.scenarios[series.scenario].runners[series.runner], record.build):
            yield f"{series.scenario}, {series.case}: {series.runner} ({series.role}): {fault}"
    if not any(series.status == "ok" for series in record.series):
        yield "nothing was measured"


def _of_series(series: Series, runner: Runner, build: Build) -> str | None:
    """Say what is wrong with a series; None where it is measured, or there is a reason that is no fault of ours.

    What needs the standard library alone runs wherever its Python is new enough. A package may not install, and it may
    turn the GIL back on.
    """
    if series.status == "ok":
        return None
    if not series.reason:
        return f"{series.status}, and no reason is given"
    too_old = is_older(build.version, runner.requires_python)
    is_unsupported = series.status == "unsupported" and (too_old or bool(runner.packages))
    with_gil = series.status == "failed" and build.free_threaded and series.reason in GIL_IS_BACK
    return None if is_unsupported or (with_gil and runner.packages) else f"{series.status}: {series.reason}"

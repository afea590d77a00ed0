"""Several runs of one build in a dispatch, on several hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from artifacts import RUN, kept, outcome, pack, record, statuses

from actions import collect, dispatch, job_summary
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from actions.collect import Collected
    from runners.harness.record.model import Record

INPUTS = {"machines": "ubuntu-24.04", "pythons": "3.14", "profile": "full", "scenarios": "primes", "rounds": "12"}
PLAN = dispatch.make_plan({**INPUTS, "repeats": "3"}, ["primes", "power"])
JOBS = [job.id for job in PLAN.jobs]
CELLS = [cell.id for cell in PLAN.cells]


def measured(job: str, cpu: str = "AMD EPYC") -> Record:
    made = record("3.14", job)
    return msgspec.structs.replace(made, kind="cell", machine=msgspec.structs.replace(made.machine, cpu=cpu))


def collected(folder: Path, *records: Record) -> Collected:
    for job, cell, made in zip(JOBS, CELLS, records, strict=False):
        pack(folder, job, 1, {f"{cell}.json": encode(made)})
    return collect.collect(PLAN, RUN, folder)


def test_repeats_are_runs_of_their_own(tmp_path: Path) -> None:
    found = collected(tmp_path, *(measured(job) for job in (JOBS[0], JOBS[1], JOBS[0])))
    assert statuses(found) == dict(zip(CELLS, ("measured", "measured", "failed"), strict=True))
    assert kept(found) == {f"2026-01-01-gh1001-1/{cell}.json" for cell in CELLS[:2]}
    assert len({one.file.record.run.id for one in found.accepted}) == 2
    assert str(outcome(found, CELLS[2]).reason).startswith("run.id: "), "the file of another repeat"


def test_summary_names_hosts_with_their_processors(tmp_path: Path) -> None:
    found = collected(tmp_path, measured(JOBS[0]), measured(JOBS[1], "Intel Xeon"))
    files = [one.file for one in found.accepted]
    table = job_summary.format_cells(found.outcomes.cells, files, found.rejected, found.impossible).splitlines()
    assert table[4:7] == [
        "| ubuntu-24.04, AMD EPYC | 3.14 | 3.14 | measured |  |",
        "| ubuntu-24.04, Intel Xeon | 3.14 | 3.14--run2 | measured |  |",
        "| ubuntu-24.04 | 3.14 | 3.14--run3 | failed | it did not come back |",
    ]
    board = job_summary.format_verdicts(files)
    assert [line for line in board.splitlines() if line.startswith("### ")] == [
        "### ubuntu-24.04, AMD EPYC",
        "### ubuntu-24.04, Intel Xeon",
    ]

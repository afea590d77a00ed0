"""Collects what the jobs of a run measured, and trusts none of it.

The plan decides which files there may be. An unexpected file is refused by name and the others are kept. A cell without
a file, or without a measurement of its own, is published as failed. Each attempt's results go to a folder of their own;
the newest folder lists the outcomes of all cells so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from actions import artifacts, job, job_summary, named_builds, run_plan, shortfall
from actions.artifacts import MISSING, Refused
from actions.job import plain
from actions.verify import Accepted, Expectation, Known, verify_file
from generate.check import MOST_BYTES
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.files import write_atomically
from runners.harness.record import cells_file
from runners.harness.record.cells_file import CellOutcome, RunOutcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from actions.artifacts import Artifact
    from actions.job import HostedRun
    from actions.run_plan import Plan, PlannedCell, PlannedJob
    from runners.harness.record.model import Record

LONGEST_FAILURE_BYTES = 10_000
LONGEST_REASON = 500
MOST_FOREIGN = 5
"""How many names of unplanned files are printed."""


@dataclass(frozen=True, eq=False)
class JobFiles:
    """The verified files of one artifact."""

    files: Mapping[str, Accepted | Refused]
    """By name, the reference's first if it is a by-product."""
    foreign: list[str]
    """Names of unplanned files."""
    failure: str | None
    """The reason that a failed job left."""


@dataclass(frozen=True)
class CellFiles:
    """A cell with the files of the artifact that counts for it."""

    cell: PlannedCell
    job: PlannedJob
    from_job: JobFiles

    @property
    def own(self) -> Accepted | Refused:
        """Its result file."""
        return self.from_job.files[self.cell.own_file]

    @property
    def files(self) -> dict[str, Accepted | Refused]:
        """Its own file and that of its reference, by name."""
        return {name: file for name, file in self.from_job.files.items() if name in self._names}

    @property
    def accepted(self) -> list[Accepted]:
        """Its files that are published."""
        return [file for file in self.files.values() if isinstance(file, Accepted)]

    @property
    def _names(self) -> set[str]:
        return {self.job.reference_file, self.cell.own_file}


@dataclass(frozen=True)
class Collected:
    """The files to publish, the outcomes of all cells, and the reasons ("file: reason") for refused files."""

    accepted: list[Accepted]
    outcomes: RunOutcomes
    rejected: list[str]

    @property
    def impossible(self) -> list[str]:
        """What the sanity gate rejects in accepted files."""
        return [fault for accepted in self.accepted for fault in accepted.faults]


@click.command()
@job.PLAN
@click.option("--artifacts", "folder", type=job.FOLDER, required=True)
@click.option("--out", type=job.FOLDER, required=True, help="written like results/")
def command(plan_file: Path, folder: Path, out: Path) -> None:
    """Collect what the jobs measured, as far as it can be trusted."""
    run = job.hosted_run()
    collected = collect(run_plan.read_plan(plan_file), run, folder)
    rejected, impossible = collected.rejected, collected.impossible
    for title, reasons in (("refused", rejected), ("rejected by the sanity gate", impossible)):
        for reason in reasons:
            click.echo(f"{title}: {plain(reason)}")
    files = {accepted.file.path: accepted.data for accepted in collected.accepted}
    files[f"{run.folder(run.attempt)}/{cells_file.FILE}"] = cells_file.encoded(collected.outcomes)
    for path, data in files.items():
        write_atomically(out / path, data)
    cells, accepted = collected.outcomes.cells, [each.file for each in collected.accepted]
    click.echo(f"measured: {sum(cell.status == 'measured' for cell in cells)} of {len(cells)} cells")
    job.set_output("missing", str(sum(cell.status == "failed" for cell in cells)))
    job.set_output("collected_sha256", artifacts.digest(files))
    job.summarise(job_summary.cells(cells, accepted, rejected, impossible))
    job.summarise(f"\n{job_summary.verdicts(accepted)}")


def collect(plan: Plan, run: HostedRun, folder: Path) -> Collected:
    """Verify the artifacts in *folder* by the plan of a run."""
    machines = {machine.label: machine for machine in matrix.read().machine}
    known = Known(plan, run, catalogue.find(), machines)
    brought, others = artifacts.list_artifacts(folder, {planned.id for planned in plan.jobs}, run.attempt)
    results: list[CellFiles] = []
    for planned in plan.jobs:
        own = [artifact for artifact in brought if artifact.job == planned.id and artifact.attempt in run.attempts]
        results += newest_measured(own, known, planned)
    outcomes = [_outcome(result, known) for result in results]
    for each in plan.excluded:
        cell = run_plan.cell_id(each.machine, each.python)
        outcomes.append(CellOutcome(cell, each.machine, each.python, "excluded", each.reason, []))
    rejected = [*dict.fromkeys(reason for result in results for reason in _refused(result))]
    rejected += [f"{name}: no job of the plan, or no attempt so far" for name in others]
    accepted = {file.file.path: file for result in results for file in result.accepted}
    run_outcomes = RunOutcomes(run.name(run.attempt), run.url, plan.note, plan.profile, outcomes)
    return Collected([*accepted.values()], run_outcomes, rejected)


def newest_measured(brought: Iterable[Artifact], known: Known, planned: PlannedJob) -> list[CellFiles]:
    """Verify a job's artifacts, one an attempt, newest first.

    For each cell the newest that measured it counts, else the newest whose file was accepted, else the newest.
    """
    newest, accepted, measured = None, dict[str, JobFiles](), dict[str, JobFiles]()
    for artifact in brought:
        files = verify_artifact(artifact, known, planned)
        newest = newest or files
        for cell in planned.cells:
            own = files.files[cell.own_file]
            if isinstance(own, Accepted):
                accepted.setdefault(cell.id, files)
                if _why_nothing(cell, own, known) is None:
                    measured.setdefault(cell.id, files)
        if len(measured) == len(planned.cells):
            break
    newest = newest or JobFiles(dict.fromkeys(planned.result_files, MISSING), [], None)
    chosen = accepted | measured
    return [CellFiles(cell, planned, chosen.get(cell.id, newest)) for cell in planned.cells]


def verify_artifact(artifact: Artifact, known: Known, planned: PlannedJob) -> JobFiles:
    """Verify the reference's file, then those of the cells, which must name the same reference build."""
    limits = {planned.failure_file: LONGEST_FAILURE_BYTES, **dict.fromkeys(planned.result_files, MOST_BYTES)}
    contents, foreign = artifact.read(limits)
    failure = _failure(contents, planned.failure_file)
    files: dict[str, Accepted | Refused] = {}
    reference: Record | None = None
    for number, name in enumerate(planned.result_files):
        data = contents[name]
        if isinstance(data, Refused):
            files[name] = Refused(failure) if failure and data == MISSING else data
            continue
        files[name] = file = verify_file(data, name, Expectation(known, planned, artifact.attempt, number, reference))
        if name == planned.reference_file and isinstance(file, Accepted):
            reference = file.file.record
    return JobFiles(files, foreign, failure)


def _failure(contents: Mapping[str, bytes | Refused], failure_file: str) -> str | None:
    """Return the reason that a failed job left, or why it can't be read."""
    left = contents[failure_file]
    if isinstance(left, bytes):
        return plain(left.decode(errors="replace")) or None
    if left == MISSING or all(content == left for content in contents.values()):
        return None  # each result file reports what is wrong with the artifact
    return plain(f"{failure_file}: {left.reason}")


def _refused(result: CellFiles) -> Iterator[str]:
    """Yield what is refused of an artifact. Cells of one job repeat what concerns the job."""
    if foreign := result.from_job.foreign:
        yield f"{result.job.id}: {len(foreign)} files that nobody planned: {', '.join(foreign[:MOST_FOREIGN])}"
    for name, file in result.files.items():
        if isinstance(file, Refused):
            yield f"{result.job.id}/{name}: {file.reason}"


def _why_nothing(cell: PlannedCell, own: Accepted, known: Known) -> str | None:
    request = named_builds.request_of(cell.python, known.machines[cell.machine])
    return shortfall.why_nothing(own.file.record, request, known.scenarios)


def _outcome(result: CellFiles, known: Known) -> CellOutcome:
    """Return the outcome of a cell, with the reasons for its failure or shortfall. Its files are published anyway."""
    cell, own, failure = result.cell, result.own, result.from_job.failure
    if isinstance(own, Refused):
        has_failed, notes = True, [own.reason]
    else:
        nothing = _why_nothing(cell, own, known)
        has_failed = nothing is not None
        notes = [*filter(None, [nothing or shortfall.in_part(own.file.record)])]
        reference = result.files.get(result.job.reference_file)
        if isinstance(reference, Refused):
            notes.append(f"its reference's file was refused: {reference.reason}")
    if failure and failure not in notes:
        notes.append(f"its job ended early: {failure}")
    return CellOutcome(
        cell=cell.id,
        machine=cell.machine,
        python=cell.python,
        status="failed" if has_failed else "measured",
        reason=plain("; ".join(notes), LONGEST_REASON) or None,
        files=[file.file.path for file in result.accepted],
    )

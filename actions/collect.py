"""Takes in what the jobs of a run measured, and trusts none of it.

Which files there may be follows from the plan, never from what an artifact holds. A file that is not what the plan
expects is refused by name and the others are kept; a cell of which nothing can be kept, or nothing was measured, is
published as failed. Each attempt's results go to a folder of its own; the newest folder has the list of what became of
all cells so far.
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
"""Names of an artifact's foreign files that are printed; it may hold any number."""


@dataclass(frozen=True, eq=False)
class JobFiles:
    """What became of the files of one artifact."""

    files: Mapping[str, Accepted | Refused]
    """By name, the reference's first where that is a by-product."""
    foreign: list[str]
    """Names of files beside them."""
    failure: str | None
    """The reason that a job which failed left, or why that can't be read."""


@dataclass(frozen=True)
class CellFiles:
    """What became of a cell: its own file, and the artifact that it is of."""

    cell: PlannedCell
    job: PlannedJob
    of_job: JobFiles

    @property
    def own(self) -> Accepted | Refused:
        """Its result file."""
        return self.of_job.files[self.cell.own_file]

    @property
    def reference(self) -> Accepted | Refused | None:
        """Its reference build's file, where that is a by-product."""
        return self.of_job.files.get(self.job.reference_file)

    @property
    def named(self) -> dict[str, Accepted | Refused]:
        """Its files by name."""
        beside = {} if self.reference is None else {self.job.reference_file: self.reference}
        return {**beside, self.cell.own_file: self.own}

    @property
    def accepted(self) -> list[Accepted]:
        """Those of its files that are published."""
        return [file for file in self.named.values() if isinstance(file, Accepted)]


@dataclass(frozen=True)
class Collected:
    """What was taken in."""

    accepted: list[Accepted]
    outcomes: RunOutcomes
    rejected: list[str]
    """Each as file: reason."""

    @property
    def impossible(self) -> list[str]:
        """What the sanity gate rejects in accepted files."""
        return [fault for accepted in self.accepted for fault in accepted.faults]


@click.command()
@job.PLAN
@click.option("--artifacts", "folder", type=job.FOLDER, required=True)
@click.option("--out", type=job.FOLDER, required=True, help="a folder that stands for results/")
def command(plan_file: Path, folder: Path, out: Path) -> None:
    """Take in what the jobs measured, as far as it can be trusted."""
    run = job.hosted_run()
    collected = collect(run_plan.read_plan(plan_file), run, folder)
    for reason in collected.rejected:
        click.echo(f"refused: {plain(reason)}")
    for fault in collected.impossible:
        click.echo(f"rejected by the sanity gate: {plain(fault)}")
    files = {accepted.file.path: accepted.data for accepted in collected.accepted}
    files[f"{run.folder(run.attempt)}/{cells_file.FILE}"] = cells_file.encoded(collected.outcomes)
    for path, data in files.items():
        write_atomically(out / path, data)
    cells = collected.outcomes.cells
    measured = [outcome for outcome in cells if outcome.status == "measured"]
    click.echo(f"measured: {job_summary.count_noun(measured)}; asked for: {job_summary.count_noun(cells)}")
    job.hand_on("missing", str(sum(outcome.status not in {"measured", "excluded"} for outcome in cells)))
    job.hand_on("collected_sha256", artifacts.digest(files))
    accepted = [one.file for one in collected.accepted]
    became = job_summary.cells(cells, accepted, collected.rejected, collected.impossible)
    job.summarise("\n".join([became, job_summary.variants(accepted), job_summary.verdicts(accepted)]))


def collect(plan: Plan, run: HostedRun, folder: Path) -> Collected:
    """Verify the artifacts in *folder*, a folder for each, by the plan of a run."""
    machines = {machine.label: machine for machine in matrix.read().machine}
    known = Known(plan, run, catalogue.find(), machines)
    found, others = artifacts.of_jobs(folder, {planned.id for planned in plan.jobs}, run.attempt)
    results: list[CellFiles] = []
    for planned in plan.jobs:
        of_job = [one for one in found if one.job == planned.id and one.attempt in run.attempts]
        results += newest_measured(of_job, known, planned)
    outcomes = [_outcome(result, known) for result in results]
    outcomes += [
        CellOutcome(
            run_plan.cell_id(one.machine, named_builds.address(one.python)),
            one.machine,
            one.python,
            "excluded",
            one.reason,
            [],
        )
        for one in plan.excluded
    ]
    rejected = [*dict.fromkeys(reason for result in results for reason in _refused(result))]
    rejected += [f"{name}: no job of the plan, or no attempt so far" for name in others]
    accepted = {file.file.path: file for result in results for file in result.accepted}
    return Collected(
        accepted=[*accepted.values()],
        outcomes=RunOutcomes(run.name(run.attempt), run.url, plan.note, plan.profile, outcomes),
        rejected=rejected,
    )


def newest_measured(brought: Iterable[Artifact], known: Known, planned: PlannedJob) -> list[CellFiles]:
    """Verify a job's artifacts, one an attempt, new ones first.

    For each of its cells the newest that measured it counts, else the newest whose file was accepted, else the newest.
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
    taken = accepted | measured
    return [CellFiles(cell, planned, taken.get(cell.id, newest)) for cell in planned.cells]


def verify_artifact(artifact: Artifact, known: Known, planned: PlannedJob) -> JobFiles:
    """Verify the reference's file, then those of the cells, which must name the same build."""
    limits = {planned.failure_file: LONGEST_FAILURE_BYTES, **dict.fromkeys(planned.result_files, MOST_BYTES)}
    contents, foreign = artifact.read(limits)
    failure = _failure(contents, planned.failure_file)

    def verified(name: str, number: int, reference: Record | None) -> Accepted | Refused:
        data = contents[name]
        if isinstance(data, Refused):
            return Refused(failure) if failure and data == MISSING else data
        return verify_file(data, name, Expectation(known, planned, artifact.attempt, number, reference))

    files: dict[str, Accepted | Refused] = {}
    reference: Record | None = None
    for number, name in enumerate(planned.result_files):
        files[name] = file = verified(name, number, reference)
        if name == planned.reference_file and isinstance(file, Accepted):
            reference = file.file.record
    return JobFiles(files, foreign, failure)


def _failure(contents: Mapping[str, bytes | Refused], failure_file: str) -> str | None:
    """Return the reason that a job which failed left, or why that can't be read; None where it left none."""
    left = contents[failure_file]
    if isinstance(left, bytes):
        return plain(left.decode(errors="replace")) or None
    if left == MISSING or all(content == left for content in contents.values()):
        return None  # what is wrong with the artifact as a whole each of its result files says
    return plain(f"{failure_file}: {left.reason}")


def _refused(result: CellFiles) -> Iterator[str]:
    """Say what of its job's artifact is refused; what concerns the whole job is said of each of its cells alike."""
    if foreign := result.of_job.foreign:
        yield f"{result.job.id}: {len(foreign)} files that nobody planned: {', '.join(foreign[:MOST_FOREIGN])}"
    for name, file in result.named.items():
        if isinstance(file, Refused):
            yield f"{result.job.id}/{name}: {file.reason}"


def _why_nothing(cell: PlannedCell, own: Accepted, known: Known) -> str | None:
    """Return why a cell's own file has nothing that the cell is about; None where it has something."""
    request = named_builds.request_of(cell.python, known.machines[cell.machine])
    return shortfall.why_nothing(own.file.record, request, known.scenarios)


def _outcome(result: CellFiles, known: Known) -> CellOutcome:
    """Say what became of a cell, with the reason of its own file, or what is amiss beside that.

    One has failed of which nothing was kept, or nothing measured of what it is about: its files are published alike.
    """
    cell, own, failure = result.cell, result.own, result.of_job.failure
    notes, has_failed = [], True
    if isinstance(own, Refused):
        notes = [own.reason]
    else:
        nothing = _why_nothing(cell, own, known)
        has_failed = nothing is not None
        notes = [note for note in (nothing or shortfall.in_part(own.file.record),) if note]
        if isinstance(result.reference, Refused):
            notes.append(f"its reference's file was refused: {result.reference.reason}")
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

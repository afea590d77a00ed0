"""Collects the results of a run's jobs, and trusts none of them.

The plan decides which files are allowed. Others are refused by name. A cell without a file, or without a
measurement of its own, is published as failed. Each attempt has a folder for its results; the newest folder lists the
outcomes of all cells so far.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from actions import artifacts, job, run_plan
from actions.artifacts import MISSING, Artifact, Refused
from actions.job import HostedRun, make_inert
from actions.run_plan import Plan, PlannedCell, PlannedJob
from actions.verify import Accepted, Expectation, verify_file
from generate.check import MOST_BYTES
from generate.data import cells_file
from generate.data.cells_file import CellOutcome, RunOutcomes
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.files import write_atomically

LONGEST_FAILURE_BYTES = 10_000
LONGEST_REASON = 500
FOREIGN_FILES = "{}: unplanned files: {}"
FOREIGN_ARTIFACT = "{}: no job of the plan, or no attempt so far"
REFERENCE_REFUSED = "its reference's file was refused: {}"
ENDED_EARLY = "its job ended early: {}"
MOST_REFUSED = 50
SUMMARY = """\
## Cells

| cell | host | | reason |
|---|---|---|---|
{rows}

## Refused

{refused}
"""
ROW = "| {} | {} | {} | {} |"


@dataclass(frozen=True, eq=False)
class JobFiles:
    """The verified files of a job's artifact."""

    job: PlannedJob
    files: Mapping[str, Accepted | Refused]
    """By name, the reference's first if it is a by-product."""
    foreign: list[str]
    """Names of unplanned files."""
    failure: str = ""
    """The reason from a failed job."""

    def select(self, cell: PlannedCell) -> dict[str, Accepted | Refused]:
        """Return a cell's own file and its reference's, by name."""
        return {name: file for name, file in self.files.items() if name in {self.job.reference_file, cell.own_file}}

    def accepted(self, cell: PlannedCell) -> list[Accepted]:
        """Return a cell's files that are published."""
        return [file for file in self.select(cell).values() if isinstance(file, Accepted)]


@dataclass(frozen=True)
class Collected:
    """The files to publish, the outcomes of all cells, and the reasons ("file: reason") for refused files."""

    accepted: list[Accepted]
    outcomes: RunOutcomes
    refused: list[str]


@click.command()
@job.PLAN
@click.option("--artifacts", "folder", type=job.FOLDER, required=True)
@click.option("--out", type=job.FOLDER, required=True, help="Written like results/.")
def command(plan_file: Path, folder: Path, out: Path) -> None:
    """Collect the results of the jobs that can be trusted."""
    run = job.read_run()
    collected = collect(run_plan.read_plan(plan_file), run, folder)
    files = {accepted.path: accepted.data for accepted in collected.accepted}
    files[f"{run.folder(run.attempt)}/{cells_file.FILE}"] = cells_file.encode(collected.outcomes)
    for path, data in files.items():
        write_atomically(out / path, data)
    cells = collected.outcomes.cells
    click.echo(f"measured: {sum(cell.status == 'measured' for cell in cells)} of {len(cells)} cells")
    job.set_output("missing", str(sum(cell.status == "failed" for cell in cells)))
    job.set_output("collected_sha256", artifacts.compute_digest(files))
    job.summarise(summarise(collected))


def collect(plan: Plan, run: HostedRun, folder: Path) -> Collected:
    """Verify the artifacts in *folder* against the plan of a run."""
    scenarios, machines = catalogue.find(), {machine.label: machine for machine in matrix.read().machine}
    downloaded, others = artifacts.list_artifacts(folder, {planned.id for planned in plan.jobs}, run.attempt)
    results: list[tuple[PlannedCell, JobFiles]] = []
    for planned in plan.jobs:
        own = [artifact for artifact in downloaded if artifact.job == planned.id and artifact.attempt in run.attempts]
        results += choose_files(own, Expectation(plan, run, scenarios, machines[planned.machine], planned))
    outcomes = [_decide_outcome(cell, files) for cell, files in results]
    for each in plan.excluded:
        cell_id = run_plan.make_cell_id(each.machine, each.python)
        outcomes.append(CellOutcome(cell_id, each.machine, each.python, "excluded", each.reason, []))
    refused = [*dict.fromkeys(reason for cell, files in results for reason in _list_refused(cell, files))]
    refused += map(FOREIGN_ARTIFACT.format, others)
    accepted = {file.path: file for cell, files in results for file in files.accepted(cell)}
    run_outcomes = RunOutcomes(run.name(run.attempt), run.url, plan.note, plan.profile, outcomes)
    return Collected([*accepted.values()], run_outcomes, refused)


def choose_files(downloaded: Sequence[Artifact], expected: Expectation) -> Iterator[tuple[PlannedCell, JobFiles]]:
    """Yield a job's cells, each with the artifact that counts. There is one per attempt, newest first.

    That is the newest that measured the cell, else the newest whose file was accepted, else the newest.
    """
    missing = JobFiles(expected.job, dict.fromkeys(expected.job.result_files, MISSING), [])
    verified = [verify_artifact(artifact, expected) for artifact in downloaded] or [missing]
    for cell in expected.job.cells:
        yield cell, max(verified, key=lambda files: _rank(files.files[cell.own_file]))


def _rank(own: Accepted | Refused) -> tuple[bool, bool]:
    return isinstance(own, Accepted), isinstance(own, Accepted) and own.problem is None


def verify_artifact(artifact: Artifact, expected: Expectation) -> JobFiles:
    """Verify the reference's file, then the cells' files, which must name the same reference build."""
    planned = expected.job
    limits = {planned.failure_file: LONGEST_FAILURE_BYTES, **dict.fromkeys(planned.result_files, MOST_BYTES)}
    contents, foreign = artifact.read(limits)
    reason = contents[planned.failure_file]
    failure = make_inert(reason.decode(errors="replace")) if isinstance(reason, bytes) else ""
    files: dict[str, Accepted | Refused] = {}
    for number, name in enumerate(planned.result_files):
        data = contents[name]
        if isinstance(data, Refused):
            files[name] = Refused(failure) if failure and data == MISSING else data
            continue
        file = verify_file(data, name, replace(expected, attempt=artifact.attempt, number=number))
        if name == planned.reference_file and isinstance(file, Accepted):
            expected = replace(expected, reference=file.record)
        files[name] = file
    return JobFiles(planned, files, foreign, failure)


def _list_refused(cell: PlannedCell, files: JobFiles) -> Iterator[str]:
    """Yield the refused parts of a cell's artifact. Cells of one job have the same refusals."""
    if files.foreign:
        yield FOREIGN_FILES.format(files.job.id, ", ".join(files.foreign))
    for name, file in files.select(cell).items():
        if isinstance(file, Refused):
            yield f"{files.job.id}/{name}: {file.reason}"


def _decide_outcome(cell: PlannedCell, files: JobFiles) -> CellOutcome:
    """Return the outcome of a cell, with the reasons for its failure or shortfall. Its files are published anyway."""
    own, reference = files.files[cell.own_file], files.files.get(files.job.reference_file)
    problem = own.problem if isinstance(own, Accepted) else own.reason
    notes = [problem] if problem else []
    if isinstance(own, Accepted) and isinstance(reference, Refused):
        notes.append(REFERENCE_REFUSED.format(reference.reason))
    if files.failure and files.failure not in notes:
        notes.append(ENDED_EARLY.format(files.failure))
    return CellOutcome(
        cell=cell.id,
        machine=files.job.machine,
        python=cell.python,
        status="measured" if problem is None else "failed",
        reason=make_inert("; ".join(notes), LONGEST_REASON) or None,
        files=[file.path for file in files.accepted(cell)],
    )


def summarise(collected: Collected) -> str:
    """Return the run's page in Markdown: the outcome of each cell, and the refused files, inert and bounded."""
    processors = {each.path: each.record.machine.cpu for each in collected.accepted}
    rows = []
    for each in collected.outcomes.cells:
        host = processors.get(each.files[-1], "") if each.files else ""
        rows.append(ROW.format(each.cell, make_inert(host), each.status, make_inert(each.reason)))
    refused = [f"- {make_inert(reason)}" for reason in collected.refused[:MOST_REFUSED]]
    if more := collected.refused[MOST_REFUSED:]:
        refused.append(f"- and {len(more)} more")
    return SUMMARY.format(rows="\n".join(rows), refused="\n".join(refused or ["None."]))

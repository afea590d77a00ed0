"""Takes in what the jobs of a run measured, and trusts none of it. Our side.

Which files there may be follows from the plan, never from what an artifact holds. A file that is not what the plan
expects is refused by name and the others are kept; a cell of which nothing can be kept is published as failed. Each
attempt's results go to a folder of its own; the newest folder has the list of what became of all cells so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from actions import artifacts, dispatch, job, job_summary
from actions.artifacts import MISSING, Refused
from actions.job import plain
from actions.verify import Accepted, Expectation, verify_file
from generate.checks.check import MOST_BYTES
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.files import write_atomically
from runners.harness.record import cells_file
from runners.harness.record.cells_file import Outcome, Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from actions.artifacts import Artifact
    from actions.dispatch import CellJob, Plan
    from actions.job import HostedRun

LONGEST_FAILURE_BYTES = 10_000
LONGEST_REASON = 500
MOST_FOREIGN = 5
"""Names of an artifact's foreign files that are printed; it may hold any number."""


@dataclass(frozen=True)
class CellFiles:
    """What became of a cell's files."""

    files: Mapping[str, Accepted | Refused]
    """By name: the cell's own file, and its reference build's where that is another build."""
    foreign: list[str]
    """Names of files beside them."""
    failure: str | None
    """The reason that a job which failed left."""

    @property
    def accepted(self) -> list[Accepted]:
        """Those of its files that are published."""
        return [file for file in self.files.values() if isinstance(file, Accepted)]


@dataclass(frozen=True)
class Collected:
    """What was taken in."""

    accepted: list[Accepted]
    outcomes: Outcomes
    refused: list[str]
    """Each as file: reason."""

    @property
    def impossible(self) -> list[str]:
        """What the sanity gate refuses in accepted files. The site shows those series as failed."""
        return [fault for accepted in self.accepted for fault in accepted.faults]


@click.command()
@job.PLAN
@click.option("--artifacts", "folder", type=job.FOLDER, required=True)
@click.option("--out", type=job.FOLDER, required=True, help="a folder that stands for results/")
def command(plan_file: Path, folder: Path, out: Path) -> None:
    """Take in what the cells measured, as far as it can be trusted."""
    run = job.hosted_run()
    collected = collect(dispatch.read_plan(plan_file), run, folder)
    for reason in collected.refused:
        click.echo(f"refused: {plain(reason)}")
    for fault in collected.impossible:
        click.echo(f"refused by the sanity gate: {plain(fault)}")
    files = {accepted.file.path: accepted.data for accepted in collected.accepted}
    files[f"{run.folder(run.attempt)}/{cells_file.FILE}"] = cells_file.encoded(collected.outcomes)
    for path, data in files.items():
        write_atomically(out / path, data)
    cells = collected.outcomes.cells
    measured = sum(outcome.status == "measured" for outcome in cells)
    click.echo(f"{measured} of {len(cells)} cells measured")
    job.hand_on("measured", str(measured))
    job.hand_on("collected_sha256", artifacts.digest(files))
    board = job_summary.verdicts([accepted.file for accepted in collected.accepted])
    job.summarise(job_summary.cells(cells, collected.refused, collected.impossible) + board)


def collect(plan: Plan, run: HostedRun, folder: Path) -> Collected:
    """Verify the artifacts in *folder*, a folder for each, by the plan of a run."""
    scenarios = catalogue.find()
    found, others = artifacts.of_cells(folder, {cell.id for cell in plan.cells}, run.attempt)
    results = []
    for cell in plan.cells:
        of_cell = [one for one in found if one.cell == cell.id and one.attempt in run.attempts]
        expected = Expectation(plan, run, scenarios, cell, run.attempt, cell.python)
        results.append((cell, newest_measured(of_cell, expected)))
    outcomes = [_outcome(cell, result) for cell, result in results]
    outcomes += [
        Outcome(dispatch.cell_id(one.machine, one.python), one.machine, one.python, "excluded", one.reason, [])
        for one in plan.excluded
    ]
    refused = [f"{cell.id}{reason}" for cell, result in results for reason in _refused(result)]
    refused += [f"{name}: no cell of the plan, or no attempt so far" for name in others]
    return Collected(
        accepted=[file for _, result in results for file in result.accepted],
        outcomes=Outcomes(run.name(run.attempt), run.url, plan.note, plan.profile, outcomes),
        refused=refused,
    )


def newest_measured(artifacts: Iterable[Artifact], expected: Expectation) -> CellFiles:
    """Verify a cell's artifacts, one an attempt, new ones first: the newest that measured counts, else the newest."""
    newest: CellFiles | None = None
    for artifact in artifacts:
        cell_files = verify_artifact(artifact, replace(expected, attempt=artifact.attempt))
        if isinstance(cell_files.files[expected.cell.own_file], Accepted):
            return cell_files
        newest = newest or cell_files
    return newest or CellFiles(dict.fromkeys(expected.cell.result_files, MISSING), [], None)


def verify_artifact(artifact: Artifact, expected: Expectation) -> CellFiles:
    """Verify the reference's file, then the cell's own, which must name the same build."""
    cell = expected.cell
    limits = {cell.failure_file: LONGEST_FAILURE_BYTES, **dict.fromkeys(cell.result_files, MOST_BYTES)}
    contents, foreign = artifact.read(limits)
    left = contents[cell.failure_file]
    failure = None if isinstance(left, Refused) else plain(left.decode(errors="replace")) or None

    def verified(name: str, expected: Expectation) -> Accepted | Refused:
        data = contents[name]
        if isinstance(data, Refused):
            return Refused(failure) if failure and data == MISSING else data
        return verify_file(data, name, expected)

    files: dict[str, Accepted | Refused] = {}
    if cell.reference:
        reference = verified(cell.reference_file, replace(expected, python=cell.reference))
        files[cell.reference_file] = reference
        if isinstance(reference, Accepted):
            expected = replace(expected, reference=reference.file.record.build)
    files[cell.own_file] = verified(cell.own_file, expected)
    return CellFiles(files, foreign, failure)


def _refused(result: CellFiles) -> Iterator[str]:
    """Say what of a cell's artifact is refused."""
    if result.foreign:
        yield f": {len(result.foreign)} files that nobody planned: {', '.join(result.foreign[:MOST_FOREIGN])}"
    yield from (f"/{name}: {file.reason}" for name, file in result.files.items() if isinstance(file, Refused))


def _outcome(cell: CellJob, result: CellFiles) -> Outcome:
    """Say what became of a cell, with the reason of its own file, or what is amiss beside that."""
    own, reference = result.files[cell.own_file], result.files.get(cell.reference_file)
    notes = []
    if isinstance(own, Refused):
        notes = [own.reason]
    elif isinstance(reference, Refused):
        notes = [f"its reference's file was refused: {reference.reason}"]
    if result.failure and result.failure not in notes:
        notes.append(f"its job ended early: {result.failure}")
    return Outcome(
        cell=cell.id,
        machine=cell.machine,
        python=cell.python,
        status="failed" if isinstance(own, Refused) else "measured",
        reason=plain("; ".join(notes), LONGEST_REASON) or None,
        files=[file.file.path for file in result.accepted],
    )

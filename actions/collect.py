"""Takes in what the jobs of a run measured, and trusts none of it. Our side.

Which files there may be follows from the plan, never from what an artifact holds. A file that is not what the plan
expects is refused by name and the others are kept; a cell of which nothing can be kept is published as failed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from actions import artifacts as artifact
from actions import cell_files, rendered
from actions.collected import file_names
from actions.job_summary import plain
from actions.verify import Expectation, Expected
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.files import write_atomically
from runners.harness.record import cells_file
from runners.harness.record.cells_file import Outcome, Outcomes

if TYPE_CHECKING:
    from actions.cell_files import CellFiles, Look
    from actions.dispatch import CellJob, Plan

__all__ = ["Collected", "Expected", "collect"]

LONGEST_REASON = 500


class Collected(NamedTuple):
    """What was taken in."""

    outcomes: Outcomes
    refused: list[str]
    """Each as file: reason."""
    impossible: list[str]
    """What the sanity gate refuses in files that were kept, each as file: fault. The site shows those series as failed
    and the others as they are."""


def collect(
    plan: Plan, artifacts: Path, folder: Path, expected: Expected, look: Look = rendered.as_a_site
) -> Collected:
    """Copy what can be trusted from *artifacts* (a folder a cell and attempt) to *folder*, the run's own.

    Nothing is written outside *folder*, and nothing there but the names that the plan has. *look* is given a folder
    that holds a cell's files alone; what it raises refuses the file that it is raised at.
    """
    known = catalogue.find()
    found = Collected(Outcomes(expected.run_id, expected.url, plan.note, plan.profile, []), [], [])
    if reason := _breaks(look):
        found.refused.append(f"docs: no site can be made even of no results, so that none was tried: {reason}")
        look = _at_nothing
    for cell in plan.cells:
        wanted = Expectation(cell, plan, expected, known, is_reference=False, reference=None)
        taken = cell_files.best(artifact.of_cell(artifacts, cell.id, expected.planned_in), wanted, look)
        for name, data in taken.files.items():
            write_atomically(folder / name, data)
        told = {**taken.foreign, **taken.reasons}
        found.refused.extend(f"{cell.id}/{name}: {reason}" for name, reason in told.items())
        found.impossible.extend(f"{cell.id}/{name}: {fault}" for name in taken.files for fault in taken.faults[name])
        found.outcomes.cells.append(_outcome(cell, taken))
    found.outcomes.cells.extend(
        Outcome(f"{one.machine}--{one.python}", one.machine, one.python, "excluded", one.reason, [])
        for one in plan.excluded
    )
    foreign = artifact.unplanned(artifacts, frozenset(cell.id for cell in plan.cells))
    found.refused.extend(f"{path.name}: no cell of the plan" for path in foreign)
    write_atomically(folder / cells_file.FILE, cells_file.encoded(found.outcomes))
    return found


def _breaks(look: Look) -> str | None:
    """Say why *look* fails on a folder that holds nothing: what this checkout itself breaks is no file's fault."""
    with tempfile.TemporaryDirectory() as nothing:
        try:
            look(Path(nothing))
        except Exception as error:  # noqa: BLE001 - likewise
            return f"{type(error).__name__}: {error}"
    return None


def _at_nothing(_: Path) -> None:
    """Look at nothing."""


def _outcome(cell: CellJob, taken: CellFiles) -> Outcome:
    """Say what became of a cell, with the reason of its own file, or what is amiss beside that."""
    own, *others = file_names(cell)
    kept = [name for name in (own, *others) if name in taken.files]
    notes = [f"its reference's file was refused: {taken.reasons[name]}" for name in others if name not in kept]
    if own not in kept:
        notes = [taken.reasons[own]]
    if taken.failure and taken.failure not in notes:
        notes.append(f"its job ended early: {taken.failure}")
    reason = plain("; ".join(notes), LONGEST_REASON) or None
    return Outcome(cell.id, cell.machine, cell.python, "measured" if own in kept else "failed", reason, kept)

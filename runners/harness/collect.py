"""Takes in what the jobs of a run measured, and trusts none of it. Our side.

Which files there may be follows from the plan, never from what an artifact holds. A file that is not what the plan
expects is refused by name and the others are kept; a cell of which nothing can be kept is published as failed.
"""

from __future__ import annotations

import stat
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from generate import outcomes
from generate.load import load_paths
from generate.outcomes import Outcome, Outcomes
from runners.harness import catalogue, gate, planned_record
from runners.harness.check import MOST_BYTES
from runners.harness.collected import file_names
from runners.harness.failure import file_name as failure_name
from runners.harness.planned_record import Expected, Wanted
from runners.harness.store import write_atomically
from runners.harness.summary import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from runners.harness.catalogue import Scenario
    from runners.harness.matrix import Cell, Plan
    from runners.harness.record import Record

__all__ = ["Collected", "Expected", "collect"]

LONGEST_REASON = 500
LONGEST_FAILURE_BYTES = 10_000
MOST_FOREIGN = 20
"""Names of an artifact's foreign files that are told; it may hold any number."""
MISSING = "it did not come back"
PREFIX = "run-"
"""Of the artifacts' names. The plan's has it too: a pattern that matches one artifact alone unpacks it without a
folder."""
PLAN_ARTIFACTS = frozenset({f"{PREFIX}plan", "plan.json"})


class Collected(NamedTuple):
    """What was taken in."""

    outcomes: Outcomes
    refused: list[str]
    """Each as file: reason."""
    impossible: list[str]
    """What the sanity gate refuses in files that were kept, each as file: fault. The site shows those series as failed
    and the others as they are."""


class _Taken(NamedTuple):
    """What became of a cell's files."""

    records: dict[str, Record]
    """Those that were kept, by name."""
    reasons: dict[str, str]
    """Why the others were not, by name."""
    faults: list[str]
    """Of the sanity gate."""


class _RefusedError(Exception):
    """A file can't be trusted; it says why."""


def collect(
    plan: Plan, artifacts: Path, folder: Path, expected: Expected, scenarios: Mapping[str, Scenario] | None = None
) -> Collected:
    """Copy what can be trusted from *artifacts* (a folder a cell) to *folder*, the run's own, and tell of the rest.

    Nothing is written outside *folder*, and nothing there but the names that the plan has. Without *scenarios* those of
    the catalogue are taken.
    """
    known = catalogue.find() if scenarios is None else scenarios
    found = Collected(Outcomes(expected.run_id, expected.url, plan.note, plan.profile, []), [], [])
    for cell in plan.cells:
        artifact = artifacts / f"{PREFIX}{cell.id}"
        failure = _failure(artifact / failure_name(cell.id))
        taken = _take_all(artifact, folder, Wanted(cell, plan, expected, known, is_reference=False, reference=None))
        if failure:
            taken.reasons.update({name: failure for name, reason in taken.reasons.items() if reason == MISSING})
        told = {**_foreign(artifact, cell), **taken.reasons}
        found.refused.extend(f"{cell.id}/{name}: {reason}" for name, reason in told.items())
        found.impossible.extend(taken.faults)
        found.outcomes.cells.append(_outcome(cell, taken, failure))
    found.outcomes.cells.extend(
        Outcome(f"{one.machine}--{one.python}", one.machine, one.python, "excluded", one.reason, [])
        for one in plan.excluded
    )
    found.refused.extend(f"{path.name}: no cell of the plan" for path in _unplanned(artifacts, plan))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / outcomes.FILE, outcomes.encoded(found.outcomes))
    return found


def _outcome(cell: Cell, taken: _Taken, failure: str | None) -> Outcome:
    """Say what became of a cell, with the reason of its own file, or what is amiss beside that."""
    own, *others = file_names(cell)
    kept = [name for name in (own, *others) if name in taken.records]
    notes = [f"its reference's file was refused: {taken.reasons[name]}" for name in others if name not in kept]
    if own not in kept:
        notes = [taken.reasons[own]]
    if failure and failure not in notes:
        notes.append(f"its job ended early: {failure}")
    reason = plain("; ".join(notes), LONGEST_REASON) or None
    return Outcome(cell.id, cell.machine, cell.python, "measured" if own in kept else "failed", reason, kept)


def _unplanned(artifacts: Path, plan: Plan) -> Iterator[Path]:
    known = {f"{PREFIX}{cell.id}" for cell in plan.cells} | PLAN_ARTIFACTS
    if artifacts.is_dir():
        yield from (path for path in sorted(artifacts.iterdir()) if path.name not in known)


def _foreign(artifact: Path, cell: Cell) -> dict[str, str]:
    """Name what an artifact holds beside the files it may hold. What lies deeper is not looked at."""
    if artifact.is_symlink() or not artifact.is_dir():
        return {}
    known = {*file_names(cell), failure_name(cell.id)}
    foreign = sorted(path.name for path in artifact.iterdir() if path.name not in known)
    told = dict.fromkeys(islice(foreign, MOST_FOREIGN), "not a file that the plan expects")
    return told | ({"...": f"{len(foreign) - MOST_FOREIGN} more such files"} if len(foreign) > MOST_FOREIGN else {})


def _failure(path: Path) -> str | None:
    """Return what a job that failed says of itself, as one plain line."""
    if _not_a_plain_file(path, LONGEST_FAILURE_BYTES):
        return None
    return plain(path.read_bytes().decode(errors="replace")) or None


def _take_all(artifact: Path, folder: Path, wanted: Wanted) -> _Taken:
    """Take in a cell's files: the reference's first, as the other must name the same build."""
    taken = _Taken({}, {}, [])
    own, *others = file_names(wanted.cell)
    for name in (*others, own):
        reference = next((record.build for record in taken.records.values()), None)
        held = wanted._replace(is_reference=name != own, reference=reference)
        try:
            record, faults = _checked(artifact / name, held)
            write_atomically(folder / name, (artifact / name).read_bytes())
            taken.records[name] = record
            taken.faults.extend(f"{wanted.cell.id}/{name}: {fault}" for fault in faults)
        except _RefusedError as error:
            taken.reasons[name] = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a file does to who reads it, the others are kept
            taken.reasons[name] = f"it can't be checked: {type(error).__name__}: {error}"
    return taken


def _checked(source: Path, wanted: Wanted) -> tuple[Record, list[str]]:
    """Return what a file holds, and what the sanity gate refuses in it. Raises _RefusedError."""
    if reason := _not_a_plain_file(source, MOST_BYTES):
        raise _RefusedError(reason)
    loaded = load_paths([source])
    for problem in loaded.problems:
        field = problem.field.removeprefix("$.")
        raise _RefusedError(f"{field}: {problem.message}" if field else problem.message)
    record = loaded.files[0].record
    if reason := planned_record.fault(record, wanted):
        raise _RefusedError(reason)
    return record, [str(fault) for fault in gate.faults(record, wanted.scenarios)]


def _not_a_plain_file(source: Path, most_bytes: int) -> str | None:
    if source.parent.is_symlink():
        return "its artifact is a symbolic link"
    try:
        facts = source.lstat()
    except OSError:
        return MISSING
    if not stat.S_ISREG(facts.st_mode):
        return "not a plain file"
    if facts.st_size > most_bytes:
        return f"{facts.st_size:,} bytes; at most {most_bytes:,} are published"
    return None

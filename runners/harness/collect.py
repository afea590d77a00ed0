"""Takes in what the jobs of a run measured, and trusts none of it. Our side.

Which files there may be follows from the plan, never from what an artifact holds. A file that is not what the plan
expects is refused by name and the others are kept; a cell of which nothing can be kept is published as failed.
"""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate import claims, outcomes
from generate.board import Board
from generate.load import load, load_paths
from generate.outcomes import Outcome, Outcomes
from generate.terminal import markdown
from generate.tidy import look
from runners.harness import catalogue
from runners.harness.check import MOST_BYTES
from runners.harness.store import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generate.load import ResultFile
    from runners.harness.matrix import Cell, Plan
    from runners.harness.record import Record

LONGEST_REASON = 500
PREFIX = "run-"
"""Of the artifacts' names. The plan's has it too: a pattern that matches one artifact alone unpacks it without a
folder."""
PLAN_ARTIFACTS = frozenset({f"{PREFIX}plan", "plan.json"})


class Expected(NamedTuple):
    """What every file of a run must say of itself."""

    run_id: str
    commit: str
    url: str


class Wanted(NamedTuple):
    """What a file is held to."""

    cell: Cell
    plan: Plan
    expected: Expected


class Collected(NamedTuple):
    """What was taken in."""

    outcomes: Outcomes
    refused: list[str]
    """Each as file: reason."""


def file_names(cell: Cell) -> list[str]:
    """Name the files that a cell's artifact may hold: its own, and its reference build's."""
    return [f"{cell.id}.json", *([f"{cell.id}.reference.json"] if cell.reference else [])]


def collect(plan: Plan, artifacts: Path, folder: Path, expected: Expected) -> Collected:
    """Copy what can be trusted from *artifacts* (a folder a cell) to *folder*, the run's own, and tell of the rest.

    Nothing is written outside *folder*, and nothing there but the names that the plan has.
    """
    refused: list[str] = []
    made = []
    for cell in plan.cells:
        kept: list[str] = []
        artifact = artifacts / f"{PREFIX}{cell.id}"
        reasons = [*_foreign(artifact, cell)]
        for name in file_names(cell):
            reason = _take(artifact / name, folder / name, Wanted(cell, plan, expected))
            if reason is None:
                kept.append(name)
            else:
                reasons.append(f"{cell.id}/{name}: {reason}")
        refused += reasons
        made.append(_outcome(cell, kept, reasons))
    made += [
        Outcome(f"{one.machine}--{one.python}", one.machine, one.python, "excluded", one.reason, [])
        for one in plan.excluded
    ]
    run = Outcomes(expected.run_id, expected.url, plan.note, plan.profile, made)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / outcomes.FILE, msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
    unplanned = [f"{path.name}: no cell of the plan" for path in _unplanned(artifacts, plan)]
    return Collected(run, refused + unplanned)


def _outcome(cell: Cell, kept: list[str], reasons: Sequence[str]) -> Outcome:
    own = f"{cell.id}.json"
    if own in kept:
        return Outcome(cell.id, cell.machine, cell.python, "measured", None, kept)
    reason = next((reason for reason in reasons if own in reason), "no result came back")[:LONGEST_REASON]
    return Outcome(cell.id, cell.machine, cell.python, "failed", reason, kept)


def _unplanned(artifacts: Path, plan: Plan) -> Iterator[Path]:
    known = {f"{PREFIX}{cell.id}" for cell in plan.cells} | PLAN_ARTIFACTS
    if artifacts.is_dir():
        yield from (path for path in sorted(artifacts.iterdir()) if path.name not in known)


def _foreign(artifact: Path, cell: Cell) -> Iterator[str]:
    """Name what an artifact holds beside the files it may hold."""
    if artifact.is_symlink() or not artifact.is_dir():
        return
    for path in sorted(artifact.rglob("*")):
        if path.name not in file_names(cell) or path.parent != artifact:
            yield f"{cell.id}/{path.relative_to(artifact).as_posix()}: not a file that the plan expects"


def _take(source: Path, target: Path, wanted: Wanted) -> str | None:
    """Copy one file; return why not, where it can't be trusted."""
    reason = _not_a_plain_file(source)
    if reason is not None:
        return reason
    loaded = load_paths([source])
    if loaded.problems:
        problem = loaded.problems[0]
        return f"{problem.field + ': ' if problem.field else ''}{problem.message}"
    if (reason := _not_as_planned(loaded.files[0], source.name, wanted)) is not None:
        return reason
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, source.read_bytes())
    return None


def _not_a_plain_file(source: Path) -> str | None:
    if source.parent.is_symlink():
        return "its artifact is a symbolic link"
    try:
        facts = source.lstat()
    except OSError:
        return "it did not come back"
    if not stat.S_ISREG(facts.st_mode):
        return "not a plain file"
    if facts.st_size > MOST_BYTES:
        return f"{facts.st_size:,} bytes; at most {MOST_BYTES:,} are published"
    return None


def _not_as_planned(file: ResultFile, name: str, wanted: Wanted) -> str | None:
    """Hold what a file says of itself to what the plan asked for."""
    record, run = file.record, file.record.run
    cell, plan, expected = wanted
    python = cell.python if name == f"{cell.id}.json" else cell.reference
    facts = {
        "the run's id": (run.id, f"{expected.run_id}.{cell.id}"),
        "the commit": (run.commit, expected.commit),
        "whether files were changed": (run.dirty, False),
        "the address": (run.url, expected.url),
        "the profile": (run.profile, plan.profile),
        "the rounds": (run.rounds, plan.rounds),
        "the scenarios": (run.scenarios, plan.scenarios),
        "the machine": (record.machine.label, cell.machine),
        "the build": (_python_of(record), python),
        "whether it is complete": (record.complete, True),
    }
    wrong = next(((what, said, right) for what, (said, right) in facts.items() if said != right), None)
    return wrong and f"{wrong[0]} is {str(wrong[1])[:60]!r}, not {wrong[2]!r}"


def _python_of(record: Record) -> str:
    """Return the build as a dispatch names it: 3.14t, pypy3.11."""
    build = record.build
    minor = ".".join(build.version.split(".")[:2])
    return f"{'pypy' if build.implementation.lower() == 'pypy' else ''}{minor}{'t' if build.free_threaded else ''}"


def summary(found: Collected) -> str:
    """Return what became of the cells, as Markdown for the run's page."""
    rows = [f"| {one.machine} | {one.python} | {one.status} | {_plain(one.reason)} |" for one in found.outcomes.cells]
    refused = [f"- {_plain(reason)}" for reason in found.refused]
    lines = ["## Cells", "", "| machine | Python | | reason |", "|---|---|---|---|", *rows, ""]
    return "\n".join([*lines, *(["## Refused", "", *refused, ""] if refused else [])])


def verdicts(results: Path) -> str:
    """Return the board of verdicts of the results in a folder, as Markdown for the run's page."""
    scenarios = catalogue.find()
    loaded = load(results)
    board = Board.of(claims.read(catalogue.ROOT / "docs"), scenarios, look(loaded.files, scenarios))
    return markdown(board)


def _plain(text: str | None) -> str:
    """Return text without what Markdown or HTML would act on: reasons quote what artifacts hold."""
    return re.sub(r"[^\w .,:;'/()=%-]", " ", text or "")[:300]

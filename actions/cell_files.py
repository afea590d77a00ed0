"""Verifies what the jobs of one cell brought. Our side.

A job that was run again has an artifact of each attempt. The newest that measured counts; where none did, the newest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from actions.artifacts import MISSING, Refused
from actions.safe_text import plain
from actions.verify import Accepted, verify_file
from generate.checks.check import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from actions.artifacts import Artifact
    from actions.verify import Expectation

LONGEST_FAILURE_BYTES = 10_000
MOST_FOREIGN = 20
"""Names of an artifact's foreign files that are listed; it may hold any number."""


@dataclass(frozen=True)
class CellFiles:
    """What became of a cell's files."""

    attempt: int
    """The one that brought them."""
    files: Mapping[str, Accepted | Refused]
    """By name: the cell's own file, and its reference build's where that is another build."""
    foreign: Mapping[str, str]
    """Files beside them: what is wrong, by name."""
    failure: str | None
    """The reason that a job which failed left."""


def newest_measured(artifacts: Iterable[Artifact], expected: Expectation) -> CellFiles:
    """Verify a cell's artifacts, those of new attempts first, until one has measured."""
    newest: CellFiles | None = None
    for artifact in artifacts:
        cell_files = verify_artifact(artifact, expected)
        if isinstance(cell_files.files[expected.cell.own_file], Accepted):
            return cell_files
        newest = newest or cell_files
    missing: dict[str, Accepted | Refused] = dict.fromkeys(expected.cell.result_files, MISSING)
    return newest or CellFiles(expected.attempt, missing, {}, None)


def verify_artifact(artifact: Artifact, expected: Expectation) -> CellFiles:
    """Verify the reference's file, then the cell's own, which must name the same build."""
    cell = expected.cell
    expected = replace(expected, attempt=artifact.attempt)
    limits = {cell.failure_file: LONGEST_FAILURE_BYTES, **dict.fromkeys(cell.result_files, MOST_BYTES)}
    contents = artifact.read(limits)
    failure = _failure(contents.files[cell.failure_file])

    def verify(name: str, expected: Expectation) -> Accepted | Refused:
        data = contents.files[name]
        if isinstance(data, Refused):
            return Refused(failure) if failure and data == MISSING else data
        return verify_file(data, f"{expected.run.folder(expected.attempt)}/{name}", expected)

    files: dict[str, Accepted | Refused] = {}
    if cell.reference:
        reference = verify(cell.reference_file, replace(expected, python=cell.reference))
        files[cell.reference_file] = reference
        if isinstance(reference, Accepted):
            expected = replace(expected, reference=reference.file.record.build)
    files[cell.own_file] = verify(cell.own_file, expected)
    return CellFiles(artifact.attempt, files, dict(_foreign(contents.foreign)), failure)


def _foreign(names: list[str]) -> Iterator[tuple[str, str]]:
    """Say what is wrong with the first of the files beside the cell's, and how many more there are."""
    yield from ((name, "not a file that the plan expects") for name in islice(names, MOST_FOREIGN))
    if len(names) > MOST_FOREIGN:
        yield "...", f"{len(names) - MOST_FOREIGN} more such files"


def _failure(data: bytes | Refused) -> str | None:
    """Return the reason that a failed job left, as one plain line."""
    return None if isinstance(data, Refused) else plain(data.decode(errors="replace")) or None

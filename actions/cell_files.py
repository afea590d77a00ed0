"""Verifies what the jobs of one cell brought. Our side.

A job that was run again has an artifact of each attempt. The newest that measured counts; where none did, the newest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from actions.artifacts import MISSING, Refused
from actions.safe_text import plain
from actions.verify import Accepted, verify_file
from generate.checks.check import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from actions.artifacts import Artifact
    from actions.verify import Expectation

LONGEST_FAILURE_BYTES = 10_000


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


def newest_measured(artifacts: Iterable[Artifact], expected: Expectation) -> CellFiles:
    """Verify a cell's artifacts, those of new attempts first, until one has measured."""
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
    contents = artifact.read(limits)
    failure = _failure(contents.files[cell.failure_file])

    def verified(name: str, expected: Expectation) -> Accepted | Refused:
        data = contents.files[name]
        if isinstance(data, Refused):
            return Refused(failure) if failure and data == MISSING else data
        return verify_file(data, f"{expected.run.folder(expected.attempt)}/{name}", expected)

    files: dict[str, Accepted | Refused] = {}
    if cell.reference:
        reference = verified(cell.reference_file, replace(expected, python=cell.reference))
        files[cell.reference_file] = reference
        if isinstance(reference, Accepted):
            expected = replace(expected, reference=reference.file.record.build)
    files[cell.own_file] = verified(cell.own_file, expected)
    return CellFiles(files, contents.foreign, failure)


def _failure(data: bytes | Refused) -> str | None:
    """Return the reason that a failed job left, as one plain line."""
    return None if isinstance(data, Refused) else plain(data.decode(errors="replace")) or None

"""Sets the reference build's series beside those of the other builds of its run. Pure.

A run of several builds writes each its own file, and the reference build's series stand in the reference's alone. Where
that file was read as well, the others get its series in the role `reference`, as a job that measures two builds
into one file has them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.results.load import ResultFile
    from runners.harness.record.model import Build, Record


class _Place(NamedTuple):
    run_id: str
    machine: str
    build: Build


def beside(files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series of its run where another of them holds those."""
    own = {_Place(file.record.run.id, file.record.machine.label, file.record.build): file.record for file in files}
    return [_with(file, own.get(_reference_of(file.record))) for file in files]


def _reference_of(record: Record) -> _Place:
    return _Place(record.run.id, record.machine.label, record.reference_build)


def _with(file: ResultFile, reference: Record | None) -> ResultFile:
    record = file.record
    if reference is None or reference is record or any(series.role == "reference" for series in record.series):
        return file
    taken = [
        msgspec.structs.replace(series, role="reference") for series in reference.series if series.role == "subject"
    ]
    return replace(file, record=msgspec.structs.replace(record, series=[*record.series, *taken]))

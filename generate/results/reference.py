"""Sets the reference build's series beside those of the other builds of its run, and twins beside each other. Pure.

A run of several builds writes each its own file, and the reference build's series stand in the reference's alone. Where
that file was read as well, the others get its series in the role `reference`, as a job that measures two builds
into one file has them. A variant's twin is the plain build of its version, that of a free-threaded build the same
Python with the GIL: where the run measured that too, block by block in turn with it, the two can be compared by round.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.results.model import FileHeader, ResultFile
    from runners.harness.record.model import Build


def references(wanted: Iterable[FileHeader], files: Iterable[FileHeader]) -> dict[str, FileHeader]:
    """Return, by path, which of *files* holds the reference build's series of the run that a file *wanted* is of.

    A file that has them itself, or that is the reference build's own, needs none.
    """
    own = {(file.run.id, file.machine.label, file.local, file.build): file for file in files}
    by_path = {}
    for file in wanted:
        reference = own.get((file.run.id, file.machine.label, file.local, file.reference_build))
        if reference is not None and reference.path != file.path and not file.has_reference:
            by_path[file.path] = reference
    return by_path


def twins(wanted: Iterable[FileHeader], files: Iterable[FileHeader]) -> dict[str, FileHeader]:
    """Return, by path, which of *files* is of the twin of a file *wanted*, in the run of that."""
    own = {(file.run.id, file.machine.label, file.local, file.build): file for file in files}
    plain = {(*key[:3], _python(key[3])): file for key, file in own.items() if not file.build.variant}
    by_path = {}
    for file in wanted:
        run = file.run.id, file.machine.label, file.local
        found = plain.get((*run, _python(file.build))) if file.is_variant else own.get((*run, gil_twin(file.build)))
        if has_twin(file) and found is not None:
            by_path[file.path] = found
    return by_path


def has_twin(file: FileHeader) -> bool:
    """Say whether a file's build is of a kind that has a twin, measured or not."""
    return file.is_variant or file.build.free_threaded


def _python(build: Build) -> tuple[str, str, bool]:
    """Return what a variant has in common with the plain build that it is a variant of."""
    return build.implementation, build.version, build.free_threaded


def gil_twin(build: Build) -> Build:
    """Return *build* as it is with the GIL: of the same version and origin, with the same options and switches."""
    return msgspec.structs.replace(build, free_threaded=False, gil_at_start=True)


def with_twins(files: Iterable[ResultFile], others: Mapping[str, ResultFile]) -> list[ResultFile]:
    """Return *files*, each with its twin from *others*: by the path that is given it."""
    return [replace(file, twin=others[file.path]) if file.path in others else file for file in files]


def with_references(files: Iterable[ResultFile], others: Mapping[str, ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series from one of *others*: by the path that is given it."""
    return [_with(file, others[file.path]) if file.path in others else file for file in files]


def beside(files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series of its run and its twin if others have those."""
    headers, by_path = [file.header for file in files], {file.path: file for file in files}
    holders, alike = references(headers, headers), twins(headers, headers)
    whole = with_references(files, {path: by_path[holder.path] for path, holder in holders.items()})
    return with_twins(whole, {path: by_path[twin.path] for path, twin in alike.items()})


def _with(file: ResultFile, reference: ResultFile) -> ResultFile:
    theirs = [series for series in reference.record.series if series.role == "subject"]
    every = [*file.record.series, *(msgspec.structs.replace(series, role="reference") for series in theirs)]
    record = msgspec.structs.replace(file.record, series=every)
    return replace(file, record=record, reference_path=reference.path)

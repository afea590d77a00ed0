"""Gives each file the reference build's series of its run, and its counterpart. Pure.

A run of several builds writes a file for each, and only the reference build's own file has its series. The other files
get them in the role `reference`, as a job that measures two builds into one file writes them. The counterpart of a
variant is the plain build of its version, that of a free-threaded build the same Python with the GIL: measured block by
block in turn, the two are compared by round.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.data.files import ResultFile
    from runners.harness.record.model import Build


def beside(files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series of its run and its counterpart, if others have those."""
    own = {(*_run(file), file.record.build): file for file in files}
    plain = {(*_run(file), _python(file.record.build)): file for file in files if not file.record.build.variant}
    completed = []
    for file in files:
        run, build = _run(file), file.record.build
        counterpart = None
        if build.variant:
            counterpart = plain.get((*run, _python(build)))
        elif build.free_threaded:
            counterpart = own.get((*run, _with_gil(build)))
        reference = own.get((*run, file.record.reference_build))
        completed.append(replace(_with(file, reference), counterpart=counterpart))
    return completed


def _run(file: ResultFile) -> tuple[str, str, bool]:
    return file.record.run.id, file.record.machine.label, file.local


def _python(build: Build) -> tuple[str, str, bool]:
    """Return what a variant has in common with its plain build."""
    return build.implementation, build.version, build.free_threaded


def _with_gil(build: Build) -> Build:
    """Return the same version and origin, options and switches, with the GIL."""
    return msgspec.structs.replace(build, free_threaded=False, gil_at_start=True)


def _with(file: ResultFile, reference: ResultFile | None) -> ResultFile:
    """Return *file* with the series of *reference*, unless it is that or has them already."""
    series = file.record.series
    if reference is None or reference is file or any(each.role == "reference" for each in series):
        return file
    theirs = [
        msgspec.structs.replace(each, role="reference") for each in reference.record.series if each.role == "subject"
    ]
    record = msgspec.structs.replace(file.record, series=[*series, *theirs])
    return replace(file, record=record, reference_path=reference.path)

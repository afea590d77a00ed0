"""Takes in what a cell's jobs brought: each file is held to the plan, and tried on the site. Our side.

A job that was run again has an artifact of each attempt. The newest that measured counts; where none did, the newest.
"""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from actions import verify
from actions.artifacts import MISSING, Artifact, RefusedError
from actions.collected import file_names
from actions.failure import file_name as failure_name
from actions.job_summary import plain
from generate.analysis import gate
from generate.checks.check import MOST_BYTES
from generate.results.load import load_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from actions.dispatch import CellJob
    from actions.verify import Expectation
    from runners.harness.record.model import Build, Record

    Look = Callable[[Path], None]
    """Is given a folder that stands for results/; raises whatever it breaks on."""

LONGEST_FAILURE_BYTES = 10_000
MOST_FOREIGN = 20
"""Names of an artifact's foreign files that are told; it may hold any number."""


class CellFiles(NamedTuple):
    """What became of a cell's files."""

    files: dict[str, bytes]
    """Those that are kept, by name."""
    reasons: dict[str, str]
    """Why the others are not, by name."""
    foreign: dict[str, str]
    """Files beside them, by name."""
    faults: dict[str, list[str]]
    """What the sanity gate refuses in those that are kept, by name."""
    failure: str | None
    """What a job that failed says of itself."""


def best(found: Sequence[Artifact], wanted: Expectation, look: Look) -> CellFiles:
    """Take in the newest of a cell's artifacts that measured it, else the newest. *found* are newest first."""
    own = file_names(wanted.cell)[0]
    newest: CellFiles | None = None
    for artifact in found:
        taken = _take(artifact, wanted, look)
        if own in taken.files:
            return taken
        newest = newest or taken
    return newest or CellFiles({}, dict.fromkeys(file_names(wanted.cell), MISSING), {}, {}, None)


def _take(artifact: Artifact, wanted: Expectation, look: Look) -> CellFiles:
    """Take in the reference's file first, as the cell's own must name the same build."""
    failure = _failure(artifact, wanted.cell)
    taken = CellFiles({}, {}, dict(_foreign(artifact, wanted.cell)), {}, failure)
    own, *others = file_names(wanted.cell)
    reference: Build | None = None
    with tempfile.TemporaryDirectory() as folder:
        for name in (*others, own):
            held = wanted._replace(is_reference=name != own, reference=reference)
            place = Path(folder, name)
            try:
                data = artifact.read(name, MOST_BYTES)
                place.write_bytes(data)
                record, faults = _checked(place, held)
            except Exception as error:  # noqa: BLE001 - likewise
                taken.reasons[name] = failure if failure and str(error) == MISSING else _why(error)
                continue
            reference = record.build
            taken.files[name], taken.faults[name] = data, faults
    _refuse_what_breaks(taken, look)
    return taken


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, RefusedError) else f"it can't be checked: {type(error).__name__}: {error}"


def _checked(place: Path, wanted: Expectation) -> tuple[Record, list[str]]:
    """Return what a file holds, and what the sanity gate refuses in it. Raises RefusedError, or what it breaks."""
    loaded = load_paths([place])
    for problem in loaded.problems:
        field = problem.field.removeprefix("$.")
        raise RefusedError(f"{field}: {problem.message}" if field else problem.message)
    record = loaded.files[0].record
    if reason := verify.fault(record, wanted):
        raise RefusedError(reason)
    return record, [str(fault) for fault in gate.faults(record, wanted.scenarios)]


def _refuse_what_breaks(taken: CellFiles, look: Look) -> None:
    """Look at all files together, which is a second's work or two; and where that breaks, at one after the other."""
    if not taken.files or _broken(taken.files, look) is None:
        return
    good: dict[str, bytes] = {}
    for name, data in list(taken.files.items()):
        if error := _broken(good | {name: data}, look):
            taken.reasons[name] = f"no site can be made with it: {type(error).__name__}: {error}"
            del taken.files[name], taken.faults[name]
        else:
            good[name] = data


def _broken(files: Mapping[str, bytes], look: Look) -> Exception | None:
    """Return what *look* raises at a folder that holds *files* alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        try:
            look(Path(folder))
        except Exception as error:  # noqa: BLE001 - likewise
            return error
    return None


def _foreign(artifact: Artifact, cell: CellJob) -> Iterator[tuple[str, str]]:
    """Name what an artifact holds beside the files it may hold. What lies deeper in a folder is not looked at."""
    known = {*file_names(cell), failure_name(cell.id)}
    foreign = [name for name in artifact.names() if name not in known]
    yield from ((name, "not a file that the plan expects") for name in islice(foreign, MOST_FOREIGN))
    if len(foreign) > MOST_FOREIGN:
        yield "...", f"{len(foreign) - MOST_FOREIGN} more such files"


def _failure(artifact: Artifact, cell: CellJob) -> str | None:
    """Return what a job that failed says of itself, as one plain line."""
    try:
        return plain(artifact.read(failure_name(cell.id), LONGEST_FAILURE_BYTES).decode(errors="replace")) or None
    except RefusedError:
        return None

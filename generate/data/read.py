"""Reads result files; nothing else of the generator or of the checker does.

A file that can't be used is a `Problem` with the file, the field and what to do; the others are used.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import msgspec

from generate.data.files import FileHeader, Problem, ResultFile, add_counterparts
from runners.harness.record import cells_file
from runners.harness.record.codec import ForeignVersionError, decode
from runners.harness.record.model import SCHEMA_VERSION, Build, Machine, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from runners.harness.record.model import Record, Samples

    Select = Callable[[Sequence[FileHeader]], Collection[str]]
    """Return the paths to decode."""

T = TypeVar("T")
MOST_BYTES = 5_000_000
"""A larger file is not read; published ones are far smaller."""
SCHEMA_FILE = "result.schema.json"
NO_RESULTS = frozenset({SCHEMA_FILE, cells_file.FILE})
RESULTS_FOLDER = "results"
LOCAL_FOLDER = "local"

_REMOVE = "measure again, or remove the file"
_NAME_ONE = "name a result file, or a folder that has some"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Result files: decoded, as headers, and problems; all in order of path."""

    files: list[ResultFile]
    headers: list[FileHeader]
    problems: list[Problem]


class UnusableError(Exception):
    """A file can't be used; it has what a `Problem` has."""

    def __init__(self, *, message: str, field: str = "", remedy: str = _REMOVE) -> None:
        super().__init__(message)
        self.field, self.message, self.remedy = field, message, remedy

    def problem(self, path: str) -> Problem:
        """Return the problem of the file at *path*."""
        return Problem(path, self.field, self.message, self.remedy)


class _Facts(msgspec.Struct, frozen=True):
    """A record without its packages and series, which take most of the time to decode."""

    schema_version: int
    kind: Literal["cell", "by_product"]
    complete: bool
    run: Run
    machine: Machine
    build: Build
    reference_build: Build
    scenario_sha256: dict[str, str]


class _Entry(NamedTuple):
    location: Path
    header: FileHeader
    kind: str


def load(*paths: Path, select: Select | None = None) -> Loaded:
    """Read result files, and those below folders; decode those that *select* wants, or all.

    Raises nothing: what is wrong is among the problems.
    """
    problems: list[Problem] = []
    entries = [*_entries(paths, problems)]
    records: dict[str, Record] = {}
    broken: dict[str, Problem] = {}
    while True:  # a file that turns out to be broken may have been in the way of a good one
        usable, repeats = _without_repeats(entry for entry in entries if entry.header.path not in broken)
        if not (missing := _wanted(usable, select) - records.keys()):
            break
        gc.disable()  # records have no cycles, and looking for some takes as long as decoding
        for path in missing:
            try:
                records[path] = decode_checked(_read_bytes(usable[path].location)[0])
            except UnusableError as error:
                broken[path] = error.problem(path)
        gc.freeze()
        atexit.register(gc.unfreeze)  # extensions count what the collector leaves at the end as leaked
        gc.enable()
    headers = [entry.header for entry in usable.values()]
    files = [_file(header, records[header.path]) for header in headers if header.path in records]
    problems = sorted([*problems, *broken.values(), *repeats], key=lambda problem: (problem.path, problem.field))
    return Loaded(add_counterparts(files), headers, problems)


def _wanted(usable: Mapping[str, _Entry], select: Select | None) -> set[str]:
    return {*usable} if select is None else {*select([entry.header for entry in usable.values()])}


def _file(header: FileHeader, record: Record) -> ResultFile:
    return ResultFile(header.path, record, header.sha256, header.local, header.size_bytes, header.modified_ns)


def _entries(paths: Iterable[Path], problems: list[Problem]) -> Iterator[_Entry]:
    """Yield result files, and those below folders, in order of path.

    A path is relative to the one folder that is read; of several, as it was given with its folder in front, since two
    runs name their files alike.
    """
    roots = [*paths]
    placed = {
        path: path.relative_to(root).as_posix() if path != root and len(roots) == 1 else path.as_posix()
        for root in roots
        for path in _find(root, problems)
    }
    for location, path in placed.items():
        try:
            yield _entry(location, path)
        except UnusableError as error:
            problems.append(error.problem(path))


def _entry(location: Path, path: str) -> _Entry:
    data, modified_ns = _read_bytes(location)
    facts = _checked(data, msgspec.json.Decoder(_Facts).decode)
    if facts.schema_version != SCHEMA_VERSION:
        decode_checked(data)  # which raises
    recorded = (facts.complete, facts.run, facts.machine, facts.build, facts.reference_build, facts.scenario_sha256)
    digest = hashlib.sha256(data).hexdigest()
    header = FileHeader(path, digest, _is_local(location, path), len(data), modified_ns, *recorded)
    return _Entry(location, header, facts.kind)


def _without_repeats(entries: Iterable[_Entry]) -> tuple[dict[str, _Entry], list[Problem]]:
    """Leave out files with the bytes, or with the run, machine and build, of an earlier one."""
    usable: dict[str, _Entry] = {}
    problems: list[Problem] = []
    first_with: dict[object, str] = {}
    machines: dict[tuple[str, bool], Machine] = {}
    for entry in entries:
        file = entry.header
        identity = (file.run.id, file.machine.label, file.local, file.build, entry.kind)
        first = machines.setdefault((_plain(file.machine), file.local), file.machine)
        if (other := first_with.setdefault(file.sha256, file.path)) != file.path:
            problems.append(Problem(file.path, "", f"the same bytes as {other}", "remove one of the two"))
        elif (other := first_with.setdefault(identity, file.path)) != file.path:
            message = f"the same run, machine and build as {other}"
            problems.append(Problem(file.path, "$.run.id", message, "remove one of the two"))
        elif problem := _shared_address(file, first):
            problems.append(problem)
        else:
            usable[file.path] = entry
    return usable, problems


def _plain(machine: Machine) -> str:
    """Return a machine's name and processor without the signs that addresses leave out."""
    name = f"{machine.label} {machine.usable_cores} {machine.cpu}".lower()
    return re.sub(r"(\((r|tm|c)\)|[^a-z0-9.])+", "-", name) if name.isascii() else name


def _shared_address(file: FileHeader, first: Machine) -> Problem | None:
    """Return a problem if only signs that addresses leave out tell a file's machine from the *first*."""
    names = [f"{machine.label!r} ({machine.cpu})" for machine in (file.machine, first)]
    if names[0] == names[1]:
        return None
    message = f"{names[0]} and {names[1]} would share their pages: only signs and capitals tell them apart"
    return Problem(file.path, "$.machine", message, "measure again, with --machine and the one name or another")


def _find(root: Path, problems: list[Problem]) -> Iterator[Path]:
    """Find result files in order of path, never through a symbolic link to a folder."""

    def unreadable(error: OSError) -> None:
        path = Path(error.filename or root)
        below = path.relative_to(root) if path != root and path.is_relative_to(root) else path
        problems.append(_unreadable(error).problem(below.as_posix()))

    if root.suffix == ".json":
        yield root
        return
    paths = []
    for folder, subfolders, names in os.walk(root, onerror=unreadable):
        paths += [Path(folder, name) for name in names if name.endswith(".json") and name not in NO_RESULTS]
        paths += [link for name in subfolders if (link := Path(folder, name)).is_symlink()]
    yield from sorted(paths, key=lambda path: path.as_posix())


def _unreadable(error: OSError) -> UnusableError:
    if isinstance(error, FileNotFoundError):
        return UnusableError(message="there is no such file or folder", remedy=_NAME_ONE)
    if isinstance(error, NotADirectoryError):
        return UnusableError(message="not a result file: their names end in .json", remedy=_NAME_ONE)
    return UnusableError(message=f"not readable: {error.strerror}", remedy="give permission to read it")


def _is_local(path: Path, name: str) -> bool:
    """True if local/ is the first folder below results/, or below the folder that was given."""
    *_, below = path.as_posix().rpartition(f"{RESULTS_FOLDER}/")
    return (below if below != path.as_posix() else name).startswith(f"{LOCAL_FOLDER}/")


def _read_bytes(path: Path) -> tuple[bytes, int]:
    """Return the content of a plain file, and when it was last written. Raises UnusableError."""
    try:
        facts = path.lstat()
        if stat.S_ISLNK(facts.st_mode):
            raise UnusableError(message="a symbolic link", remedy="put the file itself in its place")
        if not stat.S_ISREG(facts.st_mode):
            raise UnusableError(message="not a regular file", remedy="remove it")
        if facts.st_size > MOST_BYTES:
            message = f"{facts.st_size:,} bytes; a result file has at most {MOST_BYTES:,}"
            raise UnusableError(message=message)
        return path.read_bytes(), facts.st_mtime_ns
    except OSError as error:
        raise _unreadable(error) from error


def decode_checked(data: bytes) -> Record:
    """Return the record in a file's bytes. Raises UnusableError."""
    record = _checked(data, decode)
    _check_repeats(record)
    return record


def _checked(data: bytes, decode: Callable[[bytes], T]) -> T:
    try:
        return decode(data)
    except ForeignVersionError as error:
        remedy = "use the version of this project that wrote it, or measure again"
        raise UnusableError(message=str(error), field="$.schema_version", remedy=remedy) from error
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `")
        remedy = f"mend the field ({SCHEMA_FILE} says how), or measure again"
        raise UnusableError(message=message, field=place.rstrip("`"), remedy=remedy) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnusableError(message=str(error) or "nested too deeply", field=_nearest_name(data, str(error))) from error


def _nearest_name(data: bytes, message: str) -> str:
    """Name the last field before the byte that the decoder stumbled over: broken JSON has no path."""
    place = re.search(r"\(byte (\d+)\)", message)
    names = re.findall(rb'"(\w{1,60})"\s*:', data[: int(place[1]) if place else len(data)])
    return names[-1].decode() if names else ""


def _check_repeats(record: Record) -> None:
    """Refuse what would make pairing by round ambiguous."""
    keys = set()
    for index, series in enumerate(record.series):
        if series.key in keys:
            raise UnusableError(message=f"{' / '.join(series.key)} is there twice", field=f"$.series[{index}]")
        keys.add(series.key)
        if _has_repeated_round(series.samples):
            raise UnusableError(message="a round was measured twice", field=f"$.series[{index}].samples.round")


def _has_repeated_round(samples: Samples) -> bool:
    if len(set(samples.round)) == len(samples.round):
        return False
    ok = [number for number, status in zip(samples.round, samples.status, strict=True) if status == "ok"]
    return len(set(ok)) < len(ok)

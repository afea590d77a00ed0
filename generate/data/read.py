"""Reads result files. Nothing else of the generator or of the checker does.

A file that cannot be used is a `Problem` that names the file, the field and what to do; the others are used.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate.data.files import Loaded, Problem, ResultFile, add_counterparts
from runners.harness.record import cells_file
from runners.harness.record.codec import ForeignVersionError, decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from runners.harness.record.model import Machine, Record, Samples

MOST_BYTES = 5_000_000
"""A file above this is not read: those that are published are far smaller."""
SCHEMA_FILE = "result.schema.json"
NO_RESULTS = frozenset({SCHEMA_FILE, cells_file.FILE})
RESULTS_FOLDER = "results"
LOCAL_FOLDER = "local"
READERS = 2
"""Threads that read and hash: the disk and the hash both leave Python alone meanwhile."""

_REMOVE = "measure again, or remove the file"
_NAME_ONE = "name a result file, or a folder that has some"


class _FoundFile(NamedTuple):
    """A file that may hold results, before it is decoded."""

    path: str
    """Below the folder that was read, or as it was given, with forward slashes."""
    local: bool
    data: bytes
    sha256: str
    modified_ns: int

    def decoded(self) -> ResultFile:
        """Raise UnusableError if it is no result file."""
        record = decode_checked(self.data)
        return ResultFile(self.path, record, self.sha256, self.local, len(self.data), self.modified_ns)


class UnusableError(Exception):
    """A file cannot be used; it has what a `Problem` says."""

    def __init__(self, *, message: str, field: str = "", remedy: str = _REMOVE) -> None:
        """Say what is wrong, where, and what to do about it."""
        super().__init__(message)
        self.field, self.message, self.remedy = field, message, remedy

    def problem(self, path: str) -> Problem:
        """Return it as the problem of the file at *path*."""
        return Problem(path, self.field, self.message, self.remedy)


def load(*paths: Path) -> Loaded:
    """Read and decode result files, and those below folders. Raises nothing: what is wrong is among the problems."""
    candidates, problems = _find_files(paths)
    files: list[ResultFile] = []
    first_of: dict[tuple[object, ...], str] = {}
    machines: dict[tuple[str, bool], Machine] = {}
    for file in candidates:
        try:
            read = file.decoded()
        except UnusableError as error:
            problems.append(error.problem(file.path))
            continue
        record = read.record
        result = (record.run.id, record.machine.label, read.local, record.build, record.kind)
        if (other := first_of.setdefault(result, file.path)) != file.path:
            message = f"the same run, machine and build as {other}"
            problems.append(Problem(file.path, "$.run.id", message, "remove one of the two"))
        elif problem := _sharing(read, machines.setdefault((_plain(record.machine), read.local), record.machine)):
            problems.append(problem)
        else:
            files.append(read)
    problems.sort(key=lambda problem: (problem.path, problem.field))
    return Loaded(add_counterparts(files), problems)


def _plain(machine: Machine) -> str:
    """Return a machine's name and processor without the signs that addresses leave out."""
    name = f"{machine.label} {machine.usable_cores} {machine.cpu}".lower()
    return re.sub(r"(\((r|tm|c)\)|[^a-z0-9.])+", "-", name) if name.isascii() else name


def _sharing(file: ResultFile, first: Machine) -> Problem | None:
    """Return the problem of a file whose machine only such signs tell from the *first*; None if it is that one."""
    names = [f"{machine.label!r} ({machine.cpu})" for machine in (file.record.machine, first)]
    if names[0] == names[1]:
        return None
    message = f"{names[0]} and {names[1]} would share their pages: only signs and capitals tell them apart"
    return Problem(file.path, "$.machine", message, "measure again, with --machine and the one name or another")


def _find_files(paths: Iterable[Path]) -> tuple[list[_FoundFile], list[Problem]]:
    """Read and hash result files, and those below folders, in order of path, each content once.

    A path is given relative to the one folder that is read; of several, as it was given with its folder in front, since
    two runs name their files alike. What can't be read is a problem.
    """
    problems: list[Problem] = []
    roots = [*paths]
    placed = {
        path: path.relative_to(root).as_posix() if path != root and len(roots) == 1 else path.as_posix()
        for root in roots
        for path in _files(root, problems)
    }
    files, first_with = [], dict[str, str]()
    with ThreadPoolExecutor(READERS) as readers:
        for file in readers.map(_found, placed.items()):
            if isinstance(file, Problem):
                problems.append(file)
            elif (counterpart := first_with.setdefault(file.sha256, file.path)) != file.path:
                problems.append(Problem(file.path, "", f"the same bytes as {counterpart}", "remove one of the two"))
            else:
                files.append(file)
    return files, problems


def _found(placed: tuple[Path, str]) -> _FoundFile | Problem:
    location, path = placed
    try:
        data, modified_ns = _bytes_of(location)
    except UnusableError as error:
        return error.problem(path)
    sha256 = hashlib.sha256(data).hexdigest()
    return _FoundFile(path, _is_local(location, path), data, sha256, modified_ns)


def _files(root: Path, problems: list[Problem]) -> Iterator[Path]:
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
    """Return why a file or a folder could not be read, and what to do about that."""
    if isinstance(error, FileNotFoundError):
        return UnusableError(message="there is no such file or folder", remedy=_NAME_ONE)
    if isinstance(error, NotADirectoryError):
        return UnusableError(message="not a result file: their names end in .json", remedy=_NAME_ONE)
    return UnusableError(message=f"not readable: {error.strerror}", remedy="give permission to read it")


def _is_local(path: Path, name: str) -> bool:
    """Tell whether local/ is the first folder below the results: below results/, or below the folder that was given."""
    *_, below = path.as_posix().rpartition(f"{RESULTS_FOLDER}/")
    return (below if below != path.as_posix() else name).startswith(f"{LOCAL_FOLDER}/")


def decode_checked(data: bytes) -> Record:
    """Return the record in a file's bytes. Raises UnusableError."""
    record = _decode(data)
    _check_repeats(record)
    return record


def _bytes_of(path: Path) -> tuple[bytes, int]:
    """Return what a plain file holds, and when it was last written. Raises UnusableError."""
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


def _decode(data: bytes) -> Record:
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
    """Name the last field before the byte that the decoder stumbled over: JSON that is broken has no path."""
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
        if _repeated_round(series.samples):
            raise UnusableError(message="a round was measured twice", field=f"$.series[{index}].samples.round")


def _repeated_round(samples: Samples) -> bool:
    if len(set(samples.round)) == len(samples.round):
        return False
    count_noun = [number for number, status in zip(samples.round, samples.status, strict=True) if status == "ok"]
    return len(set(count_noun)) < len(count_noun)

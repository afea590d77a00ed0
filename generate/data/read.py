"""Reads result files. Nothing else in the generator or the checker does.

A file that can't be used becomes a `Problem` with file, field and remedy; the others are used. The site reads all files
without their series, chooses those that it needs, and decodes only these: a file of history costs little.
"""

import functools
import hashlib
import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from generate.data import cells_file
from generate.data.files import Problem, ResultFile, relate
from runners.harness.own import record as own_record
from runners.harness.record.codec import ForeignVersionError, decode
from runners.harness.record.model import Machine, Record, Series, SeriesKey

T = TypeVar("T")
MOST_BYTES = 5_000_000
"""Larger files are not read. Published ones are far smaller."""
SCHEMA_FILE = "result.schema.json"
NO_RESULTS = frozenset({SCHEMA_FILE, cells_file.FILE, own_record.FILE, own_record.SCHEMA_FILE})
RESULTS_FOLDER = "results"
LOCAL_FOLDER = "local"

_REMOVE = "measure again, or remove the file"
_NAME_ONE = "name a result file, or a folder that has some"
_ANOTHER = "no result file of this project{}"
_LIKE = ": it looks like {}'s"
_KEEP_ELSEWHERE = "keep it in another folder"
_BEGINNINGS = (
    (rb"\xff\xfe|\xfe\xff|\{\x00|\x00\{", "text in UTF-16", "save it as UTF-8"),
    (rb"\x1f\x8b|PK\x03\x04|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd", "a compressed file", "unpack it first"),
    (rb"version https://git-lfs", "a pointer of Git LFS without the content", "run git lfs pull"),
    (rb"(?s:.*)^(<<<<<<<|>>>>>>>) ", "marks of a merge conflict", "take one of the two versions from git"),
    (rb"\s*<(!|html|\?xml)", "a web page", "download the raw file instead"),
    (rb"This is ApacheBench|starttime\t|Percentage served", _ANOTHER.format(_LIKE.format("ab")), _KEEP_ELSEWHERE),
    (rb"\s*\Z", "an empty file", _REMOVE),
)
"""How files begin that are no JSON, what they are, and the remedy."""
_TOOLS = {
    "pytest-benchmark": {"machine_info", "benchmarks"},
    "Google Benchmark": {"context", "benchmarks"},
    "pyperf": {"benchmarks"},
    "asv": {"commit_hash", "env_name", "results"},
    "hyperfine": {"results"},
}
"""Keys of other tools' files."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The files that can be used, and problems: both in order of path."""

    files: list[ResultFile]
    problems: list[Problem]


class UnusableError(Exception):
    """A file can't be used. Has the fields of a `Problem`."""

    def __init__(self, *, message: str, field: str = "", remedy: str = _REMOVE) -> None:
        super().__init__(message)
        self.field, self.message, self.remedy = field, message, remedy

    def problem(self, path: str) -> Problem:
        return Problem(path, self.field, self.message, self.remedy)


def load(*paths: Path) -> Loaded:
    """Read result files, and those below folders. Errors are returned as problems."""
    problems: list[Problem] = []
    files = [*_read_all(paths, problems, decode_checked)]
    return _loaded(_without_repeats(files, problems), problems)


def load_facts(folder: Path) -> list[ResultFile]:
    """Read the usable files below *folder* without their series."""
    return load_needed(folder, lambda _: set(), lambda file: file)[0].files


def load_needed(
    folder: Path,
    needed: Callable[[Sequence[ResultFile]], Collection[str]],
    check: Callable[[ResultFile], T],
    left_out: Sequence[Problem] = (),
) -> tuple[Loaded, list[T]]:
    """Read the files below *folder*, and *check* those whose paths *needed* chooses from all.

    The series of a file exist only while it is checked. Those that are *left_out* have a known problem.
    """
    problems = [*left_out]
    paths = {problem.path for problem in left_out}
    usable = _without_repeats(_read_all((folder,), problems, decode_facts), problems)
    files = relate(file for file in usable if file.path not in paths)
    checked: dict[str, T] = {}
    while pending := needed(files) - checked.keys():
        for file in (each for each in files if each.path in pending):
            try:
                checked[file.path] = check(replace(file, record=decode_checked(_read_bytes(file.location)[0])))
            except UnusableError as error:
                problems.append(error.problem(file.path))
        files = relate(file for file in files if file.path not in pending or file.path in checked)  # others may fit
    return _loaded(files, problems), [*checked.values()]


@functools.lru_cache(maxsize=2)
def read_series(location: Path) -> dict[SeriesKey, Series]:
    """Read the series of a checked file again, for its raw samples."""
    return {series.key: series for series in decode_checked(_read_bytes(location)[0]).series}


def _loaded(files: Iterable[ResultFile], problems: Iterable[Problem]) -> Loaded:
    return Loaded(relate(files), sorted(problems, key=lambda problem: (problem.path, problem.field)))


def _read_all(
    roots: Sequence[Path], problems: list[Problem], decoded: Callable[[bytes], Record]
) -> Iterator[ResultFile]:
    """Yield the files that can be decoded, in order of path.

    Paths are relative to the folder that is read. With several folders they include it, since runs share file names.
    """
    placed = {
        path: path.relative_to(root).as_posix() if path != root and len(roots) == 1 else path.as_posix()
        for root in roots
        for path in _find(root, problems)
    }
    for location, path in placed.items():
        try:
            path.encode()
        except UnicodeEncodeError:
            readable = path.encode(errors="backslashreplace").decode()
            problems.append(Problem(readable, "", "a name that is not UTF-8", "rename the file or its folder"))
            continue
        try:
            data, modified_ns = _read_bytes(location)
            record, digest = decoded(data), hashlib.sha256(data).hexdigest()
            yield ResultFile(path, record, digest, _is_local(location, path), len(data), modified_ns, location)
        except UnusableError as error:
            problems.append(error.problem(path))


def _without_repeats(files: Iterable[ResultFile], problems: list[Problem]) -> list[ResultFile]:
    """Drop files that repeat the bytes, or the run, machine and build, of an earlier one."""
    usable: list[ResultFile] = []
    first_with: dict[object, str] = {}
    machines: dict[tuple[str, bool], Machine] = {}
    for file in files:
        run, machine, build = file.record.run, file.record.machine, file.record.build
        identity = (run.id, machine.label, file.local, build, file.record.kind)
        first = machines.setdefault((_plain(machine), file.local), machine)
        if (other := first_with.setdefault(file.sha256, file.path)) != file.path:
            problems.append(Problem(file.path, "", f"the same bytes as {other}", "remove one of the two"))
        elif (other := first_with.setdefault(identity, file.path)) != file.path:
            message = f"the same run, machine and build as {other}"
            problems.append(Problem(file.path, "$.run.id", message, "remove one of the two"))
        elif (machine.label, machine.cpu) != (first.label, first.cpu):
            names = " and ".join(f"{each.label!r} ({each.cpu})" for each in (machine, first))
            message = f"{names} would share their pages: the names differ only in punctuation and capitals"
            remedy = "measure again with --machine and one of these names, or another"
            problems.append(Problem(file.path, "$.machine", message, remedy))
        else:
            usable.append(file)
    return usable


def _plain(machine: Machine) -> str:
    """Return a machine's name and processor without the characters that addresses leave out."""
    name = f"{machine.label} {machine.usable_cores} {machine.cpu}".lower()
    return re.sub(r"(\((r|tm|c)\)|[^a-z0-9.])+", "-", name) if name.isascii() else name


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
    """Return a regular file's content and modification time. Raises UnusableError."""
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


def decode_facts(data: bytes) -> Record:
    """Decode a file's record without its series, which are only checked to be JSON. Raises UnusableError."""
    try:
        fields = msgspec.json.decode(data.removeprefix(BOM_UTF8), type=dict[str, msgspec.Raw])
    except msgspec.DecodeError:
        return _decode(data)  # raises an error that names the place
    return _decode(msgspec.json.encode(fields | {"series": []}))


def decode_checked(data: bytes) -> Record:
    """Decode a file's record. Raises UnusableError, also if pairing by round would be ambiguous."""
    record = _decode(data)
    keys = set()
    for index, series in enumerate(record.series):
        if series.key in keys:
            raise UnusableError(message=f"{' / '.join(series.key)} is there twice", field=f"$.series[{index}]")
        keys.add(series.key)
        rows = zip(series.samples.round, series.samples.status, strict=True)
        measured = [number for number, status in rows if status == "ok"]
        if len({*measured}) < len(measured):
            raise UnusableError(message="a round was measured twice", field=f"$.series[{index}].samples.round")
    return record


def _decode(data: bytes) -> Record:
    try:
        return decode(data)
    except ForeignVersionError as error:
        remedy = "use the version of this project that wrote it, or measure again"
        raise UnusableError(message=str(error), field="$.schema_version", remedy=remedy) from error
    except msgspec.ValidationError as error:
        if (tool := _find_tool(data)) is not None:
            raise UnusableError(message=_ANOTHER.format(tool), remedy=_KEEP_ELSEWHERE) from error
        message, _, place = str(error).partition(" - at `")
        remedy = f"fix the field (see {SCHEMA_FILE}), or measure again"
        raise UnusableError(message=message, field=place.rstrip("`"), remedy=remedy) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        for pattern, message, remedy in _BEGINNINGS:
            if re.match(pattern, data, re.MULTILINE):
                raise UnusableError(message=message, remedy=remedy) from error
        raise UnusableError(message=str(error) or "nested too deeply") from error


def _find_tool(data: bytes) -> str | None:
    """Name the tool that JSON without our fields comes from; None if it has some of them."""
    try:
        plain = msgspec.json.decode(data.removeprefix(BOM_UTF8))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # after a value that we refuse
        return None
    if not isinstance(plain, dict) or plain.keys() & {"schema_version", "run"}:
        return None
    return next((_LIKE.format(tool) for tool, keys in _TOOLS.items() if keys <= plain.keys()), "")

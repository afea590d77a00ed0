"""Reads the artifact of a job: a zip that is never unpacked.

Nothing in it is trusted. Only planned names are read, each up to its limit, whatever sizes and paths the zip claims.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

PREFIX = "run-"
"""The plan's artifact has it too: downloading by a pattern that only matches one artifact creates no folder."""
PLAN = re.compile(rf"{PREFIX}plan\.[1-9]\d{{0,3}}(\.zip)?", re.ASCII)
JOB = re.compile(rf"{PREFIX}(.+)\.([1-9]\d{{0,3}})", re.ASCII)
"""The job and the attempt."""
MOST_ZIP_BYTES = 4_000_000
"""More than a job's files need uncompressed. The list of names is read at once."""
KNOWN_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Compression methods that stop at a limit."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True)
class Refused:
    """A file that can't be trusted."""

    reason: str


MISSING = Refused("it did not come back")


@dataclass(frozen=True)
class Artifact:
    """A downloaded artifact: a folder with a zip."""

    folder: Path
    job: str
    attempt: int

    def read(self, limits: Mapping[str, int]) -> tuple[dict[str, bytes | Refused], list[str]]:
        """Return the files named in *limits*, each up to its limit in bytes, and the sorted names of all others."""
        try:
            packed = [*self.folder.iterdir()]
            if len(packed) != 1:
                return dict.fromkeys(limits, Refused("its artifact is not a folder with one zip")), []
            if (size_bytes := packed[0].stat().st_size) > MOST_ZIP_BYTES:
                too_large = Refused(f"its artifact has {size_bytes:,} bytes; at most {MOST_ZIP_BYTES:,} are read")
                return dict.fromkeys(limits, too_large), []
            with zipfile.ZipFile(packed[0]) as archive:
                files = {name: _read_member(archive, name, most_bytes) for name, most_bytes in limits.items()}
                return files, sorted({*archive.namelist()} - limits.keys())
        except UNREADABLE as error:
            return dict.fromkeys(limits, _refuse(error)), []


def list_artifacts(folder: Path, jobs: Container[str], attempt: int) -> tuple[list[Artifact], list[str]]:
    """Return the artifacts of *jobs* up to *attempt*, newest attempts first, and the names of unexpected ones."""
    expected, others = [], []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        match = JOB.fullmatch(path.name)
        if match and match[1] in jobs and int(match[2]) <= attempt:
            expected.append(Artifact(path, match[1], int(match[2])))
        elif not PLAN.fullmatch(path.name):
            others.append(path.name)
    return sorted(expected, key=lambda artifact: -artifact.attempt), others


def compute_digest(files: Mapping[str, bytes]) -> str:
    """Return the sha256 of names and bytes, which the collecting and the publishing job agree on."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _read_member(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes | Refused:
    """Read a file of a zip. A link is only the bytes of its target; of two files with one name the last is read."""
    if name not in archive.namelist():
        return MISSING
    if archive.getinfo(name).compress_type not in KNOWN_METHODS:
        return Refused("compressed in a way that is not read here")
    try:
        with archive.open(name) as stream:
            data = stream.read(most_bytes + 1)
    except UNREADABLE as error:
        return _refuse(error)
    return data if len(data) <= most_bytes else Refused(f"more than {most_bytes:,} bytes, and no more are published")


def _refuse(error: Exception) -> Refused:
    return Refused(f"its artifact can't be read: {type(error).__name__}: {error}")

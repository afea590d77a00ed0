"""Finds which file of an index each package of an environment was installed from, by its hash. Our side.

The installer checks the hashes of what is pinned, and keeps none. So the index is asked which files this interpreter
can use of the versions that are installed. A package says of itself which tags its wheel had: the file with the same
is the one. A package that has the tags of none was built here, from the source of that version.
"""

from __future__ import annotations

import subprocess
from importlib import metadata
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec
from packaging.tags import parse_tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from packaging.tags import Tag
    from packaging.utils import NormalizedName

LIMIT_S = 120
KEPT = "index_files.json"
"""Has in an environment's folder what was found: once, so that nobody waits for an index at each run."""


class IndexFile(msgspec.Struct):
    """A wheel, or an archive of source."""

    url: str
    hashes: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Its file name."""
        return unquote(self.url.rpartition("/")[2])


class Locked(msgspec.Struct):
    """One package of a lock file, as PEP 751 has it."""

    name: str
    wheels: list[IndexFile] = []
    sdist: IndexFile | None = None


class Lock(msgspec.Struct):
    """A lock file, as far as it is of use here."""

    packages: list[Locked] = []


def find(place: Path, python: Path) -> None:
    """Find the sha256 of the file that each package in the environment at *place* came from, and keep it there.

    *python* is its interpreter. What is from no index has none; where the index does not answer, none has.
    """
    installed = dict(_from_an_index(place))
    lock = _lock(place, python, (f"{name}=={one.version}" for name, one in installed.items())) if installed else Lock()
    locked = {canonicalize_name(each.name): each for each in lock.packages}
    files = {name: _file_of(one, locked[name]) for name, one in installed.items() if name in locked}
    found = {name: file.hashes["sha256"] for name, file in files.items() if file and "sha256" in file.hashes}
    write_atomically(place / KEPT, msgspec.json.encode(found))


def are_kept(place: Path) -> bool:
    """Say whether they were looked for already."""
    return (place / KEPT).is_file()


def sha256s(python: Path) -> dict[str, str]:
    """Return what was found for the environment of *python*, by normalised name; empty where nothing was."""
    place = python.parent.parent
    return msgspec.json.decode((place / KEPT).read_bytes(), type=dict[str, str]) if are_kept(place) else {}


def _from_an_index(place: Path) -> Iterator[tuple[NormalizedName, metadata.Distribution]]:
    """Give what is installed and does not say that it is from elsewhere, as what is from a wheel of one's own does."""
    folders = [
        str(folder) for pattern in ("lib/*/site-packages", "Lib/site-packages") for folder in place.glob(pattern)
    ]
    for one in metadata.distributions(path=folders):
        if one.read_text("direct_url.json") is None:
            yield canonicalize_name(one.metadata["Name"]), one


def _lock(place: Path, python: Path, requirements: Iterable[str]) -> Lock:
    """Return what the index has of *requirements* for an interpreter; nothing where that can't be had."""
    wanted = place / "installed.in"
    wanted.write_text("\n".join(sorted(requirements)), encoding="utf-8")
    options = ("--quiet", "--no-deps", "--no-header", "--no-annotate", "--format", "pylock.toml", "--python", python)
    try:
        ran = programs.run(find_uv_bin(), "pip", "compile", *options, wanted, limit_s=LIMIT_S)
        return msgspec.toml.decode(ran.stdout, type=Lock) if ran.returncode == 0 else Lock()
    except (OSError, subprocess.TimeoutExpired, msgspec.MsgspecError):
        return Lock()


def _file_of(installed: metadata.Distribution, locked: Locked) -> IndexFile | None:
    """Return the file that a package was installed from: the wheel that has its tags, else its source.

    None where two wheels have them.
    """
    own = _tags_of(installed)
    alike = [wheel for wheel in locked.wheels if own and _tags_of_file(wheel) == own]
    return alike[0] if len(alike) == 1 else None if alike else locked.sdist


def _tags_of(installed: metadata.Distribution) -> frozenset[Tag]:
    """Return the tags that the wheel of an installed package says it has."""
    lines = (installed.read_text("WHEEL") or "").splitlines()
    written = (line.partition(":")[2].strip() for line in lines if line.startswith("Tag:"))
    return frozenset(tag for each in written for tag in parse_tag(each))


def _tags_of_file(wheel: IndexFile) -> frozenset[Tag]:
    try:
        return parse_wheel_filename(wheel.name)[3]
    except InvalidWheelFilename:
        return frozenset()

"""Finds the hash of the file that each package of an environment was installed from.

The installer checks hashes and keeps none. So we ask the index which files this interpreter can use of the installed
versions. An installed package names the tags of its wheel, which identify the file. If no file has them, the package
was built here from source.
"""

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import tomllib
from packaging.tags import Tag, parse_tag
from packaging.utils import InvalidWheelFilename, NormalizedName, canonicalize_name, parse_wheel_filename
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.files import write_atomically

LIMIT_S = 120
KEPT = "index_files.json"
"""Keeps the hashes in an environment's folder, so that only its first run waits for the index."""


def find(place: Path, python: Path) -> None:
    """Find and keep the sha256 of each package's file at *place*; none if the index does not answer."""
    installed = dict(_from_an_index(place))
    requirements = [f"{name}=={package.version}" for name, package in installed.items()]
    locked = {package["name"]: package for package in _lock(place, python, requirements)} if installed else {}
    files = {name: _source_file(package, locked[name]) for name, package in installed.items() if name in locked}
    sha256 = {name: file["hashes"]["sha256"] for name, file in files.items() if file and "sha256" in file["hashes"]}
    write_atomically(place / KEPT, msgspec.json.encode(sha256))


def sha256s(python: Path) -> dict[str, str]:
    """Return the hashes kept for *python*'s environment, by normalised name."""
    kept = python.parent.parent / KEPT
    return msgspec.json.decode(kept.read_bytes(), type=dict[str, str]) if kept.is_file() else {}


def _from_an_index(place: Path) -> Iterator[tuple[NormalizedName, metadata.Distribution]]:
    folders = [*place.glob("lib/*/site-packages"), *place.glob("Lib/site-packages")]
    for package in metadata.distributions(path=list(map(str, folders))):
        if package.read_text("direct_url.json") is None:
            yield canonicalize_name(package.metadata["Name"]), package


def _lock(place: Path, python: Path, requirements: Iterable[str]) -> list[dict[str, Any]]:
    """Return the packages of a lock file (PEP 751) with the index's files; none if the index does not answer."""
    wanted = place / "installed.in"
    wanted.write_text("\n".join(sorted(requirements)), encoding="utf-8")
    options = ("--quiet", "--no-deps", "--no-header", "--no-annotate", "--format", "pylock.toml", "--python", python)
    ran = programs.run(find_uv_bin(), "pip", "compile", *options, wanted, limit_s=LIMIT_S)
    packages: list[dict[str, Any]] = tomllib.loads(ran.stdout)["packages"] if ran.returncode == 0 else []
    return packages


def _source_file(installed: metadata.Distribution, locked: dict[str, Any]) -> dict[str, Any] | None:
    """Return the only wheel with the package's tags, or its source archive if no wheel has them."""
    own = _installed_tags(installed)
    alike = [wheel for wheel in locked.get("wheels", []) if own and _wheel_tags(wheel["url"]) == own]
    return alike[0] if len(alike) == 1 else None if alike else locked.get("sdist")


def _installed_tags(installed: metadata.Distribution) -> frozenset[Tag]:
    lines = (installed.read_text("WHEEL") or "").splitlines()
    written = (line.partition(":")[2].strip() for line in lines if line.startswith("Tag:"))
    return frozenset(tag for each in written for tag in parse_tag(each))


def _wheel_tags(url: str) -> frozenset[Tag]:
    try:
        return parse_wheel_filename(unquote(url.rpartition("/")[2]))[3]
    except InvalidWheelFilename:
        return frozenset()

"""Names the builds of a run once more, where it is gone on with. Our side.

No record names a path. Which interpreters and wheels a run began with is kept on this machine alone, apart from its
results: two builds may say the same of themselves, and be of two branches.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace
from packaging.utils import canonicalize_name

from runners.harness.builds import environments
from runners.harness.builds.build_request import asked_again
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.record.model import Build, Package

KEPT = ROOT / ".cache" / "runs"


class MadeFrom(NamedTuple):
    """What a build was made from on this machine."""

    interpreter: str
    """Its path."""
    stamp: str
    """Another once the interpreter is installed anew."""
    wheels: dict[str, str]
    """Paths of the wheels that the user named, by file name."""


def keep(run: str, builds: Iterable[Prepared]) -> None:
    """Keep what *builds* of the run with the id *run* were made from."""
    kept = {
        build.name: MadeFrom(str(build.base), environments.stamp(build.base), dict(build.wheels)) for build in builds
    }
    write_atomically(_place(run), msgspec.json.encode(kept))


def forget(run: str) -> None:
    """Remove what was kept of a run that is complete; what can't be removed does no harm."""
    with suppress(OSError):
        _place(run).unlink(missing_ok=True)


def named_again(run: str, build: Build, packages: Mapping[str, Package]) -> str:
    """Return what names *build* once more: the interpreter that the run with the id *run* began with, and the rest.

    Raises UserError where that interpreter, or a wheel, is not known or another by now. *packages* are those recorded.
    """
    name = build_name(build)
    kept = _kept(run).get(name)
    label, others = asked_again(build.variant)
    interpreter = _interpreter(build, label, kept)
    wheels = kept.wheels if kept else {}
    others = [_wheel(other, name, wheels, packages) if other.endswith(".whl") else other for other in others]
    pieces = "".join(f"+{piece}" for piece in (*others, *build.variables, *(f"-X{name}" for name in build.options)))
    return f"{label}{'=' * bool(label)}{interpreter}{pieces}"


def has_same_packages(recorded: Mapping[str, Package], found: Mapping[str, Package]) -> bool:
    """Say whether *found* are the packages that a run began with."""
    return recorded.keys() == found.keys() and all(_is_same(recorded[name], found[name]) for name in recorded)


def _is_same(one: Package, other: Package) -> bool:
    """Compare two packages; that the hash of one is not known is no difference."""
    if one.sha256 is None or other.sha256 is None:
        one, other = (replace(each, sha256=None) for each in (one, other))
    return one == other


def _kept(run: str) -> dict[str, MadeFrom]:
    """Return what was kept of a run, by build; nothing where there is no file, or this version can't read it."""
    place = _place(run)
    try:
        return msgspec.json.decode(place.read_bytes(), type=dict[str, MadeFrom]) if place.is_file() else {}
    except msgspec.MsgspecError:
        return {}


def _interpreter(build: Build, label: str, kept: MadeFrom | None) -> str:
    """Return the path that was kept; of a build without a label, where none was, its version."""
    name = build_name(build)
    if kept:
        if environments.stamp(Path(kept.interpreter)) != kept.stamp:
            msg = f"the interpreter of {name} was installed anew since the run began: it can't be resumed"
            raise UserError(msg)
        return kept.interpreter
    if label:
        msg = f"{name} can't be resumed: no file in {KEPT} says which interpreter that was; start anew"
        raise UserError(msg)
    return f"{build.version}{'t' * build.free_threaded}"


def _wheel(file_name: str, build: str, kept: Mapping[str, str], packages: Mapping[str, Package]) -> str:
    """Return the path of a wheel, which holds what was measured with. Raises UserError."""
    if file_name not in kept:
        msg = f"{build} can't be resumed: no file in {KEPT} says where {file_name} was; start anew"
        raise UserError(msg)
    path = kept[file_name]
    package = packages.get(canonicalize_name(file_name.partition("-")[0]))
    recorded = package.sha256 if package else None
    if not Path(path).is_file():
        msg = f"{path} is gone: put the file with the sha256 {recorded} there again to go on, or start anew"
        raise UserError(msg)
    if (found := environments.sha256(Path(path))) != recorded:
        msg = (
            f"{path} is another file than the run began with: put the one with the sha256 {recorded} there again to go "
            f"on (this one's is {found}), or start anew"
        )
        raise UserError(msg)
    return path


def _place(run: str) -> Path:
    """Return where what a run's builds were made from is kept. The id may come from a file that anybody wrote."""
    return KEPT / f"{re.sub(r'[^A-Za-z0-9-]', '-', run)}.json"

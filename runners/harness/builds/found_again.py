"""Remembers which interpreters and wheels a run was started with, so that it can be resumed. Our side.

Result files never name a path, and two builds may give the same facts about themselves. So the paths are kept on this
machine, apart from the results.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
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
    stamp: str
    """Changes when the interpreter is reinstalled."""
    wheels: dict[str, str]


def keep(run: str, builds: Iterable[Prepared]) -> None:
    """Write down what the *builds* of *run* were made from."""
    kept = {
        build.name: MadeFrom(str(build.base), environments.stamp(build.base), dict(build.wheels)) for build in builds
    }
    write_atomically(_file(run), msgspec.json.encode(kept))


def forget(run: str) -> None:
    """Remove what was kept for *run*, which is complete."""
    with suppress(OSError):
        _file(run).unlink(missing_ok=True)


def named_again(run: str, build: Build, packages: Mapping[str, Package]) -> str:
    """Return *build* as `parse` reads it, with the interpreter and the wheels that *run* was started with.

    Raises UserError if they are not known or have changed. *packages* are those in the record.
    """
    name, kept = build_name(build), _kept(run).get(build_name(build))
    label, others = asked_again(build.variant)
    if kept is None and (label or any(other.endswith(".whl") for other in others)):
        msg = f"{name} can't be resumed: no file in {KEPT} names its interpreter and wheels; start a new run"
        raise UserError(msg)
    if kept and environments.stamp(Path(kept.interpreter)) != kept.stamp:
        msg = f"the interpreter of {name} was reinstalled since the run began: it can't be resumed"
        raise UserError(msg)
    interpreter = kept.interpreter if kept else f"{build.version}{'t' * build.free_threaded}"
    wheels = kept.wheels if kept else {}
    pieces = [_checked_wheel(wheels[other], packages) if other in wheels else other for other in others]
    pieces += [*build.variables, *(f"-X{option}" for option in build.options)]
    return f"{label}{'=' * bool(label)}{'+'.join([interpreter, *pieces])}"


def _kept(run: str) -> dict[str, MadeFrom]:
    """Return what was kept for *run*, by build; empty without a file that this version can read."""
    try:
        return msgspec.json.decode(_file(run).read_bytes(), type=dict[str, MadeFrom])
    except (FileNotFoundError, msgspec.MsgspecError):
        return {}


def _checked_wheel(path: str, packages: Mapping[str, Package]) -> str:
    """Return *path* if its file still has the recorded hash. Raises UserError otherwise."""
    package = packages.get(canonicalize_name(Path(path).name.partition("-")[0]))
    recorded = package.sha256 if package else None
    if not Path(path).is_file() or environments.sha256(Path(path)) != recorded:
        msg = f"{path} is gone or has changed: put the file with the sha256 {recorded} back, or start a new run"
        raise UserError(msg)
    return path


def _file(run: str) -> Path:
    """Return the file for *run*, an id that may come from a hostile file."""
    return KEPT / f"{re.sub(r'[^A-Za-z0-9-]', '-', run)}.json"

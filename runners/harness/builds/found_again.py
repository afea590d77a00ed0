"""Names the builds of a run once more, where it is gone on with. Our side.

No record names a path. Which interpreters a run began with is kept on this machine alone, apart from its results: two
builds may say the same of themselves, and be of two branches.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from runners.harness.builds import environments
from runners.harness.builds.build_request import asked_again
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.record.model import Build

KEPT = ROOT / ".cache" / "runs"


class Interpreter(NamedTuple):
    """Where one is, and what is another once it is installed anew."""

    path: str
    stamp: str


def keep(run: str, builds: Iterable[Prepared]) -> None:
    """Keep which interpreters *builds* of the run with the id *run* were made from."""
    kept = {build.name: Interpreter(str(build.base), environments.stamp(build.base)) for build in builds}
    write_atomically(_place(run), msgspec.json.encode(kept))


def forget(run: str) -> None:
    """Remove what was kept of a run that is complete."""
    _place(run).unlink(missing_ok=True)


def named_again(run: str, build: Build) -> str:
    """Return what names *build* once more: the interpreter that the run with the id *run* began with, and the rest.

    Raises UserError where that interpreter is not known, or another by now, and for a variant with a wheel of its own.
    """
    label, others = asked_again(build.variant)
    for wheel in [other for other in others if other.endswith(".whl")]:
        msg = f"a build with {wheel} can't be resumed: start anew, and name the file once more"
        raise UserError(msg)
    pieces = "".join(f"+{piece}" for piece in (*others, *build.variables, *(f"-X{name}" for name in build.options)))
    return f"{label}{'=' * bool(label)}{_interpreter(run, build, label)}{pieces}"


def _interpreter(run: str, build: Build, label: str) -> str:
    """Return the path that was kept; of a build without a label, where none was, its version."""
    place, name = _place(run), build_name(build)
    kept = msgspec.json.decode(place.read_bytes(), type=dict[str, Interpreter]) if place.is_file() else {}
    if name in kept:
        path, stamp = kept[name]
        if environments.stamp(Path(path)) != stamp:
            msg = f"the interpreter of {name} was installed anew since the run began: it can't be resumed"
            raise UserError(msg)
        return path
    if label:
        msg = f"{name} can't be resumed: no file in {KEPT} says which interpreter that was; start anew"
        raise UserError(msg)
    return f"{build.version}{'t' * build.free_threaded}"


def _place(run: str) -> Path:
    """Return where the interpreters of a run are kept. The id may come from a file that anybody wrote."""
    return KEPT / f"{re.sub(r'[^A-Za-z0-9-]', '-', run)}.json"

"""Keeps how the builds of a run were requested, so that it can be resumed.

Result files never name a path, two builds may report the same facts, and nothing that a result file names may be run.
So the requests are kept on this machine, apart from the results.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from runners.harness.builds import environments
from runners.harness.builds.build_request import BuildRequest  # noqa: TC001 - msgspec reads it
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.builds.interpreters import Prepared

KEPT = ROOT / ".cache" / "runs"


class Kept(NamedTuple):
    """What one build was made from."""

    request: BuildRequest
    stamp: str
    """Changes when the interpreter is reinstalled."""


def keep(run: str, builds: Iterable[Prepared]) -> None:
    """Write down how the *builds* of *run* were requested."""
    kept = {build.name: Kept(build.request, _stamp(build.request)) for build in builds}
    write_atomically(_file(run), msgspec.json.encode(kept))


def is_kept(run: str) -> bool:
    """True if a run of this name is incomplete."""
    return _file(run).exists()


def forget(run: str) -> None:
    """Remove what was kept for *run*, which is complete."""
    with suppress(OSError):
        _file(run).unlink(missing_ok=True)


def find(run: str, names: Iterable[str]) -> list[BuildRequest]:
    """Return how the builds with these names were requested. Raises UserError for one that is unknown or changed."""
    try:
        kept = msgspec.json.decode(_file(run).read_bytes(), type=dict[str, Kept])
    except (FileNotFoundError, msgspec.MsgspecError):
        kept = {}
    requests = []
    for name in names:
        if name not in kept:
            msg = f"{name!r} can't be resumed: no file in {KEPT} names its interpreter; start a new run"
            raise UserError(msg)
        request, stamp = kept[name]
        if _stamp(request) != stamp:
            msg = f"the interpreter of {name} was reinstalled since the run began: it can't be resumed"
            raise UserError(msg)
        requests.append(request)
    return requests


def _stamp(request: BuildRequest) -> str:
    return environments.stamp(Path(request.interpreter))


def _file(run: str) -> Path:
    """Return the file for *run*, an id that may come from a hostile file."""
    return KEPT / f"{re.sub(r'[^A-Za-z0-9-]', '-', run)}.json"

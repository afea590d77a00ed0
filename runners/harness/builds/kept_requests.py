"""Keeps how the builds of a run were requested, so that it can be resumed.

Result files never name a path, two builds may report the same facts, and nothing that a result file names may be run.
So the requests are kept on this machine, apart from the results.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from runners.harness.builds.build_request import BuildRequest
from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically

KEPT = ROOT / ".cache" / "runs"


def keep(run: str, builds: Iterable[Prepared]) -> None:
    write_atomically(_file(run), msgspec.json.encode({build.name: build.request for build in builds}))


def forget(run: str) -> None:
    with suppress(OSError):
        _file(run).unlink(missing_ok=True)


def find(run: str, names: Iterable[str]) -> list[BuildRequest]:
    """Return how the builds with these names were requested. Raises UserError for one that is unknown."""
    try:
        kept = msgspec.json.decode(_file(run).read_bytes(), type=dict[str, BuildRequest])
        return [kept[name] for name in names]
    except (FileNotFoundError, msgspec.MsgspecError, KeyError):
        msg = f"{run} can't be resumed: no file in {KEPT} names its interpreters; start a new run"
        raise UserError(msg) from None


def _file(run: str) -> Path:
    """Return the file for *run*, an id that may come from a hostile file."""
    return KEPT / f"{re.sub(r'[^A-Za-z0-9-]', '-', run)}.json"

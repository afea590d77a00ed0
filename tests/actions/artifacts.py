"""What two good jobs of a run bring, and short ways to take it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from factory import COMMIT, Plan, build, make, some_scenarios

from actions import collect, dispatch
from actions.collect import Collected, Expected
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from actions.cell_files import Look
    from runners.harness.record.model import Record

EXPECTED = Expected("2026-01-01-gh1001.1", COMMIT, "https://example.org/r/actions/runs/1001", "dispatch")
SCENARIOS = {"primes": some_scenarios()["primes"]}
PLAN = dispatch.planned(
    {"machines": "ubuntu-24.04", "pythons": "3.13,3.14t", "profile": "full", "scenarios": "primes", "note": "a note"},
    ["primes", "power"],
)
CELL = "ubuntu-24.04--3.14t"


def record(python: str, cell: str = CELL, **changes: Any) -> Record:  # noqa: ANN401 - of the run
    builds = {"3.13": build("3.13.1"), "3.14t": build("3.14.0", free_threaded=True)}
    facts = Plan(
        build=builds[python], reference=builds["3.13"], machine="ubuntu-24.04", run_id=f"{EXPECTED.run_id}.{cell}"
    )
    made = make(SCENARIOS, facts)
    own = [series for series in made.series if series.role != "reference"]
    run = msgspec.structs.replace(
        made.run, **{"scenarios": ["primes"], "url": EXPECTED.url, "trigger": "dispatch", **changes}
    )
    return msgspec.structs.replace(made, run=run, series=own)


def put(artifacts: Path) -> None:
    """Lay out what two good jobs bring."""
    (artifacts / f"run-{CELL}.1").mkdir(parents=True)
    (artifacts / f"run-{CELL}.1" / f"{CELL}.json").write_bytes(encode(record("3.14t")))
    (artifacts / f"run-{CELL}.1" / f"{CELL}.reference.json").write_bytes(encode(record("3.13")))
    other = "ubuntu-24.04--3.13"
    (artifacts / f"run-{other}.1").mkdir()
    (artifacts / f"run-{other}.1" / f"{other}.json").write_bytes(encode(record("3.13", other)))


def at_nothing(_: Path) -> None:
    """Stand in for making a site, which takes long and is tried apart."""


def collected(tmp_path: Path, look: Look = at_nothing) -> Collected:
    return collect.collect(PLAN, tmp_path / "artifacts", tmp_path / "out" / "run", EXPECTED, look)


def statuses(found: Collected) -> dict[str, str]:
    return {one.cell: one.status for one in found.outcomes.cells}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

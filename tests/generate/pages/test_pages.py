"""One snapshot a kind of page; pytest's --snapshot-update writes them again after an intended change."""

from dataclasses import replace
from pathlib import Path

import pytest
from factory import REFERENCE, Plan
from sample_site import DOCS, build_site, letters, readable, text_at, write_results
from syrupy.assertion import SnapshotAssertion

PLANS = {
    "2026-01-01/run-1/a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "2026-01-01/run-1/b.json": Plan(speed={"thread_pool": 0.25}, status={"asyncio_gather": "failed"}),
}
KINDS = {
    "scenario": "scenarios/letters.md",
    "machine": "machines/fixture-host-2-cores-fixture-cpu.md",
    "result": "machines/fixture-host-2-cores-fixture-cpu/cpython-3.13.1.md",
}


@pytest.mark.parametrize("kind", KINDS)
def test_page_is_as_agreed(tmp_path: Path, kind: str, snapshot: SnapshotAssertion) -> None:
    known = letters()["letters"]
    scenarios = {"letters": replace(known, cases={"published": known.cases["published"]})}
    write_results(tmp_path, PLANS, scenarios)
    assert readable(text_at(build_site(tmp_path, scenarios, DOCS), f"docs/{KINDS[kind]}")) == snapshot

"""What a runner really uses is observed."""

import os
import subprocess
import sys
import time
from typing import Any, cast

import pytest
from planted import take, task

from runners.harness import observe
from runners.harness.measure import GIL_REENABLED, Sample
from runners.harness.record.model import Observed


def test_loops_and_pools_are_observed_even_if_made_late() -> None:
    result = take(task("misbehaving", "_uses_pools"))
    assert result.status == "ok", result.reason
    assert result.observed is not None
    assert result.observed.loop_classes == ["_UnixSelectorEventLoop"]
    assert len(result.observed.pool_sizes) == 2
    assert result.observed.pool_sizes[0] == 2  # its own; the other has the library's own size
    assert (result.observed.processes, result.observed.threads) == (2, 2)
    assert result.observed.start_method in {"fork", "spawn", "forkserver"}


def test_costs_and_phases_are_plausible() -> None:
    doubled = take(task("misbehaving", "doubles"))
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert doubled.observed == Observed(
        gil_before=gil, gil_after_imports=gil, gil_after_run=gil, processes=1, threads=1, peak_in_flight=1,
        asked_at_once=1,
    )  # fmt: skip
    values: dict[str, Any] = doubled.values
    assert 4_000_000 < values["largest_process_peak_bytes"] < 200_000_000
    assert 4_000_000 < values["idle_process_bytes"] <= values["largest_process_peak_bytes"] + 1_000_000
    assert 0 < values["cpu_us"] < values["elapsed_ns"] / 1000  # short sleeps take no processor
    assert doubled.phases.keys() == {"interpreter_start", "imports", "warm_up", "measured"}
    assert 0 < sum(doubled.phases.values()) < doubled.wall_ns
    assert doubled.phases["measured"] == values["elapsed_ns"]


def test_peak_has_a_freed_block_until_it_is_reset() -> None:
    before = observe.largest_process_peak_bytes()
    assert before is not None
    block = bytearray(before + 50_000_000)
    del block
    after = observe.largest_process_peak_bytes()
    assert after is not None
    assert after - before >= 50_000_000
    idle = observe.reset_peak()
    assert idle is not None
    assert observe._status_bytes("VmHWM") < idle + 40_000_000  # type: ignore[operator]  # Linux has it


@pytest.mark.parametrize(
    ("gil", "status", "reason"),
    [
        (["off", "on"], "unsupported", GIL_REENABLED[0]),  # by imports
        (["off", "off", "on"], "failed", GIL_REENABLED[1]),  # while running
        (["off"], "ok", None),
        (["on"], "ok", None),  # a build with the GIL
    ],
)
def test_gil_that_comes_back_spoils_the_sample(
    monkeypatch: pytest.MonkeyPatch, gil: list[str], status: str, reason: str | None
) -> None:
    readings = iter(gil)  # the last one is repeated
    monkeypatch.setattr(observe, "gil_enabled", lambda: next(readings, gil[-1]) == "on")
    monkeypatch.setattr(observe.Recorder, "install", lambda _: None)  # it changes classes of this process
    sample = Sample(task("misbehaving", "doubles").message, cast("Any", None), 0).take()
    assert (sample["status"], sample["reason"]) == (status, reason)
    if status == "unsupported":  # nothing was measured
        assert (sample["values"], sample["phases"].keys()) == ({}, {"started_ns", "imports"})
        readings_kept = [sample["observed"][f"gil_{when}"] for when in ("before", "after_imports", "after_run")]
        assert readings_kept == [False, True, True]


def test_tree_costs_need_every_process_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = [str(os.getpid())]  # other workers of these tests share the session
    monkeypatch.setattr(os, "listdir", lambda _: ours)
    before = observe.session_clocks()
    assert 0 < before[os.getpid()] <= time.process_time_ns()
    with subprocess.Popen([sys.executable, "-c", "input('>')"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.read(1) == b">"
        ours.append(str(child.pid))
        costs = observe.tree_costs(before)
        assert costs["tree_process_count"] == 2
        assert costs["tree_cpu_us"] is not None
        assert costs["tree_proportional_bytes"] is not None
        assert costs["tree_proportional_bytes"] > 4_000_000
        before = observe.session_clocks()
        child.communicate(b"\n")
    assert {*observe.tree_costs(before).values(), *observe.tree_costs({}).values()} == {None}

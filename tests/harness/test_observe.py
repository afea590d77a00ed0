"""What a runner really used is seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planted import request, take

from runners.harness import observe
from runners.harness.record.model import Observed

if TYPE_CHECKING:
    from runners.harness.process.launcher import SampleResult


def test_loops_and_pools_are_seen_those_made_late_among_them() -> None:
    taken = take(request("misbehaving", "_uses_pools"))
    assert taken.status == "ok", taken.reason
    assert taken.observed is not None
    assert taken.observed.loop_classes == ["_UnixSelectorEventLoop"]
    sizes = taken.observed.pool_sizes
    assert sizes[0] == 2  # its own; the other has the library's own size
    assert len(sizes) == 2
    assert (taken.observed.processes, taken.observed.threads) == (2, 2)
    assert taken.observed.start_method in {"fork", "spawn", "forkserver"}


@pytest.fixture(scope="module")
def doubled() -> SampleResult:
    return take(request("misbehaving", "doubles"))


def test_a_runner_that_uses_no_pool_is_seen_to_use_none_and_the_gil_is_told_at_three_moments(
    doubled: SampleResult,
) -> None:
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert doubled.observed == Observed(
        gil_before=gil, gil_after_imports=gil, gil_after_run=gil, processes=1, threads=1, peak_in_flight=1,
        asked_at_once=1,
    )  # fmt: skip


def test_memory_processor_time_and_where_the_time_went_are_plausible(doubled: SampleResult) -> None:
    values: dict[str, Any] = doubled.values
    assert 4_000_000 < values["largest_process_peak_bytes"] < 200_000_000
    assert 0 < values["cpu_us"] < values["elapsed_ns"] / 1000  # short sleeps take no processor
    assert doubled.phases.keys() == {"interpreter_start", "imports", "warm_up", "measured"}
    assert 0 < sum(doubled.phases.values()) < doubled.wall_ns
    assert doubled.phases["measured"] == values["elapsed_ns"]


def test_a_large_block_shows_in_the_peak_though_it_is_freed_again() -> None:
    before = observe.largest_process_peak_bytes()
    assert before is not None
    block = bytearray(before + 50_000_000)
    del block
    after = observe.largest_process_peak_bytes()
    assert after is not None
    assert after - before >= 50_000_000


def test_the_peak_begins_anew_so_that_what_is_above_the_idle_process_is_the_work() -> None:
    block = bytearray(100_000_000)
    del block
    idle = observe.reset_peak()
    assert idle is not None
    peak = observe.largest_process_peak_bytes()
    assert peak is not None
    assert observe._status_bytes("VmHWM") < idle + 50_000_000  # type: ignore[operator]  # Linux has it


def test_a_sample_has_the_idle_process_of_before_the_clock(doubled: SampleResult) -> None:
    values: dict[str, Any] = doubled.values
    idle, peak = values["idle_process_bytes"], values["largest_process_peak_bytes"]
    assert 4_000_000 < idle <= peak + 1_000_000  # the system counts pages a little behind


@pytest.mark.parametrize("refusal", [FileNotFoundError, PermissionError, OSError])
def test_no_idle_process_is_made_up_where_the_peak_can_not_begin_anew(
    monkeypatch: pytest.MonkeyPatch, refusal: type[OSError]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise refusal

    monkeypatch.setattr(Path, "write_text", refuse)
    assert observe.reset_peak() is None
    monkeypatch.setattr(Path, "read_text", refuse)
    assert observe._status_bytes("VmRSS") is None


def test_no_peak_is_made_up_where_the_system_tells_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert observe.largest_process_peak_bytes() is None

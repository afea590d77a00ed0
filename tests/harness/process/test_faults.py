"""Runners that go wrong become a record with a reason, and the others are measured."""

import re
import sys
from pathlib import Path

import pytest
from planted import HOME, by_runner, eventually, is_alive, read, session, take, task

ABORTED = "exit status" if sys.platform == "win32" else "killed by signal 6)"
CONNECTION_CLOSED = (
    ("timed_out", "the time limit of the sample has passed")  # its connection is no file that could be closed
    if sys.platform == "win32"
    else ("failed", "it closed its connection and kept running")
)
NOT_RECORDED = "the result can't be recorded: "
WAYS = {
    "prints rubbish": ("ok", ""),
    "aborts": ("failed", f"the process ended ({ABORTED}"),
    "complains without end": ("failed", "the process ended (exit status 3): that was all"),
    "complains and dies": ("failed", "the process ended (exit status 3): no room in place.db"),
    "exits": ("failed", "SystemExit: 7"),
    "raises": ("failed", "OSError: no such file: place.db"),
    "raises what no file can hold": ("failed", "ValueError: half a letter: ?"),
    "closes everything": CONNECTION_CLOSED,
    "answers wrongly": ("failed", "wrong answer: they are all 0"),
    "answers nonsense": ("failed", f"{NOT_RECORDED}Out of range float values"),
    "answers beyond all digits": ("failed", f"{NOT_RECORDED}Exceeds the limit"),
    "answers without end": ("failed", "it sent an invalid message: "),
    "misses a module": ("failed", "ModuleNotFoundError: No module named 'no_such_module'"),
}
RUNNERS = {
    "doubles": ("ok", ""),
    "breaks": ("ok", ""),
    "misspells_its_limit": ("failed", "ValueError: AT_ONCE is 'ones'; the scenario allows: one"),
    "runs_too_many": ("failed", "ran 3 at once; the limit was 1"),
    "misses_a_package": ("unsupported", "needs no_such_package, which no file in requirements/runners pins"),
    "has_no_family": ("failed", "FAMILY is missing; it must be one of sync, threads, "),
    "forever": ("timed_out", "the time limit of the sample has passed"),
    "answers": ("ok", ""),
    "answers_nobody": ("failed", "wrong answer: ZeroDivisionError: "),
    "ends_by_itself": ("failed", "the server exited"),
}


def test_every_planted_runner_is_recorded_with_its_reason(tmp_path: Path) -> None:
    run = session(tmp_path, ("misbehaving", "hanging", "server"), rounds=1)
    run.measure()
    record = read(run)
    assert record.complete
    measured = {runner: series for (runner, role), series in by_runner(record).items() if role == "subject"}
    assert measured.keys() == RUNNERS.keys()
    for runner, (status, reason) in RUNNERS.items():
        series = measured[runner]
        assert (series.status, bool(series.samples.values)) == (status, status == "ok"), runner
        assert (series.reason or "").startswith(reason)
    observed = measured["runs_too_many"].observed
    assert observed is not None
    assert (observed.peak_in_flight, observed.asked_at_once, observed.threads) == (3, 1, 3)


@pytest.mark.parametrize("way", WAYS)
def test_each_failure_has_a_reason_without_private_paths(way: str) -> None:
    status, reason = WAYS[way]
    result = take(task("misbehaving", "breaks", parameters={"way": way}))
    assert (result.status, bool(result.values)) == (status, status == "ok")
    assert (result.reason or "").startswith(reason)
    assert not re.search(r"/\w+/", result.reason or "")
    assert len(result.reason or "") <= 300


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such shell")
def test_processes_left_behind_are_killed_with_the_sample() -> None:
    result = take(task("misbehaving", "breaks", parameters={"way": "leaves processes"}))
    left = [int(process) for process in (result.reason or "").removeprefix("RuntimeError: ").split()]
    assert len(left) == 2
    assert eventually(lambda: not any(map(is_alive, left)))


@pytest.mark.skipif(sys.platform != "linux", reason="processes of another session are found only on Linux")
@pytest.mark.parametrize(
    "way",
    [
        "leaves a session",
        "leaves a session with nothing in its environment",
        "leaves a daemon",
        "leaves a session, then hangs",
    ],
)
def test_processes_that_leave_the_group_are_killed_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    hangs = way.endswith("hangs")
    status, reason = ("timed_out", "the time limit of the sample has passed; ") if hangs else ("failed", "")
    result = take(task("misbehaving", "breaks", parameters={"way": way}, time_limit_s=2.0 if hangs else 0))
    left = [int(path.stem) for path in tmp_path.glob("*.left")]
    assert left
    assert not any(map(is_alive, left))
    assert (result.status, result.values) == (status, {})
    assert (result.reason or "").startswith(f"{reason}it left behind, outside its process group: sleep")

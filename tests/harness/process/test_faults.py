"""What becomes of runners that go wrong: a record with the reason, and the others are measured."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from planted import HOME, by_runner, eventually, is_alive, read, request, session, take

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Series

HOW_ABORTED = "exit status" if sys.platform == "win32" else "killed by signal 6)"
LINE_CLOSED = (
    ("timed_out", "the time limit of the sample has passed")  # there the line is no file that could be closed so
    if sys.platform == "win32"
    else ("failed", "it closed its connection and went on")
)
WAYS = {
    "prints rubbish": ("ok", ""),
    "aborts": ("failed", f"the process ended ({HOW_ABORTED}"),
    "complains without end": ("failed", "the process ended (exit status 3): that was all"),
    "complains and dies": ("failed", "the process ended (exit status 3): no room in place.db"),
    "exits": ("failed", "SystemExit: 7"),
    "raises": ("failed", "OSError: no such file: place.db"),
    "raises what no file can hold": ("failed", "ValueError: half a letter: ?"),
    "closes everything": LINE_CLOSED,
    "answers wrongly": ("failed", "wrong answer: they are all 0"),
    "answers nonsense": ("failed", "what was measured can't be recorded: Out of range float values"),
    "answers words": ("failed", "what was measured can't be recorded: Expected "),
    "answers beyond 64 bits": ("failed", "what was measured can't be recorded: Expected "),
    "answers beyond all digits": ("failed", "what was measured can't be recorded: Exceeds the limit"),
    "answers next to nothing": ("failed", "what was measured can't be recorded: a number nearer to 0 than 1e-300"),
    "answers without end": ("failed", "it sent what is not a message: it goes on after 16777216 bytes"),
    "misses a module": ("failed", "ModuleNotFoundError: No module named 'no_such_module'"),
}
EXPECTED = {
    "doubles": ("ok", ""),
    "breaks": ("ok", ""),
    "misspells_its_limit": ("failed", "ValueError: AT_ONCE is 'ones'; the scenario's words are: one"),
    "runs_too_many": ("failed", "ran 3 at once where 1 were asked for"),
    "misses_a_package": ("unsupported", "needs no_such_package, which no file in requirements/runners pins"),
    "has_no_family": ("failed", "FAMILY is missing; it must be one of sync, threads, "),
    "forever": ("timed_out", "the time limit of the sample has passed"),
    "answers": ("ok", ""),
    "answers_nobody": ("failed", "wrong answer: ZeroDivisionError: "),
    "is_ready_nowhere": ("failed", "the server reported that it is ready on no port: 'abc'"),
    "ends_by_itself": ("failed", "the server ended by itself"),
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Series]:
    run = session(tmp_path_factory.mktemp("run"), ("misbehaving", "hanging", "server"), rounds=1)
    run.measure()
    record = read(run)
    assert record.complete
    return {runner: series for (runner, role), series in by_runner(record).items() if role == "subject"}


def test_every_planted_runner_is_recorded(measured: dict[str, Series]) -> None:
    assert measured.keys() == EXPECTED.keys()


@pytest.mark.parametrize("runner", EXPECTED)
def test_status_and_reason_say_what_went_wrong_and_values_are_kept_only_where_nothing_did(
    measured: dict[str, Series], runner: str
) -> None:
    status, reason = EXPECTED[runner]
    assert measured[runner].status == status
    assert bool(measured[runner].samples.values) == (status == "ok")
    assert (measured[runner].reason or "").startswith(reason)


@pytest.mark.parametrize("way", WAYS)
def test_whatever_a_runner_does_its_sample_has_a_reason_that_tells_no_private_path(way: str) -> None:
    status, reason = WAYS[way]
    taken = take(request("misbehaving", "breaks", parameters={"way": way}))
    assert taken.status == status
    assert bool(taken.values) == (status == "ok")
    assert (taken.reason or "").startswith(reason)
    assert not re.search(r"/\w+/", taken.reason or "")
    assert len(taken.reason or "") <= 300


def test_too_many_at_once_are_seen_though_the_answers_are_right(measured: dict[str, Series]) -> None:
    observed = measured["runs_too_many"].observed
    assert observed is not None
    assert (observed.peak_in_flight, observed.asked_at_once, observed.threads) == (3, 1, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another system's kind is what is left behind")
def test_what_a_runner_leaves_behind_is_ended_with_its_sample() -> None:
    taken = take(request("misbehaving", "breaks", parameters={"way": "leaves processes"}))
    left = [int(process) for process in (taken.reason or "").removeprefix("RuntimeError: ").split()]
    assert len(left) == 2
    assert eventually(lambda: not any(map(is_alive, left)))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what has a session of its own can't be seen")
@pytest.mark.parametrize(
    ("way", "status", "reason"),
    [
        ("leaves a session", "failed", ""),
        ("leaves a session with nothing in its environment", "failed", ""),
        ("leaves a daemon", "failed", ""),
        ("leaves a session, then hangs", "timed_out", "the time limit of the sample has passed; "),
    ],
)
def test_what_leaves_the_process_group_is_ended_with_the_sample_which_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, status: str, reason: str
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    limit = {"time_limit_s": 2.0} if status == "timed_out" else {}  # it is waited for there alone
    taken = take(request("misbehaving", "breaks", parameters={"way": way}, **limit))
    left = [int(path.stem) for path in tmp_path.glob("*.left")]
    assert left
    assert not any(map(is_alive, left))
    assert (taken.status, taken.values) == (status, {})
    assert (taken.reason or "").startswith(f"{reason}it left behind, outside its process group: sleep")

"""What becomes of runners that go wrong: a record with the reason, and the others are measured."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from planted import by_runner, eventually, is_alive, read, request, session, take

if TYPE_CHECKING:
    from runners.harness.record.model import Series

HOW_ABORTED = "exit status" if sys.platform == "win32" else "killed by signal 6)"
LINE_CLOSED = (
    ("timed_out", "the time limit of the sample has passed")  # there the line is no file that could be closed so
    if sys.platform == "win32"
    else ("failed", "it closed its connection and went on")
)
EXPECTED = {
    "doubles": ("ok", ""),
    "prints_rubbish": ("ok", ""),
    "aborts": ("failed", f"the process ended ({HOW_ABORTED}"),
    "complains_and_dies": ("failed", "the process ended (exit status 3): no room in place.db"),
    "exits": ("failed", "SystemExit: 7"),
    "raises": ("failed", "OSError: no such file: place.db"),
    "raises_surrogates": ("failed", "ValueError: half a letter: ?"),
    "closes_everything": LINE_CLOSED,
    "misspells_its_limit": ("failed", "ValueError: AT_ONCE is 'ones'; the scenario's words are: one"),
    "answers_wrongly": ("failed", "wrong answer: they are all 0"),
    "answers_nonsense": ("failed", "what was measured can't be recorded: Out of range float values"),
    "answers_without_end": ("failed", "what was measured can't be recorded: Expected "),
    "runs_too_many": ("failed", "ran 3 at once where 1 were asked for"),
    "misses_a_module": ("failed", "ModuleNotFoundError: No module named 'no_such_module'"),
    "misses_a_package": ("unsupported", "needs no_such_package, which no file in requirements/runners pins"),
    "needs_a_newer_python": ("unsupported", "needs Python 3.99 or later; this is 3.11.7"),
    "has_no_family": ("failed", "FAMILY is None; it must be one of sync, threads, "),
    "forever": ("timed_out", "the time limit of the sample has passed"),
    "answers": ("ok", ""),
    "answers_nobody": ("failed", "wrong answer: ZeroDivisionError: "),
    "ends_by_itself": ("failed", "the server ended by itself"),
    "never_ready": ("timed_out", "the time limit of the sample has passed"),
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Series]:
    run = session(tmp_path_factory.mktemp("run"), ("misbehaving", "hanging", "server", "unready"), rounds=1)
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


def test_no_reason_tells_a_private_path(measured: dict[str, Series]) -> None:
    reasons = [series.reason or "" for series in measured.values()]
    assert not re.search(r"/\w+/", " ".join(reasons).replace("requirements/runners", ""))
    assert not any(len(reason) > 300 for reason in reasons)


def test_too_many_at_once_are_seen_though_the_answers_are_right(measured: dict[str, Series]) -> None:
    observed = measured["runs_too_many"].observed
    assert observed is not None
    assert (observed.peak_in_flight, observed.asked_at_once, observed.threads) == (3, 1, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another system's kind is what is left behind")
def test_what_a_runner_leaves_behind_is_ended_with_its_sample() -> None:
    taken = take(request("misbehaving", "_leaves_processes"))
    left = [int(process) for process in (taken.reason or "").removeprefix("RuntimeError: ").split()]
    assert len(left) == 2
    assert eventually(lambda: not any(map(is_alive, left)))

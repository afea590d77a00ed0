"""When requests fall due, how late they are begun and what is kept of many latencies: told the time, never waiting."""

from __future__ import annotations

import selectors
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from runners.harness.http_load import generator, schedule
from runners.harness.http_load.schedule import Due, Load, Schedule

if TYPE_CHECKING:
    from runners.harness.contract import Value

MS = 1_000_000
OPEN = Load(at_once=2, requests=5, timeout_s=0.05, rate_per_s=100.0)
"""A request every 10 ms."""


def test_in_an_open_loop_request_k_is_due_k_times_the_interval_after_the_start_whatever_was_late() -> None:
    made = Schedule(OPEN, 7 * MS)
    assert made.next_ns(0) == 7 * MS
    assert [made.take(now_ms * MS).since_ns for now_ms in (7, 18, 30, 39, 48)] == [
        due_ms * MS for due_ms in (7, 17, 27, 37, 47)
    ]
    assert made.late_ns == [0, 1 * MS, 3 * MS, 2 * MS, 1 * MS]
    assert made.is_over


def test_in_a_closed_loop_a_request_is_due_whenever_it_can_be_made() -> None:
    made = Schedule(Load(2, 2, 0.05), 0)
    assert made.next_ns(123) == 123
    assert made.take(456) == Due(456, has_run_out=False)
    assert schedule.schedule_columns(made) == {}


def test_a_request_that_waited_for_a_slot_is_late_from_when_it_had_one_alone() -> None:
    made = Schedule(OPEN, 0)
    made.take(0)
    made.free_slot(25 * MS)
    assert made.take(26 * MS) == Due(10 * MS, has_run_out=False)
    assert made.late_ns == [0, 1 * MS]
    assert made.held == 1


def test_a_request_whose_time_limit_passed_before_it_had_a_slot_has_run_out() -> None:
    made = Schedule(OPEN, 0)
    assert not made.take(50 * MS - 1).has_run_out
    assert made.take(60 * MS).has_run_out


def test_a_percentile_is_a_value_that_was_measured() -> None:
    assert [schedule.nearest_rank([*range(1, 101)], percent) for percent in (0, 1, 50, 99, 100)] == [1, 1, 50, 99, 100]
    assert [schedule.nearest_rank([3, 9], percent) for percent in (0, 50, 51, 100)] == [3, 3, 9, 9]


def test_failed_requests_stand_in_the_percentiles_with_their_time_limit() -> None:
    columns = schedule.latency_columns(Load(2, 100, 0.05), [latency * MS for latency in range(1, 41)])
    assert columns["latency_all_us"] == sum(range(1, 41)) * 1000
    assert columns["latency_median_us"] == columns["latency_p99_us"] == columns["latency_worst_us"] == 50_000
    trace = columns["latency_trace_us"]
    assert isinstance(trace, list)
    assert (len(trace), trace[0], trace[40], trace[41]) == (101, 1_000, 40_000, 50_000)
    assert trace == sorted(trace)


def test_how_late_the_load_was_is_its_99th_percentile_and_its_worst() -> None:
    made = Schedule(Load(1, 200, 1.0, 1000.0), 0)
    for number in range(200):
        made.take(number * MS + (5 * MS if number in {3, 77} else 70_000))
    assert schedule.schedule_columns(made) == {
        "load_start_late_us": 70,
        "load_start_worst_us": 5_000,
        "load_held_count": 0,
    }
    made.late_ns[9] = 2 * MS
    assert schedule.schedule_columns(made)["load_start_late_us"] == 2_000


@pytest.mark.parametrize(
    ("requests", "columns", "is_broken"),
    [
        (100, {}, True),
        (100, {"load_start_late_us": 5_000}, False),
        (100, {"elapsed_ns": 1_101 * MS}, False),  # the server did not keep up
        (100, {"failed_count": 1}, False),
        (100, {"load_start_late_us": None}, False),
        (99, {}, False),
    ],
)
def test_a_late_load_fails_its_sample_only_where_the_server_kept_up(
    requests: int, columns: dict[str, Value], *, is_broken: bool
) -> None:
    late: dict[str, Value] = {"load_start_late_us": 5_001, "elapsed_ns": 1_080 * MS, "failed_count": 0}
    found = schedule.broken_schedule(Load(2, requests, 0.05, 100.0), late | columns)
    assert found == ("the load did not keep its schedule: 1 of 100 requests was sent 5 ms late or more" * is_broken)


class Clock:
    """Stands in for the clock, and for what waits: waiting makes it later, by exactly as long as was asked."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.waited_s: list[float] = []

    def wait(self, _sockets: object, _none: object, _other: object, timeout_s: float) -> None:
        self.waited_s.append(timeout_s)
        self.now_ns += round(timeout_s * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    told = Clock()
    times = SimpleNamespace(
        perf_counter_ns=lambda: told.now_ns, thread_time_ns=lambda: 0, monotonic=lambda: told.now_ns / 1e9
    )
    monkeypatch.setattr(generator, "time", times)
    monkeypatch.setattr(generator, "select", SimpleNamespace(select=told.wait))
    return told


class Refusing(generator.Connections):
    """Notes when it would connect, and has every connection refused."""

    def __init__(self, load: Load) -> None:
        super().__init__(1, load)
        self.begun: list[tuple[int, int]] = []

    def _connect(self, due_ns: int, now_ns: int) -> None:
        self.begun.append((due_ns, now_ns))
        self.failures["connect_failed"] += 1


def test_the_load_generator_waits_for_what_is_due_and_makes_each_request_then(clock: Clock) -> None:
    made = Refusing(OPEN)
    made.make(10.0)
    assert made.begun == [(due_ms * MS, due_ms * MS) for due_ms in range(0, 50, 10)]
    assert clock.waited_s == [0.01] * 4
    assert (made.elapsed_ns, made.failures) == (40 * MS, {"connect_failed": 5})
    assert generator.columns(made)["load_start_late_us"] == 0


class Stalling(generator.Connections):
    """Its connections are never answered."""

    def _connect(self, due_ns: int, now_ns: int) -> None:
        self._open[generator._Connection(due_ns, now_ns)] = None

    def _end(self, connection: generator._Connection, failure: generator.Failure | None, _ended_ns: int = 0) -> None:
        self._selector.register(connection.socket, selectors.EVENT_WRITE)
        super()._end(connection, failure)


def test_a_server_that_stalls_is_charged_with_everybody_who_came_meanwhile(clock: Clock) -> None:
    made = Stalling(1, Load(at_once=2, requests=8, timeout_s=0.05, rate_per_s=100.0))
    made.make(10.0)
    columns = generator.columns(made)
    assert (columns["timed_out_count"], columns["completed_count"]) == (8, 0)
    assert clock.now_ns == 120 * MS  # request 7 was due at 70 ms
    assert columns["load_held_count"] == 6  # all but the two for which there was a slot at once
    assert columns["load_start_late_us"] == 0
    assert columns["latency_p99_us"] == 50_000


def test_a_system_that_gives_no_more_files_refuses_requests_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more() -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(generator, "socket", SimpleNamespace(socket=no_more))
    measured = generator.measure(1, Load(2, 3, 0.05))
    assert measured.failures == {"connect_failed": 3}

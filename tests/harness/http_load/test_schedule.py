"""When requests are due, how late they start, and what is kept of many latencies. On a fake clock."""

import selectors
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from runners.harness.http_load import generator, schedule
from runners.harness.http_load.schedule import Load, Schedule
from runners.harness.record.model import Value

MS = 1_000_000
OPEN = Load(at_once=2, requests=5, timeout_s=0.05, rate_per_s=100.0)
"""A request every 10 ms."""


def test_only_an_open_loop_has_due_times() -> None:
    made = Schedule(OPEN, 7 * MS)
    assert made.next_ns(0) == 7 * MS
    due_ns = [made.take(now_ms * MS) for now_ms in (7, 18, 30, 39, 48)]
    assert due_ns == [due_ms * MS for due_ms in (7, 17, 27, 37, 47)]
    assert made.late_ns == [0, 1 * MS, 3 * MS, 2 * MS, 1 * MS]
    assert made.is_over
    waiting = Schedule(OPEN, 0)
    waiting.take(0)
    waiting.free_slot(25 * MS)
    assert waiting.take(26 * MS) == 10 * MS
    assert (waiting.late_ns, waiting.held) == ([0, 1 * MS], 1), "waiting for a slot is not the generator's lateness"
    closed = Schedule(Load(2, 2, 0.05), 0)
    assert closed.next_ns(123) == 123
    assert closed.take(456) == 456
    assert schedule.schedule_columns(closed) == {}


def test_percentiles_count_failed_requests_with_their_limit() -> None:
    assert [schedule.nearest_rank([*range(1, 101)], percent) for percent in (0, 1, 50, 99, 100)] == [1, 1, 50, 99, 100]
    assert [schedule.nearest_rank([3, 9], percent) for percent in (0, 50, 51, 100)] == [3, 3, 9, 9]
    columns = schedule.latency_columns(Load(2, 100, 0.05), [latency * MS for latency in range(1, 41)])
    assert columns["latency_all_us"] == sum(range(1, 41)) * 1000
    assert columns["latency_median_us"] == columns["latency_p99_us"] == columns["latency_worst_us"] == 50_000
    assert columns["latency_trace_us"] == [1_000, *range(1_000, 41_000, 1_000), *[50_000] * 60]
    made = Schedule(Load(1, 200, 1.0, 1000.0), 0)
    made.late_ns = [5 * MS if number in {3, 77} else 70_000 for number in range(200)]
    late = {"load_start_late_us": 70, "load_start_worst_us": 5_000, "load_held_count": 0}
    assert schedule.schedule_columns(made) == late


@pytest.mark.parametrize(
    ("requests", "columns", "is_broken"),
    [
        (100, {}, True),
        (100, {"load_start_late_us": 5_000}, False),
        (100, {"elapsed_ns": 1_101 * MS}, False),  # the server did not keep up
        (100, {"failed_count": 1}, False),
        (99, {}, False),
    ],
)
def test_late_load_fails_a_sample_only_if_the_server_kept_up(
    requests: int, columns: dict[str, Value], *, is_broken: bool
) -> None:
    late: dict[str, Value] = {"load_start_late_us": 5_001, "elapsed_ns": 1_080 * MS, "failed_count": 0}
    assert bool(schedule.broken_schedule(Load(2, requests, 0.05, 100.0), late | columns)) is is_broken


class Clock:
    """A clock that only waiting advances, by exactly the requested time."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.waited_s: list[float] = []

    def wait(self, _sockets: object, _none: object, _other: object, timeout_s: float) -> None:
        self.waited_s.append(timeout_s)
        self.now_ns += round(timeout_s * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    times = SimpleNamespace(
        perf_counter_ns=lambda: fake.now_ns, thread_time_ns=lambda: 0, monotonic=lambda: fake.now_ns / 1e9
    )
    monkeypatch.setattr(generator, "time", times)
    monkeypatch.setattr(generator, "select", SimpleNamespace(select=fake.wait))
    return fake


def test_generator_makes_each_request_when_it_is_due(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    made, connect = generator.Connections(1, OPEN), Mock()
    monkeypatch.setattr(made, "_connect", connect)
    made.make(10.0)
    assert [call.args for call in connect.call_args_list] == [(due_ms * MS, due_ms * MS) for due_ms in range(0, 50, 10)]
    assert (clock.waited_s, made.elapsed_ns) == ([0.01] * 4, 40 * MS)


class Stalling(generator.Connections):
    """Its connections are never answered."""

    def _connect(self, due_ns: int, now_ns: int) -> None:
        self._open[generator._Connection(due_ns, now_ns)] = None

    def _end(self, connection: generator._Connection, failure: generator.Failure | None, _ended_ns: int = 0) -> None:
        self._selector.register(connection.socket, selectors.EVENT_WRITE)
        super()._end(connection, failure)


def test_stalled_server_is_charged_for_requests_due_meanwhile(clock: Clock) -> None:
    made = Stalling(1, Load(at_once=2, requests=8, timeout_s=0.05, rate_per_s=100.0))
    made.make(10.0)
    columns = generator.columns(made)
    assert (columns["timed_out_count"], columns["completed_count"]) == (8, 0)
    assert clock.now_ns == 120 * MS  # request 7 was due at 70 ms
    assert columns["load_held_count"] == 6  # all but the two that had a slot at once
    assert columns["load_start_late_us"] == 0
    assert columns["latency_p99_us"] == 50_000

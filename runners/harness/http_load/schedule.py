"""Decides when each request of a load is due. It never reads the clock itself.

In a closed loop a request is due as soon as a slot is free, so a server that stalls gets fewer requests, and those that
would have waited are never made. In an open loop request k is due k / rate after the start, whatever the server does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.contract import Parameters, Value

NS_PER_US = 1000
MAX_LATE_NS = 5_000_000
"""How late 99 of 100 requests of an open loop may be before it is not the requested load.

It aims at 1 ms, and records what it achieved. With few cores the server takes processor time from the load generator,
so some lateness is the server's own; latencies count from when requests were due, and so include it.
"""
KEEPS_UP = 1.1
MIN_REQUESTS = 100
"""Fewer have no 99th percentile."""
PERCENTS = range(101)


@dataclass(frozen=True)
class Load:
    at_once: int
    """The most requests in flight; each starts when a slot is free."""
    requests: int
    timeout_s: float
    """A request fails if its answer isn't complete after this, from its start or, in an open loop, its due time."""
    rate_per_s: float = 0.0
    """How many requests are due per second, evenly; 0 is a closed loop."""
    path: str = ""
    """What is requested of a user's service, whose answers may have a body; empty for our servers' empty answers."""

    @property
    def timeout_ns(self) -> int:
        return round(self.timeout_s * 1e9)


def load_from(parameters: Parameters) -> Load:
    return Load(
        int(parameters["at_once"]),
        int(parameters["requests"]),
        float(parameters["timeout_s"]),
        float(parameters.get("rate_per_s", 0)),
    )


class Schedule:
    """When each request of one load is due, and how late the load generator sent it."""

    def __init__(self, load: Load, started_ns: int) -> None:
        self._load = load
        self._started_ns = started_ns
        self._freed_ns = started_ns
        self.made = 0
        self.late_ns: list[int] = []
        """By request of an open loop: how long it waited after it was due and had a slot."""
        self.held = 0
        """Requests of an open loop that were due while all slots were taken."""

    @property
    def is_over(self) -> bool:
        """True if all requests have been made."""
        return self.made == self._load.requests

    def next_ns(self, now_ns: int) -> int:
        """Return when the next request is due if a slot is free; in a closed loop, now."""
        if not self._load.rate_per_s:
            return now_ns
        return self._started_ns + round(self.made * 1e9 / self._load.rate_per_s)

    def free_slot(self, now_ns: int) -> None:
        """Note that all slots were taken and one is free again."""
        self._freed_ns = now_ns

    def take(self, now_ns: int) -> int:
        """Start the next request, and return when it was due."""
        due_ns = self.next_ns(now_ns)
        self.made += 1
        if self._load.rate_per_s:
            self.held += self._freed_ns > due_ns
            self.late_ns.append(now_ns - max(due_ns, self._freed_ns))
        return due_ns


def nearest_rank(ascending: Sequence[int], percent: int) -> int:
    """Return a percentile: the smallest value that at least *percent* of the values don't exceed."""
    return ascending[max(math.ceil(len(ascending) * percent / 100) - 1, 0)]


def latency_columns(load: Load, latencies_ns: Sequence[int]) -> dict[str, Value]:
    """Summarise latencies that are too many to keep one by one.

    A request without a right answer counts with its time limit: to leave it out would improve the figures.
    """
    limit_us = round(load.timeout_s * 1e6)
    answered = [round(latency_ns / NS_PER_US) for latency_ns in latencies_ns]
    ascending = sorted([*answered, *[limit_us] * (load.requests - len(answered))])
    return {
        "latency_all_us": sum(answered),
        "latency_median_us": nearest_rank(ascending, 50),
        "latency_p99_us": nearest_rank(ascending, 99),
        "latency_worst_us": ascending[-1],
        "latency_trace_us": [nearest_rank(ascending, percent) for percent in PERCENTS],
    }


def schedule_columns(schedule: Schedule) -> dict[str, Value]:
    """Return how late an open loop's load generator was; empty for a closed loop."""
    if not schedule.late_ns:
        return {}
    ascending = sorted(schedule.late_ns)
    return {
        "load_start_late_us": round(nearest_rank(ascending, 99) / NS_PER_US),
        "load_start_worst_us": round(ascending[-1] / NS_PER_US),
        "load_held_count": schedule.held,
    }


def broken_schedule(load: Load, columns: Mapping[str, Value]) -> str:
    """Return why a sample didn't have the requested load, or an empty string.

    A server that falls behind also takes processor time from the load generator. Its lateness is then data: latencies
    count from when requests were due.
    """
    late_us, elapsed_ns, failed = (columns.get(name) for name in ("load_start_late_us", "elapsed_ns", "failed_count"))
    if not isinstance(late_us, int) or not isinstance(elapsed_ns, int) or failed or load.requests < MIN_REQUESTS:
        return ""
    keeps_up = elapsed_ns <= KEEPS_UP * load.requests / load.rate_per_s * 1e9
    if not keeps_up or late_us * NS_PER_US <= MAX_LATE_NS:
        return ""
    return f"the load did not keep its schedule: 1 of 100 requests was sent {late_us / 1e3:.3g} ms late or more"

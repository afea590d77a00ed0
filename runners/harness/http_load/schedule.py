"""What to ask of a server, and when each request falls due. Pure: it is given the time.

In a closed loop a request falls due as soon as a slot is free, so a server that stalls is asked less often, and the
requests that would have waited are never made. In an open loop request k falls due k / rate after the start, whatever
the server does. Our side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.contract import Parameters, Value

NS_PER_US = 1000
MOST_LATE_NS = 5_000_000
"""How late an open loop may be with 99 of 100 requests before it is not the load that was asked for.

It aims at 1 ms, and records what it reached. On few cores the server that it asks takes the processor from it, so that
some lateness is the server's own; latencies count from when requests were due, and have it in them.
"""
KEEPS_UP = 1.1
"""A server keeps up where the load is over within so many times its length."""
LEAST_REQUESTS = 100
"""Of fewer no 99th percentile can be had."""
PERCENTS = range(101)


@dataclass(frozen=True)
class Load:
    """What to ask of a server."""

    at_once: int
    """The most requests in flight; each begins when a slot is free."""
    requests: int
    timeout_s: float
    """A request that has no whole answer after this has failed; in an open loop, after this from when it was due."""
    rate_per_s: float = 0.0
    """How many requests fall due a second, evenly; 0: a closed loop."""


def load_from(parameters: Parameters) -> Load:
    """Return the load that a case's parameters ask for: at_once, requests, timeout_s; in an open loop rate_per_s."""
    return Load(
        int(parameters["at_once"]),
        int(parameters["requests"]),
        float(parameters["timeout_s"]),
        float(parameters.get("rate_per_s", 0)),
    )


class Due(NamedTuple):
    """A request that is due."""

    since_ns: int
    """Its latency counts from here."""
    has_run_out: bool
    """Whether its time limit has passed before a slot was free for it."""


class Schedule:
    """When each request of one load falls due, and how late the load generator was with it."""

    def __init__(self, load: Load, started_ns: int) -> None:
        """Begin at *started_ns*."""
        self._load = load
        self._started_ns = started_ns
        self._freed_ns = started_ns
        self.made = 0
        self.late_ns: list[int] = []
        """By request: how long after it was due, and a slot free for it, it was begun. Of an open loop alone."""
        self.held = 0
        """Requests of an open loop that fell due while all slots were taken."""

    @property
    def is_over(self) -> bool:
        """Return whether all requests have been made."""
        return self.made == self._load.requests

    def next_ns(self, now_ns: int) -> int:
        """Return when the next request falls due, with a slot free for it: in a closed loop, now."""
        if not self._load.rate_per_s:
            return now_ns
        return self._started_ns + round(self.made * 1e9 / self._load.rate_per_s)

    def free_slot(self, now_ns: int) -> None:
        """Note that of all slots, which were taken, one is free again."""
        self._freed_ns = now_ns

    def take(self, now_ns: int) -> Due:
        """Return the next request, which is due and is begun now."""
        due_ns = self.next_ns(now_ns)
        self.made += 1
        if self._load.rate_per_s:
            self.held += self._freed_ns > due_ns
            self.late_ns.append(now_ns - max(due_ns, self._freed_ns))
        return Due(due_ns, now_ns - due_ns >= round(self._load.timeout_s * 1e9))


def nearest_rank(ascending: Sequence[int], percent: int) -> int:
    """Return a percentile by nearest rank: the least of the values that so many per cent of them do not exceed."""
    return ascending[max(math.ceil(len(ascending) * percent / 100) - 1, 0)]


def latency_columns(load: Load, latencies_ns: Sequence[int]) -> dict[str, Value]:
    """Return what is kept of the latencies of an open loop, of which there are too many to keep each.

    A request without a right answer counts as one that took the time limit: to leave it out would better the figures.
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
    """Return how late the load generator itself was with the requests of an open loop; nothing of a closed one."""
    if not schedule.late_ns:
        return {}
    ascending = sorted(schedule.late_ns)
    return {
        "load_start_late_us": round(nearest_rank(ascending, 99) / NS_PER_US),
        "load_start_worst_us": round(ascending[-1] / NS_PER_US),
        "load_held_count": schedule.held,
    }


def broken_schedule(load: Load, columns: Mapping[str, Value]) -> str:
    """Return why a sample is not of the load that was asked for; empty where it is.

    A server that falls behind takes the processor from the load generator as well. There its lateness is data: latency
    counts from when a request was due, however late it was sent.
    """
    late_us, elapsed_ns, failed = (columns.get(name) for name in ("load_start_late_us", "elapsed_ns", "failed_count"))
    if not isinstance(late_us, int) or not isinstance(elapsed_ns, int) or failed or load.requests < LEAST_REQUESTS:
        return ""
    keeps_up = elapsed_ns <= KEEPS_UP * load.requests / load.rate_per_s * 1e9
    if not keeps_up or late_us * NS_PER_US <= MOST_LATE_NS:
        return ""
    return f"the load did not keep its schedule: 1 of 100 requests was sent {late_us / 1e3:.3g} ms late or more"

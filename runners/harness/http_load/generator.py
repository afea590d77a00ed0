"""Asks a server for answers and times them: one load generator for every server and cell.

Closed loop, as Apache Bench has it without keep-alive: `at_once` slots, each of which makes a request over a new
connection, reads until the server closes it, and at once makes the next. With a rate it is an open loop: requests fall
due on a schedule fixed beforehand and their latency counts from then, whether or not a slot was free. Our side.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from runners.harness.http_load.connections import Answer, Connections, Failure, Load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Value

__all__ = ["Answer", "Failure", "Load", "Measured", "columns", "load_of", "measure"]


@dataclass(frozen=True)
class Measured:
    """What came of a load."""

    answers: tuple[Answer, ...]
    """In the order in which they ended."""
    failures: Mapping[Failure, int]
    received_bytes: int
    elapsed_ns: int
    """From the first request's start to the last one's end."""
    cpu_ns: int
    """Processor time of the load generator itself."""
    late_ns: int
    """The longest that an answer or a due request may have waited for the load generator: the longest time between two
    looks at its sockets, or the worst delay of a scheduled request for which a slot was free."""
    peak_in_flight: int


def load_of(parameters: Parameters, seed: int) -> Load:
    """Return the load that a case's parameters ask for: at_once, requests, timeout_s and, if given, rate_per_s."""
    rate_per_s = float(parameters["rate_per_s"]) if "rate_per_s" in parameters else None
    return Load(
        int(parameters["at_once"]), int(parameters["requests"]), float(parameters["timeout_s"]), seed, rate_per_s
    )


def measure(port: int, load: Load, deadline_s: float = math.inf) -> Measured:
    """Put *load* on the server at *port* of this host. Failed requests are counted, never raised.

    Raises TimeoutError where the load is not over by *deadline_s* of time.monotonic().
    """
    connections = Connections(port, load)
    cpu_ns = time.thread_time_ns()
    elapsed_ns = connections.make(deadline_s)
    cpu_ns = time.thread_time_ns() - cpu_ns
    return Measured(
        answers=tuple(connections.answers),
        failures=dict(connections.failures),
        received_bytes=connections.received_bytes,
        elapsed_ns=elapsed_ns,
        cpu_ns=cpu_ns,
        late_ns=connections.late_ns,
        peak_in_flight=connections.peak_in_flight,
    )


def columns(measured: Measured) -> dict[str, Value]:
    """Return the raw columns of a sample. Latencies ascend, each given as its difference to the one before.

    So do connect times, apart from them: which request took which time to connect is not kept.
    """
    answers = measured.answers
    values: dict[str, Value] = {
        "elapsed_ns": measured.elapsed_ns,
        "completed_count": len(answers),
        "failed_count": sum(measured.failures.values()),
        "latency_all_us": sum(_us(answer.latency_ns) for answer in answers),
        "latency_steps_us": _steps([_us(answer.latency_ns) for answer in answers]),
        "connect_steps_us": _steps([_us(answer.connect_ns) for answer in answers]),
        "receive_all_us": _us(sum(answer.receive_ns for answer in answers)),
        "receive_worst_us": _us(max((answer.receive_ns for answer in answers), default=0)),
        "received_bytes": measured.received_bytes,
        "load_cpu_ns": measured.cpu_ns,
        "load_late_us": _us(measured.late_ns),
        "load_peak_in_flight_count": measured.peak_in_flight,
    }
    return values | {f"{failure}_count": measured.failures.get(failure, 0) for failure in get_args(Failure)}


def _steps(values: list[int]) -> list[int] | None:
    """Return *values* in ascending order, each as its difference to the one before; None where there are none."""
    if not values:
        return None
    ascending = sorted(values)
    return [after - before for before, after in zip([0, *ascending], ascending, strict=False)]


def _us(duration_ns: int) -> int:
    return round(duration_ns / 1000)

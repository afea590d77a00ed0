"""Asks a server for answers and times them: one load generator for every server and cell.

Closed loop, as Apache Bench has it without keep-alive: `at_once` slots, each of which makes a request over a new
connection, reads until the server closes it, and at once makes the next. Our side.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, get_args

from runners.harness.http_load.connections import Connections, Failure, Load

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Value

__all__ = ["Load", "columns", "load_of", "measure"]


def load_of(parameters: Parameters) -> Load:
    """Return the load that a case's parameters ask for: at_once, requests, timeout_s."""
    return Load(int(parameters["at_once"]), int(parameters["requests"]), float(parameters["timeout_s"]))


def measure(port: int, load: Load, deadline_s: float = math.inf) -> Connections:
    """Put *load* on the server at *port* of this host; what came of it is in the attributes of what is returned.

    Raises TimeoutError where the load is not over by *deadline_s* of time.monotonic().
    """
    connections = Connections(port, load)
    connections.make(deadline_s)
    return connections


def columns(measured: Connections) -> dict[str, Value]:
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

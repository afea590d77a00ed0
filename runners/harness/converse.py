"""What our side and a worker say to each other while a sample is taken. Our side."""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any

from runners.harness import load
from runners.harness.contract import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.channel import Message
    from runners.harness.contract import Value
    from runners.harness.launch import Request, Worker
    from runners.harness.sites import Sites


def conversation(request: Request, sites: Sites | None) -> Callable[[Worker], Message]:
    """Return what to say to the worker of *request*; it gives back the worker's report. Raises WorkerError."""
    if request.serves:
        return lambda worker: serve(worker, request)
    if sites is not None:
        return lambda worker: fetch(worker, sites)
    return lambda worker: worker.receive()


def fetch(worker: Worker, sites: Sites) -> Message:
    """Count, at the sites, how many pages were really in flight between the warm-up and the end."""
    message = worker.receive()
    if "warm" not in message:
        return message
    sites.reset()
    worker.send({})
    report = worker.receive()
    if report["status"] == "ok":
        peak, asked = sites.peak_in_flight(), report["observed"].get("asked_at_once")
        report["observed"]["peak_in_flight"] = peak
        if asked is not None and peak > asked:
            report.update(status="failed", reason=f"fetched {peak} pages at once where {asked} were asked for")
    return report


def serve(worker: Worker, request: Request) -> Message:
    """Put the load on a server once it is ready, between two readings of what it costs."""
    message = worker.receive()
    if "port" not in message:
        return message
    phases = {}
    begun_ns = time.perf_counter_ns()
    load.measure(message["port"], load.load_of({**request.parameters, **request.warm_up}, request.seed))
    phases["warm_up"] = time.perf_counter_ns() - begun_ns
    worker.send({})
    begun = worker.receive()
    if "begun" not in begun:
        return begun
    columns = load.columns(load.measure(message["port"], load.load_of(request.parameters, request.seed)))
    phases["measured"] = int(_number(columns["elapsed_ns"]))
    worker.send({})
    report = worker.receive()
    report["phases"].update(phases)
    report["values"].update(columns)
    if report["status"] == "ok" and (wrong := _judge(request, columns)):
        report.update(status="failed", reason=f"wrong answer: {wrong}")
    return report


def _number(value: Value) -> float:
    assert isinstance(value, int | float)  # noqa: S101 - the load generator gives numbers there
    return value


def _judge(request: Request, columns: Mapping[str, Value]) -> str:
    scenario: Any = importlib.import_module(f"{request.package}.{request.scenario}")
    try:
        job = scenario.prepare(request.parameters, Surroundings(request.cores, request.seed))
        wrong: str = scenario.judge(job, columns).wrong
    except Exception as error:  # noqa: BLE001 - the scenario's own code must not stop the run
        return f"{type(error).__name__}: {error}"
    return wrong

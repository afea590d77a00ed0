"""What our side and a worker say to each other while a sample is taken. Our side."""

from __future__ import annotations

import importlib
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from runners.harness.builds import host
from runners.harness.contract import Surroundings
from runners.harness.http_load import generator
from runners.harness.http_load.schedule import broken_schedule
from runners.harness.process.launcher import FAILED, Request, Worker, WorkerError, out_of_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.channel import Message
    from runners.harness.contract import Parameters, Value
    from runners.harness.http_load.origin_sites import Sites
    from runners.harness.process.launcher import Launcher

LAST_PORT = 65535


def request(scenario: Scenario, case: str, runner: str, *, python: Path, seed: int) -> Request:
    """Return what to ask a worker of *python* for."""
    parameters = scenario.cases[case]
    return Request(
        python=python,
        package=scenario.package,
        scenario=scenario.name,
        runner=runner,
        serves=scenario.runners[runner].serves,
        parameters=dict(parameters.parameters),
        warm_up=dict(parameters.warm_up),
        cores=host.usable_cores(),
        seed=seed,
        time_limit_s=parameters.time_limit_s,
    )


def conversation(request: Request) -> Callable[[Worker], Message]:
    """Return what to say to the worker of *request*; it gives back the worker's report. Raises WorkerError."""
    return partial(serve, request) if request.serves else Worker.receive


@contextmanager
def serving(launcher: Launcher, request: Request) -> Iterator[int]:
    """Keep the server of *request* up and give its port. Raises WorkerError."""
    with launcher.start(request) as worker:
        message = worker.receive()
        if "port" not in message:
            raise WorkerError(message["status"], message["reason"])
        yield _port(message)


def fetch(sites: Sites, worker: Worker) -> Message:
    """Count, at the sites, how many pages were really in flight between the warm-up and the end."""
    message = worker.receive()
    if "warm" not in message:
        return message
    sites.reset()
    worker.send({})
    report = worker.receive()
    if report["status"] == "ok":
        requests, peak = sites.counts()
        if not any(requests):  # a case that asks them for nothing
            return report
        report["observed"]["peak_in_flight"] = peak
        at_most = report["observed"].get("asked_at_once")
        if at_most is not None and peak > at_most:
            report.update(status="failed", reason=f"fetched {peak} pages at once where {at_most} were asked for")
    return report


def serve(request: Request, worker: Worker) -> Message:
    """Put the load on a server once it is ready, between two readings of what it costs."""
    message = worker.receive()
    if "port" not in message:
        return message
    port, phases = _port(message), {}
    begun_ns = time.perf_counter_ns()
    _load(worker, port, {**request.parameters, **request.warm_up})
    phases["warm_up"] = time.perf_counter_ns() - begun_ns
    worker.send({})
    begun = worker.receive()
    if "begun" not in begun:
        return begun
    measured = _load(worker, port, request.parameters)
    columns = generator.columns(measured)
    phases["measured"] = measured.elapsed_ns
    worker.send({})
    report = worker.receive()
    if "status" not in report:  # the server says again that it is ready
        return report
    report["phases"].update(phases)
    report["values"].update(columns)
    if report["status"] == "ok" and (wrong := _judge(request, columns)):
        report.update(status="failed", reason=f"wrong answer: {wrong}")
    if report["status"] == "ok" and (late := broken_schedule(measured.load, columns)):
        report.update(status="failed", reason=late)
    return report


def _port(message: Message) -> int:
    """Return the port on which a server says that it listens. Raises WorkerError for what can be none."""
    port = message["port"]
    if type(port) is not int or not 1 <= port <= LAST_PORT:
        raise WorkerError(FAILED, f"the server reported that it is ready on no port: {port!r}")
    return port


def _load(worker: Worker, port: int, parameters: Parameters) -> generator.Connections:
    try:
        return generator.measure(port, generator.load_from(parameters), worker.deadline_s)
    except TimeoutError:
        raise out_of_time() from None
    except OSError as error:
        raise WorkerError(FAILED, f"the load could not be made: {error.strerror or error}") from None


def _judge(request: Request, columns: Mapping[str, Value]) -> str:
    workload: Any = importlib.import_module(f"{request.package}.{request.scenario}.workload")
    try:
        job = workload.prepare(request.parameters, Surroundings(request.cores, request.seed))
        wrong: str = workload.judge(job, columns).wrong
    except Exception as error:  # noqa: BLE001 - whatever a scenario raises, the sample has failed with that reason
        return f"{type(error).__name__}: {error}"
    return wrong

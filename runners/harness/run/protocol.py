"""The messages exchanged with a worker while it takes a sample."""

from __future__ import annotations

import importlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from runners.harness.builds import host
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.contract import Surroundings
from runners.harness.http_load import generator
from runners.harness.http_load.schedule import broken_schedule
from runners.harness.process.launcher import FAILED, OUT_OF_TIME, Task, Worker, WorkerError, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.channel import Message
    from runners.harness.contract import Parameters, Value
    from runners.harness.http_load.origin_sites import Sites

LAST_PORT = 65535


def task(scenario: Scenario, case: str, runner: str, build: Prepared, seed: int) -> Task:
    facts = scenario.cases[case]
    message = {
        "package": scenario.package,
        "scenario": scenario.name,
        "runner": runner,
        "serves": scenario.runners[runner].serves,
        "parameters": facts.parameters,
        "warm_up": facts.warm_up,
        "cores": host.usable_cores(),
        "seed": seed,
        "sites": (),
    }
    options = [f"-X{option}" for option in build.build.options]
    command = [str(build.python), *options, "-m", "runners.harness.worker"]
    return Task(command, ROOT, environment(build.build.variables), message, facts.time_limit_s)


def conversation(task: Task) -> Callable[[Worker], Message]:
    """Return the function that talks to the task's worker and returns its report. It raises WorkerError."""
    return partial(serve, task.message) if task.message["serves"] else Worker.receive


def fetch(sites: Sites, worker: Worker) -> Message:
    """Receive a report, and take the pages in flight from the sites' own counts, reset after the warm-up."""
    message = worker.receive()
    if "warm" not in message:
        return message
    sites.reset()
    worker.send({})
    report = worker.receive()
    if report["status"] == "ok":
        requests, peak = sites.counts()
        if not any(requests):  # a case that fetches nothing
            return report
        report["observed"]["peak_in_flight"] = peak
        limit = report["observed"].get("asked_at_once")
        if limit is not None and peak > limit:
            report.update(status="failed", reason=f"fetched {peak} pages at once; the limit was {limit}")
    return report


def serve(request: Message, worker: Worker) -> Message:
    """Send the load of *request* to a server once it is ready, between two readings of its costs."""
    message = worker.receive()
    if "port" not in message:
        return message
    port, phases = _port(message), {}
    begun_ns = time.perf_counter_ns()
    _send_load(worker, port, request["parameters"] | request["warm_up"])
    phases["warm_up"] = time.perf_counter_ns() - begun_ns
    worker.send({})
    begun = worker.receive()
    if "begun" not in begun:
        return begun
    measured = _send_load(worker, port, request["parameters"])
    columns = generator.columns(measured)
    phases["measured"] = measured.elapsed_ns
    worker.send({})
    report = worker.receive()
    if "status" not in report:  # the server announced its port again
        return report
    report["phases"].update(phases)
    report["values"].update(columns)
    if report["status"] == "ok":
        wrong = _wrong_answer(request, columns)
        if reason := f"wrong answer: {wrong}" if wrong else broken_schedule(measured.load, columns):
            report.update(status="failed", reason=reason)
    return report


def _port(message: Message) -> int:
    port = message["port"]
    if type(port) is not int or not 1 <= port <= LAST_PORT:
        raise WorkerError(FAILED, f"the server announced an invalid port: {port!r}")
    return port


def _send_load(worker: Worker, port: int, parameters: Parameters) -> generator.Connections:
    try:
        return generator.measure(port, generator.load_from(parameters), worker.deadline_s)
    except TimeoutError:
        raise WorkerError(*OUT_OF_TIME) from None
    except OSError as error:
        raise WorkerError(FAILED, f"the load generator failed: {error.strerror or error}") from None


def _wrong_answer(request: Message, columns: Mapping[str, Value]) -> str:
    workload: Any = importlib.import_module(f"{request['package']}.{request['scenario']}.workload")
    try:
        job = workload.prepare(request["parameters"], Surroundings(request["cores"], request["seed"]))
        wrong: str = workload.judge(job, columns).wrong
    except Exception as error:  # noqa: BLE001 - whatever a scenario raises is the reason why the sample failed
        return f"{type(error).__name__}: {error}"
    return wrong

"""Takes one sample inside the worker: imports, warm-up, the clock around the runner, judging the answers.

Standard library only, written for Python 3.10. Only the worker imports it, never the processes that a runner spawns.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
from _thread import start_new_thread
from typing import TYPE_CHECKING, Any

from runners.harness import observe
from runners.harness.channel import Channel, Message
from runners.harness.contract import Outcome, Surroundings, peak_in_flight

if TYPE_CHECKING:
    from collections.abc import Callable

NS_PER_US = 1000
GIL_REENABLED = ("the runner's imports turned the GIL back on", "the GIL came back on while it ran")
"""Why a free-threaded build has no value. By an import: its packages don't support free threading, so the runner is
unsupported. Later: the sample failed, because it did not measure the build of its label."""


def main() -> None:
    """Take the requested sample, report it, and end the process."""
    started_ns = time.perf_counter_ns()
    channel = Channel.connect(*sys.argv[1:3])
    try:
        sample = Sample(channel.receive(), channel, started_ns)
    except EOFError:
        return
    sample.report()
    channel.wait_until_closed()
    os._exit(0)  # don't wait for what the runner left behind: it is killed with the process group


class Sample:
    """One sample of a runner and a case, in this process."""

    def __init__(self, request: Message, channel: Channel, started_ns: int) -> None:
        self.request = request
        self.channel = channel
        self.recorder = observe.Recorder()
        self.observed: Message = {"gil_before": observe.gil_enabled()}
        self.phases: dict[str, int] = {"started_ns": started_ns}
        self.values: Message = {}

    def report(self) -> None:
        taken = self.take()
        try:
            self.channel.send(taken)
        except (TypeError, ValueError) as error:
            self.values.clear()
            self.channel.send(self._message("failed", f"the result can't be recorded: {error}"))

    def take(self) -> Message:
        """Return the finished sample. Any error becomes its status and reason."""
        try:
            try:
                workload, runner = self._import()
            except ModuleNotFoundError as error:
                return self._message("unsupported", f"{error}")
            if self.observed["gil_after_imports"] and not self.observed["gil_before"]:
                return self._message("unsupported", GIL_REENABLED[0])
            status, reason = self._serve(workload, runner) if self.request["serves"] else self._run(workload, runner)
        except BaseException as error:  # noqa: BLE001 - a runner that exits or is interrupted has failed as well
            status, reason = "failed", f"{type(error).__name__}: {error}"
        return self._message(status, reason)

    def _message(self, status: str, reason: str | None) -> Message:
        self.observed.update(self.recorder.observations(), gil_after_run=observe.gil_enabled())
        outcome = {"status": status, "reason": reason}
        return {**outcome, "values": self.values, "observed": self.observed, "phases": self.phases}

    def _import(self) -> tuple[Any, Any]:
        begun_ns = time.perf_counter_ns()
        folder = f"{self.request['package']}.{self.request['scenario']}"
        workload = importlib.import_module(f"{folder}.workload")
        runner = importlib.import_module(f"{folder}.{self.request['runner']}")
        self.recorder.install()
        self.observed["gil_after_imports"] = observe.gil_enabled()
        self.phases["imports"] = time.perf_counter_ns() - begun_ns
        return workload, runner

    def _surroundings(self, ready: Callable[[int], None] | None = None) -> Surroundings:
        request = self.request
        memory = observe.reset_peak, observe.own_peak_bytes
        return Surroundings(request["cores"], request["seed"], tuple(request["sites"]), ready, *memory)

    def _run(self, workload: Any, runner: Any) -> tuple[str, str | None]:  # noqa: ANN401 - modules
        parameters = self.request["parameters"]
        begun_ns = time.perf_counter_ns()
        runner.run(workload.prepare({**parameters, **self.request["warm_up"]}, self._surroundings()))
        self.phases["warm_up"] = time.perf_counter_ns() - begun_ns
        self.recorder.install()  # again: the library imports some pools only when they are used
        self.recorder.pool_sizes.clear()
        observe.stop_forkserver()
        if self.request["sites"]:  # the harness resets the sites' counters
            self.channel.send({"warm": True})
            self.channel.receive()
        job = workload.prepare(parameters, self._surroundings())
        self._note_limit(workload, runner, job)
        gc.collect()
        idle_bytes, cpu_ns = observe.reset_peak(), observe.cpu_ns()
        started_ns = time.perf_counter_ns()
        returned = runner.run(job)
        elapsed_ns = time.perf_counter_ns() - started_ns
        self._add_costs(idle_bytes, cpu_ns)
        self.phases["measured"] = elapsed_ns
        outcome = workload.judge(job, returned)
        self.values.update(outcome.values, elapsed_ns=elapsed_ns)
        return self._verdict(outcome)

    def _note_limit(self, workload: Any, runner: Any, job: Any) -> None:  # noqa: ANN401 - modules, and a scenario's job
        name, limits = getattr(runner, "AT_ONCE", None), workload.at_once(job)
        if name is not None and name not in limits:
            msg = f"AT_ONCE is {name!r}; the scenario allows: {', '.join(limits) or 'nothing'}"
            raise ValueError(msg)
        self.observed["asked_at_once"] = limits.get(name)

    def _verdict(self, outcome: Outcome) -> tuple[str, str | None]:
        limit = self.observed["asked_at_once"]
        if outcome.spans:
            self.observed["processes"] = len({span.process_id for span in outcome.spans})
            self.observed["threads"] = len({(span.process_id, span.thread_id) for span in outcome.spans})
            peak = self.observed["peak_in_flight"] = peak_in_flight(outcome.spans)
            if limit is not None and peak > limit:
                return "failed", f"ran {peak} at once; the limit was {limit}"
        if outcome.wrong:
            return "failed", f"wrong answer: {outcome.wrong}"
        return self._gil_verdict()

    def _gil_verdict(self) -> tuple[str, str | None]:
        if self.observed["gil_before"] or not observe.gil_enabled():
            return "ok", None
        return "failed", GIL_REENABLED[1]

    def _add_costs(self, idle_bytes: int | None, cpu_ns: int) -> None:
        """Add what was used since *cpu_ns* was read, and what the process held before."""
        # If children are not counted, record nothing rather than too little.
        counted = observe.children_are_counted(self.recorder.start_method())
        self.values["cpu_us"] = (observe.cpu_ns() - cpu_ns) // NS_PER_US if counted else None
        self.values["idle_process_bytes"] = idle_bytes
        self.values["largest_process_peak_bytes"] = observe.largest_process_peak_bytes() if counted else None

    def _serve(self, workload: Any, runner: Any) -> tuple[str, str | None]:  # noqa: ANN401 - modules
        surroundings = self._surroundings(lambda port: self.channel.send({"port": port}))
        job = workload.prepare(self.request["parameters"], surroundings)
        self._note_limit(workload, runner, job)
        start_new_thread(self._report_load_costs, ())  # a real thread, even if greenlets have replaced threading
        runner.serve(job)
        return "failed", "the server exited"

    def _report_load_costs(self) -> None:
        """Report the costs between the harness's two signals, when the load starts and ends; end the process."""
        try:
            self.channel.receive()
            idle_bytes, cpu_ns, clocks = observe.reset_peak(), observe.cpu_ns(), observe.session_clocks()
            self.channel.send({"begun": True})
            self.channel.receive()
            self._add_costs(idle_bytes, cpu_ns)
            self.values.update(observe.tree_costs(clocks))
            self.channel.send(self._message(*self._gil_verdict()))
            self.channel.wait_until_closed()
        finally:
            os._exit(0)

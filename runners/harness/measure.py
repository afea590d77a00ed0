"""Takes one sample inside the worker: imports, warm-up, the clock around the runner, judgement.

Standard library only, written for Python 3.10. Imported by the worker alone, never by the processes a runner spawns.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
from _thread import start_new_thread
from typing import TYPE_CHECKING, Any, NamedTuple

from runners.harness import observe
from runners.harness.channel import Channel, Message
from runners.harness.contract import Outcome, Surroundings, peak_in_flight

if TYPE_CHECKING:
    from collections.abc import Callable

NS_PER_US = 1000
GIL_REENABLED = ("the runner's imports turned the GIL back on", "the GIL came back on while it ran")
"""Why a free-threaded build has no value. By an import: the runner's packages do not support such a build, and nothing
is measured. Later: the sample has failed, as what it measured is not what its label says."""


def main() -> None:
    """Take the sample that our side asks for, and report it. Ends the process."""
    started_ns = time.perf_counter_ns()
    channel = Channel.connect(int(sys.argv[1]))
    if hasattr(os, "register_at_fork"):  # a forked child must not keep the channel open after this process has died
        os.register_at_fork(after_in_child=channel.close)
    channel.send({"token": sys.argv[2]})
    try:
        sample = Sample(channel.receive(), channel, started_ns)
    except EOFError:
        return
    sample.report()
    channel.wait_for_the_end()
    os._exit(0)  # what the runner left behind is ended with its process group; waiting for it would only cost time


class Cost(NamedTuple):
    """What the process has cost before the work begins."""

    idle_bytes: int | None
    """Its resident memory; None where the peak can't begin anew from there."""
    cpu_ns: int
    """Its processor time and its children's."""

    @classmethod
    def now(cls) -> Cost:
        """Look, and let the peak of memory begin anew."""
        return cls(observe.reset_peak(), observe.cpu_ns())


class Sample:
    """One sample: a runner, a case, this process."""

    def __init__(self, request: Message, channel: Channel, started_ns: int) -> None:
        """Note what is asked for."""
        self.request = request
        self.channel = channel
        self.recorder = observe.Recorder()
        self.observed: Message = {"gil_before": observe.gil_enabled()}
        self.phases: dict[str, int] = {"started_ns": started_ns}
        self.values: Message = {}

    def take(self) -> Message:
        """Return the finished sample. Whatever goes wrong in it is its status and reason."""
        try:
            try:
                workload, runner = self._import()
            except ModuleNotFoundError as error:
                return self.taken("unsupported", f"{error}")
            if self.observed["gil_after_imports"] and not self.observed["gil_before"]:
                return self.taken("unsupported", GIL_REENABLED[0])
            status, reason = self._serve(workload, runner) if self.request["serves"] else self._run(workload, runner)
        except BaseException as error:  # noqa: BLE001 - a runner that exits or is interrupted is a failure as well
            status, reason = "failed", f"{type(error).__name__}: {error}"
        return self.taken(status, reason)

    def report(self) -> None:
        """Take the sample and report it to our side."""
        taken = self.take()
        try:
            self.channel.send(taken)
        except (TypeError, ValueError) as error:
            self.values.clear()
            self.channel.send(self.taken("failed", f"what was measured can't be recorded: {error}"))

    def taken(self, status: str, reason: str | None) -> Message:
        """Return the sample as our side records it."""
        self.observed.update(self.recorder.seen(), gil_after_run=observe.gil_enabled())
        return {
            "status": status,
            "reason": reason,
            "values": self.values,
            "observed": self.observed,
            "phases": self.phases,
        }

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
        observe.end_forkserver()
        if self.request["sites"]:  # our side sets the sites' counters back
            self.channel.send({"warm": True})
            self.channel.receive()
        job = workload.prepare(parameters, self._surroundings())
        self._note_limit(workload, runner, job)
        gc.collect()
        before = Cost.now()
        started_ns = time.perf_counter_ns()
        returned = runner.run(job)
        elapsed_ns = time.perf_counter_ns() - started_ns
        self._cost(before)
        self.phases["measured"] = elapsed_ns
        outcome = workload.judge(job, returned)
        self.values.update(outcome.values, elapsed_ns=elapsed_ns)
        return self._verdict(outcome)

    def _note_limit(self, workload: Any, runner: Any, job: Any) -> None:  # noqa: ANN401 - modules, and the scenario's own
        word, limits = getattr(runner, "AT_ONCE", None), workload.at_once(job)
        if word is not None and word not in limits:
            msg = f"AT_ONCE is {word!r}; the scenario's words are: {', '.join(limits) or 'none'}"
            raise ValueError(msg)
        self.observed["asked_at_once"] = limits.get(word)

    def _verdict(self, outcome: Outcome) -> tuple[str, str | None]:
        asked = self.observed["asked_at_once"]
        if outcome.spans:
            self.observed["processes"] = len({span.process_id for span in outcome.spans})
            self.observed["threads"] = len({(span.process_id, span.thread_id) for span in outcome.spans})
            peak = self.observed["peak_in_flight"] = peak_in_flight(outcome.spans)
            if asked is not None and peak > asked:
                return "failed", f"ran {peak} at once where {asked} were asked for"
        if outcome.wrong:
            return "failed", f"wrong answer: {outcome.wrong}"
        return self._gil()

    def _gil(self) -> tuple[str, str | None]:
        """Refuse what a free-threaded build measured with the GIL on: it is not what its label says."""
        if self.observed["gil_before"] or not observe.gil_enabled():
            return "ok", None
        return "failed", GIL_REENABLED[1]

    def _cost(self, before: Cost) -> None:
        # Where children are not counted, nothing is recorded rather than too little.
        counted = observe.children_are_counted(self.recorder.start_method())
        self.values["cpu_us"] = (observe.cpu_ns() - before.cpu_ns) // NS_PER_US if counted else None
        self.values["idle_process_bytes"] = before.idle_bytes
        self.values["largest_process_peak_bytes"] = observe.largest_process_peak_bytes() if counted else None

    def _serve(self, workload: Any, runner: Any) -> tuple[str, str | None]:  # noqa: ANN401 - modules
        job = workload.prepare(
            self.request["parameters"], self._surroundings(lambda port: self.channel.send({"port": port}))
        )
        self._note_limit(workload, runner, job)
        start_new_thread(self._until_asked, ())  # a true thread, even when the runner has put greenlets in their place
        runner.serve(job)
        return "failed", "the server ended by itself"

    def _until_asked(self) -> None:
        """Wait for our side's word before the load, and after it; then report the costs and end the process."""
        try:
            self.channel.receive()
            before = Cost.now()
            self.channel.send({"begun": True})
            self.channel.receive()
            self._cost(before)
            self.channel.send(self.taken(*self._gil()))
            self.channel.wait_for_the_end()
        finally:
            os._exit(0)

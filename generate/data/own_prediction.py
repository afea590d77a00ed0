"""Predicts by arithmetic how long each model takes, from what one item computes, waits and pickles to."""

from typing import NamedTuple

from generate.data.estimates import AS_FAST
from generate.data.own_results import simplicity
from runners.harness.own.record import Item, ModelName, OwnRecord
from runners.harness.own.work import AT_ONCE, Limits, candidates

US = 1000
THREAD_NS, LOOP_NS, FORK_NS = 60 * US, 200 * US, 8_000 * US
"""To start one."""
THREAD_ITEM_NS, TO_THREAD_ITEM_NS, TASK_NS = 20 * US, 60 * US, 15 * US
"""To hand over one item."""
MESSAGE_NS, MESSAGES_PER_WORKER, SENT_BYTE_NS = 150 * US, 4, 1.0
"""Between processes, to which items go in chunks."""
CORE_SHARE = 0.92
"""What each further core adds, as they share memory and clock."""
FORKSERVER_SHARE = 0.6
"""Start of a process by a running fork server, compared with one by spawn. The server itself takes that long too."""


class Predicted(NamedTuple):
    """The predicted time of one pass."""

    build: int
    model: ModelName
    workers: int | None
    time_ns: float


class Pass(NamedTuple):
    """One pass over the items."""

    item: Item
    items: int
    cores: int
    at_once: int
    start_ns: int | None
    """Start of a process."""
    gil_share: float

    def predict_ns(self, model: ModelName, workers: int) -> float | None:
        """Return its time; None for models that need a library, or are as fast as a simpler one by this arithmetic."""
        item, items = self.item, self.items
        cores = 1 + (min(workers, self.cores) - 1) * CORE_SHARE
        threads = 1 / (self.gil_share + (1 - self.gil_share) / min(workers, self.cores))  # Amdahl's law
        pool_ns, busy_ns = min(workers, items) * THREAD_NS, items * (item.compute_ns + (item.blocking_ns or 0))
        # how many compute at once, how many are in flight, how long a loop is busy, and what else it takes
        known: dict[str, tuple[float, int, float, float]] = {
            "loop": (1.0, 1, 0.0, 0.0),
            "threads": (threads, workers, 0.0, pool_ns + items * THREAD_ITEM_NS),
            "to_thread": (threads, workers, 0.0, LOOP_NS + pool_ns + items * TO_THREAD_ITEM_NS),
            "gather": (1.0, workers, busy_ns, LOOP_NS + items * TASK_NS),
            "loops_in_threads": (
                threads,
                self.at_once,
                busy_ns / workers,
                pool_ns + workers * LOOP_NS + items * TASK_NS,
            ),
        }
        for name, starts_ns in self._process_starts(workers).items():
            known[name] = (cores, workers, 0.0, starts_ns + self._sending_ns(workers))
        if model not in known:
            return None
        computing, in_flight, least_ns, more_ns = known[model]
        turns_ns = -(-items // in_flight) * (item.compute_ns + item.wait_ns)
        return max(items * item.compute_ns / computing, turns_ns, least_ns, item.longest_ns) + more_ns

    def _process_starts(self, workers: int) -> dict[str, float]:
        if self.start_ns is None or self.item.pickle_ns is None:
            return {}
        spawn_ns = self.start_ns * max(1.0, workers / self.cores)
        forkserver_ns = self.start_ns + FORKSERVER_SHARE * spawn_ns
        may_fork = self.item.threads_count == 1  # others may hold locks
        fork = {"processes_fork": FORK_NS * workers} if may_fork else {}
        return {**fork, "processes_forkserver": forkserver_ns, "processes_spawn": spawn_ns}

    def _sending_ns(self, workers: int) -> float:
        item_bytes = (self.item.argument_bytes or 0) + (self.item.answer_bytes or 0)
        item_ns = (self.item.pickle_ns or 0) + item_bytes * SENT_BYTE_NS
        return self.items * item_ns + min(self.items, workers * MESSAGES_PER_WORKER) * MESSAGE_NS


def predict(record: OwnRecord) -> list[Predicted]:
    """Return the time of each model on each build with an item, the simplest first."""
    work, cores = record.work, record.machine.usable_cores
    usual = candidates(Limits({}, work.workers, work.at_once, cores), is_coroutine=work.kind == "coroutine")
    models = sorted(usual, key=lambda each: simplicity(*each))
    found = list[Predicted]()
    for place, build in enumerate(record.builds):
        if item := build.item:
            gil_share = float(build.build.gil_at_start) if item.gil_share is None else item.gil_share
            each = Pass(
                item, work.items_count, cores, work.at_once or AT_ONCE, next(reversed(build.starts_ns), None), gil_share
            )
            times = ((model, workers, each.predict_ns(model, workers or 1)) for model, workers in models)
            found += [Predicted(place, model, workers, ns) for model, workers, ns in times if ns is not None]
    return found


def advise(predicted: list[Predicted]) -> Predicted | None:
    """Return the simplest model whose time is about the lowest; None without any."""
    lowest_ns = min((each.time_ns for each in predicted), default=0.0)
    return next((each for each in predicted if each.time_ns <= AS_FAST * lowest_ns), None)

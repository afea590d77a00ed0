"""Takes one sample of a model: all items, as often as the clock needs, with the answers compared."""

import gc
import pickle
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from ... import observe  # noqa: TID252 - in the measured process these packages have another name
from . import models
from .subject import RefusalError, Subject, first_items, is_same, load, running_threads

Message = dict[str, Any]

REMEDIES: dict[type[Exception], str] = {
    RefusalError: "the items can't be made again",
    BrokenExecutor: "a worker died: try fewer --workers",
    MemoryError: "try fewer --workers",
    ImportError: "a module can't be imported in its workers",
    OSError: "try fewer --workers or a lower --at-once",
}
APART = ("processes", "interpreters")
LEAST_NS, MOST_NS = 20_000_000, 200_000_000
"""Shorter work is repeated until its passes take as much, or all that is needed for them."""


def sample(task: Message) -> Message:
    """Take one sample. An error of the model becomes its status and reason."""
    subject = load(task)
    work = models.Work(subject.function, [], task["workers"] or 1, subject.setup)
    try:
        model = models.find(task["model"], subject.libraries, task["at_once"])
        if not task["model"].startswith(APART):  # whose workers don't share what a first item warms up
            models.call(subject.reset)
            models.find("loop", subject.libraries)(work._replace(items=_items(task)[:1]))
        _check_fork(task["model"])
        values, answers = _measure(task, model, work, subject)
    except Exception as error:  # noqa: BLE001 - becomes the reason
        return _failure(error, task["model"])
    kept = [data for data in _kept(task["kept_answers"]) if task["compares"]]
    pairs = ((pickle.loads(data), answer) for data, answer in zip(kept, answers, strict=False) if data is not None)  # noqa: S301 - our own data
    same = [is_same(subject.compare, *pair) for pair in pairs]
    values |= {"wrong_count": same.count(False), "compared_count": len(same)}
    return {"status": "ok", "reason": None, "values": values}


def _check_fork(model: str) -> None:
    if model == "processes_fork" and (sys.platform == "darwin" or running_threads() > 1):
        reason = (
            "it is unsafe on macOS"
            if sys.platform == "darwin"
            else "importing the module starts threads, which it lacks"
        )
        message = f"a forked process can hang, as {reason}: use forkserver or spawn"
        raise models.UnsupportedError(message)


def _items(task: Message) -> list[tuple[Any, ...]]:
    """Return the items as new objects, in case the function changes them."""
    items: list[tuple[Any, ...]]
    if Path(task["kept_items"]).exists():
        items = _kept(task["kept_items"])
    else:  # they can't be pickled
        items, _ = first_items(task["items"], task["count"])
    return items[: task["count"]]


def _kept(path: str) -> Any:  # noqa: ANN401 - what was kept there
    return pickle.loads(Path(path).read_bytes())  # noqa: S301 - our own file


def _measure(task: Message, model: models.Model, work: models.Work, subject: Subject) -> tuple[Message, list[Any]]:
    """Return a sample's values, and the answers of its first pass."""
    elapsed_ns = cpu_ns = count = 0
    answers: list[Any] = []
    start_ns, _, _ = _time(model, work._replace(function=_nothing(subject), items=[()] * work.workers))
    observe.reset_peak()
    gc.collect()
    begun_ns = time.perf_counter_ns()
    while not count or (elapsed_ns < LEAST_NS and time.perf_counter_ns() - begun_ns < MOST_NS):
        items = _items(task)
        models.call(subject.reset)
        pass_ns, pass_cpu_ns, found = _time(model, work._replace(items=items))
        elapsed_ns, cpu_ns = elapsed_ns + pass_ns, cpu_ns + pass_cpu_ns
        answers, count = answers or found, count + 1
    processes = work.workers if task["model"].startswith("processes") else 0
    own_bytes, largest_bytes = observe.own_peak_bytes(), observe.largest_process_peak_bytes()
    peak_bytes = own_bytes + processes * largest_bytes if own_bytes and largest_bytes else None
    is_counted = not processes or sys.platform != "win32"  # which does not count children
    means = {"elapsed_ns": elapsed_ns // count, "cpu_ns": cpu_ns // count if is_counted else None}
    return {**means, "start_ns": start_ns, "peak_bytes": peak_bytes}, answers


def _nothing(subject: Subject) -> Callable[[], Any]:
    """Return what does nothing, and can be pickled if the function can."""

    async def nothing() -> None:
        pass

    return int if subject.libraries is None else nothing


def _time(model: models.Model, work: models.Work) -> tuple[int, int, list[Any]]:
    """Return how long a pass takes, its processor time, and its answers."""
    cpu_ns, begun_ns = observe.cpu_ns(), time.perf_counter_ns()
    answers = model(work)
    elapsed_ns = time.perf_counter_ns() - begun_ns
    observe.stop_forkserver()  # only what has ended counts as processor time, and each pass starts its own
    return elapsed_ns, observe.cpu_ns() - cpu_ns, answers


def _failure(error: BaseException, model: str) -> Message:
    """Name an error by its type only: its message may hold an item."""
    name = type(error).__name__
    if isinstance(error, models.UnsupportedError):
        return {"status": "unsupported", "reason": str(error), "values": {}}
    if "pickle" in f"{name} {error}".lower() and model.startswith(APART):
        remedy = "define the function at the top of its module, and send plain data"
        reason = f"the function, an argument or an answer can't be pickled: {remedy}"
        return {"status": "unsupported", "reason": reason, "values": {}}
    remedy = next((text for kind, text in REMEDIES.items() if isinstance(error, kind)), "calls at once may share state")
    return {"status": "failed", "reason": f"{name} was raised, but not in the loop: {remedy}", "values": {}}

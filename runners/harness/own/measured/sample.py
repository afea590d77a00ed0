"""What a measured process is asked to do: look at the function and run items in a loop, or take one sample."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import inspect
import os
import pickle
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from ... import observe  # noqa: TID252 - in the measured process these packages have another name
from . import models, subject

Message = dict[str, Any]
LEAST_NS, MOST_PASSES = 20_000_000, 1000
"""Shorter work is repeated until the clock shows as much."""
LEAST_ITEMS = 4
"""Fewer show nothing of what running them at once gains, so these may take as many times as long."""
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")  # noqa: S104 - compared, not bound


def run(task: Message) -> Message:
    """Do one stage, and return its report."""
    try:
        return _look(task) if task["stage"] == "look" else _sample(task)
    except subject.RefusalError as error:
        return {"refused": str(error)} if task["stage"] == "look" else _without_time("failed", "it can't be read again")


def _load(task: Message) -> list[Any]:
    roles = ("function", "setup", "reset", "same_function")
    return [subject.load(task[role]) if task[role] else None for role in roles]


def _look(task: Message) -> Message:
    """Import the function, run items in a loop for a while, and keep items and answers for the samples."""
    remote: list[str] = []
    sys.addaudithook(lambda event, given: _note_remote(event, given, remote))
    gil_before = observe.gil_enabled()
    function = subject.load(task["function"])
    is_gil_turned_on = observe.gil_enabled() and not gil_before
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        subject.refuse("the function yields its answers, so calling it does nothing: return a list of them")
    items = subject.first_items(task["items"], task["most"])
    kept = subject.dumps(items)
    answers, is_repeatable, item = _run_items(task, items)
    pickled = [subject.dumps(answer) for answer in answers]
    Path(task["kept_answers"]).write_bytes(pickle.dumps(pickled))
    if kept is not None:
        Path(task["kept_items"]).write_bytes(kept)  # as they were at first
    answer_bytes = None if None in pickled else sum(map(len, filter(None, pickled))) // len(pickled)
    notes = {
        "importing the module turns the GIL on: a package is not made for free threading": is_gil_turned_on,
        "it connects to other machines, so this measures the network and them as well": remote,
        "every answer is None, so a race would not be seen: return what was done": answers.count(None) == len(answers),
        "answers can't be pickled, so they are not compared: return plain data": None in pickled,
        "the same item had another answer the second time: call what starts it again with --reset": not is_repeatable,
    }
    source = sys.modules[task["function"]["module"]].__file__
    return {
        "is_coroutine": subject.is_coroutine(function),
        "sha256": hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else None,
        "count": len(answers),
        "given": len(items),
        "item": {**item, "argument_bytes": kept and len(kept) // len(items), "answer_bytes": answer_bytes},
        "notes": [note for note, applies in notes.items() if applies],
    }


def _note_remote(event: str, given: tuple[Any, ...], remote: list[str]) -> None:
    if event == "socket.connect" and isinstance(given[1], tuple) and not str(given[1][0]).startswith(LOOPBACK):
        remote.append(event)


def _run_items(task: Message, items: list[tuple[Any, ...]]) -> tuple[list[Any], bool, Message]:
    """Run items until the time limit. Return answers, if the first item had the same one twice, and what one costs."""
    function, setup, reset, own = _load(task)
    run = asyncio.new_event_loop().run_until_complete if subject.is_coroutine(function) else lambda answer: answer
    answers: list[Any] = []
    wall_ns = 0
    try:
        models.call(reset)
        if inspect.isawaitable(made := models.call(setup)):
            run(made)
        first = run(function(*items[0]))  # as each sample does: an item to warm up, then all
        models.call(reset)
        queued_ns, cpu_ns, begun_ns = _queued_ns(), time.thread_time_ns(), time.perf_counter_ns()
        for number, arguments in enumerate(items, start=1):
            answers.append(run(function(*arguments)))
            wall_ns = time.perf_counter_ns() - begun_ns
            if wall_ns > task["limit_ns"] * (1 if number >= LEAST_ITEMS else LEAST_ITEMS):
                break
        compute_ns = min(time.thread_time_ns() - cpu_ns, wall_ns)
        wait_ns = max(0, wall_ns - compute_ns - (_queued_ns() - queued_ns))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the function raises
        what = f"item {len(answers) + 1} failed ({type(error).__name__}: {error})"
        subject.refuse(f"{what}: leave that item out, or let the function take one of --items, or nothing without them")
    costs = {"compute_ns": compute_ns // len(answers), "wait_ns": wait_ns // len(answers)}
    return answers, bool(subject.comparison(task["same"], own)(first, answers[0])), costs


def _queued_ns() -> int:
    """Return how long this thread had to wait for a processor, on Linux: on a busy machine the function waits less."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def _sample(task: Message) -> Message:
    """Take one sample. An error of the model becomes its status and reason."""
    function, setup, reset, own = _load(task)
    is_coroutine = subject.is_coroutine(function)
    work = models.Work(function, [], task["workers"] or 1, setup)
    try:
        _check_fork(task["model"])
        model = models.find(task["model"], is_coroutine=is_coroutine, at_once=task["at_once"])
        models.call(reset)
        models.find("loop", is_coroutine=is_coroutine)(work._replace(items=_items(task)[:1]))
        values, answers = _measure(task, model, work, reset)
    except Exception as error:  # noqa: BLE001 - becomes the reason
        return _failure(error, task)
    compare = subject.comparison(task["same"], own)
    pairs = [*zip(answers, _kept(task["kept_answers"]), strict=True)]
    same = [_is_same(compare, data, answer) for answer, data in pairs if data is not None and task["compares"]]
    values |= {"wrong_count": same.count(False), "compared_count": len(same)}
    return {"status": "ok", "reason": None, "values": values}


def _check_fork(model: str) -> None:
    threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else threading.active_count()  # noqa: PTH208
    if model == "processes_fork" and (sys.platform == "darwin" or threads > 1):
        message = "importing the module starts threads, which a forked process lacks: use forkserver or spawn"
        raise models.UnsupportedError(message)


def _items(task: Message) -> list[tuple[Any, ...]]:
    """Return the items as new objects, in case the function changes them."""
    items: list[tuple[Any, ...]]
    if Path(task["kept_items"]).exists():
        items = _kept(task["kept_items"])
    else:  # they can't be pickled
        items = subject.first_items(task["items"], task["count"])
    return items[: task["count"]]


def _kept(path: str) -> Any:  # noqa: ANN401 - what was kept there
    return pickle.loads(Path(path).read_bytes())  # noqa: S301 - our own file


def _measure(task: Message, model: models.Model, work: models.Work, reset: Any) -> tuple[Message, list[Any]]:  # noqa: ANN401 - a function or None
    """Return a sample's values, and the answers of its first pass."""
    elapsed_ns = cpu_ns = count = 0
    answers: list[Any] = []
    observe.reset_peak()
    while elapsed_ns < LEAST_NS and count < MOST_PASSES:
        items = _items(task)
        models.call(reset)
        gc.collect()
        cpu_before_ns, begun_ns = observe.cpu_ns(), time.perf_counter_ns()
        found = model(work._replace(items=items))
        elapsed_ns += time.perf_counter_ns() - begun_ns
        observe.stop_forkserver()  # only what has ended counts as processor time
        cpu_ns += observe.cpu_ns() - cpu_before_ns
        answers, count = answers or found, count + 1
    processes = work.workers if task["model"].startswith("processes") else 0
    own_bytes, largest_bytes = observe.own_peak_bytes(), observe.largest_process_peak_bytes()
    peak_bytes = own_bytes + processes * largest_bytes if own_bytes and largest_bytes else None
    return {"elapsed_ns": elapsed_ns // count, "cpu_ns": cpu_ns // count, "peak_bytes": peak_bytes}, answers


def _failure(error: BaseException, task: Message) -> Message:
    """Name an error by its type only: its message may hold an item."""
    name = type(error).__name__
    if isinstance(error, models.UnsupportedError):
        return _without_time("unsupported", str(error))
    if "pickle" in f"{name} {error}".lower():
        remedy = "define the function at the top of its module, and send plain data"
        return _without_time("unsupported", f"the function, an argument or an answer can't be pickled: {remedy}")
    if isinstance(error, (BrokenExecutor, OSError, MemoryError, ImportError)):
        return _without_time("failed", f"its workers ended or could not be started ({name})")
    values = {"wrong_count": task["count"], "compared_count": task["count"]}
    return {"status": "ok", "reason": f"{name} was raised, but not in the loop", "values": values}


def _without_time(status: str, reason: str) -> Message:
    return {"status": status, "reason": reason, "values": {}}


def _is_same(compare: Any, data: bytes, answer: object) -> bool:  # noqa: ANN401 - any function
    try:
        return subject.dumps(answer) == data or bool(compare(pickle.loads(data), answer))  # noqa: S301 - our own data
    except Exception:  # noqa: BLE001 - it can't make anything of this answer
        return False

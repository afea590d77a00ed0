"""Looks at the function in a process of its own: imports it, runs items in a loop, and sees what one costs."""

import asyncio
import hashlib
import inspect
import pickle
import selectors
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ... import observe  # noqa: TID252 - in the measured process these packages have another name
from . import models
from .subject import RefusalError, Subject, dumps, first_items, is_same, load, refuse, running_threads

Message = dict[str, Any]
Items = list[tuple[Any, ...]]

LEAST_ITEMS, PATIENCE = 4, 2
"""With fewer items concurrency can't show, so these may exceed the limit by the first factor. Items that mostly wait
may exceed it by the second: all models but the loop are far faster then."""
PROBE_NS, LEAST_PROBE_NS = 200_000_000, 5_000_000
"""How much is computed to see what threads share out."""
MOST_PICKLED = 10
MOST_WAIT = 30
"""An item that waits for as many times as long as it computes gains from threads either way."""
TURNS_GIL_ON = "importing the module turns the GIL on: a package is not made for free threading"
IS_REMOTE = "it connects to other machines, so this measures the network and them as well"
SAYS_NOTHING = "every answer is None, so a race would not be seen: return what was done"
IS_NOT_COMPARED = "answers can't be pickled, so they are not compared: return plain data"
CHANGES = "the same item gave another answer the second time: fix what is random, or undo state with --reset"
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")  # noqa: S104 - compared, not bound


class _TimedSelector(selectors.DefaultSelector):
    """Adds up how long an event loop waits for something to happen."""

    idle_ns = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        begun_ns = time.perf_counter_ns()
        try:
            return super().select(timeout)
        finally:
            self.idle_ns += time.perf_counter_ns() - begun_ns


def examine(task: Message) -> Message:
    """Import the function, run items in a loop for a while, and keep items and answers for the samples."""
    remote: list[str] = []
    sys.addaudithook(lambda event, given: _note_remote(event, given, remote))
    gil_before = observe.gil_enabled()
    subject = load(task)
    threads_count = running_threads()
    items, are_cut = first_items(task["items"], task["most"])
    kept = dumps(items)
    answers, is_repeatable, item = _run_items(subject, items, task)
    if task["same"] == "function":
        _check_comparison(subject, answers[0])
    pickled = [dumps(answer) for answer in answers]
    Path(task["kept_answers"]).write_bytes(pickle.dumps(pickled))
    if kept is not None:
        Path(task["kept_items"]).write_bytes(kept)  # as they were at first
    notes = {
        f"only the first {len(items):,} items were made, as they are many or large": are_cut,
        TURNS_GIL_ON: observe.gil_enabled() and not gil_before,
        IS_REMOTE: remote,
        SAYS_NOTHING: all(answer is None for answer in answers),
        IS_NOT_COMPARED: None in pickled,
        CHANGES: not is_repeatable and None not in pickled,
    }
    item["threads_count"] = threads_count
    item["argument_bytes"] = kept and len(kept) // len(items)
    item["answer_bytes"] = None if None in pickled else sum(map(len, filter(None, pickled))) // len(pickled)
    source = getattr(sys.modules[task["function"]["module"]], "__file__", None)
    return {
        "is_coroutine": subject.libraries is not None,
        "sha256": hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else None,
        "source": _source(subject.function) if task["keeps_code"] else None,
        "count": len(answers),
        "given": len(items),
        "item": item,
        "notes": [note for note, applies in notes.items() if applies],
    }


def _check_comparison(subject: Subject, answer: object) -> None:
    try:
        subject.compare(answer, answer)
    except Exception as error:  # noqa: BLE001 - whatever it raises
        refuse(f"--same failed ({type(error).__name__}: {error}): its function takes two answers; fix it")


def _source(function: Callable[..., Any]) -> str | None:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # it is built in, or a callable object
        return None


def _note_remote(event: str, given: tuple[Any, ...], remote: list[str]) -> None:
    if event == "socket.connect" and isinstance(given[1], tuple) and not str(given[1][0]).startswith(LOOPBACK):
        remote.append(event)


def _run_items(subject: Subject, items: Items, task: Message) -> tuple[list[Any], bool, Message]:
    """Return the answers, if the first item had the same twice, and what one item costs."""
    answers: list[Any] = []
    try:
        return answers, *_cost(subject, items, answers, task)
    except RefusalError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the function raises
        is_called_without = task["items"]["kind"] == "none"
        remedy = "name what it takes by --items" if is_called_without else "it must take one item; fix or remove this"
        refuse(f"item {len(answers) + 1} failed ({type(error).__name__}: {error}): {remedy}")


def _cost(subject: Subject, items: Items, answers: list[Any], task: Message) -> tuple[bool, Message]:
    """Run items until the time limit. Return if the first item had the same answer twice, and what one item costs."""
    selector, times_ns, all_ns = _TimedSelector(), list[int](), 0
    run = _runner(subject, selector)
    try:
        models.call(subject.reset)
        run(models.call if subject.libraries is None else models.prepare, subject.setup)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever they raise
        refuse(f"--setup or --reset failed ({type(error).__name__}: {error}): they take no arguments; fix them")
    first = run(subject.function, *items[0])  # as each sample does: an item to warm up, then all
    models.call(subject.reset)
    if inspect.isawaitable(first) or isinstance(first, Iterator):
        refuse("calling the function only makes an object that does the work later: let it return the answer")
    selector.idle_ns, cpu_ns = 0, time.thread_time_ns()
    for arguments in items:
        begun_ns = time.perf_counter_ns()
        answers.append(run(subject.function, *arguments))
        times_ns.append(time.perf_counter_ns() - begun_ns)
        all_ns += times_ns[-1]
        is_waiting = all_ns > 2 * (time.thread_time_ns() - cpu_ns)
        if all_ns > task["limit_ns"] * (LEAST_ITEMS if len(answers) < LEAST_ITEMS else 1 + is_waiting * (PATIENCE - 1)):
            break
    compute_ns, count = min(time.thread_time_ns() - cpu_ns, all_ns), len(answers)
    wait_ns = all_ns - compute_ns
    if count < min(2, len(items)):
        refuse(f"an item takes {all_ns / 1e9:.0f} s: raise --budget, so that several of them fit")
    is_timed = subject.libraries is not None and not models.is_trio(subject.libraries) and sys.platform != "win32"
    return is_same(subject.compare, first, answers[0]), {
        "compute_ns": compute_ns // count,
        "wait_ns": wait_ns // count,
        "longest_ns": max(times_ns),
        "blocking_ns": max(0, wait_ns - selector.idle_ns) // count if is_timed else None,
        "gil_share": _gil_share(subject, items, times_ns, compute_ns, task["cores"]),
        "pickle_ns": _pickle_ns([(subject.function, *pair) for pair in zip(items, answers, strict=False)]),
    }


def _runner(subject: Subject, selector: selectors.BaseSelector | None = None) -> Callable[..., Any]:
    """Return what calls a function and returns its answer; a coroutine function in the loop that it is written for."""
    if subject.libraries is None:
        return lambda function, *arguments: function(*arguments)
    if models.is_trio(subject.libraries):
        run: Callable[..., Any] = import_module("trio").run
        return run
    if selector is None or sys.platform == "win32":  # whose selectors know no subprocesses
        return lambda function, *arguments: asyncio.run(function(*arguments))
    loop = asyncio.SelectorEventLoop(selector)
    return lambda function, *arguments: loop.run_until_complete(function(*arguments))


def _gil_share(subject: Subject, items: Items, times_ns: Sequence[int], compute_ns: int, cores: int) -> float | None:
    """Return which part of the computing threads can't share out, by as many threads as keep all cores busy."""
    wait_ns, count = sum(times_ns) - compute_ns, len(times_ns)
    if compute_ns < LEAST_PROBE_NS or wait_ns > MOST_WAIT * compute_ns or min(cores, count) < 2:  # noqa: PLR2004
        return None
    probed = max(cores, PROBE_NS * count // compute_ns)
    ideal_ns = compute_ns * sum(times_ns[:probed]) / sum(times_ns)
    run = partial(_runner(subject), subject.function)
    took_ns: list[int] = []
    workers = -(-cores * (compute_ns + wait_ns) // compute_ns)
    try:
        with ThreadPoolExecutor(workers, initializer=None if subject.libraries else subject.setup) as pool:
            for _ in range(2):
                begun_ns = time.perf_counter_ns()
                list(pool.map(lambda arguments: run(*arguments), items[: min(probed, count)]))
                took_ns.append(time.perf_counter_ns() - begun_ns)
    except (Exception, SystemExit):  # noqa: BLE001 - it does not run in threads
        return None
    share = (min(took_ns) / ideal_ns - 1 / cores) / (1 - 1 / cores)
    return min(1.0, max(0.0, share))


def _pickle_ns(calls: Sequence[tuple[Any, ...]]) -> int | None:
    """Return the time to pickle and unpickle a function, its item and its answer; None if that can't be done."""
    begun_ns = time.perf_counter_ns()
    try:
        for call in calls[:MOST_PICKLED]:
            pickle.loads(pickle.dumps(call, pickle.HIGHEST_PROTOCOL))  # noqa: S301 - our own data
    except Exception:  # noqa: BLE001 - whatever its own pickling raises
        return None
    return (time.perf_counter_ns() - begun_ns) // min(len(calls), MOST_PICKLED)

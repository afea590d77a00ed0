"""The models: each runs all items of the user's function, and returns the answers in their order."""

import asyncio
import multiprocessing
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent import futures
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

Answers = list[Any]
Model = Callable[["Work"], Answers]

CHUNKS_PER_WORKER = 4
"""As multiprocessing.Pool.map sends items, so that short ones don't pay for a message each."""
LIBRARIES = {"greenlets": "gevent.pool", "uvloop": "uvloop", "trio": "trio"}
NEEDED = {"taskgroup": (3, 11), "interpreters": (3, 14)}


class UnsupportedError(Exception):
    """A model can't run here. The message gives the reason."""


class Work(NamedTuple):
    """What a model runs."""

    function: Callable[..., Any]
    items: Sequence[tuple[Any, ...]]
    """The arguments of each call: one item, or none."""
    workers: int
    setup: Callable[[], Any] | None = None
    """Called once in every worker."""


def call(function: Callable[[], Any] | None) -> Any:  # noqa: ANN401 - what it returns
    """Call *function* if there is one."""
    return function() if function is not None else None


def _loop(work: Work) -> Answers:
    call(work.setup)
    return [work.function(*arguments) for arguments in work.items]


def _in_pool(pool: futures.Executor, work: Work, chunk: int = 1) -> Answers:
    with pool:
        if work.items[0]:
            return [*pool.map(work.function, [item for (item,) in work.items], chunksize=chunk)]
        return [future.result() for future in [pool.submit(work.function) for _ in work.items]]


def _threads(work: Work) -> Answers:
    return _in_pool(futures.ThreadPoolExecutor(work.workers, initializer=work.setup), work)


def _processes(work: Work, method: str) -> Answers:
    context: Any = multiprocessing.get_context(method)
    chunk = max(1, -(-len(work.items) // (work.workers * CHUNKS_PER_WORKER)))
    return _in_pool(futures.ProcessPoolExecutor(work.workers, context, work.setup), work, chunk)


def _interpreters(work: Work) -> Answers:
    """Run in a pool of interpreters, each with its own GIL."""
    library: Any = futures
    prepare = f"import sys; sys.path[:] = {sys.path!r}"  # a new interpreter does not know the user's folder
    if work.setup is not None:
        prepare += f"; import importlib; importlib.import_module({work.setup.__module__!r}).{work.setup.__qualname__}()"
    return _in_pool(library.InterpreterPoolExecutor(work.workers, initializer=exec, initargs=(prepare,)), work)


async def _to_thread(work: Work) -> Answers:
    pool = futures.ThreadPoolExecutor(work.workers, initializer=work.setup)
    asyncio.get_running_loop().set_default_executor(pool)
    return [*await asyncio.gather(*(asyncio.to_thread(work.function, *arguments) for arguments in work.items))]


def _greenlets(work: Work) -> Answers:
    """Run in a pool of greenlets. gevent has replaced what blocks before the user's module was imported."""
    call(work.setup)
    return [*import_module("gevent.pool").Pool(work.workers).map(lambda item: work.function(*item), work.items)]


async def prepare(setup: Callable[[], Any] | None) -> None:
    """Call *setup* if there is one, and await it if it is a coroutine function."""
    if hasattr(made := call(setup), "__await__"):
        await made


async def await_each(work: Work) -> Answers:
    """Await one item after another."""
    await prepare(work.setup)
    return [await work.function(*arguments) for arguments in work.items]


def _limited(work: Work) -> list[Coroutine[Any, Any, Any]]:
    limit = asyncio.Semaphore(work.workers)

    async def run(arguments: tuple[Any, ...]) -> object:
        async with limit:
            return await work.function(*arguments)

    return [run(arguments) for arguments in work.items]


async def _gather(work: Work) -> Answers:
    await prepare(work.setup)
    return [*await asyncio.gather(*_limited(work))]


async def _group(work: Work) -> Answers:
    await prepare(work.setup)
    library: Any = asyncio
    async with library.TaskGroup() as group:
        tasks = [group.create_task(each) for each in _limited(work)]
    return [task.result() for task in tasks]


async def _nursery(work: Work) -> Answers:
    await prepare(work.setup)
    trio, answers = import_module("trio"), [None] * len(work.items)
    limit = trio.CapacityLimiter(work.workers)

    async def run(place: int, arguments: tuple[Any, ...]) -> None:
        async with limit:
            answers[place] = await work.function(*arguments)

    async with trio.open_nursery() as nursery:
        for place, arguments in enumerate(work.items):
            nursery.start_soon(run, place, arguments)
    return answers


def _in_asyncio(main: Callable[[Work], Coroutine[Any, Any, Answers]]) -> Model:
    return lambda work: asyncio.run(main(work))


def _in_trio(main: Callable[[Work], Coroutine[Any, Any, Answers]]) -> Model:
    return lambda work: [*import_module("trio").run(main, work)]


def _loops_in_threads(work: Work, at_once: int) -> Answers:
    """Run an event loop in each of several threads, with its share of the items."""
    shares = [work.items[first :: work.workers] for first in range(min(work.workers, len(work.items)))]
    limit = max(1, at_once // work.workers)
    answers: Answers = [None] * len(work.items)
    with futures.ThreadPoolExecutor(len(shares)) as pool:
        parts = [work._replace(items=share, workers=limit) for share in shares]
        for first, part in enumerate(pool.map(_in_asyncio(_gather), parts)):
            answers[first :: work.workers] = part
    return answers


FOR_FUNCTIONS: dict[str, Model] = {
    "loop": _loop,
    "threads": _threads,
    "to_thread": _in_asyncio(_to_thread),
    "greenlets": _greenlets,
    "interpreters": _interpreters,
    **{f"processes_{method}": partial(_processes, method=method) for method in ("fork", "forkserver", "spawn")},
}
FOR_COROUTINES: dict[str, Model] = {
    "loop": _in_asyncio(await_each),
    "gather": _in_asyncio(_gather),
    "taskgroup": _in_asyncio(_group),
    "uvloop": lambda work: import_module("uvloop").run(_gather(work)),
    "trio": _in_trio(_nursery),
}


def find(name: str, libraries: frozenset[str] | None, at_once: int = 1) -> Model:
    """Return a model by its name in the record. *libraries* is None for a plain function. Raises UnsupportedError."""
    if sys.version_info < (needed := NEEDED.get(name, (3, 10))):
        raise UnsupportedError("it needs Python {}.{} or later".format(*needed))  # noqa: EM103
    if libraries is not None and name != "loop" and is_trio(libraries) != (name == "trio") and "anyio" not in libraries:
        message = f"the coroutine is written for {'trio' if is_trio(libraries) else 'asyncio'}"
        raise UnsupportedError(message)
    try:
        import_module(LIBRARIES.get(name, "asyncio"))
    except ImportError:
        library = LIBRARIES[name].partition(".")[0]
        message = f"{library} isn't installed in this Python; add it: --with {library}"
        raise UnsupportedError(message) from None
    if libraries is None:
        return FOR_FUNCTIONS[name]
    if name == "loop" and is_trio(libraries):
        return _in_trio(await_each)
    return partial(_loops_in_threads, at_once=at_once) if name == "loops_in_threads" else FOR_COROUTINES[name]


def is_trio(libraries: frozenset[str]) -> bool:
    """True if a module that uses these packages is written for trio only."""
    return "trio" in libraries and not libraries & {"asyncio", "anyio"}

"""The user's function, its items and the comparison of its answers."""

import difflib
import importlib
import inspect
import json
import math
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

CALLS_WITHOUT_ITEMS = 20
CLOSE = 1e-9
GENERATE_S, MOST_BYTES = 5, 2**28
"""A generator may have no end."""


class RefusalError(Exception):
    """The function can't be measured. The message gives the reason and the remedy."""


class Subject(NamedTuple):
    """What is measured."""

    function: Callable[..., Any]
    setup: Callable[[], Any] | None
    """Called once in every worker."""
    reset: Callable[[], Any] | None
    """Called before each pass."""
    compare: Callable[[Any, Any], object]
    """True if two answers are the same."""
    libraries: frozenset[str] | None
    """Packages that a coroutine's module uses; None for a plain function."""


def load(task: Mapping[str, Any]) -> Subject:
    """Import what *task* names. Raises RefusalError."""
    roles = ("function", "setup", "reset", "same_function")
    function, setup, reset, same = (task[role] and _import(task[role]) for role in roles)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        refuse("the function yields its answers, so calling it does nothing: return a list of them")
    is_coroutine = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
    libraries = _used_packages(task["function"]["module"]) if is_coroutine else None
    return Subject(function, setup, reset, same or SAME[task["same"]], libraries)


def refuse(message: str) -> NoReturn:
    """Raise RefusalError."""
    raise RefusalError(message) from None


def _import(reference: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any callable
    folder, source, name = reference["folder"], reference["source"], reference["name"]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        module = importlib.import_module(reference["module"])
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module raises
        remedy = "fix that, or move what a script runs below `if __name__ == '__main__':`"
        if isinstance(error, ModuleNotFoundError):
            remedy = "install it, add it by --with, or choose another --python"
        refuse(f"{source} can't be imported ({type(error).__name__}: {error}): {remedy}")
    if reference["file"] and os.path.realpath(module.__file__ or "") != reference["file"]:
        refuse(f"another module is called {reference['module']!r} too and hides {source}: rename the file")
    function: Any = module
    for part in name.split("."):
        if not hasattr(function, part):
            near = difflib.get_close_matches(part, dir(function), n=1)
            refuse(f"{source} has no {name!r}; {f'did you mean {near[0]}?' if near else 'name one of its functions'}")
        function = getattr(function, part)
    if not callable(function):
        refuse(f"{name} of {source} can't be called: name a function")
    return function


def _used_packages(module: str) -> frozenset[str]:
    values = vars(sys.modules[module]).values()
    homes = [getattr(value, "__module__", "") for value in values if inspect.isroutine(value) or inspect.isclass(value)]
    homes += [value.__name__ for value in values if inspect.ismodule(value)]
    return frozenset(str(home).partition(".")[0] for home in homes)


def first_items(source: Mapping[str, Any], most: int) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the arguments of the first calls, as many as are soon made, and if there are more. Raises RefusalError."""
    items: list[tuple[Any, ...]] = []
    deadline_s, held_bytes = time.monotonic() + GENERATE_S, 0
    try:
        for arguments in _read_items(source):
            if len(items) == most or time.monotonic() > deadline_s or held_bytes > MOST_BYTES:
                return items, True
            items.append(arguments)
            held_bytes += sum(map(sys.getsizeof, arguments))
    except RefusalError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a generator raises
        refuse(f"--items can't make item {len(items) + 1} ({type(error).__name__}: {error}): fix the generator")
    return items or refuse("--items has no items: put one on each line, or yield them"), False


def _read_items(source: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    if source["kind"] == "none":
        return [()] * CALLS_WITHOUT_ITEMS
    if source["kind"] == "generator":
        return ((item,) for item in _import(source["reference"])())
    text = Path(source["path"]).read_text(encoding="utf-8-sig", errors="surrogateescape")
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    return [(_from_json(number, line) if source["kind"] == "json" else line,) for number, line in lines]


def _from_json(number: int, line: str) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        refuse(f"line {number} of --items is not JSON ({error}): write one value a line")


def running_threads() -> int:
    """Return how many threads this process has, also those that Python did not start."""
    return len(os.listdir("/proc/self/task")) if sys.platform == "linux" else threading.active_count()  # noqa: PTH208


def dumps(value: object) -> bytes | None:
    """Pickle *value*; None if that can't be done."""
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - whatever its own pickling raises
        return None


def is_same(compare: Callable[[Any, Any], object], first: object, second: object) -> bool:
    """True if two answers are the same; False if they can't be compared."""
    try:
        return bool(compare(first, second))
    except Exception:  # noqa: BLE001 - it can't make anything of these answers
        return False


def _is_equal(first: Any, second: Any) -> bool:  # noqa: ANN401 - any answer
    if (data := dumps(first)) is not None and data == dumps(second):
        return True
    equal = first == second
    return bool(equal.all() if hasattr(equal, "all") else equal)


def _is_same_collection(first: Any, second: Any) -> bool:  # noqa: ANN401 - any answer
    return sorted(map(repr, first)) == sorted(map(repr, second))


def _is_close(first: Any, second: Any) -> bool:  # noqa: ANN401 - any answer
    if isinstance(first, float):
        return math.isclose(first, second, rel_tol=CLOSE) or _is_equal(first, second)
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_is_close(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(_is_close, first, second))
    return _is_equal(first, second)


SAME: dict[str, Callable[[Any, Any], object]] = {
    "exact": _is_equal,
    "unordered": _is_same_collection,
    "close": _is_close,
}

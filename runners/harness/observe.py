"""Sees what a runner really used: loop classes, pool sizes, start method, GIL, memory, processor time.

Standard library only, written for Python 3.10.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Recorder:
    """Notes every event loop and pool that is made. It costs one list append each, at their making."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.loop_classes: set[str] = set()
        self.pool_sizes: list[int] = []
        self._start_method: str | None = None
        self._watched: set[type] = set()

    def install(self) -> None:
        """Watch the constructors of the loop and pool classes that are imported by now, each once."""
        if "asyncio" in sys.modules:
            import asyncio  # noqa: PLC0415 - a build under test imports it only when its runner does

            self._watch(asyncio.BaseEventLoop, lambda loop: self.loop_classes.add(type(loop).__name__))
        if "uvloop" in sys.modules:
            self._watch(sys.modules["uvloop"].Loop, lambda _: self.loop_classes.add("uvloop.Loop"))
        for module, name in (("thread", "ThreadPoolExecutor"), ("process", "ProcessPoolExecutor")):
            futures = sys.modules.get(f"concurrent.futures.{module}")
            if futures is not None:
                self._watch(getattr(futures, name), self._note_pool)

    def _note_pool(self, pool: Any) -> None:  # noqa: ANN401 - any executor
        self.pool_sizes.append(pool._max_workers)  # noqa: SLF001 - no public way to ask
        if context := getattr(pool, "_mp_context", None):
            self._start_method = context.get_start_method()

    def _watch(self, watched: Any, note: Callable[[Any], object]) -> None:  # noqa: ANN401 - any class
        if watched in self._watched:
            return
        self._watched.add(watched)
        original = watched.__init__

        def noting(self: object, *args: object, **options: object) -> None:
            original(self, *args, **options)
            note(self)

        watched.__init__ = noting

    def start_method(self) -> str | None:
        """Return how the last pool starts processes; without one what the library does, None where it does nothing."""
        return self._start_method or _start_method()

    def seen(self) -> dict[str, object]:
        """Return what was seen so far."""
        return {
            "loop_classes": sorted(self.loop_classes),
            "pool_sizes": self.pool_sizes,
            "start_method": self.start_method(),
        }


def _start_method() -> str | None:
    context = sys.modules.get("multiprocessing.context")
    if context is None or "multiprocessing.process" not in sys.modules:
        return None
    import multiprocessing  # noqa: PLC0415 - imported by the runner already

    return multiprocessing.get_start_method(allow_none=True)


def gil_enabled() -> bool:
    """Return whether the GIL is on now; before Python 3.13 it always is where there is one."""
    asked = getattr(sys, "_is_gil_enabled", None)
    return bool(asked()) if asked is not None else sys.implementation.name in {"cpython", "pypy"}


def end_forkserver() -> None:
    """End the server that forks processes (the default on Linux since Python 3.14), which the warm-up has started.

    To start it is part of what processes cost, and so belongs inside the clock.
    """
    module = sys.modules.get("multiprocessing.forkserver")
    if module is not None:
        module._forkserver._stop()  # noqa: SLF001 - no public way


def children_are_counted(start_method: str | None) -> bool:
    """Return whether this process waits itself for children started so; those of a fork server it does not see.

    Nor does it see any on Windows, which keeps no account of ended children.
    """
    return start_method != "forkserver" and not (sys.platform == "win32" and start_method)


def cpu_ns() -> int:
    """Processor time of this process and of the children it has waited for, in ns."""
    return time.process_time_ns() + _children_cpu_ns()


def _children_cpu_ns() -> int:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((usage.ru_utime + usage.ru_stime) * 1e9)


def largest_process_peak_bytes() -> int | None:
    """Return the peak resident memory of the largest of this process and its waited-for children, or None.

    It is None where the system does not report it. The children's includes the warm-up; this process's own begins with
    the last `reset_peak`. It is VmHWM on Linux, since ru_maxrss begins at what the process that started it had.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    return max(_status_bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, children)


def own_peak_bytes() -> int | None:
    """Return the peak of this process's resident memory since the last `reset_peak`; None but on Linux."""
    return _status_bytes("VmHWM")


def reset_peak() -> int | None:
    """Begin this process's peak of memory anew; return the bytes that are resident now.

    None where the system can't do that (anything but Linux): a peak of before would be taken for the work's.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return None
    return _status_bytes("VmRSS")


def _status_bytes(name: str) -> int | None:
    """Return a line of this process's status on Linux; None elsewhere."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return None

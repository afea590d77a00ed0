"""Observes what a runner really uses: loop classes, pool sizes, start method, GIL, memory, processor time.

Standard library only, written for Python 3.10.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Recorder:
    """Records every event loop and pool that is created. Each costs one list append."""

    def __init__(self) -> None:
        self.loop_classes: set[str] = set()
        self.pool_sizes: list[int] = []
        self._start_method: str | None = None
        self._watched: set[type] = set()

    def install(self) -> None:
        """Watch the constructors of the loop and pool classes that are imported by now. May be repeated."""
        if "asyncio" in sys.modules:
            import asyncio  # noqa: PLC0415 - only if the runner has imported it

            self._watch(asyncio.BaseEventLoop, lambda loop: self.loop_classes.add(type(loop).__name__))
        if "uvloop" in sys.modules:
            self._watch(sys.modules["uvloop"].Loop, lambda _: self.loop_classes.add("uvloop.Loop"))
        for module, name in (("thread", "ThreadPoolExecutor"), ("process", "ProcessPoolExecutor")):
            futures = sys.modules.get(f"concurrent.futures.{module}")
            if futures is not None:
                self._watch(getattr(futures, name), self._record_pool)

    def _record_pool(self, pool: Any) -> None:  # noqa: ANN401 - any executor
        self.pool_sizes.append(pool._max_workers)  # noqa: SLF001 - there is no public attribute
        if context := getattr(pool, "_mp_context", None):
            self._start_method = context.get_start_method()

    def _watch(self, watched: Any, record: Callable[[Any], object]) -> None:  # noqa: ANN401 - any class
        if watched in self._watched:
            return
        self._watched.add(watched)
        original = watched.__init__

        def recording(self: object, *args: object, **options: object) -> None:
            original(self, *args, **options)
            record(self)

        watched.__init__ = recording

    def start_method(self) -> str | None:
        """Return how the last pool starts processes; without a pool, multiprocessing's setting if it is imported."""
        return self._start_method or _default_start_method()

    def observations(self) -> dict[str, object]:
        """Return what was recorded so far, by field of the record."""
        pools = {"pool_sizes": self.pool_sizes, "start_method": self.start_method()}
        return {"loop_classes": sorted(self.loop_classes), **pools}


def _default_start_method() -> str | None:
    if "multiprocessing.context" not in sys.modules or "multiprocessing.process" not in sys.modules:
        return None
    import multiprocessing  # noqa: PLC0415 - the runner has imported it

    return multiprocessing.get_start_method(allow_none=True)


def gil_enabled() -> bool:
    """True if the GIL is on now. Before Python 3.13 it always is, on implementations that have one."""
    is_enabled = getattr(sys, "_is_gil_enabled", None)
    return bool(is_enabled()) if is_enabled is not None else sys.implementation.name in {"cpython", "pypy"}


def stop_forkserver() -> None:
    """Stop the fork server (Linux's default since Python 3.14) that the warm-up started.

    Starting it is part of what processes cost, so it belongs inside the clock.
    """
    module = sys.modules.get("multiprocessing.forkserver")
    if module is not None:
        module._forkserver._stop()  # noqa: SLF001 - there is no public function


def children_are_counted(start_method: str | None) -> bool:
    """True if the system counts children started by *start_method* as this process's own.

    It doesn't for those of a fork server, nor for any on Windows.
    """
    return start_method != "forkserver" and not (sys.platform == "win32" and start_method)


def cpu_ns() -> int:
    """Return the processor time of this process and of the children it has waited for."""
    return time.process_time_ns() + _children_cpu_ns()


def _children_cpu_ns() -> int:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((usage.ru_utime + usage.ru_stime) * 1e9)


def session_clocks() -> dict[int, int]:
    """Return the processor time, in nanoseconds, of each process in this session; empty except on Linux.

    The harness starts every worker in a session of its own, which also holds processes that have lost their parent.
    """
    clocks: dict[int, int] = {}
    if sys.platform != "linux":
        return clocks
    own = os.getsid(0)
    for name in os.listdir("/proc"):  # noqa: PTH208 - three times as fast
        with suppress(ValueError, OSError):  # not a process, or one that has just ended
            process = int(name)
            if os.getsid(process) == own:
                clocks[process] = time.clock_gettime_ns((~process << 3) | 2)  # its clock, by clock_getcpuclockid(3)
    return clocks


def tree_costs(before: Mapping[int, int]) -> dict[str, int | None]:
    """Return, by column, what this process and all below it cost: processor time since *before*, memory now.

    None if the system can't tell, or if a process has ended meanwhile. A page of memory that several processes share
    counts for each by its share.
    """
    now = session_clocks()
    costs: dict[str, int | None] = dict.fromkeys(("tree_cpu_us", "tree_proportional_bytes", "tree_process_count"))
    if before and before.keys() <= now.keys():
        sizes = [size for process in now if (size := _size(f"/proc/{process}/smaps_rollup", "Pss")) is not None]
        costs["tree_proportional_bytes"] = sum(sizes) if len(sizes) == len(now) else None
        costs["tree_cpu_us"] = (sum(now.values()) - sum(before.values())) // 1000
        costs["tree_process_count"] = len(now)
    return costs


def largest_process_peak_bytes() -> int | None:
    """Return the peak resident memory of the largest of this process and its waited-for children, if known.

    The children's peak includes the warm-up; this process's own starts at the last `reset_peak`. On Linux it is VmHWM,
    because ru_maxrss starts at the value of the parent process.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    return max(_status_bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, children)


def own_peak_bytes() -> int | None:
    """Return this process's peak resident memory since the last `reset_peak`; None except on Linux."""
    return _status_bytes("VmHWM")


def reset_peak() -> int | None:
    """Reset this process's peak of memory and return its resident bytes now.

    None if the system can't (anything but Linux): an earlier peak would be mistaken for the work's.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return None
    return _status_bytes("VmRSS")


def _status_bytes(name: str) -> int | None:
    return _size("/proc/self/status", name)


def _size(file: str, name: str) -> int | None:
    """Return the size that a file of /proc has after *name*, in bytes; None without the file or the name."""
    with suppress(OSError):
        for line in Path(file).read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return None

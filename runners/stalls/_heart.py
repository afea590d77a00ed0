"""A heart that beats on an event loop, and notes how late each beat is."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from typing import TYPE_CHECKING

from runners.harness.contract import Span, span_since

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from runners.harness.contract import Value

BEAT_NS = 1_000_000
FEWEST_BEATS = 200
"""Fewer beats have no 99th percentile: it would be the worst or the second worst of them."""


class Heart:
    """Sleeps 1 ms, over and over."""

    def __init__(self) -> None:
        """Begin with no beat."""
        self.lags_ns: list[int] = []
        self.beats: list[Span] = []

    @contextlib.asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Beat for as long as the context is open."""
        task = asyncio.create_task(self._beat())
        await asyncio.sleep(0)  # it falls asleep for the first time
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _beat(self) -> None:
        while True:
            asked_ns = time.perf_counter_ns()
            try:
                await asyncio.sleep(BEAT_NS / 1e9)
            finally:
                self.note(asked_ns, time.perf_counter_ns())

    def note(self, asked_ns: int, woken_ns: int) -> None:
        """Note a beat, and one more for each period by which it is late: that one would have been due by then."""
        self.lags_ns.extend(range(woken_ns - asked_ns - BEAT_NS, -1, -BEAT_NS))
        self.beats.append(span_since(woken_ns))

    def values(self) -> dict[str, Value]:
        """Return the worst delay, the 99th percentile by nearest rank, and the number of beats that were due."""
        ranked, due = sorted(self.lags_ns), len(self.lags_ns)
        return {
            "delay_worst_ns": ranked[-1] if due else None,
            "delay_99th_percentile_ns": ranked[math.ceil(0.99 * due) - 1] if due >= FEWEST_BEATS else None,
            "beats_due_count": due,
        }

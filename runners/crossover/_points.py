"""The points of the map: how much a task computes, how long it waits, and which points a sample measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPUTE_US = (0, 100, 1_000, 10_000)
WAIT_US = (0, 1_000, 10_000, 100_000)
LONGEST_IDEAL_US = 510_000
"""Points that take no model less than this are left out: the map asks about tasks, not about hours of computing."""
MOSTLY_COMPUTING_US = 800_000
"""Where all tasks together compute so long, waiting hardly matters: only tasks that do not wait are measured."""
LONGEST_BOUND_US = 2_000_000
"""A model that by arithmetic needs longer at a point has lost there, and is not measured."""
SPARSE = {
    "sockets": ((100,), (10_000, 100_000)),
    "hashing": ((1_000, 10_000), (0, 10_000)),
}
"""Of the kinds of task that are measured on fewer points: how much they compute, how long they wait; us."""
MEMORY_WAIT_US = {100: 10_000, 1_000: 100_000, 10_000: 100_000}
"""By number of tasks, the wait at the one point where memory is measured. 100 ms would rule out pools of 100 tasks."""


class Place(NamedTuple):
    """One point of the map, for a number of tasks; us."""

    compute_us: int
    wait_us: int

    @property
    def column(self) -> str:
        """What the names of its columns begin with."""
        return f"c{self.compute_us}_w{self.wait_us}"

    def ideal_us(self, tasks: int, cores: int) -> float:
        """Return the time that no model can beat: all computing shared out, or one task from its start to its end."""
        return max(tasks * self.compute_us / cores, self.compute_us + self.wait_us)

    def bound_us(self, tasks: int, at_once: int) -> int:
        """Return what a model must take that has so many tasks in work at once, and computes one at a time in each."""
        return -(-tasks // at_once) * (self.compute_us + self.wait_us)


def places(kind: str, tasks: int, cores: int) -> Iterator[Place]:
    """Give the points at which *tasks* tasks of a kind are measured on so many cores."""
    if kind == "memory":
        yield Place(0, MEMORY_WAIT_US[tasks])
        return
    computing, waiting = SPARSE.get(kind, (COMPUTE_US, WAIT_US))
    for compute_us in computing:
        for wait_us in waiting:
            place = Place(compute_us, wait_us)
            is_left_out = wait_us and tasks * compute_us >= MOSTLY_COMPUTING_US
            if place.ideal_us(tasks, cores) <= LONGEST_IDEAL_US and not is_left_out:
                yield place

"""The sentences of home, each chosen among written ones by how runners compare with their baseline. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.statistics.noise import distance
from generate.text.numbers import format_ratio, format_ratio_interval
from generate.text.over_runs import beside_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.pages.outcome import Outcome
    from generate.text.over_runs import OverRuns


class Compared(NamedTuple):
    """What a sentence is made from: how a runner compares with its baseline."""

    outcome: Outcome
    ratio: float
    """To the baseline."""
    value: str
    """Its own, with the unit."""
    bounds: tuple[float, float] | None = None
    """Of the ratio; None of a quick run, which decides no size."""
    runs: OverRuns | None = None
    """The ratios of several full runs."""

    @property
    def times(self) -> str:
        """Its ratio from 1 on: how many times less, or more."""
        return format_ratio(distance(self.ratio)) if self.ratio > 0 else "infinitely many"

    @property
    def aside(self) -> str:
        """The bounds of `times` in brackets, for the end of a clause; empty where they say no more than it does.

        Of a quick run, whose sizes are not decided, that it is of one.
        """
        if self.bounds is None:
            return " (in a quick run)"
        low, high = self.bounds
        if low <= 0:
            return ""
        is_turned = self.ratio < 1
        bounds = format_ratio_interval(1 / high, 1 / low) if is_turned else format_ratio_interval(low, high)
        runs = self.runs.turned() if self.runs and is_turned else self.runs
        written = beside_runs("" if bounds == self.times else bounds, runs, format_ratio_interval, self.times)
        return f" ({written})" if written else ""


def speed(name: str, compared: Compared, baseline: str = "") -> str:
    """Say how fast something is, beside the *baseline* where it is named: "threads are 1.8 times as fast"."""
    as_it, than_it = (f" as {baseline}", f" than {baseline}") if baseline else ("", "")
    return {
        "less": f"{name} {compared.times} times as fast{as_it}{compared.aside}",
        "more": f"{name} slower{than_it}, {compared.times} times the time{compared.aside}",
        "same": f"{name} no faster{than_it}",
        "undecided": f"{name} {_leaning(compared)}{than_it} (too close to call)",
    }[compared.outcome]


def _leaning(compared: Compared) -> str:
    """Say which way an undecided time leans."""
    if compared.ratio == 1:
        return "neither clearly faster nor slower"
    return "perhaps faster" if compared.ratio < 1 else "perhaps slower"


def amount(name: str, compared: Compared) -> str:
    """Say how many requests something answers: "threads 12 times as many"."""
    return {
        "more": f"{name} {compared.times} times as many{compared.aside}",
        "less": f"{name} fewer, 1 for every {compared.times}{compared.aside}",
        "same": f"{name} no more",
        "undecided": f"{name} perhaps {_leaning_amount(compared)} (not decided)",
    }[compared.outcome]


def _leaning_amount(compared: Compared) -> str:
    """Say which way an undecided number leans."""
    return "as many" if compared.ratio == 1 else "more" if compared.ratio > 1 else "fewer"


def computes(others: Sequence[Compared]) -> str:
    """Say what processes, threads and coroutines do for work that computes."""
    threads, processes, _ = others
    return f"{speed('Processes are', processes, 'a plain loop')}; {speed('threads are', threads)}."


def computes_without_gil(threads: Compared) -> str:
    """Say what threads do for it where there is no GIL."""
    return f"Without the GIL, {speed('threads are', threads, 'the loop with it')}."


def waits(others: Sequence[Compared]) -> str:
    """Say what threads and coroutines do for a server that waits."""
    threads, awaiting, blocking = others
    first = amount("coroutines that await answer", awaiting)
    rest = f"{amount('threads answer', threads)}; {amount('coroutines that block answer', blocking)}"
    return f"Compared with a server that handles one request at a time, {first}; {rest}."


def shares(others: Sequence[Compared]) -> str:
    """Say what a queue does for a loop at which a burst of jobs arrives."""
    (queue,) = others
    return {
        "less": (
            f"A queue with 4 workers keeps the loop's worst delay at {queue.value}; "
            f"without one it is {queue.times} times as long{queue.aside}."
        ),
        "more": (
            f"With a queue and 4 workers the loop's worst delay is {queue.times} times as long as without{queue.aside}."
        ),
        "same": "With a queue and 4 workers no difference was seen in the loop's worst delay.",
        "undecided": "Whether a queue with 4 workers shortens the loop's worst delay is too close to call.",
    }[queue.outcome]

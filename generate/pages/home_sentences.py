"""The answers of home, each chosen by how implementations compare. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.words.numbers import NOT_MEASURED, describe, describe_briefly, format_estimate, format_ratio, outcome
from generate.words.units import DURATION, RATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.data.estimates import Estimate

WHOLE = 0.9
"""Share of a burst from which a delay is as long as all of it."""


def computes(processes: Estimate | None, threads: Estimate | None, free: Sequence[Estimate | None]) -> list[str]:
    """Say what processes and threads do for work that computes, against a plain loop.

    *free* are threads without the GIL against the loop and against processes with it, and the loop against itself.
    """
    answers = [
        f"Processes, against a plain loop: {describe(processes, DURATION)}.",
        _says("Threads", "take", threads),
    ]
    loop, pool, single = free
    if loop is not None:
        beside = _beside("processes with it", pool)
        answers.append(f"{_says('Threads without the GIL', 'take', loop)[:-1]}{beside and f', {beside}'}.")
    if single is not None:
        answers.append(_says("Single-threaded code without the GIL", "takes", single))
    return answers


def _says(name: str, verb: str, ratio: Estimate | None) -> str:
    """Say how long something takes: "Threads take 1.1 times as long.", "Processes: 1.5 times as fast."."""
    longer = describe_briefly(ratio, DURATION).partition("takes ")[2]
    return f"{name} {verb} {longer}." if longer else f"{name}: {describe_briefly(ratio, DURATION)}."


def _beside(name: str, ratio: Estimate | None) -> str:
    """Say whether a time is below that of something else: "no faster than processes"."""
    if ratio is None:
        return ""
    words = {"less": "faster than", "undecided": "perhaps faster than"}
    return f"{words.get(outcome(ratio), 'no faster than')} {name}"


def waits(overlapping: Sequence[Estimate | None], blocking: Estimate | None) -> list[str]:
    """Say what *overlapping* servers answer, against one request at a time; they are not ranked.

    *blocking* is a coroutine that blocks, against the same.
    """
    return [
        f"Threads or coroutines that await, against one request at a time: {_together(overlapping)}.",
        f"Coroutines with a blocking call: {describe_briefly(blocking, RATE)}.",
    ]


def _together(ratios: Sequence[Estimate | None]) -> str:
    known = [ratio for ratio in ratios if ratio]
    if len(known) < len(ratios):
        return NOT_MEASURED
    if any(outcome(ratio) != "more" for ratio in known):
        return "; ".join(describe_briefly(ratio, RATE) for ratio in known)
    low, high = (format_ratio(end(ratio.value for ratio in known)) for end in (min, max))
    return RATE.more.format(low if low == high else f"{low} to {high}")


def shares(
    burst: Estimate | None, jobs: Estimate | None, queue: Estimate | None, ratio: Estimate | None
) -> Iterator[str]:
    """Say for how long a *burst* of jobs stops a loop, and for how long if it goes through a *queue*.

    *jobs* is how long all of them take, *ratio* the queue's delay over the burst's.
    """
    is_complete = burst is not None and jobs is not None and burst.value >= WHOLE * jobs.value
    whole = ": as long as the whole burst" if is_complete else ""
    yield f"Without a queue the loop stops for {format_estimate(burst, 'ns')}{whole}."
    if ratio is None or outcome(ratio) == "less":
        yield f"With a queue and four workers, for {format_estimate(queue, 'ns')}."
    else:
        yield f"With a queue and four workers: {'undecided' if outcome(ratio) == 'undecided' else 'no shorter'}."

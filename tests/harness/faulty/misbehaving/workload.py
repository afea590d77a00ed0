"""Misbehaving: the cases, their jobs, and the check of the answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters, Surroundings

BASELINE = "doubles"
CASES = {"tiny": Case({"size": "tiny", "way": ""}, warm_up={"way": ""}, time_limit_s=20)}


class Answer(NamedTuple):
    """A number doubled, and when."""

    doubled: float
    span: Span


class Job(NamedTuple):
    """Three numbers, the work for each, and how to go wrong."""

    numbers: tuple[int, ...]
    work: Callable[[int], Answer]
    way: str


def work(number: int) -> Answer:
    """Double it slowly, so that two at once overlap."""
    started_ns = time.perf_counter_ns()
    time.sleep(0.005)
    return Answer(2 * number, span_since(started_ns))


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job((1, 2, 3), work, str(parameters["way"]))


def at_once(_job: Job) -> dict[str, int]:
    """Allow one at a time."""
    return {"one": 1}


def judge(_job: Job, returned: list[Answer]) -> Outcome:
    """Check the answers, and keep their sum."""
    total = sum(answer.doubled for answer in returned)
    return Outcome({"sum_count": total}, [answer.span for answer in returned], "" if total != 0 else "they are all 0")

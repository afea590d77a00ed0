"""The contract between scenarios, runners and the harness, in types that the measured build can import.

A scenario is a folder below runners/:

workload.py     required: BASELINE, the runner that the others are compared with; CASES, by name; prepare(parameters,
                surroundings), which makes the job; at_once(job), the limits that AT_ONCE of a runner can name;
                judge(job, returned), which checks the answers and returns an Outcome
                optional: SITES = True, to have local origin sites; calibrate(), parameters to find in each run
scenario.py     required: a docstring that begins with `Title: the question?`; SOURCE, the source of its claims;
                METRICS, the first of which charts and verdicts use; IDEAL; INSIDE_THE_CLOCK, a phrase
                optional: COLUMNS, the meaning of each raw column; PRESENTATION, see below
a runner each   required: a docstring whose first line is its title; FAMILY; run(job), or serve(job) for a server
                optional: NAME for people; AT_ONCE, a limit of the scenario; ONLY, the parameters it is measured with;
                REQUIRES_PYTHON; REQUIRES_FORK
_*.py           shared by runners

Standard library only, written for Python 3.10. Kept small: the children of a process pool import it inside the clock.
"""

from __future__ import annotations

import os
import time
from _thread import get_ident  # before a runner replaces threads with greenlets
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypedDict

    Value = int | float | None | list[int] | list[float]
    Parameters = Mapping[str, int | float | str]

    class Presentation(TypedDict, total=False):
        """PRESENTATION of scenario.py: how pages show the scenario. Every key is optional."""

        case_names: Mapping[str, str]
        """Names of cases for people, if their own are not plain English."""
        runner_names: Mapping[str, str]
        """Names of runners for people, in place of those in their hashed files."""
        notes: Mapping[str, str]
        """Notes on the rows of "runner" or "runner/case"."""
        overview: str
        """The case a page begins with. Default: the first."""
        answers: tuple[tuple[str, str], ...]
        """Pairs of runners whose comparison answers the question, the second being the base. Default: the ranking."""
        answered_by: str
        """The kind of chart whose title answers the question. Default: the first metric's."""
        apart: tuple[str, ...]
        """Runners that do something else, or whose size was chosen: a title neither compares nor praises them."""
        each_case_answers: bool
        """True if each case is a question of its own: a page begins with the finding of each. With `answered_by`, each
        case that has such a chart."""
        marks: Callable[[int], Mapping[float, str]]
        """Usual choices of the number in which cases differ, given the usable cores: a curve marks them by name. A case
        with 0 has the first of them."""
        are_choices: bool
        """False if nobody chooses between the runners: no title names the fastest."""


class Case(NamedTuple):
    """One parameter set of a scenario. Its name includes its size."""

    parameters: Parameters
    """Input of `prepare`. `size` is required."""
    warm_up: Parameters
    """Overrides for the tiny, uncounted instance of the work."""
    block: str = ""
    """Cases of one block are measured back to back and can be compared. Default: a block of its own."""
    baseline: str = ""
    """The runner measured twice in this block. Default: BASELINE, in the block's first case."""
    quick: bool = True
    """True if the quick profile measures it."""
    full: bool = True
    map: bool = False
    steady: bool = False
    """True if it mostly waits. Measured like the others: only validation groups cases by it."""
    time_limit_s: float = 30.0
    """A sample that takes longer is killed and recorded as timed out."""
    memory_bytes: int = 0
    """Memory that a sample needs. It is not measured if less is free, so that no machine swaps."""


KINDS = ("", "duration", "delay", "latency", "rate", "memory", "count", "share", "cpu")
"""What a metric measures: the length of work, how late something is, how long an answer takes, and so on."""


class Metric(NamedTuple):
    """One thing that a scenario measures."""

    name: str
    """A column of the samples, or a new name if there is a `compute`."""
    title: str
    unit: str
    """ns, us, bytes, per_s, count, ratio or times."""
    better: str
    """lower, higher or neither."""
    compute: Callable[[Mapping[str, Value]], float | None] | None = None
    """Computes the value from one sample's raw columns. Default: the column itself."""
    kind: str = ""
    """One of KINDS, which chooses the words for ratios. Default: by unit."""
    formula: str = ""
    """The formula of `compute` in Python, then "; null if …". Required with `compute`."""


class Ideal(NamedTuple):
    """The limit that no runner can beat, for the scenario's first metric."""

    text: str
    """How it is computed; without `compute`, why there is none."""
    compute: Callable[[Parameters, int, Mapping[str, Value]], float | None] | None = None
    """(parameters, usable cores, raw columns of the same round's baseline) -> the limit, in the metric's unit.

    The parameters are the case's, and `limit`, the most work that the runner may do at once, if it has AT_ONCE.
    """


def unknown_bytes() -> None:
    """Return None: the amount of memory is not known."""


class Surroundings(NamedTuple):
    """What `prepare` can build a job from."""

    cores: int
    """Cores this process may use."""
    seed: int
    sites: tuple[str, ...] = ()
    """Base addresses of the local origin sites, if the workload has SITES."""
    ready: Callable[[int], None] | None = None
    """A server calls it with its port when it accepts connections."""
    reset_peak: Callable[[], int | None] = unknown_bytes
    """Resets this process's peak of memory, and returns what it holds now; None if unknown."""
    own_peak_bytes: Callable[[], int | None] = unknown_bytes


class Span(NamedTuple):
    """When and where one piece of work ran. All processes share the clock."""

    started_ns: int
    ended_ns: int
    process_id: int
    thread_id: int


class Outcome(NamedTuple):
    """What `judge` makes of the answers, after the clock has stopped."""

    values: dict[str, Value]
    """Raw measurements besides elapsed_ns, in whole numbers of the unit in each name."""
    spans: list[Span]
    """One for each piece of work, to count how many ran at once; empty if that is not counted."""
    wrong: str = ""
    """What is wrong with the answers; empty if they are right."""


def span_since(started_ns: int) -> Span:
    """Return the span from *started_ns* (of perf_counter_ns) to now, in this thread."""
    return Span(started_ns, time.perf_counter_ns(), os.getpid(), get_ident())


def default_executor_threads() -> int:
    """Return how many threads an event loop's default executor may start."""
    cores = getattr(os, "process_cpu_count", os.cpu_count)() or 1  # Python 3.13 and later use the first
    return min(32, cores + 4)


def peak_in_flight(spans: list[Span]) -> int:
    """Return the most spans that were open at one moment. One that ends as another begins does not overlap it."""
    steps = sorted([(span.started_ns, 1) for span in spans] + [(span.ended_ns, -1) for span in spans])
    running = peak = 0
    for _, step in steps:
        running += step
        peak = max(peak, running)
    return peak

"""Sets our way of measuring a ratio beside pyperf's: the error against a long reference, and the wall time.

pyperf measures one variant after the other, each in twenty fresh processes, and calls it many times in each. We take
the two in turn, round by round, one call a process. A first call in a fresh process and many calls in a warm one need
not have the same ratio: so each way is held against a long measurement of its own, and the two long ones stand side by
side.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import lines

from runners.harness.catalogue import scenarios as catalogue

ROUNDS = 36
"""About a third of the time that pyperf takes."""
LONG_ROUNDS = 200
LONG_TIMES = 2
"""Of pyperf's own rigorous measurement."""
TIMES = 5
WORKS = {"additions": ("in_a_loop", "in_a_generator"), "coroutines": ("one_after_another", "as_tasks")}


@dataclass
class Way:
    """What one way of measuring gave."""

    ratios: list[float] = field(default_factory=list)
    spent_s: list[float] = field(default_factory=list)
    reference: float = 1.0
    """The ratio that it gives when it measures for long."""

    @property
    def error(self) -> float:
        """Median distance from the reference, as a share of it."""
        return median(abs(ratio / self.reference - 1) for ratio in self.ratios)


@dataclass(frozen=True)
class Beside:
    """Both ways on one piece of work, each tried several times."""

    work: str
    ours: Way
    pyperf: Way


def beside(work: str, times: int = TIMES) -> Beside:
    """Measure the two variants of *work* in both ways, in turn, *times* times; then for long, for the reference."""
    baseline, candidate = WORKS[work]
    ours, theirs = Way(), Way()
    for number in range(times):
        found = lines.measure(work, candidate, ROUNDS, seed=number)
        ours.ratios.append(median(found.candidate))
        ours.spent_s.append(found.spent_s)
        began_s = time.monotonic()
        theirs.ratios.append(pyperf_of(work, candidate) / pyperf_of(work, baseline))
        theirs.spent_s.append(time.monotonic() - began_s)
    ours.reference = median(lines.measure(work, candidate, LONG_ROUNDS, seed=times).candidate)
    long = [pyperf_of(work, name, "--rigorous") for _time in range(LONG_TIMES) for name in (candidate, baseline)]
    theirs.reference = sum(long[::2]) / sum(long[1::2])
    return Beside(work, ours, theirs)


def pyperf_of(work: str, runner: str, *options: str) -> float:
    """Return pyperf's mean of one variant, in seconds."""
    package = f"{lines.PACKAGE}.{work}"
    case = next(iter(catalogue.find(lines.FOLDER, lines.PACKAGE)[work].cases.values()))
    setup = f"from {package} import Job; from {package}.{runner} import run; job = Job({case.parameters[_field(work)]})"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        command = [
            sys.executable,
            "-m",
            "pyperf",
            "timeit",
            "--quiet",
            *options,
            "-o",
            str(out),
            "-s",
            setup,
            "run(job)",
        ]
        subprocess.run(  # noqa: S603 - our own command
            command, check=True, capture_output=True, cwd=catalogue.ROOT, env={"PYTHONPATH": str(catalogue.ROOT)}
        )
        runs = json.loads(out.read_bytes())["benchmarks"][0]["runs"]
    values = [value for run in runs for value in run.get("values", ())]
    return fmean(values)


def _field(work: str) -> str:
    return {"additions": "numbers", "coroutines": "coroutines"}[work]

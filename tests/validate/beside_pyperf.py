"""Sets our way of measuring a ratio beside pyperf's: the error against a long reference, and the wall time.

pyperf measures one variant after the other, each in twenty fresh processes, and calls it many times in each. We take the
two in turn, round by round, one call a process. So as not to favour either, the reference is the geometric mean of two
long measurements, one of each way.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import lines

from runners.harness import catalogue

REFERENCE_ROUNDS = 100
ROUNDS = 12
TIMES = 5
WORKS = {"additions": ("in_a_loop", "in_a_generator"), "coroutines": ("one_after_another", "as_tasks")}


@dataclass(frozen=True)
class Beside:
    """Both ways on one piece of work, each tried several times."""

    work: str
    reference: float
    """The ratio that long measurements gave."""
    ours: list[float]
    ours_s: list[float]
    pyperf: list[float]
    pyperf_s: list[float]

    def errors(self) -> tuple[float, float]:
        """Return the median distance from the reference, as a share of it: ours, pyperf's."""
        ours, theirs = (median(abs(ratio / self.reference - 1) for ratio in each) for each in (self.ours, self.pyperf))
        return ours, theirs


def beside(work: str, times: int = TIMES) -> Beside:
    """Measure the two variants of *work* in both ways, in turn, *times* times; then for long, for the reference."""
    baseline, candidate = WORKS[work]
    made = Beside(work, 1.0, [], [], [], [])
    for number in range(times):
        found = lines.measure(work, candidate, ROUNDS, seed=number)
        made.ours.append(median(found.candidate))
        made.ours_s.append(found.spent_s)
        began_s = time.monotonic()
        made.pyperf.append(pyperf_of(work, candidate) / pyperf_of(work, baseline))
        made.pyperf_s.append(time.monotonic() - began_s)
    ours = median(lines.measure(work, candidate, REFERENCE_ROUNDS, seed=times).candidate)
    theirs = pyperf_of(work, candidate, "--rigorous") / pyperf_of(work, baseline, "--rigorous")
    return Beside(work, (ours * theirs) ** 0.5, made.ours, made.ours_s, made.pyperf, made.pyperf_s)


def pyperf_of(work: str, runner: str, *options: str) -> float:
    """Return pyperf's mean of one variant, in seconds."""
    package = f"{lines.PACKAGE}.{work}"
    case = next(iter(catalogue.find(lines.FOLDER, lines.PACKAGE)[work].cases.values()))
    setup = f"from {package} import Job; from {package}.{runner} import run; job = Job({case.parameters[_field(work)]})"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        command = [sys.executable, "-m", "pyperf", "timeit", "--quiet", *options, "-o", str(out), "-s", setup, "run(job)"]
        subprocess.run(  # noqa: S603 - our own command
            command, check=True, capture_output=True, cwd=catalogue.ROOT, env={"PYTHONPATH": str(catalogue.ROOT)}
        )
        runs = json.loads(out.read_bytes())["benchmarks"][0]["runs"]
    values = [value for run in runs for value in run.get("values", ())]
    return fmean(values)


def _field(work: str) -> str:
    return {"additions": "numbers", "coroutines": "coroutines"}[work]

"""Sets our way of measuring a ratio next to pyperf's: the error against a long reference, and the wall time.

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
from pathlib import Path
from statistics import fmean, median

import lines

from generate.downloads.validation import PyperfComparison, Way
from runners.harness.catalogue import scenarios as catalogue

ROUNDS = 36
"""About a third of the time that pyperf takes."""
LONG_ROUNDS = 200
LONG_TIMES = 2
"""Of pyperf's own rigorous measurement."""
TIMES = 5
WORKS = {
    "additions": ("in_a_loop", "in_a_generator", "numbers"),
    "coroutines": ("one_after_another", "as_tasks", "coroutines"),
}
"""By scenario: the baseline, the candidate, and the one field of its job."""
CALL = "run(job)"
"""What pyperf times."""


def compare(work: str, times: int = TIMES) -> PyperfComparison:
    """Measure the two variants of *work* in both ways, in turn, *times* times; then for long, for the reference."""
    baseline, candidate, _ = WORKS[work]
    ours: list[float] = []
    ours_s: list[float] = []
    theirs: list[float] = []
    theirs_s: list[float] = []
    for number in range(times):
        measured = lines.measure(work, candidate, ROUNDS, seed=number)
        ours.append(median(measured.candidate))
        ours_s.append(measured.spent_s)
        began_s = time.monotonic()
        theirs.append(pyperf_of(work, candidate) / pyperf_of(work, baseline))
        theirs_s.append(time.monotonic() - began_s)
    our_reference = median(lines.measure(work, candidate, LONG_ROUNDS, seed=times).candidate)
    long = [pyperf_of(work, name, "--rigorous") for _ in range(LONG_TIMES) for name in (candidate, baseline)]
    their_reference = sum(long[::2]) / sum(long[1::2])
    return PyperfComparison(work, times, _way(ours, our_reference, ours_s), _way(theirs, their_reference, theirs_s))


def _way(ratios: list[float], reference: float, spent_s: list[float]) -> Way:
    return Way(reference, median(abs(ratio / reference - 1) for ratio in ratios), median(spent_s))


def setup_of(work: str, runner: str) -> str:
    """Return what pyperf runs before the clock: it imports one variant of *work*, and makes the job that we give it."""
    package = f"{lines.PACKAGE}.{work}"
    case = next(iter(catalogue.find(lines.FOLDER, lines.PACKAGE)[work].cases.values()))
    job = f"job = Job({case.parameters[WORKS[work][2]]})"
    return f"from {package}.workload import Job; from {package}.{runner} import run; {job}"


def pyperf_of(work: str, runner: str, *options: str) -> float:
    """Return pyperf's mean of one variant, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        timeit = [sys.executable, "-m", "pyperf", "timeit", "--quiet", *options]
        subprocess.run(  # noqa: S603 - our own command
            [*timeit, "-o", str(out), "-s", setup_of(work, runner), CALL],
            check=True,
            capture_output=True,
            cwd=catalogue.ROOT,
            env={"PYTHONPATH": str(catalogue.ROOT)},
        )
        runs = json.loads(out.read_bytes())["benchmarks"][0]["runs"]
    return fmean(value for run in runs for value in run.get("values", ()))

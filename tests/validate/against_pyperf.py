"""Compares our way of measuring a ratio with pyperf's: the error against a long reference, and the wall time.

pyperf measures one variant after the other, each in twenty fresh processes, and calls it many times in each. We take
the two in turn, round by round, one call a process. A first call in a fresh process and many calls in a warm one need
not have the same ratio, so each way has a long measurement of its own as its reference.
"""

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

WORK, BASELINE, CANDIDATE = "additions", "in_a_loop", "in_a_generator"
ROUNDS = 36
"""About a third of the time that pyperf takes."""
LONG_ROUNDS = 200
LONG_TIMES = 2
"""Of pyperf's own rigorous measurement."""
TIMES = 5
CALL = "run(job)"
"""What pyperf times."""


def compare() -> PyperfComparison:
    """Measure the two variants in both ways, in turn, several times; then for long, for the reference."""
    ours, theirs = [], []
    for number in range(TIMES):
        measured = lines.measure(WORK, CANDIDATE, ROUNDS, seed=number)
        ours.append((median(measured.candidate), measured.spent_s))
        began_s = time.monotonic()
        ratio = run_pyperf(CANDIDATE) / run_pyperf(BASELINE)
        theirs.append((ratio, time.monotonic() - began_s))
    our_reference = median(lines.measure(WORK, CANDIDATE, LONG_ROUNDS, seed=TIMES).candidate)
    long = [run_pyperf(name, "--rigorous") for _ in range(LONG_TIMES) for name in (CANDIDATE, BASELINE)]
    their_reference = sum(long[::2]) / sum(long[1::2])
    return PyperfComparison(WORK, TIMES, _way(ours, our_reference), _way(theirs, their_reference))


def _way(measured: list[tuple[float, float]], reference: float) -> Way:
    return Way(reference, median(abs(ratio / reference - 1) for ratio, _ in measured), median(s for _, s in measured))


def make_setup(runner: str) -> str:
    """Return what pyperf runs before the clock: it imports one variant, and makes the job that we give it."""
    package = f"{lines.PACKAGE}.{WORK}"
    (case,) = catalogue.find(lines.FOLDER, lines.PACKAGE)[WORK].cases.values()
    job = f"job = Job({case.parameters['numbers']})"
    return f"from {package}.workload import Job; from {package}.{runner} import run; {job}"


def run_pyperf(runner: str, *options: str) -> float:
    """Return pyperf's mean of one variant, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        timeit = [sys.executable, "-m", "pyperf", "timeit", "--quiet", *options]
        subprocess.run(  # noqa: S603 - our own command
            [*timeit, "-o", str(out), "-s", make_setup(runner), CALL],
            check=True,
            capture_output=True,
            cwd=catalogue.ROOT,
            env={"PYTHONPATH": str(catalogue.ROOT)},
        )
        runs = json.loads(out.read_bytes())["benchmarks"][0]["runs"]
    return fmean(value for run in runs for value in run.get("values", ()))

"""Prints how often `try` finds the model known to be best, and how long it takes.

    python tests/bench_try.py [--held] [--only TEXT] [--budget 90s] [--python PATH]

By default without the third of the planted functions (tests/planted_work) that is held for the end. The machine should
be idle. Right: the advice is the model expected. No difference: it is another, expected to be within 1.1 of it. Tied:
it is another, as fast by what was measured, which was not expected. Undecided: it is another, and the report says that
times decide nothing, as the machine was busy. Wrong: it is any other.
"""

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "planted_work")]

from expected import FOLDER, PLANTED, Planted
from rich.console import Console

from generate.data import own_results
from generate.data.own_results import OwnResult
from generate.own import why_undecided
from runners.harness.own.record import OwnSeries

FAMILIES = {
    "to_thread": "threads",
    "greenlets": "threads",
    "taskgroup": "gather",
    "uvloop": "gather",
    "loops_in_threads": "loops",
    "processes_fork": "processes",
    "processes_forkserver": "processes",
    "processes_spawn": "processes",
    "interpreters": "processes",
}
"""Of models that are not their own."""
LIMIT_S = 600
console = Console(width=120)


class Finished(NamedTuple):
    """One `try` command."""

    status: int
    output: str
    seconds: float
    result: OwnResult | None


def run_try(planted: Planted, *options: str) -> Finished:
    """Run `try` on a planted function, and read the record that it wrote."""
    work = [str(FOLDER / planted.work), "--items", str(FOLDER / planted.items)]
    own = [str(FOLDER / word) if ".py:" in word else word for word in planted.options]
    started = time.monotonic()
    command = [sys.executable, "-m", "runners", "try", *work, *own, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)  # noqa: S603
    written = re.search(r"^record: (.+)$", done.stderr, re.MULTILINE)
    result = own_results.read(Path(written[1])) if written else None
    return Finished(done.returncode, done.stdout + done.stderr, time.monotonic() - started, result)


def family(series: OwnSeries, result: OwnResult) -> str:
    """Return the family of a model; a coroutine in a thread is a loop in a thread."""
    if series.model == "to_thread" and result.record.work.kind == "coroutine":
        return "loops"
    return FAMILIES.get(series.model, series.model)


def judge(planted: Planted, result: OwnResult | None) -> str:
    """Return the outcome of a `try` command."""
    if result is None or not result.timings:
        return "nothing measured"
    advised = family(result.advice.series, result)
    if advised == planted.best:
        return "right"
    if advised in planted.also:
        return "no difference"
    if why_undecided(result):
        return "undecided"
    return "tied" if planted.best in {family(each.series, result) for each in result.tied} else "wrong"


def describe(planted: Planted, done: Finished) -> str:
    """Return the advice, and which promises were broken."""
    result = done.result
    advised = result.advice.series if result and result.timings else None
    words = [f"{advised.model} {advised.workers or ''}".strip() if advised else "none"]
    words += [f"status {done.status}, not {planted.status}"] * (done.status != planted.status)
    words += [f"does not name: {planted.named}"] * (planted.named not in done.output)
    if advised is None:
        words += done.output.strip().splitlines()[-1:]
    return "; ".join(words)


def main() -> None:
    """Print a line for each planted function, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held", action="store_true", help="also the third held for the end")
    parser.add_argument("--only", default="", help="functions whose name has this text")
    parser.add_argument("--budget", default="90s")
    parser.add_argument("--python", default=getattr(sys, "_base_executable", sys.executable))
    given = parser.parse_args()
    chosen = [each for each in PLANTED if given.only in each.work and (given.held or not each.held)]
    outcomes, seconds = Counter[str](), list[float]()
    for planted in chosen:
        done = run_try(planted, "--budget", given.budget, "--python", given.python)
        outcome = judge(planted, done.result)
        outcomes[outcome] += 1
        seconds.append(done.seconds)
        line = f"{outcome:16} {planted.work:36} {done.seconds:5.0f} s  {planted.best:10} {describe(planted, done)}"
        console.print(line, highlight=False, markup=False)
    console.print(f"{len(chosen)} functions: {dict(outcomes)}; at most {max(seconds, default=0):.0f} s each")


if __name__ == "__main__":
    main()

"""Prints how often `try` finds the model known to be best, how often `--explain` does, and how long they take.

    python tests/bench_try.py [TEXT …] [--explain] [--budget 90s] [--python PATH] [--out FOLDER]

The functions are in tests/planted_work; TEXT selects some by name. The machine should be idle.

Right: the advice is the expected model. No difference: it is another, within 1.1 of it, expected or measured.
Wrong: it is any other. `--explain` agrees if the model that it predicts to be best took at most 1.25 times the
best measured time; that is computed from the same record. With the option --explain, only its time is measured.
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "planted_work")]

from expected import FOLDER, PLANTED, Planted
from rich.console import Console

from generate.data import own_prediction, own_results
from generate.data.own_results import OwnResult
from runners.harness import programs
from runners.harness.own.record import OwnSeries

FAMILIES = {
    "to_thread": "threads",
    "greenlets": "threads",
    "taskgroup": "gather",
    "trio": "gather",
    "uvloop": "gather",
    "loops_in_threads": "loops",
    "processes_fork": "processes",
    "processes_forkserver": "processes",
    "processes_spawn": "processes",
    "interpreters": "processes",
}
"""Families of models, as tests/planted_work/expected.py names them. Other models are their own."""
OUTCOMES = ("right", "no difference", "wrong", "nothing measured")
START_METHOD = re.compile(r"\((fork|forkserver|spawn)\)")
AGREES_UP_TO = 1.25
LIMIT_S = 600.0
console = Console(width=140)


class Finished(NamedTuple):
    """One `try` command."""

    planted: Planted
    status: int
    output: str
    seconds: float
    result: OwnResult | None

    @property
    def outcome(self) -> str:
        """How good its advice is."""
        result, best = self.result, self.planted.best
        if result is None or not result.timings:
            return "nothing measured"
        advised = family(result.advice.series, result)
        if advised == best:
            return "right"
        is_tied = best in {family(each.series, result) for each in result.tied}
        return "no difference" if is_tied or advised in self.planted.also else "wrong"

    @property
    def names_danger(self) -> bool:
        """True if the report names what it must, other than in a model's name such as "2 processes (fork)"."""
        return self.planted.named in START_METHOD.sub("", " ".join(self.output.split()))


def run_try(planted: Planted, *options: str) -> Finished:
    """Run `try` on a planted function, and read the record that it wrote."""
    work = [str(FOLDER / planted.work), "--items", str(FOLDER / planted.items)]
    own = [str(FOLDER / word) if ".py:" in word else word for word in planted.options]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options[options.index("--out") + 1] if "--out" in options else temporary
        command = [sys.executable, "-m", "runners", "try", *work, *own, "--out", folder, *options]
        done = programs.run(*command, folder=ROOT, limit_s=LIMIT_S)
        seconds = time.monotonic() - started
        written = max(Path(folder).glob(f"*/*-{planted.work.rpartition(':')[2]}/own.json"), default=None)
        result = own_results.read(written) if written else None
    return Finished(planted, done.returncode, done.stdout + done.stderr, seconds, result)


def family(series: OwnSeries, result: OwnResult) -> str:
    """Return the family of a model; a coroutine in a thread is a loop in a thread."""
    if series.model == "to_thread" and result.record.work.kind == "coroutine":
        return "loops"
    return FAMILIES.get(series.model, series.model)


def explain_agrees(result: OwnResult) -> bool:
    """True if the model that --explain advises took nearly the best measured time."""
    advised = own_prediction.advise(own_prediction.predict(result.record))
    if advised is None:
        return False
    wanted = (advised.build, advised.model, advised.workers)
    every = [(each.series, each.time.value) for each in result.timings]
    measured = [ns for series, ns in every if (series.build, series.model, series.workers) == wanted]
    return bool(measured) and measured[0] <= AGREES_UP_TO * result.fastest.time.value


def describe(done: Finished) -> str:
    """Return the outcome of a `try` command, the expected and the advised model, and broken promises."""
    planted, result = done.planted, done.result
    if result and result.timings:
        advised = result.advice.series
        words = [f"{advised.model} {advised.workers or ''}"]
        words += ["--explain does not agree"] * (not explain_agrees(result))
    else:
        words = done.output.strip().splitlines()[-1:]
    words += [f"status {done.status}, not {planted.status}"] * (done.status != planted.status)
    words += [f"does not name: {planted.named}"] * (not done.names_danger)
    return f"{done.outcome:16} {planted.best:10} {'; '.join(words)}"


def totals(every: list[Finished]) -> str:
    """Return the figures."""
    outcomes = Counter(each.outcome for each in every)
    agreed = sum(explain_agrees(each.result) for each in every if each.result and each.result.timings)
    dangerous = [each for each in every if each.planted.named]
    facts = [
        ", ".join(f"{name} {outcomes[name]}" for name in OUTCOMES),
        f"--explain agrees in {agreed} of {len(every)}",
        f"dangers named: {sum(each.names_danger for each in dangerous)} of {len(dangerous)}",
    ]
    return "; ".join(facts)


def say(line: str) -> None:
    """Print a line at once, so that a run that is cut off is of use."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.file.flush()


def measure(chosen: list[Planted], options: list[str], *, is_explained: bool) -> None:
    """Print a line for each function, then the figures of all."""
    every: list[Finished] = []
    try:
        for planted in chosen:
            done = run_try(planted, *options, *["--explain"] * is_explained)
            every.append(done)
            say(f"{planted.work:32} {done.seconds:5.1f} s  {'' if is_explained else describe(done)}")
    finally:  # also of a run that is interrupted
        longest_s = max((each.seconds for each in every), default=0)
        figures = f"{len(every)} functions: at most {longest_s:.1f} s each"
        say(figures if is_explained else f"{figures}; {totals(every)}")


def main() -> None:
    """Measure the functions that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="functions whose name has one of these texts")
    parser.add_argument("--explain", action="store_true", help="only measure how long --explain takes")
    parser.add_argument("--budget", default="90s")
    parser.add_argument("--out", help="where to keep the records")
    parser.add_argument("--python", default=getattr(sys, "_base_executable", sys.executable))
    given = parser.parse_args()
    chosen = [each for each in PLANTED if any(text in each.work for text in given.texts or [""])]
    kept = ["--out", given.out] if given.out else []
    measure(chosen, ["--budget", given.budget, "--python", given.python, *kept], is_explained=given.explain)


if __name__ == "__main__":
    main()

"""Prints how often `try`, intelligent-futures and a plain pyperf script are right on five functions, and in what time.

    python tests/bench_try_others.py [TEXT …] [--budget 90s]

The others are installed into a temporary environment, whose Python all three use. As they have no budget, they run the
first items only, as their documentation advises: intelligent-futures selects among pools of threads and processes, and
pyperf times a statement for each model that its user would think of. The five were chosen before anything was measured.
TEXT selects by name.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "planted_work")]

from bench_try import LIMIT_S, family, run_try, say
from expected import FOLDER, PLANTED, Planted

from runners.harness import programs

CHOSEN = (
    "computing.py:count_primes",
    "waiting.py:sleep_20ms",
    "tiny.py:double",
    "racy.py:sum_in_scratch",
    "coroutines.py:call_api",
)
ITEMS = 40
PACKAGES = ("intelligent-futures", "pyperf")
STATEMENTS = {
    "loop": "list(map(f, items))",
    "threads": "with ThreadPoolExecutor(32) as pool: list(pool.map(f, items))",
    "processes": "with ProcessPoolExecutor() as pool: list(pool.map(f, items))",
}
COROUTINE_STATEMENTS = {"loop": "asyncio.run(in_turn())", "gather": "asyncio.run(at_once())"}
COROUTINES = """
async def in_turn(): return [await f(item) for item in items]
async def at_once(): return await asyncio.gather(*map(f, items))
"""


def names(planted: Planted) -> tuple[str, str, str]:
    """Return the module, function and generator."""
    module, _, function = planted.work.partition(".py:")
    return module, function, planted.items.partition(":")[2]


def by_try(python: Path, budget: str, planted: Planted) -> str:
    result = run_try(planted, "--python", str(python), "--budget", budget).result
    return family(result.advice.series, result) if result and result.timings else "none"


def by_intelligent_futures(python: Path, planted: Planted) -> str:
    if planted.work.startswith("coroutines"):
        return "runs no coroutines"
    done = programs.run(python, FOLDER / "by_intelligent_futures.py", *names(planted), str(ITEMS), limit_s=LIMIT_S)
    return done.stdout.strip() or (done.stderr.strip().splitlines() or ["nothing"])[-1]


def by_pyperf(python: Path, planted: Planted) -> str:
    module, function, generator = names(planted)
    setup = (
        f"import asyncio, sys; sys.path.insert(0, {str(FOLDER)!r})\n"
        "from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor\n"
        f"from {module} import {function} as f, {generator} as g; items = list(g())[:{ITEMS}]\n"
    )
    if module == "coroutines":
        setup, statements = setup + COROUTINES, COROUTINE_STATEMENTS
    else:
        statements = STATEMENTS
    times = {name: time_statement(python, setup, statement) for name, statement in statements.items()}
    return min(times, key=lambda name: times[name])


def time_statement(python: Path, setup: str, statement: str) -> float:
    """Return the mean time that pyperf measures, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        subprocess.run(  # noqa: S603 - our own words
            [python, "-m", "pyperf", "timeit", "--fast", "--quiet", "-o", out, "-s", setup, statement],
            capture_output=True,
            check=True,
            timeout=LIMIT_S,
        )
        series = json.loads(out.read_bytes())["benchmarks"][0]
    # runs that calibrate have no values
    return float(mean(value for run in series["runs"] for value in run.get("values", [])))


def compare(chosen: list[Planted], ways: Mapping[str, Callable[[Planted], str]]) -> None:
    """Print the family that each way advises for each function, then the figures."""
    right = dict.fromkeys(ways, 0)
    spent = dict.fromkeys(ways, 0.0)
    for planted in chosen:
        for name, advise in ways.items():
            began = time.monotonic()
            advice = advise(planted)
            seconds = time.monotonic() - began
            right[name] += advice in {planted.best, *planted.also}
            spent[name] += seconds
            say(f"{planted.work:28} {planted.best:10} {name:20} {advice:20} {seconds:5.0f} s")
    for name in ways:
        say(f"{name}: right in {right[name]} of {len(chosen)}, {spent[name]:.0f} s in all")


def main() -> None:
    """Install the others, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="functions whose name has one of these texts")
    parser.add_argument("--budget", default="90s", help="of try")
    given = parser.parse_args()
    by_name = {planted.work: planted for planted in PLANTED}
    chosen = [by_name[work] for work in CHOSEN if any(text in work for text in given.texts or [""])]
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)  # noqa: S603
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)  # noqa: S603
        ways = {
            "try": partial(by_try, python, given.budget),
            "intelligent-futures": partial(by_intelligent_futures, python),
            "pyperf": partial(by_pyperf, python),
        }
        compare(chosen, ways)


if __name__ == "__main__":
    main()

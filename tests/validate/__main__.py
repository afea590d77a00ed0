"""Tries the statistics: `make validate`, and `make validate-long` for what takes hours. Prints, and keeps the figures.

What is measured here needs an otherwise idle machine.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import beside_pyperf
import click
import cross_check
import figures
import lines
import msgspec
import simulate
import stability as stable

from generate.results import load
from generate.statistics import sign_tests, validation
from generate.statistics.intervals import comparison
from runners.harness.builds import host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.process import launcher as launch
from runners.harness.run import protocol
from runners.harness.run.new_run import our_own_python
from runners.harness.run.session import commit

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

TIMES = 20
ROUNDS = 12
SIMULATED = 100
"""Simulated comparisons of each block, number of rounds and slowdown."""
SEEN_ENOUGH = 0.95

Step = Callable[[], dict[str, Any]]


@click.command()
@click.option("--long", is_flag=True, help="what takes hours, and nothing else")
@click.option("--only", type=click.Choice(["simulations", "slowdown", "pyperf", "meters"]), help="one part of it")
def main(*, long: bool, only: str | None) -> None:
    """Validate, and replace docs/validation.json part by part."""
    steps: dict[str, tuple[str, Step]] = {
        "simulations": ("half a minute", simulations),
        "slowdown": ("four minutes", slowdown),
        "pyperf": ("twelve minutes", pyperf),
        "meters": ("ten minutes", meters),
    }
    if long:
        steps = {"stability": ("two and a half hours", lambda: {"stability": stable.stability()})}
    for name, (duration, step) in steps.items():
        if only in {None, name}:
            click.echo(f"{name}: about {duration}")
            keep(step())


def keep(found: dict[str, Any]) -> None:
    """Print *found* and put it into the record."""
    for value in found.values():
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=1).decode())
    head, _ = commit()
    now = dt.datetime.now(dt.UTC).date().isoformat()
    facts = {"date": now, "machine": host.look(None).label, "commit": head}
    figures.write(msgspec.structs.replace(figures.read(), **facts, **found))


def simulations() -> dict[str, Any]:
    """Simulate comparisons from the noise of the committed full runs, and count what their own controls did."""
    files = [file for file in load.load(ROOT / "results").files if not file.local and file.record.run.profile == "full"]
    blocks = [*simulate.blocks([file.record for file in files], catalogue.find())]
    tallies = simulate.tally(blocks, SIMULATED)
    alike = [tally for (_, _, slowdown), tally in tallies.items() if slowdown == 0]
    slowed = [tally for (_, _, slowdown), tally in tallies.items() if slowdown > 0]
    covered = sum(tally.covered for tally in tallies.values())
    runs = sum(tally.runs for tally in alike)
    real = [comparison(block.ratios) for block in blocks]
    decided = [may for cell in sorted({block.cell for block in blocks}) for may in decisions(blocks, cell)]
    return {
        "simulated": validation.Simulated(
            runs, sum(tally.seen for tally in alike), sum(tally.runs for tally in slowed), covered
        ),
        "controls": validation.Controls(len(real), sum(one.differs for one in real if one), sum(decided)),
        "power": [power(key, blocks, tallies) for key in sorted({block.key for block in blocks})],
    }


def decisions(blocks: list[simulate.Block], cell: str) -> list[bool]:
    """Tell which controls of a cell would be decided as different, as the verdicts of a cell are decided."""
    tests = [sign_tests.sign_test(block.ratios, 1.0, 1.0) for block in blocks if block.cell == cell]
    return sign_tests.discoveries([2 * test.outside for test in tests])


def power(
    key: tuple[str, str],
    blocks: list[simulate.Block],
    tallies: dict[tuple[tuple[str, str], int, float], simulate.Tally],
) -> validation.Power:
    """Sum up, over the cells, how often slowdowns are seen in one block."""
    mine = [block for block in blocks if block.key == key]
    seen = {
        count: {
            slowdown: tallies[key, count, slowdown].seen / tallies[key, count, slowdown].runs
            for slowdown in simulate.SLOWDOWNS
        }
        for count in simulate.ROUNDS
    }
    enough = [count for count in simulate.ROUNDS if seen[count][0.10] >= SEEN_ENOUGH]
    spread = fmean(block.spread**2 for block in mine) ** 0.5
    as_text = {str(count): {f"{slowdown:g}": share for slowdown, share in by.items()} for count, by in seen.items()}
    return validation.Power(*key, len(mine), spread, as_text, min(enough, default=None))


def slowdown() -> dict[str, Any]:
    """Measure a loop that makes a tenth more turns, through the whole line; its controls are compared as well."""
    measured = lines.measure("loops", "slower", TIMES * ROUNDS, seed=1)
    starts = range(0, TIMES * ROUNDS, ROUNDS)
    found, alike = (
        [comparison(ratios[start : start + ROUNDS]) for start in starts]
        for ratios in (measured.candidate, measured.control)
    )
    click.echo(f"controls of the loops that differ: {sum(one.differs for one in alike if one)} of {TIMES}")
    ratios = [one.ratio for one in found if one]
    seen = sum(one.low > 1 for one in found if one)
    return {"slowdown": validation.Slowdown(TIMES, ROUNDS, seen, median(ratios), stdev(measured.control))}


def pyperf() -> dict[str, Any]:
    """Set our way beside pyperf's."""
    made = []
    for work in beside_pyperf.WORKS:
        beside = beside_pyperf.beside(work)
        ours, theirs = (
            validation.Way(way.reference, way.error, median(way.spent_s)) for way in (beside.ours, beside.pyperf)
        )
        made.append(validation.Beside(work, len(beside.ours.ratios), ours, theirs))
    return {"pyperf": made}


def meters() -> dict[str, Any]:
    """Set our load generator beside those that are installed."""
    build = interpreters.prepare([our_own_python()])[0]
    scenario = catalogue.find()["blocking_server"]
    with launch.Launcher() as launcher:

        def serving(runner: catalogue.Runner) -> AbstractContextManager[int]:
            asked = protocol.request(scenario, cross_check.CASE, runner.name, python=build.python, seed=0)
            return protocol.serving(launcher, replace(asked, time_limit_s=cross_check.SERVER_LIMIT_S))

        return {"agreement": {found.runner: found.ratios for found in cross_check.compare(scenario, serving)}}


if __name__ == "__main__":
    main()

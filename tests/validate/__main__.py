"""Tries the statistics: `make validate`, and `make validate-long` for what takes hours. Prints, and keeps the figures.

What is measured here needs an otherwise idle machine.
"""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections import defaultdict
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
import lines
import msgspec
import quick_rule
import simulate

from generate.analysis.gated import apply_gate
from generate.claims.board import Board
from generate.claims.read import read
from generate.results import load, validation
from generate.statistics import sign_tests
from generate.statistics.intervals import comparison
from generate.text.log_lines import ending_on_errors
from runners.harness.builds import host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.process import launcher as launch
from runners.harness.run import protocol
from runners.harness.run.new_run import our_own_python
from runners.harness.run.session import revision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from generate.statistics.intervals import Comparison

DOCS = ROOT / "docs"
TIMES = 20
QUICK_ROUNDS = 75
"""Of the quick profile, in one run: three in a row are as far apart as those of a quick run."""
MEASURED = ROOT / ".cache" / "validate"
"""Where long runs stay: what comes after hours of measuring may fail, and they are not to be measured again."""
EACH_ITS_OWN = ("quick", "slowdown")
"""Parts of which several trials are kept, each with when, where and from what it was made."""
USABLE = (0, 4)
"""Statuses of a run: all was measured, or some series have no value, and count for nothing."""
LONG_TIMES = 5
"""Runs that are compared for stability."""
FULL_SPACING, QUICK_SPACING = "the committed full runs", "long runs of the quick profile"
ROUNDS = 12
SIMULATED = 100
"""Simulated comparisons of each block, number of rounds and slowdown."""
SEEN_ENOUGH = 0.95
SERVER_LIMIT_S = 600.0
"""How long one server may be up for all rounds."""

SHORT = {
    "simulations": "half a minute",
    "slowdown": "seven minutes",
    "pyperf": "twelve minutes",
    "meters": "ten minutes",
}
LONG = {"quick": "two hours", "stability": "three hours"}
"""The parts, and how long each takes on an idle machine."""

Step = Callable[[], dict[str, Any]]


@click.command()
@click.option("--long", is_flag=True, help="what takes hours, and nothing else")
@click.option("--only", type=click.Choice([*SHORT, *LONG]), help="one part of it, of either kind")
@click.option(
    "--measured",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="for quick: a folder with such a long run, made before; nothing is measured",
)
def main(*, long: bool, only: str | None, measured: Path | None) -> None:
    """Validate, and keep what comes of each part in docs/validation.json."""
    if measured and only != "quick":
        msg = "--measured is for --only quick"
        raise click.UsageError(msg)
    with ending_on_errors():
        validate([only] if only else [*(LONG if long else SHORT)], measured)


def validate(names: Sequence[str], measured: Path | None) -> None:
    """Make the figures of the parts called *names*, and keep those of each as soon as they are there."""
    validation.read(DOCS)  # one that can't be read is refused before anything is measured
    steps: dict[str, Step] = {
        "simulations": simulations,
        "slowdown": slowdown,
        "pyperf": pyperf,
        "meters": meters,
        "quick": lambda: quick_of(measured) if measured else quick(),
        "stability": stability,
    }
    durations = {**SHORT, **LONG}
    for name in names:
        click.echo(f"{name}: of {measured}" if measured else f"{name}: about {durations[name]}")
        if figures := steps[name]():
            keep(figures)


def keep(figures: dict[str, Any]) -> None:
    """Print *figures* and put them into the record, each part with when, where and from what it was made."""
    for value in figures.values():
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=1).decode())
    before, made = validation.read(DOCS), made_now()
    stamped = {**before.made, **{name: made for name in figures if name not in EACH_ITS_OWN}}
    record = msgspec.json.encode(msgspec.structs.replace(before, made=stamped, **figures))
    write_atomically(DOCS / validation.FILE, msgspec.json.format(record, indent=1) + b"\n")


def made_now() -> validation.Made:
    """Say when, where and from which commit figures are made."""
    machine = host.look(None)
    return validation.Made(dt.datetime.now(dt.UTC).date().isoformat(), machine.label, revision().commit, machine.cpu)


def measure(name: str, *options: str, times: int = 1) -> Path:
    """Measure our own Python *times* times, one run after another, and return the folder where the runs stay.

    Raises UserError where a run ends before its time; what it had measured by then stays too.
    """
    folder = MEASURED / f"{name}-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%SZ}"
    command = [sys.executable, "-m", "runners", "run", *options, "--out", str(folder)]
    for _ in range(times):
        status = subprocess.run(command, check=False, cwd=ROOT).returncode  # noqa: S603 - our own command
        if status not in USABLE:
            msg = f"the run ended with status {status}; what was measured is in {folder.relative_to(ROOT)}"
            raise UserError(msg)
    return folder


def simulations() -> dict[str, Any]:
    """Simulate comparisons from the noise of the committed full runs, and count what their own controls did."""
    every = apply_gate([file for file in load.load(ROOT / "results").files if not file.local], catalogue.find())
    full = [gated for gated in every if not gated.is_quick]
    blocks = [*simulate.blocks(full)]
    tallies = simulate.tally(blocks, SIMULATED)
    alike = [tally for (_, _, slowdown), tally in tallies.items() if slowdown == 0]
    slowed = [tally for (_, _, slowdown), tally in tallies.items() if slowdown > 0]
    real = [comparison(block.ratios) for block in blocks]
    decided = [is_so for cell in {block.cell for block in blocks} for is_so in decisions(blocks, cell)]
    of_full = quick_rule.tally(full, FULL_SPACING)
    return {
        "quick": with_rule(of_full),
        "simulated": validation.Simulated(
            sum(tally.runs for tally in alike),
            sum(tally.seen for tally in alike),
            sum(tally.runs for tally in slowed),
            sum(tally.covered for tally in tallies.values()),
        ),
        "controls": validation.Controls(len(real), sum(control.differs for control in real if control), sum(decided)),
        "power": [power(key, blocks, tallies) for key in sorted({block.key for block in blocks})],
    }


def with_rule(tried: validation.QuickRule) -> list[validation.QuickRule]:
    """Return what the rule for few rounds was tried on, of each spacing the last trial."""
    others = [rule for rule in validation.read(DOCS).quick if rule.spacing != tried.spacing]
    return sorted([*others, msgspec.structs.replace(tried, made=made_now())], key=lambda rule: rule.spacing)


def quick() -> dict[str, Any]:
    """Measure our own Python with many rounds of the quick profile, and try the rule on each three of them."""
    return quick_of(measure("quick", "--profile", "quick", "--rounds", str(QUICK_ROUNDS)))


def quick_of(folder: Path) -> dict[str, Any]:
    """Try the rule on the long run in *folder*; what it did in earlier such runs is counted with it.

    Raises UserError where *folder* has no run of the quick profile, or one of another, whose rounds are farther apart,
    and where its run was counted before.
    """
    records = apply_gate(load.load(folder).files, catalogue.find())
    if not records or not all(gated.is_quick for gated in records):
        msg = f"{folder} is to have runs of the quick profile, and no others"
        raise UserError(msg)
    runs = sorted({gated.file.record.run.id for gated in records})
    tried = msgspec.structs.replace(quick_rule.tally(records, QUICK_SPACING), runs=tuple(runs))
    return {"quick": with_rule(quick_rule.with_earlier(tried, validation.read(DOCS).quick))}


def decisions(blocks: list[simulate.Block], cell: str) -> list[bool]:
    """Return which controls of a cell would be decided as different, as the verdicts of a cell are decided."""
    tests = [sign_tests.sign_test(block.ratios, 1.0, 1.0) for block in blocks if block.cell == cell]
    return sign_tests.discoveries([2 * test.outside for test in tests])


def power(key: tuple[str, str], blocks: list[simulate.Block], tallies: simulate.Tallies) -> validation.Power:
    """Sum up, over the cells, how often slowdowns are seen in one block."""
    spreads = [block.spread for block in blocks if block.key == key]
    seen: dict[str, dict[str, float]] = {str(count): {} for count in simulate.ROUNDS}
    for count in simulate.ROUNDS:
        for slowdown in simulate.SLOWDOWNS:
            tally = tallies[key, count, slowdown]
            seen[str(count)][f"{slowdown:g}"] = tally.seen / tally.runs
    enough = [count for count in simulate.ROUNDS if seen[str(count)]["0.1"] >= SEEN_ENOUGH]
    spread = fmean(spread**2 for spread in spreads) ** 0.5
    return validation.Power(*key, len(spreads), spread, seen, min(enough, default=None))


def slowdown() -> dict[str, Any]:
    """Measure work of which there is a tenth more, through the whole line; its controls are compared as well.

    What comes of it stands beside what came of earlier trials: it is the noise of the machine just then that decides,
    which work that waits feels less than work that computes.
    """
    trials = [_trial("loops", "computes"), _trial("waits", "waits")]
    return {"slowdown": [*validation.read(DOCS).slowdown, *trials]}


def _trial(scenario: str, work: validation.Work) -> validation.Slowdown:
    """Measure one kind of planted work."""
    measured = lines.measure(scenario, "slower", TIMES * ROUNDS, seed=1)
    slowed, alike = compared_by_rounds(measured.candidate), compared_by_rounds(measured.control)
    click.echo(f"controls of the {scenario} that differ: {sum(control.differs for control in alike)} of {len(alike)}")
    if not slowed:
        msg = f"no comparison of the {scenario} has all its rounds: nothing can be said of the slowdown"
        raise UserError(msg)
    ratio, seen = median(each.ratio for each in slowed), sum(each.low > 1 for each in slowed)
    return validation.Slowdown(len(slowed), ROUNDS, seen, ratio, stdev(measured.control), made_now(), work)


def compared_by_rounds(ratios: Sequence[float]) -> list[Comparison]:
    """Compare each so many rounds in a row; what is left at the end, where samples failed, is no comparison."""
    starts = range(0, len(ratios) - ROUNDS + 1, ROUNDS)
    return [found for start in starts if (found := comparison(ratios[start : start + ROUNDS]))]


def pyperf() -> dict[str, Any]:
    """Set our way beside pyperf's."""
    return {"pyperf": [beside_pyperf.beside(work) for work in beside_pyperf.WORKS]}


def meters() -> dict[str, Any]:
    """Set our load generator beside those that are installed; where none is, the figures stay as they were."""
    installed = cross_check.available()
    for name in cross_check.INSTALL.keys() - installed.keys():
        click.echo(f"left out, as it is not installed: {name} ({cross_check.INSTALL[name]})")
    if len(installed) == 1:
        return {}
    build = interpreters.prepare([our_own_python()])[0]
    scenario = catalogue.find()["blocking_server"]
    with launch.Launcher() as launcher:

        def serving(runner: catalogue.Runner) -> AbstractContextManager[int]:
            request = protocol.request(scenario, cross_check.CASE, runner.name, python=build.python, seed=0)
            return protocol.serving(launcher, replace(request, time_limit_s=SERVER_LIMIT_S))

        return {"agreement": dict(cross_check.compare(scenario, serving, installed))}


def stability() -> dict[str, Any]:
    """Measure our own Python with the full profile, one run after another, and see where two disagree."""
    files = load.load(measure("stability", "--profile", "full", times=LONG_TIMES)).files
    scenarios, claims = catalogue.find(), read(DOCS)
    decided: dict[str, set[str]] = defaultdict(set)
    for file in files:  # each judged alone
        board = Board.of(claims, scenarios, apply_gate([file], scenarios))
        for verdict in (verdict for of_claim in board.verdicts.values() for verdict in of_claim.parts):
            if verdict.verdict in {"holds", "does not hold"}:
                decided[verdict.part.id].add(verdict.verdict)
    flipped = sorted(part for part, verdicts in decided.items() if len(verdicts) > 1)
    build = f"{files[0].record.build.implementation} {files[0].record.build.version}"
    return {"stability": validation.Stability(build, len(files), len(decided), flipped)}


if __name__ == "__main__":
    main()

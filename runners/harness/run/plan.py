"""Decides what is measured, and in which order. The same arguments always give the same plan.

Every round measures each block once. In a block the baseline, its control, every candidate and every build of the run
follow each other in random order, so that whatever the machine does meanwhile affects them alike.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.model import Profile, Role, Run, SeriesKey

ROUNDS: Mapping[Profile, int] = {"quick": 3, "full": 6, "map": 9}
"""Few, even in full: a number differs more between runs than between rounds, so measure several runs."""

SLOW: Mapping[str, Collection[str]] = {
    "gil_wait": {"published, 4 compute", "published, 10 wait"},
    "heartbeat": {"quarter, jobs that never await, 1 at once", "quarter, jobs that never await, 50 at once"},
    "power": {"published"},
    "primes": {"published, with a timer"},
    "queue_depth": {"published"},
}
"""Cases, by scenario, that would make a quick run of everything take more than three minutes a build."""


@dataclass(frozen=True)
class Entry:
    """One series of a run: what is measured once a round."""

    scenario: str
    case: str
    runner: str
    role: Role
    build: int
    """Index into the run's builds; 0 is the reference build."""

    @property
    def key(self) -> SeriesKey:
        return SeriesKey(self.scenario, self.case, self.runner, self.role)

    def label(self, build: str) -> str:
        """Name the series for a user; *build* is the name of its build."""
        return f"{build} {self.scenario}, {self.case}: {self.runner_label}"

    @property
    def runner_label(self) -> str:
        """Its runner, marked if it is the control."""
        return f"{self.runner} (control)" if self.role == "control" else self.runner


@dataclass(frozen=True)
class Step:
    """One sample to take."""

    entry: Entry
    round: int
    position: int
    """Place in its block, from 0."""


@dataclass(frozen=True)
class Selection:
    """What the user chose to measure. Empty: everything."""

    profile: Profile
    scenarios: tuple[str, ...] = ()
    runners: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @classmethod
    def from_run(cls, run: Run) -> "Selection":
        return cls(run.profile, tuple(run.scenarios), tuple(run.runners), tuple(run.cases))

    def includes(self, scenario: Scenario) -> bool:
        """True if any case of *scenario* is to be measured."""
        is_chosen = not self.scenarios or scenario.name in self.scenarios
        return is_chosen and bool(self.select_cases(scenario))

    def select_cases(self, scenario: Scenario) -> list[str]:
        """Return the cases of *scenario* to measure, including those of their baselines."""
        in_profile = [name for name, case in scenario.cases.items() if getattr(case, self.profile)]
        if self.profile == "quick" and not self.scenarios and not self.cases:
            in_profile = [name for name in in_profile if name not in SLOW.get(scenario.name, ())]
        chosen = {name for name in in_profile if not self.cases or name in self.cases}
        baselines = {scenario.find_baseline(scenario.find_block(name))[0] for name in chosen}
        return [name for name in in_profile if name in chosen | baselines]


def entries(scenarios: Mapping[str, Scenario], selection: Selection, varied: Sequence[Collection[str]]) -> list[Entry]:
    """List every series of the run, block by block. A baseline is always included, with its control.

    *varied* has, by build, the packages whose versions differ. Such a build measures only the runners that
    import one of them; so does the reference build, unless it is compared with a build without such packages.
    """
    others = [packages for packages in varied[1:] if packages]
    if len(others) == len(varied) - 1 and not varied[0]:
        varied = [{package for packages in others for package in packages}, *others]
    listed: list[Entry] = []
    for scenario in scenarios.values():
        if not selection.includes(scenario):
            continue
        by_build = [_list_series(scenario, selection, packages) for packages in varied]
        listed += [
            Entry(scenario.name, *series, build)
            for series in _list_series(scenario, selection)
            for build, measured in enumerate(by_build)
            if series in measured
        ]
    return listed


def _list_series(
    scenario: Scenario, selection: Selection, packages: Collection[str] = ()
) -> list[tuple[str, str, Role]]:
    """List a scenario's series; with *packages*, only runners that import one, and the baselines of their blocks."""
    listed: list[tuple[str, str, Role]] = []
    for name in selection.select_cases(scenario):
        case = scenario.cases[name]
        baseline = scenario.find_baseline(scenario.find_block(name))
        for runner in scenario.runners.values():
            is_baseline = (name, runner.name) == baseline
            is_chosen = (
                (not selection.runners or runner.name in selection.runners)
                and (not selection.cases or name in selection.cases)
                and (not packages or not {*packages}.isdisjoint(runner.packages))
            )
            if (is_chosen and runner.takes_part(case)) or is_baseline:
                listed.append((name, runner.name, "subject"))
            if is_baseline:
                listed.append((name, runner.name, "control"))
    if not packages:
        return listed
    varied_blocks = {
        scenario.find_block(case) for case, runner, _ in listed if {*packages} & {*scenario.runners[runner].packages}
    }
    return [series for series in listed if scenario.find_block(series[0]) in varied_blocks]


def steps(scenarios: Mapping[str, Scenario], series: Sequence[Entry], rounds: int, seed: int) -> list[Step]:
    """Return the samples of *series* in the order in which they are measured, *rounds* times."""
    blocks: dict[tuple[str, str], list[Entry]] = {}
    for entry in series:
        block = scenarios[entry.scenario].find_block(entry.case)
        blocks.setdefault((entry.scenario, block), []).append(entry)
    planned: list[Step] = []
    for number in range(1, rounds + 1):
        order = random.Random(f"{seed} {number}")  # noqa: S311 - an order, not a secret
        for key in order.sample(list(blocks), len(blocks)):
            shuffled = order.sample(blocks[key], len(blocks[key]))
            planned += [Step(entry, number, position) for position, entry in enumerate(shuffled)]
    return planned

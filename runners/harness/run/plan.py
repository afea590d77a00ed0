"""Decides what is measured, and in which order. Pure: the same arguments give the same plan.

Every round measures each block once; in a block the baseline, its control, every candidate and every build of the run
stand back to back in a random order, so that what the machine does meanwhile meets them alike.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Profile, Role, Run

ROUNDS: Mapping[Profile, int] = {"quick": 3, "full": 6, "map": 9}
"""Few in full too: a number differs more between runs than between rounds, so measure several runs."""


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
        """What names its series in the build's record."""
        return SeriesKey(self.scenario, self.case, self.runner, self.role)

    def words(self, build: str) -> str:
        """Name the series to a user; *build* is the name of its build."""
        return f"{self.case_words(build)}: {self.runner_words}"

    def case_words(self, build: str) -> str:
        """Name its build and its case."""
        return f"{build} {self.scenario}, {self.case}"

    @property
    def runner_words(self) -> str:
        """Name its runner, and say whether it is the control."""
        return f"{self.runner} (control)" if self.role == "control" else self.runner


@dataclass(frozen=True)
class Step:
    """One sample to take."""

    entry: Entry
    round: int
    """From 1."""
    position: int
    """Place in its block, from 0."""


@dataclass(frozen=True)
class Selection:
    """What was asked to be measured. Empty: everything."""

    profile: Profile
    scenarios: tuple[str, ...] = ()
    runners: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: Run) -> Selection:
        """Return what a recorded run was asked to measure."""
        return cls(run.profile, tuple(run.scenarios), tuple(run.runners), tuple(run.cases))

    def has(self, scenario: Scenario) -> bool:
        """Return whether any case of *scenario* is to be measured."""
        is_chosen = not self.scenarios or scenario.name in self.scenarios
        return is_chosen and bool(self.cases_of(scenario))

    def cases_of(self, scenario: Scenario) -> list[str]:
        """Return the cases of *scenario* that are to be measured, with those in which their baselines are."""
        alike = [name for name, case in scenario.cases.items() if getattr(case, self.profile)]
        chosen = {name for name in alike if not self.cases or name in self.cases}
        beside = {scenario.baseline_of(scenario.block_of(name))[0] for name in chosen}
        return [name for name in alike if name in chosen | beside]


def entries(scenarios: Mapping[str, Scenario], selection: Selection, varied: Sequence[Collection[str]]) -> list[Entry]:
    """List every series of the run, block by block. A baseline is always in, twice: with its control.

    *varied* are, by build, the packages of which it has another version: such a build measures the runners alone that
    import one of them, and where all others are such, so does the reference build.
    """
    others = [packages for packages in varied[1:] if packages]
    if len(others) == len(varied) - 1 and not varied[0]:
        varied = [{package for packages in others for package in packages}, *others]
    series: list[Entry] = []
    for scenario in scenarios.values():
        if not selection.has(scenario):
            continue
        of_builds = [_of_scenario(scenario, selection, packages) for packages in varied]
        series += [
            Entry(scenario.name, *of_series, build)
            for of_series in _of_scenario(scenario, selection)
            for build, measured in enumerate(of_builds)
            if of_series in measured
        ]
    return series


def _of_scenario(
    scenario: Scenario, selection: Selection, packages: Collection[str] = ()
) -> list[tuple[str, str, Role]]:
    """List a scenario's series; with *packages*, those of runners that import one, and of their blocks' baselines."""
    series: list[tuple[str, str, Role]] = []
    for name in selection.cases_of(scenario):
        case = scenario.cases[name]
        baseline = scenario.baseline_of(scenario.block_of(name))
        for runner in scenario.runners.values():
            is_baseline = (name, runner.name) == baseline
            is_chosen = not selection.runners or runner.name in selection.runners
            is_chosen = is_chosen and (not selection.cases or name in selection.cases)
            is_chosen = is_chosen and (not packages or not {*packages}.isdisjoint(runner.packages))
            if (is_chosen and runner.takes_part(case)) or is_baseline:
                series.append((name, runner.name, "subject"))
            if is_baseline:
                series.append((name, runner.name, "control"))
    if not packages:
        return series
    varied = {
        scenario.block_of(case) for case, runner, _ in series if {*packages} & {*scenario.runners[runner].packages}
    }
    return [of_series for of_series in series if scenario.block_of(of_series[0]) in varied]


def steps(scenarios: Mapping[str, Scenario], series: Sequence[Entry], rounds: int, seed: int) -> list[Step]:
    """Put *series* in the order in which they are measured, *rounds* times."""
    blocks: dict[tuple[str, str], list[Entry]] = {}
    for entry in series:
        block = scenarios[entry.scenario].block_of(entry.case)
        blocks.setdefault((entry.scenario, block), []).append(entry)
    planned: list[Step] = []
    for number in range(1, rounds + 1):
        order = random.Random(f"{seed} {number}")  # noqa: S311 - an order, not a secret
        for scenario, block in order.sample(list(blocks), len(blocks)):
            block_entries = blocks[scenario, block]
            inside = order.sample(block_entries, len(block_entries))
            planned += [Step(entry, number, position) for position, entry in enumerate(inside)]
    return planned

"""Finds the scenarios and their runners. Nothing else knows which there are.

A scenario is imported (it needs the standard library alone). A runner is only read: its packages may not be installed.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from runners.harness.catalogue.runner_file import Runner, digest, read_runner
from runners.harness.errors import CatalogueError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from runners.harness.contract import Case, Ideal, Metric

ROOT = Path(__file__).resolve().parents[3]
RUNNERS = ROOT / "runners"

__all__ = ["ROOT", "RUNNERS", "Runner", "Scenario", "find", "read_runner", "select"]


@dataclass(frozen=True)
class Scenario:
    """One question, with its workload, cases, metrics and ideal: one folder."""

    name: str
    package: str
    """The package that its folder is in."""
    title: str
    question: str
    description: str
    """What is measured and how, in the words of its module's docstring."""
    source: str
    baseline: str
    cases: Mapping[str, Case]
    metrics: tuple[Metric, ...]
    ideal: Ideal
    inside_the_clock: str
    notes: Mapping[str, str]
    """What is said at the rows of "runner", or of "runner/case" alone."""
    sites_module: str
    """The module with the pages of the local origin sites, `MEANS_S` and `page_at`; empty where none are fetched."""
    runners: Mapping[str, Runner]
    scenario_sha256: str

    def block_of(self, case: str) -> str:
        """Name the block in which *case* is measured."""
        return self.cases[case].block or case

    def baseline_of(self, block: str) -> tuple[str, str]:
        """Name the (case, runner) that is measured twice in *block*."""
        inside = [name for name in self.cases if self.block_of(name) == block]
        for name in inside:
            if self.cases[name].baseline:
                return name, self.cases[name].baseline
        return inside[0], self.baseline


def find(folder: Path = RUNNERS, package: str = "runners") -> dict[str, Scenario]:
    """Find every scenario under *folder*, in order of name.

    Raises CatalogueError for a scenario that is not what one must be, with its file.
    """
    paths = sorted(folder.glob("*/__init__.py"))
    return {path.parent.name: _scenario(path, package) for path in paths if path.parent.name != "harness"}


def select(available: Iterable[str], chosen: Iterable[str], what: str) -> list[str]:
    """Return *chosen*, or all that is *available* where nothing is chosen.

    Raises UnknownNameError, which lists what exists.
    """
    names = list(available)
    selected = list(chosen) or names
    for name in selected:
        if name not in names:
            raise UnknownNameError(what, name, names)
    return selected


def _scenario(path: Path, package: str) -> Scenario:
    name = path.parent.name
    try:
        module: Any = importlib.import_module(f"{package}.{name}")
        title, _, question = module.__doc__.strip().splitlines()[0].partition(": ")
        scenario = Scenario(
            name=name,
            package=package,
            title=title,
            question=question,
            description="\n".join(module.__doc__.strip().splitlines()[1:]).strip(),
            source=module.SOURCE,
            baseline=module.BASELINE,
            cases=module.CASES,
            metrics=module.METRICS,
            ideal=module.IDEAL,
            inside_the_clock=module.INSIDE_THE_CLOCK,
            notes=getattr(module, "NOTES", {}),
            sites_module=module.Page.__module__ if getattr(module, "SITES", False) else "",
            runners={runner.path.stem: runner for runner in _runners(path.parent, package, module.CASES)},
            scenario_sha256=digest(*sorted(path.parent.glob("_*.py"))),
        )
    except Exception as error:
        msg = f"{_relative(path)}: {type(error).__name__}: {error}"
        raise CatalogueError(msg) from error
    if fault := _fault(scenario, module):
        msg = f"{_relative(path)}: {fault}"
        raise CatalogueError(msg)
    return scenario


def _fault(scenario: Scenario, module: object) -> str | None:
    for name in scenario.runners:
        if not isinstance(getattr(module, name, module), ModuleType):
            return f"{name!r} is a name in it and also a runner's file, which would take its place when imported"
    for case in scenario.cases:
        if (baseline := scenario.baseline_of(scenario.block_of(case))[1]) not in scenario.runners:
            return f"case {case!r} names the baseline {baseline!r}; no such runner is there"
    for place in scenario.notes:
        runner, _, case = place.partition("/")
        if runner not in scenario.runners or (case and case not in scenario.cases):
            return f"NOTES has {place!r}; no such runner or case is there"
    return None


def _runners(folder: Path, package: str, cases: Mapping[str, Case]) -> Iterator[Runner]:
    """Read every runner of *folder*. One that its own header leaves no case is a problem in all of them."""
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_"):
            continue
        runner = read_runner(path, package)
        if any(runner.takes_part(case) for case in cases.values()):
            yield runner
        else:
            yield replace(runner, only={}, problem=f"ONLY is {runner.only!r}; no case has such a parameter and value")


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name

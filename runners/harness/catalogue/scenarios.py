"""Finds the scenarios and their runners. Nothing else knows which there are.

A scenario's two modules are imported (they need the standard library alone). A runner is only read: its packages may
not be installed.
"""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from runners.harness.catalogue import columns
from runners.harness.catalogue.runner_file import Runner, digest, read_runner, slip
from runners.harness.contract import KINDS
from runners.harness.errors import CatalogueError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from runners.harness.contract import Case, Ideal, Metric

ROOT = Path(__file__).resolve().parents[3]
RUNNERS = ROOT / "runners"
NO_RUNNERS = ("scenario", "workload")
"""Files of a scenario's folder that are no runners."""
WORK = ("BASELINE", "CASES", "prepare", "at_once", "judge")
"""What workload.py must have."""
SAID = ("SOURCE", "METRICS", "IDEAL", "INSIDE_THE_CLOCK")
"""What scenario.py must have."""
MAY_BE_SAID = (
    *("COLUMNS", "FORMULAS", "NOTES", "CASE_NAMES", "RUNNER_NAMES"),
    *("ANSWERS", "ANSWERED_BY", "APART", "ARE_CHOICES", "OVERVIEW", "EACH_CASE_ANSWERS"),
)
"""What it may have."""
BETTER = ("lower", "higher", "neither")
"""What values of a metric are the better ones."""

__all__ = ["ROOT", "RUNNERS", "Runner", "Scenario", "find", "read_runner", "read_scenario", "select"]


@dataclass(frozen=True)
class Scenario:
    """One question, with its workload, cases, metrics and ideal: one folder."""

    name: str
    package: str
    """The package that its folder is in."""
    title: str
    question: str
    description: str
    """What is measured and how, in the words of the docstring of scenario.py."""
    source: str
    baseline: str
    cases: Mapping[str, Case]
    case_names: Mapping[str, str]
    """By case, its name for people; of those whose own is not plain English."""
    overview: str
    """The case that answers the question, with which a page begins; empty where that is the first."""
    answers: tuple[tuple[str, str], ...]
    """Pairs of runners whose comparisons answer the question, each held against the second of its pair; empty where who
    is ahead answers it."""
    apart: tuple[str, ...]
    """Runners that do something else than the others, or are limited by a size that was chosen: a title neither
    holds the best against them nor calls them the best."""
    answered_by: str
    """The kind of chart whose title answers the question, where that is not the first metric's; else empty."""
    each_case_answers: bool
    """Whether each case is a question of its own, so that a page begins with what was found in every one."""
    are_choices: bool
    """Whether somebody chooses between its runners; where they are circumstances, no title says which is ahead."""
    metrics: tuple[Metric, ...]
    columns: Mapping[str, str]
    """What each column of its samples holds; in the name of a column, {words} stand for numbers."""
    formulas: Mapping[str, str]
    """By name of a metric that is no column, how it is computed."""
    ideal: Ideal
    inside_the_clock: str
    notes: Mapping[str, str]
    """What is said at the rows of "runner", or of "runner/case" alone."""
    sites_module: str
    """The module with the pages of the local origin sites, `MEANS_S` and `page_at`; empty where none are fetched."""
    calibrates: bool
    """Whether its workload has a function `calibrate`, whose parameters are found anew in each run."""
    runners: Mapping[str, Runner]
    scenario_sha256: str
    """Of workload.py and of the files that begin with an underscore: what was measured depends on them."""
    words_sha256: str
    """Of scenario.py, which may be mended at any time: what is computed from results depends on it."""

    def case_words(self, case: str) -> str:
        """Name *case* for people."""
        return self.case_names.get(case, case)

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
    folders = sorted(path.parent for path in folder.glob("*/__init__.py"))
    return {path.name: read_scenario(path, package) for path in folders if path.name != "harness"}


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


def read_scenario(folder: Path, package: str) -> Scenario:
    """Read the scenario in *folder*, which *package* holds. Raises CatalogueError, which names the file at fault."""
    try:
        scenario = _read(folder, package)
        _check(scenario, folder)
    except CatalogueError:
        raise
    except Exception as error:  # noqa: BLE001 - a scenario may have anything in the place of its cases or metrics
        _refuse(folder, f"{type(error).__name__}: {error}")
    return scenario


def _read(folder: Path, package: str) -> Scenario:
    _check_init(folder / "__init__.py")
    workload = _imported(folder / "workload.py", package, WORK)
    facts = _imported(folder / "scenario.py", package, SAID)
    if misspelt := slip(ast.parse((folder / "scenario.py").read_bytes()), [*SAID, *MAY_BE_SAID], "a scenario"):
        _refuse(folder / "scenario.py", misspelt)
    first_line, *others = (facts.__doc__ or "").strip().splitlines() or [""]
    title, colon, question = first_line.partition(": ")
    if not colon:
        _refuse(folder / "scenario.py", "its docstring must begin with a line `Title: the question?`")
    runners = _named(getattr(facts, "RUNNER_NAMES", {}), _runners(folder, package, workload.CASES), folder)
    of_servers = columns.OF_SERVERS if any(runner.serves for runner in runners.values()) else {}
    return Scenario(
        name=folder.name,
        package=package,
        title=title,
        question=question,
        description="\n".join(others).strip(),
        source=facts.SOURCE,
        baseline=workload.BASELINE,
        cases=workload.CASES,
        case_names=getattr(facts, "CASE_NAMES", {}),
        overview=getattr(facts, "OVERVIEW", ""),
        answers=getattr(facts, "ANSWERS", ()),
        apart=getattr(facts, "APART", ()),
        answered_by=getattr(facts, "ANSWERED_BY", ""),
        each_case_answers=getattr(facts, "EACH_CASE_ANSWERS", False),
        are_choices=getattr(facts, "ARE_CHOICES", True),
        metrics=facts.METRICS,
        columns={**columns.OF_ALL, **of_servers, **getattr(facts, "COLUMNS", {})},
        formulas=getattr(facts, "FORMULAS", {}),
        ideal=facts.IDEAL,
        inside_the_clock=facts.INSIDE_THE_CLOCK,
        notes=getattr(facts, "NOTES", {}),
        sites_module=workload.Page.__module__ if getattr(workload, "SITES", False) else "",
        calibrates=hasattr(workload, "calibrate"),
        runners=runners,
        scenario_sha256=digest(*_hashed(folder)),
        words_sha256=digest(folder / "scenario.py"),
    )


def _hashed(folder: Path) -> list[Path]:
    """Return the files that decide what is measured, beside the runners', in order of name."""
    shared = [path for path in folder.glob("_*.py") if path.name != "__init__.py"]
    return sorted([*shared, folder / "workload.py"])


def _check_init(path: Path) -> None:
    """Refuse code in a file that is not hashed and that the processes of runners import inside the clock."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        _refuse(path, f"{type(error).__name__}: {error}")
    if tree.body[1:] or ast.get_docstring(tree) is None:
        _refuse(path, "it must hold a docstring and nothing else; code belongs in workload.py or scenario.py")


def _imported(path: Path, package: str, needed: tuple[str, ...]) -> Any:  # noqa: ANN401 - a module
    try:
        module = importlib.import_module(f"{package}.{path.parent.name}.{path.stem}")
    except Exception as error:  # noqa: BLE001 - whatever a scenario's own code raises
        _refuse(path, f"{type(error).__name__}: {error}")
    for name in needed:
        if not hasattr(module, name):
            _refuse(path, f"{name} is missing")
        if name.islower() and not callable(getattr(module, name)):
            _refuse(path, f"{name} must be a function")
    return module


def _check(scenario: Scenario, folder: Path) -> None:
    for case, facts in scenario.cases.items():
        if "size" not in facts.parameters:
            _refuse(folder / "workload.py", f"case {case!r} has no size among its parameters")
        if (baseline := scenario.baseline_of(scenario.block_of(case))[1]) not in scenario.runners:
            _refuse(folder / "workload.py", f"case {case!r} names the baseline {baseline!r}; no such runner is there")
    _check_names(scenario, folder)
    computed = {metric.name for metric in scenario.metrics if metric.compute}
    if unknown := scenario.formulas.keys() - computed:
        _refuse(folder / "scenario.py", f"FORMULAS names {min(unknown)!r}; no metric of that name is computed")
    if missing := computed - scenario.formulas.keys():
        _refuse(folder / "scenario.py", f"metric {min(missing)!r} is computed, and FORMULAS does not say how")
    for metric in scenario.metrics:
        _check_metric(metric, scenario, folder)


def _check_metric(metric: Metric, scenario: Scenario, folder: Path) -> None:
    if metric.kind not in KINDS:
        words = f"metric {metric.name!r} has the kind {metric.kind!r}; there are: {', '.join(filter(None, KINDS))}"
        _refuse(folder / "scenario.py", words)
    if metric.better not in BETTER:
        words = f"metric {metric.name!r} is better {metric.better!r}; there are: {', '.join(BETTER)}"
        _refuse(folder / "scenario.py", words)
    if metric.compute is None and columns.undescribed(scenario.columns, [metric.name]):
        words = f"metric {metric.name!r} is no column that COLUMNS describes, and has no compute"
        _refuse(folder / "scenario.py", words)


def _check_names(scenario: Scenario, folder: Path) -> None:
    """Hold to the cases and runners what scenario.py says of some of them."""
    if scenario.overview and scenario.overview not in scenario.cases:
        cases = ", ".join(scenario.cases)
        _refuse(folder / "scenario.py", f"OVERVIEW is {scenario.overview!r}; the cases are: {cases}")
    for constant, named in (("ANSWERS", chain(*scenario.answers)), ("APART", scenario.apart)):
        for runner in named:
            if runner not in scenario.runners:
                _refuse(folder / "scenario.py", f"{constant} names {runner!r}; no such runner is there")
    for case in scenario.case_names:
        if case not in scenario.cases:
            _refuse(folder / "scenario.py", f"CASE_NAMES names {case!r}; the cases are: {', '.join(scenario.cases)}")
    for place in scenario.notes:
        runner, _, case = place.partition("/")
        if runner not in scenario.runners or (case and case not in scenario.cases):
            _refuse(folder / "scenario.py", f"NOTES has {place!r}; no such runner or case is there")


def _refuse(path: Path, reason: str) -> NoReturn:
    """Raise CatalogueError: a scenario's file is not what it must be."""
    msg = f"{_relative(path)}: {reason}"
    raise CatalogueError(msg)


def _runners(folder: Path, package: str, cases: Mapping[str, Case]) -> Iterator[Runner]:
    """Read every runner of *folder*. One that its own header leaves no case is a problem in all of them."""
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_") or path.stem in NO_RUNNERS:
            continue
        runner = read_runner(path, package)
        if any(runner.takes_part(case) for case in cases.values()):
            yield runner
        else:
            yield replace(runner, only={}, problem=f"ONLY is {runner.only!r}; no case has such a parameter and value")


def _named(names: Mapping[str, str], runners: Iterable[Runner], folder: Path) -> dict[str, Runner]:
    """Give some runners other names for people than their files do, which stay as they were measured."""
    found = {runner.path.stem: runner for runner in runners}
    for name, words in names.items():
        if name not in found:
            _refuse(folder / "scenario.py", f"RUNNER_NAMES names {name!r}; the runners are: {', '.join(found)}")
        found[name] = replace(found[name], words=words)
    return found


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name

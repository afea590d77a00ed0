"""Finds the scenarios and their runners: the folders are the only list.

Importing a scenario's two modules takes only the standard library. A runner is read and not imported, as its packages
may be missing.
"""

import ast
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from runners.harness.catalogue import columns
from runners.harness.catalogue.runner_file import Runner, digest, misspelt_constant, read_runner
from runners.harness.contract import KINDS, Case, Ideal, Metric
from runners.harness.errors import UnknownNameError, UserError

ROOT = Path(__file__).resolve().parents[3]
RUNNERS = ROOT / "runners"
IS_CLONE = (ROOT / "pyproject.toml").is_file()
"""False if the project is installed as a package."""
NO_RUNNERS = ("scenario", "workload")
REQUIRED_WORKLOAD = ("BASELINE", "CASES", "prepare", "at_once", "judge")
REQUIRED = ("SOURCE", "METRICS", "IDEAL", "INSIDE_THE_CLOCK")
OPTIONAL = ("COLUMNS", "PRESENTATION")
BETTER = ("lower", "higher", "neither")

__all__ = ["ROOT", "RUNNERS", "Runner", "Scenario", "find", "read_runner", "read_scenario", "select"]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One question, with its workload, cases, metrics and ideal: one folder."""

    name: str
    package: str
    title: str
    question: str
    description: str
    """What is measured and how: the docstring of scenario.py without its first line."""
    source: str
    baseline: str
    cases: Mapping[str, Case]
    metrics: tuple[Metric, ...]
    columns: Mapping[str, str]
    """Meanings of the samples' columns. In a column's name, {words} mean numbers."""
    ideal: Ideal
    inside_the_clock: str
    sites_module: str
    """The module with the pages of the local origin sites, `MEANS_S` and `page_at`; empty if it has none."""
    calibrates: bool
    """True if its workload has a function `calibrate`, whose parameters each run finds."""
    runners: Mapping[str, Runner]
    scenario_sha256: str
    """Hash of workload.py and the files that begin with an underscore: measurements depend on them."""
    case_names: Mapping[str, str] = field(default_factory=dict)
    """These fields are those of `contract.Presentation`."""
    notes: Mapping[str, str] = field(default_factory=dict)
    overview: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    answered_by: str = ""
    apart: tuple[str, ...] = ()
    each_case_answers: bool = False
    marks: Callable[[int], Mapping[float, str]] | None = None
    are_choices: bool = True

    @property
    def formulas(self) -> Mapping[str, str]:
        """By computed metric."""
        return {metric.name: metric.formula for metric in self.metrics if metric.formula}

    def case_label(self, case: str) -> str:
        return self.case_names.get(case, case)

    def find_block(self, case: str) -> str:
        return self.cases[case].block or case

    def find_baseline(self, block: str) -> tuple[str, str]:
        """Return the (case, runner) that is measured twice in *block*."""
        inside = [name for name in self.cases if self.find_block(name) == block]
        for name in inside:
            if self.cases[name].baseline:
                return name, self.cases[name].baseline
        return inside[0], self.baseline


def find(folder: Path = RUNNERS, package: str = "runners") -> dict[str, Scenario]:
    """Return every scenario in *folder*, sorted by name. Raises UserError, which names the file at fault."""
    folders = sorted(path.parent for path in folder.glob("*/__init__.py"))
    return {path.name: read_scenario(path, package) for path in folders if path.name != "harness"}


def select(available: Iterable[str], chosen: Iterable[str], what: str) -> list[str]:
    """Return *chosen*, or everything *available* if nothing is chosen. Raises UnknownNameError."""
    names = list(available)
    selected = list(chosen) or names
    for name in selected:
        if name not in names:
            raise UnknownNameError(what, name, names)
    return selected


def read_scenario(folder: Path, package: str) -> Scenario:
    """Read the scenario in *folder*, a part of *package*. Raises UserError, which names the file at fault."""
    try:
        scenario = _read(folder, package)
        _check(scenario, folder)
    except UserError:
        raise
    except Exception as error:  # noqa: BLE001 - anything may be in the place of cases or metrics
        _refuse(folder, f"{type(error).__name__}: {error}")
    return scenario


def _read(folder: Path, package: str) -> Scenario:
    _check_init(folder / "__init__.py")
    workload = _imported(folder / "workload.py", package, REQUIRED_WORKLOAD)
    facts = _imported(folder / "scenario.py", package, REQUIRED)
    if fault := misspelt_constant(ast.parse((folder / "scenario.py").read_bytes()), [*REQUIRED, *OPTIONAL]):
        _refuse(folder / "scenario.py", fault)
    first_line, *others = (facts.__doc__ or "").strip().splitlines() or [""]
    title, colon, question = first_line.partition(": ")
    if not colon:
        _refuse(folder / "scenario.py", "its docstring must begin with a line `Title: the question?`")
    presentation = {**getattr(facts, "PRESENTATION", {})}
    runners = _renamed(presentation.pop("runner_names", {}), _runners(folder, package, workload.CASES), folder)
    shared = [path for path in folder.glob("_*.py") if path.name != "__init__.py"]
    server_columns = columns.SERVER_COLUMNS if any(runner.serves for runner in runners.values()) else {}
    return Scenario(
        name=folder.name,
        package=package,
        title=title,
        question=question,
        description="\n".join(others).strip(),
        source=facts.SOURCE,
        baseline=workload.BASELINE,
        cases=workload.CASES,
        metrics=facts.METRICS,
        columns={**columns.COMMON_COLUMNS, **server_columns, **getattr(facts, "COLUMNS", {})},
        ideal=facts.IDEAL,
        inside_the_clock=facts.INSIDE_THE_CLOCK,
        sites_module=workload.Page.__module__ if getattr(workload, "SITES", False) else "",
        calibrates=hasattr(workload, "calibrate"),
        runners=runners,
        scenario_sha256=digest(*sorted([*shared, folder / "workload.py"])),
        **presentation,
    )


def _check_init(path: Path) -> None:
    """Refuse code in a file that is not hashed, and that runners' processes import inside the clock."""
    tree = ast.parse(path.read_bytes(), path.name)
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
    return module


def _check(scenario: Scenario, folder: Path) -> None:
    for case, facts in scenario.cases.items():
        if "size" not in facts.parameters:
            _refuse(folder / "workload.py", f"case {case!r} has no size among its parameters")
        if (baseline := scenario.find_baseline(scenario.find_block(case))[1]) not in scenario.runners:
            _refuse(folder / "workload.py", f"case {case!r} names the baseline {baseline!r}; there is no such runner")
    for problem in chain(_unknown_names(scenario), *(_metric_faults(metric, scenario) for metric in scenario.metrics)):
        _refuse(folder / "scenario.py", problem)


def _metric_faults(metric: Metric, scenario: Scenario) -> Iterator[str]:
    if metric.kind not in KINDS:
        yield f"metric {metric.name!r} has the kind {metric.kind!r}; there are: {', '.join(filter(None, KINDS))}"
    if metric.better not in BETTER:
        yield f"metric {metric.name!r} is better {metric.better!r}; there are: {', '.join(BETTER)}"
    if metric.compute is None and columns.find_undescribed(scenario.columns, [metric.name]):
        yield f"metric {metric.name!r} is not described in COLUMNS, and has no compute"
    if (metric.compute is None) is not (metric.formula == ""):
        yield f"metric {metric.name!r} must have both a compute and a formula, or neither"


def _unknown_names(scenario: Scenario) -> Iterator[str]:
    cases, runners = ", ".join(scenario.cases), scenario.runners
    if scenario.overview and scenario.overview not in scenario.cases:
        yield f"overview is {scenario.overview!r}; the cases are: {cases}"
    for case in scenario.case_names.keys() - scenario.cases.keys():
        yield f"case_names has {case!r}; the cases are: {cases}"
    for name, named in (("answers", chain(*scenario.answers)), ("apart", scenario.apart)):
        yield from (f"{name} has {runner!r}; there is no such runner" for runner in named if runner not in runners)
    for place in scenario.notes:
        runner, _, case = place.partition("/")
        if runner not in runners or (case and case not in scenario.cases):
            yield f"notes has {place!r}; there is no such runner or case"


def _refuse(path: Path, reason: str) -> NoReturn:
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    msg = f"{place}: {reason}"
    raise UserError(msg)


def _runners(folder: Path, package: str, cases: Mapping[str, Case]) -> Iterator[Runner]:
    """Read the runners in *folder*. One whose ONLY leaves no case gets a problem and takes part in all of them."""
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_") or path.stem in NO_RUNNERS:
            continue
        runner = read_runner(path, package)
        if any(runner.takes_part(case) for case in cases.values()):
            yield runner
        else:
            yield replace(runner, only={}, problem=f"ONLY is {runner.only!r}; no case has such a parameter and value")


def _renamed(names: Mapping[str, str], runners: Iterable[Runner], folder: Path) -> dict[str, Runner]:
    """Rename some runners for people. Their hashed files stay as they were measured."""
    by_name = {runner.name: replace(runner, label=names.get(runner.name, runner.label)) for runner in runners}
    for name in names.keys() - by_name.keys():
        _refuse(folder / "scenario.py", f"runner_names has {name!r}; the runners are: {', '.join(by_name)}")
    return by_name

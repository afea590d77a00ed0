"""Finds the scenarios and their runners. Nothing else knows which there are.

A scenario is imported (it needs the standard library alone). A runner is only read: its packages may not be here.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners.harness.errors import CatalogueError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from runners.harness.contract import Case, Ideal, Metric

ROOT = Path(__file__).resolve().parents[2]
RUNNERS = ROOT / "runners"
FAMILIES = ("sync", "threads", "processes", "gevent", "asyncio", "aiohttp", "tornado")


@dataclass(frozen=True)
class Runner:
    """One concurrency model's answer to a scenario: one file."""

    scenario: str
    name: str
    path: Path
    code: str
    """The file as it is; the article shows it."""
    title: str
    """First line of its docstring."""
    family: str
    at_once: str | None
    """Which of the scenario's limits it keeps to."""
    only: Mapping[str, tuple[object, ...]]
    """Takes part only in the cases whose parameters have one of these values."""
    requires_python: tuple[int, ...]
    packages: tuple[str, ...]
    """Packages beyond the standard library that it imports."""
    serves: bool
    """Whether it exposes `serve(job)` rather than `run(job)`."""
    source_sha256: str
    problem: str | None
    """Why it can't be measured at all: the file is not what a runner must be."""

    def takes_part(self, case: Case) -> bool:
        """Tell whether it is measured in *case*."""
        return all(case.parameters.get(key) in values for key, values in self.only.items())


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
    needs_sites: bool
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
    found = {}
    for path in sorted(folder.glob("*/__init__.py")):
        if path.parent.name != "harness":
            found[path.parent.name] = _scenario(path, package)
    return found


def select(available: Iterable[str], wanted: Iterable[str], what: str) -> list[str]:
    """Return *wanted*, or all that is *available* where nothing is wanted.

    Raises UnknownNameError, which lists what exists.
    """
    names = list(available)
    chosen = list(wanted)
    for name in chosen:
        if name not in names:
            raise UnknownNameError(what, name, names)
    return chosen or names


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
            needs_sites=getattr(module, "SITES", False),
            runners={runner.path.stem: runner for runner in _runners(path.parent, package, module.CASES)},
            scenario_sha256=_digest(*sorted(path.parent.glob("_*.py"))),
        )
    except Exception as error:
        msg = f"{_relative(path)}: {type(error).__name__}: {error}"
        raise CatalogueError(msg) from error
    for case in scenario.cases:
        if (baseline := scenario.baseline_of(scenario.block_of(case))[1]) not in scenario.runners:
            msg = f"{_relative(path)}: case {case!r} names the baseline {baseline!r}; no such runner is there"
            raise CatalogueError(msg)
    return scenario


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


def read_runner(path: Path, package: str = "runners") -> Runner:
    """Read a runner's file without importing it. What is wrong with it stands in `problem`."""
    header: dict[str, Any] = {}
    tree = ast.Module([], [])
    try:
        tree = ast.parse(path.read_bytes(), filename=path.name)
        header = _constants(tree)
        problem = _what_is_missing(tree, header)
    except (SyntaxError, ValueError) as error:
        problem = f"{path.name}: {error}"
    if problem:
        header = {}
    return Runner(
        scenario=path.parent.name,
        name=path.stem,
        path=path,
        code=path.read_text(encoding="utf-8", errors="replace"),
        title=(ast.get_docstring(tree) or path.stem).splitlines()[0],
        family=header.get("FAMILY", "sync"),
        at_once=header.get("AT_ONCE"),
        only=header.get("ONLY", {}),
        requires_python=tuple(map(int, header.get("REQUIRES_PYTHON", "3.10").split("."))),
        packages=_packages(tree, package),
        serves="serve" in _functions(tree),
        source_sha256=_digest(path),
        problem=problem,
    )


def _what_is_missing(tree: ast.Module, header: Mapping[str, object]) -> str | None:
    if ast.get_docstring(tree) is None:
        return "it has no docstring; the first line is its title"
    for name, (is_right, right) in _HEADER.items():
        if (name in header or name == "FAMILY") and not is_right(header.get(name)):
            return f"{name} is {header.get(name)!r}; it must be {right}"
    if not _functions(tree) & {"run", "serve"}:
        return "it defines neither run(job) nor serve(job)"
    return None


def _constants(tree: ast.Module) -> dict[str, Any]:
    """Return the upper-case constants that are literals."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name) and target.id in _HEADER:
            found[target.id] = ast.literal_eval(node.value)
    return found


def _is_only(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(values, tuple) for values in value.values())


def _is_version(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)*", value) is not None


_HEADER: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "FAMILY": (lambda value: value in FAMILIES, f"one of {', '.join(FAMILIES)}"),
    "AT_ONCE": (lambda value: isinstance(value, str), "a word of the scenario's at_once"),
    "ONLY": (_is_only, "a dictionary from a parameter's name to a tuple of its values"),
    "REQUIRES_PYTHON": (_is_version, 'a version in quotes, such as "3.12"'),
}
"""What a runner may state of itself: whether it is right, and what it must be."""


def _functions(tree: ast.Module) -> set[str]:
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def _packages(tree: ast.Module, own: str) -> tuple[str, ...]:
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
    tops = {module.partition(".")[0] for module in modules}
    return tuple(sorted(tops - sys.stdlib_module_names - {own.partition(".")[0], "runners"}))


def _digest(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name

"""Reads a runner's file without importing it, since its packages may not be installed."""

import ast
import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.contract import Case

ALIKE = 0.75
"""How similar a name must be to a known constant to count as misspelt, from 0 to 1. ATONCE would lose a limit."""
LONGEST_NAME = 40
"""Tables and legends of charts have room for this many characters."""


@dataclass(frozen=True)
class Runner:
    """One concurrency model's answer to a scenario: one file."""

    scenario: str
    name: str
    label: str
    path: Path
    code: str
    title: str
    family: str
    at_once: str | None
    """The limit of the scenario that it respects."""
    only: Mapping[str, tuple[object, ...]]
    """It only takes part in cases whose parameters have one of these values."""
    requires_python: tuple[int, ...]
    requires_fork: bool
    packages: tuple[str, ...]
    serves: bool
    """True if it has `serve(job)` and not `run(job)`."""
    source_sha256: str
    problem: str | None
    """What is wrong with the file, if it can't be measured."""

    def takes_part(self, case: Case) -> bool:
        return all(case.parameters.get(key) in values for key, values in self.only.items())


def read_runner(path: Path, package: str = "runners") -> Runner:
    """Read a runner's file without importing it. Its faults are in `problem`."""
    header: dict[str, Any] = {}
    tree = ast.Module([], [])
    try:
        tree = ast.parse(path.read_bytes(), filename=path.name)
        header = _constants(tree)
        problem = _fault(tree, header)
    except (SyntaxError, ValueError) as error:
        problem = f"{path.name}: {error}"
    if problem:
        header = {}
    return Runner(
        scenario=path.parent.name,
        name=path.stem,
        label=header.get("NAME", path.stem.replace("_", " ")),
        path=path,
        code=path.read_text(encoding="utf-8", errors="replace"),
        title=(ast.get_docstring(tree) or path.stem).splitlines()[0],
        family=header.get("FAMILY", "sync"),
        at_once=header.get("AT_ONCE"),
        only=header.get("ONLY", {}),
        requires_python=tuple(map(int, header.get("REQUIRES_PYTHON", "3.10").split("."))),
        requires_fork=header.get("REQUIRES_FORK", False),
        packages=_packages(tree, package),
        serves="serve" in _functions(tree),
        source_sha256=digest(path),
        problem=problem,
    )


def _fault(tree: ast.Module, header: Mapping[str, object]) -> str | None:
    if ast.get_docstring(tree) is None:
        return "it has no docstring; the first line is its title"
    if misspelt := misspelt_constant(tree, _HEADER):
        return misspelt
    for name, (is_right, right) in _HEADER.items():
        if (name in header or name == "FAMILY") and not is_right(header.get(name)):
            value = f"is {header[name]!r}" if name in header else "is missing"
            return f"{name} {value}; it must be {right}"
    if not _functions(tree) & {"run", "serve"}:
        return "it defines no plain function run(job) or serve(job)"
    return None


def misspelt_constant(tree: ast.Module, known: Iterable[str]) -> str | None:
    """Return a sentence about a constant that is nearly one of those *known*; None without such a constant."""
    names = [*known]
    for name in sorted(_assigned(tree).keys() - {*names}):
        if name.isupper() and (meant := get_close_matches(name, names, n=1, cutoff=ALIKE)):
            return f"{name} is not known here; did you mean {meant[0]}?"
    return None


def _constants(tree: ast.Module) -> dict[str, Any]:
    constants: dict[str, Any] = {}
    for name, value in _assigned(tree).items():
        if name in _HEADER:
            try:
                constants[name] = ast.literal_eval(value)
            except (ValueError, TypeError) as error:
                msg = f"{name} must be a literal on line {value.lineno}: the file is read, not run"
                raise ValueError(msg) from error
    return constants


def _assigned(tree: ast.Module) -> dict[str, ast.expr]:
    assigned: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            assigned |= {target.id: node.value for target in targets if isinstance(target, ast.Name)}
    return assigned


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value.strip()) == len(value) <= LONGEST_NAME


def _is_only(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(values, tuple) for values in value.values())


def _is_version(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)*", value) is not None


_HEADER: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "NAME": (_is_name, f"a name in words, at most {LONGEST_NAME} characters"),
    "FAMILY": (lambda value: value in [*FAMILIES], f"one of {', '.join(FAMILIES)}"),
    "AT_ONCE": (lambda value: isinstance(value, str), "a word of the scenario's at_once"),
    "ONLY": (_is_only, "a dictionary from a parameter's name to a tuple of its values"),
    "REQUIRES_PYTHON": (_is_version, 'a version in quotes, such as "3.12"'),
    "REQUIRES_FORK": (lambda value: isinstance(value, bool), "True or False"),
}
"""Constants of a runner, each with a check and what it must be. Only FAMILY is required."""


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


def digest(*paths: Path) -> str:
    """Return the sha256 of files, one after another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()

"""Names in addresses, titles, lists and the search."""

import ast
import re
from collections.abc import Sequence

from generate.data.files import build_order
from generate.words import patterns

_UNINTERESTING = ("__future__", "runners", "typing")
"""Modules that reveal nothing about how a runner works."""


def label_runner(identifier: str) -> str:
    """Return the name of a runner that is not in the catalogue: "thread pool"."""
    return strip_markup(identifier.replace("_", " "))


def strip_markup(name: str) -> str:
    """Strip what could be markup, and bidirectional control characters: the site engine does not escape titles.

    An equals sign or a slash within a word is kept: PYTHON_JIT=1, I/O.
    """
    return " ".join(re.sub(r"(?:(?!\b[=/]\b)[^\w .,:;?+()'%-])+", " ", name).split()) or "unnamed"


def list_names(names: Sequence[str], last: str = "and") -> str:
    """List names: "a, b and c"."""
    return f" {last} ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def list_names_briefly(names: Sequence[str]) -> str:
    """List names, with a common first word only once: "CPython 3.13.1, 3.14.0 and 3.15.0"."""
    shared = names[0].partition(" ")[0] + " "
    if all(name.startswith(shared) for name in names):
        names = [names[0], *(name.removeprefix(shared) for name in names[1:])]
    return list_names(names)


def quote_commas(name: str) -> str:
    """Quote a name that has a comma, for a list or before a bracket: "“processes, one a power”"."""
    return f"“{name}”" if "," in name else name


def capital(text: str) -> str:
    """Capitalise the start of a sentence, unless it is the name of a function or module."""
    return text if "." in text.partition(" ")[0] else text[0].upper() + text[1:]


def describe_status(status: str) -> str:
    """Describe a series' status: "ran out of time"."""
    return patterns.STATUSES.get(status, status)


def is_prerelease(build: str) -> bool:
    """True if a build's version is a pre-release, or invalid."""
    return build_order(build)[1].is_prerelease


def is_free_threaded(build: str) -> bool:
    return build_order(build)[2]


def list_code_names(code: str) -> set[str]:
    """Return the names in a runner's code that a reader may search for.

    They are its modules, names from them, and methods of two words: `asyncio`, `TaskGroup`, `run_in_executor`,
    but not `put` or `join`, which would find every runner, nor what `job` has, which is the harness's own.
    """
    names, modules = set[str](), set[str]()
    nodes = [*ast.walk(ast.parse(code))]
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
            modules |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(_UNINTERESTING):
            names |= {node.module or "", *(alias.name for alias in node.names)}
    methods = {node.func for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).partition(".")[0]
            is_telling = node in methods and "_" in node.attr.strip("_") and owner != "job"
            names |= {node.attr} if owner in modules or is_telling else set()
    return {name for name in names if not name.startswith("_")}

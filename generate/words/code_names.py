"""The names in a runner's code that a reader may search for: modules, and what is used of them. Pure."""

from __future__ import annotations

import ast

_OF_NO_INTEREST = ("__future__", "runners", "typing")
"""Modules that say nothing of how a runner does its work."""


def list_code_names(code: str) -> set[str]:
    """Return the modules that *code* imports, what it takes of them, and the methods whose names have two words.

    So `asyncio`, `TaskGroup` and `run_in_executor`, but not `put` or `join`, which would find every runner, and not
    what `job` has, which is the harness's own.
    """
    names, modules = set[str](), set[str]()
    nodes = [*ast.walk(ast.parse(code))]
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
            modules |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith(_OF_NO_INTEREST):
            names |= {node.module, *(alias.name for alias in node.names)}
    of_modules = (node for node in nodes if isinstance(node, ast.Attribute) and _owner(node) in modules)
    called = (node.func for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    names |= {node.attr for node in of_modules}
    names |= {method.attr for method in called if "_" in method.attr.strip("_") and _owner(method) != "job"}
    return {name for name in names if not name.startswith("_")}


def _owner(node: ast.Attribute) -> str:
    """Return the name that an attribute is taken of (`a` of `a.b.c`); empty where that is no plain name."""
    value = node.value
    while isinstance(value, ast.Attribute):
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""

"""The table of patterns."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from generate.words import patterns
from runners.harness.catalogue.scenarios import ROOT

PROGRAM = [path for folder in ("generate", "actions") for path in (ROOT / folder).rglob("*.*") if path.is_file()]


def test_every_pattern_is_used() -> None:
    names = {name for name in vars(patterns) if name.isupper()}
    used = set[str]()
    for path in PROGRAM:
        if path.suffix in {".py", ".html", ".md"} and path != Path(patterns.__file__):
            used |= {*re.findall(r"\b[A-Z][A-Z_]+\b", path.read_text(encoding="utf-8"))}
    assert names <= used, names - used


def test_every_pattern_has_a_name_of_its_own() -> None:
    tree = ast.parse(Path(patterns.__file__).read_text(encoding="utf-8"))
    names = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert [name for name, number in Counter(names).items() if number > 1] == []

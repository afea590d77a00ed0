"""The table of patterns."""

import re
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

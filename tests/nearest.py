"""Prints the tests nearest to what changed against main: `make try-mine` runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {
    "generate/templates": "tests/generate/pages",
    "generate/assets": "tests/browser",
    "generate/theme": "tests/browser",
    "generate": "tests/generate",
    "runners/harness": "tests/harness",
    "runners": "tests/runners",
    "actions": "tests/actions",
    ".github": "tests/actions",
    "docs": "tests/generate/pages/test_prose.py",
    "requirements": "tests/harness/test_setup.py",
    "Makefile": "tests/harness/test_setup.py",
}
"""Tests by the beginning of a changed path, the most specific first; of a package's own folder if it has one."""


def changed_paths(branch: str) -> list[str]:
    commands = (["diff", "--name-only", "--merge-base", branch], ["ls-files", "--others", "--exclude-standard"])
    listed = [subprocess.run(["git", *each], cwd=ROOT, check=True, capture_output=True, text=True) for each in commands]  # noqa: S603, S607 - fixed words
    return [path for done in listed for path in done.stdout.splitlines()]


def nearest_tests(path: str) -> str | None:
    if path.startswith("tests/"):
        return path if Path(path).name.startswith("test_") and (ROOT / path).exists() else None
    prefix = next((prefix for prefix in FOLDERS if path.startswith(prefix)), None)
    if prefix is None:
        return None
    package = Path(FOLDERS[prefix], *Path(path).relative_to(prefix).parts[:-1])
    return package.as_posix() if (ROOT / package).is_dir() else FOLDERS[prefix]


if __name__ == "__main__":
    tests = {nearest_tests(path) for path in changed_paths(sys.argv[1] if len(sys.argv) > 1 else "main")}
    print(*sorted(filter(None, tests)))

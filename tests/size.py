"""Prints the size of this project: `make size`, or `python tests/size.py FOLDER`."""

import re
import sys
from collections import Counter
from pathlib import Path

SUFFIXES = {".py", ".js", ".css", ".html", ".md", ".toml", ".jinja"}
PACKAGES = ("generate", "runners/harness", "actions", "tests")
SKIPPED = {".venv", ".git", ".cache", "build", "results", "__pycache__", "node_modules"}


def read_files(root: Path) -> dict[Path, str]:
    paths = (path.relative_to(root) for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return {path: (root / path).read_text(encoding="utf-8") for path in sorted(paths) if not SKIPPED & {*path.parts}}


def print_sizes(files: dict[Path, str]) -> None:
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    words = {path: len(text.split()) for path, text in files.items()}
    for package in PACKAGES:
        print(f"{sum(lines[path] for path in lines if path.is_relative_to(package)):7,} lines in {package}")
    parts: Counter[str] = Counter()
    for path in (path for path in lines if path.is_relative_to("generate")):
        parts[path.parts[1]] += lines[path]
    print("        " + ", ".join(f"{part} {total:,}" for part, total in parts.most_common()))
    print(f"{sum(lines[path] for path in lines if path.suffix == '.js'):7,} lines of JavaScript")
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/method.md", "docs"):
        print(f"{sum(words[path] for path in words if path.is_relative_to(name)):7,} words in {name}")
    names = re.findall(r"def (test_\w+)", "\n".join(files[path] for path in files if path.is_relative_to("tests")))
    print(f"{max(map(len, names)):7,} letters in the longest name of a test: {max(names, key=len)}")


if __name__ == "__main__":
    print_sizes(read_files(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()))

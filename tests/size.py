"""Prints how large this project is and how its English fares: `make size`, or `python tests/size.py FOLDER`."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

SUFFIXES = {".py", ".js", ".css", ".html", ".md", ".toml", ".jinja"}
PACKAGES = ("generate", "runners/harness", "actions", "tests")
SKIPPED = {".venv", ".git", ".cache", "build", "results", "__pycache__", "node_modules"}
PATTERNS = {
    "where (conditional)": r"\bwhere (?:that|there|it|this|one|none|nothing|some|a|an|the|all|no|they|what|each|not)\b",
    "Say, Give …": r"\A(?:Say|Give|Tell|Go through)\b",
    "of which, of what": r"(?:\A|\b(?:say|says|said|tell|told|that|those|it|one|is|are)\s+)of (?:which|what)\b",
    "alone": r"\balone\b",
    "anew": r"\banew\b",
    "beside": r"\bbeside\b",
    "stands": r"\bstands?\b",
    "says": r"\bsays\b",
}
NOT_PROSE = re.compile(
    r"```.*?```|`[^`\n]*`|\{[{%].*?[}%]\}|\]\([^)]*\)|\{:.*?\}|(?:href|class|id|src)=\"[^\"]*\"", re.DOTALL
)
"""On pages: code, calls of functions, addresses and attributes."""
NAME = re.compile(r"(?:^|_)of_|_of$|_words$|^(?:one|found|said|told|asked)$")


def text_files(root: Path) -> list[Path]:
    files = (path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return [path for path in sorted(files) if not SKIPPED & {*path.relative_to(root).parts}]


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def words(paths: list[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").split()) for path in paths)


def names_and_docstrings(source: str) -> tuple[set[str], list[str]]:
    names: set[str] = set()
    docstrings: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.append(node.value.value.strip())
    return names, docstrings


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def count(texts: list[str]) -> Counter[str]:
    return Counter({name: sum(len(re.findall(pattern, text)) for text in texts) for name, pattern in PATTERNS.items()})


def is_hashed(path: Path) -> bool:
    """True for a file whose bytes are part of a result's identity, so that its English stays as it is."""
    parts = path.parts
    return parts[0] == "runners" and len(parts) == 3 and parts[1] != "harness" and path.name != "scenario.py"


def print_sizes(root: Path, files: list[Path]) -> None:
    inside = {package: [path for path in files if path.is_relative_to(root / package)] for package in PACKAGES}
    for package, paths in inside.items():
        print(f"{sum(map(lines, paths)):7,} lines in {package}")
    by_part: Counter[str] = Counter()
    for path in inside["generate"]:
        by_part[path.relative_to(root).parts[1]] += lines(path)
    print("        " + ", ".join(f"{part} {total:,}" for part, total in by_part.most_common()))
    javascript = [path for path in files if path.suffix == ".js"]
    print(f"{sum(map(lines, javascript)):7,} lines of JavaScript")
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/method.md"):
        print(f"{words([root / name]):7,} words in {name}")
    print(f"{words([path for path in files if path.is_relative_to(root / 'docs')]):7,} words in docs/")


def print_english(root: Path, files: list[Path]) -> None:
    code = [path for path in files if path.suffix == ".py" and not is_hashed(path.relative_to(root))]
    sources = [path.read_text(encoding="utf-8") for path in code]
    names, docstrings, remarks = set[str](), list[str](), list[str]()
    for source in sources:
        here, documented = names_and_docstrings(source)
        names, docstrings, remarks = names | here, docstrings + documented, remarks + comments(source)
    written = (path.read_text(encoding="utf-8") for path in files if path.suffix in {".md", ".html"})
    pages = [NOT_PROSE.sub(" ", page) for page in written]
    columns = {"docstrings": count(docstrings), "comments": count(remarks), "pages": count(pages)}
    print(f"\n{'':24}" + "".join(f"{name:>12}" for name in columns))
    for pattern in PATTERNS:
        print(f"{pattern:24}" + "".join(f"{column[pattern]:12,}" for column in columns.values()))
    odd = [name for name in names if NAME.search(name) and not name.startswith("test_")]
    print(f"{'names':24}{len(odd):12,}")
    tests = sorted((name for name in names if name.startswith("test_")), key=len, reverse=True)
    print(f"{'tests over 60 letters':24}{sum(len(name) > 60 for name in tests):12,}; longest: {', '.join(tests[:3])}")


if __name__ == "__main__":
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    print_sizes(checkout, text_files(checkout))
    print_english(checkout, text_files(checkout))

"""Prints the size of this project and counts of its English: `make size`, or `python tests/size.py FOLDER`."""

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
    **{word: rf"\b{word}\b" for word in ("alone", "anew", "beside", "says")},
    "stands": r"\bstands?\b",
}
NOT_PROSE = re.compile(
    r"```.*?```|`[^`\n]*`|\{[{%].*?[}%]\}|\]\([^)]*\)|\{:.*?\}|(?:href|class|id|src)=\"[^\"]*\"", re.DOTALL
)
"""On pages: code, calls of functions, addresses and attributes."""
NAME = re.compile(r"(?:^|_)of_|_of$|_words$|^(?:one|found|said|told|asked)$")


def read_files(root: Path) -> dict[Path, str]:
    paths = (path.relative_to(root) for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return {path: (root / path).read_text(encoding="utf-8") for path in sorted(paths) if not SKIPPED & {*path.parts}}


def names_and_docstrings(source: str) -> tuple[set[str], list[str]]:
    names: set[str] = set()
    docstrings: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Expr(ast.Constant(str(text))):
                docstrings.append(text.strip())
    return names, docstrings


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def is_hashed(path: Path) -> bool:
    """True for a file whose bytes are part of a result's identity, so that its English stays as it is."""
    parts = path.parts
    return parts[0] == "runners" and len(parts) == 3 and parts[1] != "harness" and path.name != "scenario.py"


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


def print_english(files: dict[Path, str]) -> None:
    sources = [text for path, text in files.items() if path.suffix == ".py" and not is_hashed(path)]
    parsed = [names_and_docstrings(source) for source in sources]
    columns = {
        "docstrings": [text for _, docstrings in parsed for text in docstrings],
        "comments": [comment for source in sources for comment in comments(source)],
        "pages": [NOT_PROSE.sub(" ", text) for path, text in files.items() if path.suffix in {".md", ".html"}],
    }
    print(f"\n{'':24}" + "".join(f"{name:>12}" for name in columns))
    for name, pattern in PATTERNS.items():
        counts = (sum(len(re.findall(pattern, text)) for text in texts) for texts in columns.values())
        print(f"{name:24}" + "".join(f"{count:12,}" for count in counts))
    names = {name for every, _ in parsed for name in every}
    tests = sorted((name for name in names if name.startswith("test_")), key=len, reverse=True)
    print(f"{'names':24}{sum(bool(NAME.search(name)) for name in names.difference(tests)):12,}")
    print(f"{'tests over 60 letters':24}{sum(len(name) > 60 for name in tests):12,}; longest: {', '.join(tests[:3])}")


if __name__ == "__main__":
    checkout = read_files(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve())
    print_sizes(checkout)
    print_english(checkout)

"""The site's address, and its navigation, from the pages that there are: nothing lists them by hand. Pure."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Entries = list[str | dict[str, list[str]]]
    Nav = list[str | dict[str, Entries]]

FOLDERS = {
    "articles": "Articles",
    "claims": "Claims",
    "sources": "Sources",
    "scenarios": "Scenarios",
    "machines": "Machines",
    "builds": "Builds",
}
"""Folders in the order of the navigation; others follow by name."""
WRITTEN = "# Written by `python -m generate`.\n"
"""First line of the file for the site engine, by which the generator knows a folder that it wrote."""
THEME = "theme"
"""Folder of what is changed in the theme's own pages."""
_PLACE = re.compile(r"---\n(?:.+\n)*?place: (\d+)\n")
_EARLY = re.compile(r"---\n(?:.+\n)*?early: true\n")
_SECTION = re.compile(r"---\n(?:.+\n)*?section: (.+)\n")
HIDDEN = frozenset({"index.md", "data-problems.md", "tags.md"})


def nav(pages: Mapping[str, object]) -> Nav:
    """Return the navigation over *pages*, texts by path below docs/; `place: 2` in one says where it stands.

    `early: true` puts it right behind the first page; `section: Widely quoted` puts it with others into a section of
    that name, at the end of its folder's.
    """
    found = {path: _PLACE.match(text) for path, text in pages.items() if isinstance(text, str)}
    place = {path: int(match[1]) for path, match in found.items() if match}
    paths = sorted(path for path in pages if path.endswith(".md"))
    folders = {PurePosixPath(path).parts[0] for path in paths if "/" in path}
    top = [path for path in paths if "/" not in path and path not in HIDDEN]
    top.sort(key=lambda path: (place.get(path, len(place)), path))
    early = [path for path in top if isinstance(text := pages[path], str) and _EARLY.match(text)]
    entries: Nav = [*(["index.md"] if "index.md" in paths else []), *early]
    for folder in sorted(folders, key=lambda folder: ([*FOLDERS, folder].index(folder), folder)):
        inside = [path for path in paths if path.startswith(f"{folder}/")]
        inside.sort(key=lambda path: (not path.endswith("/index.md"), place.get(path, len(place)), path))
        entries.append({FOLDERS.get(folder, folder.replace("-", " ").capitalize()): _in_sections(inside, pages)})
    problems: Nav = ["data-problems.md"] if "data-problems.md" in paths else []
    return [*entries, *(path for path in top if path not in early), *problems]


def _in_sections(paths: Iterable[str], pages: Mapping[str, object]) -> Entries:
    """Return the entries of a folder: the pages of no section, then each section."""
    alone: Entries = []
    sections: dict[str, list[str]] = {}
    for path in paths:
        text = pages[path]
        found = _SECTION.match(text) if isinstance(text, str) else None
        if found:
            sections.setdefault(found[1], []).append(path)
        else:
            alone.append(path)
    return [*alone, *({name: sorted(inside, key=_counting)} for name, inside in sections.items())]


def _counting(path: str) -> list[str | int]:
    """Put W2.md before W10.md."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path)]


def site_file(pages: Mapping[str, object], site_url: str = "") -> str:
    """Return build/mkdocs.yml for *pages*, texts by path. JSON is YAML, and quotes every name."""
    facts: dict[str, object] = {
        "INHERIT": "../mkdocs.yml",
        "docs_dir": "docs",
        "site_dir": "site",
        "theme": {"custom_dir": THEME},
        "nav": nav(pages),
        **({"site_url": site_url} if site_url else {}),
    }
    return WRITTEN + json.dumps(facts, indent=2) + "\n"


def site_url(given: str, environment: Mapping[str, str]) -> str:
    """Return the site's address, ending with a slash: *given*, or where GitHub Pages puts it; empty where unknown."""
    owner, _, name = environment.get("GITHUB_REPOSITORY", "").partition("/")
    host = f"{owner.lower()}.github.io"
    hosted = f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
    address = given or (hosted if owner and name else "")
    return address and address.rstrip("/") + "/"

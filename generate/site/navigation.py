"""The site's address, and its navigation, from the pages that there are: nothing lists them by hand. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from generate.words.front_matter import front_matter, place_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    Entries = list[str | dict[str, list[str]]]
    Nav = list[str | dict[str, Entries]]

GROUPS = ("Answers", "Choose", "Claims checked", "Pythons", "Data", "Method")
"""The groups of the navigation, in their order; others follow by name."""
FOLDERS = {
    "articles": ("Answers", ""),
    "claims": ("Claims checked", ""),
    "builds": ("Pythons", ""),
    "machines": ("Pythons", "Machines"),
    "scenarios": ("Data", "Scenarios"),
}
"""By folder the group of its pages, and their section in it: empty where they stand in none."""
WRITTEN = "# Written by `python -m generate`.\n"
"""First line of the file for the site engine, by which the generator knows a folder that it wrote."""
THEME = "theme"
"""Folder of what is changed in the theme's own pages."""
NOT_LISTED = "/*/*/*.md\n"
"""The pages in a folder of a folder, as the site engine wants them named."""
HIDDEN = frozenset({"index.md", "data-problems.md", "tags.md"})
_HOSTED = re.compile(r"(?:https://(?:[^@/\s]+@)?|(?:ssh://)?git@)([\w.-]+)[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")
"""How git writes an origin on the web: the host, then owner and name; a user and a password are no part of it."""


def nav(pages: Mapping[str, object]) -> Nav:
    """Return the navigation over *pages*, texts by path below docs/. The front matter of a page says where it stands.

    `group: Method` puts it there, where its folder does not say; `section: Widely quoted` with others below a head of
    that name, at the end of its group; `place: 2` orders the pages of one group or section. A group of one page is that
    page; pages of no group come last. Those in a folder of a folder are found from the page above them alone.
    """
    groups: dict[str, dict[str, list[str]]] = {}
    facts = {path: _facts(path, text) for path, text in pages.items() if _is_listed(path)}
    for path in sorted(facts, key=lambda path: _order(path, facts[path])):
        sections = groups.setdefault(facts[path]["group"], {"": []})
        sections.setdefault(facts[path]["section"], []).append(path)
    alone = groups.pop("", {}).get("", [])
    ordered = sorted(groups, key=lambda group: ([*GROUPS, group].index(group), group))
    first, problems = ([path] if path in pages else [] for path in ("index.md", "data-problems.md"))
    return [*first, *(_entry(group, groups[group]) for group in ordered), *alone, *problems]


def _is_listed(path: str) -> bool:
    return path.endswith(".md") and path not in HIDDEN and path.count("/") <= 1


def _facts(path: str, text: object) -> dict[str, str]:
    """Return what a page's front matter says, and of its place what its folder says where that does not."""
    folder = path.rpartition("/")[0]
    group, section = FOLDERS.get(folder, (folder.replace("-", " ").capitalize(), ""))
    return {"group": group, "section": section, **(front_matter(text) if isinstance(text, str) else {})}


def _order(path: str, facts: Mapping[str, str]) -> tuple[bool, int, list[str | int]]:
    """Put a folder's own page first, then by place, and W2.md before W10.md."""
    words = [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path)]
    return not path.endswith("/index.md"), place_of(path, facts), words


def _entry(group: str, sections: Mapping[str, list[str]]) -> str | dict[str, Entries]:
    """Return a group's entry: the pages of no section, then each section."""
    entries: Entries = [*sections[""], *({name: inside} for name, inside in sections.items() if name)]
    return entries[0] if len(entries) == 1 and isinstance(entries[0], str) else {group: entries}


def site_file(pages: Mapping[str, object], site_url: str = "") -> str:
    """Return build/mkdocs.yml for *pages*, texts by path. JSON is YAML, and quotes every name."""
    facts: dict[str, object] = {
        "INHERIT": "../mkdocs.yml",
        "docs_dir": "docs",
        "site_dir": "site",
        "theme": {"custom_dir": THEME},
        "nav": nav(pages),
        "not_in_nav": NOT_LISTED,
        **({"site_url": site_url} if site_url else {}),
    }
    return WRITTEN + json.dumps(facts, indent=2) + "\n"


def repository(environment: Mapping[str, str], origin: str = "") -> str:
    """Return the address from which the project is cloned; empty where it is not known.

    It is that of the workflow that runs; else that of the clone's *origin*, where this is a host on the web.
    """
    name = environment.get("GITHUB_REPOSITORY", "")
    server = environment.get("GITHUB_SERVER_URL", "https://github.com")
    if re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+", f"{server}/{name}"):
        return f"{server}/{name}"
    hosted = _HOSTED.fullmatch(origin)
    return f"https://{hosted[1]}/{hosted[2]}" if hosted else ""


def site_url(given: str, environment: Mapping[str, str]) -> str:
    """Return the site's address, ending with a slash: *given*, or where GitHub Pages puts it; empty where unknown."""
    owner, _, name = environment.get("GITHUB_REPOSITORY", "").partition("/")
    host = f"{owner.lower()}.github.io"
    hosted = f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
    address = given or (hosted if owner and name else "")
    return address and address.rstrip("/") + "/"

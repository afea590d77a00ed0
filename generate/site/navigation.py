"""The navigation, made from the pages that exist, and the addresses of the site and its repository."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generate.pages.articles import front_matter, read_place
from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError

Entries = list[str | dict[str, list[str]]]
Nav = list[str | dict[str, Entries]]


GROUPS = ("Answers", "Choose", "Claims checked", "Pythons", "Data", "Method")
"""In their order."""
FOLDERS = {
    "articles": ("Answers", ""),
    "own": ("Choose", "Your functions"),
    "claims": ("Claims checked", ""),
    "builds": ("Pythons", ""),
    "machines": ("Pythons", "Machines"),
    "scenarios": ("Data", "Scenarios"),
}
"""The group of a folder's pages, and their section in it, if any."""
WRITTEN = "# Written by `python -m generate`.\n"
"""First line of build/mkdocs.yml, which marks a folder as ours."""
THEME = "theme"
SETTINGS = ROOT / "mkdocs.yml"
NOT_LISTED = "/*/*/*.md\n"
"""Pages that are only linked from the page above, as MkDocs names them."""
NOTHING: Mapping[str, object] = {}
HIDDEN = frozenset({"index.md", "data-problems.md", "tags.md"})


def nav(pages: Mapping[str, object]) -> Nav:
    """Return the navigation over *pages*, texts by path below docs/.

    A page's front matter may place it: `group: Method`; `section: Widely quoted` at the end of its group; `place: 2`
    among the pages of one group or section. A group of one page is that page. Pages without a group come last.
    """
    groups: dict[str, dict[str, list[str]]] = {}
    facts = {path: _facts(path, text) for path, text in pages.items() if _is_listed(path)}
    for path in sorted(facts, key=lambda path: _order(path, facts[path])):
        sections = groups.setdefault(facts[path]["group"], {"": []})
        sections.setdefault(facts[path]["section"], []).append(path)
    ungrouped = groups.pop("", {}).get("", [])
    ordered = sorted(groups, key=[*GROUPS, *groups].index)
    first, problems = ([path] if path in pages else [] for path in ("index.md", "data-problems.md"))
    return [*first, *(_entry(group, groups[group]) for group in ordered), *ungrouped, *problems]


def _is_listed(path: str) -> bool:
    return path.endswith(".md") and path not in HIDDEN and path.count("/") <= 1


def _facts(path: str, text: object) -> dict[str, Any]:
    """Return a page's front matter, completed by the place of its folder."""
    group, section = FOLDERS.get(path.rpartition("/")[0], ("", ""))
    return {"group": group, "section": section, **(front_matter(text, path) if isinstance(text, str) else {})}


def _order(path: str, facts: Mapping[str, Any]) -> tuple[bool, int, list[str | int]]:
    """Order a folder's own page first, then by place, and W2.md before W10.md."""
    numbered = [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path)]
    return not path.endswith("/index.md"), read_place(path, facts), numbered


def _entry(group: str, sections: Mapping[str, list[str]]) -> str | dict[str, Entries]:
    entries: Entries = [*sections[""], *({name: inside} for name, inside in sections.items() if name)]
    return entries[0] if len(entries) == 1 and isinstance(entries[0], str) else {group: entries}


def site_file(pages: Mapping[str, object], site_url: str = "", heads: Mapping[str, object] = NOTHING) -> str:
    """Return build/mkdocs.yml for *pages*, texts by path. JSON is YAML, and quotes every name.

    *heads* are facts for the heads of some pages, which the theme writes.
    """
    settings: dict[str, object] = {
        "INHERIT": "../mkdocs.yml",
        "docs_dir": "docs",
        "site_dir": "site",
        "theme": {"custom_dir": THEME},
        "nav": nav(pages),
        "not_in_nav": NOT_LISTED,
        "extra": {"heads": heads},
        **({"site_url": site_url} if site_url else {}),
    }
    return f"{WRITTEN}{json.dumps(settings, indent=2)}\n"


def repository(environment: Mapping[str, str], settings: Path = SETTINGS) -> str:
    """Return the address to clone from, empty if unknown.

    It is the running workflow's repository, else `repo_url` in mkdocs.yml, else the remote that this clone is from.
    """
    server = environment.get("GITHUB_SERVER_URL", "https://github.com")
    hosted = f"{server}/{environment.get('GITHUB_REPOSITORY', '')}"
    written = re.search(r"^repo_url: *(\S+)", settings.read_text(encoding="utf-8"), re.MULTILINE)
    is_clone = (settings.parent / ".git").exists()  # else git answers for a repository around ours
    remote = programs.run("git", "-C", settings.parent, "remote", "get-url", "origin").stdout if is_clone else ""
    return next(filter(None, map(_public, (hosted, written[1] if written else "", remote.strip()))), "")


def _public(address: str) -> str:
    """Return an address in the form that anybody can clone; empty for a folder, or one with a user's token."""
    found = re.fullmatch(
        r"(?:https://|git@|ssh://git@)([\w-]+(?:\.[\w-]+)+)[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?", address
    )
    return f"https://{found[1]}/{found[2]}" if found else ""


def site_url(given: str, environment: Mapping[str, str]) -> str:
    """Return the site's address, ending with a slash: *given*, else that of GitHub Pages, else empty.

    Raises UserError for what is no address of a site.
    """
    if given and not re.fullmatch(r"https?://[^\s?#<>\"]+", given):
        msg = f"SITE_URL (--site-url) is {given!r}: give an address with https:// or http://, without ?, # or blanks"
        raise UserError(msg)
    owner, _, name = environment.get("GITHUB_REPOSITORY", "").partition("/")
    host = f"{owner.lower()}.github.io"
    hosted = f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
    address = given or (hosted if owner and name else "")
    return address and address.rstrip("/") + "/"

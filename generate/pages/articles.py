"""The articles, as their front matter describes them. Every file in docs/articles/ is one."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from generate.claims.model import Claim
from runners.harness.errors import UserError

FOLDER = "articles"
LAST = 1000
_FRONT_MATTER = re.compile(r"---\n(.*?)^---$", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^# (.+?)(?: \{:.*)?$", re.MULTILINE)
_CITED = re.compile(r"""\w\("([A-Z]\d+(?:\.\d+)?)""")


class FrontMatterError(UserError):
    """A page's front matter or title is wrong."""


def front_matter(text: str, page: str) -> dict[str, Any]:
    """Return a page's front matter, empty without any. Raises FrontMatterError with the page's path."""
    block = _FRONT_MATTER.match(text)
    try:
        facts = yaml.safe_load(block[1]) if block else {}
    except yaml.YAMLError as error:
        msg = f"{page}: front matter: {' '.join(str(error).split())}"
        raise FrontMatterError(msg) from error
    return facts if isinstance(facts, dict) else {}


def find_title(text: str) -> str:
    """Return a page's title without its attributes; empty without one."""
    title = _TITLE.search(text)
    return title[1] if title else ""


def read_place(page: str, facts: Mapping[str, Any]) -> int:
    """Return a page's place in its group, by default the last. Raises FrontMatterError."""
    place = facts.get("place", LAST)
    if not isinstance(place, int) or place < 0:
        msg = f"{page}: place: {place!r} is not a whole number"
        raise FrontMatterError(msg)
    return place


class Article(NamedTuple):
    page: str
    title: str
    description: str
    cites: frozenset[str] = frozenset()
    is_newest: bool = False
    """True if it is about the newest final Python, whether or not that was measured without the GIL."""


def read(docs: Path) -> list[Article]:
    """Read the articles below *docs*, in the order of the navigation. Raises FrontMatterError, which names the file."""
    articles = []
    for path in sorted((docs / FOLDER).glob("*.md")):
        text, page = path.read_text(encoding="utf-8"), f"{FOLDER}/{path.name}"
        facts = front_matter(text, page)
        articles.append(("group" in facts, read_place(page, facts), _article(page, text, facts)))
    return [article for *_, article in sorted(articles, key=lambda each: each[:2])]


def _article(page: str, text: str, facts: Mapping[str, Any]) -> Article:
    title = find_title(text)
    if not title:
        msg = f"{page}: it has no title: add a line that begins with one # and a space"
        raise FrontMatterError(msg)
    description, cited = str(facts.get("description", "")), frozenset(_CITED.findall(text))
    return Article(page, title, description, cited, is_newest=facts.get("newest") is True)


def article_about(articles: Iterable[Article], claim: Claim) -> Article | None:
    """Return the first article that names *claim*, else the first that names its source."""
    every = [*articles]
    return next((each for name in (claim.id, claim.source) for each in every if name in each.cites), None)

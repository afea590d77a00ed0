"""The articles, as their own first lines have them: what each asks, what it is about, and which picture stands for it.

Read from docs/articles/; nothing lists them. `picture` in the front matter of one is a JSON object, which is YAML too.
Its `kind` is one of those below; an article without one has a card without a picture.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from generate.words.front_matter import FrontMatterError, front_matter, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generate.claims.model import Claim

FOLDER = "articles"
Words = Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
_TITLE = re.compile(r"^# (.+?)(?: \{:.*)?$", re.MULTILINE)
_CITED = re.compile(r"""\w\("([A-Z]\d+(?:\.\d+)?)""")


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=str.lower):
    """What a picture is of; its `kind` is the name of the class."""


class Bars(Kind, frozen=True):
    """Some values of the current result, a bar each."""

    scenario: str
    rows: dict[str, Words]
    """By its name on the card, the runner and its cases: the first of them that was measured counts."""
    metric: str = ""
    """The scenario's first where none is named."""
    without_gil: bool = False
    """Whether a lighter bar shows the same release without the GIL."""


class Rounds(Kind, frozen=True):
    """One runner's rounds and those of its control, a dot each."""

    scenario: str
    case: str
    runner: str


class Map(Kind, frozen=True):
    """Who is fastest at each point of the map, for so many tasks."""

    tasks: int


class Verdicts(Kind, frozen=True):
    """The claims on which the builds of the current machine differ, a square a build."""


class Lanes(Kind, frozen=True):
    """Who runs and who waits: nothing that was measured."""

    rows: dict[str, Words]
    """By its name on the card, a family, and lanes that are written a letter a step: r runs, w waits."""


Picture = Bars | Rounds | Map | Verdicts | Lanes


class Article(NamedTuple):
    """One article."""

    page: str
    """Its path below docs/."""
    title: str
    description: str
    picture: Picture | None
    cites: frozenset[str] = frozenset()
    """The claims and sources of which it quotes what is decided, or says where they are from."""


def read(docs: Path) -> list[Article]:
    """Read the articles below *docs*, in the order of the navigation. Raises FrontMatterError, which names the file."""
    found = [(path, path.read_text(encoding="utf-8")) for path in sorted((docs / FOLDER).glob("*.md"))]
    return [_article(path, text) for path, text in sorted(found, key=lambda each: _order(*each))]


def _order(path: Path, text: str) -> tuple[bool, int]:
    """Put those of a further group behind those of the folder's own."""
    facts = front_matter(text)
    return "group" in facts, place_of(f"{FOLDER}/{path.name}", facts)


def _article(path: Path, text: str) -> Article:
    facts, title = front_matter(text), _TITLE.search(text)
    if title is None:
        msg = f"{FOLDER}/{path.name}: it has no title: a line that begins with one # and a space"
        raise FrontMatterError(msg)
    cites = frozenset(_CITED.findall(text))
    return Article(f"{FOLDER}/{path.name}", title[1], facts.get("description", ""), _picture(path, facts), cites)


def about(articles: Iterable[Article], claim: Claim) -> Article | None:
    """Return the first article that speaks of *claim*, else the first that cites its source; None where none does."""
    found = [*articles]
    return next((each for name in (claim.id, claim.source) for each in found if name in each.cites), None)


def _picture(path: Path, facts: dict[str, str]) -> Picture | None:
    if "picture" not in facts:
        return None
    try:
        picture: Picture = msgspec.json.decode(facts["picture"], type=Picture)
    except msgspec.MsgspecError as error:
        msg = f"{FOLDER}/{path.name}: picture: {error}"
        raise FrontMatterError(msg) from error
    return picture

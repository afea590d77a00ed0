"""The published sources whose claims are measured again, and how each is cited."""

from __future__ import annotations

from typing import NamedTuple

from runners.harness.catalogue.scenarios import select


class Source(NamedTuple):
    """A published article."""

    name: str
    """Its title, in quotation marks; a description where no title is known."""
    year: str
    """Empty where it bears no date."""
    about: str
    """What it ran on; empty where that is not told."""


SOURCES = {
    "S1": Source("an article on mixing asyncio with concurrent.futures", "", "Python 3.6.1, 8 cores"),
    "S2": Source("“Asynchronous Programming with Tornado Framework”", "", "Tornado 3.1.1, Python 3"),
    "S3": Source("CPython pull request 104138 (gh-104144)", "2023", "Python 3.12 alpha 7, 72 processors"),
    "S4": Source("“Latency in asynchronous Python”", "2020", ""),
    "S5": Source("“Asynchronous programming. Python3.5+”", "", "the fourth post of a series"),
}


def citation(name: str) -> str:
    """Return how the source *name* is cited. Raises UnknownNameError where there is none."""
    select(SOURCES, [name], "source")
    source = SOURCES[name]
    known = "; ".join(fact for fact in (source.year or "undated", source.about) if fact)
    return f"{name}, {source.name} ({known})"

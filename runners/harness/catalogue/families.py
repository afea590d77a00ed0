"""The families of runners, and how tables, charts and filters draw them. A new family is one line."""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """Colours and symbol of a family. No two share a symbol, so nobody needs to see colours."""

    light: str
    """Colour on a light page."""
    dark: str
    """Colour on a dark page."""
    symbol: str
    """Its mark, under Plotly's name: one of those that generate/site/families_css.py can draw."""


FAMILIES = {
    "sync": Family("#12203f", "#cdeef2", "circle"),
    "threads": Family("#a8790f", "#e59a45", "square"),
    "processes": Family("#4763a8", "#5485dc", "triangle-up"),
    "interpreters": Family("#1f7a3d", "#74d68f", "pentagon"),
    "gevent": Family("#6b5906", "#e3d94a", "diamond"),
    "asyncio": Family("#4320a0", "#b3a5fb", "triangle-down"),
    "uvloop": Family("#8a4b2a", "#cfa88d", "hourglass"),
    "trio": Family("#a64fc4", "#df9bf2", "hexagon"),
    "aiohttp": Family("#85105a", "#d4608a", "cross"),
    "tornado": Family("#0b8f9c", "#3ad6b5", "star"),
}
"""By FAMILY of a runner, in the order of tables."""

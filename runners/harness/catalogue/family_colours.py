"""The families of runners: colours and symbol in tables, charts and filters. A new family is one line here."""

from typing import NamedTuple


class Family(NamedTuple):
    """Colours on a light and a dark page, and a symbol that no other family has: colour is never the only mark."""

    light: str
    dark: str
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
"""By the name that a runner's FAMILY has, in the order of tables."""

"""The families of runners: colours and symbol in tables, charts and filters. A new family is one line here."""

from typing import NamedTuple


class Family(NamedTuple):
    """Colours on a light and a dark page, and a symbol that no other family has: colour is never the only mark."""

    light: str
    dark: str
    symbol: str
    """Its mark, under Plotly's name: one of those that generate/site/families_css.py can draw."""


FAMILIES = {
    "sync": Family("#00676c", "#98ecf7", "circle"),
    "threads": Family("#b87d12", "#ea8f1f", "square"),
    "processes": Family("#3f66e0", "#4f86ff", "triangle-up"),
    "interpreters": Family("#15803f", "#3fd683", "pentagon"),
    "gevent": Family("#5f6500", "#e9e03a", "diamond"),
    "asyncio": Family("#3d1a96", "#c2b5f7", "triangle-down"),
    "uvloop": Family("#8478e6", "#8672d6", "hourglass"),
    "trio": Family("#a64fc4", "#d07fe6", "hexagon"),
    "aiohttp": Family("#85105a", "#dc4f8b", "cross"),
    "tornado": Family("#008f9f", "#19c3c9", "star"),
}
"""By the name that a runner's FAMILY has, in the order of tables."""

"""The site's own styles and scripts as the site has them: small, and the scripts of every page as one file."""

from __future__ import annotations

from pathlib import Path

from rcssmin import cssmin
from rjsmin import jsmin

ASSETS = Path(__file__).parents[1] / "assets"
EVERY_PAGE = {
    "site.js": ("pages.js", "filters.js", "tables.js", "builds.js"),
}
"""Files that are put together, in this order: later ones use earlier ones as they begin."""
_MINIFY = {".css": cssmin, ".js": jsmin}


def assets() -> dict[str, str | Path]:
    """Return every file below assets/ that is written by hand, by its name on the site."""
    together = {name: "\n".join(map(_small, parts)) for name, parts in EVERY_PAGE.items()}
    put = {part for parts in EVERY_PAGE.values() for part in parts}
    alone = [path for path in sorted(ASSETS.iterdir()) if path.name not in put]
    return together | {path.name: _small(path.name) if path.suffix in _MINIFY else path for path in alone}


def _small(name: str) -> str:
    path = ASSETS / name
    return str(_MINIFY[path.suffix](path.read_text(encoding="utf-8")))

"""The pages that clients get: small, each different, and sent at once. The site and the workload both compute them.

Standard library only.
"""

from __future__ import annotations

from typing import NamedTuple

MEANS_S = (0.0,)
"""One site, which does not wait."""


class Page(NamedTuple):
    """One page, known by the path of its address."""

    number: int

    @property
    def path(self) -> str:
        """Its path at the site."""
        return f"/{self.number}"

    @property
    def latency_s(self) -> float:
        """Seconds that the site waits before it answers."""
        return 0.0

    @property
    def body(self) -> bytes:
        """Its content, about 100 bytes."""
        return b"page %d\n" % self.number * 10


def page_at(_site: int, path: str) -> Page:
    """Return the page at *path*. Raises ValueError if there is none."""
    page = Page(int(path[1:]))
    if page.path != path:
        msg = f"no page is at {path}"
        raise ValueError(msg)
    return page

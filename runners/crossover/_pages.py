"""The pages of the local site that tasks wait for: which are asked for, and how long each takes.

Standard library only; the site and the workload both compute with it.
"""

from __future__ import annotations

from typing import NamedTuple

MEANS_S = (0.0,)
"""One site; how long a page takes stands in its address."""


class Page(NamedTuple):
    """One page, known by the path of its address."""

    wait_us: int

    @property
    def path(self) -> str:
        """Its path at the site."""
        return f"/{self.wait_us}"

    @property
    def latency_s(self) -> float:
        """Seconds that the site waits before it answers."""
        return self.wait_us / 1e6

    @property
    def body(self) -> bytes:
        """What stands in it."""
        return b"waited"


def page_at(_site: int, path: str) -> Page:
    """Return the page that *path* leads to. Raises ValueError where there is none."""
    page = Page(int(path[1:]))
    if page.path != path:
        msg = f"no page is at {path}"
        raise ValueError(msg)
    return page

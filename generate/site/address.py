"""Where the site will stand. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def site_url(told: str, environment: Mapping[str, str]) -> str:
    """Return the site's address, ending with a slash: *told*, or where GitHub Pages puts it; empty where unknown."""
    owner, _, name = environment.get("GITHUB_REPOSITORY", "").partition("/")
    host = f"{owner.lower()}.github.io"
    hosted = f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
    address = told or (hosted if owner and name else "")
    return address and address.rstrip("/") + "/"

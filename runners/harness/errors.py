"""What a user can put right. Each is shown as one line, with exit status 2."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class UserError(Exception):
    """Something asked for can't be done; the message says what and how to mend it."""


class CatalogueError(UserError):
    """A scenario's file is not what it must be."""


class UnknownNameError(UserError):
    """A name that nothing has."""

    def __init__(self, what: str, name: str, existing: Iterable[str]) -> None:
        """Name the thing, the nearest that exists, and all that exist."""
        names = list(existing)
        near = difflib.get_close_matches(name, names, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        super().__init__(f"no {what} is called {name!r}{hint}; there are: {', '.join(names)}")

"""What of an article follows the machine and the build that a reader chooses: its pieces, numbered in order.

An article is written once, and rendered for each machine and build. What its functions say there and not on the page as
it comes is fetched when it is chosen. So an article does not branch or loop by data: its numbers would be of other
places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    Function = Callable[..., object]

FOLDERS = ("articles/", "claims/")
"""Whose pages follow a choice."""
OF_BUILD = {
    "value": "span",
    "times": "span",
    "gains": "span",
    "measured_on": "span",
    "cores": "span",
    "chart": "div",
    "extras": "div",
    "remeasured": "div",
    "table": "div",
}
"""The functions that speak of one build, each with the element that its pieces are."""
OF_MACHINE = {
    "verdict": "span",
    "finding": "span",
    "against_gil": "span",
    "against_reference": "span",
    "gains_without_gil": "span",
    "map_build": "span",
    "map_measured_on": "span",
    "map_fronts": "span",
    "map_lacks": "span",
    "points_of_rule": "span",
    "sockets_agree": "span",
    "refused_on": "span",
    "points_at_front": "span",
    "much_computing": "span",
    "some_computing": "span",
    "fastest_at": "span",
    "behind_at": "span",
    "values_by_build": "div",
    "variants": "div",
    "releases": "div",
    "verdict_list": "div",
    "verdicts": "div",
    "differences": "div",
    "map_picture": "div",
    "opening_picture": "div",
    "socket_table": "div",
}
"""Those that speak of all builds of a machine, or name theirs."""
ARGUMENTS = frozenset({"first_measured", "free_threaded", "with_gil"})
"""Those whose answers are what others are asked for."""


@dataclass
class Pieces:
    """What each piece of a page is, as its functions are called."""

    said: list[Markup | None] = field(default_factory=list)
    """In order; None where its function was not asked."""
    of_any_build: int = 0
    """How many are of whichever build is chosen: their page names none."""

    def add(self, name: str, named: Mapping[str, object], said: Markup | None) -> None:
        """Add what function *name* says, called with the arguments *named*."""
        self.said.append(said)
        self.of_any_build += name in OF_BUILD and not named.get("build")

    def unlike(self, own: Pieces | None = None) -> dict[str, str]:
        """Return by number those that are not as a page's *own*; all, where it has none."""
        before = own.said if own else [None] * len(self.said)
        return {
            str(number): piece
            for number, (was, piece) in enumerate(zip(before, self.said, strict=True), start=1)
            if piece is not None and piece != was
        }


def numbered(functions: Mapping[str, Function], pieces: Pieces) -> dict[str, Function]:
    """Return the functions of a page that has each piece in an element of its number; they add to *pieces*."""

    def placed(name: str, function: Function, element: str) -> Function:
        def piece(*arguments: object, **named: object) -> Markup:
            said = Markup.escape(function(*arguments, **named))
            pieces.add(name, named, said)
            return Markup('<{0} data-piece="{1}">{2}</{0}>').format(element, len(pieces.said), said)

        return piece

    elements = OF_BUILD | OF_MACHINE
    return {
        name: placed(name, function, elements[name]) if name in elements else function
        for name, function in functions.items()
    }


def unplaced(functions: Mapping[str, Function], pieces: Pieces, wanted: Container[str]) -> dict[str, Function]:
    """Return functions that write nothing; those *wanted* add to *pieces* what they say, others of pieces None."""

    def silent(name: str, function: Function) -> Function:
        def piece(*arguments: object, **named: object) -> Markup:
            if name in OF_BUILD or name in OF_MACHINE:
                said = Markup.escape(function(*arguments, **named)) if name in wanted else None
                pieces.add(name, named, said)
            return Markup()

        return piece

    return {name: function if name in ARGUMENTS else silent(name, function) for name, function in functions.items()}

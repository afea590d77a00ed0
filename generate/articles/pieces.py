"""What of an article follows the machine and the build that a reader chooses: its pieces, numbered in order.

An article is written once, and rendered for each machine and build. What its functions say there and not on the page as
it comes is fetched when it is chosen. So an article does not branch or loop by data: its numbers would be of other
places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    Function = Callable[..., object]
    Pieces = list[Markup | None]
    """What each piece of a page is, in order; None where its function was not asked."""

FOLDERS = ("articles/", "claims/")
"""Whose pages follow a choice."""
OF_BUILD = {
    "value": "span",
    "times": "span",
    "measured_on": "span",
    "chart": "div",
    "extras": "div",
    "remeasured": "div",
}
"""The functions that speak of one build, each with the element that its pieces are."""
OF_MACHINE = {
    "verdict": "span",
    "map_build": "span",
    "map_fronts": "span",
    "fastest_at": "span",
    "behind_at": "span",
    "table": "div",
    "values_by_build": "div",
    "verdict_list": "div",
    "verdicts": "div",
    "differences": "div",
    "map_picture": "div",
    "socket_table": "div",
}
"""Those that speak of all builds of a machine, or name theirs."""
ARGUMENTS = frozenset({"first_measured", "free_threaded"})
"""Those whose answers are what others are asked for."""


def numbered(functions: Mapping[str, Function], pieces: Pieces) -> dict[str, Function]:
    """Return the functions of a page that has each piece in an element of its number; they add to *pieces*."""

    def placed(function: Function, element: str) -> Function:
        def piece(*arguments: object, **named: object) -> Markup:
            pieces.append(Markup.escape(function(*arguments, **named)))
            return Markup('<{0} data-piece="{1}">{2}</{0}>').format(element, len(pieces), pieces[-1])

        return piece

    elements = OF_BUILD | OF_MACHINE
    return {
        name: placed(function, elements[name]) if name in elements else function for name, function in functions.items()
    }


def unplaced(functions: Mapping[str, Function], pieces: Pieces, wanted: Container[str]) -> dict[str, Function]:
    """Return functions that write nothing; those *wanted* add to *pieces* what they say, others of pieces None."""

    def silent(name: str, function: Function) -> Function:
        def piece(*arguments: object, **named: object) -> Markup:
            if name in wanted:
                pieces.append(Markup.escape(function(*arguments, **named)))
            elif name in OF_BUILD or name in OF_MACHINE:
                pieces.append(None)
            return Markup()

        return piece

    return {name: function if name in ARGUMENTS else silent(name, function) for name, function in functions.items()}


def changed(own: Sequence[Markup | None], pieces: Sequence[Markup | None]) -> dict[str, str]:
    """Return those of *pieces* that are not as a page's *own*, by number."""
    before = [*own, *[None] * (len(pieces) - len(own))]
    return {
        str(number): piece
        for number, (was, piece) in enumerate(zip(before, pieces, strict=True), start=1)
        if piece is not None and piece != was
    }

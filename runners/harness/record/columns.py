"""What a column of samples may hold, which its name tells. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LISTS = ("_steps_", "_trace_")
"""A name with one of these is of a column of lists; every other is of single numbers."""
LARGEST_PLACE = 2**31 - 1
"""Of a round or a place in a block: what every reader can count with."""


def fault(values: Mapping[str, Sequence[object]]) -> tuple[str, str] | None:
    """Return the name of a column that holds what none of its name may, and what that is; None where none does.

    A column of lists has for each sample a list that is not empty, or null; any other a number, or null.
    """
    for name, column in values.items():
        if not any(mark in name for mark in LISTS):
            if list in map(type, column):
                return name, "a list, where the column's name asks for single numbers"
        elif [] in column:
            return name, "an empty list, where a list holds at least one number"
        elif any(cell is not None and not isinstance(cell, list) for cell in column):
            return name, "a single number, where the column's name asks for lists"
    return None

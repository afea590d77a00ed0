"""What a column of samples may hold, which its name tells. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LISTS = ("_steps_", "_trace_")
"""A name with one of these is of a column of lists; every other is of single numbers."""
SMALLEST = 1e-300
"""A number that is not 0 is at least so far from it: what is divided by one that is nearer is no number."""


def fault(values: Mapping[str, Sequence[object]]) -> tuple[str, str] | None:
    """Return the name of a column that holds what none of its name may, and what that is; None where none does.

    A column of lists has for each sample a list that is not empty, or null; any other a number, or null.
    """
    for name, column in values.items():
        if not any(mark in name for mark in LISTS):
            if list in set(map(type, column)):
                return name, "a list, where the column's name asks for single numbers"
        elif [] in column:
            return name, "an empty list, where a list holds at least one number"
        elif any(value is not None and not isinstance(value, list) for value in column):
            return name, "a single number, where the column's name asks for lists"
    return None


def is_tiny(number: object) -> bool:
    """Tell whether a number is nearer to 0 than any may be."""
    return isinstance(number, float) and 0 < abs(number) < SMALLEST

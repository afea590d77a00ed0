"""Which values a column of samples may hold, by its name."""

from collections.abc import Mapping, Sequence

LISTS = ("_steps_", "_trace_")
"""Columns of lists have one of these in their names; all others hold single numbers."""


def fault(values: Mapping[str, Sequence[object]]) -> tuple[str, str] | None:
    """Return the first column with a wrong value, and what is wrong; None without any.

    A column of lists has a list with an item, or null, for each sample; any other has a number or null.
    """
    for name, column in values.items():
        if not any(mark in name for mark in LISTS):
            if list in {*map(type, column)}:
                return name, "a list, where the column's name asks for single numbers"
        elif [] in column:
            return name, "an empty list, where a list holds at least one number"
        elif any(value is not None and not isinstance(value, list) for value in column):
            return name, "a single number, where the column's name asks for lists"
    return None

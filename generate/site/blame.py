"""Finds the result files that a site can't be made with, by making it of fewer and fewer of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.analysis.medians import broken_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generate.results.model import FileHeader, Problem

    Make = Callable[[Sequence[FileHeader]], object]
    """Makes the site of these files alone."""


def files_to_blame(files: Sequence[FileHeader], current: Sequence[FileHeader], make: Make) -> list[Problem]:
    """Return a problem for each of *files* that *make* raises an exception for when it is given that file alone.

    None are to blame where it raises one without any file, or for each of several that are *current*.
    """
    if _error(make, []) is not None:
        return []
    problems = _search(files, make)
    blamed = {problem.path for problem in problems}
    is_our_own_fault = len(current) > 1 and all(file.path in blamed for file in current)
    return [] if is_our_own_fault else problems


def _search(files: Sequence[FileHeader], make: Make) -> list[Problem]:
    """Halve: a single bad file among sixty is found with the work of two or three sites."""
    error = _error(make, files)
    if error is None:
        return []
    if len(files) == 1:
        return [broken_by(files[0].path, error)]
    middle = len(files) // 2
    return _search(files[:middle], make) + _search(files[middle:], make)


def _error(make: Make, files: Sequence[FileHeader]) -> Exception | None:
    try:
        make(files)
    except Exception as error:  # noqa: BLE001 - any mistake of ours
        return error
    return None

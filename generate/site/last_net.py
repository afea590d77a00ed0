"""Makes the site without a result file that breaks a step, and names it. A bug that needs no such file is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from generate.data.files import Problem
from generate.words import patterns
from generate.words.log_lines import describe_mistake
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Made = TypeVar("Made")
MOST_LEFT_OUT = 3
"""If more files break something, the fault is ours rather than theirs."""


def make_without_culprits(make: Callable[[Sequence[Problem]], Made], list_paths: Callable[[], Sequence[str]]) -> Made:
    """Return what *make* makes without the files of some problems: those that break it by themselves, if any do."""
    left_out: list[Problem] = []
    while True:
        try:
            return make(left_out)
        except UserError:
            raise
        except Exception as error:
            paths = [path for path in list_paths() if path not in {problem.path for problem in left_out}]
            culprit = _find_culprit(make, paths, left_out) if len(left_out) < MOST_LEFT_OUT else None
            if culprit is None:
                raise
            message = patterns.FILE_BREAKS.format(describe_mistake(error))
            left_out.append(Problem(culprit, "", message, patterns.REPORT_FILE))


def _find_culprit(
    make: Callable[[Sequence[Problem]], object], paths: Sequence[str], left_out: Sequence[Problem]
) -> str | None:
    """Return the file that breaks *make* by itself, found by halving; None if it breaks without any, or by several."""

    def breaks(kept: Sequence[str]) -> bool:
        try:
            make([*left_out, *(Problem(path, "", "", "") for path in paths if path not in kept)])
        except Exception:  # noqa: BLE001 - what it raises with all files is named, or raised
            return True
        return False

    if breaks([]):
        return None
    suspects = paths
    while len(suspects) > 1:
        halves = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
        suspects = next((half for half in halves if breaks(half)), [])
    return suspects[0] if suspects else None

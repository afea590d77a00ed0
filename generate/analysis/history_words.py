"""Why a result file is history and not current, in a word for those who read the index of the data. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from typing import TYPE_CHECKING

from generate.analysis.selection import Cell, Precedence, disturbance, in_precedence, series_that_come_first

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generate.results.model import FileHeader, Measured

    Ranked = tuple[Precedence, FileHeader]
    FirstOfAlike = Mapping[frozenset[Measured], Ranked]
    """Of files that have the same series the first: each further one would have to be looked at for nothing."""

WORDS = {
    "busy": "Its machine was busy with something else, and nothing that it has decides.",
    "quick": "It is of a quick run, and there is a full one.",
    "incomplete": "Its run was cut off, and there is one that ended.",
    "part": "It is of some cases or runners that its command named, and there is one of all.",
    "noise": "It ran in noisy hours, and there is a calmer run.",
    "processor": "Its processor is not the one that most runs under its machine's name had.",
    "alone": "Its run did not measure the same Python with and without the GIL, and there is one that did.",
    "by_product": "It was measured beside another build of its run, and there is one that was measured for itself.",
    "method": "An older method measured it, and there is one by a newer method for each of its scenarios.",
    "superseded": "There is a newer one that has its series, and is behind it in nothing of the above.",
    "newer_patch": "A newer patch release of its Python was measured.",
    "empty": "It has no series.",
}
"""By word, what is said of a file: of the first thing by which others of its machine and build come before it."""
_BY_FIELD = {"is_of_all": "part", "is_own_job": "by_product"}
"""Of fields of the precedence that say one thing."""
_BY_DISTURBANCE = {"may_decide", "is_calm", "is_usual_processor", "is_paired"}


def why_history(files: Iterable[FileHeader], current: Collection[str]) -> dict[str, str]:
    """Return by path the word for each of the *files* whose path is not *current*."""
    every = [*files]
    first = series_that_come_first(every)
    of_cells: dict[Cell, dict[frozenset[Measured], Ranked]] = defaultdict(dict)
    why = {}
    for precedence, file in in_precedence(every):
        before = of_cells[Cell.of(file)]
        if file.path not in current:
            why[file.path] = "newer_patch" if first[file.path] else _why(precedence, file, before)
        before.setdefault(file.measured, (precedence, file))
    return why


def _why(own: Precedence, file: FileHeader, before: FirstOfAlike) -> str:
    """Say by what a file comes after that of those *before* it which has most of its series."""
    if not file.measured:
        return "empty"
    if file.measured.difference(*before):
        return "method"
    precedence, other = before[max(before, key=lambda measured: len(measured & file.measured))]
    names = (field.name for field in fields(Precedence))
    name = next(name for name in names if getattr(precedence, name) != getattr(own, name))
    if name in _BY_DISTURBANCE:
        return disturbance(file, other)
    if name in {"is_whole", "is_full"}:
        return "quick" if file.run.is_quick else "incomplete"
    return _BY_FIELD.get(name, "superseded")

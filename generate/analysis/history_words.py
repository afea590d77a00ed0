"""Why a result file is history and not current, in a word for those who read the index of the data. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.selection import Cell, Precedence, disturbance, in_precedence, series_that_come_first

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from generate.results.model import FileHeader

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


class RankedFile(NamedTuple):
    """A file, and what it is ordered by."""

    precedence: Precedence
    file: FileHeader


def why_history(files: Iterable[FileHeader], current: Collection[str]) -> dict[str, str]:
    """Return by path the word for each of the *files* whose path is not *current*."""
    every = [*files]
    first = series_that_come_first(every)
    of_cells: dict[Cell, list[RankedFile]] = defaultdict(list)
    why = {}
    for ranked in (RankedFile(*each) for each in in_precedence(every)):
        path, before = ranked.file.path, of_cells[Cell.of(ranked.file)]
        if path not in current:
            why[path] = "newer_patch" if first[path] else _why(ranked, before)
        before.append(ranked)
    return why


def _why(ranked: RankedFile, before: Sequence[RankedFile]) -> str:
    """Say by what a file comes after that of those *before* it which has most of its series."""
    measured = ranked.file.measured
    if not measured:
        return "empty"
    if measured.difference(*(each.file.measured for each in before)):
        return "method"
    other = max(before, key=lambda each: len(each.file.measured & measured))
    names = (field.name for field in fields(Precedence))
    name = next(name for name in names if getattr(other.precedence, name) != getattr(ranked.precedence, name))
    if name in _BY_DISTURBANCE:
        return disturbance(ranked.file, other.file)
    if name in {"is_whole", "is_full"}:
        return "quick" if ranked.file.run.is_quick else "incomplete"
    return _BY_FIELD.get(name, "superseded")

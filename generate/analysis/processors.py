"""Which processor speaks for a machine's name: hosts under one name may have several. Pure.

Times on two processors differ by more than builds do. So a file of the usual processor comes before one of another:
then the builds of a machine are as far as possible of one processor, and can be set side by side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generate.results.model import FileHeader

NEWEST = 20
"""So many of the newest files of full runs say which processor is usual: where hosts are replaced, it soon changes."""


def with_usual_processors(files: Iterable[FileHeader]) -> list[FileHeader]:
    """Mark which of *files* are of the processor that most of the newest full runs under their machine's name had."""
    every = [*files]
    by_machine: dict[tuple[str, bool], list[FileHeader]] = defaultdict(list)
    for file in sorted(every, key=lambda file: file.run.started, reverse=True):
        if file.run.profile != "quick":
            by_machine[_machine(file)].append(file)
    usual = {
        machine: Counter(file.machine.cpu for file in of_machine[:NEWEST]).most_common(1)[0][0]
        for machine, of_machine in by_machine.items()
    }
    return [
        replace(file, is_usual_processor=usual.get(_machine(file), file.machine.cpu) == file.machine.cpu)
        for file in every
    ]


def _machine(file: FileHeader) -> tuple[str, bool]:
    return file.machine.label, file.local

"""Under which conditions a machine's runs were measured: on the usual processor, in calm hours? Pure.

Hosts under one name may have several processors, on which times differ by more than builds do; and one host has calm
and noisy hours. Both decide which of several runs is current, never what was compared in them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.analysis.selection import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generate.analysis.selection import Host
    from generate.results.model import FileHeader

CellOnProcessor = tuple[Cell, str]
NEWEST = 20
"""So many of the newest files of full runs say what is usual: where hosts are replaced, that soon changes."""
LOUDER = 2.0
"""So many times the noise of the calmest run is loud: the same range would take four times as many rounds."""
QUIET = 0.02
"""Below so much no hour is loud: in half of the rounds of half of the blocks the same code took 2 % more or less."""


def with_conditions(files: Iterable[FileHeader]) -> list[FileHeader]:
    """Mark which of *files* are of their machine's usual processor, and which of hours that were loud.

    The usual processor is that of most of the newest full runs under the machine's name. Loud hours are known from the
    controls alone, beside the calmest of the newest full runs of the same build on that processor.
    """
    every = [*files]
    by_host: dict[Host, list[FileHeader]] = defaultdict(list)
    by_cell: dict[CellOnProcessor, list[FileHeader]] = defaultdict(list)
    for file in sorted(every, key=lambda file: file.run.started, reverse=True):
        if file.run.profile != "quick":
            cell = Cell.of(file)
            by_host[cell.host].append(file)
            by_cell[cell, file.machine.cpu].append(file)
    usual = {
        host: Counter(file.machine.cpu for file in of_host[:NEWEST]).most_common(1)[0][0]
        for host, of_host in by_host.items()
    }
    calmest = {cell: _least_noise(of_cell[:NEWEST]) for cell, of_cell in by_cell.items()}
    return [
        replace(
            file,
            is_usual_processor=usual.get(Cell.of(file).host, file.machine.cpu) == file.machine.cpu,
            is_loud=_is_loud(file, calmest),
        )
        for file in every
    ]


def _least_noise(files: Iterable[FileHeader]) -> float | None:
    return min((file.noise for file in files if file.noise is not None), default=None)


def _is_loud(file: FileHeader, calmest: Mapping[CellOnProcessor, float | None]) -> bool:
    least = calmest.get((Cell.of(file), file.machine.cpu))
    return least is not None and file.noise is not None and file.noise >= max(LOUDER * least, QUIET)

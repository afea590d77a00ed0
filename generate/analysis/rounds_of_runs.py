"""What the full runs beside the current one measured, round by round, so that any two series can be compared. Pure.

Ratios to the block's baseline are kept for every file (analysis/medians.py). Pages also compare other pairs, known only
when they are written, and by then the files of other runs were let go. So of each the bare numbers are kept: a few
hundred bytes a series, where the file takes megabytes.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.gated import is_whole
from generate.statistics.intervals import paired_ratios
from generate.text.over_runs import OverRuns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.analysis.between_runs import RunsOfCell
    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.analysis.series import Code
    from generate.statistics.intervals import Comparison
    from runners.harness.record.model import SeriesKey


class Rounds(NamedTuple):
    """What a series had in each round of a run, in one metric's unit; the place is the round, NaN where it has none."""

    code: Code | None
    """What ran: only the same is set beside each other."""
    values: array[float]

    def by_round(self) -> dict[int, float]:
        """Return the values by round."""
        return {number: value for number, value in enumerate(self.values) if not math.isnan(value)}


RoundsOfFile = dict[tuple["SeriesKey", str], Rounds]
"""By series and metric."""


def rounds_of(gated: GatedRecord) -> RoundsOfFile:
    """Return what a file's series had in each round; nothing of those in which a round failed or that are refused."""
    found: RoundsOfFile = {}
    for key, series in gated.view.series.items():
        if key.role != "subject" or not is_whole(series):
            continue
        code = gated.view.code(key)
        for metric in gated.view.metrics(series):
            if by_round := gated.by_round(series, metric):
                values = (by_round.get(number, math.nan) for number in range(max(by_round) + 1))
                found[key, metric.name] = Rounds(code, array("d", values))
    return found


@dataclass(frozen=True)
class RunsBeside:
    """The runs that stand beside each other, and what each had."""

    runs: RunsOfCell = field(default_factory=dict)
    by_path: Mapping[str, RoundsOfFile] = field(default_factory=dict)
    beside_gil: Mapping[tuple[Cell, str], Sequence[GatedRecord]] = field(default_factory=dict)
    """Those without the GIL, each with the same with it: of these the whole files are needed."""

    def ratios(
        self, cell: Cell, own: GatedRecord, keys: Sequence[SeriesKey], metric: str, compared: Comparison
    ) -> OverRuns | None:
        """Return the ratios of two series, *keys*, in *own*, as they are *compared* there, and in the runs beside it.

        None where no other run measured both with the same code and packages.
        """
        paths = [file.path for file in self.runs.get((cell, keys[0].scenario), ())]
        if own.file.path not in paths or not is_whole(*map(own.view.series.get, keys)):
            return None
        code = [own.view.code(key) for key in keys]
        ratios = [compared.ratio]
        for path in paths:
            of_file = self.by_path.get(path, {}) if path != own.file.path else {}
            rounds = [of_file[key, metric] for key in keys if (key, metric) in of_file]
            if [each.code for each in rounds] == code and (
                paired := paired_ratios(*(each.by_round() for each in rounds))
            ):
                ratios.append(median(paired))
        return OverRuns.of(ratios, compared.low, compared.high)

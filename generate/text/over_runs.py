"""What several full runs of one build have of a number, in words beside the interval of one of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class OverRuns(NamedTuple):
    """Where a number lay in several runs: an interval is of one run, and does not show how far the hours move it."""

    runs: int
    """How many, the one that is quoted among them."""
    low: float
    """The smallest of their medians, in the metric's unit, or of their ratios."""
    high: float
    """The largest."""
    outside: int | None
    """How many of the other runs' lie outside the interval that is quoted; None where that is not known."""

    @classmethod
    def of(cls, numbers: Sequence[float], low: float, high: float) -> Self | None:
        """Return where *numbers*, one of each run, lie beside an interval from *low* to *high*; None of one alone."""
        outside = sum(not low <= number <= high for number in numbers)
        return cls(len(numbers), min(numbers), max(numbers), outside) if len(numbers) > 1 else None

    @property
    def are_all_outside(self) -> bool:
        """Whether several other runs are at odds with the interval that is quoted, and none is at one with it."""
        return self.runs > 2 and self.outside == self.runs - 1  # noqa: PLR2004 - two runs are at odds with each other

    @property
    def side(self) -> Literal["", "below", "above"]:
        """On which side of 1 all of several ratios lie; empty where they lie on both."""
        return "below" if self.high < 1 else "above" if self.low > 1 else ""

    @property
    def each(self) -> str:
        """Name all of them: "in each of 5 runs"."""
        return "in both runs" if self.runs == 2 else f"in each of {self.runs} runs"  # noqa: PLR2004 - both are two

    def with_another(self, number: float) -> Self:
        """Return these with the number of a further run, whose interval is quoted in the place of theirs."""
        return self._replace(runs=self.runs + 1, low=min(self.low, number), high=max(self.high, number), outside=None)

    def turned(self) -> Self:
        """Return the ratios the other way round."""
        return self._replace(low=1 / self.high, high=1 / self.low if self.low else math.inf)


def beside_runs(bounds: str, runs: OverRuns | None, write: Callable[[float, float], str], *known: str) -> str:
    """Write an interval's *bounds*, which may be empty, and what the runs have: "10.3 to 10.8; 9.75 to 10.8 in 5 runs".

    Nothing is added where that reads as the bounds do, or as something else that is *known*. Where all other runs are
    outside the bounds, that is added with their number: what is quoted is then an exception.
    """
    written = write(runs.low, runs.high) if runs else ""
    if runs is None or written in {bounds, *known}:
        return bounds
    alone = f", the other {runs.runs - 1} outside the first range" if bounds and runs.are_all_outside else ""
    return "; ".join(filter(None, [bounds, f"{written} in {runs.runs} runs{alone}"]))

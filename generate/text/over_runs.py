"""What several full runs of one build have of a number, in words beside the interval of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

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

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Self | None:
        """Return where *numbers*, one of each run, lie; None of one alone."""
        return cls(len(numbers), min(numbers), max(numbers)) if len(numbers) > 1 else None

    def with_another(self, number: float) -> Self:
        """Return these with a further run's."""
        return self._replace(runs=self.runs + 1, low=min(self.low, number), high=max(self.high, number))

    def turned(self) -> Self:
        """Return the ratios the other way round."""
        return self._replace(low=1 / self.high, high=1 / self.low)


def beside_runs(bounds: str, runs: OverRuns | None, write: Callable[[float, float], str], *known: str) -> str:
    """Write an interval's *bounds*, which may be empty, and what the runs have: "10.3 to 10.8; 9.75 to 10.8 in 5 runs".

    Nothing is added where that reads as the bounds do, or as something else that is *known*.
    """
    written = write(runs.low, runs.high) if runs else ""
    said = f"{written} in {runs.runs} runs" if runs and written not in {bounds, *known} else ""
    return "; ".join(filter(None, [bounds, said]))

"""What all pages of one generation share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.analysis.collection import CurrentResults
    from generate.charts.chart import Chart
    from generate.claims.board import Board
    from generate.statistics.validation import Validation


@dataclass(frozen=True)
class SiteContext:
    """What every page of one generation shares."""

    site: CurrentResults
    board: Board
    charts: Mapping[tuple[str, str], list[Chart]]
    """By scenario and case."""
    plotly: str
    """Where the chart library lies below docs/."""
    validated: Validation

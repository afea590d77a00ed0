"""What all pages and downloads of one generation share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from generate.pages.compare import compare_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Chart
    from generate.claims.board import Board
    from generate.data.gate import CheckedRecord
    from generate.data.results import Results
    from generate.data.selection import ResultKey
    from generate.data.table import Summary
    from generate.data.validation import Validation
    from generate.pages.articles import Article
    from generate.pages.compare import Comparison


@dataclass(frozen=True, eq=False)
class SiteContext:
    """Everything that pages and downloads are made from, once the results are judged."""

    site: Results
    board: Board
    charts: Mapping[tuple[str, str], list[Chart]]
    """By scenario and case."""
    plotly: str
    """Where the chart library lies below docs/."""
    validated: Validation
    records: Sequence[CheckedRecord]
    """All files, through the sanity gate."""
    table: Sequence[Summary]
    """Every summary; `site` has the same, grouped for pages."""
    articles: Sequence[Article]
    repository: str = ""
    """Where the project is cloned from; empty if that is not known."""

    @property
    def clone_address(self) -> str:
        """What `git clone` is given: that, or a placeholder."""
        return self.repository or "<this repository>"

    @cached_property
    def comparisons(self) -> Mapping[ResultKey, Mapping[str, Comparison | str]]:
        """Each result's comparisons by way, or the reason why there is none."""
        return compare_all(self.site)

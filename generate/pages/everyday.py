"""Everyday pieces of work on the page Choose: whom the map advises, and whom their own measurement has. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from generate.analysis.one_model import CLOSE
from generate.analysis.work_map import SCENARIO, Point, family_at, nothing_is_decided, placed
from generate.pages.choose import families, measured_maps
from generate.pages.choose_answer import work_words
from generate.pages.templates import fragment, root_of
from generate.text.numbers import NOT_MEASURED, format_bound, format_ratio_interval, format_value
from generate.text.over_runs import beside_runs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.work_map import MapPoint, Placed
    from generate.pages.context import SiteContext
    from runners.harness.contract import Metric

EVERYDAY = "everyday"
NEAREST = {
    "1,000 API calls of 100 ms": Point("timers", 1_000, 0, 100_000),
    "compress 200 files": Point("hashing", 100, 1_000, 0),
    "20 requests of 20 ms and 10 ms of JSON": Point("timers", 10, 10_000, 10_000),
    "read 500 small files": Point("timers", 1_000, 0, 0),
    "40 images, 5 ms of Python each": Point("timers", 100, 10_000, 0),
    "50 queries of 20 ms, 20 ms of computing": Point("timers", 100, 100, 10_000),
}
"""By everyday piece of work, the nearest point of the map; written before a result of either was looked at."""
AS_TRIED: Mapping[str, str] = {"threads": "thread_per_task"}
"""By model of the map, what everyday work calls it, where that differs."""
FAR = 2
"""Times as much or as little computing as a piece of work has, from which on its nearest point is not called near."""


class Front(NamedTuple):
    """The families that are at the front of a piece of work."""

    families: list[str]
    is_undecided: bool
    """Whether all that were measured are there, since nothing is decided between them."""
    is_all: bool = False
    """Whether all are there, since none takes longer than another."""

    @property
    def words(self) -> str:
        """The families in words, or why none is named."""
        return "not decided" if self.is_undecided else ", ".join(self.families) or NOT_MEASURED


class Tried(NamedTuple):
    """The models at the front of the map that did a piece of work themselves."""

    tried: int
    right: int
    """How many of them took at most a tenth longer than the fastest there, or no longer than the noise reaches."""

    @classmethod
    def of(cls, at: MapPoint, ranked: Sequence[Placed]) -> Self:
        """Hold the front of the map *at* a point against those that did the work, the fastest first."""
        advised = {AS_TRIED.get(standing.runner, standing.runner) for standing in at.front}
        tried = [each for each in ranked if each.series.runner in advised]
        right = [each for each in tried if each.at_front or (each.behind and each.behind.ratio <= CLOSE)]
        return cls(len(tried), len(right))

    @property
    def words(self) -> str:
        """Whether the advice is right, and of how many of its models; that none was tried, where none was."""
        if not self.tried:
            return "not tried"
        said = "yes" if self.right == self.tried else "in part" if self.right else "no"
        return f"{said} ({self.right} of {self.tried})"


def everyday_table(context: SiteContext, page: str) -> Markup:
    """Return, for each everyday piece of work, whom the map has at the front, and whom its own measurement has."""
    found = measured_maps(context)
    scenario = context.site.scenarios[EVERYDAY]
    on_map, here = families(context, SCENARIO), families(context, EVERYDAY)
    rows = []
    for case, point in NEAREST.items():
        cell = context.site.first(EVERYDAY, case)
        drawn = next((each for other, each in found if cell and other.cell == cell.cell), None)
        at = drawn.at(point) if drawn else None
        advised = Front(at.front_families(on_map), at.is_undecided) if at else Front([], is_undecided=False)
        ranked = _ranked(cell, case, scenario.metrics[0]) if cell else []
        measured = _front(ranked, point, here)
        nearest = _nearest_words(point), _computing(context.site, case, point)
        behind = _behind(context.site, case, ranked)
        rows.append((scenario.case_words(case), nearest, advised, measured, behind, _agreement(at, ranked, measured)))
    first = context.site.first(EVERYDAY)
    of_map = next((cell for cell, _ in found if first and cell.cell == first.cell), None)
    return fragment("everyday.html", rows=rows, cell=of_map, root=root_of(page))


def _agreement(at: MapPoint | None, ranked: Sequence[Placed], measured: Front) -> str:
    """Say whether the map's advice is right; nothing where it, or the measurement of the work itself, is not known."""
    if at is None or not at.front or at.is_undecided or not ranked or measured.is_undecided:
        return ""
    # Where none is behind, no advice could have been wrong.
    return "any would do" if measured.is_all else Tried.of(at, ranked).words


def _ranked(cell: CellResult, case: str, metric: Metric) -> list[Placed]:
    """Return the models that did an everyday piece of work in *cell*, the fastest first."""
    wanted = (EVERYDAY, case, "subject")
    return placed(cell.gated, [s for s in cell.record.series if (s.scenario, s.case, s.role) == wanted], metric)


def _front(ranked: Sequence[Placed], point: Point, families: Mapping[str, str]) -> Front:
    """Return who is at the front of a piece of work, whose nearest is *point*."""
    at_front = [*dict.fromkeys(family_at(point, each.series.runner, families) for each in ranked if each.at_front)]
    is_undecided = nothing_is_decided(ranked)
    is_all = len(ranked) > 1 and not is_undecided and all(each.at_front for each in ranked)
    return Front(at_front, is_undecided, is_all)


def _behind(site: CurrentResults, case: str, ranked: Sequence[Placed]) -> str:
    """Say how many times as long as the fastest each model took that is not at the front, the fastest of these first.

    And what several runs have, where the fastest is the baseline.
    """
    scenario, cell = site.scenarios[EVERYDAY], site.first(EVERYDAY, case)
    behind = [(each.behind, each.series.runner) for each in ranked if each.behind and not each.at_front]
    said = []
    for compared, runner in sorted(behind, key=lambda each: each[0].ratio):
        row = site.row(cell, EVERYDAY, case, runner, scenario.metrics[0].name) if cell else None
        is_to_baseline = (case, ranked[0].series.runner) == scenario.baseline_of(scenario.block_of(case))
        runs = beside_runs("", row.ratios_of_runs, format_ratio_interval) if row and is_to_baseline else ""
        aside = f" ({runs})" if runs else ""
        said.append(f"{scenario.runners[runner].words} {format_bound(compared.ratio)} times{aside}")
    return ", ".join(said)


def _computing(site: CurrentResults, case: str, point: Point) -> str:
    """Say how much the nearest *point* computes where that is not near at all; nothing of work that waits as well."""
    scenario, cell = site.scenarios[EVERYDAY], site.first(EVERYDAY, case)
    alone = scenario.baseline_of(scenario.block_of(case))[1]
    row = site.value(cell, EVERYDAY, case, alone, scenario.metrics[0].name) if cell else None
    computing_ns = point.tasks * point.compute_us * 1e3
    if scenario.cases[case].parameters["wait_s"] or point.wait_us or not computing_ns or row is None or not row.median:
        return ""
    if 1 / FAR < computing_ns / row.median < FAR:
        return ""
    amounts = (format_value(ns, "ns") for ns in (computing_ns, row.median))
    return "{} of computing in all; this work takes {} in a plain loop".format(*amounts)


def _nearest_words(point: Point) -> str:
    """Say which work of the map a piece of work is nearest to: of hashing, that it is that which computes."""
    words = work_words(point)
    return words.replace("compute", "hash (in C, without the GIL)") if point.kind == "hashing" else words

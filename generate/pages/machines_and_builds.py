"""A page for each machine and each build (the facts), one for each of both (every series), and their lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from markupsafe import Markup

from generate.data.selection import ResultKey
from generate.pages import maps
from generate.pages.board import matrix
from generate.pages.compare import Comparison, comparison_html
from generate.pages.tables import find_note
from generate.pages.templates import page as markdown
from generate.pages.templates import path_to_root
from generate.words import patterns
from generate.words.names import list_names
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.data.files import ResultFile
    from generate.data.results import Results
    from generate.data.selection import MachineKey, Result
    from generate.data.table import Summary
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Observed


def pages(context: SiteContext) -> dict[str, str]:
    """Return the pages of all machines and builds."""
    machines: dict[str, list[Result]] = defaultdict(list)
    builds: dict[str, list[Result]] = defaultdict(list)
    for cell in context.site.cells:
        machines[cell.machine_page].append(cell)
        builds[cell.build_page].append(cell)
    return {
        **{path: _machine_page(context, cells) for path, cells in machines.items()},
        **{path: _build_page(context.site, cells) for path, cells in builds.items()},
        **{cell.page: _result_page(context, cell) for cell in context.site.cells},
    }


def cell_list(context: SiteContext, kind: Literal["machine", "build", "variant"], page_path: str) -> Markup:
    """Return the list of all machines (with their plain builds), plain builds or variants, as Markdown for a page."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for cell in sorted(context.site.cells, key=lambda cell: (cell.machine_key, cell.order)):
        if bool(cell.record.build.variant) is (kind == "variant"):
            groups[cell.machine_page if kind == "machine" else cell.build_page].append(cell)
    ordered = [*groups.values()] if kind == "machine" else sorted(groups.values(), key=lambda cells: cells[0].order)
    by = "machine" if kind == "machine" else "build"
    written = markdown("cell_list.md", kind=by, groups=ordered, root=path_to_root(page_path))
    return Markup(written)  # noqa: S704 - rendered with escaping


class PooledRuns(NamedTuple):
    """A build of a machine, and how many of its runs each scenario pools."""

    cell: Result
    runs: Sequence[tuple[str, int]]
    """By the scenario's title."""

    @classmethod
    def of(cls, site: Results, cell: Result) -> PooledRuns:
        """Count the runs of *cell*."""
        return cls(cell, [(site.scenarios[name].title, len(each.runs)) for name, each in _by_scenario(site, cell)])


class LeftOut(NamedTuple):
    """A run that counts for nothing, or for nothing in a scenario, and why."""

    file: ResultFile
    build: str
    why: str


def _machine_page(context: SiteContext, cells: Sequence[Result]) -> str:
    """Return a machine's page: its builds with their runs, those left out, its facts, and its verdicts."""
    site, path, host = context.site, cells[0].machine_page, cells[0].machine_key
    return markdown(
        "machine.md",
        first=cells[0],
        counts=[PooledRuns.of(site, cell) for cell in sorted(cells, key=lambda cell: cell.order)],
        left_out=[*_left_out(site, host)],
        matrix=matrix(context, host, path),
        root=path_to_root(path),
    )


def _by_scenario(site: Results, cell: Result) -> Iterator[tuple[str, Result]]:
    """Yield the results of a machine and build with the name of their scenario."""
    for name, results in site.current.items():
        yield from ((name, each) for each in results if each.key == cell.key)


def _left_out(site: Results, host: MachineKey) -> Iterator[LeftOut]:
    """Yield a machine's files that are in no pool for another reason than newer code or a newer patch."""
    for file in site.files:
        cell = ResultKey.of(file)
        unknown = [name for name in file.record.scenario_sha256 if name not in site.scenarios]
        why = file.why_excluded or (f"not known any more: {list_names(unknown)}" if unknown else "")
        if cell.machine_key == host and why:
            yield LeftOut(file, cell.build, why)


def _build_page(site: Results, cells: Sequence[Result]) -> str:
    """Return a build's page: its facts on each machine, and links to its series there."""
    root = path_to_root(cells[0].build_page)
    return markdown("build.md", counts=[PooledRuns.of(site, cell) for cell in cells], first=cells[0], root=root)


class SeriesRow(NamedTuple):
    """A series of a machine and build."""

    summary: Summary
    """Of its scenario's first metric."""
    observed: str
    """By its newest run."""
    note: str
    """The scenario's note on its runner."""


def _result_page(context: SiteContext, cell: Result) -> str:
    """Return the page of a machine and build: the facts, its comparisons, and every series with its observations."""
    compared = context.comparisons[cell.key].values()
    return markdown(
        "cell.md",
        cell=cell,
        comparisons=[comparison_html(each) for each in compared if isinstance(each, Comparison)],
        groups=[*_series(context.site, cell)],
        map_page=maps.page_of(context, cell),
        scenarios=context.site.scenarios,
        root=path_to_root(cell.page),
    )


def _series(site: Results, cell: Result) -> Iterator[tuple[str, list[SeriesRow]]]:
    """Yield each scenario with the series that *cell* has of it, in the order of its cases and runners."""
    for name, result in sorted(_by_scenario(site, cell)):
        rows = [row for (scenario, _), rows in site.rows[cell.key].items() if scenario == name for row in rows]
        firsts = {(row.case, row.runner, row.role): row for row in reversed(rows)}.values()  # the first metric of each
        notes = site.scenarios[name]
        if rows:  # the run measured some of its cases
            yield name, [SeriesRow(row, _observed(result, row), find_note(notes, row)) for row in reversed(firsts)]


def _observed(result: Result, row: Summary) -> str:
    key = SeriesKey(row.scenario, row.case, row.runner, "control" if row.role == "control" else "subject")
    series = result.series(key)
    return observed_words(series.observed) if series else ""


def _pool_words(sizes: Sequence[int]) -> str:
    """Name each size of a pool once, with how many were made: a case of several points makes one at each."""
    made = Counter(sizes)
    return ", ".join(
        patterns.POOLS_MADE.format(size=size, count=count) if count > 1 else str(size) for size, count in made.items()
    )


def observed_words(observed: Observed | None) -> str:
    """Format what was observed to run; empty if nothing was."""
    if observed is None:
        return ""
    gil = {True: "on", False: "off", None: None}
    facts = {
        "GIL before": gil[observed.gil_before],
        "after imports": gil[observed.gil_after_imports],
        "after the run": gil[observed.gil_after_run],
        "start method": observed.start_method,
        "loop": ", ".join(observed.loop_classes) or None,
        "pool": _pool_words(observed.pool_sizes) or None,
        "threads": observed.threads,
        "processes": observed.processes,
        "peak in flight": observed.peak_in_flight,
        "asked at once": observed.asked_at_once,
    }
    return "; ".join(f"{name} {fact}" for name, fact in facts.items() if fact is not None)

"""A page a machine and a page a build (the facts), a page for each of both (every series), and their lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from markupsafe import Markup

from generate.data.selection import ResultKey
from generate.pages import maps
from generate.pages.board import matrix
from generate.pages.tables import note_of
from generate.pages.templates import page as markdown
from generate.pages.templates import root_of
from generate.words.names import list_names
from runners.harness.record.build_names import prerelease, release
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.data.files import FileHeader
    from generate.data.results import Results
    from generate.data.selection import MachineKey, Result
    from generate.data.table import Summary
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Observed


def pages(context: SiteContext) -> dict[str, str]:
    """Return the pages of all machines and builds."""
    machines: dict[str, list[Result]] = defaultdict(list)
    builds: dict[str, list[Result]] = defaultdict(list)
    for cell in context.site.cells():
        machines[cell.machine_page].append(cell)
        builds[cell.build_page].append(cell)
    return {
        **{path: _machine_page(context, cells) for path, cells in machines.items()},
        **{path: _build_page(context.site, cells) for path, cells in builds.items()},
        **{cell.page: _every_series(context, cell) for cell in context.site.cells()},
    }


def cell_list(context: SiteContext, kind: Literal["machine", "build", "variant"], page_path: str) -> Markup:
    """Return the list of all machines, plain builds or variants, with the runs of each, as Markdown for a page.

    The builds of a machine are the plain ones.
    """
    groups: dict[str, list[Result]] = defaultdict(list)
    for cell in sorted(context.site.cells(), key=lambda cell: (cell.machine_key, cell.order)):
        if bool(cell.record.build.variant) is (kind == "variant"):
            groups[cell.machine_page if kind == "machine" else cell.build_page].append(cell)
    ordered = [*groups.values()] if kind == "machine" else sorted(groups.values(), key=lambda cells: cells[0].order)
    by = "machine" if kind == "machine" else "build"
    notes = [*_newer_than_first(context), *_prereleases([cells[0] for cells in ordered])] if kind == "build" else []
    listed = markdown("cell_list.md", kind=by, groups=ordered, notes=notes, root=root_of(page_path))
    return Markup(listed)  # noqa: S704 - rendered with escaping


def _newer_than_first(context: SiteContext) -> Iterator[str]:
    """Yield why pages begin with the build that they do, if its machine has a newer release of its kind."""
    every = context.site.cells()
    if not every:
        return
    first = every[0]
    alike = [cell for cell in every if _kind(cell) == _kind(first) and not prerelease(cell.record.build.version)]
    newest = max(alike, key=lambda cell: cell.order, default=first)
    if newest.order > first.order:
        why = "the newest that was measured with and without the GIL" if first.newest.is_reference else "measured most"
        yield f"{newest.build} is the newest. Pages begin with {first.build}, {why}."


def _kind(cell: Result) -> tuple[object, ...]:
    """Return what builds of a machine share if only their versions differ."""
    implementation, _, *kind = cell.order
    return cell.machine_key, implementation, *kind


def _prereleases(cells: Iterable[Result]) -> list[str]:
    """Name the builds that are pre-releases of a release that was not measured, with or without the GIL as they are."""
    builds = {cell.build: cell.record.build for cell in cells}
    keys = {name: (build.implementation, release(build.version), build.free_threaded) for name, build in builds.items()}
    finals = {keys[name] for name, build in builds.items() if not prerelease(build.version)}
    return [
        f"{name} is a pre-release. {release(build.version)} itself{' without the GIL' if build.free_threaded else ''}"
        " was not measured, and what it does may differ."
        for name, build in builds.items()
        if prerelease(build.version) and keys[name] not in finals
    ]


class Count(NamedTuple):
    """A build of a machine, and how many of its runs each scenario pools."""

    cell: Result
    runs: Sequence[tuple[str, int]]
    """By the scenario's title."""


class LeftOut(NamedTuple):
    """A run of which all or a scenario counts for nothing, and why."""

    file: FileHeader
    build: str
    why: str


def _machine_page(context: SiteContext, cells: Sequence[Result]) -> str:
    """Return the page of a machine: its builds with their runs, those left out, its facts, and its verdicts."""
    site, path, host = context.site, cells[0].machine_page, cells[0].machine_key
    return markdown(
        "machine.md",
        first=cells[0],
        counts=[Count(cell, _counts(site, cell)) for cell in sorted(cells, key=lambda cell: cell.order)],
        left_out=[*_left_out(site, host)],
        matrix=matrix(context, host, path),
        root=root_of(path),
    )


def _counts(site: Results, cell: Result) -> list[tuple[str, int]]:
    return [(site.scenarios[name].title, len(result.runs)) for name, result in _results(site, cell).items()]


def _results(site: Results, cell: Result) -> dict[str, Result]:
    """Return the results of a machine and build by scenario."""
    return {name: each for name, results in site.current.items() for each in results if each.key == cell.key}


def _left_out(site: Results, host: MachineKey) -> Iterator[LeftOut]:
    """Yield the files of a machine of which something is in no pool, unless newer code or a newer patch is why."""
    for file in site.files:
        cell = ResultKey.of(file)
        unknown = [name for name in file.scenario_sha256 if name not in site.scenarios]
        why = site.excluded.get(file.path) or (f"not known any more: {list_names(unknown)}" if unknown else "")
        if cell.machine_key == host and why:
            yield LeftOut(file, cell.build, why)


def _build_page(site: Results, cells: Sequence[Result]) -> str:
    """Return the page of a build: its facts on each machine, and links to its series there."""
    path = cells[0].build_page
    counts = [Count(cell, _counts(site, cell)) for cell in cells]
    return markdown("build.md", counts=counts, first=cells[0], root=root_of(path))


class SeriesRow(NamedTuple):
    """A series of a machine and build."""

    summary: Summary
    """Of its scenario's first metric."""
    observed: str
    """By its newest run."""
    note: str
    """What the scenario says of its runner."""


def _every_series(context: SiteContext, cell: Result) -> str:
    """Return the page of a machine and build: the facts, and every series with what was observed."""
    site = context.site
    return markdown(
        "cell.md",
        cell=cell,
        groups=[*_groups(site, cell)],
        map_page=maps.page_of(context, cell),
        scenarios=site.scenarios,
        root=root_of(cell.page),
    )


def _groups(site: Results, cell: Result) -> Iterator[tuple[str, list[SeriesRow]]]:
    """Yield, by scenario that *cell* has a result of, each series."""
    for name, result in sorted(_results(site, cell).items()):
        rows = [row for (of, _), rows in site.rows[cell.key].items() if of == name for row in rows]
        if not rows:  # the run measured none of its cases
            continue
        firsts = {(row.case, row.runner, row.role): row for row in reversed(rows)}.values()  # of each, its first metric
        scenario = site.scenarios[name]
        yield name, [SeriesRow(row, _observed(result, row), note_of(scenario, row)) for row in reversed(firsts)]


def _observed(result: Result, row: Summary) -> str:
    key = SeriesKey(row.scenario, row.case, row.runner, "control" if row.role == "control" else "subject")
    series = result.series(key)
    return observed_words(series.observed) if series else ""


def _pool_words(sizes: Sequence[int]) -> str:
    """Name each size of a pool once, and say how many pools were made: a case of several points makes one at each."""
    made = Counter(sizes)
    return ", ".join(f"{size} (made {count:,} times)" if count > 1 else f"{size}" for size, count in made.items())


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

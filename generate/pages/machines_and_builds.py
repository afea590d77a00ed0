"""A page a machine and a page a build (the facts), a page for each of both (every series), and their lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from generate.pages import maps
from generate.pages.board import matrix
from generate.pages.tables import note_of
from generate.pages.templates import page as markdown
from generate.pages.templates import root_of
from runners.harness.record.build_names import prerelease, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import Cell, CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Observed


def pages(context: SiteContext) -> dict[str, str]:
    """Return the pages of all machines and builds."""
    site = context.site
    machines: dict[str, list[CellResult]] = defaultdict(list)
    builds: dict[str, list[CellResult]] = defaultdict(list)
    both: dict[str, list[CellResult]] = defaultdict(list)  # a cell has several files where its map is of another run
    for cell in (each for files in _by_cell(site.cells()).values() for each in files):
        machines[cell.machine_page].append(cell)
        builds[cell.build_page].append(cell)
        both[cell.page].append(cell)
    by_build = {path: sorted(cells, key=lambda cell: cell.order) for path, cells in machines.items()}
    return {
        **{path: _page(context, path, "machine", cells) for path, cells in by_build.items()},
        **{path: _page(context, path, "build", cells) for path, cells in builds.items()},
        **{path: _every_series(context, cells) for path, cells in both.items()},
    }


def _by_cell(cells: Iterable[CellResult]) -> dict[Cell, list[CellResult]]:
    """Return the files of each machine and build, in order."""
    files: dict[Cell, list[CellResult]] = defaultdict(list)
    for cell in cells:
        files[cell.cell].append(cell)
    return files


def cell_list(context: SiteContext, kind: Literal["machine", "build", "variant"], page_path: str) -> Markup:
    """Return the list of all machines, plain builds or variants, each with what was measured, as Markdown for a page.

    Of a machine's builds the plain ones stand there.
    """
    groups: dict[str, list[CellResult]] = defaultdict(list)
    for cell in sorted(context.site.cells(), key=lambda cell: (cell.machine, cell.order)):
        if bool(cell.record.build.variant) is (kind == "variant"):
            groups[cell.machine_page if kind == "machine" else cell.build_page].append(cell)
    ordered = [*groups.values()] if kind == "machine" else sorted(groups.values(), key=lambda cells: cells[0].order)
    by = "machine" if kind == "machine" else "build"
    notes = [*_newer_than_first(context), *_prereleases([cells[0] for cells in ordered])] if kind == "build" else []
    facts = {"kind": by, "groups": ordered, "notes": notes, "scenarios_of": partial(_scenarios, context.site)}
    return Markup(markdown("cell_list.md", **facts, root=root_of(page_path)))  # noqa: S704 - rendered with escaping


def _newer_than_first(context: SiteContext) -> Iterator[str]:
    """Say why pages begin with the build that they do, where there is a newer release of its kind on its machine."""
    every = context.site.cells()
    if not every or not every[0].gated.is_reference:
        return
    first = every[0]
    alike = [cell for cell in every if _kind(cell) == _kind(first) and not prerelease(cell.record.build.version)]
    newest = max(alike, key=lambda cell: cell.order, default=first)
    if newest.order > first.order:
        begin = f"Pages begin with {first.build}, beside which the others were measured."
        yield f"{newest.build} is the newest. {begin}"


def _kind(cell: CellResult) -> tuple[object, ...]:
    """Return what builds of a machine have in common that differ in their version alone."""
    implementation, _, *kind = cell.order
    return cell.host, implementation, *kind


def _prereleases(cells: Iterable[CellResult]) -> list[str]:
    """Say of which of the builds of *cells* the release itself is not there, with or without the GIL as they are."""
    builds = {cell.build: cell.record.build for cell in cells}
    keys = {name: (build.implementation, release(build.version), build.free_threaded) for name, build in builds.items()}
    finals = {keys[name] for name, build in builds.items() if not prerelease(build.version)}
    return [
        f"{name} is a pre-release. {release(build.version)} itself{' without the GIL' if build.free_threaded else ''}"
        " was not measured, and what it does may differ."
        for name, build in builds.items()
        if prerelease(build.version) and keys[name] not in finals
    ]


def _page(context: SiteContext, path: str, kind: str, cells: Sequence[CellResult]) -> str:
    """Return the page of a machine or build (*kind*): the facts of each of its cells, and links to their pages.

    The page of a machine ends with its verdicts; of one's own and of a published one of its name, with those of each.
    """
    hosts = sorted({cell.host for cell in cells}) if kind == "machine" else []
    matrices = [(host, matrix(context, host, path)) for host in hosts]
    facts = {
        "kind": kind,
        "machine_name": context.site.machine_name(cells[0].host),
        "cells": cells,
        "matrices": matrices,
        "root": root_of(path),
    }
    found = {"passed_over": context.site.passed_over, "scenarios_of": partial(_scenarios, context.site)}
    return markdown("cells.md", **found, **facts)


def _every_series(context: SiteContext, cells: Sequence[CellResult]) -> str:
    """Return the page of a machine and build: of each of its files the facts, and every series with its proof."""
    site = context.site
    views = [(cell, site.passed_over(cell), _series(site, cell), maps.page_of(context, cell)) for cell in cells]
    known = {"scenarios": site.scenarios, "scenarios_of": partial(_scenarios, site)}
    return markdown("cell.md", first=cells[0], views=views, **known, root=root_of(cells[0].page))


def _scenarios(site: CurrentResults, cell: CellResult) -> list[str]:
    """Return the titles of the scenarios that *cell*'s file is current for, in the order of the list of scenarios."""
    return [site.scenarios[name].title for name in sorted(site.scenarios_of(cell))]


def _series(site: CurrentResults, cell: CellResult) -> list[tuple[str, list[tuple[Summary, str, str]]]]:
    """Return, by scenario that *cell* is current for, each series: its first metric, what was observed, its note."""
    rows = [row for of_case in site.rows[cell.file.path].values() for row in of_case]
    summaries = {(row.scenario, row.case, row.runner, row.role): row for row in reversed(rows)}
    current = site.scenarios_of(cell)
    groups: dict[str, list[tuple[Summary, str, str]]] = defaultdict(list)
    for series in cell.record.series:
        if series.scenario in current and series.role != "reference":
            row, note = summaries[series.key], note_of(site.scenarios[series.scenario], summaries[series.key])
            groups[series.scenario].append((row, observed_words(series.observed), note))
    return sorted(groups.items())


def _pool_words(sizes: Sequence[int]) -> str:
    """Name each size of a pool once, and say how many pools were made: a case of several points makes one at each."""
    made = Counter(sizes)
    return ", ".join(f"{size} (made {count:,} times)" if count > 1 else f"{size}" for size, count in made.items())


def observed_words(observed: Observed | None) -> str:
    """Say what was observed to run; empty where nothing was."""
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

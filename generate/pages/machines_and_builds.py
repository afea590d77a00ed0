"""A page a machine and a page a build: the facts, and every series with its status and what was observed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from generate.pages.templates import fragment, root_of
from generate.pages.templates import page as markdown
from generate.text.numbers import format_interval, format_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Observed


def pages(context: SiteContext) -> dict[str, str]:
    """Return the pages of all machines and builds, and their two lists."""
    machines: dict[str, list[CellResult]] = defaultdict(list)
    builds: dict[str, list[CellResult]] = defaultdict(list)
    for cell in context.site.cells():
        machines[cell.machine_page].append(cell)
        builds[cell.build_page].append(cell)
    made = {path: _machine(context, path, cells) for path, cells in machines.items()}
    made |= {path: _build(context, path, cells) for path, cells in builds.items()}
    made["machines/index.md"] = _index("Machines", list(machines.values()), lambda cell: cell.machine)
    made["builds/index.md"] = _index("Builds", list(builds.values()), lambda cell: cell.order)
    return made


def _machine(context: SiteContext, path: str, cells: list[CellResult]) -> str:
    ordered = sorted(cells, key=lambda cell: cell.order)
    sections = [_section(context.site, cell, cell.build, path) for cell in ordered]
    return markdown("cells.md", title=cells[0].machine, kind="machine", sections=sections, others="")


def _build(context: SiteContext, path: str, cells: list[CellResult]) -> str:
    """Return a build's page: the leading machine in full, the others by their facts and a link."""
    first, *others = cells
    sections = [_section(context.site, first, first.machine, path)]
    root = root_of(path)
    listed = fragment("others.html", cells=others, root=root) if others else ""
    return markdown("cells.md", title=first.build, kind="build", sections=sections, others=listed)


def _section(site: CurrentResults, cell: CellResult, title: str, path: str) -> dict[str, Any]:
    facts = fragment("facts.html", cell=cell, root=root_of(path), open=True)
    series = _series(site, cell, site.scenarios_of(cell), title, path)
    return {"title": title, "facts": facts, "series": series}


def _series(site: CurrentResults, cell: CellResult, scenarios: set[str], title: str, path: str) -> Markup:
    """Return the tables of every series of *scenarios*: status, first metric, what was observed. *title* says whose."""
    medians: dict[tuple[str, str, str, str], Summary] = {}
    for rows in site.rows[cell.file.path].values():
        for row in rows:
            medians.setdefault((row.scenario, row.case, row.runner, row.role), row)
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for series in cell.record.series:
        if series.scenario in scenarios and series.role != "reference":
            row = medians[series.key]
            groups[series.scenario].append(_line(row, observed_words(series.observed)))
    return fragment("series.html", groups=sorted(groups.items()), title=title, root=root_of(path))


def _line(row: Summary, observed: str) -> dict[str, Any]:
    has_value = row.median is not None
    return {
        "case": row.case,
        "runner": row.runner,
        "role": row.role,
        "family": row.family or "unknown",
        "status": row.status,
        "reason": row.reason,
        "note": row.note,
        "median": format_value(row.median, row.unit) if has_value else "",
        "sort": f"{row.median:.6g}" if has_value else "",
        "interval": format_interval(row.low, row.high, row.unit) if has_value else "",
        "rounds": row.rounds,
        "observed": observed,
    }


def observed_words(observed: Observed | None) -> str:
    """Say what was seen to run; empty where nothing was."""
    if observed is None:
        return ""
    gil = {True: "on", False: "off", None: None}
    facts_seen = {
        "GIL before": gil[observed.gil_before],
        "after imports": gil[observed.gil_after_imports],
        "after the run": gil[observed.gil_after_run],
        "start method": observed.start_method,
        "loop": ", ".join(observed.loop_classes) or None,
        "pool": ", ".join(map(str, observed.pool_sizes)) or None,
        "threads": observed.threads,
        "processes": observed.processes,
        "peak in flight": observed.peak_in_flight,
        "asked at once": observed.asked_at_once,
    }
    return "; ".join(f"{name} {seen}" for name, seen in facts_seen.items() if seen is not None)


def _index(title: str, groups: list[list[CellResult]], key: Callable[[CellResult], Any]) -> str:
    """Return the list of all machines or builds."""
    ordered = [sorted(cells, key=lambda cell: (cell.machine, cell.order)) for cells in groups]
    return markdown("cell-list.md", title=title, groups=sorted(ordered, key=lambda cells: key(cells[0])))

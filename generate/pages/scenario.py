"""A scenario's page: the question, the short answer, the method, the tables, the code, the data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generate.pages.machine_sections import comparison, page_path, pieces
from generate.pages.short_answer import board, legend
from generate.pages.templates import SHORT_SHA, code_block, fragment, root_of
from generate.pages.templates import page as markdown
from generate.text.names import plain
from generate.text.repeat import hosted, local
from generate.text.sources import citation
from runners.harness.catalogue.scenarios import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.pages.templates import SiteContext
    from runners.harness.catalogue.scenarios import Runner, Scenario


def page(context: SiteContext, name: str) -> str:
    """Return the page of one scenario."""
    scenario = context.site.scenarios[name]
    path = page_path(name)
    leads = context.site.leads[name]
    used = {runner.family for runner in scenario.runners.values()}
    families = [family for family in FAMILIES if family in used]
    return markdown(
        "scenario.md",
        scenario=scenario,
        families=families,
        source=citation(scenario.source),
        legend=legend(families),
        filters=_filters(context.site, name, families),
        cases=[_case(scenario, case) for case in scenario.cases],
        pieces=pieces(context, name),
        has_builds=any(comparison(replace(context, site=site), name) for site in _by_machine(context.site, name)),
        others=_others(context, name, path),
        runners=[_code(leads, runner) for runner in scenario.runners.values()],
        local=local(name),
        hosted=hosted(name),
        downloads=_downloads(context, name, path),
    )


def index(context: SiteContext) -> str:
    """Return the page that lists the scenarios."""
    scenarios = context.site.scenarios.values()
    return markdown("scenarios.md", scenarios=scenarios, board=board(context.site, "scenarios/index.md"))


def _filters(site: CurrentResults, name: str, families: list[str]) -> Markup:
    """Return the form that chooses a machine, a build and a family for all tables and charts of the page."""
    machines = [_machine(only, name) for only in _by_machine(site, name)]
    root = root_of(page_path(name))
    return fragment("page_filters.html", machines=machines, scenario=name, families=families, root=root)


def _by_machine(site: CurrentResults, name: str) -> Iterator[CurrentResults]:
    """Go through the machines that have the scenario *name*, each as if it were the only one."""
    return (site.of_host(host) for host in site.hosts(name))


def _machine(site: CurrentResults, name: str) -> dict[str, Any]:
    host = site.leads[name][0].host
    builds = [plain(cell.build) for cell in site.beside_each_other(name)]
    leading = plain(site.leads[name][0].build)
    return {
        "key": host.key,
        "name": host.machine,
        "local": host.local,
        "builds": builds,
        "leading": leading,
        "has_several": len(builds) > 1,
    }


def _case(scenario: Scenario, name: str) -> dict[str, str]:
    parameters = scenario.cases[name].parameters
    return {"name": name, "parameters": ", ".join(f"{key} = {amount}" for key, amount in parameters.items())}


def _code(leads: list[CellResult], runner: Runner) -> dict[str, Any]:
    note = f"`sha256 {runner.source_sha256[:SHORT_SHA]}`"
    measured = {
        series.source_sha256
        for cell in leads[:1]
        for series in cell.record.series
        if series.runner == runner.name and series.scenario == runner.scenario and series.role == "subject"
    }
    if not measured:
        note += ", not measured yet."
    elif measured == {runner.source_sha256}:
        note += ", the file that was measured."
    else:
        others = ", ".join(sorted(sha[:SHORT_SHA] for sha in measured))
        note += f". **Changed since:** the figures above are of `{others}`; measure again to see this file's."
    return {"name": runner.name, "title": runner.title, "note": note, "block": code_block(runner)}


def _others(context: SiteContext, name: str, path: str) -> Markup | str:
    leads = context.site.leads[name]
    others = [cell for cell in leads if cell.host != leads[0].host]
    return fragment("others.html", cells=others, root=root_of(path)) if others else ""


def _downloads(context: SiteContext, name: str, path: str) -> Markup:
    return fragment("downloads.html", cells=context.site.leads[name], name=name, root=root_of(path))

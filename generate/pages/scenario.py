"""A scenario's page: the question, the short answer, the method, the tables, the code, the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generate.pages.coverage import coverage_table
from generate.pages.machine_sections import has_several_builds, page_path, sections
from generate.pages.templates import SHORT_SHA, code_block, fragment, root_of
from generate.pages.templates import page as markdown
from generate.text.names import plain
from generate.text.repeat import hosted, local
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult, Host
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner, Scenario


class MachineChoice(NamedTuple):
    """A machine that the form of the page offers."""

    key: str
    name: str
    local: bool
    builds: list[str]
    leading: str
    """The build whose tables are shown first."""


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
        source=context.board.claims.citation(scenario.source),
        filters=_filters(context.site, name, families),
        cases=[_case(scenario, case) for case in scenario.cases],
        sections=sections(context, name, context.charts),
        has_several_builds=any(has_several_builds(context.site, name, host) for host in context.site.hosts(name)),
        others=_others(context, name, path),
        runners=[_code(leads, runner) for runner in scenario.runners.values()],
        local=local(name),
        hosted=hosted(name),
        downloads=_downloads(context, name, path),
    )


def index(context: SiteContext) -> str:
    """Return the page that lists the scenarios."""
    scenarios = context.site.scenarios.values()
    return markdown("scenarios.md", scenarios=scenarios, coverage=coverage_table(context.site, "scenarios/index.md"))


def _filters(site: CurrentResults, name: str, families: list[str]) -> Markup:
    """Return the form that chooses a machine, a build and a family for all tables and charts of the page."""
    machines = [_machine(site, name, host) for host in site.hosts(name)]
    root = root_of(page_path(name))
    return fragment("page_filters.html", machines=machines, scenario=name, families=families, root=root)


def _machine(site: CurrentResults, name: str, host: Host) -> MachineChoice:
    builds = [plain(cell.build) for cell in site.beside_each_other(name, host=host)]
    leader = next(cell for cell in site.leads[name] if cell.host == host)
    return MachineChoice(host.key, host.machine, host.local, builds, plain(leader.build))


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

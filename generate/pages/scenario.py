"""A scenario's page: the question, the short answer, the method, the tables, the code, the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.pages.coverage import coverage_table
from generate.pages.machine_sections import has_several_builds, sections
from generate.pages.templates import SHORT_SHA, code_block, hashes_of_other_code, measured_hashes
from generate.pages.templates import page as markdown
from generate.text.names import plain
from generate.text.repeat import hosted, local
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult, Host
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner


class MachineChoice(NamedTuple):
    """A machine that the form of the page offers."""

    key: str
    name: str
    local: bool
    builds: list[str]
    first_build: str
    """The build whose tables are shown first."""


class RunnerCode(NamedTuple):
    """A runner's file, and whether it is the one that was measured."""

    name: str
    title: str
    note: str
    block: Markup


def page(context: SiteContext, name: str) -> str:
    """Return the page of one scenario."""
    scenario = context.site.scenarios[name]
    current = context.site.current[name]
    used = {runner.family for runner in scenario.runners.values()}
    families = [family for family in FAMILIES if family in used]
    return markdown(
        "scenario.md",
        scenario=scenario,
        families=families,
        source=context.board.claims.citation(scenario.source),
        machines=[_machine(context.site, name, host) for host in context.site.hosts(name)],
        sections=sections(context, name, context.charts),
        has_several_builds=any(has_several_builds(context.site, name, host) for host in context.site.hosts(name)),
        current=current,
        runners=[_code(current, runner) for runner in scenario.runners.values()],
        local=local(name),
        hosted=hosted(name),
    )


def index(context: SiteContext) -> str:
    """Return the page that lists the scenarios."""
    scenarios = context.site.scenarios.values()
    return markdown("scenarios.md", scenarios=scenarios, coverage=coverage_table(context.site, "scenarios/index.md"))


def _machine(site: CurrentResults, name: str, host: Host) -> MachineChoice:
    builds = [plain(cell.build) for cell in site.beside_each_other(name, host=host)]
    first = next(cell for cell in site.current[name] if cell.host == host)
    return MachineChoice(host.key, host.machine, host.local, builds, plain(first.build))


def _code(current: list[CellResult], runner: Runner) -> RunnerCode:
    note = f"`sha256 {runner.source_sha256[:SHORT_SHA]}`"
    measured = measured_hashes(current, runner)
    if not measured:
        note += ", not measured yet."
    elif measured == {runner.source_sha256}:
        note += ", the file that was measured."
    elif not (others := hashes_of_other_code(current, runner)):
        note += ". Measured with the first method: the same work, in an earlier form of this file."
    else:
        shortened = ", ".join(sorted(sha[:SHORT_SHA] for sha in others))
        note += f". **Changed since:** the figures above are of `{shortened}`; measure again to see this file's."
    return RunnerCode(runner.name, runner.title, note, code_block(runner))

"""A scenario's page (the question, the short answer, the method, the tables, the code, the data), and their list."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generate.pages.choices import OfferedMachine
from generate.pages.scenario_pieces import folded_cases, page_path, path_of_folds, pieces
from generate.pages.short_answer import overview_case
from generate.pages.templates import code_block, fragment, hashes_of_other_code, measured_hashes, root_of, short_hash
from generate.pages.templates import page as markdown
from generate.words.builds import describe_build
from generate.words.names import build_order, list_code_names, list_names_briefly
from generate.words.repeat import choose_profile, format_hosted_command, format_local_command
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from generate.data.results import Results
    from generate.data.selection import MachineKey, Result
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner
    from runners.harness.contract import Case


def page(context: SiteContext, name: str) -> str:
    """Return the page of one scenario."""
    site = context.site
    scenario, current, hosts = site.scenarios[name], site.current[name], site.machine_keys(name)
    used = {runner.family for runner in scenario.runners.values()}
    unmeasured = [case for case in scenario.cases if site.first(name, case) is None]
    of_quick_runs = [case for case in unmeasured if current and _is_of_quick_runs(scenario.cases[case])]
    return markdown(
        "scenario.md",
        scenario=scenario,
        families=[family for family in FAMILIES if family in used],
        names=sorted({name for runner in scenario.runners.values() for name in list_code_names(runner.code)}),
        source=context.board.claims.citation(scenario.source),
        judged=_judged(context, name),
        machines=[_machine(site, name, host) for host in hosts],
        machine_name=site.machine_name,
        pieces=pieces(context, name),
        overview=overview_case(site, name),
        folded=folded_cases(site, name),
        fetched=root_of(page_path(name)) + path_of_folds(name, hosts[0]) if hosts else "",
        not_measured=[case for case in unmeasured if case not in of_quick_runs],
        of_quick_runs=of_quick_runs,
        has_several_builds=any(len(site.on_machine(host).with_one_reference(name)) > 1 for host in hosts),
        current=current,
        runners=[(runner, _note(current, runner), code_block(runner)) for runner in scenario.runners.values()],
        **_repeated(site, name),
        clone_address=context.clone_address,
    )


def _repeated(site: Results, name: str) -> dict[str, str]:
    """Return the commands that repeat what the page shows first; of what nobody has measured, those that measure it.

    A build without the GIL that was measured beside it is measured again as well, as home shows both.
    """
    first = site.first(name)
    if first is None:
        profile = choose_profile(site.scenarios[name])
        return {"local": format_local_command(name, profile), "hosted": format_hosted_command(name, profile)}
    free = site.without_gil(first, name)
    beside = [free.record.build] if free and free.record.run.id == first.record.run.id else []
    return {
        "local": format_local_command(name, first.record, beside=beside),
        "hosted": format_hosted_command(name, first.record),
    }


def _is_of_quick_runs(case: Case) -> bool:
    """Say whether a case is the smaller one of quick runs, and no other profile has it."""
    return case.quick and not case.full and not case.map


def _judged(context: SiteContext, name: str) -> list[tuple[str, str]]:
    """Return the claims that a scenario is to decide, each with its source, by their ids."""
    parts = (part for parts in context.board.parts.values() for part in parts)
    judged = (part.claim for part in parts if part.hypothesis and part.hypothesis.scenario.name == name)
    return list(dict.fromkeys((claim.id, claim.source) for claim in judged))


def _machine(site: Results, name: str, host: MachineKey) -> OfferedMachine:
    """Return a machine that the form of the page offers, its builds, and the one whose tables are shown first."""
    first = site.first(name, host=host)
    builds = [cell.build for cell in site.on_one_machine(name, host=host)]
    return OfferedMachine(host, builds, first.build if first else "")


def _note(current: list[Result], runner: Runner) -> str:
    """Say which file of a runner this is, and whether it is the one that was measured."""
    shown = short_hash(runner.source_sha256)
    measured = measured_hashes(current, runner)
    if not measured:
        return f"`sha256 {shown}`, not measured."
    if measured == shown:
        older = dict.fromkeys(describe_build(cell.build) for cell in current if hashes_of_other_code([cell], runner))
        but = f" Not on {list_names_briefly([*older])}: figures of that are of an earlier file." if older else ""
        return f"`sha256 {shown}`, the file that was measured.{but}"
    if not (others := hashes_of_other_code(current, runner)):
        return f"`sha256 {shown}`. Measured with the first method: the same work, in an earlier form of this file."
    since = f"the figures of {describe_build(current[0].build)} are of `{others}`; measure again to see this file's."
    return f"`sha256 {shown}`. **Changed since:** {since}"


def index(context: SiteContext) -> str:
    """Return the page that lists the scenarios, and how many series of each were measured on its current machine."""
    site, path = context.site, "scenarios/index.md"
    beside = {name: {cell.build: cell for cell in site.on_one_machine(name)} for name in site.scenarios}
    builds = sorted({build for cells in beside.values() for build in cells}, key=build_order)
    rows = [
        (scenario, [_count(site, beside[name].get(build), name) for build in builds])
        for name, scenario in site.scenarios.items()
    ]
    coverage = fragment("coverage.html", builds=builds, rows=rows, root=root_of(path))
    return markdown("scenarios.md", scenarios=site.scenarios.values(), coverage=coverage)


class Count(NamedTuple):
    """How many series of a scenario have a value on a build."""

    kind: str = "none"
    """all, some or none: the table's mark."""
    text: str = "not measured"


def _count(site: Results, cell: Result | None, name: str) -> Count:
    if cell is None:
        return Count()
    metric = site.scenarios[name].metrics[0].name
    has_value = Counter(
        row.value is not None
        for case in site.scenarios[name].cases
        for row in site.case_rows(cell, name, case)
        if row.role == "subject" and row.metric == metric
    )
    text = f"{has_value[True]} of {has_value.total()}"
    if not has_value[True]:
        return Count("none", text)
    return Count("some" if has_value[False] else "all", text)

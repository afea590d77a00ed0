"""The page of a scenario (question, short answer, tables, method, code, data), and the list of scenarios."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from generate.charts.chart import in_order
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.table import Summary, other_packages
from generate.pages.pieces import (
    RatioCell,
    SiteContext,
    case_html,
    chart_html,
    code_block,
    list_other_hashes,
    measured_hashes,
    measured_on,
    name_runner,
    short_hash,
)
from generate.pages.templates import fragment, page_path, path_to_root
from generate.pages.templates import page as markdown
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.names import (
    capital,
    describe_status,
    list_code_names,
    list_names_briefly,
    quote_commas,
    strip_markup,
)
from generate.words.numbers import describe, format_another
from generate.words.patterns import NOT_MEASURED
from generate.words.repeat import choose_profile, format_hosted_command, format_local_command
from generate.words.units import find_kind
from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.record.build_names import build_name
from runners.harness.record.model import SeriesKey


def page(context: SiteContext, name: str) -> str:
    site = context.site
    scenario, current, first = site.scenarios[name], site.current[name], site.first(name)
    overview = overview_case(site, name)
    unmeasured = [case for case in scenario.cases if site.first(name, case) is None]
    shown = {row.family for row in site.case_rows(first, name, overview)} if first else set()
    charts = [chart for case in scenario.cases for chart in context.charts.get((name, case), [])]
    return markdown(
        "scenario.md",
        scenario=scenario,
        finding=_finding(context, name, overview),
        families=[family for family in FAMILIES if family in shown],
        names=sorted({name for runner in scenario.runners.values() for name in list_code_names(runner.code)}),
        source=context.board.claims.citation(scenario.source),
        judged=_judged(context, name),
        first=first,
        answer=short_answer(context, name),
        overview=overview,
        overview_html=_case(context, name, overview, has_tabs=True),
        curves=[
            chart_html(context, chart, name, page_path(name), is_folded=chart.kind != scenario.answered_by)
            for chart in charts
            if chart.spans_cases
        ],
        folded=[
            (number, scenario.case_label(case), _finding(context, name, case), _case(context, name, case))
            for number, case in enumerate(scenario.cases, start=1)
            if case != overview and case not in unmeasured
        ],
        unmeasured=unmeasured,
        builds=_builds_compared(site, name),
        current=current,
        has_machines=len(site.machine_keys(name)) > 1,
        runners=[(runner, _code_note(current, runner), code_block(runner)) for runner in scenario.runners.values()],
        **_commands(site, name),
        repository=context.repository,
    )


def _commands(site: Results, name: str) -> dict[str, str]:
    """Return the commands that repeat the page's first result, with its counterpart if its run had one."""
    first = site.first(name)
    if first is None:
        profile = choose_profile(site.scenarios[name])
        return {"local": format_local_command(name, profile), "hosted": format_hosted_command(name, profile)}
    free = site.without_gil(first, name)
    counterpart = [free.record.build] if free and free.record.run.id == first.record.run.id else []
    return {
        "local": format_local_command(name, first.record, others=counterpart),
        "hosted": format_hosted_command(name, first.record),
    }


def _judged(context: SiteContext, name: str) -> list[tuple[str, str]]:
    """Return the claims that a scenario decides, each with its source, by their ids."""
    parts = (part for parts in context.board.parts.values() for part in parts)
    judged = (part.claim for part in parts if part.hypothesis and part.hypothesis.scenario.name == name)
    return list(dict.fromkeys((claim.id, claim.source) for claim in judged))


def _case(context: SiteContext, name: str, case: str, *, has_tabs: bool = False) -> Markup:
    path = page_path(name)
    over_builds = (chart for chart in context.charts.get((name, case), []) if len(chart.results) > 1)
    charts = [chart_html(context, chart, name, path, is_folded=True) for chart in over_builds]
    return Markup("\n").join([case_html(context, name, case, has_tabs=has_tabs), *charts])


def titles(context: SiteContext, name: str, case: str) -> list[str]:
    """Return the findings in a case on its first build, which are the titles of its charts; the answer comes first."""
    answering, first = context.site.scenarios[name].answered_by, context.site.first(name, case)
    charts = [
        chart for chart in context.charts.get((name, case), []) if first in chart.results and not chart.spans_cases
    ]
    return [chart.finding for chart in sorted(charts, key=lambda chart: bool(answering) and chart.kind != answering)]


def _finding(context: SiteContext, name: str, case: str) -> str:
    return next(iter(titles(context, name, case)), NOT_MEASURED)


def short_answer(context: SiteContext, name: str) -> Markup:
    """Return the findings in the overview case, or in each case if all answer."""
    site = context.site
    scenario, result = site.scenarios[name], site.first(name)
    if result is None:
        return fragment("answer.html", result=None)
    case = overview_case(site, name)
    rows = in_order(row for row in site.case_rows(result, name, case) if _is_first_metric(row, scenario))
    return fragment(
        "answer.html",
        result=result,
        findings=[*_pairs(result, scenario, rows), *titles(context, name, case)],
        by_case=_findings(context, name, result) if scenario.each_case_answers else {},
        another=_another_run(scenario, rows),
        foot=measured_on([result], path_to_root(page_path(name))),
    )


def _findings(context: SiteContext, name: str, result: Result) -> dict[str, str]:
    """Return the finding of each measured case, or of each chart of the kind that answers the question."""
    scenario = context.site.scenarios[name]
    measured = [case for case in scenario.cases if context.site.case_rows(result, name, case)]
    charts = [chart for case in measured for chart in context.charts[name, case] if chart.kind == scenario.answered_by]
    if charts:
        return {chart.case: chart.finding for chart in charts}
    return {scenario.case_label(case): _finding(context, name, case) for case in measured}


def _another_run(scenario: Scenario, rows: Sequence[Summary]) -> str:
    """Predict another run of the first row with a range; empty without one."""
    for row in rows:
        if row.value and row.value.has_range:
            words = name_runner(scenario, row.runner)
            return patterns.ANOTHER_RUN_WOULD_GIVE.format(runner=words, range=format_another(row.value, row.unit))
    return ""


def _is_first_metric(row: Summary, scenario: Scenario) -> bool:
    return (row.metric, row.role) == (scenario.metrics[0].name, "subject")


def _pairs(result: Result, scenario: Scenario, rows: Sequence[Summary]) -> Iterator[str]:
    """Yield comparisons of the pairs that answer the scenario's question, if both have a value."""
    metric, runners = scenario.metrics[0], {row.runner: row for row in rows}
    for pair in scenario.answers:
        keys = [SeriesKey(scenario.name, runners[name].case, name, "subject") for name in pair if name in runners]
        ratio = result.ratio(keys[0], keys[1], metric) if len(keys) == len(pair) else None
        if ratio:
            first, second = (scenario.runners[runner].label for runner in pair)
            yield patterns.MODEL_AGAINST_MODEL.format(
                first=quote_commas(capital(first)),
                second=quote_commas(second),
                ratio=describe(ratio, find_kind(metric)),
            )


def overview_case(site: Results, name: str) -> str:
    """Return the first case with values of several runners; else the first with any value, else the first.

    The scenario's own overview case is tried before others.
    """
    result, scenario = site.first(name), site.scenarios[name]
    cases = sorted(scenario.cases, key=lambda case: case != scenario.overview)
    if result is None:
        return cases[0]
    rows = {case: site.case_rows(result, name, case) for case in cases}
    runners = {case: {row.runner for row in rows[case] if row.value is not None} for case in cases}
    enough = [case for case in cases if len(runners[case]) > 1]
    return (enough or [case for case in cases if runners[case]] or cases)[0]


def why_no_value(row: Summary | None) -> str:
    """Return why a measured series has no value; empty if it has one, or was not measured."""
    return strip_markup(_why(row)) if row and row.value is None and row.status != "ok" else ""


def _why(row: Summary) -> str:
    words = describe_status(row.status)
    return f"{words} ({row.reason})" if row.reason else words


def _builds_compared(site: Results, name: str) -> Markup:
    """Return the tables that compare builds with the reference build of their runs; empty with only one build."""
    scenario, cases = site.scenarios[name], []
    for number, case in enumerate(scenario.cases, start=1):
        results = site.with_one_reference(name, case)
        if len(results) > 1:
            packages = {each.build: other_packages(each, site.case_rows(each, name, case)) for each in results}
            anchor = f"{name}-{number}-ratios"  # the chart of these builds links to it
            reference = build_name(results[0].record.reference_build)
            rows = _build_rows(site, results, name, case)
            cases.append((anchor, scenario.case_label(case), reference, results, rows, packages))
    return fragment("builds_compared.html", metric=scenario.metrics[0], cases=cases) if cases else Markup()


def _build_rows(
    site: Results, results: Sequence[Result], name: str, case: str
) -> list[tuple[str, str | None, list[RatioCell]]]:
    """Return each runner's name, family and ratios of builds to the reference build, the best first."""
    scenario, first = site.scenarios[name], site.first(name, case)
    by_runner: dict[str, dict[str, Summary]] = defaultdict(dict)
    for result in sorted(results, key=lambda result: result != first):
        for row in in_order(site.case_rows(result, name, case)):
            if _is_first_metric(row, scenario):
                by_runner[row.runner][result.build] = row
    return [
        (
            name_runner(scenario, runner),
            next(iter(rows.values())).family,
            [_against_reference(rows.get(result.build)) for result in results],
        )
        for runner, rows in by_runner.items()
    ]


def _against_reference(row: Summary | None) -> RatioCell:
    if row is None:
        return RatioCell(NOT_MEASURED)
    if row.reference_ratio is None:
        return RatioCell("no value" if row.status == "ok" else describe_status(row.status))
    return RatioCell.as_number(row.reference_ratio, row.better)


def _code_note(current: Sequence[Result], runner: Runner) -> str:
    """Compare a runner's file with the measured one."""
    shown = short_hash(runner.source_sha256)
    if not measured_hashes(current, runner):
        return patterns.CODE_NOT_MEASURED.format(shown=shown)
    if changed := list_other_hashes(current, runner):
        return patterns.CODE_CHANGED.format(shown=shown, measured=changed, build=describe_build(current[0].build))
    older = dict.fromkeys(describe_build(result.build) for result in current if list_other_hashes([result], runner))
    but = patterns.CODE_OLDER_ON.format(builds=list_names_briefly([*older])) if older else ""
    return patterns.CODE_MEASURED.format(shown=shown) + but


def index(context: SiteContext) -> str:
    """Return the list of scenarios, each with the plain builds of its machine that measured it."""
    site = context.site
    builds = {
        name: [each.build for each in site.machine_results(name) if not each.record.build.variant]
        for name in site.scenarios
    }
    return markdown("scenarios.md", scenarios=site.scenarios.values(), builds=builds)

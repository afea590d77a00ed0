"""The pages of machines, builds and results. A result is compared with its reference, counterpart and predecessor."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup

from generate.comparison import ONLY_ONE, Row, compare, counts, largest_first, reasons
from generate.data.files import MachineKey, ResultKey, build_identity, build_order
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.table import Summary
from generate.pages import maps
from generate.pages.claims import matrix
from generate.pages.pieces import SiteContext, find_note, name_runner, split_range
from generate.pages.templates import fragment, path_to_root
from generate.pages.templates import page as markdown
from generate.words.names import is_prerelease, list_names
from generate.words.numbers import abbreviate_rate, format_estimate
from runners.harness.record.model import Build, Observed, SeriesKey

Find = Callable[[Result, Sequence[Result]], Result | str]


class Comparison(NamedTuple):
    """A result compared with another, in one of the `WAYS`."""

    way: str
    result: Result
    other: Result
    rows: Sequence[Row]

    @property
    def anchor(self) -> str:
        return f"compared-{self.way}"

    @property
    def counts(self) -> list[str]:
        """The number of rows with each outcome, in words; without those that only one of the two has."""
        return counts([row for row in self.rows if row.why_not != ONLY_ONE]) or ["no series in common"]


def _reference(result: Result, others: Sequence[Result]) -> Result | str:
    wanted = build_identity(result.record.reference_build)
    if build_identity(result.record.build) == wanted:
        return "is the reference build"
    same = (each for each in others if build_identity(each.record.build) == wanted)
    return next(same, "not measured here")


def _counterpart(result: Result, others: Sequence[Result]) -> Result | str:
    """Find the same Python with the GIL; for a variant, the same Python as released."""
    build = result.record.build
    if not build.free_threaded and not build.variant:
        return "has the GIL itself"
    wanted = build.implementation, build.version, build.free_threaded and bool(build.variant), ()
    return next((each for each in others if _python(each.record.build) == wanted), "not measured here")


def _python(build: Build) -> tuple[object, ...]:
    return build.implementation, build.version, build.free_threaded, build.variant


def _previous(result: Result, others: Sequence[Result]) -> Result | str:
    implementation, version, *kind = build_order(result.build)
    older = [
        (each_version, each)
        for each in others
        for each_implementation, each_version, *each_kind in [build_order(each.build)]
        if (each_implementation, each_kind) == (implementation, kind) and each_version < version
        if not is_prerelease(each.build)
    ]
    newest = max(older, key=lambda each: each[0], default=None)
    return newest[1] if newest else "no earlier release of its kind"


def _published(result: Result, others: Sequence[Result]) -> Result | str:
    if not result.key.local:
        return "is published itself"
    wanted = build_identity(result.record.build)
    return next((each for each in others if build_identity(each.record.build) == wanted), "not measured here")


WAYS: Mapping[str, tuple[str, Find]] = {
    "reference": ("the reference build", _reference),
    "counterpart": ("its counterpart (with the GIL, or as released)", _counterpart),
    "previous": ("the previous release", _previous),
    "published": ("the published result", _published),
}
"""By name in addresses, a description and the function that finds the other result."""


@functools.lru_cache(maxsize=1)  # the overview and every result's page show it
def compare_all(context: SiteContext) -> dict[ResultKey, dict[str, Comparison | str]]:
    """Compare every result in each way, or return the reason why not. Your own results come first."""
    site = context.site
    hosts = {host: place for place, host in enumerate(dict.fromkeys(each.machine_key for each in site.results))}
    results = sorted(site.results, key=lambda each: (not each.key.local, hosts[each.machine_key], each.order))
    has_own = any(each.key.local for each in results)
    ways = {way: find for way, (_, find) in WAYS.items() if has_own or way != "published"}
    return {
        result.key: {
            way: _compared(site, way, result, find(result, _candidates(results, way, result)))
            for way, find in ways.items()
        }
        for result in results
    }


def _candidates(results: Sequence[Result], way: str, result: Result) -> list[Result]:
    if way == "published":
        return [each for each in results if not each.key.local]
    return [each for each in results if each.machine_key == result.machine_key]


def _compared(site: Results, way: str, result: Result, other: Result | str) -> Comparison | str:
    if isinstance(other, str):
        return other
    first, second = (dict(_by_scenario(site, side)) for side in (other, result))
    return Comparison(way, result, other, compare(first, second))


def comparison_table(context: SiteContext, page: str) -> Markup:
    """Return a table of all results with the number of rows that differ in each comparison, linked."""
    results = {result.key: result for result in context.site.results}
    rows = [(results[key], [*by_way.values()]) for key, by_way in compare_all(context).items()]
    ways = [WAYS[way][0] for way in next(iter(compare_all(context).values()), {})]
    return fragment("compare.html", rows=rows, ways=ways, root=path_to_root(page))


def comparison_html(site: Results, comparison: Comparison) -> Markup:
    """Return one comparison: its differences, the largest first, and the reasons why others are missing."""
    return fragment(
        "comparison.html",
        comparison=comparison,
        words=WAYS[comparison.way][0],
        reasons=[
            (why.replace("first: ", "the other: ").replace("second: ", "this build: "), number)
            for why, number in reasons(comparison.rows)
        ],
        are_paired=all(row.is_paired for row in comparison.rows if row.ratio),
        differences=[_difference(site, row) for row in largest_first(comparison.rows)],
    )


def _difference(site: Results, row: Row) -> dict[str, object]:
    """Return a row that differs; its ratio is above 1 if it is better."""
    assert row.ratio  # noqa: S101 - it differs
    change, range_ = split_range(row.text)
    scenario = site.scenarios[row.key.scenario]
    sides = ((side, format_estimate(side, row.metric.unit)) for side in row.values)
    return {
        "row": row,
        "runner": name_runner(scenario, row.key.runner),
        "work": f"{scenario.title}: {scenario.case_label(row.key.case)}",
        "change": change,
        "range": range_,
        "ratio": (row.ratio.inverse if row.metric.better == "lower" else row.ratio).value,
        "sides": [(side.value if side else "", abbreviate_rate(words)) for side, words in sides],
    }


def pages(context: SiteContext) -> dict[str, str]:
    machines: dict[str, list[Result]] = defaultdict(list)
    builds: dict[str, list[Result]] = defaultdict(list)
    for result in context.site.results:
        machines[result.machine_page].append(result)
        builds[result.build_page].append(result)
    return {
        **{path: _machine_page(context, results) for path, results in machines.items()},
        **{path: _build_page(context.site, results) for path, results in builds.items()},
        **{result.page: _result_page(context, result) for result in context.site.results},
    }


def result_list(context: SiteContext, kind: Literal["machine", "build", "variant"], page_path: str) -> Markup:
    """Return the list of all machines (with their plain builds), plain builds or variants, as Markdown for a page."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in sorted(context.site.results, key=lambda result: (result.machine_key, result.order)):
        if bool(result.record.build.variant) is (kind == "variant"):
            groups[result.machine_page if kind == "machine" else result.build_page].append(result)
    ordered = [*groups.values()] if kind == "machine" else sorted(groups.values(), key=lambda results: results[0].order)
    by = "machine" if kind == "machine" else "build"
    written = markdown("result_list.md", kind=by, groups=ordered, root=path_to_root(page_path))
    return Markup(written)  # noqa: S704 - rendered with escaping


def _count_runs(site: Results, result: Result) -> dict[str, object]:
    return {
        "result": result,
        "runs": [(site.scenarios[name].title, len(each.runs)) for name, each in _by_scenario(site, result)],
    }


def _machine_page(context: SiteContext, results: Sequence[Result]) -> str:
    site, path, host = context.site, results[0].machine_page, results[0].machine_key
    return markdown(
        "machine.md",
        first=results[0],
        counts=[_count_runs(site, result) for result in sorted(results, key=lambda result: result.order)],
        left_out=[*_left_out(site, host)],
        matrix=matrix(context, host, path),
        root=path_to_root(path),
    )


def _by_scenario(site: Results, result: Result) -> Iterator[tuple[str, Result]]:
    for name, results in site.current.items():
        yield from ((name, each) for each in results if each.key == result.key)


def _left_out(site: Results, host: MachineKey) -> Iterator[dict[str, object]]:
    """Yield a machine's files outside all pools, unless newer code or a newer patch explains that."""
    for file in site.files:
        result = file.key
        unknown = [name for name in file.record.scenario_sha256 if name not in site.scenarios]
        why = file.why_excluded or (f"no longer known: {list_names(unknown)}" if unknown else "")
        if result.machine_key == host and why:
            yield {"file": file, "build": result.build, "why": why}


def _build_page(site: Results, results: Sequence[Result]) -> str:
    root = path_to_root(results[0].build_page)
    return markdown("build.md", counts=[_count_runs(site, result) for result in results], first=results[0], root=root)


def _result_page(context: SiteContext, result: Result) -> str:
    compared = compare_all(context)[result.key].values()
    return markdown(
        "result.md",
        result=result,
        comparisons=[comparison_html(context.site, each) for each in compared if isinstance(each, Comparison)],
        groups=[*_series(context.site, result)],
        map_page=maps.find_page(context, result),
        scenarios=context.site.scenarios,
        root=path_to_root(result.page),
    )


def _series(site: Results, result: Result) -> Iterator[tuple[str, list[tuple[Summary, str, str]]]]:
    """Yield each scenario with its series on *result*: the first metric's summary, the observations, and the note."""
    for name, measured in sorted(_by_scenario(site, result)):
        rows = [row for at, every in site.rows.items() if at[:2] == (result.key, name) for row in every]
        firsts = {(row.case, row.runner, row.role): row for row in reversed(rows)}.values()  # the first metric of each
        notes = site.scenarios[name]
        if rows:  # the run measured some of its cases
            yield name, [(row, _observed(measured, row), find_note(notes, row)) for row in reversed(firsts)]


def _observed(result: Result, row: Summary) -> str:
    key = SeriesKey(row.scenario, row.case, row.runner, "control" if row.role == "control" else "subject")
    series = result.series(key)
    return describe_observed(series.observed) if series else ""


def describe_observed(observed: Observed | None) -> str:
    """Format the observations of a series; empty without any."""
    if observed is None:
        return ""
    gil = {True: "on", False: "off", None: None}
    facts = {
        "GIL before": gil[observed.gil_before],
        "after imports": gil[observed.gil_after_imports],
        "after the run": gil[observed.gil_after_run],
        "start method": observed.start_method,
        "loop": ", ".join(observed.loop_classes) or None,
        "pool": ", ".join(map(str, dict.fromkeys(observed.pool_sizes))) or None,
        "threads": observed.threads,
        "processes": observed.processes,
        "peak in flight": observed.peak_in_flight,
        "asked at once": observed.asked_at_once,
    }
    return "; ".join(f"{name} {fact}" for name, fact in facts.items() if fact is not None)

"""Parts that several kinds of pages share: the context, tables, charts, changes, provenance, a runner's code."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from markupsafe import Markup
from msgspec import structs

from generate.charts.chart import Chart, in_order
from generate.charts.scale import Scale
from generate.claims.board import Board
from generate.data.estimates import Estimate
from generate.data.files import ResultKey
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.table import Summary, best_runners
from generate.downloads.validation import Validation
from generate.pages.articles import Article
from generate.pages.home_file import HomeFile
from generate.pages.templates import fragment, page_path, path_to_root
from generate.words import patterns
from generate.words.builds import describe_build, describe_optimisation
from generate.words.machines import add_article, format_ownership
from generate.words.names import label_runner, strip_markup
from generate.words.numbers import count_noun, describe, format_ratio_with_range, outcome
from generate.words.units import Kind, find_kind
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.contract import Metric


@dataclass(frozen=True, eq=False)
class SiteContext:
    """Everything that pages and downloads are made from, once the results are judged."""

    site: Results
    board: Board
    charts: Mapping[tuple[str, str], list[Chart]]
    plotly: str
    """Path of the chart library below docs/."""
    validated: Validation
    articles: Sequence[Article]
    home: HomeFile
    repository: str = ""
    """Address to clone the project from; empty if unknown."""

    def site_for(self, page: str) -> Results:
        """Return the results, in the order in which *page* wants them."""
        is_newest = any(each.page == page and each.is_newest for each in self.articles)
        return self.site.newest_first if is_newest else self.site


class Functions:
    """Functions for hand-written pages: the public methods of subclasses. *page* is a path below docs/."""

    def __init__(self, context: SiteContext, page: str) -> None:
        self._context, self._page, self._root = context, page, path_to_root(page)
        self._site = context.site_for(page)


class RatioCell(NamedTuple):
    text: str = ""
    range: str = ""
    is_quiet: bool = False
    """True if undecided, or without a difference."""

    @classmethod
    def describe(cls, ratio: Estimate | None, kind: Kind) -> Self:
        """Format a ratio in words: "1.4 times as fast", and its range."""
        if ratio is None:
            return cls()
        if not ratio.runs:  # the baseline itself
            return cls(patterns.THE_BASELINE, is_quiet=True)
        return cls(*split_range(describe(ratio, kind)), not ratio.differs)

    @classmethod
    def as_number(cls, ratio: Estimate, better: str) -> Self:
        """Format a ratio as a number above 1 if it is better, for tables of many columns."""
        if not ratio.runs:  # the reference build itself
            return cls("1", is_quiet=True)
        turned = ratio.inverse if better == "lower" and ratio.value > 0 else ratio
        return cls(*split_range(format_ratio_with_range(turned)), not ratio.differs)


def split_range(words: str) -> tuple[str, str]:
    """Split "1.4 times as fast (1.3 to 1.6)" into text and range."""
    text, _, aside = words.partition(" (")
    return text, aside.removesuffix(")")


class Row(NamedTuple):
    summary: Summary
    against: RatioCell
    is_best: bool


class Table(NamedTuple):
    """One metric of one case on one machine and build."""

    metric: Metric
    rows: list[Row]
    """At least one, the best first."""
    scale: Scale
    baseline: str
    """The runner that ratios are to; empty without one."""
    check: str
    """How the baseline compares with its control; empty without a control."""
    has_ideal: bool
    notes: Mapping[str, Sequence[str]]

    @property
    def has_ties(self) -> bool:
        """True if several rows are marked as the best."""
        return sum(row.is_best for row in self.rows) > 1

    @property
    def is_constant(self) -> bool:
        """True if all rows have the same value in all rounds."""
        values = (row.summary.value for row in self.rows if row.summary.value)
        return len({end for each in values for end in (each.low, each.value, each.high)}) == 1


def tables(site: Results, result: Result, scenario: str, case: str, *, is_brief: bool = False) -> list[Table]:
    """Return tables for the scenario's first metric, and for others with a direction and any value.

    *is_brief* leaves out the others.
    """
    known = site.scenarios[scenario]
    summaries = site.case_rows(result, scenario, case)
    base_case, baseline = known.find_baseline(known.find_block(case))
    shown: list[Table] = []
    for metric in known.metrics[:1] if is_brief else known.metrics:
        rows = [row for row in summaries if row.metric == metric.name]
        subjects = in_order(row for row in rows if row.role == "subject")
        measured = [row for row in subjects if row.value is not None]
        is_first = metric is known.metrics[0]
        if not subjects or not (is_first or (measured and metric.better != "neither")):
            continue
        control = next((row.ratio for row in rows if row.role == "control" and row.ratio), None)
        if base_case != case and (base := site.value(result, scenario, base_case, baseline, metric.name)):
            subjects.append(structs.replace(base, note=patterns.IN_CASE.format(known.case_label(base_case))))
        shown.append(_table(result, known, metric, subjects, control))
    return shown


def _table(
    result: Result, scenario: Scenario, metric: Metric, rows: Sequence[Summary], control: Estimate | None
) -> Table:
    kind, measured = find_kind(metric), [row for row in rows if row.value is not None]
    own = [row for row in measured if row.case == rows[0].case]
    best = best_runners(result, scenario, metric, own)
    notes: dict[str, list[str]] = {}
    for row in rows:
        if note := find_note(scenario, row):
            notes.setdefault(note, []).append(row.runner)
    return Table(
        metric,
        [Row(row, RatioCell.describe(row.ratio, kind), row in own and row.runner in best) for row in rows],
        _scale(measured),
        _name_baseline(scenario, rows[0].case) if any(row.is_compared for row in rows) else "",
        _check(control, kind) if control else "",
        any(row.efficiency is not None for row in rows),
        notes,
    )


def _check(control: Estimate, kind: Kind) -> str:
    """Describe how the baseline compares with itself: any difference is a measuring error."""
    ratio = describe(control, kind)
    return patterns.CONTROL_DIFFERS.format(ratio=ratio) if outcome(control) in {"less", "more"} else ratio


def _name_baseline(scenario: Scenario, case: str) -> str:
    base_case, runner = scenario.find_baseline(scenario.find_block(case))
    words = scenario.runners[runner].label
    if case == base_case:
        return words
    return patterns.BASELINE_OF_ANOTHER_CASE.format(runner=words, case=scenario.case_label(base_case))


def name_runner(scenario: Scenario, runner: str) -> str:
    """Return a runner's name for people, even if the scenario has lost it."""
    return scenario.runners[runner].label if runner in scenario.runners else label_runner(runner)


def find_note(scenario: Scenario, row: Summary) -> str:
    """Return the scenario's note on a runner, for this case or all; empty without one."""
    return scenario.notes.get(f"{row.runner}/{row.case}") or scenario.notes.get(row.runner, "")


def _scale(measured: Sequence[Summary]) -> Scale:
    """Choose the scale that shows the values, ranges and ideals of *measured*."""
    known = [row.value for row in measured if row.value]
    ends = [end for each in known if each.has_range for end in (each.high, each.low)]
    ends += [row.ideal for row in measured if row.ideal is not None]
    return Scale.for_values([each.value for each in known], ends)


def case_html(context: SiteContext, scenario: str, case: str, *, has_tabs: bool = False) -> Markup:
    """Return a case's charts and tables, with tabs also the tables of other builds."""
    site, page = context.site, page_path(scenario)
    first = site.first(scenario, case)
    others = [result for result in site.machine_results(scenario, case) if result != first]
    carried = [result for result in others if not result.record.build.variant] if has_tabs else []
    known = site.scenarios[scenario]
    is_answer = has_tabs and not known.each_case_answers  # the page begins with the titles of its charts
    own = [
        chart
        for chart in context.charts.get((scenario, case), [])
        if chart.results == (first,) and not chart.spans_cases
    ]
    return fragment(
        "case.html",
        first=first,
        shown=first and tables(site, first, scenario, case),
        charts=[
            chart_html(context, chart, scenario, page, is_folded=chart.kind != "bars", is_titled=not is_answer)
            for chart in own
        ],
        has_bars=all(chart.kind != "bars" for chart in own),
        tabs=[(result, tables(site, result, scenario, case, is_brief=True)) for result in carried],
        linked=[result for result in others if result not in carried],
        group=case_id(known, case),
        words=known.case_label(case),
        runners=known.runners,
        **_addresses(scenario, page),
    )


def case_id(scenario: Scenario, case: str) -> str:
    """Return what the addresses of a case on its scenario's page end in."""
    return f"{scenario.name}_{list(scenario.cases).index(case) + 1}"


def chart_html(  # noqa: PLR0913 - what differs between pages
    context: SiteContext, chart: Chart, scenario: str, page: str, *, is_folded: bool = False, is_titled: bool = True
) -> Markup:
    """Return a chart: its finding, which heads the fold if *is_folded*, picture, data and provenance."""
    is_own = page == page_path(scenario)
    return fragment(
        "chart.html",
        chart=chart,
        is_folded=is_folded,
        is_titled=is_titled or is_folded,
        is_in_case=is_own and len(chart.results) == 1,
        has_case=not is_own or chart.spans_cases,
        anchor=Path(chart.path).stem,
        plotly=context.plotly,
        **_addresses(scenario, page),
    )


def _addresses(scenario: str, page: str) -> dict[str, str]:
    root = path_to_root(page)
    code = "" if page == page_path(scenario) else f"{root}scenarios/{scenario}.html"
    return {"scenario": scenario, "root": root, "code": code}


def measured_on(results: Iterable[Result], root: str) -> Markup:
    """Return the foot of an answer: a line on machine, build and runs that unfolds to the details."""
    by_key = defaultdict[ResultKey, list[Result]](list)
    for each in results:
        by_key[each.key].append(each)
    brief = patterns.MEASURED_WITH.format(sources="; ".join(map(_source, by_key.values())))
    return fragment("measured_on.html", brief=brief, details=[*map(_details, by_key.values())], root=root)


def _source(results: Sequence[Result]) -> str:
    """Format "CPython 3.14.7 on a 2-core AMD cloud VM, 8 to 11 runs" for results of one machine and build."""
    first, counts = results[0], sorted({len(each.runs) for each in results})
    return patterns.MEASURED_ON_MACHINE.format(
        build=describe_build(first.build),
        machine=f"{add_article(strip_markup(first.machine_name))}{format_ownership(first.machine, first.key.local)}",
        runs=f"{counts[0]} to {counts[-1]:,} runs" if len(counts) > 1 else count_noun(counts[0], "run"),
    )


def _details(results: Sequence[Result]) -> str:
    first = results[0]
    days = sorted(run.file.record.run.started[:10] for each in results for run in each.runs)
    pattern = patterns.MEASURED_IN_ONE_DAY if days[0] == days[-1] else patterns.MEASURED_BETWEEN
    return pattern.format(
        build=describe_build(first.build),
        processor=strip_markup(first.record.machine.cpu),
        how=describe_optimisation(first.record.build),
        first=days[0],
        last=days[-1],
    )


def code_block(runner: Runner, highlight: str | None = None) -> Markup:
    """Return a runner's file as a fenced block of Markdown, with its path as the title."""
    longest = max((len(run) for run in re.findall(r"`+", runner.code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = f' hl_lines="{highlight}"' if highlight else ""
    title = f"runners/{runner.scenario}/{runner.path.name}"
    block = f'{fence}python title="{title}"{lines}\n{runner.code.rstrip()}\n{fence}'
    unsearched = f"<section markdown data-search-exclude>\n\n{block}\n\n</section>"  # the search would find `import`
    return Markup(unsearched)  # noqa: S704 - a fence holds text


def measured_hashes(results: Sequence[Result], runner: Runner) -> list[str]:
    """Return the hashes of *runner*'s file in the first of *results*; empty if it was not measured."""
    every = (result.newest.hashes.get((runner.scenario, runner.name), set()) for result in results[:1])
    return sorted(set().union(*every))


def list_other_hashes(results: Sequence[Result], runner: Runner) -> str:
    """Return the shortened hashes that differ from *runner*'s current file."""
    measured = measured_hashes(results, runner)
    return ", ".join(short_hash(sha256) for sha256 in measured if sha256 != runner.source_sha256)


def short_hash(sha256: str) -> str:
    return sha256[:12]

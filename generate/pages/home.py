"""The home page's matrix and findings, as docs/home.toml names them.

A cell of the matrix shows times the best of its column, estimated from pairs within the same runs. So do rows without
the GIL.
"""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from generate.charts import svg
from generate.charts.grids import STEPS
from generate.charts.rows import Row, bar_figure, format_amount
from generate.charts.scale import Scale
from generate.data.estimates import AS_FAST, Estimate, fixed, holm
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.work_map import COLUMN
from generate.pages.home_file import FILE, Finding, Question
from generate.pages.home_file import Row as HomeRow
from generate.pages.pieces import Functions, SiteContext, measured_on
from generate.pages.scenario import why_no_value
from generate.pages.templates import Head, fragment
from generate.pages.values import metric_named, scenario_named
from generate.words import patterns
from generate.words.builds import abbreviate_build
from generate.words.names import capital
from generate.words.numbers import describe, format_ratio, format_share, format_value
from generate.words.repeat import format_first_run
from generate.words.units import find_kind
from runners.harness.contract import Metric
from runners.harness.errors import UnknownNameError, UserError
from runners.harness.record.model import SeriesKey

FARTHEST = 1000
"""Times the best at which all bars of a narrow page end."""
MOST_FINDINGS = 5
ROOM = 0.6
"""Room for the number right of the longest bar, as a share of that bar."""


class Place(NamedTuple):
    """A row's series."""

    result: Result
    key: SeriesKey


class Cell(NamedTuple):
    text: str
    """Times the best, or a word: "can't"."""
    value: str = ""
    note: str = ""
    """The ratio to the best, or the reason for the word."""
    times: float = 0.0
    """0 without a number."""

    @property
    def title(self) -> str:
        return ", ".join(filter(None, [self.value, self.note]))

    @property
    def step(self) -> int:
        return 1 + sum(self.times > limit for limit in STEPS)


class Column:
    """A question's rows, on the build that its runs compare with, and on one without the GIL in the same runs."""

    def __init__(self, context: SiteContext, question: Question) -> None:
        site, rows = context.site, context.home.row
        runners = {row: runner for row in rows if (runner := question.runner(row))}
        self.question = question
        self.scenario = scenario_named(site, question.scenario, question.case, *runners.values())
        self.metric = _find_metric(question, site)
        self.result, self._counterpart = _find_reference(site, question), None
        if self.result:
            self._counterpart = site.without_gil(self.result, question.scenario)
        free = self._counterpart or (self.result and _find_free(site, question, self.result))
        self._site = site
        self._places = {
            row: Place(result, SeriesKey(question.scenario, question.case, runner, "subject"))
            for row, runner in runners.items()
            if (result := free if rows[row].without_gil else self.result)
        }
        every = {row: place.result.estimate(place.key, self.metric) for row, place in self._places.items()}
        self.values = {row: value for row, value in every.items() if value}
        self.best = self._find_best()
        for row in self.values:  # hours move a value of another build's runs, but not its ratio
            if self._places[row].result is not self._places[self.best].result and (ratio := self.ratio(row, self.best)):
                self.values[row] = ratio.times(self.values[self.best].value)

    @property
    def results(self) -> list[Result]:
        """The results that its values are from."""
        return [*dict.fromkeys(self._places[row].result for row in self.values)]

    def ratio(self, row: str, other: str) -> Estimate | None:
        """Return a row over another, by pairs within their runs."""
        (result, key), (other_result, other_key) = self._places[row], self._places[other]
        if result is other_result:
            return result.ratio(key, other_key, self.metric)
        if other_result is self.result:
            is_alike = result is self._counterpart
            return (result.against_counterpart if is_alike else result.against_reference)(
                key, self.metric, other_key.runner
            )
        turned = self.ratio(other, row)
        return turned.inverse if turned and turned.value else None

    @property
    def other_builds(self) -> dict[str, str]:
        """The builds of rows on another release of Python, because the reference has no counterpart."""
        return {row: self._build_name(row) for row in self.values if not self.has_one_release(row)}

    def has_one_release(self, *rows: str) -> bool:
        """True if rows share a release of Python, with or without the GIL."""
        return {self._places[row].result for row in rows} <= {self.result, self._counterpart}

    def behind(self, row: str, other: str) -> Estimate | None:
        """Return how many times worse a row is than another: below 1 if it is better."""
        ratio = self.ratio(row, other)
        if self.metric.better == "lower":
            return ratio
        return ratio.inverse if ratio and ratio.value else None

    def _find_best(self) -> str:
        """Return the best row, or one without the GIL that beats it in their pairs; empty without any."""
        sign = 1 if self.metric.better == "lower" else -1
        ordered = sorted(self.values, key=lambda row: sign * self.values[row].value)
        ordered.sort(key=lambda row: self._places[row].result is not self.result)
        best = next(iter(ordered), "")
        for row in ordered:
            if self._places[row].result is not self.result and (behind := self.behind(row, best)) and behind.value < 1:
                best = row
        return best

    def cells(self, rows: Iterable[str]) -> list[Cell]:
        behind = {row: each for row in self.values if row != self.best and (each := self.behind(row, self.best))}
        differ = dict(zip(behind, holm([each.p_value() for each in behind.values()]), strict=True))
        cells = {row: self._measured(row, behind.get(row), differs=differ.get(row, False)) for row in self.values}
        for row, build in self.other_builds.items():
            text, value = cells[row].text, cells[row].value
            value = patterns.HOME_VALUE_ON.format(value=value, build=build)
            cells[row] = cells[row]._replace(text=patterns.HOME_ANOTHER_PYTHON.format(text), value=value)
        return [cells.get(row) or self._missing(row) for row in rows]

    def _measured(self, row: str, behind: Estimate | None, *, differs: bool) -> Cell:
        value = format_amount(self.values[row], self.metric.unit)
        if row == self.best:
            return Cell("1", value, times=1.0)
        if behind is None:
            return Cell(patterns.HOME_NO_RATIO, value, patterns.HOME_OTHER_RUNS)
        times, kind = max(behind.value, 1.0), find_kind(self.metric)
        if behind.is_within(AS_FAST):
            within = patterns.HOME_WITHIN.format(format_share(AS_FAST - 1))
            return Cell(patterns.HOME_AS_GOOD.format(f"{times:.3g}"), value, within, times)
        if differs:
            return Cell(format_ratio(times), value, describe(self.ratio(row, self.best), kind), times)
        return Cell(patterns.HOME_UNDECIDED.format(format_ratio(times)), value, patterns.UNDECIDED, times)

    def _missing(self, row: str) -> Cell:
        """Return why a row has no value: home.toml's reason, a bound by arithmetic, or the record's status."""
        if row not in self._places:
            word, reason = self.question.reason(row)
            return Cell(patterns.NOT_MEASURED if self.question.runner(row) else word, note=reason)
        result, key = self._places[row]
        name = self.metric.name.replace("_elapsed_", "_bound_")
        bound = result.estimate(key, Metric(name, "", "ns", "lower")) if name != self.metric.name else None
        if bound and self.best:
            times = bound.value / self.values[self.best].value
            ratio, time = map(patterns.HOME_AT_LEAST.format, (format_ratio(times), format_value(bound.value, "ns", 2)))
            return Cell(ratio, time, patterns.HOME_BOUND, times)
        recorded = self._site.row(result, key.scenario, key.case, key.runner, self.scenario.metrics[0].name)
        return Cell(patterns.NOT_MEASURED, note=why_no_value(recorded))

    @property
    def head(self) -> Head:
        """The heading, with the best value and its build."""
        value = format_amount(self.values[self.best], self.metric.unit)
        if self._places[self.best].result is not self.result:
            value = f"{value}, {self._build_name(self.best)}"
        best = patterns.HOME_BEST.format(value)
        html = Markup("{}<small>{}</small>").format(self.question.title, best)
        return Head(self.question.title, "n", html, {"title": self.question.about})

    def _build_name(self, row: str) -> str:
        return abbreviate_build(self._places[row].result.record.build).replace("\n", " ")


def _find_reference(site: Results, question: Question) -> Result | None:
    """Return the reference build's result; without one, the result that pages begin with."""
    first = site.first(question.scenario, question.case)
    if first is None:
        return None
    results = site.with_one_reference(question.scenario, question.case)
    return next((each for each in results if each.newest.is_reference), first)


def _find_free(site: Results, question: Question, reference: Result) -> Result | None:
    """Return the newest result without the GIL that was measured next to the reference, or is it."""
    if reference.record.build.free_threaded:
        return reference
    results = site.with_one_reference(question.scenario, question.case) if reference.newest.is_reference else []
    free = [each for each in results if each.record.build.free_threaded and not each.record.build.variant]
    return free[-1] if free else None


def _find_metric(question: Question, site: Results) -> Metric:
    if COLUMN.fullmatch(question.metric):
        return Metric(question.metric, question.about, "ns", "lower")
    return metric_named(site.scenarios[question.scenario], question.metric)


@functools.lru_cache(maxsize=1)  # the matrix and the findings use the same
def read_columns(context: SiteContext) -> dict[str, Column]:
    """Return every question's column. Raises UserError with the question that has an unknown name."""
    columns = {}
    for name, question in context.home.question.items():
        try:
            columns[name] = Column(context, question)
        except UnknownNameError as error:
            msg = f"{FILE}, question.{name}: {error}"
            raise UserError(msg) from error
    return columns


def choose_findings(columns: Mapping[str, Column], findings: Iterable[Finding]) -> list[Finding]:
    """Return the first findings that are decided by more than a negligible difference, one for each question."""
    chosen: dict[str, Finding] = {}
    for each in findings:
        column = columns[each.question]
        if {each.row, each.against} <= column.values.keys() and column.has_one_release(each.row, each.against):
            behind = column.behind(each.row, each.against)
            is_decided = behind is not None and behind.differs and not behind.is_within(AS_FAST)
            if behind and is_decided and (behind.value < 1) is each.is_better:
                chosen.setdefault(each.question, each)
    return [*chosen.values()][:MOST_FINDINGS]


class Fold(NamedTuple):
    """A question's bars, for narrow pages."""

    question: Question
    bars: Sequence[tuple[HomeRow, Cell, float]]
    """Rows with a number and the length of its bar in per cent, the best first."""
    others: Sequence[tuple[HomeRow, Cell]]


class HomeFunctions(Functions):
    def home_matrix(self) -> Markup:
        """Return the models by everyday questions, in times the best. `home_matrix()`."""
        rows, columns = self._context.home.row, read_columns(self._context).values()
        shown = [column for column in columns if column.values]
        by_column = [column.cells(rows) for column in shown]
        return fragment(
            "home_matrix.html",
            columns=shown,
            rows=[*zip(rows.values(), zip(*by_column, strict=True), strict=False)],
            folds=[
                _fold(column.question, [*zip(rows.values(), cells, strict=True)])
                for column, cells in zip(shown, by_column, strict=True)
            ],
            steps=STEPS,
            others=sorted({build for each in shown for build in each.other_builds.values()}),
            missing=[
                (each.question.title, format_first_run(each.scenario, [each.question.case]))
                for each in columns
                if not each.values
            ],
            foot=measured_on(dict.fromkeys(result for each in shown for result in each.results), self._root),
            root=self._root,
        )

    def home_findings(self) -> Markup:
        """Return at most five findings, each as a picture with a title. `home_findings()`."""
        columns = read_columns(self._context)
        findings = choose_findings(columns, self._context.home.finding)
        return fragment(
            "home_findings.html", views=[self._view(columns[each.question], each) for each in findings], root=self._root
        )

    def article_list(self) -> Markup:
        """Return links to all articles, which are named by their questions. `article_list()`."""
        return fragment("article_list.html", articles=self._context.articles, root=self._root)

    def _view(self, column: Column, finding: Finding) -> dict[str, object]:
        rows = {name: self._context.home.row[name] for name in (finding.against, finding.row)}
        second, first = (row.name for row in rows.values())
        ratio = column.ratio(finding.row, finding.against) or fixed(1.0)  # a chosen finding has one
        described = describe(ratio, find_kind(column.metric))
        words = patterns.MODEL_AGAINST_MODEL.format(first=capital(first), second=second, ratio=described)
        values = [
            base := fixed(column.values[finding.against].value),
            ratio.times(base.value),
        ]  # its range is the ratio's
        drawn = [Row(row.name, row.family, [value]) for row, value in zip(rows.values(), values, strict=True)]
        figure = bar_figure(drawn, column.metric.unit, room=ROOM, log_from=math.inf)
        picture = svg.picture(figure, f"{column.question.about}. {words}")
        return {"finding": finding, "question": column.question, "words": words, "svg": picture}


def _fold(question: Question, cells: Sequence[tuple[HomeRow, Cell]]) -> Fold:
    measured = sorted((each for each in cells if each[1].times), key=lambda each: each[1].times)
    scale = Scale(0.8, FARTHEST, log=True)
    bars = [(row, cell, scale.percent(cell.times)) for row, cell in measured]
    return Fold(question, bars, [each for each in cells if not each[1].times])

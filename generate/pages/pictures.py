"""Pictures of articles: runners of several cases, ratios with and without the GIL, and a runner on every build."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup
from msgspec import structs

from generate.charts import svg
from generate.charts.chart import Subject
from generate.charts.kinds.bars import MOST_NAMED, rank
from generate.charts.kinds.curve import draw_line, split_labels
from generate.charts.lines import line_figure
from generate.charts.rows import Row, bar_figure, format_amount
from generate.charts.scale import Scale, amounts_axis, number_axis, values_title
from generate.charts.traces import Figure
from generate.charts.versions import version_figure
from generate.data.estimates import holm
from generate.data.files import slug
from generate.data.selection import Result
from generate.data.table import Summary
from generate.pages.home import ROOM
from generate.pages.on_builds import CHANGES, OnBuilds
from generate.pages.pieces import Functions
from generate.pages.templates import fragment, not_drawn
from generate.pages.values import metric_named, scenario_named
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.names import capital, describe_status, list_names
from generate.words.numbers import count_noun, format_ratio, outcome
from generate.words.repeat import format_first_run
from generate.words.units import axis_scale
from runners.harness.catalogue.scenarios import select
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey


class PictureFunctions(Functions):
    def opening_picture(
        self, scenario: str, case: str, rows: Mapping[str, str], metric: str | None = None, *, without_gil: bool = False
    ) -> Markup:
        """Draw runners under the names given to them, lighter without the GIL if that is asked for.

        `opening_picture("primes", "published", {"threads": "thread_pool"})`. One of another case is "case/runner".
        """
        known = scenario_named(self._site, scenario, case)
        places = {name: row.rpartition("/") for name, row in rows.items()}
        for own_case, _, runner in places.values():
            scenario_named(self._site, scenario, own_case or case, runner)
        result, shown_metric = self._site.first(scenario, case), metric_named(known, metric)
        if result is None:
            return not_drawn(format_first_run(known, [case]))
        free = self._site.without_gil(result, scenario) if without_gil else None
        drawn: list[Row] = []
        for name, (own_case, _, runner) in places.items():
            at = scenario, own_case or case, runner, shown_metric.name
            every = (self._site.row(each, *at) for each in (result, free) if each)
            values = [row.value if row else None for row in every]
            shown = [value for value in values if value] if values[0] else []
            words = name if shown else f"{name}: {patterns.NO_VALUE}"
            drawn.append(Row(words, known.runners[runner].family, shown))
        figure, unit = bar_figure(drawn, shown_metric.unit, room=ROOM), shown_metric.unit
        caption = f"{_values_title(shown_metric, figure)}. {_name_builds(result, free)}"
        numbers = (f"{row.name} {format_amount(row.estimates[0], unit)}" for row in drawn if row.estimates)
        opening = Markup('<figure class="opening" data-search-exclude>{}<figcaption>{}.</figcaption></figure>')
        return opening.format(svg.picture(figure, f"{caption}: {', '.join(numbers)}"), caption)

    def ladder(self, scenario: str, *cases: str, metric: str | None = None) -> Markup:
        """Draw the runners of some cases, or of all, the worst of each case first. `ladder("stalls", "TLS set-up")`."""
        subjects = self._subjects(scenario, cases, metric)
        if not subjects:
            return not_drawn(format_first_run(self._site.scenarios[scenario], cases))
        drawn: list[Row] = []
        for each in subjects:
            name, names = each.scenario.case_label(each.case), [each.label(row.runner) for row in each.every()]
            drawn += [Row(capital(name), "", [])] if len(subjects) > 1 and names != [name] else []
            missing = [row for row in each.every() if row.value is None]
            drawn += (_row(each, row) for row in (*reversed(each.rows()), *missing))
        title, subtitle = _helps_most(subjects)
        figure = bar_figure(drawn, subjects[0].metric.unit, log_from=1)
        return _picture(subjects[0], figure, title, subtitle, describe_build(subjects[0].result.build))

    def speed_ups(self, scenario: str, case: str, limit: str, metric: str | None = None) -> Markup:
        """Draw a metric that is a ratio, with and without the GIL, next to 1 and what the runner *limit* reaches.

        `speed_ups("sharing", "1 and 2 workers", "processes")`
        """
        known = scenario_named(self._site, scenario, case, limit)
        subject = next(iter(self._subjects(scenario, [case], metric)), None)
        if subject is None:
            return not_drawn(format_first_run(known, [case]))
        free = self._site.without_gil(subject.result, scenario)
        second, first = ({row.runner: row for row in subject.every(each)} for each in (free or subject.result, None))
        drawn = [
            _row(subject, first[name], second[name] if free and first[name].value else None)
            for name in second
            if name in first
        ]
        reached = second.pop(limit, None)
        limits = [1.0, *([reached.number] if reached and reached.number else [])]
        title, subtitle = _gains(subject, [row for row in second.values() if row.value], has_gil=free is None)
        if reached and reached.value:
            reach = format_amount(reached.value, reached.unit)
            subtitle = patterns.SPEED_UPS_LIMIT.format(values=subtitle, limit=subject.name(reached), reach=reach)
        caption = patterns.SPEED_UPS_CAPTION.format(limit=subject.label(limit))
        figure = bar_figure(drawn, subject.metric.unit, limits=limits, log_from=math.inf)
        return _picture(subject, figure, title, subtitle, f"{caption} {_name_builds(subject.result, free)}")

    def together(self, scenario: str, case: str, parameter: str, metric: str | None = None) -> Markup:
        """Draw what all tasks of a case take, lighter without the GIL.

        The metric is of one task, the parameter has their number. `together("idle_tasks", "10,000 tasks", "tasks")`.
        """
        known = scenario_named(self._site, scenario, case)
        subject = next(iter(self._subjects(scenario, [case], metric)), None)
        if subject is None or not subject.rows():
            return not_drawn(format_first_run(known, [case]))
        count, free = float(known.cases[case].parameters[parameter]), self._site.without_gil(subject.result, scenario)
        every = [_multiply(row, count) for row in subject.every()]
        second = {row.runner: _multiply(row, count) for row in subject.every(free)} if free else {}
        drawn = [_row(subject, row, second.get(row.runner)) for row in every]
        figure = bar_figure(drawn, subject.metric.unit, log_from=math.inf)
        best, worst = every[0], [row for row in every if row.value][-1]
        ends = {
            "best": subject.name(best),
            "least": _amount(best),
            "worst": subject.name(worst),
            "most": _amount(worst),
        }
        title = patterns.TOGETHER_TITLE.format(count=f"{count:,.0f}", **ends)
        without, other = "", second.get(worst.runner)
        if other:
            without = patterns.TOGETHER_WITHOUT_GIL.format(worst=ends["worst"], most=_amount(other))
        values = patterns.TOGETHER_VALUES.format(metric=subject.metric.title, count=f"{count:,.0f}")
        seen = replace(subject.scenario, metrics=(subject.metric._replace(title=values),))
        caption = _name_builds(subject.result, free if other else None)
        return _picture(replace(subject, scenario=seen), figure, title, without, caption)

    def curve(self, scenario: str, parameter: str, *cases: str, metric: str | None = None) -> Markup:
        """Draw the runners over a parameter of some cases, which may be of several blocks.

        `curve("open_loop", "rate_per_s", "300 requests/s", "1,000 requests/s", "2,000 requests/s")`
        """
        subjects = self._subjects(scenario, cases, metric)
        if not subjects:
            return not_drawn(format_first_run(self._site.scenarios[scenario], cases))
        by_amount = {float(each.scenario.cases[each.case].parameters[parameter]): each for each in subjects}
        amounts, last = sorted(by_amount), by_amount[max(by_amount)]
        rows = {at: {row.runner: row for row in by_amount[at].rows()} for at in amounts}
        everywhere = [row.runner for row in last.rows() if all(row.runner in named for named in rows.values())]
        lines = {runner: {at: rows[at][runner] for at in amounts} for runner in everywhere}
        if not lines or len(amounts) < 2:  # noqa: PLR2004 - a line joins two
            return not_drawn(format_first_run(self._site.scenarios[scenario], cases))
        shown = [row.value for along in lines.values() for row in along.values() if row.value]
        scale, unit = Scale.for_estimates(shown), axis_scale(last.metric.unit, [each.value for each in shown])
        values = values_title(last.metric._replace(title=f"{last.metric.title} ({unit.sign})"), is_log=scale.log)
        noun = split_labels([by_amount[at].scenario.case_label(by_amount[at].case) for at in amounts])[1]
        drawn = [draw_line(last, runner, along) for runner, along in lines.items()]
        figure = line_figure(drawn, amounts_axis(capital(noun), amounts, {}), number_axis(values, scale, unit.size))
        title, subtitle = _growth(last, lines, noun)
        left_out = sorted({each.name(row) for each in subjects for row in each.every() if row.runner not in lines})
        caption = patterns.CURVE_LEFT_OUT.format(names=list_names(left_out)) if left_out else ""
        build = describe_build(last.result.build)
        return _picture(last, figure, title, subtitle, f"{caption} {build}".strip(), values)

    def versions(  # noqa: PLR0913 - what a page may name
        self, scenario: str, case: str, runner: str, subject: str, change: str, *, metric: str | None = None
    ) -> Markup:
        """Draw a runner on every build of its machine, headed by what a change did to it.

        The change is a version, compared with the one before, "GIL" or "JIT", or another runner of the case.
        `versions("primes", "published", "thread_pool", "Computing threads", "GIL")`
        """
        version = re.fullmatch(r"\d+\.\d+", change)
        other = "" if version or change in CHANGES else change
        known = scenario_named(self._site, scenario, case, runner, *filter(None, [other]))
        key = SeriesKey(scenario, case, runner, "subject")
        series = OnBuilds(self._site, key, metric_named(known, metric), change, other)
        if not series.results:
            title = patterns.VERSION_TITLE.format(subject, patterns.NOT_MEASURED)
            command = format_first_run(known, [case])
            return fragment("version.html", anchor=slug(subject), title=title, svg="", command=command)
        (words, subtitle), (places, size, values) = series.headline(), series.places()
        title = patterns.VERSION_TITLE.format(subject, words)
        place = f"scenarios/{scenario}.html#table-{scenario}_{[*known.cases].index(case) + 1}"
        return fragment(
            "version.html",
            anchor=slug(subject),
            title=title,
            subtitle=subtitle,
            values=values,
            work=patterns.VERSION_WORK.format(
                scenario=known.title, runner=known.runners[runner].label, case=known.case_label(case)
            ),
            svg=svg.picture(version_figure(places, size), f"{title}. {subtitle}. {values}"),
            against=series.against,
            rows=[*series.rows()],
            table_address=f"{self._root}{place}",
        )

    def _subjects(self, scenario: str, cases: Sequence[str], metric: str | None) -> list[Subject]:
        """Return the measured ones of some cases, or of all, with a metric, on the result of the first."""
        known = scenario_named(self._site, scenario)
        chosen = select(known.cases, cases, f"case of {scenario}")
        seen = replace(known, metrics=(metric_named(known, metric),))
        results = ((case, self._site.first(scenario, case)) for case in chosen)
        subjects = [Subject(self._site, result, seen, case, "") for case, result in results if result]
        return [replace(each, result=subjects[0].result) for each in subjects if each.every(subjects[0].result)]


def _row(subject: Subject, row: Summary, second: Summary | None = None) -> Row:
    """Return a runner's row, with its reason instead of a missing value."""
    status = f" ({describe_status(row.status)})" if row.value is None else ""
    return Row(
        subject.label(row.runner) + status,
        row.family or "unknown",
        [each.value for each in (row, second) if each and each.value],
    )


def _name_builds(result: Result, free: Result | None) -> str:
    lighter = f"; lighter: {describe_build(free.build)}" if free else ""
    return f"{describe_build(result.build)}{lighter}"


def _values_title(metric: Metric, figure: Figure) -> str:
    return values_title(metric, is_log=figure["layout"]["xaxis"].get("type") == "log")


def _multiply(row: Summary, factor: float) -> Summary:
    return structs.replace(row, value=row.value.times(factor)) if row.value else row


def _amount(row: Summary) -> str:
    return format_amount(row.value, row.unit) if row.value else patterns.NOT_MEASURED


def _growth(subject: Subject, lines: Mapping[str, Mapping[float, Summary]], noun: str) -> tuple[str, str]:
    """Return how much the values grow from the least to the greatest amount, and the values of the first line."""
    first, *_ = lines.values()
    least, most = min(first), max(first)
    ends = [(along[least].number, along[most].number) for along in lines.values()]
    grown = sorted(last / start for start, last in ends if start and last)
    times = dict.fromkeys(map(format_ratio, (grown[0], grown[-1]))) if grown else [patterns.NOT_COMPARED]
    span = {"least": f"{least:,.10g}", "most": f"{most:,.10g} {noun}"}
    title = patterns.CURVE_GROWS.format(metric=subject.metric.title, times=" to ".join(times), **span)
    values = {"first": _amount(first[least]), "last": _amount(first[most])}
    return title, patterns.CURVE_FIRST_LINE.format(name=subject.name(first[most]), **values, **span)


def _helps_most(subjects: Sequence[Subject]) -> tuple[str, str]:
    """Name the best of the case in which the best and the worst differ most, and both values; then its ties."""
    choices = [(each, [row for row in each.rows() if row.runner not in each.scenario.apart]) for each in subjects]
    ends = [(each, rows, each.ratio(rows[-1], rows[0])) for each, rows in choices if len(rows) > 1]
    known = [(each, rows, ratio) for each, rows, ratio in ends if ratio and ratio.value > 0]
    if not known:
        return patterns.LADDER_UNDECIDED, ""
    differ = holm([ratio.p_value() for *_, ratio in known])
    number = max(range(len(known)), key=lambda each: abs(math.log(known[each][2].value)))
    subject, (best, *_, worst), _ = known[number]
    ranking = rank(subject, known[number][1])
    others = [subject.name(row) for row in (*ranking.front, *ranking.undecided) if row.runner != best.runner]
    tied = list_names(others, "or") if len(others) < MOST_NAMED else count_noun(len(others), "other")
    title = patterns.LADDER_HELPS if differ[number] else patterns.LADDER_UNDECIDED
    case = capital(subject.scenario.case_label(subject.case))
    against = patterns.LADDER_AGAINST.format(case=case, worst=subject.name(worst))
    values = title.format(best=subject.name(best), first=_amount(worst), last=_amount(best))
    return values, patterns.LADDER_TIED.format(against, tied) if others else against


def _gains(subject: Subject, rows: Sequence[Summary], *, has_gil: bool) -> tuple[str, str]:
    """Count the rows, the best first, whose ratios are better or worse than 1, or undecided, and name the ends."""
    if not rows:
        return patterns.NOT_MEASURED, ""
    above = [row.value.value > 1 for row in rows if row.value and row.value.differs]
    gain = above.count(subject.metric.better == "higher")
    counts = {"gain": gain, "lose": len(above) - gain, "count": len(rows)}
    most, least = (format_amount(row.value, row.unit) for row in (rows[0], rows[-1]) if row.value)
    ends = {"most": most, "best": subject.name(rows[0]), "least": least, "worst": subject.name(rows[-1])}
    title = patterns.SPEED_UPS_TITLE[has_gil].format(**counts)
    if undecided := sum(outcome(row.value) == "undecided" for row in rows if row.value):
        title = patterns.SPEED_UPS_UNDECIDED.format(title=title, count=undecided)
    return title, patterns.SPEED_UPS_VALUES.format(**ends)


def _picture(  # noqa: PLR0913, PLR0917 - what a picture has
    subject: Subject, figure: Figure, title: str, subtitle: str, caption: str, values: str = ""
) -> Markup:
    values = values or _values_title(subject.metric, figure)
    drawn, legend = svg.picture(figure, f"{title}. {subtitle}. {values}"), svg.legend(figure)
    texts = {"title": title, "subtitle": subtitle, "values": values, "caption": caption}
    return fragment("picture.html", svg=drawn, legend=legend, **texts)

"""Pictures of articles: the runners of several cases on one scale, and ratios with and without the GIL."""

import math
from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from generate.charts import svg
from generate.charts.chart import Subject
from generate.charts.rows import Row, bar_figure, format_amount
from generate.charts.scale import values_title
from generate.charts.traces import Figure
from generate.data.estimates import holm
from generate.data.table import Summary
from generate.pages.pieces import Functions
from generate.pages.templates import fragment, not_drawn
from generate.pages.values import metric_named, scenario_named
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.names import capital, describe_status
from generate.words.repeat import format_first_run
from runners.harness.catalogue.scenarios import select


class PictureFunctions(Functions):
    def ladder(self, scenario: str, *cases: str, metric: str | None = None) -> Markup:
        """Draw the runners of some cases, or of all, the worst of each case first. `ladder("stalls", "TLS set-up")`."""
        subjects = self._subjects(scenario, cases, metric)
        if not subjects:
            return not_drawn(format_first_run(self._site.scenarios[scenario], cases))
        drawn: list[Row] = []
        for each in subjects:
            drawn += [Row(capital(each.scenario.case_label(each.case)), "", [])] if len(subjects) > 1 else []
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
        lighter = f"; lighter: {describe_build(free.build)}" if free else ""
        caption = patterns.SPEED_UPS_CAPTION.format(limit=subject.label(limit))
        figure = bar_figure(drawn, subject.metric.unit, limits=limits, log_from=math.inf)
        return _picture(subject, figure, title, subtitle, f"{caption} {describe_build(subject.result.build)}{lighter}")

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


def _helps_most(subjects: Sequence[Subject]) -> tuple[str, str]:
    """Name the best runner of the case in which the best and the worst differ most, and both values."""
    choices = [(each, [row for row in each.rows() if row.runner not in each.scenario.apart]) for each in subjects]
    ends = [(each, rows[0], rows[-1], each.ratio(rows[-1], rows[0])) for each, rows in choices if len(rows) > 1]
    known = [(each, best, worst, ratio) for each, best, worst, ratio in ends if ratio and ratio.value > 0]
    if not known:
        return patterns.LADDER_UNDECIDED, ""
    differ = holm([ratio.p_value() for *_, ratio in known])
    number = max(range(len(known)), key=lambda each: abs(math.log(known[each][3].value)))
    subject, best, worst, _ = known[number]
    title = patterns.LADDER_HELPS if differ[number] else patterns.LADDER_UNDECIDED
    case = subject.scenario.case_label(subject.case)
    first, last = (format_amount(row.value, row.unit) for row in (worst, best) if row.value)
    values = {"first": first, "worst": subject.name(worst), "last": last, "best": subject.name(best)}
    return title.format(case=case, best=subject.name(best)), patterns.LADDER_VALUES.format(case=capital(case), **values)


def _gains(subject: Subject, rows: Sequence[Summary], *, has_gil: bool) -> tuple[str, str]:
    """Count the rows, the best first, whose ratios are decided to be better or worse than 1, and name the ends."""
    if not rows:
        return patterns.NOT_MEASURED, ""
    above = [row.value.value > 1 for row in rows if row.value and row.value.differs]
    gain = above.count(subject.metric.better == "higher")
    counts = {"gain": gain, "lose": len(above) - gain, "count": len(rows)}
    most, least = (format_amount(row.value, row.unit) for row in (rows[0], rows[-1]) if row.value)
    ends = {"most": most, "best": subject.name(rows[0]), "least": least, "worst": subject.name(rows[-1])}
    return patterns.SPEED_UPS_TITLE[has_gil].format(**counts), patterns.SPEED_UPS_VALUES.format(**ends)


def _picture(subject: Subject, figure: Figure, title: str, subtitle: str, caption: str) -> Markup:
    values = values_title(subject.metric, is_log=figure["layout"]["xaxis"].get("type") == "log")
    drawn = svg.picture(figure, f"{title}. {subtitle}. {values}")
    return fragment("picture.html", title=title, subtitle=subtitle, values=values, svg=drawn, caption=caption)

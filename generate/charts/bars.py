"""Bars, a row for each runner: as the picture that a page comes with, and as Plotly's figure. Pure.

A bar ends at the estimate, a line across its end is the range, and each run is a dot. Names are above their bars, so
that a phone has room for both. A picture is drawn in shares of its width, so that its letters keep their size. If
values span much, marks on a log scale replace the bars.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.charts.lines import ROOM, plotly_range, point_of, scale_of, short_rate, whisker
from generate.charts.measure import hover_words
from generate.charts.scale import Scale
from generate.words.numbers import NO_BREAK, format_estimate, format_value
from generate.words.numbers import abbreviate_rate as short_words
from generate.words.units import axis_scale
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.charts.lines import Figure, Line, Point, Trace
    from generate.charts.measure import Measure
    from generate.data.estimates import Estimate
    from generate.data.table import Summary
    from generate.words.units import Scale as UnitScale

NAME_HEIGHT, BAR_HEIGHT, GAP = 17, 15, 6
THICKNESS = 12
"""Of a bar; pixels, as the three above."""
LONGEST = 78
"""Per cent of the picture's width that the longest bar has; the rest is for its number."""
NUMBER_GAP, NUMBER_LETTER = 14, 7
"""Pixels right of Plotly's plot that its numbers need, and each of their letters: no line of the grid crosses them."""
EN_SPACE = "\N{EN SPACE}"
"""Between the edge of Plotly's plot and words next to it."""
NAME_AT, BAR_AT, BAR_WIDTH, LIMIT, BRACKET = -0.26, 0.12, 0.32, 0.2, 0.5
"""Of a row of Plotly's, in rows from its middle: the places of name and bar, the bar's width, and how far the ideal and
the bracket reach to both sides."""


class Bar(NamedTuple):
    """One value."""

    estimate: Estimate
    is_second: bool = False
    """True for the second build, which is drawn lighter."""


class Row(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    bars: Sequence[Bar]
    is_tied: bool = False
    """True if it is as fast as the best, and so is another: they share a bracket."""


def bars_of(row: Summary | None, *, is_second: bool = False) -> list[Bar]:
    """Return the summary's bar, or `[]` without a value."""
    return [] if row is None or row.value is None else [Bar(row.value, is_second)]


def picture(rows: Sequence[Row], unit: str, label: str = "", *, room: float = 1.0) -> Markup:
    """Draw bars from zero; *label* is their text alternative.

    With a *room* of more than 1 they are so many times shorter: a narrow picture needs it for its numbers.
    """
    return _svg(rows, unit, Scale(0.0, _scale_of(rows).high * room, log=False), label=label)


def _scale_of(rows: Sequence[Row], ideal: float | None = None) -> Scale:
    points = (point_of(0, bar.estimate) for row in rows for bar in row.bars)
    return scale_of(points, () if ideal is None else [ideal])


@dataclass(frozen=True)
class BarPlot:
    """A chart of one bar each."""

    bars: Sequence[Row]
    """In order of value, the best first."""
    unit: str
    measure: Measure
    ideal: float | None = None
    """The limit that no runner can beat, if they have one in common and it is near."""

    legend: Sequence[tuple[Markup, Line]] = ()

    @property
    def scale(self) -> Scale:
        """Where its values lie."""
        return _scale_of(self.bars, self.ideal)

    @property
    def axis(self) -> str:
        """What the bars are, and which are better. Each number has its own unit."""
        title = self.measure.title.partition(" (")[0]
        return f"{title}{self.measure.direction}{'; log scale' if self.scale.log else ''}"

    @property
    def rows(self) -> int:
        """How many rows its area has."""
        return len(self.bars)

    def picture(self) -> Markup:
        """Draw it as SVG."""
        return _svg(self.bars, self.unit, self.scale, ideal=self.ideal)

    def figure(self) -> Figure:
        """Return it as Plotly takes it. Its `meta` has each row's place family by family, for the page's switch."""
        factor, scale = self.measure.factor, self.scale
        ticks = scale.ticks()
        longest = max(len(written(row.bars[0].estimate, self.unit)) for row in self.bars)
        by_family = sorted(range(self.rows), key=lambda row: (family_place(self.bars[row].family), row))
        return {
            "data": [trace for row, bar in enumerate(self.bars) for trace in self._traces(row, bar)],
            "layout": {
                "showlegend": False,
                "margin": {"r": NUMBER_GAP + NUMBER_LETTER * longest},
                "xaxis": {
                    "title": {"text": self.measure.title},
                    "range": self._range,
                    "tickvals": [short_rate(tick * factor) for tick in ticks],
                    "ticktext": self._tick_names(ticks),
                    "tickangle": 0,
                    **({"type": "log"} if scale.log else {}),
                },
                "yaxis": {
                    "range": [self.rows - 0.5, -0.5],
                    "showticklabels": False,
                    "showgrid": False,
                    "zeroline": False,
                },
                "shapes": [*self._shapes()],
                "meta": {"families": [by_family.index(row) for row in range(self.rows)]},
            },
        }

    def _tick_names(self, ticks: Sequence[float]) -> list[str]:
        """Write what the axis names: those of a linear one in one unit."""
        alike = axis_scale(self.unit, ticks)
        scales = [axis_scale(self.unit, [tick]) if self.scale.log else alike for tick in ticks]
        return [_tick_name(tick, scale) for tick, scale in zip(ticks, scales, strict=True)]

    def _shapes(self) -> Iterator[Figure]:
        """Yield the ideal across each bar, and the bracket left of the rows that tie."""
        for number, row in enumerate(self.bars):
            if self.ideal is not None:
                at = short_rate(self.ideal * self.measure.factor)
                yield {
                    **_upright(number + BAR_AT, LIMIT),
                    "xref": "x",
                    "x0": at,
                    "x1": at,
                    "line": {"width": 1.5, "dash": "dot"},
                }
            if row.is_tied:
                edge = {"xref": "paper", "xsizemode": "pixel", "xanchor": 0, "x0": -4, "x1": -4}
                yield {**_upright(number, BRACKET), **edge, "line": {"width": 2}}

    def _traces(self, row: int, of: Row) -> Iterable[Trace]:
        """Return a row's estimate with its range, its runs, its name above, and its number."""
        factor, estimate, at = self.measure.factor, of.bars[0].estimate, row + BAR_AT
        meta = {"family": of.family, "colour": of.family, "row": row}
        kind = {"type": "scatter", "mode": "markers"} if self.scale.log else {"type": "bar", "orientation": "h"}
        width = {} if self.scale.log else {"width": BAR_WIDTH}
        point = point_of(at, estimate, hover_words(estimate, self.unit), factor)
        spread = {} if point.low is None else {"error_x": whisker([(point.y, point.low, point.high)])}
        hover = {
            "hovertext": [point.words],
            "hovertemplate": "%{hovertext}<extra>%{fullData.name}</extra>",
        }
        value = {"x": [short_rate(point.y)], "y": [short_rate(at)]}
        yield {"name": of.name, "meta": meta, **kind, **width, **value, **spread, **hover}
        yield {
            "name": of.name,
            "meta": {**meta, "is_run": True},
            "type": "scatter",
            "mode": "markers",
            "x": [short_rate(run) for run in point.runs],
            "y": [short_rate(at + BAR_WIDTH * (down - 0.5)) for down in _stacked(estimate)],
            "text": [f"{format_value(run.value, self.unit)}, run {run.run}" for run in estimate.runs],
            "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
        }
        first, end = (short_rate(amount) for amount in self._ends)
        yield _words(of.name, first, row + NAME_AT, meta)
        yield _words(written(estimate, self.unit), end, at, {**meta, "is_number": True})

    @property
    def _range(self) -> list[float]:
        """Where Plotly's axis begins and ends, with room for what is drawn."""
        factor, scale = self.measure.factor, self.scale
        return plotly_range(Scale(scale.low * factor, scale.high * factor, scale.log), ROOM)

    @property
    def _ends(self) -> tuple[float, float]:
        """Where the axis begins and ends."""
        first, last = self._range
        hair = 1e-4 * (last - first)  # what a rounding puts outside the axis is not drawn
        return (10 ** (first + hair), 10 ** (last - hair)) if self.scale.log else (first, last - hair)


def written(estimate: Estimate, unit: str) -> str:
    """Write a value next to its bar."""
    return short_words(format_estimate(estimate, unit))


def family_place(family: str | None) -> int:
    """Return the place of a family among all; unknown ones are last."""
    return [*FAMILIES].index(family) if family in FAMILIES else len(FAMILIES)


def _stacked(estimate: Estimate) -> list[float]:
    """Return how far down its bar the dot of each run is, 0 to 1, so that none hides another."""
    return [(number + 0.5) / len(estimate.runs) for number in range(len(estimate.runs))]


def _range(point: Point) -> list[float]:
    return [] if point.low is None or point.high is None else [point.low, point.high]


def _words(text: str, x: float, y: float, meta: Figure) -> Trace:
    """Return words right of a place."""
    what: Trace = {"type": "scatter", "mode": "text", "textposition": "middle right", "hoverinfo": "skip"}
    return {**what, "cliponaxis": False, "x": [x], "y": [short_rate(y)], "text": [f"{EN_SPACE}{text}"], "meta": meta}


def _upright(middle: float, reach: float) -> Figure:
    return {"type": "line", "yref": "y", "y0": short_rate(middle - reach), "y1": short_rate(middle + reach)}


def _svg(rows: Sequence[Row], unit: str, scale: Scale, *, label: str = "", ideal: float | None = None) -> Markup:
    groups, top, tops = [], 0, []
    limit = Markup('<line class="ideal" x1="{0}%" x2="{0}%" y1="{1}" y2="{2}"/>')
    for row in rows:
        tops.append(top)
        drawn, middle = [_text(0, top + 12, row.name)], top + NAME_HEIGHT
        for bar in row.bars:
            drawn += _bar(bar, middle, scale, unit)
            middle += BAR_HEIGHT
        if ideal is not None:
            drawn.append(limit.format(_at(scale, ideal), top + NAME_HEIGHT - 2, middle))
        top = middle + GAP
        groups.append(Markup('<g class="family-{}">{}</g>').format(row.family, Markup("").join(drawn)))
    words = Markup(' role="img" aria-label="{}"').format(label) if label else ""
    head = Markup('<svg class="rows" width="100%" height="{}"{}>').format(top, words)
    return Markup("").join([head, *groups, *_brackets(rows, [*tops, top]), Markup("</svg>")])


def _brackets(rows: Sequence[Row], tops: Sequence[int]) -> Iterator[Markup]:
    """Draw a bracket left of each stretch of rows that tie."""
    for is_tied, stretch in groupby(range(len(rows)), key=lambda number: rows[number].is_tied):
        numbers = [*stretch]
        if is_tied:
            ends = tops[numbers[0]] + 3, tops[numbers[-1] + 1] - GAP + 1
            yield Markup('<path class="bracket" d="M-3 {}H-7V{}H-3"/>').format(*ends)


def _bar(bar: Bar, top: int, scale: Scale, unit: str) -> Iterator[Markup]:
    """Draw one bar, its range across its end, its runs, and its number."""
    estimate, middle = bar.estimate, top + THICKNESS // 2
    point = point_of(0, estimate)
    at, ends, runs = (
        _at(scale, point.y),
        [_at(scale, end) for end in _range(point)],
        [_at(scale, run) for run in point.runs],
    )
    kind = Markup(' class="second"') if bar.is_second else ""
    if scale.log:
        yield Markup('<rect class="dot" x="{}%" y="{}"/>').format(at, middle)
    else:
        yield Markup('<rect{} y="{}" width="{}%"/>').format(kind, top, at)
    if ends:
        yield Markup('<line x1="{0}%" x2="{1}%" y1="{2}" y2="{2}"/>').format(*ends, middle)
    for run, down in zip(runs, _stacked(estimate), strict=True):
        yield Markup('<circle cx="{}%" cy="{:g}"/>').format(run, round(top + THICKNESS * down, 1))
    number_at = max([at, *ends, *runs], key=float)
    yield Markup('<text class="value" x="{}%" dx="7" y="{}">{}</text>').format(
        number_at, top + 10, written(estimate, unit)
    )


def _tick_name(tick: float, scale: UnitScale) -> str:
    """Write a place that an axis names: round, so without digits that say nothing."""
    if not tick:
        return "0"
    return short_words(f"{tick / scale.size:,.10g}{NO_BREAK if scale.sign else ''}{scale.sign}")


def _at(scale: Scale, amount: float) -> str:
    """Return where an amount lies: per cent of the picture's width, to a tenth."""
    return f"{round(LONGEST * scale.percent(amount) / 100, 1):g}"


def _text(x: float, y: float, text: str) -> Markup:
    return Markup('<text x="{:g}" y="{:g}">{}</text>').format(x, y, text)

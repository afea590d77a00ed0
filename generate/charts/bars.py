"""Bars, a row for each runner: as the picture that a page comes with, and as Plotly's figure. Pure.

Names stand above their bars, so that a phone has room for both, in Plotly's with the numbers right of the plot. A
picture is drawn in shares of its width, so that its letters keep their size. Where medians span much, dots on a log
scale stand in the place of bars.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.charts.lines import ROOM, plotly_range, short, whisker
from generate.charts.scale import Scale
from generate.text.numbers import NO_BREAK, format_value
from generate.text.numbers import short as short_words
from generate.text.units import axis_scale
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Measure
    from generate.charts.lines import Figure, Line, Trace
    from generate.text.units import Scale as UnitScale

NAME_HEIGHT, BAR_HEIGHT, GAP = 17, 15, 6
THICKNESS = 12
"""Of a bar; pixels, as the three above."""
LONGEST = 78
"""Per cent of the picture's width that the longest bar has; what is right of it is for the number."""
FARTHEST_SAMPLE, FARTHEST_ON_LOG = 1.5, 10
"""A sample farther out than so many times the longest bar is written at the edge: to show it would squeeze the bars. A
log scale has room for more."""
NUMBER_GAP, NUMBER_LETTER = 14, 7
"""Pixels right of Plotly's plot that its numbers need, and each of their letters: no line of the grid crosses them."""
EN_SPACE = "\N{EN SPACE}"
"""Between the edge of Plotly's plot and words beside it."""
NAME_AT, BAR_AT, BAR_WIDTH, JITTER, LIMIT = -0.26, 0.12, 0.32, 0.26, 0.2
"""Of a row of Plotly's, in rows from its middle: where the name stands and the bar, how wide it is, how far apart
samples may lie, and how far the ideal reaches to both sides of the bar."""


class Bar(NamedTuple):
    """One value."""

    median: float
    low: float
    high: float
    is_second: bool = False
    """Whether it is of the second build, which is drawn lighter."""


class Row(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    bars: Sequence[Bar]
    is_quiet: bool = False
    """Whether it is grey: no difference from the baseline beyond the noise was seen."""
    samples: Sequence[tuple[int, float]] = ()
    """Each sample, with the number of its round."""


def bars_of(row: Summary | None, *, is_second: bool = False) -> list[Bar]:
    """Return the bar of a summary; none of one that has no value."""
    if row is None or row.median is None or row.low is None or row.high is None:
        return []
    return [Bar(row.median, row.low, row.high, is_second)]


def picture(rows: Sequence[Row], unit: str, label: str = "", *, room: float = 1.0) -> Markup:
    """Draw bars from zero, the longest as long as there is room. *label* says what they show to those who don't see.

    With a *room* of more than 1 they are so many times shorter: a narrow picture needs it for its numbers.
    """
    longest = max((bar.high for row in rows for bar in row.bars), default=0.0) or 1.0
    return _svg(rows, unit, Scale(0.0, longest * room, log=False), label=label)


@dataclass(frozen=True)
class BarPlot:
    """A chart of one bar each."""

    bars: Sequence[Row]
    """In order of value, the best first."""
    unit: str
    measure: Measure
    scale: Scale
    is_higher_better: bool
    ideal: float | None = None
    """The limit that no runner can go beyond, where it is one and near."""

    legend: Sequence[tuple[Markup, Line]] = ()

    @property
    def axis(self) -> str:
        """What the bars are, and which are better."""
        return f"{self._title}{self.measure.direction}{'; log scale' if self.scale.log else ''}"

    @property
    def ratio(self) -> str:
        """Likewise as ratios to the best."""
        if self._best <= 0:
            return ""
        best = next(row.name for row in self.bars if row.bars[0].median == self._best)
        return f"{self._title}, in times that of “{best}”{self.measure.direction}"

    @property
    def _title(self) -> str:
        """What is measured, without a unit: each number has its own."""
        return self.measure.title.partition(" (")[0]

    @property
    def _best(self) -> float:
        return (max if self.is_higher_better else min)(row.bars[0].median for row in self.bars)

    @property
    def rows(self) -> int:
        """How many rows its area has."""
        return len(self.bars)

    def picture(self) -> Markup:
        """Draw it as SVG."""
        return _svg(self.bars, self.unit, self.scale, ideal=self.ideal)

    def figure(self) -> Figure:
        """Return it as Plotly takes it. Its `meta` has what the page's switches need."""
        factor, shown = self.measure.factor, self._shown
        ticks = shown.ticks()
        longest = max(len(self._written(row.bars[0].median)) for row in self.bars)
        ideals = [] if self.ideal is None else [_limit(short(self.ideal * factor), row) for row in range(self.rows)]
        return {
            "data": [trace for row, bar in enumerate(self.bars) for trace in self._traces(row, bar)],
            "layout": {
                "showlegend": False,
                "margin": {"r": NUMBER_GAP + NUMBER_LETTER * longest},
                "xaxis": {
                    "title": {"text": self.measure.title},
                    "range": self._range,
                    "tickvals": [short(tick * factor) for tick in ticks],
                    "ticktext": self._tick_names(ticks),
                    "tickangle": 0,
                    **({"type": "log"} if shown.log else {}),
                },
                "yaxis": {
                    "range": [self.rows - 0.5, -0.5],
                    "showticklabels": False,
                    "showgrid": False,
                    "zeroline": False,
                },
                "shapes": ideals,
                "meta": self._views(),
            },
        }

    def _written(self, amount: float) -> str:
        return written(amount, self.unit)

    def _tick_names(self, ticks: Sequence[float]) -> list[str]:
        """Write what the axis names: those of a linear one in one unit."""
        alike = axis_scale(self.unit, ticks)
        scales = [axis_scale(self.unit, [tick]) if self.scale.log else alike for tick in ticks]
        return [_tick_name(tick, scale) for tick, scale in zip(ticks, scales, strict=True)]

    @cached_property
    def _shown(self) -> Scale:
        """The scale with room for every sample that is not too far out."""
        near = (FARTHEST_ON_LOG if self.scale.log else FARTHEST_SAMPLE) * self.scale.high
        low, every = self.scale.low, [amount for row in self.bars for _, amount in row.samples]
        if self.scale.log:
            low = min([low, *(amount for amount in every if amount >= low / FARTHEST_ON_LOG)])
        return Scale(low, max([self.scale.high, *(amount for amount in every if amount <= near)]), self.scale.log)

    def _views(self) -> Figure:
        """Return where each row stands family by family, and what the best has, where it is above 0."""
        by_family = sorted(range(self.rows), key=lambda row: (family_place(self.bars[row].family), row))
        return {
            "families": [by_family.index(row) for row in range(self.rows)],
            "best": short(self._best * self.measure.factor) if self._best > 0 else None,
        }

    def _traces(self, row: int, of: Row) -> Iterable[Trace]:
        """Return a row's median with its interval, its samples, its name above, its number, and what is too far out."""
        factor, bar, at = self.measure.factor, of.bars[0], row + BAR_AT
        whose = {"name": of.name, "y": [short(at)]}
        meta = {"family": of.family, "colour": of.family, "quiet": of.is_quiet, "row": row}
        kind = {"type": "scatter", "mode": "markers"} if self.scale.log else {"type": "bar", "orientation": "h"}
        width = {} if self.scale.log else {"width": BAR_WIDTH}
        spread = whisker([(bar.median, bar.low, bar.high)], factor)
        yield {**whose, "meta": meta, **kind, **width, "x": [short(bar.median * factor)], "error_x": spread}
        last = max((number for number, _ in of.samples), default=1)
        farthest = self._shown.high
        near = [(number, amount) for number, amount in of.samples if amount <= farthest]
        yield {
            **whose,
            "meta": {**meta, "open": True},
            "type": "scatter",
            "mode": "markers",
            "marker": {"size": 5, "opacity": 0.8},
            "x": [short(amount * factor) for _, amount in near],
            "y": [short(at + JITTER * ((number - 0.5) / last - 0.5)) for number, _ in near],
            "text": [f"round {number}" for number, _ in near],
            "hovertemplate": "%{x} · %{text}<extra>%{fullData.name}</extra>",
        }
        first, end = (short(amount) for amount in self._ends)
        yield _words(f"{EN_SPACE}{of.name}", "right", first, row + NAME_AT, meta)
        number = f"{EN_SPACE}{self._written(bar.median)}"
        yield _words(number, "right", end, row + BAR_AT, {**meta, "of": short(bar.median * factor)})
        if beyond := [amount for _, amount in of.samples if amount > farthest]:
            outside = ", ".join(map(self._written, sorted(beyond)))
            amounts = [short(amount * factor) for amount in sorted(beyond)]
            yield _words(f"{outside} →", "left", end, row + NAME_AT, {**meta, "beyond": amounts})

    @property
    def _range(self) -> list[float]:
        """Where Plotly's axis begins and ends, with room behind what is drawn."""
        factor, shown = self.measure.factor, self._shown
        return plotly_range(Scale(shown.low * factor, shown.high * factor, shown.log), ROOM)

    @property
    def _ends(self) -> tuple[float, float]:
        """Where the axis begins and ends."""
        shown, (first, last) = self._shown, self._range
        hair = 1e-4 * (last - first)  # what a rounding puts outside the axis is not drawn
        return (10 ** (first + hair), 10 ** (last - hair)) if shown.log else (first, last - hair)


def _words(text: str, side: str, x: float, y: float, meta: Figure) -> Trace:
    """Return words to one side of a place: from there to the right, or up to there."""
    what: Trace = {"type": "scatter", "mode": "text", "textposition": f"middle {side}", "hoverinfo": "skip"}
    what["cliponaxis"] = False
    return {**what, "x": [x], "y": [short(y)], "text": [text], "meta": meta}


def family_place(family: str | None) -> int:
    """Return where a family stands among all; one that is not known last."""
    return [*FAMILIES].index(family) if family in FAMILIES else len(FAMILIES)


def _limit(at: float, row: int) -> Figure:
    """Return the line across the bar of a row that no runner can go beyond: names stand clear of it."""
    middle = row + BAR_AT
    ends = {"xref": "x", "yref": "y", "x0": at, "x1": at, "y0": short(middle - LIMIT), "y1": short(middle + LIMIT)}
    return {"type": "line", **ends, "line": {"width": 1.5, "dash": "dot"}}


def _svg(rows: Sequence[Row], unit: str, scale: Scale, *, label: str = "", ideal: float | None = None) -> Markup:
    groups, top = [], 0
    limit = Markup('<line class="ideal" x1="{0}%" x2="{0}%" y1="{1}" y2="{2}"/>')
    for row in rows:
        drawn, middle = [_text(0, top + 12, row.name)], top + NAME_HEIGHT
        for bar in row.bars:
            drawn += _bar(bar, middle, scale, unit)
            middle += BAR_HEIGHT
        if ideal is not None:
            drawn.append(limit.format(_at(scale, ideal), top + NAME_HEIGHT - 2, middle))
        top = middle + GAP
        quiet = " quiet" if row.is_quiet else ""
        groups.append(Markup('<g class="family-{}{}">{}</g>').format(row.family, quiet, Markup("").join(drawn)))
    words = Markup(' role="img" aria-label="{}"').format(label) if label else ""
    head = Markup('<svg class="rows" width="100%" height="{}"{}>').format(top, words)
    return Markup("").join([head, *groups, Markup("</svg>")])


def _bar(bar: Bar, top: int, scale: Scale, unit: str) -> list[Markup]:
    """Draw one bar, its range across its end, and its number."""
    at, low, high = (_at(scale, amount) for amount in (bar.median, bar.low, bar.high))
    middle = top + THICKNESS // 2
    kind = Markup(' class="second"') if bar.is_second else ""
    return [
        Markup('<rect class="dot" x="{}%" y="{}"/>').format(at, middle)
        if scale.log
        else Markup('<rect{} y="{}" width="{}%"/>').format(kind, top, at),
        Markup('<line x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(low, high, middle, middle),
        Markup('<text class="value" x="{}%" dx="7" y="{}">{}</text>').format(
            max(at, high, key=float), top + 10, written(bar.median, unit)
        ),
    ]


def written(amount: float | None, unit: str) -> str:
    """Write a value beside its bar."""
    return short_words(format_value(amount, unit))


def _tick_name(tick: float, scale: UnitScale) -> str:
    """Write a place that an axis names: round, so without digits that say nothing."""
    if not tick:
        return "0"
    return short_words(f"{tick / scale.size:,.10g}{NO_BREAK if scale.sign else ''}{scale.sign}")


def _at(scale: Scale, amount: float) -> str:
    """Return where an amount lies: per cent of the picture's width. Less than a tenth is seen by nobody."""
    return f"{round(LONGEST * scale.percent(amount) / 100, 1):g}"


def _text(x: float, y: float, text: str) -> Markup:
    return Markup('<text x="{:g}" y="{:g}">{}</text>').format(x, y, text)

"""A few bars as a picture: medians with their ranges, drawn as SVG when the site is made. Pure.

It is there at once, in print and without JavaScript, and as wide as a phone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.text.numbers import format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, TOP = 340, 4
NAME_HEIGHT, BAR_HEIGHT, GAP = 17, 15, 6
LONGEST = 232
"""Of a bar; what is right of it is for the number."""


class Bar(NamedTuple):
    """One value."""

    median: float
    low: float
    high: float
    is_second: bool
    """Whether it is of the second build, which is drawn lighter."""


class Row(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    bars: Sequence[Bar]


def picture(rows: Sequence[Row], unit: str, name: str, title: str) -> Markup:
    """Draw *rows*, the longest bar as long as there is room. *name* sets its ids apart; *title* says what it shows."""
    longest = max((bar.high for row in rows for bar in row.bars), default=0.0) or 1.0
    parts, top = [], TOP
    for row in rows:
        parts.append(_text("bars__name", 0, top + 12, row.name))
        top += NAME_HEIGHT
        for bar in row.bars:
            parts += _bar(bar, row.family, top, LONGEST / longest, unit)
            top += BAR_HEIGHT
        top += GAP
    head = Markup('<svg viewBox="0 0 {} {}" role="img" aria-labelledby="{}"><title id="{}">{}</title>').format(
        WIDTH, top, name, name, title
    )
    return Markup("").join([head, *parts, Markup("</svg>")])


def _bar(bar: Bar, family: str, top: int, scale: float, unit: str) -> list[Markup]:
    """Draw one bar, its range across its end, and its number."""
    kind = "bars__bar bars__bar--second" if bar.is_second else "bars__bar"
    middle = top + (BAR_HEIGHT - 3) / 2
    low, high = bar.low * scale, bar.high * scale
    return [
        Markup('<rect class="{}" style="--family:var(--family-{})" x="0" y="{}" width="{:.1f}" height="{}"/>').format(
            kind, family, top, max(bar.median * scale, 1), BAR_HEIGHT - 3
        ),
        Markup('<path class="bars__range" d="M{:.1f} {:g}H{:.1f}M{:.1f} {:g}v6M{:.1f} {:g}v6"/>').format(
            low, middle, high, low, middle - 3, high, middle - 3
        ),
        _text("bars__value", max(high, bar.median * scale) + 6, top + 10, format_value(bar.median, unit)),
    ]


def _text(kind: str, x: float, y: float, text: str) -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:g}">{}</text>').format(kind, x, y, text)

"""The small pictures of cards: marks on a grid, squares, dots and lanes, with few letters or none. Pure.

Like bars they are drawn in shares of their width, so that letters and marks keep their size on any card.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from markupsafe import Markup

from generate.words.numbers import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Item = TypeVar("Item")

ROW, FREE = 20, 2
"""How high a row of a grid is, and how much of it is left free; pixels."""
NAME_HEIGHT, LANE_HEIGHT, GAP = 17, 14, 6
LANE = re.compile("r+|w+")
"""A stretch of a lane in which somebody runs, or waits."""
EDGE = 4
"""Per cent of the width that are left free of dots at either end, since a dot's place is its middle."""


class Marked(NamedTuple):
    """What a cell of a grid shows."""

    family: str
    is_tie: bool = False
    """Whether others are as good."""


def marks(rows: Sequence[Sequence[Marked | None]], label: str) -> Markup:
    """Draw the mark of a family in each cell of a grid, on its colour; an outline where there is none."""
    box = Markup('<rect x="{}%" y="{}" width="{}%" height="{}"/>')
    parts = []
    for top, left, width, marked in _cells(rows):
        drawn = box.format(_short(left), top, _short(width), ROW - FREE)
        if marked:
            dot = Markup('<rect class="dot" x="{}%" y="{}"/>').format(_short(left + width / 2), top + (ROW - FREE) // 2)
            tie = Markup(' data-tie=""') if marked.is_tie else ""
            drawn = Markup('<g class="family-{}"{}>{}{}</g>').format(marked.family, tie, drawn, dot)
        parts.append(drawn)
    return _picture("cells", len(rows) * ROW, label, parts)


def squares(rows: Sequence[Sequence[tuple[str, str]]], label: str) -> Markup:
    """Draw a square for each verdict, given by letter and symbol: that, colour and outline say which."""
    square = Markup('<g data-v="{}"><rect x="{}%" y="{}" width="{}%" height="{}"/><text x="{}%" y="{}">{}</text></g>')
    parts = [
        square.format(letter, _short(left), top, _short(width), ROW - FREE, _short(left + width / 2), top + 13, symbol)
        for top, left, width, (letter, symbol) in _cells(rows)
    ]
    return _picture("cells", len(rows) * ROW, label, parts)


def dots(rows: Sequence[tuple[str, str, Sequence[float]]], unit: str, label: str) -> Markup:
    """Draw the values of each row, which has a name and a family, as dots from the least of all to the greatest."""
    every = [amount for _, _, amounts in rows for amount in amounts]
    least, most, parts, top = min(every), max(every), [], 0
    for name, family, amounts in rows:
        shares = [(amount - least) / (most - least or 1) for amount in amounts]
        places = [_short(EDGE + (100 - 2 * EDGE) * share) for share in shares]
        middle = top + NAME_HEIGHT + LANE_HEIGHT // 2
        drawn = [Markup('<rect class="dot" x="{}%" y="{}"/>').format(place, middle) for place in places]
        parts.append(_row(name, family, top, drawn))
        top += NAME_HEIGHT + LANE_HEIGHT + GAP
    end = Markup('<text class="value" x="{}" y="{}" text-anchor="{}">{}</text>')
    parts += [
        end.format(at, top + 11, anchor, format_value(amount, unit))
        for at, anchor, amount in (("0", "start", least), ("100%", "end", most))
    ]
    return _picture("rows", top + NAME_HEIGHT, label, parts)


def lanes(rows: Sequence[tuple[str, str, Sequence[str]]], label: str) -> Markup:
    """Draw lanes, written a letter a step (r runs, w waits), below the name of each row, which has a family too."""
    steps = max(len(lane) for _, _, written in rows for lane in written)
    parts, top = [], 0
    for name, family, written in rows:
        drawn = [
            Markup('<rect{} x="{}%" y="{}" width="{}%"/>').format(
                Markup(' class="second"') if stretch[0].startswith("w") else "",
                _short(100 * stretch.start() / steps),
                top + NAME_HEIGHT + LANE_HEIGHT * number,
                _short(100 * len(stretch[0]) / steps),
            )
            for number, lane in enumerate(written)
            for stretch in LANE.finditer(lane)
        ]
        parts.append(_row(name, family, top, drawn))
        top += NAME_HEIGHT + LANE_HEIGHT * len(written) + GAP
    return _picture("rows", top, label, parts)


def _cells(rows: Sequence[Sequence[Item]]) -> Iterable[tuple[int, float, float, Item]]:
    """Go through the cells of a grid: top, left, width and what is in it."""
    for number, row in enumerate(rows):
        share = 100 / len(row)
        for column, cell in enumerate(row):
            yield ROW * number + FREE // 2, share * column + 0.5, share - 1, cell


def _row(name: str, family: str, top: int, drawn: Iterable[Markup]) -> Markup:
    text = Markup('<text x="0" y="{}">{}</text>').format(top + 12, name)
    return Markup('<g class="family-{}">{}{}</g>').format(family, text, Markup("").join(drawn))


def _picture(kind: str, height: int, label: str, parts: Iterable[Markup]) -> Markup:
    head = Markup('<svg class="{}" width="100%" height="{}" role="img" aria-label="{}">')
    return Markup("").join([head.format(kind, height, label), *parts, Markup("</svg>")])


def _short(share: float) -> str:
    return f"{share:.1f}".removesuffix(".0")

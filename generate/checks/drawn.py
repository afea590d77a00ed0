"""Lays out what `show` and `compare` print, in lines that fit a terminal. Pure."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from generate.text.numbers import format_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.checks.plainly import Change

GAP = "  "
"""Between two columns."""
LEAST_WORDS = 26
"""Letters of the last column below which its words stand under the row instead, over the whole width."""
INDENT = "    "
"""Of such words, and of what a line that is too long goes on with."""


@dataclass(frozen=True)
class Line:
    """One runner of a case on one build."""

    build: str
    runner: str
    median: str
    """With its unit; empty where there is none."""
    interval: str
    words: str
    """How it compares with the baseline, or why it has no value."""
    beside_reference: str
    """How it compares with itself on the reference build; empty on that build."""
    differs_beyond_noise: bool
    """Whether it differs from itself there, its median by more than the baseline from itself (where known)."""
    change: Change | None = None
    """The same as a number; None on that build, and where it has no value."""


@dataclass(frozen=True)
class CaseTable:
    """One case of the files of one run, by one metric."""

    title: str
    """The scenario, the case and the metric."""
    baseline: str
    """What the others are held against."""
    of_builds: Mapping[str, str]
    """By build, packages of which not all builds have one version, and how far two measurements of the baseline lay
    apart; empty where there is nothing to say."""
    coverage: float | None
    """Of the intervals, the least that one of them reaches; None without any."""
    lines: Sequence[Line]
    """The baseline first on each build, then by value, the best first; what has no value last."""


def fitted(text: str, width: int, first: str = "", indent: str = INDENT) -> list[str]:
    """Break *text*, which begins with *first*, into lines of at most *width* letters, the later ones indented."""
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False) or [""]


def draw(table: CaseTable, width: int, first_build: str) -> Iterator[tuple[str, bool]]:
    """Give the lines of a table, and of each whether it names a build: that is a line of its own, over all columns.

    The *first_build* is what the others are held against. A build that is alone is not named.
    """
    interval = "interval" if table.coverage is None else f"{format_share(table.coverage)} interval"
    rows = [("runner", "median", interval), *((line.runner, line.median, line.interval) for line in table.lines)]
    widths = tuple(max(map(len, column)) for column in zip(*rows, strict=True))
    for line in _row(rows[0], ["against the baseline"], widths, width):
        yield line, False
    for build, of_build in groupby(table.lines, key=lambda line: line.build):
        if len(table.of_builds) > 1:
            of_it = table.of_builds[build]
            for line in fitted(f"{build} ({of_it})" if of_it else build, width):
                yield line, True
        for each in of_build:
            for line in _row((each.runner, each.median, each.interval), _words(each, first_build), widths, width):
                yield line, False


def _words(line: Line, first_build: str) -> list[str]:
    beside = f"beside {first_build}: {line.beside_reference}"
    return [line.words, *([beside] if line.beside_reference else [])]


def _row(cells: tuple[str, str, str], words: list[str], widths: tuple[int, ...], width: int) -> Iterator[str]:
    """Lay out a row: its numbers in columns, its words beside them, or below where there is no room."""
    runner, median, interval = cells
    numbers = f"{runner:{widths[0]}}{GAP}{median:>{widths[1]}}{GAP}{interval:{widths[2]}}{GAP}"
    if width - len(numbers) >= LEAST_WORDS:
        for position, text in enumerate(words):
            first = numbers if position == 0 else " " * len(numbers)
            yield from fitted(text, width, first, " " * len(numbers))
    else:
        yield numbers.rstrip()
        for text in words:
            yield from fitted(text, width, INDENT)

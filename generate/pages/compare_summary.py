"""Sums up in words what a comparison of two cells came to, as assets/comparison_summary.js does. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generate.statistics.intervals import median_interval
from generate.text.numbers import format_bound, format_ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.pages.compare_rows import Kind, Row

DOUBTS = {"reaches into the noise": "reaching into the noise", "noise not known": "with noise not known"}
"""How those are summed up that differ, though not beyond doubt."""


def change_words(ratio: float, *, is_speed: bool) -> str:
    """Say a change: "1.28 times as fast", "0.551 times as much"."""
    return f"{format_bound(ratio)} times as {'fast' if is_speed else 'much'}"


def summary(rows: Sequence[Row]) -> list[str]:
    """Sum up what was compared: how many differ beyond doubt, which way and by how much, and how many others."""
    by_kind: dict[Kind, list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    differing = by_kind["differs"]
    said = [*_ways(row for row in differing if not row.doubt)]
    for doubt, words in DOUBTS.items():
        if doubtful := sum(row.doubt == doubt for row in differing):
            said.append(f"{doubtful} {words}")
    if by_kind["alike"]:
        said.append(f"{len(by_kind['alike'])} without a difference")
    if by_kind["undecided"]:
        said.append(f"{len(by_kind['undecided'])} not decided")
    if by_kind["apart"]:
        said.append(f"{len(by_kind['apart'])} not comparable{_reasons(by_kind['apart'])}")
    return said


def _ways(differing: Iterable[Row]) -> Iterator[str]:
    """Say how many changed which way, and by how much."""
    by_way: dict[tuple[bool, bool], list[float]] = defaultdict(list)
    for row in differing:
        if row.change:
            by_way[row.series["is_speed"], row.change.median > 1].append(row.change.median)
    for word, is_speed, is_more in (
        *(("faster", True, True), ("slower", True, False)),
        *(("larger in amount", False, True), ("smaller in amount", False, False)),
    ):
        changes = by_way[is_speed, is_more]
        if not changes:
            yield from [f"none {word}"] if is_speed else []
            continue
        middle = change_words(median_interval(changes).median, is_speed=is_speed)
        limit, most = ("up to", max(changes)) if is_more else ("down to", min(changes))
        end = f" at the median, {limit} {format_ratio(most)}" if len(changes) > 1 else ""
        yield f"{len(changes)} {word}: {middle}{end}"


def _reasons(rows: Sequence[Row]) -> str:
    """Say why series can't be compared, in most cases."""
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.said] += 1
    reason, count = max(counts.items(), key=lambda each: each[1])  # of as many, the first, as it came
    return f", {count} of them: {reason}" if len(counts) > 1 else f": {reason}"

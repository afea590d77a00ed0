"""What a comparison of builds is summed up as: how much is plain, which way, and by how much."""

from __future__ import annotations

import pytest

from generate.checks.plainly import MOST, Change, closing
from generate.statistics.intervals import Comparison
from generate.text.units import DURATION, LATE, MEMORY, RATE, Kind

QUIET = Comparison(1.0, 0.98, 1.02, 0.96, 12, decided=True)


def change(
    ratio: float,
    kind: Kind = DURATION,
    better: str = "lower",
    *,
    noise: Comparison | None = QUIET,
    decided: bool = True,
) -> Change:
    compared = Comparison(ratio, ratio * 0.99, ratio * 1.01, 0.96, 12, decided)
    return Change(f"runner {ratio}", compared, noise, kind, better)


def test_what_is_plain_is_counted_by_its_way_and_named_the_farthest_first() -> None:
    head, *named = closing("new", "the first build", [change(1.2), change(1.0), change(0.5), change(3.0)])
    assert head == "new beside the first build: of 4 comparisons, 1 is plainly faster, 2 are plainly slower"
    assert [line.split(":")[:2] for line in named] == [
        ["  slower", " runner 3.0"],
        ["  faster", " runner 0.5"],
        ["  slower", " runner 1.2"],
    ]
    assert named[0] == "  slower: runner 3.0: takes 3.00 times as long (2.97 to 3.03)"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([change(1.0)], "of 1 comparison, none shows a plain difference"),
        ([change(1.05, noise=Comparison(1.1, 1.0, 1.2, 0.96, 12, decided=True))], "none shows a plain difference"),
        ([change(2.0, noise=None)], "none shows a plain difference"),
        ([change(2.0, decided=False)], "none is decided"),
    ],
    ids=["alike", "inside the noise", "noise not known", "not decided"],
)
def test_where_nothing_is_plain_that_is_said(changes: list[Change], said: str) -> None:
    (line,) = closing("new", "the first build", changes)
    assert line.endswith(said)


def test_where_nothing_was_compared_nothing_is_said() -> None:
    assert closing("new", "the first build", []) == []


@pytest.mark.parametrize(
    ("ratio", "kind", "better", "way"),
    [
        (2.0, DURATION, "lower", "slower"),
        (2.0, RATE, "higher", "faster"),
        (2.0, LATE["latency"], "lower", "worse"),
        (0.5, MEMORY, "lower", "better"),
        (2.0, MEMORY, "neither", "different"),
    ],
)
def test_only_lengths_of_work_and_rates_are_faster_or_slower(ratio: float, kind: Kind, better: str, way: str) -> None:
    assert change(ratio, kind, better).way == way


def test_of_very_many_the_farthest_are_named_and_the_others_counted() -> None:
    _, *named = closing("new", "the first build", [change(2.0 + number) for number in range(MOST + 3)])
    assert len(named) == MOST + 1
    assert named[-1] == "  and 3 more, in the tables above"

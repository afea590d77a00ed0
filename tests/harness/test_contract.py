"""How many pieces of work were under way at one moment."""

from __future__ import annotations

import pytest

from runners.harness.contract import Span, peak_in_flight


@pytest.mark.parametrize(
    ("times", "peak"),
    [
        ([], 0),
        ([(0, 10)], 1),
        ([(0, 10), (10, 20), (20, 30)], 1),
        ([(0, 10), (9, 20)], 2),
        ([(0, 30), (5, 10), (10, 20), (25, 40)], 2),
        ([(0, 30), (5, 20), (10, 15)], 3),
        ([(20, 30), (0, 10), (5, 25)], 2),
    ],
)
def test_most_spans_open_at_one_moment(times: list[tuple[int, int]], peak: int) -> None:
    assert peak_in_flight([Span(begun, ended, 1, index) for index, (begun, ended) in enumerate(times)]) == peak


def test_spans_of_other_processes_count_alike() -> None:
    assert peak_in_flight([Span(0, 10, process, 1) for process in (1, 2, 3)]) == 3


def test_spans_without_length_do_not_overlap_what_begins_or_ends_there() -> None:
    assert peak_in_flight([Span(0, 10, 1, 1), Span(10, 10, 1, 1), Span(10, 20, 1, 1)]) == 1

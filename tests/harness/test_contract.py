"""How many pieces of work were under way at one moment."""

import pytest

from runners.harness.contract import Span, peak_in_flight


@pytest.mark.parametrize(
    ("times", "peak"),
    [
        ([], 0),
        ([(0, 10), (10, 20), (20, 30)], 1),
        ([(0, 30), (5, 10), (10, 20), (25, 40)], 2),
        ([(20, 30), (0, 10), (5, 25)], 2),
        ([(0, 10), (10, 10), (10, 20)], 1),
    ],
)
def test_most_spans_open_at_one_moment(times: list[tuple[int, int]], peak: int) -> None:
    for process in (1, 2):  # all in one process, or each in its own
        spans = [Span(begun, ended, process**index, index) for index, (begun, ended) in enumerate(times)]
        assert peak_in_flight(spans) == peak

"""What a difference shows beside the noise."""

from __future__ import annotations

import pytest

from generate.statistics.intervals import Comparison
from generate.statistics.noise import Finding, finding_of

NOISE = Comparison(1.0, 0.9, 1.1, 0.96, 12, decided=True)


@pytest.mark.parametrize(
    ("pairs", "quick", "found"),
    [
        (12, False, Finding.REACHES),
        (12, True, Finding.REACHES),  # a quick run of many rounds is read as any other
        (3, True, Finding.BEYOND),  # the rule for few rounds has the noise of the block in its bounds
    ],
)
def test_what_overlaps_with_the_noise_reaches_into_it_unless_its_bounds_have_the_noise_already(
    *, pairs: int, quick: bool, found: Finding
) -> None:
    candidate = Comparison(1.2, 1.05, 1.4, 0.96, pairs, decided=True, quick=quick)
    assert finding_of(candidate, NOISE) is found

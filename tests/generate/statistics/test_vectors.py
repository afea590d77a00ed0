"""What generate's statistics and words say, kept as the vectors that the tests of the browser's modules are held to.

Written anew with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import asdict
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from generate.statistics.intervals import FEWEST_PAIRS, compare, median_interval, paired_ratios
from generate.statistics.noise import noise_band
from generate.text.numbers import format_ratio, format_ratio_interval, format_value
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VECTORS = ROOT / "tests" / "javascript" / "vectors.json"
AMOUNTS = [0, 1, 2, 12, 0.5, 7.125, 99.95, 123.5, 999.4, 999.9, 1000, 1225, 12345, 99999, 999_500, 1.5e6, 2.5e9]
UNITS = ("ns", "us", "bytes", "per_s", "count", "ratio", "beats")
RATIOS = [0, 3e-7, 0.00123, 0.0949, 0.0995, 0.1, 0.125, 0.55, 0.994, 0.995, 0.99996, 1, 1.00004, 1.003, 1.04, 1.194]
RATIOS += [1.195, 1.2, 1.25, 1.75, 1.949, 1.95, 2.5, 9.94, 9.95, 10.4, 10.5, 11.5, 99.5, 1234.5, 99999.4, 1e6]
COUNTS = (*range(1, 31), 99, 100, 101, 250, 1000)


def drawn(count: int) -> list[float]:
    source = random.Random(count)  # noqa: S311 - vectors that are the same each time
    return [round(source.lognormvariate(0, 0.2), 4) for _ in range(count)]


def intervals() -> Iterator[dict[str, Any]]:
    for count in COUNTS:
        found = asdict(median_interval(drawn(count)))
        yield {"count": count, **{name: found[name] for name in ("median", "low", "high")}}


def by_round(values: Iterable[float], start: int) -> dict[int, float]:
    return dict(enumerate(values, start))


PAIRS = {
    "twelve rounds": (by_round(drawn(12), 1), by_round(drawn(13), 1)),
    "rounds that one side lacks": (by_round(drawn(12), 3), by_round(drawn(13), 1)),
    "too few": (by_round(drawn(8), 1), by_round(drawn(9), 1)),
    "no common round": (by_round(drawn(3), 1), by_round(drawn(3), 7)),
    "a baseline of nothing": (by_round([1, 2, 3], 1), by_round([1, 0, 1], 1)),
    "a candidate below nothing": (by_round([1, -2, 3], 1), by_round([1, 1, 1], 1)),
    "often nothing": (by_round([0] * 9, 1), by_round([1] * 9, 1)),
}


def pairs() -> Iterator[dict[str, Any]]:
    for name, (candidate, baseline) in PAIRS.items():
        found = compare(candidate, baseline)
        reach = noise_band(found)[1] if found and found.decided and found.low > 0 else None
        ratios = paired_ratios(candidate, baseline)
        yield {"name": name, "candidate": candidate, "baseline": baseline, "ratios": ratios, "noise": reach}


def vectors() -> dict[str, object]:
    return {
        "fewest_pairs": FEWEST_PAIRS,
        "values": {str(count): drawn(count) for count in COUNTS},
        "intervals": [*intervals()],
        "pairs": [*pairs()],
        "amounts": [[amount, unit, format_value(amount, unit)] for unit in UNITS for amount in AMOUNTS],
        "ratios": [[ratio, format_ratio(ratio)] for ratio in RATIOS],
        "ratio_intervals": [
            [low, high, format_ratio_interval(low, high)] for low, high in combinations_with_replacement(RATIOS, 2)
        ],
    }


def test_the_vectors_are_what_the_statistics_and_words_say() -> None:
    said = json.dumps(vectors(), ensure_ascii=False, separators=(",", ":")).replace('],"', '],\n"') + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        VECTORS.write_text(said, encoding="utf-8")
    assert VECTORS.read_text(encoding="utf-8") == said

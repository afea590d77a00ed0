"""The rule for estimates: worked by hand, against scipy, on runs of known truth, and recomputed from raw files."""

import json
import math
import random
import statistics
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from scipy import stats

from generate.data import between_runs
from generate.data.estimates import (
    Bounds,
    Estimate,
    RunRounds,
    fixed,
    holm,
    pool,
    quantile,
    tail,
)
from generate.data.gate import check_records
from generate.data.read import load
from generate.data.selection import pool_results
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record.model import SeriesKey

SPREAD, BETWEEN = 0.03, 0.05
"""Standard deviations of simulated rounds and runs, on the log scale."""


def six_rounds(middle: float, variance: float) -> list[float]:
    """Return rounds whose median and log variance are known."""
    step = math.sqrt(2 * variance)
    return [middle * math.exp(step * shift) for shift in (-1, -0.5, 0, 0, 0.5, 1)]


def pooled(*runs: Sequence[float], between: float = BETWEEN**2, **kind: bool) -> Estimate:
    estimate = pool([RunRounds(f"run-{n}", run) for n, run in enumerate(runs)], between, **kind)
    assert estimate is not None
    return estimate


def digits(*numbers: float) -> list[str]:
    return [f"{number:.3g}" for number in numbers]


def test_the_example_of_the_module_and_the_method_page() -> None:
    estimate = pooled(six_rounds(1.50, 0.0036), six_rounds(1.40, 0.0036))
    assert estimate.centre == pytest.approx(0.371, abs=5e-4)
    assert estimate.variance == pytest.approx(0.00161, abs=5e-6)
    assert estimate.degrees == 9
    assert digits(estimate.value, estimate.low, estimate.high) == ["1.45", "1.32", "1.59"]
    assert digits(estimate.another_low, estimate.another_high) == ["1.24", "1.7"]
    assert [(run.run, round(run.value, 9), run.rounds) for run in estimate.runs] == [
        ("run-0", 1.5, 6),
        ("run-1", 1.4, 6),
    ]


@pytest.mark.parametrize("degrees", [1, 2, 3.7, 8, 9, 12.5, 40, 1000, 1e6, math.inf])
def test_students_t_is_that_of_scipy(degrees: float) -> None:
    theirs = stats.norm if math.isinf(degrees) else stats.t(round(degrees, 1))
    assert quantile(degrees) == pytest.approx(theirs.ppf(0.975), rel=1e-5)
    for t in (0, 0.1, 1, 2.3, 7, 30):
        assert tail(t, degrees) == pytest.approx(theirs.sf(t), rel=1e-5, abs=1e-15)


class Truth(NamedTuple):
    """A way in which runs come about."""

    runs: int
    noisy: float = 1.0
    """How many times as noisy the newest run's rounds are."""
    host: float = 0.0
    """Half the distance of two kinds of host, on the log scale; each run is on either."""


def simulate(truth: Truth, draw: random.Random) -> list[RunRounds]:
    """Return the runs, and one more."""
    runs = []
    for number in range(truth.runs + 1):
        middle = draw.gauss(0, BETWEEN) + draw.choice((-1, 1)) * truth.host
        spread = SPREAD * (truth.noisy if number == 0 else 1)
        runs.append(RunRounds(f"run-{number}", [math.exp(middle + draw.gauss(0, spread)) for _ in range(6)]))
    return runs


@pytest.mark.parametrize(
    ("truth", "fewest", "most"),
    [
        (Truth(1), 0.94, 0.99),  # above 0.95, as the table of what differs is trusted less than it could be here
        (Truth(2), 0.94, 0.99),
        (Truth(5), 0.94, 0.99),
        (Truth(3, noisy=5), 0.94, 0.995),
        (Truth(1, host=0.2), 0.94, 1.0),  # two kinds of host: a wide range, and runs of either lie well inside
        (Truth(4, host=0.2), 0.88, 1.0),  # all four on one kind: the range may miss the mean over both
    ],
)
def test_ranges_have_their_stated_coverage(truth: Truth, fewest: float, most: float) -> None:
    draw, times = random.Random(1), 1500  # noqa: S311 - made-up noise
    in_range = in_further_run = 0
    for _ in range(times):
        *known, further = simulate(truth, draw)
        estimate = pool(known, BETWEEN**2 + truth.host**2)
        assert estimate is not None
        in_range += estimate.low <= 1 <= estimate.high
        in_further_run += estimate.another_low <= statistics.median(further.values) <= estimate.another_high
    assert fewest <= in_range / times <= most
    assert fewest <= in_further_run / times <= most


def test_few_rounds_borrow_the_variance_of_their_block() -> None:
    def half_width(count: int, block: float | None) -> float:
        rounds = [1.0, 1.02, 1.0, 1.02, 1.0, 1.02, 1.0, 1.02][:count]
        estimate = pool([RunRounds("run", rounds, block)], 0.0)
        assert estimate is not None
        return estimate.high / estimate.value

    assert half_width(3, 0.01) > half_width(3, None)
    assert half_width(6, 0.01) == half_width(6, None)


def test_one_round_of_no_known_block_has_no_range() -> None:
    estimate = pooled([3.0])
    assert (estimate.value, estimate.has_range, estimate.may_decide) == (3.0, False, False)
    assert estimate.decide(Bounds(0, 100)) == "undecided"
    assert estimate.p_value() == 1
    known = pool([RunRounds("run", [3.0], 0.001)], BETWEEN**2)
    assert known is not None
    assert known.has_range


def test_noisy_or_single_rounds_weigh_less() -> None:
    quiet, noisy, apart = six_rounds(1.0, 0.0001), six_rounds(1.5, 0.09), six_rounds(1.5, 0.0001)
    assert pooled(quiet, noisy).value < pooled(quiet, apart).value
    assert pooled(quiet, [1.5]) == pooled(quiet)
    assert pooled(quiet, apart).high / pooled(quiet, apart).low > pooled(quiet, quiet).high / pooled(quiet, quiet).low
    assert pool([], BETWEEN**2) is pool([RunRounds("run", [])], BETWEEN**2) is None


def test_counts_and_zeros_are_exact_and_need_two_runs() -> None:
    single, two = pooled([4, 4, 5], is_count=True), pooled([4, 4, 5], [3, 4, 4], is_count=True)
    assert (single.value, single.low, single.high, single.may_decide) == (4, 4, 5, False)
    assert (two.value, two.low, two.high, two.decide(Bounds(2, 6))) == (4, 3, 5, "holds")
    zero = pooled([0.0, 2.0, 1.0], [1.0, 1.0, 1.0])
    assert (zero.scale, zero.low, zero.high) == ("exact", 0, 2)


def test_p_values_are_those_of_scipy() -> None:
    estimate = pooled([1.2] * 6, [1.1] * 6, [1.15] * 6)
    t = estimate.centre / math.sqrt(estimate.variance)
    assert estimate.p_value() == pytest.approx(2 * stats.t(estimate.degrees).sf(t))
    assert estimate.differs == (estimate.p_value() < 0.05)
    assert fixed(1.0).p_value() == 1


def test_shares_stay_between_zero_and_one() -> None:
    estimate = pooled([0.97, 0.98, 0.99], [0.95, 0.96, 0.97], is_share=True)
    assert 0 < estimate.low < estimate.value < estimate.high < 1
    assert estimate.another_high < 1
    assert pooled([0.5, 1.0], is_share=True).scale == "exact"


def test_the_inverse_is_the_same_ratio_turned_round() -> None:
    estimate = pooled(six_rounds(1.50, 0.0036), six_rounds(1.40, 0.0036))
    turned = pooled(six_rounds(1 / 1.50, 0.0036), six_rounds(1 / 1.40, 0.0036))
    inverse = estimate.inverse
    for name in ("value", "low", "high", "another_low", "another_high", "centre", "variance"):
        assert getattr(inverse, name) == pytest.approx(getattr(turned, name)), name
    assert inverse.runs[0].value == pytest.approx(1 / 1.5)
    assert pooled([0.0, 1.0], [0.0, 1.0]).inverse.high == math.inf


def test_estimates_measured_apart_are_divided_as_welch_does() -> None:
    first, second = pooled(six_rounds(2.0, 0.004), six_rounds(2.2, 0.004)), pooled(six_rounds(1.0, 0.01))
    ratio = first.over(second)
    assert ratio.centre == pytest.approx(first.centre - second.centre)
    assert ratio.variance == pytest.approx(first.variance + second.variance)
    parts = first.variance**2 / first.degrees + second.variance**2 / second.degrees
    assert ratio.degrees == pytest.approx(ratio.variance**2 / parts)
    assert min(first.degrees, second.degrees) <= ratio.degrees <= first.degrees + second.degrees
    assert fixed(1.0).over(fixed(1.0)).value == 1
    with pytest.raises(ValueError, match="log scale"):
        first.over(pooled([0.0, 1.0]))


def test_decisions_follow_the_whole_range() -> None:
    estimate = pooled([1.5] * 6, [1.4] * 6)
    assert [estimate.decide(Bounds(low, high)) for low, high in ((1, 9), (2, 9), (1.45, 9))] == [
        "holds",
        "does not hold",
        "undecided",
    ]
    assert estimate.differs
    assert not estimate.is_within(1.1)
    assert pooled([1.0] * 6, [1.01] * 6, between=0.0001).is_within(1.1)
    assert fixed(1.0).is_within(1.1)


def test_holm_stops_at_the_first_that_fails() -> None:
    assert holm([0.04, 0.001, 0.03, 0.012]) == [False, True, False, True]
    assert holm([0.2, 0.01]) == [False, True]
    assert holm([]) == []


class Published(NamedTuple):
    """A published number: a series, divided by another or by itself on the reference build, or not at all."""

    build: str
    scenario: str
    case: str
    runner: str
    over: str = ""
    """A runner; `reference` for the same runner on the reference build."""


FIVE = [
    Published("cpython-3.14.7", "primes", "published", "sync_loop"),
    Published("cpython-3.14.7", "download", "published, fixed latencies", "threads"),
    Published("cpython-3.14.7t", "primes", "published", "thread_pool", over="sync_loop"),
    Published("cpython-3.14.7", "gather_tree", "published, none", "gather_library", over="nested_awaits"),
    Published("cpython-3.13.15", "primes", "published", "thread_pool", over="reference"),
]
"""The first metric of each is elapsed_ns, and each was measured only in full runs."""


def plain_rounds(path: str, number: Published, runner: str) -> dict[int, float]:
    """Read a series' rounds from a raw file."""
    record = json.loads((ROOT / "results" / path).read_bytes())
    (samples,) = [
        series["samples"]
        for series in record["series"]
        if (series["scenario"], series["case"], series["runner"], series["role"])
        == (number.scenario, number.case, runner, "subject")
    ]
    rows = zip(samples["round"], samples["status"], samples["values"]["elapsed_ns"], strict=True)
    return {count: elapsed for count, status, elapsed in rows if status == "ok"}


def plain_estimate(number: Published, paths: list[str], references: list[str], block: str) -> list[float]:
    """Recompute an estimate by the ten lines of the method page."""
    ys, s2s = [], []
    for path, reference in zip(paths, references, strict=True):
        values = plain_rounds(path, number, number.runner)
        if number.over == "reference":
            base = plain_rounds(reference, number, number.runner)
        else:
            base = plain_rounds(path, number, number.over) if number.over else dict.fromkeys(values, 1.0)
        logs = [math.log(value / base[count]) for count, value in values.items() if count in base]
        ys.append(statistics.median(logs))
        s2s.append(1.57 * statistics.variance(logs) / len(logs))
    compared = {"": "value", "reference": "across"}.get(number.over, "within")
    table = json.loads((ROOT / "docs" / between_runs.FILE).read_bytes())
    (mean,) = [row[4] for row in table if row[:4] == [compared, number.scenario, block, "elapsed_ns"] and row[5] >= 10]
    k, within = len(ys), statistics.mean(s2s)
    own = max(0.0, statistics.variance(ys) - within) if k > 1 else 0.0
    tau2 = (4 * max(mean, 0.005**2) + (k - 1) * own) / (4 + k - 1)
    weights = [1 / (tau2 + s2) for s2 in s2s]
    centre = sum(weight * y for weight, y in zip(weights, ys, strict=True)) / sum(weights)
    t = float(stats.t(8 + k - 1).ppf(0.975))
    reach, another = t * math.sqrt(1 / sum(weights)), t * math.sqrt(1 / sum(weights) + tau2 + within)
    return [math.exp(centre + shift) for shift in (0, -reach, reach, -another, another)]


def test_five_published_numbers_by_plain_code_from_raw_files() -> None:
    scenarios = {name: scenario for name, scenario in find().items() if name in {each.scenario for each in FIVE}}
    records = check_records([file for file in load(ROOT / "results").files if not file.local], scenarios)
    table = between_runs.read(ROOT / "docs")
    references = {run.run: run.file.path for run in records if run.is_reference}
    for number in FIVE:
        results = pool_results(scenarios[number.scenario], records, table).values()
        (result,) = [each for each in results if each.build == number.build and "EPYC" in each.machine_key.processor]
        key = SeriesKey(number.scenario, number.case, number.runner, "subject")
        metric = scenarios[number.scenario].metrics[0]
        if number.over == "reference":
            estimate = result.against_reference(key, metric)
        else:
            other = key._replace(runner=number.over)
            estimate = result.ratio(key, other, metric) if number.over else result.estimate(key, metric)
        assert estimate is not None
        used = {run.run for run in estimate.runs}
        runs = [run for run in result.runs if run.run in used]
        paths, bases = [run.file.path for run in runs], [references[run.run] for run in runs]
        plain = plain_estimate(number, paths, bases, scenarios[number.scenario].find_block(number.case))
        ours = (estimate.value, estimate.low, estimate.high, estimate.another_low, estimate.another_high)
        assert digits(*ours) == digits(*plain), number
        assert len(runs) > 1

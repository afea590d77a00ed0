"""Which two results can be compared, by which way, and what comes of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, altered, build, make, some_scenarios
from map_factory import map_record

from generate.comparison import BOTH_ARE_REFERENCES, MAX_NAMED, Row, compare, sides_of, summarise
from generate.data.between_runs import BetweenRuns, Block
from generate.data.estimates import Estimate, RunRounds, pool
from generate.data.files import ResultFile
from generate.data.gate import check_records
from runners.harness.catalogue.scenarios import find
from runners.harness.contract import Metric
from runners.harness.record.model import Package, Record, SeriesKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.comparison import Side
    from runners.harness.record.model import Series

SCENARIOS = {"primes": some_scenarios()["primes"]}
MAP = {"crossover": find()["crossover"]}
SERVERS = {"blocking_server": some_scenarios()["blocking_server"]}
NEW = build("3.14.0")
CASE = "published"
OTHER_RUN = {"run_id": "two", "build": NEW}


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make(SCENARIOS, Plan(**plan))


def side(*records: Record, scenarios: Any = SCENARIOS) -> Side:  # noqa: ANN401 - a catalogue
    files = [ResultFile(f"{number}.json", one, "", local=False, size_bytes=0) for number, one in enumerate(records)]
    (only,) = sides_of(check_records(files, scenarios), scenarios, BetweenRuns()).values()
    return only


def row(a: Record | Sequence[Record], b: Record | Sequence[Record], runner: str = "thread_pool") -> Row:
    first, second = (side(*([each] if isinstance(each, Record) else each)) for each in (a, b))
    (found,) = (one for one in compare(first, second) if one.key[1:3] == (CASE, runner))
    return found


def ratio(a: Record | Sequence[Record], b: Record | Sequence[Record]) -> Estimate:
    found = row(a, b).ratio
    assert found is not None
    return found


def values(one: Record, role: str = "subject") -> dict[int, Any]:
    series = next(s for s in one.series if (s.case, s.runner, s.role) == (CASE, "thread_pool", role))
    return dict(zip(series.samples.round, series.samples.values["elapsed_ns"], strict=True))


def test_builds_of_one_run_are_paired_by_round() -> None:
    a, b = record(), record(build=NEW, speed={"thread_pool": 0.5})
    found = row(a, b)
    assert found.is_paired
    ours, theirs = values(b), values(a)
    between = BetweenRuns().variance(Block("across", "primes", CASE, "elapsed_ns"))
    assert found.ratio == pool([RunRounds("fixture-1", [ours[number] / theirs[number] for number in ours])], between)
    assert (found.outcome, found.way) == ("differs", "faster")
    assert found.words.startswith("2.0 times as fast (")
    assert row(b, a).words.startswith("takes 2.0 times as long (")


def test_runs_that_measured_both_are_pooled_and_others_left_out() -> None:
    shared = [{"run_id": f"run {number}", "seed": number} for number in range(3)]
    firsts = [record(**plan) for plan in shared]
    seconds = [record(build=NEW, **plan) for plan in shared]
    alone = record(run_id="alone", seed=9, build=NEW, speed={"thread_pool": 5.0})
    found = ratio(firsts, [*seconds, alone])
    assert sorted(run.run for run in found.runs) == ["run 0", "run 1", "run 2"]
    assert found.value == pytest.approx(1, rel=0.05)
    assert found.high - found.low < (once := ratio(firsts[0], seconds[0])).high - once.low


@pytest.mark.parametrize(
    ("a", "b", "is_paired"),
    [
        ({"build": REFERENCE}, {}, True),
        ({"seed": 1}, {"seed": 2}, False),
        ({}, {"machine": "another"}, False),
        ({}, {"run_id": "another"}, False),
        ({}, {"cpu": "another"}, False),
    ],
    ids=["its reference build", "two runs with one id", "another host", "another run", "another processor"],
)
def test_only_one_run_on_one_host_is_paired(a: dict[str, Any], b: dict[str, Any], *, is_paired: bool) -> None:
    assert row(record(**a), record(build=NEW, **b)).is_paired is is_paired


def test_other_runs_are_compared_through_the_reference() -> None:
    a = record(run_id="one", machine="fast")
    b = record(run_id="two", machine="slow", slowness=3.0, build=NEW, speed={"thread_pool": 0.5})
    found = ratio(a, b)
    key = SeriesKey("primes", CASE, "thread_pool", "subject")
    metric = SCENARIOS["primes"].metrics[0]
    to_a, to_b = (side(each)["primes"].against_reference(key, metric) for each in (a, b))
    assert to_a
    assert to_b
    assert found.value == pytest.approx(to_b.value / to_a.value)
    assert found.variance == pytest.approx(to_a.variance + to_b.variance)
    assert found.value == pytest.approx(0.5, rel=0.1)
    assert values(b)[1] > values(a)[1]


def test_the_reference_build_of_another_run_is_exactly_one() -> None:
    a = record(run_id="one", build=REFERENCE)
    b = record(**OTHER_RUN, speed={"thread_pool": 2.0})
    key, metric = SeriesKey("primes", CASE, "thread_pool", "subject"), SCENARIOS["primes"].metrics[0]
    to_reference = side(b)["primes"].against_reference(key, metric)
    assert to_reference
    assert ratio(a, b).low == pytest.approx(to_reference.low)


def is_thread_pool(role: str = "subject") -> Any:  # noqa: ANN401 - a function for `altered`
    def where(series: Series) -> bool:
        return (series.case, series.runner, series.role) == (CASE, "thread_pool", role)

    return where


def without(one: Record, role: str) -> Record:
    kept = [series for series in one.series if not is_thread_pool(role)(series)]
    return msgspec.structs.replace(one, series=kept)


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (record(), without(record(build=NEW), "subject"), "only one of the two has it"),
        (without(record(), "reference"), record(**OTHER_RUN), "the first has no ratio to the reference build"),
        (record(), without(record(**OTHER_RUN), "reference"), "the second has no ratio to the reference build"),
        (
            record(),
            record(**OTHER_RUN, reference=build("3.11.2")),
            "different reference builds: CPython 3.12.8 (Clang 20) and CPython 3.11.2 (Clang 20)",
        ),
        (
            record(),
            record(**OTHER_RUN, reference=msgspec.structs.replace(REFERENCE, variant=("aiohttp 3.13.5",))),
            "different reference builds: CPython 3.12.8 (Clang 20) and CPython 3.12.8 + aiohttp 3.13.5 (Clang 20)",
        ),
        (record(build=REFERENCE), record(build=REFERENCE, run_id="two"), BOTH_ARE_REFERENCES),
        (
            record(),
            altered(record(build=NEW), is_thread_pool(), lambda series: series.update(source_sha256="0" * 64)),
            "the runner's code differs",
        ),
        (
            record(),
            msgspec.structs.replace(record(build=NEW), scenario_sha256={"primes": "0" * 64}),
            "the scenario's code differs",
        ),
        (record(status={"thread_pool": "timed_out"}), record(build=NEW), "first: ran out of time: fixture: timed_out"),
    ],
)
def test_what_is_not_compared_says_why(a: Record, b: Record, why: str) -> None:
    found = row(a, b)
    assert (found.outcome, found.why_not) == ("not compared", why)
    assert found.words == f"not compared: {why}"


def test_a_run_that_failed_leaves_the_others() -> None:
    failed = record(build=NEW, run_id="z", status={"thread_pool": "timed_out"})
    assert row(record(), [record(build=NEW), failed]).ratio


def test_a_rejected_series_is_not_compared() -> None:
    def refuse(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"] = [10**10] * 12

    found = row(record(), altered(record(build=NEW), is_thread_pool(), refuse))
    assert found.why_not.startswith("second: ")
    assert "sanity gate" in found.why_not


def fitted(turns: int | None, run_id: str) -> Record:
    one = map_record(of=NEW)
    found = {} if turns is None else {"turns_per_ms": turns}
    return msgspec.structs.replace(one, run=msgspec.structs.replace(one.run, id=run_id, calibration=found))


@pytest.mark.parametrize(
    ("turns", "differing"),
    [
        (15_000, ""),
        (15_150, ""),
        (15_151, "15,000 and 15,151"),
        (14_000, "15,000 and 14,000"),
        (None, "15,000 and none"),
    ],
)
def test_maps_are_compared_if_tasks_computed_the_same(turns: int | None, differing: str) -> None:
    first, second = (side(fitted(*each), scenarios=MAP) for each in ((15_000, "one"), (turns, "two")))
    of_threads = [found for found in compare(first, second) if found.key.runner == "threads"]
    assert of_threads
    for found in of_threads:
        why = f"tasks computed different amounts in the two runs: turns per ms {differing}"
        assert found.why_not == (why if differing else "")


@pytest.mark.parametrize("other", [{"build": NEW}, OTHER_RUN])
def test_three_rounds_decide_what_is_plain(other: dict[str, Any]) -> None:
    found = row(record(rounds=3), record(rounds=3, speed={"thread_pool": 2.0}, **other))
    assert (found.outcome, found.way) == ("differs", "slower")


@pytest.mark.parametrize("other", [{"build": NEW}, OTHER_RUN])
def test_one_round_has_no_range_and_raises_nothing(other: dict[str, Any]) -> None:
    found = row(record(rounds=1), record(rounds=1, speed={"thread_pool": 2.0}, **other))
    assert found.words.startswith("takes 2.")
    assert found.words.endswith(" times as long (one round: no range)")
    assert found.outcome == "undecided"


def busy(one: Record) -> Record:
    return msgspec.structs.replace(one, machine=msgspec.structs.replace(one.machine, load_before=2.5))


def test_a_busy_run_decides_nothing() -> None:
    quiet, slow = record(), record(build=NEW, speed={"thread_pool": 2.0})
    assert row(quiet, slow).outcome == "differs"
    assert row(quiet, busy(slow)).outcome == row(busy(slow), quiet).outcome == "undecided"


def test_a_round_that_timed_out_leaves_its_series_undecided() -> None:
    def cut_a_round(series: dict[str, Any]) -> None:
        series["samples"]["status"][2], series["samples"]["reason"][2] = "timed_out", "slow"
        series.update(status="partial", reason="slow")

    slow = record(build=NEW, speed={"thread_pool": 2.0})
    assert row(record(), altered(slow, is_thread_pool(), cut_a_round)).outcome == "undecided"


def test_another_metric_can_be_named() -> None:
    first, second = side(record()), side(record(build=NEW))
    assert {found.metric.name for found in compare(first, second)} == {"elapsed_ns"}
    named = compare(first, second, "timer_worst_delay_ns")
    assert {found.metric.name for found in named} == {"timer_worst_delay_ns"}
    assert compare(first, second, "speed") == []


def packages(aiohttp: str, yarl: str = "1.0", *, requires: tuple[str, ...] | None = ("yarl",)) -> dict[str, Package]:
    return {
        "aiohttp": Package(aiohttp, None, requires=requires),
        "gevent": Package("1.0", None, requires=()),
        "yarl": Package(yarl, None, requires=()),
    }


def of_servers(run_id: str, of_build: dict[str, Package]) -> Side:
    made = make(SERVERS, Plan(build=NEW, run_id=run_id, packages=of_build))
    return side(made, scenarios=SERVERS)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (packages("3.14"), packages("4.0")),
        (packages("3.14"), packages("3.14", "2.0")),
        (packages("3.14", requires=None), packages("3.14", "2.0", requires=None)),
        (packages("3.14"), {}),
    ],
    ids=["its own", "one that it needs", "needs not known", "absent"],
)
def test_other_packages_of_the_reference_builds_would_cancel(
    ours: dict[str, Package], theirs: dict[str, Package]
) -> None:
    rows = {found.key.runner: found for found in compare(of_servers("1", ours), of_servers("2", theirs))}
    why = rows["aiohttp_awaiting"].why_not
    assert why.startswith("the reference builds have ")
    assert why.endswith(": what changed in both would cancel")
    assert rows["http_server_fair"].ratio


def test_packages_of_other_versions_are_named() -> None:
    rows = compare(of_servers("1", packages("3.14")), of_servers("1", packages("4.0", "2.0")))
    (found,) = {tuple(each.packages) for each in rows if each.key.runner == "aiohttp_awaiting"}
    assert found == ("aiohttp 3.14 and 4.0", "yarl 1.0 and 2.0")


def test_unlike_units_differ_in_words() -> None:
    exact = Estimate(2.0, 2.0, 2.0, 2.0, 2.0)
    key = SeriesKey("primes", CASE, "thread_pool", "subject")

    def way(unit: str, better: str) -> str:
        return Row(key, Metric("name", "Name", unit, better), (None, None), exact).way

    assert [way("ns", "lower"), way("per_s", "higher"), way("bytes", "lower")] == ["slower", "faster", "worse"]
    assert [way("ratio", "higher"), way("count", "neither")] == ["better", "more"]


def test_a_summary_counts_and_names_the_largest() -> None:
    speed = {"thread_pool": 2.0, "process_pool": 0.5, "asyncio_threads": 1.3}
    rows = compare(side(record()), side(record(build=NEW, speed=speed)))
    head, first, *others = summarise("new", "old", rows)
    assert head.startswith(f"new against old: of {len(rows)} series, ")
    assert " faster, " in head
    assert " slower, " in head
    assert first.startswith(("  slower: thread_pool in primes, ", "  faster: process_pool in primes, "))
    sizes = [each.size for each in rows if each.outcome == "differs"]
    assert len(others) + 1 == min(len(sizes), MAX_NAMED) + (len(sizes) > MAX_NAMED)
    assert summarise("new", "old", []) == []


def test_a_value_of_zero_is_infinitely_far() -> None:
    key = SeriesKey("primes", CASE, "thread_pool", "subject")
    metric = SCENARIOS["primes"].metrics[0]
    assert Row(key, metric, (None, None), Estimate(0.0, 0.0, 0.0, 0.0, 0.0)).size == math.inf

"""Which results can be compared, how, and with which outcome."""

from collections.abc import Mapping, Sequence
from operator import truediv
from typing import Any

import pytest
from factory import REFERENCE, Plan, altered, build, make_record, some_scenarios
from frames import impossible, is_subject, make_files
from map_factory import map_record
from msgspec.structs import replace

from generate.comparison import (
    BOTH_ARE_REFERENCES,
    MAX_NAMED,
    ONLY_ONE,
    WOULD_CANCEL,
    Row,
    compare,
    counts,
    largest_first,
    pool_sides,
    sum_up,
)
from generate.data.between_runs import BetweenRuns, Block
from generate.data.estimates import Estimate, RunRounds, fixed, pool
from generate.data.gate import check_records
from generate.words.numbers import describe
from generate.words.patterns import COMPARE_NOT, COMPARE_SERIES, COMPARE_SUMMARY
from generate.words.units import DURATION
from runners.harness.catalogue.scenarios import find
from runners.harness.contract import Metric
from runners.harness.record.model import Package, Record, SeriesKey

SCENARIOS = {"primes": some_scenarios()["primes"]}
MAP = {"crossover": find()["crossover"]}
SERVERS = {"blocking_server": some_scenarios()["blocking_server"]}
NEW = build("3.14.0")
CASE = "published"
KEY, METRIC = SeriesKey("primes", CASE, "thread_pool", "subject"), SCENARIOS["primes"].metrics[0]
OTHER_RUN = {"run_id": "two", "build": NEW}
is_thread_pool = is_subject("thread_pool")


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make_record(SCENARIOS, Plan(**plan))


def side(*records: Record, scenarios: Any = SCENARIOS) -> Mapping[str, Any]:  # noqa: ANN401 - a catalogue
    (only,) = pool_sides(check_records(make_files(*records), scenarios), scenarios, BetweenRuns()).values()
    return only


def row(a: Record | Sequence[Record], b: Record | Sequence[Record], runner: str = "thread_pool") -> Row:
    first, second = (side(*([each] if isinstance(each, Record) else each)) for each in (a, b))
    (compared,) = (made for made in compare(first, second) if made.key[1:3] == (CASE, runner))
    return compared


def ratio(a: Record | Sequence[Record], b: Record | Sequence[Record]) -> Estimate:
    compared = row(a, b).ratio
    assert compared is not None
    return compared


def values(made: Record) -> list[Any]:
    return next(s.samples.values["elapsed_ns"] for s in made.series if s.key == KEY)


def test_builds_of_one_run_are_paired_by_round() -> None:
    a, b = record(), record(build=NEW, speed={"thread_pool": 0.5})
    compared = row(a, b)
    assert compared.is_paired
    between = BetweenRuns().variance(Block("across", "primes", CASE, "elapsed_ns"))
    assert compared.ratio == pool([RunRounds("fixture-1", [*map(truediv, values(b), values(a))])], between)
    assert (compared.outcome, compared.way, row(b, a).way) == ("differs", "faster", "slower")
    assert compared.text == describe(compared.ratio, DURATION)


def test_only_runs_that_measured_both_are_pooled() -> None:
    firsts, seconds = ([record(build=of, run_id=f"run {n}", seed=n) for n in range(3)] for of in (build(), NEW))
    compared = ratio(firsts, [*seconds, record(run_id="single", seed=9, build=NEW, speed={"thread_pool": 5.0})])
    assert sorted(run.run for run in compared.runs) == ["run 0", "run 1", "run 2"]
    assert compared.value == pytest.approx(1, rel=0.05)
    assert compared.high - compared.low < (once := ratio(firsts[0], seconds[0])).high - once.low


def test_only_one_run_on_one_host_is_paired() -> None:
    assert row(record(build=REFERENCE), record(build=NEW)).is_paired
    for other in ({"machine": "another"}, {"run_id": "another"}, {"cpu": "another"}):
        assert not row(record(), record(**{"build": NEW, **other})).is_paired


def without(made: Record, role: str) -> Record:
    kept = [series for series in made.series if series.key[1:] != (CASE, "thread_pool", role)]
    return replace(made, series=kept)


def fitted(turns: int | None, run_id: str) -> Mapping[str, Any]:
    made, calibration = map_record(of=NEW), {} if turns is None else {"turns_per_ms": turns}
    return side(replace(made, run=replace(made.run, id=run_id, calibration=calibration)), scenarios=MAP)


@pytest.mark.parametrize(
    ("turns", "differing"),
    [(15_000, ""), (15_150, ""), (15_151, "15,000 and 15,151"), (14_000, "15,000 and 14,000"), (None, " and none")],
)
def test_maps_are_compared_if_tasks_computed_alike(turns: int | None, differing: str) -> None:
    rows = compare(fitted(15_000, "1"), fitted(turns, "2"))
    (why_not,) = {each.why_not for each in rows if each.key.runner == "threads"}
    assert bool(why_not) is bool(differing)
    assert why_not.endswith(differing)


def test_busy_run_decides_nothing() -> None:
    quiet, slow = record(), record(build=NEW, speed={"thread_pool": 2.0})
    busy = replace(slow, machine=replace(slow.machine, load_before=2.5))
    assert row(quiet, slow).outcome == "differs"
    assert row(quiet, busy).outcome == row(busy, quiet).outcome == "undecided"


def packages(aiohttp: str, yarl: str = "1.0", *, requires: tuple[str, ...] | None = ("yarl",)) -> dict[str, Package]:
    others = {name: Package(version, None, requires=()) for name, version in (("gevent", "1.0"), ("yarl", yarl))}
    return {"aiohttp": Package(aiohttp, None, requires=requires), **others}


def server_side(run_id: str, by_name: dict[str, Package]) -> Mapping[str, Any]:
    return side(make_record(SERVERS, Plan(build=NEW, run_id=run_id, packages=by_name)), scenarios=SERVERS)


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
def test_other_packages_of_reference_builds_would_cancel(ours: dict[str, Package], theirs: dict[str, Package]) -> None:
    rows = {compared.key.runner: compared for compared in compare(server_side("1", ours), server_side("2", theirs))}
    why = rows["aiohttp_awaiting"].why_not
    assert why.endswith(WOULD_CANCEL)
    assert rows["http_server_fair"].ratio


def test_packages_of_other_versions_are_named() -> None:
    rows = compare(server_side("1", packages("3.14")), server_side("1", packages("4.0", "2.0")))
    (compared,) = {tuple(each.packages) for each in rows if each.key.runner == "aiohttp_awaiting"}
    assert compared == ("aiohttp 3.14 and 4.0", "yarl 1.0 and 2.0")


def test_other_runs_are_compared_through_the_reference() -> None:
    a = record(run_id="one", machine="fast")
    b = record(run_id="two", machine="slow", slowness=3.0, build=NEW, speed={"thread_pool": 0.5})
    compared = ratio(a, b)
    to_a, to_b = (side(each)["primes"].against_reference(KEY, METRIC) for each in (a, b))
    assert to_a
    assert to_b
    assert compared.value == pytest.approx(to_b.value / to_a.value)
    assert compared.value == pytest.approx(0.5, rel=0.1)
    assert compared.variance == pytest.approx(to_a.variance + to_b.variance)
    assert ratio(record(run_id="one", build=REFERENCE), b).low == pytest.approx(to_b.low)


MEASURED, AGAIN = record(), record(build=NEW)
REJECTED = altered(AGAIN, is_thread_pool, impossible)
OTHER_CODE = altered(AGAIN, is_thread_pool, lambda series: series.update(source_sha256="0" * 64))


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (MEASURED, without(AGAIN, "subject"), ONLY_ONE),
        (without(MEASURED, "reference"), record(**OTHER_RUN), "the first has no "),
        (MEASURED, without(record(**OTHER_RUN), "reference"), "the second has no "),
        (MEASURED, record(**OTHER_RUN, reference=build("3.11.2")), "different reference builds: "),
        (record(build=REFERENCE), record(build=REFERENCE, run_id="two"), BOTH_ARE_REFERENCES),
        (MEASURED, OTHER_CODE, "the runner's code differs"),
        (MEASURED, replace(AGAIN, scenario_sha256={"primes": "0" * 64}), "the scenario's code differs"),
        (record(status={"thread_pool": "timed_out"}), AGAIN, "first: "),
        (MEASURED, REJECTED, "second: "),
    ],
)
def test_rows_that_are_not_compared_have_a_reason(a: Record, b: Record, why: str) -> None:
    compared = row(a, b)
    assert compared.outcome == "not compared"
    assert compared.why_not.startswith(why)
    assert compared.text == COMPARE_NOT.format(reason=compared.why_not)


def test_way_of_a_difference_depends_on_the_metric() -> None:
    metrics = [("ns", "lower"), ("per_s", "higher"), ("bytes", "lower"), ("ratio", "higher"), ("count", "neither")]
    ways = [Row(KEY, Metric("name", "Name", *kind), (None, None), fixed(2.0)).way for kind in metrics]
    assert ways == ["slower", "faster", "worse", "better", "more"]


def test_summary_counts_and_names_the_largest() -> None:
    speed = {"thread_pool": 2.0, "process_pool": 0.5, "asyncio_threads": 1.3}
    rows = compare(side(record()), side(record(build=NEW, speed=speed)))
    head, *lines = sum_up("new", "old", rows)
    assert head == COMPARE_SUMMARY.format(second="new", first="old", rows=len(rows), counts=", ".join(counts(rows)))
    none = Row(KEY, METRIC, (None, None), Estimate(0.0, 0.0, 0.0, 0.0, 0.0))
    assert largest_first([*rows, none])[0] is none
    names = [COMPARE_SERIES.format(**each.key._asdict()) for each in largest_first(rows)]
    assert [name for line, name in zip(lines, names, strict=False) if name in line] == names[:MAX_NAMED]
    assert len(lines) == min(len(names), MAX_NAMED) + (len(names) > MAX_NAMED)
    assert sum_up("new", "old", []) == []

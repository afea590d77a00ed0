"""Which runs are pooled into one result, and which are left out."""

from collections.abc import Callable
from typing import Any

import pytest
from factory import REFERENCE, Plan, altered, build, make_record, with_facts
from frames import make_file, make_files
from msgspec import structs

from generate.data.between_runs import BetweenRuns
from generate.data.files import MachineKey, ResultFile, ResultKey, relate
from generate.data.gate import check_records
from generate.data.selection import Result, newest_patches, pool_files, pool_results
from runners.harness.catalogue.scenarios import find
from runners.harness.record.model import Package, Record, SeriesKey

SCENARIOS = {name: find()[name] for name in ("primes", "blocking_server")}
PRIMES = SCENARIOS["primes"]
TIME = PRIMES.metrics[0]
POOL = SeriesKey("primes", "published", "thread_pool", "subject")
OLD, NEW = "2026-01-01", "2026-02-01"
"""Days of two runs, and their names."""


def measured(day: str = OLD, scenario: str = "primes", **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    record = make_record({scenario: SCENARIOS[scenario]}, Plan(**{"run_id": day, "rounds": 6, **plan}))
    return with_facts(record, run={"started": f"{day}T00:00:00Z", "finished": None})


def results(*records: Record, scenario: str = "primes") -> list[Result]:
    """Return the results of records, each in a file of its own: local if its run's name begins so."""
    files = [
        make_file(record, f"{'local/' if record.run.id.startswith('local') else ''}{number}.json")
        for number, record in enumerate(records)
    ]
    return list_results(*files, scenario=scenario)


def list_results(*files: ResultFile, scenario: str = "primes") -> list[Result]:
    return [*pool_results(SCENARIOS[scenario], check_records(relate(files), SCENARIOS), BetweenRuns()).values()]


def newest_builds(*records: Record) -> list[str]:
    return [key.build for key in newest_patches(pool_files(PRIMES, make_files(*records)))]


def only(*records: Record) -> Result:
    (result,) = results(*records)
    return result


def runs(result: Result) -> list[str]:
    return [run.run for run in result.runs]


def other_scenario_code(record: Record) -> Record:
    return structs.replace(record, scenario_sha256={"primes": "0" * 64})


def other_runner_code(record: Record) -> Record:
    return altered(record, lambda series: series.key == POOL, lambda series: series.update(source_sha256="0" * 64))


@pytest.mark.parametrize(
    ("change", "pooled"),
    [
        (lambda record: record, [NEW, OLD]),
        (lambda record: with_facts(record, machine={"load_before": 2.0}), [NEW, OLD]),
        (lambda record: with_facts(record, machine={"load_before": None, "steal_share": 0.01}), [NEW, OLD]),
        (lambda record: with_facts(record, machine={"load_before": 2.5}), [OLD]),
        (lambda record: with_facts(record, machine={"steal_share": 0.011}), [OLD]),
        (lambda record: with_facts(record, run={"finished": f"{OLD}T00:00:00Z"}), [OLD]),  # before it began
        (lambda record: with_facts(record, build={"flags": "--without-pymalloc"}), [NEW]),
        (lambda record: with_facts(record, build={"compiler": "GCC 14"}), [NEW]),
        (lambda record: with_facts(record, build={"origin": "elsewhere", "pgo": None}), [NEW, OLD]),
        (other_scenario_code, [OLD]),
    ],
)
def test_runs_pool_if_undisturbed_and_of_the_same_code(change: Callable[[Record], Record], pooled: list[str]) -> None:
    result = only(measured(), change(measured(NEW)))
    assert runs(result) == pooled
    assert result.why_undecided == ""
    assert runs(only(change(measured(NEW)))) == [NEW]
    estimate = result.estimate(POOL, TIME)
    assert estimate is not None
    assert [(run.run, run.rounds) for run in estimate.runs] == [(run, 6) for run in pooled]


def test_a_busy_run_or_debug_reference_decides_nothing() -> None:
    busy = only(with_facts(measured(), machine={"load_before": 2.5}))
    assert "busy: load 2.5" in busy.why_undecided
    debug = only(measured(reference=structs.replace(REFERENCE, flags="--with-pydebug")))
    for result, estimates in ((busy, (busy.estimate(POOL, TIME), busy.against_baseline(POOL, TIME))), (debug, ())):
        for estimate in (*estimates, result.against_reference(POOL, TIME)):
            assert estimate is not None
            assert estimate.has_range
            assert not estimate.may_decide
    assert debug.against_baseline(POOL, TIME).may_decide  # type: ignore[union-attr]


def test_the_newest_full_run_gives_the_facts() -> None:
    result = only(measured(rounds=12), measured(NEW, rounds=3, profile="quick"))
    assert (runs(result), result.newest.run) == ([NEW, OLD], OLD)


def test_at_most_twelve_runs_pool() -> None:
    every = [measured(f"2026-01-{day:02}") for day in range(1, 15)]
    assert runs(only(*every)) == [f"2026-01-{day:02}" for day in range(14, 2, -1)]


def with_packages(day: str, version: str) -> Record:
    return measured(day, "blocking_server", packages={"aiohttp": Package(version, "0" * 64)})


def test_a_series_pools_only_runs_of_its_code_and_packages() -> None:
    result = only(measured(NEW), other_runner_code(measured()))
    assert [run.run for run in result.runs_with(POOL)] == [NEW]
    assert [run.run for run in result.runs_with(POOL._replace(runner="process_pool"))] == [NEW, OLD]
    (server,) = results(with_packages(OLD, "3.13.0"), with_packages(NEW, "3.13.5"), scenario="blocking_server")
    key = SeriesKey("blocking_server", "tenth", "aiohttp_awaiting", "subject")
    assert [run.run for run in server.runs_with(key)] == [NEW]
    assert [run.run for run in server.runs_with(key._replace(runner="http_server_fair"))] == [NEW, OLD]


@pytest.mark.parametrize(
    ("change", "machine"),
    [
        (lambda record: with_facts(record, machine={"cpu": "Another CPU"}), "fixture-host"),
        (lambda record: with_facts(record, machine={"usable_cores": 4}), "fixture-host"),
        (lambda record: with_facts(record, machine={"label": "another-host"}), "another-host"),
        (lambda record: with_facts(record, run={"id": "local-1"}), "fixture-host"),
    ],
)
def test_another_machine_is_another_result(change: Callable[[Record], Record], machine: str) -> None:
    seen = results(measured(NEW), change(measured()))
    assert [len(result.runs) for result in seen] == [1, 1]
    assert seen[1].machine == machine
    assert seen[0].machine_key != seen[1].machine_key
    assert seen[0].key.key != seen[1].key.key


def test_addresses_name_the_processor_and_mark_local_results() -> None:
    host = MachineKey("linux-2-core", local=False, processor="Intel(R) Xeon(R)  CPU", cores=2)
    assert host.key == "linux-2-core-intel-xeon-cpu"
    assert host._replace(cores=4).key == "linux-2-core-4-cores-intel-xeon-cpu"
    local = ResultKey(host._replace(local=True), "cpython-3.14.0")
    assert local.key == "linux-2-core-intel-xeon-cpu-cpython-3.14.0-local"


@pytest.mark.parametrize(
    "new",
    [
        measured(NEW, build=build("3.14.10"), machine="another"),
        measured(NEW, build=build("3.14.10"), cpu="Another CPU"),
        measured(NEW, build=build("3.14.10", free_threaded=True)),
        measured(NEW, build=build("3.15.0")),
        with_facts(measured(NEW, build=build("3.14.10")), build={"variant": ("aiohttp 3.13.5",)}),
        with_facts(measured(NEW, build=build("3.14.10")), machine={"load_before": 2.5}),
    ],
)
def test_only_newer_patch_releases_replace_older_ones(new: Record) -> None:
    old, newer = measured(build=build("3.14.2")), measured(build=build("3.14.10"))
    assert "cpython-3.14.2" in newest_builds(old, new)
    candidate = measured(NEW, build=build("3.14.10rc1"))
    assert newest_builds(old, newer, candidate) == ["cpython-3.14.10"]


def test_counterparts_are_paired_within_their_runs() -> None:
    plain, free = build("3.14.0"), build("3.14.0", free_threaded=True)
    records = [
        measured(when, build=each, reference=plain, run_id=when, seed=seed)
        for seed, when in enumerate((OLD, NEW))
        for each in (plain, free)
    ]
    seen = {result.build: result for result in results(*records)}
    against = seen["cpython-3.14.0t"].against_counterpart(POOL, TIME)
    assert against is not None
    assert [run.run for run in against.runs] == [NEW, OLD]
    assert seen["cpython-3.14.0"].against_counterpart(POOL, TIME) is None
    threads = seen["cpython-3.14.0t"].against_counterpart(POOL, TIME, "sync_loop")
    assert threads is not None
    assert threads.value != against.value


def test_another_reference_build_is_not_pooled() -> None:
    first = measured(build=build("3.14.0"), reference=REFERENCE)
    second = measured(NEW, build=build("3.14.0"), reference=build("3.13.0"))
    estimate = only(first, second).against_reference(POOL, TIME)
    assert estimate is not None
    assert [run.run for run in estimate.runs] == [NEW]
    assert only(first, second).against_baseline(POOL, TIME).rounds == 12  # type: ignore[union-attr]


def test_absent_series_has_no_estimate() -> None:
    result = only(measured())
    absent = POOL._replace(runner="absent")
    assert result.runs_with(absent) == []
    assert result.series(absent) is None
    for estimate in (
        result.estimate(absent, TIME),
        result.against_baseline(absent, TIME),
        result.against_reference(absent, TIME),
        result.against_counterpart(POOL, TIME),
        result.ratio(POOL, absent, TIME),
    ):
        assert estimate is None


@pytest.mark.parametrize(("status", "ratio"), [({}, 1), ({"sync_loop": "failed"}, None)])
def test_a_series_over_itself_is_one_if_it_has_a_value(status: dict[str, str], ratio: float | None) -> None:
    result = only(measured(status=status, build=REFERENCE))
    base = POOL._replace(runner="sync_loop")
    for estimate in (result.against_baseline(base, TIME), result.against_reference(base, TIME)):
        assert (estimate and estimate.value) == ratio

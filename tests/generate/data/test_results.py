"""The results that pages show, and the first of them."""

from typing import Any

import pytest
from factory import Plan, build, make_record, with_facts
from frames import make_file
from msgspec import structs

from generate.data.between_runs import BetweenRuns
from generate.data.files import ResultFile, relate
from generate.data.gate import check_records
from generate.data.results import Results
from runners.harness.catalogue.scenarios import find

SCENARIOS = {name: find()[name] for name in ("primes", "queue_depth")}
OLDER, PLAIN, FREE = build("3.13.0"), build("3.14.0"), build("3.14.0", free_threaded=True)
NEWER, CANDIDATE = build("3.15.1"), build("3.16.0rc1")


def files(run: str, *builds: Any, local: bool = False, **plan: Any) -> list[ResultFile]:  # noqa: ANN401 - of a Plan
    """Return the files of a run of some builds, the first being the reference."""
    made = []
    for number, each in enumerate(builds or (PLAIN,)):
        record = make_record(
            {"primes": SCENARIOS["primes"]},
            Plan(build=each, reference=builds[0] if builds else PLAIN, run_id=run, rounds=3, **plan),
        )
        made.append(make_file(record, f"{'local/' if local else ''}{run}/{number}.json"))
    return made


def collected(*runs: list[ResultFile]) -> Results:
    every = [file for run in runs for file in run]
    return Results.pool(SCENARIOS, relate(every), check_records(relate(every), SCENARIOS), BetweenRuns())


def builds(results: Results) -> list[str]:
    return [cell.build for cell in results.current["primes"]]


def busy(run: list[ResultFile]) -> list[ResultFile]:
    return [make_file(with_facts(file.record, machine={"load_before": 9.0}), file.path) for file in run]


def test_pages_begin_with_the_newest_python_with_a_counterpart() -> None:
    variant = structs.replace(PLAIN, variant=("aiohttp 3.13.5",))
    results = collected(files("one", OLDER, PLAIN, FREE, NEWER, CANDIDATE, variant))
    assert builds(results) == [
        "cpython-3.14.0",
        "cpython-3.15.1",
        "cpython-3.13.0",
        "cpython-3.16.0rc1",
        "cpython-3.14.0t",
        "cpython-3.14.0+aiohttp-3.13.5",
    ]
    first = results.first("primes")
    assert first is not None
    assert first.build == "cpython-3.14.0"
    counterpart = results.without_gil(first, "primes")
    assert counterpart is not None
    assert counterpart.build == "cpython-3.14.0t"
    assert results.without_gil(counterpart, "primes") is None


def test_the_machine_with_most_runs_comes_first() -> None:
    few, many = files("one", cpu="AMD EPYC"), [files(run, OLDER, PLAIN, cpu="Intel Xeon") for run in ("two", "three")]
    results = collected(few, *many)
    assert [host.processor for host in results.machine_keys("primes")] == ["Intel Xeon", "AMD EPYC"]
    assert [len(cell.runs) for cell in results.results] == [2, 2, 1]
    assert [cell.build for cell in results.machine_results("primes")] == ["cpython-3.13.0", "cpython-3.14.0"]


@pytest.mark.parametrize(("is_busy", "order"), [(False, [(True, 1), (False, 2)]), (True, [(False, 2), (True, 1)])])
def test_ones_own_machine_is_first_if_it_decides(order: list[tuple[bool, int]], *, is_busy: bool) -> None:
    own = files("own", local=True)
    results = collected(files("one"), files("two"), busy(own) if is_busy else own, busy(files("disturbed")))
    assert [(cell.key.local, len(cell.runs)) for cell in results.current["primes"]] == order
    assert "disturbed/0.json" not in results.current_paths


def test_builds_are_compared_by_one_reference() -> None:
    results = collected(files("one", OLDER, PLAIN), files("two", NEWER, CANDIDATE))
    first = results.first("primes")
    assert first is not None
    references = {cell.record.reference_build for cell in results.with_one_reference("primes")}
    assert references == {first.record.reference_build}


def test_rows_are_kept_by_result_case_and_runner() -> None:
    results = collected(files("one", PLAIN, FREE))
    cell = results.results[0]
    row = results.value(cell, "primes", "published", "thread_pool", "elapsed_ns")
    assert row is not None
    assert row.cell == cell.key.key
    assert results.row(cell, "primes", "published", "absent", "elapsed_ns") is None
    assert results.case_rows(cell, "queue_depth", "published") == []
    assert len(results.table) == sum(map(len, results.rows.values()))


@pytest.mark.parametrize("records", [(), (busy(files("one")),)])
def test_without_runs_that_count_nothing_breaks(records: tuple[list[ResultFile], ...]) -> None:
    results = collected(*records)
    assert results.first("queue_depth") is None
    assert results.machine_results("queue_depth") == []
    assert len(results.table) == sum(map(len, results.rows.values()))

"""A synthetic map: what each model takes at every point follows from plain arithmetic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from factory import Plan, build, make_record

from generate.data.between_runs import BetweenRuns, Block, Excess
from generate.data.files import ResultFile
from generate.data.gate import check_records
from generate.data.selection import pool_results
from generate.data.work_map import MEMORY_KIND, WorkMap, work_map
from runners.crossover._points import LONGEST_BOUND_US, Place, places
from runners.harness.catalogue import scenarios
from runners.harness.record.model import Build, Record, Series, Status

ALIKE = BetweenRuns(
    {
        Block(compared, "crossover", "", metric): Excess(0.0, 99)
        for compared in ("value", "within")
        for metric in ("elapsed_ns", "share_of_points")
    }
)
"""Runs hardly differ."""
CASES = ("10 tasks", "1,000 tasks")
CORES = 2
TAKES_US: Mapping[str, Callable[[int, Place], float]] = {
    "sync_loop": lambda tasks, at: tasks * (at.compute_us + at.wait_us) + 5,
    "asyncio_tasks": lambda tasks, at: tasks * (at.compute_us + 20) + at.wait_us + 300,
    "greenlets": lambda tasks, at: tasks * (at.compute_us + 20) + at.wait_us + 301,
    "threads": lambda tasks, at: tasks * (at.compute_us + 60) + at.wait_us + 200,
    "process_pool": lambda tasks, at: tasks * (at.compute_us + at.wait_us) / CORES + 80_000,
}
"""By runner: what it takes for a number of tasks at a point. The other runners fail."""


def map_record(cases: Sequence[str] = CASES, of: Build | None = None, rounds: int = 9) -> Record:
    """Make the record of a map with these numbers of tasks."""
    scenario = scenarios.find()["crossover"]
    some = replace(scenario, cases={name: scenario.cases[name]._replace(full=True) for name in cases})
    failing: dict[str, Status] = dict.fromkeys({*some.runners} - {*TAKES_US}, "failed")
    plan = Plan(build=of or build(), rounds=rounds, status=failing, run_id="fixture-map")
    record = make_record({"crossover": some}, plan)
    run = msgspec.structs.replace(record.run, profile="map", calibration={"turns_per_ms": 15_000})
    series = [_at_all_points(each, some.cases[each.case].parameters) for each in record.series]
    return msgspec.structs.replace(record, run=run, series=series)


def drawn(*records: Record) -> WorkMap:
    """Return the map of some runs of one machine and build."""
    catalogue = scenarios.find()
    files = [ResultFile(f"{n}.json", record, "0" * 64, local=False, size_bytes=1) for n, record in enumerate(records)]
    (result,) = pool_results(catalogue["crossover"], check_records(files, catalogue), ALIKE).values()
    return work_map(result)


def _at_all_points(series: Series, parameters: Mapping[str, Any]) -> Series:
    takes = TAKES_US.get(series.runner)
    if takes is None:
        return series
    tasks, rounds = int(parameters["tasks"]), series.samples.round
    facts = {"cores_count": CORES, "tasks_count": tasks, "compute_1ms_taken_ns": 1_000_000}
    values: dict[str, list[Any]] = {name: [fact] * len(rounds) for name, fact in facts.items()}
    for place in places(str(parameters["kind"]), tasks, CORES):
        takes_us = takes(tasks, place)
        if takes_us > LONGEST_BOUND_US:
            values[f"{place.column}_bound_ns"] = [round(takes_us * 1e3)] * len(rounds)
            continue
        wobble = 0.003 if series.role == "control" else 0.0
        wobbling = (1 + wobble * (-1) ** number for number in rounds)
        values[f"{place.column}_elapsed_ns"] = [round(takes_us * 1e3 * times) for times in wobbling]
        values[f"{place.column}_cpu_us"] = [round(tasks * (place.compute_us + 15))] * len(rounds)
        if parameters["kind"] == MEMORY_KIND:
            of_one = 16_000 if series.runner == "threads" else 2_000
            values[f"{place.column}_fresh_memory_bytes"] = [tasks * of_one] * len(rounds)
        values[f"{place.column}_median_us"] = values[f"{place.column}_worst_us"] = [round(takes_us)] * len(rounds)
    return msgspec.structs.replace(series, samples=msgspec.structs.replace(series.samples, values=values))

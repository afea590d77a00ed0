"""Makes synthetic records for tests and for timing the generator. FIXTURES: nothing here was ever measured.

The same arguments give the same record. It may have any builds, any scenarios of a catalogue, any number of rounds and
any failures; unless a fault is planted it passes the sanity gate. Nothing of it is ever written under results/.
"""

import functools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

import msgspec

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.record.codec import decode
from runners.harness.record.model import Build, Machine, Observed, Package, Record, Role, Run, Samples, Series, Status

COMMIT = "f" * 40
SPREAD = 0.02
"""Standard deviation of the made-up noise, as a share."""


def build(version: str = "3.13.1", *, free_threaded: bool = False, implementation: str = "CPython") -> Build:
    return Build(
        implementation=implementation,
        version=version,
        free_threaded=free_threaded,
        gil_at_start=not free_threaded,
        jit=None,
        compiler="Clang 20",
        flags="--enable-optimizations",
        origin="fixture",
        variant=(),
        pgo=True,
        lto=True,
        jit_compiled=None,
        shared=False,
        frame_pointers=False,
        variables=(),
        options=(),
    )


REFERENCE = build("3.12.8")

EXTRA: dict[str, dict[str, Any]] = {
    "queue_depth": {
        "items_count": 100_000,
        "item_latency_total_ns": 10**9,
        "depth_trace_count": list(range(200)),
        "latency_trace_us": list(range(200)),
    },
    "moving_data": {"handing_over_ns": 10**9},
    "gil_wait": {"wake_up_all_delays_ns": 40_000_000, "wake_ups_count": 8},
}
"""By scenario: raw columns that its computed metrics need. Without them those have no value of made-up samples."""


@dataclass(frozen=True)
class Plan:
    build: Build = field(default_factory=build)
    reference: Build = REFERENCE
    machine: str = "fixture-host"
    cores: int = 2
    rounds: int = 12
    run_id: str = "fixture-1"
    seed: int = 0
    speed: Mapping[str, float] = field(default_factory=dict)
    """By runner: how many times its time is to be multiplied."""
    slowness: float = 1.0
    """How many times slower this host is than another; the reference build suffers it too."""
    status: Mapping[str, Status] = field(default_factory=dict)
    """By runner: a status other than ok, for all its samples."""
    complete: bool = True
    dirty: bool | None = False
    profile: Literal["quick", "full"] = "full"
    run_name: str = ""
    """Of the whole run; empty: that of its cell."""
    kind: Literal["cell", "by_product"] = "cell"
    packages: dict[str, Package] = field(default_factory=dict)
    cpu: str = "Fixture CPU"


def make_record(scenarios: Mapping[str, Scenario], plan: Plan | None = None) -> Record:
    plan = plan or Plan()
    series = [_Maker(plan, *arguments).series() for arguments in _all_series(scenarios, plan)]
    return Record(
        schema_version=2,
        kind=plan.kind,
        complete=plan.complete,
        run=run(plan),
        machine=Machine(
            label=plan.machine,
            cpu=plan.cpu,
            architecture="x86_64",
            logical_cores=plan.cores,
            usable_cores=plan.cores,
            memory_bytes=8_000_000_000,
            os="Fixture OS 1",
            kernel="1.0",
            virtual=None,
            load_before=0.1,
            load_after=1.0,
            steal_share=0.0,
            governor=None,
        ),
        build=plan.build,
        reference_build=plan.reference,
        packages=plan.packages,
        reference_packages=plan.packages,
        scenario_sha256={name: scenarios[name].scenario_sha256 for name in dict.fromkeys(s.scenario for s in series)},
        series=series,
    )


def run(plan: Plan) -> Run:
    return Run(
        id=plan.run_id,
        name=plan.run_name or plan.run_id,
        started="2026-01-01T00:00:00Z",
        finished="2026-01-01T00:20:00Z" if plan.complete else None,
        commit=COMMIT,
        dirty=plan.dirty,
        rounds=plan.rounds,
        seed=plan.seed,
        url=None,
        scenarios=[],
        runners=[],
        profile=plan.profile,
        trigger="local",
        wall_ns={"measured": 1_000_000_000},
    )


def _all_series(scenarios: Mapping[str, Scenario], plan: Plan) -> Iterator[tuple[Scenario, str, Runner, Role]]:
    for scenario in scenarios.values():
        for (case, facts), runner in product(scenario.cases.items(), scenario.runners.values()):
            if runner.takes_part(facts) and (facts.quick if plan.profile == "quick" else facts.full):
                yield scenario, case, runner, "subject"
                if (case, runner.name) == scenario.find_baseline(scenario.find_block(case)):
                    yield scenario, case, runner, "control"
                if plan.build != plan.reference:
                    yield scenario, case, runner, "reference"


class _Maker:
    def __init__(self, plan: Plan, scenario: Scenario, case: str, runner: Runner, role: Role) -> None:
        self.plan, self.scenario, self.case, self.runner, self.role = plan, scenario, case, runner, role
        self.parameters = scenario.cases[case].parameters
        self.built = plan.reference if role == "reference" else plan.build
        drawn_as = "subject" if role == "reference" else role  # the same samples as in the reference build's own file
        name = f"{plan.run_id} {plan.seed} {self.built} {scenario.name} {case} {runner.name} {drawn_as}"
        self.random = random.Random(name)  # noqa: S311 - made-up noise
        limits = {"one": 1, "workers": plan.cores}
        self.limit = limits.get(runner.at_once or "", int(self.parameters.get("at_once", 4)))
        self.status: Status = plan.status.get(runner.name, "ok") if role == "subject" else "ok"

    def series(self) -> Series:
        gil, reason = self.built.gil_at_start, None if self.status == "ok" else f"fixture: {self.status}"
        observed = Observed(gil_before=gil, gil_after_imports=gil, gil_after_run=gil, asked_at_once=self.limit)
        rounds = range(1, self.plan.rounds + 1) if self.status not in {"unsupported", "not_reached"} else range(0)
        rows = [self._row(number) for number in rounds]
        if self.role == "reference":  # another file holds its lists
            rows = [{name: row[name] for name in row if not isinstance(rows[0][name], list)} for row in rows]
        return Series(
            scenario=self.scenario.name,
            case=self.case,
            runner=self.runner.name,
            role=self.role,
            source_sha256=self.runner.source_sha256,
            status=self.status,
            reason=reason,
            observed=observed if rows else None,
            samples=Samples(
                round=list(rounds),
                position=[self.random.randrange(8) for _ in rounds],
                status=[self.status] * len(rows),
                reason=[reason] * len(rows),
                warm_up_us=[1_000_000] * len(rows),
                values={name: [row[name] for row in rows] for name in (rows[0] if rows else ())},
            ),
        )

    def _row(self, number: int) -> dict[str, Any]:
        drift = 1 + 0.1 * random.Random(f"{self.plan.seed} {number}").random()  # noqa: S311 - shared by the round
        jobs_ns = 1e9 * drift * self.plan.slowness
        factor = self.plan.speed.get(self.runner.name, 1.0) if self.role != "reference" else 1.0
        serves = {"requests", "at_once"} <= self.parameters.keys()
        return self._load(factor) if serves else self._work(number, jobs_ns, factor)

    def _noisy(self, value: float) -> int:
        return round(value * (1.05 + abs(self.random.gauss(0, SPREAD))))

    def _work(self, number: int, jobs_ns: float, factor: float) -> dict[str, Any]:
        elapsed_ns = self._noisy(jobs_ns * factor)
        row: dict[str, Any] = {
            "elapsed_ns": elapsed_ns,
            "cpu_us": round(elapsed_ns * 0.0009),
            "largest_process_peak_bytes": 20_000_000 + self.random.randrange(1_000_000),
            "longest_job_ns": round(jobs_ns / 4),
            "all_jobs_ns": round(jobs_ns),
        }
        for metric in self.scenario.metrics:
            if metric.compute is None and not metric.name.startswith("latency_"):  # only servers have latencies
                row.setdefault(metric.name, self._noisy(1_000_000))
        first = self.scenario.metrics[0].name
        if first in row and (ideal := self._ideal(row)):
            row[first] = self._noisy(max(row[first], ideal * factor))
        extra = EXTRA.get(self.scenario.name, {})
        return row | {name: None if "_trace_" in name and number > 1 else cell for name, cell in extra.items()}

    def _load(self, factor: float) -> dict[str, Any]:
        """Answers that come evenly: with each latency in a closed loop of few requests, else with three latencies."""
        requests, at_once = int(self.parameters["requests"]), int(self.parameters["at_once"])
        if self.scenario.metrics[0].unit == "per_s" and "rate_per_s" not in self.parameters:
            elapsed_ns = self._noisy(requests / (self._ideal({}) or 50.0) * 1e9 * factor)
            mean_us = elapsed_ns / 1e3 * at_once / requests * 0.97
            all_us = sorted(round(mean_us * (1 + self.random.uniform(-0.1, 0.1))) for _ in range(requests))
            steps_us = [b - a for a, b in zip([0, *all_us], all_us, strict=False)]
            latencies = {"latency_all_us": sum(all_us), "latency_steps_us": steps_us}
        else:
            median_us = self._noisy(8_000 * factor)
            rate_per_s = float(self.parameters.get("rate_per_s", at_once / median_us * 0.9e6))
            elapsed_ns = self._noisy(requests / rate_per_s * 1e9)
            names = {"latency_all_us": requests, "latency_median_us": 1, "latency_p99_us": 2, "latency_worst_us": 3}
            latencies = {name: median_us * times for name, times in names.items()}
            latencies |= {"load_start_late_us": self._noisy(90)} if "rate_per_s" in self.parameters else {}
        return latencies | {
            "elapsed_ns": elapsed_ns,
            "cpu_us": elapsed_ns // 3000,
            "tree_cpu_us": elapsed_ns // 2000,
            "tree_proportional_bytes": 40_000_000,
            "largest_process_peak_bytes": 30_000_000,
            "completed_count": requests,
            "failed_count": 0,
            "load_cpu_ns": elapsed_ns // 10,
            "load_peak_in_flight_count": at_once,
        }

    def _ideal(self, baseline: Mapping[str, Any]) -> float | None:
        compute = self.scenario.ideal.compute
        return compute({**self.parameters, "limit": self.limit}, self.plan.cores, baseline) if compute else None


@functools.cache
def some_scenarios() -> dict[str, Scenario]:
    """Return two scenarios as the catalogue reads them: one that computes, one that serves."""
    names = ("blocking_server", "primes")
    return {name: catalogue.read_scenario(catalogue.RUNNERS / name, "runners") for name in names}


def with_facts(record: Record, **facts: Mapping[str, Any]) -> Record:
    """Return *record* with other facts of its parts, as machine={"load_before": 9.0}."""
    parts = {part: msgspec.structs.replace(getattr(record, part), **changes) for part, changes in facts.items()}
    return msgspec.structs.replace(record, **parts)


def altered(record: Record, where: Callable[[Series], bool], change: Callable[[dict[str, Any]], None]) -> Record:
    """Return *record* with *change* made to each series that *where* picks, as plain dicts and lists."""
    tree = msgspec.to_builtins(record)
    picked = [index for index, series in enumerate(record.series) if where(series)]
    assert picked, "a fault that is planted nowhere would be found nowhere"
    for index in picked:
        change(tree["series"][index])
    return decode(msgspec.json.encode(tree))

"""A run from its first sample to its last: files and interruptions. The launcher is a fake."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import msgspec
import pytest
from planted import by_runner, read, session, task

from runners.harness.builds import environments
from runners.harness.errors import UserError
from runners.harness.http_load import origin_sites
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import SampleResult, Task
from runners.harness.record.model import Observed, Record, Value
from runners.harness.run import new_run
from runners.harness.run.session import Session

NAMES = ("misbehaving", "hanging")
VERSIONS = ("3.11.7", "3.10.2", "3.12.1")
VALUES: dict[str, Value] = {"elapsed_ns": 5, "latency_steps_us": [1, 2], "depth_trace_count": [1, 2, 3]}


class Fake:
    """Takes samples in no time, and may be interrupted at one of them."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.interrupted_at = 0
        self.before: Callable[[], object] = lambda: None

    def __call__(self, _launcher: object, task: Task, _converse: object) -> SampleResult:
        self.tasks.append(task)
        self.before()
        if len(self.tasks) == self.interrupted_at:
            raise KeyboardInterrupt
        if task.message["runner"] == "forever":
            return SampleResult("timed_out", "late", phases={"warm_up": 1}, wall_ns=3)
        return SampleResult("ok", None, VALUES, Observed(gil_before=True), {"warm_up": 1, "measured": 5}, 10)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Replace the launcher; time passes one second per sample."""
    taking = Fake()
    monkeypatch.setattr(launch, "take", taking)
    monkeypatch.setattr(launch, "Launcher", nullcontext)
    for module in ("session", "new_run"):
        clock = SimpleNamespace(monotonic=lambda: float(len(taking.tasks)))
        monkeypatch.setattr(f"runners.harness.run.{module}.time", clock)
    monkeypatch.setattr(environments, "compile_runners", lambda _: None)
    return taking


def samples_in(run: Session, build: int = 0) -> int:
    return sum(len(series.samples.round) for series in read(run, build).series)


def test_file_is_valid_after_each_sample(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, NAMES)
    seen: list[tuple[int, Record]] = []
    fake.before = lambda: seen.append((samples_in(run), read(run)))
    run.measure()
    assert [count for count, _ in seen] == [*range(len(fake.tasks))]
    assert {(each.complete, each.run.finished, each.machine.load_after) for _, each in seen} == {(False, None, None)}
    assert (samples_in(run), read(run).complete) == (len(fake.tasks), True)
    assert None not in {read(run).run.finished, read(run).machine.load_after}
    label = "../Ann's desk/2"
    object.__setattr__(run.order, "machine", msgspec.structs.replace(run.order.machine, label=label))
    run.write(0)
    assert [path.parent for path in run.paths()] == [tmp_path], "an odd label stays inside the folder"
    assert read(run).machine.label == label


@pytest.mark.parametrize(
    ("part", "wrong", "field"),
    [
        ("machine", {"os": ""}, "$.machine.os"),
        ("machine", {"cpu": "x" * 300}, "$.machine.cpu"),
        ("machine", {"load_before": math.nan}, "not finite"),
        ("machine", {"kernel": "\udce9"}, "utf-8"),
        ("run", {"started": "today"}, "$.run.started"),
    ],
)
def test_record_that_can_not_be_read_back_is_never_written(
    fake: Fake, tmp_path: Path, part: str, wrong: dict[str, object], field: str
) -> None:
    run = session(tmp_path, NAMES)
    object.__setattr__(run.order, part, msgspec.structs.replace(getattr(run.order, part), **wrong))
    with pytest.raises(UserError, match=re.escape(field)):
        run.measure()
    assert (fake.tasks, [*tmp_path.iterdir()]) == ([], [])


@pytest.mark.parametrize("interrupted_at", [1, 17, 40])
def test_interrupted_run_continues_with_missing_samples(fake: Fake, tmp_path: Path, interrupted_at: int) -> None:
    complete = session(tmp_path / "complete", NAMES, versions=VERSIONS)
    complete.measure()
    all_tasks, fake.tasks, fake.interrupted_at = fake.tasks, [], interrupted_at
    interrupted = session(tmp_path / "interrupted", NAMES, versions=VERSIONS)
    with pytest.raises(KeyboardInterrupt):
        interrupted.measure()
    assert not any(read(interrupted, build).complete for build in range(3))
    assert sum(samples_in(interrupted, build) for build in range(3)) == interrupted_at - 1
    fake.interrupted_at = 0
    again = session(tmp_path / "interrupted", NAMES, versions=VERSIONS)
    for build, builder in enumerate(again.builders):
        builder.restore(read(interrupted, build))
    again.measure()
    assert fake.tasks[interrupted_at:] == all_tasks[interrupted_at - 1 :]
    for build in range(3):
        record, expected = read(again, build), read(complete, build)
        run = msgspec.structs.replace(record.run, finished=expected.run.finished)
        machine = expected.machine  # its loads and times are those of now
        assert msgspec.structs.replace(record, run=run, machine=machine) == expected


def test_run_out_of_time_records_gaps_and_resumes(tmp_path: Path, fake: Fake) -> None:
    run = session(tmp_path, NAMES, rounds=2)
    with pytest.raises(UserError, match=f"{len(run.steps) - 3} of {len(run.steps)} samples"):
        new_run.carry_out(run, minutes=2.5 / 60)
    record = read(run)
    assert (len(fake.tasks), samples_in(run)) == (3, 3)
    assert (record.complete, record.run.finished is None) == (False, False)
    assert run.not_reached() == run.steps[3:]
    missing = {series.reason for series in record.series if series.status == "not_reached"}
    assert missing == {"the run ended before it"}
    new_run.carry_out(run)
    assert (samples_in(run), read(run).complete) == (len(run.steps), True)


def test_unmeasurable_series_are_not_tried(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, NAMES, rounds=5)
    run.measure()
    late = by_runner(read(run))["forever", "subject"]
    assert (late.status, sorted(late.samples.round)) == ("timed_out", [1, 2, 3, 4, 5])
    tried = Counter(task.message["runner"] for task in fake.tasks)
    assert tried == {"breaks": 5, "doubles": 10, "misspells_its_limit": 5, "runs_too_many": 5, "forever": 4}
    doubled = {task.message["seed"]: task for task in fake.tasks if task.message["runner"] == "doubles"}
    assert all(task == doubled[task.message["seed"]] for task in fake.tasks if task.message["runner"] == "doubles")


def test_budget_and_calibration_reach_the_scenarios_concerned(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, NAMES, rounds=1)
    hanging = run.scenarios["hanging"]
    greedy = {"tiny": hanging.cases["tiny"]._replace(memory_bytes=2_000_000_000)}
    limited = msgspec.structs.replace(run.order.run, memory_budget_bytes=1_500_000_000, calibration={"turns": 77})
    order = replace(run.order, run=limited)
    calibrating = {**run.scenarios, "hanging": replace(hanging, calibrates=True)}
    Session(order, calibrating, run.builds).measure()
    received = {task.message["scenario"]: task.message["parameters"].get("turns") for task in fake.tasks}
    assert received == {"hanging": 77, "misbehaving": None}
    fake.tasks.clear()
    run = Session(order, {**calibrating, "hanging": replace(hanging, cases=greedy)}, run.builds)
    run.measure()
    assert {task.message["scenario"] for task in fake.tasks} == {"misbehaving"}
    series = by_runner(read(run))["forever", "subject"]
    assert series.status == "not_reached"
    assert all(size in (series.reason or "") for size in ("2.0 GB", "1.5 GB"))


def test_origin_sites_start_when_needed_and_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    ok, ended = SampleResult("ok", None), origin_sites.SitesError()

    @contextmanager
    def running(module: str) -> Iterator[Mock]:
        events.append(f"start {module}")
        yield Mock(addresses=())
        events.append(f"end {module}")

    monkeypatch.setattr(launch, "take", Mock(side_effect=[ok, ok, ended, ok, OSError("no more files")]))
    monkeypatch.setattr(origin_sites, "sites", running)
    with ExitStack() as started:
        take = partial(session(tmp_path, ("server",))._fetch, Mock(), task("server", "answers"))
        results = [take(module, started) for module in "abab"]
        with pytest.raises(OSError, match="no more files"):
            take("a", started)
    assert [result.status for result in results] == ["ok", "ok", "failed", "ok"]
    assert results[2].reason == "the origin sites have ended"
    assert events == ["start a", "start b", "start a", "end a", "end b", "end a"]

"""A run from its first sample to its last: files, cuts, going on. The launcher is a fake."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from planted import by_runner, read, session

from runners.harness.builds import environments
from runners.harness.errors import UserError
from runners.harness.http_load import origin_sites
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Observed, Value
from runners.harness.run import new_run
from runners.harness.run.session import OriginSites, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runners.harness.process.launcher import Request
    from runners.harness.record import model

NAMES = ("misbehaving", "hanging")
VERSIONS = ("3.11.7", "3.10.2", "3.12.1")
VALUES: dict[str, Value] = {"elapsed_ns": 5, "latency_steps_us": [1, 2], "depth_trace_count": [1, 2, 3]}


class Fake:
    """Takes samples in no time, and may be told to do something at one of them."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.cut_at = 0
        self.after: Callable[[], object] = lambda: None

    def __call__(self, _launcher: object, request: Request, _talk: object) -> SampleResult:
        self.requests.append(request)
        self.after()
        if len(self.requests) == self.cut_at:
            raise KeyboardInterrupt
        if request.runner == "forever":
            return SampleResult("timed_out", "late", phases={"warm_up": 1}, wall_ns=3)
        return SampleResult("ok", None, VALUES, Observed(gil_before=True), {"warm_up": 1, "measured": 5}, 10)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    taking = Fake()
    monkeypatch.setattr(launch, "take", taking)
    monkeypatch.setattr(launch, "Launcher", nullcontext)
    return taking


def rounds(series: model.Series) -> list[int]:
    return sorted(series.samples.round)


def samples_in(run: Session, build: int = 0) -> int:
    return sum(len(series.samples.round) for series in read(run, build).series if series.role != "reference")


def test_after_each_sample_the_file_decodes_and_holds_it_and_the_last_says_how_it_ended(
    fake: Fake, tmp_path: Path
) -> None:
    run = session(tmp_path, NAMES)
    seen: list[tuple[int, model.Record]] = []
    fake.after = lambda: seen.append((samples_in(run), read(run)))
    run.measure()
    assert [count for count, _ in seen] == [*range(len(fake.requests))]
    assert {(one.complete, one.run.finished, one.machine.load_after) for _, one in seen} == {(False, None, None)}
    assert (samples_in(run), read(run).complete) == (len(fake.requests), True)
    assert None not in {read(run).run.finished, read(run).machine.load_after}


@pytest.mark.parametrize("cut_at", [1, 2, 17, 40])
def test_a_run_that_was_cut_off_goes_on_with_what_is_missing(fake: Fake, tmp_path: Path, cut_at: int) -> None:
    whole = session(tmp_path / "whole", NAMES, versions=VERSIONS)
    whole.measure()
    all_requests, fake.requests, fake.cut_at = fake.requests, [], cut_at
    cut = session(tmp_path / "cut", NAMES, versions=VERSIONS)
    with pytest.raises(KeyboardInterrupt):
        cut.measure()
    assert not any(read(cut, build).complete for build in range(3))
    assert sum(samples_in(cut, build) for build in range(3)) == cut_at - 1
    fake.cut_at = 0
    again = session(tmp_path / "cut", NAMES, versions=VERSIONS)
    for build, builder in enumerate(again.builders):
        builder.restore(read(cut, build))
    again.measure()
    assert fake.requests[cut_at:] == all_requests[cut_at - 1 :]
    for build in range(3):
        assert read(again, build).complete
        assert read(again, build).series == read(whole, build).series
        assert read(again, build).run.wall_ns == read(whole, build).run.wall_ns


def test_what_a_build_does_not_support_is_recorded_with_the_reason_and_never_tried(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, ("misbehaving",))
    run.measure()
    series = by_runner(read(run))
    for runner, status in (
        ("misses_a_package", "unsupported"),
        ("has_no_family", "failed"),
    ):
        assert series[runner, "subject"].status == status
        assert series[runner, "subject"].reason
        assert not series[runner, "subject"].samples.round
        assert runner not in {request.runner for request in fake.requests}


def test_after_two_time_outs_in_a_row_a_series_is_given_up(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, ("hanging",), rounds=5)
    run.measure()
    assert len(fake.requests) == 4
    for series in read(run).series:
        assert (series.status, rounds(series)) == ("timed_out", [1, 2, 3, 4, 5])


@pytest.mark.usefixtures("fake")
def test_each_build_has_a_file_of_its_own_that_names_the_reference(tmp_path: Path) -> None:
    run = session(tmp_path, NAMES, versions=VERSIONS)
    run.measure()
    files = [read(run, build) for build in range(3)]
    assert {one.run.id for one in files} == {run.order.run.id}
    assert {one.reference_build for one in files} == {files[0].build}
    assert len({one.build for one in files}) == 3
    assert not any(series.role == "reference" for one in files for series in one.series)


def test_a_control_is_measured_as_its_baseline_is(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, ("misbehaving",), runners=("doubles",))
    run.measure()
    assert {series.role: rounds(series) for series in read(run).series} == {"subject": [1, 2], "control": [1, 2]}
    by_round = {request.seed: request for request in fake.requests}
    assert all(request == by_round[request.seed] for request in fake.requests)
    assert len(by_round) == 2


def test_a_sample_that_may_hold_more_than_the_memory_budget_is_not_taken_and_says_why(
    fake: Fake, tmp_path: Path
) -> None:
    run = session(tmp_path, ["hanging"], rounds=1)
    case = run.scenarios["hanging"].cases["tiny"]
    greedy = replace(run.scenarios["hanging"], cases={"tiny": case._replace(memory_bytes=2_000_000_000)})
    budget = msgspec.structs.replace(run.order.run, memory_budget_bytes=1_500_000_000)
    run = Session(replace(run.order, run=budget), {"hanging": greedy}, run.builds)
    run.measure()
    assert fake.requests == []
    assert {(series.status, series.reason) for series in read(run).series} == {
        ("not_reached", "it may need 2.0 GB of memory; the run's budget is 1.5 GB")
    }


def test_what_was_calibrated_reaches_the_scenarios_that_calibrate_and_no_other(fake: Fake, tmp_path: Path) -> None:
    run = session(tmp_path, NAMES, rounds=1)
    fitted = {**run.scenarios, "hanging": replace(run.scenarios["hanging"], calibrates=True)}
    calibrated = msgspec.structs.replace(run.order.run, calibration={"turns_per_ms": 77})
    Session(replace(run.order, run=calibrated), fitted, run.builds).measure()
    assert {request.scenario: request.parameters.get("turns_per_ms") for request in fake.requests} == {
        "hanging": 77,
        "misbehaving": None,
    }


def test_a_label_with_odd_characters_stays_inside_the_folder(tmp_path: Path) -> None:
    run = session(tmp_path, ("hanging",))
    label = "../Ann's desk/2"
    object.__setattr__(run.order, "machine", msgspec.structs.replace(run.order.machine, label=label))
    run.write(0)
    assert [path.parent for path in run.paths()] == [tmp_path]
    assert read(run).machine.label == label


def test_after_the_deadline_no_sample_is_begun_and_the_rest_is_recorded_as_not_reached(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "runners.harness.run.session.time", SimpleNamespace(monotonic=lambda: float(len(fake.requests)))
    )
    run = session(tmp_path, NAMES, rounds=2)
    run.measure(deadline_s=2.5)
    assert len(fake.requests) == 3
    made = read(run)
    assert (made.complete, made.run.finished is None) == (False, False)
    assert samples_in(run) == 3
    assert run.not_reached() == run.steps[3:]
    missing = [series for series in made.series if series.status == "not_reached"]
    assert missing
    assert {series.reason for series in missing} == {"the run ended before it"}


def test_a_run_whose_time_ran_out_says_how_many_samples_it_lacks_and_goes_on_with_them(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=lambda: float(len(fake.requests)))
    for module in ("session", "new_run"):
        monkeypatch.setattr(f"runners.harness.run.{module}.time", clock)
    monkeypatch.setattr(environments, "compile_runners", lambda _: None)
    run = session(tmp_path, NAMES, rounds=2, versions=VERSIONS[:1])
    missing, every = len(run.steps) - 3, len(run.steps)
    with pytest.raises(UserError, match=f"^time ran out: {missing} of {every} samples were not reached; "):
        new_run.carry_out(run, minutes=2.5 / 60)
    new_run.carry_out(run)
    assert (samples_in(run), read(run).complete) == (every, True)


def test_a_build_that_lacks_nothing_is_complete_though_the_time_of_another_ran_out(tmp_path: Path, fake: Fake) -> None:
    run = session(tmp_path, NAMES, rounds=1, versions=VERSIONS[:2])
    run.measure()
    run.builders[1] = session(tmp_path, NAMES, rounds=1, versions=VERSIONS[:2]).builders[1]
    run.measure(deadline_s=0)
    assert fake.requests
    assert [read(run, build).complete for build in range(2)] == [True, False]


def test_only_what_the_sites_say_is_called_their_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    request = launch.Request(Path("python"), "s", "r", False, {}, {}, 1, 1, 1.0)  # noqa: FBT003 - nothing of it is read
    failures: list[Exception] = [origin_sites.SitesError("they have ended"), OSError("no more files")]

    def take(*_: object) -> SampleResult:
        raise failures.pop(0)

    @contextmanager
    def running(_: str) -> Iterator[Any]:
        yield SimpleNamespace(addresses=())

    monkeypatch.setattr(launch, "take", take)
    monkeypatch.setattr(origin_sites, "sites", running)
    with closing(OriginSites()) as origin:
        failed = origin.take(cast("Any", None), request, "a")
        assert (failed.status, failed.reason) == ("failed", "the origin sites failed: they have ended")
        with pytest.raises(OSError, match="no more files"):
            origin.take(cast("Any", None), request, "a")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put sites that only note their start and end in the place of real ones."""
    noted: list[str] = []

    @contextmanager
    def noting(module: str) -> Iterator[object]:
        noted.append(f"start {module}")
        yield object()
        noted.append(f"end {module}")

    monkeypatch.setattr(origin_sites, "sites", noting)
    return noted


def test_origin_sites_start_when_first_needed_or_after_a_failure_and_end_with_the_run(started: list[str]) -> None:
    with closing(OriginSites()) as origin:
        assert started == []
        assert origin.sites("a") is origin.sites("a")
        assert started == ["start a"]
        assert origin.sites("a") is not origin.sites("b")  # other pages have sites of their own
        origin.close()
        assert started == ["start a", "start b", "end b", "end a"]
        origin.sites("a")
    assert started[4:] == ["start a", "end a"]

"""Which two files can be compared, by which way, and with which bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest
from factory import REFERENCE, Plan, altered, build, make, some_scenarios

from generate.checks.compare import _quotient, compare, lines, read, show
from generate.checks.pair import measured_together
from generate.statistics.intervals import compare as by_round
from generate.statistics.intervals import comparison
from runners.harness.errors import UserError
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.checks.compare import Row
    from runners.harness.record.model import Record, Series

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")
CASE = "published"


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make(SCENARIOS, Plan(**plan))


def row(a: Record, b: Record, runner: str = "thread_pool") -> Row:
    (found,) = (one for one in compare(a, b, SCENARIOS) if (one.case, one.runner) == (CASE, runner))
    return found


def values(one: Record, runner: str = "thread_pool", role: str = "subject") -> dict[int, Any]:
    series = next(s for s in one.series if (s.case, s.runner, s.role) == (CASE, runner, role))
    return dict(zip(series.samples.round, series.samples.values["elapsed_ns"], strict=True))


def test_two_files_of_one_run_are_paired_by_round_and_the_second_is_over_the_first() -> None:
    a, b = record(build=build()), record(build=NEW, speed={"thread_pool": 0.5})
    found = row(a, b)
    assert found.comparison == by_round(values(b), values(a))
    assert found.words.startswith("2.0 times as fast (")
    assert (found.through_reference, found.why) == (False, None)
    assert row(b, a).words.startswith("takes 2.0 times as long (")


def test_the_reference_build_s_own_file_is_one_of_its_run() -> None:
    assert measured_together(record(build=REFERENCE), record(build=NEW))
    assert not row(record(build=REFERENCE), record(build=NEW)).through_reference


def test_jobs_that_share_a_run_s_id_but_not_the_reference_s_samples_were_not_measured_together() -> None:
    one_job, other_job = record(seed=1), record(seed=2, build=NEW)
    assert one_job.run.id == other_job.run.id
    assert not measured_together(one_job, other_job)
    assert row(one_job, other_job).through_reference


def test_another_host_or_run_was_not_measured_together() -> None:
    assert not measured_together(record(), record(machine="another", build=NEW))
    assert not measured_together(record(), record(run_id="another", build=NEW))


def test_different_machines_are_compared_through_the_reference_of_each_so_a_slow_host_makes_no_difference() -> None:
    a = record(run_id="one", machine="fast")
    b = record(run_id="two", machine="slow", slowness=3.0, build=NEW, speed={"thread_pool": 0.5})
    found = row(a, b)
    to_a = by_round(values(a), values(a, role="reference"))
    to_b = by_round(values(b), values(b, role="reference"))
    assert found.comparison is not None
    assert to_a is not None
    assert to_b is not None
    assert found.through_reference
    assert found.comparison.ratio == to_b.ratio / to_a.ratio == pytest.approx(0.5, rel=0.1)
    assert found.comparison.low == to_b.low / to_a.high
    assert found.comparison.high == to_b.high / to_a.low
    assert found.comparison.coverage == pytest.approx(to_a.coverage + to_b.coverage - 1)
    assert found.comparison.decided
    assert values(b)[1] > values(a)[1]


def test_the_reference_build_itself_is_compared_across_runs_as_one_exactly() -> None:
    a = record(run_id="one", build=REFERENCE)
    b = record(run_id="two", build=NEW, speed={"thread_pool": 2.0})
    to_b = by_round(values(b), values(b, role="reference"))
    assert to_b is not None
    found = row(a, b).comparison
    assert found is not None
    assert (found.ratio, found.low, found.high) == (to_b.ratio, to_b.low, to_b.high)
    assert found.coverage == pytest.approx(to_b.coverage)


def test_the_bounds_through_the_reference_hold_the_truth_more_often_than_is_told() -> None:
    source = np.random.default_rng(7)
    held, told = 0, 0.0
    for _ in range(2_000):
        a, b = (comparison(source.lognormal(0, 0.05, size=12).tolist()) for _ in range(2))
        assert a is not None
        assert b is not None
        found = _quotient(b, a)
        assert found is not None
        held += found.low <= 1 <= found.high
        told = found.coverage
    assert told == pytest.approx(0.923, abs=0.001)
    assert held / 2_000 > 0.98


def is_thread_pool(role: str = "subject") -> Any:  # noqa: ANN401 - a function for `altered`
    def where(series: Series) -> bool:
        return (series.case, series.runner, series.role) == (CASE, "thread_pool", role)

    return where


def without(one: Record, role: str) -> Record:
    kept = [series for series in one.series if not is_thread_pool(role)(series)]
    return msgspec.structs.replace(one, series=kept)


def refused(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**10] * 12


OTHER_RUN = {"run_id": "two", "build": NEW}


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (record(), without(record(build=NEW), "subject"), "the second file has no such series"),
        (without(record(), "subject"), record(build=NEW), "the first file has no such series"),
        (
            record(),
            without(record(**OTHER_RUN), "reference"),
            "the second file has no such series of the reference build",
        ),
        (
            record(),
            record(**OTHER_RUN, reference=build("3.11.2")),
            "different reference builds: CPython 3.12.8 (Clang 20) and CPython 3.11.2 (Clang 20)",
        ),
        (
            record(build=REFERENCE),
            record(build=REFERENCE, run_id="two"),
            "both are the reference build, of different runs: nothing was measured beside both",
        ),
        (
            record(),
            altered(record(build=NEW), is_thread_pool(), lambda series: series.update(source_sha256="0" * 64)),
            "the runner's code differs",
        ),
        (
            record(),
            msgspec.structs.replace(record(build=NEW), scenario_sha256={}),
            "the scenario's code differs",
        ),
        (
            record(status={"thread_pool": "timed_out"}),
            record(build=NEW),
            "first file: timed out: fixture: timed_out",
        ),
        (
            record(),
            altered(record(build=NEW), is_thread_pool(), refused),
            "second file: refused by the sanity gate: round 1: 1e+04 s of processor time",
        ),
        (
            record(),
            altered(record(**OTHER_RUN), is_thread_pool("reference"), refused),
            "second file, reference build: refused by the sanity gate",
        ),
    ],
)
def test_what_is_not_comparable_says_why(a: Record, b: Record, why: str) -> None:
    found = row(a, b)
    assert found.comparison is None
    assert found.words == "not comparable"
    assert found.why is not None
    assert found.why.startswith(why)


def test_a_case_that_only_one_has_is_a_row_of_its_own() -> None:
    b = altered(record(build=NEW), is_thread_pool(), lambda series: series.update(case="another size"))
    rows = {(found.case, found.runner): found for found in compare(record(), b, SCENARIOS)}
    assert rows["another size", "thread_pool"].why == "the first file has no such series"
    assert rows[CASE, "thread_pool"].why == "the second file has no such series"


@pytest.mark.parametrize("other", [{"build": NEW}, OTHER_RUN])
def test_few_pairs_are_shown_and_not_decided(other: dict[str, Any]) -> None:
    found = row(record(rounds=3), record(rounds=3, **other))
    assert found.comparison is not None
    assert not found.comparison.decided
    assert found.why == "not decided: 3 pairs"
    assert "too few pairs" in found.words


def test_only_subjects_have_rows_and_a_metric_is_the_scenario_s_first() -> None:
    rows = compare(record(), record(build=NEW), SCENARIOS)
    assert len(rows) == len({(found.scenario, found.case, found.runner) for found in rows})
    assert {found.metric for found in rows} == {"elapsed_ns"}


def test_each_row_is_one_line_under_its_case() -> None:
    rows = compare(record(), record(**OTHER_RUN, status={"process_pool": "unsupported"}), SCENARIOS)
    told = lines(rows)
    assert len(told) == len(rows) + len({found.case for found in rows}) + 1
    assert told[0] == "primes / published (elapsed_ns)"
    threads = next(line for line in told if line.startswith("  thread_pool "))
    assert threads.endswith("through the reference build")
    assert "12 pairs, 92.3" in threads
    processes = next(line for line in told if line.startswith("  process_pool "))
    assert processes.endswith("not comparable: second file: unsupported: fixture: unsupported")
    few = lines(compare(record(rounds=3), record(rounds=3, build=NEW), SCENARIOS))
    assert few[1].count("3 pairs") == 1


def test_lines_are_shown_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.harness.catalogue.scenarios.find", lambda: SCENARIOS)
    show(record(), record(**OTHER_RUN))
    assert capsys.readouterr().out.splitlines() == lines(compare(record(), record(**OTHER_RUN), SCENARIOS))


def test_a_file_is_read_or_says_in_one_line_why_not(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(encode(record()))
    assert read(tmp_path / "a.json") == record()
    assert read(tmp_path) == record()
    (tmp_path / "b.json").write_bytes(encode(record(build=NEW)))
    with pytest.raises(UserError, match="2 result files are there; name one"):
        read(tmp_path)
    (tmp_path / "b.json").write_bytes(b"{}")
    assert read(tmp_path / "a.json") == record()
    with pytest.raises(UserError, match="missing required field"):
        read(tmp_path / "b.json")

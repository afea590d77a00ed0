"""A free-threaded build against the same Python with the GIL, round by round of the runs that have both."""

from typing import Any

import pytest
from factory import altered, build
from frames import impossible, make_files
from judging import EVEN, WHY, evidence, part_verdicts, record_with, with_values
from msgspec.structs import replace

from generate.claims.cards import repeat_command
from generate.claims.judge import PartVerdict
from generate.claims.kinds import RatioAbove, RatioBelow
from generate.claims.model import Needs, Part
from generate.claims.sentences import describe_verdict
from generate.data.files import relate
from generate.words.patterns import BASELINE_BUILDS
from runners.harness.record.model import Record

WITH_GIL, FREE = build("3.14.0"), build("3.14.0", free_threaded=True)
COSTS = Part(
    scenario="primes",
    case="published",
    candidate="sync_loop",
    baseline="sync_loop",
    baseline_build="gil_twin",
    expect=RatioBelow(1.1),
    needs=Needs(gil=False),
    why=WHY,
)
WITH_THE_GIL = BASELINE_BUILDS["gil_twin"]
SLOWER = replace(COSTS, expect=RatioAbove(1))
LITTLE, MUCH, ABOUT_A_TENTH = ([cost + n / 1000 for n in range(12)] for cost in (1.0, 1.2, 1.0945))


def loops(times: list[float], **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    """Make a record whose loop takes these seconds in each round, and its control a little more or less."""
    nanoseconds = [round(time * 10**9) for time in times]
    again = [round(time * (1 + 0.001 * (-1) ** number)) for number, time in enumerate(nanoseconds)]
    record = with_values("sync_loop", nanoseconds)(record_with(EVEN[: len(times)], **plan))
    return with_values("sync_loop", again, role="control")(record)


def judged(part: Part, *records: Record) -> PartVerdict:
    """Return the verdict on the first record's build."""
    files = relate(make_files(*records))
    cell = files[0].key
    (verdict,) = [each for each in part_verdicts(files, part) if each.result == cell]
    return verdict


def gil(times: list[float] | None = None, **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    return loops(times or [1.0] * 12, **{"build": WITH_GIL, **plan})


def free(times: list[float], **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    return loops(times, **{"build": FREE, **plan})


@pytest.mark.parametrize(
    ("times", "expected"), [(LITTLE, "holds"), (MUCH, "does not hold"), (ABOUT_A_TENTH, "undecided")]
)
def test_cost_is_the_ratio_of_the_two_builds(times: list[float], expected: str) -> None:
    runs = [each for run in ("1", "2", "3", "4", "5") for each in (free(times, run_id=run), gil(run_id=run))]
    verdict = judged(COSTS, *runs)
    assert verdict.verdict == expected
    assert evidence(verdict).compared[0].value == pytest.approx(sum(times) / 12, rel=1e-4)


def test_builds_are_paired_by_round() -> None:
    drift = [1 + n / 10 for n in range(12)]
    verdict = judged(COSTS, free([1.05 * each for each in drift]), gil(drift))
    (run,) = evidence(verdict).compared[0].runs
    assert run.value == pytest.approx(1.05)
    assert run.variance == pytest.approx(0)


def test_sentence_and_command_have_the_counterpart() -> None:
    verdict = judged(SLOWER, free(MUCH), gil())
    assert f"({WITH_THE_GIL}); " in describe_verdict(verdict)
    assert " --python 3.14.0 --python 3.14.0t " in repeat_command(verdict)


def test_jit_is_judged_on_the_row_of_its_plain_build() -> None:
    part = replace(SLOWER, baseline_build="no_jit", needs=Needs(gil=True))
    jit = replace(WITH_GIL, variant=("PYTHON_JIT=1",), variables=("PYTHON_JIT=1",), jit=True)
    verdict = judged(part, gil(), gil(MUCH, build=jit))
    assert (verdict.verdict, verdict.result.build) == ("holds", "cpython-3.14.0")
    assert repeat_command(verdict).count(" --python 3.14.0") == 2
    assert judged(part, gil(), gil(MUCH, build=replace(jit, jit=False))).verdict == "not measured"


def test_release_is_judged_against_the_one_before() -> None:
    part = replace(SLOWER, baseline_build="previous", needs=Needs(gil=True, python="3.14"))
    much = [round(time * 10**9) for time in MUCH]
    older = with_values("sync_loop", much, role="reference")(gil(build=build("3.13.9"), reference=WITH_GIL))
    verdict = judged(part, gil(MUCH, reference=WITH_GIL), older)
    assert verdict.verdict == "holds"
    assert evidence(verdict).compared[0].value == pytest.approx(1.2, rel=0.01)
    assert judged(part, gil(build=build("3.15.0")), gil()).verdict == "does not apply"
    assert judged(part, gil(), gil(build=build("3.12.9"))).verdict == "not measured"


@pytest.mark.parametrize(
    "other",
    [
        gil(run_id="another"),
        gil(machine="another"),
        gil(build=build("3.14.1")),
        gil(build=replace(WITH_GIL, flags="-O0")),
        gil(build=replace(WITH_GIL, origin="elsewhere")),
        gil(build=replace(WITH_GIL, variant=("PYTHON_JIT=1",), variables=("PYTHON_JIT=1",))),
        gil(build=replace(FREE, gil_at_start=True)),
    ],
)
def test_without_a_counterpart_nothing_is_measured(other: Record) -> None:
    assert judged(COSTS, free(LITTLE), other).verdict == "not measured"


def test_only_runs_with_a_counterpart_count() -> None:
    verdict = judged(COSTS, free(MUCH, run_id="alone"), free(LITTLE), gil())
    assert [run.run for run in evidence(verdict).compared[0].runs] == ["fixture-1"]


def test_missing_or_rejected_baseline_has_its_reason() -> None:
    counterpart, is_loop = gil(), ("sync_loop", "subject")
    without = replace(counterpart, series=[series for series in counterpart.series if series.runner != "sync_loop"])
    rejected = altered(counterpart, lambda series: (series.runner, series.role) == is_loop, impossible)
    for other in (without, rejected):
        verdict = judged(COSTS, free(LITTLE), other)
        assert verdict.verdict == "not measured"
        assert verdict.reason.startswith(f"{WITH_THE_GIL}, ")
        assert "plain loop in “eight numbers”" in verdict.reason

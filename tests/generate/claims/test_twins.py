"""A free-threaded build against the same Python with the GIL, round by round of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from factory import altered, build
from frames import files_of
from judging import EVEN, SCENARIOS, SLOW, WHY, claim_parts, record_with, with_values
from msgspec.structs import replace
from sample_site import inputs_of

from generate.analysis.gated import apply_gate
from generate.analysis.selection import Cell
from generate.claims.by_run import FurtherRun, judge
from generate.claims.cards import PartCard
from generate.claims.kinds import RatioAbove, RatioBelow, RatioWithin
from generate.claims.model import Needs, Part
from generate.claims.sentences import sentence
from generate.claims.verdicts import verdicts
from generate.results.reference import beside
from generate.site import pipeline
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.claims.verdicts import PartVerdict
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
SLOWER = replace(COSTS, expect=RatioAbove(1))
LITTLE, MUCH, ABOUT_A_TENTH = ([cost + n / 1000 for n in range(12)] for cost in (1.04, 1.2, 1.0945))
NO_TWIN = "no run here measured the same Python with the GIL beside it"


def loops(times: list[float], **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    """Make a record whose loop takes so many seconds in each round, like its control."""
    nanoseconds = [round(time * 10**9) for time in times]
    record = record_with(EVEN[: len(times)], **plan)
    for runner, role in (("sync_loop", "subject"), ("sync_loop", "control"), ("one_thread", "subject")):
        record = with_values(runner, nanoseconds, role=role)(record)
    return record


def judged(part: Part, *records: Record) -> PartVerdict:
    """Return the verdict on the first record's build, which all of them are loaded with."""
    files = beside(files_of(*records))
    cell = Cell.of(files[0].header)
    (verdict,) = [each for each in verdicts(claim_parts(part), apply_gate(files, SCENARIOS)) if each.cell == cell]
    return verdict


def gil(times: list[float] | None = None, **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    return loops(times or [1.0] * 12, **{"build": WITH_GIL, **plan})


def free(times: list[float], **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    return loops(times, **{"build": FREE, **plan})


@pytest.mark.parametrize(
    ("times", "verdict"), [(LITTLE, "holds"), (MUCH, "does not hold"), (ABOUT_A_TENTH, "too close to call")]
)
def test_the_cost_is_judged_by_where_the_ratio_of_the_two_builds_lies(times: list[float], verdict: str) -> None:
    found = judged(COSTS, free(times), gil())
    assert found.verdict == verdict
    assert found.evidence is not None
    assert found.evidence.compared[0].median == pytest.approx(sum(times) / 12)


def test_the_two_builds_are_paired_by_round() -> None:
    drift = [1 + n / 10 for n in range(12)]
    found = judged(COSTS, free([1.05 * each for each in drift]), gil(drift))
    assert found.verdict == "holds"
    assert found.evidence is not None
    assert found.evidence.compared[0].low == pytest.approx(found.evidence.compared[0].high) == pytest.approx(1.05)


def test_the_sentence_names_the_other_build_and_the_command_measures_both() -> None:
    found = judged(SLOWER, free(MUCH), gil())
    words = sentence(found).replace("\N{NO-BREAK SPACE}", " ")
    assert words.startswith("On CPython 3.14.0 free-threaded, time for all eight numbers: 1.21 s (plain loop) ")
    assert " against 1.00 s (on the same Python with the GIL); takes 1.21 times as long" in words
    assert " --python 3.14.0 --python 3.14.0t " in PartCard.of(found).command


def test_where_the_twin_was_measured_on_a_busy_machine_nothing_is_decided() -> None:
    twin = gil()
    found = judged(COSTS, free(LITTLE), replace(twin, machine=replace(twin.machine, steal_share=0.02)))
    assert (found.verdict, found.leans) == ("not measured", "holds")
    assert found.reason.startswith("the machine was busy: its host kept 2.0")


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
def test_without_a_twin_in_its_run_the_claim_does_not_apply(other: Record) -> None:
    found = judged(COSTS, free(LITTLE), other)
    assert (found.verdict, found.reason) == ("not applicable", NO_TWIN)


def test_a_build_with_the_gil_is_no_subject_of_it() -> None:
    found = judged(COSTS, gil(), free(LITTLE))
    assert (found.verdict, found.reason) == ("not applicable", "is about a build without the GIL")


def test_of_several_files_of_a_build_the_one_that_has_a_twin_speaks() -> None:
    newer = free(MUCH, run_id="newer")
    newer = replace(newer, run=replace(newer.run, started="2026-02-01T00:00:00Z"))
    found = judged(COSTS, newer, free(LITTLE), gil())
    assert found.verdict == "holds"
    assert found.evidence is not None
    assert found.evidence.gated.file.path == "1.json"


def test_what_the_twin_lacks_is_said_of_it() -> None:
    twin = gil()
    without = replace(twin, series=[series for series in twin.series if series.runner != "sync_loop"])
    assert judged(COSTS, free(LITTLE), without).reason == "with the GIL, this run has no sync_loop in “published”"
    found = judged(COSTS, free(LITTLE), failed(twin))
    assert (found.verdict, found.leans) == ("not measured", "holds")
    assert found.reason.startswith("with the GIL, sync_loop in “published” failed in a round, ")


def failed(record: Record) -> Record:
    def change(series: dict[str, Any]) -> None:
        series["status"], series["reason"] = "partial", "planted"
        series["samples"]["status"][3], series["samples"]["reason"][3] = "failed", "planted"

    return altered(record, lambda series: (series.runner, series.role) == ("sync_loop", "subject"), change)


def test_what_the_gate_refuses_of_the_twin_is_not_compared_with() -> None:
    def impossible(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"] = [10**10] * 12

    twin = altered(gil(), lambda series: (series.runner, series.role) == ("sync_loop", "subject"), impossible)
    found = judged(COSTS, free(LITTLE), twin)
    assert found.verdict == "not measured"
    assert found.reason.startswith("with the GIL, sync_loop in “published”: ")


@pytest.mark.parametrize(
    ("part", "verdict"), [(SLOWER, "holds"), (replace(COSTS, expect=RatioWithin(0.5)), "not measured")]
)
def test_few_rounds_decide_a_direction_and_no_size(part: Part, verdict: str) -> None:
    quick = {"profile": "quick"}
    assert judged(part, free(MUCH[:3], **quick), gil([1.0] * 3, **quick)).verdict == verdict


def test_another_run_of_both_builds_stands_beside() -> None:
    files = beside(files_of(free(LITTLE), gil(), free(MUCH, run_id="old"), gil(run_id="old")))
    first, _, old, _ = apply_gate(files, SCENARIOS)
    (found,) = judge(claim_parts(COSTS), [first], [FurtherRun(old, SCENARIOS)])
    assert found.reason == "two runs decide differently: fixture-1 holds, old does not"


def test_the_twin_is_found_where_a_newer_run_speaks_for_it(tmp_path: Path) -> None:
    newer = gil(SLOW, run_id="newer")
    newer = replace(newer, run=replace(newer.run, started="2026-02-01T00:00:00Z"))
    of_some = [replace(each, run=replace(each.run, runners=["sync_loop"])) for each in (free(LITTLE), gil())]
    for name, record in zip(("free", "gil", "newer"), (*of_some, newer), strict=True):
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    context = pipeline.make_context(inputs_of(tmp_path, SCENARIOS, ROOT / "docs"))
    paths = {gated.file.path: gated for gated in context.records}
    assert paths.keys() == {"free.json", "newer.json"}
    twin = paths["free.json"].twin
    assert twin is not None
    assert twin.file.path == "gil.json"

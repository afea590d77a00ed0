"""The artifacts that the workflow's jobs hand each other: each attempt has its own, and nobody guesses a name."""

from __future__ import annotations

from typing import Any

from workflow import WORKFLOWS

from actions import artifacts


def of_artifacts(job: str, action: str) -> list[dict[str, Any]]:
    steps = WORKFLOWS["measure.yml"]["jobs"][job]["steps"]
    return [step["with"] for step in steps if f"/{action}-artifact@" in step.get("uses", "")]


def test_every_artifact_is_named_by_the_attempt_and_who_takes_it_is_reported_its_name() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    attempt = "${{ github.run_attempt }}"
    for job, name in (("plan", "run-plan"), ("measure", "run-${{ matrix.id }}"), ("collect", "collected")):
        assert [step["name"] for step in of_artifacts(job, "upload")] == [f"{name}.{attempt}"]
    for job, name in (("plan", "run-plan"), ("collect", "collected")):
        assert jobs[job]["outputs"]["artifact"] == f"{name}.{attempt}"
    taken = {job: [step.get("name") for step in of_artifacts(job, "download")] for job in jobs if "steps" in jobs[job]}
    of_plan, of_collect = (f"${{{{ needs.{job}.outputs.artifact }}}}" for job in ("plan", "collect"))
    assert {job: names for job, names in taken.items() if names} == {
        "measure": [of_plan],
        "collect": [of_plan, None],
        "publish": [of_plan, of_collect],
    }


def test_the_names_of_artifacts_are_those_that_collecting_looks_for() -> None:
    (upload,) = of_artifacts("measure", "upload")
    name = upload["name"].replace("${{ matrix.id }}", "macos-26--3.14t").replace("${{ github.run_attempt }}", "2")
    match = artifacts.OF_A_CELL.fullmatch(name)
    assert match is not None
    assert match.groups() == ("macos-26--3.14t", "2")
    assert artifacts.PLAN.fullmatch("run-plan.2")
    assert of_artifacts("collect", "download")[1]["pattern"] == f"{artifacts.PREFIX}*"


def test_what_the_cells_left_is_not_unpacked_before_python_reads_it_and_a_broken_zip_costs_its_cell_alone() -> None:
    download = of_artifacts("collect", "download")[1]
    assert download["skip-decompress"] is True
    assert download["digest-mismatch"] == "warn"

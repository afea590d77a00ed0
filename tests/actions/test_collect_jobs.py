"""Jobs of several builds, and variants: each cell has a file of its own, and is judged by what was named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from artifacts import BUILDS, JOB, OTHER_JOB, REFERENCE, RUN, pack, record, with_status
from factory import Plan as Made
from factory import make

from actions import collect, dispatch, job_summary, named_builds
from generate.words.names import describe_status
from runners.harness.catalogue.scenarios import find
from runners.harness.matrix import Machine
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from actions.collect import Collected
    from runners.harness.record.cells_file import CellOutcome
    from runners.harness.record.model import Build, Record, Status

GIL, FREE = "ubuntu-24.04--3.13", "ubuntu-24.04--3.14t"
COMMIT = "0123456789" * 4
MACHINE = Machine("mine", "", ["branch=/opt/branch/python"])


def files(attempt: int = 1) -> dict[str, bytes]:
    """Return what a job that measured 3.13 and 3.14t beside 3.14 brings."""
    of_builds = {REFERENCE: "3.14", f"{GIL}.json": "3.13", f"{FREE}.json": "3.14t"}
    return {name: encode(record(python, JOB, attempt)) for name, python in of_builds.items()}


def collected(
    folder: Path, pythons: str = "3.14, 3.13, 3.14t", attempt: int = 1, scenario: str = "primes"
) -> Collected:
    inputs = {"machines": "ubuntu-24.04", "pythons": pythons, "profile": "full", "scenarios": scenario, "rounds": "12"}
    plan = dispatch.make_plan(inputs, find())
    return collect.collect(plan, replace(RUN, attempt=attempt), folder)


def statuses(found: Collected) -> dict[str, str]:
    return {one.python: one.status for one in found.outcomes.cells}


def board(found: Collected) -> str:
    return job_summary.format_verdicts([accepted.file for accepted in found.accepted])


def folders(found: Collected) -> set[str]:
    return {file.file.path.removeprefix("2026-01-01/2026-01-01-gh1001-") for file in found.accepted}


def test_job_brings_a_file_a_build_and_its_reference(tmp_path: Path) -> None:
    pack(tmp_path, JOB, 1, files())
    found = collected(tmp_path)
    assert statuses(found) == {"3.14": "failed", "3.13": "measured", "3.14t": "measured"}
    assert folders(found) == {f"1/{name}" for name in files()}
    assert len(found.accepted) == 3
    assert "CPython 3.14.0 free-threaded" in board(found)
    assert {one.cell: len(one.files) for one in found.outcomes.cells} == {
        "ubuntu-24.04--3.14": 0,
        GIL: 2,
        FREE: 2,
    }


@pytest.mark.parametrize("brought", [{}, files()], ids=["nothing else", "its files"])
def test_unreadable_reason_is_still_a_failure(tmp_path: Path, brought: dict[str, bytes]) -> None:
    pack(tmp_path, JOB, 1, {**brought, f"{JOB}.failed.txt": b"x" * (collect.LONGEST_FAILURE_BYTES + 1)})
    found = collected(tmp_path)
    said = f"{JOB}.failed.txt: more than 10,000 bytes, and no more are published"
    reason = f"its job ended early: {said}" if brought else said
    assert {one.reason for one in found.outcomes.cells[1:]} == {reason}


def test_refused_file_only_fails_its_cell(tmp_path: Path) -> None:
    pack(tmp_path, JOB, 1, files() | {f"{FREE}.json": b"{"})
    found = collected(tmp_path)
    assert statuses(found) == {"3.14": "failed", "3.13": "measured", "3.14t": "failed"}
    assert folders(found) == {f"1/{REFERENCE}", f"1/{GIL}.json"}


def test_newest_attempt_counts_with_its_own_reference(
    tmp_path: Path,
) -> None:
    pack(tmp_path, JOB, 1, files() | {f"{FREE}.json": b"{"})
    pack(tmp_path, JOB, 2, files(2) | {f"{GIL}.json": b"{"})
    found = collected(tmp_path, attempt=2)
    assert statuses(found) == {"3.14": "failed", "3.13": "measured", "3.14t": "measured"}
    assert folders(found) == {f"1/{REFERENCE}", f"1/{GIL}.json", f"2/{REFERENCE}", f"2/{FREE}.json"}
    assert not any(line.startswith(JOB) for line in found.rejected)


def test_by_product_that_poses_as_a_cell_is_refused(tmp_path: Path) -> None:
    posing = msgspec.structs.replace(record("3.14"), kind="cell")
    pack(tmp_path, JOB, 1, files() | {REFERENCE: encode(posing)})
    found = collected(tmp_path)
    assert f"{JOB}/{REFERENCE}: kind: it is 'cell', not 'by_product'" in found.rejected
    assert statuses(found) == {"3.14": "failed", "3.13": "measured", "3.14t": "measured"}


def variant_record(python: str, scenario: str = "primes", names: Iterable[str] = (), **of_build: Any) -> Record:  # noqa: ANN401 - of the build
    """Make what a job of one variant brings; *names*: the runners that are in it, or all."""
    scenarios = {scenario: find()[scenario]}
    facts: dict[str, Any] = {"run_id": f"{RUN.name(1)}.{OTHER_JOB}", "run_name": RUN.name(1), "machine": "ubuntu-24.04"}
    built = msgspec.structs.replace(BUILDS[python], **of_build)
    made = make(scenarios, Made(built, BUILDS["3.14"], **facts))
    series = [one for one in made.series if one.role != "reference" and (not names or one.runner in names)]
    run = msgspec.structs.replace(made.run, scenarios=[scenario], url=RUN.url, trigger="dispatch")
    return msgspec.structs.replace(made, run=run, series=series)


def test_only_the_named_variant_is_accepted(tmp_path: Path) -> None:
    named, switch = "3.14t+PYTHON_GIL=1", ("PYTHON_GIL=1",)
    own = f"ubuntu-24.04--{named_builds.make_file_name(named)}.json"
    good = variant_record("3.14t", variant=switch, variables=switch, gil_at_start=True)
    pack(tmp_path, OTHER_JOB, 1, {own: encode(good)})
    found = collected(tmp_path, named)
    assert statuses(found) == {named: "measured"}
    assert board(found) == ""
    for wrong in (
        variant_record("3.14t"),
        variant_record("3.14t", variant=switch),
        variant_record("3.13", variant=switch),
    ):
        pack(tmp_path, OTHER_JOB, 1, {own: encode(wrong)})
        assert statuses(collected(tmp_path, named)) == {named: "failed"}


def test_variant_only_measures_runners_of_its_package(
    tmp_path: Path,
) -> None:
    named = "3.13+aiohttp==3.13.5"
    own = f"ubuntu-24.04--{named_builds.make_file_name(named)}.json"
    scenario = find()["download"]
    of_package = {name for name, runner in scenario.runners.items() if "aiohttp" in runner.packages}
    packages = {"aiohttp": Package("3.13.5", None)}
    for names, status in (({*of_package, scenario.baseline}, "measured"), ({*scenario.runners}, "failed")):
        made = variant_record("3.13", "download", names, variant=("aiohttp 3.13.5",))
        pack(tmp_path, OTHER_JOB, 1, {own: encode(msgspec.structs.replace(made, packages=packages))})
        found = collected(tmp_path, named, scenario="download")
        assert statuses(found) == {named: status}
        assert status == "measured" or "is not in the plan" in str(found.rejected)


def build(**changes: Any) -> Build:  # noqa: ANN401 - of the build
    return msgspec.structs.replace(BUILDS["3.13"], **changes)


@pytest.mark.parametrize(
    ("named", "variant", "faults"),
    [
        ("3.13+aio-libs/aiohttp@master", f"aio-libs/aiohttp@{COMMIT}", []),
        ("3.13+aio-libs/aiohttp@master", "aio-libs/aiohttp@master", ["variant"]),
        ("3.13+aio-libs/aiohttp@master", f"evil/aiohttp@{COMMIT}", ["variant"]),
        ("3.13+aio-libs/aiohttp@master", f"aio-libs/aiohttp@{COMMIT}/../x", ["variant"]),
        (f"3.13+aio-libs/aiohttp@{COMMIT}", f"aio-libs/aiohttp@{COMMIT}", []),
        (f"3.13+aio-libs/aiohttp@{'f' * 40}", f"aio-libs/aiohttp@{COMMIT}", ["variant"]),
        ("3.13+aiohttp==3.13.5", "aiohttp 3.13.5", []),
        ("3.13+aiohttp==3.13.5", "aiohttp 3.13.4", ["variant"]),
        ("again=3.13", "again", []),
        ("branch", "branch", []),
        ("branch", "main", ["variant"]),
    ],
)
def test_variant_has_the_named_words_and_a_commit(named: str, variant: str, faults: list[str]) -> None:
    found = [field for field, _, _ in named_builds.find_build_faults(build(variant=(variant,)), {}, named, MACHINE)]
    assert found == faults


@pytest.mark.parametrize(
    ("package", "fault"),
    [
        (Package("3.14.0", None, f"aio-libs/aiohttp@{COMMIT}"), ""),
        (Package("3.14.0", None, f"aio-libs/aiohttp@{'f' * 40}"), "packages.aiohttp.source: it is not the commit"),
        (Package("3.14.0", None), "packages.aiohttp.source: it is not the commit"),
        (Package(None, "it broke"), ""),
        (
            Package("3.14.0", "it broke", f"aio-libs/aiohttp@{'f' * 40}"),
            "packages.aiohttp.source: it is not the commit",
        ),
        (Package("3.14.0", None, "aiohttp-3.whl", "0" * 64), "packages.aiohttp.source: it is not the commit"),
        (Package("3.14.0", None, None, "0" * 64), "packages.aiohttp.source: it is not the commit"),
    ],
)
def test_repository_package_is_of_the_named_commit(package: Package, fault: str) -> None:
    named = named_builds.parse_build("3.13+aio-libs/aiohttp@master", MACHINE)
    found = [*named_builds.find_package_faults({"aiohttp": package}, (f"aio-libs/aiohttp@{COMMIT}",), named)]
    assert [one.startswith(fault) for one in found] == [True] * bool(fault)


@pytest.mark.parametrize(("version", "is_right"), [("3.13.5", True), ("3.13.4", False), ("x", False), (None, False)])
def test_index_package_has_the_named_version(version: str | None, *, is_right: bool) -> None:
    named = named_builds.parse_build("3.13+aiohttp==3.13.5", MACHINE)
    for sha256 in (None, "0" * 64 if version else None):
        package = Package(version, None, sha256=sha256)
        found = [*named_builds.find_package_faults({"aiohttp": package}, ("aiohttp 3.13.5",), named)]
        assert (not found) is is_right


NO_REFERENCE = "its reference's file was refused: it did not come back"
SCENARIO_OF = {"aiohttp": "download", "tornado": "blocking_server"}


def outcome_of(
    tmp_path: Path, package: Package, status: Status = "ok", named: str = "3.13+aiohttp==3.13.5", name: str = "aiohttp"
) -> CellOutcome:
    """Collect a variant whose runners of the package *name* all have *status*, and whose baselines are measured."""
    scenario = find()[SCENARIO_OF[name]]
    of_package = {runner for runner, facts in scenario.runners.items() if name in facts.packages}
    word = named.partition("+")[2].replace("==", " ")
    made = variant_record("3.13", scenario.name, {*of_package, scenario.baseline}, variant=(word,))
    made = msgspec.structs.replace(made, packages={name: package})
    for runner in of_package if status != "ok" else ():
        made = with_status(made, runner, status)
    pack(tmp_path, OTHER_JOB, 1, {f"ubuntu-24.04--{named_builds.make_file_name(named)}.json": encode(made)})
    (outcome,) = collected(tmp_path, named, scenario=scenario.name).outcomes.cells
    assert (outcome.reason or "").endswith(NO_REFERENCE)
    return msgspec.structs.replace(outcome, reason=(outcome.reason or "").removesuffix(NO_REFERENCE).removesuffix("; "))


@pytest.mark.parametrize(
    ("named", "name"), [("3.13+aiohttp==3.13.5", "aiohttp"), ("3.13+tornadoweb/tornado@master", "tornado")]
)
def test_variant_without_its_package_has_failed(tmp_path: Path, named: str, name: str) -> None:
    found = outcome_of(tmp_path, Package(None, "there is no compiler"), "unsupported", named, name)
    assert (found.status, found.reason) == ("failed", f"{name} did not install: there is no compiler")
    assert len(found.files) == 1


@pytest.mark.parametrize("status", ["failed", "timed_out", "not_reached", "unsupported"])
def test_cell_with_values_of_baselines_only_has_failed(tmp_path: Path, status: Status) -> None:
    found = outcome_of(tmp_path, Package("3.13.5", None), status)
    assert found.status == "failed"
    words = rf"no runner but the baselines has a value: \d+ {describe_status(status)}, such as download/\w+: it broke"
    assert re.fullmatch(words, found.reason or "")


def test_cell_with_some_failed_series_is_measured(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, Package("3.13.5", None)).reason == ""
    made = {**files(), f"{GIL}.json": encode(with_status(record("3.13", JOB), "process_pool", "failed"))}
    pack(tmp_path, JOB, 1, made)
    outcomes = {one.cell: one for one in collected(tmp_path).outcomes.cells}
    assert outcomes[GIL].status == outcomes[FREE].status == "measured"
    assert re.fullmatch(r"of \d+ series \d+ failed, such as primes/process_pool: it broke", outcomes[GIL].reason or "")
    assert outcomes[FREE].reason is None

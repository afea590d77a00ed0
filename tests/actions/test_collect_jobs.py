"""Jobs of several builds, and variants: each cell has a file of its own, and is judged by the named build."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from artifacts import (
    BUILDS,
    JOB,
    OTHER_JOB,
    REFERENCE,
    SCENARIOS,
    collect_from,
    kept,
    outcome,
    pack,
    plan,
    record,
    statuses,
    variant,
    with_status,
)

from actions import collect, named_builds, verify
from actions.artifacts import MISSING
from generate.data.cells_file import CellOutcome
from runners.harness.matrix import Machine
from runners.harness.record.codec import encode
from runners.harness.record.model import Build, Package, Record, Status

LABEL = "ubuntu-24.04"
GIL, FREE, LOST = f"{LABEL}--3.13", f"{LABEL}--3.14t", f"{LABEL}--3.14"
MEASURED = {LOST: "failed", GIL: "measured", FREE: "measured"}
COMMIT = "0123456789" * 4
MACHINE = Machine("mine", "", ["branch=/opt/branch/python"])
SEVERAL = plan(pythons="3.14, 3.13, 3.14t")


def job_files(attempt: int = 1) -> dict[str, bytes]:
    """Return the files of a job that measured 3.13 and 3.14t next to 3.14. The job of 3.14 leaves none."""
    builds = {REFERENCE: "3.14", f"{GIL}.json": "3.13", f"{FREE}.json": "3.14t"}
    return {name: encode(record(python, JOB, attempt)) for name, python in builds.items()}


def test_job_has_a_file_a_build_and_its_reference(tmp_path: Path) -> None:
    pack(tmp_path, JOB, 1, job_files())
    collected = collect_from(tmp_path, by=SEVERAL)
    assert statuses(collected) == MEASURED
    assert kept(collected) == {f"1/{name}" for name in job_files()}
    assert {each.cell: len(each.files) for each in collected.outcomes.cells} == {LOST: 0, GIL: 2, FREE: 2}


def test_newest_attempt_counts_with_its_own_reference(tmp_path: Path) -> None:
    pack(tmp_path, JOB, 1, job_files() | {f"{FREE}.json": b"{"})
    pack(tmp_path, JOB, 2, job_files(2) | {f"{GIL}.json": b"{"})
    collected = collect_from(tmp_path, 2, by=SEVERAL)
    assert statuses(collected) == MEASURED
    assert kept(collected) == {f"1/{REFERENCE}", f"1/{GIL}.json", f"2/{REFERENCE}", f"2/{FREE}.json"}
    assert not any(line.startswith(JOB) for line in collected.refused)


def collect_variant(folder: Path, named: str, made: Record) -> CellOutcome:
    """Collect the file of a job of one variant."""
    cell = f"{LABEL}--{named_builds.make_file_name(named)}"
    pack(folder, OTHER_JOB, 1, {f"{cell}.json": encode(made)})
    collected = collect_from(folder, by=plan(pythons=named, scenarios=",".join(made.run.scenarios)))
    return outcome(collected, cell)


def build(python: str = "3.13", **changes: Any) -> Build:  # noqa: ANN401 - of the build
    return msgspec.structs.replace(BUILDS[python], **changes)


def test_only_the_named_variant_is_accepted(tmp_path: Path) -> None:
    named, switch = "3.14t+PYTHON_GIL=1", ("PYTHON_GIL=1",)
    good = variant(build("3.14t", variant=switch, variables=switch, gil_at_start=True))
    assert collect_variant(tmp_path, named, good).status == "measured"
    for wrong in (build("3.14t"), build("3.14t", variant=switch), build(variant=switch, variables=switch)):
        assert collect_variant(tmp_path, named, variant(wrong)).status == "failed"


MASTER, PINNED, AT = "3.13+aio-libs/aiohttp@master", "3.13+aiohttp==3.13.5", f"aio-libs/aiohttp@{COMMIT}"
BUILT, INDEXED = Package("3.14.0", None, AT), Package("3.13.5", None)


@pytest.mark.parametrize(
    ("named", "words", "package", "is_right"),
    [
        (MASTER, AT, BUILT, True),
        (MASTER, "aio-libs/aiohttp@master", Package(None, "it broke"), True),
        (MASTER, AT, Package("3.14.0", None, f"aio-libs/aiohttp@{'f' * 40}"), False),
        (MASTER, AT, Package("3.14.0", None), False),
        (MASTER, AT, Package("3.14.0", None, "aiohttp-3.whl", "0" * 64), False),
        *(
            (MASTER, words, Package("3.14.0", None, words), False)
            for words in ("aio-libs/aiohttp@master", f"evil/aiohttp@{COMMIT}", f"{AT}/../x")
        ),
        (f"3.13+{AT}", AT, BUILT, True),
        (f"3.13+aio-libs/aiohttp@{'f' * 40}", AT, BUILT, False),
        (PINNED, "aiohttp 3.13.5", INDEXED, True),
        (PINNED, "aiohttp 3.13.4", INDEXED, False),
        *((PINNED, "aiohttp 3.13.5", Package(version, None), False) for version in ("3.13.4", "x", None)),
        ("again=3.13", "again", INDEXED, True),
        ("branch", "branch", INDEXED, True),
        ("branch", "main", INDEXED, False),
    ],
)
def test_variant_has_the_named_words_and_package(named: str, words: str, package: Package, *, is_right: bool) -> None:
    request, packages = named_builds.parse_build(named, MACHINE), {"aiohttp": package}
    faults = [
        *named_builds.find_build_faults(build(variant=(words,)), packages, named, MACHINE),
        *named_builds.find_package_faults(packages, (words,), request),
    ]
    assert (not faults) is is_right


NO_REFERENCE = collect.REFERENCE_REFUSED.format(MISSING.reason)


def make_package_variant(package: Package = INDEXED, status: Status = "ok") -> Record:
    """Make a variant's record, in which the runners of aiohttp have a status, and the baselines are measured."""
    scenario = SCENARIOS["download"]
    importing = {runner for runner, facts in scenario.runners.items() if "aiohttp" in facts.packages}
    made = variant(build(variant=("aiohttp 3.13.5",)), scenario="download", runners={*importing, scenario.baseline})
    for runner in importing if status != "ok" else ():
        made = with_status(made, runner, status)
    return msgspec.structs.replace(made, packages={"aiohttp": package})


def test_variant_only_measures_runners_of_its_package(tmp_path: Path) -> None:
    named, good = "3.13+aiohttp==3.13.5", make_package_variant()
    cell = collect_variant(tmp_path, named, good)
    assert (cell.status, cell.reason) == ("measured", NO_REFERENCE)
    every_runner = variant(good.build, scenario="download")
    cell = collect_variant(tmp_path, named, msgspec.structs.replace(every_runner, packages=good.packages))
    assert cell.status == "failed"
    assert str(cell.reason).endswith("is not in the plan")


@pytest.mark.parametrize(
    ("package", "status"), [(INDEXED, "failed"), (Package(None, "there is no compiler"), "unsupported")]
)
def test_cell_with_values_of_baselines_only_has_failed(tmp_path: Path, package: Package, status: Status) -> None:
    cell = collect_variant(tmp_path, "3.13+aiohttp==3.13.5", make_package_variant(package, status))
    assert (cell.status, len(cell.files)) == ("failed", 1)
    reason = verify.ONLY_BASELINES.format("download/asyncio_aiohttp", "it broke")
    assert cell.reason == f"{reason}; {NO_REFERENCE}"

"""The reference build's series are set beside those of the other builds of its run, and of no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from factory import REFERENCE, Plan, build, make, some_scenarios

from generate.data.read import load
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

NEW = build("3.14.0")


def alone(plan: Plan) -> Record:
    """Make a file as a run of several builds writes it: without the reference build's series."""
    whole = make(some_scenarios(), plan)
    own = [series for series in whole.series if series.role != "reference"]
    return msgspec.structs.replace(whole, series=own)


def loaded(folder: Path, **records: Record) -> dict[str, Record]:
    for name, record in records.items():
        (folder / f"{name}.json").write_bytes(encode(record))
    return {file.path.removesuffix(".json"): file.record for file in load(folder).files}


def roles(record: Record) -> set[str]:
    return {series.role for series in record.series}


def test_reference_comes_from_the_other_file_of_its_run(tmp_path: Path) -> None:
    found = loaded(tmp_path, reference=alone(Plan(build=REFERENCE)), new=alone(Plan(build=NEW)))
    assert roles(found["reference"]) == {"subject", "control"}
    own = {(series.case, series.runner): series for series in found["reference"].series if series.role == "subject"}
    taken = {(series.case, series.runner): series for series in found["new"].series if series.role == "reference"}
    assert taken.keys() == own.keys()
    assert all(taken[key].samples == own[key].samples for key in own)


def test_each_run_has_its_own_reference(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("first", "second")]
    for seed, folder in enumerate(runs):
        folder.mkdir()
        for name, of_build in (("reference", REFERENCE), ("new", NEW)):
            record = alone(Plan(build=of_build, run_id=folder.name, seed=seed))
            (folder / f"{name}.json").write_bytes(encode(record))
    by_path = {file.path: file.record for file in load(*runs).files}
    assert [*by_path] == [f"{folder.as_posix()}/{name}.json" for folder in runs for name in ("new", "reference")]
    for folder in runs:
        new, reference = (by_path[f"{folder.as_posix()}/{name}.json"] for name in ("new", "reference"))
        own = {series.key[:3]: series.samples for series in reference.series if series.role == "subject"}
        taken = {series.key[:3]: series.samples for series in new.series if series.role == "reference"}
        assert taken == own


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(encode(alone(Plan(build=REFERENCE))))
    loaded = load(tmp_path / "a.json", tmp_path, tmp_path / "a.json")
    assert (len(loaded.files), loaded.problems) == (1, [])


def test_reference_of_another_run_or_machine_is_ignored(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        other_run=alone(Plan(build=REFERENCE, run_id="another")),
        other_machine=alone(Plan(build=REFERENCE, machine="another")),
        new=alone(Plan(build=NEW)),
    )
    assert "reference" not in roles(found["new"])


def test_published_file_ignores_a_local_reference(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    found = loaded(tmp_path, **{"local/reference": alone(Plan(build=REFERENCE)), "new": alone(Plan(build=NEW))})
    assert "reference" not in roles(found["new"])


def test_file_with_a_reference_keeps_its_own(tmp_path: Path) -> None:
    whole = make(some_scenarios(), Plan(build=NEW))
    found = loaded(tmp_path, reference=alone(Plan(build=REFERENCE)), new=whole)
    assert found["new"] == whole
